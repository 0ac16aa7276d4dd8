//! What documents say, by columns: the keys and names of a document once, and beside each other what is alike. Compressed,
//! it is two thirds of one claim after the other.

use crate::document::Span;
use crate::fact::{
    AttributeClaim, Basis, Contribution, EntityClaim, EntityKey, LooseClaim, Mention, TripleClaim, UnboundClaim,
};
use crate::id::DocumentId;
use crate::schema::{AttributeId, RelationId, TypeId};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The lists of a contribution that have a length each.
const N_LISTS: usize = 8;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct Columns {
    documents: Vec<DocumentId>,
    bases: Vec<Option<Basis>>,
    openings: Vec<u32>,
    /// How long each list of each document is.
    lengths: Vec<[u32; N_LISTS]>,
    /// How many keys and names each document has, and these in the order in which it first uses them.
    n_texts: Vec<u32>,
    texts: Vec<EntityKey>,
    chunks: Spans,
    tokens: Vec<u32>,
    sentences: Spans,
    mentions: Spans,
    mentioned: Vec<u32>,
    certainties: Vec<u8>,
    are_terms: Vec<bool>,
    entities: Spans,
    claimed: Vec<u32>,
    names: Vec<u32>,
    types: Vec<Option<TypeId>>,
    are_subjects: Vec<bool>,
    triples: Ends,
    relations: Vec<RelationId>,
    loose: Ends,
    attributes: Spans,
    described: Vec<u32>,
    kinds: Vec<AttributeId>,
    values: Vec<String>,
    unbound: Vec<UnboundClaim>,
}

/// Spans: how far each begins behind the one before in its document, and its length.
#[derive(Default, Serialize, Deserialize)]
struct Spans {
    starts: Vec<i64>,
    lengths: Vec<i64>,
}

impl Spans {
    fn put(&mut self, before: &mut u32, span: Span) {
        self.starts.push(i64::from(span.start) - i64::from(*before));
        self.lengths.push(i64::from(span.end) - i64::from(span.start));
        *before = span.start;
    }

    /// Those of one document.
    fn of(&self, places: &Range<usize>) -> Option<Vec<Span>> {
        let (starts, lengths) = (self.starts.get(places.clone())?, self.lengths.get(places.clone())?);
        let mut before = 0_i64;
        let spans = starts.iter().zip(lengths).map(|(start, length)| {
            before = before.checked_add(*start)?;
            let end = before.checked_add(*length)?;
            Some(Span {
                start: u32::try_from(before).ok()?,
                end: u32::try_from(end).ok()?,
            })
        });
        spans.collect()
    }
}

/// What joins two entities.
#[derive(Default, Serialize, Deserialize)]
struct Ends {
    spans: Spans,
    heads: Vec<u32>,
    tails: Vec<u32>,
    phrases: Vec<String>,
}

impl Ends {
    fn put(&mut self, before: &mut u32, head: u32, tail: u32, phrase: &str, span: Span) {
        self.heads.push(head);
        self.tails.push(tail);
        self.phrases.push(phrase.to_owned());
        self.spans.put(before, span);
    }
}

impl Columns {
    /// The columns of these rows. Cost O(size).
    pub(super) fn of(rows: &[Contribution]) -> Self {
        let mut columns = Self::default();
        for row in rows {
            columns.put(row);
        }
        columns
    }

    fn put(&mut self, row: &Contribution) {
        let mut known: HashMap<&EntityKey, u32> = HashMap::new();
        let mut texts = std::mem::take(&mut self.texts);
        let mut text = |text| {
            let next = number(known.len());
            *known.entry(text).or_insert_with(|| {
                texts.push(Arc::clone(text));
                next
            })
        };
        self.documents.push(row.document);
        self.bases.push(row.basis);
        self.openings.push(row.opening);
        let lengths = [
            row.chunks.len(),
            row.sentences.len(),
            row.mentions.len(),
            row.entities.len(),
            row.triples.len(),
            row.loose.len(),
            row.attributes.len(),
            row.unbound.len(),
        ];
        self.lengths.push(lengths.map(number));
        let mut before = 0;
        for (span, n_tokens) in &row.chunks {
            self.chunks.put(&mut before, *span);
            self.tokens.push(*n_tokens);
        }
        before = 0;
        for span in &row.sentences {
            self.sentences.put(&mut before, *span);
        }
        before = 0;
        for mention in &row.mentions {
            self.mentions.put(&mut before, mention.span);
            self.mentioned.push(text(&mention.entity));
            self.certainties.push(mention.certainty);
            self.are_terms.push(mention.is_term);
        }
        before = 0;
        for claim in &row.entities {
            self.entities.put(&mut before, claim.span);
            self.claimed.push(text(&claim.entity));
            self.names.push(text(&claim.name));
            self.types.push(claim.entity_type);
            self.are_subjects.push(claim.is_subject);
        }
        before = 0;
        for claim in &row.triples {
            let (head, tail) = (text(&claim.head), text(&claim.tail));
            self.triples.put(&mut before, head, tail, &claim.phrase, claim.span);
            self.relations.push(claim.relation);
        }
        before = 0;
        for claim in &row.loose {
            let (head, tail) = (text(&claim.head), text(&claim.tail));
            self.loose.put(&mut before, head, tail, &claim.phrase, claim.span);
        }
        before = 0;
        for claim in &row.attributes {
            self.attributes.put(&mut before, claim.span);
            self.described.push(text(&claim.entity));
            self.kinds.push(claim.attribute);
            self.values.push(claim.value.clone());
        }
        self.n_texts.push(number(known.len()));
        self.texts = texts;
        self.unbound.extend_from_slice(&row.unbound);
    }

    /// The rows; `None` where the columns do not fit each other. Cost O(size).
    pub(super) fn rows(&self) -> Option<Vec<Contribution>> {
        let (mut ends, mut end) = ([0; N_LISTS], 0);
        let mut rows = Vec::new();
        for (at, lengths) in self.lengths.iter().enumerate() {
            let lists: [Range<usize>; N_LISTS] = std::array::from_fn(|list| {
                let first = ends[list];
                ends[list] += lengths[list] as usize;
                first..ends[list]
            });
            let first = end;
            end += *self.n_texts.get(at)? as usize;
            rows.push(self.row(at, self.texts.get(first..end)?, lists)?);
        }
        let found = [
            self.tokens.len(),
            self.sentences.starts.len(),
            self.mentioned.len(),
            self.claimed.len(),
            self.relations.len(),
            self.loose.heads.len(),
            self.described.len(),
            self.unbound.len(),
        ];
        (rows.len() == self.documents.len() && ends == found && end == self.texts.len()).then_some(rows)
    }

    fn row(&self, at: usize, texts: &[EntityKey], lists: [Range<usize>; N_LISTS]) -> Option<Contribution> {
        let [
            chunks,
            sentences,
            mentions,
            entities,
            triples,
            loose,
            attributes,
            unbound,
        ] = lists;
        let text = |numbers: &[u32], at: usize| texts.get(*numbers.get(at)? as usize).map(Arc::clone);
        let mut row = Contribution {
            document: *self.documents.get(at)?,
            basis: *self.bases.get(at)?,
            opening: *self.openings.get(at)?,
            sentences: self.sentences.of(&sentences)?,
            ..Contribution::default()
        };
        for (span, n_tokens) in self.chunks.of(&chunks)?.into_iter().zip(self.tokens.get(chunks)?) {
            row.chunks.push((span, *n_tokens));
        }
        for (span, at) in self.mentions.of(&mentions)?.into_iter().zip(mentions) {
            row.mentions.push(Mention {
                span,
                entity: text(&self.mentioned, at)?,
                certainty: *self.certainties.get(at)?,
                is_term: *self.are_terms.get(at)?,
            });
        }
        for (span, at) in self.entities.of(&entities)?.into_iter().zip(entities) {
            row.entities.push(EntityClaim {
                entity: text(&self.claimed, at)?,
                name: text(&self.names, at)?,
                entity_type: *self.types.get(at)?,
                span,
                is_subject: *self.are_subjects.get(at)?,
            });
        }
        for (span, at) in self.triples.spans.of(&triples)?.into_iter().zip(triples) {
            row.triples.push(TripleClaim {
                head: text(&self.triples.heads, at)?,
                relation: *self.relations.get(at)?,
                tail: text(&self.triples.tails, at)?,
                phrase: self.triples.phrases.get(at)?.clone(),
                span,
            });
        }
        for (span, at) in self.loose.spans.of(&loose)?.into_iter().zip(loose) {
            row.loose.push(LooseClaim {
                head: text(&self.loose.heads, at)?,
                tail: text(&self.loose.tails, at)?,
                phrase: self.loose.phrases.get(at)?.clone(),
                span,
            });
        }
        for (span, at) in self.attributes.of(&attributes)?.into_iter().zip(attributes) {
            row.attributes.push(AttributeClaim {
                entity: text(&self.described, at)?,
                attribute: *self.kinds.get(at)?,
                value: self.values.get(at)?.clone(),
                span,
            });
        }
        row.unbound = self.unbound.get(unbound)?.to_vec();
        Some(row)
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::ElementKind;

    fn id<Id: serde::de::DeserializeOwned>(number: u16) -> Id {
        serde_json::from_value(number.into()).unwrap()
    }

    fn row() -> Contribution {
        let (key, other): (EntityKey, EntityKey) = ("skelva".into(), "ada quill".into());
        let span = Span::new(7, 13);
        Contribution {
            document: DocumentId::of("Skelva", "Ada and Skelva"),
            basis: Some([7; 8]),
            chunks: vec![(Span::new(0, 20), 5), (Span::new(15, 40), 6)],
            sentences: vec![Span::new(0, 20), Span::new(21, 40)],
            opening: 20,
            entities: vec![EntityClaim {
                entity: Arc::clone(&key),
                name: "Skelva".into(),
                entity_type: Some(id(2)),
                span,
                is_subject: true,
            }],
            mentions: [13, 7]
                .map(|start| Mention {
                    span: Span::new(start, start + 6),
                    entity: Arc::clone(&key),
                    certainty: 70,
                    is_term: start == 7,
                })
                .to_vec(),
            triples: vec![TripleClaim {
                head: Arc::clone(&other),
                relation: id(1),
                tail: Arc::clone(&key),
                phrase: "rowed to".to_owned(),
                span,
            }],
            loose: vec![LooseClaim {
                head: Arc::clone(&key),
                tail: other,
                phrase: "and".to_owned(),
                span,
            }],
            attributes: vec![AttributeClaim {
                entity: Arc::clone(&key),
                attribute: id(3),
                value: "1901".to_owned(),
                span,
            }],
            unbound: vec![UnboundClaim {
                kind: ElementKind::Relation,
                word: "towed".to_owned(),
                subject: key,
                object: "Bo".to_owned(),
                span,
            }],
        }
    }

    #[test]
    fn rows_come_back_and_columns_that_do_not_fit_each_other_have_none() {
        let rows = [row(), Contribution::default(), row()];
        assert_eq!(Columns::of(&rows).rows(), Some(rows.to_vec()));
        let broken: [fn(&mut Columns); 7] = [
            |columns| columns.mentioned.push(0),
            |columns| columns.names.truncate(1),
            |columns| columns.names[0] = 3,
            |columns| columns.lengths[1][1] = u32::MAX,
            |columns| columns.documents.truncate(2),
            |columns| columns.sentences.starts[0] = -1,
            |columns| columns.loose.phrases.clear(),
        ];
        for spoil in broken {
            let mut columns = Columns::of(&rows);
            spoil(&mut columns);
            assert_eq!(columns.rows(), None);
        }
    }
}
