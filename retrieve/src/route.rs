//! The routes of retrieval (Eq. 10, Youtu-GraphRAG), each measurable alone.

pub mod chunk;
pub mod community;
pub mod entity;
pub mod path;
pub mod triple;
