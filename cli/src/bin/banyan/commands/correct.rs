//! `banyan fact` and `banyan entity`: what was read is wrong.

use crate::args::{Entity, Fact, Signed};
use crate::{Outcome, render};
use anyhow::{Context, Result, anyhow, ensure};
use banyan::{Banyan, Environment, Verdict};
use banyan_engine::Correction;

pub(crate) fn fact(args: Fact, env: Environment) -> Result<Outcome> {
    match args {
        Fact::Add {
            head,
            relation,
            tail,
            signed,
        } => {
            let Signed { target, author, note } = signed;
            let source: Vec<String> = [author, note].into_iter().filter(|part| !part.is_empty()).collect();
            Banyan::open(&target.store, env)?.state([&head, &relation, &tail], &source.join(": "))?;
            Ok(Outcome::Done)
        }
        Fact::Remove {
            head,
            relation,
            tail,
            signed,
        } => decide(vec![Correction::Deny { head, relation, tail }], signed, env),
        Fact::Batch { file, signed } => {
            let shown = file.display();
            let bytes = render::input(&file)?;
            let text = String::from_utf8(bytes).with_context(|| format!("{shown}: not UTF-8; nothing was changed"))?;
            let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
            let corrections = lines.map(|(number, line)| {
                serde_json::from_str(line).map_err(|error| {
                    let (column, said) = (error.column(), error.to_string());
                    let said = said.split(" at line ").next().unwrap_or_default().to_owned();
                    anyhow!("{shown}:{number}:{column}: {said}; nothing was changed (`banyan fact batch --help` has an example)")
                })
            });
            let corrections = corrections.collect::<Result<Vec<Correction>>>()?;
            ensure!(!corrections.is_empty(), "{shown}: no correction; nothing was changed");
            decide(corrections, signed, env)
        }
    }
}

pub(crate) fn entity(args: Entity, env: Environment) -> Result<Outcome> {
    let (correction, signed) = match args {
        Entity::Rename { entity, name, signed } => (Correction::Rename { entity, name }, signed),
        Entity::Retype { entity, kind, signed } => (Correction::Retype { entity, kind }, signed),
        Entity::Delete { entity, signed } => (Correction::Delete { entity }, signed),
    };
    decide(vec![correction], signed, env)
}

fn decide(corrections: Vec<Correction>, signed: Signed, env: Environment) -> Result<Outcome> {
    let mut banyan = Banyan::open(&signed.target.store, env)?;
    banyan.decide(&Verdict::Correct {
        corrections,
        author: signed.author,
        note: signed.note,
    })?;
    Ok(Outcome::Done)
}
