//! The one place that chooses what reads texts, and fetches or loads it.

use crate::environment::{Environment, ParserKind};
use crate::model::{lac, parser};
use anyhow::{Result, bail};
use banyan_engine::Document;
use banyan_extract::{Analyser, ChineseReader};
use std::sync::LazyLock;

/// What reads the texts of a new store: the readers that the user chose, or the shape of words where one cannot be had,
/// which is told. That of Chinese is looked for when there is Chinese to read.
pub fn analyser(env: &Environment) -> &Analyser {
    let load = || match env.parser.kind {
        ParserKind::None => Analyser::surface(),
        ParserKind::Trained => {
            let english = parser::load(env).unwrap_or_else(|error| {
                let line = format!("texts are read by the shape of their words alone: {error:#}");
                env.progress.remark(&line);
                Analyser::surface()
            });
            english.with_chinese(Some(chinese(env)))
        }
    };
    env.parser.loaded.get_or_init(load)
}

/// The reader of Chinese, not yet loaded.
fn chinese(env: &Environment) -> ChineseReader {
    // Its own copy, since the analyser that keeps it is kept by the environment.
    let parser = env.parser.kind.into();
    let env = Environment { parser, ..env.clone() };
    LazyLock::new(Box::new(move || {
        let tell = |error| {
            let line = format!("Chinese is read character by character, so that few of its names are known: {error:#}");
            env.progress.remark(&line);
        };
        lac::load(&env).map_err(tell).ok()
    }))
}

/// What reads the texts of a store that holds `held` and was built with the readers `id`.
///
/// # Errors
/// When one of them cannot be had.
pub(crate) fn analyser_of(id: &str, held: &[Document], env: &Environment) -> Result<Analyser> {
    if id == Analyser::surface().id(held) {
        return Ok(Analyser::surface());
    }
    let mut analyser = analyser(env).clone();
    if analyser.id(held) != id {
        // A store may hold Chinese that was read where its reader could not be had.
        analyser = analyser.with_chinese(None);
    }
    let found = analyser.id(held);
    if found != id {
        bail!(
            "the store was built with parser {id}; found {found}: name the directory of its files with --model-dir, or build the store again"
        );
    }
    Ok(analyser)
}
