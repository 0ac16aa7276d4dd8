//! A sentence as extraction sees it: its words, the entities it names, and what the words between them may state.

use crate::analysis::Analysis;
use crate::doubt;
use crate::word::Word;
use banyan_engine::fact::EntityKey;
use banyan_engine::script::simplified;
use banyan_engine::{Mention, Span};
use std::sync::Arc;

/// Pronouns that stand for the document's subject at the start of a sentence.
const PRONOUNS: &[&str] = &[
    "he", "she", "it", "they", "his", "her", "its", "their", "他", "她", "它", "他们", "她们", "它们", "其", "该", "此",
];

/// Words that join the items of a list.
const JOINTS: &[&str] = &["and", "or", "the", "与", "以及", "及", "和", "或"];
/// Words that open an adverbial rather than a subject.
const ADVERBIAL: &[&str] = &[
    "at", "born", "by", "during", "for", "from", "in", "near", "on", "under", "with", "从", "在", "由", "自", "于",
];
/// Marks between the parts of a sentence.
pub(crate) const COMMAS: [char; 3] = [',', '，', '、'];

/// One entity named in a sentence, as one unambiguous mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The entity's key.
    pub(crate) entity: EntityKey,
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
    /// Its words in lower case, traditional characters as simplified ones.
    pub(crate) lower: Vec<String>,
    /// Entities named in it, in order, without overlap.
    pub(crate) named: Vec<Named>,
    /// What the sentence is about.
    pub(crate) subject: EntityKey,
}

impl<'a> Clause<'a> {
    /// Reads one sentence of a document. `mentions` are the document's, sorted by place; of several meanings of a
    /// name the first is taken. A sentence that opens with a pronoun or names nothing before its verb is about `own`,
    /// the document's subject. Cost O(words + mentions of the sentence).
    pub(crate) fn new(
        parsed: &Analysis<'a>,
        sentence: &'a (Span, Vec<Word>),
        mentions: &[Mention],
        own: &EntityKey,
    ) -> Self {
        let (span, words) = sentence;
        let text = parsed.text();
        let mut named: Vec<Named> = Vec::new();
        for mention in within(mentions, *span) {
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
            lower: words
                .iter()
                .map(|word| {
                    word.of(text)
                        .chars()
                        .map(simplified)
                        .flat_map(char::to_lowercase)
                        .collect()
                })
                .collect(),
            named,
            subject: Arc::clone(own),
        };
        if let Some(subject) = clause.leading() {
            clause.subject = subject;
        }
        clause
    }

    /// What the sentence is about, as its opening tells.
    fn leading(&self) -> Option<EntityKey> {
        let first = self.opening()?;
        // "韦辛市的博物馆": what is owned is meant, not the owner.
        let owned = (first + 1..self.named.len())
            .take_while(|at| self.gap(self.named[*at - 1].span.end, self.named[*at].span.start) == "的")
            .last();
        Some(self.named[owned.unwrap_or(first)].entity.clone())
    }

    /// The position of the name that opens the sentence: nothing but an article, or an adverbial closed by a comma,
    /// before it. A name that a comma follows inside such an opening belongs to the adverbial ("Born in Corby, England,
    /// Ferris …").
    fn opening(&self) -> Option<usize> {
        if PRONOUNS.contains(&self.lower.first()?.as_str()) {
            return None;
        }
        let found = self.named.iter().position(|named| {
            let bare = self
                .gap(self.span.start, named.span.start)
                .trim()
                .trim_matches(['"', '“', '「', '《']);
            let after = self.gap(named.span.end, self.span.end);
            let closes = bare.ends_with([',', '，']) && !after.starts_with([',', '，', '》']);
            bare.is_empty() && !self.is_adverbial() || matches!(bare, "The" | "A" | "An") || closes
        })?;
        let before = self.between(self.span.start, self.named[found].span.start);
        let has_pronoun = before.iter().any(|word| PRONOUNS.contains(&word.as_str()));
        (!has_pronoun).then_some(found)
    }

    /// Whether the sentence opens with a participle or preposition, so that its first name is no subject.
    fn is_adverbial(&self) -> bool {
        self.lower
            .first()
            .is_some_and(|word| ADVERBIAL.contains(&word.as_str()))
    }

    /// The words between two places of the sentence in lower case. Cost O(log words).
    pub(crate) fn between(&self, start: u32, end: u32) -> &[String] {
        let first = self.words.partition_point(|word| word.span.start < start);
        let last = self.words.partition_point(|word| word.span.end <= end);
        self.lower.get(first..last).unwrap_or(&[])
    }

    /// The raw text between two places.
    pub(crate) fn gap(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}

/// The mentions, sorted by place, that lie within a sentence; a title's mentions, at the empty span, lie in none.
pub(crate) fn within(mentions: &[Mention], sentence: Span) -> impl Iterator<Item = &Mention> {
    let first = mentions.partition_point(|mention| mention.span.start < sentence.start);
    let last = mentions.partition_point(|mention| mention.span.start < sentence.end);
    let inside = mentions.get(first..last).unwrap_or(&[]);
    inside
        .iter()
        .filter(move |mention| mention.span.end > mention.span.start && mention.span.end <= sentence.end)
}

/// Whether a negation stands among these words (lower case).
pub(crate) fn is_negated(words: &[String]) -> bool {
    words.iter().any(|word| doubt::denies(word))
}

/// Whether these words only join two items of a list.
pub(crate) fn is_list_joint(words: &[String]) -> bool {
    matches!(words, [])
        || matches!(words, [only] if JOINTS.contains(&only.as_str()))
        || matches!(words, [first, second] if first == "and" && second == "the")
}
