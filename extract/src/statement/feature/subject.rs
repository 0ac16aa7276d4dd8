//! Features of a subject: by itself, and as the other end of an object.

use super::{distance, small};
use crate::statement::candidate::Source;
use crate::statement::cue::Cues;
use crate::statement::sink::Sink;
use crate::statement::view::View;

/// Words between two ends that part their clauses; sorted.
const PARTINGS: &[&str] = &[",", "and", "where", "which", "who", "whose"];
/// Longest connection that is looked at as a whole, in tokens. Arbitrary.
const MAX_WHOLE: usize = 6;

/// The features of a candidate as a subject, whatever is said of it.
pub(crate) fn subject(view: &View, index: usize, is_general: bool, sink: &mut impl Sink) {
    let candidate = &view.passage.candidates[index];
    let shape = &view.shapes[index];
    let tokens = &view.passage.tokens;
    let (first, end) = (candidate.first, candidate.end);
    let class = |at: Option<usize>| {
        at.map_or("^", |at| {
            if at < tokens.len() {
                super::object::class(view, at)
            } else {
                "$"
            }
        })
    };
    sink.put("s.form", &[shape.form]);
    sink.put("s.next.class", &[class(Some(end)), class(Some(end + 1))]);
    sink.put(
        "s.before.class",
        &[class(first.checked_sub(2)), class(first.checked_sub(1))],
    );
    if !is_general {
        let next = view.word(Some(end));
        let before = view.word(first.checked_sub(1));
        let before_2 = view.word(first.checked_sub(2));
        sink.put("s.next", &[next]);
        sink.put("s.next.2", &[next, view.word(Some(end + 1))]);
        sink.put("s.before", &[before]);
        sink.put("s.before.2", &[before_2, before]);
    }
    sink.put("s.length", &[small(end - first)]);
    sink.put("s.fit", &[shape.fit]);
    sink.put("s.fit,form", &[shape.fit, shape.form]);
    if let Some(source) = candidate.sources.first() {
        sink.put("s.fit,source", &[shape.fit, source.name()]);
    }
    let (left, right) = (
        super::object::edge_left(view, index),
        super::object::edge_right(view, index),
    );
    sink.put("s.edge", &[left, right]);
    sink.put("s.edge.left", &[left]);
    sink.put("s.edge.right", &[right]);
    let n_content = (first..end).filter(|at| tokens[*at].is_content()).count();
    let n_capital = (first..end)
        .filter(|at| tokens[*at].is_content() && tokens[*at].is_capital)
        .count();
    let case = match (n_content, n_capital) {
        (0, _) => "empty",
        (all, capital) if all == capital => "title",
        (all, capital) if 2 * capital >= all => "half",
        _ => "lower",
    };
    sink.put("s.case", &[case]);
    if tokens[first].is_function {
        sink.put("s.first", &[&tokens[first].lower]);
    }
    let leads = first == 0 || (first == 1 && matches!(view.word(Some(0)), "\"" | "“" | "the"));
    if leads {
        sink.put("s.leads", &[]);
        sink.put("s.leads,form", &[shape.form]);
    }
    if tokens[first].is_initial {
        sink.put("s.opens", &[]);
    }
    sink.put("s.sixth", &[small(6 * first / tokens.len().max(1))]);
    for source in &candidate.sources {
        sink.put("s.source", &[source.name()]);
    }
    for (is_inside, name) in [
        (shape.in_quotation, "quotation"),
        (shape.in_name, "name"),
        (shape.in_phrase, "phrase"),
    ] {
        if is_inside {
            sink.put("s.in", &[name]);
        }
    }
    if shape.is_repeated {
        sink.put("s.repeated", &[]);
    }
    sink.put("s.rank", &[small(shape.rank.min(5))]);
    if (end..end + 3).any(|at| matches!(view.word(Some(at)), "is" | "was" | "are" | "were")) {
        sink.put("s.be", &[]);
    }
}

/// The features of two candidates as subject and object of a relation.
pub(crate) fn pair(view: &View, subject: usize, object: usize, cues: &Cues, is_general: bool, sink: &mut impl Sink) {
    let (s, o) = (&view.passage.candidates[subject], &view.passage.candidates[object]);
    let tokens = &view.passage.tokens;
    let (side, from, to) = if s.end <= o.first {
        ("L", s.end, o.first)
    } else {
        ("R", o.end, s.first)
    };
    let form = view.shapes[subject].form;
    let names = view
        .passage
        .candidates
        .iter()
        .filter(|other| other.first >= from && other.end <= to && (other.is(Source::Name) || other.is(Source::Quoted)))
        .count();
    let sentences = tokens[s.first].sentence.abs_diff(tokens[o.first].sentence);
    sink.put("p.side", &[side]);
    sink.put("p.distance", &[side, distance(to.saturating_sub(from))]);
    sink.put("p.names", &[side, small(names.min(4))]);
    sink.put("p.sentences", &[side, small(sentences.min(2))]);
    sink.put("p.kind,form", &[cues.kind, form]);
    let between = &tokens[from.min(to)..to];
    if between.len() <= MAX_WHOLE {
        let classes: Vec<&str> = (from.min(to)..to).map(|at| super::object::class(view, at)).collect();
        sink.put("p.between.class", &[side, &classes.join(" ")]);
        if !is_general {
            let whole: Vec<&str> = between.iter().map(|token| token.lower.as_str()).collect();
            sink.put("p.between", &[side, &whole.join(" ")]);
        }
    }
    for parting in PARTINGS {
        if between.iter().any(|token| token.lower == *parting) {
            sink.put("p.parting", &[side, parting]);
        }
    }
    anchors(view, subject, object, cues, sink);
    if !is_general {
        sink.put("p.relation,form", &[&cues.label, form]);
        sink.put("p.relation,side", &[&cues.label, side]);
        sink.put("p.relation,side,names", &[&cues.label, side, small(names.min(3))]);
    }
    domain(view, subject, cues, sink);
}

/// Whether the clause of the object is about the subject.
fn anchors(view: &View, subject: usize, object: usize, cues: &Cues, sink: &mut impl Sink) {
    let s = &view.passage.candidates[subject];
    let tokens = &view.passage.tokens;
    let is = |unit: (usize, usize)| {
        let bare = unit.0 + usize::from(tokens[unit.0].lower == "the");
        s.end == unit.1 && (s.first == unit.0 || s.first == bare)
    };
    let from = view.shapes[object].list;
    let left = view.anchors.left(tokens, from);
    let mut said = String::new();
    if let Some((unit, way)) = left {
        if is(unit) {
            sink.put("a.left", &[way.name()]);
            said.push('L');
        } else {
            sink.put("a.left.not", &[way.name()]);
        }
    }
    let nearest = super::nearest::nearest(view, object, cues);
    for (side, found) in [("L", nearest.left), ("R", nearest.right)] {
        let Some(found) = found.filter(|found| found.is_inside && found.distance <= 8) else {
            continue;
        };
        if view.anchors.right(tokens, found.at).is_some_and(is) {
            sink.put("a.of", &[side]);
            said.push('O');
        }
        if let Some((unit, way)) = view.anchors.left(tokens, found.at)
            && is(unit)
        {
            sink.put("a.cue", &[side, way.name()]);
            said.push('C');
        }
    }
    if view.anchors.topic_of(tokens[from].sentence).is_some_and(is) {
        sink.put("a.topic", &[]);
        said.push('T');
    }
    if view.anchors.topic_of(0).is_some_and(is) {
        said.push('F');
    }
    sink.put("a.all", &[&said]);
}

/// Whether the subject, or a noun soon after it, says that it is of the relation's domain.
fn domain(view: &View, subject: usize, cues: &Cues, sink: &mut impl Sink) {
    let s = &view.passage.candidates[subject];
    let tokens = &view.passage.tokens;
    let says = |range: std::ops::Range<usize>| {
        tokens[range]
            .iter()
            .any(|token| cues.domain_words.contains(&token.root))
    };
    if says(s.first..s.end) {
        sink.put("p.domain", &["inside"]);
    }
    if says(s.end..tokens.len().min(s.end + 8)) {
        sink.put("p.domain", &["after"]);
    }
    let domain = cues.domain.iter().next().map_or("any", super::super::kind::Kind::name);
    sink.put("p.domain,form", &[domain, view.shapes[subject].form]);
    cue_inside(view, subject, cues, sink);
    let exact = super::object::leading_article(view, subject);
    if exact != "none" {
        let form = view.shapes[subject].form;
        sink.put("p.article", &[exact]);
        sink.put("p.article,form", &[exact, form]);
        sink.put("p.article,domain", &[exact, domain]);
        sink.put("p.article,domain,form", &[exact, domain, form]);
    }
    let is_article = |at: usize| tokens[at].lower == "the" && tokens[at].is_capital;
    let article = if is_article(s.first) && s.end > s.first + 1 {
        "with"
    } else if s.first > 0 && is_article(s.first - 1) {
        "without"
    } else {
        "none"
    };
    sink.put("p.domain,article", &[domain, article]);
    if let Some(beside) = view.shapes[subject].beside {
        sink.put("p.beside", &[if cues.domain.has(beside) { "fits" } else { "differs" }]);
    }
}

/// Whether the subject says the relation itself: of "the capital of Romania" it is Romania that has a capital.
fn cue_inside(view: &View, subject: usize, cues: &Cues, sink: &mut impl Sink) {
    let s = &view.passage.candidates[subject];
    let tokens = &view.passage.tokens[s.first..s.end];
    let says = |words: &std::collections::BTreeSet<String>| {
        tokens
            .iter()
            .any(|token| token.is_content() && words.contains(&token.root))
    };
    if says(&cues.own) {
        sink.put("p.cue.inside", &["own"]);
    } else if says(&cues.kin) {
        sink.put("p.cue.inside", &["kin"]);
    }
}
