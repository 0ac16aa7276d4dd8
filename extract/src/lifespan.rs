//! Dates of birth and death in the parenthesis after a name: "(3 May 1901 – 7 June 1980)".

use crate::analysis::Analysis;
use crate::literal::literals;
use banyan_engine::fact::EntityKey;
use banyan_engine::schema::ValueKind;
use banyan_engine::{AttributeClaim, Schema, Span};
use std::sync::Arc;

/// The dates that the first parenthesis of a document's opening sentence gives to its subject.
///
/// Two dates joined by a dash are birth and death, one date after "born" or "b." is birth, after "died" or "d." death.
/// Nothing where the schema has no `birth_date` and `death_date`, or the parenthesis holds something else.
pub(crate) fn lifespan(parsed: &Analysis, subject: &EntityKey, schema: &Schema) -> Vec<AttributeClaim> {
    let text = parsed.text();
    let Some((sentence, _)) = parsed.opening() else {
        return Vec::new();
    };
    let opening = sentence.of(text);
    let Some(open) = opening.find(['(', '（']) else {
        return Vec::new();
    };
    let inner = opening[open..].trim_start_matches(['(', '（']);
    let Some(length) = inner.find([')', '）']) else {
        return Vec::new();
    };
    let start = sentence.end as usize - inner.len();
    let span = Span::new(start, start + length);
    let dates: Vec<Span> = literals(text, span)
        .into_iter()
        .filter(|literal| literal.kind == ValueKind::Date)
        .map(|literal| literal.span)
        .collect();
    let inner = span.of(text).to_lowercase();
    let opens = |words: &[&str]| words.iter().any(|word| inner.trim_start().starts_with(word));
    let named: Vec<(&str, Span)> = match dates.as_slice() {
        [birth, death] if inner.contains(['–', '—', '-', '～', '至']) => {
            vec![("birth_date", *birth), ("death_date", *death)]
        }
        [birth] if opens(&["b. ", "born "]) => vec![("birth_date", *birth)],
        [death] if opens(&["d. ", "died ", "†"]) => vec![("death_date", *death)],
        _ => Vec::new(),
    };
    named
        .into_iter()
        .filter_map(|(name, span)| {
            Some(AttributeClaim {
                entity: Arc::clone(subject),
                attribute: schema.attribute_id(name)?,
                value: span.of(text).to_owned(),
                span,
            })
        })
        .collect()
}
