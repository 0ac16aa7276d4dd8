//! Who answers the questions of an anonymised set: the program itself, or a language model.

use super::item::Item;
use super::logit::{Weights, best};
use super::names;
use super::support::{Features, Support};
use crate::anonymise::Tag;
use banyan_engine::ChunkId;
use banyan_engine::llm::LlmError;
use banyan_retrieve::answer::Mode;
use banyan_retrieve::evidence::Evidence;
use banyan_retrieve::searcher::Searcher;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Probability below which the program refuses: where being wrong is likelier than being right.
pub const SURE: f64 = 0.5;
/// How sure a name is that the corpus lets slip. Arbitrary: above [`SURE`].
const SLIPPED: f64 = 0.6;

/// Passages of a plain ranking that an option is looked for in: the paper's top 20.
const MAX_RANKED: usize = 20;

/// What was answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The option chosen; `None` where none was, and for reversions.
    pub letter: Option<char>,
    /// The names given; none for a choice.
    pub names: BTreeMap<Tag, String>,
    /// How sure that is, 0..=1.
    pub confidence: f64,
}

impl Given {
    /// Whether there is an answer at all.
    pub fn is_answer(&self) -> bool {
        self.letter.is_some() || !self.names.is_empty()
    }

    /// The letter, or lines of tag and name; `None` where nothing was answered.
    pub fn lines(&self) -> Option<String> {
        let names = self.names.iter().map(|(tag, name)| format!("{}——{name}", tag.bare()));
        let lines: Vec<String> = self.letter.map(String::from).into_iter().chain(names).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Who answers.
pub trait Answerer {
    /// Stable name, for reports.
    fn id(&self) -> String;

    /// Answers each question from the evidence for it; the lists run in parallel. Without evidence it answers from what it
    /// knows by itself. In reject mode what is too weak is left unanswered.
    ///
    /// # Errors
    /// [`LlmError`] where a model gives no reply.
    fn answer(&self, items: &[Item], evidence: Option<&[Evidence]>, mode: Mode) -> Result<Vec<Given>, LlmError>;
}

/// The program: support for each option, and names that slipped through. By itself it knows nothing.
pub struct Embedded<'a> {
    searcher: &'a Searcher,
    support: Support<'a>,
    weights: Weights,
}

impl<'a> Embedded<'a> {
    /// Over a corpus, with these weights. Cost O(total length).
    pub fn new(searcher: &'a Searcher, weights: Weights) -> Self {
        Self {
            searcher,
            support: Support::new(searcher),
            weights,
        }
    }

    /// The features of a question's options; none for a reversion.
    pub fn features(&self, item: &Item, evidence: &Evidence) -> Vec<Features> {
        self.support.features(item, evidence)
    }

    /// The option that the passages of a plain ranking have most of, the passage of rank r by 1/r; the first among equals,
    /// and none for a reversion or where no passage has any. Cost O(passages).
    pub fn by_ranking(&self, item: &Item, ranking: &[ChunkId]) -> Option<char> {
        let first = ranking.get(..MAX_RANKED.min(ranking.len())).unwrap_or(&[]);
        let scored: Vec<(ChunkId, f32)> = first
            .iter()
            .copied()
            .zip((1_u8..).map(|rank| 1.0 / f32::from(rank)))
            .collect();
        let options = item
            .options
            .iter()
            .map(|(_, option)| self.support.among(&scored, option));
        let options: Vec<f64> = options.collect();
        let chosen = best(&options).filter(|at| options[*at] > 0.0)?;
        item.options.get(chosen).map(|option| option.0)
    }

    fn one(&self, item: &Item, evidence: &Evidence) -> Given {
        if item.options.is_empty() {
            let names = names::slipped(self.searcher, &item.tags());
            return Given {
                confidence: if names.is_empty() { 0.0 } else { SLIPPED },
                names,
                letter: None,
            };
        }
        let probabilities = self.weights.probabilities(&self.features(item, evidence));
        let chosen = best(&probabilities);
        Given {
            letter: chosen.and_then(|at| item.options.get(at)).map(|option| option.0),
            names: BTreeMap::new(),
            confidence: chosen.map_or(0.0, |at| probabilities[at]),
        }
    }
}

impl Answerer for Embedded<'_> {
    fn id(&self) -> String {
        "embedded".to_owned()
    }

    fn answer(&self, items: &[Item], evidence: Option<&[Evidence]>, mode: Mode) -> Result<Vec<Given>, LlmError> {
        let Some(evidence) = evidence else {
            return Ok(vec![Given::default(); items.len()]);
        };
        let given = items
            .par_iter()
            .zip(evidence)
            .map(|(item, evidence)| self.one(item, evidence));
        let weak = |given: &Given| mode == Mode::Reject && given.confidence < SURE;
        Ok(given
            .map(|given| if weak(&given) { refused(&given) } else { given })
            .collect())
    }
}

/// An answer that is not given, with how sure it would have been.
fn refused(given: &Given) -> Given {
    Given {
        confidence: given.confidence,
        ..Given::default()
    }
}
