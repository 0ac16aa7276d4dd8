//! What the documents about one thing say of it: its life, when it began, its numbers, where it is from.

use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{ChunkId, DocumentIndex, EntityId, Span};
use banyan_extract::field::is_field;
use banyan_extract::literal::literals;
use banyan_extract::record::literal::{Day, days, numbers, unit_of, year_of};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Subject {
    pub(super) entity: EntityId,
    pub(super) document: DocumentIndex,
}

/// Sentences of a document that say what a thing is. Arbitrary: what encyclopaedias put first.
const OPENING: usize = 2;

impl Subject {
    /// The documents about an entity, each as a subject.
    pub(super) fn of(searcher: &Searcher, entity: EntityId) -> Vec<Self> {
        let documents = searcher.knowledge().graph.entity(entity).subject_of.iter();
        documents
            .map(|document| Self {
                entity,
                document: *document,
            })
            .collect()
    }

    fn text(self, searcher: &Searcher) -> &str {
        &searcher.knowledge().document(self.document).text
    }

    fn sentences(self, searcher: &Searcher) -> Vec<(ChunkId, Span)> {
        let chunks = searcher.incidence().subject_chunks(self.entity).iter();
        let own = chunks.filter(|chunk| searcher.knowledge().chunk(**chunk).document == self.document);
        own.flat_map(|chunk| searcher.sentences(*chunk).into_iter().map(|span| (*chunk, span)))
            .collect()
    }

    pub(super) fn opening(self, searcher: &Searcher) -> Option<(ChunkId, Span)> {
        self.sentences(searcher).first().copied()
    }

    pub(super) fn opening_text(self, searcher: &Searcher) -> &str {
        let sentences = self.sentences(searcher);
        let text = self.text(searcher);
        let told = sentences.iter().filter(|(_, span)| !is_field(span.of(text)));
        let (Some(first), Some(last)) = (sentences.first(), told.take(OPENING).last().or(sentences.last())) else {
            return "";
        };
        Span {
            start: first.1.start,
            end: last.1.end,
        }
        .of(text)
    }

    pub(super) fn terms(self, searcher: &Searcher) -> Vec<String> {
        let document = searcher.knowledge().document(self.document);
        let mut terms = term::terms(&document.text);
        terms.extend(term::terms(&document.title));
        terms
    }

    /// Day of birth, in days: by the graph, else the first date in the first brackets.
    pub(super) fn birth(self, searcher: &Searcher) -> Option<f64> {
        self.life(searcher, "birth_date", 0)
    }

    /// Day of death, in days: by the graph, else the second date in the first brackets.
    pub(super) fn death(self, searcher: &Searcher) -> Option<f64> {
        self.life(searcher, "death_date", 1)
    }

    fn life(self, searcher: &Searcher, attribute: &str, position: usize) -> Option<f64> {
        let knowledge = searcher.knowledge();
        let wanted = knowledge.schema.attribute_id(attribute);
        let mut stated = knowledge.graph.attributes_of(self.entity);
        let stated = stated
            .find(|one| Some(one.attribute) == wanted)
            .and_then(|one| day_number(&one.value));
        stated.or_else(|| {
            let opening = self.opening_text(searcher);
            let start = opening.find('(')?;
            let end = opening[start..].find(')').map_or(opening.len(), |end| start + end);
            let dates = literals(opening, Span::new(start, end)).into_iter();
            let mut dates = dates.filter(|literal| literal.serves(ValueKind::Date));
            day_number(dates.nth(position)?.span.of(opening))
        })
    }

    /// The date in the sentence that shares most words with the question, else the first date of all, in days.
    pub(super) fn start(self, searcher: &Searcher, question: &Question) -> Option<f64> {
        day_number(&self.nearest(searcher, question, ValueKind::Date)?)
    }

    /// The number in the sentence that shares most words with the question, in the base unit of what it measures.
    pub(super) fn measured(self, searcher: &Searcher, question: &Question) -> Option<f64> {
        let text = self.nearest(searcher, question, ValueKind::Number)?;
        let number = numbers(&text).into_iter().next()?;
        Some(unit_of(number.unit.of(&text)).map_or(number.value, |unit| number.value * unit.factor))
    }

    /// The first value of the sentence that shares most words with the question.
    fn nearest(self, searcher: &Searcher, question: &Question, kind: ValueKind) -> Option<String> {
        let text = self.text(searcher);
        let key = &searcher.knowledge().graph.entity(self.entity).key;
        let own: BTreeSet<String> = term::terms(key).into_iter().collect();
        let mut best: Option<(usize, &str)> = None;
        for (_, span) in self.sentences(searcher) {
            let held: BTreeSet<String> = term::terms(span.of(text)).into_iter().collect();
            let asked = question.terms.iter().filter(|word| !own.contains(*word));
            let n_shared = asked.filter(|word| held.contains(*word)).count();
            let found = literals(text, span).into_iter().find(|literal| literal.serves(kind));
            if let Some(found) = found.filter(|_| best.is_none_or(|(most, _)| n_shared > most)) {
                best = Some((n_shared, found.span.of(text)));
            }
        }
        best.map(|(_, text)| text.to_owned())
    }
}

/// The first date in a text as days, near enough to compare lengths of lives; `None` without a year.
pub(super) fn day_number(text: &str) -> Option<f64> {
    let dated = |day: &Day| {
        let part = |part: Option<u8>| f64::from(part.unwrap_or(1)) - 1.0;
        Some(f64::from(day.year?) * 365.0 + part(day.month) * 30.0 + part(day.day))
    };
    let year = || year_of(text).map(|year| f64::from(year) * 365.0);
    days(text).iter().find_map(dated).or_else(year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_ordered_by_day() {
        let day = |text| day_number(text).unwrap();
        assert!(day("3 May 1901") < day("June 4, 1901") && day("1901") < day("May 1901"));
        assert!(day("1901-05-03") > day("March 1901"));
        assert_eq!(day_number("May"), None);
    }
}
