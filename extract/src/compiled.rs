//! Documents read by a compiled extractor: its statements become claims beside those of the rules.

use crate::clause::{is_negated, within};
use crate::context::{Context, Facts};
use crate::learn::{Outcome, Patterns, Verdict};
use crate::literal::literals;
use crate::reading::Reading;
use crate::statement::{General, Reader, Statement};
use crate::word::Word;
use banyan_engine::schema::{ValueKind, snake_case};
use banyan_engine::{AttributeClaim, Span, TripleClaim};

/// Score from which a statement becomes a claim: even odds.
const SURE: f32 = 0.0;
/// Least precision on held-back sentences with which a relation is read. Arbitrary: more right than wrong.
const PROVEN: f64 = 0.5;

/// A compiled extractor, ready to read documents.
#[derive(Clone, Debug)]
pub struct SentenceReader {
    reader: Reader,
    /// The name in a schema of each relation that is read more often right than wrong.
    relations: Vec<Option<String>>,
}

impl SentenceReader {
    /// The reader of a compiled extractor. What it read wrong more often than right where it was proved, it does not
    /// tell.
    pub fn compiled(patterns: &Patterns, general: &General) -> Self {
        let pairs = patterns.relations.iter().zip(&patterns.verdicts);
        Self {
            reader: patterns.reader(general),
            relations: pairs
                .map(|(relation, verdict)| is_proven(verdict).then(|| snake_case(&relation.label)))
                .collect(),
        }
    }

    /// Adds the statements of one document that are sure, and whose ends are names that extraction links. Cost O(sentences
    /// · that of [`Reader::read`]).
    pub(crate) fn read(&self, reading: &Reading, context: &Context, facts: &mut Facts) {
        let text = reading.parsed.text();
        for (sentence, words) in &reading.parsed.sentences {
            for statement in self.reader.read(sentence.of(text)) {
                let relation = self.relations.get(statement.relation).and_then(Option::as_ref);
                if let Some(relation) = relation.filter(|_| statement.score >= SURE) {
                    claim(relation, &statement, (*sentence, words), reading, context, facts);
                }
            }
        }
    }
}

/// Whether a relation is read more often right than wrong, in the way in which it is read.
fn is_proven(verdict: &Verdict) -> bool {
    let hits = match verdict.outcome {
        Outcome::Kept => verdict.with,
        Outcome::DoesNotPay => verdict.without,
        Outcome::NoExample => return false,
    };
    hits.precision() >= PROVEN
}

/// Adds a statement of a sentence as a claim.
fn claim(
    relation: &str,
    statement: &Statement,
    (sentence, words): (Span, &[Word]),
    reading: &Reading,
    context: &Context,
    facts: &mut Facts,
) {
    let text = reading.parsed.text();
    let place = |span: Span| Span {
        start: sentence.start + span.start,
        end: sentence.start + span.end,
    };
    let (from, to) = (place(statement.subject.span), place(statement.object.span));
    let span = Span {
        start: from.start.min(to.start),
        end: from.end.max(to.end),
    };
    let inside = words.iter().filter(|word| span.contains(word.span));
    let spoken: Vec<String> = inside.map(|word| word.of(text).to_lowercase()).collect();
    let Some(head) = entity(reading, sentence, from).filter(|_| !is_negated(&spoken)) else {
        return;
    };
    if let Some(relation) = context.schema.relation_id(relation) {
        if let Some(tail) = entity(reading, sentence, to).filter(|tail| *tail != head) {
            let phrase = String::new();
            facts.triples.push(TripleClaim {
                head,
                relation,
                tail,
                phrase,
                span,
            });
        }
    } else if let Some(attribute) = context.schema.attribute_id(relation) {
        let kind = context.schema.attributes()[attribute.index()].kind;
        let value = to.of(text).to_owned();
        let is_free = matches!(kind, ValueKind::Text | ValueKind::Enum);
        if is_free || literals(text, to).iter().any(|literal| literal.serves(kind)) {
            let entity = head;
            facts.attributes.push(AttributeClaim {
                entity,
                attribute,
                value,
                span,
            });
        }
    }
}

/// The entity whose mention in the sentence shares most with a place, if it shares two thirds of what both cover.
fn entity(reading: &Reading, sentence: Span, place: Span) -> Option<String> {
    let length = |span: Span| span.end - span.start;
    let shared = |span: Span| span.end.min(place.end).saturating_sub(span.start.max(place.start));
    within(&reading.mentions, sentence)
        .filter(|mention| 3 * shared(mention.span) >= length(mention.span) + length(place))
        .max_by_key(|mention| (shared(mention.span), mention.certainty, std::cmp::Reverse(*mention)))
        .map(|mention| mention.entity.clone())
}
