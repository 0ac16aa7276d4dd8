//! Values drawn for the columns.

use super::{ColumnSpec, Draw, Kind, with_values};
use crate::draw::Draw as Source;
use banyan_engine::DocumentId;
use banyan_engine::table::{Cell, Kind as ColumnKind, Record, Table, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Names are drawn so often before a number tells one apart.
const MAX_DRAWS: usize = 20;

/// `n` records, each with a name of its own. Cost O(n · columns).
pub(super) fn records(kind: &Kind, n: usize, seed: u64) -> Table {
    let mut source = Source::new(seed);
    let mut names = BTreeSet::new();
    let record = |_| record(kind, &mut names, &mut source);
    Table {
        records: (0..n).map(record).collect(),
        schema: kind.schema(),
    }
}

fn record(kind: &Kind, names: &mut BTreeSet<String>, source: &mut Source) -> Record {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut values = Vec::new();
    for spec in &kind.columns[1..] {
        let value = value(kind, spec, &texts, source);
        texts.insert(&spec.name, value.to_string());
        values.push(value);
    }
    let title = name(kind, &texts, names, source);
    values.insert(0, Value::Text(title.clone()));
    let cell = |value| Cell {
        value,
        confidence: 1.0,
        ..Cell::default()
    };
    Record {
        document: DocumentId::of(&title, ""),
        title,
        cells: values.into_iter().map(cell).collect(),
    }
}

fn value(kind: &Kind, spec: &ColumnSpec, known: &BTreeMap<&str, String>, source: &mut Source) -> Value {
    let is_blank = source.chance(spec.blank);
    let drawn = match &spec.draw {
        None => Value::Null,
        Some(Draw::OneOf(all)) => Value::Text(all[source.below(all.len())].clone()),
        Some(Draw::Paired { with, to }) => {
            let found = known.get(with.as_str()).and_then(|value| to.get(value));
            found.map_or(Value::Null, |found| Value::Text(found.clone()))
        }
        Some(Draw::Phrase(pattern)) => Value::Text(phrase(kind, pattern, known, source)),
        Some(Draw::Whole([least, most, step])) => {
            let drawn = least + step * source.below((most - least) / step + 1);
            match spec.kind {
                ColumnKind::Number => Value::Number(drawn as f64),
                _ => i64::try_from(drawn).map_or(Value::Null, Value::Integer),
            }
        }
        Some(Draw::Decimal([least, most])) => {
            Value::Number(((least + source.unit() * (most - least)) * 10.0).round() / 10.0)
        }
        Some(Draw::Day([from, to])) => {
            let (year, month) = (source.between(*from, *to), source.between(1, 12));
            Value::Date(format!("{year:04}-{month:02}-{:02}", source.between(1, 28)))
        }
        Some(Draw::Chance(chance)) => Value::Boolean(source.chance(*chance)),
    };
    if is_blank { Value::Null } else { drawn }
}

/// A pattern with words of the lists and known values.
fn phrase(kind: &Kind, pattern: &str, known: &BTreeMap<&str, String>, source: &mut Source) -> String {
    let mut drawn = Vec::new();
    for (list, words) in &kind.words {
        drawn.push((list.as_str(), words[source.below(words.len())].clone()));
    }
    let known = known.iter().map(|(name, value)| (*name, value.clone()));
    with_values(pattern, drawn.into_iter().chain(known))
}

fn name(kind: &Kind, known: &BTreeMap<&str, String>, names: &mut BTreeSet<String>, source: &mut Source) -> String {
    for _ in 0..MAX_DRAWS {
        let pattern = &kind.titles[source.below(kind.titles.len())];
        let name = phrase(kind, pattern, known, source);
        if names.insert(name.clone()) {
            return name;
        }
    }
    let pattern = &kind.titles[source.below(kind.titles.len())];
    let name = format!("{} {}", phrase(kind, pattern, known, source), names.len());
    names.insert(name.clone());
    name
}
