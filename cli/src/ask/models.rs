//! Who plans, fills and answers for tables and structures: the program itself, or the language model that reasons.

use super::cache::{CachedFiller, QueryCache};
use crate::config::Config;
use crate::environment::Environment;
use crate::language::Language;
use crate::reasoning::Reasoned;
use anyhow::Result;
use banyan_engine::llm::LanguageModel;
use banyan_engine::{Document, DocumentIndex};
use banyan_extract::record::{self, Filler, RecordOptions, RecordReader};
use banyan_retrieve::adaptive::model::{AskOptions, ModelConstructor, ModelThinker, ModelUtiliser};
use banyan_retrieve::adaptive::{self, Adaptive, Embedded, Steps, StructureChooser};
use banyan_retrieve::aggregate::{EmbeddedTranslator, ModelTranslator};
use banyan_retrieve::tabulate::{self, EmbeddedPlanner, ModelPlanner, Tabulated, tabulate};
use banyan_retrieve::{Question, Searcher};
use std::num::NonZeroUsize;

/// Tokens of a prompt and of a reply, where no configuration says: what the default one leaves.
const PROMPT_TOKENS: u32 = 6_144;
const REPLY_TOKENS: u32 = 2_048;

/// The model that is asked, or none.
pub(crate) struct Models<'a> {
    pub(super) language: Option<&'a Language>,
    options: AskOptions,
    env: &'a Environment,
}

impl<'a> Models<'a> {
    /// Whoever `reasoned` has.
    ///
    /// # Errors
    /// Where the configuration cannot be read.
    pub(crate) fn new(reasoned: &Reasoned<'a>, env: &'a Environment) -> Result<Self> {
        let mut options = AskOptions {
            max_prompt_tokens: PROMPT_TOKENS,
            max_reply_tokens: REPLY_TOKENS,
            max_concurrent: reasoned.concurrency.unwrap_or(NonZeroUsize::MIN),
        };
        if reasoned.language.is_some()
            && let Some(llm) = Config::read(env.language.config.as_deref())?.llm
        {
            options.max_prompt_tokens = llm.context_tokens - llm.max_reply_tokens;
            options.max_reply_tokens = llm.max_reply_tokens;
        }
        Ok(Self {
            language: reasoned.language,
            options,
            env,
        })
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
        let options = RecordOptions {
            max_prompt_tokens: self.options.max_prompt_tokens,
            max_reply_tokens: self.options.max_reply_tokens,
            max_concurrent: self.options.max_concurrent,
        };
        let planner = ModelPlanner::new(&plan, self.options.max_reply_tokens)?;
        let filler = RecordReader::new(&fill, options, &is_stopped)?;
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
            thinker: &ModelThinker::new(&think, self.options, &embedded)?,
            constructor: &ModelConstructor::new(&construct, self.options, searcher, &is_stopped)?,
            utiliser: &ModelUtiliser::new(&utilise, self.options, searcher)?,
        })
    }
}
