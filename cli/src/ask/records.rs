//! Records of a store's documents: filled once, kept beside the store, asked many times.

use crate::environment::Environment;
use crate::language::Language;
use crate::records::{RecordsOptions, Roles};
use anyhow::Result;
use banyan_engine::Document;
use banyan_engine::store::Derived;
use banyan_engine::table::{Database, Limits, Table, TableSchema};
use banyan_extract::record::family::{Family, attributes, families, link};
use banyan_extract::record::fill;
use banyan_extract::record::induce::{MAX_DOCUMENTS, ROUNDS, induce, spread};
use banyan_retrieve::aggregate::{Refusal, Source, View, ViewAnswer, ask_views, views};
use banyan_retrieve::tabulate::TABLE;
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
    /// The tables again and the model that writes SQL over them, where one does.
    model: Option<(Roles<'a>, Vec<Table>)>,
}

/// Who makes records, and of what.
pub(super) struct Maker<'a> {
    /// The columns; predicted where none are given.
    pub(super) columns: Option<&'a TableSchema>,
    /// The model that does it, where one is asked.
    pub(super) language: Option<&'a Language>,
    pub(super) derived: &'a Derived,
    pub(super) env: &'a Environment,
}

impl<'a> Maker<'a> {
    /// Tables by the program, kept for the next question where nobody gave their columns.
    fn by_rules(&self, documents: &[Document]) -> Result<Vec<Table>> {
        if self.columns.is_some() {
            return self.filled(&self.roles(), documents);
        }
        let kept: Option<Vec<Table>> = self.derived.get(NAME, env!("CARGO_PKG_VERSION"));
        if let Some(tables) = kept {
            return Ok(tables);
        }
        let tables = filled(documents);
        if let Err(error) = self.derived.keep(NAME, env!("CARGO_PKG_VERSION"), &tables) {
            self.env
                .progress
                .remark(&format!("the records are filled again next time: {error}"));
        }
        Ok(tables)
    }

    fn roles(&self) -> Roles<'a> {
        Roles::new(self.language, self.env)
    }

    fn filled(&self, roles: &Roles<'_>, documents: &[Document]) -> Result<Vec<Table>> {
        let options = RecordsOptions {
            columns: self.columns.cloned(),
            ..RecordsOptions::default()
        };
        let families = roles.families(documents, &options)?;
        roles.filled(&families, documents)
    }
}

impl<'a> Records<'a> {
    /// The records of these documents, a table for each kind of them; `None` where the documents share no columns. Whether
    /// they look like records of one kind at all is for [`has_shape`] to say.
    pub(super) fn open(documents: &[Document], maker: &Maker<'a>) -> Result<Option<Self>> {
        let (tables, roles) = if maker.language.is_none() {
            (maker.by_rules(documents)?, None)
        } else {
            let roles = maker.roles();
            (maker.filled(&roles, documents)?, Some(roles))
        };
        if tables.is_empty() {
            return Ok(None);
        }
        let database = Mutex::new(Database::new(&tables)?);
        Ok(Some(Self {
            views: views(&tables),
            database,
            model: roles.map(|roles| (roles, tables)),
        }))
    }

    /// Whether tables were filled and kept by an earlier question.
    pub(super) fn are_kept(derived: &Derived) -> bool {
        derived.get::<Vec<Table>>(NAME, env!("CARGO_PKG_VERSION")).is_some()
    }

    /// The answer to a question, or what of it the columns do not cover.
    pub(super) fn ask(&self, question: &str) -> Result<ViewAnswer> {
        let database = self.lock()?;
        if let Some((roles, tables)) = &self.model {
            let source = Source {
                views: &self.views,
                tables,
                database: &database,
            };
            if let Some(asked) = roles.translated(question, source)? {
                let view = self.views.iter().position(|view| view.table.schema.name == asked.table);
                return Ok(ViewAnswer {
                    view: view.unwrap_or(0),
                    asked,
                    refusal: None,
                });
            }
        }
        Ok(ask_views(question, &self.views, &database, Limits::default())?)
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
        let position = |row: &Vec<banyan_engine::table::Value>| row.first()?.as_number();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positions of records"
        )]
        let positions: Vec<usize> = found.rows.iter().filter_map(position).map(|at| at as usize).collect();
        let is_part = !positions.is_empty() && positions.len() < table.records.len();
        Ok(is_part.then_some(positions))
    }

    fn lock(&self) -> Result<std::sync::MutexGuard<'_, Database>> {
        let locked = self.database.lock();
        locked.map_err(|_| anyhow::anyhow!("the records cannot be asked: another question stopped in them"))
    }
}

/// A table for each kind of the documents, with keys between them.
fn filled(documents: &[Document]) -> Vec<Table> {
    let of = |Family { schema, documents: own }: Family| {
        let own: Vec<Document> = own.iter().map(|at| documents[*at].clone()).collect();
        fill(&schema, &own)
    };
    let mut tables: Vec<Table> = families(documents, &[], TABLE).into_iter().map(of).collect();
    link(&mut tables);
    tables
}

/// Whether documents are records of one kind, or nearly all of a few: those of each share more than names. Cost O(length
/// of a dozen documents).
pub(super) fn has_shape(documents: &[Document]) -> bool {
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
