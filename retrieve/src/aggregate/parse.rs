//! A question to a query. What is computed is one of a few shapes; a question with a word that the query does not use is
//! refused, for an answer without it would be one to another question.

use super::catalogue::Catalogue;
use super::condition::Reading;
use super::keyword::{Ask, Degree, Keyword};
use super::query::{Condition, Expr, Function, Operator, Query, Shape};
use super::tagging::{Label, Run, measured, tag};
use banyan_engine::table::Kind;

/// A question that is not answered, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// The words that no query would use; empty where the whole shape is unknown.
    pub words: Vec<String>,
    /// One sentence for people.
    pub reason: String,
    /// What restricts the records, as far as it is understood, where something else than a number is asked for: it
    /// chooses documents for retrieval.
    pub conditions: Vec<Condition>,
}

impl Refusal {
    /// The query for the records that satisfy the conditions; `None` where nothing restricts them.
    pub fn narrowing(&self) -> Option<Query> {
        (!self.conditions.is_empty()).then(|| Query {
            shape: Shape::Exists,
            conditions: self.conditions.clone(),
            notes: Vec::new(),
        })
    }
}

/// Translates a question. Cost O(words · columns).
///
/// # Errors
/// [`Refusal`] where any word that means something matches no column, value or keyword, or the query leaves it out.
pub fn parse(question: &str, catalogue: &Catalogue) -> Result<Query, Refusal> {
    let mut reading = Reading::new(tag(question, catalogue), catalogue);
    let shape = reading.shape();
    let left_out = |(run, used): (&Run, &bool)| (!used && run.label != Label::Record).then(|| run.text.clone());
    let words: Vec<String> = reading.runs.iter().zip(&reading.used).filter_map(left_out).collect();
    match shape {
        Some(shape) if words.is_empty() && !reading.is_of_other() => Ok(Query {
            shape,
            conditions: reading.conditions,
            notes: reading.notes,
        }),
        _ => Err(reading.refusal(words)),
    }
}

/// The columns that a question names, restricts or gives a value of, ascending: those that a table needs to answer it.
/// Cost O(words · columns).
pub fn named_columns(question: &str, catalogue: &Catalogue) -> Vec<usize> {
    let reading = Reading::new(tag(question, catalogue), catalogue);
    let mut columns: Vec<usize> = reading.conditions.iter().map(|condition| condition.column).collect();
    for run in &reading.runs {
        match run.label {
            Label::Column(ref found) => columns.extend(found.first().map(|(column, _)| *column)),
            Label::Keyword(Keyword::Extreme(degree) | Keyword::Compare(_, Some(degree))) => {
                columns.extend(degree.measure.and_then(|measure| measured(measure, catalogue)));
            }
            _ => {}
        }
    }
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// Whether a question asks first for the records of this catalogue, and where, in words; for choosing among tables.
pub(super) fn first_record(question: &str, catalogue: &Catalogue) -> usize {
    let runs = tag(question, catalogue);
    runs.iter()
        .position(|run| run.label == Label::Record)
        .unwrap_or(usize::MAX)
}

fn is_group(kind: Kind) -> bool {
    !kind.is_number() && kind != Kind::Boolean
}

impl Reading<'_> {
    fn refusal(self, words: Vec<String>) -> Refusal {
        let known: Vec<&str> = self
            .catalogue
            .columns
            .iter()
            .map(|view| view.column.name.as_str())
            .collect();
        let known = known.join(", ");
        let asks_number = |run: &Run| {
            matches!(
                run.label,
                Label::Keyword(
                    Keyword::Ask(Ask::HowMany | Ask::HowMuch | Ask::YesNo)
                        | Keyword::Function(_)
                        | Keyword::Count
                        | Keyword::Percentage
                        | Keyword::Extreme(_)
                        | Keyword::Frequent { .. }
                )
            )
        };
        let is_number = self.runs.iter().any(asks_number);
        Refusal {
            reason: if words.is_empty() {
                format!("the question is of no known shape; the columns are {known}")
            } else {
                format!(
                    "the query would leave out `{}`; the columns are {known}",
                    words.join("`, `")
                )
            },
            words,
            conditions: if is_number { Vec::new() } else { self.conditions },
        }
    }

    /// The first run with a keyword that fits, which is used.
    fn find(&mut self, fits: impl Fn(Keyword) -> bool) -> Option<usize> {
        let at = (0..self.runs.len()).find(|at| !self.used[*at] && self.keyword(*at).is_some_and(&fits))?;
        self.used[at] = true;
        Some(at)
    }

    /// The first column of a fitting kind in `from..to` that is named for certain; it is used.
    fn take(&mut self, from: usize, to: usize, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        let (at, column) = (from..to.min(self.runs.len())).find_map(|at| Some((at, self.column(at, &fits)?)))?;
        self.used[at] = true;
        Some(column)
    }

    /// The column of numbers that is named, else the only one, which is told.
    fn number_column(&mut self) -> Option<usize> {
        let named = self.take(0, self.runs.len(), Kind::is_number);
        named.or_else(|| {
            let only = self.catalogue.only(Kind::is_number)?;
            let name = &self.catalogue.columns[only].column.name;
            self.notes.push(format!("what is computed was taken to be of {name}"));
            Some(only)
        })
    }

    fn shape(&mut self) -> Option<Shape> {
        let asked = self.find(|keyword| matches!(keyword, Keyword::Ask(_)));
        let ask = asked.and_then(|at| self.keyword(at));
        let start = asked.map_or(0, |at| at + 1);
        let n = self.runs.len();
        if self.find(|keyword| keyword == Keyword::Percentage).is_some() {
            // The last condition is the part, those before it are the whole.
            let (_, base) = self.conditions.split_last()?;
            return Some(Shape::Percentage { base: base.to_vec() });
        }
        if let Some(at) = self.find(|keyword| matches!(keyword, Keyword::Frequent { .. })) {
            let Some(Keyword::Frequent { is_max }) = self.keyword(at) else {
                return None;
            };
            let by = self.take(start, n, is_group)?;
            return Some(Shape::Group {
                by,
                value: Expr::Count,
                best: Some(is_max),
            });
        }
        let function = self.find(|keyword| matches!(keyword, Keyword::Function(_)));
        let function = function.and_then(|at| match self.keyword(at) {
            Some(Keyword::Function(function)) => Some(function),
            _ => None,
        });
        let count = self.find(|keyword| keyword == Keyword::Count);
        let is_amount = ask == Some(Keyword::Ask(Ask::HowMuch));
        let counts = ask == Some(Keyword::Ask(Ask::HowMany)) || count.is_some();
        if let Some(at) = self.find(|keyword| matches!(keyword, Keyword::Extreme(_))) {
            let Some(Keyword::Extreme(degree)) = self.keyword(at) else {
                return None;
            };
            return self.extreme(at, degree, (ask, start), function);
        }
        if let Some(at) = self.find(|keyword| keyword == Keyword::Top) {
            let top = self.number(self.next(at)?)?;
            let by = self.take(at, n, Kind::is_number)?;
            let columns = vec![self.catalogue.key?];
            return Some(Shape::Extreme {
                columns,
                by,
                is_max: true,
                top: Some(top),
            });
        }
        if let Some(by) = self.each() {
            let value = match function {
                Some(function) => Expr::Of(function, self.number_column()?),
                None => (counts && self.has_record()).then_some(Expr::Count)?,
            };
            return Some(Shape::Group { by, value, best: None });
        }
        match function {
            Some(Function::Sum) if counts => {
                let added = self
                    .take(0, n, Kind::is_number)
                    .map(|column| Expr::Of(Function::Sum, column));
                return added.or(self.has_record().then_some(Expr::Count)).map(Shape::Value);
            }
            Some(Function::Distinct) => {
                return Some(Shape::Value(Expr::Of(
                    Function::Distinct,
                    self.take(start, n, |_| true)?,
                )));
            }
            Some(function) => return Some(Shape::Value(Expr::Of(function, self.number_column()?))),
            None => {}
        }
        match ask {
            Some(Keyword::Ask(Ask::YesNo)) => (!self.conditions.is_empty()).then_some(Shape::Exists),
            _ if is_amount => {
                let column = self.take(start, n, Kind::is_number)?;
                Some(Shape::Value(Expr::Of(Function::Sum, column)))
            }
            _ if counts => self.counted(count.map_or(start, |at| at + 1)),
            _ => self.selected(ask, start),
        }
    }

    /// `how many hotels`, `how many rooms does … have`, `how many cities`.
    fn counted(&mut self, from: usize) -> Option<Shape> {
        let n = self.runs.len();
        if let Some(column) = self.take(from, n, Kind::is_number) {
            return Some(Shape::Value(Expr::Of(Function::Sum, column)));
        }
        if let Some(column) = self.take(from, n, is_group) {
            return Some(Shape::Value(Expr::Of(Function::Distinct, column)));
        }
        // "How many pages does Winter Harbour have?" is no question how many records are called so.
        let is_named = |one: &Condition| one.operator == Operator::Equal && Some(one.column) == self.catalogue.key;
        let is_one = self.conditions.iter().any(is_named);
        (self.has_record() && !is_one).then_some(Shape::Value(Expr::Count))
    }

    /// `which hotel has the most reviews`, `what is the highest rating`, `which city has the most hotels`.
    fn extreme(
        &mut self,
        at: usize,
        degree: Degree,
        (ask, start): (Option<Keyword>, usize),
        function: Option<Function>,
    ) -> Option<Shape> {
        let (n, is_max) = (self.runs.len(), degree.is_max);
        if ask == Some(Keyword::Ask(Ask::YesNo)) {
            return None;
        }
        // `the largest number of rooms` is of rooms.
        let counted = self.next(at).filter(|next| self.keyword(*next) == Some(Keyword::Count));
        let follows = self.next(counted.unwrap_or(at));
        let is_measure = |kind: Kind| kind.is_number() || kind.is_time();
        let focus = self.take(start, at, |kind| kind != Kind::Boolean);
        if focus.is_none() && matches!(ask, Some(Keyword::Ask(Ask::HowMany | Ask::HowMuch))) {
            return None;
        }
        let measures_records = follows.is_some_and(|next| self.runs[next].label == Label::Record);
        if let (Some(by), Some(function)) = (focus, function) {
            let value = Expr::Of(function, self.take(at, n, Kind::is_number)?);
            return is_group(self.catalogue.kind(by)).then_some(Shape::Group {
                by,
                value,
                best: Some(is_max),
            });
        }
        if let (Some(by), true, true) = (focus, measures_records, degree.measure.is_none()) {
            let is_own = Some(by) != self.catalogue.key && is_group(self.catalogue.kind(by));
            return is_own.then_some(Shape::Group {
                by,
                value: Expr::Count,
                best: Some(is_max),
            });
        }
        let top = self.top(at);
        let adjacent = self.take(follows.unwrap_or(n), follows.map_or(n, |next| next + 1), is_measure);
        let by_word = degree.measure.and_then(|measure| measured(measure, self.catalogue));
        let by = match adjacent {
            Some(column) => column,
            None if degree.is_any => match self.take(at, n, is_measure) {
                Some(column) => column,
                None => by_word?,
            },
            None => by_word?,
        };
        if adjacent.is_none() && Some(by) == by_word {
            let name = &self.catalogue.columns[by].column.name;
            self.notes.push(format!("`{}` was taken as {name}", self.runs[at].text));
        }
        let has_subject = (start..at).any(|at| self.runs[at].label == Label::Record);
        if focus.is_none() && adjacent.is_some() && !has_subject && top.is_none() && ask.is_some() {
            let function = if is_max { Function::Max } else { Function::Min };
            return Some(Shape::Value(Expr::Of(function, by)));
        }
        // `Which hotel opened first?` asks for a hotel.
        let focus = focus.filter(|focus| *focus != by || !has_subject);
        let columns = vec![focus.or(self.catalogue.key)?];
        Some(Shape::Extreme {
            columns,
            by,
            is_max,
            top,
        })
    }

    /// The number of `the 3 largest`, `the top 3`, or of `3 hotels with the most`.
    fn top(&mut self, at: usize) -> Option<usize> {
        let first = self.before(at);
        let counted = (0..at).find(|at| {
            self.next(*at)
                .is_some_and(|next| self.runs[next].label == Label::Record)
        });
        [first, self.next(at), counted]
            .into_iter()
            .flatten()
            .find_map(|at| self.number(at))
    }

    /// A plain number from 1 to 1000 that nothing has used; it is used.
    fn number(&mut self, at: usize) -> Option<usize> {
        let Label::Number { value, .. } = self.runs[at].label else {
            return None;
        };
        if self.used[at] || !(1.0..=1000.0).contains(&value) || value.fract() != 0.0 {
            return None;
        }
        self.used[at] = true;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number from 1 to 1000"
        )]
        Some(value as usize)
    }

    /// The column of `per city`, `in each country`, `by type`.
    fn each(&mut self) -> Option<usize> {
        let each = |at: usize| self.keyword(at) == Some(Keyword::Each) || self.runs[at].text.eq_ignore_ascii_case("by");
        let (at, next) = (0..self.runs.len())
            .filter(|at| each(*at))
            .find_map(|at| Some((at, self.next(at)?)))?;
        let column = self.take(next, next + 1, is_group)?;
        self.used[at] = true;
        Some(column)
    }

    /// `what is the status of …`, `which hotels have a pool`, `when did … open`.
    fn selected(&mut self, ask: Option<Keyword>, start: usize) -> Option<Shape> {
        let is_when = ask == Some(Keyword::Ask(Ask::When));
        let fits = |kind: Kind| match ask {
            Some(Keyword::Ask(Ask::When)) => kind.is_time(),
            Some(Keyword::Ask(Ask::Who)) => kind == Kind::Text,
            _ => kind != Kind::Boolean,
        };
        let mut columns: Vec<usize> = Vec::new();
        while let Some(column) = self.take(start, self.runs.len(), fits) {
            columns.push(column);
        }
        let is_restricted = !self.conditions.is_empty();
        if columns.is_empty() && is_when {
            columns.extend(self.catalogue.only(Kind::is_time).filter(|_| is_restricted));
        } else if columns.is_empty() && self.has_record() {
            columns.extend(self.catalogue.key);
        }
        (!columns.is_empty() && (is_restricted || self.has_record())).then_some(Shape::Select(columns))
    }
}
