//! Sentences and short answers on questions over whole folders: how often what is stated is right, by what was learned of
//! other corpora; fits the calibration that ships.

use crate::args::Measure;
use anyhow::{Context, Result, bail};
use banyan::eval::measured;
use banyan::eval::records::records;
use banyan::eval::report::{Asked, Part};
use banyan::eval::suite::Bench;
use banyan::{Banyan, Environment};
use banyan_engine::logistic::minimise;
use banyan_retrieve::answer::score::holds;
use banyan_retrieve::answer::sentence::{self, MAX_PASSAGES, N_FEATURES, N_NEAR, Sentence};
use banyan_retrieve::answer::{Considered, Weights, consider};
use banyan_retrieve::calibration::{Calibration, Logistic, signals};
use banyan_retrieve::{Answer, Config, Expected, Mode, Question, Searcher};
use rayon::prelude::*;
use regex::Regex;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Groups of corpora of which each is held back once.
const N_FOLDS: usize = 8;
/// Strength of the ridge on weights of features that vary by one. Arbitrary: one question in some hundreds.
const RIDGE: f64 = 0.003;
/// Sentences of a question whose nearness is known: more than are ranked by it, since every fit ranks others first.
const N_KNOWN: usize = 4 * N_NEAR;
/// Kinds of questions whose answers are no words of the text.
const UNSCORED: [&str; 3] = ["how", "summary", "yesno"];

/// A question of a set.
#[derive(Clone, Deserialize)]
struct Entry {
    id: String,
    question: String,
    /// Of `unanswerable` ones nothing may be stated.
    #[serde(default)]
    kind: String,
    #[serde(default)]
    answers: Vec<String>,
    /// Patterns of the words that answer it; without them sentences that hold an answer do.
    #[serde(default)]
    evidence: Vec<String>,
}

/// A question with what the engine makes of it.
struct Lesson<'a> {
    set: usize,
    place: usize,
    entry: &'a Entry,
    searcher: &'a Searcher,
    question: Question,
    found: Considered,
    /// Whether each sentence of `found` answers, in text order.
    right: Vec<bool>,
}

/// What is stated by the calibration that ships, with `--cross-validate` also by those fitted to other corpora; with
/// `--fit` the calibration for all is written.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    if let Some(file) = args.fit.as_ref().filter(|file| file.exists()) {
        bail!("{}: exists; expected a name that is not taken", file.display());
    }
    let mut sets = Vec::new();
    for path in &args.paths {
        let entries = records::<Entry>(&path.join("questions.jsonl"), "an object with `id` and `question`")?;
        let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
        sets.push((path, searcher(path, bench)?, entries));
    }
    let mut lessons = Vec::new();
    for (set, (_, searcher, entries)) in sets.iter().enumerate() {
        lessons.extend(learned(set, searcher, entries, bench)?);
        bench.env.stop.check()?;
    }
    let part = |(path, _, entries): &(&std::path::PathBuf, Searcher, Vec<Entry>)| Part {
        questions: entries.iter().map(asked).collect(),
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
    if let Some(file) = &args.fit {
        let fitted = fit(&lessons, |_| true);
        set_down(&mut parts, "fitted", &lessons, |_| &fitted);
        let json = serde_json::to_string_pretty(&fitted).context("cannot encode JSON")?;
        fs::write(file, json + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(parts)
}

fn fold(lesson: &Lesson<'_>) -> usize {
    lesson.set % N_FOLDS
}

/// A set's corpus, opened: the `store` that lies in it, else what is built of its `corpus` or `corpus.jsonl`.
fn searcher(set: &Path, bench: &Bench<'_>) -> Result<Searcher> {
    let store = set.join("store");
    if store.exists() {
        let knowledge = Banyan::open(&store, Environment::clone(bench.env))?
            .knowledge()?
            .clone();
        return Ok(bench.embedding.searcher(knowledge));
    }
    let folder = set.join("corpus");
    let corpus = if folder.exists() {
        folder
    } else {
        set.join("corpus.jsonl")
    };
    measured(&corpus, bench.embedding, bench.env)
}

fn asked(entry: &Entry) -> Asked {
    Asked {
        id: entry.id.clone(),
        text: entry.question.clone(),
        accepted: entry.answers.clone(),
        groups: vec![entry.kind.clone()],
    }
}

fn learned<'a>(set: usize, searcher: &'a Searcher, entries: &'a [Entry], bench: &Bench<'_>) -> Result<Vec<Lesson<'a>>> {
    let texts: Vec<&str> = entries.iter().map(|entry| entry.question.as_str()).collect();
    let questions = bench.embedding.questions(&texts)?;
    let config = Config {
        top_k: MAX_PASSAGES,
        ..Config::default()
    };
    let (weights, calibration) = (Weights::shipped(), Calibration::default());
    let by = (&weights, &calibration);
    let embedder = bench.embedding.sentences();
    let lesson = |((place, entry), question): ((usize, &'a Entry), Question)| {
        let evidence = searcher.search(&question, &config);
        let mut found = consider(searcher, &question, &evidence, by, None, &mut |_| {})?;
        if let Some(embedder) = embedder {
            sentence::approach(searcher, &question, embedder, &mut found.ranked, N_KNOWN)?;
        }
        found.ranked.sort_by_key(|sentence| (sentence.chunk, sentence.span));
        Ok(Lesson {
            set,
            place,
            right: right(searcher, entry, &found.ranked)?,
            entry,
            searcher,
            question,
            found,
        })
    };
    let all = entries.par_iter().enumerate().zip(questions);
    all.map(lesson).collect()
}

/// Whether each sentence answers: half of what a pattern matches in its passage lies in it, or without patterns an
/// accepted answer.
fn right(searcher: &Searcher, entry: &Entry, sentences: &[Sentence]) -> Result<Vec<bool>> {
    let pattern = |pattern: &String| Regex::new(&format!("(?s){pattern}"));
    let patterns = entry.evidence.iter().map(pattern).collect::<Result<Vec<_>, _>>();
    let patterns = patterns.with_context(|| format!("{}: expected patterns in `evidence`", entry.id))?;
    let knowledge = searcher.knowledge();
    let is_right = |sentence: &Sentence| {
        let chunk = knowledge.chunk(sentence.chunk);
        let text = &knowledge.document(chunk.document).text;
        if patterns.is_empty() {
            return entry.kind != "unanswerable" && holds(sentence.span.of(text), &entry.answers);
        }
        let offset = chunk.span.start as usize;
        let (start, end) = (
            sentence.span.start as usize - offset,
            sentence.span.end as usize - offset,
        );
        let mut matches = patterns
            .iter()
            .flat_map(|pattern| pattern.find_iter(chunk.span.of(text)));
        matches.any(|found| 2 * found.end().min(end).saturating_sub(found.start().max(start)) >= found.len())
    };
    Ok(sentences.iter().map(is_right).collect())
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
    let certain = |rank: &dyn Fn(&Lesson<'_>) -> Vec<Sentence>| {
        let mut examples = Vec::new();
        for lesson in seen.iter().copied().filter(|lesson| is_scored(lesson)) {
            let ranked = rank(lesson);
            let is_right = ranked
                .first()
                .is_some_and(|first| holds(text(lesson, first), &lesson.entry.answers));
            examples.extend(sentence::signs(&ranked).map(|signs| (signs.to_vec(), is_right)));
        }
        logistic(&examples)
    };
    let words = certain(&|lesson| by_words(lesson, &by_fold[fold(lesson)]));
    let vectors = certain(&|lesson| {
        let calibration = &by_fold[fold(lesson)];
        let mut ranked = sentence::with_vectors(calibration, by_words(lesson, calibration)).0;
        ranked.truncate(N_NEAR);
        ranked
    });
    let mut fitted = rankings(&seen);
    for calibration in by_fold.iter_mut().chain([&mut fitted]) {
        calibration.words.certain = words.clone();
        calibration.vectors.certain = vectors.clone();
    }
    let mut short = Vec::new();
    for lesson in seen.iter().copied().filter(|lesson| is_scored_short(lesson)) {
        let found = considered(lesson, &by_fold[fold(lesson)]);
        if let Some(answer) = &found.answer.text {
            let is_right = holds(answer, &lesson.entry.answers);
            short.push((signals(lesson.searcher, &found).to_vec(), is_right));
        }
    }
    fitted.short = logistic(&short);
    fitted
}

/// Sentences of a question, each with whether it answers.
type Example = Vec<(Sentence, bool)>;

/// Both rankings, sure of nothing yet.
fn rankings(lessons: &[&Lesson<'_>]) -> Calibration {
    let mut calibration = Calibration::unsure();
    let all = |lesson: &&Lesson<'_>| -> Example {
        let sentences = lesson.found.ranked.iter().cloned();
        sentences.zip(lesson.right.iter().copied()).collect()
    };
    calibration.words.weights = ranking(&lessons.iter().map(all).collect::<Vec<_>>());
    let first = |lesson: &&Lesson<'_>| -> Example {
        let ranked = by_words(lesson, &calibration).into_iter().take(N_NEAR);
        let is_right = |one: &Sentence| {
            let is_it = |other: &Sentence| (other.chunk, other.span) == (one.chunk, one.span);
            let at = lesson.found.ranked.iter().position(is_it);
            at.is_some_and(|at| lesson.right[at])
        };
        ranked.map(|one| (one.clone(), is_right(&one))).collect()
    };
    calibration.vectors.weights = ranking(&lessons.iter().map(first).collect::<Vec<_>>());
    calibration
}

fn is_scored_short(lesson: &Lesson<'_>) -> bool {
    is_scored(lesson) || (lesson.entry.kind == "yesno" && lesson.found.answer.expected == Expected::YesNo)
}

/// Whether it is known what a right answer to a question says, or that there is none.
fn is_scored(lesson: &Lesson<'_>) -> bool {
    let Entry { kind, answers, .. } = lesson.entry;
    kind == "unanswerable" || (!answers.is_empty() && !UNSCORED.contains(&kind.as_str()))
}

/// Whether an answer holds an accepted one.
fn is_right(answer: Option<&str>, lesson: &Lesson<'_>) -> bool {
    answer.is_some_and(|answer| holds(answer, &lesson.entry.answers))
}

fn text<'a>(lesson: &Lesson<'a>, sentence: &Sentence) -> &'a str {
    let knowledge = lesson.searcher.knowledge();
    sentence
        .span
        .of(&knowledge.document(knowledge.chunk(sentence.chunk).document).text)
}

/// The sentences as their words rank them.
fn by_words(lesson: &Lesson<'_>, calibration: &Calibration) -> Vec<Sentence> {
    let mut ranked = lesson.found.ranked.clone();
    calibration.words.order(&mut ranked);
    ranked
}

/// What was considered, with its sentences ranked anew.
fn considered(lesson: &Lesson<'_>, calibration: &Calibration) -> Considered {
    let ranked = by_words(lesson, calibration);
    let (ranked, best) = if lesson.question.vector.is_some() {
        sentence::with_vectors(calibration, ranked)
    } else {
        let certainty = calibration.words.certainty(&ranked);
        (ranked, certainty)
    };
    Considered {
        ranked,
        best,
        ..lesson.found.clone()
    }
}

/// A conditional logit: weights that give the right sentences of each question the largest share.
fn ranking(questions: &[Example]) -> Vec<f32> {
    let usable: Vec<&Example> = questions
        .iter()
        .filter(|one| one.iter().any(|(_, right)| *right))
        .collect();
    let rows = usable
        .iter()
        .flat_map(|one| one.iter())
        .map(|(sentence, _)| sentence.row.map(f64::from));
    let scales = spreads(&rows.collect::<Vec<_>>());
    let n = usable.len().max(1) as f64;
    let part = |question: &Example, at: &[f64]| {
        let score = |sentence: &Sentence| {
            (0..N_FEATURES)
                .map(|i| at[i] * f64::from(sentence.row[i]) / scales[i])
                .sum()
        };
        let scores: Vec<f64> = question.iter().map(|(sentence, _)| score(sentence)).collect();
        let top = scores.iter().copied().fold(f64::MIN, f64::max);
        let odds: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
        let all: f64 = odds.iter().sum();
        let right = odds.iter().zip(question).filter(|(_, (_, right))| *right);
        let good: f64 = right.map(|(odds, _)| odds).sum();
        let mut slope = [0.0; N_FEATURES];
        for ((sentence, right), odds) in question.iter().zip(&odds) {
            let pull = odds / all - if *right { odds / good } else { 0.0 };
            for i in 0..N_FEATURES {
                slope[i] += pull * f64::from(sentence.row[i]) / scales[i];
            }
        }
        (-(good / all).ln(), slope)
    };
    let fitted = minimise(vec![0.0; N_FEATURES], |at, gradient| {
        let parts: Vec<(f64, [f64; N_FEATURES])> = usable.par_iter().map(|one| part(one, at)).collect();
        for i in 0..N_FEATURES {
            gradient[i] = RIDGE * at[i] + parts.iter().map(|(_, slope)| slope[i]).sum::<f64>() / n;
        }
        let ridge: f64 = at.iter().map(|weight| 0.5 * RIDGE * weight * weight).sum();
        ridge + parts.iter().map(|(loss, _)| loss).sum::<f64>() / n
    });
    let weights = fitted
        .iter()
        .zip(&scales)
        .map(|(weight, scale)| rounded(weight / scale));
    #[expect(clippy::cast_possible_truncation, reason = "four decimals")]
    weights.map(|weight| weight as f32).collect()
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

/// Sets down, for each question that it applies to: whether the first sentence is evidence and holds an answer, whether
/// something right or wrong is stated, whether an unanswerable question is refused, and how far stated probabilities are
/// from what is right.
fn set_down<'a>(parts: &mut [Part], method: &str, lessons: &[Lesson<'_>], by: impl Fn(&Lesson<'_>) -> &'a Calibration) {
    for lesson in lessons {
        let calibration = by(lesson);
        let part = &mut parts[lesson.set];
        let found = considered(lesson, calibration);
        let is_answerable = lesson.entry.kind != "unanswerable";
        let mut score =
            |metric: &str, value: bool| part.score(method, metric, lesson.place, f64::from(u8::from(value)));
        if lesson.right.contains(&true) || (is_answerable && !lesson.entry.evidence.is_empty()) {
            let first = found.ranked.first();
            let is_evidence = first.is_some_and(|first| {
                right(lesson.searcher, lesson.entry, &[first.clone()]).is_ok_and(|right| right[0])
            });
            score("first sentence", is_evidence);
        }
        let answer: Answer = found.judge(lesson.searcher, &lesson.question, calibration, Mode::Reject);
        let is_right = is_right(answer.text.as_deref(), lesson);
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
