//! Whether one thing is as the question says: "Did Mara Voss design Tidd Bridge?", "Is Tidd Bridge 320 metres long?".

use super::Found;
use super::alternative::alternatives;
use super::compare::figure;
use super::date::Date;
use super::expected::is_auxiliary;
use super::likeness::alike;
use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{ChunkId, Span};
use banyan_extract::literal::{Literal, literals};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Passages read beside those about what the question names. Arbitrary.
const MAX_PASSAGES: usize = 6;
/// Share of the question's own words that a sentence must say, or say alike, to be about the same.
const SAME: f32 = 0.5;
/// Forms of irregular verbs by their infinitives.
static VERBS: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("verbs.txt").lines().filter(|line| !line.starts_with('#'));
    let forms = lines.flat_map(|line| {
        let verb = line.split(' ').next().unwrap_or_default();
        line.split(' ').map(move |form| (form, verb))
    });
    forms.collect()
});

/// What the forms of a word in lower case share: "marry" and "married", "write" and "wrote".
fn form(word: &str) -> String {
    let word = VERBS.get(word).copied().unwrap_or(word);
    let mut stem = term::terms(word).pop().unwrap_or_else(|| word.to_owned());
    if stem.len() > 2 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

/// Words after a negation that it can deny. Arbitrary.
const MAX_DENIED: usize = 3;
/// Words by which a sentence denies what it says.
const NEGATIONS: &[&str] = &["not", "never", "neither", "nor", "without", "t", "no"];

/// What a question claims.
struct Claim {
    /// Terms of each thing that the corpus knows and of each other word with a capital.
    names: Vec<BTreeSet<String>>,
    /// Its numbers and dates.
    values: Vec<(String, ValueKind)>,
    /// Its own words in lower case, the others apart.
    words: Vec<String>,
    is_negative: bool,
}

/// How a sentence stands to a claim.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Standing {
    /// Whether it says all of the claim.
    says: bool,
    /// Share of the claim's words that it has.
    words: f32,
    /// Share of the claim's names and values that it has.
    named: f32,
}

/// Yes where a sentence says all that the question says, no where none does or one denies it; with the sentence nearest to
/// the claim. `None` for questions about several things, and where the question names nothing that the corpus knows.
/// Cost O(words of the passages).
pub(super) fn judge(searcher: &Searcher, question: &Question, evidence: &Evidence) -> Option<Found> {
    let plain = format!(" {} ", question.text.to_lowercase());
    let is_of_several = [" both ", " same ", " or ", " either "]
        .iter()
        .any(|word| plain.contains(word));
    if is_of_several || !alternatives(searcher, &question.text).is_empty() {
        return None;
    }
    let claim = Claim::of(searcher, &question.text)?;
    let mut best: Option<(Standing, (ChunkId, Span))> = None;
    for chunk in chunks(searcher, question, evidence) {
        let knowledge = searcher.knowledge();
        let document = knowledge.document(knowledge.chunk(chunk).document);
        let title: BTreeSet<String> = term::terms(&document.title).into_iter().collect();
        for span in searcher.sentences(chunk) {
            let standing = claim.standing(searcher, &document.text, span, &title);
            if standing.words >= SAME && best.is_none_or(|(known, _)| standing > known) {
                best = Some((standing, (chunk, span)));
            }
        }
    }
    let says = best.is_some_and(|(standing, _)| standing.says);
    Some(Found {
        text: if says { "yes" } else { "no" }.to_owned(),
        support: best.into_iter().map(|(_, place)| place).collect(),
    })
}

/// The best passages and those about what the question names, ascending.
fn chunks(searcher: &Searcher, question: &Question, evidence: &Evidence) -> BTreeSet<ChunkId> {
    let best = evidence.passages.iter().take(MAX_PASSAGES).map(|passage| passage.chunk);
    let named = searcher.named_in(&question.text);
    let about = named.iter().flat_map(|entity| {
        searcher
            .incidence()
            .subject_chunks(*entity)
            .iter()
            .take(MAX_PASSAGES)
            .copied()
    });
    best.chain(about).collect()
}

impl Claim {
    fn of(searcher: &Searcher, question: &str) -> Option<Self> {
        let known = searcher.names_in(question);
        if known.is_empty() {
            return None;
        }
        let whole = Span::new(0, question.len());
        let found: Vec<Literal> = literals(question, whole);
        let values: Vec<(String, ValueKind)> = found
            .iter()
            .map(|literal| (literal.span.of(question).to_owned(), literal.kind))
            .collect();
        let set = |text: &String| -> BTreeSet<String> { term::terms(text).into_iter().collect() };
        let mut names: Vec<BTreeSet<String>> = known.iter().map(set).collect();
        let mut taken: BTreeSet<String> = names.iter().flatten().cloned().collect();
        taken.extend(values.iter().flat_map(|(text, _)| term::terms(text)));
        let mut words = Vec::new();
        let mut is_negative = false;
        for (at, word) in question
            .split(|ch: char| !ch.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .enumerate()
        {
            let lower = word.to_lowercase();
            is_negative |= NEGATIONS.contains(&lower.as_str());
            let own = set(&lower);
            let is_part = own.is_empty() || own.iter().all(|term| taken.contains(term));
            if is_part || is_auxiliary(&lower) || NEGATIONS.contains(&lower.as_str()) {
                continue;
            }
            if at > 0 && word.starts_with(char::is_uppercase) {
                names.push(own);
            } else {
                words.push(lower);
            }
        }
        Some(Self {
            names,
            values,
            words,
            is_negative,
        })
    }

    /// How a sentence of a text stands to the claim; `title` are the terms of its document's title.
    fn standing(&self, searcher: &Searcher, text: &str, span: Span, title: &BTreeSet<String>) -> Standing {
        let sentence = span.of(text);
        let own: Vec<String> = sentence
            .split(|ch: char| !ch.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let held: BTreeSet<String> = term::terms(sentence).into_iter().collect();
        let is_named = |name: &&BTreeSet<String>| name.iter().all(|term| held.contains(term) || title.contains(term));
        let n_names = self.names.iter().filter(is_named).count();
        let there = literals(text, span);
        let is_there = |value: &&(String, ValueKind)| {
            let (wanted, kind) = (&value.0, value.1);
            there
                .iter()
                .any(|literal| literal.serves(kind) && equals(literal.span.of(text), wanted, kind))
        };
        let n_values = self.values.iter().filter(is_there).count();
        let says = |word: &String, other: &String| form(word) == form(other) || alike(searcher, word, other);
        let is_said = |word: &&String| own.iter().any(|other| says(word, other));
        let words = match self.words.len() {
            0 => 1.0,
            n => self.words.iter().filter(is_said).count() as f32 / n as f32,
        };
        let n = self.names.len() + self.values.len();
        let is_all = n_names + n_values == n;
        let denies = own.iter().enumerate().any(|(at, word)| {
            let after = &own[at + 1..own.len().min(at + 1 + MAX_DENIED)];
            let is_meant =
                || self.words.is_empty() || after.iter().any(|other| self.words.iter().any(|one| says(one, other)));
            NEGATIONS.contains(&word.as_str()) && is_meant()
        });
        Standing {
            says: is_all && words >= SAME && denies == self.is_negative,
            words,
            named: (n_names + n_values) as f32 / n.max(1) as f32,
        }
    }
}

/// Whether two values are the same, as far as the wanted one says.
fn equals(found: &str, wanted: &str, kind: ValueKind) -> bool {
    if kind == ValueKind::Date {
        let (Some(found), Some(wanted)) = (Date::parse(found), Date::parse(wanted)) else {
            return false;
        };
        return found.year == wanted.year
            && (wanted.month == 0 || wanted.month == found.month)
            && (wanted.day == 0 || wanted.day == found.day);
    }
    let (found, wanted) = (figure(found, kind), figure(wanted, kind));
    found.is_some() && found == wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_are_one() {
        let check =
            |word: &str, other: &str, expected: bool| assert_eq!(form(word) == form(other), expected, "{word} {other}");
        check("marry", "married", true);
        check("write", "wrote", true);
        check("written", "wrote", true);
        check("design", "designed", true);
        check("win", "won", true);
        check("born", "died", false);
        check("design", "build", false);
    }

    #[test]
    fn values_are_the_same_as_far_as_the_question_says() {
        let check = |found: &str, wanted: &str, kind: ValueKind, expected: bool| {
            assert_eq!(equals(found, wanted, kind), expected, "{found} {wanted}");
        };
        check("4 March 1871", "1871", ValueKind::Date, true);
        check("4 March 1871", "March 1871", ValueKind::Date, true);
        check("1871", "4 March 1871", ValueKind::Date, false);
        check("412 metres", "412", ValueKind::Quantity, true);
        check("412 metres", "500 metres", ValueKind::Quantity, false);
        check("many", "500", ValueKind::Number, false);
    }
}
