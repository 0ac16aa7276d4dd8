//! Relations learned from annotated documents, tried on documents that were left out, and written for the program.

use super::facts::{End, Ends, Fact, facts};
use super::{Annotated, Relations, Understanding, Vocabulary};
use anyhow::{Context, Result};
use banyan_engine::name;
use banyan_extract::learned::{Class, Element, RelationModel};
use banyan_extract::relation::Lessons;
use banyan_extract::{Analyser, Extractor, Watch, lessons};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// How often documents are left out: each once.
const FOLDS: usize = 5;
/// Weight of the penalty on the size of weights (L1): of 1, 2 and 3 the best on documents left out of the fit.
const PENALTY: f64 = 2.0;
/// What the built-in schema has for the relations of Wikidata, by their labels.
const MEANS: &[(&str, &str)] = &[
    ("author", "author"),
    ("award received", "received_award"),
    ("based on", "based_on"),
    ("capital of", "capital_of"),
    ("cast member", "cast_member"),
    ("chairperson", "led_by"),
    ("child", "parent_of"),
    ("composer", "composer"),
    ("country", "located_in"),
    ("country of citizenship", "nationality"),
    ("creator", "creator"),
    ("date of birth", "birth_date"),
    ("date of death", "death_date"),
    ("developer", "creator"),
    ("director", "director"),
    ("dissolved, abolished or demolished date", "closed_date"),
    ("educated at", "educated_at"),
    ("employer", "employed_by"),
    ("father", "child_of"),
    ("followed by", "followed_by"),
    ("follows", "preceded_by"),
    ("founded by", "founded_by"),
    ("has part(s)", "has_part"),
    ("head of government", "led_by"),
    ("head of state", "led_by"),
    ("headquarters location", "headquartered_in"),
    ("inception", "founded_date"),
    ("languages spoken, written or signed", "speaks"),
    ("located in or next to body of water", "located_in"),
    ("located in the administrative territorial entity", "located_in"),
    ("located in/on physical feature", "located_in"),
    ("location", "located_in"),
    ("manufacturer", "built_by"),
    ("member of", "member_of"),
    ("member of political party", "member_of"),
    ("member of sports team", "member_of"),
    ("mother", "child_of"),
    ("mouth of the watercourse", "flows_into"),
    ("narrative location", "set_in"),
    ("official language", "speaks"),
    ("operator", "operated_by"),
    ("owned by", "owned_by"),
    ("parent organization", "part_of"),
    ("part of", "part_of"),
    ("participant in", "participant_in"),
    ("participated in conflict", "participant_in"),
    ("performer", "performer"),
    ("place of birth", "born_in"),
    ("place of death", "died_in"),
    ("point in time", "event_date"),
    ("producer", "producer"),
    ("production company", "producer"),
    ("publication date", "release_date"),
    ("publisher", "publisher"),
    ("record label", "publisher"),
    ("replaced by", "followed_by"),
    ("replaces", "preceded_by"),
    ("residence", "lived_in"),
    ("screenwriter", "author"),
    ("sibling", "sibling"),
    ("spouse", "spouse"),
];

/// Everything that is learned from, and what it is tried on.
pub(crate) struct Course<'a> {
    texts: &'a [Annotated],
    vocabulary: &'a Vocabulary,
    analyser: &'a Analyser,
    classes: Vec<(Class, Option<Element>)>,
    lessons: Lessons,
    /// For each pair its text and the classes that are annotated of it.
    gold: Vec<(usize, BTreeSet<usize>)>,
}

impl<'a> Course<'a> {
    pub(crate) fn new(
        read: &Understanding,
        texts: &'a [Annotated],
        vocabulary: &'a Vocabulary,
        relations: &Relations,
        analyser: &'a Analyser,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let schema = vocabulary.schema();
        let class = |(id, label): (&String, &String)| {
            let label = label.to_lowercase();
            let means = MEANS.iter().filter(|(known, _)| *known == label);
            let class = Class {
                means: means.map(|(_, name)| (*name).to_owned()).collect(),
                label,
                ..Class::default()
            };
            (class, vocabulary.element(schema, id))
        };
        let classes: Vec<_> = relations.iter().map(class).collect();
        let ids: Vec<&String> = relations.keys().collect();
        let parsed = analyser.read(read.knowledge.documents.all(), watch)?;
        let lessons = lessons(&parsed, schema, watch)?;
        // The first text of each document; equal texts are one document.
        let text_of = |document: usize| read.positions.iter().position(|at| *at == document).unwrap_or(0);
        let text_of: Vec<usize> = (0..read.knowledge.documents.len()).map(text_of).collect();
        let ends: Vec<Ends> = text_of
            .iter()
            .map(|text| Ends::new(read, *text, &texts[*text]))
            .collect();
        let gold = lessons.shown().iter().map(|shown| {
            let (text, ends) = (text_of[shown.document], &ends[shown.document]);
            let tails = ends.named(&name::key(&shown.tail));
            let tails = if tails.is_empty() { ends.of_entity(&shown.tail).0 } else { tails };
            let stated = |id: &String| {
                let fact = ends.fact(&shown.head, id, (tails.clone(), shown.tail.clone()));
                matches!((&fact.0, &fact.2), (End::Gold(head), End::Gold(tail)) if texts[text].facts.contains(&(*head, id.clone(), *tail)))
            };
            let classes = ids.iter().enumerate().filter(|(_, id)| stated(id)).map(|(at, _)| at);
            (text, classes.collect())
        });
        let gold = gold.collect();
        Ok(Self {
            texts,
            vocabulary,
            analyser,
            classes,
            lessons,
            gold,
        })
    }

    /// Weights from the texts that `is_kept` takes.
    pub(crate) fn learned(&self, is_kept: impl Fn(usize) -> bool) -> RelationModel {
        let gold = self
            .gold
            .iter()
            .map(|(text, classes)| is_kept(*text).then(|| classes.clone()));
        self.lessons.fit(&self.classes, &gold.collect::<Vec<_>>(), PENALTY)
    }

    /// Writes weights from all texts.
    pub(super) fn fit(&self, file: &Path) -> Result<()> {
        let model = self.learned(|_| true);
        let json = serde_json::to_string_pretty(model.classes()).context("weights as JSON")?;
        fs::write(file, json + "\n").with_context(|| format!("{}: cannot write", file.display()))
    }

    /// What is found in each text by weights from the others.
    pub(super) fn cross_validated(&self, watch: &dyn Watch) -> Result<Vec<BTreeSet<Fact>>> {
        let mut found = vec![BTreeSet::new(); self.texts.len()];
        for fold in 0..FOLDS {
            let model = self.learned(|text| text % FOLDS != fold);
            let schema = self.vocabulary.schema().clone();
            let read = Understanding::of(self.texts, schema, self.analyser, Extractor::Trained(&model), watch)?;
            for (text, facts) in facts(&read, self.texts, self.vocabulary).into_iter().enumerate() {
                if text % FOLDS == fold {
                    found[text] = facts;
                }
            }
        }
        Ok(found)
    }
}
