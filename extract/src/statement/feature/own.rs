//! Own features of an object: the words around it, weighed for each relation by itself.

use super::small;
use crate::statement::lexicon::LEXICON;
use crate::statement::sink::Sink;
use crate::statement::view::View;

/// Words that are skipped when the word before an object is looked for.
const SKIPPED: &[&str] = &["\"", "“", "(", "'", "the", "a", "an"];
/// Words looked at to the left and to the right.
const REACH_LEFT: usize = 6;
const REACH_RIGHT: usize = 4;

/// The features of the candidate at `index` that a relation weighs for itself.
pub(crate) fn own(view: &View, index: usize, sink: &mut impl Sink) {
    let candidate = &view.passage.candidates[index];
    let shape = &view.shapes[index];
    let tokens = &view.passage.tokens;
    let (first, end) = (candidate.first, candidate.end);
    let before = skip(view, first);
    let (near, far) = (view.word(before), view.word(before.and_then(|at| skip(view, at))));
    sink.put("bias", &[]);
    sink.put("form", &[shape.form]);
    sink.put("before", &[near]);
    sink.put("before.2", &[far, near]);
    sink.put("form,before", &[shape.form, near]);
    sink.put("after", &[view.word(Some(end))]);
    sink.put("last", &[&tokens[end - 1].root]);
    sink.put("first", &[&tokens[first].lower]);
    sink.put("text", &[&shape.key]);
    sink.put("fit", &[shape.fit]);
    list_head(view, first, sink);
    for distance in 1..=REACH_LEFT {
        if let Some(at) = first.checked_sub(distance) {
            sink.put(if distance <= 3 { "left.3" } else { "left.6" }, &[root(view, at)]);
        }
    }
    for distance in 0..REACH_RIGHT {
        if end + distance < tokens.len() {
            sink.put(
                if distance < 2 { "right.2" } else { "right.4" },
                &[root(view, end + distance)],
            );
        }
    }
    for source in &candidate.sources {
        sink.put("source", &[source.name()]);
    }
    if shape.in_quotation {
        sink.put("in", &["quotation"]);
    }
    if shape.in_name {
        sink.put("in", &["name"]);
    }
    if shape.in_phrase {
        sink.put("in", &["phrase"]);
    }
    for (class, member) in &shape.member {
        sink.put("member", &[LEXICON.class_name(*class), member.name()]);
    }
    if let Some(beside) = shape.beside {
        sink.put("beside", &[beside.name()]);
    }
    if first == 0 {
        sink.put("opens", &[]);
    }
    sink.put("quarter", &[small(4 * first / tokens.len().max(1))]);
    sink.put("length", &[small((end - first).min(5))]);
}

/// A word's root, a mark itself.
fn root<'a>(view: &'a View, at: usize) -> &'a str {
    let token = &view.passage.tokens[at];
    if token.root.is_empty() {
        &token.lower
    } else {
        &token.root
    }
}

/// The position before `at` that is no article or opening mark.
fn skip(view: &View, at: usize) -> Option<usize> {
    (0..at).rev().find(|at| !SKIPPED.contains(&view.word(Some(*at))))
}

/// The two words before the list of names that the candidate is an item of: "starring *A, B and C*".
fn list_head(view: &View, first: usize, sink: &mut impl Sink) {
    let tokens = &view.passage.tokens;
    let mut at = first;
    let mut had_name = false;
    while at > 0 {
        let token = &tokens[at - 1];
        let is_joint = matches!(token.lower.as_str(), "," | "and" | "&" | "or" | "\"" | "“" | "”");
        let is_inner = had_name && matches!(token.lower.as_str(), "the" | "of" | "de");
        if !(is_joint || is_inner || token.is_capital) {
            break;
        }
        had_name |= token.is_capital;
        at -= 1;
    }
    if at > 0 && at + 1 < first {
        let head = view.word(Some(at - 1));
        sink.put("list", &[head]);
        sink.put("list.2", &[view.word(at.checked_sub(2)), head]);
    }
}
