//! Chinese text from end to end: facts of the Dongling corpus, and questions about it.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::text;
use serde_json::Value;

/// Least share of questions with a gold passage among the first three, and with all of them.
const MIN_HIT: f64 = 0.8;

fn dongling() -> Desk {
    let desk = desk().with("corpus.jsonl", text("data/dongling/corpus.jsonl"));
    desk.run(["build", "corpus.jsonl", "--store", "store"]).done();
    desk
}

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

#[test]
fn facts_are_read_from_chinese() {
    let dump = dongling().dump("store");
    let facts = facts(&dump);
    for expected in [
        "林远 born_in 青河县",
        "林远 educated_at 云川大学",
        "林远 spouse 周敏",
        "林远 wrote 石门旧事",
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
        "顾青山 directed 长岸",
        "秦若水 leader_of 云川大学",
        "北湾大桥 crosses 北湾",
        "北湾大桥 built_date = ２０１２年６月",
        "白鹭书店 founded_date = 2003年",
        "旧岭州 population = 三百萬",
        "云口 capital_of 旧岭州",
    ] {
        assert!(
            facts.iter().any(|fact| fact == expected),
            "{expected} is not among {facts:#?}"
        );
    }
    for never in ["白沙河 flows_into 柳溪镇", "柳溪镇 flows_into"] {
        assert!(!facts.iter().any(|fact| fact.starts_with(never)), "{never}: {facts:#?}");
    }
}

#[test]
fn short_names_and_the_other_script_name_the_same_entity() {
    let dump = dongling().dump("store");
    for (name, other) in [
        ("云川大学", "云大"),
        ("东岭省", "東嶺省"),
        ("北湾大桥", "North Bay Bridge"),
    ] {
        let line = dump
            .lines()
            .find(|line| line.starts_with(&format!("{name} \"")))
            .unwrap();
        assert!(line.contains(&format!("\"{other}\"")), "{line}");
    }
}

#[test]
fn questions_in_chinese_find_their_passages_and_quote_them() {
    let desk = dongling();
    let questions: Vec<Value> = text("data/dongling/questions.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let texts: Vec<Value> = text("data/dongling/corpus.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (mut n_any, mut n_all) = (0.0, 0.0);
    for question in &questions {
        let args = ["query", question["question"].as_str().unwrap(), "--store", "store"];
        let reply = desk.run(args.iter().chain(&["--json", "--top-k", "3"])).done().json();
        let found: Vec<u64> = reply["passages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|passage| record(&passage["origin"]))
            .collect();
        let gold: Vec<u64> = question["gold"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_u64)
            .collect();
        n_any += f64::from(u8::from(gold.iter().any(|gold| found.contains(gold))));
        n_all += f64::from(u8::from(gold.iter().all(|gold| found.contains(gold))));
        for citation in reply["answer"]["citations"].as_array().unwrap() {
            let at = usize::try_from(record(&citation["origin"])).unwrap();
            let whole = texts[at - 1]["text"].as_str().unwrap();
            let place = |end: &str| usize::try_from(citation[end].as_u64().unwrap()).unwrap();
            assert_eq!(whole.get(place("start")..place("end")), citation["quote"].as_str());
        }
    }
    let n = questions.len() as f64;
    assert!(
        n_any / n >= MIN_HIT && n_all / n >= MIN_HIT,
        "any {n_any}, all {n_all} of {n}"
    );
}

/// The record that an origin names: 8 in "corpus.jsonl#8".
fn record(origin: &Value) -> u64 {
    let (_, record) = origin.as_str().unwrap().rsplit_once('#').unwrap();
    record.parse().unwrap()
}
