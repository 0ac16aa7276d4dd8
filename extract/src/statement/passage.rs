//! A passage with what it shows of its candidates, computed once and used for every relation.

use super::candidate::{Candidate, Source, candidates};
use super::lexicon::{LEXICON, kind};
use super::token::{Kind, Token, tokens};
use super::value::Value;
use crate::gazetteer;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct Passage<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    /// In text order, shorter first; no two have the same tokens.
    pub(crate) candidates: Vec<Candidate>,
    /// One for each candidate.
    pub(crate) shapes: Vec<Shape>,
    /// Where each root stands.
    pub(crate) places: BTreeMap<String, Vec<usize>>,
}

/// What a candidate looks like.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The one most telling thing.
    pub(crate) form: &'static str,
    /// How it lies to the longest names that are no lists.
    pub(crate) fit: &'static str,
    /// See [`key`].
    pub(crate) key: String,
}

impl<'a> Passage<'a> {
    /// Looks at a text. Cost O(candidates²).
    pub(crate) fn new(text: &'a str) -> Self {
        let tokens = tokens(text);
        let candidates = candidates(text, &tokens);
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_word()) {
            places.entry(token.root.clone()).or_default().push(at);
        }
        let mut passage = Self {
            text,
            tokens,
            candidates,
            shapes: Vec::new(),
            places,
        };
        passage.shapes = passage
            .candidates
            .iter()
            .map(|candidate| passage.shape(candidate))
            .collect();
        passage
    }

    pub(crate) fn text_of(&self, candidate: &Candidate) -> &'a str {
        candidate.span.of(self.text)
    }

    /// The word at `at` in lower case; `^` and `$` beyond the ends.
    pub(crate) fn word(&self, at: Option<usize>) -> &str {
        at.map_or("^", |at| self.tokens.get(at).map_or("$", |token| token.lower.as_str()))
    }

    /// A token as a neighbour: function words and marks by themselves, other words by their case.
    pub(crate) fn class(&self, at: Option<usize>) -> &str {
        let Some(token) = at.and_then(|at| self.tokens.get(at)) else {
            return self.word(at);
        };
        if token.is_function || !token.is_word() {
            &token.lower
        } else if token.is_capital {
            "Capital"
        } else if token.kind == Kind::Number {
            "digit"
        } else {
            "lower"
        }
    }

    fn shape(&self, candidate: &Candidate) -> Shape {
        let text = self.text_of(candidate);
        Shape {
            form: self.form(candidate, text),
            fit: self.fit(candidate),
            key: key(text),
        }
    }

    /// How a candidate lies to the units of names: one of them, a part of one, or beyond them.
    fn fit(&self, candidate: &Candidate) -> &'static str {
        let is_unit = |other: &Candidate| other.is(Source::Unit) || other.is(Source::Quoted);
        if is_unit(candidate) {
            return "unit";
        }
        let mut units = self.candidates.iter().filter(|other| is_unit(other));
        let around = units
            .clone()
            .find(|unit| unit.first <= candidate.first && candidate.end <= unit.end);
        match around {
            Some(unit) if unit.end == candidate.end => {
                let is_bare = self.tokens[unit.first].is_function && unit.first + 1 == candidate.first;
                if is_bare { "bare" } else { "tail" }
            }
            Some(unit) if unit.first == candidate.first => "head",
            Some(_) => "middle",
            None if units.any(|unit| unit.overlaps(candidate)) => "across",
            None => "apart",
        }
    }

    fn form(&self, candidate: &Candidate, text: &str) -> &'static str {
        match candidate.value {
            Some(Value::Number(_)) => return "number",
            Some(value) => return value.bare_year().map_or("date", |_| "year"),
            None => {}
        }
        let lower = text.to_lowercase();
        let is_language = gazetteer::is_language(&lower);
        let tokens = &self.tokens[candidate.first..candidate.end];
        if candidate.is(Source::Quoted) {
            "quoted"
        } else if !tokens.iter().any(|token| token.is_capital) {
            "lower"
        } else if gazetteer::country_of(&lower).is_some() {
            if is_language { "tongue" } else { "people" }
        } else if is_language {
            "language"
        } else {
            match gazetteer::place(text) {
                Some("state" | "province") => "region",
                Some(noun) => noun,
                None => self.named_form(candidate),
            }
        }
    }

    fn named_form(&self, candidate: &Candidate) -> &'static str {
        let tokens = &self.tokens[candidate.first..candidate.end];
        let capitals = || tokens.iter().filter(|token| token.is_capital);
        if tokens.len() > 1 {
            for name in ["award", "organisation", "event", "place"] {
                if capitals().any(|token| LEXICON.kinds_of(&token.root).contains(&kind(name))) {
                    return name;
                }
            }
        }
        if tokens.iter().any(|token| token.is_mark(",")) {
            return "comma";
        }
        let is_personal = |token: &Token| {
            let is_particle = matches!(token.lower.as_str(), "de" | "van" | "von" | "der" | "la" | "al" | "bin");
            token.kind == Kind::Word && (token.is_capital || is_particle)
        };
        let first = tokens[0].span.of(self.text);
        if (2..=4).contains(&tokens.len()) && tokens.iter().all(is_personal) && !tokens[0].is_function {
            return if gazetteer::is_given_name(first) {
                "given"
            } else {
                "full"
            };
        }
        let n_capital = capitals().filter(|token| !token.is_function).count();
        match tokens.len() {
            1 if first.chars().skip(1).any(char::is_uppercase) => "acronym",
            1 => "single",
            n if n == n_capital => "long",
            _ => "mixed",
        }
    }
}

/// The form in which ends of statements are compared: lower case, no quotation marks around it, no white space, no `_`.
pub(crate) fn key(text: &str) -> String {
    let bare = text
        .trim_matches('"')
        .chars()
        .filter(|ch| !ch.is_whitespace() && *ch != '_');
    bare.flat_map(char::to_lowercase).collect()
}
