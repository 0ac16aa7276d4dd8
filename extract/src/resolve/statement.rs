//! Where a text says that two names are one: "X (Y)", "X, also known as Y".

use super::likeness::{Likeness, liken};
use super::profile::Profiles;
use crate::word_list::List;
use banyan_engine::{Contribution, Document, DocumentId, Mention, Span};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes between two names that a text equates. Arbitrary: room for a life span and "also commonly known as the".
const MAX_GAP: usize = 100;
/// Certainty of a name that means one thing only.
const CERTAIN: u8 = 100;
/// What equates two names by itself. "best known as" is missing on purpose: actors are best known as their characters.
const CUES: &[&str] = &[
    "a.k.a.",
    "abbreviated",
    "abbreviated as",
    "abbreviated to",
    "aka",
    "known as",
    "known professionally as",
    "known simply as",
    "referred to as",
    "spelled",
    "spelt",
];
/// What equates two names after an adverb only: "a tower called X" introduces a name.
const WEAK_CUES: &[&str] = &["", "called"];
/// Adverbs that equate two names by themselves within a parenthesis.
const LONE: &[&str] = &["formerly", "previously", "simply"];

/// Words that may follow an alias; any other word may be its own continuation.
const FOLLOWERS: &[&str] = &["and", "are", "has", "is", "or", "that", "was", "were", "which", "who"];
/// Words before a place or time.
const PREPOSITIONS: &[&str] = &["at", "from", "in", "near", "of", "on", "to"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Statement {
    pub(crate) document: DocumentId,
    pub(crate) span: Span,
}

/// What the texts say of names being one.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    /// Every pair (name, alias), as positions of profiles, that some text equates, with the first place that does.
    pub(crate) stated: BTreeMap<(usize, usize), Statement>,
    /// Acronyms that a text puts beside something in brackets that they do not abbreviate, as far as one can see: they
    /// mean something else there.
    pub(crate) rivals: BTreeMap<usize, BTreeSet<usize>>,
}

/// Every statement of the texts. Cost O(mentions), in parallel.
pub(crate) fn statements(documents: &[Document], contributions: &[Contribution], profiles: &Profiles) -> Statements {
    let found: Vec<Vec<Found>> = documents
        .par_iter()
        .zip(contributions)
        .map(|(document, contribution)| in_document(document, &contribution.mentions, profiles))
        .collect();
    let mut statements = Statements::default();
    for (x, y, statement) in found.into_iter().flatten() {
        match statement {
            Some(statement) => drop(statements.stated.entry((x, y)).or_insert(statement)),
            None => drop(statements.rivals.entry(y).or_default().insert(x)),
        }
    }
    statements
}

/// A name, what may be its alias, and the place that equates them; none where they are side by side but not equal.
type Found = (usize, usize, Option<Statement>);

fn in_document(document: &Document, mentions: &[Mention], profiles: &Profiles) -> Vec<Found> {
    let certain: Vec<&Mention> = mentions
        .iter()
        .filter(|mention| mention.certainty == CERTAIN && mention.span.end > 0)
        .collect();
    let text = document.text.as_str();
    let mut found = Vec::new();
    for pair in certain.windows(2) {
        let (name, alias) = (pair[0], pair[1]);
        let (end, start) = (name.span.end as usize, alias.span.start as usize);
        if start < end || start - end > MAX_GAP || name.entity == alias.entity {
            continue;
        }
        let Some(cue) = text.get(end..start).and_then(cue) else {
            continue;
        };
        let (Some(x), Some(y)) = (profiles.find(&name.entity), profiles.find(&alias.entity)) else {
            continue;
        };
        if is_stated(text, cue, (name.span, x), (alias.span, y), profiles) {
            let closing = usize::from(text[alias.span.end as usize..].starts_with(')'));
            let span = Span::new(name.span.start as usize, alias.span.end as usize + closing);
            let document = document.id;
            found.push((x, y, Some(Statement { document, span })));
        } else if cue == Cue::Bracket {
            let is_acronym = |at: usize| profiles[at].names.iter().any(|name| name.is_acronym);
            // "EU (Vessing" gives an example, "EU (Eastern Union" a meaning.
            let rivals = [(x, y, true), (y, x, are_alike(profiles, x, y))];
            let rivals = rivals
                .into_iter()
                .filter(|(_, short, is_told)| *is_told && is_acronym(*short));
            found.extend(rivals.map(|(long, short, _)| (long, short, None)));
        }
    }
    found
}

/// How two names are put side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    /// "X (Y": says nothing by itself, Y may be where X is, or who played X.
    Bracket,
    /// "X (also known as Y".
    InBrackets,
    /// "X, also known as Y".
    AfterComma,
    /// "X (born Y" or "X, born Y".
    Born,
}

/// What the words between two names say of them.
fn cue(gap: &str) -> Option<Cue> {
    let gap = gap.trim_start();
    if gap.trim_end() == "(" {
        return Some(Cue::Bracket);
    }
    // What stands in brackets after a name, a life span or a pronunciation, is passed over.
    let rest = match gap.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        Some((_, rest)) => rest.trim_start(),
        None => gap,
    };
    let is_bracket = rest.starts_with('(');
    let said = rest.strip_prefix(['(', ',', ';'])?.to_lowercase();
    let mut words: Vec<&str> = said
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '“', '‘', '`', ',']))
        .filter(|word| !word.is_empty())
        .collect();
    if matches!(words.last(), Some(&("the" | "a" | "an"))) {
        words.pop();
    }
    let n_adverbs = words.iter().take_while(|word| List::AliasAdverbs.has(word)).count();
    let is_lone = is_bracket && n_adverbs == words.len() && words.last().is_some_and(|word| LONE.contains(word));
    let left = words[n_adverbs..].join(" ");
    if left == "born" {
        return Some(Cue::Born);
    }
    let is_weak = WEAK_CUES.contains(&left.as_str()) && n_adverbs > 0 && (!left.is_empty() || is_lone);
    (CUES.contains(&left.as_str()) || is_weak).then_some(if is_bracket { Cue::InBrackets } else { Cue::AfterComma })
}

/// Whether the text equates the two names. After a comma the first one must open its sentence: in "Ada Quill, from
/// Vessing, also known as the Gull" it is not Vessing that is known so.
fn is_stated(text: &str, cue: Cue, name: (Span, usize), alias: (Span, usize), profiles: &Profiles) -> bool {
    let rest = &text[alias.0.end as usize..];
    if cue != Cue::Bracket && !ends(rest) {
        return false;
    }
    match cue {
        Cue::Bracket => rest.starts_with([')', ',', ';']) && are_alike(profiles, name.1, alias.1),
        Cue::InBrackets => !follows_preposition(text, name.0),
        Cue::AfterComma => opens_sentence(text, name.0),
        Cue::Born => opens_sentence(text, name.0) && profiles[alias.1].key.contains(' '),
    }
}

fn are_alike(profiles: &Profiles, x: usize, y: usize) -> bool {
    let (x, y) = (&profiles[x].names, &profiles[y].names);
    let mut pairs = x.iter().flat_map(|a| y.iter().map(move |b| (a, b)));
    pairs.any(|(a, b)| liken(a, b).is_some_and(|likeness| likeness != Likeness::MiddleName))
}

/// Whether a name ends where it was found to: in "known as the Poets' Church" it does not end with "Poets".
fn ends(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '”', '’', '\'', ' ']);
    let mut words = rest.split_whitespace();
    let (next, beyond) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let is_joined = matches!(next, "and" | "or") && beyond.starts_with(char::is_uppercase);
    rest.starts_with([')', ',', ';', '.', '(']) || (FOLLOWERS.contains(&next) && !is_joined) || rest.is_empty()
}

/// Whether a name is an adverbial, so that what stands in brackets after it may belong to what it modifies.
fn follows_preposition(text: &str, name: Span) -> bool {
    let before = text.get(..name.start as usize).unwrap_or("").trim_end();
    let before = ["the", "a", "an"]
        .iter()
        .find_map(|article| before.strip_suffix(article))
        .filter(|before| before.ends_with(char::is_whitespace))
        .unwrap_or(before);
    let word = before.split_whitespace().next_back().unwrap_or("");
    PREPOSITIONS.contains(&word)
}

/// Whether nothing but an article and quotation marks stands between the beginning of a sentence and a name.
fn opens_sentence(text: &str, name: Span) -> bool {
    let is_quote = |ch: char| matches!(ch, '"' | '“' | '‘' | '\'' | '`' | ' ');
    let before = text.get(..name.start as usize).unwrap_or("").trim_end_matches(is_quote);
    let before = ["The", "the", "A", "An"]
        .iter()
        .find_map(|article| before.strip_suffix(article))
        .unwrap_or(before)
        .trim_end_matches(is_quote);
    before.is_empty() || before.ends_with(['.', '!', '?', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_two_names_equate_them_or_not() {
        for (gap, expected) in [
            (" (", Some(Cue::Bracket)),
            (" (also known as the ", Some(Cue::InBrackets)),
            (" (formerly ", Some(Cue::InBrackets)),
            (" (abbreviated as ", Some(Cue::InBrackets)),
            (", also called \"", Some(Cue::AfterComma)),
            (" (3 May 1901 – 7 June 1980), better known as ", Some(Cue::AfterComma)),
            (", a.k.a. ", Some(Cue::AfterComma)),
            (" (born ", Some(Cue::Born)),
            (", formerly of ", None),
            (", best known as ", None),
            (", called ", None),
            (" is known as ", None),
            (", also known as the mother of ", None),
            (" and ", None),
            (", ", None),
        ] {
            assert_eq!(cue(gap), expected, "{gap:?}");
        }
    }
}
