//! The report of an extraction evaluation, with published figures beside ours.

use super::metric::Score;
use serde::Serialize;

/// Published F1 on the same sentences, of two language models of 13 B parameters that were prompted with the ontology
/// and an example.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Comparators {
    pub(super) vicuna_13b: f64,
    pub(super) alpaca_lora_13b: f64,
}

/// By ontology, as published with the benchmark: Vicuna-13B, Alpaca-LoRA-13B.
const PUBLISHED: [(&str, f64, f64); 8] = [
    ("ont_12_monument", 0.05, 0.08),
    ("ont_18_scientist", 0.46, 0.34),
    ("ont_1_movie", 0.25, 0.17),
    ("ont_1_university", 0.23, 0.20),
    ("ont_2_music", 0.32, 0.22),
    ("ont_4_book", 0.26, 0.19),
    ("ont_7_company", 0.41, 0.25),
    ("ont_8_politics", 0.33, 0.21),
];

/// Means over sentences, or over ontologies.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Figures {
    #[serde(flatten)]
    pub(super) score: Score,
    pub(super) sentences: usize,
    cpu_seconds: f64,
    /// Sentences read in a minute of the clock, with the threads that were used.
    sentences_per_minute: f64,
    #[serde(skip)]
    seconds: f64,
}

impl Figures {
    /// The mean of `scores` over `sentences` that were read in so many seconds.
    pub(super) fn new(scores: &[Score], sentences: usize, cpu_seconds: f64, seconds: f64) -> Self {
        Self {
            score: Score::mean(scores),
            sentences,
            cpu_seconds,
            sentences_per_minute: rate(sentences, seconds),
            seconds,
        }
    }

    /// Means of ontologies, each weighing the same; sentences and times add up.
    fn mean(ontologies: &[OntologyReport]) -> Self {
        let figures = || ontologies.iter().map(|ontology| ontology.figures);
        let scores: Vec<Score> = figures().map(|figures| figures.score).collect();
        let sentences = figures().map(|figures| figures.sentences).sum();
        let cpu_seconds = figures().map(|figures| figures.cpu_seconds).sum();
        let seconds = figures().map(|figures| figures.seconds).sum();
        Self::new(&scores, sentences, cpu_seconds, seconds)
    }
}

fn rate(sentences: usize, seconds: f64) -> f64 {
    if seconds > 0.0 {
        60.0 * sentences as f64 / seconds
    } else {
        0.0
    }
}

#[derive(Serialize)]
pub(super) struct OntologyReport {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) figures: Figures,
    /// What was published; `None` for an ontology that is not among the eight.
    pub(super) comparators: Option<Comparators>,
}

impl OntologyReport {
    pub(super) fn new(name: &str, figures: Figures) -> Self {
        let published = PUBLISHED.iter().find(|(id, ..)| *id == name);
        Self {
            name: name.to_owned(),
            figures,
            comparators: published.map(|(_, vicuna_13b, alpaca_lora_13b)| Comparators {
                vicuna_13b: *vicuna_13b,
                alpaca_lora_13b: *alpaca_lora_13b,
            }),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Report {
    /// How the reader knew the relations: `labels` or `examples`.
    pub(super) reader: String,
    #[serde(flatten)]
    pub(super) figures: Figures,
    /// Mean of the comparators over the ontologies; `None` where any lacks them.
    pub(super) comparators: Option<Comparators>,
    pub(super) ontologies: Vec<OntologyReport>,
}

impl Report {
    /// The report over these ontologies, each weighing the same.
    pub(super) fn new(reader: String, ontologies: Vec<OntologyReport>) -> Self {
        let published: Option<Vec<Comparators>> = ontologies.iter().map(|report| report.comparators).collect();
        let mean =
            |list: &[Comparators], of: fn(&Comparators) -> f64| list.iter().map(of).sum::<f64>() / list.len() as f64;
        Self {
            reader,
            figures: Figures::mean(&ontologies),
            comparators: published.filter(|list| !list.is_empty()).map(|list| Comparators {
                vicuna_13b: mean(&list, |one| one.vicuna_13b),
                alpaca_lora_13b: mean(&list, |one| one.alpaca_lora_13b),
            }),
            ontologies,
        }
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
        OntologyReport::new(name, Figures::new(&[score, score], 2, 1.0, seconds))
    }

    #[test]
    fn ontologies_weigh_the_same_and_published_figures_stand_beside() {
        let some = vec![report("ont_1_movie", 0.5, 1.0), report("ont_9_tide", 0.25, 2.0)];
        let some = Report::new("labels".to_owned(), some);
        assert!((some.figures.score.f1 - 0.375).abs() < 1e-9);
        assert!((some.figures.sentences_per_minute - 80.0).abs() < 1e-9);
        assert_eq!((some.figures.sentences, some.comparators), (4, None));
        let all = PUBLISHED.iter().map(|(name, ..)| report(name, 0.0, 1.0)).collect();
        let means = Report::new("labels".to_owned(), all).comparators.unwrap();
        assert!((means.vicuna_13b - 0.289).abs() < 5e-4 && (means.alpaca_lora_13b - 0.2075).abs() < 5e-4);
    }
}
