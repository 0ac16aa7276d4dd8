//! Patterns as they are typed: conditions of three parts with " . " between them.

use super::predicate;
use anyhow::{Result, bail};
use banyan_engine::graph::{Pattern, Predicate, Term};
use banyan_engine::{EntityId, Schema};

/// Reads a pattern; `entity` finds an entity by name. Gives the conditions and the variables by their numbers.
///
/// # Errors
/// Names the condition that is none, the relation that the schema lacks, or the name that is nobody.
pub(super) fn parse(
    text: &str,
    schema: &Schema,
    entity: impl Fn(&str) -> Result<EntityId>,
) -> Result<(Vec<Pattern>, Vec<String>)> {
    let mut variables: Vec<String> = Vec::new();
    let mut patterns = Vec::new();
    for condition in conditions(&words(text)?) {
        let [head, name, tail] = condition else {
            let parts: Vec<&str> = condition.iter().map(|word| word.text.as_str()).collect();
            let said = parts.join(" ");
            bail!(
                "{said:?}: expected three parts (head, relation, tail), found {}; put quotes around names of several words (`\\\"` is a quote in a name)",
                parts.len()
            );
        };
        let (predicate, is_turned) = predicate(schema, &name.text)?;
        let mut term = |word: &Word, is_value: bool| -> Result<Term> {
            Ok(match word.text.strip_prefix('?').filter(|_| !word.is_quoted) {
                Some(name) => {
                    let known = variables.iter().position(|other| other == name);
                    Term::Variable(known.unwrap_or_else(|| {
                        variables.push(name.to_owned());
                        variables.len() - 1
                    }))
                }
                None if is_value => Term::Value(word.text.clone()),
                None => Term::Entity(entity(&word.text)?),
            })
        };
        let is_value = matches!(predicate, Predicate::Attribute(_));
        let (head, tail) = (term(head, false)?, term(tail, is_value)?);
        let (head, tail) = if is_turned { (tail, head) } else { (head, tail) };
        patterns.push(Pattern { head, predicate, tail });
    }
    if patterns.is_empty() {
        bail!("the pattern is empty; expected conditions such as `?film director ?p . ?p born_in Paris`");
    }
    Ok((patterns, variables))
}

struct Word {
    text: String,
    is_quoted: bool,
}

/// The words of a pattern; what stands in double quotes is one, in which `\"` is a quote and `\\` a backslash.
fn words(text: &str) -> Result<Vec<Word>> {
    let (mut words, mut rest) = (Vec::new(), text.trim_start());
    while !rest.is_empty() {
        let is_quoted = rest.starts_with('"');
        let word = if is_quoted {
            let Some((word, behind)) = quoted(&rest[1..]) else {
                bail!("{text:?}: a quote is not closed");
            };
            rest = behind;
            word
        } else {
            let end = rest.find(|ch: char| ch.is_whitespace() || ch == '"');
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            // No variable ends in a full stop, but a condition may.
            let name = word.trim_end_matches('.');
            let is_last = name.len() < word.len() && word.starts_with('?');
            rest = if is_last { &rest[name.len()..] } else { behind };
            if is_last { name } else { word }.to_owned()
        };
        words.push(Word { text: word, is_quoted });
        rest = rest.trim_start();
    }
    Ok(words)
}

/// What stands before the quote that closes it, and what behind that.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut word, mut is_escaped) = (String::new(), false);
    for (at, ch) in text.char_indices() {
        match ch {
            '"' if !is_escaped => return Some((word, &text[at + 1..])),
            '\\' if !is_escaped => is_escaped = true,
            _ => {
                if is_escaped && !matches!(ch, '"' | '\\') {
                    word.push('\\');
                }
                word.push(ch);
                is_escaped = false;
            }
        }
    }
    None
}

/// The words between full stops.
fn conditions(words: &[Word]) -> impl Iterator<Item = &[Word]> {
    let parts = words.split(|word| word.text == "." && !word.is_quoted);
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_quotes_may_have_quotes_and_full_stops() {
        let found = words(r#"?x author "the \"Ark\" of J. Orde" . ?x."#).unwrap();
        let found: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(found, ["?x", "author", "the \"Ark\" of J. Orde", ".", "?x", "."]);
        assert!(
            words(r#"?x author "the \"Ark\""#).is_err(),
            "the last quote is one of the name"
        );
    }
}
