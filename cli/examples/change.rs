//! Documents come and go; what is left is what it would be had they never been there.
//!
//! ```text
//! cargo run -p banyan --example change
//! ```

use banyan::{AddOptions, Banyan, BuildOptions, EmbedderKind, Environment, Progress, RemoveOptions};
use std::error::Error;
use std::fs;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let (first, second) = (directory.path().join("Mill.txt"), directory.path().join("Weir.txt"));
    fs::write(&first, "Tidd Mill stands in Vessing. Mara Voss built Tidd Mill.")?;
    fs::write(&second, "Mara Voss was born in Karrow. Vessing lies on the Ondle.")?;
    let env = Environment {
        embedder: EmbedderKind::None,
        progress: Progress::new(|event| {
            if let banyan::Event::Remark(line) = event {
                // A remark is a courtesy.
                drop(writeln!(std::io::stderr(), "{line}"));
            }
        }),
        ..Environment::default()
    };
    let store = directory.path().join("store");
    let mut banyan = Banyan::create(&store, &[first], &BuildOptions::default(), env)?;
    let before = banyan.knowledge()?.to_string();
    banyan.add(std::slice::from_ref(&second), &AddOptions::default())?;
    for found in banyan.search("Where was the builder of Tidd Mill born?", 2)? {
        writeln!(std::io::stdout(), "{:.3}  {}: {}", found.score, found.title, found.text)?;
    }
    banyan.remove(&[second.display().to_string()], &RemoveOptions::default())?;
    assert_eq!(banyan.knowledge()?.to_string(), before, "removal is exact");
    Ok(())
}
