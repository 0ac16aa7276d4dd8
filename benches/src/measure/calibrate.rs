//! Sentences and short answers on questions over whole folders: how often what is stated is right, by what was learned of
//! other corpora; fits the calibration that ships.

use crate::args::Measure;
use crate::conditional::{Choice, conditional};
use anyhow::Result;
use banyan::eval::Built;
use banyan::eval::dataset::{self, QaPair};
use banyan::eval::report::{Asked, Part};
use banyan::eval::suite::Bench;
use banyan_engine::logistic::minimise;
use banyan_engine::store;
use banyan_retrieve::answer::ranking::{self, MAX_PASSAGES, N_NEAR};
use banyan_retrieve::answer::score::holds;
use banyan_retrieve::answer::{Considered, Weights, consider};
use banyan_retrieve::calibration::{Calibration, Logistic, signals};
use banyan_retrieve::sentence::{N_FEATURES, NEAR, Sentence};
use banyan_retrieve::{Answer, Config, Evidence, Expected, Mode, Question, Searcher};
use rayon::prelude::*;
use std::path::Path;

/// Groups of corpora of which each is held back once.
pub(super) const N_FOLDS: usize = 8;
/// Strength of the ridge on weights of features that vary by one. Arbitrary: one question in some hundreds.
const RIDGE: f64 = 0.003;
/// Sentences of a question whose nearness is known: more than are ranked by it, since every fit ranks others first.
const N_KNOWN: usize = 2 * N_NEAR;
/// Kind of questions of which nothing may be stated.
pub(super) const UNANSWERABLE: &str = "unanswerable";
/// Kinds of questions whose answers are no words of the text.
const UNSCORED: [&str; 3] = ["how", "summary", "yesno"];

/// A question with what the engine makes of it.
struct Lesson<'a> {
    set: usize,
    place: usize,
    pair: &'a QaPair,
    searcher: &'a Searcher,
    /// With the sentences by vectors, in text order.
    found: Considered,
    /// The same sentences by words alone.
    bare: Vec<Sentence>,
    /// Whether each of them answers.
    right: Vec<bool>,
}

/// What is stated by the calibration that ships, with `--cross-validate` also by those fitted to other corpora; with
/// `--fit` the calibration for all is written.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let place = super::free_place(args)?;
    let mut sets = Vec::new();
    for path in &args.paths {
        let pairs = dataset::read(&path.join("questions.jsonl"))?.questions;
        sets.push((path, searcher(path, bench)?, pairs));
    }
    let mut lessons = Vec::new();
    for (set, (_, searcher, pairs)) in sets.iter().enumerate() {
        lessons.extend(learned(set, searcher, pairs, bench)?);
        bench.env.stop.check()?;
    }
    let part = |(path, _, pairs): &(&std::path::PathBuf, Searcher, Vec<QaPair>)| Part {
        questions: pairs.iter().map(asked).collect(),
        baseline: "shipped".to_owned(),
        ..super::part(path, 0)
    };
    let mut parts: Vec<Part> = sets.iter().map(part).collect();
    let shipped = Calibration::default();
    set_down(&mut parts, "shipped", &lessons, |_| &shipped);
    if args.cross_validate {
        let folds: Vec<Calibration> = (0..N_FOLDS)
            .map(|held| fit(&lessons, |lesson| fold(lesson) != held))
            .collect();
        set_down(&mut parts, "other corpora", &lessons, |lesson| &folds[fold(lesson)]);
    }
    if let Some(file) = place {
        let fitted = fit(&lessons, |_| true);
        set_down(&mut parts, "fitted", &lessons, |_| &fitted);
        super::write_fitted(file, &fitted)?;
    }
    Ok(parts)
}

fn fold(lesson: &Lesson<'_>) -> usize {
    lesson.set % N_FOLDS
}

/// A set's corpus, opened: the `store` that lies in it, else what is built of its `corpus` or `corpus.jsonl`.
pub(super) fn searcher(set: &Path, bench: &Bench<'_>) -> Result<Searcher> {
    let store = set.join("store");
    if store.exists() {
        return Ok(bench.embedding.searcher(store::open(&store)?));
    }
    let folder = set.join("corpus");
    let corpus = if folder.exists() {
        folder
    } else {
        set.join("corpus.jsonl")
    };
    Ok(Built::of(&corpus, bench)?.searcher)
}

pub(super) fn asked(pair: &QaPair) -> Asked {
    Asked {
        id: pair.id.clone(),
        text: pair.question.clone(),
        accepted: pair.answers.clone(),
        groups: vec![pair.kind.clone()],
    }
}

fn learned<'a>(set: usize, searcher: &'a Searcher, pairs: &'a [QaPair], bench: &Bench<'_>) -> Result<Vec<Lesson<'a>>> {
    let texts: Vec<&str> = pairs.iter().map(|pair| pair.question.as_str()).collect();
    let questions = bench.embedding.questions(&texts)?;
    let config = Config {
        top_k: MAX_PASSAGES,
        ..Config::default()
    };
    let (weights, calibration) = (Weights::shipped(), Calibration::default());
    let by = (&weights, &calibration);
    let embedder = bench.embedding.sentences();
    let lesson = |((place, pair), question): ((usize, &'a QaPair), Question)| {
        let evidence = searcher.search(&question, &config);
        let mut found = consider(searcher, &question, &evidence, by, embedder, &mut |_| {})?;
        let order = |sentence: &Sentence| (sentence.chunk, sentence.span);
        let unread = Evidence {
            sentences: Vec::new(),
            ..evidence.clone()
        };
        let mut bare = ranking::sentences(
            searcher,
            &Question::new(question.text.clone(), None),
            &unread,
            MAX_PASSAGES,
        );
        bare.sort_by_key(order);
        if let Some(embedder) = embedder {
            ranking::approach(searcher, &question, embedder, &mut found.ranked, N_KNOWN)?;
            found.ranked.sort_by_key(order);
        } else {
            found.ranked.clear();
        }
        Ok(Lesson {
            set,
            place,
            right: right(searcher, pair, &bare),
            bare,
            pair,
            searcher,
            found,
        })
    };
    let all = pairs.par_iter().enumerate().zip(questions);
    all.map(lesson).collect()
}

/// Whether each sentence answers: half of what a pattern matches in its passage lies in it, or without patterns an
/// accepted answer.
fn right(searcher: &Searcher, pair: &QaPair, sentences: &[Sentence]) -> Vec<bool> {
    let knowledge = searcher.knowledge();
    let is_right = |sentence: &Sentence| {
        let chunk = knowledge.chunk(sentence.chunk);
        let text = &knowledge.document(chunk.document).text;
        let span = sentence.stated(searcher);
        if pair.evidence.is_empty() {
            return pair.kind != UNANSWERABLE && holds(span.of(text), &pair.answers);
        }
        let offset = chunk.span.start as usize;
        let (start, end) = (span.start as usize - offset, span.end as usize - offset);
        let patterns = pair.evidence.iter();
        let mut matches = patterns.flat_map(|pattern| pattern.find_iter(chunk.span.of(text)));
        matches.any(|found| 2 * found.end().min(end).saturating_sub(found.start().max(start)) >= found.len())
    };
    sentences.iter().map(is_right).collect()
}

/// Fits to the lessons that are seen: the ranking of sentences by words, that of the first few by vectors, then how sure
/// the best is on corpora whose ranking was fitted to others, then how sure short answers are.
fn fit(lessons: &[Lesson<'_>], is_seen: impl Fn(&Lesson<'_>) -> bool) -> Calibration {
    let seen: Vec<&Lesson<'_>> = lessons.iter().filter(|lesson| is_seen(lesson)).collect();
    let others = |held| {
        let others = seen.iter().copied().filter(|lesson| fold(lesson) != held);
        rankings(&others.collect::<Vec<_>>())
    };
    let mut by_fold: Vec<Calibration> = (0..N_FOLDS).into_par_iter().map(others).collect();
    let certain = |has_vectors: bool| {
        let mut examples = Vec::new();
        for lesson in seen.iter().copied().filter(|lesson| is_scored(lesson)) {
            let mut ranked = ranked(lesson, &by_fold[fold(lesson)], has_vectors).0;
            if has_vectors {
                ranked.truncate(N_NEAR);
            }
            let is_right = ranked.first().is_some_and(|first| is_right(lesson, first));
            examples.extend(ranking::signs(&ranked).map(|signs| (signs.to_vec(), is_right)));
        }
        logistic(&examples)
    };
    let (words, vectors) = (certain(false), certain(true));
    let mut fitted = rankings(&seen);
    for calibration in by_fold.iter_mut().chain([&mut fitted]) {
        calibration.words.certain = words.clone();
        calibration.vectors.certain = vectors.clone();
    }
    let mut short = Vec::new();
    for lesson in seen.iter().copied().filter(|lesson| is_scored_short(lesson)) {
        for has_vectors in [false, true] {
            let found = considered(lesson, &by_fold[fold(lesson)], has_vectors);
            if let Some(answer) = &found.answer.text {
                let is_right = holds(answer, &lesson.pair.answers);
                short.push((signals(lesson.searcher, &found).to_vec(), is_right));
            }
        }
    }
    fitted.short = logistic(&short);
    fitted
}

/// Both rankings, sure of nothing yet.
fn rankings(lessons: &[&Lesson<'_>]) -> Calibration {
    let mut calibration = Calibration::unsure();
    let rows = |sentences: &[Sentence], right: &[bool]| -> Choice<N_FEATURES> {
        sentences
            .iter()
            .map(|sentence| sentence.row)
            .zip(right.iter().copied())
            .collect()
    };
    let bare = lessons.iter().map(|lesson| rows(&lesson.bare, &lesson.right));
    calibration.words.weights = weighted(&bare.collect::<Vec<_>>());
    let near = lessons.iter().map(|lesson| {
        let mut all = rows(&lesson.found.ranked, &lesson.right);
        all.retain(|(row, _)| row[NEAR] != 0.0);
        all
    });
    calibration.vectors.weights = weighted(&near.collect::<Vec<_>>());
    calibration
}

/// Whether it is known what a right short answer to a question says, or that there is none.
fn is_scored_short(lesson: &Lesson<'_>) -> bool {
    let QaPair { kind, answers, .. } = lesson.pair;
    let is_yes_no = lesson.found.answer.expected == Expected::YesNo;
    let is_read = !answers.is_empty() && (is_yes_no || !UNSCORED.contains(&kind.as_str()));
    kind == UNANSWERABLE || is_read
}

/// The same of a sentence, which decides nothing and takes no steps.
fn is_scored(lesson: &Lesson<'_>) -> bool {
    let answer = &lesson.found.answer;
    answer.history.len() == 1 && answer.expected != Expected::YesNo && is_scored_short(lesson)
}

/// Whether what is stated by a sentence holds an accepted answer.
fn is_right(lesson: &Lesson<'_>, sentence: &Sentence) -> bool {
    let knowledge = lesson.searcher.knowledge();
    let document = knowledge.document(knowledge.chunk(sentence.chunk).document);
    let stated = sentence.stated(lesson.searcher);
    holds(stated.of(&document.text), &lesson.pair.answers)
}

/// The sentences, best first, and how likely the first is right.
fn ranked(lesson: &Lesson<'_>, calibration: &Calibration, has_vectors: bool) -> (Vec<Sentence>, f64) {
    if !has_vectors {
        let mut ranked = lesson.bare.clone();
        calibration.words.order(&mut ranked);
        let certainty = calibration.words.certainty(&ranked);
        return (ranked, certainty);
    }
    // First as before their nearness is known.
    let mut ranked = lesson.found.ranked.clone();
    let near: Vec<f32> = ranked
        .iter_mut()
        .map(|sentence| std::mem::take(&mut sentence.row[NEAR]))
        .collect();
    let places: Vec<_> = ranked.iter().map(|sentence| (sentence.chunk, sentence.span)).collect();
    calibration.vectors.order(&mut ranked);
    for sentence in &mut ranked {
        let at = places.binary_search(&(sentence.chunk, sentence.span));
        sentence.row[NEAR] = at.map_or(0.0, |at| near[at]);
    }
    let certainty = ranking::again(calibration, &mut ranked);
    (ranked, certainty)
}

/// What was considered, with its sentences ranked anew.
fn considered(lesson: &Lesson<'_>, calibration: &Calibration, has_vectors: bool) -> Considered {
    let (ranked, best) = ranked(lesson, calibration, has_vectors);
    Considered {
        ranked,
        best,
        ..lesson.found.clone()
    }
}

/// Weights that give the right rows of each question the largest share, each pulled to zero by how much its feature varies.
pub(super) fn weighted<const N: usize>(questions: &[Choice<N>]) -> Vec<f32> {
    let rows = questions.iter().flatten().map(|(row, _)| row.map(f64::from));
    let scales = spreads(&rows.collect::<Vec<_>>());
    let scales = std::array::from_fn(|at| scales.get(at).copied().unwrap_or(1.0));
    conditional(&questions.iter().collect::<Vec<_>>(), &scales, RIDGE).to_vec()
}

/// The logistic model of examples `(signs, whether right)`; without examples nothing is likely.
fn logistic(examples: &[(Vec<f64>, bool)]) -> Logistic {
    let width = examples.first().map_or(0, |(signs, _)| signs.len());
    let scales = spreads(&examples.iter().map(|(signs, _)| signs.clone()).collect::<Vec<_>>());
    let n = examples.len().max(1) as f64;
    let model = |at: &[f64]| Logistic {
        weights: at[..width]
            .iter()
            .zip(&scales)
            .map(|(weight, scale)| weight / scale)
            .collect(),
        bias: at[width],
    };
    let fitted = minimise(vec![0.0; width + 1], |at, gradient| {
        let model = model(at);
        gradient.fill(0.0);
        let mut loss = 0.0;
        for (signs, is_right) in examples {
            let right = f64::from(u8::from(*is_right));
            let p = model.probability(signs).clamp(1e-12, 1.0 - 1e-12);
            loss -= (right * p.ln() + (1.0 - right) * (1.0 - p).ln()) / n;
            for i in 0..width {
                gradient[i] += (p - right) / n * signs[i] / scales[i];
            }
            gradient[width] += (p - right) / n;
        }
        for i in 0..width {
            loss += 0.5 * RIDGE * at[i] * at[i];
            gradient[i] += RIDGE * at[i];
        }
        loss
    });
    let Logistic { weights, bias } = model(&fitted);
    Logistic {
        weights: weights.into_iter().map(rounded).collect(),
        bias: rounded(bias),
    }
}

/// The standard deviation of each column; 1 for one that does not vary.
fn spreads<R: AsRef<[f64]>>(rows: &[R]) -> Vec<f64> {
    let width = rows.first().map_or(0, |row| row.as_ref().len());
    let n = rows.len().max(1) as f64;
    let spread = |column: usize| {
        let values = || rows.iter().map(|row| row.as_ref()[column]);
        let mean = values().sum::<f64>() / n;
        let variance = values().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        if variance > 1e-9 { variance.sqrt() } else { 1.0 }
    };
    (0..width).map(spread).collect()
}

/// Four decimals, which is more than the data say.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Sets down, for each question that it applies to: whether the first sentence is evidence, whether
/// something right or wrong is stated, and whether an unanswerable question is refused.
fn set_down<'a>(parts: &mut [Part], method: &str, lessons: &[Lesson<'_>], by: impl Fn(&Lesson<'_>) -> &'a Calibration) {
    for lesson in lessons {
        let calibration = by(lesson);
        let part = &mut parts[lesson.set];
        let found = considered(lesson, calibration, !lesson.found.ranked.is_empty());
        let is_answerable = lesson.pair.kind != UNANSWERABLE;
        let mut score =
            |metric: &str, value: bool| part.score(method, metric, lesson.place, f64::from(u8::from(value)));
        if lesson.right.contains(&true) || (is_answerable && !lesson.pair.evidence.is_empty()) {
            let first = found.ranked.first();
            let is_evidence =
                first.is_some_and(|first| right(lesson.searcher, lesson.pair, std::slice::from_ref(first))[0]);
            score("first sentence", is_evidence);
        }
        let answer: Answer = found.judge(lesson.searcher, calibration, Mode::Reject);
        let is_right = answer
            .text
            .as_ref()
            .is_some_and(|text| holds(text, &lesson.pair.answers));
        if is_scored_short(lesson) && is_answerable {
            score("right", is_right);
            score("wrong", answer.text.is_some() && !is_right);
        }
        if !is_answerable {
            score("refused", answer.text.is_none());
        }
        if is_scored_short(lesson) && answer.text.is_some() {
            score("precision", is_right);
        }
        let sure = f64::from(answer.sufficiency);
        part.answer(method, answer.text, sure);
    }
}
