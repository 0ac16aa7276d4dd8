//! Names in Chinese: words that are names by dictionary or by their make, joined with what goes on from them.

use super::Name;
use crate::han::{DIVISIONS, begins, folded};
use crate::word::{Kind, Word};
use crate::word_list::List;
use banyan_engine::Span;
use std::collections::HashMap;

/// Most common nouns between a name and the noun that ends it ("东岭*水利*公司"). Arbitrary.
const MAX_BETWEEN: usize = 2;
/// Longest name in characters. Arbitrary.
const MAX_CHARS: usize = 16;
/// Marks between the parts of a foreign name.
const DOTS: &[&str] = &["·", "•", "・", "‧"];

/// Takes back what a name drew to itself from behind: of "宋江" and a rarer "宋江道" in one document the longer one is the
/// shorter one and a verb (the dictionary itself has such words). `names` are those of the document that are not quoted. Cost O(names).
pub(super) fn shorten(text: &str, names: &mut [Name]) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names.iter().filter(|name| begins(name.span.of(text))) {
        *counts.entry(name.span.of(text)).or_default() += 1;
    }
    for name in names {
        let surface = name.span.of(text);
        let Some((last, _)) = surface.char_indices().nth(2) else {
            continue;
        };
        let (prefix, rest) = surface.split_at(last);
        let count = |name: &str| counts.get(name).copied().unwrap_or(0);
        if begins(surface) && rest.chars().count() == 1 && count(prefix) > count(surface) && !is_ending(rest) {
            name.span.end = Span::new(0, name.span.start as usize + last).end;
        }
    }
}

/// Whether a Chinese name is one that the corpus knows by its titles, and a verb that was drawn to it ("林远出生" cut into
/// 林远出 and 生).
pub(crate) fn is_drawn(name: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let Some((last, _)) = name.char_indices().next_back().filter(|(at, _)| *at > 3) else {
        return false;
    };
    begins(name) && !is_ending(&folded(&name[last..])) && !is_known(name) && is_known(&name[..last])
}

/// Emits the Chinese names among the words of one sentence.
pub(super) fn names(text: &str, words: &[Word], names: &mut Vec<Name>) {
    let mut at = 0;
    while at < words.len() {
        if !words[at].kind.is_name() || !begins(words[at].of(text)) {
            at += 1;
            continue;
        }
        let end = ending(text, words, parts(text, words, at));
        let span = words[at].span.to(words[end - 1].span);
        let spelled = folded(span.of(text));
        let is_common = List::NameEndings.has(&spelled) || List::NoNames.has(&spelled);
        if (2..=MAX_CHARS).contains(&spelled.chars().count()) && !is_common {
            names.push(Name { span, is_quoted: false });
        }
        at = end;
    }
}

/// One past the last of the parts of a name that begins at `first`: adjacent names, and what dots join.
fn parts(text: &str, words: &[Word], first: usize) -> usize {
    let mut end = first + 1;
    while end < words.len() {
        let (before, next) = (words[end - 1], words[end]);
        let gap = text
            .get(before.span.end as usize..next.span.start as usize)
            .unwrap_or("");
        let is_dotted = DOTS.contains(&gap) && begins(next.of(text));
        let is_part = is_dotted || (gap.is_empty() && joins(text, before, next));
        if !is_part {
            break;
        }
        end += 1;
    }
    end
}

fn joins(text: &str, before: Word, next: Word) -> bool {
    let long = |word: Word| word.of(text).chars().count() > 1;
    let is_closed = before.kind == Kind::Organisation || (long(before) && folded(before.of(text)).ends_with(DIVISIONS));
    let are_persons = before.kind == Kind::Person && next.kind == Kind::Person && long(before) && long(next);
    next.kind != Kind::Common && !is_closed && !are_persons
}

/// Whether a word is a noun that ends names, or a longer one made of such a noun ("师范*学院*").
fn is_ending(noun: &str) -> bool {
    let tail = noun.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
    List::NameEndings.has(noun) || (tail > 0 && List::NameEndings.has(&noun[tail..]))
}

/// One past the noun that ends the name whose parts end at `end`, a few common words farther on; `end` where there is none.
fn ending(text: &str, words: &[Word], end: usize) -> usize {
    let mut reach = end;
    for next in end..words.len().min(end + MAX_BETWEEN + 1) {
        let is_adjacent = words[next - 1].span.end == words[next].span.start;
        let spelled = folded(words[next].of(text));
        let is_ending = is_ending(&spelled);
        if !is_adjacent || !(is_ending || spelled.chars().count() > 1) || words[next].kind != Kind::Common {
            break;
        }
        if is_ending {
            reach = next + 1;
        }
    }
    reach
}
