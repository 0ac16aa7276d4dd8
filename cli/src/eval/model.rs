//! Answers by a language model in both modes, beside what they took.

use super::dataset::QaPair;
use super::question::{BANYAN, REJECT, mark_answer};
use super::report::Part;
use super::suite::Bench;
use crate::reasoning::AskOptions;
use crate::reasoning::Reasoning;
use anyhow::{Result, bail};
use banyan_engine::stated::DefectCounts;
use banyan_retrieve::reason::{ReasonError, Task};
use banyan_retrieve::{Answer, Config, Mode, Question, Searcher};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// One question in one mode: the answer, or a reply of no use.
type Given = Result<(Answer, DefectCounts), ReasonError>;

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
    let options = AskOptions {
        reasoner: bench.reasoner,
        ..AskOptions::default()
    };
    let reasoning = Reasoning {
        options: &options,
        env,
        store: tape,
    };
    reasoning.with(|reasoner, language| {
        for (name, mode) in [(BANYAN, Mode::Open), (REJECT, Mode::Reject)] {
            let bar = env.progress.bar("reasoning", questions.len());
            let one = |question: &Question| -> Result<Given> {
                env.stop.check()?;
                let task = Task {
                    searcher,
                    question,
                    evidence: &searcher.search(question, &Config::default()),
                    mode,
                    embedder: bench.embedding.sentences(),
                };
                let given = reasoner.conclude(&task, &mut |_| {});
                bar.step();
                match given {
                    Err(error) if error.ends_job() => Err(error.into()),
                    given => Ok(given.map(|found| {
                        let defects = found.trail.map(|trail| trail.defects);
                        (found.answer, defects.unwrap_or_default())
                    })),
                }
            };
            let n = language.map_or(0, |language| language.limits().max_concurrent.get());
            let pool = ThreadPoolBuilder::new().num_threads(n).build()?;
            let given: Vec<Given> = pool.install(|| questions.par_iter().map(one).collect::<Result<_>>())?;
            let (mut defects, mut n_unusable) = (DefectCounts::default(), 0);
            let name = format!("llm {name}");
            let mut given = given.into_iter();
            for (at, pair) in pairs.iter().enumerate() {
                let given = (!pair.answers.is_empty()).then(|| given.next()).flatten();
                n_unusable += usize::from(matches!(given, Some(Err(_))));
                let found = given.and_then(Result::ok);
                if let Some((_, met)) = &found {
                    defects.merge(met);
                }
                mark_answer(part, &name, at, pair, found.as_ref().map(|(answer, _)| answer));
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
