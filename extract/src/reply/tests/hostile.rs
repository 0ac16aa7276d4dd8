//! Replies that are made to cost: they are read in time and memory that grow with their length only.

use crate::reply::{MAX_BYTES, read};
use crate::stated::DefectKind;

/// Openings that go on for ever, by what they are made of.
const ENDLESS: [&str; 24] = [
    "[",
    "{",
    "(",
    "{\"a\":",
    "{'",
    "[[\"a\",",
    "\"",
    "'",
    "\"a",
    "“",
    "\\",
    "\\u",
    "\\ud83c",
    "//",
    "/*",
    "#",
    "```",
    "]",
    "}",
    ",",
    ":",
    "a ",
    "{\"a\":1,",
    "\",\n",
];

/// Two hundred replies of up to 180,000 bytes. A reader that looked at a byte more often than a few times would take hours.
#[test]
fn what_never_ends_is_read_to_its_end() {
    for unit in ENDLESS {
        for prefix in [
            "",
            "{",
            "[",
            "\"",
            "{\"triples\": [",
            "{\"triples\": [[\"",
            "{\"a\": \"",
            "<think>",
        ] {
            let reply = prefix.to_owned() + &unit.repeat(20_000);
            let statements = read(&reply, 1);
            let facts: usize = statements.parts.iter().map(|part| part.stated.n_facts()).sum();
            assert!(facts <= 1, "{prefix}{unit}…: {facts}");
        }
    }
}

#[test]
fn deep_nesting_is_read_over() {
    let deep = format!(
        "{{\"triples\": [{}\"x\"{}, [\"A\", \"knows\", \"B\"]]}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let statements = read(&deep, 1);
    assert_eq!(statements.parts[0].stated.triples.len(), 1);
    assert!(
        statements
            .defects
            .iter()
            .any(|defect| defect.kind == DefectKind::TooDeep)
    );
}

#[test]
fn a_huge_reply_is_cut_and_a_huge_text_is_dropped() {
    let huge = format!(
        "{{\"triples\": [[\"A\", \"knows\", \"B\"], [\"{}",
        "é".repeat(MAX_BYTES)
    );
    let statements = read(&huge, 1);
    assert!(statements.is_cut);
    assert_eq!(statements.parts[0].stated.triples.len(), 1);
    assert!(
        statements
            .defects
            .iter()
            .any(|defect| defect.kind == DefectKind::TooLong)
    );

    let long = format!(
        "{{\"triples\": [[\"A\", \"knows\", \"{}\"], [\"A\", \"knows\", \"B\"]]}}",
        "x".repeat(100_000)
    );
    let statements = read(&long, 1);
    assert_eq!(statements.parts[0].stated.triples.len(), 1);
    assert_eq!(statements.parts[0].stated.defects[0].kind, DefectKind::TooLong);
    assert!(statements.parts[0].stated.defects[0].detail.len() < 200);
}

#[test]
fn a_reply_of_many_statements_is_bounded() {
    let many = format!("{{\"triples\": [{}]}}", "[\"A\", \"knows\", \"B\"],".repeat(30_000));
    let statements = read(&many, 1);
    let stated = &statements.parts[0].stated;
    assert_eq!(stated.triples.len(), 1);
    assert!(stated.defects.len() < 2_100, "{}", stated.defects.len());
    assert_eq!(stated.defects.last().unwrap().kind, DefectKind::TooMany);
}
