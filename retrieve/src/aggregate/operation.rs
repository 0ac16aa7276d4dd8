//! What a question wants done, once its conditions are bound.

use super::adjective::Measure;
use super::catalogue::Catalogue;
use super::filter::Bindings;
use super::link::hinted;
use super::mark::{Aggregate, Ask, Marked, Meaning};
use super::query::{Expr, Function};
use banyan_engine::table::Kind;

/// A view of the marks that are not used by conditions.
pub(super) struct Reading<'a> {
    pub(super) marked: &'a Marked,
    pub(super) catalogue: &'a Catalogue,
    pub(super) bindings: &'a Bindings,
}

/// What the question names as its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    /// Records.
    Record,
    /// A column.
    Column(usize),
    /// Something that no column is called; by mark.
    Unknown(usize),
    /// Nothing that is named: `what is the highest …`.
    None,
}

impl Reading<'_> {
    pub(super) fn kind(&self, column: usize) -> Kind {
        self.catalogue.kind(column)
    }

    pub(super) fn meaning(&self, at: usize) -> Option<&Meaning> {
        self.marked.marks.get(at).map(|mark| &mark.meaning)
    }

    /// The first mark with a meaning that fits.
    pub(super) fn find(&self, fits: impl Fn(&Meaning) -> bool) -> Option<usize> {
        self.marked.marks.iter().position(|mark| fits(&mark.meaning))
    }

    pub(super) fn has(&self, aggregate: Aggregate) -> bool {
        self.find(|meaning| *meaning == Meaning::Aggregate(aggregate)).is_some()
    }

    /// The first thing asked for.
    pub(super) fn ask(&self) -> Option<(usize, Ask)> {
        self.marked
            .marks
            .iter()
            .enumerate()
            .find_map(|(at, mark)| match mark.meaning {
                Meaning::Ask(ask) => Some((at, ask)),
                _ => None,
            })
    }

    /// The best column of a mark whose kind fits.
    pub(super) fn column_at(&self, at: usize, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        match self.meaning(at)? {
            Meaning::Column(found) => found
                .iter()
                .map(|(column, _)| *column)
                .find(|column| fits(self.kind(*column))),
            _ => None,
        }
    }

    /// The first column whose kind fits among marks `from..to` that no condition has used.
    pub(super) fn column_in(
        &self,
        from: usize,
        to: usize,
        fits: impl Fn(Kind) -> bool + Copy,
    ) -> Option<(usize, usize)> {
        (from..to.min(self.marked.marks.len()))
            .filter(|at| !self.bindings.used[*at])
            .find_map(|at| Some((at, self.column_at(at, fits)?)))
    }

    pub(super) fn any_column(&self, fits: impl Fn(Kind) -> bool + Copy) -> Option<(usize, usize)> {
        self.column_in(0, self.marked.marks.len(), fits)
    }

    /// What stands right after the asking word: `which city`, `what is the status`, `how many rooms`.
    pub(super) fn focus(&self, from: usize) -> Focus {
        let mut unknown = None;
        for at in from..self.marked.marks.len() {
            let mark = &self.marked.marks[at];
            match &mark.meaning {
                _ if self.bindings.used[at] && !matches!(mark.meaning, Meaning::Column(_)) => {}
                Meaning::Record => return Focus::Record,
                Meaning::Column(_) if self.bindings.used[at] => {}
                Meaning::Column(found) => {
                    // Which team is a name, not the number of teams.
                    let asks_name =
                        self.ask().is_some_and(|(_, ask)| matches!(ask, Ask::Which | Ask::Who)) && at == from;
                    let is_name = |column: &usize| !asks_name || !self.kind(*column).is_number();
                    let best = found.iter().map(|(column, _)| *column).find(is_name);
                    return best.map_or(Focus::Unknown(at), Focus::Column);
                }
                Meaning::Extreme { .. }
                | Meaning::MostOften { .. }
                | Meaning::Ask(_)
                | Meaning::Each
                | Meaning::And
                | Meaning::Occasions => break,
                Meaning::Word if is_small(&self.marked.text(mark)) => {
                    let is_over = unknown.is_some() && is_verb(&self.marked.text(mark));
                    if is_over {
                        break;
                    }
                }
                Meaning::Word => {
                    unknown.get_or_insert(at);
                }
                _ => {}
            }
        }
        unknown.map_or(Focus::None, Focus::Unknown)
    }

    /// A text column that a verb or a role names and no condition has used: `finished third`, `hosted`.
    pub(super) fn role(&self, from: usize) -> Option<usize> {
        let scored = |at: usize| match self.meaning(at) {
            Some(Meaning::Column(found)) if !self.bindings.used[at] => found
                .iter()
                .find(|(column, _)| self.kind(*column) == Kind::Text)
                .copied(),
            _ => None,
        };
        // The noun that names a column wins over the verb of another: `who won the Golden Ball`.
        let best = |marks: &mut dyn Iterator<Item = usize>| {
            marks
                .filter_map(scored)
                .fold(None, |best: Option<(usize, f32)>, found| {
                    if best.is_some_and(|best| best.1 >= found.1) {
                        best
                    } else {
                        Some(found)
                    }
                })
        };
        let n = self.marked.marks.len();
        // A second question word asks for something else: `who won in 1938, and who was the runner-up`.
        let end = (from + 1..n).find(|at| matches!(self.meaning(*at), Some(Meaning::Ask(_))));
        let own = best(&mut (from..end.unwrap_or(n)));
        let found = own
            .filter(|_| end.is_some())
            .or_else(|| best(&mut (from..n).chain(0..from)));
        found.map(|(column, _)| column)
    }

    /// The column that a superlative orders by, and whether the largest come first: the number after it, what the word itself
    /// says, the number before it.
    pub(super) fn measure(&self, at: usize) -> Option<(usize, bool)> {
        let (is_max, hint) = match self.meaning(at)? {
            Meaning::Extreme { is_max, hint } => (*is_max, *hint),
            _ => (true, None),
        };
        let n = self.marked.marks.len();
        let end = (at + 1..n)
            .find(|next| matches!(self.meaning(*next), Some(Meaning::Ask(_) | Meaning::Extreme { .. })))
            .unwrap_or(n);
        let after = |to: usize, fits: fn(Kind) -> bool| self.column_in(at + 1, to, fits).map(|(_, column)| column);
        let hinted = |fits: fn(Kind) -> bool| hinted(hint?, self.catalogue, fits).into_iter().next();
        if hint.is_some_and(Measure::is_time) {
            let in_time = after((at + 4).min(end), Kind::is_time).or_else(|| hinted(Kind::is_time));
            // What came first is the oldest: of ages the largest.
            let aged = || hinted(Kind::is_number).map(|column| (column, !is_max));
            return in_time.map(|column| (column, is_max)).or_else(aged);
        }
        let named = || after(end, Kind::is_number);
        let dated = || after(end, Kind::is_time);
        let before = || self.column_in(0, at, Kind::is_number).map(|(_, column)| column);
        let column = match hint {
            None => named().or_else(dated).or_else(before),
            Some(hint) if hint.yields => named()
                .or_else(before)
                .or_else(|| hinted(Kind::is_number))
                .or_else(dated),
            // The longest range is a range, whatever has a length.
            Some(_) => after((at + 2).min(end), Kind::is_number)
                .or_else(|| hinted(Kind::is_number))
                .or_else(named)
                .or_else(dated),
        };
        column.map(|column| (column, is_max))
    }

    /// The number that the question's aggregate computes of a column.
    pub(super) fn function(&self) -> Option<Function> {
        [
            (Aggregate::Mean, Function::Mean),
            (Aggregate::Median, Function::Median),
            (Aggregate::Deviation, Function::Deviation),
            (Aggregate::Sum, Function::Sum),
        ]
        .into_iter()
        .find_map(|(aggregate, function)| self.has(aggregate).then_some(function))
    }

    /// The number asked for by an aggregate, `how many`, or a superlative, of all records that remain.
    pub(super) fn value(&self, default: Function) -> Option<Expr> {
        let function = self.function().unwrap_or(default);
        let column = self.any_column(Kind::is_number).map(|(_, column)| column);
        column.map(|column| Expr::Of(function, column))
    }
}

/// Words that ask nothing and restrict nothing; lines that begin with `#` are remarks.
const SMALL: &str = include_str!("small.txt");

/// Whether a word asks nothing and restricts nothing.
pub(super) fn is_small(word: &str) -> bool {
    let lower = word.to_lowercase();
    SMALL
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .any(|small| small == lower)
}

fn is_verb(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "is" | "are" | "was" | "were" | "has" | "have" | "had" | "did" | "does" | "do" | "that" | "with" | "in" | "of"
    )
}
