//! What was written wrongly in a reply and how often: counted by kind, told as one defect a kind.

use crate::stated::{Defect, DefectKind};
use std::collections::BTreeMap;

/// A way in which replies are not JSON although it is clear what is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Repair {
    /// Thoughts before the answer.
    Thinking,
    /// Fences of a code block.
    Fence,
    /// Text around the JSON.
    Prose,
    /// More than one value.
    Several,
    /// JSON within a JSON string.
    Nested,
    /// A comment.
    Comment,
    /// A comma too many or too few.
    Comma,
    /// A colon too many or too few.
    Colon,
    /// A bracket that was not closed, or closed as another.
    Bracket,
    /// Round brackets for a list.
    Tuple,
    /// Single or typographic quotation marks, or none.
    Quote,
    /// A quotation mark inside a text, not escaped.
    InnerQuote,
    /// A literal of another language, such as `None`.
    Literal,
    /// An escape that does not exist.
    Escape,
    /// A key that an object has twice.
    DuplicateKey,
}

impl Repair {
    fn as_str(self) -> &'static str {
        match self {
            Self::Thinking => "thoughts before the answer",
            Self::Fence => "code fence",
            Self::Prose => "text around the JSON",
            Self::Several => "several values",
            Self::Nested => "JSON within a string",
            Self::Comment => "comment",
            Self::Comma => "comma",
            Self::Colon => "colon",
            Self::Bracket => "bracket",
            Self::Tuple => "round bracket",
            Self::Quote => "quotation mark",
            Self::InnerQuote => "quotation mark inside a text",
            Self::Literal => "literal",
            Self::Escape => "escape",
            Self::DuplicateKey => "repeated key",
        }
    }
}

/// Repairs of one reply.
#[derive(Clone, Debug, Default)]
pub(super) struct Repairs {
    counts: BTreeMap<Repair, u64>,
    n_too_deep: u64,
}

impl Repairs {
    /// Counts one.
    pub(super) fn note(&mut self, repair: Repair) {
        *self.counts.entry(repair).or_default() += 1;
    }

    /// Counts a value that lies too deep and was dropped.
    pub(super) fn note_depth(&mut self) {
        self.n_too_deep += 1;
    }

    /// Looks at text outside any value: white space is free, fences and prose count.
    pub(super) fn note_outside(&mut self, text: &str) {
        let mut is_prose = false;
        for (n, piece) in text.split("```").enumerate() {
            if n > 0 {
                self.note(Repair::Fence);
            }
            let word = piece.trim();
            let is_language = n > 0 && word.len() <= 10 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            is_prose |= !word.is_empty() && !is_language;
        }
        if is_prose {
            self.note(Repair::Prose);
        }
    }

    /// One defect a kind of repair, and one for what lay too deep.
    pub(super) fn defects(&self) -> Vec<Defect> {
        let tell = |(repair, n): (&Repair, &u64)| {
            let detail = format!("{n} × {}", repair.as_str());
            Defect::new(DefectKind::Syntax, detail)
        };
        let mut defects: Vec<Defect> = self.counts.iter().map(tell).collect();
        if self.n_too_deep > 0 {
            let detail = format!("{} values", self.n_too_deep);
            defects.push(Defect::new(DefectKind::TooDeep, detail));
        }
        defects
    }
}
