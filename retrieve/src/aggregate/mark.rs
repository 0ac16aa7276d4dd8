//! A question as marks: what its words mean, before how they belong together.

use super::adjective::Measure;
use super::catalogue::Catalogue;
use super::{cue, link};
use banyan_extract::record::literal::{days, numbers};
use banyan_extract::stem::stem;

/// A word of a question.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) lower: String,
    pub(super) stem: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// What stands between it and the word before.
    pub(super) gap: String,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    What,
    Which,
    Who,
    When,
    Where,
    HowMany,
    List,
    YesNo,
}

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    More,
    Less,
    AtLeast,
    AtMost,
    Equal,
    Before,
    After,
    Since,
    Until,
    Between,
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    Mean,
    Sum,
    Median,
    Deviation,
    Count,
    Distinct,
    Percentage,
    Difference,
    Ratio,
}

/// The meaning of a run of words.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    Ask(Ask),
    Aggregate(Aggregate),
    /// The largest, or the smallest; with what the word itself measures (`cheapest`: price).
    Extreme {
        is_max: bool,
        hint: Option<&'static Measure>,
    },
    /// A comparison; with what the word itself measures (`cheaper than`).
    Compare {
        how: Compare,
        hint: Option<&'static Measure>,
    },
    /// `most often`, `most common`.
    MostOften {
        is_max: bool,
    },
    Not,
    /// `per`, `for each`.
    Each,
    And,
    Or,
    Than,
    /// `once`, `twice`.
    Times(f64),
    /// `times`, as in `how many times`.
    Occasions,
    Top,
    Record,
    /// Columns, best first, with how well they fit.
    Column(Vec<(usize, f32)>),
    /// A value as the records write it, with the columns that have it.
    Value {
        text: String,
        columns: Vec<usize>,
    },
    Number {
        value: f64,
        unit: String,
    },
    Year(u16),
    /// Ten years from this one on.
    Decade(u16),
    Date(String),
    /// A word that means nothing here.
    Word,
}

/// A run of words with a meaning.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) meaning: Meaning,
    /// First word.
    pub(super) from: usize,
    /// One past the last word.
    pub(super) to: usize,
}

/// A question, read.
#[derive(Clone, Debug)]
pub(super) struct Marked {
    pub(super) words: Vec<Word>,
    pub(super) marks: Vec<Mark>,
}

impl Marked {
    /// Reads a question. Cost O(words · columns + words · log values).
    pub(super) fn new(question: &str, catalogue: &Catalogue) -> Self {
        let words = words(question);
        let mut taken: Vec<Option<Mark>> = vec![None; words.len()];
        literals(question, &words, &mut taken);
        // Of names and words for records the longer ones come first: `the ferries of Isle Ferries`.
        link::values(&words, catalogue, 2, &mut taken);
        records(&words, catalogue, &mut taken);
        link::values(&words, catalogue, 1, &mut taken);
        cue::measures(&words, catalogue, &mut taken);
        cue::mark(&words, catalogue, &mut taken);
        link::columns(&words, catalogue, &mut taken);
        let mut marks = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let mark = taken[at].clone().unwrap_or(Mark {
                meaning: Meaning::Word,
                from: at,
                to: at + 1,
            });
            at = mark.to.max(at + 1);
            marks.push(mark);
        }
        Self { words, marks }
    }

    /// The words of a mark.
    pub(super) fn text(&self, mark: &Mark) -> String {
        self.words[mark.from..mark.to]
            .iter()
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Whether a sentence mark or comma stands between two marks.
    pub(super) fn has_break(&self, from: usize, to: usize) -> bool {
        let (low, high) = (from.min(to), from.max(to));
        self.marks[low + 1..=high]
            .iter()
            .any(|mark| self.words[mark.from].gap.contains([',', ';', ':']))
    }
}

/// The words of a question, `'s` apart from what has it.
pub(super) fn words(question: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut start, mut last) = (None, 0);
    for (at, ch) in question.char_indices().chain([(question.len(), ' ')]) {
        let next_is_digit = question[at..].chars().nth(1).is_some_and(|next| next.is_ascii_digit());
        let before_is_digit = question[..at].ends_with(|before: char| before.is_ascii_digit());
        let in_number = matches!(ch, '.' | ',') && before_is_digit && next_is_digit;
        let in_word = ch.is_alphanumeric() || in_number || matches!(ch, '_' | '\'' | '’') && start.is_some();
        match (start, in_word) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                let whole = &question[begin..at];
                let text = ["'s", "’s", "'", "’"]
                    .iter()
                    .find_map(|end| whole.strip_suffix(end))
                    .unwrap_or(whole);
                words.push(Word {
                    text: text.to_owned(),
                    lower: text.to_lowercase(),
                    stem: stem(text),
                    start: begin,
                    end: begin + text.len(),
                    gap: question[last..begin].to_owned(),
                });
                (start, last) = (None, begin + text.len());
            }
            _ => {}
        }
    }
    words
}

/// Takes words `from..to` for a meaning, where they are free.
pub(super) fn take(taken: &mut [Option<Mark>], from: usize, to: usize, meaning: Meaning) -> bool {
    let is_free = from < to && to <= taken.len() && taken[from..to].iter().all(Option::is_none);
    if is_free {
        taken[from..to].fill(Some(Mark { meaning, from, to }));
    }
    is_free
}

fn literals(question: &str, words: &[Word], taken: &mut [Option<Mark>]) {
    let covered = |start: usize, end: usize| {
        let from = words.iter().position(|word| word.end > start).unwrap_or(words.len());
        let to = words.iter().position(|word| word.start >= end).unwrap_or(words.len());
        (from, to)
    };
    for day in days(question).into_iter().filter(|day| day.year.is_some()) {
        let (from, to) = covered(day.span.start as usize, day.span.end as usize);
        take(taken, from, to, Meaning::Date(day.iso()));
    }
    for number in numbers(question).into_iter().filter(|number| !number.is_ordinal) {
        let (from, to) = covered(number.span.start as usize, number.span.end as usize);
        if let Some(decade) = words.get(from).and_then(decade) {
            take(taken, from, from + 1, Meaning::Decade(decade));
            continue;
        }
        let figures = number.span.of(question);
        let unit = number.unit.of(question).to_owned();
        // "one of" and "which one" count nothing.
        let is_pronoun = figures.eq_ignore_ascii_case("one")
            && words
                .get(to)
                .is_none_or(|word| matches!(word.lower.as_str(), "of" | "has" | "had" | "is" | "was" | "with"));
        let is_year = figures.len() == 4 && number.value.fract() == 0.0 && (1000.0..2200.0).contains(&number.value);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 1000 to 2199"
        )]
        let meaning = if is_year && unit_is_word(&unit) {
            Meaning::Year(number.value as u16)
        } else {
            Meaning::Number {
                value: number.value,
                unit,
            }
        };
        if !is_pronoun {
            take(taken, from, to, meaning);
        }
    }
}

/// The first year of `1990s`.
fn decade(word: &Word) -> Option<u16> {
    let year = word.lower.strip_suffix('s').filter(|year| year.len() == 4)?;
    year.parse().ok().filter(|year| year % 10 == 0 && *year >= 1000)
}

/// Whether what follows a number is no unit of measure.
fn unit_is_word(unit: &str) -> bool {
    banyan_extract::record::literal::unit_of(unit).is_none()
}

/// Words that call a record what it is: `World Cups`, `hotels`.
fn records(words: &[Word], catalogue: &Catalogue, taken: &mut [Option<Mark>]) {
    for noun in &catalogue.nouns {
        for from in 0..words.len() {
            let to = from + noun.len();
            // `List` asks, whatever a record is called.
            let asks = from == 0 && cue::asks(&words[0].lower, 0).is_some();
            let is_noun = to <= words.len()
                && !asks
                && noun.iter().zip(&words[from..to]).all(|(stem, word)| *stem == word.stem)
                && !(from..to).any(|at| cue::names_column(words, at, catalogue));
            if is_noun {
                take(taken, from, to, Meaning::Record);
            }
        }
    }
}
