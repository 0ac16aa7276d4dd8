//! How a sentence stands behind a claim that was read from it, whatever the relation: the features by which one linear
//! model tells claims that a reader finds true from those that are only read so.

use super::Claim;
use super::pair::{chain, kind, way};
use super::tree::{End, NodeKind, Tree};
use crate::context::Context;
use crate::dispersion::dispersion;
use crate::feature::FeatureSink;
use crate::grammar::{Dependency, Pos};
use crate::label::stems;
use crate::learned::Element;
use crate::word::opens;
use banyan_engine::Span;
use banyan_engine::document::overlapping;

/// Marks between two ends that may part them.
const PARTING: [char; 9] = [';', ':', '(', ')', '–', '—', '“', '”', '"'];

/// Templates that count for each relation by itself, too, with what they are called then: a verb or a type tells more of
/// one relation than of another.
const BY_RELATION: [(&str, &str); 6] = [
    ("kinds", "relation kinds"),
    ("order", "relation order"),
    ("reading", "relation reading"),
    ("shape", "relation shape"),
    ("type", "relation type"),
    ("word", "relation word"),
];

/// Puts features, and some of them by relation, too.
struct ByRelation<'a, S> {
    relation: &'a str,
    sink: &'a mut S,
}

impl<S: FeatureSink> FeatureSink for ByRelation<'_, S> {
    fn put(&mut self, template: &str, values: &[&str]) {
        self.sink.put(template, values);
        if let Some((_, name)) = BY_RELATION.iter().find(|(one, _)| *one == template) {
            self.sink.put(name, &[&[self.relation], values].concat());
        }
    }
}

/// Puts what speaks for and against a claim. Cost O(words of the sentence).
pub(super) fn put(tree: &Tree, claim: &Claim, sink: &mut impl FeatureSink) {
    let schema = tree.context.schema;
    let relation = match claim.element {
        Element::Relation(relation) => schema.relation_name(relation),
        Element::Attribute(attribute) => schema.attribute_name(attribute),
    };
    let sink = &mut ByRelation { relation, sink };
    let (Some(head), Some(tail)) = (tree.word_of(claim.head.span), tree.word_of(claim.tail.span)) else {
        return;
    };
    sink.put("relation", &[relation]);
    reading(tree, claim, sink);
    let ends = [standing(tree, &claim.head, head), standing(tree, &claim.tail, tail)];
    let kinds = [kind(tree, claim.head.span), kind(tree, claim.tail.span)];
    let whats = [&claim.head, &claim.tail].map(|end| match end.kind {
        NodeKind::Name => "name",
        NodeKind::Term => "term",
        NodeKind::Phrase => "phrase",
    });
    sink.put("whats", &whats);
    sink.put("ends", &ends);
    sink.put("kinds", &kinds);
    for (at, (side, word, end)) in [("head", head, &claim.head), ("tail", tail, &claim.tail)]
        .into_iter()
        .enumerate()
    {
        end_of(tree, (side, ends[at], kinds[at]), word, end.span, sink);
        let kind = tree.context.types.likely(&end.entity);
        sink.put(
            "type",
            &[side, kind.map_or("", |kind| &schema.entity_types()[kind.index()].name)],
        );
    }
    let (up, down) = way(&chain(tree, head), &chain(tree, tail)).unwrap_or_default();
    let label = |at: &usize| tree.words[*at].dependency.label();
    let shape: Vec<&str> = up.iter().rev().skip(1).rev().map(label).collect();
    let shape = format!(
        "{} ^ {}",
        shape.join(" "),
        down.iter().map(label).collect::<Vec<_>>().join(" ")
    );
    sink.put("shape", &[&shape]);
    sink.put("steps", &[&(up.len() + down.len()).to_string()]);
    for at in up.iter().chain(&down).filter(|at| tree.is_verb(**at)) {
        verb(tree, *at, sink);
    }
    let top = up.last().copied().unwrap_or(head);
    sink.put("top", &[tree.words[top].pos.label(), label(&top)]);
    for at in chain(tree, top).iter().skip(1).take(2) {
        sink.put("above", &[label(at)]);
    }
    around(tree, claim, [head, tail], sink);
}

/// Who reads it, and in which words.
fn reading(tree: &Tree, claim: &Claim, sink: &mut impl FeatureSink) {
    let Context { schema, types, .. } = tree.context;
    let fit = match claim.element {
        Element::Relation(relation) => types.fit(schema, &claim.head.entity, relation, &claim.tail.entity),
        Element::Attribute(_) => None,
    };
    let chance = claim
        .chance
        .map_or_else(|| "none".to_owned(), |chance| format!("{chance:.1}"));
    let said = if claim.is_said { "said" } else { "unsaid" };
    let phrase = stems(claim.phrase.split(' '));
    sink.put("reading", &[said, &chance]);
    sink.put("phrase", &[&phrase]);
    for word in phrase.split(' ') {
        sink.put("word", &[word]);
    }
    sink.put("fit", &[&fit.map_or_else(|| "none".to_owned(), |fit| fit.to_string())]);
}

/// How an end is named.
fn standing(tree: &Tree, end: &End, word: usize) -> &'static str {
    if end.entity.is_empty() {
        return "value";
    }
    if overlapping(tree.code, end.span).is_some() {
        return "code";
    }
    match tree.words[word].pos {
        Pos::Pronoun => "pronoun",
        Pos::Name => "name",
        Pos::Noun if end.entity == *tree.own => "own",
        Pos::Noun if tree.words[word].is_capitalised => "capital",
        Pos::Noun => "noun",
        Pos::Verb | Pos::Participle | Pos::Gerund => "verb",
        Pos::Adjective | Pos::Comparison => "adjective",
        _ => "other",
    }
}

/// What else hangs on an end, and on what it hangs.
fn end_of(
    tree: &Tree,
    (side, standing, kind): (&str, &str, &str),
    word: usize,
    whole: Span,
    sink: &mut impl FeatureSink,
) {
    sink.put("hangs", &[side, tree.words[word].dependency.label()]);
    let outside = tree.below[word]
        .iter()
        .filter(|at| !whole.contains(tree.words[**at].span));
    for at in outside {
        let below = tree.words[*at];
        let lower = tree.lower(*at);
        match below.pos {
            Pos::Determiner | Pos::Function => sink.put("beside", &[side, below.dependency.label(), &lower]),
            _ => sink.put("beside", &[side, below.dependency.label(), below.pos.label()]),
        }
    }
    let mut inside = tree.words.iter().filter(|word| whole.contains(word.span));
    if let Some(first) = inside.next().filter(|_| inside.next().is_some()) {
        let lower = first.of(tree.text).to_lowercase();
        sink.put(
            "begins",
            &[
                side,
                first.pos.label(),
                if first.pos == Pos::Name { "" } else { &lower },
            ],
        );
    }
    let n_words = tree.words.iter().filter(|word| whole.contains(word.span)).count();
    let length = n_words.min(5).to_string();
    sink.put("length", &[side, &length]);
    sink.put("standing length", &[side, standing, &length]);
    sink.put("standing kind", &[side, standing, kind]);
    for n in 1..=dispersion(whole.of(tree.text)) {
        sink.put("common", &[side, &n.to_string()]);
    }
    let first = tree.words.partition_point(|word| word.span.end <= whole.start);
    if opens(tree.text, tree.words, first) {
        let is_verb = tree.context.verbs.contains(&tree.lower(first));
        sink.put("opens", &[side, if is_verb { "verb" } else { "" }]);
    }
    let rest = tree.text.get(whole.end as usize..).unwrap_or_default();
    if rest.starts_with(['.', '-', '/', '_']) && rest[1..].starts_with(char::is_alphanumeric) {
        sink.put("cut", &[side]);
    }
}

/// What makes a verb on the way only possible, conditional or a part of something else.
fn verb(tree: &Tree, at: usize, sink: &mut impl FeatureSink) {
    sink.put("verb", &[tree.words[at].pos.label(), tree.words[at].dependency.label()]);
    let is_particle = |below: &usize| {
        let word = tree.words[*below];
        *below < at
            && word.dependency == Dependency::Other
            && matches!(word.pos, Pos::Verb | Pos::Function | Pos::Adverb)
    };
    for below in tree.below[at].iter().filter(|below| is_particle(below)) {
        sink.put("before verb", &[&tree.lower(*below)]);
    }
}

/// The sentence, and where in it the ends stand.
fn around(tree: &Tree, claim: &Claim, [head, tail]: [usize; 2], sink: &mut impl FeatureSink) {
    let (first, last) = (head.min(tail), head.max(tail));
    let bucket = |n: usize| n.next_power_of_two().min(64).to_string();
    sink.put("apart", &[&bucket(last - first)]);
    sink.put("order", &[if head < tail { "first" } else { "last" }]);
    let between = Span {
        start: claim.head.span.end.min(claim.tail.span.end),
        end: claim.head.span.start.max(claim.tail.span.start),
    };
    if between.start < between.end {
        let between = between.of(tree.text);
        sink.put("commas", &[&between.matches(',').count().min(3).to_string()]);
        for mark in PARTING.iter().filter(|mark| between.contains(**mark)) {
            sink.put("mark", &[&mark.to_string()]);
        }
    }
    let sentence = tree.span.of(tree.text).trim_end();
    if let Some(first) = tree.words.first().filter(|word| word.pos != Pos::Name) {
        sink.put("first word", &[&first.of(tree.text).to_lowercase()]);
    }
    sink.put("words", &[&bucket(tree.words.len())]);
    let ending = sentence.chars().next_back().filter(|ch| !ch.is_alphanumeric());
    sink.put("ending", &[&ending.map_or_else(String::new, String::from)]);
    let before = tree.text[..tree.span.start as usize].trim_end_matches([' ', '\t']);
    let mark = before.chars().next_back().filter(|ch| !ch.is_alphanumeric());
    sink.put("line", &[&mark.map_or_else(String::new, String::from)]);
    let opening = if sentence.starts_with(char::is_uppercase) {
        "capital"
    } else {
        "other"
    };
    sink.put("opening", &[opening]);
    if sentence.contains(['“', '”', '"']) {
        sink.put("speech", &[]);
    }
}
