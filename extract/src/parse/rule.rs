//! Patterns of the tokenizer, ready to match.

use super::charset::CharSet;

/// One step of a rule's body.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// One character of a set.
    One(CharSet),
    /// One character of a set, or more; as many as the rest of the rule allows.
    Many(CharSet),
    /// The first of these words that lets the rest of the rule match.
    Word(Vec<Vec<char>>),
}

/// One alternative of a pattern: what must stand before, the body, what must and must not stand behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rule {
    /// Sets of the characters just before the body, in reading order; none if anything may stand there.
    pub(super) before: Vec<CharSet>,
    /// The characters that the rule is about.
    pub(super) body: Vec<Step>,
    /// The set of the character just behind the body, which must exist.
    pub(super) after: Option<CharSet>,
    /// The set that the character just behind the body, if there is one, must not be in.
    pub(super) not_after: Option<CharSet>,
    /// Whether the body must start the text.
    pub(super) at_start: bool,
    /// Whether the body must end the text.
    pub(super) at_end: bool,
}

impl Rule {
    /// Where a match that starts at `at` ends; none if there is none.
    pub(super) fn matches(&self, text: &[char], at: usize) -> Option<usize> {
        if self.at_start && at > 0 {
            return None;
        }
        let before = &text[at.checked_sub(self.before.len())?..at];
        if !before
            .iter()
            .zip(&self.before)
            .all(|(character, set)| set.contains(*character))
        {
            return None;
        }
        self.rest(&self.body, text, at)
    }

    fn rest(&self, steps: &[Step], text: &[char], at: usize) -> Option<usize> {
        let Some((step, steps)) = steps.split_first() else {
            return self.ends(text, at).then_some(at);
        };
        match step {
            Step::One(set) => text
                .get(at)
                .filter(|character| set.contains(**character))
                .and_then(|_| self.rest(steps, text, at + 1)),
            Step::Many(set) => {
                let run = text[at..]
                    .iter()
                    .take_while(|character| set.contains(**character))
                    .count();
                (1..=run).rev().find_map(|length| self.rest(steps, text, at + length))
            }
            Step::Word(words) => words
                .iter()
                .filter(|word| text[at..].starts_with(word))
                .find_map(|word| self.rest(steps, text, at + word.len())),
        }
    }

    fn ends(&self, text: &[char], at: usize) -> bool {
        let next = text.get(at);
        if self.at_end && next.is_some() {
            return false;
        }
        self.after
            .as_ref()
            .is_none_or(|set| next.is_some_and(|next| set.contains(*next)))
            && self
                .not_after
                .as_ref()
                .is_none_or(|set| next.is_none_or(|next| !set.contains(*next)))
    }
}

/// The alternatives of one pattern, in order; an earlier one goes first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rules {
    alternatives: Vec<Rule>,
    /// The characters that a match can start with: a quick answer for most words.
    firsts: CharSet,
    /// For each rule, the characters that its body can end with.
    lasts: Vec<CharSet>,
    /// The union of `lasts`.
    any_last: CharSet,
}

impl Rules {
    /// The rules, in order. A rule with an empty body never matches.
    pub(super) fn new(rules: Vec<Rule>) -> Self {
        let firsts: Vec<_> = rules
            .iter()
            .map(|rule| edge(rule.body.first(), <[char]>::first))
            .collect();
        let lasts: Vec<_> = rules
            .iter()
            .map(|rule| edge(rule.body.last(), <[char]>::last))
            .collect();
        Self {
            firsts: CharSet::union(firsts.iter()),
            any_last: CharSet::union(lasts.iter()),
            alternatives: rules,
            lasts,
        }
    }

    /// Length of the match at the start of `text`; 0 if there is none.
    pub(super) fn prefix(&self, text: &[char]) -> usize {
        self.at(text, 0).unwrap_or(0)
    }

    /// Length of the longest match that ends `text`; 0 if there is none.
    pub(super) fn suffix(&self, text: &[char]) -> usize {
        let Some(last) = text.last().filter(|last| self.any_last.contains(**last)) else {
            return 0;
        };
        let starts = self
            .alternatives
            .iter()
            .zip(&self.lasts)
            .filter(|(_, lasts)| lasts.contains(*last))
            .filter_map(|(rule, _)| {
                let first = max_length(&rule.body).map_or(0, |length| text.len().saturating_sub(length));
                (first..text.len()).find(|at| rule.matches(text, *at) == Some(text.len()))
            });
        starts.min().map_or(0, |start| text.len() - start)
    }

    /// Every match from left to right as `(start, end)`, none overlapping.
    pub(super) fn all(&self, text: &[char]) -> Vec<(usize, usize)> {
        let mut matches = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if let Some(end) = self.at(text, at) {
                matches.push((at, end));
                at = end;
            } else {
                at += 1;
            }
        }
        matches
    }

    /// The end of the first rule's match at `at` that takes a character.
    fn at(&self, text: &[char], at: usize) -> Option<usize> {
        text.get(at).filter(|first| self.firsts.contains(**first))?;
        self.alternatives
            .iter()
            .find_map(|rule| rule.matches(text, at))
            .filter(|end| *end > at)
    }
}

/// The characters that a step can start or end with.
fn edge(step: Option<&Step>, of: fn(&[char]) -> Option<&char>) -> CharSet {
    match step {
        None => CharSet::default(),
        Some(Step::One(set) | Step::Many(set)) => set.clone(),
        Some(Step::Word(words)) => CharSet::new(
            words
                .iter()
                .filter_map(|word| of(word))
                .map(|character| (*character, *character))
                .collect(),
        ),
    }
}

/// Most characters that a body can take; none if there is no limit.
fn max_length(body: &[Step]) -> Option<usize> {
    body.iter()
        .map(|step| match step {
            Step::One(_) => Some(1),
            Step::Many(_) => None,
            Step::Word(words) => words.iter().map(Vec::len).max(),
        })
        .sum()
}
