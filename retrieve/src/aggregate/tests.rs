//! Questions, at the boundary of the crate: an invented fleet of ferries, so that no word of it was in sight when the
//! translator was written.

use super::*;
use banyan_engine::DocumentId;
use banyan_engine::table::{Cell, Column, Database, Kind, Limits, Record, Table, TableSchema, Value};
use banyan_extract::record::literal::read;

const CSV: &str = "\
ferry,operator,home_port,launched,length,top_speed,crew,passengers,ticket_price,has_cafeteria,bicycles_allowed
Marram,Sound Line,Ansay,1987-04-02,62,15,14,310,12,true,true
Tern,Sound Line,Ansay,1994-09-12,48,18,9,220,9,false,true
Sea Pink,Isle Ferries,Tidd,2001-06-30,71,21,16,420,15,true,false
Old Gannet,Isle Ferries,Tidd,1969-05-17,39,12,7,150,8,false,true
Kittiwake,Sound Line,Corrow,2010-03-21,80,24,20,600,20,true,true
Dunlin,North Sail,Corrow,2010-11-05,44,19,8,,11,false,false
";

pub(super) fn fleet() -> Table {
    let rows = banyan_engine::table::parse_csv(CSV).unwrap();
    let mut columns = banyan_engine::table::columns_of_csv(&rows[0], &rows[1..]);
    columns[4].unit = Some("m".to_owned());
    let record = |row: &Vec<String>| {
        let value = |(column, raw): (&Column, &String)| {
            if raw.is_empty() {
                Value::Null
            } else {
                read(column, raw).unwrap()
            }
        };
        let cells = columns.iter().zip(row).map(value).map(|value| Cell {
            value,
            confidence: 1.0,
            ..Cell::default()
        });
        Record {
            document: DocumentId::of(&row[0], ""),
            title: row[0].clone(),
            cells: cells.collect(),
        }
    };
    let records = rows[1..].iter().map(record).collect();
    let schema = TableSchema {
        name: "ferries".into(),
        nouns: vec!["ferry".into()],
        columns,
        ..TableSchema::default()
    };
    Table { schema, records }
}

fn asked(question: &str) -> Asked {
    asked_of(&[fleet()], question)
}

fn asked_of(tables: &[Table], question: &str) -> Asked {
    let database = Database::new(tables).unwrap();
    ask(question, &views(tables), &database, Limits::default())
        .unwrap()
        .asked
}

fn check(question: &str, expected: &str) {
    let asked = asked(question);
    let got = asked
        .answer
        .clone()
        .unwrap_or_else(|| format!("none: {:?}", asked.refusal));
    assert_eq!(got, expected, "{question}\n{}", asked.sql);
}

#[test]
fn records_are_counted() {
    check("How many ferries does Sound Line operate?", "3");
    check("How many ferries are there in Tidd?", "2");
    check("How many ferries have a cafeteria?", "3");
    check("How many ferries without a cafeteria allow bicycles?", "2");
    check("What is the number of ferries launched after 2000?", "3");
    check("How many different operators are there?", "3");
}

#[test]
fn numbers_are_compared_and_bounded() {
    check("How many ferries carry more than 300 passengers?", "3");
    check("Which ferries are longer than 70 m?", "Sea Pink, Kittiwake");
    check("How many ferries were launched between 1980 and 2005?", "3");
    check("How many ferries have a ticket price below 10?", "2");
    check("Which ferries have at least 16 crew?", "Sea Pink, Kittiwake");
    check("How many férries were launched by 1994?", "3");
    check("Which ferries were launched in March 2010?", "Kittiwake");
    check("How many ferries were launched after March 2010?", "1");
}

#[test]
fn numbers_are_aggregated() {
    check("What is the average crew of ferries in Ansay?", "11.5");
    check("What is the median ticket price?", "11.5");
    check(
        "How many passengers in total can the ferries of Isle Ferries carry?",
        "570",
    );
    check("What is the highest top speed?", "24");
}

#[test]
fn the_first_and_the_last_are_found_with_all_that_are_equal() {
    check("Which ferry has the most passengers?", "Kittiwake");
    check("Which is the oldest ferry?", "Old Gannet");
    check("Which ferry was launched first?", "Old Gannet");
    check("What is the largest number of passengers of a ferry in Tidd?", "420");
    check("What is the cheapest ferry?", "Old Gannet");
    check("Who is the operator of the fastest ferry?", "Sound Line");
    check("List the top 2 ferries by length.", "Kittiwake, Sea Pink");
}

#[test]
fn adjectives_find_the_column_that_they_measure() {
    check("Which ferry is the longest?", "Kittiwake");
    check("Which ferry is the youngest?", "Dunlin");
    check("What is the length of the slowest ferry?", "39");
    check("What is the speed of the fastest ferry?", "24");
    check("How long is Tern?", "48");
    check("How expensive is Marram?", "12");
    check("Which ferries are slower than 15?", "Old Gannet");
    assert!(
        asked("Which ferry is the longest?")
            .notes
            .contains(&"`longest` was taken as length".to_owned())
    );
    // No column is a weight.
    assert!(asked("Which ferry is the heaviest?").refusal.is_some());
}

#[test]
fn groups_are_counted_and_compared() {
    check("Which operator has the most ferries?", "Sound Line");
    check("What is the most common home port?", "Ansay, Corrow, Tidd");
    check(
        "How many ferries are there per operator?",
        "Sound Line: 3; Isle Ferries: 2; North Sail: 1",
    );
    check("Which operator has the highest average ticket price?", "Sound Line");
    check("What percentage of ferries have a cafeteria?", "50");
}

#[test]
fn facts_are_looked_up() {
    check("When was Tern launched?", "1994-09-12");
    check("What is the home port of Dunlin?", "Corrow");
    check("How many passengers does Sea Pink carry?", "420");
    check("How much is the ticket price of Sea Pink?", "15");
    check("Who is the operator of Tern?", "Sound Line");
    check("Is there a ferry in Corrow with a cafeteria?", "yes");
    check("Is there a ferry in Tidd with more than 500 passengers?", "no");
}

#[test]
fn what_matches_no_column_is_refused() {
    for question in [
        "What is the average number of lifeboats?",
        // An operator and a port are no ferries.
        "When was Isle Ferries launched?",
        "What is the length of Sound Line?",
        "How much does Ansay cost?",
        "Which ferry has the most anchors?",
        "How many ferries have more than 3 masts?",
        "How many ferries have a sauna?",
        "Which ferries without a helipad are there?",
        "Wie viele Schiffe fahren nach Tidd?",
        "How many ferries in Paris have a cafeteria?",
        "How many ferries are not fast?",
        "How many ferries have a cafeteria or carry more than 400 passengers?",
        "Is Marram cheaper than Sea Pink?",
        "Which is longer, Tern or Marram?",
        "What is the average number of passengers per crew?",
        "Where is Tern?",
        "How many ferries were launched in the 1990s?",
        "How old is Tern?",
        "Are there more ferries in Tidd than in Corrow?",
        // Neither a day nor a count is who or how much.
        "Who launched Tern?",
        "How much does Sound Line operate?",
    ] {
        let asked = asked(question);
        assert!(
            asked.answer.is_none() && asked.refusal.is_some(),
            "{question}: {:?} {}",
            asked.answer,
            asked.sql
        );
    }
}

#[test]
fn answers_name_their_records_and_how_complete_the_columns_are() {
    let asked = asked("What is the total number of passengers of ferries in Corrow?");
    assert_eq!(asked.provenance, [4, 5]);
    let passengers = asked
        .completeness
        .iter()
        .find(|line| line.column == "passengers")
        .unwrap();
    assert_eq!((passengers.documents, passengers.filled, passengers.empty), (6, 5, 1));
}

#[test]
fn a_key_brings_the_columns_of_the_records_that_it_names() {
    let mut ferries = fleet();
    ferries.schema.columns[2].references = Some("ports".into());
    let cell = |value: Value| Cell {
        value,
        confidence: 1.0,
        ..Cell::default()
    };
    let port = |(title, people, coast): (&str, i64, &str)| Record {
        document: DocumentId::of(title, ""),
        title: title.to_owned(),
        cells: vec![
            cell(Value::Text(title.to_owned())),
            cell(Value::Integer(people)),
            cell(Value::Text(coast.to_owned())),
        ],
    };
    let ports = Table {
        schema: TableSchema {
            name: "ports".into(),
            nouns: vec!["port".into()],
            columns: vec![
                Column::new("name", Kind::Text),
                Column::new("population", Kind::Integer),
                Column::new("coast", Kind::Text),
            ],
            key: Some("name".into()),
        },
        records: [("Ansay", 9_000, "east"), ("Tidd", 400, "west"), ("Corrow", 50, "east")]
            .map(port)
            .to_vec(),
    };
    let tables = [ferries, ports];
    let check = |question: &str, table: &str, expected: &str, rests_on: &[usize]| {
        let asked = asked_of(&tables, question);
        let got = (asked.answer.as_deref(), asked.table.as_str(), &asked.provenance[..]);
        assert_eq!(got, (Some(expected), table, rests_on), "{question}\n{}", asked.sql);
    };
    check(
        "How many ferries have a home port with a population above 1,000?",
        "ferries",
        "2",
        &[0, 1],
    );
    check(
        "What is the total crew of ferries whose home port has the west coast?",
        "ferries",
        "23",
        &[2, 3],
    );
    check(
        "What is the average population of the ports?",
        "ports",
        "3150",
        &[0, 1, 2],
    );
    check("How many ferries are there in Corrow?", "ferries", "2", &[4, 5]);
    let question = "How many ferries have a home port with a population above 1,000?";
    let asked = asked_of(&tables, question);
    let line = asked
        .completeness
        .iter()
        .find(|line| line.column == "home_port.population");
    assert_eq!(line.map(|line| (line.filled, line.empty)), Some((6, 0)));
}

#[test]
fn a_column_that_most_records_leave_empty_is_not_computed_with() {
    let mut table = fleet();
    for record in &mut table.records[..4] {
        record.cells[7].value = Value::Null;
    }
    let tables = [table];
    let ask = |question: &str| asked_of(&tables, question);
    assert_eq!(
        ask("What is the average number of passengers?").refusal.as_deref(),
        Some("only 1 of 6 records have a value of passengers")
    );
    assert_eq!(ask("How many passengers does Kittiwake carry?").answer, None);
}

/// A ledger: its one column of numbers has a name that says little elsewhere.
#[test]
fn a_column_is_asked_for_by_its_whole_name_and_the_only_one_of_numbers_by_none() {
    let rows = banyan_engine::table::parse_csv("shop,amount\nTidd Market,18.5\nPell & Sons,12\n").unwrap();
    let columns = banyan_engine::table::columns_of_csv(&rows[0], &rows[1..]);
    let record = |row: &Vec<String>| Record {
        document: DocumentId::of(&row[0], ""),
        title: row[0].clone(),
        cells: columns
            .iter()
            .zip(row)
            .map(|(column, raw)| Cell {
                value: read(column, raw).unwrap(),
                confidence: 1.0,
                ..Cell::default()
            })
            .collect(),
    };
    let table = Table {
        records: rows[1..].iter().map(record).collect(),
        schema: TableSchema {
            nouns: vec!["expenses".into()],
            columns: columns.clone(),
            ..TableSchema::default()
        },
    };
    let tables = [table];
    let check = |question: &str, expected: &str| {
        let asked = asked_of(&tables, question);
        assert_eq!(
            asked.answer.as_deref(),
            Some(expected),
            "{question} {:?}",
            asked.refusal
        );
        asked.notes
    };
    check("What is the amount for Tidd Market?", "18.5");
    check("How many expenses have an amount above 15?", "1");
    let notes = check("What is the total of the expenses?", "30.5");
    assert_eq!(notes, ["what is computed was taken to be of amount"]);
}

#[test]
fn what_is_understood_of_a_refused_question_chooses_records() {
    let table = fleet();
    let catalogue = Catalogue::new(&table);
    let conditions = |question: &str| parse(question, &catalogue).unwrap_err().conditions.len();
    assert_eq!(conditions("Which ferry of Sound Line has a piano?"), 1);
    assert_eq!(
        conditions("How many ferries of Sound Line have a piano?"),
        0,
        "it would count too many"
    );
}
