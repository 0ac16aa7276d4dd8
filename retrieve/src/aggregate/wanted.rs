//! What a question wants of a table: the columns that it names, those that the table does not have, and how much of the
//! question the table covers.

use super::catalogue::Catalogue;
use super::filter::bind;
use super::mark::{Aggregate, Ask, Marked, Meaning};
use super::operation::{Reading, is_small};
use super::parse::{parse, unlinked};
use super::query::{Condition, Query, Shape};
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Column, Kind};

/// Longest phrase that can be a column's name, in words. Arbitrary: longer ones are clauses.
const MAX_PHRASE: usize = 4;

/// A question as a demand for columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Columns of the table that the question names or restricts, ascending.
    pub named: Vec<usize>,
    /// Columns that it speaks of and the table does not have, with the kind that the words around them suggest.
    pub missing: Vec<Column>,
    /// Names that no column holds, as the question writes them.
    pub names: Vec<String>,
}

/// Reads what a question wants of a table. Cost O(words · columns).
pub fn wanted(question: &str, catalogue: &Catalogue) -> Wanted {
    let marked = Marked::new(question, catalogue);
    let mut wanted = Wanted::default();
    let mut run: Vec<usize> = Vec::new();
    for at in 0..=marked.marks.len() {
        let mark = marked.marks.get(at);
        match mark.map(|mark| &mark.meaning) {
            Some(Meaning::Column(found)) => wanted.named.extend(found.iter().map(|(column, _)| *column)),
            Some(Meaning::Value { columns, .. }) => wanted.named.extend(columns),
            _ => {}
        }
        let is_open = mark.is_some_and(|mark| mark.meaning == Meaning::Word && !is_small(&marked.text(mark)));
        let is_like = |last: &usize| is_name(&marked, *last) == is_name(&marked, at) && !marked.has_break(*last, at);
        let goes_on = is_open && run.last().is_none_or(is_like);
        if !goes_on && !run.is_empty() {
            close(&marked, &run, &mut wanted);
            run.clear();
        }
        if is_open {
            run.push(at);
        }
    }
    let bound = bind(&marked, catalogue).bounds;
    wanted.named.extend(bound.iter().map(|bound| bound.condition.column));
    wanted.named.sort_unstable();
    wanted.named.dedup();
    wanted
}

/// Whether a mark is a word of a name: a capital that does not begin the question.
fn is_name(marked: &Marked, at: usize) -> bool {
    let word = marked.marks.get(at).and_then(|mark| marked.words.get(mark.from));
    word.is_some_and(|word| word.start > 0 && word.text.starts_with(char::is_uppercase))
}

/// A run of words that mean nothing yet is a name or a column.
fn close(marked: &Marked, run: &[usize], wanted: &mut Wanted) {
    let words: Vec<String> = run.iter().map(|at| marked.text(&marked.marks[*at])).collect();
    let text = words.join(" ");
    if is_name(marked, run[0]) {
        wanted.names.push(text);
    } else if run.len() <= MAX_PHRASE && !wanted.missing.iter().any(|known| known.name == identifier(&text)) {
        wanted.missing.push(Column::new(identifier(&text), kind(marked, run)));
    }
}

/// The kind that the nearest cue before a phrase asks for; text where there is none.
fn kind(marked: &Marked, run: &[usize]) -> Kind {
    let last = marked.text(&marked.marks[run[run.len() - 1]]).to_lowercase();
    if matches!(last.as_str(), "year" | "years") {
        return Kind::Year;
    }
    if matches!(last.as_str(), "date" | "day") {
        return Kind::Date;
    }
    let after = marked.marks.get(run[run.len() - 1] + 1).map(|mark| &mark.meaning);
    if matches!(after, Some(Meaning::Compare { .. })) {
        return Kind::Number;
    }
    for mark in marked.marks[..run[0]].iter().rev() {
        let word = marked.text(mark).to_lowercase();
        match &mark.meaning {
            Meaning::Aggregate(Aggregate::Count | Aggregate::Distinct | Aggregate::Percentage) => return Kind::Text,
            Meaning::Aggregate(_) | Meaning::Extreme { .. } | Meaning::Number { .. } => return Kind::Number,
            Meaning::Ask(Ask::HowMany) => return Kind::Integer,
            Meaning::Ask(Ask::When) => return Kind::Date,
            Meaning::Ask(_) | Meaning::Column(_) => return Kind::Text,
            Meaning::Word if matches!(word.as_str(), "have" | "has" | "with" | "without" | "offer" | "offers") => {
                return Kind::Boolean;
            }
            _ => {}
        }
    }
    Kind::Text
}

/// How far a table covers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every word that means something is a column, a value or a cue: SQL answers it.
    Whole,
    /// A number is asked for, of records that the columns do not fully describe: SQL would compute it of too many.
    Computation,
    /// Something is asked for that no column says.
    Part,
}

/// What a table knows of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// How far it goes.
    pub extent: Extent,
    /// Words with a meaning that no column, value or cue has.
    pub unlinked: Vec<String>,
    /// What restricts the records, as far as the table knows it.
    pub conditions: Vec<Condition>,
}

/// What a table knows of a question. Cost O(words · columns).
pub fn coverage(question: &str, catalogue: &Catalogue) -> Coverage {
    let marked = Marked::new(question, catalogue);
    let bindings = bind(&marked, catalogue);
    let reading = Reading {
        marked: &marked,
        catalogue,
        bindings: &bindings,
    };
    let unlinked = unlinked(&reading);
    let extent = match parse(question, catalogue).map(|query| query.shape) {
        Ok(_) if unlinked.is_empty() => Extent::Whole,
        Ok(Shape::Select(_)) | Err(_) => Extent::Part,
        Ok(_) => Extent::Computation,
    };
    Coverage {
        extent,
        unlinked,
        conditions: bindings.bounds.iter().map(|bound| bound.condition.clone()).collect(),
    }
}

impl Coverage {
    /// The query for the records that satisfy the conditions; `None` where nothing restricts them.
    pub fn narrowing(&self) -> Option<Query> {
        (!self.conditions.is_empty()).then(|| Query {
            shape: Shape::Exists,
            conditions: self.conditions.clone(),
            notes: Vec::new(),
        })
    }
}
