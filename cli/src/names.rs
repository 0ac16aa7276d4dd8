//! What a user may call an entity.

use anyhow::{Result, bail};
use banyan_engine::{Correction, Decision, EntityId, Index, Knowledge, KnowledgeGraph, Schema, name};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const MAX_SUGGESTIONS: usize = 3;
/// Letters of a name for each one that may be wrong. Arbitrary: two of an eight-letter name.
const LETTERS_PER_SLIP: usize = 4;

/// Of some names the one that is spelled most like another. Cost O(names · length²).
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.min_by_key(|other| (strsim::levenshtein(name, other), *other))
}

/// The relation or attribute of a schema whose name, or whose wording in text, is spelled most like a word. Cost O(wordings ·
/// length²).
pub fn nearest_predicate<'a>(schema: &'a Schema, word: &str) -> Option<&'a str> {
    let relations = schema.relations().iter().map(|one| (&one.name, &one.aliases));
    let attributes = schema.attributes().iter().map(|one| (&one.name, &one.aliases));
    let word = word.replace('_', " ");
    let wordings = relations.chain(attributes).flat_map(|(name, aliases)| {
        let aliases = aliases
            .iter()
            .map(|wording| (strsim::levenshtein(&word, wording), true));
        let own = (strsim::levenshtein(&word, &name.replace('_', " ")), false);
        aliases
            .chain([own])
            .map(|(distance, is_alias)| (distance, is_alias, name.as_str()))
    });
    wordings.min().map(|(.., name)| name)
}

/// Every key of a knowledge, joined or not, with its spellings.
pub struct Names<'a> {
    /// Key → spelling used most.
    keys: BTreeMap<&'a str, &'a str>,
    /// Normal form of any spelling → keys.
    aliases: BTreeMap<String, BTreeSet<&'a str>>,
    /// Normal form of a name that a person gave → key.
    given: BTreeMap<String, &'a str>,
}

impl<'a> Names<'a> {
    /// Gathers the names that the documents use and people gave. Cost O(claims · log names).
    pub fn new(knowledge: &'a Knowledge) -> Self {
        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for contribution in knowledge.contributions.all() {
            for claim in &contribution.entities {
                *counts.entry(&claim.entity).or_default().entry(&claim.name).or_default() += 1;
            }
            for mention in &contribution.mentions {
                counts.entry(&mention.entity).or_default();
            }
            for claim in &contribution.triples {
                counts.entry(&claim.head).or_default();
                counts.entry(&claim.tail).or_default();
            }
        }
        let mut names = Self {
            keys: BTreeMap::new(),
            aliases: BTreeMap::new(),
            given: BTreeMap::new(),
        };
        for (key, spellings) in counts {
            let own = spellings.iter().filter(|(spelling, _)| name::key(spelling) == key);
            let best = own.max_by_key(|(spelling, n)| (**n, Reverse(**spelling)));
            names.keys.insert(key, best.map_or(key, |(spelling, _)| spelling));
            for spelling in spellings
                .keys()
                .map(|spelling| name::key(spelling))
                .filter(|key| !key.is_empty())
            {
                names.aliases.entry(spelling).or_default().insert(key);
            }
        }
        for decision in knowledge.resolution.decisions() {
            if let Decision::Correct {
                what: Correction::Rename { entity, name },
                ..
            } = decision
                && let Some((key, _)) = names.keys.get_key_value(entity.as_str())
            {
                names.given.insert(name::key(name), key);
            }
        }
        names
    }

    /// Whether a document uses a key.
    pub fn knows(&self, key: &str) -> bool {
        self.keys.contains_key(key)
    }

    /// The spelling of a key; the key itself where no document uses it.
    pub fn spelling(&self, key: &str) -> String {
        self.keys.get(key).copied().unwrap_or(key).to_owned()
    }

    /// The key of what a user calls `wanted`.
    ///
    /// # Errors
    /// When no name, or more than one, is meant; the text suggests near ones.
    pub fn find(&self, wanted: &str, store: &Path) -> Result<String> {
        let key = name::key(wanted);
        if self.keys.contains_key(key.as_str()) {
            return Ok(key);
        }
        if let Some(given) = self.given.get(&key) {
            return Ok((*given).to_owned());
        }
        let named: Vec<&str> = self.aliases.get(&key).into_iter().flatten().copied().collect();
        match named[..] {
            [one] => Ok(one.to_owned()),
            [] => bail!(
                "{wanted:?}: no such name in {}; {}",
                store.display(),
                self.suggestion(&key)
            ),
            _ => bail!("{wanted:?} may be {}; name one of them", self.list(&named)),
        }
    }

    fn suggestion(&self, key: &str) -> String {
        suggestion(key, self.keys.iter().map(|(key, spelling)| (*key, *spelling)))
    }

    /// `"A", "B" or "C"`.
    fn list(&self, keys: &[&str]) -> String {
        let spelling = |key: &&str| self.keys.get(key).copied().unwrap_or(key).to_owned();
        list(&keys.iter().map(spelling).collect::<Vec<_>>())
    }
}

/// The entity of what a user calls `wanted`.
///
/// # Errors
/// When no entity, or more than one, is meant; the text suggests near ones.
pub(crate) fn entity(graph: &KnowledgeGraph, index: &Index, wanted: &str, store: &Path) -> Result<EntityId> {
    let key = name::key(wanted);
    if let Some(id) = graph.find(&key) {
        return Ok(id);
    }
    let named = index.names.get(key.as_str()).cloned().unwrap_or_default();
    let is_shown = |id: &&EntityId| name::key(&graph.entity(**id).name) == key;
    let shown: Vec<&EntityId> = named.iter().filter(is_shown).collect();
    match &named[..] {
        _ if shown.len() == 1 => Ok(*shown[0]),
        [id] => Ok(*id),
        [] => {
            let entities = graph.entities().iter().filter(|one| !one.is_gone());
            let names = entities.map(|one| (one.key.as_str(), one.name.as_str()));
            let suggestion = suggestion(&key, names);
            bail!("{wanted:?}: no such name in {}; {suggestion}", store.display())
        }
        several => {
            let names: Vec<String> = several.iter().map(|id| graph.entity(*id).name.clone()).collect();
            bail!("{wanted:?} may be {}; name one of them", list(&names))
        }
    }
}

/// What a user may have meant, of names by their keys.
fn suggestion<'n>(key: &str, names: impl Iterator<Item = (&'n str, &'n str)>) -> String {
    let mut close: Vec<(usize, &str, &str)> = names
        .map(|(other, spelling)| (strsim::levenshtein(key, other), other, spelling))
        .filter(|(distance, ..)| distance * LETTERS_PER_SLIP <= key.len().max(LETTERS_PER_SLIP))
        .collect();
    close.sort_unstable();
    close.truncate(MAX_SUGGESTIONS);
    if close.is_empty() {
        return "`banyan dump` lists all names".to_owned();
    }
    let close: Vec<String> = close.into_iter().map(|(.., spelling)| spelling.to_owned()).collect();
    format!("did you mean {}?", list(&close))
}

/// `"A", "B" or "C"`.
fn list(names: &[String]) -> String {
    let mut names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}
