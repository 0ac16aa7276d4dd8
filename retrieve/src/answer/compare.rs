//! One of two named things: which is earlier, larger, longer …

use super::candidate::{Found, Sentence};
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::EntityId;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use std::collections::BTreeSet;

const EARLIER: &[&str] = &["earlier", "earliest", "first", "older", "oldest"];
const LATER: &[&str] = &[
    "later", "latest", "newer", "newest", "last", "recently", "younger", "youngest",
];
const MORE: &[&str] = &[
    "bigger", "deeper", "farther", "further", "greater", "heavier", "higher", "larger", "longer", "more", "taller",
    "wider",
];
const LESS: &[&str] = &[
    "fewer",
    "less",
    "lighter",
    "lower",
    "nearer",
    "shallower",
    "shorter",
    "smaller",
];

/// Whether a question offers things to choose from and says by what.
pub(super) fn is_choice(question: &str) -> bool {
    question.contains(" or ") && scale(question).is_some()
}

/// The named thing whose value is first on the scale that the question sets. `None` where fewer than two of the things
/// named have a document with such a value.
pub(super) fn choose(searcher: &Searcher, question: &Question, sentences: &[Sentence]) -> Option<Found> {
    let (kind, wants_smallest) = scale(&question.text)?;
    let graph = &searcher.knowledge().graph;
    let mut values: Vec<(Figure, EntityId)> = searcher
        .named_in(&question.text)
        .into_iter()
        .filter_map(|entity| Some((value(searcher, question, entity, kind)?, entity)))
        .collect();
    let is_comparable = values.iter().all(|(figure, _)| figure.unit == values[0].0.unit);
    if values.len() < 2 || !is_comparable {
        return None;
    }
    values.sort_by(|a, b| a.0.value.total_cmp(&b.0.value).then(a.1.cmp(&b.1)));
    let (_, chosen) = if wants_smallest {
        values.first()?
    } else {
        values.last()?
    };
    let own = searcher.incidence().subject_chunks(*chosen);
    let name = &graph.entity(*chosen).name;
    Some(Found {
        text: banyan_engine::name::without_disambiguator(name)
            .unwrap_or(name)
            .to_owned(),
        sentence: sentences.iter().position(|sentence| own.contains(&sentence.chunk))?,
    })
}

/// What to compare by, and whether the smallest value wins.
fn scale(question: &str) -> Option<(ValueKind, bool)> {
    let lower = question.to_lowercase();
    lower.split(|ch: char| !ch.is_alphabetic()).find_map(|word| {
        let among = |list: &[&str]| list.contains(&word);
        match () {
            () if among(EARLIER) => Some((ValueKind::Date, true)),
            () if among(LATER) => Some((ValueKind::Date, false)),
            () if among(MORE) => Some((ValueKind::Number, false)),
            () if among(LESS) => Some((ValueKind::Number, true)),
            () => None,
        }
    })
}

/// The value in the sentence of the thing's own documents that shares most words with the question.
fn value(searcher: &Searcher, question: &Question, entity: EntityId, kind: ValueKind) -> Option<Figure> {
    let knowledge = searcher.knowledge();
    let own: BTreeSet<String> = term::terms(&knowledge.graph.entity(entity).key).into_iter().collect();
    let mut best: Option<(usize, Figure)> = None;
    for id in searcher.incidence().subject_chunks(entity) {
        let text = &knowledge.document(knowledge.chunk(*id).document).text;
        for span in searcher.sentences(*id) {
            let held: BTreeSet<String> = term::terms(span.of(text)).into_iter().collect();
            let shared = question
                .terms
                .iter()
                .filter(|word| held.contains(*word) && !own.contains(*word))
                .count();
            let literals = banyan_extract::literal::literals(text, span);
            let found = literals
                .iter()
                .filter(|literal| literal.serves(kind))
                .find_map(|literal| figure(literal.span.of(text), kind));
            if let Some(found) = found.filter(|_| shared > best.as_ref().map_or(0, |(most, _)| *most)) {
                best = Some((shared, found));
            }
        }
    }
    best.map(|(_, value)| value)
}

/// A number with the unit it was written with.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    value: f64,
    unit: String,
}

/// A literal as a figure: the year of a date, the number and unit of a quantity.
fn figure(literal: &str, kind: ValueKind) -> Option<Figure> {
    let parse = |digits: &str| digits.replace(',', "").trim_end_matches('.').parse::<f64>().ok();
    let is_digit = |ch: char| ch.is_ascii_digit() || matches!(ch, ',' | '.');
    if kind == ValueKind::Date {
        let year = literal
            .split(|ch: char| !ch.is_ascii_digit())
            .find(|part| part.len() == 4)?;
        return Some(Figure {
            value: parse(year)?,
            unit: String::new(),
        });
    }
    let end = literal.find(|ch: char| !is_digit(ch)).unwrap_or(literal.len());
    Some(Figure {
        value: parse(&literal[..end])?,
        unit: literal[end..].trim().to_lowercase(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_needs_alternatives_and_a_scale() {
        assert!(is_choice("Which opened first, Tidd Bridge or Ansay Pier?"));
        assert!(!is_choice("Which opened first?"));
        assert!(!is_choice("Is it Tidd or Ansay?"));
        assert_eq!(scale("Who is older?"), Some((ValueKind::Date, true)));
    }

    #[test]
    fn literals_become_figures_with_their_units() {
        let of = |literal, kind| figure(literal, kind).map(|figure| (figure.value, figure.unit));
        assert_eq!(of("3 May 1901", ValueKind::Date), Some((1901.0, String::new())));
        assert_eq!(
            of("1,204.5 metres", ValueKind::Number),
            Some((1204.5, "metres".to_owned()))
        );
        assert_eq!(of("metres", ValueKind::Number), None);
    }
}
