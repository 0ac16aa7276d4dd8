//! `banyan dump`: all of a store as text.

use crate::Outcome;
use crate::args::Dump;
use crate::render;
use anyhow::Result;
use banyan_engine::store;

pub(crate) fn dump(args: &Dump) -> Result<Outcome> {
    render::text(store::read(&args.target.store)?.to_string().trim_end())?;
    Ok(Outcome::Done)
}
