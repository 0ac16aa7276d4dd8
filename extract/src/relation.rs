//! Triples and attributes along the dependency tree of a sentence (Eq. 2, Youtu-GraphRAG), bounded by the schema.
//!
//! Two readings meet. For each name, date and quantity the tree tells what governs it (a verb, a preposition of a verb or
//! noun, an owner's noun); that word and its preposition are looked up among the schema's phrases by their stems, and
//! whoever the governing word is said of is the other end. And a linear model, trained on annotated documents, gives each
//! pair of ends a probability for each relation that it has learned, what the phrases say being one of its features. A
//! relation that was learned is stated where it is likely enough, any other where the phrases say so. What comes out
//! respects the types that texts show.

use crate::context::{Context, Facts};
use crate::feature::FeatureSink;
use crate::learned::{Element, probability};
use crate::link::FULL;
use crate::literal::literals;
use crate::telling::Telling;
use crate::word::Word;
use banyan_engine::document::one_line;
use banyan_engine::schema::ValueKind;
use banyan_engine::{AttributeClaim, EntityClaim, LooseClaim, Mention, Span, TripleClaim};
use pair::{Candidate, Pair, pairs};
use std::collections::{BTreeMap, BTreeSet};

mod definition;
mod lesson;
mod pair;
mod phrase;
mod tree;
mod trust;

pub use lesson::{Lessons, Shown};
use tree::{End, NodeKind, Tree};

/// Probability from which a learned relation is considered that the schema's phrases do not state. What is considered is
/// stated where a reader would likely find it true.
const CONSIDERED: f32 = 0.3;
/// Probability of being true from which a claim is stated: four of five are to be true. Of the claims that reach it with
/// their corpus left out of the fit, strict readers found .81 of 2,118 true, in 72 public corpora (`banyan-eval facts --read`).
const TRUSTED: f32 = 0.7;

/// What a sentence may state of two ends.
struct Claim {
    head: End,
    tail: End,
    element: Element,
    phrase: String,
    /// Probability of what was learned; `None` where only the phrases say so.
    chance: Option<f32>,
    /// Whether the schema's phrases state it.
    is_said: bool,
}

/// What the schema's phrases state of two ends.
struct Said {
    head: End,
    tail: End,
    element: Element,
    phrase: String,
}

/// What is likely enough, by the candidates of its ends, with the pair and its probability.
type Decided<'a> = BTreeMap<(usize, usize, Element), (&'a Pair, f32)>;

/// A parsed sentence: its ends, their pairs, and what the schema's phrases state.
pub(crate) struct Sentence<'a> {
    tree: Tree<'a>,
    candidates: Vec<Candidate>,
    pairs: Vec<Pair>,
    /// By the places of both ends.
    said: BTreeMap<(Span, Span), Vec<Said>>,
    loose: Vec<LooseClaim>,
}

impl<'a> Sentence<'a> {
    /// Looks at one parsed sentence.
    pub(crate) fn new(sentence: &'a (Span, Vec<Word>), telling: &'a Telling) -> Self {
        let tree = Tree::new(sentence, telling, false);
        let values = literals(tree.text, tree.span);
        let (candidates, pairs) = pairs(&tree, &values);
        let (mut said, mut loose) = tree.related();
        let of_terms = Tree::new(sentence, telling, true);
        if of_terms.nodes.iter().any(|node| node.kind != NodeKind::Name) {
            let (more, looser) = of_terms.related_kinds();
            said.extend(more);
            loose.extend(looser);
        }
        said.extend(of_terms.definitions());
        for value in values {
            let Some(word) = tree.word_of(value.span) else { continue };
            let mut claims = tree.statements(word).into_iter();
            said.extend(claims.find_map(|statement| tree.describe(&statement, value)));
        }
        let mut by_ends: BTreeMap<(Span, Span), Vec<Said>> = BTreeMap::new();
        for one in said {
            by_ends.entry((one.head.span, one.tail.span)).or_default().push(one);
        }
        Self {
            tree,
            candidates,
            pairs,
            said: by_ends,
            loose,
        }
    }

    fn put(&self, pair: &Pair, sink: &mut impl FeatureSink) {
        pair::put(&self.tree, &self.candidates, pair, sink);
    }

    fn end(&self, at: usize) -> Span {
        self.candidates[at].end.span
    }

    /// The keys of both ends, or the value as written.
    fn ends(&self, pair: &Pair) -> (String, String) {
        let key = |at: usize| {
            let Candidate { end, value, .. } = &self.candidates[at];
            if value.is_some() {
                end.span.of(self.tree.text).to_owned()
            } else {
                end.entity.as_ref().to_owned()
            }
        };
        (key(pair.head), key(pair.tail))
    }

    /// What the phrases state of a pair.
    fn said_of(&self, pair: &Pair) -> &[Said] {
        let ends = (self.end(pair.head), self.end(pair.tail));
        self.said.get(&ends).map_or(&[], Vec::as_slice)
    }

    /// Adds what the sentence states: of its claims those that are likely true, and of the others that both ends have to do
    /// with each other.
    pub(crate) fn state(mut self, facts: &mut Facts) {
        facts.loose.append(&mut self.loose);
        for (claim, is_trusted) in self.judged() {
            self.set_down(claim, is_trusted, facts);
        }
    }

    /// What the sentence may state, and whether it is likely true. A value is of its likeliest owner and those joined to it,
    /// and says one thing of them; a relation holds in its likelier direction.
    fn judged(&self) -> Vec<(Claim, bool)> {
        let chance = |claim| (self.chance(&claim), claim);
        let mut claims: Vec<(f32, Claim)> = self.claims().into_iter().map(chance).collect();
        claims.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (mut values, mut directions) = (BTreeMap::new(), BTreeMap::new());
        let judge = |(chance, claim): (f32, Claim)| {
            let (head, tail) = (claim.head.span, claim.tail.span);
            let is_first = match claim.element {
                Element::Attribute(_) => {
                    let owner = self.tree.word_of(head).map(|word| self.tree.joined_at(word));
                    *values.entry(tail).or_insert((owner, claim.element)) == (owner, claim.element)
                }
                Element::Relation(relation) => {
                    let schema = self.tree.context.schema;
                    let (kept, inverse) = (schema.kept(relation), schema.inverse(relation));
                    let from = if kept == relation { head } else { tail };
                    let ends = (kept, head.min(tail), head.max(tail));
                    inverse == Some(relation) || *directions.entry(ends).or_insert(from) == from
                }
            };
            (claim, is_first && chance >= TRUSTED)
        };
        claims.into_iter().map(judge).collect()
    }

    /// Probability that a reader would find a claim true. What stands before a colon is no subject of what follows it
    /// ("Playlists: improve the table").
    fn chance(&self, claim: &Claim) -> f32 {
        let between = Span {
            start: claim.head.span.end,
            end: claim.tail.span.start.max(claim.head.span.end),
        };
        if matches!(claim.element, Element::Relation(_)) && between.of(self.tree.text).contains(": ") {
            return 0.0;
        }
        let mut scores = self.tree.context.trust.scores();
        trust::put(&self.tree, claim, &mut scores);
        probability(scores.logits[0])
    }

    /// What the sentence may state.
    fn claims(&self) -> Vec<Claim> {
        let Context { model, served, .. } = self.tree.context;
        let added = model.said();
        let mut decided: Decided = BTreeMap::new();
        for pair in self.pairs.iter().filter(|pair| !pair.is_denied(&self.tree)) {
            let mut scores = model.scores();
            self.put(pair, &mut scores);
            for (class, elements) in served.iter().enumerate() {
                for element in elements {
                    let is_said = self.said_of(pair).iter().any(|said| said.element == *element);
                    let chance = probability(scores.logits[class] + if is_said { added[class] } else { 0.0 });
                    if (is_said || chance >= CONSIDERED) && self.admits(pair, *element) {
                        let best = decided
                            .entry((pair.head, pair.tail, *element))
                            .or_insert((pair, chance));
                        best.1 = best.1.max(chance);
                    }
                }
            }
        }
        self.decided(&decided)
    }

    /// Whether the types of both ends allow it.
    fn admits(&self, pair: &Pair, element: Element) -> bool {
        let Context { schema, types, .. } = self.tree.context;
        let (head, tail) = (&self.candidates[pair.head], &self.candidates[pair.tail]);
        match element {
            Element::Relation(relation) => {
                let fit = || types.fit(schema, &head.end.entity, relation, &tail.end.entity);
                tail.value.is_none() && fit().is_some_and(|fit| fit > 0 || schema.admits_any(relation))
            }
            Element::Attribute(attribute) => {
                let owner = types.likely(&head.end.entity).unwrap_or(schema.thing());
                let kind = schema.attributes()[attribute.index()].kind;
                let serves = match tail.value {
                    Some(value) if value.kind != ValueKind::Text => value.serves(kind),
                    _ => kind == ValueKind::Text,
                };
                serves && schema.admits_attribute(owner, attribute)
            }
        }
    }

    /// What is likely enough, of both directions of a relation the likelier one, and what was said of no learned relation.
    fn decided(&self, decided: &Decided) -> Vec<Claim> {
        let mut claims = Vec::new();
        for ((head, tail, element), (pair, chance)) in decided {
            let reverse = decided.get(&(*tail, *head, *element));
            let is_beaten = reverse.is_some_and(|(_, other)| (other, tail) > (chance, head));
            let is_country = |at: usize| self.candidates[at].is_country();
            let same = decided.range((*head, 0, *element)..=(*head, usize::MAX, *element));
            let n_countries = same
                .filter(|((_, tail, same), _)| same == element && is_country(*tail))
                .count();
            // Something is of one country; whoever seems to be of several heads a list of them.
            if is_beaten || (is_country(*tail) && n_countries > 1) {
                continue;
            }
            let said = self.said_of(pair).iter().find(|said| said.element == *element);
            claims.push(Claim {
                head: self.candidates[*head].end.clone(),
                tail: self.candidates[*tail].end.clone(),
                element: *element,
                phrase: said.map_or_else(|| pair.phrase(&self.tree, &self.candidates), |said| said.phrase.clone()),
                chance: Some(*chance),
                is_said: said.is_some(),
            });
        }
        let learned: BTreeSet<Element> = self.tree.context.served.iter().flatten().copied().collect();
        let ends = |pair: &Pair| (self.end(pair.head), self.end(pair.tail));
        let paired: BTreeSet<(Span, Span)> = self.pairs.iter().map(ends).collect();
        for (ends, list) in &self.said {
            let unlearned = list
                .iter()
                .filter(|said| !learned.contains(&said.element) || !paired.contains(ends));
            claims.extend(unlearned.map(|said| Claim {
                head: said.head.clone(),
                tail: said.tail.clone(),
                element: said.element,
                phrase: said.phrase.clone(),
                chance: None,
                is_said: true,
            }));
        }
        claims
    }

    fn set_down(&self, claim: Claim, is_trusted: bool, facts: &mut Facts) {
        let Claim {
            head,
            tail,
            element,
            phrase,
            ..
        } = claim;
        let span = self.tree.covering(head.span, tail.span);
        let is_new = |end: &&End| end.kind == NodeKind::Phrase;
        if !is_trusted && (is_new(&&head) || is_new(&&tail)) {
            return;
        }
        for end in [&head, &tail].into_iter().filter(is_new) {
            facts.entities.push(EntityClaim {
                entity: end.entity.clone(),
                name: one_line(end.span.of(self.tree.text)).into(),
                entity_type: None,
                span: end.span,
                is_subject: false,
            });
            facts.mentions.push(Mention {
                span: end.span,
                entity: end.entity.clone(),
                certainty: FULL,
                is_term: true,
            });
        }
        match element {
            Element::Relation(relation) if is_trusted => facts.triples.push(TripleClaim {
                head: head.entity,
                relation,
                tail: tail.entity,
                phrase,
                span,
            }),
            Element::Relation(_) => facts.loose.push(LooseClaim {
                head: head.entity,
                tail: tail.entity,
                phrase,
                span,
            }),
            Element::Attribute(attribute) if is_trusted => facts.attributes.push(AttributeClaim {
                entity: head.entity,
                attribute,
                value: tail.span.of(self.tree.text).to_owned(),
                span,
            }),
            Element::Attribute(_) => {}
        }
    }
}
