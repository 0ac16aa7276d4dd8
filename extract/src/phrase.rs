//! The schema's phrases, compiled: which words of a text state which relation, attribute or type.

use crate::han;
use crate::pattern::{self, compile};
use banyan_engine::index::term;
use banyan_engine::{AttributeId, RelationId, Schema, TypeId};
use std::collections::HashMap;

mod chinese;

/// Other words for the types that readers tell apart.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("organisation", &["organization", "org"]),
    ("person", &["human", "individual", "people", "per"]),
    ("place", &["location", "loc"]),
];
/// Longest phrase in words. Arbitrary; longer aliases are not matched word for word.
const MAX_WORDS: usize = 6;
/// Words that may stand between a relation's phrase and its object ("directed by *the French film maker* X"). Arbitrary.
const MAX_SKIPPED: usize = 5;

/// Words across which a phrase does not reach its object: prepositions, conjunctions, pronouns and auxiliaries, English
/// and Chinese; sorted.
const BARRIERS: &[&str] = &[
    "about", "after", "against", "although", "among", "and", "are", "as", "at", "be", "because", "been", "before",
    "being", "between", "but", "by", "during", "for", "from", "had", "has", "have", "he", "her", "his", "in", "into",
    "is", "it", "its", "of", "on", "or", "over", "she", "since", "than", "that", "their", "they", "through", "to",
    "under", "until", "was", "were", "when", "where", "which", "while", "who", "whose", "with", "与", "且", "为", "于",
    "从", "但", "到", "前", "后", "和", "因", "在", "对", "将", "并", "把", "时", "是", "由", "而", "被",
];

/// What stands in a phrase for the tail, where that is not the name after the phrase ("由…创办", "…的首都是").
const NAME: char = '…';

/// Phrases to ids, for one schema.
pub(crate) struct Phrases {
    relations: HashMap<String, Vec<RelationId>>,
    /// Phrases between the tail and the head that follows it.
    reversed: HashMap<String, Vec<RelationId>>,
    /// Phrases around a name: what stands before it, what stands after it.
    around: Vec<(String, String, Vec<RelationId>)>,
    attributes: HashMap<String, Vec<AttributeId>>,
    types: HashMap<String, TypeId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found<Id> {
    pub(crate) ids: Vec<Id>,
    /// First word of the phrase.
    pub(crate) first: usize,
    pub(crate) end: usize,
}

impl Phrases {
    /// Compiles names and aliases. Cost O(size of the schema).
    pub(crate) fn new(schema: &Schema) -> Self {
        let mut types = HashMap::new();
        for (id, kind) in schema.type_ids() {
            for noun in std::iter::once(&kind.name).chain(&kind.aliases) {
                types.entry(noun.to_lowercase()).or_insert(id);
            }
        }
        // What readers tell apart is known under a schema's own word for it.
        for (told, synonyms) in SYNONYMS {
            let known = synonyms.iter().find_map(|synonym| types.get(*synonym)).copied();
            if let Some(id) = known {
                types.entry((*told).to_owned()).or_insert(id);
            }
        }
        let mut relations = compile(pattern::relations(schema), str::to_lowercase);
        let reversed = relations
            .extract_if(|phrase, _| phrase.starts_with(NAME))
            .map(|(phrase, ids)| (phrase.trim_start_matches(NAME).trim().to_owned(), ids))
            .collect();
        let mut around: Vec<(String, String, Vec<RelationId>)> = relations
            .extract_if(|phrase, _| phrase.contains(NAME))
            .filter_map(|(phrase, ids)| {
                let (before, after) = phrase.split_once(NAME)?;
                Some((before.trim().to_owned(), after.trim().to_owned(), ids))
            })
            .collect();
        // Longer phrases say more; ties in the order of their letters.
        around.sort_by(|a, b| {
            (b.1.len(), b.0.len())
                .cmp(&(a.1.len(), a.0.len()))
                .then_with(|| a.cmp(b))
        });
        Self {
            relations,
            reversed,
            around,
            attributes: compile(pattern::attributes(schema), str::to_lowercase),
            types,
        }
    }

    /// The type that a common noun denotes, in singular or plural; a Chinese noun by the longest noun that it ends with.
    pub(crate) fn type_of(&self, noun: &str) -> Option<TypeId> {
        if han::begins(noun) {
            let noun = han::folded(noun);
            let mut endings = noun.char_indices().map(|(at, _)| &noun[at..]);
            return endings.find_map(|ending| self.types.get(ending)).copied();
        }
        let noun = noun.to_lowercase();
        self.types
            .get(&noun)
            .copied()
            .or_else(|| self.types.get(&term::singular(noun)).copied())
    }

    /// The relation whose phrase ends nearest before the end of `words` (lower case), allowing adjectives and nouns
    /// between, but no preposition, conjunction or verb; of phrases that end together the longest.
    ///
    /// A participle after a form of "be" is passive: it needs its agent ("founded in 1966 *by*") or a phrase of its own.
    pub(crate) fn relation_before(&self, words: &[String]) -> Option<Found<RelationId>> {
        for skipped in 0..=MAX_SKIPPED.min(words.len()) {
            let end = words.len() - skipped;
            let has_agent = words[end..].iter().any(|word| word == "by");
            if !has_agent
                && words[end..]
                    .iter()
                    .any(|word| BARRIERS.binary_search(&word.as_str()).is_ok())
            {
                return None;
            }
            let agent = if has_agent { " by" } else { "" };
            if end > 0 && han::begins(&words[end - 1]) {
                if let Some(found) = self.chinese_before(&words[..end]) {
                    return Some(found);
                }
                continue;
            }
            let found = (1..=MAX_WORDS.min(end)).rev().find_map(|length| {
                let first = end - length;
                let ids = self.relations.get(&format!("{}{agent}", words[first..end].join(" ")))?;
                let is_passive = first > 0 && is_form_of_be(&words[first - 1]) && is_participle(&words[end - 1]);
                (has_agent || !is_passive).then(|| Found {
                    ids: ids.clone(),
                    first,
                    end,
                })
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Every attribute phrase among `words` (lower case), in order; of phrases that begin together the longest.
    pub(crate) fn attributes_in(&self, words: &[String]) -> Vec<Found<AttributeId>> {
        (0..words.len())
            .filter_map(|first| {
                (1..=MAX_WORDS.min(words.len() - first)).rev().find_map(|length| {
                    let ids = self.attributes.get(&spoken(&words[first..first + length]))?;
                    Some(Found {
                        ids: ids.clone(),
                        first,
                        end: first + length,
                    })
                })
            })
            .collect()
    }
}

/// Words as a text would write them: with spaces, but none between Chinese words.
pub(crate) fn spoken(words: &[String]) -> String {
    let mut spoken = String::new();
    for word in words {
        let is_chinese = han::begins(word) && spoken.ends_with(han::is_han);
        if !spoken.is_empty() && !is_chinese {
            spoken.push(' ');
        }
        spoken.push_str(word);
    }
    spoken
}

fn is_form_of_be(word: &str) -> bool {
    matches!(word, "was" | "were" | "is" | "are" | "been" | "being" | "be")
}

/// Whether a word can be a past participle: by its ending, or one of the irregular ones that schemas use.
fn is_participle(word: &str) -> bool {
    const IRREGULAR: &[&str] = &[
        "begun", "bought", "built", "held", "led", "made", "run", "set", "sold", "sung", "taught", "won", "written",
    ];
    word.ends_with("ed") || IRREGULAR.contains(&word)
}
