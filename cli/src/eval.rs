//! How well questions with known answers are answered, beside what a user has for free: BM25, dense vectors and their
//! fusion.
//!
//! A directory with a corpus and questions gives an [`Evaluation`]; a suite of sets, each of a [`suite::Kind`], gives
//! a [`report::Report`], and two of those can be compared. `banyan-eval` measures more kinds through the same suite.

use crate::analysis::analyser;
use crate::bounds::Bounds;
use crate::build::{build, save};
use crate::corpus::{self, ReadOptions};
use crate::digest::sha256;
use crate::extraction::{Asking, ExtractorKind, Statements};
use crate::timing::Timing;
use crate::tree::grow;
use anyhow::{Context, Result};
use banyan_engine::store::{self, Writer};
use banyan_engine::{Document, Schema};
use banyan_retrieve::Searcher;
use std::path::Path;
use suite::Bench;

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

/// Who reads the facts of sets, and what bounds them.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Who reads.
    pub extractor: ExtractorKind,
    /// The schema, which does not grow.
    pub schema: Schema,
}

impl Reading {
    /// `extractor` within the built-in schema.
    ///
    /// # Errors
    /// Never, as long as that schema can be read.
    pub fn general(extractor: ExtractorKind) -> Result<Self> {
        let schema = Schema::general()?;
        Ok(Self { extractor, schema })
    }
}

/// A corpus as a user builds it, communities included, and reads it back from a store.
pub struct Built {
    /// Its knowledge, opened for questions.
    pub searcher: Searcher,
    /// SHA-256 of its dump.
    pub dump: String,
    /// What that took.
    pub timing: Timing,
}

impl Built {
    /// Builds documents in canonical order into a temporary store and opens it.
    ///
    /// # Errors
    /// When the user asked to stop, a recording cannot be read, or a model cannot be had.
    pub fn new(documents: Vec<Document>, reading: &Reading, bench: &Bench<'_>) -> Result<Self> {
        let Bench { embedding, env, .. } = bench;
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        let path = directory.path().join("store");
        let (bounds, mut timing) = (Bounds::strict(reading.schema.clone()), Timing::default());
        let asking = Asking {
            env,
            store: &path,
            bounds: &bounds,
            embedding,
            failed: &[],
        };
        let stated = Statements::gather(&reading.extractor, &documents, &asking)?;
        let mut knowledge = build(
            documents.into(),
            stated,
            &bounds,
            analyser(env),
            embedding,
            env,
            &mut timing,
        )?;
        grow(&mut knowledge, embedding, &mut timing)?;
        env.stop.check()?;
        let dump = sha256(knowledge.to_string().as_bytes());
        save(&Writer::lock(&path)?, &knowledge, env, &mut timing)?;
        drop(knowledge);
        let searcher = timing.stage("open", || Ok(embedding.searcher(store::open(&path)?)))?;
        Ok(Self { searcher, dump, timing })
    }

    /// The same of the documents in a file or directory.
    ///
    /// # Errors
    /// When it cannot be read, and as [`Built::new`].
    pub fn of(corpus: &Path, bench: &Bench<'_>) -> Result<Self> {
        let documents = corpus::read(&[corpus.to_owned()], &ReadOptions::default(), bench.env)?;
        Self::new(documents, bench.reading, bench)
    }
}
