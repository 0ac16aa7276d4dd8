//! What a parse says of each word.

use banyan_engine::Span;

/// One word of a text with its analysis. Labels borrow from the [`Pipeline`](super::Pipeline).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Where the word stands.
    pub span: Span,
    /// Part of speech in the Penn treebank's tags (`NNP`, `VBD`, …; `_SP` for white space).
    pub tag: &'a str,
    /// Index of the word that this one depends on, in the same list; a root's is its own.
    pub head: usize,
    /// Kind of the dependency in the model's labels (`nsubj`, `dobj`, …); `ROOT` at a root, `dep` at white space.
    pub label: &'a str,
    /// The named entity that the word is part of.
    pub entity: Option<Entity<'a>>,
    /// Whether a sentence starts here.
    pub starts_sentence: bool,
}

/// A word's part in a named entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity<'a> {
    /// Kind of the entity in the model's labels (`PERSON`, `ORG`, `GPE`, …).
    pub label: &'a str,
    /// Whether the entity begins with this word.
    pub begins: bool,
}
