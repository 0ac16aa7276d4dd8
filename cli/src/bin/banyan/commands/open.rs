//! `banyan FOLDER`: from a folder to what it says, in a browser.

use super::serve;
use crate::Outcome;
use crate::args::{Open, Serve};
use anyhow::{Result, ensure};
use banyan::{AddOptions, Banyan, BuildOptions, Environment};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the name of a store ends in.
const ENDING: &str = ".banyan";
/// How often a folder is looked at.
const EVERY: Duration = Duration::from_secs(2);

pub(crate) fn run(args: Open, env: &Environment) -> Result<Outcome> {
    let Open { folder, watch, at } = args;
    ensure!(folder.is_dir(), "{}: expected a directory of texts", folder.display());
    let store = beside(&folder)?;
    let corpus = [folder];
    if store.exists() {
        Banyan::open(&store, env.clone())?.sync(&corpus, &AddOptions::default())?;
    } else {
        Banyan::create(&store, &corpus, &BuildOptions::default(), env.clone())?;
    }
    let serve = Serve {
        stores: vec![store],
        at,
        write: true,
    };
    if !watch {
        return serve::run(&serve, env);
    }
    let mut banyan = Banyan::open(&serve.stores[0], env.clone())?;
    std::thread::scope(|scope| {
        let follows = scope.spawn(|| banyan::watch(&mut banyan, &corpus, &AddOptions::default(), EVERY, env));
        let served = serve::run(&serve, env);
        // Also where the server could not begin.
        env.stop.ask();
        match follows.join() {
            Ok(followed) => followed?,
            Err(panic) => std::panic::resume_unwind(panic),
        }
        served
    })
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
