//! A hundred thousand arbitrary and mutated replies: whatever comes, what is let through keeps the law.

use crate::Extractor;
use crate::chunk::EstimateTokens;
use crate::pipeline::{Watch, extract};
use crate::reply::repair::Repairs;
use crate::reply::value::Value;
use crate::reply::{json, read};
use crate::stated::{
    DefectCounts, DefectKind, MAX_DESCRIPTION_CHARS, MAX_LABEL_CHARS, MAX_NAME_CHARS, MAX_TYPE_NAMES, MAX_VALUE_CHARS,
    Stated,
};
use banyan_engine::document::canonicalise;
use banyan_engine::graph::assemble;
use banyan_engine::name::key;
use banyan_engine::{Document, Origin, Resolution, Schema, Span, StatedAt};
use std::collections::{BTreeMap, BTreeSet};

const N_REPLIES: usize = 100_000;
const N_PASSAGES: u32 = 3;
/// Replies whose facts become one graph; divides [`N_REPLIES`].
const BATCH: usize = 5_000;

/// Replies of every known shape, well written and badly.
const SEEDS: [&str; 12] = [
    r#"{"passages": [{"passage": 1, "entities": [{"name": "Teak", "type": "film"}, {"name": "Mara Voss", "type": "person"}], "triples": [{"head": "Teak", "relation": "director", "tail": "Mara Voss"}], "attributes": [{"entity": "Teak", "attribute": "year", "value": "1999"}]}, {"passage": 2, "entities": [], "triples": [["Tidd", "located_in", "Ansay"]], "attributes": []}], "new_schema_types": {"nodes": [], "relations": [{"name": "moored_at", "description": "Where a ship lies.", "domain": ["ship"], "range": ["place"]}], "attributes": []}}"#,
    r#"{"attributes": {"Mara Voss": ["profession: director", "born: 1961"], "Teak": ["lost"]}, "triples": [["Mara Voss", "directed", "Teak"], ["Teak", "set_in", "Tidd"]], "entity_types": {"Mara Voss": "person", "Teak": "film"}, "new_schema_types": {"nodes": ["harbour"], "relations": ["set_in"], "attributes": ["born"]}}"#,
    "```json\n{\"triples\": [[\"Teak\", \"director\", \"Mara Voss\",], [\"Teak\", \"writer\", \"Ada Lorn\"]],}\n```\nThat is all.",
    "<think>Perhaps {\"triples\": []}?</think>{'entities': ['Teak', 'Tidd'], 'triples': [('Teak', 'set_in', 'Tidd')], 'attributes': None}",
    "{entities: [{name: Teak, type: film}], triples: [{subject: Teak, predicate: director, object: 'Mara Voss'}]} // done",
    "{“triples”: [[“宋江”, “located_in”, “梁山泊”], [“Ştefan”, “director”, “Café—Müller”]]}",
    "{\"triples\": [{\"head\": \"Tidd\", \"relation\": \"located_in\", \"tail\": [\"Ansay\", \"Harrow\"]}]}\n{\"entities\": {\"place\": [\"Tidd\", \"Ansay\"]}}",
    r#"{"name": "extract", "arguments": "{\"triples\": [[\"Tidd\", \"located_in\", \"Ansay\"]]}"}"#,
    r#"{"nodes": [{"id": "Teak", "label": "film"}], "edges": [{"source": "Teak", "target": "Mara Voss", "type": "director", "weight": 0.9}]}"#,
    r#"{"triples": ["(Teak, director, Mara Voss)", "Tidd | located_in | Ansay"], "attributes": [["Teak", "year", 1999], {"Tidd": {"population": 312}}]}"#,
    "I am sorry, but as a model {I} cannot [do] \"that\". Here is a poem instead: ...",
    r#"{"passages": {"1": {"triples": [["A", "knows", "B"], ["A", "knows", "a"], ["", "is", "B"]]}, "passage 9": {"triples": [["\ud83c\udf33", "is", "\u0000tree"]]}}"#,
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
    "\"passage\": 2,",
    "\"new_schema_types\": [",
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

/// One of the hundred thousand: a tenth made of pieces alone, the others a seed with up to six mutations.
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

struct Nobody;
impl Watch for Nobody {}

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

fn schema() -> Schema {
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
fn a_hundred_thousand_replies_give_only_lawful_statements() {
    let schema = schema();
    let mut dice = Dice(3);
    let mut counts = DefectCounts::default();
    let (mut n_facts, mut n_bound, mut n_unusable) = (0, 0, 0);
    let mut said = Vec::with_capacity(BATCH);
    for _ in 0..N_REPLIES {
        let reply = reply(&mut dice);
        let statements = read(&reply, N_PASSAGES);
        for part in &statements.parts {
            assert!(holds(&part.stated), "{reply}\n{:?}", part.stated);
            assert!(
                part.passage.is_none_or(|number| (1..=N_PASSAGES).contains(&number)),
                "{reply}"
            );
            counts.add(&part.stated.defects);
            n_facts += part.stated.n_facts();
        }
        assert!(!statements.is_unusable() || !statements.defects.is_empty(), "{reply}");
        counts.add(&statements.defects);
        n_unusable += usize::from(statements.is_unusable());
        let together = statements.together();
        assert!(holds(&together), "{reply}\n{together:?}");
        said.push(together);
        if said.len() == BATCH {
            n_bound += bound(&said, &schema);
            said.clear();
        }
    }
    // Mutation leaves most replies readable, and every defect that a reply alone can have is met.
    assert!(
        n_facts > N_REPLIES && n_bound > N_REPLIES / 4,
        "{n_facts} facts, {n_bound} bound"
    );
    assert!(
        (N_REPLIES / 100..N_REPLIES / 2).contains(&n_unusable),
        "{n_unusable} unusable"
    );
    let elsewhere = [DefectKind::NotInText, DefectKind::Unused, DefectKind::Unanswered];
    let rare = [DefectKind::TooMany, DefectKind::TooDeep];
    for kind in DefectKind::ALL
        .into_iter()
        .filter(|kind| !elsewhere.contains(kind) && !rare.contains(kind))
    {
        assert!(counts.of(kind) > 0, "{kind} was never met");
    }
}

/// A random value, and the same as a reply has it.
fn value(dice: &mut Dice, depth: usize) -> (serde_json::Value, Value) {
    let texts = [
        "",
        "Teak",
        "a \"b\", c",
        "O'Brien: x",
        "{[",
        "\u{1}\n\\",
        "梁山泊 🌳",
        "null",
        "// no",
    ];
    match dice.roll(if depth == 0 { 4 } else { 6 }) {
        0 => (serde_json::Value::Null, Value::Null),
        1 => (true.into(), Value::Bool(true)),
        2 => {
            let number = dice.roll(1_000_000);
            (number.into(), Value::Number(number.to_string()))
        }
        3 => {
            let text = dice.pick(&texts);
            (text.into(), Value::Text(text.to_owned()))
        }
        4 => {
            let (theirs, items) = (0..dice.roll(4)).map(|_| value(dice, depth - 1)).unzip();
            (serde_json::Value::Array(theirs), Value::List { items, is_cut: false })
        }
        _ => {
            let mut theirs = serde_json::Map::new();
            let mut entries = BTreeMap::new();
            for _ in 0..dice.roll(4) {
                let name = dice.pick(&["a", "b:", "c d", "\u{e9}"]).to_owned();
                let (their, our) = value(dice, depth - 1);
                theirs.insert(name.clone(), their);
                entries.insert(name, our);
            }
            let entries = entries.into_iter().collect();
            (
                serde_json::Value::Object(theirs),
                Value::Object { entries, is_cut: false },
            )
        }
    }
}

#[test]
fn valid_json_is_read_exactly() {
    let mut dice = Dice(7);
    for _ in 0..5_000 {
        let (their, our) = value(&mut dice, 5);
        if !our.is_container() {
            continue;
        }
        for text in [their.to_string(), format!("{their:#}")] {
            let mut repairs = Repairs::default();
            assert_eq!(json::values(&text, &mut repairs), std::slice::from_ref(&our), "{text}");
            assert_eq!(repairs.defects(), [], "{text}");
        }
    }
}
