//! Reading: passages to the possible answers of one sub-question, each with what speaks for it, ranked by a linear score.
//!
//! ```text
//! SubQuery ─► Ask ─┐
//! passages ─► Page ┴─► Candidate ─► Features ─· Weights ─► Reading
//! ```

mod ask;
mod candidate;
mod command;
mod feature;
mod page;
mod reader;
mod weights;

pub(crate) use ask::Ask;
pub(crate) use command::gives_orders;
pub(crate) use feature::{Feature, Rank};
pub(crate) use page::Pages;
pub(crate) use reader::read;

pub use feature::{Features, N_FEATURES};
pub use reader::Reading;
pub use weights::{Weights, WeightsError};
