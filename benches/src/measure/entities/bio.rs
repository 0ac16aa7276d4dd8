//! Sentences with one token and its tag a line, a blank line between sentences: `B-x` begins a name of label `x`, `I-x`
//! goes on with it, `O` is outside.

use anyhow::{Result, bail, ensure};
use std::ops::Range;

/// A name in a sentence, by its tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tagging {
    /// First token.
    pub(crate) first: usize,
    /// One past the last token.
    pub(crate) end: usize,
    /// What is named.
    pub(crate) label: String,
}

impl Tagging {
    /// A name over these tokens.
    pub(crate) fn new(tokens: Range<usize>, label: &str) -> Self {
        Self {
            first: tokens.start,
            end: tokens.end,
            label: label.to_owned(),
        }
    }

    /// Whether the two share a token.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.first < other.end && other.first < self.end
    }
}

/// A sentence with its names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tagged {
    /// Its tokens in order.
    pub(crate) tokens: Vec<String>,
    /// Its names in order, without overlap.
    pub(crate) names: Vec<Tagging>,
}

/// Reads tagged sentences. Cost O(length).
///
/// # Errors
/// With the line for another number of columns, an unknown tag or a name without a beginning; for a text without a sentence.
pub(crate) fn parse(text: &str) -> Result<Vec<Tagged>> {
    let mut sentences = vec![Tagged::default()];
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() {
            sentences.push(Tagged::default());
            continue;
        }
        let columns: Vec<&str> = if content.contains('\t') {
            content.split('\t').map(str::trim).collect()
        } else {
            content.split_whitespace().collect()
        };
        let [token, tag] = columns[..] else {
            let n = columns.len();
            bail!("line {line} has {n} columns; expected a token, a tab or space, and a tag");
        };
        if let Some(open) = sentences.last_mut() {
            add(open, line, token, tag)?;
        }
    }
    sentences.retain(|sentence| !sentence.tokens.is_empty());
    ensure!(
        !sentences.is_empty(),
        "no sentences; expected lines of a token and its tag"
    );
    Ok(sentences)
}

fn add(sentence: &mut Tagged, line: usize, token: &str, tag: &str) -> Result<()> {
    let at = sentence.tokens.len();
    sentence.tokens.push(token.to_owned());
    match tag.split_once('-') {
        None if tag == "O" => {}
        Some(("B", label)) if !label.is_empty() => sentence.names.push(Tagging::new(at..at + 1, label)),
        Some(("I", label)) if !label.is_empty() => {
            let goes_on = |name: &&mut Tagging| name.end == at && name.label == label;
            let Some(name) = sentence.names.last_mut().filter(goes_on) else {
                bail!("line {line} has the tag `I-{label}` without `B-{label}` or `I-{label}` on the line before");
            };
            name.end = at + 1;
        }
        _ => bail!("line {line} has the tag `{tag}`; expected `O`, `B-LABEL` or `I-LABEL`"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_their_tags() {
        let sentences = parse("Ada\tB-person\nQuill\tI-person\nleft\tO\n\n\nTidd B-place\nOmmer B-place\n").unwrap();
        let names: Vec<Vec<_>> = sentences
            .iter()
            .map(|sentence| {
                sentence
                    .names
                    .iter()
                    .map(|name| (name.first, name.end, name.label.as_str()))
                    .collect()
            })
            .collect();
        assert_eq!(names, [vec![(0, 2, "person")], vec![(0, 1, "place"), (1, 2, "place")]]);
    }

    #[test]
    fn what_is_no_tagged_text_is_refused_with_its_line() {
        let check = |text: &str, expected: &str| assert_eq!(parse(text).unwrap_err().to_string(), expected);
        check(
            "a\tO\nb\n",
            "line 2 has 1 columns; expected a token, a tab or space, and a tag",
        );
        check(
            "a b O\n",
            "line 1 has 3 columns; expected a token, a tab or space, and a tag",
        );
        check("a\tB\n", "line 1 has the tag `B`; expected `O`, `B-LABEL` or `I-LABEL`");
        let loose = "has the tag `I-x` without `B-x` or `I-x` on the line before";
        check("a\tB-x\n\nb\tI-x\n", &format!("line 3 {loose}"));
        check("a\tB-y\nb\tI-x\n", &format!("line 2 {loose}"));
        check(" \n\n", "no sentences; expected lines of a token and its tag");
    }
}
