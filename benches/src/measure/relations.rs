//! Evaluation of relations on documents annotated with entities, their mentions, and facts between them.

use super::entities::{Tagging, count, names};
use super::label::Labels;
use super::tally::Tally;
use super::understanding::Understanding;
use crate::args::Measure;
use anyhow::{Context, Result, bail};
use banyan::eval::report::Part;
use banyan::eval::suite::Bench;
use banyan::parts::Watched;
use banyan_engine::{EntityId, Schema, name};
use banyan_extract::Watch;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

mod document;
mod vocabulary;

use document::{Annotated, Relations, parse, parse_relations};
use vocabulary::Vocabulary;

/// The file beside the documents that names their relations.
const LABELS: &str = "relation_labels.json";

/// One end of a fact that was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// A gold entity, by its position.
    Gold(usize),
    /// Something that is no gold entity, by its key.
    Other(String),
}

/// What was found in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    /// Head, relation id, tail.
    facts: BTreeSet<(End, String, End)>,
    /// Names with labels.
    names: BTreeSet<Tagging>,
}

/// All entity labels of some documents.
fn labels(documents: &[Annotated]) -> BTreeSet<String> {
    let clusters = documents.iter().flat_map(|document| &document.clusters);
    clusters
        .flat_map(|cluster| &cluster.mentions)
        .map(|mention| mention.label.clone())
        .collect()
}

/// What the embedded extractor finds in each document under the schema of `vocabulary`, all documents read as one corpus.
///
/// An end of a fact is a gold entity when any of its names in the document, or its name in the corpus, is a name of that
/// entity; names compare by key ([`banyan_engine::name::key`]). Values of attributes are ends like names.
fn find(documents: &[Annotated], labels: &Labels, vocabulary: &Vocabulary, watch: &dyn Watch) -> Result<Vec<Found>> {
    let pairs: Vec<(&str, &str)> = documents
        .iter()
        .map(|document| (document.title.as_str(), document.text.text.as_str()))
        .collect();
    let read = Understanding::of(&pairs, vocabulary.schema().clone(), watch)?;
    let found = documents.iter().enumerate().map(|(at, document)| Found {
        facts: facts(&read, at, document, vocabulary),
        names: names(&read, at, &document.text, labels),
    });
    Ok(found.collect())
}

fn facts(
    read: &Understanding,
    at: usize,
    document: &Annotated,
    vocabulary: &Vocabulary,
) -> BTreeSet<(End, String, End)> {
    let contribution = read.contribution(at);
    let ends = Ends::new(read, at, document);
    let schema = &read.knowledge.schema;
    let graph = &read.knowledge.graph;
    let kind = |key: &str| {
        graph
            .find(key)
            .map_or(schema.thing(), |id| graph.entity(id).entity_type)
    };
    let triples = contribution.triples.iter().filter_map(|claim| {
        let is_admitted = schema.admits(kind(&claim.head), claim.relation, kind(&claim.tail));
        let relation = vocabulary.id(schema.relation_name(claim.relation))?;
        is_admitted.then(|| ends.fact(&claim.head, relation, ends.of_entity(&claim.tail)))
    });
    let attributes = contribution.attributes.iter().filter_map(|claim| {
        let is_admitted = schema.admits_attribute(kind(&claim.entity), claim.attribute);
        let relation = vocabulary.id(schema.attribute_name(claim.attribute))?;
        let value = name::key(&claim.value);
        is_admitted.then(|| ends.fact(&claim.entity, relation, (ends.named(&value), value.clone())))
    });
    triples.chain(attributes).collect()
}

/// Keys to gold entities, in one document.
struct Ends<'a> {
    document: &'a Annotated,
    gold: BTreeMap<&'a str, Vec<usize>>,
    /// Entity → keys of its names in the document.
    spoken: BTreeMap<EntityId, BTreeSet<String>>,
    read: &'a Understanding,
}

impl<'a> Ends<'a> {
    fn new(read: &'a Understanding, at: usize, document: &'a Annotated) -> Self {
        let mut gold: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (position, cluster) in document.clusters.iter().enumerate() {
            for key in &cluster.names {
                gold.entry(key).or_default().push(position);
            }
        }
        let mut spoken: BTreeMap<EntityId, BTreeSet<String>> = BTreeMap::new();
        for (span, entity) in read.names(at) {
            spoken
                .entry(entity)
                .or_default()
                .insert(name::key(span.of(&document.text.text)));
        }
        Self {
            document,
            gold,
            spoken,
            read,
        }
    }

    fn named(&self, key: &str) -> Vec<usize> {
        self.gold.get(key).cloned().unwrap_or_default()
    }

    /// The gold entities that an entity may be, and its key.
    fn of_entity(&self, key: &str) -> (Vec<usize>, String) {
        let graph = &self.read.knowledge.graph;
        let mut keys = BTreeSet::from([key.to_owned()]);
        if let Some(id) = graph.find(key) {
            keys.insert(name::key(&graph.entity(id).name));
            keys.extend(self.spoken.get(&id).into_iter().flatten().cloned());
        }
        let found: BTreeSet<usize> = keys.iter().flat_map(|key| self.named(key)).collect();
        (found.into_iter().collect(), key.to_owned())
    }

    /// A fact with its ends as gold entities where they are: of several readings one that is gold, else the first.
    fn fact(&self, head: &str, relation: &str, (tails, tail): (Vec<usize>, String)) -> (End, String, End) {
        let (heads, head) = self.of_entity(head);
        let pairs = || {
            heads
                .iter()
                .flat_map(|head| tails.iter().map(move |tail| (*head, *tail)))
        };
        let is_gold = |pair: &(usize, usize)| self.document.facts.contains(&(pair.0, relation.to_owned(), pair.1));
        let end = |list: &[usize], key: String| list.first().map_or(End::Other(key), |first| End::Gold(*first));
        let (head, tail) = match pairs().find(is_gold) {
            Some((head, tail)) => (End::Gold(head), End::Gold(tail)),
            None => (end(&heads, head), end(&tails, tail)),
        };
        (head, relation.to_owned(), tail)
    }
}

/// Counts facts and names that are right, over all documents together.
fn score(part: &mut Part, documents: &[Annotated], found: &[Found], relations: &Relations) {
    let (mut gold, mut predicted, mut between) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut tagged, mut named) = (BTreeSet::new(), BTreeSet::new());
    for (at, (document, found)) in documents.iter().zip(found).enumerate() {
        let facts = document.facts.iter();
        gold.extend(facts.map(|(head, relation, tail)| (at, (End::Gold(*head), relation.clone(), End::Gold(*tail)))));
        for fact in &found.facts {
            predicted.insert((at, fact.clone()));
            if let (End::Gold(_), _, End::Gold(_)) = fact {
                between.insert((at, fact.clone()));
            }
        }
        tagged.extend(document.mentions().map(|mention| (at, mention.clone())));
        named.extend(found.names.iter().map(|name| (at, name.clone())));
    }
    let label = |fact: &(usize, (End, String, End))| relations.get(&fact.1.1).cloned().unwrap_or_default();
    Tally::of(&gold, &predicted).set_down(part, "facts", "");
    Tally::of(&gold, &between).set_down(part, "facts between gold entities", "");
    for (label, tally) in Tally::by(&gold, &predicted, label) {
        part.total("facts", &format!("f1 {label}"), tally.gold, tally.f1());
    }
    count(part, "names", &tagged, &named);
}

/// Reads annotated documents and counts the facts that are found in them.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    args.paths.iter().map(|path| measured(path, bench)).collect()
}

fn measured(path: &Path, bench: &Bench<'_>) -> Result<Part> {
    let mut files = super::files(path, "json")?;
    files.retain(|file| file.file_name().is_some_and(|name| name != LABELS));
    let Some(first) = files.first() else {
        bail!(
            "{}: no documents; expected a .json file beside {LABELS}",
            path.display()
        );
    };
    let read = |file: &Path| fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()));
    let place = first.with_file_name(LABELS);
    let text = read(&place).context("the labels of the relations are missing; put them beside the documents")?;
    let relations = parse_relations(&text).with_context(|| place.display().to_string())?;
    let mut documents = Vec::new();
    for file in &files {
        documents.extend(parse(&read(file)?, &relations).with_context(|| file.display().to_string())?);
    }
    let (labels, vocabulary) = vocabulary(&documents, &relations)?;
    let bar = bench.env.progress.bar("extracting", documents.len());
    let watch = Watched {
        bar: &bar,
        stop: &bench.env.stop,
    };
    let found = find(&documents, &labels, &vocabulary, &watch)?;
    drop(bar);
    let mut part = super::part(path, documents.len());
    score(&mut part, &documents, &found, &relations);
    Ok(part)
}

/// The labels of the documents, read with the nouns of the built-in schema, and the vocabulary of their relations.
fn vocabulary(documents: &[Annotated], relations: &Relations) -> Result<(Labels, Vocabulary)> {
    let general = Schema::general()?;
    let labels = Labels::new(&labels(documents), &general);
    let vocabulary = Vocabulary::new(relations, &labels, &general)?;
    Ok((labels, vocabulary))
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan::eval::report::Total;

    struct Nobody;
    impl Watch for Nobody {}

    const RELATIONS: &str = r#"{"P1": "place of birth", "P2": "date of birth", "P3": "founded by"}"#;

    /// Ada Quill (twice named) was born in Vessing in 1901; the office is gold but not stated.
    const DOCUMENTS: &str = r#"[{"title": "Ada Quill", "sents": [
        ["Ada", "Quill", "was", "born", "in", "Vessing", "in", "1901", "."], ["Quill", "met", "Odd", "Riis", "."]],
      "vertexSet": [
        [{"name": "Ada Quill", "sent_id": 0, "pos": [0, 2], "type": "PER"},
         {"name": "Quill", "sent_id": 1, "pos": [0, 1], "type": "PER"}],
        [{"name": "Vessing", "sent_id": 0, "pos": [5, 6], "type": "LOC"}],
        [{"name": "1901", "sent_id": 0, "pos": [7, 8], "type": "TIME"}],
        [{"name": "Odd Riis", "sent_id": 1, "pos": [2, 4], "type": "PER"}]],
      "labels": [{"h": 0, "t": 1, "r": "P1"}, {"h": 0, "t": 2, "r": "P2"}, {"h": 1, "t": 3, "r": "P3"}]}]"#;

    fn gold(head: usize, relation: &str, tail: usize) -> (End, String, End) {
        (End::Gold(head), relation.to_owned(), End::Gold(tail))
    }

    #[test]
    fn the_hand_computed_case_agrees() {
        let relations = parse_relations(RELATIONS).unwrap();
        let documents = parse(DOCUMENTS, &relations).unwrap();
        let outside = (End::Gold(0), "P1".to_owned(), End::Other("ommer".to_owned()));
        let found = Found {
            facts: BTreeSet::from([gold(0, "P1", 1), gold(0, "P1", 3), outside]),
            names: BTreeSet::from([Tagging::new(0..2, "PER"), Tagging::new(5..6, "PER")]),
        };
        let mut part = Part::default();
        score(&mut part, &documents, &[found], &relations);
        let value = |method: &str, metric: &str| {
            let is_it = |one: &&Total| one.method == method && one.metric == metric;
            part.totals.iter().find(is_it).unwrap().value
        };
        // Of three facts found one is among the three gold ones; one of those found leaves the gold entities.
        let between = "facts between gold entities";
        for (method, metric, expected) in [
            ("facts", "precision", 1.0 / 3.0),
            ("facts", "f1", 1.0 / 3.0),
            (between, "precision", 0.5),
            (between, "f1", 0.4),
            // Two names are in place, of five mentions; one has its label.
            ("names", "span precision", 1.0),
            ("names", "span recall", 0.4),
            ("names", "f1", 2.0 / 7.0),
            ("facts", "f1 place of birth", 0.5),
        ] {
            assert!((value(method, metric) - expected).abs() < 1e-6, "{method} {metric}");
        }
    }

    #[test]
    fn facts_are_found_by_any_name_of_their_ends() {
        let relations = parse_relations(RELATIONS).unwrap();
        let documents = parse(DOCUMENTS, &relations).unwrap();
        let (labels, vocabulary) = vocabulary(&documents, &relations).unwrap();
        let found = find(&documents, &labels, &vocabulary, &Nobody).unwrap();
        let facts = &found[0].facts;
        assert!(
            facts.contains(&gold(0, "P1", 1)) && facts.contains(&gold(0, "P2", 2)),
            "{facts:?}"
        );
        assert!(!facts.contains(&gold(1, "P3", 3)), "{facts:?}");
        assert!(found[0].names.contains(&Tagging::new(7..8, "TIME")));
    }
}
