//! `banyan FOLDER`: from a folder to what it says, in a browser.

use super::serve;
use crate::Outcome;
use crate::args::{Open, Serve, Target};
use anyhow::{Result, ensure};
use banyan::{AddOptions, Banyan, BuildOptions, Environment};
use std::path::{Path, PathBuf};

/// What the name of a store ends in.
const ENDING: &str = ".banyan";

pub(crate) fn run(args: Open, env: &Environment) -> Result<Outcome> {
    let Open { folder, at } = args;
    ensure!(folder.is_dir(), "{}: expected a directory of texts", folder.display());
    let store = beside(&folder)?;
    let corpus = [folder];
    if store.exists() {
        Banyan::open(&store, env.clone())?.sync(&corpus, &AddOptions::default())?;
    } else {
        Banyan::create(&store, &corpus, &BuildOptions::default(), env.clone())?;
    }
    let serve = Serve {
        target: Target { store },
        at,
        write: true,
    };
    serve::run(&serve, env)
}

/// The store beside a folder, by the folder's full name.
fn beside(folder: &Path) -> Result<PathBuf> {
    let folder = folder.canonicalize()?;
    let Some(name) = folder.file_name() else {
        anyhow::bail!("{}: has no name; build a store by `banyan build`", folder.display());
    };
    let mut name = name.to_owned();
    name.push(ENDING);
    Ok(folder.with_file_name(name))
}
