//! The report of an evaluation of relations: a table for people, JSON for programs.

use crate::eval::published::{Comparator, Training, show};
use crate::eval::tally::Figures;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Documents and facts of the development part of Re-DocRED (Tan et al., EMNLP 2022), by which it is known.
const REDOCRED_DEV: (usize, usize) = (500, 17_284);
/// Relations shown in the table, the most frequent ones.
const N_SHOWN: usize = 12;

const GIVEN: &str = "gold entities handed in";
const ALONE: &str = "from the text alone";
const EP_RSR: &str = "Zhang et al., Findings of NAACL 2025, pages 4022–4037, table 1";
const EP_RSR_TRIPLETS: &str = "Zhang et al., Findings of NAACL 2025, pages 4022–4037, table 10";

/// F1 on the development part of Re-DocRED, in per cent.
const PUBLISHED: &[(&str, Training, f64, &str, &str)] = &[
    ("PromptRE", Training::ZeroShot, 10.55, GIVEN, EP_RSR),
    ("DocGNRE, Llama3-8B", Training::ZeroShot, 11.18, GIVEN, EP_RSR),
    ("ChatGPT", Training::FewShot, 28.89, GIVEN, EP_RSR),
    ("LMRC", Training::Supervised, 52.56, GIVEN, EP_RSR),
    ("ATLOP", Training::Supervised, 77.63, GIVEN, EP_RSR),
    ("AutoRE, Llama3-8B", Training::Supervised, 57.79, ALONE, EP_RSR_TRIPLETS),
    ("EP-RSR, Llama3-8B", Training::Supervised, 58.77, ALONE, EP_RSR_TRIPLETS),
];

/// Figures on one set of documents, all micro-averaged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Facts right in head, relation and tail, from the text alone.
    #[serde(flatten)]
    pub facts: Figures,
    /// The same, where facts with an end that is no gold entity are set aside rather than counted as wrong.
    pub between_gold: Figures,
    /// Mentions of entities right in place and label.
    pub entities: Figures,
    /// Mentions right in place, whatever the label.
    pub entity_spans: Figures,
    /// Facts by label of the relation.
    pub by_label: BTreeMap<String, Figures>,
    /// Mentions by label.
    pub entities_by_label: BTreeMap<String, Figures>,
    /// Documents read.
    pub documents: usize,
    /// CPU time of reading them, all threads together.
    pub cpu_seconds: f64,
}

impl Report {
    /// What was published on the same documents; empty for other sets.
    pub fn comparators(&self) -> Vec<Comparator> {
        if (self.documents, self.facts.gold) != REDOCRED_DEV {
            return Vec::new();
        }
        let rows = PUBLISHED
            .iter()
            .map(|(system, training, f1, setting, source)| Comparator {
                system,
                training: *training,
                setting,
                f1: f1 / 100.0,
                source,
            });
        rows.collect()
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut relations: Vec<_> = self.by_label.iter().collect();
        relations.sort_by_key(|(label, figures)| (std::cmp::Reverse(figures.gold), *label));
        writeln!(
            f,
            "{} documents, {} relations; no training on them, schema from the labels",
            self.documents,
            relations.len()
        )?;
        writeln!(
            f,
            "{:<52} {:>6} {:>6} {:>6} {:>6} {:>6}",
            "", "gold", "found", "P", "R", "F1"
        )?;
        let rows = relations
            .into_iter()
            .take(N_SHOWN)
            .map(|(label, figures)| (label.as_str(), figures));
        let all = [
            ("all relations, from the text alone", &self.facts),
            ("all relations, between gold entities", &self.between_gold),
            ("mentions", &self.entity_spans),
            ("mentions and labels", &self.entities),
        ];
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
                "{name:<52} {gold:>6} {found:>6} {precision:>6.3} {recall:>6.3} {f1:>6.3}"
            )?;
        }
        write!(f, "read in {:.2} s cpu", self.cpu_seconds)?;
        show(&self.comparators(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_figures_stand_beside_their_own_set_only() {
        let report = |documents: usize, gold: usize| Report {
            facts: Figures {
                gold,
                ..Figures::default()
            },
            between_gold: Figures::default(),
            entities: Figures::default(),
            entity_spans: Figures::default(),
            by_label: BTreeMap::new(),
            entities_by_label: BTreeMap::new(),
            documents,
            cpu_seconds: 0.0,
        };
        let text = report(500, 17_284).to_string();
        assert!(
            text.contains("ChatGPT                few-shot   F1 0.289  gold entities handed in"),
            "{text}"
        );
        assert!(
            report(2, 3)
                .to_string()
                .ends_with("– (no figure is known for this set)")
        );
    }
}
