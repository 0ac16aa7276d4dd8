//! Records of documents by the real program: columns, cells, questions, and what cannot be had. Where a model is asked, it is
//! scripted.

use crate::desk;
use banyan_tests::server::{Answer, Asked, ChatServer};
use banyan_tests::{Desk, Run};
use serde_json::json;

/// Pages of invented mills.
const MILLS: [(&str, &str); 4] = [
    (
        "Weir Mill",
        "Height: 12 m\nBuilt: 3 May 1741\nGroup: north\nBakery: yes\n",
    ),
    (
        "High Mill",
        "Height: 900 cm\nBuilt: 12 June 1802\nGroup: south\nBakery: no\n",
    ),
    (
        "Salt Mill",
        "Height: 15 m\nBuilt: 1 March 1779\nGroup: north\nBakery: yes\nHeight: 16 m\n",
    ),
    (
        "Low Mill",
        "Height: 0 m\nBuilt: 9 April 1833\nGroup: south\nBakery: yes\n",
    ),
];

fn mills() -> Desk {
    MILLS.iter().fold(desk(), |desk, (name, text)| {
        desk.with(&format!("mills/{name}.md"), format!("# {name}\n\n{text}"))
    })
}

fn ask(desk: &Desk, question: &str) -> Run {
    ask_of(desk, "mills", question)
}

/// Asks the records of a corpus, which becomes a store first.
fn ask_of(desk: &Desk, corpus: &str, question: &str) -> Run {
    if !desk.path("store").exists() {
        desk.run(["build", corpus, "--store", "store"]).done();
    }
    desk.run(["query", question, "--method", "records", "--store", "store"])
}

fn check(question: &str, expected: &str) {
    let run = ask(&mills(), question).done();
    let first = run.stdout.lines().next().unwrap_or_default();
    assert_eq!(first, format!("answer: {expected}"), "{question}\n{}", run.stdout);
}

#[test]
fn columns_are_what_pages_share() {
    let run = mills().run(["records", "mills", "--columns-only", "--json"]).done();
    let columns: Vec<String> = run.json()["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| {
            format!(
                "{} {}",
                column["name"].as_str().unwrap(),
                column["kind"].as_str().unwrap()
            )
        })
        .collect();
    for expected in [
        "name text",
        "height integer",
        "built date",
        "group text",
        "bakery boolean",
    ] {
        assert!(
            columns.iter().any(|column| column == expected),
            "{expected} in {columns:?}"
        );
    }
}

#[test]
fn a_column_may_be_called_like_a_keyword() {
    check("How many mills are in the north group?", "2");
    check("How many mills have a bakery?", "3");
    check("How many mills were built after 1800?", "2");
}

#[test]
fn values_in_other_units_are_converted_to_that_of_the_column() {
    let run = mills().run(["records", "mills", "--json"]).done();
    let table = run.json();
    let columns = table["schema"]["columns"].as_array().unwrap();
    let height = columns.iter().position(|column| column["name"] == "height").unwrap();
    let records = table["records"].as_array().unwrap();
    let high = records.iter().find(|record| record["title"] == "High Mill").unwrap();
    let cell = &high["cells"][height];
    // The column's unit is that of most pages, not of the first.
    assert_eq!(
        (&cell["raw"], &cell["value"]),
        (&json!("900 cm"), &json!({"Integer": 9}))
    );
}

/// Pages with a height each, called by their place.
fn heights(heights: &[&str]) -> Desk {
    let pages = heights.iter().enumerate();
    pages.fold(desk(), |desk, (at, height)| {
        let name = ["Ash Mill", "Birch Mill", "Cedar Mill", "Dogwood Mill"][at];
        desk.with(
            &format!("mills/{name}.md"),
            format!("# {name}\n\nHeight: {height}\nOwner: Bray\n"),
        )
    })
}

#[test]
fn mixed_units_are_compared_in_the_most_frequent_one() {
    let mixed = heights(&["30 ft", "12 m", "15 metres", "1,100 cm"]);
    let check = |question: &str, expected: &str| {
        let run = ask(&mixed, question).done();
        assert_eq!(
            run.stdout.lines().next().and_then(|line| line.strip_prefix("answer: ")),
            Some(expected),
            "{question}\n{}",
            run.stdout
        );
    };
    check("Which mill has the greatest height?", "Cedar Mill");
    check("Which mill is the tallest?", "Cedar Mill");
    check("Which mill is the lowest?", "Ash Mill");
    check("What is the average height of the mills?", "11.79");
    check("How many mills are higher than 35 ft?", "3");
    check("How tall is Ash Mill?", "9.14");
    let run = mixed.run(["records", "mills"]).done();
    assert!(
        run.stdout.contains("30 ft") && run.stdout.contains("9.144"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_page_that_contradicts_itself_is_shown_with_both_values_and_counted_as_unsure() {
    let run = mills().run(["records", "mills"]).done();
    let salt: Vec<&str> = run
        .stdout
        .lines()
        .skip_while(|line| *line != "Salt Mill")
        .skip_while(|line| !line.starts_with("  height"))
        .take(2)
        .collect();
    assert!(
        salt[0].contains("15 m") && salt[1].contains("or 16") && salt[1].contains("16 m"),
        "{salt:?}"
    );
    let counts = run.stdout.lines().rfind(|line| line.starts_with("height ")).unwrap();
    assert_eq!(counts.split_whitespace().nth(3), Some("1"), "{counts}");
    let run = ask(&mills(), "What is the average height of the mills?").done();
    for part in [
        "height: 4 records, 4 filled, 0 empty, 1 unsure",
        "Salt Mill says of height both 15 m and 16 m; the first was taken",
    ] {
        assert!(run.stdout.contains(part), "{part:?} in {}", run.stdout);
    }
    // What is said twice in two units is said once.
    let run = heights(&["15 m", "12 m", "10 m\nHeight: 33 ft"])
        .run(["records", "mills"])
        .done();
    let counts = run.stdout.lines().rfind(|line| line.starts_with("height ")).unwrap();
    assert_eq!(counts.split_whitespace().nth(3), Some("0"), "{counts}");
}

/// Pages of museums and of the cities that they stand in.
fn museums_and_cities() -> Desk {
    let cities = [
        ("Ansay", "120,000", "Lower Reach"),
        ("Tidd", "45,000", "Lower Reach"),
        ("Corrow", "310,000", "High Reach"),
        ("Marl", "99,000", "High Reach"),
    ];
    let museums = [
        ("Salt Museum", "Ansay", "1901", "24,000"),
        ("Kite Museum", "Tidd", "1955", "8,000"),
        ("Harbour Museum", "Corrow", "1888", "56,000"),
        ("Clock Museum", "Corrow", "1932", "31,000"),
        ("Rope Museum", "Marl", "1974", "12,000"),
        ("Glass Museum", "Ansay", "1990", "9,000"),
    ];
    let desk = cities.iter().fold(desk(), |desk, (name, people, region)| {
        let text = format!("# {name}\n\n{name} is a city.\n\nPopulation: {people}\nRegion: {region}\nRiver: Tam\n");
        desk.with(&format!("pages/{name}.md"), text)
    });
    museums.iter().fold(desk, |desk, (name, city, founded, visitors)| {
        let text =
            format!("# {name}\n\n{name} is a museum.\n\nCity: {city}\nFounded: {founded}\nVisitors: {visitors}\n");
        desk.with(&format!("pages/{name}.md"), text)
    })
}

#[test]
fn pages_of_two_kinds_are_two_tables_that_a_question_joins() {
    let desk = museums_and_cities();
    let run = desk.run(["records", "pages"]).done();
    for part in ["MUSEUM\n", "CITY\n", "names records of city"] {
        assert!(run.stdout.contains(part), "{part:?} in {}", run.stdout);
    }
    let check = |question: &str, expected: &str, is_joined: bool| {
        let run = ask_of(&desk, "pages", question).done();
        assert_eq!(
            run.stdout.lines().next().and_then(|line| line.strip_prefix("answer: ")),
            Some(expected),
            "{question}\n{}",
            run.stdout
        );
        assert_eq!(run.stdout.contains(" JOIN "), is_joined, "{question}\n{}", run.stdout);
    };
    check(
        "How many museums are in cities with a population above 100,000?",
        "4",
        true,
    );
    check(
        "Which museums are in cities of the High Reach?",
        "Clock Museum, Harbour Museum, Rope Museum",
        true,
    );
    check("What is the average population of the cities?", "143500", false);
    check("How many museums were founded before 1950?", "3", false);
    check("Which city has the most museums?", "Ansay, Corrow", false);
    check("Which museum has the most visitors?", "Harbour Museum", false);
    check(
        "What is the total number of visitors of museums in cities with a population below 100,000?",
        "20000",
        true,
    );
}

#[test]
fn answers_name_records_and_how_complete_columns_are() {
    let run = ask(&mills(), "How many mills were built before 1800?").done();
    for part in [
        "answer: 2\n",
        "SQL      SELECT count(*)",
        "row      ",
        "built: 4 records, 4 filled, 0 empty, 0 unsure",
    ] {
        assert!(run.stdout.contains(part), "{part:?} in {}", run.stdout);
    }
}

#[test]
fn what_no_column_says_is_refused() {
    for question in [
        "How many mills have a cinema?",
        "Who owns the oldest mill?",
        "How much taller is High Mill than Low Mill?",
        "Wie viele Mühlen gibt es im Norden?",
    ] {
        let run = ask(&mills(), question).unanswered();
        assert!(run.stdout.starts_with("no answer: "), "{question}: {}", run.stdout);
    }
}

#[test]
fn one_page_gives_what_its_labels_say_and_prose_alone_gives_nothing() {
    let one = desk().with("one/mill.md", "# Weir Mill\n\nHeight: 12 m\nBuilt: 1741\n");
    let run = one.run(["records", "one", "--columns-only"]).done();
    assert!(run.stdout.contains("height"), "{}", run.stdout);
    let none = desk()
        .with("prose/a.txt", "The wind turned at noon, and nobody spoke.")
        .with(
            "prose/b.txt",
            "Bread is baked from flour that somebody else has ground.",
        );
    none.run(["records", "prose", "--columns-only"])
        .refused(&["the documents share no attribute", "--columns"]);
}

#[test]
fn an_empty_column_stays_and_is_told() {
    let desk = mills().with("columns.json", r#"["height", "owner"]"#);
    let run = desk.run(["records", "mills", "--columns", "columns.json"]).done();
    let line = run.stdout.lines().rfind(|line| line.starts_with("owner ")).unwrap();
    let counts: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(counts[1..3], ["0", "4"], "{line}");
}

#[test]
fn a_schema_that_is_none_is_refused() {
    let desk = mills().with("bad.json", r#"[{"name": "height", "kind": "colour"}]"#);
    desk.run(["records", "mills", "--columns", "bad.json"])
        .refused(&["bad.json", "column 1", "colour"]);
}

/// What a good model would say about the mills.
fn reply(asked: &Asked) -> Answer {
    let system = asked.body["messages"][0]["content"].as_str().unwrap();
    let column =
        |name: &str, kind: &str| json!({"name": name, "type": kind, "unit": "", "description": "", "examples": []});
    let reply = if system.starts_with("You look for") || system.starts_with("You improve") {
        json!({"record": "mill", "columns": [column("mill", "text"), column("district", "text")]})
    } else if system.starts_with("You read one document") {
        let (name, text) = MILLS.iter().find(|(name, _)| asked.user().contains(name)).unwrap();
        let district = if text.contains("north") { "north" } else { "south" };
        json!({"cells": [
            {"column": "mill", "value": name, "quote": name},
            {"column": "district", "value": district, "quote": format!("Group: {district}")},
            {"column": "district", "value": "west", "quote": "in the west"},
        ]})
    } else {
        assert!(system.starts_with("You turn a question"), "{system}");
        json!({
            "sql": "SELECT count(*) FROM \"records\" WHERE \"district\" = 'north'",
            "records": "SELECT _row FROM \"records\" WHERE \"district\" = 'north'",
            "reason": ""})
    };
    Answer::text(&reply.to_string())
}

#[test]
fn a_model_predicts_columns_fills_records_and_writes_sql() {
    let server = ChatServer::new(|_, asked| reply(asked));
    let url = server.base_url();
    let desk = mills().with(
        "banyan.toml",
        format!("[llm]\nbase_url = \"{url}\"\nmodel = \"scripted\"\nmax_retries = 0\n"),
    );
    desk.run(["build", "mills", "--store", "store"]).done();
    let question = [
        "query",
        "How many mills are in the north?",
        "--method",
        "records",
        "--reasoner",
        "llm",
        "--store",
        "store",
    ];
    let run = desk.run(question).done();
    assert!(run.stdout.starts_with("answer: 2\n"), "{}", run.stdout);
    assert!(
        run.stdout.contains("note     the statement is a model's"),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("4 × said twice"), "{}", run.stderr);
    let n_asked = server.asked().len();
    assert_eq!(n_asked, 7, "two rounds, four documents, one question");
    let again = desk.run(question).done();
    assert_eq!(
        (again.stdout, server.asked().len()),
        (run.stdout, n_asked),
        "the cassette answers"
    );
}

#[test]
fn a_model_that_is_not_configured_is_one_line() {
    mills()
        .run(["records", "mills", "--reasoner", "llm"])
        .refused(&["no language model is configured"]);
}
