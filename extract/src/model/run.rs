//! Calls to replies to what each passage states.
//!
//! A call whose reply lacks some of its passages, breaks off, or does not fit is asked again in halves, down to one
//! passage; one passage about which a reply breaks off or does not fit, in halves of its text. Every call is shorter
//! than the one it stands for, so every run ends.

use super::reply::{Assigned, assign};
use super::{Call, ModelExtractor, Passage};
use crate::Watch;
use crate::stated::{Grounds, Stated, join};
use banyan_engine::DocumentId;
use banyan_engine::llm::{Finish, LlmError, Reply, Request, complete_all};
use banyan_engine::stated::{Quarantine, QuarantineReason};

/// Calls that are rendered together, for each that runs at a time. Arbitrary: prompts repeat the schema, so all at once
/// would take memory, and few at once would leave the model waiting.
const CALLS_AHEAD: usize = 16;
/// Longest excerpt of a reply in characters. Arbitrary: enough to see what went wrong.
const MAX_EXCERPT_CHARS: usize = 500;

/// What a run gives.
#[derive(Debug)]
pub struct Run {
    /// For every passage, in the order in which they were given.
    pub chunks: Vec<Extracted>,
    /// Calls that were answered, whatever the answer.
    pub n_calls: usize,
    /// Replies among them that broke off.
    pub n_cut: usize,
    /// Why the run ended before all passages were asked about; none for a complete run.
    pub stopped: Option<LlmError>,
}

impl Run {
    /// Passages that wait in quarantine, in order.
    pub fn quarantined(&self) -> impl Iterator<Item = &Quarantine> {
        self.chunks.iter().filter_map(|chunk| match &chunk.outcome {
            Outcome::Quarantined(quarantine) => Some(quarantine),
            _ => None,
        })
    }

    /// Tokens of all calls, prompts and replies.
    pub fn n_tokens(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.n_tokens).sum()
    }

    /// Facts of all passages: triples and attributes.
    pub fn n_facts(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.stated.n_facts()).sum()
    }
}

/// What is known of one passage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extracted {
    /// What the model states of it, with what was wrong. Something may be stated of a passage in quarantine or pending,
    /// too.
    pub stated: Stated,
    /// What became of it.
    pub outcome: Outcome,
    /// Its share of the tokens of the calls that it was part of, by its length; the shares of all passages add up to all
    /// tokens.
    pub n_tokens: u64,
}

/// What became of a passage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It was read to its end.
    Done,
    /// It could not be read; asking again may help.
    Quarantined(Quarantine),
    /// The run ended first.
    #[default]
    Pending,
}

/// Everything that is known, while calls are made.
struct State<'p, 't> {
    passages: &'p [Passage<'t>],
    /// For every passage the calls about it that are to be answered yet.
    n_open: Vec<usize>,
    /// The document that was searched last.
    searched: Option<(DocumentId, Grounds)>,
    run: Run,
}

impl ModelExtractor<'_> {
    /// Makes the calls, at most [`max_concurrent`](super::Options::max_concurrent) at a time, and takes in their replies.
    ///
    /// `passages` are those that were planned. The result has one entry for each of them, in their order; those that no
    /// call names, and those that were not reached, are [`Outcome::Pending`].
    pub fn run(&self, passages: &[Passage<'_>], calls: &[Call], watch: &dyn Watch) -> Run {
        let mut state = State {
            passages,
            n_open: vec![1; passages.len()],
            searched: None,
            run: Run {
                chunks: vec![Extracted::default(); passages.len()],
                n_calls: 0,
                n_cut: 0,
                stopped: None,
            },
        };
        let n_ahead = self.options.max_concurrent.get().saturating_mul(CALLS_AHEAD);
        for wave in calls.chunks(n_ahead) {
            // Of a plan for other passages what there is is asked about; every later call has positions of these.
            let known = |call: &Call| {
                let known = call.passages.iter().copied().filter(|at| *at < passages.len());
                Call::about(known.collect())
            };
            let mut open: Vec<Call> = wave.iter().filter_map(known).collect();
            while !open.is_empty() && state.run.stopped.is_none() {
                open = self.round(&open, &mut state, watch);
            }
        }
        state.run
    }

    /// Makes these calls; gives those that have to be made next.
    fn round(&self, calls: &[Call], state: &mut State<'_, '_>, watch: &dyn Watch) -> Vec<Call> {
        let requests = calls.iter().map(|call| self.request(state.passages, call));
        let requests: Vec<Request> = match requests.collect() {
            Ok(requests) => requests,
            Err(error) => {
                state.run.stopped = Some(error);
                return Vec::new();
            }
        };
        for (call, request) in calls.iter().zip(&requests) {
            let chunk = |at: &usize| (state.passages[*at].document.id, state.passages[*at].span);
            if call.passages.iter().any(|at| self.anew.contains(&chunk(at))) {
                self.model.forget(request);
            }
        }
        let is_stopped = || watch.is_stopped();
        let on_reply = |_, _: &_| watch.on_reply();
        let results = complete_all(
            self.model,
            &requests,
            self.options.max_concurrent,
            &is_stopped,
            on_reply,
        );
        let mut next = Vec::new();
        let mut outage = None;
        for (call, result) in calls.iter().zip(results) {
            match result {
                Ok(reply) => next.extend(self.take(call, &reply, state)),
                Err(error) if error.ends_job() => state.stop(error),
                Err(error) => {
                    next.extend(state.fail(call, &error));
                    outage = Some(error).filter(LlmError::is_outage).or(outage);
                }
            }
        }
        // A batch that gave up says so by not beginning the rest.
        if matches!(state.run.stopped, Some(LlmError::Stopped)) && !watch.is_stopped() && outage.is_some() {
            state.run.stopped = outage;
        }
        next
    }

    /// Takes in a reply.
    fn take(&self, call: &Call, reply: &Reply, state: &mut State<'_, '_>) -> Vec<Call> {
        state.run.n_calls += 1;
        state.spend(
            &call.passages,
            reply.usage.prompt_tokens + reply.usage.completion_tokens,
        );
        let asked = self.role.read(reply);
        // Prose that lacks a bracket is no reply that broke off.
        let is_cut = asked.is_cut && (asked.value.is_some() || reply.finish == Finish::Length);
        state.run.n_cut += usize::from(is_cut);
        let pieces = call.pieces(state.passages);
        let assigned = assign(asked, &pieces, |passage, name| state.knows(passage, name));
        let says_something = assigned.iter().any(|said| !said.stated.is_empty());
        let mut open = Vec::new();
        for (position, Assigned { stated, is_answered }) in call.passages.iter().zip(assigned) {
            let chunk = &mut state.run.chunks[*position];
            chunk.stated = join(std::mem::take(&mut chunk.stated), stated);
            // Asked about alone: what is stated counts, nothing at all does not.
            if is_answered || call.passages.len() == 1 && says_something && !is_cut {
                state.settle(*position);
            } else {
                open.push(*position);
            }
        }
        if call.passages.len() == 1 && !open.is_empty() && !is_cut {
            state.refuse(open[0], reply);
            return Vec::new();
        }
        let Some(rest) = Call::about(open) else {
            return Vec::new();
        };
        let rest = Call {
            part: call.part,
            ..rest
        };
        if rest.passages.len() == 1 && call.passages.len() > 1 {
            return vec![rest];
        }
        state.halve(
            &rest,
            QuarantineReason::Cut,
            "the reply breaks off".to_owned(),
            &reply.text,
        )
    }
}

impl State<'_, '_> {
    /// Ends the run. Of several reasons the first counts, and a cause counts more than that others were not begun.
    fn stop(&mut self, error: LlmError) {
        if matches!(self.run.stopped, None | Some(LlmError::Stopped)) {
            self.run.stopped = Some(error);
        }
    }

    /// What becomes of a call without a reply.
    fn fail(&mut self, call: &Call, error: &LlmError) -> Vec<Call> {
        if matches!(error, LlmError::TooLong { .. }) {
            return self.halve(call, QuarantineReason::TooLong, error.to_string(), "");
        }
        for position in &call.passages {
            self.quarantine(*position, QuarantineReason::Failed, error.to_string(), "");
        }
        Vec::new()
    }

    /// The calls that ask the same in halves; where there are none, a passage waits in quarantine for this reason.
    fn halve(&mut self, call: &Call, reason: QuarantineReason, detail: String, reply: &str) -> Vec<Call> {
        let halves = call.halves(self.passages);
        match call.passages[..] {
            [position] if halves.is_empty() => self.quarantine(position, reason, detail, reply),
            [position] => self.n_open[position] += 1,
            _ => {}
        }
        halves
    }

    /// Counts a call about a passage as answered; with the last one the passage is done, unless one of them failed.
    fn settle(&mut self, position: usize) {
        self.n_open[position] = self.n_open[position].saturating_sub(1);
        let outcome = &mut self.run.chunks[position].outcome;
        if self.n_open[position] == 0 && *outcome == Outcome::Pending {
            *outcome = Outcome::Done;
        }
    }

    /// Whether the document of a passage names a thing anywhere. Cost O(length of the document).
    fn knows(&mut self, passage: &Passage<'_>, name: &str) -> bool {
        let document = passage.document;
        if self.searched.as_ref().is_none_or(|(id, _)| *id != document.id) {
            self.searched = Some((document.id, Grounds::new(&document.title, &document.text)));
        }
        self.searched.as_ref().is_some_and(|(_, grounds)| grounds.name(name))
    }

    /// Puts a passage into quarantine because of a reply about it alone.
    fn refuse(&mut self, position: usize, reply: &Reply) {
        let detail = match &reply.finish {
            Finish::Stop | Finish::Length => "nothing in the reply has a known shape".to_owned(),
            Finish::Other(word) => format!("the reply ended with {word}"),
        };
        self.quarantine(position, QuarantineReason::Unusable, detail, &reply.text);
    }

    fn quarantine(&mut self, position: usize, reason: QuarantineReason, detail: String, reply: &str) {
        let passage = &self.passages[position];
        self.run.chunks[position].outcome = Outcome::Quarantined(Quarantine {
            document: passage.document.id,
            span: passage.span,
            reason,
            detail,
            excerpt: reply.chars().take(MAX_EXCERPT_CHARS).collect(),
        });
    }

    /// Shares the tokens of a call by the length of the passages, in whole tokens that add up to them.
    fn spend(&mut self, positions: &[usize], n_tokens: u64) {
        let length = |at: &usize| 1 + self.passages[*at].text().len() as u128;
        let whole: u128 = positions.iter().map(length).sum();
        let (mut passed, mut spent) = (0, 0);
        for at in positions {
            passed += length(at);
            // A part of the tokens is at most all of them, so it fits.
            let until = u64::try_from(u128::from(n_tokens) * passed / whole).unwrap_or(n_tokens);
            self.run.chunks[*at].n_tokens += until - spent;
            spent = until;
        }
    }
}
