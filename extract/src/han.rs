//! Chinese text: runs of Han characters cut into words, and what each word may be the name of.

use crate::word::Kind;
use crate::word_list::List;
pub(crate) use banyan_engine::script::is_han;
use banyan_engine::script::simplified;
use jieba_rs::Jieba;
use std::ops::Range;
use std::sync::LazyLock;

/// The dictionary; loading takes a quarter of a second and 40 MB, so that only Chinese text loads it.
static DICTIONARY: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// Characters that neither begin nor end a name: particles, prepositions and conjunctions. Unknown words lose them.
const PARTICLES: &str = "于由在和与及是为被将把从到向对以至并而的了也都则曾其该等之或经让使因所还又已";
/// Common surnames of one character.
const SURNAMES: &str = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董潘袁蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆\
    汪范金石廖贾夏韦傅方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤施柳温康季乔岳章鲁葛庄\
    阮柴晁扈索裴穆燕凌焦宿卞项邬解戚翟蒲耿关尚左倪卓蔺虞柯岑符祝娄鲍苗花盛闵甘宗宣樊冉刁阎单欧阳乐伍骆成齐曲祁游欧";
/// Characters that foreign names are written with.
const FOREIGN: &str = "阿埃艾安昂奥巴拜班贝本比彼宾波伯布查达戴丹德登迪蒂丁杜多恩尔法菲费芬弗福盖戈格古哈海汉赫霍基吉加杰卡凯坎科克库拉莱兰劳勒雷\
    里利莉列林卢鲁路伦罗洛马玛迈麦曼梅米莫姆穆娜纳内尼宁诺欧帕派佩皮普奇恰乔切瑞萨塞桑瑟沙绍圣斯丝史苏索塔泰坦汤特提图托瓦万威韦维温沃乌伍西希\
    夏谢辛雅亚扬伊因尤约泽扎詹珍兹佐娅琳妮蕾蒙盾顿朗雪黛芙丽";
/// Surnames of two characters.
const LONG_SURNAMES: &[&str] = &[
    "欧阳", "司马", "诸葛", "上官", "慕容", "司徒", "夏侯", "皇甫", "尉迟", "公孙",
];

/// What ends the name of a part of a country, after which another name begins anew.
pub(crate) const DIVISIONS: &[char] = &['省', '市', '县', '区', '镇', '乡', '村', '州', '国'];

/// A text with simplified characters for traditional ones; offsets stay as they are.
pub(crate) fn folded(text: &str) -> String {
    text.chars().map(simplified).collect()
}

/// Whether a text begins with such a character.
pub(crate) fn begins(text: &str) -> bool {
    text.starts_with(is_han)
}

/// Whether a word is nothing but particles.
pub(crate) fn is_particle(word: &str) -> bool {
    word.chars().all(|ch| PARTICLES.contains(ch))
}

/// Whether the dictionary has a word, in simplified characters.
pub(crate) fn is_known(word: &str) -> bool {
    DICTIONARY.has_word(word)
}

/// Whether a name, in simplified characters, begins with a surname.
pub(crate) fn has_surname(name: &str) -> bool {
    let is_single = name.chars().next().is_some_and(|first| SURNAMES.contains(first));
    is_single || LONG_SURNAMES.iter().any(|surname| name.starts_with(surname))
}

/// The words of a run of Han characters: byte ranges of `run` in order, without gaps, each with what it may name.
/// `follows_digit` tells whether a digit stands right before the run. Traditional characters are read as simplified ones.
/// Cost O(length).
pub(crate) fn cut(run: &str, follows_digit: bool) -> Vec<(Range<usize>, Kind)> {
    let run = folded(run);
    let run = run.as_str();
    // "5日出生" is not 日出.
    let unit = List::Counted.longest_prefix(run).filter(|_| follows_digit);
    let start = unit.map_or(0, str::len);
    let mut words = Vec::new();
    if start > 0 {
        words.push((0..start, Kind::Common));
    }
    for token in DICTIONARY.tag(&run[start..], true) {
        let mut range = start + token.byte_start..start + token.byte_end;
        let kind = kind(token.tag, token.word);
        let follows_place = words.last().is_some_and(|(_, last)| *last == Kind::Place);
        if let (true, Some(rest)) = (follows_place, token.word.strip_prefix(DIVISIONS))
            && rest.chars().count() > 1
            && !DICTIONARY.has_word(token.word)
        {
            // "东岭|省云川市": what ends the place before was drawn to the one after.
            let first = range.end - rest.len();
            words.push((range.start..first, Kind::Common));
            range.start = first;
        }
        if kind == Kind::Common || DICTIONARY.has_word(&run[range.clone()]) {
            words.push((range, kind));
        } else {
            bared(run, range, kind, &mut words);
        }
    }
    words
}

/// What a name, cut by itself, may be the name of; [`Kind::Common`] for one of several words.
pub(crate) fn kind_of(name: &str) -> Kind {
    match cut(name, false).as_slice() {
        [(_, kind)] => *kind,
        _ => Kind::Common,
    }
}

fn kind(tag: &str, word: &str) -> Kind {
    match tag.as_bytes() {
        // The dictionary and its model take much for a person, from 太公 to 便将.
        [b'n', b'r'] if !is_personal(word) => Kind::Common,
        [b'n', b'r', ..] => Kind::Person,
        [b'n', b's', ..] => Kind::Place,
        [b'n', b't', ..] => Kind::Organisation,
        [b'n', b'z', ..] => Kind::Other,
        _ => Kind::Common,
    }
}

/// Whether a word is made like the name of a person: it has a surname, but for one particle before it, or only characters
/// of foreign names.
fn is_personal(word: &str) -> bool {
    let bare = word.trim_start_matches(|ch: char| PARTICLES.contains(ch));
    if bare.is_empty() {
        return false;
    }
    has_surname(bare) || verb_before(bare, Kind::Person) > 0 || bare.chars().all(|ch| FOREIGN.contains(ch))
}

/// Adds a word that the dictionary does not have without the particles at its ends, which become words of their own.
fn bared(run: &str, range: Range<usize>, kind: Kind, words: &mut Vec<(Range<usize>, Kind)>) {
    let whole = &run[range.clone()];
    let is_particle = |ch: char| PARTICLES.contains(ch);
    let rest = whole.trim_start_matches(is_particle);
    let front = whole.len() - rest.len() + verb_before(rest, kind);
    let back = whole.trim_end_matches(is_particle).len();
    if front >= back {
        words.push((range, Kind::Common));
        return;
    }
    let (first, end) = (range.start + front, range.start + back);
    let parts = [
        (range.start..first, Kind::Common),
        (first..end, kind),
        (end..range.end, Kind::Common),
    ];
    words.extend(parts.into_iter().filter(|(part, _)| !part.is_empty()));
}

/// The length of the one character that was drawn to a person's name from before it ("有|林远"): what is no surname, with
/// two characters or more behind it that begin with one.
fn verb_before(word: &str, kind: Kind) -> usize {
    let mut chars = word.chars();
    let first = chars.next().map_or(0, char::len_utf8);
    let rest = chars.as_str();
    let is_drawn = kind == Kind::Person && rest.chars().count() > 1 && !has_surname(word) && has_surname(rest);
    if is_drawn { first } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(run: &str, follows_digit: bool, expected: &[&str]) {
        let found: Vec<&str> = cut(run, follows_digit)
            .into_iter()
            .map(|(range, _)| &run[range])
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn runs_are_cut_into_words() {
        check(
            "小说家林远于春天回到青河县",
            false,
            &["小说家", "林远", "于", "春天", "回到", "青河县"],
        );
        check("日出生", true, &["日", "出生"]);
        check("日出", false, &["日出"]);
        check("东岭省云川市", false, &["东岭", "省", "云川市"]);
        check("由林远创作", false, &["由", "林远", "创作"]);
        check("獲獎者有林遠", false, &["獲獎者", "有", "林遠"]);
    }

    #[test]
    fn words_tell_what_they_may_name() {
        assert_eq!(
            (kind_of("张晓明"), kind_of("北京"), kind_of("北京大学")),
            (Kind::Person, Kind::Place, Kind::Organisation)
        );
        assert_eq!(kind_of("创办"), Kind::Common);
        assert!(has_surname("林远") && has_surname("欧阳青") && !has_surname("昂德尔"));
    }
}
