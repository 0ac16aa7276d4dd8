//! Evaluation of extraction on `Text2KGBench`: an ontology as schema, sentences with gold triples.

mod metric;
mod ontology;
mod report;

pub use metric::{Score, score};
pub use ontology::Ontology;
pub use report::{Comparators, Figures, Hallucination, OntologyReport, Report};
