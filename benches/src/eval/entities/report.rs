//! The report of an evaluation of named entities: a table for people, JSON for programs.

use crate::eval::published::{Comparator, Training, show};
use crate::eval::tally::Figures;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

/// The labels by which the two domains of `CrossNER` (Liu et al., AAAI 2021) that we compare on are known, each with the
/// columns of [`PUBLISHED`].
const DOMAINS: &[(usize, &[&str])] = &[
    (
        0,
        &[
            "award",
            "book",
            "country",
            "event",
            "literarygenre",
            "location",
            "magazine",
            "misc",
            "organisation",
            "person",
            "poem",
            "writer",
        ],
    ),
    (
        1,
        &[
            "country",
            "election",
            "event",
            "location",
            "misc",
            "organisation",
            "person",
            "politicalparty",
            "politician",
        ],
    ),
];

const GLINER: &str = "Zaratiana et al. 2023, arXiv 2311.08526, table 1";
const TOPT: &str = "Zhang et al. 2024, Cross-domain NER with Generated Task-Oriented Knowledge, table 2";

/// F1 in exact span and type on the test parts, in per cent, for literature and politics. `DAPTN` are the BERT of the
/// `CrossNER` paper, pre-trained on the domain and fine-tuned.
const PUBLISHED: &[(&str, Training, [f64; 2], &str)] = &[
    ("Vicuna-13B", Training::ZeroShot, [22.7, 27.0], GLINER),
    ("ChatGPT", Training::ZeroShot, [39.8, 68.5], GLINER),
    ("GPT-4", Training::ZeroShot, [54.31, 45.84], TOPT),
    ("InstructUIE-11B", Training::ZeroShot, [47.2, 48.1], GLINER),
    ("UniNER-13B", Training::ZeroShot, [60.9, 61.4], GLINER),
    ("GLiNER-L (0.3 B)", Training::ZeroShot, [64.4, 72.6], GLINER),
    ("BERT, DAPTN", Training::Supervised, [65.18, 72.76], TOPT),
    ("TOPT", Training::Supervised, [77.85, 81.55], TOPT),
];

/// Figures on one set of sentences, all micro-averaged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Names right in place and label.
    #[serde(flatten)]
    pub typed: Figures,
    /// Names right in place, whatever the label.
    pub span: Figures,
    /// Names right in place and label, by label.
    pub by_label: BTreeMap<String, Figures>,
    /// All labels of the set.
    pub labels: BTreeSet<String>,
    /// Sentences read.
    pub sentences: usize,
    /// Files they stand in.
    pub files: usize,
    /// CPU time of reading them, all threads together.
    pub cpu_seconds: f64,
}

impl Report {
    /// What was published on the test part of the set with these labels; empty for other sets.
    pub fn comparators(&self) -> Vec<Comparator> {
        let labels: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        let Some((column, _)) = DOMAINS.iter().find(|(_, known)| *known == labels) else {
            return Vec::new();
        };
        let rows = PUBLISHED.iter().map(|(system, training, f1, source)| Comparator {
            system,
            training: *training,
            setting: "test part",
            f1: f1[*column] / 100.0,
            source,
        });
        rows.collect()
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} sentences, {} labels; no training on them, schema from the labels",
            self.sentences,
            self.labels.len()
        )?;
        writeln!(
            f,
            "{:<18} {:>6} {:>6} {:>6} {:>6} {:>6}",
            "", "gold", "found", "P", "R", "F1"
        )?;
        let rows = self.by_label.iter().map(|(label, figures)| (label.as_str(), figures));
        let all = [("span", &self.span), ("span and label", &self.typed)];
        for (name, figures) in rows.chain(all) {
            let Figures {
                f1,
                precision,
                recall,
                gold,
                found,
                ..
            } = figures;
            writeln!(
                f,
                "{name:<18} {gold:>6} {found:>6} {precision:>6.3} {recall:>6.3} {f1:>6.3}"
            )?;
        }
        write!(f, "read in {:.2} s cpu", self.cpu_seconds)?;
        show(&self.comparators(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(labels: &[&str]) -> Report {
        Report {
            typed: Figures::default(),
            span: Figures::default(),
            by_label: BTreeMap::new(),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            sentences: 1,
            files: 1,
            cpu_seconds: 0.0,
        }
    }

    #[test]
    fn published_figures_stand_beside_their_own_labels_only() {
        let politics = report(DOMAINS[1].1);
        let text = politics.to_string();
        assert!(text.contains("GLiNER-L (0.3 B)       zero-shot  F1 0.726"), "{text}");
        assert_eq!(politics.comparators().len(), PUBLISHED.len());
        assert!(report(DOMAINS[0].1).to_string().contains("F1 0.644"));
        let other = report(&["person"]).to_string();
        assert!(
            other.ends_with("published: – (no figure is known for this set)"),
            "{other}"
        );
    }
}
