//! The dependency tree of a sentence with the names that it holds, and who its words are said of.

use crate::context::Context;
use crate::doubt::{is_unreal, leaves_undone};
use crate::grammar::{Dependency, Pos};
use crate::label::is_idle;
use crate::telling::Telling;
use crate::word::Word;
use banyan_engine::fact::EntityKey;
use banyan_engine::{Mention, Span};
use std::sync::Arc;

mod end;

/// Steps that are followed up or down the tree for one end of a statement. Arbitrary.
pub(super) const MAX_STEPS: usize = 4;
/// Members of a list that are looked at for its end. Arbitrary: so a list of a thousand names costs what its length does.
const MAX_LISTED: usize = 20;

/// A name in the sentence, at the word of it that the others depend on.
pub(super) struct Node {
    pub(super) entity: EntityKey,
    pub(super) span: Span,
    pub(super) word: usize,
    pub(super) kind: NodeKind,
}

/// What a node is to the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Name,
    /// A term that is mentioned.
    Term,
    /// A noun phrase that is no mention: an entity only if something is stated of it.
    Phrase,
}

/// One end: an entity and where it is named.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) entity: EntityKey,
    pub(super) span: Span,
    pub(super) kind: NodeKind,
}

impl End {
    pub(super) fn of(node: &Node) -> Self {
        Self {
            entity: node.entity.clone(),
            span: node.span,
            kind: node.kind,
        }
    }
}

pub(super) struct Tree<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    pub(super) words: &'a [Word],
    /// For each word those that depend on it, in order.
    pub(super) below: Vec<Vec<usize>>,
    pub(super) nodes: Vec<Node>,
    /// The name that each word is part of.
    pub(super) owner: Vec<Option<usize>>,
    pub(super) telling: &'a Telling<'a>,
    /// What the document is about; empty where that is nothing.
    pub(super) own: &'a EntityKey,
    pub(super) context: &'a Context<'a>,
    /// Code within the lines of the document.
    pub(super) code: &'a [Span],
}

impl<'a> Tree<'a> {
    pub(super) fn new((span, words): &'a (Span, Vec<Word>), telling: &'a Telling, with_terms: bool) -> Self {
        let Telling { reading, context, .. } = telling;
        let mentions: Vec<&Mention> = telling.named(*span).collect();
        let mut tree = Self {
            text: reading.parsed.text(),
            span: *span,
            words,
            below: vec![Vec::new(); words.len()],
            nodes: Vec::new(),
            owner: vec![None; words.len()],
            telling,
            own: &telling.own,
            context,
            code: &reading.parsed.document.layout.code,
        };
        for (at, word) in words.iter().enumerate().filter(|(at, word)| word.head != *at) {
            tree.below[word.head].push(at);
        }
        if with_terms {
            tree.add_phrases(&mentions);
        }
        for mention in mentions {
            let is_term = context.types.is_term(mention);
            let Some(word) = tree.word_of(mention.span).filter(|_| with_terms || !is_term) else {
                continue;
            };
            if tree.owner[word].is_some() || !tree.is_end(word, mention.span, is_term) {
                continue;
            }
            tree.add(Node {
                entity: mention.entity.clone(),
                span: mention.span,
                word,
                kind: if is_term { NodeKind::Term } else { NodeKind::Name },
            });
        }
        tree
    }

    fn add(&mut self, node: Node) {
        for (at, owner) in self.owner.iter_mut().enumerate() {
            if node.span.overlaps(self.words[at].span) {
                *owner = Some(self.nodes.len());
            }
        }
        self.nodes.push(node);
    }

    /// The word of a stretch that the others in it depend on.
    pub(super) fn word_of(&self, span: Span) -> Option<usize> {
        let first = self.words.partition_point(|word| word.span.end <= span.start);
        let last = self.words.partition_point(|word| word.span.start < span.end);
        let is_outside = |at: &usize| {
            let head = self.words[*at].head;
            head == *at || head < first || head >= last
        };
        (first..last).rev().find(is_outside)
    }

    pub(super) fn lower(&self, word: usize) -> String {
        self.words[word].of(self.text).to_lowercase()
    }

    pub(super) fn children(&self, word: usize, dependency: Dependency) -> impl Iterator<Item = usize> {
        let below = self.below[word].iter().copied();
        below.filter(move |at| self.words[*at].dependency == dependency)
    }

    pub(super) fn is_verb(&self, word: usize) -> bool {
        matches!(self.words[word].pos, Pos::Verb | Pos::Participle | Pos::Gerund)
    }

    pub(super) fn node(&self, word: usize) -> Option<&Node> {
        self.nodes.get(self.owner[word]?).filter(|node| node.word == word)
    }

    /// Who a common noun is said of: the name beside it, the subject that it is the complement of.
    pub(super) fn called(&self, noun: usize, steps: usize) -> Vec<End> {
        if steps == 0 {
            return Vec::new();
        }
        if let Some(node) = self.owner[noun].map(|at| &self.nodes[at]) {
            return vec![End::of(node)];
        }
        let beside = self
            .children(noun, Dependency::Apposition)
            .chain(self.children(noun, Dependency::Compound));
        let named: Vec<End> = beside
            .filter(|at| *at > noun)
            .filter_map(|at| self.node(at))
            .map(End::of)
            .collect();
        if !named.is_empty() {
            return named;
        }
        let Word { head, dependency, .. } = self.words[noun];
        match dependency {
            Dependency::Complement | Dependency::Object if self.is_verb(head) && self.is_light(head, dependency) => {
                self.subjects(head, steps - 1).0
            }
            Dependency::Apposition => self.denoted(head, steps - 1),
            Dependency::Subject if self.is_light(head, Dependency::Complement) => {
                let complements = self.children(head, Dependency::Complement);
                complements.flat_map(|at| self.denoted(at, steps - 1)).collect()
            }
            Dependency::Conjunct if !self.is_verb(head) => self.called(head, steps - 1),
            Dependency::PrepositionObject => {
                let verb = self.words[head].head;
                let is_role = self.lower(head) == "as" && self.is_verb(verb) && !self.is_denied(verb);
                if is_role {
                    self.subjects(verb, steps - 1).0
                } else {
                    Vec::new()
                }
            }
            _ => Vec::new(),
        }
    }

    /// Whether what seems to be an apposition is a member of a list: "Orle, *Skelva*, and Tidd". Where the last one has an
    /// apposition of its own, it is none.
    pub(super) fn is_listed(&self, word: usize) -> bool {
        let Word { head, dependency, .. } = self.words[word];
        let is_joined = dependency == Dependency::Conjunct && self.owner[word].is_some();
        if dependency != Dependency::Apposition && !is_joined {
            return false;
        }
        let next = |at: &usize| self.after_comma(*at);
        let members: Vec<usize> = std::iter::successors(Some(word), next).take(MAX_LISTED).collect();
        let end = members.last().map_or(0, |at| self.end_of(*at)) as usize;
        let rest = self.text.get(end..).unwrap_or_default();
        let is_last = |at: usize| at > word && self.children(at, Dependency::Apposition).next().is_none();
        let mut members = members.into_iter().chain([head]);
        [", and ", ", or "].iter().any(|joint| rest.starts_with(joint))
            && members.any(|of| self.children(of, Dependency::Conjunct).any(is_last))
    }

    /// Where the name or word at `word` ends.
    fn end_of(&self, word: usize) -> u32 {
        let owner = self.owner[word].map(|at| self.nodes[at].span);
        owner.unwrap_or(self.words[word].span).end
    }

    /// The name that follows behind nothing but a comma.
    fn after_comma(&self, word: usize) -> Option<usize> {
        let end = self.end_of(word);
        let start = end + 2;
        let at = self.words.partition_point(|word| word.span.start < start);
        let next = &self.nodes[(*self.owner.get(at)?)?];
        let is_next = next.span.start == start && self.text.get(end as usize..start as usize) == Some(", ");
        is_next.then_some(next.word)
    }

    /// The first of the words that a word is joined to by "and" or a comma, or itself.
    pub(super) fn joined_at(&self, word: usize) -> usize {
        let Word { head, dependency, .. } = self.words[word];
        if dependency == Dependency::Conjunct && head < word {
            return self.joined_at(head);
        }
        word
    }

    /// Whether between two words there are names alone, so that neither "and" nor "near" parts them.
    pub(super) fn is_beside(&self, one: usize, other: usize) -> bool {
        let mut between = one.min(other)..one.max(other);
        between.all(|at| self.owner[at].is_some() || self.words[at].pos == Pos::Determiner)
    }

    /// Whether a verb says of its subject what its complement or object says: forms of "be", "become" and "have".
    pub(super) fn is_light(&self, verb: usize, dependency: Dependency) -> bool {
        let lower = self.lower(verb);
        let is_change = matches!(lower.as_str(), "became" | "become" | "becomes" | "remained" | "remains");
        !self.is_denied(verb) && (is_idle(&lower) || (is_change && dependency == Dependency::Complement))
    }

    /// Whether a verb, or one that it belongs to ("does not work by *using* it"), is negated, under a condition, said of
    /// what might be, or left undone by another.
    pub(super) fn is_denied(&self, verb: usize) -> bool {
        let above = |at: &usize| Some(self.words[*at].head).filter(|head| head != at);
        std::iter::successors(Some(verb), above)
            .take(MAX_STEPS)
            .any(|at| self.is_verb(at) && (self.denies(at) || self.is_undone(at)))
    }

    /// Whether a verb is what somebody else's verb leaves undone or open: "refused to *marry*", "discussed *using*".
    fn is_undone(&self, verb: usize) -> bool {
        let Word { head, dependency, .. } = self.words[verb];
        dependency == Dependency::ClausalComplement && leaves_undone(&self.lower(head))
    }

    fn denies(&self, verb: usize) -> bool {
        let mut adverbs = self.below[verb].iter().filter(|at| self.words[**at].pos == Pos::Adverb);
        self.is_negated(verb)
            || adverbs.any(|adverb| self.is_negated(*adverb))
            || self.below[verb]
                .iter()
                .any(|at| *at < verb && is_unreal(&self.lower(*at)))
    }

    /// Whether a word is negated: "*not* founded", "*no* longer", "*no* film", "*neither* town".
    pub(super) fn is_negated(&self, word: usize) -> bool {
        let is_none = |at: &usize| {
            let is_word = matches!(self.words[*at].pos, Pos::Determiner | Pos::Adverb);
            is_word && *at < word && matches!(self.lower(*at).as_str(), "no" | "neither" | "nor")
        };
        self.children(word, Dependency::Negation).next().is_some() || self.below[word].iter().any(is_none)
    }

    /// The subjects of a verb, and whether it is passive.
    pub(super) fn subjects(&self, verb: usize, steps: usize) -> (Vec<End>, bool) {
        let is_passive = self.children(verb, Dependency::PassiveSubject).next().is_some()
            || self.children(verb, Dependency::PassiveAuxiliary).next().is_some();
        let own = self
            .children(verb, Dependency::Subject)
            .chain(self.children(verb, Dependency::PassiveSubject));
        let own: Vec<usize> = own.collect();
        let is_relative = |at: &usize| matches!(self.lower(*at).as_str(), "who" | "which" | "that" | "whom");
        let Word {
            head, dependency, pos, ..
        } = self.words[verb];
        if !own.is_empty() && !own.iter().all(is_relative) {
            return (
                own.into_iter().flat_map(|at| self.denoted(at, steps)).collect(),
                is_passive,
            );
        }
        if steps == 0 || head == verb {
            return (Vec::new(), is_passive);
        }
        let is_participle = pos == Pos::Participle && own.is_empty();
        match dependency {
            Dependency::Clause => (self.denoted(head, steps - 1), is_passive || is_participle),
            Dependency::Conjunct if self.is_verb(head) => {
                let (ends, above) = self.subjects(head, steps - 1);
                (ends, is_passive || (is_participle && above))
            }
            Dependency::ClausalComplement if is_participle || pos == Pos::Gerund => {
                (self.subjects(head, steps - 1).0, is_passive || is_participle)
            }
            _ => (Vec::new(), is_passive),
        }
    }

    /// What a word stands for: the names joined at it, or whom a pronoun or "the film" means.
    pub(super) fn denoted(&self, word: usize, steps: usize) -> Vec<End> {
        let joined = std::iter::once(word).chain(self.children(word, Dependency::Conjunct));
        let named: Vec<End> = joined.filter_map(|at| self.node(at)).map(End::of).collect();
        if !named.is_empty() {
            return named;
        }
        if self.owner[word].is_none() && self.words[word].pos == Pos::Noun {
            let apposition = self.children(word, Dependency::Apposition);
            let named: Vec<End> = apposition.filter_map(|at| self.node(at)).map(End::of).collect();
            if !named.is_empty() {
                return named;
            }
        }
        let own = || self.telling.is_own_noun(self.words, word).then_some(self.own);
        if let Some(entity) = self.antecedent(word).or_else(own) {
            return vec![End {
                entity: Arc::clone(entity),
                span: self.words[word].span,
                kind: NodeKind::Name,
            }];
        }
        if self.words[word].pos == Pos::Noun && steps > 0 {
            return self.called(word, steps - 1);
        }
        Vec::new()
    }

    /// Whom or what a pronoun stands for.
    pub(super) fn antecedent(&self, word: usize) -> Option<&'a EntityKey> {
        self.telling.antecedent(self.words[word])
    }

    pub(super) fn covering(&self, one: Span, other: Span) -> Span {
        Span {
            start: one.start.min(other.start).max(self.span.start),
            end: one.end.max(other.end).min(self.span.end),
        }
    }
}
