//! Places: `a resort in Castle Brandon, Albany Reach` has a city and a country that no word names.

use super::candidate::{Candidate, Wanted};
use super::name::name_at;
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::{likeness, units};
use banyan_engine::Span;
use banyan_engine::table::Value;

/// Sentences in which a page says where its subject is.
const LEAD: usize = 4;
/// How sure the place after a preposition is.
const SURE: f32 = 0.75;

/// The places that a page's first sentences name, for columns that ask for one.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let is_like = |phrase: &str| likeness(&wanted.units, &units(phrase)) >= 0.75;
    let rank = if is_like("city") || is_like("location") || is_like("place") {
        0
    } else if is_like("country") || is_like("region") {
        1
    } else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (order, sentence) in page.sentences.iter().take(LEAD).enumerate() {
        let places = named(sentence);
        let Some(span) = places.get(rank) else { continue };
        found.push(Candidate {
            value: Value::Text(span.of(&page.document.text).to_owned()),
            span: Some(*span),
            source: format!("place {rank}"),
            score: SURE - 0.05 * order as f32,
        });
    }
    found
}

/// The first place after `in` or `at`, and what follows it after a comma.
pub(in crate::record) fn named(sentence: &Sentence) -> Vec<Span> {
    let tokens = &sentence.tokens;
    let begins = |at: &usize| {
        let article = usize::from(tokens.get(at + 1).is_some_and(|token| token.lower == "the"));
        let next = tokens.get(at + 1 + article);
        matches!(tokens[*at].lower.as_str(), "in" | "at" | "of")
            && next.is_some_and(|token| token.is_capital && token.gap.trim().is_empty())
    };
    // `on the main square of Castle Brandon, Albany Reach`: a name and another after a comma are a place.
    let is_pair = |at: &usize| {
        let first = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|token| token.lower == "the"));
        let name = name_at(tokens, first);
        let next = tokens.iter().find(|token| token.span.start >= name.end);
        next.is_some_and(|next| next.is_capital && next.gap.trim() == ",")
    };
    let is_of = |at: &usize| {
        tokens[*at].lower == "of"
            && !is_pair(at)
            && (*at == 0
                || !matches!(
                    tokens[at - 1].lower.as_str(),
                    "heart"
                        | "city"
                        | "town"
                        | "centre"
                        | "center"
                        | "outside"
                        | "north"
                        | "south"
                        | "east"
                        | "west"
                        | "coast"
                        | "edge"
                ))
    };
    let Some(at) = (0..tokens.len()).find(|at| begins(at) && !is_of(at)) else {
        return Vec::new();
    };
    let mut next = at + 1 + usize::from(tokens[at + 1].lower == "the");
    let mut places = Vec::new();
    while places.len() < 2
        && tokens
            .get(next)
            .is_some_and(|token| token.is_capital && (places.is_empty() || token.gap.trim() == ","))
    {
        let span = name_at(tokens, next);
        places.push(span);
        next = tokens
            .iter()
            .position(|token| token.span.start >= span.end)
            .unwrap_or(tokens.len());
    }
    places
}
