//! Features: what speaks for and against a candidate as an end of a statement.
//!
//! *General* features know a relation only by its triggers and kinds and so carry over to relations that were never seen.
//! *Own* features are weighed for each relation by itself and exist only where examples were learned from.

use super::candidate::Source;
use super::nearest::{Found, Nearest};
use super::passage::Passage;
use super::trigger::Triggers;
use super::weights::FeatureSink;

/// Words that may stand between a preposition and its object.
const SKIPPED: &[&str] = &["\"", "“", "'", "the", "a", "an"];
/// Words before an object that say how it is tied; all others count as one.
const TIES: &[&str] = &[
    "(", ",", "^", "and", "are", "as", "at", "between", "by", "for", "from", "in", "include", "includes", "is", "near",
    "of", "on", "to", "was", "with",
];
/// Words that own features look at to the left and to the right.
const REACH_LEFT: usize = 6;
const REACH_RIGHT: usize = 4;

/// A distance in tokens, coarsely.
fn distance(tokens: usize) -> &'static str {
    match tokens {
        0 | 1 => "1",
        2 => "2",
        3 => "3",
        4..=5 => "5",
        6..=8 => "8",
        9..=12 => "12",
        _ => "far",
    }
}

/// A small number, cut off at six.
fn small(n: usize) -> &'static str {
    ["0", "1", "2", "3", "4", "5", "6"][n.min(6)]
}

fn bucket(found: Option<Found>) -> &'static str {
    match found {
        None => "no",
        Some(found) if !found.is_inside => "out",
        Some(found) => distance(found.distance),
    }
}

/// The general features of the candidate at `index` as object of a relation.
pub(crate) fn object(
    passage: &Passage,
    index: usize,
    triggers: &Triggers,
    (nearest, is_best): &(Nearest, bool),
    sink: &mut impl FeatureSink,
) {
    let shape = &passage.shapes[index];
    let kind = triggers.kind;
    let (left, right) = (bucket(nearest.left), bucket(nearest.right));
    let is_right = match (nearest.left, nearest.right) {
        (Some(l), Some(r)) => r.is_inside && (!l.is_inside || r.distance < l.distance),
        (l, r) => l.is_none() && r.is_some(),
    };
    let (side, near) = if is_right { ("R", right) } else { ("L", left) };
    let reach = match nearest.distance() {
        None => "no",
        Some(distance) if distance > 8 => "far",
        Some(_) => "near",
    };
    let tie = tie(passage, index);
    sink.put("bias", &[]);
    sink.put("kind,form", &[kind, shape.form]);
    sink.put("kind,form,reach", &[kind, shape.form, reach]);
    sink.put("kind,reach", &[kind, reach]);
    sink.put("left", &[left]);
    sink.put("right", &[right]);
    sink.put("nearest", &[side, near]);
    sink.put("kind,left", &[kind, left]);
    sink.put("kind,right", &[kind, right]);
    sink.put("kind,tie", &[kind, tie]);
    sink.put("left,tie", &[left, tie]);
    for (side, found) in [("L", nearest.left), ("R", nearest.right)] {
        let is_own = found.is_some_and(|found| found.is_own);
        sink.put("trigger", &[side, if is_own { "own" } else { "kin" }, bucket(found)]);
    }
    if *is_best {
        sink.put("best", &[]);
        sink.put("best.kind", &[kind]);
        sink.put("best.nearest", &[side, near]);
    } else {
        sink.put("beaten.nearest", &[side, near]);
    }
    said(passage, index, triggers, sink);
    place(passage, index, kind, sink);
}

/// The word that ties a candidate to what stands before it.
fn tie<'a>(passage: &'a Passage, index: usize) -> &'a str {
    let start = passage.candidates[index].first;
    let before = (0..start).rev().find(|at| !SKIPPED.contains(&passage.word(Some(*at))));
    let word = passage.word(before);
    if TIES.contains(&word) { word } else { "other" }
}

/// How much of the label the passage says, and what of the relation the candidate says itself.
fn said(passage: &Passage, index: usize, triggers: &Triggers, sink: &mut impl FeatureSink) {
    let candidate = &passage.candidates[index];
    let n_said = triggers
        .own
        .iter()
        .filter(|word| passage.places.contains_key(*word))
        .count();
    let coverage = match n_said {
        0 => "none",
        said if said == triggers.own.len() => "all",
        _ => "some",
    };
    sink.put(
        "label.said",
        &[coverage, if triggers.own.len() > 1 { "many" } else { "one" }],
    );
    let (first, last) = (
        &passage.tokens[candidate.first].root,
        &passage.tokens[candidate.end - 1].root,
    );
    for (name, words) in [
        ("label", &triggers.own),
        ("kin", &triggers.kin),
        ("range", &triggers.range_words),
    ] {
        if words.contains(last) {
            sink.put("last.is", &[name]);
        }
        if words.contains(first) {
            sink.put("first.is", &[name]);
        }
    }
    let before = candidate.first.checked_sub(1).map(|at| &passage.tokens[at].root);
    if before.is_some_and(|root| triggers.range_words.contains(root)) {
        sink.put("before.is.range", &[]);
    }
}

/// Where the candidate stands and how it was found.
fn place(passage: &Passage, index: usize, kind: &str, sink: &mut impl FeatureSink) {
    let (candidate, shape) = (&passage.candidates[index], &passage.shapes[index]);
    for source in &candidate.sources {
        sink.put("kind,source", &[kind, source.name()]);
    }
    sink.put("fit", &[shape.fit]);
    sink.put("fit,form", &[shape.fit, shape.form]);
    edges(passage, index, "", sink);
}

/// What the name would go on with, were it longer.
fn edges(passage: &Passage, index: usize, prefix: &str, sink: &mut impl FeatureSink) {
    let candidate = &passage.candidates[index];
    let left = passage.class(candidate.first.checked_sub(1));
    let right = passage.class(Some(candidate.end));
    sink.put(&format!("{prefix}edge"), &[left, right]);
    sink.put(&format!("{prefix}edge.left"), &[left]);
    sink.put(&format!("{prefix}edge.right"), &[right]);
}

/// The features of the candidate at `index` that a relation weighs for itself.
pub(crate) fn own(passage: &Passage, index: usize, sink: &mut impl FeatureSink) {
    let (candidate, shape) = (&passage.candidates[index], &passage.shapes[index]);
    let tokens = &passage.tokens;
    let (first, end) = (candidate.first, candidate.end);
    let skip = |at: usize| (0..at).rev().find(|at| !SKIPPED.contains(&passage.word(Some(*at))));
    let before = skip(first);
    let (near, far) = (passage.word(before), passage.word(before.and_then(skip)));
    sink.put("bias", &[]);
    sink.put("form", &[shape.form]);
    sink.put("before", &[near]);
    sink.put("before.2", &[far, near]);
    sink.put("form,before", &[shape.form, near]);
    sink.put("after", &[passage.word(Some(end))]);
    sink.put("last", &[&tokens[end - 1].root]);
    sink.put("first", &[&tokens[first].lower]);
    sink.put("text", &[&shape.key]);
    sink.put("fit", &[shape.fit]);
    for (distance, token) in (1..=REACH_LEFT).zip(tokens[..first].iter().rev()) {
        sink.put(if distance <= 3 { "left.3" } else { "left.6" }, &[&token.root]);
    }
    for (distance, token) in (0..REACH_RIGHT).zip(&tokens[end..]) {
        sink.put(if distance < 2 { "right.2" } else { "right.4" }, &[&token.root]);
    }
    for source in &candidate.sources {
        sink.put("source", &[source.name()]);
    }
    sink.put("quarter", &[small(4 * first / tokens.len().max(1))]);
    sink.put("length", &[small((end - first).min(5))]);
}

/// The features of a candidate as a subject, whatever is said of it.
pub(crate) fn subject(passage: &Passage, index: usize, sink: &mut impl FeatureSink) {
    let (candidate, shape) = (&passage.candidates[index], &passage.shapes[index]);
    let (first, end) = (candidate.first, candidate.end);
    sink.put("s.form", &[shape.form]);
    sink.put(
        "s.next.class",
        &[passage.class(Some(end)), passage.class(Some(end + 1))],
    );
    sink.put(
        "s.before.class",
        &[passage.class(first.checked_sub(2)), passage.class(first.checked_sub(1))],
    );
    sink.put("s.length", &[small(end - first)]);
    sink.put("s.fit", &[shape.fit]);
    sink.put("s.fit,form", &[shape.fit, shape.form]);
    if let Some(source) = candidate.sources.first() {
        sink.put("s.fit,source", &[shape.fit, source.name()]);
    }
    edges(passage, index, "s.", sink);
    if first == 0 || (first == 1 && SKIPPED.contains(&passage.word(Some(0)))) {
        sink.put("s.leads", &[]);
        sink.put("s.leads,form", &[shape.form]);
    }
    if passage.tokens[first].is_initial {
        sink.put("s.opens", &[]);
    }
    for source in &candidate.sources {
        sink.put("s.source", &[source.name()]);
    }
}

/// The features of two candidates as subject and object of a relation.
pub(crate) fn pair(passage: &Passage, subject: usize, object: usize, triggers: &Triggers, sink: &mut impl FeatureSink) {
    let (s, o) = (&passage.candidates[subject], &passage.candidates[object]);
    let (side, from, to) = if s.end <= o.first {
        ("L", s.end, o.first)
    } else {
        ("R", o.end, s.first)
    };
    let (tokens, form) = (&passage.tokens, passage.shapes[subject].form);
    let is_between = |other: &&super::candidate::Candidate| {
        other.first >= from && other.end <= to && (other.is(Source::Name) || other.is(Source::Quoted))
    };
    let n_names = passage.candidates.iter().filter(is_between).count();
    let n_sentences = tokens[s.first].sentence.abs_diff(tokens[o.first].sentence);
    sink.put("p.side", &[side]);
    sink.put("p.distance", &[side, distance(to.saturating_sub(from))]);
    sink.put("p.names", &[side, small(n_names.min(4))]);
    sink.put("p.sentences", &[side, small(n_sentences.min(2))]);
    sink.put("p.kind,form", &[triggers.kind, form]);
}
