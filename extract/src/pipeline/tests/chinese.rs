//! What extraction finds in small Chinese texts, under a small schema of Chinese phrases.

use super::*;

const SCHEMA: &str = r#"{
    "name": "small",
    "entity_types": [
        {"name": "person", "aliases": ["小说家", "工程师", "校长", "女作家"]},
        {"name": "place", "aliases": ["省", "市", "县", "河", "海", "岛", "群岛", "首府"]},
        {"name": "organisation", "aliases": ["大学", "书店", "公司", "博物馆"]},
        {"name": "work", "aliases": ["小说", "长诗"]}
    ],
    "relations": [
        {"name": "born_in", "domain": ["person"], "range": ["place"], "aliases": ["出生于", "生于"]},
        {"name": "located_in", "domain": ["place", "organisation"], "range": ["place"], "aliases": ["located in", "位于"]},
        {"name": "founded_by", "domain": ["organisation"], "range": ["person"], "aliases": ["由…创办"]},
        {"name": "founder_of", "domain": ["person"], "range": ["organisation"], "aliases": ["创办", "创立"]},
        {"name": "wrote", "domain": ["person"], "range": ["work"], "aliases": ["著有", "创作"]},
        {"name": "author", "domain": ["work"], "range": ["person"], "aliases": ["由…创作", "的作者是"]},
        {"name": "capital_of", "domain": ["place"], "range": ["place"], "aliases": ["是…的首府", "…的首府是"]},
        {"name": "leader_of", "domain": ["person"], "range": ["organisation"], "aliases": ["是…的校长", "担任"]}
    ],
    "attributes": [
        {"name": "description", "kind": "text"},
        {"name": "birth_date", "domain": ["person"], "kind": "date", "aliases": ["出生", "生于"]},
        {"name": "founded_date", "domain": ["organisation"], "kind": "date", "aliases": ["创办", "成立"]},
        {"name": "population", "domain": ["place"], "kind": "number", "aliases": ["人口"]},
        {"name": "area", "domain": ["place"], "kind": "quantity", "aliases": ["面积"]}
    ]
}"#;

/// The words that are read as one, with their tags.
pub(super) const WORDS: &[(&str, &str)] = &[
    ("林远", "PER"),
    ("周敏", "PER"),
    ("梅琳·多恩", "PER"),
    ("东岭省", "LOC"),
    ("青河县", "LOC"),
    ("云川市", "LOC"),
    ("韦辛市", "LOC"),
    ("哈罗群岛", "LOC"),
    ("萨洛海", "LOC"),
    ("北海", "LOC"),
    ("萨洛县", "LOC"),
    ("多恩市", "LOC"),
    ("一九九五年", "TIME"),
    ("白鹭书店", "ORG"),
    ("灯塔博物馆", "ORG"),
    ("云大", "ORG"),
    ("出生", "v"),
    ("创办", "v"),
    ("没有", "v"),
    ("小说家", "n"),
    ("工程师", "n"),
];

fn chinese(documents: &[(&str, &str)]) -> Vec<String> {
    facts_under(Schema::from_json(SCHEMA).unwrap(), documents)
}

#[track_caller]
fn check(documents: &[(&str, &str)], expected: &[&str]) {
    let found = chinese(documents);
    for fact in expected {
        assert!(
            found.iter().any(|other| other == fact),
            "{fact} is not among {found:#?}"
        );
    }
}

#[test]
fn verbs_before_a_name_state_relations_of_the_subject() {
    check(
        &[(
            "林远",
            "林远是小说家，1960年3月5日出生于东岭省青河县，著有《长岸》。他在云川市创办了白鹭书店。",
        )],
        &[
            "林远 born_in 青河县",
            "青河县 located_in 东岭省",
            "林远 wrote 长岸",
            "林远 founder_of 白鹭书店",
            "林远 birth_date = 1960年3月5日",
            "林远 description = 小说家",
        ],
    );
}

#[test]
fn phrases_around_a_name_state_relations() {
    check(
        &[
            ("长岸", "《长岸》是一部小说，由林远创作。"),
            (
                "灯塔博物馆",
                "韦辛市的灯塔博物馆由工程师梅琳·多恩和周敏于一九九五年创办。",
            ),
            (
                "韦辛市",
                "韦辛市是哈罗群岛的首府，位于萨洛海，人口三百二十万，面积一千二百平方公里。",
            ),
        ],
        &[
            "长岸 author 林远",
            "灯塔博物馆 founded_by 梅琳·多恩",
            "灯塔博物馆 founded_by 周敏",
            "灯塔博物馆 founded_date = 一九九五年",
            "韦辛市 capital_of 哈罗群岛",
            "韦辛市 located_in 萨洛海",
            "韦辛市 population = 三百二十万",
            "韦辛市 area = 一千二百平方公里",
        ],
    );
}

#[test]
fn the_tail_may_stand_before_the_head() {
    check(
        &[
            ("哈罗群岛", "哈罗群岛的首府是韦辛市。"),
            ("萨洛县", "萨洛县位于北海，首府是多恩市。"),
        ],
        &["韦辛市 capital_of 哈罗群岛", "多恩市 capital_of 萨洛县"],
    );
}

#[test]
fn traditional_characters_state_the_same() {
    check(
        &[
            ("東嶺省", "東嶺省位於北海，人口兩千萬。"),
            ("林遠", "林遠出生於東嶺省，創辦了白鷺書店。"),
            ("白鹭书店", "白鹭书店由林远于二〇〇三年创办。"),
        ],
        &[
            "林遠 born_in 東嶺省",
            "林遠 founder_of 白鹭书店",
            "白鹭书店 founded_by 林遠",
            "東嶺省 located_in 北海",
            "東嶺省 population = 兩千萬",
        ],
    );
}

#[test]
fn a_date_before_the_verb_belongs_to_what_the_verb_made() {
    check(
        &[("周敏", "周敏是小说家。2003年，她创办了白鹭书店。")],
        &["周敏 founder_of 白鹭书店", "白鹭书店 founded_date = 2003年"],
    );
}

#[test]
fn short_names_from_the_opening_name_the_subject() {
    check(
        &[
            ("云川大学", "云川大学（简称云大）是一所大学。"),
            ("周敏", "周敏是云大的校长。"),
        ],
        &["周敏 leader_of 云川大学"],
    );
}

#[test]
fn what_is_denied_in_chinese_is_not_stated() {
    let found = chinese(&[("周敏", "周敏没有创办白鹭书店。她不是云川大学的校长。")]);
    assert!(
        found
            .iter()
            .all(|fact| !fact.contains("founder_of") && !fact.contains("leader_of")),
        "{found:#?}"
    );
}
