//! What a sentence says that something is: "the meter is *a small pump for oil*".

use super::Said;
use super::tree::{End, MAX_STEPS, NodeKind, Tree};
use crate::contribution::DEFINITION;
use crate::grammar::{Dependency, Pos};
use crate::learned::Element;
use banyan_engine::Span;
use banyan_engine::fact::EntityKey;

/// Most words of what follows the noun. Arbitrary: more would tell a story.
const MAX_WORDS_AFTER: usize = 8;

impl Tree<'_> {
    /// What is said to be something, as the attribute [`DEFINITION`]: the noun with what describes it and what it is of or
    /// for. Cost O(words²) of the sentence's.
    pub(super) fn definitions(&self) -> Vec<Said> {
        let Some(attribute) = self.context.schema.attribute_id(DEFINITION) else {
            return Vec::new();
        };
        let nouns = (0..self.words.len()).filter(|at| self.words[*at].pos == Pos::Noun);
        let defined = nouns.filter_map(|noun| {
            let head = self.defined(noun)?;
            let tail = End {
                entity: EntityKey::default(),
                span: self.defining(noun)?,
                kind: NodeKind::Name,
            };
            Some(Said {
                head,
                tail,
                element: Element::Attribute(attribute),
                phrase: "is a".to_owned(),
            })
        });
        defined.collect()
    }

    /// The one thing of which the main clause says that it is what a noun names.
    fn defined(&self, noun: usize) -> Option<End> {
        let verb = self.words[noun].head;
        let is_told = self.words[noun].dependency == Dependency::Complement
            && matches!(self.lower(verb).as_str(), "is" | "are" | "was" | "were")
            && self.words[verb].dependency == Dependency::Root
            && !self.is_denied(verb)
            && !self.is_negated(noun);
        let (mut subjects, _) = is_told.then(|| self.subjects(verb, MAX_STEPS))?;
        let head = subjects.pop().filter(|_| subjects.is_empty())?;
        let own = self.telling.reading.definition;
        (head.entity != *self.own || own.is_none_or(|own| !self.span.contains(own))).then_some(head)
    }

    /// The noun phrase of a complement, without the article; none of "the largest one" and "one".
    fn defining(&self, noun: usize) -> Option<Span> {
        let mut before = self.below[noun].iter().copied().take_while(|at| *at < noun);
        let article = before.find(|at| self.words[*at].pos == Pos::Determiner);
        let is_kind = article.is_none_or(|at| matches!(self.lower(at).as_str(), "a" | "an"));
        let first = article.map_or_else(|| self.leftmost(noun), |at| at + 1);
        let of = self.children(noun, Dependency::Preposition);
        let of: Vec<usize> = of
            .filter(|at| *at > noun && matches!(self.lower(*at).as_str(), "of" | "for"))
            .collect();
        let end = of.iter().fold(noun, |end, preposition| {
            let last = self.rightmost(*preposition, MAX_STEPS);
            let follows = *preposition == end + 1 && last > *preposition && last - noun <= MAX_WORDS_AFTER;
            if follows { last } else { end }
        });
        let span = Span {
            start: self.words[first].span.start,
            end: self.words[end].span.end,
        };
        let is_plain = !span.of(self.text).contains(['\n', '|', '"', '“', '`', '(', '[']);
        // "A list" and "a way" say nothing without what belongs to them.
        let is_bare = first == noun && end == noun && self.below[noun].iter().any(|at| *at > noun);
        let is_told = article.is_some() || first < noun;
        let is_whole = !is_bare && !self.is_cut_at(end) && of.last().is_none_or(|last| *last < end);
        (is_kind && is_plain && is_told && is_whole && end - first < 2 * MAX_WORDS_AFTER).then_some(span)
    }

    /// Whether a name or a noun goes on right behind a word, so that it was taken for its end by mistake.
    fn is_cut_at(&self, word: usize) -> bool {
        let Some(next) = self.words.get(word + 1) else {
            return false;
        };
        let gap = Span {
            start: self.words[word].span.end,
            end: next.span.start,
        };
        let is_joined = matches!(gap.of(self.text), "" | " " | "-" | "/");
        is_joined && matches!(next.pos, Pos::Noun | Pos::Name | Pos::Adjective | Pos::Number)
    }

    /// The first of the words right before a noun that belong to it.
    fn leftmost(&self, noun: usize) -> usize {
        let belongs = |at: &usize| self.words[*at].head == noun || self.words[self.words[*at].head].head == noun;
        noun - (0..noun).rev().take_while(belongs).count()
    }

    /// The last word below another, through so many steps.
    fn rightmost(&self, word: usize, steps: usize) -> usize {
        let below = self.below[word].iter().filter(|_| steps > 0);
        let below = below.map(|at| self.rightmost(*at, steps - 1));
        below.max().unwrap_or(word).max(word)
    }
}
