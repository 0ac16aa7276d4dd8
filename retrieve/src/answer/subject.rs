//! What the documents about one thing say of it: dates of a life, when it began, numbers, where it is from.

use super::compare::figure;
use super::date::Date;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{ChunkId, DocumentIndex, EntityId, Span};
use banyan_extract::record::literal::unit_of;
use std::collections::BTreeSet;

/// A thing that some document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Subject {
    pub(crate) entity: EntityId,
    pub(crate) document: DocumentIndex,
}

/// Sentences of a document that say what a thing is. Arbitrary: what encyclopaedias put first.
const OPENING: usize = 2;

impl Subject {
    /// The documents about an entity, each as a subject.
    pub(crate) fn of(searcher: &Searcher, entity: EntityId) -> Vec<Self> {
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

    /// Sentences of the document with their chunks, in order.
    fn sentences(self, searcher: &Searcher) -> Vec<(ChunkId, Span)> {
        let chunks = searcher.incidence().subject_chunks(self.entity).iter();
        let own = chunks.filter(|chunk| searcher.knowledge().chunk(**chunk).document == self.document);
        own.flat_map(|chunk| searcher.sentences(*chunk).into_iter().map(|span| (*chunk, span)))
            .collect()
    }

    /// The first sentence, to cite.
    pub(crate) fn opening(self, searcher: &Searcher) -> Option<(ChunkId, Span)> {
        self.sentences(searcher).first().copied()
    }

    /// The text of the first sentences.
    pub(crate) fn opening_text(self, searcher: &Searcher) -> &str {
        let sentences = self.sentences(searcher);
        let (Some(first), Some(last)) = (sentences.first(), sentences.get(OPENING - 1).or(sentences.last())) else {
            return "";
        };
        Span {
            start: first.1.start,
            end: last.1.end,
        }
        .of(self.text(searcher))
    }

    /// The terms of the whole document.
    pub(crate) fn terms(self, searcher: &Searcher) -> Vec<String> {
        let document = searcher.knowledge().document(self.document);
        let mut terms = term::terms(&document.text);
        terms.extend(term::terms(&document.title));
        terms
    }

    /// The value of a date attribute of the graph.
    fn attribute(self, searcher: &Searcher, name: &str) -> Option<Date> {
        let knowledge = searcher.knowledge();
        let wanted = knowledge.schema.attribute_id(name)?;
        let attributes = knowledge.graph.attributes_of(self.entity).iter();
        attributes
            .filter(|one| one.attribute == wanted)
            .find_map(|one| Date::parse(&one.value))
    }

    /// Dates between the first brackets of the opening: those of a life.
    fn life(self, searcher: &Searcher) -> Vec<Date> {
        let opening = self.opening_text(searcher);
        let Some(start) = opening.find('(') else {
            return Vec::new();
        };
        let end = opening[start..].find(')').map_or(opening.len(), |end| start + end);
        dates(&opening[start..end])
    }

    /// The date of birth.
    pub(crate) fn birth(self, searcher: &Searcher) -> Option<Date> {
        self.attribute(searcher, "birth_date")
            .or_else(|| self.life(searcher).first().copied())
    }

    /// The date of death.
    pub(crate) fn death(self, searcher: &Searcher) -> Option<Date> {
        self.attribute(searcher, "death_date")
            .or_else(|| self.life(searcher).get(1).copied())
    }

    /// The date in the sentence that shares most words with the question, else the first date of all.
    pub(crate) fn start(self, searcher: &Searcher, question: &Question) -> Option<Date> {
        self.best(searcher, question, ValueKind::Date)
            .and_then(|best| Date::parse(&best.text))
    }

    /// The number in the sentence that shares most words with the question, with its unit and the sentence.
    pub(crate) fn measured(self, searcher: &Searcher, question: &Question) -> Option<Measured> {
        let best = self.best(searcher, question, ValueKind::Number)?;
        let value = figure(&best.text, ValueKind::Number)?;
        let unit = best
            .text
            .trim_start_matches(|ch: char| !ch.is_alphabetic() && ch != '%');
        let magnitudes = ["thousand", "million", "billion", "trillion"];
        let words = unit.split_whitespace().filter(|word| !magnitudes.contains(word));
        Some(Measured {
            value,
            unit: words.collect::<Vec<_>>().join(" "),
            shared: best.shared,
            place: best.place,
        })
    }

    /// The date of birth with the sentence to cite for it.
    pub(crate) fn born(self, searcher: &Searcher) -> Option<(Date, (ChunkId, Span))> {
        Some((self.birth(searcher)?, self.source(searcher, "birth_date")?))
    }

    /// The date of death with the sentence to cite for it.
    pub(crate) fn died(self, searcher: &Searcher) -> Option<(Date, (ChunkId, Span))> {
        Some((self.death(searcher)?, self.source(searcher, "death_date")?))
    }

    /// The date in the sentence that shares most words with the question, with that sentence; `None` where none shares any.
    pub(crate) fn dated(self, searcher: &Searcher, question: &Question) -> Option<(Date, (ChunkId, Span))> {
        let best = self.best(searcher, question, ValueKind::Date)?;
        (best.shared > 0).then_some((Date::parse(&best.text)?, best.place))
    }

    /// The sentence that states a date attribute, else the opening, which tells the dates of a life.
    fn source(self, searcher: &Searcher, attribute: &str) -> Option<(ChunkId, Span)> {
        let knowledge = searcher.knowledge();
        let wanted = knowledge.schema.attribute_id(attribute);
        let mut stated = knowledge.graph.attributes_of(self.entity).iter();
        let place = stated
            .find(|one| Some(one.attribute) == wanted && Date::parse(&one.value).is_some())
            .and_then(|one| one.sources.first());
        let sentence = place.and_then(|source| {
            let mut sentences = searcher.sentences(source.chunk).into_iter();
            let inside = sentences.find(|span| span.contains(source.span));
            inside.map(|span| (source.chunk, span))
        });
        sentence.or_else(|| self.opening(searcher))
    }

    fn best(self, searcher: &Searcher, question: &Question, kind: ValueKind) -> Option<Best> {
        let text = self.text(searcher);
        let own: BTreeSet<String> = term::terms(&searcher.knowledge().graph.entity(self.entity).key)
            .into_iter()
            .collect();
        let mut best: Option<Best> = None;
        for (chunk, span) in self.sentences(searcher) {
            let held: BTreeSet<String> = term::terms(span.of(text)).into_iter().collect();
            let shared = question
                .terms
                .iter()
                .filter(|word| held.contains(*word) && !own.contains(*word))
                .count();
            let literals = banyan_extract::literal::literals(text, span);
            let found = literals
                .iter()
                .find(|literal| literal.serves(kind))
                .map(|literal| literal.span.of(text).to_owned());
            if let Some(text) = found.filter(|_| best.as_ref().is_none_or(|most| shared > most.shared)) {
                best = Some(Best {
                    shared,
                    text,
                    place: (chunk, span),
                });
            }
        }
        best
    }
}

/// A value in the sentence that fits a question best.
struct Best {
    /// Words of the question that the sentence has.
    shared: usize,
    text: String,
    place: (ChunkId, Span),
}

/// A number with its unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    /// Without magnitude words.
    pub(crate) value: f64,
    /// The words after it; empty where there are none.
    pub(crate) unit: String,
    /// Words of the question that the sentence has.
    pub(crate) shared: usize,
    /// The sentence.
    pub(crate) place: (ChunkId, Span),
}

impl Measured {
    /// The value in the base unit of what its unit measures; as it is where the unit is none.
    pub(crate) fn base(&self) -> f64 {
        unit_of(&self.unit).map_or(self.value, |unit| self.value * unit.factor)
    }
}

/// The dates in a text, in order; years of three digits count where a month stands before them.
fn dates(text: &str) -> Vec<Date> {
    let whole = Span::new(0, text.len());
    let literals = banyan_extract::literal::literals(text, whole);
    literals
        .iter()
        .filter(|literal| literal.serves(ValueKind::Date))
        .filter_map(|literal| Date::parse(literal.span.of(text)))
        .collect()
}
