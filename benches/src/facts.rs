//! What is stated of any folder, for a person to read which of it is true; and from what was read, the weights that tell
//! true claims from others.

use crate::args::Facts;
use crate::draw::Draw;
use crate::render;
use anyhow::{Context, Result, ensure};
use banyan::parts::Watched;
use banyan::{Environment, ReadOptions, analyser, corpus};
use banyan_engine::{Document, Schema, Span};
use banyan_extract::claims;
use banyan_extract::learned::{Class, Element, RelationModel};
use banyan_extract::relation::{Lessons, Shown};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Most bytes that are shown on either side of a claim.
const MAX_BESIDE: u32 = 240;
/// Weight of the penalty on the size of weights (L1).
const PENALTY: f64 = 1.0;
/// Probabilities at which precision is shown.
const STEPS: [f32; 8] = [0.0, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];

/// What a claim says, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Said {
    corpus: String,
    head: String,
    relation: String,
    tail: String,
    /// The text around it, with both ends in brackets.
    text: String,
}

/// A claim that a person has read.
#[derive(Deserialize)]
struct Read {
    #[serde(flatten)]
    said: Said,
    is_true: bool,
}

/// The claims of some corpora: what they say, the corpus of each, and their features.
#[derive(Default)]
struct Claims {
    said: Vec<(usize, Said)>,
    lessons: Lessons,
}

pub(crate) fn run(args: &Facts, env: &Environment) -> Result<()> {
    let schema = Schema::general()?;
    let mut all = Claims::default();
    let mut first = 0;
    for (corpus, path) in args.corpora.iter().enumerate() {
        let documents = corpus::read(std::slice::from_ref(path), &ReadOptions::default(), env)?;
        let bar = env.progress.bar("extracting", documents.len());
        let watch = Watched {
            bar: &bar,
            stop: &env.stop,
        };
        let parsed = analyser(env).read(&documents, &watch)?;
        let n_before = all.said.len();
        claims(&parsed, &schema, first, &mut all.lessons, &watch)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let new = all.lessons.shown()[n_before..].iter();
        let new = new.map(|shown| (corpus, said(&name, &documents[shown.document - first], shown, &schema)));
        all.said.extend(new);
        first += documents.len();
    }
    let Some(file) = &args.read else {
        return draw(args, &all);
    };
    let judged = judged(file, &all)?;
    all.show(&judged, args.corpora.len())?;
    if let Some(file) = &args.fit {
        let model = all.fit(&judged, |_| true);
        let json = serde_json::to_string_pretty(model.classes()).context("weights as JSON")?;
        fs::write(file, json + "\n").with_context(|| format!("{}: cannot write", file.display()))?;
    }
    Ok(())
}

fn said(corpus: &str, document: &Document, shown: &Shown, schema: &Schema) -> Said {
    let text = document.text.as_str();
    let [head, tail] = shown.ends;
    let relation = match shown.said[..] {
        [Element::Relation(relation)] => schema.relation_name(relation),
        [Element::Attribute(attribute)] => schema.attribute_name(attribute),
        _ => "",
    };
    let mut bounds: Vec<(usize, &str)> = Vec::new();
    for span in [head, tail] {
        bounds.extend([(span.start as usize, "["), (span.end as usize, "]")]);
    }
    bounds.sort_unstable();
    let around = Span {
        start: head.start.min(tail.start).saturating_sub(MAX_BESIDE),
        end: (head.end.max(tail.end) + MAX_BESIDE).min(u32::try_from(text.len()).unwrap_or(u32::MAX)),
    };
    let mut at = text.floor_char_boundary(around.start as usize);
    let mut marked = String::new();
    for (place, mark) in bounds {
        marked += &text[at..place];
        marked += mark;
        at = place;
    }
    marked += &text[at..text.ceil_char_boundary(around.end as usize)];
    Said {
        corpus: corpus.to_owned(),
        head: shown.head.clone(),
        relation: relation.to_owned(),
        tail: if shown.tail.is_empty() {
            tail.of(text).to_owned()
        } else {
            shown.tail.clone()
        },
        text: marked.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// Prints claims of each corpus, each statement once.
fn draw(args: &Facts, all: &Claims) -> Result<()> {
    let mut draw = Draw::new(args.seed);
    for corpus in 0..args.corpora.len() {
        let mut kept: BTreeMap<(&str, &str, &str), &Said> = BTreeMap::new();
        let stated = all.said.iter().zip(all.lessons.shown());
        let stated = stated.filter(|((of, _), shown)| *of == corpus && (args.considered || shown.is_trusted));
        for ((_, said), _) in stated {
            kept.entry((&said.head, &said.relation, &said.tail)).or_insert(said);
        }
        let mut kept: Vec<&Said> = kept.into_values().collect();
        draw.shuffle(&mut kept);
        for said in kept.into_iter().take(args.draw.unwrap_or(usize::MAX)) {
            render::text(&serde_json::to_string(said).context("a claim as JSON")?)?;
        }
    }
    Ok(())
}

/// What a person says of each claim; `None` of what nobody has read.
fn judged(file: &Path, all: &Claims) -> Result<Vec<Option<bool>>> {
    let text = fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?;
    let mut read: BTreeMap<Said, bool> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let one: Read = serde_json::from_str(line).with_context(|| {
            format!(
                "{}, line {number}: expected a drawn claim with `is_true`",
                file.display()
            )
        })?;
        read.insert(one.said, one.is_true);
    }
    let judged: Vec<Option<bool>> = all.said.iter().map(|(_, said)| read.get(said).copied()).collect();
    let n = judged.iter().flatten().count();
    ensure!(
        n > 0,
        "{}: none of these claims is made of the corpora that were named",
        file.display()
    );
    render::text(&format!("{n} claims read, of {} lines", read.len()))?;
    Ok(judged)
}

impl Claims {
    fn fit(&self, judged: &[Option<bool>], is_kept: impl Fn(usize) -> bool) -> RelationModel {
        let class = Class {
            label: "true".to_owned(),
            ..Class::default()
        };
        let gold = self.said.iter().zip(judged).map(|((corpus, _), is_true)| {
            let is_true = is_true.filter(|_| is_kept(*corpus))?;
            Some(is_true.then_some(0).into_iter().collect::<BTreeSet<usize>>())
        });
        self.lessons.fit(&[(class, None)], &gold.collect::<Vec<_>>(), PENALTY)
    }

    /// Precision of what is at least so likely, by weights from the other corpora.
    fn show(&self, judged: &[Option<bool>], n_corpora: usize) -> Result<()> {
        let mut chances = vec![0.0; self.said.len()];
        for left_out in 0..n_corpora {
            let model = self.fit(judged, |corpus| corpus != left_out);
            for ((slot, chance), (corpus, _)) in chances.iter_mut().zip(self.lessons.chances(&model)).zip(&self.said) {
                if *corpus == left_out {
                    *slot = chance;
                }
            }
        }
        let names: BTreeMap<usize, &str> = self.said.iter().map(|(at, said)| (*at, said.corpus.as_str())).collect();
        let wholes = std::iter::once((None, "all")).chain(names.iter().map(|(at, name)| (Some(*at), *name)));
        for (only, name) in wholes {
            let mut line = format!("{name:14}");
            for step in STEPS {
                let rows = self.said.iter().zip(judged).zip(&chances);
                let kept: Vec<bool> = rows
                    .filter(|(((corpus, _), _), chance)| only.is_none_or(|only| only == *corpus) && **chance >= step)
                    .filter_map(|((_, judged), _)| *judged)
                    .collect();
                let n_true = kept.iter().filter(|is_true| **is_true).count();
                let precision = n_true as f64 / kept.len().max(1) as f64;
                write!(line, "  ≥{step:.2} {precision:.2} of {}", kept.len())?;
            }
            render::text(&line)?;
        }
        Ok(())
    }
}
