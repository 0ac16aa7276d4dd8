//! Evidence among the first passages on questions over whole folders, by what was learned of other corpora; fits the
//! ranking of passages that ships.

use super::calibrate::{N_FOLDS, UNANSWERABLE, asked, searcher, weighted};
use crate::args::Measure;
use crate::conditional::Choice;
use anyhow::Result;
use banyan::eval::dataset::{self, QaPair};
use banyan::eval::ranking::{gold, rankings};
use banyan::eval::report::Part;
use banyan::eval::suite::Bench;
use banyan_engine::ChunkId;
use banyan_retrieve::rank::{Candidate, N_FEATURES, N_FIRST, N_READ, Ranking, Weights, order, read};
use banyan_retrieve::{Config, Question, Searcher};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Numbers of passages among which evidence is looked for.
const KS: [usize; 3] = [1, 5, 10];

/// What a question needs: all of these, each found in any of its passages.
struct Wanted {
    pieces: Vec<BTreeSet<ChunkId>>,
    /// Whether each piece counts by itself, or only all of them.
    is_share: bool,
}

/// A question with the passages that may be its evidence.
struct Lesson {
    set: usize,
    place: usize,
    wanted: Wanted,
    /// With vectors where there are, and by words alone.
    candidates: [Vec<Candidate>; 2],
    baselines: Vec<(&'static str, Vec<ChunkId>)>,
}

/// Evidence by the ranking that ships, with `--cross-validate` also by those fitted to other corpora; with `--fit` the
/// ranking for all is written.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let place = super::free_place(args)?;
    let (mut parts, mut lessons) = (Vec::new(), Vec::new());
    for (set, path) in args.paths.iter().enumerate() {
        let pairs = dataset::read(&path.join("questions.jsonl"))?.questions;
        let searcher = searcher(path, bench)?;
        lessons.extend(learned(set, &searcher, &pairs, bench)?);
        parts.push(Part {
            questions: pairs.iter().map(asked).collect(),
            baseline: "hybrid".to_owned(),
            ..super::part(path, searcher.knowledge().documents.len())
        });
        bench.env.stop.check()?;
    }
    for lesson in &lessons {
        for (name, chunks) in &lesson.baselines {
            lesson.mark(&mut parts[lesson.set], name, chunks);
        }
    }
    let shipped = Ranking::shipped();
    set_down(&mut parts, "shipped", &lessons, |_| shipped);
    if args.cross_validate {
        let fitted = |held| fit(&lessons, |lesson| lesson.set % N_FOLDS != held);
        let folds: Vec<Ranking> = (0..N_FOLDS).into_par_iter().map(fitted).collect();
        set_down(&mut parts, "other corpora", &lessons, |lesson| {
            &folds[lesson.set % N_FOLDS]
        });
    }
    if let Some(file) = place {
        let fitted = fit(&lessons, |_| true);
        set_down(&mut parts, "fitted", &lessons, |_| &fitted);
        super::write_fitted(file, &fitted)?;
    }
    Ok(parts)
}

fn learned(set: usize, searcher: &Searcher, pairs: &[QaPair], bench: &Bench<'_>) -> Result<Vec<Lesson>> {
    let texts: Vec<&str> = pairs.iter().map(|pair| pair.question.as_str()).collect();
    let questions = bench.embedding.questions(&texts)?;
    let gold = gold(searcher, pairs)?;
    let lesson = |(((place, pair), question), gold): (((usize, &QaPair), Question), BTreeSet<usize>)| {
        let bare = Question::new(question.text.clone(), None);
        let candidates = [&question, &bare].map(|question| {
            let mut candidates = searcher.candidates(question, &Config::default());
            drop(read(searcher, question, &mut candidates));
            candidates
        });
        let mut baselines: Vec<(&'static str, Vec<ChunkId>)> = rankings(searcher, &question).into_iter().collect();
        for (_, chunks) in &mut baselines {
            chunks.truncate(KS[KS.len() - 1]);
        }
        Lesson {
            set,
            place,
            wanted: Wanted::of(searcher, pair, &gold),
            candidates,
            baselines,
        }
    };
    let all = pairs.par_iter().enumerate().zip(questions).zip(gold);
    Ok(all.map(lesson).collect())
}

impl Wanted {
    fn of(searcher: &Searcher, pair: &QaPair, gold: &BTreeSet<usize>) -> Self {
        let knowledge = searcher.knowledge();
        let chunks = || (0..knowledge.chunks.len()).map(ChunkId::at);
        let mut pieces: Vec<BTreeSet<ChunkId>> = Vec::new();
        if pair.kind == UNANSWERABLE {
            return Self {
                pieces,
                is_share: false,
            };
        }
        for document in gold {
            let own = chunks().filter(|chunk| knowledge.chunk(*chunk).document.index() == *document);
            pieces.push(own.collect());
        }
        for pattern in &pair.evidence {
            let holds = |chunk: &ChunkId| pattern.is_match(&knowledge.passage(*chunk));
            pieces.push(chunks().filter(holds).collect());
        }
        Self {
            pieces,
            is_share: !gold.is_empty(),
        }
    }
}

impl Lesson {
    /// Whether a candidate holds a piece of what is wanted.
    fn is_right(&self, chunk: ChunkId) -> bool {
        self.wanted.pieces.iter().any(|piece| piece.contains(&chunk))
    }

    /// For each right candidate the choice between it and all that are not right.
    fn choices<const N: usize>(&self, candidates: &[Candidate]) -> Vec<Choice<N>> {
        let row = |candidate: &Candidate| -> [f32; N] { std::array::from_fn(|at| candidate.row[at]) };
        let (right, wrong): (Vec<_>, Vec<_>) = candidates.iter().partition(|one| self.is_right(one.chunk));
        let wrong: Choice<N> = wrong.into_iter().map(|one| (row(one), false)).collect();
        let choice = |one: &Candidate| wrong.iter().copied().chain([(row(one), true)]).collect();
        right.into_iter().map(choice).collect()
    }

    /// Counts what is wanted among the first passages.
    fn mark(&self, part: &mut Part, method: &str, chunks: &[ChunkId]) {
        let Wanted { pieces, is_share } = &self.wanted;
        if pieces.is_empty() {
            return;
        }
        for k in KS {
            let first = &chunks[..chunks.len().min(k)];
            let is_there = |piece: &&BTreeSet<ChunkId>| first.iter().any(|chunk| piece.contains(chunk));
            let share = pieces.iter().filter(is_there).count() as f64 / pieces.len() as f64;
            let (metric, value) = if *is_share {
                ("recall", share)
            } else {
                ("evidence", share.floor())
            };
            part.score(method, &format!("{metric}@{k}"), self.place, value);
        }
    }
}

/// Fits the first ranking to all candidates, the second to the best few by the first.
fn fit(lessons: &[Lesson], is_seen: impl Fn(&Lesson) -> bool) -> Ranking {
    let seen: Vec<&Lesson> = lessons.iter().filter(|lesson| is_seen(lesson)).collect();
    let [vectors, words] = [0, 1].map(|by| {
        let first = seen
            .iter()
            .flat_map(|lesson| lesson.choices::<N_FIRST>(&lesson.candidates[by]));
        let first = weighted(&first.collect::<Vec<_>>());
        let second = seen.iter().flat_map(|lesson| {
            let mut best = lesson.candidates[by].clone();
            order(&mut best, &first);
            best.truncate(N_READ);
            lesson.choices::<N_FEATURES>(&best)
        });
        Weights {
            second: weighted(&second.collect::<Vec<_>>()),
            first,
        }
    });
    Ranking { words, vectors }
}

fn set_down<'a>(parts: &mut [Part], method: &str, lessons: &[Lesson], by: impl Fn(&Lesson) -> &'a Ranking) {
    for lesson in lessons {
        let ranking = by(lesson);
        let has_vectors = lesson.baselines.iter().any(|(name, _)| *name == "dense");
        for (candidates, is_words) in lesson.candidates.iter().zip([!has_vectors, true]) {
            let weights = ranking.weights(!is_words);
            let mut best = candidates.clone();
            order(&mut best, &weights.first);
            let n = best.len().min(N_READ);
            order(&mut best[..n], &weights.second);
            let chunks: Vec<ChunkId> = best.iter().map(|candidate| candidate.chunk).collect();
            let method = if is_words { &format!("{method}, words") } else { method };
            lesson.mark(&mut parts[lesson.set], method, &chunks);
        }
    }
}
