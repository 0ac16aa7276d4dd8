//! Many questions to one store, questions about the whole, what `--explain` tells, and what reject mode refuses.

use crate::{built, list};
use banyan_tests::workspace::place;
use serde_json::{Value, json};

const RIVER: &str = "Which river flows past Vessing?";
/// A question whose answer stands in a passage that another passage leads to.
const BRIDGE: &str = "Who gave the first scientific description of the animal on the logo of Hestle Records?";
/// A question about nothing that the corpus knows.
const FOREIGN: &str = "Which enzyme does the Krebs cycle of yeast regulate under anaerobic fermentation?";

#[test]
fn a_batch_is_answered_in_its_order_and_a_bad_line_is_named_before_any_question_is_asked() {
    let desk = built("harrow");
    let lines = "Which river flows past Vessing?\n\n{\"id\": \"b\", \"question\": \"🌊🚢\"}\nWo liegt Vessing?\n{\"question\": \"Who runs Ferren Works?\"}\n";
    desk.put("questions.txt", lines);
    let replies = desk.banyan("query --batch questions.txt --mode open").done().rows();
    let ids: Vec<&Value> = replies.iter().map(|reply| &reply["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!("b"), &json!(4), &json!(5)]);
    assert_eq!(replies[0]["answer"], desk.ask(RIVER, "--json").done().json()["answer"]);
    assert_eq!(replies[1]["answer"]["text"], Value::Null);
    let alone = desk
        .banyan("query --batch questions.txt --mode open --threads 1")
        .done();
    assert_eq!(alone.rows(), replies);

    let long = "x ".repeat(50_000);
    for (lines, expected) in [
        ("Who?\n{\"id\": 1}\n", "line 2: expected an object with `question`"),
        ("Who?\n\n{nonsense\n", "line 3"),
        (&long, "line 1: the question has"),
        ("\n \n", "no questions"),
    ] {
        desk.put("questions.txt", lines);
        desk.banyan("query --batch questions.txt")
            .refused(&["questions.txt", expected]);
    }
}

#[test]
fn the_whole_is_told_in_points_with_sources_and_each_route_says_what_it_found() {
    let desk = built("harrow");
    let reply = |question: &str| desk.ask(question, "--json").done().json();
    let themes = reply("What are the main themes of this corpus?");
    assert!(list(&themes["points"]).len() > 2, "{themes:#}");
    for point in list(&themes["points"]) {
        assert!(!list(&point["facts"]).is_empty(), "{point}");
        for fact in list(&point["facts"]) {
            let quote = fact["citation"]["quote"].as_str().unwrap();
            let is_named = |end: usize| {
                let last = fact["what"][end].as_str().unwrap().split_whitespace().next_back();
                quote.contains(last.unwrap().trim_end_matches(')'))
            };
            assert!(is_named(0) || is_named(2), "{fact}");
        }
    }
    let headings = |question: &str| -> Vec<Value> {
        let reply = reply(question);
        let points = list(&reply["points"]).iter();
        points.map(|point| point["heading"].clone()).collect()
    };
    assert_eq!(
        headings("Compare Karrowmouth and Dunmarrick."),
        ["Karrowmouth", "Dunmarrick"]
    );
    assert!(headings(RIVER).is_empty(), "a question about one thing has no points");

    desk.ask(RIVER, "--explain --top-k 3")
        .done()
        .prints(&["chunk ", "entity ", "path ", "triple ", "cut: ", "more passages"])
        .prints(&["entities", "Vessing", "communities", "sufficiency", "embedder none"]);
}

#[test]
fn an_answer_is_stated_only_where_it_is_likely_enough_unless_all_are_wanted() {
    let desk = built("harrow");
    let sure = |options: &str| {
        let question = "Which river reaches the Sallow Sea at Vessing?";
        let run = desk.run(
            ["query", question, "--json"]
                .into_iter()
                .chain(options.split_whitespace()),
        );
        let reply = run.json();
        let stated = reply["answer"]["text"].is_string();
        (stated, reply["answer"]["sufficiency"].as_f64().unwrap(), reply)
    };
    let (stated, probability, reply) = sure("");
    assert_eq!((stated, &reply["mode"]), (probability >= 0.6, &json!("reject")));
    let (below, above) = (probability - 0.01, probability + 0.01);
    assert!(sure(&format!("--min-confidence {below:.4}")).0);
    assert!(!sure(&format!("--min-confidence {above:.4}")).0);
    assert!(sure("--mode open").0);
    desk.banyan("query x --mode open --min-confidence 0.2")
        .refused(&["--min-confidence 0.2", "open mode"]);
    let wrong = desk.banyan("query x --min-confidence 2");
    assert_eq!(wrong.code, Some(2));
    wrong.tells(&["expected a number from 0 to 1"]);
}

#[test]
fn each_passage_shows_its_sentence_and_the_likeliest_answer_is_marked_where_it_stands_even_if_it_is_held_back() {
    let desk = built("harrow");
    let held = ["query", RIVER, "--min-confidence", "1"];
    let reply = desk.run(held.into_iter().chain(["--json"])).unanswered().json();
    let likeliest = reply["answer"]["likeliest"].as_str().unwrap();
    assert!(reply["answer"]["text"].is_null());
    let shown = desk.run(held).unanswered().stdout;
    assert!(shown.contains(&format!("**{likeliest}**")), "{shown}");
    let cited: Vec<&Value> = list(&reply["answer"]["citations"]).iter().collect();
    for passage in list(&reply["passages"]) {
        let quote = &passage["quote"];
        let words = quote["quote"].as_str().unwrap();
        assert!(passage["text"].as_str().unwrap().contains(words), "{passage:#}");
        let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = shown.replace("**", "");
        assert!(cited.contains(&quote) || plain.contains(&line), "{line}\n{shown}");
    }
}

#[test]
fn reject_mode_refuses_what_is_foreign_and_decides_by_the_calibration_that_it_is_given() {
    let desk = built("harrow");
    let run = desk.ask(FOREIGN, "--mode reject").unanswered();
    assert!(run.stdout.starts_with("no answer: "), "{run:#?}");
    let reply = desk.ask(FOREIGN, "--mode reject --json").unanswered().json();
    assert!(reply["answer"]["text"].is_null(), "{reply:#}");
    desk.ask(BRIDGE, "--mode reject --min-confidence 0.01").done();

    let calibrate = format!("calibrate {} --fit sure.json --json", place("data/harrow"));
    let report = desk.exam(&calibrate).done().json();
    assert_eq!(list(&report["parts"][0]["questions"]).len(), 40);
    desk.exam(&calibrate).refused(&["sure.json", "not taken"]);
    for (name, threshold) in [("never.json", 1.0), ("always.json", 0.0)] {
        let mut fitted: Value = serde_json::from_str(&desk.read("sure.json")).unwrap();
        fitted["threshold"] = json!(threshold);
        desk.put(name, fitted.to_string());
    }
    let ask = |file: &str| desk.ask(RIVER, &format!("--mode reject --calibration {file}"));
    assert!(ask("never.json").unanswered().stdout.starts_with("no answer: "));
    ask("always.json").done();
    desk.put("bad.json", "{}");
    ask("bad.json").refused(&["bad.json", "expected a calibration"]);
}
