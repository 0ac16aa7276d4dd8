//! Names in Chinese: words that are names by dictionary or by their make, joined with what goes on from them.

use super::Name;
use crate::han::{DIVISIONS, begins, folded};
use crate::word::{Kind, Word};
use banyan_engine::Span;
use std::collections::HashMap;

/// Nouns that end names of places and bodies; sorted.
const ENDINGS: &[&str] = &[
    "中学",
    "乐团",
    "乐队",
    "乡",
    "书店",
    "书院",
    "井",
    "会议",
    "体育场",
    "俱乐部",
    "公司",
    "公园",
    "出版社",
    "剧团",
    "剧院",
    "区",
    "医院",
    "半岛",
    "协会",
    "博物馆",
    "县",
    "古镇",
    "号",
    "合作社",
    "商会",
    "图书馆",
    "塔",
    "大会",
    "大学",
    "大桥",
    "奖",
    "委员会",
    "学会",
    "学校",
    "学院",
    "宫",
    "寺",
    "小学",
    "山",
    "山脉",
    "岛",
    "岭",
    "峡",
    "峡谷",
    "峰",
    "工厂",
    "市",
    "平原",
    "广场",
    "庄",
    "庙",
    "战争",
    "战役",
    "报",
    "政府",
    "教堂",
    "日报",
    "晚报",
    "机场",
    "村",
    "桥",
    "气象站",
    "水库",
    "江",
    "沙漠",
    "河",
    "法院",
    "海",
    "海峡",
    "港",
    "湖",
    "湾",
    "溪",
    "灯塔",
    "煤矿",
    "王国",
    "电台",
    "电影公司",
    "省",
    "矿",
    "码头",
    "研究所",
    "研究院",
    "美术馆",
    "群岛",
    "航空公司",
    "节",
    "草原",
    "街",
    "议会",
    "车站",
    "运河",
    "造船厂",
    "部",
    "铁路",
    "银行",
    "镇",
    "集团",
    "音乐厅",
    "高原",
];
/// Common nouns that the dictionary takes for names.
const GENERIC: &[&str] = &[
    "城市",
    "大坝",
    "海湾",
    "台风",
    "藏书",
    "陈列",
    "共和国",
    "联合会",
    "江湖",
    "山寨",
    "上山",
    "下山",
    "入城",
    "上城",
    "上马",
    "东西",
    "哥哥",
    "二人",
    "多谢",
    "林子",
    "林子里",
    "山坡",
];
/// Most common nouns between a name and the noun that ends it ("东岭*水利*公司"). Arbitrary.
const MAX_BETWEEN: usize = 2;
/// Longest name in characters. Arbitrary.
const MAX_CHARS: usize = 16;
/// Marks between the parts of a foreign name.
const DOTS: &[&str] = &["·", "•", "・", "‧"];

/// Takes back what a name drew to itself from behind: of "宋江" and a rarer "宋江道" in one document the longer one is the
/// shorter one and a verb (the dictionary itself has such words). `names` are those of the document that are not quoted. Cost O(names).
pub(super) fn shorten(text: &str, names: &mut [Name]) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names.iter().filter(|name| begins(name.span.of(text))) {
        *counts.entry(name.span.of(text)).or_default() += 1;
    }
    for name in names {
        let surface = name.span.of(text);
        let Some((last, _)) = surface.char_indices().nth(2) else {
            continue;
        };
        let (prefix, rest) = surface.split_at(last);
        let count = |name: &str| counts.get(name).copied().unwrap_or(0);
        if begins(surface) && rest.chars().count() == 1 && count(prefix) > count(surface) && !is_ending(rest) {
            name.span.end = Span::new(0, name.span.start as usize + last).end;
        }
    }
}

/// Whether a Chinese name is one that the corpus knows by its titles, and a verb that was drawn to it ("林远出生" cut into
/// 林远出 and 生).
pub(crate) fn is_drawn(name: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let Some((last, _)) = name.char_indices().next_back().filter(|(at, _)| *at > 3) else {
        return false;
    };
    begins(name) && !is_ending(&folded(&name[last..])) && !is_known(name) && is_known(&name[..last])
}

/// Emits the Chinese names among the words of one sentence.
pub(super) fn names(text: &str, words: &[Word], names: &mut Vec<Name>) {
    let mut at = 0;
    while at < words.len() {
        if words[at].kind == Kind::Common {
            at += 1;
            continue;
        }
        let end = ending(text, words, parts(text, words, at));
        let span = Span {
            start: words[at].span.start,
            end: words[end - 1].span.end,
        };
        let spelled = folded(span.of(text));
        let is_common = ENDINGS.binary_search(&spelled.as_str()).is_ok() || GENERIC.contains(&spelled.as_str());
        if (2..=MAX_CHARS).contains(&spelled.chars().count()) && !is_common {
            names.push(Name { span, is_quoted: false });
        }
        at = end;
    }
}

/// One past the last of the parts of a name that begins at `first`: adjacent names, and what dots join.
fn parts(text: &str, words: &[Word], first: usize) -> usize {
    let mut end = first + 1;
    while end < words.len() {
        let (before, next) = (words[end - 1], words[end]);
        let gap = text
            .get(before.span.end as usize..next.span.start as usize)
            .unwrap_or("");
        let is_dotted = DOTS.contains(&gap) && begins(next.of(text));
        let is_part = is_dotted || (gap.is_empty() && joins(text, before, next));
        if !is_part {
            break;
        }
        end += 1;
    }
    end
}

fn joins(text: &str, before: Word, next: Word) -> bool {
    let long = |word: Word| word.of(text).chars().count() > 1;
    let is_closed = before.kind == Kind::Organisation || (long(before) && folded(before.of(text)).ends_with(DIVISIONS));
    let are_persons = before.kind == Kind::Person && next.kind == Kind::Person && long(before) && long(next);
    next.kind != Kind::Common && !is_closed && !are_persons
}

/// Whether a word is a noun that ends names, or a longer one made of such a noun ("师范*学院*").
fn is_ending(noun: &str) -> bool {
    let has = |noun: &str| ENDINGS.binary_search(&noun).is_ok();
    let tail = noun.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
    has(noun) || (tail > 0 && has(&noun[tail..]))
}

/// One past the noun that ends the name whose parts end at `end`, a few common words farther on; `end` where there is none.
fn ending(text: &str, words: &[Word], end: usize) -> usize {
    let mut reach = end;
    for next in end..words.len().min(end + MAX_BETWEEN + 1) {
        let is_adjacent = words[next - 1].span.end == words[next].span.start;
        let spelled = folded(words[next].of(text));
        let is_ending = is_ending(&spelled);
        if !is_adjacent || !(is_ending || spelled.chars().count() > 1) || words[next].kind != Kind::Common {
            break;
        }
        if is_ending {
            reach = next + 1;
        }
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_sorted_for_binary_search() {
        let mut sorted = ENDINGS.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(ENDINGS, sorted);
    }
}
