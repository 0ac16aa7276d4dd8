//! `banyan read`: what files are read as.

use crate::args::ReadFiles;
use crate::{Outcome, render};
use anyhow::Result;
use banyan::Environment;
use banyan::corpus::{bound, parse};

pub(crate) fn run(read: &ReadFiles, env: &Environment) -> Result<Outcome> {
    let options = (&read.read).into();
    if read.bounded
        && let Some(file) = read.files.first()
    {
        bound(file)?;
    }
    let mut found = Vec::new();
    for file in &read.files {
        found.push(parse(file, &options)?);
    }
    if read.json {
        render::json(&found)?;
        return Ok(Outcome::Done);
    }
    for one in &found {
        one.remarks.iter().for_each(|line| env.progress.remark(line));
        for document in &one.documents {
            let place = document.origins.first().map(ToString::to_string).unwrap_or_default();
            render::text(&format!("# {} ({place})\n\n{}\n", document.title, document.text))?;
        }
    }
    Ok(Outcome::Done)
}
