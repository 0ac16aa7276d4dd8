//! Sentences with one token and its tag a line, a blank line between sentences: `B-x` begins a name of label `x`, `I-x`
//! goes on with it, `O` is outside.

use super::{Annotated, Tagging, Tokenised};
use anyhow::{Result, bail, ensure};

/// A sentence with its names, in order and without overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tagged {
    tokens: Vec<String>,
    names: Vec<Tagging>,
}

/// Reads tagged sentences. Cost O(length).
///
/// # Errors
/// With the line for another number of columns, an unknown tag or a name without a beginning; for a text without a
/// sentence.
pub(super) fn parse(text: &str) -> Result<Vec<Annotated>> {
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
    let annotated = |sentence: Tagged| Annotated {
        text: Tokenised::new(&[sentence.tokens]),
        names: sentence.names.into_iter().collect(),
        ..Annotated::default()
    };
    Ok(sentences.into_iter().map(annotated).collect())
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
        let names = sentences.into_iter().map(|sentence| sentence.names);
        let tidd = [Tagging::new(0..1, "place"), Tagging::new(1..2, "place")];
        assert!(names.eq([[Tagging::new(0..2, "person")].into(), tidd.into()]));
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
