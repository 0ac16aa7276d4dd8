//! Which columns a corpus has (S-RAG §3.2.1): what recurs over its pages.
//!
//! Every value that a page states is a slot with the labels that may name it: the label of a labelled value, or the words
//! beside a value in a sentence. The label that most pages use for values of one kind becomes a column and takes its
//! slots; then the next, until none recurs. So a value is in one column only, and a column is called as pages call it.
//!
//! # Differs from the paper
//! There a language model proposes columns in rounds ([`super::RecordReader`] does); here all documents of the rounds are
//! counted at once.

use super::literal::{Quantity, boolean, convert, days, numbers, unit_of, year_of};
use super::mention::{Mention, Typed, definition, mentions, place};
use super::page::{Page, Sentence};
use super::similarity::core;
use super::subject;
use super::term::{Term, coverage, stem_of, terms, words};
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Column, Kind, TableSchema};
use banyan_engine::{Document, Span};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds (S-RAG, appendix B).
pub const ROUNDS: usize = 4;
/// Documents that a round reads (S-RAG §3.2.1).
pub const MAX_DOCUMENTS: usize = 12;
/// Questions that are read (S-RAG §3.2.1).
pub const MAX_QUESTIONS: usize = 10;
/// Most columns of a table: what a person still oversees.
const MAX_COLUMNS: usize = 60;
/// The share of the documents that have a column at least. Chosen on generated hotels: several wordings and
/// absent values leave little more.
const SHARE: f64 = 0.25;
/// The share that a label of labelled values needs, which is no accident. Arbitrary.
const LABEL_SHARE: f64 = 0.1;
/// What a label of two words counts more than one of one. Arbitrary: `swimming pool` names more than `pool`.
const LONGER: f64 = 1.4;
/// Words within so many of a value may name its column. Arbitrary.
const NEAR: f32 = 0.9;
/// Two columns of one kind are the same from this coverage of the one name by the other on.
const SAME: f32 = 0.85;
/// Longest value of a text column in words.
const MAX_WORDS: usize = 8;
/// Examples of a column.
pub(super) const MAX_EXAMPLES: usize = 3;

/// What kind of values a slot has; numbers by what they measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Number(Option<&'static str>),
    Time,
    Text,
    Flag,
}

#[derive(Clone, Debug)]
struct Slot {
    page: usize,
    span: Span,
    class: Class,
    /// What may name it: stems, and as the page writes them.
    labels: Vec<(String, String)>,
    /// Whether it is a labelled value.
    is_field: bool,
}

/// A label that recurs, with the slots that it took.
struct Found<'s> {
    class: Class,
    slots: Vec<&'s Slot>,
    key: String,
}

/// Predicts the tables of a corpus: one, or none where the documents share no attribute. [`ROUNDS`] times
/// [`MAX_DOCUMENTS`] documents, spread evenly, and [`MAX_QUESTIONS`] questions are read: what a question names has to
/// stand in two documents only. Cost O(length of those). One document alone gives what its labels say.
pub fn induce(documents: &[Document], questions: &[&str], table: &str) -> Vec<TableSchema> {
    let sample = spread(documents, ROUNDS * MAX_DOCUMENTS);
    let pages: Vec<Page<'_>> = sample.into_par_iter().map(Page::new).collect();
    let slots: Vec<Slot> = pages
        .par_iter()
        .enumerate()
        .flat_map_iter(|(at, page)| slots(at, page))
        .collect();
    let asked: Vec<Term> = questions
        .iter()
        .take(MAX_QUESTIONS)
        .flat_map(|question| terms(question))
        .collect();
    let mut nouns = subject::nouns(&pages);
    let mut columns: Vec<(Column, bool)> = Vec::new();
    for found in recurring(&slots, pages.len(), &asked) {
        let (column, is_labelled) = column(&found, &pages);
        if says_subject(&column, &nouns) {
            continue;
        }
        match columns.iter_mut().find(|(other, _)| is_same(other, &column)) {
            // A label is a better name than words of a sentence.
            Some(known) if is_labelled && !known.1 => known.0.name = column.name,
            Some(_) => {}
            None => columns.push((column, is_labelled)),
        }
    }
    let mut columns: Vec<Column> = columns.into_iter().map(|(column, _)| column).collect();
    if columns.is_empty() {
        return Vec::new();
    }
    let titles: Vec<&str> = documents.iter().map(|document| document.title.as_str()).collect();
    let titled = of_titles(&titles);
    let key = titled.first().map(|column| column.name.clone());
    columns.retain(|column| titled.iter().all(|other| other.name != column.name));
    columns.splice(0..0, titled);
    columns.truncate(MAX_COLUMNS);
    nouns.splice(0..0, subject::holder(documents, &columns));
    vec![TableSchema {
        name: identifier(table),
        nouns,
        columns,
        key,
    }]
}

/// At most `max` things spread evenly over all, in their order.
pub fn spread<T>(all: &[T], max: usize) -> Vec<&T> {
    let n = all.len().min(max);
    (0..n).map(|at| &all[at * all.len() / n]).collect()
}

fn slots(page_at: usize, page: &Page<'_>) -> Vec<Slot> {
    let text = page.document.text.as_str();
    let slot = |span, class, labels, is_field| Slot {
        page: page_at,
        span,
        class,
        labels,
        is_field,
    };
    let mut found = Vec::new();
    for field in &page.fields {
        let (label, value) = (field.label.of(text), field.value.of(text));
        if let Some(class) = class_of(value) {
            let labels = vec![(super::similarity::key(&core(label)), label.to_owned())];
            found.push(slot(field.value, class, labels, true));
        }
    }
    for sentence in &page.sentences {
        for mention in mentions(page, sentence) {
            let class = match mention.typed {
                Typed::Number(_, None, Some(_)) | Typed::Day(_) => Class::Time,
                Typed::Number(_, quantity, _) => Class::Number(quantity.map(|quantity| quantity.dimension)),
                Typed::Name => Class::Text,
            };
            let is_title = page.document.title.contains(mention.span.of(text));
            if !is_title {
                found.push(slot(mention.span, class, beside(page, sentence, &mention), false));
            }
        }
    }
    let role = |name: &str| vec![(stem_of(name), name.to_owned())];
    found.extend(definition(page).map(|span| slot(span, Class::Text, role("type"), false)));
    if let Some((narrow, wide)) = place(page) {
        found.push(slot(narrow, Class::Text, role("location"), false));
        found.extend(wide.map(|wide| slot(wide, Class::Text, role("region"), false)));
    }
    found
}

/// The kind of a labelled value; `None` for prose.
fn class_of(value: &str) -> Option<Class> {
    if boolean(value).is_some() {
        return Some(Class::Flag);
    }
    let is_short = words(value).len() <= MAX_WORDS;
    if !days(value).is_empty() {
        return Some(Class::Time);
    }
    let number = numbers(value)
        .into_iter()
        .next()
        .filter(|number| number.span.start.min(number.unit.start) < 4);
    match number {
        Some(number) if year_of(value).is_some() && unit_of(number.unit.of(value)).is_none() => Some(Class::Time),
        Some(number) => Some(Class::Number(unit_of(number.unit.of(value)).map(|unit| unit.dimension))),
        None => is_short.then_some(Class::Text),
    }
}

/// One and two words beside a value.
fn beside(page: &Page<'_>, sentence: &Sentence, mention: &Mention) -> Vec<(String, String)> {
    let text = page.document.text.as_str();
    let near = mention
        .context(sentence)
        .into_iter()
        .filter(|(_, near)| *near >= NEAR)
        .map(|(term, _)| term);
    let mut near: Vec<&Term> = match mention.typed {
        Typed::Name => near.filter(|term| mention.is_beside(sentence, term)).collect(),
        _ => near.collect(),
    };
    near.retain(|term| !term.is_generic() && unit_of(&sentence.tokens[term.start].lower).is_none());
    near.sort_by_key(|term| term.start);
    let one = near.iter().map(|term| {
        (
            term.stem.clone(),
            sentence.range(term.start, term.end).of(text).to_owned(),
        )
    });
    let is_pair = |pair: &&[&Term]| {
        let between = &sentence.tokens[pair[0].end..pair[1].start];
        // The value is not between them, and nothing but grammar is.
        !(pair[0].end <= mention.from && mention.to <= pair[1].start) && between.len() <= 1
    };
    let two = near.windows(2).filter(is_pair).map(|pair| {
        let shown = sentence.range(pair[0].start, pair[1].end).of(text);
        (format!("{} {}", pair[0].stem, pair[1].stem), shown.to_owned())
    });
    one.chain(two).collect()
}

/// The labels that recur, the most frequent first, each with slots that none before it took.
fn recurring<'s>(slots: &'s [Slot], n_pages: usize, asked: &[Term]) -> Vec<Found<'s>> {
    let mut by_label: BTreeMap<(Class, &str), Vec<usize>> = BTreeMap::new();
    for (at, slot) in slots
        .iter()
        .enumerate()
        .filter(|(_, slot)| n_pages > 1 || slot.is_field)
    {
        for (key, _) in slot.labels.iter().filter(|(key, _)| !key.is_empty()) {
            by_label.entry((slot.class, key)).or_default().push(at);
        }
    }
    let mut taken: BTreeSet<(usize, Span)> = BTreeSet::new();
    let mut found = Vec::new();
    loop {
        let free = |own: &[usize]| -> Vec<usize> {
            let is_free = |at: &usize| !taken.contains(&(slots[*at].page, slots[*at].span));
            own.iter().copied().filter(is_free).collect()
        };
        let scored = by_label.iter().filter_map(|((class, key), own)| {
            let own = free(own);
            let pages: BTreeSet<usize> = own.iter().map(|at| slots[*at].page).collect();
            let is_asked = || coverage(&terms(key), asked) > SAME;
            let is_field = own.iter().any(|at| slots[*at].is_field);
            let is_enough = pages.len() >= enough(n_pages, is_field) || pages.len() > 1 && is_asked();
            let weight = if key.contains(' ') { LONGER } else { 1.0 };
            is_enough.then_some((pages.len() as f64 * weight, *class, *key, own))
        });
        // Of equals the first in order, which `max_by` over the reverse takes.
        let best = scored
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, class, key, own)) = best else {
            return found;
        };
        taken.extend(own.iter().map(|at| (slots[*at].page, slots[*at].span)));
        found.push(Found {
            class,
            slots: own.into_iter().map(|at| &slots[at]).collect(),
            key: key.to_owned(),
        });
    }
}

/// How many of `n` documents have to have something for it to recur: a share of them, and two where there are two.
fn enough(n: usize, is_field: bool) -> usize {
    let share = if is_field { LABEL_SHARE } else { SHARE };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of some dozens"
    )]
    let least = (n as f64 * share).ceil() as usize;
    least.max(n.min(2))
}

/// The column of a label, called as most pages call it under a label, else in sentences; whether some do under a label.
fn column(found: &Found<'_>, pages: &[Page<'_>]) -> (Column, bool) {
    let mut names: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for slot in &found.slots {
        for (_, shown) in slot.labels.iter().filter(|(key, _)| *key == found.key) {
            *names.entry((slot.is_field, shown.to_lowercase())).or_default() += 1;
        }
    }
    let best = names.iter().rev().max_by_key(|((is_field, _), n)| (*is_field, **n));
    let shown = best.map_or(found.key.clone(), |((_, shown), _)| shown.clone());
    let raws: Vec<&str> = found
        .slots
        .iter()
        .map(|slot| slot.span.of(&pages[slot.page].document.text))
        .collect();
    let (kind, unit) = kind_of(found.class, &raws);
    let mut examples: Vec<String> = Vec::new();
    for raw in raws.iter().filter(|_| kind != Kind::Boolean) {
        if examples.len() < MAX_EXAMPLES && !examples.iter().any(|known| known == raw) {
            examples.push((*raw).to_owned());
        }
    }
    let n: BTreeSet<usize> = found.slots.iter().map(|slot| slot.page).collect();
    let column = Column {
        description: format!("`{shown}` on {} of {} pages read.", n.len(), pages.len()),
        examples,
        unit,
        ..Column::new(identifier(&words(&shown).join(" ")), kind)
    };
    (column, best.is_some_and(|((is_field, _), _)| *is_field))
}

/// The kind of some values, and the unit that most of them have.
fn kind_of(class: Class, raws: &[&str]) -> (Kind, Option<String>) {
    match class {
        Class::Text => (Kind::Text, None),
        Class::Flag => (Kind::Boolean, None),
        Class::Time => {
            let n_days = raws
                .iter()
                .filter(|raw| days(raw).iter().any(|day| day.is_whole()))
                .count();
            let kind = if n_days * 2 >= raws.len() {
                Kind::Date
            } else {
                Kind::Year
            };
            (kind, None)
        }
        Class::Number(_) => numeric(raws),
    }
}

/// The kind of numbers, and the unit that most of them are in, however it is spelled.
fn numeric(raws: &[&str]) -> (Kind, Option<String>) {
    let all = raws.iter().filter_map(|raw| {
        let number = numbers(raw).into_iter().next()?;
        let unit = number.unit.of(raw);
        Some((number.value, unit, unit_of(unit)))
    });
    let all: Vec<(f64, &str, Option<Quantity>)> = all.collect();
    let n_like = |wanted: &Quantity| {
        all.iter()
            .filter(|(_, _, quantity)| quantity.as_ref() == Some(wanted))
            .count()
    };
    let known = all.iter().filter_map(|(_, unit, quantity)| Some((*unit, (*quantity)?)));
    // Of units that are as frequent the first.
    let most = known.rev().max_by_key(|(_, quantity)| n_like(quantity));
    let is_whole = all.iter().all(|(value, _, found)| {
        let converted = found
            .zip(most)
            .and_then(|(found, (_, wanted))| convert(*value, found, wanted));
        converted.unwrap_or(*value).fract() == 0.0
    });
    let unit = most.map(|(unit, _)| unit.to_owned());
    (if is_whole { Kind::Integer } else { Kind::Number }, unit)
}

pub(super) fn is_same(a: &Column, b: &Column) -> bool {
    let is_kind = a.kind == b.kind || a.kind.is_number() && b.kind.is_number() || a.kind.is_time() && b.kind.is_time();
    let (x, y) = (core(&a.name), core(&b.name));
    a.name == b.name || is_kind && coverage(&x, &y).max(coverage(&y, &x)) >= SAME
}

/// Whether a column's name says no more than what a record is.
fn says_subject(column: &Column, nouns: &[String]) -> bool {
    let nouns: Vec<Term> = nouns.iter().flat_map(|noun| terms(noun)).collect();
    let own = terms(&column.name);
    own.iter().all(|term| nouns.iter().any(|other| other.stem == term.stem))
}

/// The column that names a record, and a year where nearly all titles have one.
fn of_titles(titles: &[&str]) -> Vec<Column> {
    let n = titles.len();
    let years: BTreeSet<u16> = titles.iter().filter_map(|title| year_of(title)).collect();
    let n_dated = titles.iter().filter(|title| year_of(title).is_some()).count();
    let described = |name: &str, kind, description: &str| Column {
        description: description.to_owned(),
        ..Column::new(name, kind)
    };
    let title = described("name", Kind::Text, "The document's title.");
    if n < 2 || n_dated * 10 < n * 9 {
        return vec![title];
    }
    let year = described("year", Kind::Year, "The year in the title.");
    // Titles that differ in nothing but the year are named by it.
    if years.len() == n {
        vec![year, title]
    } else {
        vec![title, year]
    }
}
