//! What a question for yes or no claims, and whether a sentence says or denies it.

use super::super::subject::day_number;
use crate::question::expected;
use banyan_engine::Span;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_extract::literal::literals;
use banyan_extract::record::literal::numbers;
use banyan_extract::{doubt, word};
use std::collections::BTreeSet;

/// Prepositions, but for that of who does something: "built *for* Mara Voss" is not "built by Mara Voss".
pub(super) const PREPOSITIONS: [&str; 14] = [
    "about", "after", "against", "at", "before", "for", "from", "in", "into", "of", "on", "to", "under", "with",
];
/// Words between which clauses end that need not say the same of the same.
const JOINTS: [&str; 10] = [
    "and", "or", "but", "while", "although", "though", "whereas", "because", "when", "except",
];

/// What a question asks to be so.
pub(super) struct Claim {
    /// From left to right.
    names: Vec<Named>,
    values: Vec<(f64, ValueKind)>,
    /// Its own words, names and values apart.
    words: BTreeSet<String>,
    /// Position of the name behind "by": "Was Tidd Bridge designed *by* Mara Voss?"
    by: Option<usize>,
}

/// What stands right before and behind a name: "Mara Voss*'s* brother", "*for* Mara Voss".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Beside {
    preposition: Option<&'static str>,
    is_genitive: bool,
}

/// A name in a question.
struct Named {
    terms: Vec<String>,
    beside: Beside,
}

/// A word of a sentence.
struct Word<'a> {
    text: &'a str,
    lower: String,
    /// Its bytes in the sentence.
    span: Span,
    /// Whether a mark that ends a clause stands before it, or it begins one itself.
    is_joint: bool,
    /// Its terms, as [`form`] has them.
    terms: Vec<String>,
}

impl Word<'_> {
    fn denies(&self) -> bool {
        doubt::denies(&self.lower)
    }
}

fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut end = 0;
    let read = |word: word::Word| {
        let text = word.span.of(sentence);
        let gap = &sentence[end as usize..word.span.start as usize];
        end = word.span.end;
        let lower = text.to_lowercase();
        Word {
            is_joint: gap.contains([',', ';', ':', '(', ')', '—', '–']) || JOINTS.contains(&lower.as_str()),
            terms: term::terms(text).into_iter().map(form).collect(),
            span: word.span,
            lower,
            text,
        }
    };
    let all = word::words(sentence, Span::new(0, sentence.len()));
    all.into_iter().map(read).collect()
}

impl Beside {
    /// What stands beside the words from one position to another.
    fn of(sentence: &str, words: &[Word<'_>], (first, last): (usize, usize)) -> Self {
        let behind = &sentence[words[last].span.end as usize..];
        let before = words[..first].iter().rev().find(|word| word.lower != "the");
        let is_before = |preposition: &&&str| before.is_some_and(|before| before.lower == **preposition);
        Self {
            preposition: PREPOSITIONS.iter().find(is_before).copied(),
            is_genitive: behind.starts_with("'s") || behind.starts_with("’s"),
        }
    }
}

impl Claim {
    /// Reads a question with the names that the corpus knows; `None` where there are none, it says nothing of them, or it
    /// denies something.
    pub(super) fn of(question: &str, known: &[String]) -> Option<Self> {
        let asked = words(question);
        if asked.iter().any(Word::denies) {
            return None;
        }
        let literals = literals(question, Span::new(0, question.len()));
        let values: Vec<(f64, ValueKind)> = literals
            .iter()
            .filter_map(|literal| value(question, literal.span, literal.kind))
            .collect();
        let mut named: Vec<Span> = Vec::new();
        let mut from = 0;
        for name in known {
            // Of a question that asks for one side of an "or" the other name is gone.
            if let Some(at) = question[from..].find(name.as_str()) {
                named.push(Span::new(from + at, from + at + name.len()));
                from += at + name.len();
            }
        }
        if named.is_empty() {
            return None;
        }
        let mut own_words = BTreeSet::new();
        for (at, word) in asked.iter().enumerate() {
            let is_taken = named.iter().chain(literals.iter().map(|literal| &literal.span));
            let is_said = !word.terms.is_empty() && !expected::is_auxiliary(&word.lower);
            if !is_said || is_taken.into_iter().any(|span| span.overlaps(word.span)) {
                continue;
            }
            if at > 0 && word.text.starts_with(char::is_uppercase) {
                named.push(word.span);
            } else {
                own_words.extend(word.terms.iter().cloned());
            }
        }
        named.sort_unstable();
        let read = |span: &Span| {
            let inside = (0..asked.len()).filter(|at| span.overlaps(asked[*at].span));
            let inside: Vec<usize> = inside.collect();
            let (first, last) = (*inside.first()?, *inside.last()?);
            Some(Named {
                terms: inside.iter().flat_map(|at| asked[*at].terms.iter().cloned()).collect(),
                beside: Beside::of(question, &asked, (first, last)),
            })
        };
        let names: Vec<Named> = named
            .iter()
            .filter_map(read)
            .filter(|name| !name.terms.is_empty())
            .collect();
        (names.len() > 1 || !own_words.is_empty() || !values.is_empty()).then(|| Self {
            by: behind_by(&asked, &names),
            names,
            values,
            words: own_words,
        })
    }

    /// Whether a sentence says the claim or denies it. `None` where it does neither: it has to hold all words and names of
    /// the claim, and a value of the kind, in one clause, the names in their order or turned round by "by". For one that
    /// stands in `title`, the terms of its document's title, a pronoun may begin the sentence.
    pub(super) fn read(&self, text: &str, span: Span, title: &BTreeSet<String>) -> Option<bool> {
        let sentence = span.of(text);
        let said = words(sentence);
        if sentence.trim_end().ends_with('?') || self.is_unsure(&said) {
            return None;
        }
        let position = |term: &String| said.iter().position(|word| word.terms.contains(term));
        let mut places = self.words.iter().map(position).collect::<Option<Vec<usize>>>()?;
        let named = self.named(sentence, &said, title)?;
        if !self.is_in_order(&named, behind_by(&said, &self.names)) {
            return None;
        }
        places.extend(named.iter().flat_map(|(first, last)| [*first, *last]));
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
            places.push(said.iter().rposition(|word| word.span.start <= start - span.start)?);
        }
        let (first, last) = (*places.iter().min()?, *places.iter().max()?);
        let is_inner = |at: usize| named.iter().any(|(first, last)| (first + 1..=*last).contains(&at));
        if (first + 1..=last).any(|at| said[at].is_joint && !is_inner(at)) {
            return None;
        }
        // Another word may make another thing of it: "a *copy* of the letters", "*failed* to build".
        let is_known = |at: usize| {
            let word = &said[at];
            let is_literal = there
                .iter()
                .any(|literal| literal.span.overlaps(word.span.moved(span.start)));
            let is_own = word.denies() || is_literal || word.terms.iter().all(|term| self.words.contains(term));
            // "the painter Jon Eld"
            let is_name = |next: usize| !said[next].is_joint && named.iter().any(|(first, _)| *first == next);
            let is_title = at > 0 && said[at - 1].lower == "the" && said.len() > at + 1 && is_name(at + 1);
            is_own || is_title || named.iter().any(|(first, last)| (*first..=*last).contains(&at))
        };
        let is_whole = said
            .get(last + 1)
            .is_none_or(|next| next.is_joint || is_known(last + 1));
        if !is_whole || !(0..=last).all(is_known) {
            return None;
        }
        let denied: Vec<usize> = (0..said.len()).filter(|at| said[*at].denies()).collect();
        match denied[..] {
            [] => Some(is_equal),
            [at] if is_equal && (first..=last).contains(&at) => Some(false),
            _ => None,
        }
    }

    /// The first and the last word of each name in a sentence; `None` unless all are there.
    fn named(&self, sentence: &str, said: &[Word<'_>], title: &BTreeSet<String>) -> Option<Vec<(usize, usize)>> {
        let mut titled = opens_with_pronoun(said).then_some((0, 0));
        let place = |name: &Named| match run(said, &name.terms) {
            Some(found) => (Beside::of(sentence, said, found) == name.beside).then_some(found),
            None if name.terms.iter().all(|term| title.contains(term)) => titled.take(),
            None => None,
        };
        self.names.iter().map(place).collect()
    }

    /// Whether a sentence has words that the claim has not by which it leaves open whether something is so.
    fn is_unsure(&self, said: &[Word<'_>]) -> bool {
        said.iter().enumerate().any(|(at, word)| {
            let is_own = word.terms.iter().any(|term| self.words.contains(term));
            // May is a month, too.
            let is_name = at > 0 && word.text.starts_with(char::is_uppercase);
            let is_open = doubt::is_unreal(&word.lower) || doubt::is_at_times(&word.lower);
            is_open && !is_own && !is_name && word.lower != "never"
        })
    }

    /// Whether who does something is the same in a sentence that has the names of the claim at these places, and "by" before
    /// one of them, and all others stand in the claim's order.
    fn is_in_order(&self, named: &[(usize, usize)], by: Option<usize>) -> bool {
        let first = (0..named.len()).min_by_key(|at| named[*at]);
        let does = self.by.unwrap_or(0);
        let others = (0..named.len()).filter(|at| *at != does).map(|at| named[at]);
        by.or(first) == Some(does) && others.is_sorted() && (self.by.is_some() != by.is_some() || named.is_sorted())
    }
}

/// The first and last of the words that are a name.
fn run(words: &[Word<'_>], name: &[String]) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|first| {
        let mut left = name;
        for (at, word) in words.iter().enumerate().skip(first) {
            if word.terms.is_empty() && at > first {
                continue;
            }
            left = left.strip_prefix(&word.terms[..]).filter(|_| !word.terms.is_empty())?;
            if left.is_empty() {
                return Some((first, at));
            }
        }
        None
    })
}

/// Which of these names stands behind "by".
fn behind_by(words: &[Word<'_>], names: &[Named]) -> Option<usize> {
    words.iter().enumerate().find_map(|(at, word)| {
        let behind = words[at + 1..].iter().find(|word| !word.terms.is_empty());
        let behind = behind.filter(|_| word.lower == "by")?;
        names
            .iter()
            .position(|name| behind.terms.iter().any(|term| name.terms.contains(term)))
    })
}

fn opens_with_pronoun(words: &[Word<'_>]) -> bool {
    let first = words.first().map(|word| word.lower.as_str());
    first.is_some_and(|first| matches!(first, "he" | "she" | "it" | "they"))
}

/// What forms of a word share beside its term: "marry" and "married".
pub(super) fn form(mut term: String) -> String {
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
