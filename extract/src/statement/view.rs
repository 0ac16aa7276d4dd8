//! What a passage shows of its candidates, computed once and used for every relation.

use super::anchor::Anchors;
use super::candidate::{Candidate, Passage, Source};
use super::kind::Kind;
use super::lexicon::{LEXICON, Scale};
use super::token::Kind as TokenKind;
use std::collections::BTreeMap;

/// A passage with what it shows.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) passage: Passage<'a>,
    /// One for each candidate.
    pub(crate) shapes: Vec<Shape>,
    /// Whom its clauses are about.
    pub(crate) anchors: Anchors,
    /// Where each root stands.
    pub(crate) places: BTreeMap<String, Vec<usize>>,
}

/// What a candidate looks like.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about a candidate, each a feature"
)]
pub(crate) struct Shape {
    /// The one most telling thing.
    pub(crate) form: &'static str,
    /// What the noun right before or after it says that it is.
    pub(crate) beside: Option<Kind>,
    /// How it lies to the longest names that are no lists.
    pub(crate) fit: &'static str,
    /// Lies in a larger name, in a larger quotation, in a larger phrase.
    pub(crate) in_name: bool,
    pub(crate) in_quotation: bool,
    pub(crate) in_phrase: bool,
    /// In lower case without white space and `_`.
    pub(crate) key: String,
    /// The first token of the list that it is an item of; its own first token where it is none.
    pub(crate) list: usize,
    /// One past the last token of that list.
    pub(crate) list_end: usize,
    /// Names that end before it.
    pub(crate) rank: usize,
    /// Its text occurs more than once.
    pub(crate) is_repeated: bool,
    /// Classes of common nouns that it, or its words, are members of.
    pub(crate) member: Vec<(usize, Membership)>,
}

/// How far the words of a candidate are members of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Membership {
    /// Every content word is.
    Whole,
    /// The last word is, another is not.
    Last,
    /// A word before the last is.
    Part,
}

impl Membership {
    /// Its name in features.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Last => "last",
            Self::Part => "part",
        }
    }
}

impl<'a> View<'a> {
    /// Looks at a passage. Cost O(candidates²).
    pub(crate) fn new(passage: Passage<'a>) -> Self {
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, token) in passage.tokens.iter().enumerate() {
            if token.is_word() {
                places.entry(token.root.clone()).or_default().push(at);
            }
        }
        let shapes = passage
            .candidates
            .iter()
            .map(|candidate| shape(&passage, candidate))
            .collect();
        Self {
            anchors: Anchors::new(&passage.tokens, &passage.candidates),
            passage,
            shapes,
            places,
        }
    }

    /// The word at `at` in lower case; `^` and `$` beyond the ends.
    pub(crate) fn word(&self, at: Option<usize>) -> &str {
        at.map_or("^", |at| {
            self.passage.tokens.get(at).map_or("$", |token| token.lower.as_str())
        })
    }
}

/// The comparing form of the benchmark and of examples: lower case, no white space, no `_`.
pub(crate) fn key(text: &str) -> String {
    text.chars()
        .filter(|ch| !ch.is_whitespace() && *ch != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

fn shape(passage: &Passage, candidate: &Candidate) -> Shape {
    let text = passage.text_of(candidate);
    let others = || {
        passage.candidates.iter().filter(move |other| {
            other.first <= candidate.first
                && other.end >= candidate.end
                && (other.first, other.end) != (candidate.first, candidate.end)
        })
    };
    let is_name = |other: &Candidate| other.is(Source::Name) || other.is(Source::Quoted);
    Shape {
        form: form(passage, candidate, text),
        beside: beside(passage, candidate),
        fit: fit(passage, candidate),
        in_name: others().any(|other| other.is(Source::Name) || other.is(Source::Part)),
        in_quotation: others().any(|other| other.is(Source::Quoted)),
        in_phrase: others().any(|other| other.is(Source::Phrase) || other.is(Source::Office)),
        key: key(text),
        list: list_start(passage, candidate),
        list_end: list_end(passage, candidate),
        rank: passage
            .candidates
            .iter()
            .filter(|other| is_name(other) && other.end <= candidate.first)
            .count(),
        is_repeated: passage.text.matches(text).count() > 1,
        member: member(passage, candidate),
    }
}

fn member(passage: &Passage, candidate: &Candidate) -> Vec<(usize, Membership)> {
    let tokens = &passage.tokens[candidate.first..candidate.end];
    let content: Vec<&str> = tokens
        .iter()
        .filter(|token| token.is_content())
        .map(|token| token.root.as_str())
        .collect();
    let membership = |class: usize| {
        let n = content.iter().filter(|root| LEXICON.is_member(class, root)).count();
        let is_last = content.last().is_some_and(|root| LEXICON.is_member(class, root));
        match (n, is_last) {
            (0, _) => None,
            (n, _) if n == content.len() => Some(Membership::Whole),
            (_, true) => Some(Membership::Last),
            _ => Some(Membership::Part),
        }
    };
    let classes = 0..LEXICON.n_classes();
    classes.filter_map(|class| Some((class, membership(class)?))).collect()
}

/// How a candidate lies to the units of names: one of them, a part of one, or beyond them.
fn fit(passage: &Passage, candidate: &Candidate) -> &'static str {
    if candidate.is(Source::Unit) || candidate.is(Source::Quoted) {
        return "unit";
    }
    let units = || {
        passage
            .candidates
            .iter()
            .filter(|other| other.is(Source::Unit) || other.is(Source::Quoted))
    };
    let around = units().find(|unit| unit.first <= candidate.first && candidate.end <= unit.end);
    match around {
        Some(unit)
            if unit.end == candidate.end
                && passage.tokens[unit.first].is_function
                && unit.first + 1 == candidate.first =>
        {
            "bare"
        }
        Some(unit) if unit.end == candidate.end => "tail",
        Some(unit) if unit.first == candidate.first => "head",
        Some(_) => "middle",
        None if units().any(|unit| unit.first < candidate.end && candidate.first < unit.end) => "across",
        None => "apart",
    }
}

/// Whether a token may stand between the items of a list.
fn is_list_joint(lower: &str) -> bool {
    matches!(lower, "," | "and" | "&" | "or" | "\"" | "“" | "”" | "(" | ")" | "/")
}

/// Walks back over capitalised words and joints to where the list begins.
fn list_start(passage: &Passage, candidate: &Candidate) -> usize {
    let tokens = &passage.tokens;
    let mut start = candidate.first;
    let mut at = candidate.first;
    let mut n_joints = 0;
    while at > 0 && tokens[at - 1].sentence == tokens[candidate.first].sentence {
        let token = &tokens[at - 1];
        let is_name = token.is_word() && token.is_capital && !token.is_function && !token.is_initial;
        let is_inner = matches!(token.lower.as_str(), "the" | "of" | "de" | "la" | "van" | "von");
        if is_name {
            start = at - 1;
            n_joints = 0;
        } else if is_list_joint(&token.lower) && n_joints < 4 {
            n_joints += 1;
        } else if !(is_inner && n_joints == 0 && start < candidate.first) {
            break;
        }
        at -= 1;
    }
    start
}

/// Walks on over capitalised words and joints to where the list ends.
fn list_end(passage: &Passage, candidate: &Candidate) -> usize {
    let tokens = &passage.tokens;
    let mut end = candidate.end;
    let mut at = candidate.end;
    while at < tokens.len() && tokens[at].sentence == tokens[candidate.first].sentence {
        let token = &tokens[at];
        if token.is_word() && token.is_capital && !token.is_function {
            end = at + 1;
        } else if !is_list_joint(&token.lower) || at - end > 3 {
            break;
        }
        at += 1;
    }
    end
}

fn form(passage: &Passage, candidate: &Candidate, text: &str) -> &'static str {
    let tokens = &passage.tokens[candidate.first..candidate.end];
    let lower = text.to_lowercase();
    let bare = lower.strip_prefix("the ").unwrap_or(&lower);
    if let Some(value) = &candidate.value {
        return match value {
            value if value.is_year() => "year",
            value if value.is_date() => "date",
            _ => "number",
        };
    }
    for (source, name) in [(Source::Quoted, "quoted"), (Source::Office, "office")] {
        if candidate.is(source) {
            return name;
        }
    }
    if LEXICON.is_country(bare) {
        return "country";
    }
    match LEXICON.place(bare) {
        Some(Scale::City) => return "city",
        Some(Scale::Region) => return "region",
        Some(Scale::Continent) => return "continent",
        None => {}
    }
    if candidate.is(Source::People) {
        return if LEXICON.is_language(bare) { "tongue" } else { "people" };
    }
    if LEXICON.is_language(bare) {
        return "language";
    }
    if !tokens.iter().any(|token| token.is_capital) {
        return "lower";
    }
    named_form(passage, candidate)
}

/// The form of a name.
fn named_form(passage: &Passage, candidate: &Candidate) -> &'static str {
    let tokens = &passage.tokens[candidate.first..candidate.end];
    let n_capital = tokens
        .iter()
        .filter(|token| token.is_capital && !token.is_function)
        .count();
    let nouns = || tokens.iter().filter(|token| token.is_capital);
    if tokens.len() > 1 {
        for kind in [Kind::Award, Kind::Organisation, Kind::Event, Kind::Place] {
            if nouns().any(|token| LEXICON.kinds_of(&token.root).has(kind)) {
                return kind.name();
            }
        }
    }
    if tokens.iter().any(|token| token.is_mark(",")) {
        return "comma";
    }
    let is_personal = |at: usize| {
        let token = &tokens[at];
        token.kind == TokenKind::Word
            && (token.is_capital || matches!(token.lower.as_str(), "de" | "van" | "von" | "der" | "la" | "al" | "bin"))
    };
    if (2..=4).contains(&tokens.len()) && (0..tokens.len()).all(is_personal) && !tokens[0].is_function {
        return if LEXICON.is_given_name(&tokens[0].lower) {
            "given"
        } else {
            "full"
        };
    }
    match (tokens.len(), n_capital) {
        (1, _) if tokens[0].span.of(passage.text).chars().skip(1).any(char::is_uppercase) => "acronym",
        (1, _) => "single",
        (n, capital) if n == capital => "long",
        _ => "mixed",
    }
}

/// The kind of the common noun right before a name ("the singer *Ada Voss*") or in apposition after it.
fn beside(passage: &Passage, candidate: &Candidate) -> Option<Kind> {
    let tokens = &passage.tokens;
    let is_quote = |at: usize| matches!(tokens[at].lower.as_str(), "\"" | "“" | "'");
    let mut at = candidate.first;
    while at > 0 && is_quote(at - 1) {
        at -= 1;
    }
    let before = at
        .checked_sub(1)
        .map(|at| &tokens[at])
        .filter(|token| token.kind == TokenKind::Word && !token.is_function);
    before.and_then(|token| LEXICON.kinds_of(&token.root).iter().next())
}
