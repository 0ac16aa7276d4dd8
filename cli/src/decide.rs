//! What people decide on a store: it counts whatever documents say, outlives rebuilds, and can be taken back.

use crate::build::{explain, finish, join, summary};
use crate::change::{change, settle};
use crate::config::writer;
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::import::tell_refused;
use crate::language::Spent;
use crate::names::{Names, nearest, nearest_predicate};
use crate::timing::Timing;
use crate::tree::{CommunityUpdate, grow};
use anyhow::{Context, Result, bail};
use banyan_engine::store;
use banyan_engine::{Correction, Decision, Entity, Knowledge, name};
use std::path::Path;

/// What somebody decides on a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Proposals of the schema, by name, are accepted whatever their confidence.
    Accept(Vec<String>),
    /// Proposals are turned down, or what was accepted is taken back.
    Reject(Vec<String>),
    /// Two names are one entity.
    Merge(String, String),
    /// The second name is not the first, nor anything the first is joined with.
    Split(String, String),
    /// What was read is wrong, in these ways: all of it is decided, or nothing. Names are as the user spells them.
    Correct {
        /// How.
        corrections: Vec<Correction>,
        /// Who says so.
        author: String,
        /// Why.
        note: String,
    },
    /// The last decision on names, facts or entities is taken back.
    Undo,
}

/// Carries a decision out.
pub(crate) fn decide(store: &Path, verdict: &Verdict, env: &Environment) -> Result<()> {
    let on_schema = |names: &[String], is_accepted: bool| {
        change(store, CommunityUpdate::Detect, env, |known| {
            let decided = if is_accepted {
                known.growth.accept(&known.schema, names)
            } else {
                known.growth.reject(&known.schema, names)
            };
            (known.growth, known.schema) = decided.context("the store is unchanged")?;
            env.progress.remark(&format!(
                "{}: {}; schema {} version {}",
                if is_accepted { "accepted" } else { "rejected" },
                names.join(", "),
                known.schema.name(),
                known.schema.version()
            ));
            Ok(true)
        })
    };
    match verdict {
        Verdict::Accept(names) => on_schema(names, true),
        Verdict::Reject(names) => on_schema(names, false),
        Verdict::Merge(a, b) => on_names(store, env, |known| decided(store, known, a, b, true)),
        Verdict::Split(a, b) => on_names(store, env, |known| decided(store, known, a, b, false)),
        Verdict::Correct {
            corrections,
            author,
            note,
        } => on_names(store, env, |known| {
            let finder = Finder {
                names: Names::new(known),
                known,
                store,
            };
            let mut decisions = known.resolution.decisions().to_vec();
            for (number, correction) in (1..).zip(corrections) {
                let resolved = finder.resolved(correction);
                let what = resolved.with_context(|| match corrections.len() {
                    1 => "nothing was changed".to_owned(),
                    n => format!("nothing was changed; correction {number} of {n}"),
                })?;
                decisions.push(Decision::Correct {
                    what,
                    author: author.clone(),
                    note: note.clone(),
                });
            }
            let said: Vec<String> = corrections.iter().map(ToString::to_string).collect();
            Ok((decisions, format!("decided: {}", said.join("; "))))
        }),
        Verdict::Undo => on_names(store, env, |known| {
            let Some((last, rest)) = known.resolution.decisions().split_last() else {
                bail!("{}: no decision to take back; nothing was changed", store.display());
            };
            Ok((rest.to_vec(), format!("taken back: {last}")))
        }),
    }
}

/// The decisions with one more: two names are one entity, or two.
fn decided(store: &Path, known: &Knowledge, a: &str, b: &str, is_merge: bool) -> Result<(Vec<Decision>, String)> {
    let (names, resolution) = (Names::new(known), &known.resolution);
    let (first, second) = (names.find(a, store)?, names.find(b, store)?);
    let (decision, said) = match (is_merge, resolution.canonical(&first) == resolution.canonical(&second)) {
        (true, true) => bail!("{a:?} and {b:?} are one entity already; nothing was changed"),
        (true, false) => (Decision::Merge { a: first, b: second }, "one entity"),
        (false, _) if first == second => {
            bail!("{a:?} and {b:?} are the same name, which cannot be split; nothing was changed")
        }
        (false, false) => bail!("{a:?} and {b:?} are not joined; nothing was changed"),
        (false, true) => (Decision::Split { a: first, b: second }, "two entities"),
    };
    let decisions = resolution.decisions().iter().cloned().chain([decision]);
    Ok((decisions.collect(), format!("{a:?} and {b:?} are {said} now")))
}

/// Gives a store the decisions on names that `edit` returns, with what to say of them, and derives it again: what was
/// read and the vectors of passages stay. The store is this process's alone from before it is read until it is written.
fn on_names(
    path: &Path,
    env: &Environment,
    edit: impl FnOnce(&Knowledge) -> Result<(Vec<Decision>, String)>,
) -> Result<()> {
    settle(path, env)?;
    let writer = writer(path, env)?;
    let mut known = store::load(path)?;
    let (decisions, said) = edit(&known)?;
    let chunk_vectors = std::mem::take(&mut known.chunk_vectors).derived();
    let n_refused = known.n_refused();
    store::sound(&known)?;
    let is_new = decisions.len() > known.resolution.decisions().len();
    let embedding = Embedding::for_store(&known.settings.embedder, env)?;
    let mut timing = Timing::default();
    drop((known.graph, known.tree, known.chunks));
    let (joined, held) = join(
        known.settings,
        known.schema,
        known.documents.into_vec(),
        known.contributions.into_vec(),
        &decisions,
        &mut timing,
    )?;
    let mut knowledge = Knowledge {
        growth: known.growth,
        parses: known.parses,
        statements: known.statements,
        patterns: known.patterns,
        quarantine: known.quarantine,
        chunk_vectors,
        ..joined
    };
    if let Some(last) = held.last().filter(|held| is_new && held.index + 1 == decisions.len()) {
        let reason = explain(&last.objection, &decisions, &knowledge.schema);
        bail!(
            "{} is not possible: {reason}; nothing was changed",
            decisions[last.index]
        );
    }
    env.stop.check()?;
    store::pack_contributions(&mut knowledge)?;
    let touched = grow(&mut knowledge, &embedding, &mut timing)?;
    finish(
        path,
        &writer,
        &mut knowledge,
        &touched,
        Spent::default(),
        env,
        &mut timing,
    )?;
    env.progress.remark(&said);
    tell_refused(knowledge.n_refused().saturating_sub(n_refused), env);
    env.progress.remark(&summary(&knowledge));
    Ok(())
}

/// Finds what a correction is about.
struct Finder<'a> {
    names: Names<'a>,
    known: &'a Knowledge,
    store: &'a Path,
}

impl Finder<'_> {
    /// A correction by keys.
    fn resolved(&self, correction: &Correction) -> Result<Correction> {
        Ok(match correction {
            Correction::Deny { head, relation, tail } => self.denied(head, relation, tail)?,
            Correction::Rename { entity, name } => {
                if name::key(name).is_empty() {
                    bail!("{name:?} names nothing; expected a name with a letter or digit");
                }
                let key = self.key(entity)?;
                if let Some(other) = self.named(name).find(|other| other.key != key) {
                    bail!(
                        "{name:?} is what another entity is called, a {}; `banyan resolve --merge` makes them one",
                        self.known.schema.entity_type(other.entity_type).name
                    );
                }
                Correction::Rename {
                    entity: key,
                    name: name.trim().to_owned(),
                }
            }
            Correction::Retype { entity, kind } => {
                let schema = &self.known.schema;
                if schema.type_id(kind).is_none() {
                    let kinds = schema.entity_types().iter().map(|known| known.name.as_str());
                    let near = nearest(kind, kinds).unwrap_or_default();
                    bail!("the schema has no type {kind:?}; did you mean `{near}`?");
                }
                Correction::Retype {
                    entity: self.key(entity)?,
                    kind: kind.clone(),
                }
            }
            Correction::Delete { entity } => Correction::Delete {
                entity: self.key(entity)?,
            },
        })
    }

    /// The entities that are called so now.
    fn named(&self, wanted: &str) -> impl Iterator<Item = &Entity> {
        let (key, entities) = (name::key(wanted), self.known.graph.entities());
        entities.iter().filter(move |entity| name::key(&entity.name) == key)
    }

    /// The key of the entity that is called so now, or in a document.
    fn key(&self, wanted: &str) -> Result<String> {
        let mut named = self.named(wanted);
        let key = match (named.next(), named.next()) {
            (Some(entity), None) => entity.key.clone(),
            _ => self.names.find(wanted, self.store)?,
        };
        if self.known.graph.find(&key).is_none() {
            bail!("{wanted:?} is no entity any more, by an earlier decision (`banyan resolve`)");
        }
        Ok(key)
    }

    /// The denial of a fact that the graph has, as it has it.
    fn denied(&self, head: &str, relation: &str, tail: &str) -> Result<Correction> {
        let Knowledge { graph, schema, .. } = self.known;
        let owner = self.key(head)?;
        let id = graph.find(&owner);
        let deny = |head: &str, tail: &str| Correction::Deny {
            head: head.to_owned(),
            relation: relation.to_owned(),
            tail: tail.to_owned(),
        };
        if schema.attribute_id(relation).is_some() {
            let mut attributes = id.into_iter().flat_map(|id| graph.attributes_of(id));
            let is_so = |name: &str, value: &str| name == relation && value.trim() == tail.trim();
            if let Some(found) = attributes.find(|one| is_so(schema.attribute_name(one.attribute), &one.value)) {
                return Ok(deny(&owner, &found.value));
            }
        } else {
            let Some(relation) = schema.relation_id(relation) else {
                let near = nearest_predicate(schema, relation).unwrap_or_default();
                bail!("the schema has no relation or attribute {relation:?}; did you mean `{near}`?");
            };
            let ends = [id, graph.find(&self.key(tail)?)];
            let mut triples = graph.triples().iter();
            if let Some(found) = triples.find(|one| one.says(schema, relation, ends)) {
                let end = |id| graph.entity(id).key.clone();
                return Ok(Correction::Deny {
                    head: end(found.head),
                    relation: schema.relation_name(found.relation).to_owned(),
                    tail: end(found.tail),
                });
            }
        }
        bail!(
            "{head:?} {relation} {tail:?}: {} states no such fact; `banyan node` and `banyan neighbours` list those of an entity",
            self.store.display()
        )
    }
}
