//! A compiled extractor as a file: readable JSON.

use super::train::Learned;
use super::verify::{Verdict, Verified};
use crate::statement::{General, Reader, Relation};
use serde::{Deserialize, Serialize};

/// What the file says that it is.
const KIND: &str = "banyan patterns";
/// Version of the file and of the features that it weighs.
const FORMAT: u32 = 2;

/// A compiled extractor: relations, how each is read, and how that was proved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patterns {
    kind: String,
    format: u32,
    /// The schema that it was compiled for, by name.
    pub schema: String,
    /// Examples that it was learned from.
    #[serde(rename = "examples")]
    pub n_examples: usize,
    /// What is asked of every sentence.
    pub relations: Vec<Relation>,
    /// One for each relation.
    pub verdicts: Vec<Verdict>,
    /// The weights.
    pub learned: Learned,
}

/// Why a text is no compiled extractor.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternsError {
    /// Not JSON, or not the fields of this format.
    #[error("no compiled extractor; expected a file that `extract learn` wrote")]
    Malformed(#[from] serde_json::Error),
    /// JSON of another kind.
    #[error("no compiled extractor: `kind` is {found}; expected \"{KIND}\", as `extract learn` writes it")]
    Foreign {
        /// What stands there.
        found: serde_json::Value,
    },
    /// A file of another version of this program.
    #[error("a compiled extractor of format {found}; this program reads format {FORMAT}: learn it again")]
    Format {
        /// What stands there.
        found: u32,
    },
    /// A number that weighs nothing, or verdicts without relations.
    #[error("no sound compiled extractor: {what}; learn it again")]
    Unsound {
        /// What is wrong.
        what: String,
    },
}

/// What every version of the file has.
#[derive(Deserialize)]
struct Header {
    #[serde(default)]
    kind: serde_json::Value,
    #[serde(default)]
    format: u32,
}

impl Patterns {
    /// What was learned for the relations of a schema.
    pub fn new(schema: &str, relations: Vec<Relation>, n_examples: usize, verified: Verified) -> Self {
        Self {
            kind: KIND.to_owned(),
            format: FORMAT,
            schema: schema.to_owned(),
            n_examples,
            relations,
            verdicts: verified.verdicts,
            learned: verified.learned,
        }
    }

    /// The reader that these patterns are.
    pub fn reader(&self, general: &General) -> Reader {
        Reader::new(&self.relations, general, Some(&self.learned))
    }

    /// The file's text. Equal patterns give equal bytes.
    ///
    /// # Errors
    /// Never for what [`verify`](super::verify) gives; the error keeps callers honest.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Reads the file's text.
    ///
    /// # Errors
    /// [`PatternsError`] where it is another file, of another version, or damaged.
    pub fn parse(text: &str) -> Result<Self, PatternsError> {
        let header: Header = serde_json::from_str(text)?;
        if header.kind != KIND {
            return Err(PatternsError::Foreign { found: header.kind });
        }
        if header.format != FORMAT {
            return Err(PatternsError::Format { found: header.format });
        }
        let patterns: Self = serde_json::from_str(text)?;
        if let Some(name) = patterns.learned.lame() {
            let what = format!("the weight of `{name}` is no number");
            return Err(PatternsError::Unsound { what });
        }
        if patterns.relations.len() != patterns.verdicts.len() {
            let what = "a relation without a verdict".to_owned();
            return Err(PatternsError::Unsound { what });
        }
        Ok(patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Hits, Outcome};
    use crate::statement::NamedWeights;
    use std::collections::BTreeMap;

    fn patterns() -> Patterns {
        let own = NamedWeights::from([("before=by".to_owned(), 0.75), ("bias".to_owned(), -1.5)]);
        let relation = Relation {
            label: "director".to_owned(),
            ..Relation::default()
        };
        let verdict = Verdict {
            examples: 4,
            outcome: Outcome::Kept,
            with: Hits {
                found: 3,
                gold: 4,
                hits: 2,
            },
            without: Hits::default(),
        };
        let verified = Verified {
            learned: Learned {
                relations: BTreeMap::from([("director".to_owned(), own)]),
                ..Learned::default()
            },
            verdicts: vec![verdict],
            unlearned: Hits::default(),
            taught: Hits::default(),
        };
        Patterns::new("films", vec![relation], 7, verified)
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let text = patterns().to_text().unwrap();
        let read = Patterns::parse(&text).unwrap();
        assert_eq!(read, patterns());
        assert_eq!(read.to_text().unwrap(), text);
    }

    #[test]
    fn another_file_is_told_by_what_it_is() {
        let check = |text: &str, expected: &str| {
            let error = Patterns::parse(text).unwrap_err();
            let cause = std::error::Error::source(&error).map_or(String::new(), ToString::to_string);
            let said = format!("{error}: {cause}");
            assert!(said.contains(expected), "{said}");
        };
        check("{", "EOF while parsing");
        check("{\"name\": \"general\"}", "`kind` is null");
        check("{\"kind\": \"banyan patterns\", \"format\": 9}", "of format 9");
        check("{\"kind\": \"banyan patterns\", \"format\": 2}", "missing field");
        let good = patterns().to_text().unwrap();
        check(&good.replace("0.75", "1e99"), "`before=by` is no number");
        check(&good.replace("\"learned\"", "\"earned\""), "unknown field `earned`");
    }
}
