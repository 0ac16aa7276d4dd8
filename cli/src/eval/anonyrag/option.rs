//! A question apart from its options.

use super::N_OPTIONS;

/// Marks after an option's letter.
const MARKS: [char; 9] = ['.', ')', '、', ':', '：', '．', '）', '，', ','];

/// Where an option may begin, the surest way first: a question is read in the first that gives its right option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// On a line of its own, with a mark or a space after the letter.
    Line,
    /// After a space, a bracket or the question's end.
    Apart,
    /// After anything but a Latin letter or a digit: in Chinese all may be written without spaces.
    Anywhere,
}

/// A question without its options, and letter and text of each: parts that begin with A, B, C, D in that order and hold the
/// letter `right`, if one is known. Without such parts the question stays whole. Cost O(length).
pub(super) fn options(question: &str, right: Option<char>) -> (String, Vec<(char, String)>) {
    let ways = [Way::Line, Way::Apart, Way::Anywhere].into_iter();
    let found = ways.map(|way| starts(question, way)).find(|starts| {
        let letters = ('A'..).take(starts.len());
        starts.len() > 1 && right.is_none_or(|right| letters.clone().any(|letter| letter == right))
    });
    let Some(starts) = found else {
        return (question.to_owned(), Vec::new());
    };
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([question.len()]);
    let parts = ('A'..).zip(starts.iter().zip(ends));
    let bare = |text: &str| text.trim().trim_end_matches([';', '；', ',']).to_owned();
    let options = parts.map(|(letter, ((_, start), end))| (letter, bare(&question[*start..end])));
    (question[..starts[0].0].trim().to_owned(), options.collect())
}

/// Where each option begins, and where its text does.
fn starts(question: &str, way: Way) -> Vec<(usize, usize)> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for letter in ('A'..).take(N_OPTIONS) {
        let from = starts.last().map_or(0, |(_, end)| *end);
        match start(&question[from..], letter, way) {
            Some((start, end)) => starts.push((from + start, from + end)),
            None => break,
        }
    }
    starts
}

fn start(text: &str, letter: char, way: Way) -> Option<(usize, usize)> {
    let opens_line = |at: usize| {
        let line = text[..at].rsplit('\n').next().unwrap_or("");
        line.trim_start().trim_start_matches(['(', '（', '*']).is_empty()
    };
    let opens = |at: usize| match (way, text[..at].chars().next_back()) {
        (_, None) => true,
        (Way::Line, _) => opens_line(at),
        (Way::Apart, Some(before)) => before.is_whitespace() || "(（？?。".contains(before),
        (Way::Anywhere, Some(before)) => !before.is_ascii_alphanumeric(),
    };
    let (at, _) = text.match_indices(letter).find(|(at, _)| {
        let after = text[at + 1..].chars().next();
        let is_spaced = way != Way::Anywhere && opens_line(*at);
        opens(*at) && after.is_some_and(|ch| MARKS.contains(&ch) || is_spaced && ch.is_whitespace())
    })?;
    let mark = text[at + 1..].chars().next().map_or(0, char::len_utf8);
    let open = text[..at].ends_with('(').then_some(at.saturating_sub(1));
    Some((open.unwrap_or(at), at + 1 + mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, right: char, stem: &str, expected: [&str; 4]) {
        let (found, parts) = options(question, Some(right));
        assert_eq!(found, stem, "{question}");
        let texts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, expected, "{question}");
    }

    #[test]
    fn options_are_found_in_the_ways_in_which_they_are_written() {
        let four = ["red", "blue", "green", "white"];
        check("Which? A. red B. blue C. green D. white", 'D', "Which?", four);
        check("Which?\nA) red\nB) blue\nC) green\nD) white", 'B', "Which?", four);
        check("Which?\n(A) red\n(B) blue\n(C) green\n(D) white", 'A', "Which?", four);
        check("Which?\nA red\nB blue\nC green\nD white", 'C', "Which?", four);
        check("谁？A.甲B.乙C.丙D.丁", 'C', "谁？", ["甲", "乙", "丙", "丁"]);
        check("谁？A、甲；B、乙；C、丙；D、丁", 'D', "谁？", ["甲", "乙", "丙", "丁"]);
        check(
            "Who met A. Venn and B. Reed?\nA. red\nB. blue\nC. green\nD. white",
            'B',
            "Who met A. Venn and B. Reed?",
            four,
        );
    }

    #[test]
    fn a_question_without_options_stays_whole() {
        for question in ["Q: Who?\nA: [PERSON#3].", "", "Which A of B?"] {
            assert_eq!(options(question, None), (question.to_owned(), Vec::new()));
        }
    }
}
