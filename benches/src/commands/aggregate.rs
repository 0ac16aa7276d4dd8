//! `banyan-eval aggregate`: aggregative questions over records, beside dense retrieval.

use crate::args::Aggregate;
use crate::eval::aggregate::{AggregateQuestion, Given, Report, System, accuracy, evidence, parse, score};
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Embedding;
use banyan::Environment;
use banyan::ReadOptions;
use banyan::eval::report::Part;
use banyan::eval::suite::{Bench, Kind};
use banyan::{corpus, eval};
use banyan_engine::embed::Vectors;
use banyan_engine::llm::LlmError;
use banyan_engine::table::{self, Cell, Database, Limits, Record, Table, TableSchema, Value};
use banyan_engine::{Document, Span};
use banyan_extract::Parsed;
use banyan_extract::chunk::chunks;
use banyan_extract::record::model::{self as record, Filler};
use banyan_extract::record::{fill, induce, literal};
use banyan_retrieve::aggregate::{Asked, Catalogue, EmbeddedTranslator, ask};
use banyan_retrieve::tabulate::{EmbeddedPlanner, Steps, tabulate};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Chunks that the baseline answers from (S-RAG, appendix A).
const BASELINE_CHUNKS: usize = 40;
/// Tokens of a baseline's chunk: what the embedder reads of one.
const CHUNK_TOKENS: u32 = 256;
/// What the report calls questions over the columns that were induced, which need nothing but the pages.
const INDUCED: &str = "induced_schema";
/// The table's name in SQL.
const TABLE: &str = "records";

/// Gold records: the header and the rows of a CSV file.
struct Gold {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Questions over records with what is known of these.
struct Pages {
    questions: Vec<AggregateQuestion>,
    gold: Option<Gold>,
    schema: Option<TableSchema>,
}

impl Pages {
    /// Reads questions, and gold records whose header is the gold schema.
    fn read(questions: &Path, gold: Option<&Path>) -> Result<Self> {
        let place = questions.display().to_string();
        let questions = parse(&read(questions)?).with_context(|| place.clone())?;
        if questions.is_empty() {
            bail!("{place}: no questions");
        }
        let gold = gold.map(read_gold).transpose()?;
        let schema = gold.as_ref().map(schema_of);
        Ok(Self {
            questions,
            gold,
            schema,
        })
    }

    /// Asks every system all questions over these documents, which stand in canonical order. With `srag` also each question
    /// from a table of its own.
    fn report(&self, documents: &[Document], srag: bool, embedding: &Embedding, env: &Environment) -> Result<Report> {
        let questions = &self.questions;
        let mut runs = Runs {
            questions,
            systems: BTreeMap::new(),
            given: blank(questions),
        };
        let mut columns = BTreeMap::new();
        if let Some(schema) = &self.schema {
            let table = fill(schema, documents);
            if let Some(gold) = &self.gold {
                match accuracy(&gold.header, &gold.rows, documents, &table) {
                    Some(figures) => columns = figures,
                    None => {
                        env.progress
                            .remark("no column of the gold records names the documents, so cells are not compared");
                    }
                }
                runs.ask("gold_records", &gold_table(&table.schema, gold))?;
            }
            runs.ask("gold_schema", &table)?;
            env.stop.check()?;
            if let Some(asked) = baseline(schema, documents, questions, embedding, env)? {
                runs.add("baseline", &asked);
            }
        }
        let mut induced_columns = Vec::new();
        if let Some(schema) = induce(documents, &[], TABLE).first() {
            let columns = schema.columns.iter();
            induced_columns.extend(columns.map(|column| format!("{} {}", column.name, column.kind)));
            runs.ask(INDUCED, &fill(schema, documents))?;
        } else {
            env.progress.remark("no schema: the documents share no attribute");
        }
        if srag {
            runs.tabulate(documents, env)?;
        }
        Ok(Report {
            documents: documents.len(),
            systems: runs.systems,
            columns,
            induced_columns,
            questions: runs.given,
        })
    }
}

/// This kind of set: its questions, asked of every system.
pub(crate) const KIND: Kind = Kind {
    name: "aggregate",
    open: |entry, files| {
        let pages = Pages::read(&files.questions, files.gold.as_deref())?;
        let (name, texts) = (entry.name.clone(), files.texts(entry)?);
        Ok(Box::new(move |bench| measure(name, &texts, &pages, bench)))
    },
};

fn measure(name: String, texts: &Path, pages: &Pages, bench: &Bench<'_>) -> Result<Part> {
    let documents = corpus::read(&[texts.to_owned()], &ReadOptions::default(), bench.env)?;
    let report = pages.report(&documents, false, bench.embedding, bench.env)?;
    let asked = |question: &AggregateQuestion| eval::report::Asked {
        id: question.id.clone(),
        text: question.question.clone(),
        accepted: vec![question.answer.clone()],
        groups: vec![question.kind.clone()],
    };
    let mut part = Part {
        set: name,
        questions: pages.questions.iter().map(asked).collect(),
        baseline: INDUCED.to_owned(),
        ..Part::default()
    };
    part.source.n_documents = documents.len();
    bench.embedding.id().clone_into(&mut part.source.embedder);
    for (at, given) in report.questions.iter().enumerate() {
        for (system, scored) in &given.answers {
            part.score(system, "match", at, f64::from(u8::from(scored.is_match)));
            part.score(system, "parts", at, scored.recall);
            part.score(system, "answered", at, f64::from(u8::from(scored.refusal.is_none())));
            part.answer(system, scored.answer.clone(), 1.0);
        }
    }
    Ok(part)
}

pub(crate) fn run(args: &Aggregate, env: &Environment) -> Result<()> {
    let mut pages = Pages::read(&args.questions, args.gold_records.as_deref())?;
    if let Some(file) = &args.gold_schema {
        pages.schema = Some(read_schema(file)?);
    }
    let documents = corpus::read(std::slice::from_ref(&args.pages), &ReadOptions::default(), env)?;
    // Only the baseline needs vectors.
    let embedding = match pages.schema {
        Some(_) => Embedding::open(env)?,
        None => Embedding::None,
    };
    let report = pages.report(&documents, args.srag, &embedding, env)?;
    if args.json {
        render::json(&report)?;
    } else {
        super::print(vec![report.part()])?;
    }
    Ok(())
}

/// Systems, asked all questions.
struct Runs<'a> {
    questions: &'a [AggregateQuestion],
    systems: BTreeMap<String, System>,
    given: Vec<Given>,
}

impl Runs<'_> {
    fn ask(&mut self, name: &str, table: &Table) -> Result<()> {
        let (catalogue, database) = (Catalogue::new(table), Database::new(std::slice::from_ref(table))?);
        let asked = self.questions.iter().map(|question| {
            Ok(ask(
                &question.question,
                &catalogue,
                table,
                &database,
                Limits::default(),
            )?)
        });
        let asked: Vec<Asked> = asked.collect::<Result<_>>()?;
        self.add(name, &asked);
        Ok(())
    }

    /// Each question from a table of its own; equal tables are filled once.
    fn tabulate(&mut self, documents: &[Document], env: &Environment) -> Result<()> {
        let filler = Once::default();
        let steps = Steps {
            planner: &EmbeddedPlanner,
            filler: &filler,
            translator: &EmbeddedTranslator,
        };
        let bar = env
            .progress
            .bar("filling a table for each question", self.questions.len());
        let mut asked = Vec::new();
        for question in self.questions {
            env.stop.check()?;
            asked.push(tabulate(&question.question, documents, &[], &steps)?.asked);
            bar.step();
        }
        drop(bar);
        self.add("srag", &asked);
        Ok(())
    }

    fn add(&mut self, name: &str, asked: &[Asked]) {
        let (system, scored) = score(self.questions, asked);
        self.systems.insert(name.to_owned(), system);
        for (given, scored) in self.given.iter_mut().zip(scored) {
            given.answers.insert(name.to_owned(), scored);
        }
    }
}

/// Fills what it has not filled before.
#[derive(Default)]
struct Once(RefCell<BTreeMap<String, Table>>);

impl Filler for Once {
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<record::Given<Table>, LlmError> {
        let ids = documents.iter().map(|document| document.id.to_string());
        let key = format!("{schema:?} {}", ids.collect::<Vec<_>>().join(" "));
        let known = self.0.borrow().get(&key).cloned();
        let what = known.unwrap_or_else(|| fill(schema, documents));
        self.0.borrow_mut().insert(key, what.clone());
        Ok(record::Given {
            what,
            defects: BTreeMap::new(),
            failure: None,
        })
    }
}

fn blank(questions: &[AggregateQuestion]) -> Vec<Given> {
    let blank = |question: &AggregateQuestion| Given {
        id: question.id.clone(),
        kind: question.kind.clone(),
        question: question.question.clone(),
        gold: question.answer.clone(),
        answers: BTreeMap::new(),
    };
    questions.iter().map(blank).collect()
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))
}

fn read_gold(path: &Path) -> Result<Gold> {
    let mut rows = table::parse_csv(&read(path)?)?;
    if rows.len() < 2 {
        bail!(
            "{}: no records; expected a header and a row for each document",
            path.display()
        );
    }
    let header = rows.remove(0);
    Ok(Gold { header, rows })
}

/// The columns of a schema file: JSON, or the header of a CSV file.
fn read_schema(path: &Path) -> Result<TableSchema> {
    let text = read(path)?;
    let is_csv = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
    let schema = if is_csv {
        table::from_csv(&text, TABLE)
    } else {
        table::from_json(&text, TABLE)
    };
    schema.with_context(|| path.display().to_string())
}

/// The columns of gold records.
fn schema_of(gold: &Gold) -> TableSchema {
    TableSchema {
        name: TABLE.to_owned(),
        columns: table::columns_of_csv(&gold.header, &gold.rows),
        ..TableSchema::default()
    }
}

/// The gold records as a table, to see what the translator alone gets wrong.
fn gold_table(schema: &TableSchema, gold: &Gold) -> Table {
    let of = |name: &str| {
        gold.header
            .iter()
            .position(|header| table::sql::identifier(header) == name)
    };
    let places: Vec<Option<usize>> = schema.columns.iter().map(|column| of(&column.name)).collect();
    let record = |row: &Vec<String>| {
        let cells = schema.columns.iter().zip(&places).map(|(column, place)| {
            let raw = place.and_then(|place| row.get(place)).map_or("", |raw| raw.trim());
            let value = if raw.is_empty() {
                Value::Null
            } else {
                literal::read(column, raw).unwrap_or_default()
            };
            Cell {
                value,
                confidence: 1.0,
                ..Cell::default()
            }
        });
        let title = row.first().cloned().unwrap_or_default();
        Record {
            document: banyan_engine::DocumentId::of(&title, ""),
            title,
            parent: None,
            cells: cells.collect(),
        }
    };
    Table {
        schema: schema.clone(),
        records: gold.rows.iter().map(record).collect(),
    }
}

/// Answers from the chunks nearest to each question; `None` without a model.
fn baseline(
    schema: &TableSchema,
    documents: &[Document],
    questions: &[AggregateQuestion],
    embedding: &Embedding,
    env: &Environment,
) -> Result<Option<Vec<Asked>>> {
    let mut places: Vec<(usize, Span)> = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        let cut = chunks(&Parsed::new(document), embedding.counter(), CHUNK_TOKENS);
        places.extend(cut.into_iter().map(|(span, _)| (at, span)));
    }
    let texts: Vec<String> = places
        .iter()
        .map(|(at, span)| format!("{}\n{}", documents[*at].heading(), span.of(&documents[*at].text)))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors: Vectors = embedding.passages(&texts, env)?;
    if vectors.is_empty() {
        return Ok(None);
    }
    let mut asked = Vec::new();
    for question in questions {
        env.stop.check()?;
        let asked_for = embedding.questions(&[question.question.as_str()])?;
        let Some(vector) = asked_for.first().and_then(|question| question.vector.as_deref()) else {
            return Ok(None);
        };
        let nearest = vectors.top_k(vector, BASELINE_CHUNKS)?;
        let chosen: Vec<(usize, Span)> = nearest.into_iter().map(|(at, _)| places[at]).collect();
        let table = fill(schema, &evidence(documents, &chosen));
        let (catalogue, database) = (Catalogue::new(&table), Database::new(std::slice::from_ref(&table))?);
        asked.push(ask(
            &question.question,
            &catalogue,
            &table,
            &database,
            Limits::default(),
        )?);
    }
    Ok(Some(asked))
}
