//! Values in sentences, and the words beside them that say what they are of.
//!
//! `With a length of 66 m and a draught of 5.9 m`: two numbers, each with the words of its own part of the sentence. A
//! word belongs to the value on its side of a comma, of an `and`, and of the next value.

use super::literal::{Day, Number, Quantity, days, numbers, unit_of};
use super::page::{Page, Sentence};
use super::term::{Term, is_function};
use crate::doubt;
use banyan_engine::Span;

/// Words to either side of a value that may say what it is of. Arbitrary.
const WINDOW: usize = 8;
/// The nearest of them say it as plainly as any; each further one says it less. Arbitrary.
const NEAR: usize = 2;
const FADING: f32 = 0.05;
/// Years of calendars.
const YEARS: std::ops::Range<f64> = 1_000.0..2_200.0;
/// Words that part what they join.
const CONJUNCTIONS: &[&str] = &["and", "but", "while", "whereas", "or"];
/// Words within names: `University of the Isles`.
const PARTICLES: &[&str] = &["of", "the", "de", "da", "la", "van", "von", "del"];

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Typed {
    /// A number, what its unit measures, and the year that it may be.
    Number(f64, Option<Quantity>, Option<u16>),
    Day(Day),
    Name,
}

#[derive(Clone, Debug)]
pub(super) struct Mention {
    pub(super) typed: Typed,
    pub(super) span: Span,
    /// Its words, `from..to`.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The words that may say what it is of lie in `start..from` and `to..end`.
    start: usize,
    end: usize,
}

impl Mention {
    /// The terms beside the value, nearest first, with how plainly each may say what it is of, 0 to 1.
    pub(super) fn context<'s>(&self, sentence: &'s Sentence) -> Vec<(&'s Term, f32)> {
        let near = sentence.terms.iter().filter_map(|term| {
            let distance = if (self.start..self.from).contains(&term.start) {
                self.from - term.start - 1
            } else if (self.to..self.end).contains(&term.start) {
                term.start - self.to
            } else {
                return None;
            };
            (distance <= WINDOW).then(|| (term, 1.0 - FADING * distance.saturating_sub(NEAR) as f32))
        });
        let mut near: Vec<(&Term, f32)> = near.collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.start.cmp(&b.0.start)));
        near
    }

    /// Whether a word stands right beside the value, but for words of grammar.
    pub(super) fn is_beside(&self, sentence: &Sentence, term: &Term) -> bool {
        let between = if term.start >= self.to {
            &sentence.tokens[self.to..term.start]
        } else {
            &sentence.tokens[term.end..self.from]
        };
        between.iter().all(|token| is_function(&token.lower))
    }
}

/// The dates, numbers and names of a sentence, in order. Cost O(length).
pub(super) fn mentions(page: &Page<'_>, sentence: &Sentence) -> Vec<Mention> {
    let text = sentence.span.of(&page.document.text);
    let offset = sentence.span.start;
    let days = days(text);
    let mut found: Vec<(Typed, Span)> = days
        .iter()
        .map(|day| (Typed::Day(*day), day.span.moved(offset)))
        .collect();
    for number in numbers(text) {
        if !number.is_ordinal && days.iter().all(|day| !day.span.overlaps(number.span)) {
            let (typed, span) = measured(&number, text);
            found.push((typed, span.moved(offset)));
        }
    }
    let is_taken = |span: Span| found.iter().any(|(_, other)| other.overlaps(span));
    let names: Vec<Span> = names(page, sentence)
        .into_iter()
        .filter(|span| !is_taken(*span))
        .collect();
    found.extend(names.into_iter().map(|span| (Typed::Name, span)));
    found.sort_by_key(|(_, span)| span.start);
    let mentions: Vec<(Typed, Span, usize, usize)> = found
        .into_iter()
        .map(|(typed, span)| (typed, span, sentence.token_at(span.start), sentence.token_at(span.end)))
        .filter(|(_, _, from, to)| from < to)
        .collect();
    let is_name = |typed: Typed| typed == Typed::Name;
    let whole = |at: usize| {
        let (typed, span, from, to) = mentions[at];
        let same = |other: &&(Typed, Span, usize, usize)| is_name(other.0) == is_name(typed);
        let before = mentions[..at].iter().rfind(same).map_or(0, |other| other.3);
        let after = mentions[at + 1..]
            .iter()
            .find(same)
            .map_or(sentence.tokens.len(), |other| other.2);
        let (start, end) = part(sentence, from, to);
        Mention {
            typed,
            span,
            from,
            to,
            start: start.max(before),
            end: end.min(after),
        }
    };
    (0..mentions.len()).map(whole).collect()
}

/// A number with its unit.
fn measured(number: &Number, text: &str) -> (Typed, Span) {
    let quantity = unit_of(number.unit.of(text));
    let figures = number.span.of(text);
    let is_year = quantity.is_none() && figures.len() == 4 && YEARS.contains(&number.value);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within YEARS")]
    let year = is_year.then_some(number.value as u16);
    let span = if quantity.is_some() {
        Span {
            start: number.span.start.min(number.unit.start),
            end: number.span.end.max(number.unit.end),
        }
    } else {
        number.span
    };
    (Typed::Number(number.value, quantity, year), span)
}

/// The names of a sentence: runs of words with capitals that their place does not explain.
fn names(page: &Page<'_>, sentence: &Sentence) -> Vec<Span> {
    let tokens = &sentence.tokens;
    let is_joined = |at: usize| matches!(tokens[at].gap.as_str(), " " | "-" | " & " | ". ");
    let mut names = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !page.is_name(sentence, at) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        loop {
            let n_particles = tokens[end..]
                .iter()
                .take_while(|token| PARTICLES.contains(&token.lower.as_str()) && token.gap == " ")
                .count();
            let next = end + n_particles;
            let goes_on = next < tokens.len() && is_joined(next) && page.is_name(sentence, next);
            if !goes_on {
                break;
            }
            end = next + 1;
        }
        names.push(sentence.range(at, end));
        at = end;
    }
    names
}

/// The part of a sentence around words, between commas and conjunctions; a comma right before them parts nothing:
/// `the manager, Ann Bray`.
fn part(sentence: &Sentence, from: usize, to: usize) -> (usize, usize) {
    let tokens = &sentence.tokens;
    let parts = |at: usize| tokens[at].gap.contains([',', ';', ':', '(', ')', '–', '—']);
    let joins = |at: usize| CONJUNCTIONS.contains(&tokens[at].lower.as_str());
    let mut start = from;
    while start > 0 && !joins(start - 1) && (start == from || !parts(start)) {
        start -= 1;
    }
    let mut end = to;
    while end < tokens.len() && !joins(end) && !parts(end) {
        end += 1;
    }
    (start, end)
}

/// Sentences in which a page says what its subject is. Arbitrary.
const LEAD: usize = 4;

/// What the first sentences call the subject: the noun phrase of `… is a maritime museum in …`, or of `Hook Mill, a
/// wooden mill …`.
pub(super) fn definition(page: &Page<'_>) -> Option<Span> {
    page.sentences.iter().take(LEAD).find_map(|sentence| {
        let tokens = &sentence.tokens;
        let is_article = |at: usize| {
            tokens
                .get(at)
                .is_some_and(|token| matches!(token.lower.as_str(), "a" | "an"))
        };
        let is_copula = |at: usize| matches!(tokens[at].lower.as_str(), "is" | "was" | "are");
        let begins = |at: &usize| {
            is_article(*at)
                && *at > 0
                && (is_copula(at - 1) || tokens[*at].gap == ", " && page.is_name(sentence, at - 1))
        };
        let from = (0..tokens.len()).find(begins)? + 1;
        let goes_on = |at: &usize| {
            let is_participle = *at > from && tokens[*at].lower.ends_with("ed");
            !is_function(&tokens[*at].lower) && !is_participle && matches!(tokens[*at].gap.as_str(), " " | "-")
        };
        let to = (from..tokens.len()).take_while(goes_on).last()? + 1;
        // `4-star hotel` is a hotel.
        let counted = (from..to)
            .rev()
            .find(|at| tokens[*at].lower.starts_with(|ch: char| ch.is_ascii_digit()));
        let from = counted.map_or(from, |at| at + 2);
        (from < to).then(|| sentence.range(from, to))
    })
}

/// Words from a place back to the `in` of `in the north of Corrin`.
const OF_PLACE: usize = 5;

/// Where the subject is, as the first sentences say: `in Corrin, Wessany`, the narrower place first.
pub(super) fn place(page: &Page<'_>) -> Option<(Span, Option<Span>)> {
    page.sentences.iter().take(LEAD).find_map(|sentence| {
        let all = mentions(page, sentence);
        let names: Vec<&Mention> = all.iter().filter(|mention| mention.typed == Typed::Name).collect();
        let is_placed = |name: &&Mention| {
            let before = &sentence.tokens[name.from.saturating_sub(OF_PLACE)..name.from];
            let is = |at: usize, word: &str| before.len() > at && before[before.len() - 1 - at].lower == word;
            is(0, "in") || is(0, "of") && (2..OF_PLACE).any(|at| is(at, "in") || is(at, "on"))
        };
        let at = names.iter().position(is_placed)?;
        let wider = names
            .get(at + 1)
            .filter(|name| name.from == names[at].to && sentence.tokens[name.from].gap == ", ");
        Some((names[at].span, wider.map(|name| name.span)))
    })
}

/// Words that begin a new item of a list, which a denial before it does not reach.
const ARTICLES: &[&str] = &["a", "an", "its", "her", "his", "their", "the"];
/// Verbs that say that there is.
const PRESENT: &[&str] = &[
    "has", "have", "had", "offer", "offers", "feature", "features", "include", "includes", "provide", "provides",
    "enjoy", "carry", "carries", "there", "with", "contains", "boasts", "fitted", "equipped", "accept", "allow",
    "allows",
];
/// Verbs that say something of what stands beside them.
const COPULAS: &[&str] = &["is", "are", "was", "were", "may", "can"];

/// Whether a sentence says that there is what all `wanted` terms name, and where it names it; `None` where it does not
/// plainly say either.
pub(super) fn presence(sentence: &Sentence, wanted: &[Term]) -> Option<(bool, Span)> {
    let (from, to) = together(sentence, wanted)?;
    let lower = |at: usize| sentence.tokens[at].lower.as_str();
    let mut is_denied = false;
    for at in 0..from {
        let is_item = at > 0 && (CONJUNCTIONS.contains(&lower(at - 1)) || sentence.tokens[at].gap.contains(','));
        if doubt::denies(lower(at)) || matches!(lower(at), "lack" | "lacks") {
            is_denied = true;
        } else if is_item && ARTICLES.contains(&lower(at)) {
            is_denied = false;
        }
    }
    let after: Vec<&str> = (to..sentence.tokens.len().min(to + 2)).map(lower).collect();
    is_denied |= after.contains(&"not");
    let is_list = |at: usize| COPULAS.contains(&lower(at)) && matches!(lower(at + 1), "a" | "an" | "no");
    let is_present = (0..from).any(|at| PRESENT.contains(&lower(at)) || is_list(at));
    let is_predicated = (from.saturating_sub(2)..from).any(|at| COPULAS.contains(&lower(at)))
        || after.first().is_some_and(|next| COPULAS.contains(next));
    (is_denied || is_present || is_predicated).then(|| (!is_denied, sentence.range(from, to)))
}

/// Words that a flag's terms may stand apart by.
const APART: usize = 2;

/// The first words of a sentence that have all terms close together.
fn together(sentence: &Sentence, wanted: &[Term]) -> Option<(usize, usize)> {
    let said = |own: &Term| -> Vec<usize> {
        let alike = sentence.terms.iter().filter(|term| own.likeness(term) > 0.0);
        alike.map(|term| term.start).collect()
    };
    said(wanted.first()?).into_iter().find_map(|first| {
        let near = |own: &Term| said(own).into_iter().min_by_key(|at| at.abs_diff(first));
        let places: Vec<usize> = wanted.iter().map(near).collect::<Option<_>>()?;
        let (from, to) = (*places.iter().min()?, *places.iter().max()? + 1);
        (to - from <= wanted.len() + APART).then_some((from, to))
    })
}
