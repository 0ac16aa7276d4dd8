//! Attributes that dates, numbers and quantities suggest which no attribute of the schema took.

use super::Candidate;
use super::embedded::Types;
use crate::analysis::Analysis;
use crate::clause::{Clause, is_negated};
use crate::literal::{Literal, literals};
use crate::word_list::List;
use banyan_engine::fact::EntityKey;
use banyan_engine::index::term;
use banyan_engine::schema::{AttributeType, Element, ValueKind};
use banyan_engine::{Contribution, Span, name};

/// Most nouns before "of" that name an attribute ("seating capacity of"). Arbitrary.
const MAX_NOUNS: usize = 2;

/// A candidate for each value that no claim of the document covers and that a noun or verb introduces.
pub(super) fn candidates(contribution: &Contribution, parsed: &Analysis, types: &Types) -> Vec<Candidate> {
    let own = EntityKey::from(name::key(&parsed.document.title));
    let mut found = Vec::new();
    for sentence in &parsed.sentences {
        let taken = |value: &Literal| {
            contribution
                .attributes
                .iter()
                .any(|claim| claim.span.overlaps(value.span))
        };
        let values: Vec<Literal> = literals(parsed.text(), sentence.0)
            .into_iter()
            .filter(|value| !taken(value))
            .collect();
        if values.is_empty() {
            continue;
        }
        let clause = Clause::new(parsed, sentence, &contribution.mentions, &own);
        found.extend(values.into_iter().filter_map(|value| {
            let (kind, span) = introduced(&clause, value)?;
            Some(Candidate {
                head_type: types.of(&clause.subject),
                value_kind: Some(value.kind),
                ..Candidate::new(Element::Attribute(kind), contribution.document, span)
            })
        }));
    }
    found
}

/// The attribute that the words before a value name, and where it stands with its value.
///
/// `NOUN (of|is|was) VALUE` names the noun, `VERB (in|on) DATE` the verb's date. Names before the value end the search.
fn introduced(clause: &Clause, value: Literal) -> Option<(AttributeType, Span)> {
    let before = clause
        .named
        .iter()
        .rev()
        .find(|named| named.span.end <= value.span.start);
    let start = before.map_or(clause.span.start, |named| named.span.end);
    let end = clause.words.partition_point(|word| word.span.end <= value.span.start);
    let first = clause.words.partition_point(|word| word.span.start < start);
    let words = clause.lower.get(first..end)?;
    let (bond, rest) = words.split_last()?;
    let joined = clause.gap(clause.words[end - 1].span.end, value.span.start);
    if !joined.trim().is_empty() || is_negated(words) {
        return None;
    }
    let (name, aliases) = match (bond.as_str(), value.kind) {
        ("in" | "on", ValueKind::Date) => {
            let verb = rest
                .last()
                .filter(|verb| verb.len() > 4 && verb.ends_with("ed") && is_content(verb))?;
            (format!("{verb}_date"), vec![format!("{verb} in"), format!("{verb} on")])
        }
        ("of" | "is" | "was" | "about" | "approximately" | "nearly", ValueKind::Number | ValueKind::Quantity) => {
            let nouns = nouns(rest);
            let last = nouns.last()?;
            let is_noun = !last.ends_with("ed") && !last.ends_with("ly") && !List::EmptyMeasures.has(last);
            is_noun.then(|| (nouns.join("_"), vec![format!("{} of", nouns.join(" "))]))?
        }
        _ => return None,
    };
    let at = clause.words[end - 1 - rest.len().min(MAX_NOUNS)].span.start;
    let kind = AttributeType {
        name,
        kind: value.kind,
        aliases,
        ..AttributeType::default()
    };
    let (start, end) = (at, value.span.end);
    Some((kind, Span { start, end }))
}

/// The last few words that carry meaning, in order, without a gap except "of" and what is idle at the end.
fn nouns(words: &[String]) -> Vec<&str> {
    let mut nouns: Vec<&str> = words
        .iter()
        .rev()
        .map(String::as_str)
        .skip_while(|word| *word == "of" || List::Idle.has(word))
        .take_while(|word| is_content(word))
        .take(MAX_NOUNS)
        .collect();
    nouns.reverse();
    nouns
}

fn is_content(word: &str) -> bool {
    word.chars().count() > 2 && word.chars().all(|ch| ch.is_lowercase() || ch == '-') && !term::is_stop_word(word)
}
