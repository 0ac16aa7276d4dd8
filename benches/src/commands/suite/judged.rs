//! Answers of a part, judged by a language model beside exact match.

use crate::eval::judge::{Case, judge};
use crate::eval::suite::Part;
use anyhow::{Result, bail};
use banyan::Environment;
use banyan::counted as count;
use banyan::language::{self, Spent, Tape};
use banyan::parts::Config;
use banyan_engine::llm::LlmError;
use std::num::NonZeroUsize;
use std::path::Path;

/// Name of the stage under which calls are counted, and of the metric.
const JUDGED: &str = "judged";
/// Questions with accepted answers have this metric, and it says which answers were given.
const EXACT: &str = "em";

/// Adds the metric `judged` to every method that answers. A question without an answer is wrong without a call.
pub(super) fn add(part: &mut Part, out: &Path, spent: &mut Spent, env: &Environment) -> Result<()> {
    let config = Config::read(env.language.config.as_deref())?;
    let llm = config.llm.as_ref();
    let tape = Tape::of(env, &out.join("judge"));
    let language = language::open(llm, &tape, spent.rest_of(env), env)?;
    let model = language.stage(JUDGED);
    let is_stopped = || env.stop.is_asked();
    let n = llm.map_or(NonZeroUsize::MIN, language::concurrency);
    for (name, method) in &mut part.methods {
        let counts: Vec<usize> = match method.scores.get(EXACT) {
            Some(_) if !method.answers.is_empty() => method.values(EXACT).map(|(at, _)| at).collect(),
            _ => continue,
        };
        let given = |at: &usize| Some((*at, method.answers[*at].as_deref()?));
        let answered: Vec<(usize, &str)> = counts.iter().filter_map(given).collect();
        let case = |(at, answer): &(usize, &'_ str)| {
            (
                part.questions[*at].text.clone(),
                part.questions[*at].accepted.clone(),
                (*answer).to_owned(),
            )
        };
        let texts: Vec<(String, Vec<String>, String)> = answered.iter().map(case).collect();
        let cases: Vec<Case<'_>> = texts
            .iter()
            .map(|(question, accepted, answer)| Case {
                question,
                accepted,
                answer,
            })
            .collect();
        let judged = judge(&model, &cases, n, &is_stopped)?;
        env.stop.check()?;
        match judged.failure {
            Some(error @ LlmError::Missing { .. }) => bail!("{}: nothing was judged: {error}", part.set),
            Some(error) => env
                .progress
                .remark(&format!("{} {name}: the first call that failed: {error}", part.set)),
            None => {}
        }
        if judged.n_unusable > 0 {
            let replies = count(judged.n_unusable, "reply");
            env.progress
                .remark(&format!("{} {name}: {replies} without a verdict", part.set));
        }
        let mut values = vec![None; part.questions.len()];
        for at in &counts {
            values[*at] = Some(0.0);
        }
        for ((at, _), verdict) in answered.iter().zip(&judged.verdicts) {
            values[*at] = verdict.map(|is_right| f64::from(u8::from(is_right)));
        }
        method.scores.insert(JUDGED.to_owned(), values);
    }
    let total = language.ledger().total();
    part.cost.n_calls += total.n_paid + total.n_replayed;
    part.cost.n_tokens += total.tokens();
    spent.add(&language, llm);
    Ok(())
}
