//! Documents read by a reader of single sentences: its statements become claims beside those of the rules.

use crate::bind::is_entity;
use crate::clause::{is_negated, within};
use crate::facts::{Context, Facts};
use crate::learn::{Outcome, Patterns, Verdict};
use crate::literal::literals;
use crate::reading::Reading;
use crate::statement::{Argument, General, Reader};
use crate::word::Word;
use banyan_engine::schema::{ValueKind, snake_case};
use banyan_engine::{AttributeClaim, AttributeId, EntityClaim, Mention, RelationId, Schema, Span, TripleClaim};
use utterance::Utterance;

#[cfg(test)]
mod tests;
mod utterance;

/// Score from which a statement becomes a claim: even odds.
const SURE: f32 = 0.0;
/// Least precision on held-back sentences with which a relation is read. Arbitrary: more right than wrong.
const PROVEN: f64 = 0.5;
/// Longest connection of two ends that is kept as the words of their relation. Arbitrary, as for rules.
const MAX_PHRASE_WORDS: usize = 6;
/// Certainty of a name that a statement ends in.
const FULL: u8 = 100;

/// A compiled extractor, ready to read documents.
#[derive(Clone, Debug)]
pub struct SentenceReader {
    reader: Reader,
    /// Name in a schema of each relation, and whether its statements are told.
    relations: Vec<(String, bool)>,
    /// Whether ends may be names that the rest of extraction has not found.
    admits_names: bool,
    sure: f32,
}

impl SentenceReader {
    /// The reader of a compiled extractor. What it read wrong more often than right where it was proved, it does not
    /// tell.
    pub fn compiled(patterns: &Patterns, general: &General) -> Self {
        let pairs = patterns.relations.iter().zip(&patterns.verdicts);
        Self {
            reader: patterns.reader(general),
            relations: pairs
                .map(|(relation, verdict)| (snake_case(&relation.label), is_proven(verdict)))
                .collect(),
            admits_names: true,
            sure: SURE,
        }
    }

    /// The statements of one document as claims, without those that `known` has. Cost O(sentences · that of
    /// [`Reader::read`]).
    pub(crate) fn read(&self, reading: &Reading, context: &Context, known: &Facts) -> Facts {
        let schema = context.schema;
        let places: Vec<Option<Place>> = self
            .relations
            .iter()
            .map(|(name, is_told)| Place::of(schema, name).filter(|_| *is_told))
            .collect();
        let mut facts = Facts::default();
        for (sentence, words) in &reading.parsed.sentences {
            let mut telling = Telling {
                reading,
                context,
                sentence: *sentence,
                words,
                admits_names: self.admits_names,
                utterance: Utterance::new(reading, *sentence, words, context),
                facts: Facts::default(),
            };
            for statement in self.reader.read(&telling.utterance.text) {
                if let (Some(place), true) = (&places[statement.relation], statement.score >= self.sure) {
                    telling.tell(place, &statement.subject, &statement.object);
                }
            }
            facts.add(telling.facts, known);
        }
        facts
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

impl Facts {
    /// Takes over facts that `known` does not have from the same place.
    fn add(&mut self, mut more: Self, known: &Self) {
        let overlaps = |a: Span, b: Span| a.start < b.end && b.start < a.end;
        more.triples.retain(|claim| {
            known.triples.iter().all(|other| {
                (&claim.head, claim.relation, &claim.tail) != (&other.head, other.relation, &other.tail)
                    || !overlaps(claim.span, other.span)
            })
        });
        more.attributes.retain(|claim| {
            known.attributes.iter().all(|other| {
                (&claim.entity, claim.attribute) != (&other.entity, other.attribute)
                    || !overlaps(claim.span, other.span)
            })
        });
        self.triples.append(&mut more.triples);
        self.attributes.append(&mut more.attributes);
        self.entities.append(&mut more.entities);
        self.mentions.append(&mut more.mentions);
    }
}

/// What a label is in the schema.
enum Place {
    Relation(RelationId),
    Attribute(AttributeId, ValueKind),
}

impl Place {
    fn of(schema: &Schema, name: &str) -> Option<Self> {
        let attribute = |id: AttributeId| Self::Attribute(id, schema.attributes()[id.index()].kind);
        let relation = schema.relation_id(name).map(Self::Relation);
        relation.or_else(|| schema.attribute_id(name).map(attribute))
    }
}

/// One sentence while its statements are told.
struct Telling<'a> {
    reading: &'a Reading<'a>,
    context: &'a Context<'a>,
    sentence: Span,
    words: &'a [Word],
    admits_names: bool,
    utterance: Utterance,
    facts: Facts,
}

impl Telling<'_> {
    fn tell(&mut self, place: &Place, subject: &Argument, object: &Argument) {
        let spans = (self.utterance.place(subject.span), self.utterance.place(object.span));
        let (Some(from), Some(to)) = spans else {
            return;
        };
        let whole = Span {
            start: from.start.min(to.start),
            end: from.end.max(to.end),
        };
        if is_negated(&self.spoken(whole)) {
            return;
        }
        let Some(head) = self.entity(subject.span, from) else {
            return;
        };
        match *place {
            Place::Relation(relation) => {
                if let Some(tail) = self.entity(object.span, to).filter(|tail| *tail != head) {
                    let phrase = self.phrase(from, to);
                    self.facts.triples.push(TripleClaim {
                        head,
                        relation,
                        tail,
                        phrase,
                        span: whole,
                    });
                }
            }
            Place::Attribute(attribute, kind) => {
                let value = to.of(self.reading.parsed.text());
                let is_free = matches!(kind, ValueKind::Text | ValueKind::Enum);
                let serves = || {
                    literals(value, Span::new(0, value.len()))
                        .iter()
                        .any(|literal| literal.serves(kind))
                };
                if is_free || serves() {
                    self.facts.attributes.push(AttributeClaim {
                        entity: head,
                        attribute,
                        value: value.to_owned(),
                        span: whole,
                    });
                }
            }
        }
    }

    /// The entity that an end denotes: the document's subject where it was put in for a pronoun, else what is mentioned
    /// there, else, where names are admitted, what its words name.
    fn entity(&mut self, spoken: Span, place: Span) -> Option<String> {
        if self.utterance.is_subject(spoken) {
            return Some(self.reading.own.clone());
        }
        let length = |span: Span| span.end - span.start;
        let shared = |mention: &Mention| {
            let (start, end) = (mention.span.start.max(place.start), mention.span.end.min(place.end));
            end.saturating_sub(start)
        };
        // The mention that covers most of it, if it covers half of what both cover.
        let best = within(&self.reading.mentions, self.sentence)
            .filter(|mention| 3 * shared(mention) >= length(mention.span) + length(place))
            .max_by_key(|mention| (shared(mention), mention.certainty, std::cmp::Reverse(*mention)));
        if let Some(mention) = best {
            return Some(mention.entity.clone());
        }
        let name = place.of(self.reading.parsed.text());
        if !self.admits_names || !is_entity(name) {
            return None;
        }
        let entity = self.reading.entity_of(name, self.context.lexicon);
        self.facts.entities.push(EntityClaim {
            entity: entity.clone(),
            name: name.split_whitespace().collect::<Vec<_>>().join(" "),
            entity_type: None,
            span: place,
            is_subject: false,
        });
        self.facts.mentions.push(Mention {
            span: place,
            entity: entity.clone(),
            certainty: FULL,
        });
        (!entity.is_empty()).then_some(entity)
    }

    /// The words between two ends, if they are few.
    fn phrase(&self, from: Span, to: Span) -> String {
        let between = Span {
            start: from.end.min(to.end),
            end: from.start.max(to.start),
        };
        let words = self.spoken(between);
        if words.len() <= MAX_PHRASE_WORDS {
            words.join(" ")
        } else {
            String::new()
        }
    }

    /// The words within a span in lower case.
    fn spoken(&self, span: Span) -> Vec<String> {
        let text = self.reading.parsed.text();
        self.words
            .iter()
            .filter(|word| span.start <= word.span.start && word.span.end <= span.end)
            .map(|word| word.of(text).to_lowercase())
            .collect()
    }
}
