//! Answers by a language model in both modes, beside what they took.

use super::dataset::QaPair;
use super::question::{BANYAN, REJECT, mark_answer};
use super::report::Part;
use super::suite::Bench;
use crate::language::Language;
use crate::reasoning::Reasoning;
use anyhow::{Result, bail};
use banyan_engine::stated::DefectCounts;
use banyan_retrieve::reason::{ReasonError, Reasoner, Task};
use banyan_retrieve::{Config, Evidence, Mode, Question, Searcher};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Asks a model every question with accepted answers, and sets down what it says as methods of its own, `llm` before
/// the names of ours. What the rounds say is the same in both modes, so the second one finds them on the cassette.
pub(super) fn ask_model(part: &mut Part, pairs: &[QaPair], searcher: &Searcher, bench: &Bench<'_>) -> Result<()> {
    let env = bench.env;
    let Some(tape) = env.language.record.as_ref().or(env.language.replay.as_ref()) else {
        bail!("--reasoner llm needs a cassette, so that nothing is paid for twice; name one with --record FILE");
    };
    let asked = pairs.iter().filter(|pair| !pair.answers.is_empty());
    let texts: Vec<&str> = asked.map(|pair| pair.question.as_str()).collect();
    let questions = bench.embedding.questions(&texts)?;
    let evidence = searched(searcher, &questions, &Config::default());
    let reasoning = Reasoning {
        options: bench.asking,
        env,
        store: tape,
    };
    reasoning.with(|reasoner, language| {
        for (name, mode) in [(BANYAN, Mode::Open), (REJECT, Mode::Reject)] {
            let asking = (reasoner, language);
            let conclude = |reasoner: &dyn Reasoner, task: &Task| reasoner.conclude(task, &mut |_| {});
            let given = reasoned(searcher, &questions, &evidence, asking, mode, bench, conclude)?;
            let mut given = given.into_iter();
            let (mut defects, mut n_unusable) = (DefectCounts::default(), 0);
            let name = format!("llm {name}");
            for (at, pair) in pairs.iter().enumerate() {
                let given = (!pair.answers.is_empty()).then(|| given.next()).flatten();
                n_unusable += usize::from(matches!(given, Some(Err(_))));
                let found = given.and_then(Result::ok);
                if let Some(trail) = found.as_ref().and_then(|found| found.trail.as_ref()) {
                    defects.merge(&trail.defects);
                }
                mark_answer(part, &name, at, pair, found.as_ref().map(|found| &found.answer));
            }
            env.progress
                .remark(&format!("{name}: {n_unusable} unusable replies; defects: {defects}"));
        }
        if let Some(language) = language {
            let total = language.ledger().total();
            part.cost.n_calls += total.n_paid + total.n_replayed;
            part.cost.n_tokens += total.tokens() + total.replayed_tokens;
        }
        Ok(())
    })
}

/// What search finds for each question.
pub(super) fn searched(searcher: &Searcher, questions: &[Question], config: &Config) -> Vec<Evidence> {
    let found = questions.par_iter().map(|question| searcher.search(question, config));
    found.collect()
}

/// What `work` has somebody make of the evidence for each question, as many at a time as the model takes. What fails of one
/// question alone stands in its place.
///
/// # Errors
/// When the user asked to stop, and where every further question would fail alike.
pub(super) fn reasoned<T: Send>(
    searcher: &Searcher,
    questions: &[Question],
    evidence: &[Evidence],
    (reasoner, language): (&dyn Reasoner, Option<&Language>),
    mode: Mode,
    bench: &Bench<'_>,
    work: impl Fn(&dyn Reasoner, &Task<'_>) -> Result<T, ReasonError> + Sync,
) -> Result<Vec<Result<T, ReasonError>>> {
    let bar = bench.env.progress.bar("reasoning", questions.len());
    let one = |(question, evidence)| {
        bench.env.stop.check()?;
        let embedder = bench.embedding.sentences();
        let task = Task {
            searcher,
            question,
            evidence,
            mode,
            embedder,
        };
        let given = work(reasoner, &task);
        bar.step();
        match given {
            Err(error) if error.ends_job() => Err(error.into()),
            given => Ok(given),
        }
    };
    let n = language.map_or(0, |language| language.limits().max_concurrent.get());
    let pool = ThreadPoolBuilder::new().num_threads(n).build()?;
    pool.install(|| questions.par_iter().zip(evidence).map(one).collect())
}
