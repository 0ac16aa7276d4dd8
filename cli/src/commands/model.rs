//! `banyan model`: the embedding model and the parser in the user's cache.

use crate::Outcome;
use crate::args::{EmbedderKind, Global, ParserKind};
use crate::compose::{self, model_files, open_model, parser_directory, parser_options};
use crate::model::{self, parser};
use crate::progress::Progress;
use anyhow::Result;
use banyan_engine::embed::Embedder;

/// Gets model and runtime, and the parser where it is chosen, unless they are there, and proves that they compute.
///
/// The parser is got alone where vectors are not wanted.
pub(crate) fn fetch(global: &Global, progress: Progress) -> Result<Outcome> {
    if !is_parser_alone(global) {
        let (model, _) = open_model(global, progress)?;
        progress.remark(&format!("ready: {} ({} dimensions)", model.id(), model.dimension()));
    }
    if compose::parser(global, progress)?.is_some() {
        progress.remark("ready: the parser en_core_web_sm");
    }
    Ok(Outcome::Done)
}

/// Checks what is on disk, fetching what is not; the parser is checked where it is chosen or there.
pub(crate) fn verify(global: &Global, progress: Progress) -> Result<Outcome> {
    if !is_parser_alone(global) {
        let files = model_files(global, progress)?;
        model::verify(&files)?;
        progress.remark(&format!("as published: {}", files.onnx.display()));
    }
    let parser = match global.parser {
        ParserKind::Small => Some(parser_directory(global, progress)?),
        ParserKind::None => parser::find(&parser_options(global)?),
    };
    if let Some(directory) = parser {
        parser::verify(&directory)?;
        progress.remark(&format!("as published: {}", directory.display()));
    }
    Ok(Outcome::Done)
}

/// Whether the parser is all that the settings need: `--embedder none --parser`.
fn is_parser_alone(global: &Global) -> bool {
    global.embedder == EmbedderKind::None && global.parser == ParserKind::Small
}
