//! Names and facts that the embedded extractor finds in annotated texts: sentences tagged token by token (BIO), and
//! documents in the form of `DocRED`.

use crate::args::Measure;
use anyhow::{Context, Result, ensure};
use banyan::corpus;
use banyan::eval::report::Part;
use banyan::eval::suite::Bench;
use banyan::parts::Watched;
use banyan_engine::document::canonicalise;
use banyan_engine::{
    Contribution, Document, DocumentId, EntityId, Knowledge, Origin, Resolution, Schema, Settings, Span, name,
};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::literal::literals;
use banyan_extract::{Analyser, ExtractError, Extractor, Watch, extract};
pub(crate) use course::Course;
pub(crate) use facts::{End, Fact, facts};
pub(crate) use label::Labels;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
pub(crate) use tokens::Tokenised;
pub(crate) use vocabulary::Vocabulary;

mod bio;
mod course;
mod docred;
mod facts;
mod label;
mod tally;
mod tokens;
mod vocabulary;

/// Extension of tagged files in a directory.
const TAGGED: &str = "txt";
/// The file beside documents that names their relations.
const LABELS: &str = "relation_labels.json";
/// The label of a name whose type nothing shows, in a set without a residual label.
const UNTYPED: &str = "–";

/// Labels of relations by their ids.
pub(crate) type Relations = BTreeMap<String, String>;

/// A text with what is to be found in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Annotated {
    pub(crate) title: String,
    pub(crate) text: Tokenised,
    /// Where it names something, each place with its label.
    pub(crate) names: BTreeSet<Tagging>,
    /// Keys of all names of each entity, where the set tells of entities.
    pub(crate) entities: Vec<BTreeSet<String>>,
    /// Its facts: head, relation id, tail; ends are positions of entities.
    pub(crate) facts: BTreeSet<(usize, String, usize)>,
}

/// A name by its tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tagging {
    first: usize,
    /// One past the last token.
    end: usize,
    label: String,
}

impl Tagging {
    fn new(tokens: Range<usize>, label: &str) -> Self {
        Self {
            first: tokens.start,
            end: tokens.end,
            label: label.to_owned(),
        }
    }
}

pub(crate) fn entities(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let one = |path: &Path| {
        let mut sentences = Vec::new();
        for file in super::files(path, TAGGED)? {
            sentences.extend(bio::parse(&corpus::text(&file)?).with_context(|| file.display().to_string())?);
        }
        measured(path, &sentences, &Relations::new(), args, bench)
    };
    args.paths.iter().map(|path| one(path)).collect()
}

pub(crate) fn relations(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let one = |path: &Path| {
        let mut files = super::files(path, "json")?;
        files.retain(|file| file.file_name().is_some_and(|name| name != LABELS));
        let place = path.display();
        let first = files.first();
        let first = first.with_context(|| format!("{place}: no documents; expected a .json file beside {LABELS}"))?;
        let labels = first.with_file_name(LABELS);
        let text =
            corpus::text(&labels).context("the labels of the relations are missing; put them beside the documents")?;
        let relations: Relations = serde_json::from_str(&text)
            .with_context(|| format!("{}: expected an object from relation ids to labels", labels.display()))?;
        ensure!(!relations.is_empty(), "{}: no relations", labels.display());
        let mut documents = Vec::new();
        for file in &files {
            documents
                .extend(docred::parse(&corpus::text(file)?, &relations).with_context(|| file.display().to_string())?);
        }
        measured(path, &documents, &relations, args, bench)
    };
    args.paths.iter().map(|path| one(path)).collect()
}

fn measured(
    path: &Path,
    texts: &[Annotated],
    relations: &Relations,
    args: &Measure,
    bench: &Bench<'_>,
) -> Result<Part> {
    let general = Schema::general()?;
    let names = texts.iter().flat_map(|text| &text.names);
    let labels = Labels::new(&names.map(|name| name.label.clone()).collect(), &general);
    let vocabulary = Vocabulary::new(relations, &labels, &general)?;
    let bar = bench.env.progress.bar("extracting", texts.len());
    let watch = Watched {
        bar: &bar,
        stop: &bench.env.stop,
    };
    let analyser = banyan::analyser(bench.env);
    let read = Understanding::of(
        texts,
        vocabulary.schema().clone(),
        analyser,
        Extractor::Embedded,
        &watch,
    )?;
    let mut part = super::part(path, texts.len());
    if !relations.is_empty() {
        if args.cross_validate || args.fit.is_some() {
            let course = Course::new(&read, texts, &vocabulary, relations, analyser, &watch)?;
            if let Some(file) = &args.fit {
                course.fit(file)?;
            }
            if args.cross_validate {
                let found = course.cross_validated(&watch)?;
                facts::score(&mut part, texts, &found, relations);
            }
        } else {
            facts::score(&mut part, texts, &facts(&read, texts, &vocabulary), relations);
        }
    }
    let found: Vec<BTreeSet<Tagging>> = (0..texts.len())
        .map(|at| self::names(&read, at, &texts[at].text, &labels))
        .collect();
    score(&mut part, texts, &found);
    Ok(part)
}

/// What the embedded extractor makes of some texts, each still known by its place in the input.
pub(crate) struct Understanding {
    /// Everything found in all of them together.
    knowledge: Knowledge,
    /// For each text its position in the knowledge; equal texts share one.
    positions: Vec<usize>,
}

impl Understanding {
    /// Reads texts as the documents of one corpus. Cost O(total length · log names), in parallel.
    pub(crate) fn of(
        texts: &[Annotated],
        schema: Schema,
        analyser: &Analyser,
        extractor: Extractor,
        watch: &dyn Watch,
    ) -> Result<Self, ExtractError> {
        let document = |text: &Annotated| {
            let origin = Origin {
                file: String::new(),
                record: None,
                line: None,
            };
            Document::new(&text.title, &text.text.text, origin)
        };
        let mut documents: Vec<Document> = texts.iter().map(document).collect();
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        canonicalise(&mut documents);
        let places: BTreeMap<DocumentId, usize> = (0..).zip(&documents).map(|(at, one)| (one.id, at)).collect();
        let settings = Settings::default();
        let max = settings.max_chunk_tokens;
        let parsed = analyser.read(&documents, watch)?;
        let found = extract(&parsed, extractor, &schema, &EstimateTokens, max, watch)?;
        Ok(Self {
            knowledge: Knowledge::assemble(settings, schema, documents, found, Resolution::default()),
            positions: ids.iter().map(|id| places[id]).collect(),
        })
    }

    /// What the text at this position of the input says.
    fn contribution(&self, text: usize) -> &Contribution {
        self.knowledge.contributions.get(self.positions[text])
    }

    /// The keys of what is named in one text.
    pub(crate) fn spoken(&self, at: usize, text: &Annotated) -> BTreeSet<String> {
        let names = self.names(at).into_iter();
        names.map(|(span, _)| name::key(span.of(&text.text.text))).collect()
    }

    /// The names in one text, terms apart, in order and without overlap: where each stands and what it denotes; of
    /// several meanings of a name the first.
    fn names(&self, text: usize) -> Vec<(Span, EntityId)> {
        let mut names: Vec<(Span, EntityId)> = Vec::new();
        let mentions = &self.contribution(text).mentions;
        let placed = mentions.iter().filter(|mention| mention.span.end > mention.span.start);
        for mention in placed.filter(|mention| !mention.is_term) {
            let is_free = names.last().is_none_or(|(last, _)| last.end <= mention.span.start);
            let entity = self.knowledge.graph.find(&mention.entity).filter(|_| is_free);
            names.extend(entity.map(|entity| (mention.span, entity)));
        }
        names
    }
}

/// The names in one text of what was read, by token. A name covers every token that it touches. Its label is the type
/// of its entity in the whole set; a name without a type has the residual label, else [`UNTYPED`]. Dates and numbers
/// count as names where the set labels them.
fn names(read: &Understanding, at: usize, text: &Tokenised, labels: &Labels) -> BTreeSet<Tagging> {
    let schema = &read.knowledge.schema;
    let mut found: BTreeSet<Tagging> = BTreeSet::new();
    for (span, entity) in read.names(at) {
        let kind = read.knowledge.graph.entity(entity).entity_type;
        let label = labels.of(schema, kind).unwrap_or(UNTYPED);
        found.extend(text.covered(span).map(|tokens| Tagging::new(tokens, label)));
    }
    for literal in literals(&text.text, Span::new(0, text.text.len())) {
        let label = labels.of_value(literal.kind);
        let value = label.zip(text.covered(literal.span));
        let value = value.map(|(label, tokens)| Tagging::new(tokens, label));
        let is_apart = |value: &Tagging| {
            found
                .iter()
                .all(|name| name.end <= value.first || value.end <= name.first)
        };
        found.extend(value.filter(is_apart));
    }
    found
}

/// Counts names that are right in place, and in place and label; by label of the latter.
fn score(part: &mut Part, texts: &[Annotated], found: &[BTreeSet<Tagging>]) {
    let gold: BTreeSet<(usize, &Tagging)> = (texts.iter().enumerate())
        .flat_map(|(at, text)| text.names.iter().map(move |name| (at, name)))
        .collect();
    let found: BTreeSet<(usize, &Tagging)> = (found.iter().enumerate())
        .flat_map(|(at, names)| names.iter().map(move |name| (at, name)))
        .collect();
    let placed = |set: &BTreeSet<(usize, &Tagging)>| -> BTreeSet<(usize, usize, usize)> {
        set.iter().map(|(at, name)| (*at, name.first, name.end)).collect()
    };
    tally::set_down(part, "names", "", &gold, &found);
    tally::set_down(part, "names", "span ", &placed(&gold), &placed(&found));
    tally::by(part, "names", &gold, &found, |(_, name)| &name.label);
}

#[cfg(test)]
mod tests;
