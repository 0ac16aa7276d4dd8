//! What an endpoint takes of what it could be asked, learnt from its refusals.

use super::super::Request;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Something that an endpoint does not take, so that replies came without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Concession {
    /// No JSON schema: any JSON object was asked for.
    AnyJson,
    /// No JSON at all: the reply's format is only what the prompt asks for.
    AnyText,
    /// `max_completion_tokens` in place of `max_tokens`: the same limit by another name.
    MaxCompletionTokens,
    /// No temperature: replies vary as the endpoint likes.
    NoTemperature,
    /// No seed: replies may differ from run to run.
    NoSeed,
}

impl fmt::Display for Concession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AnyJson => "the endpoint takes no JSON schema, any JSON object was asked for",
            Self::AnyText => "the endpoint takes no response format, only the prompt asks for JSON",
            Self::MaxCompletionTokens => "the endpoint takes max_completion_tokens in place of max_tokens",
            Self::NoTemperature => "the endpoint takes no temperature",
            Self::NoSeed => "the endpoint takes no seed, so replies may differ from run to run",
        })
    }
}

/// What was conceded so far, and how many replies came under it.
#[derive(Debug, Default)]
pub(super) struct Terms {
    pub(super) conceded: BTreeSet<Concession>,
    pub(super) n_replies: BTreeMap<Concession, u64>,
}

impl Terms {
    /// Makes `concession`, asked for by the refusal of a request put `before` it; any text where any JSON was refused, too.
    /// Whether the request can be put in another way now.
    pub(super) fn concede(&mut self, before: &BTreeSet<Concession>, concession: Concession) -> bool {
        if self.conceded != *before {
            // Another thread was refused the same meanwhile.
            return true;
        }
        let is_json_refused = concession == Concession::AnyJson && before.contains(&concession);
        let next = if is_json_refused {
            Concession::AnyText
        } else {
            concession
        };
        self.conceded.insert(next)
    }

    /// Counts a reply to a request that was put under what was `conceded`.
    pub(super) fn count(&mut self, request: &Request, conceded: &BTreeSet<Concession>) {
        let is_met = |concession: &&Concession| match concession {
            Concession::AnyJson => request.shape.is_some() && !conceded.contains(&Concession::AnyText),
            Concession::AnyText => request.shape.is_some(),
            _ => true,
        };
        for concession in conceded.iter().filter(is_met) {
            *self.n_replies.entry(*concession).or_default() += 1;
        }
    }
}
