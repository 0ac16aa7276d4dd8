//! Who plans, fills and answers for tables and structures: the program itself, or the language model that reasons.

use super::Session;
use super::cache::CachedFiller;
use anyhow::Result;
use banyan_engine::llm::LanguageModel;
use banyan_extract::record::{self, Filler, RecordReader};
use banyan_retrieve::Question;
use banyan_retrieve::adaptive::model::{ModelConstructor, ModelThinker, ModelUtiliser};
use banyan_retrieve::adaptive::{self, Adaptive, Embedded, Steps};
use banyan_retrieve::aggregate::{EmbeddedTranslator, ModelTranslator};
use banyan_retrieve::tabulate::{self, EmbeddedPlanner, ModelPlanner, Tabulated, tabulate};

impl Session<'_> {
    /// The answer of a table that is filled for a question.
    pub(super) fn tabulate(&self, question: &Question, ranking: &[usize]) -> Result<Tabulated> {
        let cache = self.cache();
        let ask = |filler: &dyn Filler, id: &str, planner, translator| {
            let filler = CachedFiller { filler, id, cache };
            let steps = tabulate::Steps {
                planner,
                filler: &filler,
                translator,
            };
            Ok(tabulate(&question.text, self.opened.documents(), ranking, &steps)?)
        };
        let Some(language) = self.roles.language else {
            return ask(&record::Embedded, "embedded", &EmbeddedPlanner, &EmbeddedTranslator);
        };
        let (limits, is_stopped) = (language.limits(), || self.roles.env.stop.is_asked());
        let [plan, fill, translate] = ["target", "fill", "translate"].map(|stage| language.stage(stage));
        let planner = ModelPlanner::new(&plan, limits.max_reply_tokens)?;
        let filler = RecordReader::new(&fill, limits, &is_stopped)?;
        // How much of a document is read depends on the room that there is.
        let id = format!("{} {}", fill.id(), limits.max_prompt_tokens);
        ask(&filler, &id, &planner, &ModelTranslator::new(&translate)?)
    }

    /// The answer of structures that are chosen for a question.
    pub(super) fn structure(&self, question: &Question) -> Result<Adaptive> {
        let (searcher, chooser, cache) = (&self.opened.searcher, &self.chooser, self.cache());
        let documents = adaptive::documents(searcher, question);
        let embedded = Embedded { searcher, chooser };
        let ask = |steps: Steps<'_>| Ok(adaptive::answer(searcher, question, &documents, &steps, &cache)?);
        let Some(language) = self.roles.language else {
            return ask(Steps {
                thinker: &embedded,
                constructor: &embedded,
                utiliser: &embedded,
            });
        };
        let (limits, is_stopped) = (language.limits(), || self.roles.env.stop.is_asked());
        let [think, construct, utilise] = ["think", "construct", "utilise"].map(|stage| language.stage(stage));
        ask(Steps {
            thinker: &ModelThinker::new(&think, limits, &embedded)?,
            constructor: &ModelConstructor::new(&construct, limits, searcher, &is_stopped)?,
            utiliser: &ModelUtiliser::new(&utilise, limits, searcher)?,
        })
    }
}
