//! Records of a store's documents: filled once, kept beside the store, asked many times.

use super::Opened;
use super::cache::QueryCache;
use crate::environment::Environment;
pub(super) use crate::records::Roles;
use crate::records::{Filled, RecordsOptions};
use anyhow::{Result, bail};
use banyan_engine::store::{self, Derived};
use banyan_engine::table::{Database, Limits, Table, TableSchema};
use banyan_engine::{Document, Knowledge};
use banyan_extract::record::family::{attributes, families};
use banyan_extract::record::induce::{MAX_DOCUMENTS, ROUNDS, induce, spread};
use banyan_retrieve::aggregate::{Refusal, Source, View, ViewAnswer, ask, views};
use banyan_retrieve::tabulate::TABLE;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Mutex;

/// Columns beside names that documents have to share to be records of one kind. Measured: corpora of unlike articles
/// (musique100, hotpot100, 2wiki51, data/harrow, data/notes) share one at most, pages of one kind (worldcup, generated
/// hotels) more than twenty.
const LEAST_COLUMNS: usize = 3;
/// Share of the documents that tables of several kinds have to have. Arbitrary: nearly all.
const LEAST_COVERED: f64 = 0.8;
/// What kept tables are called in the store.
const NAME: &str = "records";

pub(super) struct Records<'a> {
    views: Vec<View>,
    database: Mutex<Database>,
    /// The tables again, for a model that writes SQL over them.
    tables: Vec<Table>,
    roles: Roles<'a>,
}

impl<'a> Records<'a> {
    /// The records of the store's documents, a table for each kind of them; `None` where the documents share no columns.
    /// Whether the documents look like records of one kind at all is for [`has_shape`] to say.
    pub(super) fn open(opened: &Opened, columns: Option<&TableSchema>, roles: Roles<'a>) -> Result<Option<Self>> {
        let options = RecordsOptions {
            columns: columns.cloned(),
            ..RecordsOptions::default()
        };
        let tables = tables(
            || Ok(opened.documents().into()),
            &options,
            roles,
            opened.cache(roles.env),
        )?;
        if tables.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            views: views(&tables),
            database: Mutex::new(Database::new(&tables)?),
            tables,
            roles,
        }))
    }

    /// Whether tables were filled and kept by an earlier question.
    pub(super) fn are_kept(cache: QueryCache<'_>) -> bool {
        cache.read::<Vec<Table>>(NAME, "").is_some()
    }

    /// The answer to a question, or what of it the columns do not cover.
    pub(super) fn ask(&self, question: &str) -> Result<ViewAnswer> {
        let database = self.lock()?;
        let source = Source {
            views: &self.views,
            tables: &self.tables,
            database: &database,
        };
        if let Some(asked) = self.roles.translated(question, source)? {
            let view = self.views.iter().position(|view| view.table.schema.name == asked.table);
            return Ok(ViewAnswer {
                view: view.unwrap_or(0),
                asked,
                refusal: None,
            });
        }
        Ok(ask(question, &self.views, &database, Limits::default())?)
    }

    pub(super) fn table(&self, answer: &ViewAnswer) -> &Table {
        &self.views[answer.view].table
    }

    /// Positions of the records that satisfy what the columns know of a question; `None` where that restricts nothing.
    pub(super) fn narrowed(&self, answer: &ViewAnswer) -> Result<Option<Vec<usize>>> {
        let Some(query) = answer.refusal.as_ref().and_then(Refusal::narrowing) else {
            return Ok(None);
        };
        let database = self.lock()?;
        let limits = Limits {
            max_rows: usize::MAX,
            ..Limits::default()
        };
        let View { table, catalogue } = &self.views[answer.view];
        let found = database.run(&query.provenance_sql(catalogue), limits)?;
        let positions = found.positions().unwrap_or_default();
        let is_part = !positions.is_empty() && positions.len() < table.records.len();
        Ok(is_part.then_some(positions))
    }

    fn lock(&self) -> Result<std::sync::MutexGuard<'_, Database>> {
        let locked = self.database.lock();
        locked.map_err(|_| anyhow::anyhow!("the records cannot be asked: another question stopped in them"))
    }
}

/// The tables of the store at `path`, as questions ask them.
pub(crate) fn filled(
    path: &Path,
    (knowledge, derived): (&Knowledge, &Derived),
    options: &RecordsOptions,
    env: &Environment,
) -> Result<Filled> {
    let language = options.by.language(env, path)?;
    let language = language.as_ref();
    let roles = Roles { language, env };
    let cache = QueryCache {
        derived,
        progress: &env.progress,
    };
    let documents = || {
        let documents = knowledge.documents_now();
        if options.columns.is_none() && !has_shape(&documents) {
            bail!("the documents are not records of one kind, or of a few: they share too few columns");
        }
        Ok(documents)
    };
    let tables = tables(documents, options, roles, cache)?;
    roles.report();
    store::sound(knowledge)?;
    Filled::of(tables)
}

/// The tables of a store's documents. What the program fills in columns that nobody gave is kept for the next time.
fn tables<'a>(
    documents: impl FnOnce() -> Result<Cow<'a, [Document]>>,
    options: &RecordsOptions,
    roles: Roles<'_>,
    cache: QueryCache<'_>,
) -> Result<Vec<Table>> {
    let is_own = roles.language.is_none() && options.columns.is_none() && options.questions.is_empty();
    if let Some(mut tables) = is_own.then(|| cache.read::<Vec<Table>>(NAME, "")).flatten() {
        for table in &mut tables {
            table.records.truncate(options.limit.unwrap_or(usize::MAX));
        }
        return Ok(tables);
    }
    let tables = roles.filled(&documents()?, options)?;
    if is_own && options.limit.is_none() {
        cache.write(NAME, "", &tables);
    }
    Ok(tables)
}

/// Whether documents are records of one kind, or nearly all of a few: those of each share more than names. Cost O(length
/// of a dozen documents).
pub(crate) fn has_shape(documents: &[Document]) -> bool {
    let is_table = |schema: &TableSchema| attributes(schema).count() >= LEAST_COLUMNS;
    if induce(documents, &[], TABLE).iter().any(is_table) {
        return true;
    }
    let sample: Vec<Document> = spread(documents, ROUNDS * MAX_DOCUMENTS).into_iter().cloned().collect();
    let families = families(&sample, &[], TABLE);
    let tables = families.iter().filter(|family| is_table(&family.schema));
    let n_covered: usize = tables.map(|family| family.documents.len()).sum();
    families.len() > 1 && n_covered as f64 >= LEAST_COVERED * sample.len() as f64
}
