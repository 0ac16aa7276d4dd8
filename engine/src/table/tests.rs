//! Tables, at the crate's boundary.

use super::*;
use crate::DocumentId;

fn table(n: usize) -> Table {
    let columns = vec![
        Column::new("name", Kind::Text),
        Column::new("select", Kind::Integer),
        Column::new("order", Kind::Number),
        Column::new("open", Kind::Boolean),
        Column::new("since", Kind::Date),
    ];
    let record = |at: usize| {
        let n = i64::try_from(at).unwrap();
        let values = [
            Value::Text(format!("thing {at}")),
            if at == 1 { Value::Null } else { Value::Integer(n % 7) },
            Value::Number(at as f64 / 2.0),
            Value::Boolean(at.is_multiple_of(2)),
            Value::Date(format!("19{:02}-05-03", at % 100)),
        ];
        let cells = values.map(|value| Cell {
            value,
            confidence: 1.0,
            ..Cell::default()
        });
        let title = format!("thing {at}");
        Record {
            document: DocumentId::of(&title, ""),
            title,
            cells: cells.to_vec(),
        }
    };
    Table {
        schema: TableSchema {
            name: "things".into(),
            columns,
            ..TableSchema::default()
        },
        records: (0..n).map(record).collect(),
    }
}

fn small(limits: Limits, sql: &str) -> Result<Rows, SqlError> {
    Database::new(&[table(20)]).unwrap().run(sql, limits)
}

/// `SQLite` takes an unknown name in double quotes for a text unless it is told not to.
#[test]
fn a_misspelt_column_is_an_error_and_no_text() {
    let error = small(Limits::default(), r#"SELECT count(*) FROM things WHERE "nmae" = 'a'"#).unwrap_err();
    assert!(error.to_string().contains("nmae"), "{error}");
}

#[test]
fn median_and_deviation_are_those_of_the_numbers_there_are() {
    let rows = small(
        Limits::default(),
        r#"SELECT median("order"), stddev("order"), median("name"), stddev("select") FROM things WHERE _row < 4"#,
    )
    .unwrap();
    // Halves 0, .5, 1, 1.5: the middle is .75, the squares about it sum to 1.25, over three.
    let Value::Number(deviation) = rows.rows[0][1] else {
        panic!("{rows:?}")
    };
    assert_eq!(rows.rows[0][0], Value::Number(0.75));
    assert!((deviation - (1.25_f64 / 3.0).sqrt()).abs() < 1e-12);
    assert_eq!(rows.rows[0][2], Value::Null);
    let none = small(
        Limits::default(),
        r#"SELECT median("order"), stddev("order") FROM things WHERE _row = 99"#,
    )
    .unwrap();
    assert_eq!(none.rows, [[Value::Null, Value::Null]]);
}

#[test]
fn statistics_count_what_is_there() {
    let stats = ColumnStats::of(&table(20));
    assert_eq!((stats[1].n_filled, stats[1].n_empty, stats[1].n_distinct), (19, 1, 7));
    assert_eq!(stats[1].n_non_zero, 16);
    let numbers = stats[2].numbers.unwrap();
    assert!((numbers.min, numbers.max, numbers.mean) == (0.0, 9.5, 4.75));
    assert_eq!(stats[3].top, [("no".to_owned(), 10), ("yes".to_owned(), 10)]);
    assert!(
        ColumnStats::of(&table(0))
            .iter()
            .all(|stats| stats.n_filled == 0 && stats.numbers.is_none())
    );
}

/// One hundred statements that write, reach outside, run without end or grow without bound; one a line of the file, the
/// empty line among them.
fn hostile() -> Vec<String> {
    let mut all: Vec<String> = include_str!("hostile.sql").lines().map(str::to_owned).collect();
    for n in [120, 200, 400, 800, 1_600] {
        all.push(format!("SELECT {}1", "NOT ".repeat(n)));
        all.push(format!("SELECT {}1", "1 + ".repeat(n)));
        all.push((0..n).map(|_| "SELECT 1").collect::<Vec<_>>().join(" UNION "));
        all.push(format!("SELECT '{}'", "x".repeat(n * 1_000)));
        all.push(format!(
            "SELECT name FROM things WHERE name LIKE '{}'",
            "%x".repeat(n * 10)
        ));
    }
    all
}

#[test]
fn a_hundred_hostile_statements_change_nothing_and_end() {
    let statements = hostile();
    assert!(statements.len() >= 100, "{}", statements.len());
    let database = Database::new(&[table(20)]).unwrap();
    let limits = Limits {
        max_rows: 1_000,
        max_steps: 300_000,
    };
    let whole = "SELECT count(*), sum(\"select\"), group_concat(name) FROM things";
    let before = database.run(whole, limits).unwrap();
    for sql in &statements {
        let shown: String = sql.chars().take(80).collect();
        assert!(database.run(sql, limits).is_err(), "it ran: {shown}");
        assert_eq!(
            database.run(whole, limits).unwrap(),
            before,
            "it changed something: {shown}"
        );
    }
}

#[test]
fn subqueries_common_tables_and_windows_run() {
    for sql in [
        "SELECT max(n) FROM (SELECT count(*) AS n FROM things GROUP BY \"select\")",
        "SELECT count(*) FROM (SELECT name FROM things)",
        "WITH t AS (SELECT name, \"order\" AS o FROM things) SELECT name FROM t WHERE o > (SELECT avg(o) FROM t)",
        "SELECT name, rank() OVER (ORDER BY \"order\") FROM things LIMIT 2",
        "SELECT a.name FROM things a JOIN things b ON a._row = b._row WHERE EXISTS (SELECT 1 FROM things)",
        "SELECT CASE WHEN 1 THEN 'a' ELSE 'b' END, 1.0 * 3 / nullif(0, 0), substr('abc', 1, 2), instr('ab', 'b')",
    ] {
        assert!(
            small(Limits::default(), sql).is_ok(),
            "{sql}: {:?}",
            small(Limits::default(), sql)
        );
    }
}

#[test]
fn limits_say_what_there_was_too_much_of() {
    let few = Limits {
        max_rows: 3,
        ..Limits::default()
    };
    let short = Limits {
        max_steps: 2_000,
        ..Limits::default()
    };
    let product = "SELECT count(*) FROM things a, things b, things c";
    assert!(small(Limits::default(), product).is_ok());
    for (limits, sql, says) in [
        (few, "SELECT name FROM things", "stopped after 3 rows"),
        (short, product, "stopped after 2000 steps"),
        (few, "SELECT nothing FROM things", "not understood: "),
        (few, "PRAGMA user_version", "refused: "),
    ] {
        let error = small(limits, sql).unwrap_err().to_string();
        assert!(error.starts_with(says), "{error}");
    }
}

#[test]
fn schema_files_have_three_forms() {
    let ours = r#"{"name": "Hotels", "nouns": ["hotel"], "columns": [{"name": "Guest rating", "kind": "number", "unit": "points"}]}"#;
    let papers = r#"{"title": "Hotel", "type": "object", "properties": {"rooms": {"type": ["integer", "null"], "examples": [12]}, "opened": {"type": "string", "format": "date"}}}"#;
    let schema = from_json(ours, "t").unwrap();
    assert_eq!(
        (schema.name.as_str(), schema.columns[0].name.as_str()),
        ("hotels", "guest_rating")
    );
    let schema = from_json(papers, "t").unwrap();
    let kinds: Vec<_> = schema
        .columns
        .iter()
        .map(|column| (column.name.as_str(), column.kind))
        .collect();
    assert_eq!(kinds, [("opened", Kind::Date), ("rooms", Kind::Integer)]);
    assert_eq!(from_json(r#"["a", "b"]"#, "t").unwrap().columns.len(), 2);
    for bad in [
        "{}",
        "[]",
        "nothing",
        r#"["a", "A"]"#,
        r#"[{"kind": "text"}]"#,
        r#"[{"name": "a", "kind": "blob"}]"#,
    ] {
        assert!(from_json(bad, "t").is_err(), "{bad}");
    }
}

#[test]
fn kinds_of_csv_columns_are_the_narrowest() {
    let text =
        "year,n,x,is,day,who\n1998,1,1.5,True,1998-06-10,\"Ruiz, Ana\"\n2002,,2,False,2002-05-31,\"a \"\"b\"\"\"\n";
    let schema = from_csv(text, "t").unwrap();
    let kinds: Vec<Kind> = schema.columns.iter().map(|column| column.kind).collect();
    assert_eq!(
        kinds,
        [
            Kind::Year,
            Kind::Integer,
            Kind::Number,
            Kind::Boolean,
            Kind::Date,
            Kind::Text
        ]
    );
    assert_eq!(parse_csv(text).unwrap()[2][5], "a \"b\"");
    let error = from_csv("a,b\n1\n", "t").unwrap_err().to_string();
    assert!(error.contains("line: 2") && error.contains("1 fields"), "{error}");
}
