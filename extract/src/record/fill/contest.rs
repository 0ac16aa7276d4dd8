//! Who beat whom: `Brazil beat Sweden 5–2 in the final` names a winner and a runner-up.
//!
//! Reports of contests seldom say "the runner-up was …"; they say who lost the final. The frame is one of English, for
//! tournaments, cups and finals of any kind.

use super::candidate::{Candidate, Wanted};
use super::name::{LEAD, name_at, name_until};
use crate::record::page::{Page, Sentence, Token};
use crate::record::thesaurus::{likeness, units};
use banyan_engine::Span;
use banyan_engine::table::Value;

/// How sure the frame is, beside a labelled value.
const FRAME: f32 = 0.78;
/// Words between the verb and the name of who lost.
const REACH: usize = 6;
const WON: &[&str] = &[
    "beat",
    "beats",
    "beating",
    "defeated",
    "defeats",
    "defeating",
    "overcame",
    "overcoming",
    "against",
];
const LOST: &[&str] = &["lost", "losing", "loses", "fell"];

/// The role that a column gives to a side of a contest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Winner,
    Loser,
}

/// The role that a column asks for, and whether it is that of the match for third place.
pub(super) fn role(wanted: &Wanted<'_>) -> Option<(Role, bool)> {
    let is_about = |phrase: &str| likeness(&wanted.units, &units(phrase)) >= 0.75;
    let roles = [
        ("runner up", Role::Loser, false),
        ("fourth place", Role::Loser, true),
        ("third place", Role::Winner, true),
        ("champion", Role::Winner, false),
    ];
    let asked = roles.into_iter().find(|(phrase, ..)| is_about(phrase));
    asked.map(|(_, role, is_third)| (role, is_third))
}

/// The sides of the deciding matches that a column may mean.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let Some((role, third)) = role(wanted) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (order, sentence) in page.sentences.iter().enumerate() {
        if !decides(sentence, third) {
            continue;
        }
        if let Some((winner, loser)) = sides(page, sentence) {
            let span = if role == Role::Winner { winner } else { loser };
            let decay = if order < LEAD { 1.0 } else { 0.75 };
            let value = Value::Text(span.of(&page.document.text).to_owned());
            found.push(Candidate {
                value,
                span: Some(span),
                source: "contest".to_owned(),
                score: FRAME * decay,
            });
        }
    }
    found
}

/// Whether a sentence tells of the final, or of the match for third place.
fn decides(sentence: &Sentence, third: bool) -> bool {
    let tokens = &sentence.tokens;
    let is_third = sentence.units.iter().any(|unit| unit.stem.contains("third"))
        && tokens
            .iter()
            .any(|token| matches!(token.lower.as_str(), "place" | "third"));
    let is_final = tokens.iter().enumerate().any(|(at, token)| {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
        token.lower == "final" && !matches!(before, "semi" | "quarter" | "previous" | "last" | "cup")
    });
    if third { is_third } else { is_final && !is_third }
}

/// Winner and loser of the first contest of a sentence.
fn sides(page: &Page<'_>, sentence: &Sentence) -> Option<(Span, Span)> {
    let tokens = &sentence.tokens;
    let verb = tokens.iter().position(|token| {
        WON.contains(&token.lower.as_str())
            || LOST.contains(&token.lower.as_str()) && tokens.iter().any(|token| token.lower == "to")
    })?;
    let is_lost = LOST.contains(&tokens[verb].lower.as_str());
    let subject = subject(page, sentence, verb)?;
    let object = (verb + 1..tokens.len().min(verb + 1 + REACH)).find(|at| page.is_name(sentence, *at))?;
    let (subject, object) = (name_until(tokens, subject), name_at(tokens, object));
    Some(if is_lost { (object, subject) } else { (subject, object) })
}

/// The last name before the verb that is not within a parenthesis or after a preposition of place; of a participle the
/// sentence's first.
fn subject(page: &Page<'_>, sentence: &Sentence, verb: usize) -> Option<usize> {
    let tokens = &sentence.tokens;
    let is_participle = tokens[verb].lower.ends_with("ing") || tokens[verb].lower == "against";
    let is_free = |at: &usize| {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
        page.is_name(sentence, *at)
            && (*at > 0
                || !matches!(
                    tokens[0].lower.as_str(),
                    "in" | "the" | "it" | "they" | "this" | "that" | "at" | "on" | "host" | "hosts" | "after"
                ))
            && !matches!(before, "in" | "at" | "of" | "since" | "after")
    };
    if is_participle {
        (0..verb).find(is_free).map(|at| end_of(tokens, at))
    } else {
        (0..verb).rev().find(is_free)
    }
}

/// The last word of the name that begins at `at`.
fn end_of(tokens: &[Token], at: usize) -> usize {
    let span = name_at(tokens, at);
    (at..tokens.len())
        .take_while(|next| tokens[*next].span.end <= span.end)
        .last()
        .unwrap_or(at)
}
