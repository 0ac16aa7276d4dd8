//! Tables for one question, at the boundary of the module: mills that nobody built.

use super::*;
use crate::aggregate::{EmbeddedTranslator, ModelTranslator};
use crate::scripted::{self, Scripted, dump, golden};
use banyan_engine::Document;
use banyan_engine::llm::CallLimits;
use banyan_extract::record::{Embedded, RecordReader};

fn documents() -> Vec<Document> {
    let mills = [
        (
            "Upper Mill",
            "Upper Mill is a mill on the Tam.\n\nBuilt: 1801\nWheels: 3\nOwner: Bray\n",
        ),
        (
            "Lower Mill",
            "Lower Mill is a mill on the Tam.\n\nBuilt: 1840\nWheels: 5\nOwner: Bray\n",
        ),
        (
            "Hook Mill",
            "Hook Mill is a mill on the Sule.\n\nBuilt: 1875\nWheels: 4\nOwner: Cole\n",
        ),
        ("A letter", "Dear Ann, the geese have left and the rain goes on."),
    ];
    scripted::documents(&mills)
}

fn ask(question: &str, documents: &[Document]) -> Tabulated {
    let steps = Steps {
        planner: &EmbeddedPlanner,
        filler: &Embedded,
        translator: &EmbeddedTranslator,
    };
    tabulate(question, documents, &[], &steps).unwrap()
}

#[test]
fn a_question_gets_the_columns_that_it_needs_and_an_answer_from_them_alone() {
    let check = |question: &str, answer: Option<&str>, column: &str| {
        let found = ask(question, &documents());
        assert_eq!(found.asked.answer.as_deref(), answer, "{question}: {:?}", found.asked);
        assert!(found.table.schema.position(column).is_some(), "{question}");
    };
    check(
        "What is the average number of wheels of the mills?",
        Some("4"),
        "wheels",
    );
    check("How many mills were built before 1850?", Some("2"), "built");
    check("Which mill has the most wheels?", Some("Lower Mill"), "wheels");
    check("What is the average salary of the mills?", None, "owner");
}

#[test]
fn no_documents_give_no_answer() {
    let found = ask("How many mills are there?", &[]);
    assert_eq!((found.n_read, found.asked.answer), (0, None));
}

#[test]
fn of_many_documents_the_best_ranked_are_read() {
    let mill = documents().remove(0);
    let all: Vec<Document> = (0..MAX_DOCUMENTS + 10)
        .map(|at| Document {
            title: format!("Mill {at}"),
            ..mill.clone()
        })
        .collect();
    let read = relevant(&all, &[MAX_DOCUMENTS + 5]);
    assert_eq!(read.len(), MAX_DOCUMENTS);
    assert_eq!(read[MAX_DOCUMENTS - 1].title, format!("Mill {}", MAX_DOCUMENTS + 5));
}

const TARGET: &str = r#"{"columns": [{"name": "Wheels", "type": "integer", "description": "how many wheels it has"},
    {"name": "wheels", "type": "integer", "description": ""}, {"name": "x", "type": "list", "description": ""}],
    "sql": "SELECT avg(\"wheel\") FROM records", "rows": "SELECT _row FROM records WHERE \"wheels\" IS NOT NULL"}"#;
const MENDED: &str =
    r#"{"sql": "SELECT avg(\"wheels\") FROM records", "records": "SELECT _row FROM records", "reason": ""}"#;
const HOSTILE: &str = r#"{"sql": "ATTACH 'x' AS y", "records": "", "reason": ""}"#;
const VALUE: &str = r#"{"cells": [{"column": "wheels", "value": "4", "quote": "Wheels: "}]}"#;

fn by_model(model: &Scripted) -> Tabulated {
    let is_stopped = || false;
    let steps = Steps {
        planner: &ModelPlanner::new(model, 500).unwrap(),
        filler: &RecordReader::new(model, CallLimits::default(), &is_stopped).unwrap(),
        translator: &ModelTranslator::new(model).unwrap(),
    };
    tabulate(
        "What is the average number of wheels of the mills?",
        &documents(),
        &[],
        &steps,
    )
    .unwrap()
}

fn scripted(target: &'static str, value: &'static str, mended: &'static str) -> Scripted {
    Scripted::new([
        ("design a table", vec![target]),
        ("one SQLite statement", vec![mended]),
        ("", vec![value]),
    ])
}

#[test]
fn a_models_statement_that_does_not_run_is_mended_and_its_values_are_quoted() {
    let model = scripted(TARGET, VALUE, MENDED);
    let found = by_model(&model);
    assert_eq!(found.asked.answer.as_deref(), Some("4"), "{:?}", found.asked);
    assert_eq!(found.asked.provenance, [0, 1, 2]);
    assert!(found.asked.notes.iter().any(|note| note.starts_with("mended: ")));
    let span = found.table.records[0].cells[0].span.unwrap();
    assert!(span.of(&documents()[0].text).starts_with("Wheels:"));
    golden("tabulate/golden/target.txt", &dump(&model.asked()[0]));
}

#[test]
fn what_nobody_mends_and_what_stayed_empty_is_refused() {
    let found = by_model(&scripted(TARGET, VALUE, HOSTILE));
    assert!(found.asked.refusal.unwrap().starts_with("none of 3 statements"));
    let found = by_model(&scripted(TARGET, r#"{"cells": []}"#, MENDED));
    assert_eq!(found.asked.answer, None, "{:?}", found.asked);
}

#[test]
fn a_model_without_a_usable_plan_gives_way_to_the_shared_columns() {
    let found = by_model(&scripted("I would rather not.", VALUE, MENDED));
    assert!(found.target.reasons[0].starts_with("the model gave no usable columns"));
    assert_eq!(found.asked.answer.as_deref(), Some("4"), "{:?}", found.asked);
}
