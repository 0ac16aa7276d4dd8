//! A query over one table, and its SQL.

use super::catalogue::Catalogue;
use super::writer::Writer;
use banyan_engine::table::sql::literal;

/// What is computed of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Of all records.
    Mean,
    /// Added up.
    Sum,
    /// The middle one.
    Median,
    /// Standard deviation of a sample.
    Deviation,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// How many different ones.
    Distinct,
}

/// One number of several records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expr {
    /// How many records.
    Count,
    /// A function of a column.
    Of(Function, usize),
    /// The sum of one column for each unit of the sum of another.
    Ratio(usize, usize),
}

/// How a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Equal.
    Equal,
    /// Different, or empty.
    Unequal,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// More.
    More,
    /// More or equal.
    AtLeast,
}

/// What a condition compares with.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A text as the records write it; one of several.
    Texts(Vec<String>),
    /// A number.
    Number(f64),
    /// Years, one of several.
    Years(Vec<u16>),
    /// A date.
    Date(String),
    /// Yes or no.
    Flag(bool),
    /// Another column of the record.
    Column(usize),
}

/// A condition on a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The column.
    pub column: usize,
    /// How it compares.
    pub operator: Operator,
    /// With what.
    pub operand: Operand,
}

/// What is done with the records that satisfy the conditions.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Columns of each record, each different row once.
    Select(Vec<usize>),
    /// One number of all of them.
    Value(Expr),
    /// Columns of the records with the largest or smallest value of `by`, all where several are equal; or of the first
    /// `top` in that order.
    Extreme {
        /// What is shown.
        columns: Vec<usize>,
        /// What is ordered by.
        by: usize,
        /// Whether the largest come first.
        is_max: bool,
        /// How many, where a number was asked for.
        top: Option<usize>,
    },
    /// A number for each value of a column.
    Group {
        /// The column.
        by: usize,
        /// The number.
        value: Expr,
        /// Only groups whose number compares so.
        having: Option<(Operator, f64)>,
        /// Only the groups with the largest or smallest number, or the first so many.
        best: Option<(bool, Option<usize>)>,
        /// Whether the number is part of the answer.
        shows_value: bool,
    },
    /// The share of the records with `base` that satisfy all conditions, in percent.
    Percentage {
        /// The conditions of the whole.
        base: Vec<Condition>,
    },
    /// Whether there is one.
    Exists,
    /// One number of the records with `left` less the same of those with `right`; how large it is, not its sign.
    Difference {
        /// The number.
        value: Expr,
        /// Conditions of the first, beside the common ones.
        left: Vec<Condition>,
        /// Conditions of the second.
        right: Vec<Condition>,
        /// Whether the quotient is asked for instead.
        is_ratio: bool,
    },
    /// Whether the number of `left` is larger (or smaller) than that of `right`.
    Versus {
        /// The number.
        value: Expr,
        /// Conditions of the first.
        left: Vec<Condition>,
        /// Conditions of the second.
        right: Vec<Condition>,
        /// Whether more is asked for.
        is_more: bool,
        /// What the two are called, where the answer is one of them rather than yes or no.
        names: Option<(String, String)>,
    },
    /// The largest less the smallest value of a column.
    Range(usize),
}

/// A question, translated.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What is done.
    pub shape: Shape,
    /// With which records.
    pub conditions: Vec<Condition>,
    /// What was read into the question where it left a choice.
    pub notes: Vec<String>,
}

impl Query {
    /// The statement. The columns of the answer come first; others explain it.
    pub fn sql(&self, catalogue: &Catalogue) -> String {
        let sql = Writer::new(catalogue, &self.columns());
        let all = &self.conditions;
        match &self.shape {
            Shape::Select(columns) => {
                format!(
                    "SELECT DISTINCT {} FROM {}{}",
                    sql.list(columns),
                    sql.table(),
                    sql.clause(all, columns)
                )
            }
            Shape::Value(value) => format!(
                "SELECT {} FROM {}{}",
                sql.expr(*value),
                sql.table(),
                sql.clause(all, &[])
            ),
            Shape::Extreme {
                columns,
                by,
                is_max,
                top,
            } => sql.extreme(columns, *by, *is_max, *top, all),
            Shape::Group {
                by,
                value,
                having,
                best,
                shows_value,
            } => sql.group(*by, *value, *having, *best, *shows_value, all),
            Shape::Percentage { base } => format!(
                "SELECT 100.0 * (SELECT count(*) FROM {0}{1}) / nullif((SELECT count(*) FROM {0}{2}), 0)",
                sql.table(),
                sql.clause(all, &[]),
                sql.clause(base, &[])
            ),
            Shape::Exists => format!(
                "SELECT count(*) > 0, count(*) FROM {}{}",
                sql.table(),
                sql.clause(all, &[])
            ),
            Shape::Difference {
                value,
                left,
                right,
                is_ratio,
            } => {
                let (left, right) = (sql.side(*value, all, left), sql.side(*value, all, right));
                if *is_ratio {
                    format!("SELECT 1.0 * ({left}) / nullif(({right}), 0)")
                } else {
                    format!("SELECT abs(({left}) - ({right}))")
                }
            }
            Shape::Versus {
                value,
                left,
                right,
                is_more,
                names,
            } => {
                let (left, right) = (sql.side(*value, all, left), sql.side(*value, all, right));
                let sign = if *is_more { ">" } else { "<" };
                match names {
                    Some((a, b)) => format!(
                        "SELECT CASE WHEN ({left}) {sign} ({right}) THEN {} WHEN ({left}) = ({right}) THEN 'equal' ELSE {} END, ({left}), ({right})",
                        literal(a),
                        literal(b)
                    ),
                    None => format!("SELECT ({left}) {sign} ({right}), ({left}), ({right})"),
                }
            }
            Shape::Range(column) => {
                let name = sql.name(*column);
                format!(
                    "SELECT max({name}) - min({name}) FROM {}{}",
                    sql.table(),
                    sql.clause(all, &[])
                )
            }
        }
    }

    /// The records that the answer rests on.
    pub fn provenance_sql(&self, catalogue: &Catalogue) -> String {
        let sql = Writer::new(catalogue, &self.columns());
        let row = sql.row();
        let select = |clause: String| format!("SELECT {row} FROM {}{clause} ORDER BY {row}", sql.table());
        match &self.shape {
            Shape::Extreme {
                by, is_max, top: None, ..
            } => select(sql.extreme_clause(*by, *is_max, &self.conditions)),
            Shape::Difference { left, right, .. } | Shape::Versus { left, right, .. } => {
                let sides = [left, right].map(|side| {
                    let both: Vec<Condition> = self.conditions.iter().chain(side).cloned().collect();
                    format!("({})", sql.all(&both, &[]))
                });
                select(format!(" WHERE {}", sides.join(" OR ")))
            }
            Shape::Percentage { base } => select(sql.clause(base, &[])),
            _ => select(sql.clause(&self.conditions, &[])),
        }
    }

    /// Whether the result is a quotient.
    pub(super) fn divides(&self) -> bool {
        matches!(
            self.shape,
            Shape::Percentage { .. } | Shape::Value(Expr::Ratio(..)) | Shape::Difference { is_ratio: true, .. }
        )
    }

    /// How many columns of the result are the answer; the rest explain it.
    pub fn n_answer_columns(&self) -> usize {
        match &self.shape {
            Shape::Select(columns) | Shape::Extreme { columns, .. } => columns.len(),
            Shape::Group { shows_value, .. } => 1 + usize::from(*shows_value),
            _ => 1,
        }
    }

    /// The columns that the query reads.
    pub fn columns(&self) -> Vec<usize> {
        let of_value = |value: &Expr| match value {
            Expr::Count => Vec::new(),
            Expr::Of(_, column) => vec![*column],
            Expr::Ratio(a, b) => vec![*a, *b],
        };
        let mut columns = match &self.shape {
            Shape::Select(columns) => columns.clone(),
            Shape::Value(value) | Shape::Difference { value, .. } | Shape::Versus { value, .. } => of_value(value),
            Shape::Extreme { columns, by, .. } => columns.iter().copied().chain([*by]).collect(),
            Shape::Group { by, value, .. } => [*by].into_iter().chain(of_value(value)).collect(),
            Shape::Percentage { base } => base.iter().map(|condition| condition.column).collect(),
            Shape::Exists => Vec::new(),
            Shape::Range(column) => vec![*column],
        };
        let sides: Vec<&Condition> = match &self.shape {
            Shape::Difference { left, right, .. } | Shape::Versus { left, right, .. } => {
                left.iter().chain(right).collect()
            }
            _ => Vec::new(),
        };
        for condition in self.conditions.iter().chain(sides) {
            columns.push(condition.column);
            if let Operand::Column(other) = condition.operand {
                columns.push(other);
            }
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}
