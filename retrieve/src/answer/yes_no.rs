//! Yes or no, where a sentence says so: "Did Mara Voss design Tidd Bridge?", "Are Teak and Ansay from the same country?".
//! What no sentence says or denies has no answer: silence is no "no", and words that stand in a sentence somewhere do not
//! say what they say together.

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
/// Words by which a sentence denies what it says.
const NEGATIONS: [&str; 7] = ["not", "never", "neither", "nor", "without", "no", "nobody"];
/// Words of a sentence that does not say that what it tells of is so.
const UNSURE: [&str; 20] = [
    "if",
    "whether",
    "unless",
    "would",
    "could",
    "should",
    "might",
    "may",
    "must",
    "almost",
    "nearly",
    "allegedly",
    "supposedly",
    "reportedly",
    "perhaps",
    "maybe",
    "probably",
    "possibly",
    "hardly",
    "rarely",
];
/// Words between which clauses end that need not say the same of the same.
const JOINTS: [&str; 10] = [
    "and", "or", "but", "while", "although", "though", "whereas", "because", "when", "except",
];
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
    // Clauses are told apart by words between spaces.
    if question.text.contains(term::is_ideograph) {
        return None;
    }
    let named = &form.alternatives;
    if let Some(sides) = either(&question.text, named) {
        let mut said = sides.into_iter().filter_map(|(text, whole)| {
            let claim = Claim::of(&whole, &form.names)?;
            let found = one(searcher, &claim, evidence).filter(|(is_so, _)| *is_so)?;
            Some(Found {
                text,
                support: vec![found.1],
            })
        });
        return said.next().filter(|_| said.next().is_none());
    }
    if named.is_empty() {
        let claim = Claim::of(&question.text, &form.names)?;
        return one(searcher, &claim, evidence).map(|(is_so, place)| Found {
            text: word(is_so),
            support: vec![place],
        });
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

/// Both sides of the "or" of a question, each with the question that asks for it alone: "Was it *accepted* or *rejected*?"
fn either(question: &str, named: &[Alternative]) -> Option<[(String, String); 2]> {
    let (before, after) = question.split_once(" or ")?;
    let (left, right) = match named {
        [left, right] if before.ends_with(&left.text) && after.starts_with(&right.text) => (&*left.text, &*right.text),
        _ => (name::words(before).last()?, name::words(after).next()?),
    };
    let (start, end) = (before.rfind(left)?, after.find(right)? + right.len());
    Some([left, right].map(|side| (side.to_owned(), format!("{}{side}{}", &before[..start], &after[end..]))))
}

/// Whether each opening holds all that the question says beside the names.
fn each_is(searcher: &Searcher, question: &Question, named: &[Alternative], subjects: &[Subject]) -> bool {
    let names: BTreeSet<String> = named.iter().flat_map(|one| term::terms(&one.text)).collect();
    let is_said = |word: &&String| !names.contains(*word) && !matches!(word.as_str(), "both" | "either");
    let said: Vec<&String> = question.terms.iter().filter(is_said).collect();
    subjects.iter().all(|subject| {
        let held: BTreeSet<String> = term::terms(subject.opening_text(searcher)).into_iter().collect();
        !said.is_empty() && said.iter().all(|word| held.contains(*word))
    })
}

/// What a question asks to be so.
struct Claim {
    /// As the question has them, from left to right.
    names: Vec<BTreeSet<String>>,
    values: Vec<(f64, ValueKind)>,
    /// Its own words, names and values apart.
    words: BTreeSet<String>,
    /// Whether "by" stands before one of its names: "Was Tidd Bridge designed *by* Mara Voss?"
    is_passive: bool,
}

/// What the passages say of a claim, and where, if all that say something of it agree.
fn one(searcher: &Searcher, claim: &Claim, evidence: &Evidence) -> Option<(bool, (ChunkId, Span))> {
    let mut said: Option<(bool, (ChunkId, Span))> = None;
    for chunk in chunks(searcher, evidence) {
        let knowledge = searcher.knowledge();
        let document = knowledge.document(knowledge.chunk(chunk).document);
        let title: BTreeSet<String> = term::terms(&document.title).into_iter().map(form).collect();
        for span in searcher.sentences(chunk) {
            let Some(is_so) = claim.read(&document.text, span, &title) else {
                continue;
            };
            if said.is_some_and(|(known, _)| known != is_so) {
                return None;
            }
            said = said.or(Some((is_so, (chunk, span))));
        }
    }
    said
}

/// The best passages and those about what the question names, ascending.
fn chunks(searcher: &Searcher, evidence: &Evidence) -> BTreeSet<ChunkId> {
    let best = evidence.passages.iter().take(MAX_PASSAGES).map(|passage| passage.chunk);
    let named = evidence.entities.iter();
    let about = named.flat_map(|(entity, _)| searcher.incidence().subject_chunks(*entity).iter().take(MAX_PASSAGES));
    best.chain(about.copied()).collect()
}

/// A word of a sentence.
struct Word<'a> {
    text: &'a str,
    start: usize,
    /// Whether a mark that ends a clause stands before it, or it begins one itself.
    is_joint: bool,
    /// Its terms, as [`form`] has them.
    terms: Vec<String>,
}

fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut end = 0;
    let mut all = Vec::new();
    for text in name::words(sentence) {
        let start = end + sentence[end..].find(text).unwrap_or_default();
        let gap = &sentence[end..start];
        let lower = text.to_lowercase();
        all.push(Word {
            text,
            start,
            is_joint: gap.contains([',', ';', ':', '(', ')', '—', '–']) || JOINTS.contains(&lower.as_str()),
            terms: term::terms(text).into_iter().map(form).collect(),
        });
        end = start + text.len();
    }
    all
}

impl Claim {
    /// Reads a question with the names that the corpus knows; `None` where there are none, it says nothing of them, or it
    /// denies something.
    fn of(question: &str, named: &[String]) -> Option<Self> {
        let terms = |text: &str| -> BTreeSet<String> { term::terms(text).into_iter().map(form).collect() };
        let place = |name: &String| question.find(name.as_str()).unwrap_or(question.len());
        let mut names: Vec<(usize, BTreeSet<String>)> = named.iter().map(|name| (place(name), terms(name))).collect();
        if names.is_empty() {
            return None;
        }
        let found = literals(question, Span::new(0, question.len()));
        let values = found
            .iter()
            .filter_map(|literal| value(question, literal.span, literal.kind));
        let mut taken: BTreeSet<String> = names.iter().flat_map(|(_, name)| name).cloned().collect();
        taken.extend(found.iter().flat_map(|literal| terms(literal.span.of(question))));
        let mut own_words = BTreeSet::new();
        let asked = words(question);
        for (at, word) in asked.iter().enumerate() {
            let lower = word.text.to_lowercase();
            if NEGATIONS.contains(&lower.as_str()) {
                return None;
            }
            let own: BTreeSet<String> = word
                .terms
                .iter()
                .filter(|term| !taken.contains(*term))
                .cloned()
                .collect();
            if own.is_empty() || expected::is_auxiliary(&lower) {
                continue;
            }
            if at > 0 && word.text.starts_with(char::is_uppercase) {
                names.push((word.start, own));
            } else {
                own_words.extend(own);
            }
        }
        names.sort();
        let names: Vec<BTreeSet<String>> = names.into_iter().map(|(_, name)| name).collect();
        let values: Vec<(f64, ValueKind)> = values.collect();
        (names.len() > 1 || !own_words.is_empty() || !values.is_empty()).then(|| Self {
            is_passive: is_by(&asked, &names),
            names,
            values,
            words: own_words,
        })
    }

    /// Whether a sentence says the claim or denies it. `None` where it does neither: it has to hold all words and names of
    /// the claim, and a value of the kind, in one clause, the names in their order or turned round by "by". For one that
    /// stands in `title`, the terms of its document's title, a pronoun may begin the sentence.
    fn read(&self, text: &str, span: Span, title: &BTreeSet<String>) -> Option<bool> {
        let sentence = span.of(text);
        if sentence.trim_end().ends_with('?') {
            return None;
        }
        let said = words(sentence);
        let position = |term: &String| said.iter().position(|word| word.terms.contains(term));
        let mut places = Vec::new();
        for word in &self.words {
            places.push(position(word)?);
        }
        let (mut order, mut is_titled): (Vec<usize>, bool) = (Vec::new(), false);
        for name in &self.names {
            let found: Option<Vec<usize>> = name.iter().map(position).collect();
            match found {
                Some(found) => {
                    order.extend(found.iter().min());
                    places.extend(found);
                }
                None if !is_titled && name.is_subset(title) && opens_with_pronoun(&said) => {
                    is_titled = true;
                    order.push(0);
                    places.push(0);
                }
                None => return None,
            }
        }
        let is_in_order = order.is_sorted();
        if order.len() > 1 && is_in_order != (self.is_passive == is_by(&said, &self.names)) {
            return None;
        }
        let mut is_equal = true;
        let there = literals(text, span);
        for (wanted, kind) in &self.values {
            let alike = there.iter().filter(|literal| literal.serves(*kind));
            let found = alike.filter_map(|literal| Some((literal.span.start, value(text, literal.span, *kind)?.0)));
            let found: Vec<(u32, f64)> = found.collect();
            let equal = found.iter().find(|(_, found)| is_same(*found, *wanted, *kind));
            // Of several other values none denies it.
            let (start, _) = equal.or(found.first().filter(|_| found.len() == 1))?;
            is_equal &= equal.is_some();
            let start = (start - span.start) as usize;
            places.push(said.iter().rposition(|word| word.start <= start)?);
        }
        let (first, last) = (*places.iter().min()?, *places.iter().max()?);
        if said[first + 1..=last].iter().any(|word| word.is_joint) {
            return None;
        }
        let is_among = |list: &[&str]| {
            let found = said.iter().enumerate();
            let found = found.filter(|(_, word)| list.contains(&word.text.to_lowercase().as_str()));
            found.map(|(at, _)| at).collect::<Vec<_>>()
        };
        if !is_among(&UNSURE).is_empty() {
            return None;
        }
        match is_among(&NEGATIONS)[..] {
            [] => Some(is_equal),
            [at] if is_equal && (first..=last).contains(&at) => Some(false),
            _ => None,
        }
    }
}

/// Whether "by" stands before one of these names.
fn is_by(words: &[Word<'_>], names: &[BTreeSet<String>]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let behind = words[at + 1..].iter().find(|word| !word.terms.is_empty());
        let is_name = |word: &Word<'_>| {
            names
                .iter()
                .any(|name| word.terms.iter().any(|term| name.contains(term)))
        };
        word.text.eq_ignore_ascii_case("by") && behind.is_some_and(is_name)
    })
}

fn opens_with_pronoun(words: &[Word<'_>]) -> bool {
    let first = words.first().map(|word| word.text.to_lowercase());
    first.is_some_and(|first| matches!(first.as_str(), "he" | "she" | "it" | "they"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::scripted::searcher;

    fn check(text: &str, question: &str, expected: Option<&str>) {
        let searcher = searcher(&[("Notes", text)]);
        let question = Question::new(question, None);
        let form = QuestionForm::read(&searcher, &question);
        let evidence = searcher.search(&question, &Config::default());
        let found = decide(&searcher, (&question, &form), &evidence, &Weights::shipped());
        assert_eq!(
            found.map(|found| found.text).as_deref(),
            expected,
            "{} {text}",
            question.text
        );
    }

    #[test]
    fn a_sentence_says_or_denies_it() {
        let bridge = "Mara Voss designed Tidd Bridge in 1890. Tidd Bridge was not painted by Jon Eld.";
        check(bridge, "Did Mara Voss design Tidd Bridge?", Some("yes"));
        check(bridge, "Was Tidd Bridge designed by Mara Voss?", Some("yes"));
        check(bridge, "Did Mara Voss design Tidd Bridge in 1890?", Some("yes"));
        check(bridge, "Did Mara Voss design Tidd Bridge in 1880?", Some("no"));
        check(bridge, "Did Jon Eld paint Tidd Bridge?", Some("no"));
        check(
            bridge,
            "Was Tidd Bridge designed or painted by Mara Voss?",
            Some("designed"),
        );
    }

    #[test]
    fn words_that_stand_together_say_nothing_together() {
        let board = "The board of Orle declined the offer of Tidd Works.";
        check(board, "Did the board of Orle accept the offer of Tidd Works?", None);
        check(
            "Mara Voss is taller than Jon Eld.",
            "Is Jon Eld taller than Mara Voss?",
            None,
        );
        let pier = "Ansay Pier is closed on Sundays and open on Mondays.";
        check(pier, "Is Ansay Pier open on Sundays?", None);
        check(
            "Was Ansay Pier built by Jon Eld?",
            "Was Ansay Pier built by Jon Eld?",
            None,
        );
        check(
            "Jon Eld would have built Ansay Pier.",
            "Did Jon Eld build Ansay Pier?",
            None,
        );
        check(
            "Mara Voss met Jon Eld, who built Ansay Pier.",
            "Did Mara Voss build Ansay Pier?",
            None,
        );
        let both = "Jon Eld built Ansay Pier. Jon Eld never built Ansay Pier.";
        check(both, "Did Jon Eld build Ansay Pier?", None);
    }
}
