//! Anchors: whom a clause is about, read from its shape without a parser.

use super::candidate::{Candidate, Source};
use super::token::{Kind, Token};

/// Pronouns that stand for what was spoken of before.
const PRONOUNS: &[&str] = &["he", "her", "him", "his", "it", "its", "she", "their", "them", "they"];
const RELATIVES: &[&str] = &["that", "where", "which", "who", "whom", "whose"];
const BE: &[&str] = &["are", "became", "has", "had", "have", "is", "was", "were"];
/// Small words after which a name is not what the sentence is about.
const PREPOSITIONS: &[&str] = &[
    "after", "against", "among", "as", "at", "before", "between", "by", "during", "for", "from", "in", "into", "like",
    "near", "of", "on", "over", "since", "through", "to", "under", "until", "upon", "via", "with", "within", "without",
];

/// How an anchor was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// A relative pronoun follows it.
    Relative,
    /// A verb follows it.
    Verb,
    /// A comma or bracket and a participle or noun phrase follow it.
    Aside,
    /// The possessive ending follows it.
    Possessive,
    /// A pronoun or "the institute" stands for it.
    Reference,
    /// Nothing nearer was found: the sentence's topic.
    Topic,
}

impl Way {
    /// Its name in features.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Verb => "verb",
            Self::Aside => "aside",
            Self::Possessive => "possessive",
            Self::Reference => "reference",
            Self::Topic => "topic",
        }
    }
}

/// The names of a passage as units, and what each sentence is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchors {
    /// Token ranges in order, without overlap.
    units: Vec<(usize, usize)>,
    /// For each sentence, the place of its topic among the units.
    topics: Vec<Option<usize>>,
}

impl Anchors {
    /// Reads the units and topics of a passage. Cost O(tokens · units).
    pub(crate) fn new(tokens: &[Token], candidates: &[Candidate]) -> Self {
        let mut anchors = Self {
            units: units(candidates),
            topics: Vec::new(),
        };
        let n_sentences = tokens.last().map_or(0, |token| token.sentence + 1);
        for sentence in 0..n_sentences {
            let topic = anchors.topic(tokens, sentence);
            anchors.topics.push(topic);
        }
        anchors
    }

    /// What the words before the token at `from` are about, looking left in its sentence.
    pub(crate) fn left(&self, tokens: &[Token], from: usize) -> Option<((usize, usize), Way)> {
        let sentence = tokens.get(from)?.sentence;
        let mut at = from;
        while at > 0 && tokens[at - 1].sentence == sentence {
            at -= 1;
            let token = &tokens[at];
            let lower = token.lower.as_str();
            if RELATIVES.contains(&lower) {
                let end = at - usize::from(at > 0 && tokens[at - 1].is_mark(","));
                if let Some(unit) = self.ending_at(end) {
                    return Some((unit, Way::Relative));
                }
            }
            if PRONOUNS.contains(&lower) && !token.is_capital || (PRONOUNS.contains(&lower) && token.is_initial) {
                return Some((self.before(sentence, at)?, Way::Reference));
            }
            if let Some(unit) = self.meant(tokens, at) {
                return Some((unit, Way::Reference));
            }
            if let Some(unit) = self.ending_at(at + 1) {
                if let Some(way) = follows(tokens, unit, from) {
                    return Some((unit, way));
                }
                at = unit.0;
            }
        }
        let topic = self.topics.get(sentence).copied().flatten()?;
        let unit = self.units[topic];
        (unit.0 < from || tokens[unit.0].sentence < sentence).then_some((unit, Way::Topic))
    }

    /// The unit that begins right after the token at `at`, articles and small words apart: "director of *X*".
    pub(crate) fn right(&self, tokens: &[Token], at: usize) -> Option<(usize, usize)> {
        let mut next = at + 1;
        let mut skipped = 0;
        while next < tokens.len() && skipped < 3 && (tokens[next].is_function || tokens[next].is_mark("\"")) {
            next += 1;
            skipped += 1;
        }
        let unit = self
            .units
            .iter()
            .copied()
            .find(|unit| unit.0 <= next && next < unit.1)?;
        (skipped > 0 && unit.0 > at).then_some(unit)
    }

    /// The topic of a sentence.
    pub(crate) fn topic_of(&self, sentence: usize) -> Option<(usize, usize)> {
        let topic = self.topics.get(sentence).copied().flatten()?;
        Some(self.units[topic])
    }

    fn ending_at(&self, end: usize) -> Option<(usize, usize)> {
        self.units.iter().copied().find(|unit| unit.1 == end)
    }

    /// What a pronoun at `at` stands for: the topic so far.
    fn before(&self, sentence: usize, at: usize) -> Option<(usize, usize)> {
        let own = self
            .topics
            .get(sentence)
            .copied()
            .flatten()
            .map(|place| self.units[place]);
        let earlier = || {
            let known = self.topics[..sentence.min(self.topics.len())]
                .iter()
                .rev()
                .copied()
                .flatten()
                .next();
            known.map(|place| self.units[place])
        };
        own.filter(|unit| unit.0 < at).or_else(earlier)
    }

    /// What "the institute" at `at` means: an earlier unit with that word.
    fn meant(&self, tokens: &[Token], at: usize) -> Option<(usize, usize)> {
        let token = &tokens[at];
        if !matches!(token.lower.as_str(), "the" | "this" | "that") {
            return None;
        }
        let noun = tokens
            .get(at + 1)
            .filter(|noun| noun.kind == Kind::Word && !noun.is_function)?;
        let is_alone = !tokens
            .get(at + 2)
            .is_some_and(|next| next.is_capital && next.kind == Kind::Word);
        let says = |unit: &&(usize, usize)| {
            unit.1 <= at && unit.1 - unit.0 > 1 && (unit.0..unit.1).any(|other| tokens[other].lower == noun.lower)
        };
        is_alone.then(|| self.units.iter().rev().find(says).copied()).flatten()
    }

    /// What a sentence is about: its first unit outside a leading phrase, or what a leading pronoun stands for.
    fn topic(&self, tokens: &[Token], sentence: usize) -> Option<usize> {
        let start = tokens.iter().position(|token| token.sentence == sentence)?;
        let end = start
            + tokens[start..]
                .iter()
                .take_while(|token| token.sentence == sentence)
                .count();
        let first = tokens[start..end]
            .iter()
            .position(Token::is_word)
            .map(|at| at + start)?;
        let earlier = || self.topics.iter().rev().copied().flatten().next();
        let lower = tokens[first].lower.as_str();
        if PRONOUNS.contains(&lower) {
            return earlier();
        }
        if let Some(unit) = self.meant(tokens, first) {
            return self.units.iter().position(|other| *other == unit);
        }
        let inside = |unit: &(usize, usize)| unit.0 >= start && unit.1 <= end;
        let is_led = PREPOSITIONS.contains(&lower) || lower.ends_with("ed") || lower == "born" || lower == "written";
        let opens = self.units.iter().any(|unit| unit.0 == first);
        let from = if is_led && !opens {
            let comma = tokens[first..end].iter().position(|token| token.is_mark(","));
            comma.map_or(first, |at| at + first)
        } else {
            first
        };
        let after = self.units.iter().position(|unit| inside(unit) && unit.0 >= from);
        after.or_else(|| self.units.iter().position(inside)).or_else(earlier)
    }
}

/// Whether what follows a unit makes it what `from` is said of.
fn follows(tokens: &[Token], unit: (usize, usize), from: usize) -> Option<Way> {
    let next = tokens.get(unit.1).filter(|_| unit.1 < from)?;
    let mut after = unit.1 + 1;
    if matches!(next.lower.as_str(), "\"" | "”") {
        return follows(tokens, (unit.0, unit.1 + 1), from);
    }
    if next.kind == Kind::Possessive {
        return Some(Way::Possessive);
    }
    if BE.contains(&next.lower.as_str()) || (is_verb(next) && !next.is_capital) {
        return Some(Way::Verb);
    }
    if next.is_mark(",") || next.is_mark("(") || next.is_mark("-") || next.is_mark("–") {
        while after < from && tokens[after].lower.ends_with("ly") {
            after += 1;
        }
        let opens = tokens.get(after).filter(|_| after < from)?;
        let is_aside =
            is_verb(opens) || matches!(opens.lower.as_str(), "a" | "an" | "the" | "also" | "formerly" | "with");
        return is_aside.then_some(Way::Aside);
    }
    None
}

/// Whether a lower-case word looks like a verb or participle.
fn is_verb(token: &Token) -> bool {
    const IRREGULAR: &[&str] = &[
        "born", "built", "came", "does", "fought", "grew", "held", "led", "made", "met", "ran", "sang", "set", "shot",
        "stars", "took", "won", "wrote", "written",
    ];
    let lower = token.lower.as_str();
    token.kind == Kind::Word
        && !token.is_capital
        && !token.is_function
        && (lower.ends_with("ed")
            || lower.ends_with("ing")
            || IRREGULAR.contains(&lower)
            || (lower.ends_with('s') && !lower.ends_with("ss") && lower.len() > 4))
}

/// The longest names that are no lists, and quotations.
fn units(candidates: &[Candidate]) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = candidates
        .iter()
        .filter(|candidate| candidate.is(Source::Unit) || candidate.is(Source::Quoted))
        .map(|candidate| (candidate.first, candidate.end))
        .collect();
    spans.sort_by_key(|(first, end)| (*first, std::cmp::Reverse(*end)));
    let mut units: Vec<(usize, usize)> = Vec::new();
    for span in spans {
        if units.last().is_none_or(|last| last.1 <= span.0) {
            units.push(span);
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::candidate::Passage;
    use banyan_engine::Span;

    /// Holds what the words before `object` are about, and how that is told.
    fn check(text: &str, object: &str, expected: &str, way: Way) {
        let passage = Passage::new(text, |_| false);
        let anchors = Anchors::new(&passage.tokens, &passage.candidates);
        let start = text.find(object).unwrap();
        let from = passage
            .tokens
            .iter()
            .position(|token| token.span.start as usize == start)
            .unwrap();
        let ((first, end), found) = anchors.left(&passage.tokens, from).unwrap();
        let span = Span {
            start: passage.tokens[first].span.start,
            end: passage.tokens[end - 1].span.end,
        };
        assert_eq!((span.of(text), found), (expected, way), "{text}");
    }

    #[test]
    fn clauses_are_about_what_their_shape_says() {
        let text =
            "Ondle College, located in Tidd, was led by Ada Voss. It has ties to Hestle Hall, which is in Wrenna.";
        check(text, "Tidd", "Ondle College", Way::Aside);
        check(text, "Wrenna", "Hestle Hall", Way::Relative);
        check(text, "Hestle Hall", "Ondle College", Way::Reference);
        check(
            "Ondle College is in Tidd. The college has Ada Voss.",
            "Ada",
            "Ondle College",
            Way::Reference,
        );
        check(
            "Located in Tidd, Ondle College has Ada Voss.",
            "Ada",
            "Ondle College",
            Way::Verb,
        );
        check("Tidd's mayor is Ada Voss.", "Ada", "Tidd", Way::Possessive);
    }
}
