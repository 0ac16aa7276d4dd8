//! A compiled extractor as a file: readable JSON with sorted keys.

use super::train::{Learned, LearnedRelation};
use super::verify::{Verdict, Verified};
use crate::statement::{Form, General, Matter, NamedWeights, Reader, Relation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the file says that it is.
const KIND: &str = "banyan patterns";
/// Version of the file and of the features that it weighs.
const FORMAT: u32 = 1;

/// A compiled extractor: relations, how each is read, and how that was proved.
#[derive(Clone, Debug, PartialEq)]
pub struct Patterns {
    /// The schema that it was compiled for, by name.
    pub schema: String,
    /// Examples that it was learned from.
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
    #[error("no compiled extractor; expected a file that `banyan extract learn` wrote")]
    Malformed(#[from] serde_json::Error),
    /// JSON of another kind.
    #[error("no compiled extractor: `kind` is {found}; expected \"{KIND}\", as `banyan extract learn` writes it")]
    Foreign {
        /// What stands there.
        found: String,
    },
    /// A file of another version of this program.
    #[error("a compiled extractor of format {found}; this program reads format {FORMAT}: learn it again")]
    Format {
        /// What stands there.
        found: u32,
    },
    /// Names that cannot be told apart, or a number that weighs nothing.
    #[error("no sound compiled extractor: {what}; learn it again")]
    Unsound {
        /// What is wrong.
        what: String,
    },
}

/// The fields of the file; in order of their names, as everything in it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    examples: usize,
    fallback: f32,
    format: u32,
    further: f32,
    kind: String,
    known: Vec<String>,
    object: NamedWeights,
    relations: Vec<Row>,
    schema: String,
    subject: NamedWeights,
    threshold: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    aliases: Vec<String>,
    domain: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    forms: BTreeMap<Matter, Form>,
    is_dated: bool,
    label: String,
    /// None where it is read by its label.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    own: Option<NamedWeights>,
    range: Vec<String>,
    verdict: Verdict,
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
        let Learned {
            threshold,
            further,
            fallback,
            ref object,
            ref subject,
            ref relations,
            ref known,
            ..
        } = self.learned;
        let row = |(relation, verdict): (&Relation, &Verdict)| {
            let learned = relations.get(&relation.label);
            Row {
                aliases: relation.aliases.clone(),
                domain: relation.domain.clone(),
                forms: learned.map(|learned| learned.forms.clone()).unwrap_or_default(),
                is_dated: relation.is_dated,
                label: relation.label.clone(),
                own: learned.map(|learned| learned.own.clone()),
                range: relation.range.clone(),
                verdict: *verdict,
            }
        };
        serde_json::to_string_pretty(&File {
            examples: self.n_examples,
            fallback,
            format: FORMAT,
            further,
            kind: KIND.to_owned(),
            known: known.clone(),
            object: object.clone(),
            relations: self.relations.iter().zip(&self.verdicts).map(row).collect(),
            schema: self.schema.clone(),
            subject: subject.clone(),
            threshold,
        })
    }

    /// Reads the file's text.
    ///
    /// # Errors
    /// [`PatternsError`] where it is another file, of another version, or damaged.
    pub fn parse(text: &str) -> Result<Self, PatternsError> {
        let header: Header = serde_json::from_str(text)?;
        if header.kind != KIND {
            let found = match header.kind {
                serde_json::Value::Null => "missing".to_owned(),
                other => other.to_string(),
            };
            return Err(PatternsError::Foreign { found });
        }
        if header.format != FORMAT {
            return Err(PatternsError::Format { found: header.format });
        }
        Self::from_file(serde_json::from_str(text)?)
    }

    fn from_file(file: File) -> Result<Self, PatternsError> {
        let mut patterns = Self {
            schema: file.schema,
            n_examples: file.examples,
            relations: Vec::with_capacity(file.relations.len()),
            verdicts: Vec::with_capacity(file.relations.len()),
            learned: Learned {
                format: FORMAT,
                threshold: file.threshold,
                further: file.further,
                fallback: file.fallback,
                object: file.object,
                subject: file.subject,
                relations: BTreeMap::new(),
                known: file.known,
            },
        };
        for row in file.relations {
            if patterns.relations.iter().any(|known| known.label == row.label) {
                let what = format!("relation `{}` stands twice", row.label);
                return Err(PatternsError::Unsound { what });
            }
            if let Some(own) = row.own {
                let learned = LearnedRelation { own, forms: row.forms };
                patterns.learned.relations.insert(row.label.clone(), learned);
            }
            patterns.verdicts.push(row.verdict);
            patterns.relations.push(Relation {
                label: row.label,
                domain: row.domain,
                range: row.range,
                aliases: row.aliases,
                is_dated: row.is_dated,
            });
        }
        patterns.sound()
    }

    /// Itself, if every weight is a number.
    fn sound(self) -> Result<Self, PatternsError> {
        let Learned {
            threshold,
            further,
            fallback,
            object,
            subject,
            relations,
            ..
        } = &self.learned;
        let weights = relations
            .values()
            .flat_map(|relation| &relation.own)
            .chain(object)
            .chain(subject);
        let lame = weights.into_iter().find(|(_, weight)| !weight.is_finite());
        let what = match lame {
            Some((name, _)) => format!("the weight of `{name}` is no number"),
            None if [threshold, further, fallback].iter().any(|score| !score.is_finite()) => {
                "a threshold is no number".to_owned()
            }
            None => return Ok(self),
        };
        Err(PatternsError::Unsound { what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Hits, Outcome};

    fn patterns() -> Patterns {
        let hits = Hits {
            found: 3,
            gold: 4,
            hits: 2,
        };
        let own = NamedWeights::from([("before=by".to_owned(), 0.75), ("bias".to_owned(), -1.5)]);
        let forms = BTreeMap::from([(Matter::Year, Form::Long)]);
        Patterns {
            schema: "films".to_owned(),
            n_examples: 7,
            relations: vec![Relation {
                label: "director".to_owned(),
                ..Relation::default()
            }],
            verdicts: vec![Verdict {
                examples: 4,
                outcome: Outcome::Kept,
                with: hits,
                without: Hits::default(),
            }],
            learned: Learned {
                format: 1,
                threshold: -2.0,
                relations: BTreeMap::from([("director".to_owned(), LearnedRelation { own, forms })]),
                known: vec!["maravoss".to_owned()],
                ..Learned::default()
            },
        }
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
        check("{\"name\": \"general\"}", "`kind` is missing");
        check("{\"kind\": \"banyan patterns\", \"format\": 9}", "of format 9");
        check("{\"kind\": \"banyan patterns\", \"format\": 1}", "missing field");
        let good = patterns().to_text().unwrap();
        check(&good.replace("0.75", "1e99"), "`before=by` is no number");
        check(&good.replace("\"known\"", "\"unknown\""), "unknown field `unknown`");
    }
}
