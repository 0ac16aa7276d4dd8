//! Adjectives and what they measure: `tallest` a height, `cheaper` a price. The words are a file of general English
//! (`adjective.txt`); which column it is, its name or its unit says.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What an adjective measures.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// Words of the name of a column that says it, best first.
    pub(super) words: Vec<String>,
    /// The dimension of that column's unit; empty where it is none, `money` for that of any currency.
    pub(super) dimension: &'static str,
    /// Whether a number that the question names itself is meant rather.
    pub(super) yields: bool,
}

impl Measure {
    /// Whether it is a place in time.
    pub(super) fn is_time(&self) -> bool {
        self.words.first().is_some_and(|word| word == "time")
    }

    /// Whether a unit of this dimension may be its own.
    pub(super) fn has_dimension(&self, dimension: &str) -> bool {
        match self.dimension {
            "" => false,
            "money" => ["dollar", "euro", "sterling", "yen", "rupee", "franc"].contains(&dimension),
            own => own == dimension,
        }
    }
}

/// A form of an adjective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Degree {
    Positive,
    Comparative,
    Superlative,
}

/// What a form measures, and whether it means more of it.
pub(super) fn find(phrase: &str, degree: Degree) -> Option<(&'static Measure, bool)> {
    let (at, is_more) = *LEXICON.forms.get(&(degree, phrase))?;
    Some((LEXICON.measures.get(at)?, is_more))
}

/// The measure that the word says best.
pub(super) fn of(word: &str) -> Option<&'static Measure> {
    LEXICON
        .measures
        .iter()
        .find(|measure| measure.words.first().is_some_and(|first| first == word))
}

#[derive(Default)]
struct Lexicon {
    measures: Vec<Measure>,
    forms: BTreeMap<(Degree, &'static str), (usize, bool)>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let lines = include_str!("adjective.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let mut lexicon = Lexicon::default();
    for (at, line) in lines.enumerate() {
        let mut parts = line.split('|').map(str::trim);
        let words = parts.next().unwrap_or("");
        lexicon.measures.push(Measure {
            words: words
                .trim_start_matches('*')
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            dimension: parts.next().unwrap_or(""),
            yields: words.starts_with('*'),
        });
        for (part, is_more) in parts.zip([true, false]) {
            let degrees = [Degree::Positive, Degree::Comparative, Degree::Superlative];
            for (forms, degree) in part.split(';').zip(degrees) {
                for form in forms.split(',').map(str::trim).filter(|form| !form.is_empty()) {
                    lexicon.forms.entry((degree, form)).or_insert((at, is_more));
                }
            }
        }
    }
    lexicon
});
