//! What all contributions together say of each key.

use super::form::Name;
use banyan_engine::graph::SUBJECT_VOTES;
use banyan_engine::{Contribution, Document, RelationId, Schema, Span, TypeId, name};
use rustc_hash::FxHashMap;
use std::ops::Index;

/// Spellings of a key that are compared, the most frequent first. Arbitrary: further ones are slips.
const MAX_SPELLINGS: usize = 4;

/// A fact from the side of one of its ends: the relation, whether this end is the head, and the other end.
pub(crate) type FactEnd = (RelationId, bool, usize);

/// What is known of one key.
#[derive(Debug, Default)]
pub(crate) struct Profile<'a> {
    pub(crate) key: &'a str,
    /// The spelling used most.
    pub(crate) spelling: &'a str,
    /// Its names in normal form: its own, and others that a document calls it by, without bare titles ("Paris" for
    /// "Paris, Ommer").
    pub(crate) names: Vec<Name>,
    /// The keys of its bare titles.
    pub(crate) bare_titles: Vec<String>,
    /// Its type by majority, as assembly votes; `None` where no text shows one.
    pub(crate) kind: Option<TypeId>,
    pub(crate) subject_of: Vec<usize>,
    /// Documents that name it, ascending.
    pub(crate) documents: Vec<usize>,
    /// Chunks that name it, as document and position, ascending.
    pub(crate) chunks: Vec<(usize, usize)>,
    /// What is stated of it, sorted; relations that hold between any two things left out.
    pub(crate) facts: Vec<FactEnd>,
    pub(crate) n_mentions: usize,
    spellings: Vec<(&'a str, usize)>,
    types: Vec<(TypeId, usize)>,
}

/// The profiles of all keys, in the order in which contributions name them first.
pub(crate) struct Profiles<'a> {
    list: Vec<Profile<'a>>,
    index: FxHashMap<&'a str, usize>,
}

impl<'a> Profiles<'a> {
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.index.get(key).copied()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &Profile<'a>)> {
        self.list.iter().enumerate()
    }

    fn slot(&mut self, key: &'a str) -> usize {
        let next = self.list.len();
        let at = *self.index.entry(key).or_insert(next);
        if at == next {
            self.list.push(Profile {
                key,
                ..Profile::default()
            });
        }
        at
    }
}

impl<'a> Index<usize> for Profiles<'a> {
    type Output = Profile<'a>;

    fn index(&self, at: usize) -> &Profile<'a> {
        &self.list[at]
    }
}

/// The profiles of all keys of `contributions`, which run in parallel to `documents`. Cost O(claims).
pub(crate) fn profiles<'a>(
    documents: &'a [Document],
    contributions: &'a [Contribution],
    schema: &Schema,
) -> Profiles<'a> {
    let mut profiles = Profiles {
        list: Vec::new(),
        index: FxHashMap::default(),
    };
    for (position, contribution) in contributions.iter().enumerate() {
        let title = documents.get(position).map_or("", |document| document.title.as_str());
        add_claims(&mut profiles, position, contribution, title, schema.thing());
        add_mentions(&mut profiles, position, contribution);
        add_facts(&mut profiles, contribution);
    }
    profiles.list.iter_mut().for_each(Profile::finish);
    profiles
}

fn add_claims<'a>(
    profiles: &mut Profiles<'a>,
    document: usize,
    contribution: &'a Contribution,
    title: &str,
    thing: TypeId,
) {
    for claim in &contribution.entities {
        let at = profiles.slot(&claim.entity);
        let profile = &mut profiles.list[at];
        let votes = if claim.is_subject { SUBJECT_VOTES } else { 1 };
        if !claim.name.is_empty() {
            count(&mut profile.spellings, &*claim.name, votes);
        }
        if let Some(kind) = claim.entity_type.filter(|kind| *kind != thing) {
            count(&mut profile.types, kind, votes);
        }
        if claim.is_subject && profile.subject_of.last() != Some(&document) {
            profile.subject_of.push(document);
            let bare = name::without_disambiguator(title).map(name::key);
            profile.bare_titles.extend(bare.filter(|bare| bare != profile.key));
        }
    }
}

fn add_mentions<'a>(profiles: &mut Profiles<'a>, document: usize, contribution: &'a Contribution) {
    let chunk_of = |span: Span| {
        contribution
            .chunks
            .partition_point(|(chunk, _)| chunk.end <= span.start)
    };
    for mention in &contribution.mentions {
        let at = profiles.slot(&mention.entity);
        let profile = &mut profiles.list[at];
        profile.n_mentions += 1;
        if profile.documents.last() != Some(&document) {
            profile.documents.push(document);
        }
        profile.chunks.push((document, chunk_of(mention.span)));
    }
}

fn add_facts<'a>(profiles: &mut Profiles<'a>, contribution: &'a Contribution) {
    for claim in &contribution.triples {
        let (head, tail) = (profiles.slot(&claim.head), profiles.slot(&claim.tail));
        profiles.list[head].facts.push((claim.relation, true, tail));
        profiles.list[tail].facts.push((claim.relation, false, head));
    }
    for claim in &contribution.attributes {
        profiles.slot(&claim.entity);
    }
}

fn count<T: PartialEq>(counts: &mut Vec<(T, usize)>, value: T, votes: usize) {
    match counts.iter_mut().find(|(other, _)| *other == value) {
        Some((_, n)) => *n += votes,
        None => counts.push((value, votes)),
    }
}

impl Profile<'_> {
    fn finish(&mut self) {
        self.facts.sort_unstable();
        self.facts.dedup();
        self.chunks.sort_unstable();
        self.chunks.dedup();
        self.types
            .sort_by_key(|(kind, votes)| (std::cmp::Reverse(*votes), *kind));
        self.kind = self.types.first().map(|(kind, _)| *kind);
        self.spellings
            .sort_unstable_by_key(|(text, n)| (std::cmp::Reverse(*n), *text));
        let is_own = |text: &&str| name::key(text) == self.key;
        self.spelling = self
            .spellings
            .iter()
            .map(|(text, _)| *text)
            .find(|text| is_own(text))
            .unwrap_or(self.key);
        let mut chosen: Vec<&str> = vec![self.spelling];
        let others = self.spellings.iter().map(|(text, _)| *text);
        chosen.extend(others.filter(|text| *text != self.spelling && !self.is_bare(text)));
        chosen.truncate(MAX_SPELLINGS);
        self.names = chosen.into_iter().filter_map(Name::of).collect();
        self.names.sort();
        self.names.dedup();
    }

    /// Whether a spelling is a part of the key: the bare title of a work or place that shares it with others.
    fn is_bare(&self, text: &str) -> bool {
        let key = name::key(text);
        key != self.key && self.key.starts_with(&key)
    }
}
