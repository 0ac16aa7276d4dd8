//! What kind of thing a Chinese question asks for.

use super::Expected;
use banyan_engine::Schema;
use banyan_engine::script::{is_han, simplified};

/// What a question for yes or no ends with or holds.
const POLAR_ENDS: [char; 2] = ['吗', '么'];
const POLAR: [&str; 4] = ["是否", "是不是", "有没有", "能不能"];
/// Question words that tell by themselves.
const PERSONS: &str = "谁 何人 哪位 哪个人";
const PLACES: &str = "哪里 哪儿 何处 何地 什么地方 哪个地方";
const DATES: &str = "何时 什么时候 什么时间 哪年 哪一年 何年 哪天 哪一天 几月 几号 哪个月 哪个世纪";
const NUMBERS: &str = "多少 多高 多长 多大 多远 多重 多深 多宽 多厚 多久 几";
/// Question words that a noun follows.
const OPEN: [&str; 4] = ["哪", "什么", "何种", "哪一"];
/// How far after them the noun may begin, in characters. Arbitrary.
const MAX_NOUN_DISTANCE: usize = 8;

/// Reads the kind from the first question word and, after "哪" and "什么", from the first noun that tells; `None` for a
/// question that is not Chinese.
pub(super) fn of(question: &str, schema: &Schema) -> Option<Expected> {
    let question = normal(question)?;
    let bare = question.trim_end_matches(|ch: char| !ch.is_alphanumeric());
    if POLAR.iter().any(|word| bare.contains(word)) || (bare.ends_with(POLAR_ENDS) && !bare.ends_with("什么")) {
        return Some(Expected::YesNo);
    }
    let typed = |name: &str| schema.type_id(name).map_or(Expected::Any, Expected::Entity);
    let kinds = [
        (PERSONS, typed("person")),
        (PLACES, typed("place")),
        (DATES, Expected::Date),
        (NUMBERS, Expected::Number),
    ];
    let told = kinds
        .into_iter()
        .filter_map(|(words, kind)| Some((words.split(' ').filter_map(|word| bare.find(word)).min()?, kind)))
        .min_by_key(|(at, _)| *at);
    // "现在在哪？"
    let at_end = || bare.ends_with("在哪").then(|| typed("place"));
    let by_noun = || Some(Expected::Entity(denoted(bare, schema)?.0));
    Some(
        told.map(|(_, kind)| kind)
            .or_else(at_end)
            .or_else(by_noun)
            .unwrap_or(Expected::Any),
    )
}

/// The noun after "哪" or "什么" that tells the type asked for.
pub(super) fn noun(question: &str, schema: &Schema) -> Option<String> {
    Some(denoted(&normal(question)?, schema)?.1)
}

/// A Chinese question in simplified characters.
fn normal(question: &str) -> Option<String> {
    question
        .contains(is_han)
        .then(|| question.chars().map(simplified).collect())
}

/// The type of the first noun after an open question word, with the noun; of nouns that begin together the longest.
fn denoted(question: &str, schema: &Schema) -> Option<(banyan_engine::TypeId, String)> {
    let after = OPEN
        .iter()
        .filter_map(|word| Some(question.find(word)? + word.len()))
        .min()?;
    let rest = &question[after..];
    rest.char_indices().take(MAX_NOUN_DISTANCE).find_map(|(at, _)| {
        let types = schema.type_ids().filter(|(id, _)| *id != schema.thing());
        types
            .flat_map(|(id, kind)| kind.aliases.iter().map(move |alias| (id, alias)))
            .filter(|(_, alias)| alias.starts_with(is_han) && rest[at..].starts_with(alias.as_str()))
            .max_by_key(|(_, alias)| alias.len())
            .map(|(id, alias)| (id, alias.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_question_words_and_nouns_tell_the_kind() {
        let schema = Schema::general().unwrap();
        let kind = |name| Expected::Entity(schema.type_id(name).unwrap());
        let check = |question, expected| assert_eq!(Expected::of(question, &schema), expected, "{question}");
        check("《长岸》的作者是谁？", kind("person"));
        check("周敏出生在哪里？", kind("place"));
        check("周敏是哪一年出生的？", Expected::Date);
        check("大桥什么时候建成？", Expected::Date);
        check("云川市有多少人口？", Expected::Number);
        check("水库的大坝有多高？", Expected::Number);
        check("她毕业于哪所大学？", kind("organisation"));
        check("林遠出生在哪個縣？", kind("place"));
        check("林远写了什么小说？", kind("work"));
        check("周敏是林远的妻子吗？", Expected::YesNo);
        check("介绍一下东岭省。", Expected::Any);
        assert_eq!(noun("她毕业于哪所大学？", &schema).as_deref(), Some("大学"));
    }
}
