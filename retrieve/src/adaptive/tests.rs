//! Structures for a question, at the boundary of the module: ferries and papers that nobody saw.

use super::model::{ModelConstructor, ModelThinker, ModelUtiliser};
use super::*;
use crate::scripted::{Scripted, dump, golden, searcher};
use banyan_engine::llm::CallLimits;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;

const FERRIES: [(&str, &str); 3] = [
    (
        "Marram",
        "Marram is a ferry.\n\nFare: 12\nSpeed: 15\nOwner: Sound Line\n\nIts cook bakes rye bread.",
    ),
    (
        "Tern",
        "Tern is a ferry.\n\nFare: 9\nSpeed: 18\nOwner: Sound Line\n\nIts crew keeps a cat.",
    ),
    (
        "Dunlin",
        "Dunlin is a ferry.\n\nFare: 20\nSpeed: 24\nOwner: North Sail\n\nIt leaves in fog.",
    ),
];
const PAPERS: [(&str, &str); 3] = [
    ("On Eels", "On Eels is a paper. It cites Rivers of Corrow."),
    (
        "Rivers of Corrow",
        "Rivers of Corrow is a paper. It cites The Weir Book.",
    ),
    ("The Weir Book", "The Weir Book is a paper about weirs."),
];

/// A cache in memory.
#[derive(Default)]
struct Memory(Mutex<BTreeMap<String, KnowledgeUnit>>);

impl UnitCache for Memory {
    fn get(&self, key: &str) -> Option<KnowledgeUnit> {
        self.0.lock().unwrap().get(key).cloned()
    }

    fn put(&self, key: &str, unit: &KnowledgeUnit) {
        self.0.lock().unwrap().insert(key.to_owned(), unit.clone());
    }
}

/// Chooses the structures that a test is about, and leaves the rest to the embedded thinker.
struct Chosen<'a>(
    &'a Embedded<'a>,
    KnowledgeStructure,
    IndexStructure,
    &'static [&'static str],
);

impl Thinker for Chosen<'_> {
    fn think(&self, question: &Question, documents: &[DocumentIndex]) -> Result<Plan, LlmError> {
        Ok(Plan {
            knowledge: self.1,
            index: self.2,
            columns: self.3.iter().map(ToString::to_string).collect(),
            ..self.0.think(question, documents)?
        })
    }
}

fn ask(
    texts: &[(&str, &str)],
    question: &str,
    chosen: (KnowledgeStructure, IndexStructure, &'static [&'static str]),
    cache: &dyn UnitCache,
) -> Adaptive {
    let searcher = searcher(texts);
    let chooser = classifier().unwrap();
    let embedded = Embedded {
        searcher: &searcher,
        chooser,
    };
    let steps = Steps {
        thinker: &Chosen(&embedded, chosen.0, chosen.1, chosen.2),
        constructor: &embedded,
        utiliser: &embedded,
    };
    let question = Question::new(question, None);
    answer(&searcher, &question, &documents(&searcher, &question), &steps, cache).unwrap()
}

fn lines(found: &Adaptive) -> Vec<&str> {
    found.lines().iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn each_structure_answers_with_evidence() {
    use IndexStructure::{CatalogueGroup, CausalChain, CorrelationGraph, ParallelChunk};
    use KnowledgeStructure::{Chunk, Graph, Table};
    let check = |texts: &[(&str, &str)], question: &str, chosen, expected: &[&str]| {
        let found = ask(texts, question, chosen, &Memory::default());
        assert_eq!(lines(&found), expected, "{question}");
        assert!(found.lines().iter().all(|line| !line.citations.is_empty()));
    };
    check(
        &FERRIES,
        "Compare the ferries by fare and speed.",
        (Table, ParallelChunk, &["fare", "speed"]),
        &[
            "Dunlin: fare 20, speed 24",
            "Marram: fare 12, speed 15",
            "Tern: fare 9, speed 18",
        ],
    );
    check(
        &FERRIES,
        "Sort the ferries by owner.",
        (Table, CatalogueGroup, &["owner"]),
        &["owner North Sail: Dunlin", "owner Sound Line: Marram; Tern"],
    );
    check(
        &PAPERS,
        "How do the papers lead to one another?",
        (Chunk, CausalChain, &[]),
        &["On Eels → Rivers of Corrow → The Weir Book"],
    );
    check(
        &PAPERS,
        "Which papers cite one another?",
        (Graph, CorrelationGraph, &[]),
        &["On Eels → Rivers of Corrow", "Rivers of Corrow → The Weir Book"],
    );
    check(
        &FERRIES,
        "What does the crew keep?",
        (Chunk, ParallelChunk, &[]),
        &["Tern: Its crew keeps a cat."],
    );
}

#[test]
fn what_no_document_has_evidence_for_is_declined() {
    use KnowledgeStructure::{Chunk, Table};
    for (texts, knowledge) in [(&FERRIES[..], Chunk), (&FERRIES[..], Table), (&[][..], Table)] {
        let chosen = (knowledge, IndexStructure::ParallelChunk, &["draught"][..]);
        let found = ask(texts, "Welche Wale leben im Nordmeer?", chosen, &Memory::default());
        assert!(found.lines().is_empty(), "{:?}", found.lines());
    }
}

#[test]
fn a_second_question_takes_the_units_of_the_first() {
    let chosen = (
        KnowledgeStructure::Table,
        IndexStructure::ParallelChunk,
        &["fare", "speed"][..],
    );
    let cache = Memory::default();
    let n_cached = |texts: &[(&str, &str)], question: &str| ask(texts, question, chosen, &cache).n_cached;
    assert_eq!(n_cached(&FERRIES, "Compare the ferries by fare and speed."), 0);
    assert_eq!(n_cached(&FERRIES, "Which is faster, and which cheaper?"), 3);
    assert_eq!(
        n_cached(&FERRIES[..2], "Compare the ferries by fare and speed."),
        0,
        "other documents, other units"
    );
}

#[test]
fn the_columns_that_a_question_names_are_requested() {
    let searcher = searcher(&FERRIES);
    let embedded = Embedded {
        searcher: &searcher,
        chooser: classifier().unwrap(),
    };
    let question = Question::new("Compare the fare and speed of the ferries in a table.", None);
    let plan = embedded.think(&question, &documents(&searcher, &question)).unwrap();
    assert_eq!(plan.columns, ["fare", "speed"], "{plan:?}");
}

const PLAN: &str = r#"{"task": "comparison", "knowledge": "table", "index": "parallel_chunk", "columns": ["fare"], "categories": [],
    "queries": [{"under": 0, "query": "What does each cost?"}, {"under": 1, "query": "What does Tern cost?"}], "reason": "fares are values"}"#;
const FACTS: &str = r#"{"category": "", "facts": [{"head": "fare", "relation": "", "value": "9", "quote": "Fare: 9"},
    {"head": "weight", "relation": "", "value": "9", "quote": "Fare: 9"}]}"#;
const FINDING: &str =
    r#"{"lines": [{"text": "Tern costs 9.", "from": [1]}, {"text": "The moon is far.", "from": [77]}]}"#;

#[test]
fn what_a_model_says_is_checked_carried_out_and_kept() {
    let searcher = searcher(&FERRIES);
    let embedded = Embedded {
        searcher: &searcher,
        chooser: classifier().unwrap(),
    };
    let options = CallLimits {
        max_prompt_tokens: 2_000,
        max_reply_tokens: 500,
        max_concurrent: NonZeroUsize::MIN,
    };
    let model = Scripted::new([
        ("You plan how facts", vec![PLAN]),
        ("You reorganise", vec![FACTS]),
        ("You answer a query", vec![FINDING]),
    ]);
    let is_stopped = || false;
    let steps = Steps {
        thinker: &ModelThinker::new(&model, options, &embedded).unwrap(),
        constructor: &ModelConstructor::new(&model, options, &searcher, &is_stopped).unwrap(),
        utiliser: &ModelUtiliser::new(&model, options, &searcher).unwrap(),
    };
    let cache = Memory::default();
    let question = Question::new("What do the ferries cost?", None);
    let all = documents(&searcher, &question);
    let found = answer(&searcher, &question, &all, &steps, &cache).unwrap();
    let levels: Vec<usize> = found.plan.tree.nodes().iter().map(|node| node.level).collect();
    assert_eq!(levels, [0, 1, 2]);
    assert_eq!(lines(&found), ["Tern costs 9."], "the moon is on no line");
    assert_eq!(found.lines()[0].citations[0].quote, "Fare: 9");
    assert_eq!(found.defects.len(), 2, "{:?}", found.defects);
    let asked = model.asked();
    golden("adaptive/golden/think.txt", &dump(&asked[0]));
    golden("adaptive/golden/construct.txt", &dump(&asked[1]));
    golden("adaptive/golden/utilise.txt", &dump(&asked[4]));

    let again = answer(&searcher, &question, &all, &steps, &cache).unwrap();
    assert_eq!(again.n_cached, 3);
    let asked = model.asked();
    let units = asked.iter().filter(|asked| asked.system.starts_with("You reorganise"));
    assert_eq!(units.count(), 3, "each document is asked about once");
}
