//! Taking in what an outside extractor says: trimmed, bounded, once, and borne out by the text.

mod grounds;
mod intake;

pub use banyan_engine::stated::{
    Defect, DefectCounts, DefectKind, NewType, Stated, StatedAttribute, StatedEntity, StatedTriple,
};
pub use grounds::Grounds;
pub use intake::{
    Intake, MAX_DESCRIPTION_CHARS, MAX_LABEL_CHARS, MAX_NAME_CHARS, MAX_STATEMENTS, MAX_TYPE_NAMES, MAX_VALUE_CHARS,
};

/// What `first` states, and what `later` states beyond it; defects of both. Cost O(n log n).
#[must_use]
pub fn join(first: Stated, later: Stated) -> Stated {
    let mut intake = Intake::resume(first);
    intake.add(later);
    intake.finish()
}
