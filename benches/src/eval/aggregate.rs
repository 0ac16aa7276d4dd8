//! Aggregative questions over records (S-RAG §5): cells against gold records, answers against gold answers.

mod align;
mod baseline;
mod question;
mod report;
mod verdict;

pub use align::{ColumnFigures, accuracy};
pub use baseline::evidence;
pub use question::{AggregateQuestion, QuestionError, parse};
pub use report::{Given, Report, Scored, System, score};
pub use verdict::{is_match, recall};
