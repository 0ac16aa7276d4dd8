//! Examples as views with their gold.

use super::example::Example;
use crate::statement::candidate::Passage;
use crate::statement::cue::Cues;
use crate::statement::view::{View, key};
use crate::statement::writing::{Form, forms};
use std::collections::{BTreeMap, BTreeSet};

/// An example that was looked at.
pub(crate) struct Lesson<'a> {
    pub(crate) view: View<'a>,
    /// For each relation that occurs in its gold: the gold as candidates.
    pub(crate) gold: BTreeMap<usize, Vec<Pair>>,
    /// Whether relations without gold are known to be absent.
    pub(crate) is_complete: bool,
    /// A number for its subject.
    pub(crate) source: u32,
}

/// A gold statement as candidates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) subjects: BTreeSet<usize>,
    /// Objects with the forms in which they are the gold one.
    pub(crate) objects: BTreeMap<usize, Vec<Form>>,
}

/// The first two subjects that have a text as an end of their statements, by the text's key and whether it is an object.
pub(crate) type Known = BTreeMap<(bool, String), BTreeSet<String>>;

/// What the examples have as ends, and with which subjects.
pub(crate) fn known(examples: &[Example]) -> Known {
    let mut known: Known = BTreeMap::new();
    for triple in examples.iter().flat_map(|example| &example.triples) {
        let subject = key(triple.subject.trim_matches('"'));
        for (is_object, end) in [(false, &triple.subject), (true, &triple.object)] {
            let subjects = known.entry((is_object, key(end.trim_matches('"')))).or_default();
            if subjects.len() < 2 {
                subjects.insert(subject.clone());
            }
        }
    }
    known
}

impl<'a> Lesson<'a> {
    /// Looks at an example; what only this example has as an end is not known to it.
    pub(crate) fn new(example: &'a Example, relations: &[Cues], known: &Known, source: u32) -> Self {
        let mine: BTreeSet<String> = example
            .triples
            .iter()
            .map(|triple| key(triple.subject.trim_matches('"')))
            .collect();
        let is_known = |text: &str| {
            let subjects = known.get(&(true, text.to_owned()));
            subjects.is_some_and(|subjects| subjects.iter().any(|subject| !mine.contains(subject)))
        };
        let view = View::new(Passage::new(&example.sentence, is_known));
        let mut gold: BTreeMap<usize, Vec<Pair>> = BTreeMap::new();
        for triple in &example.triples {
            let Some(relation) = relations.iter().position(|cues| cues.label == triple.relation) else {
                continue;
            };
            let subject = key(triple.subject.trim_matches('"'));
            let mut pair = Pair::default();
            for (index, candidate) in view.passage.candidates.iter().enumerate() {
                if view.shapes[index].key == subject && candidate.is_subject() {
                    pair.subjects.insert(index);
                }
                let found: Vec<Form> = forms(candidate, view.passage.text_of(candidate))
                    .into_iter()
                    .filter(|(_, text)| key(text) == key(&triple.object))
                    .map(|(form, _)| form)
                    .collect();
                let is_bare = view.shapes[index].key == key(triple.object.trim_matches('"'));
                if !found.is_empty() || is_bare {
                    pair.objects.insert(index, found);
                }
            }
            gold.entry(relation).or_default().push(pair);
        }
        Self {
            view,
            gold,
            is_complete: example.is_complete,
            source,
        }
    }
}
