//! Tables for one question, at the boundary of the module: mills that nobody built.

use super::*;
use crate::model::scripted::{Scripted, dump, golden};
use banyan_engine::{Document, Origin};
use std::num::NonZeroUsize;

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
    let document = |(title, text): (&str, &str)| {
        let origin = Origin {
            file: format!("{title}.txt"),
            record: None,
            line: None,
        };
        Document::new(title, text, origin)
    };
    mills.into_iter().map(document).collect()
}

fn ask(question: &str) -> Tabulated {
    let embedded = Embedded::default();
    tabulate(question, &documents(), &[], &embedded, &embedded).unwrap()
}

#[test]
fn a_question_gets_the_columns_that_it_needs_and_an_answer_from_them_alone() {
    let check = |question: &str, answer: Option<&str>, columns: &[&str]| {
        let found = ask(question);
        assert_eq!(found.asked.answer.as_deref(), answer, "{question}: {:?}", found.asked);
        let names: Vec<&str> = found
            .table
            .schema
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        assert!(
            columns.iter().all(|column| names.contains(column)),
            "{question}: {names:?}"
        );
        assert_eq!(found.relevant.n_read, 3, "{question}");
    };
    check(
        "What is the average number of wheels of the mills?",
        Some("4"),
        &["wheels"],
    );
    check("How many mills were built before 1850?", Some("2"), &["built"]);
    check("Which mill has the most wheels?", Some("Lower Mill"), &["wheels"]);
}

#[test]
fn what_no_document_says_is_refused() {
    let found = ask("What is the average salary of the mills?");
    assert_eq!(found.asked.answer, None);
    assert!(found.asked.refusal.is_some(), "{:?}", found.asked);
}

#[test]
fn no_documents_give_no_answer() {
    let embedded = Embedded::default();
    let found = tabulate("How many mills are there?", &[], &[], &embedded, &embedded).unwrap();
    assert_eq!((found.relevant.n_all, found.table.records.len()), (0, 0));
}

#[test]
fn of_many_documents_the_best_ranked_are_read() {
    let document = |at: usize| {
        let origin = Origin {
            file: at.to_string(),
            record: None,
            line: None,
        };
        Document::new(format!("Mill {at}"), format!("A mill. Wheels: {at}"), origin)
    };
    let all: Vec<Document> = (0..MAX_DOCUMENTS + 10).map(document).collect();
    let found = relevant("How many mills?", &all, &[MAX_DOCUMENTS + 5]);
    assert_eq!((found.n_read, found.n_all), (MAX_DOCUMENTS, MAX_DOCUMENTS + 10));
    assert!(found.documents.contains(&(MAX_DOCUMENTS + 5)));
    assert!(found.documents.is_sorted());
}

const TARGET: &str = r#"{"columns": [{"name": "Wheels", "type": "integer", "description": "how many wheels it has"},
    {"name": "wheels", "type": "integer", "description": ""}, {"name": "x", "type": "list", "description": ""}],
    "sql": "SELECT avg(\"wheel\") FROM records", "rows": "SELECT _row FROM records WHERE \"wheels\" IS NOT NULL"}"#;
const MENDED: &str = r#"{"sql": "SELECT avg(\"wheels\") FROM records", "rows": "SELECT _row FROM records"}"#;
const VALUE: &str = r#"{"values": [{"column": "wheels", "value": 4, "quote": "Wheels: "}, {"column": "wings", "value": 1, "quote": "mill"},
    {"column": "wheels", "value": "9", "quote": "nine wheels"}]}"#;

fn by_model(model: &Scripted) -> Tabulated {
    let options = FillOptions {
        max_prompt_tokens: 2_000,
        max_reply_tokens: 500,
        max_concurrent: NonZeroUsize::MIN,
    };
    let is_stopped = || false;
    let planner = ModelPlanner::new(model, 500).unwrap();
    let filler = ModelFiller::new(model, options, &is_stopped).unwrap();
    tabulate(
        "What is the average number of wheels of the mills?",
        &documents(),
        &[],
        &planner,
        &filler,
    )
    .unwrap()
}

#[test]
fn a_models_statement_that_does_not_run_is_mended_and_its_values_are_quoted() {
    let model = Scripted::new([
        ("design a table", vec![TARGET]),
        ("fill in a form", vec![VALUE]),
        ("mend an SQL", vec![MENDED]),
    ]);
    let found = by_model(&model);
    assert_eq!(found.asked.answer.as_deref(), Some("4"), "{:?}", found.asked);
    assert_eq!(found.asked.provenance, [0, 1, 2]);
    assert!(
        found.asked.notes.iter().any(|note| note.starts_with("repaired: ")),
        "{:?}",
        found.asked.notes
    );
    assert!(
        found
            .asked
            .notes
            .iter()
            .any(|note| note.contains("quote that stands in no passage"))
    );
    let cell = &found.table.records[0].cells[0];
    assert_eq!(cell.span.unwrap().of(&documents()[0].text), "Wheels:");
    let asked = model.asked();
    assert_eq!(asked.len(), 5, "one plan, three rows, one repair");
    golden("tabulate/golden/target.txt", &dump(&asked[0]));
    golden("tabulate/golden/fill.txt", &dump(&asked[1]));
    golden("tabulate/golden/repair.txt", &dump(&asked[4]));
}

#[test]
fn a_statement_that_nobody_mends_is_refused_and_changes_nothing() {
    const HOSTILE: &str = r#"{"columns": [{"name": "wheels", "type": "integer", "description": ""}], "sql": "DROP TABLE records", "rows": ""}"#;
    const AGAIN: &str = r#"{"sql": "ATTACH 'x' AS y", "rows": ""}"#;
    let rules = [
        ("design a table", vec![HOSTILE]),
        ("fill in a form", vec![VALUE]),
        ("mend an SQL", vec![AGAIN]),
    ];
    let found = by_model(&Scripted::new(rules));
    assert_eq!(found.asked.answer, None);
    assert!(
        found
            .asked
            .refusal
            .unwrap()
            .starts_with("no statement ran, after 2 repairs")
    );
}

#[test]
fn a_model_without_a_usable_plan_gives_way_to_the_questions_words() {
    let rules = [
        ("design a table", vec!["I would rather not."]),
        ("fill in a form", vec![VALUE]),
    ];
    let found = by_model(&Scripted::new(rules));
    assert!(
        found.target.reasons[0].starts_with("the model gave no usable columns"),
        "{:?}",
        found.target.reasons
    );
    assert_eq!(found.asked.answer.as_deref(), Some("4"));
}
