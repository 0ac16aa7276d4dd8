//! Descriptions of a thing by a name: "Teak's performer", "the performer of Teak", "the town where the Ondle rises".

use super::super::token::{Kind, Token};
use super::noun::{PLACES, is_head, kind_of};
use super::{AUXILIARY, PREPOSITION, RELATIVE};
use crate::question::Expected;
use banyan_engine::Schema;
use banyan_engine::index::term;

/// Participles without a regular ending.
const PARTICIPLES: &[&str] = &[
    "born", "built", "found", "held", "known", "led", "made", "set", "shot", "won", "written",
];
/// Nouns after "place of", "city of" … that make it an event in a life.
const EVENTS: &[&str] = &["birth", "citizenship", "death", "origin"];
const DETERMINER: &[&str] = &["a", "an", "the", "its", "this"];
/// Most words between the noun and the name, and of a description beside its names. Arbitrary.
const MAX_INNER: usize = 9;
/// "Teak's performer", up to four words after the name.
pub(super) fn possessive(tokens: &[Token<'_>], at: usize, schema: &Schema) -> Option<(usize, usize)> {
    let mark = tokens.get(at + 1)?;
    let is_possessive = matches!(mark.text, "'s" | "’s" | "'" | "’");
    if !is_possessive {
        return None;
    }
    let first = at + 2;
    let n_words = tokens[first..]
        .iter()
        .take(4)
        .take_while(|token| token.kind == Kind::Word)
        .count();
    let last = (first..first + n_words)
        .take_while(|n| !tokens[*n].is_of(AUXILIARY))
        .find(|n| is_head(tokens[*n].text, schema))?;
    Some((at, birth_or_death(tokens, last + 1)))
}

/// "city of birth", "place of death": one past the second noun.
fn birth_or_death(tokens: &[Token<'_>], end: usize) -> usize {
    let is_of = tokens.get(end).is_some_and(|token| token.is_of(&["of"]));
    let is_event = tokens.get(end + 1).is_some_and(|token| token.is_of(EVENTS));
    if is_of && is_event { end + 2 } else { end }
}

/// "the performer of song Teak": a noun, "of" or "by", at most two words, the name.
pub(super) fn of_phrase(tokens: &[Token<'_>], at: usize, schema: &Schema) -> Option<(usize, usize)> {
    let of = (at.saturating_sub(4)..at)
        .rev()
        .find(|n| tokens[*n].is_of(&["of", "by"]))?;
    let is_plain = |token: &Token<'_>| token.kind == Kind::Word && !token.is_of(AUXILIARY) && !token.is_of(RELATIVE);
    if !tokens[of + 1..at].iter().all(is_plain) || is_owner(tokens, at) {
        return None;
    }
    let head = of.checked_sub(1)?;
    let is_event = tokens[head].is_of(EVENTS);
    let head = if is_event { head.checked_sub(2)? } else { head };
    let kind = kind_of(tokens[head].text, schema)?;
    // "the village of Tidd" names Tidd itself.
    let is_place = matches!(kind, Expected::Entity(kind) if schema.type_id("place") == Some(kind));
    if is_place && tokens[at].kind == Kind::Name && !is_event && !tokens[head].is_of(PLACES) {
        return None;
    }
    let start = noun_start(tokens, head)?;
    (!tokens[start].is_of(&["a", "an"])).then_some((start, at + 1))
}

/// Whether a possessive ending follows the name.
fn is_owner(tokens: &[Token<'_>], at: usize) -> bool {
    tokens
        .get(at + 1)
        .is_some_and(|mark| matches!(mark.text, "'s" | "’s" | "'" | "’"))
}

/// "the town where the Ondle rises", "the company that built Tidd Bridge", "the airport named after Mara Voss", "the
/// country Mara Voss is from".
pub(super) fn clause(tokens: &[Token<'_>], at: usize) -> Option<(usize, usize)> {
    if is_owner(tokens, at) {
        return None;
    }
    let lowest = at.saturating_sub(MAX_INNER);
    let bare = bare_opener(tokens, at);
    let opener = bare.or_else(|| (lowest..at).rev().find(|n| opens_clause(tokens, *n)))?;
    let is_broken = tokens[opener..at].iter().any(|token| matches!(token.text, "?" | "."));
    let mut head = opener.checked_sub(1)?;
    while head > 0 && (tokens[head].is_of(PREPOSITION) || tokens[head].text == ",") {
        head -= 1;
    }
    if is_broken || tokens[head].kind != Kind::Word || term::is_stop_word(&tokens[head].text.to_lowercase()) {
        return None;
    }
    let start = noun_start(tokens, head).filter(|start| tokens[*start].is_of(DETERMINER))?;
    // "When was the clock built in Tidd?": the verb of the question, not of a clause.
    let is_verb = !tokens[opener].is_of(RELATIVE) && start > 0 && tokens[start - 1].is_of(AUXILIARY);
    if is_verb {
        return None;
    }
    let has_preposition = tokens[opener - 1].is_of(PREPOSITION);
    let is_about_object = bare.is_some()
        || tokens[opener].is_of(&["where", "when", "whose"])
        || has_preposition
        || is_subject(tokens, opener, at);
    let end = if is_about_object {
        verb_end(tokens, at + 1)
    } else {
        object_end(tokens, at + 1)
    };
    Some((start, end))
}

/// "the Teak Nights singer": a noun for a person right after the name.
pub(super) fn apposed(tokens: &[Token<'_>], at: usize, schema: &Schema) -> Option<(usize, usize)> {
    let first = at.checked_sub(1).filter(|first| tokens[*first].is_of(&["the"]))?;
    let noun = tokens.get(at + 1).filter(|noun| noun.kind == Kind::Word)?;
    let is_person =
        matches!(kind_of(noun.text, schema), Some(Expected::Entity(kind)) if schema.type_id("person") == Some(kind));
    // "the Teak singer Mara Voss", "the Teak band leader"
    let goes_on = tokens.get(at + 2).is_some_and(|next| {
        next.kind == Kind::Name || next.kind == Kind::Word && !term::is_stop_word(&next.text.to_lowercase())
    });
    (is_person && tokens[at].kind == Kind::Name && !goes_on).then_some((first, at + 2))
}

/// "the country Mara Voss is from": the name follows a noun, and a verb that ends with a preposition follows the name.
fn bare_opener(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let first = if at > 0 && tokens[at - 1].is_of(DETERMINER) {
        at - 1
    } else {
        at
    };
    let is_noun = first > 1
        && tokens[first - 1].kind == Kind::Word
        && !term::is_stop_word(&tokens[first - 1].text.to_lowercase());
    let end = verb_end(tokens, at + 1);
    (is_noun && end > at + 2 && tokens[end - 1].is_of(PREPOSITION)).then_some(first)
}

/// Whether the name is the subject of the clause: nothing but a determiner stands between.
fn is_subject(tokens: &[Token<'_>], opener: usize, at: usize) -> bool {
    tokens[opener].is_of(RELATIVE) && tokens[opener + 1..at].iter().all(|token| token.is_of(DETERMINER))
}

/// One past what follows the object of a clause and still belongs to it: "who played Aron in Teak", "in 1930".
fn object_end(tokens: &[Token<'_>], at: usize) -> usize {
    let is_place = tokens
        .get(at)
        .is_some_and(|token| token.is_of(&["in", "on", "at", "during"]));
    let is_thing = tokens
        .get(at + 1)
        .is_some_and(|token| token.kind == Kind::Name || token.text.starts_with(|ch: char| ch.is_ascii_digit()));
    if is_place && is_thing {
        object_end(tokens, at + 2)
    } else {
        at
    }
}

fn opens_clause(tokens: &[Token<'_>], at: usize) -> bool {
    let token = &tokens[at];
    if at == 0 || token.kind != Kind::Word {
        return false;
    }
    let before = &tokens[at - 1];
    if token.is_of(RELATIVE) {
        return true;
    }
    let is_participle =
        (token.text.ends_with("ed") || token.text.ends_with("ing") || token.is_of(PARTICIPLES)) && token.text.len() > 3;
    is_participle
        && before.kind == Kind::Word
        && !before.is_of(AUXILIARY)
        && !term::is_stop_word(&before.text.to_lowercase())
}

/// One past the verb that ends a clause after its name: "is located", "was born in", "lived in".
fn verb_end(tokens: &[Token<'_>], at: usize) -> usize {
    let is = |n: usize, words: &[&str]| tokens.get(n).is_some_and(|token| token.is_of(words));
    let is_content = |n: usize| {
        let token = tokens.get(n).filter(|token| token.kind == Kind::Word);
        token.is_some_and(|token| !term::is_stop_word(&token.text.to_lowercase()))
    };
    let is_participle = |n: usize| {
        is_content(n) && (tokens[n].text.ends_with("ed") || tokens[n].text.ends_with("en") || is(n, PARTICIPLES))
    };
    let mut end = at;
    if is(end, AUXILIARY) {
        end += 1 + usize::from(is(end + 1, &["be", "been"]));
        end += usize::from(is_participle(end));
    } else if is_content(end) {
        end += 1;
    }
    let hangs = |next: Option<&Token<'_>>| next.is_none_or(|next| next.kind != Kind::Name && !next.is_of(DETERMINER));
    end + usize::from(is(end, PREPOSITION) && hangs(tokens.get(end + 1)))
}

/// Where the noun phrase with this head begins: at its determiner, with at most four words between.
fn noun_start(tokens: &[Token<'_>], head: usize) -> Option<usize> {
    let lowest = head.saturating_sub(5);
    let start = (lowest..=head).rev().find(|n| tokens[*n].is_of(DETERMINER));
    let is_modifier = |token: &Token<'_>| {
        token.kind != Kind::Mark && !token.is_of(PREPOSITION) && !token.is_of(AUXILIARY) && !token.is_of(RELATIVE)
    };
    match start {
        Some(start) if tokens[start + 1..=head].iter().all(is_modifier) => Some(start),
        _ => {
            let bare = head > 0 && !tokens[head - 1].is_of(RELATIVE) && !tokens[head - 1].is_of(&["what", "how"]);
            bare.then_some(head)
        }
    }
}
