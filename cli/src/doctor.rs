//! What of the models and settings is on this machine.

use crate::config::Llm;
use crate::environment::{Environment, cache_dir};
use crate::model;
use anyhow::Result;

/// One of the things that make Banyan better and that may be missing.
#[derive(Debug)]
pub struct Finding {
    /// What it is.
    pub what: &'static str,
    /// Where it is, or why it is not there.
    pub found: Result<String>,
    /// What is done without it, and how to get it.
    pub remedy: &'static str,
}

/// Looks for everything that is not in the program itself; fetches nothing, and asks no server.
pub fn examine(env: &Environment) -> Vec<Finding> {
    let env = Environment {
        offline: true,
        ..env.clone()
    };
    let fetch = "`banyan model fetch` gets it, once";
    let place = |path: std::path::PathBuf| path.display().to_string();
    let finding = |what, found, remedy| Finding { what, found, remedy };
    let llm = Llm::configured(&env).and_then(|llm| {
        let llm = llm.ok_or_else(|| anyhow::anyhow!("none is configured"))?;
        Ok(format!("{} at {}", llm.model, llm.base_url))
    });
    vec![
        finding("cache", cache_dir().map(place), "set XDG_CACHE_HOME or HOME"),
        finding(
            "embedding model",
            model::ensure(&env).map(|files| place(files.directory)),
            fetch,
        ),
        finding("reader of English", model::parser::checked(&env).map(place), fetch),
        finding("reader of Chinese", model::lac::place(&env).map(place), fetch),
        finding(
            "language model",
            llm,
            "optional; docs/models.md tells how to name one in banyan.toml",
        ),
    ]
}
