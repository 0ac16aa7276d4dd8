//! The report of an extraction evaluation: a table for people, JSON for programs.

use super::metric::Score;
use banyan::eval::report::Part;
use serde::Serialize;

/// F1 of two language models of 13 B parameters, as published with the benchmark.
const PUBLISHED: &[(&str, Comparators)] = &[
    ("ont_12_monument", Comparators::new(0.05, 0.08)),
    ("ont_18_scientist", Comparators::new(0.46, 0.34)),
    ("ont_1_movie", Comparators::new(0.25, 0.17)),
    ("ont_1_university", Comparators::new(0.23, 0.20)),
    ("ont_2_music", Comparators::new(0.32, 0.22)),
    ("ont_4_book", Comparators::new(0.26, 0.19)),
    ("ont_7_company", Comparators::new(0.41, 0.25)),
    ("ont_8_politics", Comparators::new(0.33, 0.21)),
];

/// Published F1 on the same sentences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparators {
    /// Vicuna-13B, prompted with the ontology and an example.
    pub vicuna_13b: f64,
    /// Alpaca-LoRA-13B, likewise.
    pub alpaca_lora_13b: f64,
}

impl Comparators {
    const fn new(vicuna_13b: f64, alpaca_lora_13b: f64) -> Self {
        Self {
            vicuna_13b,
            alpaca_lora_13b,
        }
    }

    /// What was published for this ontology; `None` for one that is not among the eight development ontologies.
    pub fn of(ontology: &str) -> Option<Self> {
        let found = PUBLISHED.iter().find(|(id, _)| *id == ontology)?;
        Some(found.1)
    }
}

/// Shares of what the text, or for relations the ontology, does not have; the lower the better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Hallucination {
    /// Of subjects.
    pub subject: f64,
    /// Of relations: 1 − conformance.
    pub relation: f64,
    /// Of objects.
    pub object: f64,
}

/// Means over sentences, or over ontologies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// F1 among the relations of each sentence's gold, the benchmark's headline.
    pub f1: f64,
    /// Precision, likewise.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// Share of predicted relations that the ontology has.
    pub conformance: f64,
    /// What was invented.
    pub hallucination: Hallucination,
    /// F1 where predictions of every relation count.
    pub strict_f1: f64,
    /// Sentences read.
    pub sentences: usize,
    /// CPU time of reading them, all threads together.
    pub cpu_seconds: f64,
    /// Sentences read in a minute of the clock, with the threads that were used.
    pub sentences_per_minute: f64,
}

impl Figures {
    /// Means over the sentences of one ontology, read in `seconds` of the clock; zero for none.
    pub fn of_sentences(scores: &[Score], cpu_seconds: f64, seconds: f64) -> Self {
        let n = scores.len().max(1) as f64;
        let mean = |part: fn(&Score) -> f64| scores.iter().map(part).sum::<f64>() / n;
        let conformance = mean(|score| score.conformance);
        Self {
            f1: mean(|score| score.f1),
            precision: mean(|score| score.precision),
            recall: mean(|score| score.recall),
            conformance,
            hallucination: Hallucination {
                subject: mean(|score| score.subject_hallucination),
                relation: 1.0 - conformance,
                object: mean(|score| score.object_hallucination),
            },
            strict_f1: mean(|score| score.strict_f1),
            sentences: scores.len(),
            cpu_seconds,
            sentences_per_minute: rate(scores.len(), seconds),
        }
    }

    /// Means over ontologies, each weighing the same; sentences and times add up.
    fn of_ontologies(reports: &[OntologyReport]) -> Self {
        let n = reports.len().max(1) as f64;
        let mean = |part: fn(&Self) -> f64| reports.iter().map(|report| part(&report.figures)).sum::<f64>() / n;
        let sentences = reports.iter().map(|report| report.figures.sentences).sum();
        let seconds: f64 = reports.iter().map(|report| report.figures.seconds()).sum();
        Self {
            f1: mean(|figures| figures.f1),
            precision: mean(|figures| figures.precision),
            recall: mean(|figures| figures.recall),
            conformance: mean(|figures| figures.conformance),
            hallucination: Hallucination {
                subject: mean(|figures| figures.hallucination.subject),
                relation: mean(|figures| figures.hallucination.relation),
                object: mean(|figures| figures.hallucination.object),
            },
            strict_f1: mean(|figures| figures.strict_f1),
            sentences,
            cpu_seconds: reports.iter().map(|report| report.figures.cpu_seconds).sum(),
            sentences_per_minute: rate(sentences, seconds),
        }
    }

    fn seconds(&self) -> f64 {
        if self.sentences_per_minute > 0.0 {
            60.0 * self.sentences as f64 / self.sentences_per_minute
        } else {
            0.0
        }
    }
}

fn rate(sentences: usize, seconds: f64) -> f64 {
    if seconds > 0.0 {
        60.0 * sentences as f64 / seconds
    } else {
        0.0
    }
}

/// Figures of one ontology.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OntologyReport {
    /// The ontology's id.
    pub name: String,
    /// Ours.
    #[serde(flatten)]
    pub figures: Figures,
    /// Theirs, where published.
    pub comparators: Option<Comparators>,
}

impl OntologyReport {
    /// The report of the ontology of this id, with what was published for it.
    pub fn new(name: &str, figures: Figures) -> Self {
        Self {
            name: name.to_owned(),
            figures,
            comparators: Comparators::of(name),
        }
    }
}

/// Figures of all ontologies and their means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// How the reader knew the relations: `labels` or `examples`.
    pub reader: String,
    /// Means over the ontologies.
    #[serde(flatten)]
    pub figures: Figures,
    /// Mean of the comparators over the ontologies; `None` where any lacks them.
    pub comparators: Option<Comparators>,
    /// One each, in the order of evaluation.
    pub ontologies: Vec<OntologyReport>,
}

impl Report {
    /// The report over these ontologies.
    pub fn new(reader: &str, ontologies: Vec<OntologyReport>) -> Self {
        let published: Option<Vec<Comparators>> = ontologies.iter().map(|report| report.comparators).collect();
        let comparators = published.filter(|list| !list.is_empty()).map(|list| {
            let n = list.len() as f64;
            Comparators::new(
                list.iter().map(|one| one.vicuna_13b).sum::<f64>() / n,
                list.iter().map(|one| one.alpaca_lora_13b).sum::<f64>() / n,
            )
        });
        Self {
            reader: reader.to_owned(),
            figures: Figures::of_ontologies(&ontologies),
            comparators,
            ontologies,
        }
    }
}

impl Report {
    /// The same as parts of a report: their mean, then an ontology each, published F1 beside ours.
    pub fn parts(&self) -> Vec<Part> {
        let of = |name: &str, figures: &Figures, published: Option<Comparators>| {
            let mut part = Part {
                set: name.to_owned(),
                ..Part::default()
            };
            for (metric, value) in [
                ("f1", figures.f1),
                ("precision", figures.precision),
                ("recall", figures.recall),
                ("strict f1", figures.strict_f1),
                ("conformance", figures.conformance),
                ("invented subjects", figures.hallucination.subject),
                ("invented objects", figures.hallucination.object),
                ("sentences a minute", figures.sentences_per_minute),
            ] {
                part.total("banyan", metric, figures.sentences, value);
            }
            if let Some(published) = published {
                part.total("Vicuna-13B", "f1", figures.sentences, published.vicuna_13b);
                part.total("Alpaca-LoRA-13B", "f1", figures.sentences, published.alpaca_lora_13b);
            }
            part
        };
        let mean = of(
            &format!("mean, read from {}", self.reader),
            &self.figures,
            self.comparators,
        );
        let each = self
            .ontologies
            .iter()
            .map(|one| of(&one.name, &one.figures, one.comparators));
        std::iter::once(mean).chain(each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(name: &str, f1: f64, seconds: f64) -> OntologyReport {
        let score = Score {
            f1,
            conformance: 1.0,
            ..Score::default()
        };
        OntologyReport::new(name, Figures::of_sentences(&[score, score], 1.0, seconds))
    }

    #[test]
    fn ontologies_weigh_the_same_and_published_figures_stand_beside() {
        let report = Report::new(
            "labels",
            vec![report("ont_1_movie", 0.5, 1.0), report("ont_9_tide", 0.25, 2.0)],
        );
        assert!((report.figures.f1 - 0.375).abs() < 1e-9);
        assert!((report.figures.sentences_per_minute - 80.0).abs() < 1e-9);
        assert_eq!((report.figures.sentences, report.comparators), (4, None));
        let parts = report.parts();
        assert_eq!((parts.len(), parts[1].names().len(), parts[2].names().len()), (3, 3, 1));
    }

    #[test]
    fn the_published_means_are_those_of_the_benchmark() {
        let all = PUBLISHED.iter().map(|(name, _)| report(name, 0.0, 1.0)).collect();
        let means = Report::new("labels", all).comparators.unwrap();
        assert!((means.vicuna_13b - 0.289).abs() < 5e-4 && (means.alpaca_lora_13b - 0.2075).abs() < 5e-4);
    }
}
