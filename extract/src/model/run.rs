//! Calls to replies to what each passage states.
//!
//! A call whose reply lacks some of its passages, breaks off, or does not fit is asked again in halves, down to one passage.
//! So a passage costs at most as many further calls as its call has halvings, and every run ends.

use super::ledger::{Tokens, share};
use super::outcome::quarantine;
use super::reply::{Assigned, assign};
use super::{Call, Extracted, ModelError, ModelExtractor, Outcome, Passage, QuarantineReason, Run, select};
use crate::Watch;
use crate::stated::{Defect, DefectKind, Stated, join};
use banyan_engine::llm::{Finish, LlmError, Reply, Request, Usage, complete_all};

/// Calls that are rendered together, for each that runs at a time. Arbitrary: prompts repeat the schema, so all at once
/// would take memory, and few at once would leave the model waiting.
const CALLS_AHEAD: usize = 16;

/// A request to be made.
struct Task {
    passages: Vec<usize>,
    /// Which round of asking for what was missed (gleaning); 0 where the passages are read for the first time.
    round: u32,
}

/// Everything that is known, while calls are made.
struct State<'p, 't> {
    passages: &'p [Passage<'t>],
    chunks: Vec<Extracted>,
    n_calls: usize,
    stopped: Option<LlmError>,
}

impl ModelExtractor<'_> {
    /// Makes the calls, at most [`max_concurrent`](super::Options::max_concurrent) at a time, and takes in their replies.
    ///
    /// `passages` are those that were planned. The result has one entry for each of them, in their order; those that no
    /// call names, and those that were not reached, are [`Outcome::Pending`].
    pub fn run(&self, passages: &[Passage<'_>], calls: &[Call], watch: &dyn Watch) -> Run {
        let mut state = State {
            passages,
            chunks: vec![Extracted::default(); passages.len()],
            n_calls: 0,
            stopped: None,
        };
        let n_ahead = self.options.max_concurrent.get().saturating_mul(CALLS_AHEAD);
        for wave in calls.chunks(n_ahead) {
            let first = |call: &Call| Task {
                // A plan for other passages asks for what there is; every later task has positions of these.
                passages: call
                    .passages
                    .iter()
                    .copied()
                    .filter(|position| *position < passages.len())
                    .collect(),
                round: 0,
            };
            let mut tasks: Vec<Task> = wave
                .iter()
                .map(first)
                .filter(|task| !task.passages.is_empty())
                .collect();
            while !tasks.is_empty() && state.stopped.is_none() {
                tasks = self.round(tasks, &mut state, watch);
            }
        }
        Run {
            chunks: state.chunks,
            n_calls: state.n_calls,
            stopped: state.stopped,
        }
    }

    /// Makes the calls of these tasks; gives what has to be asked next.
    fn round(&self, tasks: Vec<Task>, state: &mut State<'_, '_>, watch: &dyn Watch) -> Vec<Task> {
        let requests: Result<Vec<Request>, ModelError> =
            tasks.iter().map(|task| self.task_request(task, state)).collect();
        let requests = match requests {
            Ok(requests) => requests,
            Err(error) => {
                state.stopped = Some(as_llm_error(error));
                return Vec::new();
            }
        };
        let is_stopped = || watch.is_stopped();
        let results = complete_all(
            self.model,
            &requests,
            self.options.max_concurrent,
            &is_stopped,
            |_, _| {
                watch.on_reply();
            },
        );
        let mut next = Vec::new();
        let mut outage = None;
        for (task, result) in tasks.into_iter().zip(results) {
            match result {
                Ok(reply) => {
                    state.n_calls += 1;
                    next.extend(self.take(&task, &reply, state));
                }
                Err(error) if error.ends_job() => state.stop(error),
                Err(error) => {
                    next.extend(state.fail(&task, &error));
                    outage = Some(error).filter(is_outage).or(outage);
                }
            }
        }
        // A batch that gave up says so by not beginning the rest.
        if matches!(state.stopped, Some(LlmError::Stopped)) && !watch.is_stopped() && outage.is_some() {
            state.stopped = outage;
        }
        next
    }

    fn task_request(&self, task: &Task, state: &State<'_, '_>) -> Result<Request, ModelError> {
        let passages = select(state.passages, &task.passages);
        if task.round == 0 {
            return self.prompts.extract(&passages, &self.options);
        }
        let found: Vec<_> = task
            .passages
            .iter()
            .map(|position| &state.chunks[*position].stated)
            .collect();
        self.prompts.glean(&passages, &found, &self.options)
    }

    /// Takes in a reply.
    fn take(&self, task: &Task, reply: &Reply, state: &mut State<'_, '_>) -> Vec<Task> {
        let passages = select(state.passages, &task.passages);
        let assigned = assign(self.prompts.extract.read(reply), &passages, self.options.guard);
        state.spend(&task.passages, reply.usage, &assigned);
        if task.round == 0 {
            self.take_first(task, reply, assigned, state)
        } else {
            self.take_gleaning(task, assigned, state)
        }
    }

    fn take_first(&self, task: &Task, reply: &Reply, assigned: Vec<Assigned>, state: &mut State<'_, '_>) -> Vec<Task> {
        let (mut answered, mut open) = (Vec::new(), Vec::new());
        let says_something = assigned.iter().any(|said| !said.stated.is_empty());
        for (position, said) in task.passages.iter().zip(assigned) {
            let list = if said.is_answered { &mut answered } else { &mut open };
            list.push(*position);
            state.join(*position, said);
        }
        let mut next = self.glean(answered, 1, state);
        match open.as_slice() {
            [] => {}
            // Asked about alone and not read to its end: what is stated counts, nothing at all does not.
            [_] if task.passages.len() == 1 && says_something => next.extend(self.glean(open, 1, state)),
            [only] if task.passages.len() == 1 => state.refuse(*only, reply),
            _ => next.extend(halves(&open)),
        }
        next
    }

    /// Takes in the reply to a round of gleaning. Passages go on together while the round gives anything new.
    fn take_gleaning(&self, task: &Task, assigned: Vec<Assigned>, state: &mut State<'_, '_>) -> Vec<Task> {
        let count = |state: &State<'_, '_>| -> u64 {
            let chunks = task.passages.iter().map(|position| &state.chunks[*position].stated);
            chunks.map(n_statements).sum()
        };
        let n_before = count(state);
        for (position, said) in task.passages.iter().zip(assigned) {
            state.join(*position, said);
        }
        let has_more = count(state) > n_before;
        let round = if has_more { task.round + 1 } else { u32::MAX };
        self.glean(task.passages.clone(), round, state)
    }

    /// The task of this round of gleaning; without one, the passages are done.
    fn glean(&self, passages: Vec<usize>, round: u32, state: &mut State<'_, '_>) -> Vec<Task> {
        if round <= self.options.n_gleanings && !passages.is_empty() {
            return vec![Task { passages, round }];
        }
        for position in passages {
            state.chunks[position].outcome = Outcome::Done;
        }
        Vec::new()
    }
}

impl State<'_, '_> {
    /// Ends the run. Of several reasons the first counts, and a cause counts more than that others were not begun.
    fn stop(&mut self, error: LlmError) {
        if matches!(self.stopped, None | Some(LlmError::Stopped)) {
            self.stopped = Some(error);
        }
    }

    /// What becomes of a task without a reply.
    fn fail(&mut self, task: &Task, error: &LlmError) -> Vec<Task> {
        let is_too_long = matches!(error, LlmError::TooLong { .. });
        if task.round > 0 {
            for position in &task.passages {
                let defect = Defect::new(DefectKind::Unanswered, error.to_string());
                self.chunks[*position].stated.defects.push(defect);
                self.chunks[*position].outcome = Outcome::Done;
            }
            return Vec::new();
        }
        if is_too_long && task.passages.len() > 1 {
            return halves(&task.passages);
        }
        let reason = if is_too_long {
            QuarantineReason::TooLong
        } else {
            QuarantineReason::Failed
        };
        for position in &task.passages {
            self.quarantine(*position, reason, &error.to_string(), "");
        }
        Vec::new()
    }

    /// Puts a passage into quarantine because of a reply about it alone.
    fn refuse(&mut self, position: usize, reply: &Reply) {
        let detail = match &reply.finish {
            Finish::Stop => "nothing in the reply has a known shape".to_owned(),
            Finish::Length => "the reply breaks off before a complete statement".to_owned(),
            Finish::Other(word) => format!("the reply ended with {word}"),
        };
        self.quarantine(position, QuarantineReason::Unusable, &detail, &reply.text);
    }

    /// Adds what a reply says of a passage.
    fn join(&mut self, position: usize, said: Assigned) {
        let chunk = &mut self.chunks[position];
        chunk.stated = join(std::mem::take(&mut chunk.stated), said.stated);
    }

    fn quarantine(&mut self, position: usize, reason: QuarantineReason, detail: &str, reply: &str) {
        let passage = &self.passages[position];
        let quarantine = quarantine(passage, reason, detail.to_owned(), reply);
        self.chunks[position].outcome = Outcome::Quarantined(quarantine);
    }

    /// Shares the tokens of a call: those of the prompt by the length of the passages, those of the reply by what it says
    /// of each.
    fn spend(&mut self, positions: &[usize], usage: Usage, assigned: &[Assigned]) {
        let lengths: Vec<u64> = positions
            .iter()
            .map(|position| self.passages[*position].text.len() as u64)
            .collect();
        let said: Vec<u64> = assigned.iter().map(|said| 1 + n_statements(&said.stated)).collect();
        let prompts = share(usage.prompt_tokens, &lengths);
        let completions = share(usage.completion_tokens, &said);
        for ((position, prompt), completion) in positions.iter().zip(prompts).zip(completions) {
            self.chunks[*position].tokens += Tokens { prompt, completion };
        }
    }
}

fn n_statements(stated: &Stated) -> u64 {
    (stated.n_facts() + stated.entities.len()) as u64
}

/// Two tasks of half the passages each; one for a single passage.
fn halves(positions: &[usize]) -> Vec<Task> {
    let (left, right) = positions.split_at(positions.len().div_ceil(2));
    let task = |passages: &[usize]| Task {
        passages: passages.to_vec(),
        round: 0,
    };
    [left, right]
        .into_iter()
        .filter(|half| !half.is_empty())
        .map(task)
        .collect()
}

fn is_outage(error: &LlmError) -> bool {
    matches!(error, LlmError::Transient { .. } | LlmError::RateLimited { .. })
}

/// A prompt that cannot be rendered is an error of the prompt.
fn as_llm_error(error: ModelError) -> LlmError {
    match error {
        ModelError::Prompt(error) => error,
        other => LlmError::Prompt {
            name: "extract.md".to_owned(),
            reason: other.to_string(),
        },
    }
}
