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

/// A parameter that can be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Parameter {
    ResponseFormat,
    MaxTokens,
    Temperature,
    Seed,
}

/// How a reply's form is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Schema,
    AnyJson,
    AnyText,
}

/// How one request is put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// `None` where the request wants no shape.
    pub(super) format: Option<Format>,
    /// What is left out or, for `max_tokens`, renamed.
    pub(super) without: BTreeSet<Parameter>,
}

/// What was conceded so far. A schema can be refused for itself, so formats are by the name of the shape.
#[derive(Debug, Default)]
pub(super) struct Terms {
    formats: BTreeMap<String, Format>,
    without: BTreeSet<Parameter>,
    n_replies: BTreeMap<Concession, u64>,
}

impl Terms {
    /// How to put this request.
    pub(super) fn wanted(&self, request: &Request) -> Wanted {
        let format = |name: &String| self.formats.get(name).copied().unwrap_or(Format::Schema);
        Wanted {
            format: request.shape.as_ref().map(|shape| format(&shape.name)),
            without: self.without.clone(),
        }
    }

    /// Gives up `parameter`, refused in a request put as `wanted`. Whether the request can be put in another way now.
    pub(super) fn concede(&mut self, request: &Request, wanted: &Wanted, parameter: Parameter) -> bool {
        if self.wanted(request) != *wanted {
            // Another thread was refused the same meanwhile.
            return true;
        }
        if parameter != Parameter::ResponseFormat {
            return self.without.insert(parameter);
        }
        let next = match wanted.format {
            Some(Format::Schema) => Format::AnyJson,
            Some(Format::AnyJson) => Format::AnyText,
            Some(Format::AnyText) | None => return false,
        };
        if let Some(shape) = &request.shape {
            self.formats.insert(shape.name.clone(), next);
        }
        true
    }

    /// Counts a reply to a request put as `wanted`.
    pub(super) fn count(&mut self, wanted: &Wanted) {
        let of_format = match wanted.format {
            Some(Format::AnyJson) => Some(Concession::AnyJson),
            Some(Format::AnyText) => Some(Concession::AnyText),
            Some(Format::Schema) | None => None,
        };
        let of_parameters = wanted.without.iter().filter_map(|parameter| match parameter {
            Parameter::ResponseFormat => None,
            Parameter::MaxTokens => Some(Concession::MaxCompletionTokens),
            Parameter::Temperature => Some(Concession::NoTemperature),
            Parameter::Seed => Some(Concession::NoSeed),
        });
        for concession in of_format.into_iter().chain(of_parameters) {
            *self.n_replies.entry(concession).or_default() += 1;
        }
    }

    pub(super) fn n_replies(&self) -> &BTreeMap<Concession, u64> {
        &self.n_replies
    }
}
