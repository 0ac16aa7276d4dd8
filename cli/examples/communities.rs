//! What belongs together in a corpus, and the facts of one community.
//!
//! ```text
//! cargo run -p banyan --example communities
//! ```

use banyan::{Banyan, BuildOptions, EmbedderKind, Environment};
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let env = Environment {
        embedder: EmbedderKind::None,
        ..Environment::default()
    };
    let directory = tempfile::tempdir()?;
    let corpus = [PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../data/harrow/corpus.jsonl"
    ))];
    let banyan = Banyan::create(directory.path().join("store"), &corpus, &BuildOptions::default(), env)?;
    let (graph, mut out) = (banyan.graph()?, std::io::stdout());
    for community in banyan.communities()?.iter().take(3) {
        writeln!(out, "{} ({} members)", community.name, community.members.len())?;
        for keyword in &community.keywords {
            writeln!(out, "  {:.2}  {}", keyword.score, graph.entity(keyword.entity).name)?;
        }
    }
    let viaduct = banyan.entity("Strand Viaduct")?;
    let schema = &banyan.knowledge()?.schema;
    for triple in graph.triples().iter().filter(|triple| triple.head == viaduct) {
        let tail = &graph.entity(triple.tail).name;
        writeln!(
            out,
            "Strand Viaduct — {} → {tail}",
            schema.relation_name(triple.relation)
        )?;
    }
    Ok(())
}
