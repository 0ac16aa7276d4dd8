//! Parquet tables as records.

use super::{Fields, refused};
use crate::error::FileError;
use bytes::Bytes;
use parquet::basic::Repetition;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use serde_json::{Map, Value};

/// Bytes that are unpacked of one table. Arbitrary: an English Wikipedia's abstracts have about as many.
pub(super) const MAX_BYTES: u64 = 1 << 30;
/// What a value, or a row, takes beside its bytes.
const CELL_BYTES: u64 = 32;

/// The rows of a parquet table, in order: column → value. Values that JSON has no form for come as their text. Cost
/// O(bytes after decompression), which are bounded.
///
/// # Errors
/// Where the bytes are no table, are compressed by another way than snappy or zstd, or claim or give more than 1 GiB.
pub fn rows(file: &str, bytes: Vec<u8>) -> Result<Vec<Map<String, Value>>, FileError> {
    read(file, bytes, MAX_BYTES, None)
}

/// At most `max` bytes of a table's rows; only the columns of `fields`, which have to hold a text, where there are any.
pub(super) fn read(
    file: &str,
    bytes: Vec<u8>,
    max: u64,
    fields: Option<&Fields>,
) -> Result<Vec<Map<String, Value>>, FileError> {
    let broken = |error: ParquetError| refused(file, format!("not a parquet table: {}", reason(&error)));
    let too_large = |what: String| {
        let limit = format!("at most {max} bytes are unpacked of one table: split it");
        refused(file, format!("{what}; {limit}"))
    };
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(broken)?;
    let schema = reader.metadata().file_metadata().schema();
    let chosen: Vec<_> = schema
        .get_fields()
        .iter()
        .filter(|column| is_read(column, fields))
        .cloned()
        .collect();
    let names: Vec<&str> = chosen.iter().map(|column| column.name()).collect();
    if let Some(fields) = fields
        && !names.iter().any(|name| fields.text().contains(name))
    {
        let columns: Vec<_> = schema.get_fields().iter().map(|column| column.name()).collect();
        let found = format!("no `{}`, but {}", fields.text()[0], columns.join(", "));
        return Err(fields.refuse(file, "the columns", &found));
    }
    if claimed(reader.metadata(), &names).is_none_or(|claimed| claimed > max) {
        return Err(too_large("it claims to be larger".to_owned()));
    }
    let chosen = Type::group_type_builder(schema.name()).with_fields(chosen).build();
    let found = reader.get_row_iter(Some(chosen.map_err(broken)?)).map_err(broken)?;
    let (mut rows, mut n_bytes) = (Vec::new(), 0);
    for row in found {
        let row = row.map_err(broken)?;
        n_bytes += CELL_BYTES + row.get_column_iter().map(|(_, field)| size(field)).sum::<u64>();
        if n_bytes > max {
            return Err(too_large(format!("it unpacks to more by row {}", rows.len() + 1)));
        }
        rows.push(object(&row));
    }
    Ok(rows)
}

/// Whether a column is one of `fields`, with one value a row; or any where none are named.
fn is_read(column: &Type, fields: Option<&Fields>) -> bool {
    let is_flat = || column.is_primitive() && column.get_basic_info().repetition() != Repetition::REPEATED;
    fields.is_none_or(|fields| fields.names().contains(&column.name()) && is_flat())
}

/// Bytes that the values of these columns take, as the table says; `None` for numbers that cannot be.
fn claimed(table: &ParquetMetaData, names: &[&str]) -> Option<u64> {
    let mut sum: u64 = 0;
    let columns = table.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let is_named = |column: &&ColumnChunkMetaData| {
        let root = column.column_path().parts().first();
        root.is_some_and(|root| names.contains(&root.as_str()))
    };
    for column in columns.filter(is_named) {
        let bytes = u64::try_from(column.uncompressed_size()).ok()?;
        let cells = u64::try_from(column.num_values()).ok()?.checked_mul(CELL_BYTES)?;
        sum = sum.checked_add(bytes)?.checked_add(cells)?;
    }
    Some(sum)
}

/// About what a value takes in memory.
fn size(field: &Field) -> u64 {
    let inner = match field {
        Field::Str(text) => text.len() as u64,
        Field::Bytes(bytes) => bytes.len() as u64,
        Field::Group(row) => row.get_column_iter().map(|(_, field)| size(field)).sum(),
        Field::ListInternal(list) => list.elements().iter().map(size).sum(),
        Field::MapInternal(map) => map.entries().iter().map(|(key, value)| size(key) + size(value)).sum(),
        _ => 0,
    };
    CELL_BYTES + inner
}

/// What the library says; where it would need another codec, which ones are read.
fn reason(error: &ParquetError) -> String {
    let said = error.to_string();
    match said.rsplit_once("Disabled feature at compile time: ") {
        Some((_, codec)) => {
            let codec = if codec.starts_with("flate2") { "gzip" } else { codec };
            format!("one of its columns is packed by {codec}; expected snappy, zstd, or none")
        }
        None => said,
    }
}

fn object(row: &Row) -> Map<String, Value> {
    let columns = row.get_column_iter();
    columns.map(|(name, field)| (name.clone(), value(field))).collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Str(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => Value::from(String::from_utf8_lossy(bytes.data()).into_owned()),
        Field::Group(row) => Value::Object(object(row)),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => {
            let written = other.to_string();
            serde_json::from_str(&written).unwrap_or(Value::String(written))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::parse;
    use parquet::basic::Compression;
    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    /// A table with a number and two texts, as the published sets have it.
    fn table(columns: [&str; 3], rows: &[(i64, &str, &str)], compression: Compression) -> Vec<u8> {
        let [a, b, c] = columns;
        let message =
            format!("message m {{ required int64 {a}; required binary {b} (utf8); required binary {c} (utf8); }}");
        let schema = Arc::new(parse_message_type(&message).unwrap());
        let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let numbers: Vec<i64> = rows.iter().map(|row| row.0).collect();
        column.typed::<Int64Type>().write_batch(&numbers, None, None).unwrap();
        column.close().unwrap();
        for texts in [
            rows.iter().map(|row| row.1).collect::<Vec<_>>(),
            rows.iter().map(|row| row.2).collect(),
        ] {
            let mut column = group.next_column().unwrap().unwrap();
            let texts: Vec<ByteArray> = texts.into_iter().map(ByteArray::from).collect();
            column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        bytes
    }

    #[test]
    fn rows_of_a_table_are_documents_under_each_usual_compression() {
        for compression in [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::ZSTD(parquet::basic::ZstdLevel::default()),
        ] {
            let rows = [(7, "One", "[PERSON#1] slept."), (8, "二", "[PERSON#2]来了。")];
            let documents = parse("texts.parquet", table(["idx", "title", "chunk"], &rows, compression)).unwrap();
            let found: Vec<_> = documents
                .iter()
                .map(|one| (one.title.as_str(), one.text.as_str(), one.origins[0].record.as_deref()))
                .collect();
            assert_eq!(
                found,
                [
                    ("One", "[PERSON#1] slept.", Some("7")),
                    ("二", "[PERSON#2]来了。", Some("8"))
                ]
            );
        }
    }

    #[test]
    fn tables_that_are_none_or_have_other_columns_are_refused() {
        let says = |bytes: Vec<u8>| parse("t.parquet", bytes).unwrap_err().to_string();
        let other = says(table(["idx", "name", "body"], &[(1, "a", "b")], Compression::SNAPPY));
        assert_eq!(
            other,
            "t.parquet: the columns: expected an object with a string `text` (and optional `title` and `id`), found no `text`, but idx, name, body"
        );
        let whole = table(["idx", "title", "chunk"], &[(1, "a", "b")], Compression::SNAPPY);
        for broken in [
            Vec::new(),
            b"PAR1".to_vec(),
            whole[..whole.len() / 2].to_vec(),
            vec![0; 64],
        ] {
            assert!(says(broken).starts_with("t.parquet: not a parquet table: "));
        }
        let packed = ParquetError::General("Disabled feature at compile time: brotli".to_owned());
        assert_eq!(
            reason(&packed),
            "one of its columns is packed by brotli; expected snappy, zstd, or none"
        );
        let mut bent = whole.clone();
        bent[8..24].fill(0xff);
        assert!(rows("t.parquet", bent).is_err_and(|error| error.to_string().contains("not a parquet table")));
    }

    /// 7,548 bytes became 9.9 GB: one long text, and a number for each of the rows that repeat it.
    #[test]
    fn a_table_that_claims_or_unpacks_to_too_much_is_refused() {
        let text = "x".repeat(1_000);
        let rows: Vec<(i64, &str, &str)> = (0..5_000).map(|number| (number, "a", text.as_str())).collect();
        let bytes = table(["idx", "title", "text"], &rows, Compression::SNAPPY);
        let says = |max: u64| read("t.parquet", bytes.clone(), max, None).unwrap_err().to_string();
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
        let claims = says(100_000);
        assert!(claims.contains("claims to be larger; at most 100000 bytes"), "{claims}");
        let unpacks = says(1_000_000);
        assert!(unpacks.contains("unpacks to more by row 8"), "{unpacks}");
        assert_eq!(read("t.parquet", bytes.clone(), MAX_BYTES, None).unwrap().len(), 5_000);
    }
}
