//! Figures of other systems, as published, to stand beside ours.

use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// How a system came to know the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Training {
    /// By a prompt, or by training on other data: no example of the set.
    ZeroShot,
    /// By a prompt with a few examples of the set.
    FewShot,
    /// By training on the set's own training part.
    Supervised,
}

impl Display for Training {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ZeroShot => "zero-shot",
            Self::FewShot => "few-shot",
            Self::Supervised => "supervised",
        })
    }
}

/// One published figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparator {
    /// The system.
    pub system: &'static str,
    /// How it was prepared.
    pub training: Training,
    /// What it was given and measured on, where that differs from us.
    pub setting: &'static str,
    /// F1, 0..=1.
    pub f1: f64,
    /// Where the figure is printed.
    pub source: &'static str,
}

/// Lines that show published figures, or say that none is known.
pub(super) fn show(comparators: &[Comparator], f: &mut Formatter<'_>) -> fmt::Result {
    if comparators.is_empty() {
        return write!(f, "\npublished: – (no figure is known for this set)");
    }
    write!(f, "\npublished:")?;
    for Comparator {
        system,
        training,
        setting,
        f1,
        source,
    } in comparators
    {
        write!(f, "\n  {system:<22} {training:<10} F1 {f1:.3}  {setting}; {source}")?;
    }
    Ok(())
}
