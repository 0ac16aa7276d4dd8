//! Chinese text from end to end: facts of the Dongling corpus, and questions about it.

use crate::{built, desk, list, quoted};
use banyan_tests::workspace::text;
use banyan_tests::{Desk, Run, rows};
use serde_json::Value;
use std::process::Command;

/// Least share of questions with a gold passage among the first three, and with all of them.
const MIN_HIT: f64 = 0.8;

/// The facts of a dump: "head relation tail" and "entity attribute = value".
fn facts(dump: &str) -> Vec<String> {
    let mut head = String::new();
    let mut facts = Vec::new();
    for line in dump.lines() {
        if let Some(name) = line.strip_prefix("  · ") {
            name.clone_into(&mut head);
        } else if let Some(fact) = line.strip_prefix("    2 ") {
            let fact = fact.split(" [").next().unwrap();
            facts.push(format!("{head} {fact}"));
        } else if let Some(fact) = line.strip_prefix("    1 ") {
            let mut parts = fact.split('"');
            facts.push(format!("{head} {}{}", parts.next().unwrap(), parts.next().unwrap()));
        }
    }
    facts
}

/// The Dongling corpus, read by the tagger in the user's own cache; `None` where that is not, which is told.
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
fn tagged() -> Option<Desk> {
    let desk = desk().with("corpus.jsonl", text("data/dongling/corpus.jsonl"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_banyan-under-test"));
    let build = "--offline --embedder none build --store store corpus.jsonl";
    command.current_dir(desk.path("")).args(build.split(' '));
    let run = Run::from(command.output().unwrap()).done();
    if run.stderr.contains("Chinese is read character by character") {
        eprintln!("skipped: the Chinese tagger is not on this machine");
        return None;
    }
    Some(desk)
}

#[test]
fn facts_and_other_names_are_read_from_chinese() {
    let Some(desk) = tagged() else { return };
    let dump = desk.dump("store");
    let facts = facts(&dump);
    for expected in [
        "林远 born_in 青河县",
        "林远 educated_at 云川大学",
        "周敏 spouse 林远",
        "石门旧事 author 林远",
        "林远 birth_date = 1960年3月5日",
        "林远 death_date = 2014年11月20日",
        "长岸 author 林远",
        "长岸 release_date = 1996年",
        "云川市 capital_of 东岭省",
        "云川市 area = 一千二百平方公里",
        "石门水库 designed_by 梅琳 多恩",
        "石门水库 built_by 东岭水利公司",
        "石门水库 built_date = 一九七四年",
        "海棠文学奖 founded_by 海西出版社",
        "海棠文学奖 cost = 二十万元",
        "长岸 director 顾青山",
        "秦若水 leader_of 云川大学",
        "北湾大桥 crosses 北湾",
        "北湾大桥 built_date = ２０１２年６月",
        "白鹭书店 founded_date = 2003年",
        "旧岭州 population = 三百萬",
    ] {
        assert!(
            facts.iter().any(|fact| fact == expected),
            "{expected} is not among {facts:#?}"
        );
    }
    for never in ["白沙河 flows_into 柳溪镇", "柳溪镇 flows_into"] {
        assert!(!facts.iter().any(|fact| fact.starts_with(never)), "{never}: {facts:#?}");
    }
    for (name, other) in [
        ("云川大学", "云大"),
        ("东岭省", "東嶺省"),
        ("北湾大桥", "North Bay Bridge"),
    ] {
        let start = format!("{name} \"");
        let line = dump.lines().find(|line| line.starts_with(&start)).unwrap();
        assert!(line.contains(&format!("\"{other}\"")), "{line}");
    }
}

#[test]
fn questions_in_chinese_find_their_passages_and_quote_them() {
    let desk = built("dongling").with("questions.jsonl", text("data/dongling/questions.jsonl"));
    let questions = rows(&desk.read("questions.jsonl"));
    let texts = rows(&desk.read("corpus.jsonl"));
    let replies = desk.banyan("query --batch questions.jsonl --top-k 3").done().rows();
    let (mut n_any, mut n_all) = (0.0, 0.0);
    for (question, reply) in questions.iter().zip(&replies) {
        let found: Vec<u64> = list(&reply["passages"]).iter().map(record).collect();
        let mut gold = list(&question["gold"]).iter().filter_map(Value::as_u64);
        let is_found = |gold: u64| found.contains(&gold);
        n_any += f64::from(u8::from(gold.clone().any(is_found)));
        n_all += f64::from(u8::from(gold.all(is_found)));
        for citation in list(&reply["answer"]["citations"]) {
            let text = texts[usize::try_from(record(citation)).unwrap() - 1]["text"].as_str();
            assert_eq!(quoted(text.unwrap(), citation), citation["quote"].as_str());
        }
    }
    let n = questions.len() as f64;
    assert!(
        replies.len() == questions.len() && n_any / n >= MIN_HIT && n_all / n >= MIN_HIT,
        "any {n_any}, all {n_all} of {n}"
    );
}

/// The record that a passage or citation comes from: 8 where it is "corpus.jsonl#8".
fn record(from: &Value) -> u64 {
    let (_, record) = from["origin"].as_str().unwrap().rsplit_once('#').unwrap();
    record.parse().unwrap()
}
