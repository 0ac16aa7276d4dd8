//! What a column asks for, and what a page offers.

use crate::record::thesaurus::{Unit, flag_units, units};
use banyan_engine::Span;
use banyan_engine::table::{Column, Kind, Value};

/// A value that a document may mean.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The value, of the column's kind.
    pub(super) value: Value,
    /// Where it stands, where it stands in one place.
    pub(super) span: Option<Span>,
    /// Where it comes from, in a form that is the same in all documents that say it alike.
    pub(super) source: String,
    /// How well that fits the column, 0 to 1.
    pub(super) score: f32,
}

/// Which end of a span of dates a column asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    From,
    To,
}

/// A column with its name in units.
#[derive(Clone, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) column: &'a Column,
    /// The name's units, with what says nothing about the attribute (`is_`, `has_`, a unit of measure) left out.
    pub(super) units: Vec<Unit>,
    /// Which end of a span, where the name says one.
    pub(super) end: Option<End>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(column: &'a Column) -> Self {
        let is_flag = column.kind == Kind::Boolean;
        let mut units = if is_flag {
            flag_units(&column.name)
        } else {
            units(&column.name)
        };
        let unit_words: Vec<&str> = column.unit.iter().map(String::as_str).collect();
        units.retain(|unit| !unit_words.iter().any(|word| word.eq_ignore_ascii_case(&unit.stem)));
        // A date column says what happened on the date, not that it is one.
        let is_date_word = |unit: &Unit| matches!(unit.stem.as_str(), "date" | "dai" | "year" | "time");
        if column.kind.is_time() && !units.iter().all(is_date_word) {
            units.retain(|unit| !is_date_word(unit));
        }
        let words = crate::record::thesaurus::words(&column.name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let end = if has(&["start", "begin", "from", "first"]) {
            Some(End::From)
        } else if has(&["end", "finish", "until"]) {
            Some(End::To)
        } else {
            None
        };
        Self { column, units, end }
    }

    /// The units without `start` and `end`.
    pub(super) fn without_end(&self) -> Vec<Unit> {
        let is_end = |unit: &Unit| {
            matches!(
                unit.stem.as_str(),
                "start" | "begin" | "end" | "finish" | "first" | "last"
            )
        };
        let rest: Vec<Unit> = self.units.iter().filter(|unit| !is_end(unit)).cloned().collect();
        if rest.is_empty() { units("date") } else { rest }
    }
}
