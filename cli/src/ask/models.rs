//! Who plans, fills and answers for tables and structures: the program itself, or the language model that reasons.

use super::cache::{CachedFiller, QueryCache};
use crate::environment::Environment;
use crate::language::Language;
use crate::reasoning::Reasoned;
use anyhow::Result;
use banyan_engine::llm::{CallLimits, LanguageModel};
use banyan_engine::{Document, DocumentIndex};
use banyan_extract::record::{self, Filler, RecordReader};
use banyan_retrieve::adaptive::model::{ModelConstructor, ModelThinker, ModelUtiliser};
use banyan_retrieve::adaptive::{self, Adaptive, Embedded, Steps, StructureChooser};
use banyan_retrieve::aggregate::{EmbeddedTranslator, ModelTranslator};
use banyan_retrieve::tabulate::{self, EmbeddedPlanner, ModelPlanner, Tabulated, tabulate};
use banyan_retrieve::{Question, Searcher};

pub(crate) struct Models<'a> {
    pub(super) language: Option<&'a Language>,
    limits: CallLimits,
    env: &'a Environment,
}

impl<'a> Models<'a> {
    /// Whoever `reasoned` has.
    pub(crate) fn new(reasoned: &Reasoned<'a>, env: &'a Environment) -> Self {
        Self {
            language: reasoned.language,
            limits: reasoned.language.map(Language::limits).unwrap_or_default(),
            env,
        }
    }

    /// The answer of a table that is filled for a question.
    pub(super) fn tabulate(
        &self,
        question: &str,
        documents: &[Document],
        ranking: &[usize],
        cache: QueryCache<'_>,
    ) -> Result<Tabulated> {
        let ask = |filler: &dyn Filler, id: &str, planner, translator| {
            let filler = CachedFiller { filler, id, cache };
            let steps = tabulate::Steps {
                planner,
                filler: &filler,
                translator,
            };
            Ok(tabulate(question, documents, ranking, &steps)?)
        };
        let Some(language) = self.language else {
            return ask(&record::Embedded, "embedded", &EmbeddedPlanner, &EmbeddedTranslator);
        };
        let [plan, fill, translate] = ["target", "fill", "translate"].map(|stage| language.stage(stage));
        let is_stopped = || self.env.stop.is_asked();
        let planner = ModelPlanner::new(&plan, self.limits.max_reply_tokens)?;
        let filler = RecordReader::new(&fill, self.limits, &is_stopped)?;
        ask(&filler, fill.id(), &planner, &ModelTranslator::new(&translate)?)
    }

    /// The answer of structures that are chosen for a question.
    pub(super) fn structure(
        &self,
        searcher: &Searcher,
        question: &Question,
        documents: &[DocumentIndex],
        chooser: &StructureChooser,
        cache: &QueryCache<'_>,
    ) -> Result<Adaptive> {
        let embedded = Embedded { searcher, chooser };
        let ask = |steps: Steps<'_>| Ok(adaptive::answer(searcher, question, documents, &steps, cache)?);
        let Some(language) = self.language else {
            return ask(Steps {
                thinker: &embedded,
                constructor: &embedded,
                utiliser: &embedded,
            });
        };
        let [think, construct, utilise] = ["think", "construct", "utilise"].map(|stage| language.stage(stage));
        let is_stopped = || self.env.stop.is_asked();
        ask(Steps {
            thinker: &ModelThinker::new(&think, self.limits, &embedded)?,
            constructor: &ModelConstructor::new(&construct, self.limits, searcher, &is_stopped)?,
            utiliser: &ModelUtiliser::new(&utilise, self.limits, searcher)?,
        })
    }
}
