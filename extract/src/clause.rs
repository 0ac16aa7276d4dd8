//! A sentence as extraction sees it: its words, the entities it names, and what the words between them may state.

use crate::parsed::Parsed;
use crate::word::Word;
use banyan_engine::{Mention, Span};

/// Words after which a statement is not one.
const NEGATIONS: &[&str] = &["not", "never", "neither", "nor", "without", "no"];
/// Pronouns that stand for the document's subject at the start of a sentence.
const PRONOUNS: &[&str] = &["he", "she", "it", "they", "his", "her", "its", "their"];

/// One entity named in a sentence, as one unambiguous mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The entity's key.
    pub(crate) entity: String,
    /// Where it is named; for a pronoun where the pronoun stands.
    pub(crate) span: Span,
}

/// A sentence with its entities in order.
#[derive(Clone, Debug)]
pub(crate) struct Clause<'a> {
    /// The text that spans refer to.
    pub(crate) text: &'a str,
    /// The sentence.
    pub(crate) span: Span,
    /// Its words.
    pub(crate) words: &'a [Word],
    /// Entities named in it, in order, without overlap.
    pub(crate) named: Vec<Named>,
    /// What the sentence is about.
    pub(crate) subject: String,
}

impl<'a> Clause<'a> {
    /// Reads one sentence of a document. `mentions` are the document's, sorted by place; of several meanings of a
    /// name the first is taken. A sentence that opens with a pronoun or names nothing before its verb is about `own`,
    /// the document's subject.
    pub(crate) fn new(parsed: &Parsed<'a>, sentence: &'a (Span, Vec<Word>), mentions: &[Mention], own: &str) -> Self {
        let (span, words) = sentence;
        let text = parsed.text();
        let mut named: Vec<Named> = Vec::new();
        for mention in mentions
            .iter()
            .filter(|m| m.span.end > m.span.start && span.contains(m.span))
        {
            if named.last().is_none_or(|last| last.span.end <= mention.span.start) {
                named.push(Named {
                    entity: mention.entity.clone(),
                    span: mention.span,
                });
            }
        }
        let mut clause = Self {
            text,
            span: *span,
            words,
            named,
            subject: own.to_owned(),
        };
        if let Some(subject) = clause.leading() {
            clause.subject = subject;
        }
        clause
    }

    /// The entity that opens the sentence: nothing but an article, or an adverbial closed by a comma, before it.
    fn leading(&self) -> Option<String> {
        let opening = self.words.first()?.of(self.text).to_lowercase();
        if PRONOUNS.contains(&opening.as_str()) {
            return None;
        }
        self.named
            .iter()
            .find(|named| {
                let before = self
                    .text
                    .get(self.span.start as usize..named.span.start as usize)
                    .unwrap_or("");
                let bare = before.trim().trim_matches(['"', '“']);
                bare.is_empty() || matches!(bare, "The" | "A" | "An") || bare.ends_with(',')
            })
            .map(|named| named.entity.clone())
    }

    /// The words between two places of the sentence in lower case.
    pub(crate) fn between(&self, start: u32, end: u32) -> Vec<String> {
        self.words
            .iter()
            .filter(|word| word.span.start >= start && word.span.end <= end)
            .map(|word| word.of(self.text).to_lowercase())
            .collect()
    }

    /// The raw text between two places.
    pub(crate) fn gap(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}

/// Whether a negation stands among these words (lower case).
pub(crate) fn is_negated(words: &[String]) -> bool {
    words
        .iter()
        .any(|word| NEGATIONS.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n’t"))
}

/// Whether these words only join two items of a list.
pub(crate) fn is_list_joint(words: &[String]) -> bool {
    matches!(words, [])
        || matches!(words, [only] if only == "and" || only == "or" || only == "the")
        || matches!(words, [first, second] if first == "and" && second == "the")
}
