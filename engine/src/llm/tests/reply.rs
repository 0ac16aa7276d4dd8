//! Replies as models write them, and worse: how they are written, what of them fits, what reading them costs.

use crate::llm::json::{MAX_BYTES, read};
use crate::llm::{Asked, Finish, Reply, Role, Usage};
use crate::stated::DefectKind;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// What a text holds if that is one value, and every repair.
fn check(text: &str, expected: &Value, repairs: &[&str]) {
    let found = read(text);
    assert_eq!(found.values.last(), Some(expected), "{text}");
    let told: Vec<String> = found.defects.iter().map(ToString::to_string).collect();
    let wanted: Vec<String> = repairs
        .iter()
        .map(|repair| format!("repaired syntax: {repair}"))
        .collect();
    assert_eq!(told, wanted, "{text}");
}

fn teak() -> Value {
    json!({"triples": [["Teak", "director", "Mara Voss"]]})
}

/// Any JSON object.
fn object() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[ -~]{0,12}", "[{}\\[\\]:,'\"/#\\\\\n“”梁🌳]{0,8}"];
    let plain = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    let key = text.prop_map(String::from);
    let value = plain.prop_recursive(4, 32, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(key.clone(), inner, 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    });
    value.prop_map(|value| json!({ "a": value }))
}

proptest! {
    #[test]
    fn any_json_is_read_as_it_is(value in object()) {
        check(&value.to_string(), &value, &[]);
        check(&format!("{value:#}"), &value, &[]);
    }
}

#[test]
fn what_stands_around_the_json_is_passed_over() {
    let plain = r#"{"triples": [["Teak", "director", "Mara Voss"]]}"#;
    check(&format!("```json\n{plain}\n```"), &teak(), &["2 × code fence"]);
    check(
        &format!("Sure!\n{plain}\nHope this helps."),
        &teak(),
        &["2 × text around the JSON"],
    );
    let aloud = r#"Perhaps {"triples": []}? No."#;
    for thoughts in [
        format!("<think>{aloud}</think>\n{plain}"),
        format!("{aloud}</think>{plain}"),
    ] {
        check(&thoughts, &teak(), &["1 × thoughts before the answer"]);
    }
    assert!(read(&format!("<think>{aloud}")).values.is_empty());
}

#[test]
fn marks_are_mended() {
    for (text, repairs) in [
        (r#"{"triples": [["Teak", "director", "Mara Voss",],],}"#, "3 × comma"),
        ("{\"triples\": [[\"Teak\" \"director\"\n\"Mara Voss\"]]}", "2 × comma"),
        (r#"{"triples" [["Teak", "director", "Mara Voss"]]}"#, "1 × colon"),
        (r#"{"triples": [["Teak", "director", "Mara Voss"}"#, "2 × bracket"),
        ("{'triples': [['Teak', 'director', 'Mara Voss']]}", "4 × quotation mark"),
        ("{“triples”: [[“Teak”, “director”, “Mara Voss”]]}", "4 × quotation mark"),
        ("{triples: [[Teak, director, Mara Voss]]}", "4 × quotation mark"),
        (r#"{"triples": [["Teak", "director", "Mara\ Voss"]]}"#, "1 × escape"),
    ] {
        check(text, &teak(), &[repairs]);
    }
    check(
        "{\"a\": None, 'b': NaN}",
        &json!({"a": null, "b": null}),
        &["2 × literal", "1 × quotation mark"],
    );
}

#[test]
fn quotation_marks_inside_a_text_belong_to_it() {
    check(
        r#"["The film "Teak", now lost", "Mara "Mo" Voss"]"#,
        &json!([r#"The film "Teak", now lost"#, r#"Mara "Mo" Voss"#]),
        &["4 × quotation mark inside a text"],
    );
    check(
        "{'a': 'O'Brien's wife'}",
        &json!({"a": "O'Brien's wife"}),
        &["2 × quotation mark", "2 × quotation mark inside a text"],
    );
}

#[test]
fn what_breaks_off_keeps_its_complete_items() {
    let whole = r#"{"triples": [["Teak", "director", "Mara Voss"], ["Teak", "writer", "Ada Lorn"]]}"#;
    let (first, second) = (whole.find("],").unwrap(), whole.find("]]").unwrap());
    for end in first + 1..=second {
        let found = read(&whole[..end]);
        assert!(
            found.is_cut && found.cut_key.as_deref() == Some("triples"),
            "{}",
            &whole[..end]
        );
        assert_eq!(found.values, [teak()], "{}", &whole[..end]);
    }
}

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

/// Hundreds of replies of up to 180,000 bytes. A reader that looked at a byte more often than a few times would take
/// hours.
#[test]
fn what_never_ends_is_read_to_its_end() {
    for unit in ENDLESS {
        for prefix in [
            "",
            "{",
            "[",
            "\"",
            "{\"steps\": [",
            "{\"steps\": [[\"",
            "{\"a\": \"",
            "<think>",
        ] {
            let asked = plan(&(prefix.to_owned() + &unit.repeat(20_000)));
            assert!(asked.value.is_none_or(|plan| plan.steps.len() <= 3), "{prefix}{unit}…");
        }
    }
}

#[test]
fn depth_and_length_are_bounded() {
    let deep = format!(
        r#"{{"steps": [{}"x"{}, "who?"]}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let asked = plan(&deep);
    assert_eq!(asked.value.unwrap().steps.len(), 1);
    assert!(asked.defects.iter().any(|defect| defect.kind == DefectKind::TooDeep));
    let asked = plan(&format!(r#"{{"steps": ["who?", "{}"#, "é".repeat(MAX_BYTES)));
    assert!(asked.is_cut && asked.value.unwrap().steps.len() == 1);
    assert!(asked.defects.iter().any(|defect| defect.kind == DefectKind::TooLong));
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Plan {
    #[schemars(length(max = 3))]
    steps: Vec<Step>,
    #[serde(default)]
    is_done: bool,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Step {
    #[schemars(length(min = 1, max = 20), extend("x-aliases" = ["question"]))]
    ask: String,
    #[serde(default)]
    level: Option<Level>,
    #[serde(default)]
    #[schemars(range(min = 1))]
    passage: usize,
    #[serde(default)]
    names: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Level {
    OneNode,
    Triple,
}

fn plan(text: &str) -> Asked<Plan> {
    let role: Role<Plan> = Role::new("plan", "<!-- system -->\n<!-- user -->\n").unwrap();
    role.read(&Reply {
        text: text.to_owned(),
        usage: Usage::default(),
        finish: Finish::Stop,
    })
}

fn step(ask: &str) -> Step {
    Step {
        ask: ask.to_owned(),
        level: None,
        passage: 0,
        names: Vec::new(),
    }
}

/// The steps of a reply, and what is wrong with it beside its syntax.
fn check_plan(text: &str, steps: &[Step], wrong: &[&str]) {
    let asked = plan(text);
    assert_eq!(asked.value.map(|plan| plan.steps).unwrap_or_default(), steps, "{text}");
    let told = asked.defects.iter().filter(|defect| defect.kind != DefectKind::Syntax);
    assert_eq!(told.map(ToString::to_string).collect::<Vec<_>>(), wrong, "{text}");
}

#[test]
fn the_object_that_was_asked_for_is_found_wherever_it_stands() {
    for text in [
        r#"{"steps": [{"ask": "who?"}], "is_done": true}"#,
        r#"<think>{}</think> {"Steps": [{"Ask": "who?"}], "isDone": "yes", "more": 1}"#,
        r#"[note] {"steps": [{"question": "who?"}]} as you said"#,
        r#"See {' there. {"steps": [{"ask": "who?"}]}"#,
        r#"{"result": {"steps": [{"ask": " who?\n"}]}}"#,
        r#"{"steps": {"ask": "who?"}}"#,
        r#"{"steps": "who?"}"#,
    ] {
        check_plan(text, &[step("who?")], &[]);
    }
    let bare = ["wrong shape: no steps around the items"];
    check_plan(
        r#"[{"ask": "who?"}, {"ask": "when?"}]"#,
        &[step("who?"), step("when?")],
        &bare,
    );
    check_plan(
        r#"{"ask": "who?"} {"ask": "when?"}"#,
        &[step("who?"), step("when?")],
        &bare,
    );
    check_plan("I would rather not.", &[], &["not JSON: I would rather not."]);
    check_plan("{}", &[], &["not JSON: {}"]);
}

#[test]
fn items_that_do_not_fit_are_counted_and_the_rest_stays() {
    check_plan(
        r#"{"steps": [{"level": "triple"}, {"ask": ""}, {"ask": "why?"}]}"#,
        &[step("why?")],
        &["missing field: ask", "empty name: ask"],
    );
    check_plan(
        r#"{"steps": [[1], {"ask": 7}, {"ask": "a question of more than twenty characters"}, "x"]}"#,
        &[step("7")],
        &[
            "too many: 1 beyond the first 3 of steps",
            "wrong shape: steps",
            "too long: ask: a question of more than twenty characters",
        ],
    );
    let full = Step {
        level: Some(Level::OneNode),
        passage: 12,
        names: vec!["Teak".into(), "7".into()],
        ..step("who?")
    };
    check_plan(
        r#"{"steps": [{"ask": "who?", "level": "One node", "passage": "passage 12", "names": ["Teak", 7, []]}]}"#,
        &[full],
        &["wrong type: names"],
    );
    check_plan(
        r#"{"steps": [{"ask": "who?", "level": "galaxy", "passage": 0}]}"#,
        &[step("who?")],
        &["unknown kind: level: galaxy", "wrong type: passage"],
    );
}
