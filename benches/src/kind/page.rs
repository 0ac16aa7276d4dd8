//! Records as pages: a first sentence, labelled values, sentences, lists of what there is and is not, and sentences of
//! other things with other numbers.

use super::{ColumnSpec, Kind, with_values};
use crate::draw::Draw as Source;
use banyan_engine::table::{Kind as ColumnKind, Record, Table, Value};
use std::collections::BTreeSet;

/// The chance that a value stands under a label instead of in a sentence.
const LABELLED: f64 = 0.3;
/// The chance that a flag stands under a label, and that a page says that something is not there.
const LABELLED_FLAG: f64 = 0.1;
const DENIED: f64 = 0.4;
/// The chance that columns which a sentence can state together are stated so.
const JOINT: f64 = 0.35;
/// The chance that a number is written in words, as thousands, or with its comma.
const IN_WORDS: f64 = 0.2;
/// Most other sentences of a page, and the sentences of a paragraph.
const MAX_ASIDES: usize = 3;
const PARAGRAPH: usize = 4;
const MONTHS: &str = "January February March April May June July August September October November December";

/// A page for each record, and the records as the pages state them. Cost O(records · columns).
pub(super) fn pages(kind: &Kind, drawn: &Table, seed: u64) -> (Table, Vec<String>) {
    let mut source = Source::new(seed ^ 0xbeef);
    let mut gold = drawn.clone();
    let pages = gold.records.iter_mut().map(|record| page(kind, record, &mut source));
    let pages = pages.collect();
    (gold, pages)
}

/// What a page says, by where it says it.
#[derive(Default)]
struct Said {
    rows: Vec<String>,
    sentences: Vec<String>,
    yes: Vec<String>,
    no: Vec<String>,
}

fn page(kind: &Kind, record: &mut Record, source: &mut Source) -> String {
    let lead = pick(&kind.leads, source).to_owned();
    let mut said = Said::default();
    let row = pick(&kind.rows, source).to_owned();
    let mut done = joint(kind, record, &mut said, source);
    for (at, spec) in kind.columns.iter().enumerate() {
        let in_lead = at == 0 || lead.contains(&format!("{{{}}}", spec.name));
        if in_lead || done.contains(spec.name.as_str()) || record.cells[at].value.is_null() {
            continue;
        }
        done.insert(&spec.name);
        if spec.kind == ColumnKind::Boolean {
            if !flag(
                spec,
                record.cells[at].value == Value::Boolean(true),
                &row,
                &mut said,
                source,
            ) {
                record.cells[at].value = Value::Null;
            }
        } else if !spec.said.is_empty() {
            let value = written(spec, &record.cells[at].value, source);
            if !spec.labels.is_empty() && source.chance(LABELLED) {
                said.rows.push(labelled(&row, spec, &value, source));
            } else {
                said.sentences.push(sentence(pick(&spec.said, source), &value));
            }
        } else {
            // A column that only other first sentences state.
            record.cells[at].value = Value::Null;
        }
    }
    let values = kind.columns.iter().zip(&record.cells);
    let values = values.map(|(spec, cell)| (spec.name.as_str(), cell.value.to_string()));
    let lead = articles(&with_values(&lead, values));
    composed(kind, record, &lead, said, source)
}

/// Lists what there is and is not, adds other sentences, and sets it all out.
fn composed(kind: &Kind, record: &Record, lead: &str, mut said: Said, source: &mut Source) -> String {
    source.shuffle(&mut said.yes);
    for (items, patterns, most) in [(&said.yes, &kind.offers, 4), (&said.no, &kind.denials, 2)] {
        for part in items.chunks(most) {
            let list = with_values(pick(patterns, source), [("list", listed(part))]);
            said.sentences.push(list);
        }
    }
    for _ in 0..source.between(1, MAX_ASIDES) {
        let aside = pick(&kind.asides, source).to_owned();
        if !said.sentences.contains(&aside) {
            said.sentences.push(aside);
        }
    }
    source.shuffle(&mut said.sentences);
    source.shuffle(&mut said.rows);
    let mut blocks: Vec<String> = said.sentences.chunks(PARAGRAPH).map(|part| part.join(" ")).collect();
    if !said.rows.is_empty() {
        let at = source.below(blocks.len() + 1);
        blocks.insert(at, said.rows.join("\n"));
        let heading = pick(&kind.headings, source);
        if !heading.is_empty() {
            blocks.insert(at, heading.to_owned());
        }
    }
    format!("# {}\n\n{lead}\n\n{}\n", record.title, blocks.join("\n\n"))
}

/// Says some columns together, and gives those.
fn joint<'a>(kind: &'a Kind, record: &Record, said: &mut Said, source: &mut Source) -> BTreeSet<&'a str> {
    let mut done = BTreeSet::new();
    for joint in &kind.joint {
        if !source.chance(JOINT) {
            continue;
        }
        let parts = kind.columns.iter().zip(&record.cells);
        let parts = parts.filter(|(spec, _)| joint.columns.contains(&spec.name));
        let values: Vec<(&str, String)> = parts
            .map(|(spec, cell)| (spec.name.as_str(), written(spec, &cell.value, source)))
            .collect();
        done.extend(values.iter().map(|(name, _)| *name));
        said.sentences.push(with_values(pick(&joint.said, source), values));
    }
    done
}

/// Says whether there is something, or nothing of it; whether it said so.
fn flag(spec: &ColumnSpec, is: bool, row: &str, said: &mut Said, source: &mut Source) -> bool {
    let (items, sentences, word) = if is {
        (&spec.yes, &spec.said, "yes")
    } else {
        (&spec.no, &spec.unsaid, "no")
    };
    if !spec.labels.is_empty() && source.chance(LABELLED_FLAG) {
        said.rows.push(labelled(row, spec, word, source));
    } else if !is && !source.chance(DENIED) {
        return false;
    } else if items.is_empty() {
        said.sentences.push(pick(sentences, source).to_owned());
    } else if is {
        said.yes.push(pick(items, source).to_owned());
    } else {
        said.no.push(pick(items, source).to_owned());
    }
    true
}

fn labelled(row: &str, spec: &ColumnSpec, value: &str, source: &mut Source) -> String {
    let label = pick(&spec.labels, source).to_owned();
    with_values(row, [("label", label), ("value", value.to_owned())])
}

/// A wording with its value; a number that begins a sentence begins it with a capital.
fn sentence(pattern: &str, value: &str) -> String {
    let text = pattern.replace("{}", value);
    let mut chars = text.chars();
    let first = chars.next().map(|ch| ch.to_uppercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

/// A value in one of its notations.
fn written(spec: &ColumnSpec, value: &Value, source: &mut Source) -> String {
    let plain = match value {
        Value::Integer(n) if spec.kind == ColumnKind::Integer => whole(usize::try_from(*n).unwrap_or(0), source),
        Value::Date(iso) => date(iso, source),
        other => other.to_string(),
    };
    if spec.written.is_empty() {
        plain
    } else {
        pick(&spec.written, source).replace("{}", &plain)
    }
}

/// A whole number in figures, with a comma or without, as thousands, or a small one in words.
fn whole(n: usize, source: &mut Source) -> String {
    let is_odd = source.chance(IN_WORDS);
    match n {
        0..100 if is_odd => in_words(n),
        1_000.. if is_odd && n.is_multiple_of(1_000) => format!("{} thousand", n / 1_000),
        1_000.. if !is_odd => format!("{},{:03}", n / 1_000, n % 1_000),
        _ => n.to_string(),
    }
}

fn in_words(n: usize) -> String {
    const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve \
        thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
    const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
    match n {
        0..20 => word(ONES, n).to_owned(),
        _ if n.is_multiple_of(10) => word(TENS, n / 10 - 2).to_owned(),
        _ => format!("{}-{}", word(TENS, n / 10 - 2), word(ONES, n % 10)),
    }
}

fn word(list: &'static str, at: usize) -> &'static str {
    list.split(' ').nth(at).unwrap_or_default()
}

/// A date `YYYY-MM-DD` in one of three notations.
fn date(iso: &str, source: &mut Source) -> String {
    let parts: Vec<usize> = iso.split('-').filter_map(|part| part.parse().ok()).collect();
    let [year, month, day] = parts[..] else {
        return iso.to_owned();
    };
    let month = word(MONTHS, (month + 11) % 12);
    match source.below(3) {
        0 => format!("{day} {month} {year}"),
        1 => format!("{month} {day}, {year}"),
        _ => iso.to_owned(),
    }
}

/// `a, b and c`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., end] => format!("{} and {end}", start.join(", ")),
    }
}

/// `an` before a vowel.
fn articles(text: &str) -> String {
    let vowels = ["a", "e", "i", "o", "u"];
    vowels.iter().fold(text.to_owned(), |text, vowel| {
        text.replace(&format!(" a {vowel}"), &format!(" an {vowel}"))
    })
}

/// One of several wordings; nothing where there is none.
pub(super) fn pick<'a>(of: &'a [String], source: &mut Source) -> &'a str {
    of.get(source.below(of.len())).map_or("", String::as_str)
}
