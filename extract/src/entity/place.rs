//! One place that uses a name or term, as cues of what that is.

use crate::error::ExtractError;
use crate::feature::FeatureSink;
use crate::gazetteer;
use crate::grammar::{Dependency, Pos};
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::stem::stem;
use crate::terminology::is_identifier;
use crate::typing;
use crate::word::Word;
use banyan_engine::document::one_line;
use banyan_engine::document::overlapping;
use banyan_engine::{Mention, Schema, Span, TypeId};

/// The common nouns that denote the types of the built-in schema, whatever schema bounds the store.
pub(super) struct NounTypes {
    schema: Schema,
    pub(super) phrases: Phrases,
}

impl NounTypes {
    pub(super) fn new() -> Result<Self, ExtractError> {
        let schema = Schema::general()?;
        let phrases = Phrases::new(&schema);
        Ok(Self { schema, phrases })
    }

    pub(super) fn name(&self, kind: TypeId) -> &str {
        &self.schema.entity_type(kind).name
    }
}

/// One use of an entity.
pub(super) struct Place<'a> {
    text: &'a str,
    span: Span,
    words: &'a [Word],
    /// Its words, from the first to past the last.
    first: usize,
    end: usize,
    /// The word of it that the others depend on.
    head: usize,
    /// How it is set, and whether it is used as a term.
    set: [(&'static str, bool); 3],
    /// Whether many documents of the corpus set something as code.
    has_code: bool,
}

impl<'a> Place<'a> {
    pub(super) fn new(
        reading: &Reading<'a>,
        mention: &Mention,
        sentence: Span,
        words: &'a [Word],
        has_code: bool,
    ) -> Self {
        let span = mention.span;
        let first = words.partition_point(|word| word.span.end <= span.start);
        let end = words.partition_point(|word| word.span.start < span.end);
        let is_top = |at: &usize| words[*at].head == *at || !(first..end).contains(&words[*at].head);
        let head = (first..end).rev().find(is_top).unwrap_or(first);
        let code = &reading.parsed.document.layout.code;
        let is_code = reading.parsed.is_code(sentence) || overlapping(code, span).is_some();
        Self {
            text: reading.parsed.text(),
            span,
            words,
            first,
            end,
            head,
            set: [
                ("term", mention.is_term),
                ("code", is_code),
                ("heading", reading.parsed.is_heading(sentence)),
            ],
            has_code,
        }
    }

    pub(super) fn put(&self, nouns: &NounTypes, sink: &mut impl FeatureSink) {
        let Some(inside) = self.words.get(self.first..self.end).filter(|inside| !inside.is_empty()) else {
            return;
        };
        let head = self.words[self.head];
        let shape = self.shape();
        let label = label(inside);
        sink.put("label", &[label]);
        sink.put("shape", &[shape]);
        sink.put("label shape", &[label, shape]);
        if self.has_code {
            sink.put("label by code", &[label]);
        }
        sink.put("words", &[&inside.len().min(5).to_string()]);
        let last = inside[inside.len() - 1].of(self.text).to_lowercase();
        sink.put("last", &[&stem(&last)]);
        let n = last.chars().count();
        let ending: String = last.chars().skip(n.saturating_sub(3)).collect();
        sink.put("ending", &[&ending]);
        if inside.len() > 1 {
            sink.put("first", &[&inside[0].of(self.text).to_lowercase()]);
            sink.put("first pos", &[inside[0].pos.label()]);
        }
        let is_given = gazetteer::is_given_name(inside[0].of(self.text));
        let quoted = self.text[..self.span.start as usize].ends_with(['"', '“', '«', '*']);
        let shown = [("given", is_given), ("opens", self.first == 0), ("quoted", quoted)];
        for (name, holds) in self.set.into_iter().chain(shown) {
            if holds {
                sink.put(name, &[]);
            }
        }
        sink.put("pos", &[head.pos.label()]);
        sink.put("role", &[head.dependency.label()]);
        self.governed(sink);
        self.beside(sink);
        self.typed(nouns, sink);
    }

    /// What it depends on.
    fn governed(&self, sink: &mut impl FeatureSink) {
        let head = self.words[self.head];
        if head.head == self.head {
            return;
        }
        let above = self.words[head.head].of(self.text).to_lowercase();
        match head.dependency {
            Dependency::PrepositionObject => sink.put("behind", &[&above]),
            Dependency::Other | Dependency::Root => {}
            role => sink.put("on", &[role.label(), &stem(&above)]),
        }
    }

    /// The words before and after it, and what hangs on it.
    fn beside(&self, sink: &mut impl FeatureSink) {
        let shown = |word: Word| match word.pos {
            Pos::Determiner | Pos::Function | Pos::Pronoun | Pos::Adverb => word.of(self.text).to_lowercase(),
            Pos::Noun => stem(&word.of(self.text).to_lowercase()),
            pos => pos.label().to_owned(),
        };
        match self.first.checked_sub(1).map(|at| self.words[at]) {
            Some(word) => sink.put("before", &[&shown(word)]),
            None => sink.put("before", &["^"]),
        }
        match self.words.get(self.end) {
            Some(word) => sink.put("after", &[&shown(*word)]),
            None => sink.put("after", &["$"]),
        }
        let after = self.text[self.span.end as usize..].chars().next();
        if let Some(mark) = after.filter(|mark| !mark.is_alphanumeric() && !mark.is_whitespace()) {
            sink.put("mark", &[&mark.to_string()]);
        }
        let below = self.words.iter().enumerate();
        for (_, word) in below.filter(|(at, word)| word.head == self.head && !(self.first..self.end).contains(at)) {
            sink.put("below", &[word.dependency.label(), word.pos.label()]);
        }
    }

    /// What words say of its type.
    fn typed(&self, nouns: &NounTypes, sink: &mut impl FeatureSink) {
        let NounTypes { phrases, .. } = nouns;
        let spelled = self.span.of(self.text);
        let said = [
            (
                "stated",
                typing::of_statement(self.text, self.words, self.span, phrases),
            ),
            (
                "beside",
                typing::of_apposition(self.text, self.words, self.span, phrases),
            ),
            ("named", typing::of_name(&one_line(spelled), phrases)),
            ("tagged", typing::of_tag(spelled, phrases)),
            ("noun", phrases.type_of(self.words[self.head].of(self.text))),
        ];
        for (template, kind) in said {
            if let Some(kind) = kind.map(|kind| nouns.name(kind)) {
                sink.put("by", &[kind, template]);
                sink.put("by shape", &[kind, template, self.shape()]);
            }
        }
    }

    fn shape(&self) -> &'static str {
        let spelled = self.span.of(self.text);
        let letters = || spelled.chars().filter(|ch| ch.is_alphabetic());
        if is_identifier(spelled) {
            "identifier"
        } else if spelled.contains(|ch: char| ch.is_ascii_digit()) {
            "digits"
        } else if letters().all(char::is_uppercase) {
            "upper"
        } else if letters().all(char::is_lowercase) {
            "lower"
        } else if spelled.split(' ').all(|word| word.starts_with(char::is_uppercase)) {
            "title"
        } else {
            "mixed"
        }
    }
}

/// What a recogniser takes the words for, by the name of the type that it is.
fn label(inside: &[Word]) -> &'static str {
    let kind = inside[0].kind;
    if inside.iter().all(|word| word.kind == kind) {
        kind.noun().unwrap_or_else(|| kind.label())
    } else {
        "several"
    }
}
