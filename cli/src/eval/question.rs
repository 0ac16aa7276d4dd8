//! Sets of questions with accepted answers or gold passages: recall and answers, open and reject.

use super::dataset::{self, Dataset};
use super::metric::{all_gold, recall, rounded};
use super::ranking::{Ranking, gold};
use super::report::{Asked, Cost, Part, Source};
use super::sheet::{Asking, Sheet};
use super::suite::{Bench, Entry, Files, Kind, Work};
use crate::build::{Bounds, Timing, build};
use crate::corpus::{self, ReadOptions};
use crate::cpu;
use crate::digest::sha256;
use crate::extraction::Statements;
use crate::tree::grow;
use anyhow::{Result, bail, ensure};
use banyan_engine::document::canonicalise;
use banyan_engine::{Document, QaPair, Schema};
use banyan_retrieve::Answer;
use banyan_retrieve::answer::score::score;
use std::collections::BTreeSet;
use std::path::Path;

/// This kind of set.
pub const KIND: Kind = Kind {
    name: "questions",
    open,
};

fn open(entry: &Entry, files: &Files) -> Result<Work> {
    let (name, files, dataset) = (entry.name.clone(), files.clone(), dataset::read(&files.questions)?);
    if files.corpus.is_none() && dataset.passages.is_empty() {
        let place = files.questions.display();
        bail!("set {name}: {place} brings no passages; expected a `corpus` in the suite");
    }
    Ok(Box::new(move |bench| {
        let task = Task {
            documents: documents(&name, &files, &dataset, bench)?,
            questions: &dataset.questions,
            statements: Statements::embedded(),
            bounds: Bounds::strict(Schema::general()?),
            name,
        };
        measure(task, bench)
    }))
}

/// A set with the facts it is measured on.
pub struct Task<'a> {
    /// The set's name.
    pub name: String,
    /// Its questions.
    pub questions: &'a [QaPair],
    /// In canonical order, gold passages with the ids that questions know them by.
    pub documents: Vec<Document>,
    /// What was stated of them.
    pub statements: Statements,
    /// What bounds it.
    pub bounds: Bounds,
}

/// The set's texts in canonical order, gold passages with the ids that questions know them by.
///
/// # Errors
/// When they cannot be read, or do not hold the gold passages.
pub fn documents(set: &str, files: &Files, dataset: &Dataset, bench: &Bench<'_>) -> Result<Vec<Document>> {
    let name = corpus::name(&files.questions);
    let Some(path) = &files.corpus else {
        let mut documents = dataset.documents(&name);
        canonicalise(&mut documents);
        return Ok(documents);
    };
    let mut documents = corpus::read(std::slice::from_ref(path), &ReadOptions::default(), bench.env)?;
    let missing = dataset.find_gold_in(&name, &mut documents);
    ensure!(
        missing.is_empty(),
        "set {set}: {} gold passages are not in {}, the first is {:?}; expected a corpus that holds them",
        missing.len(),
        Path::new(path).display(),
        missing[0]
    );
    Ok(documents)
}

/// Builds the set's corpus and asks its questions.
///
/// # Errors
/// When the user asked to stop, or a question names gold that the corpus does not hold.
pub fn measure(task: Task<'_>, bench: &Bench<'_>) -> Result<Part> {
    let Task {
        name,
        questions: pairs,
        documents,
        statements,
        bounds,
    } = task;
    let (env, suite) = (bench.env, bench.suite);
    let mut timing = Timing::default();
    // Where memory cannot be counted afresh, the peak would be that of the sets before.
    let is_fresh = cpu::reset_peak();
    let embedding = bench.embedding;
    let mut knowledge = build(documents, statements, &bounds, embedding, env, &mut timing)?;
    grow(&mut knowledge, embedding, &mut timing)?;
    let store = sha256(knowledge.to_string().as_bytes());
    let searcher = embedding.searcher(knowledge);
    let gold = gold(&searcher, pairs)?;
    let asking = Asking {
        searcher: &searcher,
        pairs,
        top_k: suite.k.iter().copied().max().unwrap_or(1),
        also_rejects: true,
        is_ablated: false,
        env,
    };
    let mut sheet = asking.ask(embedding)?;
    sheet.answer_times.sort_by(f64::total_cmp);
    let mut part = Part {
        set: name,
        source: Source {
            store,
            embedder: embedding.id().to_owned(),
            n_documents: searcher.knowledge().documents.len(),
        },
        questions: pairs.iter().zip(&gold).map(|(pair, gold)| asked(pair, gold)).collect(),
        baseline: suite.baseline.clone(),
        cost: Cost {
            build_cpu_seconds: rounded(timing.cpu_without_embedding()),
            embedding_cpu_seconds: rounded(timing.cpu_of_embedding()),
            peak_mb: cpu::peak_mb().filter(|_| is_fresh),
            query_ms: sheet.answer_times.iter().copied().map(rounded).collect(),
            ..Cost::default()
        },
        ..Part::default()
    };
    mark(&mut part, &sheet, pairs, &gold, &suite.k);
    Ok(part)
}

/// A question with the groups that it counts in: the set's kind, and how many passages hold its evidence.
fn asked(pair: &QaPair, gold: &BTreeSet<usize>) -> Asked {
    let kind = Some(pair.kind.clone()).filter(|kind| !kind.is_empty());
    let n_gold = (!gold.is_empty()).then(|| format!("{} gold", gold.len()));
    Asked {
        id: pair.id.clone(),
        text: pair.question.clone(),
        accepted: pair.answers.clone(),
        groups: kind.into_iter().chain(n_gold).collect(),
    }
}

/// Sets down what every method made of the questions.
fn mark(part: &mut Part, sheet: &Sheet, pairs: &[QaPair], gold: &[BTreeSet<usize>], ks: &[usize]) {
    let baselines = sheet.baselines.iter().map(|(name, lists)| (name.as_str(), lists));
    for (name, lists) in baselines.chain([("banyan", &sheet.rankings)]) {
        rank(part, name, lists, gold, ks);
    }
    for (name, answers) in [("banyan", &sheet.answers), ("banyan reject", &sheet.rejecting)] {
        for (at, (pair, answer)) in pairs.iter().zip(answers).enumerate() {
            mark_answer(part, name, at, pair, answer);
        }
    }
}

/// Sets down rankings, for the questions with gold passages.
fn rank(part: &mut Part, method: &str, lists: &[Ranking], gold: &[BTreeSet<usize>], ks: &[usize]) {
    let counting = lists
        .iter()
        .zip(gold)
        .enumerate()
        .filter(|(_, (_, gold))| !gold.is_empty());
    for (at, (ranking, gold)) in counting {
        for k in ks {
            part.score(method, &format!("recall@{k}"), at, recall(ranking, gold, *k));
            part.score(method, &format!("all-gold@{k}"), at, all_gold(ranking, gold, *k));
        }
    }
}

/// Sets down an answer. A question that was refused does not count in `em` and `f1`, but in `answered`.
fn mark_answer(part: &mut Part, method: &str, at: usize, pair: &QaPair, found: &Answer) {
    if !pair.answers.is_empty() {
        if !found.is_rejected {
            let (em, f1) = score(found.text.as_deref(), &pair.answers);
            part.score(method, "em", at, em);
            part.score(method, "f1", at, f1);
        }
        let is_answered = f64::from(u8::from(found.text.is_some()));
        part.score(method, "answered", at, is_answered);
    }
    let sure = if found.text.is_some() {
        rounded(found.sufficiency.into())
    } else {
        0.0
    };
    part.answer(method, found.text.clone(), sure);
}
