//! Documents to contributions: the whole of embedded extraction, in the order in which it happens.

use crate::attributes::attributes;
use crate::chunk::{CountTokens, chunks};
use crate::clause::Clause;
use crate::lexicon::{Lexicon, LexiconError};
use crate::lifespan::lifespan;
use crate::link;
use crate::parsed::Parsed;
use crate::phrase::Phrases;
use crate::recognise::{CaseCounts, names, opening_name};
use crate::triples::{Types, implied_types, triples};
use crate::typing;
use banyan_engine::{AttributeClaim, Contribution, Document, EntityClaim, Mention, Schema, Span, TypeId, name};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the attribute that takes what an opening sentence says its subject is.
const DEFINITION: &str = "description";
/// Name of the relation between a document's subject and whatever else the document names.
const MENTIONS: &str = "mentions";

/// Extracts from `documents`, which stand in canonical order, what each contributes. Cost O(total length · log names),
/// in parallel; the same for any number of threads. `on_document` is called once a finished document, from any thread.
///
/// # Errors
/// [`LexiconError`] when the corpus has more names than can be searched at once.
pub fn extract(
    documents: &[Document],
    schema: &Schema,
    counter: &dyn CountTokens,
    max_chunk_tokens: u32,
    on_document: &(dyn Fn() + Sync),
) -> Result<Vec<Contribution>, LexiconError> {
    let phrases = Phrases::new(schema);
    let parsed: Vec<Parsed> = documents.par_iter().map(Parsed::new).collect();
    let cases = CaseCounts::new(&parsed.iter().collect::<Vec<_>>());
    let found: Vec<_> = parsed.par_iter().map(|each| names(each, &cases)).collect();
    let lexicon = Lexicon::new(&parsed, cases, &found)?;
    let readings: Vec<Reading> = parsed
        .par_iter()
        .map(|each| Reading::new(each, &lexicon, schema, &phrases))
        .collect();
    let types = vote(&readings, schema);
    let contributions = readings
        .into_par_iter()
        .map(|reading| {
            let spans = chunks(reading.parsed, counter, max_chunk_tokens);
            let contribution = reading.contribution(spans, schema, &phrases, &types);
            on_document();
            contribution
        })
        .collect();
    Ok(contributions)
}

/// What is known of a document before its relations are read.
struct Reading<'a> {
    parsed: &'a Parsed<'a>,
    own: String,
    mentions: Vec<Mention>,
    entities: Vec<EntityClaim>,
    definition: Option<Span>,
    lifespan: Vec<AttributeClaim>,
}

impl<'a> Reading<'a> {
    fn new(parsed: &'a Parsed<'a>, lexicon: &Lexicon, schema: &Schema, phrases: &Phrases) -> Self {
        let own = name::key(&parsed.document.title);
        let definition = typing::definition(parsed, phrases);
        let lifespan = lifespan(parsed, &own, schema);
        let mut reading = Self {
            parsed,
            mentions: link::mentions(parsed, lexicon),
            entities: Vec::new(),
            definition: definition.map(|(span, _)| span),
            lifespan,
            own,
        };
        let person = schema.type_id("person").filter(|_| !reading.lifespan.is_empty());
        reading.claim_subject(person.or(definition.and_then(|(_, kind)| kind)), phrases);
        reading.claim_mentions(phrases);
        reading
    }

    fn claim_subject(&mut self, shown: Option<TypeId>, phrases: &Phrases) {
        let title = &self.parsed.document.title;
        if self.own.is_empty() {
            return;
        }
        let tail = title.split_once('(').map(|(_, tail)| tail);
        let by_tail = tail.and_then(|tail| {
            tail.split(|ch: char| !ch.is_alphanumeric())
                .find_map(|word| phrases.type_of(word))
        });
        self.entities.push(EntityClaim {
            entity: self.own.clone(),
            name: title.clone(),
            entity_type: by_tail.or(shown).or_else(|| typing::of_name(title, phrases)),
            span: self.definition.unwrap_or(Span::new(0, 0)),
            is_subject: true,
        });
        let bare = name::without_disambiguator(title).map(str::to_owned);
        let opening = opening_name(title, self.parsed).map(|span| span.of(self.parsed.text()).to_owned());
        for other in bare.into_iter().chain(opening) {
            self.entities.push(EntityClaim {
                entity: self.own.clone(),
                name: other,
                entity_type: None,
                span: Span::new(0, 0),
                is_subject: false,
            });
        }
    }

    fn claim_mentions(&mut self, phrases: &Phrases) {
        let text = self.parsed.text();
        for (sentence, words) in &self.parsed.sentences {
            for mention in self
                .mentions
                .iter()
                .filter(|m| m.certainty == 100 && sentence.contains(m.span))
            {
                let surface = mention.span.of(text);
                if surface.is_empty() {
                    continue;
                }
                let shown = typing::of_apposition(text, words, mention.span, phrases);
                self.entities.push(EntityClaim {
                    entity: mention.entity.clone(),
                    name: surface.to_owned(),
                    entity_type: shown.or_else(|| typing::of_name(surface, phrases)),
                    span: mention.span,
                    is_subject: false,
                });
            }
        }
    }

    fn contribution(self, chunks: Vec<(Span, u32)>, schema: &Schema, phrases: &Phrases, types: &Types) -> Contribution {
        let mut contribution = Contribution::new(self.parsed.document.id);
        contribution.chunks = chunks;
        contribution.attributes.clone_from(&self.lifespan);
        self.define(schema, &mut contribution);
        for sentence in &self.parsed.sentences {
            let clause = Clause::new(self.parsed, sentence, &self.mentions, &self.own);
            contribution.triples.extend(triples(&clause, schema, phrases, types));
            contribution.attributes.extend(attributes(&clause, schema, phrases));
        }
        contribution.attributes.retain(|claim| !claim.entity.is_empty());
        contribution.triples.retain(|claim| !claim.head.is_empty());
        self.mention(schema, &mut contribution);
        contribution.entities = implied(&contribution, schema, types);
        contribution.entities.extend(self.entities);
        contribution.mentions = self.mentions;
        contribution.normalised()
    }

    /// What the opening sentence says the subject is, as an attribute.
    fn define(&self, schema: &Schema, contribution: &mut Contribution) {
        if let (Some(span), Some(attribute)) = (self.definition, schema.attribute_id(DEFINITION)) {
            contribution.attributes.push(AttributeClaim {
                entity: self.own.clone(),
                attribute,
                value: span.of(self.parsed.text()).to_owned(),
                span,
            });
        }
    }

    /// Ties the subject to whatever its document names and no other triple of the document reaches from it.
    fn mention(&self, schema: &Schema, contribution: &mut Contribution) {
        let Some(relation) = schema.relation_id(MENTIONS).filter(|_| !self.own.is_empty()) else {
            return;
        };
        let reached: BTreeSet<&str> = contribution
            .triples
            .iter()
            .filter(|claim| claim.head == self.own || claim.tail == self.own)
            .flat_map(|claim| [claim.head.as_str(), claim.tail.as_str()])
            .chain([self.own.as_str()])
            .collect();
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for mention in self
            .mentions
            .iter()
            .filter(|mention| !reached.contains(mention.entity.as_str()))
        {
            first.entry(&mention.entity).or_insert(mention.span);
        }
        let claims: Vec<_> = first
            .into_iter()
            .map(|(entity, span)| banyan_engine::TripleClaim {
                head: self.own.clone(),
                relation,
                tail: entity.to_owned(),
                phrase: String::new(),
                span,
            })
            .collect();
        contribution.triples.extend(claims);
    }
}

/// One type for each key: what its own document says, else the majority of what others say.
fn vote(readings: &[Reading], schema: &Schema) -> Types {
    let mut votes: BTreeMap<&str, BTreeMap<TypeId, (bool, usize)>> = BTreeMap::new();
    for claim in readings.iter().flat_map(|reading| &reading.entities) {
        if let Some(kind) = claim.entity_type.filter(|kind| *kind != schema.thing()) {
            let slot = votes.entry(&claim.entity).or_default().entry(kind).or_default();
            slot.0 |= claim.is_subject;
            slot.1 += 1;
        }
    }
    votes
        .into_iter()
        .filter_map(|(key, kinds)| {
            let best = kinds
                .into_iter()
                .max_by_key(|(kind, score)| (*score, std::cmp::Reverse(*kind)))?;
            Some((key.to_owned(), best.0))
        })
        .collect()
}

/// The types that relations imply for entities of which nothing else tells a type.
fn implied(contribution: &Contribution, schema: &Schema, types: &Types) -> Vec<EntityClaim> {
    let mut claims = Vec::new();
    for triple in &contribution.triples {
        let Some((head, tail)) = implied_types(schema, triple.relation) else {
            continue;
        };
        for (entity, kind) in [(&triple.head, head), (&triple.tail, tail)] {
            if !types.contains_key(entity) {
                claims.push(EntityClaim {
                    entity: entity.clone(),
                    name: entity.clone(),
                    entity_type: Some(kind),
                    span: triple.span,
                    is_subject: false,
                });
            }
        }
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::EstimateTokens;
    use banyan_engine::{Knowledge, Origin, Settings};

    /// Builds from `(title, text)` pairs and expects these facts to be among those found, weak relations left out.
    fn check(documents: &[(&str, &str)], expected: &[&str]) {
        let origin = |title: &str| Origin {
            file: title.to_owned(),
            record: None,
            line: None,
        };
        let mut documents: Vec<Document> = documents
            .iter()
            .map(|(title, text)| Document::new(*title, *text, origin(title)))
            .collect();
        banyan_engine::document::canonicalise(&mut documents);
        let schema = Schema::general().unwrap();
        let contributions = extract(&documents, &schema, &EstimateTokens, 256, &|| ()).unwrap();
        let knowledge = Knowledge::assemble(Settings::default(), schema, documents, contributions);
        let (graph, schema) = (&knowledge.graph, &knowledge.schema);
        let mut found: Vec<String> = graph
            .triples()
            .iter()
            .map(|t| {
                (
                    graph.entity(t.head),
                    schema.relation_name(t.relation),
                    graph.entity(t.tail),
                )
            })
            .filter(|(_, relation, _)| !["mentions", "related_to"].contains(relation))
            .map(|(head, relation, tail)| format!("{} {relation} {}", head.name, tail.name))
            .collect();
        found.extend(graph.attributes().iter().map(|attribute| {
            let entity = &graph.entity(attribute.entity).name;
            format!(
                "{entity} {} = {}",
                schema.attribute_name(attribute.attribute),
                attribute.value
            )
        }));
        for fact in expected {
            assert!(
                found.iter().any(|other| other == fact),
                "{fact} is not among {found:#?}"
            );
        }
    }

    #[test]
    fn verbs_prepositions_and_lists_state_relations() {
        check(
            &[(
                "The Paper Gulls",
                "The Paper Gulls is a drama film directed by Mara Voss, starring Ivo Brandt, Lene Falk and Odd Riis. \
                 It was produced by Corrin Hale.",
            )],
            &[
                "The Paper Gulls director Mara Voss",
                "The Paper Gulls cast_member Ivo Brandt",
                "The Paper Gulls cast_member Lene Falk",
                "The Paper Gulls cast_member Odd Riis",
                "The Paper Gulls producer Corrin Hale",
                "The Paper Gulls description = drama film",
            ],
        );
    }

    #[test]
    fn a_passive_phrase_finds_its_agent_across_a_date() {
        check(
            &[(
                "Hestle Records",
                "Hestle Records is a record label. It was founded in 1966 by Noor Caddick.",
            )],
            &[
                "Hestle Records founded_by Noor Caddick",
                "Hestle Records founded_date = 1966",
            ],
        );
    }

    #[test]
    fn pronouns_stand_for_the_subject_and_dates_become_attributes() {
        check(
            &[(
                "Mara Voss",
                "Mara Voss (3 May 1901 – 7 June 1980) was a film director. She was born in Tidd Harbour.",
            )],
            &[
                "Mara Voss birth_date = 3 May 1901",
                "Mara Voss death_date = 7 June 1980",
                "Mara Voss born_in Tidd Harbour",
            ],
        );
    }

    #[test]
    fn numbers_belong_to_the_nearest_phrase_of_their_kind() {
        check(
            &[(
                "Skelva",
                "Skelva is an island. It had a population of 27,900 in 2019 and covers 388 km².",
            )],
            &["Skelva population = 27,900", "Skelva area = 388 km²"],
        );
    }

    #[test]
    fn what_is_denied_is_not_stated() {
        let text = "Skelva is an island. It was never part of Wrenna.";
        let found = std::panic::catch_unwind(|| check(&[("Skelva", text)], &["Skelva part_of Wrenna"]));
        assert!(found.is_err());
    }
}
