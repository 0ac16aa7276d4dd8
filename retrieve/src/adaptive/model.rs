//! The steps by a language model: what it says is data, checked against documents and tree, and carried out by code.

mod construct;
mod think;
mod utilise;

pub use construct::ModelConstructor;
pub use think::ModelThinker;
pub use utilise::ModelUtiliser;

use banyan_engine::llm::CallLimits;
use banyan_engine::stated::DefectCounts;

/// Characters of a token, at least, where prompts are cut to size.
const CHARS_PER_TOKEN: usize = 3;

/// Characters that prompts have room for.
fn room(limits: &CallLimits) -> usize {
    limits.max_prompt_tokens as usize * CHARS_PER_TOKEN
}

/// Defects in words, where there was any.
fn noted(step: &str, defects: &DefectCounts) -> Vec<String> {
    (!defects.is_empty())
        .then(|| format!("{step}: {defects}"))
        .into_iter()
        .collect()
}
