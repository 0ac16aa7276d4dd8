//! A query over one table: which records, and what is done with them.

/// What is computed of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Of all records.
    Mean,
    /// Added up.
    Sum,
    /// The middle one.
    Median,
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

/// The thing that a condition compares with.
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
        /// Only the groups with the largest or smallest number, which is then not shown.
        best: Option<bool>,
    },
    /// The share of the records with `base` that satisfy all conditions, in percent.
    Percentage {
        /// The conditions of the whole.
        base: Vec<Condition>,
    },
    /// Whether there is one.
    Exists,
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
    /// How many columns of the result are the answer; the rest explain it.
    pub fn n_answer_columns(&self) -> usize {
        match &self.shape {
            Shape::Select(columns) | Shape::Extreme { columns, .. } => columns.len(),
            Shape::Group { best: None, .. } => 2,
            _ => 1,
        }
    }

    /// The columns that the query reads, ascending.
    pub fn columns(&self) -> Vec<usize> {
        let of_value = |value: &Expr| match value {
            Expr::Count => None,
            Expr::Of(_, column) => Some(*column),
        };
        let mut columns: Vec<usize> = match &self.shape {
            Shape::Select(columns) => columns.clone(),
            Shape::Value(value) => of_value(value).into_iter().collect(),
            Shape::Extreme { columns, by, .. } => columns.iter().copied().chain([*by]).collect(),
            Shape::Group { by, value, .. } => [*by].into_iter().chain(of_value(value)).collect(),
            Shape::Percentage { .. } | Shape::Exists => Vec::new(),
        };
        columns.extend(self.conditions.iter().map(|condition| condition.column));
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}
