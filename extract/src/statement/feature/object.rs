//! General features of an object: its shape, its place, and the cues of the relation around it.

use super::nearest::{Found, Nearest, Rivalry};
use super::{distance, small};
use crate::statement::candidate::Source;
use crate::statement::cue::Cues;
use crate::statement::sink::Sink;
use crate::statement::view::{Membership, View};

/// Words that may stand between a preposition and its object.
const SKIPPED: &[&str] = &["\"", "“", "'", "(", "the", "a", "an"];
/// Words before an object that say how it is tied; all others count as one; sorted.
const TIES: &[&str] = &[
    "(", ",", "^", "and", "are", "as", "at", "between", "by", "for", "from", "in", "include", "includes", "is", "near",
    "of", "on", "to", "was", "with",
];

/// The general features of the candidate at `index` as object of a relation.
pub(crate) fn object(
    view: &View,
    index: usize,
    cues: &Cues,
    nearest: &Nearest,
    rivalry: Rivalry,
    sink: &mut impl Sink,
) {
    let shape = &view.shapes[index];
    let kind = cues.kind;
    let left = bucket(nearest.left);
    let right = bucket(nearest.right);
    let (side, near) = match (nearest.left, nearest.right) {
        (Some(l), Some(r)) if r.is_inside && (!l.is_inside || r.distance < l.distance) => ("R", right),
        (None, Some(_)) => ("R", right),
        _ => ("L", left),
    };
    let reach = match nearest.distance() {
        None => "no",
        Some(distance) if distance > 8 => "far",
        Some(_) => "near",
    };
    sink.put("bias", &[]);
    sink.put("kind,form", &[kind, shape.form]);
    sink.put("kind,form,reach", &[kind, shape.form, reach]);
    sink.put("kind,reach", &[kind, reach]);
    sink.put("left", &[left]);
    sink.put("right", &[right]);
    sink.put("nearest", &[side, near]);
    sink.put("kind,left", &[kind, left]);
    sink.put("kind,right", &[kind, right]);
    for (side, found) in [("L", nearest.left), ("R", nearest.right)] {
        if let Some(found) = found {
            sink.put(
                "cue",
                &[side, if found.is_own { "own" } else { "kin" }, bucket(Some(found))],
            );
        }
    }
    let tie = tie(view, index);
    sink.put("kind,tie", &[kind, tie]);
    sink.put("left,tie", &[left, tie]);
    between(view, index, nearest, sink);
    competition(kind, side, near, rivalry.is_best, nearest, sink);
    rivals(kind, near, rivalry, nearest, sink);
    cue_word(view, kind, side, near, tie, nearest, sink);
    article(view, index, kind, sink);
    label(view, index, cues, sink);
    place(view, index, kind, sink);
}

fn bucket(found: Option<Found>) -> &'static str {
    match found {
        None => "no",
        Some(found) if !found.is_inside => "out",
        Some(found) => distance(found.distance),
    }
}

/// The word that ties a candidate to what stands before it.
fn tie<'a>(view: &'a View, index: usize) -> &'a str {
    let mut at = view.shapes[index].list.min(view.passage.candidates[index].first);
    while at > 0 && SKIPPED.contains(&view.word(Some(at - 1))) && view.word(Some(at - 1)) != "(" {
        at -= 1;
    }
    let word = view.word(at.checked_sub(1));
    if TIES.binary_search(&word).is_ok() {
        word
    } else {
        "other"
    }
}

/// What stands between the cue on the left and the candidate.
fn between(view: &View, index: usize, nearest: &Nearest, sink: &mut impl Sink) {
    let Some(left) = nearest.left.filter(|found| found.is_inside) else {
        return;
    };
    let tokens = &view.passage.tokens[left.at + 1..view.shapes[index].list.max(left.at + 1)];
    let is_direct = tokens.iter().all(|token| token.is_function || !token.is_word());
    sink.put("between", &[if is_direct { "direct" } else { "words" }]);
    let tie = ["by", "of", "in", "at", "as", "on", "to", "for", "from", "with"]
        .into_iter()
        .find(|tie| tokens.iter().any(|token| token.lower == *tie))
        .unwrap_or("other");
    sink.put("between.tie", &[tie]);
    let n_capitals = tokens.iter().filter(|token| token.is_capital).count();
    sink.put("between.capitals", &[small(n_capitals.min(3))]);
}

/// Whether another relation has a better claim to the candidate.
fn competition(kind: &str, side: &str, near: &str, is_best: bool, nearest: &Nearest, sink: &mut impl Sink) {
    if is_best {
        sink.put("best", &[]);
        sink.put("best.kind", &[kind]);
        sink.put("best.nearest", &[side, near]);
    } else if nearest.distance().is_some() {
        sink.put("beaten.nearest", &[side, near]);
    }
}

/// Whether the nearest cue is this relation's alone.
fn rivals(kind: &str, near: &str, rivalry: Rivalry, nearest: &Nearest, sink: &mut impl Sink) {
    if nearest.nearer().is_none() {
        return;
    }
    let standing = match (rivalry.n_sharing, rivalry.is_outdone, rivalry.is_ahead) {
        (_, true, _) => "outdone",
        (_, _, true) => "ahead",
        (0, ..) => "alone",
        (1, ..) => "shared",
        _ => "common",
    };
    sink.put("rivals", &[standing]);
    sink.put("rivals,kind", &[standing, kind]);
    sink.put("rivals,near", &[standing, near]);
}

/// What form the nearest cue has, by its ending, and how it is tied to the candidate.
fn cue_word(view: &View, kind: &str, side: &str, near: &str, tie: &str, nearest: &Nearest, sink: &mut impl Sink) {
    let Some(found) = nearest.nearer() else { return };
    let token = &view.passage.tokens[found.at];
    let lower = token.lower.as_str();
    let ending = ["ed", "ing", "er", "or", "tion", "ist", "s"]
        .into_iter()
        .find(|ending| lower.len() > ending.len() + 2 && lower.ends_with(ending))
        .unwrap_or("other");
    let ending = if token.is_capital && !token.is_initial {
        "Capital"
    } else {
        ending
    };
    sink.put("cue.ending", &[side, ending, near]);
    sink.put("cue.ending,tie", &[side, ending, tie]);
    sink.put("cue.ending,kind", &[side, ending, kind]);
    let next = view.word(Some(found.at + 1));
    let next = if TIES.binary_search(&next).is_ok() {
        next
    } else {
        "other"
    };
    sink.put("cue.next", &[side, ending, next]);
}

/// Whether a leading article belongs to the candidate, by its kind and form.
fn article(view: &View, index: usize, kind: &str, sink: &mut impl Sink) {
    let name = leading_article(view, index);
    if name != "none" {
        sink.put("article,form", &[name, view.shapes[index].form]);
        sink.put("article,kind", &[name, kind]);
    }
}

/// Where a leading "The" stands to a candidate, and whether it begins the sentence.
pub(super) fn leading_article(view: &View, index: usize) -> &'static str {
    let candidate = &view.passage.candidates[index];
    let tokens = &view.passage.tokens;
    let article = |at: usize| tokens[at].lower == "the" && tokens[at].is_capital;
    if article(candidate.first) && candidate.end > candidate.first + 1 {
        return if tokens[candidate.first].is_initial {
            "initial"
        } else {
            "inner"
        };
    }
    match candidate.first.checked_sub(1).filter(|at| article(*at)) {
        Some(at) if tokens[at].is_initial => "left initial",
        Some(_) => "left inner",
        None => "none",
    }
}

/// How much of the label the passage says, and whether the candidate says it itself.
fn label(view: &View, index: usize, cues: &Cues, sink: &mut impl Sink) {
    let candidate = &view.passage.candidates[index];
    let tokens = &view.passage.tokens;
    let n_said = cues.own.iter().filter(|word| view.places.contains_key(*word)).count();
    let coverage = match (n_said, cues.own.len()) {
        (0, _) => "none",
        (said, all) if said == all => "all",
        _ => "some",
    };
    sink.put(
        "label.said",
        &[coverage, if cues.own.len() > 1 { "many" } else { "one" }],
    );
    if cues.own.len() > 1 && coverage == "all" {
        let window = candidate.first.saturating_sub(8)..candidate.end + 6;
        let is_near = cues.own.iter().all(|word| {
            view.places
                .get(word)
                .is_some_and(|places| places.iter().any(|at| window.contains(at)))
        });
        sink.put("label.near", &[if is_near { "yes" } else { "no" }]);
    }
    let (first, last) = (&tokens[candidate.first].root, &tokens[candidate.end - 1].root);
    for (name, words) in [("label", &cues.own), ("kin", &cues.kin), ("range", &cues.range_words)] {
        if words.contains(last) {
            sink.put("last.is", &[name]);
        }
        if words.contains(first) {
            sink.put("first.is", &[name]);
        }
    }
    if let Some(before) = candidate.first.checked_sub(1).map(|at| &tokens[at])
        && cues.range_words.contains(&before.root)
    {
        sink.put("before.is.range", &[]);
    }
    scale(view, index, cues, sink);
    class_member(view, index, cues, sink);
    if let Some(beside) = view.shapes[index].beside {
        sink.put("beside", &[if cues.range.has(beside) { "fits" } else { "differs" }]);
        sink.put("kind,beside", &[cues.kind, beside.name()]);
    }
}

/// Whether the candidate is a member of a class that the relation asks for.
fn class_member(view: &View, index: usize, cues: &Cues, sink: &mut impl Sink) {
    let shape = &view.shapes[index];
    let is_lower = if shape.form == "lower" { "lower" } else { "name" };
    if cues.classes.is_empty() {
        if shape.member.iter().any(|(_, member)| *member == Membership::Whole) {
            sink.put("member.unasked", &[cues.kind, is_lower]);
        }
        return;
    }
    let asked = shape.member.iter().filter(|(class, _)| cues.classes.contains(class));
    // Of several classes the best: whole comes before last, last before part.
    let best = asked.map(|(_, member)| *member as u8).min();
    let name = [Membership::Whole, Membership::Last, Membership::Part]
        .into_iter()
        .find(|member| Some(*member as u8) == best)
        .map_or("none", Membership::name);
    sink.put("member", &[name, is_lower]);
    sink.put("member,kind", &[name, cues.kind]);
    sink.put("member,edges", &[name, edge_left(view, index), edge_right(view, index)]);
    if shape.in_phrase {
        sink.put("member,inside", &[name]);
    }
}

/// Whether the relation asks for a country, a region or a city, and what the candidate is.
fn scale(view: &View, index: usize, cues: &Cues, sink: &mut impl Sink) {
    let form = view.shapes[index].form;
    let is_place = matches!(form, "country" | "city" | "region" | "continent" | "people" | "tongue");
    if let (Some(asked), true) = (cues.scale, is_place) {
        sink.put("scale,form", &[asked, form]);
    }
    if let Some(asked) = cues.scale {
        sink.put("scale,edges", &[asked, edge_left(view, index), edge_right(view, index)]);
    }
}

/// Where the candidate stands and how it was found.
fn place(view: &View, index: usize, kind: &str, sink: &mut impl Sink) {
    let candidate = &view.passage.candidates[index];
    let shape = &view.shapes[index];
    for source in candidate.sources.iter().filter(|source| **source != Source::Known) {
        sink.put("kind,source", &[kind, source.name()]);
    }
    sink.put("fit", &[shape.fit]);
    sink.put("fit,form", &[shape.fit, shape.form]);
    if shape.in_name || shape.in_quotation {
        sink.put("inside", &[shape.form]);
    }
    if shape.in_phrase {
        sink.put("inside.phrase", &[shape.form]);
    }
    let at = candidate.first;
    let opens = view.passage.tokens[at].is_initial || (at > 0 && view.passage.tokens[at - 1].is_initial);
    if opens {
        sink.put("opens", &[]);
        sink.put("kind,opens", &[kind]);
    }
    let (left, right) = (edge_left(view, index), edge_right(view, index));
    sink.put("edge", &[left, right]);
    sink.put("edge.left", &[left]);
    sink.put("edge.right", &[right]);
    let item = if shape.list < candidate.first { "later" } else { "first" };
    sink.put(
        "list.item",
        &[item, if shape.list_end > candidate.end { "more" } else { "last" }],
    );
}

/// What the name goes on with on the left, were it longer.
pub(super) fn edge_left<'a>(view: &'a View, index: usize) -> &'a str {
    let at = view.passage.candidates[index].first.checked_sub(1);
    at.map_or("^", |at| class(view, at))
}

pub(super) fn edge_right<'a>(view: &'a View, index: usize) -> &'a str {
    let at = view.passage.candidates[index].end;
    if at < view.passage.tokens.len() {
        class(view, at)
    } else {
        "$"
    }
}

/// A token as a neighbour: function words and marks by themselves, other words by their case.
pub(super) fn class<'a>(view: &'a View, at: usize) -> &'a str {
    let token = &view.passage.tokens[at];
    if token.is_function || !token.is_word() {
        &token.lower
    } else if token.is_capital {
        "Capital"
    } else if token.lower.starts_with(|ch: char| ch.is_ascii_digit()) {
        "digit"
    } else {
        "lower"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::statement::candidate::Passage;
    use crate::statement::feature::{nearest, rivalries};
    use crate::statement::relation::Relation;

    fn check_article(text: &str, name: &str, expected: &str) {
        let view = View::new(Passage::new(text, |_| false));
        let found = |index: &usize| view.passage.text_of(&view.passage.candidates[*index]) == name;
        let index = (0..view.passage.candidates.len()).find(found).unwrap();
        assert_eq!(leading_article(&view, index), expected, "{text}: {name}");
    }

    #[test]
    fn a_leading_article_is_told_by_its_place() {
        check_article("The Kiln is a film.", "The Kiln", "initial");
        check_article("The Kiln is a film.", "Kiln", "left initial");
        check_article("Ada Voss shot The Kiln.", "The Kiln", "inner");
        check_article("Ada Voss shot The Kiln.", "Kiln", "left inner");
        check_article("Ada Voss shot The Kiln.", "Ada Voss", "none");
    }

    /// "written" states the author by kinship and the writer by its label's word: the label's word has the better claim.
    #[test]
    fn the_relation_whose_label_says_the_cue_is_ahead() {
        let relation = |label: &str| {
            Cues::new(&Relation {
                label: label.to_owned(),
                range: vec!["person".to_owned()],
                ..Relation::default()
            })
        };
        let relations = [relation("author"), relation("written by"), relation("editor")];
        let view = View::new(Passage::new("Teak was written by Ada Voss.", |_| false));
        let found = |index: &usize| view.passage.text_of(&view.passage.candidates[*index]) == "Ada Voss";
        let index = (0..view.passage.candidates.len()).find(found).unwrap();
        let nearest: Vec<Nearest> = relations.iter().map(|cues| nearest(&view, index, cues)).collect();
        let found = rivalries(&relations, &nearest);
        let standings: Vec<_> = found.iter().map(|one| (one.n_sharing, one.is_outdone)).collect();
        assert_eq!(standings, [(1, true), (1, false), (0, false)]);
        assert!(rivalries(&[], &[]).is_empty());
    }

    #[test]
    fn ties_are_sorted_for_binary_search() {
        assert!(TIES.is_sorted());
    }
}
