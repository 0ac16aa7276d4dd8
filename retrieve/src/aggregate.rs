//! Questions over records: question → SQL → answer with rows and provenance (S-RAG §3.3).
//!
//! The embedded translator knows a few shapes of questions and no corpus: words are linked to columns by name and
//! description, to values by what the records hold, and a question with a word that is linked to nothing is refused.
//! The SQL runs read-only, within limits ([`banyan_engine::table::sql`]).
//!
//! | step | where |
//! |---|---|
//! | what can be asked about | [`Catalogue`] |
//! | words to literals, values, keywords, columns | `tagging`, `keyword` |
//! | what restricts records | `condition` |
//! | what is computed | [`parse()`] |
//! | query to SQL | [`Query`] |
//! | rows to an answer, provenance, completeness | [`ask`] |
//! | several tables with keys between them | [`ask`] |
//! | the same by a language model, whose statements are run and mended | [`ModelTranslator`] |

mod answer;
mod catalogue;
mod condition;
mod keyword;
mod model;
mod parse;
mod query;
mod sql;
mod tagging;
mod view;

pub use answer::{Asked, Completeness, run};
pub use catalogue::Catalogue;
pub use model::{EmbeddedTranslator, MAX_ATTEMPTS, ModelTranslator, Source, Statement, TranslateError, Translator};
pub use parse::{Refusal, named_columns, parse};
pub use query::{Condition, Expr, Function, Operand, Operator, Query, Shape};
pub use view::{View, ViewAnswer, ask, views};

#[cfg(test)]
mod tests;
