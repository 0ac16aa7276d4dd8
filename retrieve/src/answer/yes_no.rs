//! Yes or no, where a sentence says so: "Did Mara Voss design Tidd Bridge?", "Are Teak and Ansay from the same country?".
//! What no sentence says or denies has no answer: silence is no "no", and words that stand in a sentence somewhere do not
//! say what they say together.

use super::Found;
use super::role;
use super::subject::Subject;
use crate::evidence::Evidence;
use crate::form::QuestionForm;
use crate::form::comparison::Alternative;
use crate::question::{Question, expected};
use crate::read::Weights;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, Span, name};
use banyan_extract::gazetteer;
use std::collections::BTreeSet;

mod claim;

use claim::{Claim, PREPOSITIONS, form};

/// Passages read beside those about what the question names. Arbitrary.
const MAX_PASSAGES: usize = 6;
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
    let text = question.text.replace(" or not", "");
    if text.contains(" or ") && !form.names.iter().any(|name| name.contains(" or ")) {
        let mut said = either(&text, named)?.into_iter().filter_map(|(side, whole)| {
            let found = one(searcher, &Claim::of(&whole, &form.names)?, evidence);
            let (_, place) = found.filter(|(is_so, _)| *is_so)?;
            Some(Found {
                text: side,
                support: vec![place],
            })
        });
        return said.next().filter(|_| said.next().is_none());
    }
    if named.is_empty() {
        return one(searcher, &Claim::of(&text, &form.names)?, evidence).map(|(is_so, place)| Found {
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
/// They are names, or single words with nothing but a preposition or the end behind them.
fn either(question: &str, named: &[Alternative]) -> Option<[(String, String); 2]> {
    let (before, after) = question.split_once(" or ")?;
    let (left, right) = match named {
        [left, right] if before.ends_with(&left.text) && after.starts_with(&right.text) => (&*left.text, &*right.text),
        _ => {
            let (left, right) = (before.rsplit(' ').next()?, name::words(after).next()?);
            let rest = after[after.find(right)? + right.len()..].trim_end_matches(['?', '.', ' ']);
            let is_end = rest.is_empty() || {
                let next = name::words(rest).next()?;
                next == "by" || PREPOSITIONS.contains(&next)
            };
            let is_side = |side: &str| !term::is_stop_word(side) && !expected::is_auxiliary(side);
            (is_end && [left, right].into_iter().all(is_side)).then_some((left, right))?
        }
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
        check(bridge, "Did Mara Voss design Tidd Bridge or not?", Some("yes"));
        check(
            "Jon Eld didn't paint Ansay Pier.",
            "Did Jon Eld paint Ansay Pier?",
            Some("no"),
        );
        check(
            "Jon Eld painted Ansay Pier in May 1901.",
            "Did Jon Eld paint Ansay Pier in 1901?",
            Some("yes"),
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
            "Was Ansay Pier painted by Jon Eld?",
            "Was Ansay Pier painted by Jon Eld?",
            None,
        );
        check(
            "Jon Eld would have painted Ansay Pier.",
            "Did Jon Eld paint Ansay Pier?",
            None,
        );
        check(
            "Mara Voss met Jon Eld, who painted Ansay Pier.",
            "Did Mara Voss paint Ansay Pier?",
            None,
        );
        for open in [
            "Jon Eld refused to paint Ansay Pier.",
            "Jon Eld's brother painted Ansay Pier.",
            "A pupil of Jon Eld painted Ansay Pier.",
        ] {
            check(open, "Did Jon Eld paint Ansay Pier?", None);
        }
        check(
            "Tidd Bridge was rented to Mara Voss by Jon Eld.",
            "Did Mara Voss rent Tidd Bridge to Jon Eld?",
            None,
        );
        check(
            "Jon Eld painted Ansay Pier.",
            "Was Ansay Pier a success or a failure?",
            None,
        );
        for open in [
            "Jon Eld failed to paint Ansay Pier.",
            "It is unlikely that Jon Eld painted Ansay Pier.",
            "In the novel, Jon Eld painted Ansay Pier.",
            "According to Mara Voss, Jon Eld painted Ansay Pier.",
            "Jon Eld painted a model of Ansay Pier.",
            "Jon Eld junior painted Ansay Pier.",
            "Jon Eld painted Ansay Pier until 1901.",
            "Jon Eld did not paint Ansay Pier until 1901.",
            "Ansay Pier was painted for Jon Eld.",
        ] {
            check(open, "Did Jon Eld paint Ansay Pier?", None);
        }
        check(
            "Lake Sarn is deeper than Lake Mell.",
            "Is Lake Mell deeper than Lake Sarn?",
            None,
        );
        check(
            "Lake Sarn is deeper than Lake Mell.",
            "Is Lake Sarn deeper than Lake Mell?",
            Some("yes"),
        );
        let both = "Jon Eld painted Ansay Pier. Jon Eld never painted Ansay Pier.";
        check(both, "Did Jon Eld paint Ansay Pier?", None);
    }
}
