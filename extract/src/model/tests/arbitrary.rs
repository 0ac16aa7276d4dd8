//! Thirty thousand mutated replies: whatever comes, what is let through keeps the law.

use super::*;
use crate::model::reply::{Assigned, Extraction, assign};
use crate::stated::{
    DefectCounts, DefectKind, MAX_DESCRIPTION_CHARS, MAX_LABEL_CHARS, MAX_NAME_CHARS, MAX_TYPE_NAMES, MAX_VALUE_CHARS,
    Stated,
};
use crate::{Extractor, chunk::EstimateTokens, pipeline::extract};
use banyan_engine::document::canonicalise;
use banyan_engine::graph::assemble;
use banyan_engine::llm::Role;
use banyan_engine::name::key;
use banyan_engine::{Resolution, StatedAt};
use std::collections::{BTreeMap, BTreeSet};

const N_REPLIES: usize = 30_000;
/// Replies whose facts become one graph; divides [`N_REPLIES`].
const BATCH: usize = 5_000;

/// Replies, well written and badly.
const SEEDS: [&str; 6] = [
    r#"{"passages": [{"about": 1, "entities": [{"name": "Teak", "type": "film"}, {"name": "Mara Voss", "type": "person"}], "triples": [{"head": "Teak", "relation": "director", "tail": "Mara Voss"}], "attributes": [{"entity": "Teak", "attribute": "year", "value": "1999"}]}, {"about": 2, "triples": [["Tidd", "located_in", "Ansay"]]}], "proposed_types": {"entity_types": [], "relations": [{"name": "moored_at", "description": "Where a ship lies.", "domain": ["ship"], "range": ["place"]}], "attributes": [{"name": "draught", "kind": "quantity"}, {"name": "size", "kind": "heap"}]}}"#,
    "```json\n{\"passages\": [{\"about\": 1, \"triples\": [[\"Teak\", \"director\", \"Mara Voss\",], [\"Teak\", \"writer\", \"Ada Lorn\"]],}]}\n```\nThat is all.",
    "<think>Perhaps {\"passages\": []}?</think>{'passages': [{'about': '#3', 'entities': ['Teak', 'Tidd'], 'triples': [('Teak', 'set_in', 'Tidd')], 'attributes': None}]}",
    "{passages: [{passage: 1, entities: [{name: Teak, type: film}], triples: [{subject: Teak, predicate: director, object: 'Mara Voss'}]}]} // done",
    "I am sorry, but as a model {I} cannot [do] \"that\". Here is a poem instead: ...",
    r#"{"passages": [{"about": 1, "triples": [["A", "knows", "B"], ["A", "knows", "B"], ["A", "knows", "a"], ["", "is", "B"], {"head": "A"}, {"head": ["A"], "relation": "is", "tail": {}}]}, {"about": 9, "triples": [["\ud83c\udf33", "is", "\u0000tree"]]}]}"#,
];

/// Pieces that mutations insert.
const PIECES: [&str; 44] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    "\"",
    "'",
    "“",
    "”",
    "‘",
    "’",
    "\\",
    "\\u",
    "\\ud800",
    "\\n",
    "\n",
    "\t",
    "\0",
    "\u{7f}",
    "\u{202e}",
    "\u{feff}",
    "é",
    "梁",
    "🌳",
    "```",
    "```json",
    "//",
    "/*",
    "*/",
    "#",
    "null",
    "None",
    "NaN",
    "-1e999",
    "true",
    "<think>",
    "</think>",
    "\"triples\": [",
    "\"about\": 2,",
    "\"proposed_types\": [",
    "{\"head\": \"\"}",
];

/// `SplitMix64` (Steele, Lea and Flood, 2014): the same replies on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n.max(1) as u64).unwrap()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

/// A position between two characters.
fn cut(text: &str, dice: &mut Dice) -> usize {
    let mut at = dice.roll(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutated(mut reply: String, dice: &mut Dice) -> String {
    let (a, b) = (cut(&reply, dice), cut(&reply, dice));
    let (start, end) = (a.min(b), a.max(b));
    match dice.roll(9) {
        0 => reply.truncate(end),
        1 => reply.replace_range(start..reply.floor_char_boundary(end.min(start + 40)), ""),
        2 => reply.insert_str(start, dice.pick(&PIECES)),
        3 => reply.insert_str(start, &dice.pick(&PIECES).repeat(1 + dice.roll(50))),
        4 => reply.insert_str(start, &reply.clone()[start..end]),
        5 => reply.push_str(dice.pick(&SEEDS)),
        6 => {
            let (old, new) = (dice.pick(&PIECES), dice.pick(&PIECES));
            reply = reply.replacen(old, new, 1 + dice.roll(9));
        }
        7 => reply = reply[start..].to_owned(),
        _ => reply.insert_str(start, &"x y".repeat(dice.roll(300))),
    }
    // Repeated doubling would only repeat what is tried already.
    if reply.len() > 6_000 {
        reply.truncate(cut(&reply[..reply.floor_char_boundary(6_000)], dice));
    }
    reply
}

/// A tenth made of pieces alone, the others a seed with up to six mutations.
fn reply(dice: &mut Dice) -> String {
    if dice.roll(10) == 0 {
        return (0..dice.roll(60)).map(|_| dice.pick(&PIECES)).collect();
    }
    let seed = dice.pick(&SEEDS).to_owned();
    (0..dice.roll(7)).fold(seed, |reply, _| mutated(reply, dice))
}

fn is_name(text: &str, max_chars: usize) -> bool {
    !key(text).is_empty()
        && text.trim() == text
        && text.chars().count() <= max_chars
        && !text.chars().any(char::is_control)
}

/// The law of [`Stated`]: trimmed, named, bounded, nothing related to itself, nothing twice.
fn holds(stated: &Stated) -> bool {
    let entities = stated.entities.iter().all(|entity| {
        let kind = entity.entity_type.as_deref();
        is_name(&entity.name, MAX_NAME_CHARS) && kind.is_none_or(|kind| is_name(kind, MAX_LABEL_CHARS))
    });
    let triples = stated.triples.iter().all(|triple| {
        is_name(&triple.head, MAX_NAME_CHARS)
            && is_name(&triple.relation, MAX_LABEL_CHARS)
            && is_name(&triple.tail, MAX_NAME_CHARS)
            && key(&triple.head) != key(&triple.tail)
    });
    let attributes = stated.attributes.iter().all(|attribute| {
        is_name(&attribute.entity, MAX_NAME_CHARS)
            && is_name(&attribute.attribute, MAX_LABEL_CHARS)
            && is_name(&attribute.value, MAX_VALUE_CHARS)
    });
    let types = stated.types.iter().all(|proposal| {
        let ends = proposal.domain.iter().chain(&proposal.range);
        is_name(&proposal.name, MAX_LABEL_CHARS)
            && proposal.description.chars().count() <= MAX_DESCRIPTION_CHARS
            && proposal.domain.len().max(proposal.range.len()) <= MAX_TYPE_NAMES
            && ends.into_iter().all(|name| is_name(name, MAX_LABEL_CHARS))
    });
    let distinct: BTreeSet<_> = stated
        .triples
        .iter()
        .map(|triple| [&triple.head, &triple.relation, &triple.tail].map(|name| key(name)))
        .collect();
    entities && triples && attributes && types && distinct.len() == stated.triples.len()
}

/// Builds a graph of what replies say, a document each, and holds it against the schema; returns how often its facts are stated.
fn bound(said: &[Stated], schema: &Schema) -> usize {
    let origin = |at: usize| Origin {
        file: format!("{at}.txt"),
        record: None,
        line: None,
    };
    let document = |at: usize| {
        Document::new(
            format!("Reply {at}"),
            format!("Teak {at}. Mara Voss saw Tidd."),
            origin(at),
        )
    };
    let mut documents: Vec<Document> = (0..said.len()).map(document).collect();
    let span = |document: &Document| Span::new(0, document.text.len());
    let at = |(document, stated): (&Document, &Stated)| {
        let (span, stated) = (span(document), stated.clone());
        (
            document.id,
            vec![StatedAt {
                span,
                stated,
                tokens: 0,
            }],
        )
    };
    let statements: BTreeMap<_, _> = documents.iter().zip(said).map(at).collect();
    canonicalise(&mut documents);
    let extractor = Extractor::Stated(&statements);
    let contributions = extract(&documents, extractor, schema, &EstimateTokens, 256, &Nobody).unwrap();
    let (_, graph, _) = assemble(schema, &contributions, &Resolution::default());
    let kind = |id| graph.entity(id).entity_type;
    for triple in graph.triples() {
        assert!(
            schema.admits(kind(triple.head), triple.relation, kind(triple.tail)),
            "{triple:?}"
        );
    }
    for fact in graph.attributes() {
        assert!(schema.admits_attribute(kind(fact.entity), fact.attribute), "{fact:?}");
        assert!(
            schema.attributes()[fact.attribute.index()].holds(&fact.value),
            "{fact:?}"
        );
    }
    let triples = graph.triples().iter().map(|triple| triple.sources.len());
    triples
        .chain(graph.attributes().iter().map(|fact| fact.sources.len()))
        .sum()
}

fn films() -> Schema {
    Schema::from_json(
        r#"{"name": "films",
            "entity_types": [{"name": "person"}, {"name": "film"}, {"name": "place"}],
            "relations": [{"name": "director", "domain": ["film"], "range": ["person"]},
                          {"name": "located_in", "domain": ["place"], "range": ["place"]}],
            "attributes": [{"name": "year", "domain": ["film"], "kind": "date"}]}"#,
    )
    .unwrap()
}

#[test]
fn thousands_of_replies_give_only_lawful_statements() {
    let schema = films();
    let role: Role<Extraction> = Role::new("extraction", include_str!("../../../prompts/extract.md")).unwrap();
    let documents = documents(&["Teak, by Mara Voss.", "Tidd of Ansay.", "Teak. Tidd."]);
    let passages = passages(&documents);
    let passages: Vec<&Passage<'_>> = passages.iter().collect();
    let mut dice = Dice(3);
    let mut counts = DefectCounts::default();
    let (mut n_facts, mut n_bound, mut n_unusable) = (0, 0, 0);
    let mut said = Vec::with_capacity(BATCH);
    for _ in 0..N_REPLIES {
        let text = reply(&mut dice);
        let asked = role.read(&super::reply(text.as_str(), Finish::Stop));
        assert!(asked.value.is_some() || !asked.defects.is_empty(), "{text}");
        n_unusable += usize::from(asked.value.is_none());
        for Assigned { stated, .. } in assign(asked, &passages, Guard::Off) {
            assert!(holds(&stated), "{text}\n{stated:?}");
            counts.add(&stated.defects);
            n_facts += stated.n_facts();
            said.push(stated);
        }
        if said.len() >= BATCH {
            n_bound += bound(&said, &schema);
            said.clear();
        }
    }
    // Mutation leaves many replies readable, and every defect that a reply alone can have is met.
    assert!(
        n_facts > N_REPLIES / 2 && n_bound > N_REPLIES / 10,
        "{n_facts} facts, {n_bound} bound"
    );
    assert!(
        (N_REPLIES / 100..N_REPLIES * 2 / 3).contains(&n_unusable),
        "{n_unusable} unusable"
    );
    let elsewhere = [
        DefectKind::NotInText,
        DefectKind::Unanswered,
        DefectKind::UnknownReference,
    ];
    let rare = [DefectKind::TooMany, DefectKind::TooDeep];
    let expected = DefectKind::ALL
        .into_iter()
        .filter(|kind| !elsewhere.contains(kind) && !rare.contains(kind));
    for kind in expected {
        assert!(counts.of(kind) > 0, "{kind} was never met");
    }
}
