//! Records of documents by the real program: columns, cells, questions, and what cannot be had. Where a model is asked,
//! it is scripted.

use crate::{desk, list};
use banyan_tests::Desk;
use banyan_tests::server::{Answer, Asked, ChatServer};
use serde_json::{Value, json};

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

/// A store of pages of these names and texts.
fn pages<N: AsRef<str>, T: AsRef<str>>(pages: impl IntoIterator<Item = (N, T)>) -> Desk {
    let files = pages.into_iter().map(|(name, text)| {
        let (name, text) = (name.as_ref(), text.as_ref());
        (format!("pages/{name}.md"), format!("# {name}\n\n{text}"))
    });
    let desk = desk().with_files(files);
    desk.banyan("build pages").done();
    desk
}

/// Asks the records of a store each question, and expects these answers.
fn check(desk: &Desk, expected: &[(&str, &str)]) {
    for (question, answer) in expected {
        let shown = desk.ask(question, "--method records").done().stdout;
        let first = shown.lines().next().unwrap_or_default();
        assert_eq!(first, format!("answer: {answer}"), "{question}\n{shown}");
    }
}

/// How many cells of a column are unsure, as the counts at the end of `records` say.
fn n_unsure(shown: &str, column: &str) -> u32 {
    let start = format!("{column} ");
    let counts = shown.lines().rfind(|line| line.starts_with(&start)).unwrap();
    counts.split_whitespace().nth(3).unwrap().parse().unwrap()
}

#[test]
fn columns_are_what_pages_share_and_answers_name_records_and_how_complete_columns_are() {
    let desk = pages(MILLS);
    let table = desk.banyan("records pages --json").done().json();
    let columns = list(&table["schema"]["columns"]);
    for (name, kind) in [
        ("name", "text"),
        ("height", "integer"),
        ("built", "date"),
        ("group", "text"),
        ("bakery", "boolean"),
    ] {
        let is_it = |column: &Value| column["name"] == name && column["kind"] == kind;
        assert!(columns.iter().any(is_it), "{name} {kind} in {columns:?}");
    }
    let height = columns.iter().position(|column| column["name"] == "height").unwrap();
    let records = list(&table["records"]).iter();
    let high = records
        .into_iter()
        .find(|record| record["title"] == "High Mill")
        .unwrap();
    let cell = &high["cells"][height];
    // The column's unit is that of most pages, not of the first.
    assert_eq!((&cell["raw"], &cell["value"]), (&json!("900 cm"), &json!(9)));
    check(
        &desk,
        &[
            ("How many mills are in the north group?", "2"),
            ("How many mills have a bakery?", "3"),
            ("How many mills were built after 1800?", "2"),
        ],
    );
    desk.ask("How many mills were built before 1800?", "--method records")
        .done()
        .prints(&["answer: 2\n", "SQL      SELECT count(*)", "row      "])
        .prints(&["built: 4 records, 4 filled, 0 empty, 0 unsure"]);
    for question in [
        "How many mills have a cinema?",
        "Who owns the oldest mill?",
        "How much taller is High Mill than Low Mill?",
        "Wie viele Mühlen gibt es im Norden?",
    ] {
        let run = desk.ask(question, "--method records").unanswered();
        assert!(run.stdout.starts_with("no answer: "), "{question}: {}", run.stdout);
    }
}

#[test]
fn records_of_a_store_are_those_of_its_files_until_one_of_them_goes() {
    let desk = pages(MILLS);
    let of_store = || desk.banyan("records --store store --json").done().json();
    let of_files = desk.banyan("records pages --json").done().json();
    let n = list(&of_files["records"]).len();
    // Filled, and then as it was kept.
    assert_eq!(of_store(), of_files);
    assert_eq!(of_store(), of_files);
    let first = desk.banyan("records --store store --json --limit 1").done().json();
    assert_eq!(
        (&first["records"][0], list(&first["records"]).len()),
        (&of_files["records"][0], 1)
    );
    desk.banyan("records --store store --columns-only")
        .done()
        .prints(&["height ", "bakery "]);
    assert_eq!(desk.banyan("records --store store pages").code, Some(2));
    desk.run(["remove", "pages/Salt Mill.md"]).done();
    assert_eq!(list(&of_store()["records"]).len(), n - 1);
}

#[test]
fn a_page_that_contradicts_itself_is_shown_with_both_values_and_counted_as_unsure() {
    let desk = pages(MILLS);
    let shown = desk.banyan("records pages").done().stdout;
    let (_, salt) = shown.split_once("\nSalt Mill\n").unwrap();
    let mut height = salt.lines().skip_while(|line| !line.starts_with("  height"));
    let (first, second) = (height.next().unwrap(), height.next().unwrap());
    assert!(
        first.contains("15 m") && second.contains("or 16") && second.contains("16 m"),
        "{salt}"
    );
    assert_eq!(n_unsure(&shown, "height"), 1);
    desk.ask("What is the average height of the mills?", "--method records")
        .done()
        .prints(&[
            "height: 4 records, 4 filled, 0 empty, 1 unsure",
            "Salt Mill says of height both 15 m and 16 m; the first was taken",
        ]);
}

#[test]
fn mixed_units_are_compared_in_the_most_frequent_one() {
    let page = |height: &str| format!("Height: {height}\nOwner: Bray\n");
    let mixed = pages([
        ("Ash Mill", page("30 ft")),
        ("Birch Mill", page("12 m")),
        ("Cedar Mill", page("15 metres")),
        ("Dogwood Mill", page("1,100 cm")),
    ]);
    check(
        &mixed,
        &[
            ("Which mill has the greatest height?", "Cedar Mill"),
            ("Which mill is the tallest?", "Cedar Mill"),
            ("Which mill is the lowest?", "Ash Mill"),
            ("What is the average height of the mills?", "11.79"),
            ("How many mills are higher than 35 ft?", "3"),
            ("How tall is Ash Mill?", "9.14"),
        ],
    );
    mixed.banyan("records pages").done().prints(&["30 ft", "9.144"]);
    // What is said twice in two units is said once.
    mixed.put(
        "pages/Ash Mill.md",
        format!("# Ash Mill\n\n{}", page("10 m\nHeight: 33 ft")),
    );
    let shown = mixed.banyan("records pages").done().stdout;
    assert_eq!(n_unsure(&shown, "height"), 0, "{shown}");
}

#[test]
fn pages_of_two_kinds_are_two_tables_that_a_question_joins() {
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
    let cities = cities.map(|(name, people, region)| {
        let text = format!("{name} is a city.\n\nPopulation: {people}\nRegion: {region}\nRiver: Tam\n");
        (name, text)
    });
    let museums = museums.map(|(name, city, founded, visitors)| {
        let text = format!("{name} is a museum.\n\nCity: {city}\nFounded: {founded}\nVisitors: {visitors}\n");
        (name, text)
    });
    let desk = pages(cities.into_iter().chain(museums));
    desk.banyan("records pages")
        .done()
        .prints(&["MUSEUM\n", "CITY\n", "names records of city"]);
    let reach = "Which museums are in cities of the High Reach?";
    check(
        &desk,
        &[
            ("How many museums are in cities with a population above 100,000?", "4"),
            (reach, "Clock Museum, Harbour Museum, Rope Museum"),
            ("What is the average population of the cities?", "143500"),
            ("How many museums were founded before 1950?", "3"),
            ("Which city has the most museums?", "Ansay, Corrow"),
            ("Which museum has the most visitors?", "Harbour Museum"),
            (
                "What is the total number of visitors of museums in cities with a population below 100,000?",
                "20000",
            ),
        ],
    );
    desk.ask(reach, "--method records").done().prints(&[" JOIN "]);
}

#[test]
fn one_page_gives_what_its_labels_say_and_prose_alone_or_a_bad_schema_is_refused() {
    let desk = desk().with_files([
        ("one/mill.md", "# Weir Mill\n\nHeight: 12 m\nBuilt: 1741\n"),
        ("prose/a.txt", "The wind turned at noon, and nobody spoke."),
        (
            "prose/b.txt",
            "Bread is baked from flour that somebody else has ground.",
        ),
        ("columns.json", r#"["height", "owner"]"#),
        ("bad.json", r#"[{"name": "height", "kind": "colour"}]"#),
    ]);
    desk.banyan("records one --columns-only").done().prints(&["height"]);
    let shown = desk.banyan("records one --columns columns.json").done().stdout;
    let counts = shown.lines().rfind(|line| line.starts_with("owner ")).unwrap();
    let counts: Vec<&str> = counts.split_whitespace().collect();
    assert_eq!(counts[1..3], ["0", "1"], "an empty column stays: {counts:?}");
    desk.banyan("records prose --columns-only")
        .refused(&["the documents share no attribute", "--columns"]);
    desk.banyan("records one --columns bad.json")
        .refused(&["bad.json", "column 1", "colour"]);
    desk.banyan("records one --reasoner llm")
        .refused(&["no language model is configured"]);
}

/// What a good model would say about the mills.
fn reply(asked: &Asked) -> Answer {
    let begins = |start: &str| asked.system().starts_with(start);
    let column =
        |name: &str, kind: &str| json!({"name": name, "type": kind, "unit": "", "description": "", "examples": []});
    let reply = if begins("You look for") || begins("You improve") {
        json!({"record": "mill", "columns": [column("mill", "text"), column("district", "text")]})
    } else if begins("You read one document") {
        let (name, text) = MILLS.iter().find(|(name, _)| asked.user().contains(name)).unwrap();
        let district = if text.contains("north") { "north" } else { "south" };
        json!({"cells": [
            {"column": "mill", "value": name, "quote": name},
            {"column": "district", "value": district, "quote": format!("Group: {district}")},
            {"column": "district", "value": "west", "quote": "in the west"},
        ]})
    } else {
        assert!(begins("You turn a question"), "{}", asked.system());
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
    let desk = pages(MILLS).with("banyan.toml", server.config(""));
    let ask = || {
        let question = "How many mills are in the north?";
        desk.ask(question, "--method records --reasoner llm").done()
    };
    let run = ask()
        .prints(&["note     the statement is a model's"])
        .tells(&["4 × said twice"]);
    assert!(run.stdout.starts_with("answer: 2\n"), "{}", run.stdout);
    let n_asked = server.asked().len();
    assert_eq!(n_asked, 7, "two rounds, four documents, one question");
    assert_eq!(
        (ask().stdout, server.asked().len()),
        (run.stdout, n_asked),
        "the cassette answers"
    );
}
