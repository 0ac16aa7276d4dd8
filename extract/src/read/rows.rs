//! Tables in CSV, and sheets as such: a row is a document.

use super::{Fields, Found, json, origin, refused, stem};
use crate::error::FileError;
use banyan_engine::Document;
use banyan_engine::schema::snake_case;
use csv::StringRecord;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Columns of a table of facts, as [`crate::import::parse`] reads it.
const FACTS: [&str; 3] = ["head", "relation", "tail"];
/// Rows among which the names of columns are looked for; captions stand above them. Arbitrary.
const MAX_ABOVE: usize = 10;
/// Share of the rows that a column tells apart whose values are their titles where none tells all of them: some have equal
/// names. Arbitrary.
const APART: f64 = 0.9;
/// Longest value that is a title, in characters. Arbitrary.
const MAX_TITLE: usize = 100;

/// The sign that parts the values of a table: the commonest of the usual ones in its first line.
pub(super) fn separator(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |sign: &u8| first.bytes().filter(|byte| byte == sign).count();
    // The last of several maxima: a comma where there is none.
    b"|;\t,".iter().copied().max_by_key(count).unwrap_or(b',')
}

/// The rows of a table, each a document: where a column is named as a text of records, as records are read; else each value
/// under the name of its column, and the title is the first column that tells all rows apart, else nine of ten. What stands above the names of
/// columns is a document, too. The name of a `sheet` tells it from others of its file. Cost O(bytes).
pub(super) fn read(
    file: &str,
    sheet: Option<&str>,
    bytes: &[u8],
    separator: u8,
    fields: &Fields,
) -> Result<Found, FileError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let rows = reader.records().collect::<Result<Vec<StringRecord>, _>>();
    let mut rows = rows.map_err(|error| refused(file, format!("not a table of values: {error}")))?;
    let width = rows.iter().map(StringRecord::len).max().unwrap_or_default();
    let header = rows.iter().take(MAX_ABOVE).position(|row| is_header(row, width));
    let (above, columns) = match header {
        Some(at) => (rows[..at].to_vec(), rows[at].iter().map(str::to_owned).collect()),
        None => (
            Vec::new(),
            (1..=width).map(|at| format!("column {at}")).collect::<Vec<_>>(),
        ),
    };
    let has = |name: &&str| columns.iter().any(|column| column.eq_ignore_ascii_case(name));
    if FACTS.iter().all(has) {
        return Err(refused(
            file,
            "a table of facts; expected records: bring it in by `banyan import`",
        ));
    }
    let first = header.map_or(0, |at| at + 1);
    let rows: Vec<_> = (first + 1..)
        .zip(rows.drain(first..))
        .filter(|(_, row)| !is_blank(row))
        .collect();
    let name = |number: usize| match sheet {
        Some(sheet) => format!("{sheet}!{number}"),
        None => format!("row={number}"),
    };
    let values = |row: &StringRecord| {
        let values = columns.iter().zip(row).filter(|(_, value)| !value.is_empty());
        values
            .map(|(column, value)| (column.clone(), value.to_owned()))
            .collect::<Vec<_>>()
    };
    if columns.iter().any(|column| fields.text().contains(&column.as_str())) {
        let records = rows.iter().map(|(number, row)| {
            let values = values(row).into_iter().map(|(column, value)| (column, value.into()));
            let mut record: Map<String, Value> = values.collect();
            record.entry("id").or_insert_with(|| name(*number).into());
            Value::Object(record)
        });
        return Ok(json::records(file, "row", records, fields)?.into());
    }
    let titled = columns.iter().position(|column| fields.title.as_ref() == Some(column));
    let tells = |share: f64| (0..width).find(|at| share_apart(&rows, *at) >= share);
    let titled = titled.or_else(|| tells(1.0)).or_else(|| tells(APART));
    let own = sheet.map_or_else(|| stem(file).to_owned(), |sheet| format!("{} {sheet}", stem(file)));
    let document = |title: String, lines: Vec<String>, number: usize| {
        Document::new(title, lines.join("\n"), origin(file, Some(name(number)), None))
    };
    let captions = (1..)
        .zip(&above)
        .filter(|(_, row)| !is_blank(row))
        .map(|(number, row)| {
            let said: Vec<&str> = row.iter().filter(|value| !value.is_empty()).collect();
            document(own.clone(), vec![said.join(" ")], number)
        });
    let of_rows = rows.iter().map(|(number, row)| {
        let title = titled.and_then(|at| row.get(at)).filter(|title| !title.is_empty());
        let title = title.map_or_else(|| format!("{own} {number}"), str::to_owned);
        let lines = values(row)
            .into_iter()
            .map(|(column, value)| format!("{}: {value}", spoken(&column)));
        document(title, lines.collect(), *number)
    });
    let n = rows.len();
    let title = titled.map_or("their numbers".to_owned(), |at| format!("`{}`", columns[at]));
    let what = sheet.map_or_else(|| file.to_owned(), |sheet| format!("{file}, sheet {sheet}"));
    Ok(Found {
        documents: captions.chain(of_rows).collect(),
        remarks: vec![format!("{what}: rows, each a document titled by {title}: {n}")],
    })
}

fn is_blank(row: &StringRecord) -> bool {
    row.iter().all(str::is_empty)
}

/// Whether a row of a table names its columns: each in its own words.
fn is_header(row: &StringRecord, width: usize) -> bool {
    let names: BTreeSet<&str> = row.iter().filter(|name| name.contains(char::is_alphabetic)).collect();
    names.len() == width && row.len() == width
}

/// The name of a column in words: "place of birth" for "placeOfBirth".
fn spoken(column: &str) -> String {
    let words = snake_case(column).replace('_', " ");
    let is_one = column.chars().all(char::is_alphanumeric) && column.starts_with(char::is_lowercase);
    // "pH" and "kWh" are no words with humps.
    if is_one && words.split(' ').all(|word| word.chars().count() > 1) {
        words
    } else {
        column.to_owned()
    }
}

/// The share of the rows for which a column has a short value of their own in words.
fn share_apart(rows: &[(usize, StringRecord)], column: usize) -> f64 {
    let is_name = |value: &&str| value.contains(char::is_alphabetic) && value.chars().count() <= MAX_TITLE;
    let values = rows.iter().filter_map(|(_, row)| row.get(column)).filter(is_name);
    values.collect::<BTreeSet<_>>().len() as f64 / rows.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, fields: &Fields, expected: &[(&str, &str, &str)]) {
        let found = read("a/ferries.csv", None, text.as_bytes(), separator(text), fields).unwrap();
        let documents = found.documents.iter();
        let documents: Vec<_> = documents
            .map(|one| (one.title.as_str(), one.text.as_str(), one.origins[0].to_string()))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(title, text, place)| (*title, *text, format!("a/ferries.csv#{place}")))
            .collect();
        assert_eq!(documents, expected);
    }

    #[test]
    fn a_row_is_a_document_under_what_tells_it_apart() {
        let plain = Fields::default();
        let rows = [
            ("Dipper", "line: A\nship: Dipper\nspeed: 21", "row=2"),
            ("Skelva", "line: A\nship: Skelva", "row=3"),
        ];
        check("line,ship,speed\nA,Dipper,21\nA,Skelva,\n", &plain, &rows);
        check("line;ship;speed\n\"A\";Dipper;21\nA;Skelva;\n", &plain, &rows);
        let titled = Fields {
            title: Some("line".to_owned()),
            ..Fields::default()
        };
        check(
            "line,ship\nA,Dipper\n",
            &titled,
            &[("A", "line: A\nship: Dipper", "row=2")],
        );
        check(
            "1,21\n2,22\n",
            &plain,
            &[
                ("ferries 1", "column 1: 1\ncolumn 2: 21", "row=1"),
                ("ferries 2", "column 1: 2\ncolumn 2: 22", "row=2"),
            ],
        );
        let caption = [
            ("ferries", "Ferries of Vessing", "row=1"),
            ("Dipper", "ship: Dipper\nspeed: 21", "row=3"),
        ];
        check("Ferries of Vessing,\nship,speed\nDipper,21\n", &plain, &caption);
    }

    #[test]
    fn facts_are_no_records() {
        let found = read(
            "f.csv",
            None,
            b"head,relation,tail\nA,born_in,B\n",
            b',',
            &Fields::default(),
        );
        assert!(found.is_err_and(|error| error.to_string().contains("banyan import")));
    }

    #[test]
    fn a_column_of_texts_is_read_like_the_records_of_other_files() {
        let rows = [("T", "Of teak.", "7"), ("U", "Of ash.", "9")];
        check(
            "id,title,text,year\n7,T,Of teak.,1901\n9,U,Of ash.,\n",
            &Fields::default(),
            &rows,
        );
        let named = Fields {
            text: Some("note".to_owned()),
            title: None,
        };
        check("note,year\nOf teak.,1901\n", &named, &[("row=2", "Of teak.", "row=2")]);
    }
}
