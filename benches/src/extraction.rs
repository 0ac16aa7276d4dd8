//! `banyan-eval extraction`: statements of single sentences under an ontology (`Text2KGBench`), beside published systems.

use crate::args::Extraction;
use crate::measure::annotated::{Annotated, Course, Labels, Understanding, Vocabulary, facts};
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::eval::report::Part;
use banyan::parts::Watched;
use banyan::{Environment, corpus, cpu};
use banyan_engine::Schema;
use banyan_extract::learned::RelationModel;
use banyan_extract::{Analyser, Extractor, Watch};
use example::{Example, Triple, read_examples};
use gold::{annotated, triple};
use metric::score;
use ontology::Ontology;
use report::{Comparators, Figures, OntologyReport, Report};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

mod example;
mod gold;
mod metric;
mod ontology;
mod report;

/// The file that makes a directory an ontology's.
const ONTOLOGY: &str = "ontology.json";

struct Set {
    ontology: Ontology,
    /// Empty where nothing is learned.
    train: Vec<Example>,
    test: Vec<Example>,
}

pub(crate) fn run(args: &Extraction, env: &Environment) -> Result<()> {
    let directories = directories(&args.data)?;
    let sets: Vec<Set> = directories
        .iter()
        .map(|directory| Set::read(directory, args.learn))
        .collect::<Result<_>>()?;
    let bar = env
        .progress
        .bar("reading sentences", sets.iter().map(|set| set.test.len()).sum());
    let watch = Watched {
        bar: &bar,
        stop: &env.stop,
    };
    let analyser = banyan::analyser(env);
    let reports = sets.iter().map(|set| evaluate(set, analyser, &watch));
    let reports = reports.collect::<Result<_>>()?;
    drop(bar);
    let report = Report::new(if args.learn { "examples" } else { "labels" }.to_owned(), reports);
    if args.json {
        return render::json(&report);
    }
    let mean = format!("mean, read from {}", report.reader);
    let mut parts = vec![part(&mean, &report.figures, report.comparators)?];
    for one in &report.ontologies {
        parts.push(part(&one.name, &one.figures, one.comparators)?);
    }
    render::parts(parts)
}

/// Our figures, published F1 beside them.
fn part(name: &str, figures: &Figures, published: Option<Comparators>) -> Result<Part> {
    let mut part = Part {
        set: name.to_owned(),
        ..Part::default()
    };
    render::set_down(&mut part, "banyan", figures.sentences, figures)?;
    if let Some(published) = published {
        part.total("Vicuna-13B", "f1", figures.sentences, published.vicuna_13b);
        part.total("Alpaca-LoRA-13B", "f1", figures.sentences, published.alpaca_lora_13b);
    }
    Ok(part)
}

impl Set {
    fn read(directory: &Path, needs_train: bool) -> Result<Self> {
        let place = directory.join(ONTOLOGY);
        let ontology = Ontology::from_json(&corpus::text(&place)?).with_context(|| place.display().to_string())?;
        let train = if needs_train {
            examples(&directory.join("train.jsonl"))?
        } else {
            Vec::new()
        };
        Ok(Self {
            ontology,
            train,
            test: examples(&directory.join("ground_truth.jsonl"))?,
        })
    }
}

/// The directories at or below `data` that hold an ontology, in order of their paths.
fn directories(data: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![data.to_owned()]);
    while let Some(directory) = open.pop() {
        if directory.join(ONTOLOGY).is_file() {
            found.push(directory);
            continue;
        }
        let entries = fs::read_dir(&directory).with_context(|| format!("{}: cannot list", directory.display()))?;
        for entry in entries {
            let path = entry
                .with_context(|| format!("{}: cannot list", directory.display()))?
                .path();
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    if found.is_empty() {
        bail!(
            "{}: no ontology; expected a directory with {ONTOLOGY}, train.jsonl and ground_truth.jsonl, or one above such",
            data.display()
        );
    }
    found.sort();
    Ok(found)
}

/// Whether who each fact is about is named, by keys of names.
fn is_told(text: &Annotated, spoken: &BTreeSet<String>) -> bool {
    let mut heads = text.facts.iter().map(|(head, ..)| &text.entities[*head]);
    heads.all(|keys| !keys.is_disjoint(spoken))
}

/// The test sentences of an ontology read as one corpus, by weights that its training sentences teach where there are
/// such.
fn evaluate(set: &Set, analyser: &Analyser, watch: &dyn Watch) -> Result<OntologyReport> {
    let Set { ontology, train, test } = set;
    let general = Schema::general()?;
    let labels = Labels::new(&ontology.concepts.iter().cloned().collect(), &general);
    let relations = ontology.labels();
    let vocabulary = Vocabulary::new(&relations, &labels, &general)?;
    let understood = |texts: &[Annotated], extractor: Extractor| {
        Understanding::of(texts, vocabulary.schema().clone(), analyser, extractor, watch)
    };
    let mut classes = RelationModel::built_in().classes().to_vec();
    if !train.is_empty() {
        let texts: Vec<Annotated> = train.iter().map(|example| annotated(example, ontology).0).collect();
        let read = understood(&texts, Extractor::Embedded)?;
        let course = Course::new(&read, &texts, &vocabulary, &relations, analyser, watch)?;
        // Where a subject goes by a name that was not found, its facts are no lesson.
        let learned = course.learned(|text| is_told(&texts[text], &read.spoken(text, &texts[text])));
        classes.retain(|class| learned.classes().iter().all(|other| other.label != class.label));
        classes.extend(learned.classes().iter().cloned());
    }
    let model = RelationModel::new(classes);
    let (cpu, wall) = (cpu::time(), Instant::now());
    let (texts, ends): (Vec<Annotated>, Vec<Vec<String>>) =
        test.iter().map(|example| annotated(example, ontology)).unzip();
    let read = understood(&texts, Extractor::Trained(&model))?;
    let found = facts(&read, &texts, &vocabulary);
    let spent = (cpu::time().saturating_sub(cpu), wall.elapsed());
    let concepts: Vec<&str> = ontology.concepts.iter().map(String::as_str).collect();
    let relations: Vec<&str> = ontology.relations.iter().map(String::as_str).collect();
    let scores = test.iter().zip(&ends).zip(&found).map(|((example, ends), found)| {
        let said: Vec<Triple> = found.iter().filter_map(|fact| triple(fact, ends, ontology)).collect();
        score(&example.sentence, &example.triples, &said, &concepts, &relations)
    });
    let scores: Vec<_> = scores.collect();
    let figures = Figures::new(&scores, scores.len(), spent.0.as_secs_f64(), spent.1.as_secs_f64());
    Ok(OntologyReport::new(&ontology.id, figures))
}

fn examples(file: &Path) -> Result<Vec<Example>> {
    read_examples(&corpus::text(file)?).with_context(|| file.display().to_string())
}
