//! Attributes from literal values beside the schema's phrases (Eq. 2, Youtu-GraphRAG).

use crate::clause::{Clause, Named, is_negated};
use crate::literal::{Literal, literals};
use crate::phrase::{Found, Phrases};
use banyan_engine::schema::ValueKind;
use banyan_engine::script::is_han;
use banyan_engine::{AttributeClaim, AttributeId, Schema, Span};

/// Farthest value from its phrase, in words after it. Arbitrary.
const MAX_DISTANCE_AFTER: usize = 5;
/// Farthest value from its phrase, in words before it ("41 metres *high*"). Arbitrary.
const MAX_DISTANCE_BEFORE: usize = 1;
/// The same in Chinese, where times stand before the verb ("1996年由海西出版社*出版*").
const MAX_DISTANCE_BEFORE_CHINESE: usize = 10;

/// How far before a phrase a negation still denies it, in words. Arbitrary.
const NEGATION_REACH: usize = 4;
/// Values after a phrase that are considered; farther ones are too many words away.
const MAX_VALUES: usize = 4;

/// The attributes that one sentence states of its subject or of the name right before the phrase.
///
/// A date, number or quantity belongs to the nearest phrase of an attribute of its kind. Cost O(words).
pub(crate) fn attributes(clause: &Clause, schema: &Schema, phrases: &Phrases) -> Vec<AttributeClaim> {
    let values = literals(clause.text, clause.span);
    if values.is_empty() {
        return Vec::new();
    }
    let words = &clause.lower;
    let mut claims: Vec<AttributeClaim> = Vec::new();
    for found in phrases.attributes_in(words) {
        if is_negated(&words[found.first.saturating_sub(NEGATION_REACH)..found.first]) {
            continue;
        }
        let candidates = found.ids.iter().filter_map(|id| {
            let kind = schema.attributes()[id.index()].kind;
            let (distance, value) = nearest(clause, &found, kind, &values)?;
            Some((distance, *id, value))
        });
        if let Some((_, attribute, value)) = candidates.min_by_key(|(distance, id, _)| (*distance, *id)) {
            claims.push(claim(clause, &found, attribute, value));
        }
    }
    claims
}

/// The closest value of `kind`: its distance in words and its span.
fn nearest(clause: &Clause, found: &Found<AttributeId>, kind: ValueKind, values: &[Literal]) -> Option<(usize, Span)> {
    let start = clause.words[found.first].span.start;
    let end = clause.words[found.end - 1].span.end;
    let next = values.partition_point(|value| value.span.end <= start);
    values[next.saturating_sub(1)..values.len().min(next + MAX_VALUES)]
        .iter()
        .filter(|value| value.serves(kind))
        .filter_map(|value| {
            let distance = if value.span.start >= end {
                let words = clause.between(end, value.span.start).len();
                (words <= MAX_DISTANCE_AFTER).then_some(words)
            } else if value.span.end <= start {
                let words = clause.between(value.span.end, start).len();
                // Ties go to the value that follows, as English puts it.
                (words <= reach_before(clause, value.span, start, kind)).then_some(words + 1)
            } else {
                Some(0)
            }?;
            Some((distance, value.span))
        })
        .min_by_key(|(distance, span)| (*distance, *span))
}

/// How far before a phrase that begins at `start` a value may stand. In Chinese a date may open the sentence ("1963年，…");
/// no other value reaches across a comma.
fn reach_before(clause: &Clause, value: Span, start: u32, kind: ValueKind) -> usize {
    let gap = clause.gap(value.end, start);
    let is_chinese = clause.gap(start, clause.span.end).starts_with(is_han);
    if !is_chinese || kind != ValueKind::Date || gap.contains(['；', '（', '、']) {
        return MAX_DISTANCE_BEFORE;
    }
    let opens = value.start == clause.span.start && gap.starts_with('，');
    if gap.matches('，').count() <= usize::from(opens) {
        MAX_DISTANCE_BEFORE_CHINESE
    } else {
        MAX_DISTANCE_BEFORE
    }
}

/// The object of a Chinese verb: "2003年，她创办了*白鹭书店*" says when that was founded.
fn object<'a>(clause: &'a Clause, found: &Found<AttributeId>) -> Option<&'a Named> {
    let phrase = clause.words[found.end - 1].span;
    let next = clause.named.iter().find(|named| named.span.start >= phrase.end)?;
    let gap = clause.gap(phrase.end, next.span.start);
    let is_verb =
        phrase.of(clause.text).starts_with(is_han) && !phrase.of(clause.text).ends_with(['于', '在', '自', '到']);
    (is_verb && matches!(gap, "" | "了" | "《" | "了《")).then_some(next)
}

fn claim(clause: &Clause, found: &Found<AttributeId>, attribute: AttributeId, value: Span) -> AttributeClaim {
    let start = clause.words[found.first].span.start;
    // "Reed, born in 1901" says it of Reed, whoever the sentence is about.
    let beside = clause.named.iter().rev().find(|named| {
        let is_near = named.span.end <= start && clause.between(named.span.end, start).is_empty();
        // A Chinese clause after a comma goes on about the subject.
        let is_aside = clause.gap(named.span.end, start).contains('，');
        // "由海西出版社出版" says it of what was published.
        is_near
            && !is_aside
            && !clause
                .gap(clause.span.start, named.span.start)
                .ends_with(['由', '被', '在', '于', '於', '从'])
    });
    let beside = object(clause, found).or(beside);
    AttributeClaim {
        entity: beside.map_or_else(|| clause.subject.clone(), |named| named.entity.clone()),
        attribute,
        value: value.of(clause.text).to_owned(),
        span: Span {
            start: start.min(value.start),
            end: value.end.max(clause.words[found.end - 1].span.end),
        },
    }
}
