//! Evaluation of communities: graphs whose classes are known, how well a division agrees with them, and the report.
//!
//! Finding communities is not done here: `retrieve` does not know the crate that does it, and a division is labels.

mod dump;
mod error;
mod features;
mod gml;
mod graph;
mod metric;
mod npy;
mod report;
mod table;

pub use dump::{read_dump, read_stored};
pub use error::{GraphError, MatrixError};
pub use features::project;
pub use gml::read_gml;
pub use graph::{Edge, Graph};
pub use metric::{Agreement, agreement, coverage, modularity};
pub use npy::read_npy;
pub use report::{Figures, Report, Sizes, Stage};
pub use table::read_table;
