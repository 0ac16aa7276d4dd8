//! One tag for each entity, every spelling under it, and tags for names in a text.

use aho_corasick::AhoCorasick;
use anyhow::{Context, Result};
use banyan_engine::document::one_line;
use banyan_engine::index::term::{distinct, is_ideograph, is_stop_word};
use banyan_engine::{EntityId, Knowledge};
use banyan_extract::tag::{self, Tag};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// Longest label, well within what [`tag`] reads.
const MAX_LABEL: usize = 24;

/// What goes under one tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) tag: Tag,
    /// The spelling that the texts use most, on one line.
    pub(crate) name: String,
    /// Other spellings that they use, sorted; letter case counts.
    pub(crate) aliases: Vec<String>,
    pub(crate) n: usize,
}

/// A text with tags for names, and what they replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Anonymised {
    pub(super) text: String,
    /// The tags that were put into it, in order.
    pub(super) replaced: Vec<Replaced>,
}

/// A tag in the place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    /// Bytes of the old text.
    pub(super) original: Range<usize>,
    /// Bytes of the new text.
    pub(super) tag: Range<usize>,
    pub(super) entry: usize,
}

impl Anonymised {
    /// The place in the new text of byte `at` of the old one. Within a name it is the beginning of the tag.
    pub(super) fn position(&self, at: usize) -> usize {
        let before = self.replaced.partition_point(|replaced| replaced.original.end <= at);
        let (old, new) = before.checked_sub(1).map_or((0, 0), |last| {
            (self.replaced[last].original.end, self.replaced[last].tag.end)
        });
        let next = self.replaced.get(before);
        match next.filter(|next| next.original.start < at) {
            Some(inside) => inside.tag.start,
            None => new + (at - old),
        }
    }
}

/// Which names go under which tags.
pub(super) struct Dictionary {
    names: Names,
    entries: Vec<Entry>,
    by_entity: BTreeMap<EntityId, usize>,
}

impl Dictionary {
    /// The dictionary of a knowledge: its entities by the names under which its documents mention them.
    ///
    /// A spelling stands for one entity, the one that is mentioned most by it. Left out are spellings that the texts
    /// use in small letters at least half as often as with a capital: they are words. Numbers follow first appearance
    /// and begin beyond those of tags that the texts have already. Cost O(total length), a few times.
    ///
    /// # Errors
    /// Where there are more names than one automaton holds.
    pub(super) fn of(knowledge: &Knowledge) -> Result<Self> {
        let documents = knowledge.documents.all().iter();
        let texts: Vec<&str> = documents
            .flat_map(|one| [one.title.as_str(), one.text.as_str()])
            .collect();
        let mut names = Names::new(owners(knowledge))?;
        // What a longer name had covered counts once that one is gone, so it is asked again until nothing changes.
        let found = loop {
            let found: Vec<Vec<Found>> = texts.par_iter().map(|text| names.find(text)).collect();
            let words = names.words(&texts, &found);
            if words.is_empty() {
                break found;
            }
            let kept = (names.owners.into_iter().enumerate()).filter(|(at, _)| !words.contains(at));
            names = Names::new(kept.map(|(_, kept)| kept).collect())?;
        };
        Ok(Self::number(knowledge, &texts, &found, names))
    }

    /// All entries, in the order of their first appearance.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of an entity of the knowledge, if the texts name it.
    pub(super) fn entry(&self, entity: EntityId) -> Option<usize> {
        self.by_entity.get(&entity).copied()
    }

    fn number(knowledge: &Knowledge, texts: &[&str], found: &[Vec<Found>], names: Names) -> Self {
        let mut by_entity: BTreeMap<EntityId, usize> = BTreeMap::new();
        let mut spellings: Vec<(EntityId, BTreeMap<String, usize>)> = Vec::new();
        for (text, found) in texts.iter().zip(found) {
            for Found { place, name } in found {
                let entity = names.owners[*name].1;
                let at = *by_entity.entry(entity).or_insert(spellings.len());
                if at == spellings.len() {
                    spellings.push((entity, BTreeMap::new()));
                }
                *spellings[at].1.entry(one_line(&text[place.clone()])).or_default() += 1;
            }
        }
        let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
        for Tag { label, number } in texts.iter().flat_map(|text| tag::named(text)) {
            let largest = numbers.entry(label).or_default();
            *largest = (*largest).max(number.min(u64::MAX / 2));
        }
        let entries = spellings.into_iter().map(|(entity, spellings)| {
            let kind = knowledge.graph.entity(entity).entity_type;
            let label = label(&knowledge.schema.entity_type(kind).name);
            let number = numbers.entry(label.clone()).or_default();
            *number += 1;
            let most = spellings.iter().max_by_key(|(name, n)| (**n, Reverse(*name)));
            let name = most.map_or_else(String::new, |(name, _)| name.clone());
            Entry {
                tag: Tag { label, number: *number },
                n: spellings.values().sum(),
                aliases: spellings.into_keys().filter(|spelling| *spelling != name).collect(),
                name,
            }
        });
        Self {
            entries: entries.collect(),
            names,
            by_entity,
        }
    }

    /// Puts the tag for every name in `text`; its endings stay ("Ahab's" → `[PERSON#1]'s`, "Parsees" → `[PERSON#2]s`),
    /// and so do tags that are there already. Cost O(length).
    pub(super) fn anonymise(&self, text: &str) -> Anonymised {
        let mut new = Anonymised::default();
        let mut at = 0;
        for Found { place, name } in self.names.find(text) {
            let Some(entry) = self.entry(self.names.owners[name].1) else {
                continue;
            };
            new.text.push_str(&text[at..place.start]);
            let start = new.text.len();
            new.text.push_str(&self.entries[entry].tag.to_string());
            at = place.end;
            new.replaced.push(Replaced {
                original: place,
                tag: start..new.text.len(),
                entry,
            });
        }
        new.text.push_str(&text[at..]);
        new
    }
}

/// The name of a type as the label of a tag.
fn label(entity_type: &str) -> String {
    match entity_type {
        "place" => "LOCATION".to_owned(),
        "organisation" => "ORGANIZATION".to_owned(),
        other => {
            let kept = other.to_ascii_uppercase().chars().take(MAX_LABEL).collect::<String>();
            kept.replace(|ch: char| !ch.is_ascii_uppercase(), "_")
        }
    }
}

/// Every name under which a document mentions an entity, in small letters, with the entity that it stands for most often.
fn owners(knowledge: &Knowledge) -> Vec<(String, EntityId)> {
    let mut uses: BTreeMap<String, BTreeMap<EntityId, usize>> = BTreeMap::new();
    for (position, entity) in knowledge.graph.entities().iter().enumerate() {
        let mentions = entity.mentions.iter().map(|(source, _)| {
            let document = knowledge.document(knowledge.chunk(source.chunk).document);
            (source.span.of(&document.text), 1)
        });
        let names = std::iter::once(&entity.name).chain(&entity.aliases);
        for (name, n) in names.map(|name| (name.as_str(), 0)).chain(mentions) {
            let name = one_line(name).to_ascii_lowercase();
            *uses.entry(name).or_default().entry(EntityId::at(position)).or_default() += n;
        }
    }
    let most = uses
        .into_iter()
        .filter(|(name, _)| can_be_name(name))
        .filter_map(|(name, owners)| {
            let most = owners.into_iter().max_by_key(|(id, n)| (*n, Reverse(*id)))?;
            Some((name, most.0))
        });
    most.collect()
}

/// Whether a spelling says enough: it has two letters or more and is not made of function words and numbers.
fn can_be_name(name: &str) -> bool {
    let is_content = |term: &String| {
        let is_letter = term.chars().count() > 1 || term.starts_with(is_ideograph);
        is_letter && term.chars().any(char::is_alphabetic)
    };
    name.chars().count() > 1 && distinct(name).iter().any(is_content)
}

/// All names in one automaton.
struct Names {
    owners: Vec<(String, EntityId)>,
    automaton: AhoCorasick,
}

struct Found {
    place: Range<usize>,
    /// Its position in [`Names::owners`].
    name: usize,
}

impl Names {
    fn new(owners: Vec<(String, EntityId)>) -> Result<Self> {
        let patterns = owners.iter().map(|(name, _)| name);
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(patterns);
        Ok(Self {
            automaton: automaton.context("too many names for one automaton")?,
            owners,
        })
    }

    /// The names in a text, leftmost and longest, without overlap: in any case of ASCII letters; as words, in Chinese
    /// anywhere; over the end of a line; not within tags.
    fn find(&self, text: &str) -> Vec<Found> {
        let tags = tag::find(text);
        let is_tagged = |at: usize| {
            let before = tags.partition_point(|tag| tag.end <= at);
            tags.get(before).is_some_and(|tag| tag.start <= at)
        };
        let flat = text.replace(|ch: char| ch.is_ascii_whitespace(), " ");
        let found = self.automaton.find_overlapping_iter(&flat);
        let mut found: Vec<Found> = found
            .filter(|found| is_word(text, found.start(), found.end()) && !is_tagged(found.start()))
            .map(|found| Found {
                place: found.range(),
                name: found.pattern().as_usize(),
            })
            .collect();
        found.sort_by_key(|one| (one.place.start, Reverse(one.place.end)));
        let mut end = 0;
        found.retain(|one| {
            let is_free = one.place.start >= end;
            end = if is_free { one.place.end } else { end };
            is_free
        });
        found
    }

    /// The names that are words, by position.
    fn words(&self, texts: &[&str], found: &[Vec<Found>]) -> Vec<usize> {
        let mut uses = vec![(0, 0); self.owners.len()];
        for (text, found) in texts.iter().zip(found) {
            for Found { place, name } in found {
                let mut words = text[place.clone()].split_whitespace();
                let is_lower = words.any(|word| word.starts_with(char::is_lowercase) && !is_stop_word(word));
                uses[*name].0 += 1;
                uses[*name].1 += usize::from(is_lower);
            }
        }
        let is_word = |(n, lower): (usize, usize)| 2 * lower > n - lower;
        (0..uses.len()).filter(|at| is_word(uses[*at])).collect()
    }
}

/// Whether no letter or digit goes on at either end, accents and the ending of a plural apart; ideographs need no space.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let goes_on = |outside: Option<char>, inside: Option<char>| {
        let is_inner = |ch: char| ch.is_alphanumeric() && !is_ideograph(ch);
        outside.is_some_and(is_inner) && inside.is_some_and(is_inner)
    };
    let (name, after) = (&text[start..end], &text[end..]);
    let is_letter = |ch: &char| !is_mark(*ch);
    let ends = |after: &str| !goes_on(after.chars().find(is_letter), name.chars().next_back());
    let is_plural = || name.starts_with(char::is_uppercase) && after.strip_prefix('s').is_some_and(ends);
    !goes_on(text[..start].chars().rev().find(is_letter), name.chars().next()) && (ends(after) || is_plural())
}

/// Whether a character is a combining mark, which belongs to the letter before it.
fn is_mark(ch: char) -> bool {
    matches!(ch, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}')
}
