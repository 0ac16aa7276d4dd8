//! A store from a folder of notes, and a question with the sentence that answers it.
//!
//! ```text
//! cargo run -p banyan --example ask
//! ```

use banyan::{AskOptions, Banyan, BuildOptions, EmbedderKind, Environment};
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let env = Environment {
        embedder: EmbedderKind::None,
        ..Environment::default()
    };
    let directory = tempfile::tempdir()?;
    let notes = [PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/notes"))];
    let banyan = Banyan::create(directory.path().join("store"), &notes, &BuildOptions::default(), env)?;
    let answered = banyan.ask("Where does the Sanderling sail?", &AskOptions::default())?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", answered.reply.answer.text.as_deref().unwrap_or("no answer"))?;
    for citation in &answered.reply.answer.citations {
        writeln!(out, "  “{}” — {} ({})", citation.quote, citation.title, citation.origin)?;
    }
    Ok(())
}
