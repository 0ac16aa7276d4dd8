//! How well questions with known answers are answered, beside what a user has for free: BM25, dense vectors and their
//! fusion.
//!
//! A directory with a corpus and questions gives an [`Evaluation`]; a suite of sets, each of a [`suite::Kind`], gives
//! a [`report::Report`], and two of those can be compared. `banyan-eval` measures more kinds through the same suite.

use crate::analysis::analyser;
use crate::bounds::Bounds;
use crate::build::build;
use crate::corpus::{self, ReadOptions};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::Statements;
use crate::timing::Timing;
use anyhow::Result;
use banyan_engine::{Document, Schema};
use banyan_retrieve::Searcher;
use std::path::Path;

pub mod anonyrag;
pub mod coverage;
pub mod dataset;
mod directory;
mod judge;
pub mod metric;
mod model;
pub mod question;
pub mod ranking;
pub mod records;
pub mod report;
pub mod suite;

pub use directory::{EvalOptions, Evaluation, evaluate};

/// The kinds of sets that a user's suite may hold.
pub const KINDS: [suite::Kind; 2] = [question::KIND, anonyrag::KIND];

/// A corpus with the facts that the embedded rules read, without communities, opened for questions; and what that took.
///
/// # Errors
/// When the user asked to stop.
pub fn open(documents: Vec<Document>, embedding: &Embedding, env: &Environment) -> Result<(Searcher, Timing)> {
    let (bounds, mut timing) = (Bounds::strict(Schema::general()?), Timing::default());
    let knowledge = build(
        documents,
        Statements::embedded(),
        &bounds,
        analyser(env),
        embedding,
        env,
        &mut timing,
    )?;
    Ok((embedding.searcher(knowledge), timing))
}

/// [`open`] for the documents of a file or directory.
///
/// # Errors
/// When it cannot be read or embedded.
pub fn measured(corpus: &Path, embedding: &Embedding, env: &Environment) -> Result<Searcher> {
    let documents = corpus::read(&[corpus.to_owned()], &ReadOptions::default(), env)?;
    Ok(open(documents, embedding, env)?.0)
}
