//! Values in Chinese text: 一九九八年, 1998年3月5日, 三月五日, 三百二十, 两千, 1200平方公里.

use super::Literal;
use banyan_engine::Span;
use banyan_engine::schema::ValueKind;
use regex::Regex;
use std::sync::LazyLock;

/// Units of quantities, longer ones first where one begins another.
const UNITS: &str = "平方公里|平方千米|平方米|立方米|公里|千米|厘米|毫米|海里|英里|米|里|公顷|公頃|亩|公斤|千克|克|吨|噸|小时|小時|分钟|分鐘|秒|天|美元|英镑|英鎊|欧元|歐元|\
    日元|元|千瓦|兆瓦|瓦|度|升|岁|歲|%|％";
/// What is counted: a bare number stands before it.
const COUNTERS: &str = "座|个|個|人|名|位|条|條|艘|所|家|口|户|戶|只|隻|种|種|部|册|冊|卷|次|间|間|栋|棟|辆|輛|架|本|篇|首|张|張|层|層|届|屆";

/// The values in one sentence of `text`, in order, without overlap. Ordinals (第三) and single numerals that count nothing
/// are passed over. Cost O(length).
pub(super) fn literals(text: &str, sentence: Span) -> Vec<Literal> {
    let Some(pattern) = PATTERN.as_ref() else {
        return Vec::new();
    };
    let offset = sentence.start as usize;
    let sentence = sentence.of(text);
    let found = pattern.captures_iter(sentence).filter_map(|found| {
        let kinds = [
            ("date", ValueKind::Date),
            ("quantity", ValueKind::Quantity),
            ("counted", ValueKind::Number),
            ("bare", ValueKind::Number),
        ];
        let (kind, part) = kinds
            .into_iter()
            .find_map(|(name, kind)| Some((kind, found.name(name)?)))?;
        let is_ordinal = sentence[..part.start()].ends_with('第');
        let is_inside = sentence[..part.start()].ends_with(|ch: char| ch.is_ascii_alphanumeric() || ch == '.');
        (!is_ordinal && !is_inside).then(|| Literal {
            span: Span::new(offset + part.start(), offset + part.end()),
            kind,
        })
    });
    found.collect()
}

/// One pattern for all; `None` is impossible for a pattern that compiles once, which a test holds.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // `\d` is a digit of any width.
    let figure = r"\d[\d,]*(?:[.．]\d+)?[万亿千百萬億]*";
    let numeral =
        "[一二三四五六七八九十两兩][〇零一二三四五六七八九十百千万亿两萬億兩]*(?:[点點][〇零一二三四五六七八九]+)?";
    let number = format!("(?:{figure}|{numeral})");
    let year = "(?:(?:公元前?)?(?:[12１２]\\d{3}|[一二][〇零一二三四五六七八九]{3}))年";
    let part = "(?:\\d{1,2}|[一二三四五六七八九十]{1,3})";
    let day = format!("{part}月(?:{part}[日号號])");
    let date = format!("{year}(?:{day}|{part}月)?|{day}");
    let several = "[一二三四五六七八九十两兩百千][〇零一二三四五六七八九十百千万亿两萬億兩]+";
    Regex::new(&format!(
        "(?P<date>{date})|(?P<quantity>{number}(?:{UNITS}))|(?P<counted>{number})(?:余|多)?(?:{COUNTERS})|(?P<bare>{several}|{figure})"
    ))
    .ok()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_compiles() {
        assert!(PATTERN.is_some());
    }
}
