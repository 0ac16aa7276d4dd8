//! Documents laid over a knowledge are known as they would be had they been there from the start.

use super::*;
use crate::document::{Origin, Span};
use crate::fact::{AttributeClaim, EntityClaim, LooseClaim, Mention, TripleClaim};
use crate::id::{ChunkId, TripleId};
use crate::index::term;
use crate::knowledge::Settings;
use crate::resolution::Resolution;
use crate::schema::Schema;
use std::collections::BTreeSet;

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
    let document = Document::new(format!("{number:03} {subject}"), text, origin);
    let mut said = Contribution::new(document.id);
    let n = document.text.len();
    said.chunks = vec![(Span::new(0, n / 2), 1), (Span::new(n / 2, n), 1)];
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

/// The two as they are told: facts by their ends, lists without an order as sets.
fn told((knowledge, index): &(Knowledge, Index)) -> Vec<String> {
    let graph = &knowledge.graph;
    let set = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    let triple = |at: usize| {
        let one = graph.triple(TripleId::at(at));
        let words: BTreeSet<String> = one.phrases.iter().flat_map(|phrase| term::terms(phrase)).collect();
        let words: BTreeSet<u32> = words.iter().filter_map(|word| index.facts.number(word)).collect();
        let numbered = index.facts.of_fact(Fact::Triple(TripleId::at(at)));
        assert!(words.iter().all(|word| numbered.binary_search(word).is_ok()), "{one:?}");
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            one.head,
            one.relation,
            one.tail,
            set(&one.phrases),
            one.sources
        )
    };
    let association = |at: usize| {
        let one = graph.association(at);
        format!(
            "{:?} {:?} {} {:?} {:?}",
            one.a,
            one.b,
            one.n,
            set(&one.phrases),
            one.source
        )
    };
    let sorted = |lines: &mut dyn Iterator<Item = String>| lines.collect::<BTreeSet<String>>();
    let mut told = vec![
        format!("{:?} {:?}", graph.entities(), knowledge.chunks.all()),
        format!("{:?}", sorted(&mut (0..graph.n_triples()).map(triple))),
        format!(
            "{:?}",
            sorted(&mut graph.attributes().iter().map(|one| format!("{one:?}")))
        ),
        format!("{:?}", sorted(&mut (0..graph.n_associations()).map(association))),
        format!("{:?} {:?}", index.files.rows().all(), index.names.rows().all()),
    ];
    for at in 0..graph.n_entities() {
        let id = EntityId::at(at);
        let attributes = graph.attributes_of(id).map(|one| one.value.clone());
        let own = [
            format!("{:?}", sorted(&mut graph.incident(id).map(|at| triple(at.index())))),
            format!("{:?}", sorted(&mut attributes.into_iter())),
            format!(
                "{:?}",
                graph.associated(id).map(|(other, _)| other).collect::<BTreeSet<_>>()
            ),
            format!("{:?} {:?}", index.incidence.of(id), graph.find(&graph.entity(id).key)),
        ];
        told.extend(own);
        let words: BTreeSet<u32> = term::terms(&graph.entity(id).name)
            .iter()
            .filter_map(|word| index.facts.number(word))
            .collect();
        assert_eq!(index.facts.of_name(id), words.into_iter().collect::<Vec<_>>());
    }
    for at in 0..knowledge.chunks.len() {
        let chunk = ChunkId::at(at);
        // An association is stated by the first passage that has its words, which may be one before they were added.
        let stated = index.facts.stated_in(chunk).iter().filter_map(|fact| match fact {
            Fact::Triple(id) => Some(triple(id.index())),
            Fact::Association(at) => {
                assert!(!graph.association(*at).phrases.is_empty());
                None
            }
        });
        told.push(format!(
            "{:?} {:?}",
            sorted(&mut stated.into_iter()),
            index.incidence.entities_of(chunk)
        ));
    }
    for relation in 0..3 {
        let own = (relation < graph.of_relation.len()).then(|| graph.of_relation.get(relation));
        told.push(format!(
            "{:?}",
            sorted(&mut own.into_iter().flatten().map(|at| triple(*at as usize)))
        ));
    }
    let question = term::distinct("where did dipper take the lantern and the rope");
    told.push(format!("{:?}", index.passages.scores(&question)));
    told
}

#[test]
fn what_is_laid_over_is_known_as_if_it_had_been_there() {
    let schema = Schema::from_json(SCHEMA).unwrap();
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let n = 2 + dice.roll(10);
        let all: Vec<_> = (0..n).map(|number| document(number, &schema, &mut dice)).collect();
        let (first, last) = all.split_at(1 + dice.roll(n - 1));
        let open = |documents| {
            let knowledge = knowledge(documents, &schema);
            let index = Index::new(&knowledge);
            (knowledge, index)
        };
        let (base, whole) = (open(first), open(&all));
        let recent = Recent::new((&base.0, &base.1), knowledge(last, &schema), &[]);
        let over = recent.clone().over(base.clone());
        assert_eq!(over.0.n_recent, last.len());
        for (position, (now, then)) in told(&over).iter().zip(told(&whole)).enumerate() {
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
    let recent = Recent::new((&base, &index), knowledge(&documents[1..], &schema), &[]);
    let n_before = base.graph.n_triples();
    let (over, _) = recent.over((base, index));
    assert_eq!(over.graph.n_triples(), n_before);
    let fits = |triple: &Triple| {
        let kind = |id| over.graph.entity(id).entity_type;
        schema.admits_head(kind(triple.head), triple.relation) && schema.admits_tail(triple.relation, kind(triple.tail))
    };
    assert!(over.graph.triples().iter().all(fits));
}
