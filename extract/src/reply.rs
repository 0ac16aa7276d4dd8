//! A model's reply as one object.

pub use banyan_engine::llm::{Object, object};
