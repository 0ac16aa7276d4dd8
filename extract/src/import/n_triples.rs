//! N-Triples: things are called by their labels, or by the ends of their addresses.

use super::{Kind, Line, spaced};
use crate::error::FileError;
use crate::literal::is_entity;
use oxrdf::{NamedNode, NamedOrBlankNode, Term, vocab};
use oxttl::NTriplesParser;
use std::collections::HashMap;

/// Whether a statement is on communities and keywords, as `banyan export` writes them.
fn is_of_tree(thing: &str, predicate: &str) -> bool {
    let is_group = thing
        .strip_prefix("urn:banyan:node:")
        .is_some_and(|id| !id.starts_with('e'));
    is_group || predicate.starts_with("urn:banyan:tree:")
}

/// Facts of N-Triples, and how many are of things without a name.
pub(super) fn lines(file: &str, text: &str) -> Result<(Vec<Line>, usize), FileError> {
    let (mut found, mut labels) = (Vec::new(), HashMap::new());
    // Line by line, so that a fault is told with the line that has it.
    for (number, line) in (1..).zip(text.lines()) {
        for triple in NTriplesParser::new().for_slice(line) {
            let triple = triple
                .map_err(|error| FileError::new(file, format!(":{number}: no N-Triples: {}", error.message())))?;
            match (triple.subject, triple.object) {
                (NamedOrBlankNode::NamedNode(thing), Term::Literal(label))
                    if triple.predicate == vocab::rdfs::LABEL =>
                {
                    labels.entry(thing).or_insert_with(|| label.value().to_owned());
                }
                // The tree of our own export is no fact, nor what its communities are.
                (NamedOrBlankNode::NamedNode(thing), _) if is_of_tree(thing.as_str(), triple.predicate.as_str()) => {}
                (thing, object) => found.push((number, thing, triple.predicate, object)),
            }
        }
    }
    let called = |thing: &NamedNode| {
        let known = labels.get(thing).cloned();
        known.unwrap_or_else(|| local(thing.as_str()).replace('_', " "))
    };
    let (mut lines, mut n_nameless) = (Vec::new(), 0);
    for (number, thing, predicate, object) in found {
        let head = match &thing {
            NamedOrBlankNode::NamedNode(thing) => Some(called(thing)),
            NamedOrBlankNode::BlankNode(_) => None,
        };
        let tail = match &object {
            Term::NamedNode(thing) => Some(called(thing)),
            Term::Literal(value) => Some(value.value().to_owned()),
            Term::BlankNode(_) => None,
        };
        let (Some(head), Some(tail)) = (head.filter(|head| is_entity(head)), tail) else {
            n_nameless += 1;
            continue;
        };
        let is_type = predicate == vocab::rdf::TYPE;
        lines.push(Line {
            head,
            relation: if is_type {
                "is a".to_owned()
            } else {
                local(predicate.as_str())
            },
            tail: if is_type { spaced(&tail).replace('_', " ") } else { tail },
            source: String::new(),
            number,
            kind: if is_type { Kind::Type } else { Kind::Fact },
            ..Line::default()
        });
    }
    Ok((lines, n_nameless))
}

/// The end of an address, behind its last `/`, `#` or `:`.
fn local(address: &str) -> String {
    let end = address.trim_end_matches(['/', '#']).rsplit(['/', '#', ':']).next();
    let end = end.unwrap_or(address);
    percent_encoding::percent_decode_str(end)
        .decode_utf8_lossy()
        .into_owned()
}
