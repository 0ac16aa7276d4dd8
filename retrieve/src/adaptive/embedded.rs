//! The steps without a model: cues and a fitted classifier think, the filler and the store's facts construct, word overlap
//! and order utilise.

use super::shelf::Shelf;
use super::strategy::Strategy;
use super::structure::StructureChooser;
use super::task::Task;
use super::tree::QueryTree;
use super::unit::{Built, units};
use super::utilise::{Used, utilise};
use super::{AdaptiveError, Constructor, KnowledgeSchema, Plan, Thinker, Utiliser};
use crate::classify::Choice;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::DocumentIndex;

/// All three steps, deterministic.
pub struct Embedded<'a> {
    /// What is asked.
    pub searcher: &'a Searcher,
    /// Who chooses the knowledge structure.
    pub chooser: &'a StructureChooser,
}

impl Thinker for Embedded<'_> {
    fn think(&self, question: &Question, documents: &[DocumentIndex]) -> Result<Plan, AdaptiveError> {
        let knowledge = self.searcher.knowledge();
        let title = |one: &DocumentIndex| knowledge.document(*one).title.clone();
        let titles: Vec<String> = documents.iter().map(title).collect();
        let task = Task::of(&question.text);
        let tree = QueryTree::of(&question.text, task, &titles);
        let embedder = knowledge.settings.embedder.as_str();
        let vector = question.vector.as_deref().map(|vector| (embedder, vector));
        let (structure, choice) = self.chooser.choose(&question.text, vector);
        let reasons = choice.iter().map(Choice::explain).collect();
        Ok(Plan {
            strategy: Strategy::new(&question.text, task, structure, reasons, &tree),
            tree,
            defects: Vec::new(),
        })
    }
}

impl Constructor for Embedded<'_> {
    fn construct(
        &self,
        question: &Question,
        documents: &[DocumentIndex],
        strategy: &Strategy,
        shelf: &dyn Shelf,
    ) -> Result<Built, AdaptiveError> {
        Ok(units(self.searcher, question, documents, &strategy.intra, shelf))
    }
}

impl Utiliser for Embedded<'_> {
    fn utilise(&self, question: &Question, plan: &Plan, schema: &KnowledgeSchema) -> Result<Used, AdaptiveError> {
        let findings = utilise(self.searcher, question, &plan.tree, schema, &plan.strategy.utilise);
        Ok(Used {
            findings,
            defects: Vec::new(),
        })
    }
}
