//! Who answers the questions of an anonymised set: the program itself, or a language model.

use super::item::Item;
use anyhow::Result;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, Knowledge};
use banyan_extract::sentence;
use banyan_extract::tag::Tag;
use banyan_retrieve::{Evidence, Mode, Searcher};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Probability below which the program refuses: where being wrong is likelier than being right.
const SURE: f64 = 0.5;
/// Passages of a ranking that an option is looked for in: the paper's top 20.
const MAX_RANKED: usize = 20;

/// What was answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The option chosen; `None` where none was, and for reversions.
    pub letter: Option<char>,
    /// The names given; none for a choice.
    pub names: BTreeMap<Tag, String>,
    /// How sure that is, 0..=1; of a refusal, would have been.
    pub confidence: f64,
}

impl Given {
    /// The letter, or lines of tag and name; `None` where nothing was answered.
    pub fn lines(&self) -> Option<String> {
        let names = self.names.iter().map(|(tag, name)| format!("{}——{name}", tag.bare()));
        let lines: Vec<String> = self.letter.map(String::from).into_iter().chain(names).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// A refusal, as sure as the answer would have been.
    #[must_use]
    pub(super) fn refused(self) -> Self {
        Self {
            confidence: self.confidence,
            ..Self::default()
        }
    }
}

/// Who answers.
pub trait Answerer {
    /// Answers each question from the evidence for it; the lists run in parallel. Without evidence it answers from what
    /// it knows by itself. In reject mode what is too weak is left unanswered.
    ///
    /// # Errors
    /// Where a model gives no reply.
    fn answer(&self, items: &[Item], evidence: Option<&[Evidence]>, mode: Mode) -> Result<Vec<Given>>;
}

/// The program: what the sentences found say of each option. By itself it knows nothing, names behind tags least of all.
pub struct Embedded<'a> {
    searcher: &'a Searcher,
    /// In how many passages of the corpus a term stands.
    frequency: HashMap<String, usize>,
}

impl<'a> Embedded<'a> {
    /// Over a corpus. Cost O(total length).
    pub fn new(searcher: &'a Searcher) -> Self {
        let knowledge = searcher.knowledge();
        let mut frequency: HashMap<String, usize> = HashMap::new();
        for chunk in 0..knowledge.chunks.len() {
            for term in term::distinct(&knowledge.passage(ChunkId::at(chunk))) {
                *frequency.entry(term).or_default() += 1;
            }
        }
        Self { searcher, frequency }
    }

    /// The option of which the first passages of a ranking say most, and its share of what they say of all; none for a
    /// reversion, or where they say nothing of any. Cost O(length of the passages).
    ///
    /// A sentence says of an option as much as it has of the question's words times what it has of the option's, by
    /// rarity: once with the whole question and once with its last clause, which asks. Of all sentences the best counts.
    pub fn choose(&self, item: &Item, ranking: &[ChunkId]) -> Given {
        let sentences = sentences(self.searcher.knowledge(), ranking);
        let asked = [item.stem.as_str(), last_clause(&item.stem)].map(|text| self.weighted(text));
        let said = item.options.iter().map(|(_, option)| {
            let option = self.weighted(option);
            let best = |asked: &Weighted| {
                let joint = sentences
                    .iter()
                    .map(|sentence| share(asked, sentence) * share(&option, sentence));
                joint.fold(0.0, f64::max)
            };
            let sum: f64 = asked.iter().map(best).sum();
            sum * sum
        });
        let said: Vec<f64> = said.collect();
        let first_best = said.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1));
        match first_best.filter(|(_, said)| **said > 0.0) {
            Some((at, best)) => Given {
                letter: Some(item.options[at].0),
                confidence: best / said.iter().sum::<f64>(),
                ..Given::default()
            },
            None => Given::default(),
        }
    }

    /// The terms of a text by rarity among the passages; the weights sum to 1.
    fn weighted(&self, text: &str) -> Weighted {
        let n = self.searcher.knowledge().chunks.len().max(1) as f64;
        let weight = |term: String| {
            let df = self.frequency.get(&term).copied().unwrap_or(1) as f64;
            (term, (1.0 + n / df).ln())
        };
        let mut terms: Weighted = term::distinct(text).into_iter().map(weight).collect();
        let total: f64 = terms.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut terms {
            *weight /= total;
        }
        terms
    }
}

/// Terms with their weights.
type Weighted = Vec<(String, f64)>;

/// The weight of those terms that a sentence has, 0..=1.
fn share(terms: &Weighted, sentence: &BTreeSet<String>) -> f64 {
    let has = terms.iter().filter(|(term, _)| sentence.contains(term));
    has.map(|(_, weight)| weight).sum()
}

/// The terms of every sentence of the first passages.
fn sentences(knowledge: &Knowledge, ranking: &[ChunkId]) -> Vec<BTreeSet<String>> {
    let passages = ranking.iter().take(MAX_RANKED).map(|chunk| knowledge.passage(*chunk));
    let cut = |passage: String| {
        let spans = sentence::split(&passage).into_iter();
        let terms = spans.map(|span| term::distinct(span.of(&passage)).into_iter().collect());
        terms.collect::<Vec<BTreeSet<String>>>()
    };
    passages.flat_map(cut).collect()
}

/// The last part of a question that states something: "Who is it?" asks of what stands before it.
fn last_clause(stem: &str) -> &str {
    let parts = stem.split([';', '；', '。', '.', '?', '？', '!', '！', ':', '：', '\n']);
    let says = |part: &&str| term::distinct(part).len() > 2;
    parts.rev().find(says).unwrap_or(stem)
}

impl Answerer for Embedded<'_> {
    fn answer(&self, items: &[Item], evidence: Option<&[Evidence]>, mode: Mode) -> Result<Vec<Given>> {
        let Some(evidence) = evidence else {
            return Ok(vec![Given::default(); items.len()]);
        };
        let given = items.par_iter().zip(evidence).map(|(item, evidence)| {
            let ranking: Vec<ChunkId> = evidence.passages.iter().map(|passage| passage.chunk).collect();
            let given = self.choose(item, &ranking);
            let is_weak = mode == Mode::Reject && given.confidence < SURE;
            if is_weak { given.refused() } else { given }
        });
        Ok(given.collect())
    }
}
