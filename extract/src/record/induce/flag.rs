//! Columns from things that some documents have and others do not.

use super::{Found, column, enough};
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::{Unit, units_of};
use banyan_engine::table::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the documents that have to speak of it.
const SHARE: f32 = 0.25;
/// Words that come before something offered.
const OFFERS: &[&str] = &[
    "offer",
    "featur",
    "provid",
    "includ",
    "ha",
    "have",
    "with",
    "without",
    "boast",
    "enjoi",
    "avail",
    "find",
    "no",
    "lack",
    "accept",
    "allow",
    "equip",
    "amen",
    "facil",
    "free",
    "complimentari",
    "welcom",
];
/// Words that are no things.
const STOP: &[&str] = &[
    "access", "addition", "area", "best", "comfort", "day", "easi", "everyth", "experi", "guest", "heart", "hotel",
    "locat", "need", "offer", "option", "perfect", "place", "properti", "servic", "stai", "thing", "time", "travel",
    "visit", "visitor", "wai", "year",
];

/// How a thing is written, and in which documents it is spoken of, denied, and denied or listed among others.
#[derive(Default)]
struct Thing(
    BTreeMap<String, usize>,
    BTreeSet<usize>,
    BTreeSet<usize>,
    BTreeSet<usize>,
);

/// The flags of a corpus: things that are offered in some documents, or denied in some, and not spoken of alike in all.
pub(super) fn columns(pages: &[Page<'_>]) -> Vec<Found> {
    let mut things: BTreeMap<String, Thing> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        for sentence in &page.sentences {
            let is_offer = sentence.units.iter().any(|unit| OFFERS.contains(&unit.stem.as_str()))
                || sentence
                    .tokens
                    .iter()
                    .any(|token| OFFERS.contains(&crate::stem::stem(&token.lower).as_str()));
            if !is_offer {
                continue;
            }
            for (name, is_denied) in unknown(sentence) {
                let thing = things.entry(name.clone()).or_default();
                *thing.0.entry(name).or_default() += 1;
                thing.1.insert(at);
                thing.3.insert(at);
                if is_denied {
                    thing.2.insert(at);
                }
            }
            for unit in sentence.units.iter().filter(|unit| is_thing(unit, sentence)) {
                let is_listed = is_listed(unit, sentence);
                let surface: Vec<&str> = sentence.tokens[unit.start..unit.end]
                    .iter()
                    .map(|token| token.lower.as_str())
                    .collect();
                let thing = things.entry(unit.meaning()).or_default();
                *thing.0.entry(surface.join("_")).or_default() += 1;
                thing.1.insert(at);
                let before = unit.start.saturating_sub(3);
                let is_denied = sentence.tokens[before..unit.start]
                    .iter()
                    .any(|token| matches!(token.lower.as_str(), "no" | "not" | "without" | "lacks"));
                if is_denied {
                    thing.2.insert(at);
                }
                if is_denied || is_listed {
                    thing.3.insert(at);
                }
            }
        }
    }
    let (n, least) = (pages.len(), enough(pages.len(), SHARE));
    let varies = |spoken: &BTreeSet<usize>, denied: &BTreeSet<usize>| {
        spoken.len() >= least && (spoken.len() < n || !denied.is_empty())
    };
    let kept = things
        .into_values()
        .filter(|thing| n > 1 && varies(&thing.1, &thing.2) && thing.3.len() >= least.min(2));
    kept.filter_map(|Thing(surfaces, spoken, ..)| {
        let (surface, _) = surfaces
            .into_iter()
            .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
        let description = format!("Whether there is {}.", surface.replace('_', " "));
        Some(Found {
            column: column(format!("has_{surface}"), Kind::Boolean, &[], description),
            documents: spoken,
            share: SHARE,
        })
    })
    .collect()
}

/// Things that the thesaurus does not know: one or two words between an article, or a `no`, and the end of an item of a
/// list; whether each is denied. `a helipad, an audio guide and no café`.
fn unknown(sentence: &Sentence) -> Vec<(String, bool)> {
    let tokens = &sentence.tokens;
    let ends = |at: usize| {
        tokens
            .get(at)
            .is_none_or(|token| token.gap.contains([',', ';', '.']) || matches!(token.lower.as_str(), "and" | "or"))
    };
    let is_word = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            !token.is_capital
                && token.lower.chars().count() > 3
                && token.lower.chars().all(char::is_alphabetic)
                && token.gap == " "
        })
    };
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let article = tokens[at].lower.as_str();
        if !matches!(article, "a" | "an" | "no") {
            continue;
        }
        let Some(n) = (1..=2).find(|n| at + n < tokens.len() && ends(at + 1 + n)) else {
            continue;
        };
        let words: Vec<String> = tokens[at + 1..at + 1 + n]
            .iter()
            .map(|token| token.lower.clone())
            .collect();
        let is_new = units_of(&words)
            .iter()
            .all(|unit| !unit.is_known() && !STOP.contains(&unit.stem.as_str()));
        if (at + 1..=at + n).all(is_word) && is_new {
            found.push((words.join("_"), article == "no"));
        }
    }
    found
}

/// Whether a unit is a noun that could be offered: written small, not after a preposition of place.
fn is_thing(unit: &Unit, sentence: &Sentence) -> bool {
    let tokens = &sentence.tokens[unit.start..unit.end];
    let is_word = tokens
        .iter()
        .all(|token| !token.is_capital && token.lower.len() > 2 && token.lower.chars().all(char::is_alphabetic));
    let is_phrase = unit.stem.contains(' ');
    let known = unit.is_known();
    is_word && (is_phrase || known) && !STOP.contains(&unit.stem.as_str()) && !OFFERS.contains(&unit.stem.as_str())
}

/// Whether a unit stands in a list: something of its kind before it and after it.
fn is_listed(unit: &Unit, sentence: &Sentence) -> bool {
    let joins = |at: usize| {
        sentence
            .tokens
            .get(at)
            .is_some_and(|token| token.gap.contains(',') || matches!(token.lower.as_str(), "and" | "or"))
    };
    let before = (unit.start.saturating_sub(3)..=unit.start).any(joins);
    let after = joins(unit.end) || unit.end == sentence.tokens.len();
    before && after
}
