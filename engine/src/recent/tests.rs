//! Documents laid over a knowledge are known as they would be had they been there from the start, and what was removed is not.

use super::*;
use crate::document::{Origin, Span};
use crate::fact::{AttributeClaim, EntityClaim, LooseClaim, Mention, TripleClaim};
use crate::knowledge::Settings;
use crate::resolution::Resolution;
use crate::schema::Schema;
use std::collections::{BTreeMap, BTreeSet};
use told::told;

mod told;

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
                entity: crate::name::key(name).into(),
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
    let mut said = Contribution {
        opening: sentences[0].end,
        ..Contribution::default()
    };
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
                head: key(head).into(),
                relation: schema.relation_id(relation).unwrap(),
                tail: key(tail).into(),
                phrase: WORDS[dice.roll(3)].to_owned(),
                span: sentence,
            });
            said.loose.push(LooseClaim {
                head: key(tail).into(),
                tail: key(head).into(),
                phrase: WORDS[dice.roll(WORDS.len())].to_owned(),
                span: sentence,
            });
        }
        said.attributes.push(AttributeClaim {
            entity: key(dice.roll(12)).into(),
            attribute: schema.attribute_id("note").unwrap(),
            value: WORDS[dice.roll(2)].to_owned(),
            span: sentence,
        });
    }
    let ends = said.triples.iter().flat_map(|claim| [&claim.head, &claim.tail]);
    let named = mentions.iter().map(|mention| &mention.entity);
    let named: BTreeSet<_> = named
        .chain(ends)
        .chain(said.attributes.iter().map(|claim| &claim.entity))
        .cloned()
        .collect();
    for entity in &named {
        let (at, name) = (
            text.len(),
            NAMES.iter().find(|name| crate::name::key(name) == **entity).unwrap(),
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
        let at = (0..NAMES.len()).find(|at| key(*at) == *entity).unwrap();
        said.entities.push(EntityClaim {
            entity,
            name: NAMES[at].into(),
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
