//! Pages of invented hotels with records and aggregative questions, made as S-RAG makes its HOTELS (§4.1): records first,
//! then a page for each in natural text, then questions over the records with their answers.
//!
//! | part | how it varies |
//! |---|---|
//! | [`Hotel`] | 24 attributes: texts, whole numbers, amounts, a date, a year that some lack, eleven flags |
//! | [`page`] | most attributes in sentences, some in labelled lines, in an order of their own; each in one of several phrasings; numbers in figures, in words, as `1.2K`; distances in km, m and miles; dates in four notations; sentences about other places and other numbers between them |
//! | [`questions`] | 20 shapes in several phrasings each, with SQL and the answer computed from the records, not by the SQL |
//!
//! Names of places are invented, so that nobody knows them beforehand.

mod filter;
mod page;
mod question;
mod record;
mod shape;
mod wording;

pub use page::page;
pub use question::{Question, questions};
pub use record::{COLUMNS, Hotel, Value, csv, hotels, schema};
