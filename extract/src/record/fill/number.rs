//! Numbers in sentences: `64 matches were played`, `a rating of 9.2`, `rated 9.2/10`.

use super::candidate::{Candidate, Wanted};
use super::field::{is_scale, raw_with_unit};
use crate::record::literal::{self, numbers, unit_of};
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::{Unit, coverage, likeness, units};
use banyan_engine::Span;
use banyan_engine::table::Kind;

/// What prose is worth beside a labelled value.
const PROSE: f32 = 0.75;
/// What it is worth at most: less than a label that names the column, whatever else speaks for it.
const MOST: f32 = 0.7;
/// Words before or after a number in which the column's words are looked for.
const WINDOW: usize = 5;
/// Sentences after which what is said is half as likely about the whole. Arbitrary.
const LEAD: f32 = 40.0;
/// Sentences that are about the whole as much as the first is: all of a short page.
const FIRST: usize = 20;
/// Words that connect an attribute with its number.
const LINKS: &[&str] = &[
    "of", "is", "was", "are", "were", "at", "to", "by", "reached", "totals", "totalled", "totaled", "with",
];
/// Words that make a number only a bound or a part.
const PARTS: &[&str] = &[
    "per",
    "each",
    "every",
    "only",
    "another",
    "further",
    "more",
    "other",
    "additional",
    "least",
    "average",
];

/// The numbers in a page's sentences that a column may mean.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if wanted.units.iter().all(Unit::is_generic) {
        return found;
    }
    for (order, sentence) in page.sentences.iter().enumerate() {
        if coverage(&wanted.units, &sentence.units) == 0.0 {
            continue;
        }
        let body = sentence.span.of(&page.document.text);
        let offset = sentence.span.start as usize;
        for number in numbers(body).into_iter().filter(|number| !number.is_ordinal) {
            if is_scale(&body[..number.span.start as usize]) {
                continue;
            }
            let span = Span::new(offset + number.span.start as usize, offset + number.span.end as usize);
            let Some((score, side)) = fit(wanted, sentence, span, implied(number.unit.of(body))) else {
                continue;
            };
            // `One` stands for a thing more often than it counts.
            let pronoun = if number.span.of(body).eq_ignore_ascii_case("one") {
                0.6
            } else {
                1.0
            };
            let heading = coverage(&wanted.units, page.heading_of(sentence));
            let raw = raw_with_unit(body, number.span, number.unit);
            let Some(value) = literal::read(wanted.column, raw.of(body)) else {
                continue;
            };
            found.push(Candidate {
                value,
                span: Some(Span::new(offset + raw.start as usize, offset + raw.end as usize)),
                source: side.to_owned(),
                score: (score * pronoun * PROSE * decay(order, is_total(sentence), heading)).min(MOST),
            });
        }
    }
    found
}

/// What a unit of measure says about the attribute by itself.
fn implied(unit: &str) -> &'static str {
    match unit_of(unit).map(|unit| unit.dimension) {
        Some("length") => "distance",
        Some("dollar" | "euro" | "sterling" | "yen" | "rupee" | "franc") => "price",
        Some("mass") => "weight",
        Some("area") => "area",
        Some("time") => "duration",
        _ => "",
    }
}

/// What is said later is less likely of the whole, unless it says so.
fn decay(order: usize, is_total: bool, heading: f32) -> f32 {
    let by_place = 1.0 / (1.0 + order.saturating_sub(FIRST) as f32 / LEAD);
    let by_heading = if heading >= 0.5 { 0.85 } else { 0.0 };
    by_place.max(by_heading).max(if is_total { 0.9 } else { 0.0 })
}

/// Whether a sentence says that it counts everything.
fn is_total(sentence: &Sentence) -> bool {
    sentence
        .tokens
        .iter()
        .any(|token| matches!(token.lower.as_str(), "total" | "overall" | "altogether"))
}

/// How well the words beside a number fit the column, and on which side they stand.
fn fit(wanted: &Wanted<'_>, sentence: &Sentence, number: Span, implied: &str) -> Option<(f32, &'static str)> {
    let tokens = &sentence.tokens;
    let first = tokens.iter().position(|token| token.span.end > number.start)?;
    let after = tokens
        .iter()
        .position(|token| token.span.start >= number.end)
        .unwrap_or(tokens.len());
    let is_mark = |gap: &str| gap.contains(['.', ';', ':', '(', ')', ',', '–', '/']);
    let mut end = after;
    let reach = if implied.is_empty() { WINDOW } else { WINDOW + 2 };
    while end < tokens.len() && end < after + reach && !is_mark(&tokens[end].gap) {
        end += 1;
    }
    let mut start = first;
    while start > 0 && first - start < WINDOW && !tokens[start].gap.contains(['.', ';', ')', ',']) {
        start -= 1;
    }
    let part = |from: usize, to: usize| -> Vec<Unit> {
        sentence
            .units
            .iter()
            .filter(|unit| from <= unit.start && unit.end <= to)
            .cloned()
            .collect()
    };
    // The noun that is counted: the shortest run after the number that says most of the column.
    let implied = units(implied);
    let with_implied = |mut part: Vec<Unit>| {
        part.extend(implied.iter().cloned());
        part
    };
    // `377 guest reviews` counts reviews, whatever guests there are in the column's name.
    let is_modifier = |to: usize| {
        tokens
            .get(to)
            .is_some_and(|token| token.gap.trim().is_empty() && token.lower.ends_with('s') && token.lower.len() > 3)
            && part(to, to + 1)
                .iter()
                .all(|unit| wanted.units.iter().all(|own| own.likeness(unit) == 0.0))
    };
    let noun = if implied.is_empty() {
        (after + 1..=end)
            .filter(|to| !is_modifier(*to))
            .map(|to| likeness(&wanted.units, &part(after, to)))
            .max_by(f32::total_cmp)
    } else {
        Some(coverage(&wanted.units, &with_implied(part(after, end))))
            .filter(|_| coverage(&wanted.units, &part(after, end)) > 0.0)
    };
    let before = part(start, first);
    let said = if before.is_empty() {
        0.0
    } else {
        coverage(&wanted.units, &with_implied(before.clone()))
    };
    let names_it = before
        .last()
        .is_some_and(|last| last.end == first && wanted.units.iter().any(|unit| unit.likeness(last) > 0.0));
    let is_linked = names_it || first > 0 && LINKS.contains(&tokens[first - 1].lower.as_str());
    let counts_other = tokens.get(after).is_some_and(|token| {
        let is_plural = token.gap.trim().is_empty()
            && token.lower.ends_with('s')
            && token.lower.len() > 3
            && unit_of(&token.lower).is_none();
        is_plural
            && part(after, after + 1)
                .iter()
                .all(|unit| wanted.units.iter().all(|own| own.likeness(unit) == 0.0))
    });
    let direct = said * if is_linked { 0.95 } else { 0.6 } * if counts_other { 0.5 } else { 1.0 };
    // A length or a price counts nothing.
    let is_measured = !implied.is_empty() && wanted.column.kind == Kind::Integer && wanted.column.unit.is_none();
    let is_part = first > 0 && PARTS.contains(&tokens[first - 1].lower.as_str())
        || tokens
            .get(after)
            .is_some_and(|token| matches!(token.lower.as_str(), "per" | "more" | "fewer" | "other"));
    // A price is per something.
    let is_price = implied.iter().any(|unit| unit.stem == "price");
    let is_part = is_part && !is_price && !wanted.column.name.contains("per_");
    // A total is what one asks for.
    let is_total = is_total(sentence);
    let noun = noun.unwrap_or(0.0);
    let (score, side) = if noun >= direct {
        (noun, "number noun")
    } else {
        (direct, "noun number")
    };
    let score = score * if is_part || is_measured { 0.6 } else { 1.0 } * if is_total { 1.15 } else { 1.0 };
    (score >= 0.45).then_some((score.min(1.15), side))
}
