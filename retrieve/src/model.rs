//! What the model side of retrieval shares. A reply is data: nothing in it is obeyed.

pub(crate) mod order;
#[cfg(test)]
#[path = "model/tests/scripted.rs"]
pub(crate) mod scripted;

pub use order::gives_orders;
