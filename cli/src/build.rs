//! Documents to knowledge: the stages of a build, timed.

use crate::bounds::Bounds;
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::Statements;
use crate::language::Spent;
use crate::progress::{Watched, counted};
use crate::summary::write_summaries;
use crate::timing::{EMBED, Timing};
use anyhow::{Context, Result};
use banyan_community::Touched;
use banyan_engine::paged::Health;
use banyan_engine::store::{self, Writer};
use banyan_engine::{
    ChunkId, Contribution, Decision, Document, DocumentId, Knowledge, Parses, Schema, Settings, TypeId,
};
use banyan_extract::expand::{self, Grown, Rule, grow_and_read};
use banyan_extract::resolve::{Held, Objection, resolve};
use banyan_extract::{Analyser, Analysis, Extractor, extract};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Documents, with what the same readers read of them before, which need not be read again where it comes to the same.
#[derive(Debug, Default)]
pub struct Corpus {
    /// In canonical order.
    pub documents: Vec<Document>,
    /// How documents were parsed.
    pub parses: Parses,
    /// What they say.
    pub contributions: BTreeMap<DocumentId, Contribution>,
    /// Whether they are documents of a larger whole: that a decision is on others is no news.
    pub is_part: bool,
}

impl From<Vec<Document>> for Corpus {
    /// Documents of which nothing was read yet.
    fn from(documents: Vec<Document>) -> Self {
        Self {
            documents,
            ..Self::default()
        }
    }
}

/// Builds knowledge without a tree from documents and what was stated of them.
///
/// # Errors
/// When the embedder fails or somebody asked to stop.
pub fn build(
    corpus: Corpus,
    statements: Statements,
    bounds: &Bounds,
    analyser: &Analyser,
    embedding: &Embedding,
    env: &Environment,
    timing: &mut Timing,
) -> Result<Knowledge> {
    let Corpus {
        documents,
        mut parses,
        contributions: known,
        is_part,
    } = corpus;
    let settings = Settings {
        embedder: embedding.id().to_owned(),
        parser: analyser.id(&documents),
        extractor: statements.extractor.clone(),
        schema_mode: bounds.mode,
        mu: bounds.mu,
        ..Settings::default()
    };
    let bar = env.progress.bar("reading", documents.len());
    let stop = &env.stop;
    let read = timing.stage("analyse", || {
        Ok(analyser.read_new(&documents, &mut parses, &Watched { bar: &bar, stop })?)
    });
    let parsed = read.or_else(|error| stop.check().and(Err(error)))?;
    let health = Health::default();
    let parses = store::pack(parses, &health)?;
    drop(bar);
    if let Some(line) = told_foreign(&documents, &parsed) {
        env.progress.remark(&line);
    }
    let bar = env.progress.bar("extracting", documents.len());
    let grown = timing.stage("extract", || {
        let rule = Rule {
            mode: bounds.mode,
            mu: bounds.mu,
            embedder: embedding.names(),
            proposed: &expand::proposed(&documents, &statements.by_document),
        };
        grow_and_read(&parsed, &bounds.schema, &bounds.growth, &rule, |schema| {
            bar.restart();
            let watch = Watched {
                bar: &bar,
                stop: &env.stop,
            };
            let (counter, max) = (embedding.counter(), settings.max_chunk_tokens);
            let extractor = match statements.extractor() {
                Extractor::Embedded => Extractor::Again {
                    known: &known,
                    stated: &statements.by_document,
                },
                other => other,
            };
            Ok(extract(&parsed, extractor, schema, counter, max, &watch)?)
        })
    });
    let Grown {
        schema,
        growth,
        contributions,
    } = grown.or_else(|error: anyhow::Error| env.stop.check().and(Err(error)))?;
    drop((bar, parsed, known));
    env.stop.check()?;
    let decisions = &bounds.decisions;
    let (mut knowledge, held) = join(settings, schema, documents, contributions, decisions, timing)?;
    for Held { index, objection } in held.into_iter().filter(|_| !is_part) {
        let reason = explain(&objection, decisions, &knowledge.schema);
        env.progress
            .remark(&format!("without effect: {}: {reason}", decisions[index]));
    }
    env.stop.check()?;
    knowledge.growth = growth;
    knowledge.parses = parses;
    knowledge.health = health;
    if !is_part {
        store::pack_contributions(&mut knowledge)?;
    }
    knowledge.statements = statements.by_document.into();
    knowledge.quarantine = statements.quarantine.into();
    let vectors = timing.stage(EMBED, || {
        let n = knowledge.chunks.len();
        let texts: Vec<String> = (0..n)
            .into_par_iter()
            .map(|position| knowledge.passage(ChunkId::at(position)))
            .collect();
        embedding.passages(&texts.iter().map(String::as_str).collect::<Vec<_>>(), env)
    })?;
    knowledge.chunk_vectors = vectors.into();
    env.stop.check()?;
    Ok(knowledge)
}

/// Joins names and facts: contributions to knowledge without vectors and tree, and the decisions without effect.
pub(crate) fn join(
    settings: Settings,
    schema: Schema,
    documents: Vec<Document>,
    contributions: Vec<Contribution>,
    decisions: &[Decision],
    timing: &mut Timing,
) -> Result<(Knowledge, Vec<Held>)> {
    let resolved = timing.stage("resolve", || {
        Ok(resolve(&documents, &contributions, &schema, decisions)?)
    })?;
    let knowledge = timing.stage("assemble", || {
        let resolution = resolved.resolution;
        Ok(Knowledge::assemble(
            settings,
            schema,
            documents,
            contributions,
            resolution,
        ))
    })?;
    Ok((knowledge, resolved.held))
}

/// Why a decision has no effect, in words.
pub(crate) fn explain(objection: &Objection, decisions: &[Decision], schema: &Schema) -> String {
    match objection {
        Objection::Unknown(key) => format!("no document names {key:?}"),
        Objection::Same => "both are the same name".to_owned(),
        Objection::Types(a, b) => {
            let name = |kind: &TypeId| schema.entity_type(*kind).name.clone();
            format!(
                "the texts show a {} and a {}, which the schema tells apart",
                name(a),
                name(b)
            )
        }
        Objection::Facts => "the texts state facts of the two that the schema does not admit of one thing".to_owned(),
        Objection::Contradicts(earlier) => match decisions.get(*earlier) {
            Some(earlier) => format!("it contradicts the decision {earlier}"),
            None => "it contradicts another decision".to_owned(),
        },
    }
}

/// Lets whoever writes in the store at `path` write about what is `touched` of the tree, then writes the store.
pub(crate) fn finish(
    path: &Path,
    writer: &Writer,
    knowledge: &mut Knowledge,
    touched: &Touched,
    spent: Spent,
    env: &Environment,
    timing: &mut Timing,
) -> Result<()> {
    env.stop.check()?;
    write_summaries(path, knowledge, touched, spent, env, timing)?;
    save(writer, knowledge, env, timing)
}

pub(crate) fn save(store: &Writer, knowledge: &Knowledge, env: &Environment, timing: &mut Timing) -> Result<()> {
    let bar = env.progress.bar("writing", 0);
    let mut on_progress = |done: usize, total: usize| {
        bar.at(done as u64, total as u64);
        !env.stop.is_asked()
    };
    let written = timing.stage("write", || Ok(store.write(knowledge, &mut on_progress)?));
    drop(bar);
    if written.is_err() {
        env.stop.check()?;
    }
    written.context("nothing was stored")
}

/// What was found, in one line.
pub fn summary(knowledge: &Knowledge) -> String {
    let Knowledge { graph, tree, .. } = knowledge;
    let held = [
        counted(knowledge.documents.len(), "document"),
        counted(knowledge.chunks.len(), "chunk"),
        counted(graph.entities().len(), "entity"),
        counted(graph.triples().len(), "triple"),
        counted(graph.attributes().len(), "attribute"),
        counted(graph.associations().len(), "association"),
        counted(tree.communities().len(), "community"),
    ];
    let mut line = held.join(" · ");
    if knowledge.chunk_vectors.is_empty() {
        line += " · no dense vectors (embedder none)";
    }
    if knowledge.settings.parser == Settings::default().parser {
        line += " · read by the shape of words (parser none)";
    }
    line
}

/// Longest beginning of a part in another language that is shown, in characters.
const MAX_SHOWN: usize = 60;

/// What is said of texts in languages without a reader, with the first part of them; none where all are read.
fn told_foreign(documents: &[Document], parsed: &[Analysis]) -> Option<String> {
    let parts = || parsed.iter().flat_map(|one| &one.foreign);
    let languages: BTreeSet<&str> = parts().map(|(_, language)| *language).collect();
    let languages = languages.into_iter().collect::<Vec<_>>().join(", ");
    let n = parsed.iter().filter(|one| !one.foreign.is_empty()).count();
    let mut read = documents.iter().zip(parsed);
    let (document, (span, _)) = read.find_map(|(document, one)| Some((document, one.foreign.first()?)))?;
    let first: Vec<&str> = span.of(&document.text).split_whitespace().collect();
    let first: String = first.join(" ").chars().take(MAX_SHOWN).collect();
    let place = document.locate(span.start);
    Some(format!(
        "parts of {} look like {languages} (first {place}: {first:?}): names there are found by their capitals, and no \
         facts are read",
        counted(n, "document")
    ))
}
