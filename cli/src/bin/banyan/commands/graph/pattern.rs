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
                "{said:?}: expected three parts (head, relation, tail), found {}; put quotes around names of several words",
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

/// The words of a pattern; what stands in double quotes is one.
fn words(text: &str) -> Result<Vec<Word>> {
    let mut words = Vec::new();
    for (at, part) in text.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(Word {
                text: part.to_owned(),
                is_quoted: true,
            });
        } else {
            for word in part.split_whitespace() {
                // No variable ends in a full stop, but a condition may.
                let name = word.trim_end_matches('.');
                let is_last = name.len() < word.len() && word.starts_with('?');
                let parts = if is_last { vec![name, "."] } else { vec![word] };
                words.extend(parts.into_iter().map(|part| Word {
                    text: part.to_owned(),
                    is_quoted: false,
                }));
            }
        }
    }
    if text.matches('"').count() % 2 == 1 {
        bail!("{text:?}: a quote is not closed");
    }
    Ok(words)
}

/// The words between full stops.
fn conditions(words: &[Word]) -> impl Iterator<Item = &[Word]> {
    let parts = words.split(|word| word.text == "." && !word.is_quoted);
    parts.filter(|part| !part.is_empty())
}
