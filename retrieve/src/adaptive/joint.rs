//! How the units of documents are joined (`SchemaRAG` Eq. 6, 7).

use super::bound::Bound;
use super::strategy::Inter;
use super::unit::{Body, Field, Unit, chunks, sentence_of};
use crate::answer::Citation;
use crate::searcher::Searcher;
use banyan_engine::Source;
use banyan_engine::index::term;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Steps of the search for the longest chain. Arbitrary: more than any tree of two dozen documents that name few others
/// needs; the longest found until then counts.
const MAX_STEPS: usize = 200_000;

/// ℐ: the units, joined. Documents are named by their position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Joint {
    /// Side by side.
    Parallel,
    /// Documents by category, categories in the order of the question; a document that fits none is in none.
    Groups(Vec<Group>),
    /// Documents that name others.
    Links(Vec<Link>),
    /// Documents from one to the one that it names.
    Chain {
        /// The longest chain.
        longest: Vec<usize>,
        /// All links that it was chosen from.
        links: Vec<Link>,
    },
}

/// A category with its documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Its name.
    pub category: String,
    /// Its documents, ascending.
    pub documents: Vec<usize>,
}

/// One document that names what another is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// The document that names.
    pub from: usize,
    /// The one that is named.
    pub to: usize,
    /// The words that name it.
    pub citation: Citation,
}

/// Joins units (Eq. 7). Cost O(mentions), and for a chain the bounded search of the longest one.
pub(super) fn join(searcher: &Searcher, units: &[Unit], inter: &Inter) -> Joint {
    match inter {
        Inter::Parallel => Joint::Parallel,
        Inter::Groups(named) => Joint::Groups(groups(searcher, units, named)),
        Inter::Links => Joint::Links(links(searcher, units)),
        Inter::Chain => {
            let links = links(searcher, units);
            Joint::Chain {
                longest: longest(&links, units.len()),
                links,
            }
        }
    }
}

/// Who names whom: an entity that a document is about, mentioned in another one.
fn links(searcher: &Searcher, units: &[Unit]) -> Vec<Link> {
    let graph = &searcher.knowledge().graph;
    let mut links = Vec::new();
    for (from, unit) in units.iter().enumerate() {
        let own: BTreeSet<_> = chunks(searcher, unit.document).collect();
        let named: BTreeSet<_> = own
            .iter()
            .flat_map(|chunk| searcher.incidence().entities_of(*chunk))
            .map(|(entity, _)| *entity)
            .collect();
        for (to, other) in units.iter().enumerate().filter(|(to, _)| *to != from) {
            let subject = named
                .iter()
                .find(|entity| graph.entity(**entity).subject_of.contains(&other.document));
            let mentions = subject.into_iter().flat_map(|entity| &graph.entity(*entity).mentions);
            let first = mentions
                .map(|(source, _)| *source)
                .find(|source| own.contains(&source.chunk));
            links.extend(first.map(|source: Source| Link {
                from,
                to,
                citation: Citation::of(
                    searcher.knowledge().document(unit.document),
                    sentence_of(searcher, source),
                ),
            }));
        }
    }
    links
}

/// The longest way along links that visits no document twice; of equals the first in order. Empty without links.
fn longest(links: &[Link], n: usize) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); n];
    for link in links {
        next[link.from].push(link.to);
    }
    let mut search = Search {
        next,
        path: Vec::new(),
        best: Vec::new(),
        n_left: MAX_STEPS,
    };
    for start in 0..n {
        search.visit(start);
    }
    if search.best.len() > 1 { search.best } else { Vec::new() }
}

struct Search {
    next: Vec<Vec<usize>>,
    path: Vec<usize>,
    best: Vec<usize>,
    n_left: usize,
}

impl Search {
    fn visit(&mut self, at: usize) {
        if self.n_left == 0 || self.path.contains(&at) {
            return;
        }
        self.n_left -= 1;
        self.path.push(at);
        if self.path.len() > self.best.len() {
            self.best.clone_from(&self.path);
        }
        for to in self.next[at].clone() {
            self.visit(to);
        }
        self.path.pop();
    }
}

/// Documents by category: by the bound that a category sets, or by the words that it shares with what a document knows.
/// Without categories, documents with equal values stand together.
fn groups(searcher: &Searcher, units: &[Unit], named: &[String]) -> Vec<Group> {
    if named.is_empty() {
        return by_value(units);
    }
    let mut groups: Vec<Group> = named
        .iter()
        .map(|name| Group {
            category: name.clone(),
            documents: Vec::new(),
        })
        .collect();
    for (at, unit) in units.iter().enumerate() {
        if let Some(group) = group_of(searcher, unit, named) {
            groups[group].documents.push(at);
        }
    }
    groups
}

fn by_value(units: &[Unit]) -> Vec<Group> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let Body::Table(fields) = &unit.body else { continue };
        if let Some(field) = fields.first() {
            groups
                .entry(format!("{}: {}", field.column, field.text))
                .or_default()
                .push(at);
        }
    }
    groups
        .into_iter()
        .map(|(category, documents)| Group { category, documents })
        .collect()
}

/// The first category whose bound a value of the unit meets; else the one whose words the document has most of.
fn group_of(searcher: &Searcher, unit: &Unit, named: &[String]) -> Option<usize> {
    if let Body::Table(fields) = &unit.body {
        let meets =
            |name: &String| Bound::of(name).is_some_and(|bound| fields.iter().any(|field| holds(&bound, field)));
        if let Some(at) = named.iter().position(meets) {
            return Some(at);
        }
    }
    let document = searcher.knowledge().document(unit.document);
    let held: BTreeSet<String> = term::terms(&format!("{} {}", document.title, document.text))
        .into_iter()
        .collect();
    let score = |name: &String| -> f32 {
        let shared = term::distinct(name).into_iter().filter(|word| held.contains(word));
        shared.map(|word| searcher.passages().idf(&word)).sum()
    };
    let scores: Vec<f32> = named.iter().map(score).collect();
    let best = (0..named.len())
        .rev()
        .max_by(|a, b| scores[*a].total_cmp(&scores[*b]))?;
    (scores[best] > 0.0).then_some(best)
}

fn holds(bound: &Bound, field: &Field) -> bool {
    field.value.as_number().is_some_and(|value| bound.admits(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(from: usize, to: usize) -> Link {
        let citation = Citation {
            title: String::new(),
            origin: String::new(),
            start: 0,
            end: 0,
            line: 1,
            column: 1,
            quote: String::new(),
        };
        Link { from, to, citation }
    }

    #[test]
    fn the_longest_chain_visits_nobody_twice() {
        assert_eq!(
            longest(&[link(0, 1), link(1, 0), link(2, 0), link(1, 3)], 4),
            [2, 0, 1, 3]
        );
        assert_eq!(longest(&[], 3), Vec::<usize>::new());
    }

    #[test]
    fn a_dense_set_of_links_ends_at_its_limit() {
        let links: Vec<Link> = (0..24)
            .flat_map(|from| (0..24).filter(move |to| *to != from).map(move |to| link(from, to)))
            .collect();
        assert_eq!(longest(&links, 24).len(), 24);
    }
}
