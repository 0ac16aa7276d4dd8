//! What can be an end of a statement: names and terms as they stand, and noun phrases that hold more than these.

use super::{Node, NodeKind, Tree};
use crate::grammar::{Dependency, Pos};
use crate::word::{Word, opens};
use crate::word_list::List;
use banyan_engine::document::one_line;
use banyan_engine::document::overlapping;
use banyan_engine::index::term;
use banyan_engine::{Mention, Span, name};

/// Most words of a noun phrase that is an end. Arbitrary, as for terms.
const MAX_PHRASE: usize = 4;

impl Tree<'_> {
    /// Adds the noun phrases that hold more than a mention does: of "skin rashes" something is stated, not of rashes.
    pub(super) fn add_phrases(&mut self, mentions: &[&Mention]) {
        for noun in 0..self.words.len() {
            let Some(span) = self.noun_phrase(noun) else { continue };
            let is_mentioned = mentions.iter().any(|mention| mention.span.contains(span));
            if is_mentioned || self.owner[noun].is_some() || !self.is_end(noun, span, true) {
                continue;
            }
            let spelled = one_line(span.of(self.text));
            self.add(Node {
                entity: name::key(&term::singular(spelled.to_lowercase())).into(),
                span,
                word: noun,
                kind: NodeKind::Phrase,
            });
        }
    }

    /// A common noun with what describes it right before it, two words at least.
    fn noun_phrase(&self, noun: usize) -> Option<Span> {
        let describes = |at: &usize| {
            let Word { dependency, pos, .. } = self.words[*at];
            let is_part = matches!(dependency, Dependency::Compound | Dependency::Modifier);
            is_part
                && matches!(
                    pos,
                    Pos::Noun | Pos::Name | Pos::Adjective | Pos::Participle | Pos::Gerund
                )
        };
        let is_below = |at: &usize| self.words[*at].head == noun || self.words[self.words[*at].head].head == noun;
        let before = (0..noun).rev().take_while(|at| is_below(at) && describes(at));
        let n_before = before.take(MAX_PHRASE).count();
        let counts = (noun - n_before..noun).take_while(|at| List::Counting.has(&self.lower(*at)));
        let n_before = n_before - counts.count();
        let first = noun - n_before;
        let orders = opens(self.text, self.words, first) && self.context.verbs.contains(&self.lower(first));
        let n_before = n_before - usize::from(orders && n_before > 0);
        let span = Span {
            start: self.words[noun - n_before].span.start,
            end: self.words[noun].span.end,
        };
        let parts = ['"', '“', '”', '(', ')', '[', ']', '{', '}', '|', '•', ',', ';', ':'];
        let is_phrase = self.words[noun].pos == Pos::Noun && (1..MAX_PHRASE).contains(&n_before);
        (is_phrase && !self.points(noun) && !span.of(self.text).contains(parts)).then_some(span)
    }

    /// Whether what describes a noun points to something that was told elsewhere ("the *following* fields").
    fn points(&self, noun: usize) -> bool {
        self.below[noun]
            .iter()
            .any(|at| *at < noun && List::Pointing.has(&self.lower(*at)))
    }

    /// Whether what is named can be an end of a statement as it stands: "HIV" in "HIV-positive", a part of a line of code and
    /// "another Paris" are something else; a term must stand for its kind.
    pub(super) fn is_end(&self, word: usize, whole: Span, is_term: bool) -> bool {
        let first = self.words.partition_point(|word| word.span.end <= whole.start);
        let mut inside = self.words[first..]
            .iter()
            .take_while(|word| word.span.start < whole.end);
        let code = overlapping(self.code, whole);
        let is_whole = inside.all(|word| whole.contains(word.span)) && code.is_none_or(|code| whole.contains(code));
        let is_instance = |at: usize| self.words[at].pos == Pos::Determiner && self.lower(at) != "the";
        let mut outside = self.below[word]
            .iter()
            .filter(|at| !whole.contains(self.words[**at].span));
        let stands = if is_term {
            self.is_generic(word, whole)
        } else {
            !outside.any(|at| is_instance(*at))
        };
        is_whole && stands
    }

    /// Whether a noun stands for its kind, as in "steam drives turbines": of "this turbine" nobody knows which one the
    /// text has in mind, "is a turbine" says what something else is, "wet steam" and "steam at rest" are not all steam.
    fn is_generic(&self, noun: usize, whole: Span) -> bool {
        let is_article = |at: usize| matches!(self.lower(at).as_str(), "the" | "a" | "an");
        let is_particular = |at: &usize| match self.words[*at].pos {
            Pos::Determiner => !is_article(*at),
            pos => pos == Pos::Number,
        };
        let is_end = matches!(
            self.words[noun].dependency,
            Dependency::Subject
                | Dependency::PassiveSubject
                | Dependency::Object
                | Dependency::PrepositionObject
                | Dependency::Conjunct
        );
        let is_subject = matches!(
            self.words[noun].dependency,
            Dependency::Subject | Dependency::PassiveSubject
        );
        let is_narrower = |at: &usize| {
            let Word { dependency, span, .. } = self.words[*at];
            let narrows = match dependency {
                Dependency::Modifier => !List::Counting.has(&self.lower(*at)),
                Dependency::Compound | Dependency::Clause => true,
                Dependency::Preposition => is_subject || self.lower(*at) == "of",
                _ => false,
            };
            narrows && !whole.contains(span)
        };
        is_end
            && !self.points(noun)
            && !self.below[noun].iter().any(|at| is_particular(at) || is_narrower(at))
            && self.children(noun, Dependency::Possessor).next().is_none()
    }
}
