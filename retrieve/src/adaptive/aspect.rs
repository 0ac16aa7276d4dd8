//! What a question wants things to be told by: its aspects, and the categories it names.

use banyan_engine::index::term;

/// Words after which the aspects of a comparison or a table stand, the longest first.
const BEFORE_ASPECTS: &[&str] = &[
    "with respect to ",
    "with regard to ",
    "in terms of ",
    "according to ",
    "along the ",
    "based on ",
    "regarding ",
    "along ",
    "their ",
    "its ",
    "by ",
];
/// Words that end a list of aspects.
const AFTER_ASPECTS: &[&str] = &[
    " into ",
    " and group",
    " and put",
    " and sort",
    " and say",
    " and tell",
    " for each",
    " of each",
    " in each",
    " of the",
    " in the",
];
/// Words after which categories stand, the longest first.
const BEFORE_CATEGORIES: &[&str] = &[
    "into the following groups",
    "into those which",
    "into those that",
    "into those",
    "into ",
    ": ",
];
/// Longest aspect in words; longer stretches are clauses. Arbitrary.
const MAX_ASPECT_WORDS: usize = 6;
/// Most parts of a list. Arbitrary.
const MAX_PARTS: usize = 12;

/// The aspects that a question names, in its order and spelling: quoted terms, or else the list behind words such as "in
/// terms of". None where it names none.
pub(super) fn aspects(question: &str) -> Vec<String> {
    let quoted = quoted(question);
    if !quoted.is_empty() {
        return quoted;
    }
    let lower = question.to_lowercase();
    if lower.len() != question.len() {
        return Vec::new();
    }
    BEFORE_ASPECTS
        .iter()
        .find_map(|mark| behind(question, &lower, mark))
        .unwrap_or_default()
}

fn behind(question: &str, lower: &str, mark: &str) -> Option<Vec<String>> {
    let at = lower
        .match_indices(mark)
        .map(|(at, _)| at)
        .find(|at| is_word_start(lower, *at))?;
    let start = at + mark.len();
    let rest = &lower[start..];
    let stops = AFTER_ASPECTS.iter().filter_map(|stop| rest.find(stop));
    let end = stops.chain(rest.find(['.', '?', ';', ':'])).min().unwrap_or(rest.len());
    let parts = parts(&question[start..start + end]);
    let is_list = parts.iter().all(|part| is_aspect(part));
    Some(parts).filter(|parts| is_list && !parts.is_empty())
}

/// Whether a part of a list can be an attribute: few words, of which some carry a topic, and no name.
fn is_aspect(part: &str) -> bool {
    let n_words = part.split_whitespace().count();
    let is_name = part.starts_with(char::is_uppercase);
    n_words <= MAX_ASPECT_WORDS && !is_name && !term::terms(part).is_empty()
}

/// The categories that a question names, in its order and spelling. None where it names fewer than two.
pub(super) fn categories(question: &str) -> Vec<String> {
    let lower = question.to_lowercase();
    if lower.len() != question.len() {
        return Vec::new();
    }
    let mark = BEFORE_CATEGORIES
        .iter()
        .find_map(|mark| Some((lower.find(mark)?, mark.len())));
    let Some((at, length)) = mark else {
        return Vec::new();
    };
    let rest = question[at + length..].trim_start_matches([':', ' ']);
    let end = rest.find(['?', ';']).or_else(|| rest.find(". ")).unwrap_or(rest.len());
    let parts = parts(rest[..end].trim_end_matches('.'));
    if parts.len() < 2 { Vec::new() } else { parts }
}

/// Terms in quotation marks.
fn quoted(question: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = question;
    while let Some((at, open)) = rest.char_indices().find(|(_, ch)| closing(*ch).is_some()) {
        let behind = &rest[at + open.len_utf8()..];
        let Some((inside, after)) = closing(open).and_then(|close| behind.split_once(close)) else {
            break;
        };
        found.push(inside.trim().to_owned());
        rest = after;
    }
    found.retain(|part| !part.is_empty());
    found.truncate(MAX_PARTS);
    found
}

fn closing(open: char) -> Option<char> {
    match open {
        '“' => Some('”'),
        '"' => Some('"'),
        '‘' => Some('’'),
        '「' => Some('」'),
        _ => None,
    }
}

/// The parts of an enumeration: at commas, and at its last "and" or "or" — but "10 or more" stays one part.
fn parts(list: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for piece in list.split([',', '，', '、']) {
        for half in piece.split(" and ") {
            parts.extend(alternatives(half));
        }
    }
    let clean = |part: &str| {
        let part = part.trim();
        let part = part
            .strip_prefix("and ")
            .or_else(|| part.strip_prefix("or "))
            .unwrap_or(part);
        part.strip_prefix("the ").unwrap_or(part).trim().to_owned()
    };
    let mut parts: Vec<String> = parts.into_iter().map(clean).filter(|part| !part.is_empty()).collect();
    parts.truncate(MAX_PARTS);
    parts
}

fn alternatives(half: &str) -> Vec<&str> {
    match half.split_once(" or ") {
        Some((left, right)) if !is_bound(right) => vec![left, right],
        _ => vec![half],
    }
}

/// Whether what follows "or" belongs to the number before it.
fn is_bound(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    matches!(
        first,
        "more"
            | "less"
            | "fewer"
            | "above"
            | "below"
            | "over"
            | "under"
            | "later"
            | "earlier"
            | "higher"
            | "lower"
            | "greater"
    )
}

fn is_word_start(text: &str, at: usize) -> bool {
    !text[..at].ends_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aspects_are_quoted_or_follow_their_words() {
        let check = |question: &str, expected: &[&str]| assert_eq!(aspects(question), expected, "{question}");
        check(
            "Sort the firms by \"net income\" and “head count”.",
            &["net income", "head count"],
        );
        check(
            "Compare the ferries in terms of fare, speed and crossing time.",
            &["fare", "speed", "crossing time"],
        );
        check(
            "How do the two lamps differ in their weight and price?",
            &["weight", "price"],
        );
        check("Which letters were written by Ada Brook?", &[]);
        check("Summarise the minutes.", &[]);
        check("", &[]);
    }

    #[test]
    fn categories_follow_into_or_a_colon() {
        let check = |question: &str, expected: &[&str]| assert_eq!(categories(question), expected, "{question}");
        check(
            "Group the firms into those below 10 workers and those of 10 or more.",
            &["below 10 workers", "those of 10 or more"],
        );
        check(
            "Sort the letters into friendly, neutral and hostile ones.",
            &["friendly", "neutral", "hostile ones"],
        );
        check("Put each report in a class: urgent or routine.", &["urgent", "routine"]);
        check("Who went into the cellar?", &[]);
    }
}
