//! `banyan add` and `banyan remove`.

use crate::Outcome;
use crate::args::{Add, Remove};
use anyhow::Result;
use banyan::{Banyan, Environment};

pub(crate) fn add(args: &Add, env: Environment) -> Result<Outcome> {
    Banyan::open(&args.target.store, env)?.add(&args.documents, &args.options())?;
    Ok(Outcome::Done)
}

pub(crate) fn remove(args: &Remove, env: Environment) -> Result<Outcome> {
    Banyan::open(&args.target.store, env)?.remove(&args.documents, args.communities)?;
    Ok(Outcome::Done)
}
