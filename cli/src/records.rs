//! The one place that chooses who predicts columns, fills records and writes SQL: the program itself, or a language model.

use crate::args::{ModelArgs, Reads, RecordsModel};
use crate::config::{Config, Llm};
use crate::language::{self, Language, Spent, Tape};
use crate::progress::Progress;
use crate::stop::Stop;
use anyhow::{Result, bail};
use banyan_engine::Document;
use banyan_engine::llm::LlmError;
use banyan_engine::table::{Limits, Table, TableSchema};
use banyan_extract::record::families;
use banyan_extract::record::family::Family;
use banyan_extract::record::model::{
    Embedded, Filler, Given, Inducer, ModelFiller, ModelInducer, RecordDefect, RecordOptions,
};
use banyan_retrieve::aggregate::{Asked, EmbeddedTranslator, ModelTranslator, Source, Translator, TranslatorOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// Where replies are kept unless the user says otherwise: `records.cassette.jsonl` here.
const TAPE: &str = "records";
/// Names of the stages under which calls are counted.
const INDUCE: &str = "induce";
const FILL: &str = "fill";
const TRANSLATE: &str = "translate";

/// Who does what, and the model for those that ask one.
pub(crate) struct Roles<'a> {
    who: &'a RecordsModel,
    llm: Option<Llm>,
    language: Option<Language>,
    progress: Progress,
    stop: &'a Stop,
}

impl<'a> Roles<'a> {
    /// Opens the model where anybody asks it.
    pub(crate) fn open(who: &'a RecordsModel, progress: Progress, stop: &'a Stop) -> Result<Self> {
        let RecordsModel {
            inducer,
            filler,
            translator,
            model,
        } = who;
        let is_asked = [*inducer, *filler, *translator].contains(&Reads::Llm);
        let (llm, language) = if is_asked {
            Self::language(model, progress, stop)?
        } else {
            (None, None)
        };
        Ok(Self {
            who,
            llm,
            language,
            progress,
            stop,
        })
    }

    fn language(args: &ModelArgs, progress: Progress, stop: &Stop) -> Result<(Option<Llm>, Option<Language>)> {
        let llm = Config::read(args.config.as_deref())?.llm;
        let (tape, budget) = (Tape::of(args, Path::new(TAPE)), Spent::default().rest_of(args));
        let language = language::open(llm.as_ref(), &tape, budget, progress, stop)?;
        Ok((llm, Some(language)))
    }

    /// The model, for a role that asks it.
    fn asks(&self, role: Reads) -> Option<&Language> {
        self.language.as_ref().filter(|_| role == Reads::Llm)
    }

    /// Predicts tables, and which documents their records are of. A model predicts one, of all documents.
    pub(crate) fn induce(&self, documents: &[Document], questions: &[&str], table: &str) -> Result<Vec<Family>> {
        let Some(language) = self.asks(self.who.inducer) else {
            return Ok(families(documents, questions, table));
        };
        let stage = language.stage(INDUCE);
        let given = ModelInducer::new(&stage, self.options())?.induce(documents, questions, table)?;
        let schemas = self.taken(given, "columns")?.into_iter();
        let of_all = |schema| Family {
            schema,
            documents: (0..documents.len()).collect(),
        };
        Ok(schemas.map(of_all).collect())
    }

    /// Fills records.
    pub(crate) fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Table> {
        let given = match self.asks(self.who.filler) {
            None => Embedded.fill(schema, documents)?,
            Some(language) => {
                let stage = language.stage(FILL);
                let is_stopped = || self.stop.is_asked();
                ModelFiller::new(&stage, self.options(), &is_stopped)?.fill(schema, documents)?
            }
        };
        self.stop.check()?;
        self.taken(given, "records")
    }

    /// Answers a question.
    pub(crate) fn ask(&self, question: &str, source: Source<'_>) -> Result<Asked> {
        let limits = Limits::default();
        let Some(language) = self.asks(self.who.translator) else {
            return Ok(EmbeddedTranslator.ask(question, source, limits)?);
        };
        let stage = language.stage(TRANSLATE);
        let options = TranslatorOptions::default();
        Ok(ModelTranslator::new(&stage, options)?.ask(question, source, limits)?)
    }

    /// Tells what the model took, where one was asked.
    pub(crate) fn report(&self) {
        let Some(language) = &self.language else { return };
        let ledger = language.ledger();
        let total = ledger.total();
        let cost = self.llm.as_ref().and_then(language::prices);
        let cost = cost.map(|prices| format!(", cost {:.4}", ledger.cost(&prices)));
        self.progress.remark(&format!(
            "model: {} calls paid ({} tokens{}), {} from the cassette",
            total.n_paid,
            total.tokens(),
            cost.unwrap_or_default(),
            total.n_replayed
        ));
    }

    /// What was given; what was wrong with it is told. A model that cannot be asked at all ends the command.
    fn taken<T>(&self, given: Given<T>, what: &str) -> Result<T> {
        if let Some(error) = &given.failure {
            if error.ends_job() || matches!(error, LlmError::Missing { .. }) {
                bail!("no {what}: {error}");
            }
            self.progress.remark(&format!("the first call that failed: {error}"));
        }
        if !given.defects.is_empty() {
            self.progress.remark(&format!("{what}: {}", told(&given.defects)));
        }
        Ok(given.what)
    }

    fn options(&self) -> RecordOptions {
        let defaults = RecordOptions::default();
        self.llm.as_ref().map_or(defaults, |llm| RecordOptions {
            max_prompt_tokens: llm.context_tokens - llm.max_reply_tokens,
            max_reply_tokens: llm.max_reply_tokens,
            max_concurrent: language::concurrency(llm),
        })
    }
}

fn told(defects: &BTreeMap<RecordDefect, usize>) -> String {
    let defects = defects.iter();
    let defects: Vec<String> = defects
        .map(|(defect, n)| format!("{n} × {}", defect.as_str()))
        .collect();
    defects.join(", ")
}
