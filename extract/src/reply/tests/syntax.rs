//! How a reply is written: one statement in many spellings.

use super::check;

const ONE: [&str; 1] = ["- triple Teak | director | Mara Voss"];

#[test]
fn valid_json_is_read_without_remark() {
    check(r#"{"triples": [["Teak", "director", "Mara Voss"]]}"#, &ONE, &[]);
    check(
        "{\"triples\":[[\"Teak\",\"director\",\"Mara\\u0020Voss\"]]}\n",
        &ONE,
        &[],
    );
}

#[test]
fn what_stands_around_the_json_is_ignored() {
    let prose = "repaired syntax: 1 × text around the JSON";
    check(
        "```json\n{\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"]]}\n```",
        &ONE,
        &["repaired syntax: 2 × code fence"],
    );
    check(
        "Sure! Here it is:\n{\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"]]}\nHope this helps.",
        &ONE,
        &["repaired syntax: 2 × text around the JSON"],
    );
    check(
        "\u{feff}{\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"]]} Done.",
        &ONE,
        &[prose],
    );
    check(
        "Use {this [form]}: {\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"]]}",
        &ONE,
        &[
            "repaired syntax: 2 × text around the JSON",
            "repaired syntax: 1 × several values",
            "repaired syntax: 1 × colon",
            "repaired syntax: 2 × quotation mark",
        ],
    );
    check(
        "An opening {' and a quote. {\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"]]}",
        &ONE,
        &[prose],
    );
}

#[test]
fn thoughts_are_no_statements() {
    let thoughts = "repaired syntax: 1 × thoughts before the answer";
    let answer = r#"{"triples": [["Teak", "director", "Mara Voss"]]}"#;
    let aloud = r#"Perhaps {"triples": [["Teak", "writer", "Ada Lorn"]]}? No."#;
    check(&format!("<think>{aloud}</think>\n{answer}"), &ONE, &[thoughts]);
    check(&format!("{aloud}</think>{answer}"), &ONE, &[thoughts]);
    check(
        &format!("<think>{aloud}"),
        &[],
        &[
            thoughts,
            "not JSON: <think>Perhaps {\"triples\": [[\"Teak\", \"writer\", \"Ada Lorn\"]]}? No.",
        ],
    );
}

#[test]
fn commas_colons_and_brackets_are_mended() {
    check(
        r#"{"triples": [["Teak", "director", "Mara Voss",],],}"#,
        &ONE,
        &["repaired syntax: 3 × comma"],
    );
    check(
        "{\"triples\": [[\"Teak\" \"director\"\n\"Mara Voss\"]]}",
        &ONE,
        &["repaired syntax: 2 × comma"],
    );
    check(
        r#"{"triples" [{"head": "Teak", "relation" "director", "tail": "Mara Voss"}]}"#,
        &ONE,
        &["repaired syntax: 2 × colon"],
    );
    check(
        r#"{"triples": [["Teak", "director", "Mara Voss"}"#,
        &ONE,
        &["repaired syntax: 2 × bracket"],
    );
    check(
        r#"{"triples": [("Teak", "director", "Mara Voss")]}"#,
        &ONE,
        &["repaired syntax: 1 × round bracket"],
    );
}

#[test]
fn quotation_marks_of_any_kind_or_none_are_read() {
    let check = |reply: &str, n: usize| check(reply, &ONE, &[&format!("repaired syntax: {n} × quotation mark")]);
    check("{'triples': [['Teak', 'director', 'Mara Voss']]}", 4);
    check("{“triples”: [[“Teak”, “director”, “Mara Voss”]]}", 4);
    check("{triples: [[Teak, director, Mara Voss]]}", 4);
    check(
        "{triples: [{head: 'Teak', relation: 'director', tail: 'Mara Voss'}]}",
        7,
    );
}

#[test]
fn quotation_marks_inside_a_text_belong_to_it() {
    check(
        r#"{"triples": [["The film "Teak", now lost", "director", "Mara "Mo" Voss"]]}"#,
        &[r#"- triple The film "Teak", now lost | director | Mara "Mo" Voss"#],
        &["repaired syntax: 4 × quotation mark inside a text"],
    );
    check(
        "{'triples': [['O'Brien's wife', 'name', 'Mara']]}",
        &["- triple O'Brien's wife | name | Mara"],
        &[
            "repaired syntax: 4 × quotation mark",
            "repaired syntax: 2 × quotation mark inside a text",
        ],
    );
    check(
        r#"{"triples": [["Teak (the “tree”)", "is", "\"good\" wood, \"true\""]]}"#,
        &[r#"- triple Teak (the “tree”) | is | "good" wood, "true""#],
        &[],
    );
}

#[test]
fn comments_literals_and_escapes_of_other_languages_are_read() {
    check(
        "{\"triples\": [ // the facts\n[\"Teak\", /* by */ \"director\", \"Mara Voss\"] # all\n], \"entities\": None}",
        &ONE,
        &["repaired syntax: 3 × comment", "repaired syntax: 1 × literal"],
    );
    check(
        r#"{"triples": [["Teak", "director", "Mara\ Voss"]]}"#,
        &ONE,
        &["repaired syntax: 1 × escape"],
    );
    check(
        r#"{"triples": [["\ud83c\udf33 Teak \ud83c", "director", "Mara\u00zz"]]}"#,
        &["- triple 🌳 Teak \u{fffd} | director | Mara\u{fffd}00zz"],
        &["repaired syntax: 2 × escape"],
    );
    check(
        r#"{"triples": [], "attributes": [["Teak", "height", NaN], ["Teak", "is lost", True]]}"#,
        &["- attribute Teak | is lost | true"],
        &["repaired syntax: 2 × literal", "missing field: value of height of Teak"],
    );
}

#[test]
fn several_values_and_repeated_keys_all_count() {
    check(
        "{\"triples\": [[\"A\", \"knows\", \"B\"]]}\n{\"triples\": [[\"B\", \"knows\", \"C\"]], \"triples\": [[\"C\", \"knows\", \"D\"]]}",
        &[
            "- triple A | knows | B",
            "- triple B | knows | C",
            "- triple C | knows | D",
        ],
        &[
            "repaired syntax: 1 × several values",
            "repaired syntax: 1 × repeated key",
        ],
    );
    check(
        "{\"head\": \"A\", \"relation\": \"knows\", \"tail\": \"B\"}\n{\"head\": \"B\", \"relation\": \"knows\", \"tail\": \"C\"}",
        &["- triple A | knows | B", "- triple B | knows | C"],
        &["repaired syntax: 1 × several values"],
    );
}

#[test]
fn json_within_a_string_is_opened() {
    let nested = "repaired syntax: 1 × JSON within a string";
    check(
        r#""{\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"]]}""#,
        &ONE,
        &[nested],
    );
    check(
        r#"{"name": "extract", "arguments": "{\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"]]}"}"#,
        &ONE,
        &[nested],
    );
}

#[test]
fn what_breaks_off_keeps_its_complete_statements() {
    let whole = r#"{"triples": [["Teak", "director", "Mara Voss"], ["Teak", "writer", "Ada Lorn"]]}"#;
    let first_end = whole.find("],").unwrap();
    let second_end = whole.find("]]").unwrap();
    for end in first_end + 1..=second_end {
        let statements = super::read(&whole[..end], 1);
        assert_eq!(super::lines(&statements), ONE, "{}", &whole[..end]);
        assert!(statements.is_cut && statements.parts[0].is_cut);
    }
    check(
        "```json\n{\"triples\": [[\"Teak\", \"director\", \"Mara Voss\"], [\"Teak\", \"wri\n```",
        &ONE,
        &[
            "repaired syntax: 1 × code fence",
            "cut off: the reply",
            "cut off: triple",
        ],
    );
}
