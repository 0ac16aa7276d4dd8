//! `banyan FOLDER`: from a folder to what it says, in a browser.

use super::serve;
use crate::Outcome;
use crate::args::{Open, Serve};
use anyhow::{Context, Result, bail, ensure};
use banyan::{AddOptions, Banyan, BuildOptions, Environment, LanguageOptions, ReadOptions};
use std::env::set_current_dir;
use std::ffi::{OsStr, OsString};
use std::path::{PathBuf, absolute};
use std::time::Duration;

/// What the name of a store ends in.
const ENDING: &str = ".banyan";
/// How often a folder is looked at.
const EVERY: Duration = Duration::from_secs(2);

pub(crate) fn run(args: Open, env: &Environment) -> Result<Outcome> {
    let Open {
        folder,
        watch,
        read,
        at,
        cache,
    } = args;
    serve::check(&at)?;
    let read = ReadOptions::from(&read);
    ensure!(folder.is_dir(), "{}: expected a directory of texts", folder.display());
    let folder = folder.canonicalize()?;
    let (Some(name), Some(parent)) = (folder.file_name(), folder.parent()) else {
        bail!("{}: has no name; build a store by `banyan build`", folder.display());
    };
    let env = &from_here(env)?;
    // Wherever it is opened from, its files are called as they are from beside it.
    set_current_dir(parent).with_context(|| format!("{}: cannot go there", parent.display()))?;
    let (corpus, store) = ([PathBuf::from(name)], parent.join(beside(name)));
    let add = AddOptions {
        read: read.clone(),
        ..AddOptions::default()
    };
    if store.exists() {
        Banyan::open(&store, env.clone())?.sync(&corpus, &add)?;
    } else {
        let options = BuildOptions {
            read,
            ..BuildOptions::default()
        };
        Banyan::create(&store, &corpus, &options, env.clone())?;
    }
    let serve = Serve {
        stores: vec![store],
        at,
        cache,
        write: true,
    };
    if !watch {
        return serve::run(&serve, env);
    }
    let mut banyan = Banyan::open(&serve.stores[0], env.clone())?;
    std::thread::scope(|scope| {
        let follows = scope.spawn(|| {
            let followed = banyan::watch(&mut banyan, &corpus, &add, EVERY, env);
            // A store that does not follow its folder is not shown as if it did.
            env.stop.ask();
            followed
        });
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

/// The store beside a folder of this name.
fn beside(name: &OsStr) -> OsString {
    let mut store = name.to_owned();
    store.push(ENDING);
    store
}

/// The same, with whole paths for those from where the program was started.
fn from_here(env: &Environment) -> Result<Environment> {
    let mut env = env.clone();
    let config = PathBuf::from("banyan.toml");
    if env.language.config.is_none() && config.exists() {
        env.language.config = Some(config);
    }
    let LanguageOptions {
        config, record, replay, ..
    } = &mut env.language;
    for path in [&mut env.model_dir, config, record, replay].into_iter().flatten() {
        *path = absolute(&*path)?;
    }
    Ok(env)
}
