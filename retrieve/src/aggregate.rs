//! Questions over records: question → SQL → answer with rows and provenance (S-RAG §3.3).
//!
//! The translator is a semantic parser of the common shapes of aggregative questions. It knows English and no corpus:
//! words are linked to columns by name and description, to values by what the records hold, and what it
//! cannot link it refuses rather than guesses. The SQL runs read-only, within limits
//! ([`banyan_engine::table::sql`]).
//!
//! | step | where |
//! |---|---|
//! | what can be asked about | [`Catalogue`] |
//! | words to marks: cues, numbers, values, columns | `mark`, `cue`, `link` |
//! | marks to conditions | `filter` |
//! | marks and conditions to a query | `parse` |
//! | query to SQL | [`Query`] |
//! | rows to an answer, provenance, completeness | [`ask`] |
//! | several tables with keys between them | [`ask_views`] |
//! | the same by a language model, whose statements are run and mended | [`ModelTranslator`] |

mod adjective;
mod answer;
mod catalogue;
mod cue;
mod dropped;
mod filter;
mod link;
mod mark;
mod model;
mod operation;
mod parse;
mod query;
mod role;
mod select;
mod spelling;
mod versus;
mod view;
mod wanted;
mod writer;

pub use answer::{Asked, Completeness, ask, run};
pub use catalogue::Catalogue;
pub use model::{EmbeddedTranslator, ModelTranslator, Source, TranslateError, Translator, TranslatorOptions};
pub use parse::{Refusal, parse};
pub use query::{Condition, Expr, Function, Operand, Operator, Query, Shape};
pub use view::{View, ask_views, views};
pub use wanted::{Coverage, Extent, Wanted, coverage, wanted};

#[cfg(test)]
mod tests;
