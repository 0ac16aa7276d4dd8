//! Reading records by rules, at the module's boundary.

use super::{fill, induce};
use banyan_engine::table::{Column, Kind, Table, TableSchema, Value};
use banyan_engine::{Document, Origin};

fn page(title: &str, text: &str) -> Document {
    Document::new(title, text, Origin::default())
}

/// The cell of one column of one page, beside the other columns.
fn cell(column: &str, kind: Kind, others: &[(&str, Kind)], text: &str) -> String {
    let others = others.iter().map(|(name, kind)| Column::new(*name, *kind));
    let schema = TableSchema {
        name: "mills".into(),
        columns: [Column::new(column, kind)].into_iter().chain(others).collect(),
        ..TableSchema::default()
    };
    let document = page("Hook Mill", text);
    let table = fill(&schema, std::slice::from_ref(&document));
    let cell = &table.records[0].cells[0];
    // Whatever is filled stands on the page.
    assert!(cell.span.is_none_or(|span| span.of(&document.text) == cell.raw));
    cell.value.to_string()
}

const SIZES: [(&str, Kind); 2] = [("wheel_width", Kind::Number), ("stones", Kind::Integer)];

#[test]
fn plain_wordings_of_a_number_fill_its_column() {
    for text in [
        "Height: 12 m",
        "| Height | 12 m |\n|---|---|\n| Stones | 4 |",
        "The height of the mill is 12 m.",
        "It has a height of twelve metres and four stones.",
        "With a height of 12 m and a wheel width of 3 m, it is a large one.",
    ] {
        assert_eq!(cell("height", Kind::Number, &SIZES, text), "12", "{text}");
    }
}

#[test]
fn a_value_of_another_attribute_fills_nothing() {
    for text in [
        "With a wheel width of 3 m it is a large one.",
        "The mill has 4 stones.",
        "It was moved in 1912 by 30 men.",
        "The church nearby is 48 m tall.",
        "The old mill had a height of 9 m. The new one has a height of 12 m.",
    ] {
        assert_eq!(cell("height", Kind::Number, &SIZES, text), "", "{text}");
    }
}

#[test]
fn a_name_belongs_to_the_word_beside_it() {
    let others = [("owner", Kind::Text), ("height", Kind::Number)];
    for text in [
        "The mill is managed by Ann Bray.",
        "Ann Bray is the manager.",
        "Its manager, Ann Bray, lives next door.",
        "Its owner is Jo Cole. Under its manager Ann Bray it grew.",
        "Manager: Ann Bray",
    ] {
        assert_eq!(cell("manager", Kind::Text, &others, text), "Ann Bray", "{text}");
    }
    assert_eq!(cell("manager", Kind::Text, &others, "The owner, Jo Cole, is away."), "");
}

#[test]
fn a_flag_is_filled_where_it_is_plainly_said_and_empty_elsewhere() {
    for (text, expected) in [
        ("There is a bakery and a shop.", "yes"),
        ("It has no shop, and no bakery.", "no"),
        ("It has no shop, but a small bakery.", "yes"),
        ("The mill does not have a bakery.", "no"),
        ("Bakery: yes", "yes"),
        ("The mill stands on a hill.", ""),
    ] {
        assert_eq!(cell("bakery", Kind::Boolean, &[], text), expected, "{text}");
    }
}

#[test]
fn days_and_years_are_told_apart() {
    let others = [("rebuilt", Kind::Year)];
    let text = "It was opened on 3 May 1741. It was rebuilt in 1802.";
    assert_eq!(cell("opening_date", Kind::Date, &others, text), "1741-05-03");
    assert_eq!(
        cell("rebuilt", Kind::Year, &[("opening_date", Kind::Date)], text),
        "1802"
    );
}

/// Pages that say the same in sentences and under labels.
fn pages() -> Vec<Document> {
    let page_of = |at: usize| {
        let (kind, stones) = (["wooden mill", "stone mill"][at % 2], at + 2);
        let name = format!("Mill {at}");
        let height = if at.is_multiple_of(2) {
            format!("Its height is {} m.", at + 10)
        } else {
            format!("Height: {} m", at + 10)
        };
        let text = format!("{name} is a {kind} in Corrin, Wessany. It has {stones} stones.\n\n{height}\n");
        page(&name, &text)
    };
    (1..=9).map(page_of).collect()
}

#[test]
fn what_recurs_over_pages_becomes_a_column_and_is_filled() {
    let documents = pages();
    let schema = induce(&documents, &[], "records").remove(0);
    let columns = schema
        .columns
        .iter()
        .map(|column| format!("{} {}", column.name, column.kind));
    let columns: Vec<String> = columns.collect();
    for expected in ["name text", "stones integer", "height integer", "type text"] {
        assert!(
            columns.iter().any(|column| column == expected),
            "{expected} in {columns:?}"
        );
    }
    let table: Table = fill(&schema, &documents);
    let height = schema.position("height").unwrap();
    assert_eq!(schema.columns[height].unit.as_deref(), Some("m"));
    let names: Vec<String> = table.column(0).map(|cell| cell.value.to_string()).collect();
    assert_eq!(names[..2], ["Mill 1", "Mill 2"]);
    let heights: Vec<Value> = table.column(height).map(|cell| cell.value.clone()).collect();
    assert_eq!(heights, (11..=19).map(Value::Integer).collect::<Vec<_>>());
}

#[test]
fn pages_that_share_nothing_have_no_columns() {
    let prose = [
        page("a", "The wind turned at noon, and nobody spoke."),
        page("b", "Bread is baked from flour that somebody else has ground."),
    ];
    assert!(induce(&prose, &[], "records").is_empty());
    assert!(induce(&[], &[], "records").is_empty());
    assert!(fill(&TableSchema::default(), &[]).records.is_empty());
}

#[test]
fn records_are_called_what_their_file_is_unless_a_column_is() {
    let tool = |at: usize, holder: &str, label: &str| {
        let origin = Origin {
            file: holder.to_owned(),
            record: Some(at.to_string()),
            ..Origin::default()
        };
        let text = format!(
            "name: T{at}\n{label}: {}\nlicence: {}",
            at + 4,
            ["free", "paid"][at % 2]
        );
        Document::new(format!("T{at}"), text, origin)
    };
    let nouns = |holder: &str, label: &str| {
        let documents: Vec<Document> = (0..9).map(|at| tool(at, holder, label)).collect();
        let schema = induce(&documents, &[], "records").remove(0);
        let mut table = schema.clone();
        table.nouns.clear();
        assert_eq!(fill(&table, &documents).schema.nouns, schema.nouns);
        schema.nouns
    };
    assert_eq!(nouns("lists/tools.csv", "price"), ["tools"]);
    assert_eq!(nouns("lists/garden_tools-2024.jsonl", "price"), ["garden tools"]);
    assert_eq!(nouns("lists/prices.csv", "price"), [""; 0]);
    assert_eq!(nouns("lists/prices.csv", "price date"), ["prices"]);
}

/// No rate of exchange stands on a page.
#[test]
fn an_amount_in_another_currency_fills_nothing() {
    let mut price = Column::new("price", Kind::Number);
    price.unit = Some("€".to_owned());
    let schema = TableSchema {
        columns: vec![price],
        ..TableSchema::default()
    };
    let documents = ["Price: €10", "Price: $20", "Price: 30"].map(|text| page("Hook Mill", text));
    let table = fill(&schema, &documents);
    let prices: Vec<String> = table.column(0).map(|cell| cell.value.to_string()).collect();
    assert_eq!(prices, ["10", "", "30"]);
}
