//! Structures for a question, at the boundary of the module: ferries and papers that nobody saw.

use super::model::{AskOptions, ModelConstructor, ModelThinker, ModelUtiliser};
use super::*;
use crate::model::scripted::{Scripted, dump, golden};
use banyan_engine::table::Table;
use banyan_engine::{Document, Knowledge, Origin, Resolution, Schema, Settings, document::canonicalise};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::{Extractor, Watch, extract};
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

struct Nobody;
impl Watch for Nobody {}

fn searcher(texts: &[(&str, &str)]) -> Searcher {
    let document = |(title, text): &(&str, &str)| {
        let origin = Origin {
            file: format!("{title}.txt"),
            record: None,
            line: None,
        };
        Document::new(*title, *text, origin)
    };
    let mut documents: Vec<Document> = texts.iter().map(document).collect();
    canonicalise(&mut documents);
    let schema = Schema::general().unwrap();
    let claims = extract(&documents, Extractor::Embedded, &schema, &EstimateTokens, 256, &Nobody).unwrap();
    Searcher::new(Knowledge::assemble(
        Settings::default(),
        schema,
        documents,
        claims,
        Resolution::default(),
    ))
}

/// A shelf in memory.
#[derive(Default)]
struct Memory {
    tables: Mutex<BTreeMap<String, Table>>,
    units: Mutex<BTreeMap<String, Unit>>,
}

impl Shelf for Memory {
    fn table(&self, key: &str) -> Option<Table> {
        self.tables.lock().unwrap().get(key).cloned()
    }

    fn keep_table(&self, key: &str, table: &Table) {
        self.tables.lock().unwrap().insert(key.to_owned(), table.clone());
    }

    fn unit(&self, key: &str) -> Option<Unit> {
        self.units.lock().unwrap().get(key).cloned()
    }

    fn keep_unit(&self, key: &str, unit: &Unit) {
        self.units.lock().unwrap().insert(key.to_owned(), unit.clone());
    }
}

fn ask(texts: &[(&str, &str)], question: &str, shelf: &dyn Shelf) -> Adaptive {
    let searcher = searcher(texts);
    let chooser = StructureChooser::shipped().unwrap();
    let embedded = Embedded {
        searcher: &searcher,
        chooser: &chooser,
    };
    let steps = Steps {
        thinker: &embedded,
        constructor: &embedded,
        utiliser: &embedded,
    };
    let question = Question::new(question, None);
    answer(&searcher, &question, &documents(&searcher, &question), &steps, shelf).unwrap()
}

fn lines(found: &Adaptive) -> Vec<&str> {
    found.findings[0].lines.iter().map(|line| line.text.as_str()).collect()
}

const COMPARISON: &str = "Compare the ferries in a table by fare and speed.";

#[test]
fn a_comparison_is_answered_from_its_leaves_up_with_quotes() {
    let found = ask(&FERRIES, COMPARISON, &NoShelf);
    assert_eq!(found.plan.strategy.task, Task::Comparison);
    let levels: Vec<usize> = found.plan.tree.nodes().iter().map(|node| node.level).collect();
    assert_eq!(levels, [0, 1, 1, 2, 2, 2, 2, 2, 2]);
    let lines = lines(&found);
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert!(lines[0].contains("Dunlin") && lines[0].contains("20"), "{lines:?}");
    assert!(lines[5].contains("Marram") && lines[5].contains("15"), "{lines:?}");
    assert!(found.findings[0].lines.iter().all(|line| line.citations.len() == 1));
    let json = serde_json::to_value(&found).unwrap();
    assert!(
        json["schema"]["intra"].is_array() && json["tree"]["nodes"].is_array(),
        "{json}"
    );
}

#[test]
fn a_second_question_takes_the_units_of_the_first() {
    let shelf = Memory::default();
    assert_eq!(ask(&FERRIES, COMPARISON, &shelf).n_kept, 0);
    let second = ask(&FERRIES, "Compare the ferries in a table by speed and fare.", &shelf);
    assert_eq!(second.n_kept, 3);
    assert!(
        lines(&second).iter().any(|line| line.contains("24")),
        "{:?}",
        lines(&second)
    );
    assert_eq!(
        ask(&FERRIES[..2], COMPARISON, &shelf).n_kept,
        0,
        "other documents, other units"
    );
}

#[test]
fn documents_are_put_under_the_bound_that_they_meet() {
    let question = "Group the ferries into those with a fare below 10 and those with a fare of 10 or more.";
    let found = ask(&FERRIES, question, &NoShelf);
    let Joint::Groups(groups) = &found.schema.inter else {
        panic!("{:?}", found.schema.inter)
    };
    let sizes: Vec<usize> = groups.iter().map(|group| group.documents.len()).collect();
    assert_eq!(sizes, [1, 2], "{groups:?}");
}

#[test]
fn a_chain_of_papers_is_followed_to_its_end() {
    let found = ask(
        &PAPERS,
        "What is the longest chain of papers that cite one another?",
        &NoShelf,
    );
    assert_eq!(found.plan.strategy.index, IndexStructure::CausalChain);
    assert_eq!(lines(&found), ["On Eels → Rivers of Corrow → The Weir Book"]);
}

#[test]
fn no_documents_and_foreign_questions_end_in_an_empty_answer_or_a_quote() {
    assert!(lines(&ask(&[], COMPARISON, &NoShelf)).is_empty());
    let found = ask(&FERRIES, "Welche Fähre fährt im Nebel?", &NoShelf);
    for line in &found.findings[0].lines {
        assert!(!line.citations.is_empty(), "{line:?}");
    }
}

const PLAN: &str = r#"{"task": "comparison", "knowledge": "table", "index": "parallel chunk", "columns": ["fare"], "categories": [],
    "queries": [{"under": 0, "about": "fare", "query": "What does each cost?"}, {"under": 1, "about": "Tern", "query": "What does Tern cost?"},
    {"under": 0, "about": "the moon", "query": "What of the moon?"}], "reason": "fares are values"}"#;
const FACTS: &str = r#"{"facts": [{"head": "fare", "relation": "", "value": "9", "quote": "Fare: 9"},
    {"head": "weight", "relation": "", "value": "9", "quote": "Fare: 9"}]}"#;
const FINDING: &str =
    r#"{"lines": [{"text": "Tern costs 9.", "from": [1]}, {"text": "The moon is far.", "from": [77]}]}"#;

#[test]
fn what_a_model_says_is_checked_carried_out_and_kept() {
    let searcher = searcher(&FERRIES);
    let chooser = StructureChooser::shipped().unwrap();
    let embedded = Embedded {
        searcher: &searcher,
        chooser: &chooser,
    };
    let options = AskOptions {
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
    let (thinker, utiliser) = (
        ModelThinker::new(&model, options, &embedded).unwrap(),
        ModelUtiliser::new(&model, options, &embedded).unwrap(),
    );
    let constructor = ModelConstructor::new(&model, options, &searcher, &is_stopped).unwrap();
    let steps = Steps {
        thinker: &thinker,
        constructor: &constructor,
        utiliser: &utiliser,
    };
    let shelf = Memory::default();
    let question = Question::new("What do the ferries cost?", None);
    let all = documents(&searcher, &question);
    let found = answer(&searcher, &question, &all, &steps, &shelf).unwrap();
    let levels: Vec<usize> = found.plan.tree.nodes().iter().map(|node| node.level).collect();
    assert_eq!(levels, [0, 1, 2], "the moon is no part of the tree");
    assert_eq!(lines(&found), ["Tern costs 9."], "the moon is on no line");
    assert_eq!(found.findings[0].lines[0].citations[0].quote, "Fare: 9");
    assert_eq!(found.defects.len(), 3, "{:?}", found.defects);
    let asked = model.asked();
    golden("adaptive/golden/think.txt", &dump(&asked[0]));
    golden("adaptive/golden/construct.txt", &dump(&asked[1]));
    golden("adaptive/golden/utilise.txt", &dump(&asked[4]));

    let again = answer(&searcher, &question, &all, &steps, &shelf).unwrap();
    assert_eq!(again.n_kept, 3);
    let n_units = model
        .asked()
        .iter()
        .filter(|asked| asked.system.starts_with("You reorganise"))
        .count();
    assert_eq!(n_units, 3, "each document is asked about once");
}
