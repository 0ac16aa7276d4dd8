//! Evaluation of extraction on `Text2KGBench`: an ontology as schema, sentences with gold triples.

mod metric;
mod report;

pub use banyan::ontology::Ontology;
pub use metric::{Score, score};
pub use report::{Comparators, Figures, Hallucination, OntologyReport, Report};
