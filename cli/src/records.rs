//! Records of documents (S-RAG): who predicts columns, fills cells and writes SQL, and the tables that come of it.

use crate::corpus::{self, ReadOptions};
use crate::environment::Environment;
use crate::language::{Language, Worker};
use anyhow::{Context, Result, bail};
use banyan_engine::Document;
use banyan_engine::llm::LlmError;
use banyan_engine::table::{Limits, Table, TableSchema, from_csv, from_json};
use banyan_extract::record::family::{Family, link};
use banyan_extract::record::{Embedded, Filler, Given, RecordReader, families};
use banyan_retrieve::aggregate::{Asked, ModelTranslator, Source, Translator};
use serde::Serialize;
use std::iter::once;
use std::path::{Path, PathBuf};

/// The table's name in SQL.
const TABLE: &str = "records";
/// Where replies are kept unless the user says otherwise: `records.cassette.jsonl` of the current directory.
const TAPE: &str = "records";
/// Names of the stages under which calls are counted.
const INDUCE: &str = "induce";
const FILL: &str = "fill";
const TRANSLATE: &str = "translate";
const NO_COLUMNS: &str = "the documents share no attribute, so there are no columns; name them with --columns FILE";

/// How records come about.
#[derive(Clone, Debug, Default)]
pub struct RecordsOptions {
    /// How files become documents.
    pub read: ReadOptions,
    /// Who predicts columns and fills cells.
    pub by: Worker,
    /// The columns; predicted from the documents where none are given.
    pub columns: Option<TableSchema>,
    /// Questions as they will be asked, which a prediction reads.
    pub questions: Vec<String>,
    /// Most documents of each kind that are filled; all where absent.
    pub limit: Option<usize>,
}

/// Records.
#[derive(Clone, Debug, Serialize)]
pub struct Filled {
    /// The records of the largest kind of documents.
    #[serde(flatten)]
    pub table: Table,
    /// The tables of documents of other kinds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Table>,
}

/// The columns that the documents below `corpus` share, and how many documents of each kind there are.
pub(crate) fn columns(
    corpus: &[PathBuf],
    options: &RecordsOptions,
    env: &Environment,
) -> Result<Vec<(TableSchema, usize)>> {
    let documents = corpus::read(corpus, &options.read, env)?;
    let language = options.by.language(env, Path::new(TAPE))?;
    let roles = Roles {
        language: language.as_ref(),
        env,
    };
    let families = roles.families(&documents, options)?;
    roles.report();
    if families.is_empty() {
        bail!(NO_COLUMNS);
    }
    let sized = families
        .into_iter()
        .map(|family| (family.schema, family.documents.len()));
    Ok(sized.collect())
}

/// A record for each document below `corpus`, every cell with where it was read.
pub(crate) fn fill(corpus: &[PathBuf], options: &RecordsOptions, env: &Environment) -> Result<Filled> {
    let documents = corpus::read(corpus, &options.read, env)?;
    let language = options.by.language(env, Path::new(TAPE))?;
    let roles = Roles {
        language: language.as_ref(),
        env,
    };
    let tables = roles.filled(&documents, options)?;
    roles.report();
    Filled::of(tables)
}

/// The columns in a file: JSON, or the header of a CSV.
///
/// # Errors
/// When it cannot be read, or holds no columns.
pub fn read_columns(file: &Path) -> Result<TableSchema> {
    let text = corpus::text(file)?;
    let is_csv = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
    let schema = if is_csv {
        from_csv(&text, TABLE)
    } else {
        from_json(&text, TABLE)
    };
    schema.with_context(|| file.display().to_string())
}

/// Who does what with records: the language model, or the program itself where there is none.
#[derive(Clone, Copy)]
pub(crate) struct Roles<'a> {
    pub(crate) language: Option<&'a Language>,
    pub(crate) env: &'a Environment,
}

impl Roles<'_> {
    /// Tables with the columns that were given or, without any, with predicted ones, and which documents their records are
    /// of. A model predicts one table, of all documents.
    fn families(&self, documents: &[Document], options: &RecordsOptions) -> Result<Vec<Family>> {
        let of_all = |schema| Family {
            schema,
            documents: (0..documents.len()).collect(),
        };
        if let Some(schema) = &options.columns {
            return Ok(vec![of_all(schema.clone())]);
        }
        let questions: Vec<&str> = options.questions.iter().map(String::as_str).collect();
        let Some(language) = self.language else {
            return Ok(families(documents, &questions, TABLE));
        };
        let stage = language.stage(INDUCE);
        let is_stopped = || self.env.stop.is_asked();
        let given = RecordReader::new(&stage, language.limits(), &is_stopped)?.induce(documents, &questions, TABLE)?;
        let schema = self.taken(given, "columns")?;
        Ok(schema.map(of_all).into_iter().collect())
    }

    /// The tables of these documents, that of the largest kind first; none where they share no attribute.
    pub(crate) fn filled(&self, documents: &[Document], options: &RecordsOptions) -> Result<Vec<Table>> {
        let mut families = self.families(documents, options)?;
        let mut tables = Vec::new();
        for family in &mut families {
            family.documents.truncate(options.limit.unwrap_or(usize::MAX));
            let own: Vec<Document> = family.documents.iter().map(|at| documents[*at].clone()).collect();
            tables.push(self.fill(&family.schema, &own)?);
        }
        link(&mut tables);
        Ok(tables)
    }

    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Table> {
        let given = match self.language {
            None => Embedded.fill(schema, documents)?,
            Some(language) => {
                let stage = language.stage(FILL);
                let is_stopped = || self.env.stop.is_asked();
                RecordReader::new(&stage, language.limits(), &is_stopped)?.fill(schema, documents)?
            }
        };
        self.env.stop.check()?;
        self.taken(given, "records")
    }

    /// The model's SQL and what it gives; `None` where no model is asked.
    pub(crate) fn translated(&self, question: &str, source: Source<'_>) -> Result<Option<Asked>> {
        let Some(language) = self.language else {
            return Ok(None);
        };
        let stage = language.stage(TRANSLATE);
        let translator = ModelTranslator::new(&stage)?;
        Ok(Some(translator.ask(question, source, None, Limits::default())?))
    }

    /// Tells what the model took, where one was asked.
    pub(crate) fn report(&self) {
        if let Some(language) = self.language {
            language.report("", self.env);
        }
    }

    /// What was given; what was wrong with it is told. A model that cannot be asked at all ends the command.
    fn taken<T>(&self, given: Given<T>, what: &str) -> Result<T> {
        if let Some(error) = &given.failure {
            if error.ends_job() || matches!(error, LlmError::Missing(_)) {
                bail!("no {what}: {error}");
            }
            self.env
                .progress
                .remark(&format!("the first call that failed: {error}"));
        }
        if given.n_partly > 0 {
            let n = given.n_partly;
            self.env.progress.remark(&format!(
                "{what}: of {n} documents only the parts that speak of the columns were read"
            ));
        }
        if !given.defects.is_empty() {
            self.env.progress.remark(&format!("{what}: {}", given.defects));
        }
        Ok(given.what)
    }
}

impl Filled {
    pub(crate) fn of(tables: Vec<Table>) -> Result<Self> {
        let mut tables = tables.into_iter();
        let Some(table) = tables.next() else { bail!(NO_COLUMNS) };
        Ok(Self {
            table,
            others: tables.collect(),
        })
    }

    /// All tables, that of the largest kind first.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        once(&self.table).chain(&self.others)
    }
}
