//! Thousands of broken replies: whatever comes, what is let through keeps the law.

use super::*;
use crate::model::reply::{Assigned, Extraction, assign};
use crate::stated::{
    DefectCounts, DefectKind, MAX_DESCRIPTION_CHARS, MAX_LABEL_CHARS, MAX_NAME_CHARS, MAX_TYPE_NAMES, MAX_VALUE_CHARS,
    Stated,
};
use banyan_engine::llm::Role;
use banyan_engine::name::key;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Replies, well written and badly.
const SEEDS: [&str; 6] = [
    r#"{"passages": [{"about": 1, "entities": [{"name": "Teak", "type": "film"}, {"name": "Mara Voss", "type": "person"}], "triples": [{"head": "Teak", "relation": "director", "tail": "Mara Voss"}], "attributes": [{"entity": "Teak", "attribute": "year", "value": "1999"}]}, {"about": 2, "triples": [["Tidd", "located_in", "Ansay"]]}], "proposed_types": {"entity_types": [], "relations": [{"name": "moored_at", "description": "Where a ship lies.", "domain": ["ship"], "range": ["place"]}], "attributes": [{"name": "draught", "kind": "quantity"}, {"name": "size", "kind": "heap"}]}}"#,
    "```json\n{\"passages\": [{\"about\": 1, \"triples\": [[\"Teak\", \"director\", \"Mara Voss\",], [\"Teak\", \"writer\", \"Ada Lorn\"]],}]}\n```\nThat is all.",
    "<think>Perhaps {\"passages\": []}?</think>{'passages': [{'about': '#3', 'entities': ['Teak', 'Tidd'], 'triples': [('Teak', 'set_in', 'Tidd')], 'attributes': None}]}",
    "{passages: [{passage: 1, entities: [{name: Teak, type: film}], triples: [{subject: Teak, predicate: director, object: 'Mara Voss'}]}]} // done",
    "I am sorry, but as a model {I} cannot [do] \"that\". Here is a poem instead: ...",
    r#"{"passages": [{"about": 1, "triples": [["A", "knows", "B"], ["A", "knows", "B"], ["A", "knows", "a"], ["", "is", "B"], ["1999", "is", "B"], {"head": "A"}, {"head": ["A"], "relation": "is", "tail": {}}]}, {"about": 9, "triples": [["\ud83c\udf33", "is", "\u0000tree"]]}]}"#,
];

/// What stands between their parts.
const PIECES: &str = "{ } [ ] ( ) , : \" ' “ ” ‘ ’ \\ \\u \\ud800 \\n \n \t \0 \u{7f} \u{202e} \u{feff} é 梁 🌳 ``` ```json // /* */ # \
    null None NaN -1e999 true <think> </think> \"triples\":[ \"about\":2, \"proposed_types\":[ {\"head\":\"\"}";

/// Whole replies, parts of them and pieces, one after the other.
fn replies() -> impl Strategy<Value = String> {
    let piece = (select(PIECES.split(' ').collect::<Vec<_>>()), 1..40_usize).prop_map(|(piece, n)| piece.repeat(n));
    let part = (select(&SEEDS[..]), any::<Index>(), any::<Index>()).prop_map(|(seed, a, b)| {
        let place = |at: Index| seed.floor_char_boundary(at.index(seed.len() + 1));
        seed[place(a).min(place(b))..place(a).max(place(b))].to_owned()
    });
    let whole = select(&SEEDS[..]).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![whole, part.clone(), part, piece], 0..6).prop_map(|parts| parts.concat())
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

#[test]
fn thousands_of_replies_give_only_lawful_statements() {
    let role: Role<Extraction> = Role::new("extraction", include_str!("../../../prompts/extract.md")).unwrap();
    let documents = documents(&[
        "Teak, a film by Mara Voss, 1999.",
        "Tidd of Ansay.",
        "Teak. Tidd. A, B. Ada Lorn.",
    ]);
    let passages = passages(&documents);
    let (counts, n_facts) = (RefCell::new(DefectCounts::default()), RefCell::new(0));
    let config = ProptestConfig {
        cases: 10_000,
        rng_seed: RngSeed::Fixed(42),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(text in replies())| {
        let asked = role.read(&reply(text.as_str(), Finish::Stop));
        prop_assert!(asked.value.is_some() || !asked.defects.is_empty());
        for Assigned { stated, .. } in assign(asked, &passages, |_, name| name == "Ansay") {
            prop_assert!(holds(&stated), "{stated:?}");
            counts.borrow_mut().add(&stated.defects);
            *n_facts.borrow_mut() += stated.n_facts();
        }
    });
    assert!(n_facts.into_inner() > 1_000);
    // Many stay readable, and every defect that a reply alone can have is met.
    let met = [
        DefectKind::NotJson,
        DefectKind::Syntax,
        DefectKind::Truncated,
        DefectKind::WrongShape,
        DefectKind::WrongType,
        DefectKind::MissingField,
        DefectKind::EmptyName,
        DefectKind::SelfLoop,
        DefectKind::NotInText,
        DefectKind::Duplicate,
        DefectKind::UnknownKind,
        DefectKind::UnknownPassage,
        DefectKind::Unused,
        DefectKind::NoThing,
    ];
    for kind in &met {
        assert!(counts.borrow().of(*kind) > 0, "{kind} was never met");
    }
}
