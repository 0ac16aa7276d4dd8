//! Figures that scripts read in a form of their own: extraction, communities, and questions over records.

pub mod aggregate;
pub mod community;
pub mod extraction;
