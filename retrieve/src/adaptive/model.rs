//! The steps by a language model: what it says is data, checked against documents and tree, and carried out by code.

mod construct;
mod think;
mod utilise;

pub use construct::ModelConstructor;
pub use think::ModelThinker;
pub use utilise::ModelUtiliser;

use banyan_engine::stated::DefectCounts;
use std::num::NonZeroUsize;

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskOptions {
    /// Most tokens of a prompt; the end of a longer document is not shown.
    pub max_prompt_tokens: u32,
    /// Most tokens of a reply.
    pub max_reply_tokens: u32,
    /// Calls under way at once.
    pub max_concurrent: NonZeroUsize,
}

/// Characters of a token, at least, where prompts are cut to size.
const CHARS_PER_TOKEN: usize = 3;

impl AskOptions {
    /// Characters that prompts have room for.
    fn room(&self) -> usize {
        self.max_prompt_tokens as usize * CHARS_PER_TOKEN
    }
}

/// Defects in words, where there was any.
fn noted(step: &str, defects: &DefectCounts) -> Vec<String> {
    (!defects.is_empty())
        .then(|| format!("{step}: {defects}"))
        .into_iter()
        .collect()
}
