//! Columns and records by a language model (S-RAG §3.2): two stages of prompts in rounds for the columns; for the cells a
//! call a document, or several where it is longer than a prompt, each cell with a quote that the document has.

use super::induce::{MAX_DOCUMENTS, MAX_EXAMPLES, MAX_QUESTIONS, ROUNDS, spread};
use super::literal::{read, unit_of};
use super::part::{fitting, parts, relevant};
use banyan_engine::llm::{Asked, CallLimits, LanguageModel, LlmError, Request, Role};
use banyan_engine::stated::{DefectCounts, DefectKind};
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Cell, Column, Kind, Other, Record, Table, TableSchema};
use banyan_engine::{Document, Span};
use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[cfg(test)]
mod tests;

/// Kinds of values, as prompts name them.
const KINDS: [&str; 6] = ["text", "integer", "number", "boolean", "date", "year"];
/// Most characters of a description; the rest is cut. Arbitrary.
const MAX_DESCRIPTION: usize = 400;
/// Calls about one document. Arbitrary: of a longer one the parts that speak of the columns are read.
pub const MAX_PARTS: usize = 4;
/// How sure a cell is that a model read, whose quote stands in the document. Arbitrary: no model says how sure it is.
const QUOTED: f32 = 0.9;

/// What came of asking for something.
#[derive(Debug, Default)]
pub struct Given<T> {
    /// It, as far as there is any.
    pub what: T,
    /// What was wrong with replies, and how often.
    pub defects: DefectCounts,
    /// The first call that failed.
    pub failure: Option<LlmError>,
    /// Documents of which only a part was read.
    pub n_partly: usize,
}

impl<T> Given<T> {
    /// What a call replies; a call that fails is counted.
    fn take<R>(&mut self, reply: Result<Asked<R>, LlmError>) -> Option<R> {
        match reply {
            Ok(asked) => asked.counted(&mut self.defects),
            Err(error) => {
                self.defects.note(DefectKind::Unanswered, 1);
                self.failure.get_or_insert(error);
                None
            }
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct Columns {
    #[serde(default)]
    record: String,
    #[schemars(length(max = 60))]
    columns: Vec<NewColumn>,
}

#[derive(Deserialize, JsonSchema)]
struct NewColumn {
    #[schemars(length(min = 1, max = 60))]
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    description: String,
    examples: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Row {
    cells: Vec<Quoted>,
}

#[derive(Deserialize, JsonSchema)]
struct Quoted {
    column: String,
    #[serde(default)]
    quote: String,
    value: String,
}

/// Asks a model for columns and cells. The same replies give the same tables for any number of calls at a time.
pub struct RecordReader<'a> {
    model: &'a dyn LanguageModel,
    limits: CallLimits,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    first: Role<Columns>,
    further: Role<Columns>,
    fill: Role<Row>,
}

impl<'a> RecordReader<'a> {
    /// One that asks `model` until `is_stopped`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        limits: CallLimits,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, LlmError> {
        let columns = |source| Role::new("columns", source)?.with_enum("columns.type", &KINDS);
        Ok(Self {
            model,
            limits,
            is_stopped,
            first: columns(include_str!("../../prompts/induce.md"))?,
            further: columns(include_str!("../../prompts/refine.md"))?,
            fill: Role::new("record", include_str!("../../prompts/fill.md"))?,
        })
    }

    /// The table of a corpus; none where the documents share nothing. The first round takes the first stage, every
    /// further one the second with other documents; there is one of those even where the documents are few, because
    /// only it sees the questions.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    pub fn induce(
        &self,
        documents: &[Document],
        questions: &[&str],
        table: &str,
    ) -> Result<Given<Option<TableSchema>>, LlmError> {
        let mut given = Given::default();
        let sample = spread(documents, ROUNDS * MAX_DOCUMENTS);
        let mut rounds: Vec<&[&Document]> = sample.chunks(MAX_DOCUMENTS).collect();
        if let [only] = rounds[..] {
            rounds.push(only);
        }
        let questions = &questions[..questions.len().min(MAX_QUESTIONS)];
        let mut schema = TableSchema {
            name: identifier(table),
            ..TableSchema::default()
        };
        for round in rounds {
            let request = self.columns_request(&schema.columns, round, questions)?;
            let reply = self.model.complete(&request).map(|reply| self.first.read(&reply));
            let Some(Columns { record, columns }) = given.take(reply) else {
                if given.failure.is_some() {
                    break;
                }
                continue;
            };
            let found = checked(columns, &mut given.defects);
            if !found.is_empty() {
                schema.columns = found;
                schema.nouns = Some(record.to_lowercase())
                    .filter(|noun| !noun.is_empty())
                    .into_iter()
                    .collect();
            }
        }
        given.what = (!schema.columns.is_empty()).then_some(schema);
        Ok(given)
    }

    /// The request of a round: the first stage without columns, the second with them.
    fn columns_request(
        &self,
        known: &[Column],
        documents: &[&Document],
        questions: &[&str],
    ) -> Result<Request, LlmError> {
        let role = if known.is_empty() { &self.first } else { &self.further };
        let columns: Vec<String> = known.iter().map(|column| in_json(column).to_string()).collect();
        let request = |room: u64| {
            let shown: Vec<String> = documents.iter().map(|document| shown(document, room)).collect();
            let values = json!({"columns": columns.join("\n"), "documents": shown, "questions": questions});
            role.request(&values, self.limits.max_reply_tokens)
        };
        let room = self.room_beside(&request(0)?);
        request(room / u64::try_from(documents.len().max(1)).unwrap_or(1))
    }

    /// The requests about a document, and whether they show all of it.
    fn cells_requests(&self, schema: &TableSchema, document: &Document) -> Result<(Vec<Request>, bool), LlmError> {
        let columns: Vec<String> = schema.columns.iter().map(in_words).collect();
        let columns = columns.join("\n");
        let request = |part: &str| {
            let values = json!({"columns": columns, "document": format!("{}\n{part}", document.title)});
            self.fill.request(&values, self.limits.max_reply_tokens)
        };
        let all = parts(&document.text, self.room_beside(&request("")?));
        let n_all = all.len();
        let read = relevant(&document.text, all, &columns, MAX_PARTS);
        let is_whole = read.len() == n_all;
        let requests = read.iter().map(|part| request(part.of(&document.text)));
        Ok((requests.collect::<Result<_, _>>()?, is_whole))
    }

    /// Tokens that a prompt without documents leaves for them.
    fn room_beside(&self, empty: &Request) -> u64 {
        u64::from(self.limits.max_prompt_tokens).saturating_sub(empty.estimated_prompt_tokens())
    }
}

/// Who reads the cells of a table.
pub trait Filler {
    /// A record for each document, in their order; one that could not be read has empty cells.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Given<Table>, LlmError>;
}

/// Reads cells by rules: [`fill()`](super::fill()).
pub struct Embedded;

impl Filler for Embedded {
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Given<Table>, LlmError> {
        Ok(Given {
            what: super::fill(schema, documents),
            ..Given::default()
        })
    }
}

impl Filler for RecordReader<'_> {
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Given<Table>, LlmError> {
        let mut given = Given::default();
        let (mut requests, mut ends) = (Vec::new(), Vec::new());
        for document in documents {
            let (own, is_whole) = self.cells_requests(schema, document)?;
            given.n_partly += usize::from(!is_whole);
            requests.extend(own);
            ends.push(requests.len());
        }
        let mut replies = self
            .fill
            .ask_all(self.model, &requests, self.limits.max_concurrent, self.is_stopped)
            .into_iter();
        let mut records = Vec::with_capacity(documents.len());
        let mut start = 0;
        for (document, end) in documents.iter().zip(ends) {
            let own = replies.by_ref().take(end - start);
            let quoted = own
                .filter_map(|reply| given.take(reply))
                .flat_map(|row| row.cells)
                .collect();
            start = end;
            records.push(Record {
                document: document.id,
                title: document.title.clone(),
                cells: cells(quoted, schema, &document.text, &mut given.defects),
            });
        }
        given.what = Table {
            schema: schema.clone(),
            records,
        };
        Ok(given)
    }
}

/// A document as a prompt shows it: as much as `max_tokens` hold, at least its first hundred characters.
fn shown(document: &Document, max_tokens: u64) -> String {
    let mut whole = format!("{}\n{}", document.title, document.text);
    whole.truncate(fitting(&whole, max_tokens));
    whole
}

/// A column as it is replied.
fn in_json(column: &Column) -> serde_json::Value {
    json!({
        "name": column.name,
        "type": column.kind.to_string(),
        "unit": column.unit.as_deref().unwrap_or(""),
        "description": column.description,
        "examples": column.examples,
    })
}

/// A column in one line.
fn in_words(column: &Column) -> String {
    let Column {
        name,
        kind,
        description,
        ..
    } = column;
    let unit = column
        .unit
        .as_ref()
        .map_or_else(String::new, |unit| format!(" in {unit}"));
    let examples = match &column.examples[..] {
        [] => String::new(),
        examples => format!("; for example {}", examples.join(", ")),
    };
    format!("{name} ({kind}{unit}): {description}{examples}")
}

/// The columns of a reply that are some, each once.
fn checked(new: Vec<NewColumn>, defects: &mut DefectCounts) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for new in new {
        let name = identifier(&new.name);
        let Some(kind) = Kind::of_word(&new.kind) else {
            defects.note(DefectKind::UnknownKind, 1);
            continue;
        };
        if name.is_empty() || columns.iter().any(|known| known.name == name) {
            let kind = if name.is_empty() {
                DefectKind::EmptyName
            } else {
                DefectKind::Duplicate
            };
            defects.note(kind, 1);
            continue;
        }
        columns.push(Column {
            description: new.description.chars().take(MAX_DESCRIPTION).collect(),
            examples: new.examples.into_iter().take(MAX_EXAMPLES).collect(),
            unit: Some(new.unit).filter(|unit| kind.is_number() && unit_of(unit).is_some()),
            ..Column::new(name, kind)
        });
    }
    columns
}

/// The cells of a reply about a document, one a column in the schema's order. A second value of a column, quoted as well,
/// contradicts the first.
fn cells(quoted: Vec<Quoted>, schema: &TableSchema, text: &str, defects: &mut DefectCounts) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); schema.columns.len()];
    for quoted in quoted.into_iter().filter(|quoted| !quoted.value.is_empty()) {
        let Some(at) = schema.position(&identifier(&quoted.column)) else {
            defects.note(DefectKind::UnknownReference, 1);
            continue;
        };
        let known = &mut cells[at];
        match cell(&quoted, &schema.columns[at], text) {
            Ok(cell) if known.value.is_null() => *known = cell,
            Ok(Cell {
                value,
                raw,
                span: Some(span),
                ..
            }) if value != known.value => known.others.push(Other { value, raw, span }),
            Err(defect) if known.value.is_null() => defects.note(defect, 1),
            _ => defects.note(DefectKind::Duplicate, 1),
        }
    }
    cells
}

fn cell(quoted: &Quoted, column: &Column, text: &str) -> Result<Cell, DefectKind> {
    let value = read(column, &quoted.value).ok_or(DefectKind::WrongType)?;
    let span = find(text, &quoted.quote).ok_or(DefectKind::NotInText)?;
    Ok(Cell {
        value,
        raw: span.of(text).to_owned(),
        span: Some(span),
        confidence: QUOTED,
        others: Vec::new(),
    })
}

/// Where a quote stands, white space of any kind and length alike. An empty one stands nowhere.
fn find(text: &str, quote: &str) -> Option<Span> {
    let words: Vec<String> = quote.split_whitespace().map(regex::escape).collect();
    let pattern = Regex::new(&words.join(r"\s+")).ok().filter(|_| !words.is_empty())?;
    pattern.find(text).map(|found| Span::new(found.start(), found.end()))
}
