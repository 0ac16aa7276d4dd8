//! Parquet tables as records.

use super::ReadError;
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value};

/// The rows of a parquet table, in order: column → value. Values that JSON has no form for come as their text. Cost
/// O(bytes after decompression).
///
/// # Errors
/// [`ReadError::Table`] where the bytes are no table, or are compressed by another way than snappy or zstd.
pub fn rows(file: &str, bytes: Vec<u8>) -> Result<Vec<Map<String, Value>>, ReadError> {
    let broken = |error: ParquetError| ReadError::Table {
        file: file.to_owned(),
        reason: reason(&error),
    };
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(broken)?;
    let rows = reader.get_row_iter(None).map_err(broken)?;
    rows.map(|row| row.map(|row| object(&row)).map_err(broken)).collect()
}

/// What the library says; where it would need another codec, which ones are read.
fn reason(error: &ParquetError) -> String {
    let said = error.to_string();
    match said.rsplit_once("Disabled feature at compile time: ") {
        Some((_, codec)) => format!("one of its columns is packed by {codec}; expected snappy, zstd, or none"),
        None => said,
    }
}

fn object(row: &Row) -> Map<String, Value> {
    let columns = row.get_column_iter();
    columns.map(|(name, field)| (name.clone(), value(field))).collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(is) => Value::from(*is),
        Field::Byte(number) => Value::from(*number),
        Field::Short(number) => Value::from(*number),
        Field::Int(number) => Value::from(*number),
        Field::Long(number) => Value::from(*number),
        Field::UByte(number) => Value::from(*number),
        Field::UShort(number) => Value::from(*number),
        Field::UInt(number) => Value::from(*number),
        Field::ULong(number) => Value::from(*number),
        Field::Float(number) => Value::from(*number),
        Field::Double(number) => Value::from(*number),
        Field::Str(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => Value::from(String::from_utf8_lossy(bytes.data()).into_owned()),
        Field::Group(row) => Value::Object(object(row)),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => Value::from(other.to_string()),
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
            "t.parquet: row 1: expected an object with a string `text` (and optional `title` and `id`), found no `text`"
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
}
