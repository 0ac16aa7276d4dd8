//! Passages to calls: as many neighbours in one call as fit, counted on the prompts as they will be sent.

use super::{ModelExtractor, Passage};
use crate::sentence;
use banyan_engine::Span;
use banyan_engine::llm::{Forecast, LlmError, estimate_tokens, fence};
use serde::Serialize;

/// Tokens of a reply for each token of a passage, both as estimated. Of sixteen encyclopaedia passages that were
/// extracted by hand, replies took 3.3 times the tokens of prompts without the schema.
const REPLY_SHARE: u64 = 3;
/// Bytes of a passage that is not asked about in halves. Arbitrary: a sentence or two.
const MIN_PART: u32 = 300;

/// One call, before it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Positions of its passages, in order; at least one.
    pub passages: Vec<usize>,
    /// The part of its only passage that it is about; all of them where none.
    pub part: Option<Span>,
}

/// A passage as a prompt shows it.
#[derive(Serialize)]
pub(super) struct Shown {
    lead: String,
    body: String,
}

impl Shown {
    fn tokens(&self) -> u64 {
        let lead = if self.lead.is_empty() {
            0
        } else {
            estimate_tokens(&fence("before 1", &self.lead))
        };
        lead + estimate_tokens(&fence("passage 1", &self.body))
    }
}

impl Call {
    /// A call about all of these passages; `None` without any.
    pub(super) fn about(passages: Vec<usize>) -> Option<Self> {
        (!passages.is_empty()).then_some(Self { passages, part: None })
    }

    /// What it asks about; positions beyond the end of `passages` are left out.
    pub(super) fn pieces<'a>(&self, passages: &[Passage<'a>]) -> Vec<Passage<'a>> {
        let asked = self.passages.iter().filter_map(|at| passages.get(*at));
        let piece = |passage: &Passage<'a>| Passage {
            span: self.part.unwrap_or(passage.span),
            ..*passage
        };
        asked.map(piece).collect()
    }

    /// Its pieces as its prompt shows them. What goes before is shown once for each document.
    pub(super) fn shown(&self, passages: &[Passage<'_>]) -> Vec<Shown> {
        let pieces = self.pieces(passages);
        let is_first = |at: usize| at == 0 || pieces[at - 1].document.id != pieces[at].document.id;
        let shown = |at: usize| Shown {
            lead: if is_first(at) { pieces[at].lead() } else { String::new() },
            body: pieces[at].body(),
        };
        (0..pieces.len()).map(shown).collect()
    }

    /// The calls that ask the same in two halves: of its passages, or of the text of a single one. None where that is too
    /// short to be halved.
    pub(super) fn halves(&self, passages: &[Passage<'_>]) -> Vec<Self> {
        if let [_, _, ..] = self.passages[..] {
            let (left, right) = self.passages.split_at(self.passages.len().div_ceil(2));
            return [left, right]
                .into_iter()
                .filter_map(|half| Self::about(half.to_vec()))
                .collect();
        }
        let pieces = self.pieces(passages);
        let Some(piece) = pieces
            .first()
            .filter(|piece| piece.span.end - piece.span.start >= MIN_PART)
        else {
            return Vec::new();
        };
        let at = piece.span.start + middle(piece.text());
        let part = |start, end| Self {
            passages: self.passages.clone(),
            part: Some(Span { start, end }),
        };
        vec![part(piece.span.start, at), part(at, piece.span.end)]
    }
}

/// The place nearest to the middle of a text where a sentence begins, else a word, else a character; neither end of it.
fn middle(text: &str) -> u32 {
    let half = text.len() / 2;
    let inner = |at: &usize| *at > 0 && *at < text.len();
    let nearest = |places: &mut dyn Iterator<Item = usize>| places.filter(inner).min_by_key(|at| at.abs_diff(half));
    let sentences = sentence::split(text);
    let words = || nearest(&mut text.match_indices(char::is_whitespace).map(|(at, _)| at));
    let at = nearest(&mut sentences.iter().map(|span| span.start as usize)).or_else(words);
    u32::try_from(at.unwrap_or_else(|| text.ceil_char_boundary(half))).unwrap_or(u32::MAX)
}

impl ModelExtractor<'_> {
    /// Plans the first `most` calls about `passages`, which stand in the order of the corpus. Every passage up to the
    /// last that is planned for is in exactly one call, and calls keep the order. No passages give no calls. Cost
    /// O(length).
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    pub fn plan(&self, passages: &[Passage<'_>], most: usize) -> Result<Vec<Call>, LlmError> {
        let base = self.base_tokens()?;
        let room = u64::from(self.options.max_prompt_tokens).saturating_sub(base);
        let room = room.min(u64::from(self.options.max_reply_tokens) / REPLY_SHARE);
        let mut calls: Vec<Call> = Vec::new();
        let mut n_tokens = 0;
        for (position, passage) in passages.iter().enumerate() {
            let is_last = calls.len() == most;
            let shares = |before: &Passage<'_>| {
                let is_short = || self.options.share_calls && before.is_whole() && passage.is_whole();
                before.document.id == passage.document.id || is_short()
            };
            let alone = Call {
                passages: vec![position],
                part: None,
            };
            // Exact where it begins a document, else too much: the estimate of a text is the sum of those of its lines.
            let tokens = alone.shown(passages).iter().map(Shown::tokens).sum::<u64>();
            match calls.last_mut() {
                Some(call)
                    if shares(&passages[position - 1])
                        && call.passages.len() < self.options.max_passages.get()
                        && n_tokens + tokens <= room =>
                {
                    call.passages.push(position);
                    n_tokens += tokens;
                }
                _ if is_last => break,
                _ => {
                    calls.push(alone);
                    n_tokens = tokens;
                }
            }
        }
        Ok(calls)
    }

    /// What a plan will take of the model that is asked. Calls that have to be split come on top. Renders every call;
    /// O(total length).
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    pub fn forecast(&self, passages: &[Passage<'_>], calls: &[Call]) -> Result<Forecast, LlmError> {
        let mut forecast = Forecast::default();
        for call in calls {
            forecast += Forecast::of(self.model, [&self.request(passages, call)?]);
        }
        Ok(forecast)
    }

    /// Tokens of a prompt about no passage.
    pub(super) fn base_tokens(&self) -> Result<u64, LlmError> {
        let nothing = Call {
            passages: Vec::new(),
            part: None,
        };
        Ok(self.request(&[], &nothing)?.estimated_prompt_tokens())
    }
}
