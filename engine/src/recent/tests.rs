//! Documents laid over a knowledge are known as they would be had they been there from the start, and what was removed is not.

use super::*;
use crate::document::{Origin, Span};
use crate::fact::{AttributeClaim, EntityClaim, LooseClaim, Mention, TripleClaim};
use crate::graph::Source;
use crate::id::{ChunkId, TripleId};
use crate::index::term;
use crate::knowledge::Settings;
use crate::resolution::Resolution;
use crate::schema::Schema;
use std::collections::{BTreeMap, BTreeSet};

const SCHEMA: &str = r#"{
  "name": "sea",
  "entity_types": [{"name": "ship"}, {"name": "person"}],
  "relations": [
    {"name": "built_by", "domain": ["ship"], "range": ["person"]},
    {"name": "met", "domain": ["person"], "range": ["person"], "inverse": "met"},
    {"name": "near"}
  ],
  "attributes": [{"name": "note", "kind": "text"}, {"name": "crew", "kind": "number"}]
}"#;
/// The first half are ships, the others people.
const NAMES: [&str; 12] = [
    "Dipper",
    "Skelva",
    "Vessing",
    "Anna Lee",
    "Grey Gull",
    "Tern",
    "Ada Quill",
    "Bo Strand",
    "Cass Orde",
    "Dag Moe",
    "Eli Rusk",
    "Fay Holm",
];
const WORDS: [&str; 6] = ["sailed", "north", "with", "a", "rope", "lantern"];

/// A source of numbers, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

/// A document of a few sentences, with what it says.
fn document(number: usize, schema: &Schema, dice: &mut Dice) -> (Document, Contribution) {
    let (mut text, mut mentions, mut sentences) = (String::new(), Vec::new(), Vec::new());
    for _ in 0..=dice.roll(4) {
        let start = text.len();
        for _ in 0..=dice.roll(6) {
            let (name, word) = (NAMES[dice.roll(NAMES.len())], WORDS[dice.roll(WORDS.len())]);
            mentions.push(Mention {
                span: Span::new(text.len(), text.len() + name.len()),
                entity: crate::name::key(name),
                certainty: u8::try_from(50 + dice.roll(51)).unwrap(),
                is_term: false,
            });
            text += &[name, " ", word, " "].concat();
        }
        sentences.push(Span::new(start, text.len()));
    }
    let origin = Origin {
        file: format!("{}.txt", number / 2),
        record: None,
        line: Some(u32::try_from(number).unwrap()),
    };
    let subject = NAMES[number % NAMES.len()];
    // Titles are in the order of the numbers, so that a build of all has the documents in the same order.
    let mut said = Contribution::default();
    said.opening = sentences[0].end;
    let key = |at: usize| crate::name::key(NAMES[at]);
    for _ in 0..dice.roll(4) {
        let sentence = sentences[dice.roll(sentences.len())];
        let (relation, head, tail) = match dice.roll(3) {
            0 => ("built_by", dice.roll(6), 6 + dice.roll(6)),
            1 => ("met", 6 + dice.roll(6), 6 + dice.roll(6)),
            _ => ("near", dice.roll(12), dice.roll(12)),
        };
        if head != tail {
            said.triples.push(TripleClaim {
                head: key(head),
                relation: schema.relation_id(relation).unwrap(),
                tail: key(tail),
                phrase: WORDS[dice.roll(3)].to_owned(),
                span: sentence,
            });
            said.loose.push(LooseClaim {
                head: key(tail),
                tail: key(head),
                phrase: WORDS[dice.roll(WORDS.len())].to_owned(),
                span: sentence,
            });
        }
        said.attributes.push(AttributeClaim {
            entity: key(dice.roll(12)),
            attribute: schema.attribute_id("note").unwrap(),
            value: WORDS[dice.roll(2)].to_owned(),
            span: sentence,
        });
    }
    let ends = said.triples.iter().flat_map(|claim| [&claim.head, &claim.tail]);
    let named = mentions.iter().map(|mention| &mention.entity);
    let named: BTreeSet<String> = named
        .chain(ends)
        .chain(said.attributes.iter().map(|claim| &claim.entity))
        .cloned()
        .collect();
    for entity in &named {
        let (at, name) = (
            text.len(),
            NAMES.iter().find(|name| crate::name::key(name) == *entity).unwrap(),
        );
        text += &[name, ". "].concat();
        mentions.push(Mention {
            span: Span::new(at, at + name.len()),
            entity: entity.clone(),
            certainty: 70,
            is_term: false,
        });
    }
    let (n, cut) = (text.len(), sentences[sentences.len() / 2].end as usize);
    said.chunks = vec![(Span::new(0, cut), 1), (Span::new(cut, n), 1)];
    let document = Document::new(format!("{number:03} {subject}"), text, origin);
    said.document = document.id;
    for entity in named {
        let at = (0..NAMES.len()).find(|at| key(*at) == entity).unwrap();
        said.entities.push(EntityClaim {
            entity,
            name: NAMES[at].to_owned(),
            entity_type: schema.type_id(if at < 6 { "ship" } else { "person" }),
            span: sentences[0],
            is_subject: NAMES[at] == subject,
        });
    }
    (said.mentions, said.sentences) = (mentions, sentences);
    (document, said.normalised())
}

fn knowledge(documents: &[(Document, Contribution)], schema: &Schema) -> Knowledge {
    let (documents, said) = documents.iter().cloned().unzip();
    let settings = Settings::default();
    Knowledge::assemble(settings, schema.clone(), documents, said, Resolution::default())
}

/// The two as they are told: by names and places in documents, lists without an order as sets, and nothing of what is gone.
fn told((knowledge, index): &(Knowledge, Index)) -> Vec<String> {
    let graph = &knowledge.graph;
    let set = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    let chunk = |id: ChunkId| {
        let chunk = knowledge.chunk(id);
        format!("{} {:?}", knowledge.document(chunk.document).title, chunk.span)
    };
    let sources = |sources: &[Source]| -> BTreeSet<String> {
        let told = sources
            .iter()
            .map(|source| format!("{} {:?}", chunk(source.chunk), source.span));
        told.collect()
    };
    let name = |id: EntityId| graph.entity(id).key.clone();
    let triple = |at: usize| {
        let one = graph.triple(TripleId::at(at));
        let words: BTreeSet<String> = one.phrases.iter().flat_map(|phrase| term::terms(phrase)).collect();
        let words: BTreeSet<u32> = words.iter().filter_map(|word| index.facts.number(word)).collect();
        let numbered = index.facts.of_fact(Fact::Triple(TripleId::at(at)));
        assert!(words.iter().all(|word| numbered.binary_search(word).is_ok()), "{one:?}");
        // What is its own inverse is read from the end that comes first.
        let (phrases, sources) = (set(&one.phrases), sources(&one.sources));
        format!(
            "{} {:?} {} {phrases:?} {sources:?}",
            name(one.head),
            one.relation,
            name(one.tail)
        )
    };
    let association = |at: usize| {
        let one = graph.association(at);
        let ends = BTreeSet::from([name(one.a), name(one.b)]);
        let source = sources(&[one.source]);
        format!("{ends:?} {} {:?} {source:?}", one.n, set(&one.phrases))
    };
    let sorted = |lines: &mut dyn Iterator<Item = String>| lines.collect::<BTreeSet<String>>();
    let is_triple = |at: &usize| !graph.triple(TripleId::at(*at)).sources.is_empty();
    let is_association = |at: &usize| graph.association(*at).a != graph.association(*at).b;
    let attributes = graph.attributes().iter().filter(|one| !one.sources.is_empty());
    let names = index.names.rows().all().iter();
    let names = names.map(|(key, ids)| format!("{key} {:?}", ids.iter().map(|id| name(*id)).collect::<BTreeSet<_>>()));
    let files = index.files.rows().all().iter();
    let files = files.map(|(file, own)| {
        let titles = own.iter().map(|at| &knowledge.documents.get(*at as usize).title);
        format!("{file} {:?}", titles.collect::<BTreeSet<_>>())
    });
    let keys = graph
        .keys
        .rows()
        .all()
        .iter()
        .map(|(key, id)| format!("{key} {}", name(*id)));
    let documents = knowledge.documents.all().iter().filter(|one| !one.origins.is_empty());
    let mut told = vec![
        format!("{:?}", documents.clone().collect::<Vec<_>>()),
        format!(
            "{:?}",
            sorted(&mut (0..graph.n_triples()).filter(is_triple).map(triple))
        ),
        format!(
            "{:?}",
            sorted(&mut (0..graph.n_associations()).filter(is_association).map(association))
        ),
        format!(
            "{:?}",
            sorted(&mut attributes.map(|one| format!(
                "{} {} {:?}",
                name(one.entity),
                one.value,
                sources(&one.sources)
            )))
        ),
        format!("{:?}", sorted(&mut files.into_iter())),
        format!("{:?}", sorted(&mut names.into_iter())),
        format!("{:?}", sorted(&mut keys.into_iter())),
    ];
    assert_eq!(documents.count(), knowledge.n_documents());
    let mut entities = BTreeSet::new();
    for at in 0..graph.n_entities() {
        let id = EntityId::at(at);
        let one = graph.entity(id);
        if one.key.is_empty() {
            continue;
        }
        let attributes = graph.attributes_of(id).map(|one| one.value.clone());
        let named = index.incidence.of(id);
        let places = |places: &mut dyn Iterator<Item = ChunkId>| places.map(chunk).collect::<BTreeSet<_>>();
        let mentions = one
            .mentions
            .iter()
            .map(|(source, certainty)| format!("{:?} {certainty}", sources(&[*source])));
        let mentions: BTreeSet<String> = mentions.collect();
        let about = one
            .subject_of
            .iter()
            .map(|at| &knowledge.document(*at).title)
            .collect::<BTreeSet<_>>();
        let own = [
            format!(
                "{} {} {:?} {:?} {about:?} {mentions:?}",
                one.key, one.name, one.aliases, one.entity_type
            ),
            format!("{:?}", sorted(&mut graph.incident(id).map(|at| triple(at.index())))),
            format!("{:?}", sorted(&mut attributes.into_iter())),
            format!(
                "{:?}",
                graph
                    .associated(id)
                    .map(|(other, _)| name(other))
                    .collect::<BTreeSet<_>>()
            ),
            format!("{} {:?}", named.frequency, places(&mut named.subject.iter().copied())),
            format!(
                "{:?} {:?}",
                places(&mut named.chunks.iter().map(|one| one.chunk)),
                graph.find(&one.key) == Some(id)
            ),
        ];
        entities.insert(own.concat());
        let words: BTreeSet<u32> = term::terms(&one.name)
            .iter()
            .filter_map(|word| index.facts.number(word))
            .collect();
        assert_eq!(index.facts.of_name(id), words.into_iter().collect::<Vec<_>>());
    }
    told.push(format!("{entities:?}"));
    let question = term::distinct("where did dipper take the lantern and the rope");
    let scores = index.passages.scores(&question);
    let mut passages = BTreeSet::new();
    for at in 0..knowledge.chunks.len() {
        let id = ChunkId::at(at);
        // An association is stated by the first passage that has its words, which may be one before they were added.
        let stated = index.facts.stated_in(id).iter().filter_map(|fact| match fact {
            Fact::Triple(id) => Some(triple(id.index())),
            Fact::Association(at) => {
                assert!(!graph.association(*at).phrases.is_empty());
                None
            }
        });
        let stated = sorted(&mut stated.into_iter());
        let named = index
            .incidence
            .entities_of(id)
            .iter()
            .map(|(id, certainty)| format!("{} {certainty}", name(*id)));
        let named: BTreeSet<String> = named.collect();
        if knowledge
            .documents
            .get(knowledge.chunk(id).document.index())
            .origins
            .is_empty()
        {
            assert!(stated.is_empty() && named.is_empty() && scores[at] == 0.0 && knowledge.chunk_text(id).is_empty());
        } else {
            passages.insert(format!("{} {stated:?} {named:?} {}", chunk(id), scores[at]));
        }
    }
    told.push(format!("{passages:?}"));
    for relation in 0..3 {
        let own = (relation < graph.of_relation.len()).then(|| graph.of_relation.get(relation));
        told.push(format!(
            "{:?}",
            sorted(&mut own.into_iter().flatten().map(|at| triple(*at as usize)))
        ));
    }
    told
}

/// Documents of a knowledge that go.
fn some(documents: &[(Document, Contribution)], dice: &mut Dice) -> BTreeMap<DocumentIndex, Vec<Origin>> {
    let chosen = (0..documents.len()).filter(|_| dice.roll(3) == 0).collect::<Vec<_>>();
    chosen
        .into_iter()
        .map(|at| (DocumentIndex::at(at), Vec::new()))
        .collect()
}

#[test]
fn what_lies_over_is_known_as_if_it_had_been_there_and_what_was_removed_as_if_it_never_had() {
    let schema = Schema::from_json(SCHEMA).unwrap();
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let n = 2 + dice.roll(10);
        let all: Vec<_> = (0..n).map(|number| document(number, &schema, &mut dice)).collect();
        let (first, last) = all.split_at(1 + dice.roll(n - 1));
        let open = |documents| {
            let knowledge = knowledge(documents, &schema);
            let index = Index::new(&knowledge);
            (knowledge, index)
        };
        let base = open(first);
        let gone = some(first, &mut dice);
        let stays = |at: &usize| !gone.contains_key(&DocumentIndex::at(*at));
        let all: Vec<_> = (0..n).filter(stays).map(|at| all[at].clone()).collect();
        let recent = Recent::new((&base.0, &base.1), knowledge(last, &schema), &gone);
        let over = recent.clone().over(base.clone());
        assert_eq!((over.0.n_recent, over.0.gone.len()), (last.len(), gone.len()));
        for (position, (now, then)) in told(&over).iter().zip(told(&open(&all))).enumerate() {
            assert_eq!(*now, then, "seed {seed}, part {position}");
        }
        let mut joined = base.0;
        recent.join(&mut joined);
        let said: Vec<_> = joined
            .documents
            .all()
            .iter()
            .cloned()
            .zip(joined.contributions.all().iter().cloned())
            .collect();
        assert_eq!(said, all, "seed {seed}");
    }
}

#[test]
fn what_the_types_that_stand_do_not_admit_is_left_out() {
    let schema = Schema::from_json(SCHEMA).unwrap();
    let mut dice = Dice(1);
    let mut documents: Vec<_> = (0..2).map(|number| document(number, &schema, &mut dice)).collect();
    let base = knowledge(&documents[..1], &schema);
    // The second takes everybody for a ship.
    let said = &mut documents[1].1;
    said.entities
        .iter_mut()
        .for_each(|claim| claim.entity_type = schema.type_id("ship"));
    let ends = |said: &Contribution, at: usize| said.mentions[at].entity.clone();
    said.triples = vec![TripleClaim {
        head: ends(said, 0),
        relation: schema.relation_id("built_by").unwrap(),
        tail: ends(said, 1),
        phrase: "built".to_owned(),
        span: said.sentences[0],
    }];
    let index = Index::new(&base);
    let recent = Recent::new((&base, &index), knowledge(&documents[1..], &schema), &BTreeMap::new());
    let n_before = base.graph.n_triples();
    let (over, _) = recent.over((base, index));
    assert_eq!(over.graph.n_triples(), n_before);
    let fits = |triple: &Triple| {
        let kind = |id| over.graph.entity(id).entity_type;
        schema.admits_head(kind(triple.head), triple.relation) && schema.admits_tail(triple.relation, kind(triple.tail))
    };
    assert!(over.graph.triples().iter().all(fits));
}
