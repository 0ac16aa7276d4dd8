//! Which words name one attribute: `venue` and `stadium`, `won` and `champion`.
//!
//! The groups are a file of general English (`thesaurus.txt`). Names of columns, labels in documents and words of
//! questions are cut into [`Unit`]s, and two units are alike where their stems are equal or they share a group.

use crate::stem::stem;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Longest phrase in words.
const MAX_WORDS: usize = 3;
/// How alike two words of one group are, where equal ones are 1. Arbitrary; below 1 so that the word itself wins.
const SAME_GROUP: f32 = 0.8;

/// Words that carry no meaning in the name of a column or a label.
const FUNCTION: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "does", "each", "ever", "for", "from", "has",
    "have", "in", "is", "it", "its", "of", "on", "or", "per", "s", "that", "the", "their", "this", "to", "was", "were",
    "with",
];
/// Words that say little about which attribute is meant.
const GENERIC: &[&str] = &[
    "amount", "count", "figur", "inform", "n", "name", "no", "num", "number", "overal", "offici", "quantiti", "total",
    "valu",
];

/// A word, or a phrase that the thesaurus knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The stems of its words, joined by spaces.
    pub stem: String,
    /// The groups it is in.
    groups: BTreeSet<u16>,
    /// First word of the text that it covers.
    pub start: usize,
    /// One past the last word.
    pub end: usize,
}

impl Unit {
    /// How alike two units are: 1 for equal stems, less for words of one group, 0 for others.
    pub fn likeness(&self, other: &Self) -> f32 {
        if self.stem == other.stem {
            1.0
        } else if self.groups.intersection(&other.groups).next().is_some() {
            SAME_GROUP
        } else {
            0.0
        }
    }

    /// How much the unit says about which attribute is meant: little for `total` and `number`.
    pub fn weight(&self) -> f32 {
        if GENERIC.contains(&self.stem.as_str()) {
            0.25
        } else {
            1.0
        }
    }

    /// What is the same for all words of one meaning: the first group, else the stem.
    pub fn meaning(&self) -> String {
        self.groups
            .first()
            .map_or_else(|| self.stem.clone(), |group| format!("#{group}"))
    }

    /// The word that heads its group: `price` for `priced`; `None` for what the thesaurus does not know, or knows in several
    /// meanings, as `area`.
    pub fn canonical(&self) -> Option<String> {
        let group = self.groups.first().filter(|_| self.groups.len() == 1)?;
        let group = usize::from(*group);
        let line = lines().nth(group)?;
        line.split(',').next().map(|word| words(word).join("_"))
    }

    /// Whether the thesaurus knows it.
    pub fn is_known(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether it is a word like `total` or `number`.
    pub fn is_generic(&self) -> bool {
        self.weight() < 1.0
    }
}

/// The words of a text in lower case: runs of letters, digits and apostrophes; `_` and `-` part words, and a capital
/// after a small letter begins one.
pub fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for ch in text.chars() {
        let begins = ch.is_uppercase() && before.is_lowercase();
        let is_joint = matches!(ch, '\'' | '’') && before.is_alphanumeric();
        if begins || !ch.is_alphanumeric() && !is_joint {
            words.push(String::new());
        }
        if ch.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(ch.to_lowercase());
        }
        before = ch;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The units of a text, function words left out; the longest phrase first. Cost O(words).
pub fn units(text: &str) -> Vec<Unit> {
    units_of(&words(text))
}

/// The units of words in lower case.
pub fn units_of(words: &[String]) -> Vec<Unit> {
    let stems: Vec<String> = words.iter().map(|word| stem(&folded(word))).collect();
    let mut units = Vec::new();
    let mut at = 0;
    while at < stems.len() {
        let longest = (1..=MAX_WORDS.min(stems.len() - at)).rev().find_map(|n| {
            let joined = stems[at..at + n].join(" ");
            GROUPS.get(&joined).map(|groups| (n, joined, groups.clone()))
        });
        let (n, stem, groups) = longest.unwrap_or_else(|| (1, stems[at].clone(), BTreeSet::new()));
        if n > 1 || !FUNCTION.contains(&words[at].as_str()) {
            units.push(Unit {
                stem,
                groups,
                start: at,
                end: at + n,
            });
        }
        at += n;
    }
    units
}

/// A word without accents: a column `cafe` is what documents call a café.
fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(banyan_engine::name::key(word))
    }
}

/// Words of flags that say nothing about what is flagged.
const FLAG_WORDS: &[&str] = &[
    "offer", "provid", "includ", "allow", "free", "servic", "facil", "avail", "is", "ha",
];

/// The units of a flag's name without words such as `offers` and `available`, unless it has no others.
pub fn flag_units(name: &str) -> Vec<Unit> {
    let all = units(name);
    let is_said = |unit: &&Unit| !FLAG_WORDS.contains(&unit.stem.as_str());
    let said: Vec<Unit> = all.iter().filter(is_said).cloned().collect();
    if said.is_empty() { all } else { said }
}

/// The share of the weight of `wanted` that `given` covers, 0 to 1; 0 where nothing is wanted.
pub fn coverage(wanted: &[Unit], given: &[Unit]) -> f32 {
    let total: f32 = wanted.iter().map(Unit::weight).sum();
    if total == 0.0 {
        return 0.0;
    }
    let best = |unit: &Unit| {
        given
            .iter()
            .map(|other| unit.likeness(other))
            .max_by(f32::total_cmp)
            .unwrap_or(0.0)
    };
    wanted.iter().map(|unit| unit.weight() * best(unit)).sum::<f32>() / total
}

/// What it costs that two labels differ in words such as `total` and `number`. Arbitrary; enough to prefer the label that
/// does not.
const OTHER_GENERIC: f32 = 0.97;

/// How alike two labels are: the harmonic mean of what either covers of the other, 0 to 1. Words such as `total` and
/// `number` count only where there are no others.
pub fn likeness(a: &[Unit], b: &[Unit]) -> f32 {
    let specific = |units: &[Unit]| -> Vec<Unit> { units.iter().filter(|unit| !unit.is_generic()).cloned().collect() };
    let generic = |units: &[Unit]| -> BTreeSet<String> {
        let generic = units.iter().filter(|unit| unit.is_generic());
        generic.map(|unit| unit.stem.clone()).collect()
    };
    let (said, given) = (specific(a), specific(b));
    let (x, y, factor) = if said.is_empty() || given.is_empty() {
        (a, b, 1.0)
    } else if generic(a) == generic(b) {
        (&said[..], &given[..], 1.0)
    } else {
        (&said[..], &given[..], OTHER_GENERIC)
    };
    let (there, back) = (coverage(x, y), coverage(y, x));
    if there + back == 0.0 {
        0.0
    } else {
        factor * 2.0 * there * back / (there + back)
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("thesaurus.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
}

/// Groups by the stems of their phrases.
static GROUPS: LazyLock<BTreeMap<String, BTreeSet<u16>>> = LazyLock::new(|| {
    let mut groups: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for (group, line) in (0_u16..).zip(lines()) {
        for phrase in line.split(',') {
            let stems: Vec<String> = words(phrase).iter().map(|word| stem(word)).collect();
            groups.entry(stems.join(" ")).or_default().insert(group);
        }
    }
    groups
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_one_attribute_are_alike() {
        let check = |a: &str, b: &str| likeness(&units(a), &units(b));
        assert!(check("runner_up", "Runners-up") > 0.9);
        assert!(check("stadiums", "Venue(s)") > 0.7);
        assert!(check("total_goals", "Goals scored") > 0.6);
        assert!(check("champion", "Champions") > 0.9);
        assert!(check("champion", "Attendance") < 0.1);
        assert!(check("hasSwimmingPool", "pool") > 0.7);
        assert!(check("third_place", "Third place") > check("third_place", "Fourth place"));
    }

    #[test]
    fn nothing_is_like_nothing() {
        assert!(coverage(&[], &units("a of the")) < f32::EPSILON);
        assert!(likeness(&units("the"), &units("of")) < f32::EPSILON);
    }
}
