//! `banyan-eval aggregate`: aggregative questions over records (S-RAG §5): cells against gold records, answers against
//! gold answers, beside dense retrieval.

use crate::args::Aggregate;
use crate::render;
use anyhow::Result;
use banyan::eval::records::records;
use banyan::eval::report::{self, Part};
use banyan::eval::suite::Kind;
use banyan::language::{Language, Spent};
use banyan::{Embedding, Environment, ReadOptions, Worker, corpus, read_columns};
use banyan_engine::embed::dot;
use banyan_engine::table::{Database, Limits, Table, TableSchema};
use banyan_engine::{Document, Origin, Span};
use banyan_extract::Analysis;
use banyan_extract::chunk::chunks;
use banyan_extract::record::{Embedded, fill, induce};
use banyan_retrieve::aggregate::{Asked, EmbeddedTranslator, ModelTranslator, Source, Translator, ask, views};
use banyan_retrieve::tabulate::{EmbeddedPlanner, Steps, tabulate};
use gold::{ColumnFigures, Gold};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

mod gold;
mod verdict;

use verdict::is_match;

/// Chunks that the baseline answers from (S-RAG, appendix A).
const BASELINE_CHUNKS: usize = 40;
/// Tokens of a baseline's chunk: what the embedder reads of one.
const CHUNK_TOKENS: u32 = 256;
/// What the report calls questions over the columns that were induced, which need nothing but the pages.
const INDUCED: &str = "induced_schema";
const TABLE: &str = "records";
/// What the report calls questions over gold records (filled ones, where there are none) by the SQL of a language model.
const MODEL: &str = "model_sql";

#[derive(Deserialize)]
struct Question {
    /// Its place where the set gives none.
    #[serde(default, deserialize_with = "text")]
    id: String,
    #[serde(rename = "question")]
    text: String,
    /// What the set calls its shape.
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(deserialize_with = "text")]
    answer: String,
}

/// Answers may be numbers, lists or flags.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    fn plain(value: &Value) -> String {
        let joined = |parts: Vec<String>| parts.join("; ");
        match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(list) => joined(list.iter().map(plain).collect()),
            Value::Object(map) => joined(
                map.iter()
                    .map(|(key, value)| format!("{key}: {}", plain(value)))
                    .collect(),
            ),
            other => other.to_string(),
        }
    }
    Value::deserialize(deserializer).map(|value| plain(&value))
}

/// The figures of one system.
#[derive(Serialize)]
struct System {
    /// Share of questions whose answer is the gold one.
    answer_match: f64,
    /// Mean share of the gold answer's parts that the answer has.
    answer_recall: f64,
    /// Share of questions that were translated into a statement that ran.
    sql_valid: f64,
}

/// One answer of one system.
#[derive(Serialize)]
struct Scored {
    answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    sql: String,
    is_match: bool,
    /// Share of the gold answer's parts that it has.
    recall: f64,
}

#[derive(Serialize)]
struct Given {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    question: String,
    gold: String,
    #[serde(flatten)]
    answers: BTreeMap<String, Scored>,
}

/// All of an evaluation.
#[derive(Serialize)]
struct Report {
    documents: usize,
    /// Figures by system: `gold_schema`, `induced_schema`, `baseline`; `gold_records` is the translator over gold cells,
    /// `srag` a table for each question, `model_sql` a language model's statements over the best records at hand.
    #[serde(flatten)]
    systems: BTreeMap<&'static str, System>,
    /// Accuracy of filled cells by column, under the gold schema.
    columns: BTreeMap<String, ColumnFigures>,
    /// The columns that were induced, as `name kind`.
    induced_columns: Vec<String>,
    questions: Vec<Given>,
}

/// Questions over records with what is known of these.
struct Pages {
    questions: Vec<Question>,
    gold: Option<Gold>,
    schema: Option<TableSchema>,
}

/// This kind of set: its questions, asked of every system.
pub(crate) const KIND: Kind = Kind {
    name: "aggregate",
    open: |entry| {
        let pages = Pages::read(&entry.questions, entry.gold.as_deref())?;
        let (name, texts) = (entry.name.clone(), entry.texts()?);
        Ok(Box::new(move |bench| {
            let documents = corpus::read(&[texts], &ReadOptions::default(), bench.env)?;
            let report = pages.report(&documents, Beside::default(), bench.embedding, bench.env)?;
            let mut part = report.part(name);
            bench.embedding.id().clone_into(&mut part.source.embedder);
            Ok(part)
        }))
    },
};

pub(crate) fn run(args: &Aggregate, env: &Environment) -> Result<()> {
    let report = report(args, env)?;
    if args.json {
        return render::json(&report);
    }
    render::parts(vec![report.part("records".to_owned())])
}

fn report(args: &Aggregate, env: &Environment) -> Result<Report> {
    let mut pages = Pages::read(&args.questions, args.gold_records.as_deref())?;
    if let Some(file) = &args.gold_schema {
        pages.schema = Some(read_columns(file)?);
    }
    let documents = corpus::read(std::slice::from_ref(&args.pages), &ReadOptions::default(), env)?;
    // Only the baseline needs vectors.
    let embedding = match pages.schema {
        Some(_) => Embedding::open(env)?,
        None => Embedding::None,
    };
    let beside = Beside {
        srag: args.srag,
        model: args.reasoner == Worker::Llm,
    };
    pages.report(&documents, beside, &embedding, env)
}

/// Systems that are asked beside the others.
#[derive(Clone, Copy, Default)]
struct Beside {
    /// Each question from a table of its own.
    srag: bool,
    /// A language model that writes the SQL.
    model: bool,
}

impl Pages {
    /// Reads questions, and gold records whose header is the gold schema.
    fn read(questions: &Path, gold: Option<&Path>) -> Result<Self> {
        let read = records::<Question>(questions, "an object with `question` and `answer`")?;
        let mut questions: Vec<Question> = read.into_iter().map(|(_, question)| question).collect();
        for (number, question) in (1..).zip(&mut questions) {
            if question.id.is_empty() {
                question.id = number.to_string();
            }
        }
        let gold = gold.map(Gold::read).transpose()?;
        let schema = gold.as_ref().map(Gold::schema);
        Ok(Self {
            questions,
            gold,
            schema,
        })
    }

    /// Asks every system all questions over these documents, which stand in canonical order.
    fn report(
        &self,
        documents: &[Document],
        beside: Beside,
        embedding: &Embedding,
        env: &Environment,
    ) -> Result<Report> {
        let mut report = Report::new(documents.len(), &self.questions);
        if let Some(schema) = &self.schema {
            let table = fill(schema, documents);
            if let Some(gold) = &self.gold {
                match gold.accuracy(documents, &table) {
                    Some(figures) => report.columns = figures,
                    None => {
                        env.progress
                            .remark("no column of the gold records names the documents, so cells are not compared");
                    }
                }
                report.add("gold_records", &self.ask(&gold.table(schema))?);
            }
            if beside.model {
                let gold = self.gold.as_ref().map(|gold| gold.table(schema));
                report.add(MODEL, &self.translated(gold.as_ref().unwrap_or(&table), env)?);
            }
            report.add("gold_schema", &self.ask(&table)?);
            env.stop.check()?;
            if let Some(asked) = self.baseline(schema, documents, embedding, env)? {
                report.add("baseline", &asked);
            }
        }
        if let Some(schema) = induce(documents, &[], TABLE).first() {
            let columns = schema.columns.iter();
            report.induced_columns = columns
                .map(|column| format!("{} {}", column.name, column.kind))
                .collect();
            report.add(INDUCED, &self.ask(&fill(schema, documents))?);
        } else {
            env.progress.remark("no schema: the documents share no attribute");
        }
        if beside.srag {
            report.add("srag", &self.tabulate(documents, env)?);
        }
        Ok(report)
    }

    fn ask(&self, table: &Table) -> Result<Vec<Asked>> {
        let (views, database) = (
            views(std::slice::from_ref(table)),
            Database::new(std::slice::from_ref(table))?,
        );
        let one = |asked: &Question| Ok(ask(&asked.text, &views, &database, Limits::default())?.asked);
        self.questions.iter().map(one).collect()
    }

    /// Each question by the SQL that a language model writes.
    fn translated(&self, table: &Table, env: &Environment) -> Result<Vec<Asked>> {
        let language = Language::open(env, Path::new("aggregate"), Spent::default())?;
        let stage = language.stage("sql");
        let translator = ModelTranslator::new(&stage)?;
        let (tables, database) = (std::slice::from_ref(table), Database::new(std::slice::from_ref(table))?);
        let views = views(tables);
        let source = Source {
            views: &views,
            tables,
            database: &database,
        };
        let bar = env.progress.bar("asking the model for SQL", self.questions.len());
        let one = |question: &Question| {
            env.stop.check()?;
            bar.step();
            Ok(translator.ask(&question.text, source, None, Limits::default())?)
        };
        let asked = self.questions.iter().map(one).collect::<Result<_>>()?;
        language.report("", env);
        Ok(asked)
    }

    /// Each question from a table of its own.
    fn tabulate(&self, documents: &[Document], env: &Environment) -> Result<Vec<Asked>> {
        let steps = Steps {
            planner: &EmbeddedPlanner,
            filler: &Embedded,
            translator: &EmbeddedTranslator,
        };
        let bar = env
            .progress
            .bar("filling a table for each question", self.questions.len());
        let one = |question: &Question| {
            env.stop.check()?;
            bar.step();
            Ok(tabulate(&question.text, documents, &[], &steps)?.asked)
        };
        self.questions.iter().map(one).collect()
    }

    /// Answers from the chunks nearest to each question; `None` without a model.
    ///
    /// # Differs from the paper
    /// The paper hands its first 40 chunks to a language model. Here the same filler and the same translator that read
    /// whole documents read the chunks, so that what is compared is what was retrieved.
    fn baseline(
        &self,
        schema: &TableSchema,
        documents: &[Document],
        embedding: &Embedding,
        env: &Environment,
    ) -> Result<Option<Vec<Asked>>> {
        let mut places: Vec<(usize, Span)> = Vec::new();
        for (at, document) in documents.iter().enumerate() {
            let cut = chunks(&Analysis::surface(document), embedding.counter(), CHUNK_TOKENS);
            places.extend(cut.into_iter().map(|(span, _)| (at, span)));
        }
        let texts: Vec<String> = places
            .iter()
            .map(|(at, span)| format!("{}\n{}", documents[*at].heading(), span.of(&documents[*at].text)))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = embedding.passages(&texts, env)?;
        let mut asked = Vec::new();
        for question in &self.questions {
            env.stop.check()?;
            let wanted = embedding.questions(&[question.text.as_str()])?.remove(0).vector;
            let Some(vector) = wanted.filter(|_| !vectors.is_empty()) else {
                return Ok(None);
            };
            let scores = vectors.rows().map(|row| dot(row, &vector));
            let mut nearest: Vec<(usize, f32)> = scores.enumerate().collect();
            nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let nearest = nearest.into_iter().take(BASELINE_CHUNKS);
            let mut chosen: Vec<(usize, Span)> = nearest.map(|(at, _)| places[at]).collect();
            chosen.sort_unstable();
            let tables = [fill(schema, &seen(documents, &chosen))];
            let answer = ask(
                &question.text,
                &views(&tables),
                &Database::new(&tables)?,
                Limits::default(),
            )?;
            asked.push(answer.asked);
        }
        Ok(Some(asked))
    }
}

/// The documents that a reader has who sees only these chunks, which are in order: the chunks under their documents'
/// titles.
fn seen(documents: &[Document], chunks: &[(usize, Span)]) -> Vec<Document> {
    let part = |chunks: &[(usize, Span)]| {
        let document = &documents[chunks[0].0];
        let texts: Vec<&str> = chunks.iter().map(|(_, span)| span.of(&document.text)).collect();
        let origin = document.origins.first().cloned().unwrap_or_else(|| Origin {
            file: document.title.clone(),
            record: None,
            line: None,
        });
        Document::new(document.title.clone(), texts.join("\n"), origin)
    };
    chunks.chunk_by(|a, b| a.0 == b.0).map(part).collect()
}

impl Report {
    fn new(documents: usize, questions: &[Question]) -> Self {
        let blank = |question: &Question| Given {
            id: question.id.clone(),
            kind: question.kind.clone(),
            question: question.text.clone(),
            gold: question.answer.clone(),
            answers: BTreeMap::new(),
        };
        Self {
            documents,
            systems: BTreeMap::new(),
            columns: BTreeMap::new(),
            induced_columns: Vec::new(),
            questions: questions.iter().map(blank).collect(),
        }
    }

    fn add(&mut self, system: &'static str, asked: &[Asked]) {
        let (mut n_matches, mut recall, mut n_valid) = (0, 0.0, 0);
        for (given, asked) in self.questions.iter_mut().zip(asked) {
            let answer = asked.answer.clone().unwrap_or_default();
            let is_given = asked.refusal.is_none();
            let scored = Scored {
                is_match: is_given && is_match(&given.gold, &answer),
                recall: if is_given {
                    verdict::recall(&given.gold, &answer)
                } else {
                    0.0
                },
                answer: asked.answer.clone(),
                refusal: asked.refusal.clone(),
                sql: asked.sql.clone(),
            };
            n_matches += usize::from(scored.is_match);
            n_valid += usize::from(!scored.sql.is_empty());
            recall += scored.recall;
            given.answers.insert(system.to_owned(), scored);
        }
        let n = self.questions.len().max(1) as f64;
        let figures = System {
            answer_match: n_matches as f64 / n,
            answer_recall: recall / n,
            sql_valid: n_valid as f64 / n,
        };
        self.systems.insert(system, figures);
    }

    /// The same as one part of a report: a system beside the other, and the accuracy of cells by column.
    fn part(&self, set: String) -> Part {
        let asked = |given: &Given| report::Asked {
            id: given.id.clone(),
            text: given.question.clone(),
            accepted: vec![given.gold.clone()],
            groups: vec![given.kind.clone()],
        };
        let mut part = Part {
            set,
            questions: self.questions.iter().map(asked).collect(),
            baseline: INDUCED.to_owned(),
            ..Part::default()
        };
        part.source.n_documents = self.documents;
        for (at, given) in self.questions.iter().enumerate() {
            for (system, scored) in &given.answers {
                part.score(system, "match", at, f64::from(u8::from(scored.is_match)));
                part.score(system, "parts", at, scored.recall);
                part.score(system, "answered", at, f64::from(u8::from(scored.refusal.is_none())));
                part.answer(system, scored.answer.clone(), 1.0);
            }
        }
        for (name, figures) in &self.columns {
            let metric = format!("cells of {name}");
            part.total("gold_schema", &metric, figures.gold_filled, figures.accuracy);
        }
        part
    }
}
