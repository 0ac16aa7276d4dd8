//! Yes or no, where a sentence says so: "Did Mara Voss design Tidd Bridge?", "Are Teak and Ansay from the same country?".
//! What no sentence says or denies has no answer: silence is no "no".

use super::Found;
use super::role;
use super::subject::{Subject, day_number};
use crate::evidence::Evidence;
use crate::form::QuestionForm;
use crate::form::comparison::Alternative;
use crate::question::{Question, expected};
use crate::read::Weights;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{ChunkId, Span, name};
use banyan_extract::gazetteer;
use banyan_extract::literal::literals;
use banyan_extract::record::literal::numbers;
use std::collections::BTreeSet;

/// Passages read beside those about what the question names. Arbitrary.
const MAX_PASSAGES: usize = 6;
/// Share of the question's own words that a sentence must hold to be about the same. Arbitrary.
const SAME: f32 = 0.5;
/// Words by which a sentence denies what it says.
const NEGATIONS: [&str; 6] = ["not", "never", "neither", "nor", "without", "no"];
/// Nouns for where somebody or something is from.
const ORIGINS: [&str; 5] = ["country", "nation", "nationality", "nationalities", "countries"];

/// Decides a question for yes or no, with the sentences that say so; `None` where none does. Cost O(words of the
/// passages).
pub(super) fn decide(
    searcher: &Searcher,
    (question, form): (&Question, &QuestionForm),
    evidence: &Evidence,
    weights: &Weights,
) -> Option<Found> {
    let named = &form.alternatives;
    if named.is_empty() {
        return one(searcher, (question, form), evidence);
    }
    let subjects = named.iter().map(|each| {
        let of_one = role::subjects(searcher, &question.text, each, weights);
        of_one.first().copied()
    });
    let subjects: Vec<Subject> = subjects.collect::<Option<_>>()?;
    let is_so = match question.text.split_once(" same ") {
        Some((_, noun)) => shares(searcher, &subjects, &noun.to_lowercase())?,
        None => each_is(searcher, question, named, &subjects).then_some(true)?,
    };
    Some(Found {
        text: word(is_so),
        support: subjects
            .iter()
            .filter_map(|subject| subject.opening(searcher))
            .collect(),
    })
}

fn word(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

/// Whether the openings about two things name the same place of a kind, or the same people where it is a country; `None`
/// where one of them names none.
fn shares(searcher: &Searcher, subjects: &[Subject], noun: &str) -> Option<bool> {
    let noun = noun.split(|ch: char| !ch.is_alphabetic()).next().unwrap_or_default();
    let said = |subject: &Subject| {
        let opening = subject.opening_text(searcher);
        if ORIGINS.contains(&noun) {
            origins(opening)
        } else {
            places(opening, noun)
        }
    };
    let sets: Vec<BTreeSet<String>> = subjects.iter().map(said).collect();
    let (first, rest) = sets.split_first()?;
    let is_known = sets.iter().all(|set| !set.is_empty());
    (is_known && !rest.is_empty()).then(|| rest.iter().all(|set| !set.is_disjoint(first)))
}

/// The countries that a text names, by their names or those of their peoples: "a *Norwegian* film".
fn origins(text: &str) -> BTreeSet<String> {
    let words = name::words(text);
    let peoples = words.filter_map(|word| gazetteer::country_of(word).map(name::key));
    let mut found = places(text, "country");
    found.extend(peoples);
    found
}

/// The well-known places in a text that are what the noun says.
fn places(text: &str, noun: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text
        .split(|ch: char| !ch.is_alphanumeric() && ch != '.')
        .filter(|word| !word.is_empty())
        .collect();
    let runs = (1..=3).flat_map(|length| words.windows(length));
    let names = runs
        .filter(|run| run[0].starts_with(char::is_uppercase))
        .map(|run| run.join(" "));
    names
        .filter(|name| gazetteer::place(name) == Some(noun))
        .map(|name| name::key(&name))
        .collect()
}

/// Whether each opening holds what the question says beside the names: all its names, and half of its words.
fn each_is(searcher: &Searcher, question: &Question, named: &[Alternative], subjects: &[Subject]) -> bool {
    let names: BTreeSet<String> = named.iter().flat_map(|one| term::terms(&one.text)).collect();
    let is_said = |word: &&String| !names.contains(*word) && !matches!(word.as_str(), "both" | "either");
    let said: Vec<&String> = question.terms.iter().filter(is_said).collect();
    let words = question.text.split_whitespace().skip(1);
    let proper = words
        .filter(|word| word.starts_with(char::is_uppercase))
        .flat_map(term::terms);
    let proper: Vec<String> = proper.filter(|word| !names.contains(word)).collect();
    subjects.iter().all(|subject| {
        let held: BTreeSet<String> = term::terms(subject.opening_text(searcher)).into_iter().collect();
        let n_held = said.iter().filter(|word| held.contains(**word)).count();
        !said.is_empty() && proper.iter().all(|word| held.contains(word)) && n_held as f32 >= SAME * said.len() as f32
    })
}

struct Claim {
    names: Vec<BTreeSet<String>>,
    values: Vec<(f64, ValueKind)>,
    /// Its own words, names and values apart.
    words: BTreeSet<String>,
    is_negative: bool,
}

/// The sentence that says most of a claim and all its names, or denies it by a negation or another value of the same
/// kind.
fn one(searcher: &Searcher, (question, form): (&Question, &QuestionForm), evidence: &Evidence) -> Option<Found> {
    let claim = Claim::of(&question.text, &form.names)?;
    let mut best: Option<(f32, bool, (ChunkId, Span))> = None;
    for chunk in chunks(searcher, evidence) {
        let knowledge = searcher.knowledge();
        let document = knowledge.document(knowledge.chunk(chunk).document);
        let title: BTreeSet<String> = term::terms(&document.title).into_iter().collect();
        for span in searcher.sentences(chunk) {
            let Some((share, is_so)) = claim.read(&document.text, span, &title) else {
                continue;
            };
            if best.is_none_or(|(known, ..)| share > known) {
                best = Some((share, is_so, (chunk, span)));
            }
        }
    }
    best.map(|(_, is_so, place)| Found {
        text: word(is_so),
        support: vec![place],
    })
}

/// The best passages and those about what the question names, ascending.
fn chunks(searcher: &Searcher, evidence: &Evidence) -> BTreeSet<ChunkId> {
    let best = evidence.passages.iter().take(MAX_PASSAGES).map(|passage| passage.chunk);
    let named = evidence.entities.iter();
    let about = named.flat_map(|(entity, _)| searcher.incidence().subject_chunks(*entity).iter().take(MAX_PASSAGES));
    best.chain(about.copied()).collect()
}

impl Claim {
    /// Reads a question with the names that the corpus knows; `None` where there are none, or it says nothing of them.
    fn of(question: &str, named: &[String]) -> Option<Self> {
        let terms = |text: &str| -> BTreeSet<String> { term::terms(text).into_iter().map(form).collect() };
        let mut names: Vec<BTreeSet<String>> = named.iter().map(|name| terms(name)).collect();
        if names.is_empty() {
            return None;
        }
        let found = literals(question, Span::new(0, question.len()));
        let values = found
            .iter()
            .filter_map(|literal| value(question, literal.span, literal.kind));
        let mut taken: BTreeSet<String> = names.iter().flatten().cloned().collect();
        taken.extend(found.iter().flat_map(|literal| terms(literal.span.of(question))));
        let mut words = BTreeSet::new();
        let mut is_negative = false;
        for (at, word) in name::words(question).enumerate() {
            let lower = word.to_lowercase();
            is_negative |= NEGATIONS.contains(&lower.as_str());
            let own: BTreeSet<String> = terms(&lower).difference(&taken).cloned().collect();
            if own.is_empty() || expected::is_auxiliary(&lower) || NEGATIONS.contains(&lower.as_str()) {
                continue;
            }
            if at > 0 && word.starts_with(char::is_uppercase) {
                names.push(own);
            } else {
                words.extend(own);
            }
        }
        let values: Vec<(f64, ValueKind)> = values.collect();
        (names.len() > 1 || !words.is_empty() || !values.is_empty()).then_some(Self {
            names,
            values,
            words,
            is_negative,
        })
    }

    /// The share of the claim's words that a sentence holds, and whether it says or denies the claim; `None` where it
    /// lacks a name or a kind of value, or half of the words. `title` are the terms of its document's title.
    fn read(&self, text: &str, span: Span, title: &BTreeSet<String>) -> Option<(f32, bool)> {
        let sentence = span.of(text);
        let mut held: BTreeSet<String> = term::terms(sentence).into_iter().map(form).collect();
        let n_words = self.words.iter().filter(|word| held.contains(*word)).count();
        held.extend(title.iter().cloned().map(form));
        let share = match self.words.len() {
            0 => 1.0,
            n => n_words as f32 / n as f32,
        };
        if share < SAME || !self.names.iter().all(|name| name.is_subset(&held)) {
            return None;
        }
        let there = literals(text, span);
        let mut is_equal = true;
        for (wanted, kind) in &self.values {
            let alike = there.iter().filter(|literal| literal.serves(*kind));
            let found: Vec<f64> = alike
                .filter_map(|literal| Some(value(text, literal.span, *kind)?.0))
                .collect();
            if found.is_empty() {
                return None;
            }
            is_equal &= found.iter().any(|found| is_same(*found, *wanted, *kind));
        }
        let mut words = name::words(sentence).map(str::to_lowercase);
        let denies = words.any(|word| NEGATIONS.contains(&word.as_str()));
        Some((share, is_equal && denies == self.is_negative))
    }
}

/// What forms of a word share beside its term: "marry" and "married".
fn form(mut term: String) -> String {
    if term.len() > 2 && term.ends_with('y') {
        term.pop();
        term.push('i');
    }
    term
}

/// A date as days, a number as it is.
fn value(text: &str, span: Span, kind: ValueKind) -> Option<(f64, ValueKind)> {
    let text = span.of(text);
    let value = match kind {
        ValueKind::Date => day_number(text),
        _ => numbers(text).first().map(|number| number.value),
    };
    value.map(|value| (value, kind))
}

/// Whether a value is the wanted one, as far as that says: a year holds all its days.
fn is_same(found: f64, wanted: f64, kind: ValueKind) -> bool {
    if kind == ValueKind::Date && wanted % 365.0 == 0.0 {
        return ((found / 365.0).floor() - wanted / 365.0).abs() < 0.5;
    }
    (found - wanted).abs() < 1e-9
}
