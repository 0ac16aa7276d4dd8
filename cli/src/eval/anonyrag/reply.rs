//! What a reply says: a letter, or which name is behind which tag. Tolerant: whatever a model writes is read as far as it
//! says something.

use super::N_OPTIONS;
use banyan_extract::tag::Tag;
use std::collections::BTreeMap;

/// Marks between a tag and its name, tried in this order.
const JOINTS: &[&str] = &[
    "——", "—", "–", "=>", "->", "→", "--", "：", ":", "=", "\t", " - ", " is ", "是", "为", " ",
];
/// Longest name that is read from a reply, in bytes. Arbitrary: longer ones are explanations.
const MAX_NAME: usize = 120;

/// Tag → name, from lines such as `PERSON#200——Queequeg`, `[PERSON#200]: Queequeg`, `- PERSON#200 is Queequeg`, or an object
/// of JSON. Of a tag that is named twice the first counts; "unknown" and the like count as nothing. Cost O(length).
pub(super) fn mapping(reply: &str) -> BTreeMap<Tag, String> {
    let mut found = BTreeMap::new();
    for (tag, name) in pairs(reply).into_iter().filter(|(_, name)| !is_unknown(name)) {
        found.entry(tag).or_insert(name);
    }
    found
}

/// Every tag with the name after it, in order, whatever the name says: gold may well say "none". Cost O(length).
pub(super) fn pairs(text: &str) -> Vec<(Tag, String)> {
    let parts = text.split(['\n', ';', '；', '\r']).flat_map(entries);
    parts.filter_map(entry).collect()
}

/// The parts of a line that begin with a tag: several entries may stand on one line, parted by commas.
fn entries(line: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = line
        .match_indices('#')
        .filter_map(|(at, _)| label_start(line, at))
        .collect();
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().zip(ends).map(|(start, end)| &line[*start..end]).collect()
}

/// Where the label before `#` begins, if a digit follows it.
fn label_start(line: &str, mark: usize) -> Option<usize> {
    let is_numbered = line[mark + 1..].starts_with(|ch: char| ch.is_ascii_digit());
    let label = line[..mark]
        .bytes()
        .rev()
        .take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        .count();
    (is_numbered && label > 0).then(|| mark - label)
}

fn entry(part: &str) -> Option<(Tag, String)> {
    let mark = part.find('#')?;
    let digits = part[mark + 1..].bytes().take_while(u8::is_ascii_digit).count();
    let (tag, rest) = part.split_at(mark + 1 + digits);
    let rest = rest
        .trim_start_matches([']', '"', '\'', '*', '`', ')', '】', '」'])
        .trim_end();
    let joint = JOINTS
        .iter()
        .find(|joint| rest.trim_start_matches(' ').starts_with(joint.trim_start_matches(' ')))?;
    let name = rest
        .trim_start_matches(' ')
        .strip_prefix(joint.trim_start_matches(' '))?;
    let name = clean(name);
    let is_name = !name.is_empty() && name.len() <= MAX_NAME;
    is_name.then(|| Some((Tag::parse(&tag.to_ascii_uppercase())?, name.to_owned())))?
}

/// A name without quotation marks, brackets and what ends a list around it.
fn clean(name: &str) -> &str {
    let is_mark = |ch: char| ch.is_whitespace() || "\"'“”‘’`*[]{}(（,，、。.;：:—–-".contains(ch);
    let bare = name.trim_matches(is_mark);
    // An explanation in brackets is no part of the name.
    let cut = bare.find(['(', '（']).unwrap_or(bare.len());
    let before = bare[..cut].trim_end();
    if before.is_empty() { bare } else { before }
}

/// Whether a reply says that it does not know.
pub(super) fn is_unknown(reply: &str) -> bool {
    let bare = reply
        .trim()
        .trim_matches(['.', '"', '。', '”', '“', '*'])
        .to_lowercase();
    let says = [
        "",
        "?",
        "n/a",
        "na",
        "none",
        "null",
        "unknown",
        "not known",
        "unclear",
        "not stated",
        "cannot be determined",
        "cannot be known",
        "reject",
        "rejected",
        "i don't know",
        "i do not know",
        "insufficient evidence",
        "未知",
        "不知",
        "不知道",
        "无法确定",
        "无法判断",
        "无",
        "拒绝回答",
    ];
    says.contains(&bare.as_str())
}

/// The letter that a reply chooses: a line that is one, or what stands after "answer" (答案, 选), or the first letter with a
/// mark behind it; `None` where it chooses none, or none of the `N_OPTIONS`.
pub(super) fn letter(reply: &str) -> Option<char> {
    let spoken = ["answer", "option", "choice", "答案", "选项", "选择", "选"];
    let lower = reply.to_lowercase();
    let after = spoken
        .iter()
        .filter_map(|word| Some(lower.rfind(word)? + word.len()))
        .max();
    let line = |at: usize| reply[at..].lines().next().unwrap_or("");
    let said = after
        .filter(|_| lower.len() == reply.len())
        .and_then(|at| lone_letter(line(at)));
    let by_line = || {
        reply
            .lines()
            .find_map(|line| lone_letter(line).filter(|_| begins_with_letter(line)))
    };
    said.or_else(by_line)
}

/// The number from 0 to 1 that a reply gives as its confidence; a percentage counts as its share.
pub(super) fn confidence(reply: &str) -> Option<f64> {
    let lower = reply.to_lowercase();
    let at = ["confidence", "置信度", "把握"]
        .iter()
        .filter_map(|word| Some(lower.rfind(word)? + word.len()))
        .max()?;
    let rest = lower[at..].trim_start_matches(|ch: char| !ch.is_ascii_digit());
    let end = rest
        .find(|ch: char| !ch.is_ascii_digit() && ch != '.')
        .unwrap_or(rest.len());
    let number: f64 = rest[..end].trim_end_matches('.').parse().ok()?;
    let share = if number > 1.0 || rest[end..].trim_start().starts_with('%') {
        number / 100.0
    } else {
        number
    };
    (0.0..=1.0).contains(&share).then_some(share)
}

fn is_option(ch: char) -> bool {
    ('A'..).take(N_OPTIONS).any(|letter| letter == ch)
}

/// Whether a line begins with a letter alone, after marks.
fn begins_with_letter(line: &str) -> bool {
    let bare = line.trim_start_matches(|ch: char| !ch.is_alphanumeric());
    let mut chars = bare.chars();
    let (first, second) = (chars.next(), chars.next());
    first.is_some_and(|ch| is_option(ch.to_ascii_uppercase())) && second.is_none_or(|ch| !ch.is_alphanumeric())
}

/// The first option's letter in capitals that stands by itself, or a small one that is all there is.
fn lone_letter(text: &str) -> Option<char> {
    let words = text
        .split(|ch: char| !ch.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let is_letter = |word: &&&str| word.len() == 1 && word.starts_with(is_option);
    if let Some(word) = words.iter().find(is_letter) {
        return word.chars().next();
    }
    let alone = words.first().filter(|_| words.len() == 1)?.to_ascii_uppercase();
    (alone.len() == 1).then(|| alone.chars().next().filter(|ch| is_option(*ch)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reply: &str, expected: &[(&str, &str)]) {
        let expected = expected
            .iter()
            .map(|(tag, name)| (Tag::parse(tag).unwrap(), (*name).to_owned()));
        assert_eq!(mapping(reply), expected.collect::<BTreeMap<_, _>>(), "{reply}");
    }

    #[test]
    fn mappings_are_read_in_the_forms_that_are_written() {
        check(
            "PERSON#200——Queequeg\nPERSON#588——captain",
            &[("PERSON#200", "Queequeg"), ("PERSON#588", "captain")],
        );
        check(
            "[PERSON#2]: Ann Hall\r\n- **LOCATION#3** - Skelva",
            &[("PERSON#2", "Ann Hall"), ("LOCATION#3", "Skelva")],
        );
        check("{\"PERSON#1\": \"Ann\", \"PERSON#2\": null}", &[("PERSON#1", "Ann")]);
        check(
            "[PERSON#1] is Ann (the captain), person#2 = Bob.",
            &[("PERSON#1", "Ann"), ("PERSON#2", "Bob")],
        );
        check(
            "PERSON#532——鲁智深；[LOCATION#526]：五台山",
            &[("PERSON#532", "鲁智深"), ("LOCATION#526", "五台山")],
        );
        check("1. PERSON#4是周通", &[("PERSON#4", "周通")]);
        check("PERSON#1——Ann\nPERSON#1——Bob", &[("PERSON#1", "Ann")]);
        check("PERSON#1——unknown\n# heading\nPERSON#——x\nno tag", &[]);
    }

    #[test]
    fn letters_are_read_in_the_forms_that_are_written() {
        for (reply, expected) in [
            ("C", Some('C')),
            ("c.", Some('C')),
            ("C. (Ann, Skelva)", Some('C')),
            ("(B)", Some('B')),
            ("The answer is D.", Some('D')),
            ("A person said it.\nAnswer: B", Some('B')),
            ("Answer: B\nConfidence: 0.8", Some('B')),
            ("答案：A", Some('A')),
            ("应选B。", Some('B')),
            ("**D**", Some('D')),
            ("E", None),
            ("I do not know", None),
            ("Because of it", None),
            ("", None),
        ] {
            assert_eq!(letter(reply), expected, "{reply}");
        }
    }

    #[test]
    fn confidence_is_read_as_a_share() {
        assert_eq!(confidence("Answer: B\nConfidence: 0.8."), Some(0.8));
        assert_eq!(confidence("confidence 85 %"), Some(0.85));
        assert_eq!((confidence("Answer: B"), confidence("confidence: high")), (None, None));
        assert_eq!(letter("Answer: unknown\nConfidence: A"), None);
    }

    #[test]
    fn not_knowing_is_understood() {
        assert!(is_unknown(" Unknown. ") && is_unknown("未知") && is_unknown("") && !is_unknown("Ann"));
    }
}
