//! Aggregative questions over the records. Their answers are what their SQL gives over the gold records.

use super::page::pick;
use super::{ColumnSpec, Kind};
use crate::draw::Draw as Source;
use anyhow::Result;
use banyan_engine::table::sql::literal;
use banyan_engine::table::{Database, Kind as ColumnKind, Limits, Table, Value};
use std::collections::BTreeSet;

/// Draws for each question wanted, before a corpus too small for all of them is left with fewer.
const MAX_DRAWS: usize = 60;
const MAX_LISTED: usize = 6;

/// A question with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its shape.
    pub shape: &'static str,
    /// What is asked.
    pub text: String,
    /// The answer; items are parted by `; `.
    pub answer: String,
    /// The SQL over the gold records that gives it.
    pub sql: String,
}

/// A question before it is answered.
struct Asked {
    shape: &'static str,
    question: String,
    sql: String,
    /// SQL that gives 1 where the question has one answer.
    check: Option<String>,
}

impl Asked {
    fn new(shape: &'static str, question: String, sql: String) -> Self {
        Self {
            shape,
            question,
            sql,
            check: None,
        }
    }

    fn once(self, check: String) -> Self {
        Self {
            check: Some(check),
            ..self
        }
    }
}

/// A phrase that restricts records.
struct Filter {
    words: String,
    /// The table's name and the condition.
    from: String,
    column: String,
}

impl Filter {
    /// The statement that gives this of the records.
    fn select(&self, what: &str) -> String {
        format!("SELECT {what} FROM {}", self.from)
    }
}

/// `n` questions, each with one answer that is not empty. Cost O(n · records).
///
/// # Errors
/// Where SQL is refused, which is a fault of the generator.
pub(super) fn questions(kind: &Kind, gold: &Table, n: usize, seed: u64) -> Result<Vec<Question>> {
    let database = Database::new(std::slice::from_ref(gold))?;
    let mut source = Source::new(seed ^ 0x5151);
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    for _ in 0..n * MAX_DRAWS {
        if found.len() == n {
            break;
        }
        let Some(asked) = draw(kind, gold, found.len(), &mut source) else {
            continue;
        };
        if let Some(answer) = answer(&database, &asked)?
            && known.insert(asked.question.clone())
        {
            found.push(Question {
                shape: asked.shape,
                text: asked.question,
                answer,
                sql: asked.sql,
            });
        }
    }
    Ok(found)
}

/// The answer; `None` where it is empty, too long, or one of several.
fn answer(database: &Database, asked: &Asked) -> Result<Option<String>> {
    if let Some(check) = &asked.check {
        let n = database.run(check, Limits::default())?;
        if n.rows.first().and_then(|row| row.first()) != Some(&Value::Integer(1)) {
            return Ok(None);
        }
    }
    let rows = database.run(&asked.sql, Limits::default())?.rows;
    let values: Vec<String> = rows
        .iter()
        .filter_map(|row| row.first())
        .map(ToString::to_string)
        .collect();
    let is_answer = (1..=MAX_LISTED).contains(&values.len()) && values.iter().all(|value| !value.is_empty());
    Ok(is_answer.then(|| values.join("; ")))
}

fn draw(kind: &Kind, gold: &Table, turn: usize, source: &mut Source) -> Option<Asked> {
    let filter = filter(kind, gold, source)?;
    match turn % 12 {
        0 | 1 => Some(count(kind, &filter, source)),
        2 => aggregate(kind, &filter, "average", "avg", source),
        3 => aggregate(kind, &filter, "total", "sum", source),
        4 => {
            let (word, function) = [("highest", "max"), ("lowest", "min")][source.below(2)];
            aggregate(kind, &filter, word, function, source)
        }
        5 | 6 => extreme(kind, &filter, source),
        7 => look_up(kind, gold, source),
        8 => share(kind, &filter, source),
        9 => distinct(kind, &filter, source),
        10 => Some(list(kind, &filter, source)),
        _ => most_common(kind, &filter, source),
    }
}

/// A phrase that fits the values of some record.
fn filter(kind: &Kind, gold: &Table, source: &mut Source) -> Option<Filter> {
    let sample = gold.records.get(source.below(gold.records.len()))?;
    let at = source.below(kind.columns.len());
    let spec = &kind.columns[at];
    let value = &sample.cells[at].value;
    let name = &spec.name;
    let shown = value.to_string();
    let sides = [(&spec.above, ">"), (&spec.below, "<")];
    let (bounds, sign) = sides[source.below(sides.len())];
    let (words, sql) = match value {
        Value::Boolean(_) if !spec.with.is_empty() => (spec.with.clone(), format!("{name} = 1")),
        Value::Text(text) if !spec.is.is_empty() => (
            pick(&spec.is, source).replace("{}", text),
            format!("{name} = {}", literal(text)),
        ),
        Value::Date(day) if !bounds.is_empty() => {
            let year = &day[..4];
            let end = if sign == ">" {
                format!("'{year}-12-31'")
            } else {
                format!("'{year}-01-01'")
            };
            (pick(bounds, source).replace("{}", year), format!("{name} {sign} {end}"))
        }
        Value::Integer(_) | Value::Number(_) if !bounds.is_empty() => (
            pick(bounds, source).replace("{}", &shown),
            format!("{name} {sign} {shown}"),
        ),
        _ => return None,
    };
    Some(Filter {
        words,
        from: format!("{} WHERE {sql}", kind.table),
        column: name.clone(),
    })
}

fn count(kind: &Kind, filter: &Filter, source: &mut Source) -> Asked {
    let (plural, words) = (&kind.plural, &filter.words);
    let question = match source.below(3) {
        0 => format!("How many {plural} {words} are there?"),
        1 => format!("What is the number of {plural} {words}?"),
        _ => format!("Count the {plural} {words}."),
    };
    Asked::new("count", question, filter.select("count(*)"))
}

fn aggregate(kind: &Kind, filter: &Filter, word: &str, function: &'static str, source: &mut Source) -> Option<Asked> {
    let spec = measure(kind, source).filter(|spec| spec.name != filter.column)?;
    if function == "sum" && spec.kind != ColumnKind::Integer {
        return None;
    }
    let (plural, words, called) = (&kind.plural, &filter.words, pick(&spec.called, source));
    let question = format!("What is the {word} {called} of {plural} {words}?");
    let sql = filter.select(&format!("round({function}({}), 2)", spec.name));
    Some(Asked::new(function, question, sql))
}

/// The record with most or least of something, or another column of it.
fn extreme(kind: &Kind, filter: &Filter, source: &mut Source) -> Option<Asked> {
    let is_most = source.chance(0.6);
    let spec = measure(kind, source).filter(|spec| spec.name != filter.column)?;
    let (superlative, function) = if is_most {
        (&spec.most, "max")
    } else {
        (&spec.least, "min")
    };
    let other = &kind.columns[source.below(kind.columns.len())];
    let (noun, words, name) = (&kind.noun, &filter.words, &spec.name);
    let is_other = !other.called.is_empty() && other.name != spec.name && other.name != filter.column;
    let (shape, wanted, question) = if is_other && source.chance(0.4) {
        let called = pick(&other.called, source);
        let question = format!("What is the {called} of the {noun} {words} with the {superlative}?");
        ("extreme-other", &other.name, question)
    } else {
        let question = format!("Which {noun} {words} has the {superlative}?");
        ("extreme", &kind.columns[0].name, question)
    };
    let most = filter.select(&format!("{function}({name})"));
    let of = |wanted: &str| format!("{} AND {name} = ({most})", filter.select(wanted));
    Some(Asked::new(shape, question, of(wanted)).once(of("count(*)")))
}

fn look_up(kind: &Kind, gold: &Table, source: &mut Source) -> Option<Asked> {
    let title = &gold.records.get(source.below(gold.records.len()))?.title;
    let spec = &kind.columns[source.below(kind.columns.len())];
    let called = Some(pick(&spec.called, source)).filter(|called| !called.is_empty())?;
    let (name, table, key) = (&spec.name, &kind.table, &kind.columns[0].name);
    let question = format!("What is the {called} of {title}?");
    let sql = format!("SELECT {name} FROM {table} WHERE {key} = {}", literal(title));
    Some(Asked::new("look-up", question, sql))
}

fn share(kind: &Kind, filter: &Filter, source: &mut Source) -> Option<Asked> {
    let flags: Vec<&ColumnSpec> = kind.columns.iter().filter(|spec| spec.yes.len() > 2).collect();
    let spec = flags.get(source.below(flags.len()));
    let spec = spec.filter(|spec| spec.name != filter.column)?;
    let what = spec.with.trim_start_matches("with ").trim_start_matches("that have ");
    let question = format!("What percentage of {} {} have {what}?", kind.plural, filter.words);
    let sql = filter.select(&format!("round(100.0 * sum({} IS 1) / count(*), 2)", spec.name));
    Some(Asked::new("share", question, sql).once(filter.select("min(count(*), 1)")))
}

fn distinct(kind: &Kind, filter: &Filter, source: &mut Source) -> Option<Asked> {
    let spec = named(kind, source).filter(|spec| spec.name != filter.column)?;
    let (several, plural, words) = (&spec.several, &kind.plural, &filter.words);
    let question = format!("How many different {several} are there among the {plural} {words}?");
    let sql = filter.select(&format!("count(DISTINCT {})", spec.name));
    Some(Asked::new("distinct", question, sql))
}

fn list(kind: &Kind, filter: &Filter, source: &mut Source) -> Asked {
    let (plural, words, key) = (&kind.plural, &filter.words, &kind.columns[0].name);
    let question = match source.below(2) {
        0 => format!("Which {plural} {words} are there?"),
        _ => format!("List the {plural} {words}."),
    };
    Asked::new("list", question, format!("{} ORDER BY {key}", filter.select(key)))
}

fn most_common(kind: &Kind, filter: &Filter, source: &mut Source) -> Option<Asked> {
    let spec = named(kind, source).filter(|spec| spec.name != filter.column)?;
    let (name, called) = (&spec.name, pick(&spec.called, source));
    let counts = filter.select(&format!("{name} AS value, count(*) AS n"));
    let counts = format!("{counts} GROUP BY {name}");
    let question = format!("What is the most common {called} of {} {}?", kind.plural, filter.words);
    let sql = format!("SELECT value FROM ({counts}) ORDER BY n DESC LIMIT 1");
    let check = format!("SELECT count(*) FROM ({counts}) WHERE n = (SELECT max(n) FROM ({counts}))");
    Some(Asked::new("most-common", question, sql).once(check))
}

/// A column of numbers that has superlatives.
fn measure<'a>(kind: &'a Kind, source: &mut Source) -> Option<&'a ColumnSpec> {
    let all: Vec<&ColumnSpec> = kind.columns.iter().filter(|spec| !spec.most.is_empty()).collect();
    all.get(source.below(all.len())).copied()
}

/// A column of names that has a plural.
fn named<'a>(kind: &'a Kind, source: &mut Source) -> Option<&'a ColumnSpec> {
    let all: Vec<&ColumnSpec> = kind.columns.iter().filter(|spec| !spec.several.is_empty()).collect();
    all.get(source.below(all.len())).copied()
}
