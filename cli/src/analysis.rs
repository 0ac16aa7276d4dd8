//! The one place that chooses what reads texts, and fetches or loads it.

use crate::environment::{Environment, ParserKind};
use crate::model::parser;
use anyhow::{Result, bail};
use banyan_extract::Analyser;

/// What reads the texts of a new store: the parser that the user chose, or the shape of words where it cannot be had, which
/// is told.
pub fn analyser(env: &Environment) -> &Analyser {
    let load = || match env.parser.kind {
        ParserKind::None => Analyser::surface(),
        ParserKind::English => parser::load(env).unwrap_or_else(|error| {
            let line = format!("texts are read by the shape of their words alone: {error:#}");
            env.progress.remark(&line);
            Analyser::surface()
        }),
    };
    env.parser.loaded.get_or_init(load)
}

/// What reads the texts of a store that was built with parser `id`; `None` stands for the shape of words alone.
///
/// # Errors
/// When that parser cannot be had.
pub(crate) fn analyser_of<'a>(id: &str, env: &'a Environment) -> Result<Option<&'a Analyser>> {
    if id == Analyser::surface().id() {
        return Ok(None);
    }
    let analyser = analyser(env);
    if analyser.id() != id {
        bail!(
            "the store was built with parser {id}; found {}: name the directory of its files with --model-dir, or build the store again",
            analyser.id()
        );
    }
    Ok(Some(analyser))
}
