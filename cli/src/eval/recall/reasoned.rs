//! Answers by a language model: both modes, beside what they took.

use super::Bench;
use crate::embedding::Embedding;
use crate::reasoning::{Reasoned, ReasonerKind, Reasoning};
use anyhow::{Result, bail};
use banyan_engine::QaPair;
use banyan_engine::llm::{LanguageModel, Tally};
use banyan_engine::stated::DefectCounts;
use banyan_retrieve::answer::score::score;
use banyan_retrieve::calibration::Calibration;
use banyan_retrieve::reason::{ReasonError, Task};
use banyan_retrieve::{Config, Mode, Question, Searcher};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Answers to the questions that have accepted ones, by a model.
#[derive(Serialize)]
pub(super) struct ModelAnswers {
    /// The model's name.
    model: String,
    /// Questions with accepted answers.
    scored: usize,
    open: Scores,
    reject: Scores,
    /// Calls a question takes in one mode, recorded ones included.
    calls_per_question: f64,
    /// Tokens of prompts and replies of these.
    tokens_per_question: f64,
    /// What was wrong with replies in open mode.
    defects: DefectCounts,
}

/// How right the answers of one mode are.
#[derive(Default, Serialize)]
struct Scores {
    /// Mean exact match over all questions; no answer is wrong.
    em: f64,
    /// Mean token F1, so too.
    f1: f64,
    /// Share of the questions that were answered.
    answered: f64,
    /// Mean F1 of those.
    f1_of_answered: f64,
    /// Questions with a reply that was of no use.
    unusable: usize,
}

/// One question in one mode: the answer, or a reply of no use.
type Given = Result<(Option<String>, DefectCounts), ReasonError>;

impl ModelAnswers {
    /// Asks every question with accepted answers in both modes; `None` where the embedded reasoner is wanted.
    pub(super) fn gather(bench: &Bench<'_>, searcher: &Searcher, embedding: &Embedding) -> Result<Option<Self>> {
        let options = bench.options;
        if options.reasoner == ReasonerKind::Embedded {
            return Ok(None);
        }
        let language = &bench.env.language;
        let tape = language.record.as_ref().or(language.replay.as_ref());
        let Some(tape) = tape else {
            bail!("--reasoner llm needs a cassette, so that nothing is paid for twice; name one with --record FILE");
        };
        let pairs: Vec<&QaPair> = bench.questions.iter().filter(|pair| !pair.answers.is_empty()).collect();
        let texts: Vec<&str> = pairs.iter().map(|pair| pair.question.as_str()).collect();
        let questions = embedding.questions(&texts)?;
        let calibration = Calibration::default();
        let reasoning = Reasoning {
            reasoner: options.reasoner,
            max_rounds: options.max_rounds,
            env: bench.env,
            store: tape,
            calibration: &calibration,
        };
        reasoning.with(|reasoned| {
            let ask = |mode| asked(bench, searcher, embedding, reasoned, &questions, mode);
            let open = ask(Mode::Open)?;
            let taken = reasoned.language.map(|language| language.ledger().total());
            let reject = ask(Mode::Reject)?;
            let name = reasoned.language.map(|language| language.model().id().to_owned());
            Ok(Some(Self::new(
                name.unwrap_or_default(),
                &pairs,
                &open,
                &reject,
                &taken.unwrap_or_default(),
            )))
        })
    }

    fn new(model: String, pairs: &[&QaPair], open: &[Given], reject: &[Given], taken: &Tally) -> Self {
        let mut defects = DefectCounts::default();
        open.iter().flatten().for_each(|(_, met)| defects.merge(met));
        let n = pairs.len().max(1) as f64;
        Self {
            model,
            scored: pairs.len(),
            open: Scores::new(pairs, open),
            reject: Scores::new(pairs, reject),
            calls_per_question: (taken.n_paid + taken.n_replayed) as f64 / n,
            tokens_per_question: (taken.tokens() + taken.replayed_tokens) as f64 / n,
            defects,
        }
    }
}

/// The answers to all questions in one mode, in their order. What the rounds say is the same in both modes, so that the
/// second one finds them on the cassette.
fn asked(
    bench: &Bench<'_>,
    searcher: &Searcher,
    embedding: &Embedding,
    reasoned: &Reasoned<'_>,
    questions: &[Question],
    mode: Mode,
) -> Result<Vec<Given>> {
    let bar = bench.env.progress.bar("reasoning", questions.len());
    let one = |question: &Question| -> Result<Given> {
        bench.env.stop.check()?;
        let task = Task {
            searcher,
            question,
            evidence: &searcher.search(question, &Config::default()),
            mode,
            embedder: embedding.sentences(),
        };
        let given = reasoned.reasoner.conclude(&task, &mut |_| {});
        bar.step();
        match given {
            Err(error) if error.ends_job() => Err(error.into()),
            Err(error) => Ok(Err(error)),
            Ok(found) => Ok(Ok((
                found.answer.text,
                found.trail.map(|trail| trail.defects).unwrap_or_default(),
            ))),
        }
    };
    let n = reasoned.concurrency.map_or(0, std::num::NonZeroUsize::get);
    let pool = ThreadPoolBuilder::new().num_threads(n).build()?;
    pool.install(|| questions.par_iter().map(one).collect())
}

impl Scores {
    fn new(pairs: &[&QaPair], given: &[Given]) -> Self {
        let n = pairs.len().max(1) as f64;
        let mut scores = Self::default();
        let mut n_answered = 0.0;
        for (pair, given) in pairs.iter().zip(given) {
            let text = given.as_ref().ok().and_then(|(text, _)| text.as_deref());
            let (em, f1) = score(text, &pair.answers);
            scores.em += em / n;
            scores.f1 += f1 / n;
            n_answered += f64::from(u8::from(text.is_some()));
            scores.unusable += usize::from(given.is_err());
        }
        scores.answered = n_answered / n;
        scores.f1_of_answered = if n_answered > 0.0 {
            scores.f1 * n / n_answered
        } else {
            0.0
        };
        scores
    }
}

impl Display for ModelAnswers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "answers by {} to {} questions", self.model, self.scored)?;
        for (mode, scores) in [("open", &self.open), ("reject", &self.reject)] {
            let Scores {
                em,
                f1,
                answered,
                f1_of_answered,
                unusable,
            } = scores;
            writeln!(
                f,
                "  {mode:<6}  exact match {em:.3}, F1 {f1:.3}; answered {answered:.2} with F1 {f1_of_answered:.3}; {unusable} unusable replies"
            )?;
        }
        write!(
            f,
            "  {:.1} calls and {:.0} tokens a question and mode",
            self.calls_per_question, self.tokens_per_question
        )?;
        if !self.defects.is_empty() {
            write!(f, "\n  defects: {}", self.defects)?;
        }
        Ok(())
    }
}
