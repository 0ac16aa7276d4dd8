//! What is stated of any folder, or what is mentioned there, for a person to read which of it is true or what each is; and
//! from what was read, the weights that tell true claims from others, and what entities are.

use crate::args::Facts;
use crate::draw::Draw;
use crate::render;
use anyhow::{Context, Result, ensure};
use banyan::parts::Watched;
use banyan::{Environment, ReadOptions, analyser, corpus};
use banyan_engine::document::one_line;
use banyan_engine::{Document, Schema, Span};
use banyan_extract::dispersion;
use banyan_extract::entity::{JUNK, LIKELY, OPEN};
use banyan_extract::entity_lessons;
use banyan_extract::learned::{Class, Element, RelationModel};
use banyan_extract::relation::{Lessons, Shown};
use banyan_extract::{claims, entities};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Most bytes that are shown on either side of a claim.
const MAX_BESIDE: u32 = 240;
/// Weight of the penalty on how far weights go from those that ship (L1), chosen of 1, 2, 4 and 8 by leaving corpora out.
const PENALTY: f64 = 2.0;
/// The same of what entities are.
const ENTITY_PENALTY: f64 = 3.0;
/// Folds of corpora that weights of entities are judged by.
const FOLDS: usize = 6;
/// Probabilities at which precision is shown.
const STEPS: [f32; 8] = [0.0, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];

/// The class of a claim that is true.
const TRUE: &str = "true";
/// Where the class of what has no type stands among those of entities, behind that of what is none.
const OPEN_AT: usize = 1;

/// What a claim says, or an entity, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Said {
    corpus: String,
    head: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    relation: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    tail: String,
    /// The text around it, with both ends in brackets, or around some places of an entity.
    text: String,
}

/// A claim or an entity that a person has read.
#[derive(Deserialize)]
struct Read {
    #[serde(flatten)]
    said: Said,
    /// What it is: of claims `true` or nothing, of entities one of the classes, several where each would do.
    is: BTreeSet<String>,
}

/// The claims of some corpora: what they say, the corpus of each, and their features.
#[derive(Default)]
struct Claims {
    said: Vec<(usize, Said)>,
    lessons: Lessons,
    /// What each may be.
    classes: Vec<String>,
}

pub(crate) fn run(args: &Facts, env: &Environment) -> Result<()> {
    if args.words {
        return words(args, env);
    }
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
        if args.entities {
            entities(&parsed, &schema, (corpus, first), &mut all.lessons, &watch)?;
        } else {
            claims(&parsed, &schema, first, &mut all.lessons, &watch)?;
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let new = all.lessons.shown()[n_before..].iter();
        let new = new.map(|shown| (corpus, said(&name, &documents, first, shown, &schema)));
        all.said.extend(new);
        first += documents.len();
    }
    let Some(file) = &args.read else {
        return draw(args, &all);
    };
    all.classes = if args.entities {
        let types = schema.type_ids().map(|(_, kind)| kind.name.clone());
        let named = types.filter(|name| name != OPEN);
        [JUNK, OPEN].map(str::to_owned).into_iter().chain(named).collect()
    } else {
        vec![TRUE.to_owned()]
    };
    let judged = judged(file, &all)?;
    all.show(&judged, args)?;
    if let Some(file) = &args.fit {
        let model = all.fit(&judged, |_| true);
        let json = serde_json::to_string_pretty(model.classes()).context("weights as JSON")?;
        fs::write(file, json + "\n").with_context(|| format!("{}: cannot write", file.display()))?;
    }
    Ok(())
}

/// Prints in how many corpora each word is used.
fn words(args: &Facts, env: &Environment) -> Result<()> {
    let read = |path| corpus::read(std::slice::from_ref(path), &ReadOptions::default(), env);
    let corpora: Vec<Vec<Document>> = args.corpora.iter().map(read).collect::<Result<_>>()?;
    let texts = corpora
        .iter()
        .map(|documents| documents.iter().map(|one| one.text.as_str()).collect());
    render::text(dispersion::table(texts).trim_end())
}

fn said(corpus: &str, documents: &[Document], first: usize, shown: &Shown, schema: &Schema) -> Said {
    let relation = match shown.said[..] {
        [Element::Relation(relation)] => schema.relation_name(relation),
        [Element::Attribute(attribute)] => schema.attribute_name(attribute),
        _ => "",
    };
    let text_of = |document: usize| documents[document - first].text.as_str();
    let text = match shown.places[..] {
        [head, tail] if !shown.said.is_empty() => marked(text_of(head.0), &[head.1, tail.1]),
        _ => {
            let places = shown.places.iter();
            let places = places.map(|(document, span)| marked(text_of(*document), &[*span]));
            places.collect::<Vec<_>>().join(" … ")
        }
    };
    let tail = match shown.places[..] {
        [_, (document, span)] if !shown.said.is_empty() && shown.tail.is_empty() => span.of(text_of(document)),
        _ => &shown.tail,
    };
    Said {
        corpus: corpus.to_owned(),
        head: shown.head.clone(),
        relation: relation.to_owned(),
        tail: tail.to_owned(),
        text,
    }
}

/// The text around some places, which stand in brackets.
fn marked(text: &str, places: &[Span]) -> String {
    let mut bounds: Vec<(usize, &str)> = Vec::new();
    for span in places {
        bounds.extend([(span.start as usize, "["), (span.end as usize, "]")]);
    }
    bounds.sort_unstable();
    let beside = MAX_BESIDE as usize;
    let first = bounds.first().map_or(0, |bound| bound.0.saturating_sub(beside));
    let last = bounds.last().map_or(0, |bound| (bound.0 + beside).min(text.len()));
    let mut at = text.floor_char_boundary(first);
    let mut marked = String::new();
    for (place, mark) in bounds {
        marked += &text[at..place];
        marked += mark;
        at = place;
    }
    marked += &text[at..text.ceil_char_boundary(last)];
    one_line(&marked)
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

/// What a person says of each claim or entity, as positions of classes; `None` of what nobody has read.
fn judged(file: &Path, all: &Claims) -> Result<Vec<Option<BTreeSet<usize>>>> {
    let text = corpus::text(file)?;
    let mut read: BTreeMap<Said, BTreeSet<usize>> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let place = || format!("{}, line {number}", file.display());
        let one: Read =
            serde_json::from_str(line).with_context(|| format!("{}: expected what was drawn, with `is`", place()))?;
        let position = |name: &String| {
            let position = all.classes.iter().position(|class| class == name);
            position.with_context(|| format!("{}: `{name}` is none of {}", place(), all.classes.join(", ")))
        };
        read.insert(one.said, one.is.iter().map(position).collect::<Result<_>>()?);
    }
    let judged: Vec<Option<BTreeSet<usize>>> = all.said.iter().map(|(_, said)| read.get(said).cloned()).collect();
    let n = judged.iter().flatten().count();
    ensure!(
        n > 0,
        "{}: none of these is made of the corpora that were named",
        file.display()
    );
    render::text(&format!("{n} read, of {} lines", read.len()))?;
    Ok(judged)
}

impl Claims {
    fn fit(&self, judged: &[Option<BTreeSet<usize>>], is_kept: impl Fn(usize) -> bool) -> RelationModel {
        let gold = self.said.iter().zip(judged);
        let gold = gold.map(|((corpus, _), is)| is.clone().filter(|_| is_kept(*corpus)));
        let gold: Vec<Option<BTreeSet<usize>>> = gold.collect();
        match self.classes.as_slice() {
            [_] => {
                let shipped = RelationModel::trust().classes().iter().cloned();
                let shipped: Vec<(Class, Option<Element>)> = shipped.map(|class| (class, None)).collect();
                self.lessons.fit(&shipped, &gold, PENALTY)
            }
            classes => entity_lessons::fit(&self.lessons, classes, &gold, ENTITY_PENALTY),
        }
    }

    /// The probability of each class for each row, by weights from other corpora; 0 for what these cannot tell.
    fn left_out(&self, judged: &[Option<BTreeSet<usize>>], n_folds: usize) -> Vec<Vec<f32>> {
        let mut chances = vec![vec![0.0; self.classes.len()]; self.said.len()];
        for left_out in 0..n_folds {
            let model = self.fit(judged, |corpus| corpus % n_folds != left_out);
            let label = |class: &Class| self.classes.iter().position(|label| *label == class.label);
            let columns: Vec<Option<usize>> = model.classes().iter().map(label).collect();
            let rows = chances.iter_mut().zip(self.lessons.chances(&model)).zip(&self.said);
            for ((slots, row), _) in rows.filter(|(_, (corpus, _))| corpus % n_folds == left_out) {
                for (column, chance) in columns.iter().zip(row) {
                    if let Some(column) = column {
                        slots[*column] = chance;
                    }
                }
            }
        }
        chances
    }

    /// Prints how good the weights that ship are on each corpus, and those of other corpora.
    fn show(&self, judged: &[Option<BTreeSet<usize>>], args: &Facts) -> Result<()> {
        let n_corpora = args.corpora.len();
        let left_out = self.left_out(judged, if args.entities { n_corpora.min(FOLDS) } else { n_corpora });
        if !args.entities {
            render::text(&format!("stated: {}; by the weights that ship", self.stated(judged)))?;
            self.show_by(judged, &self.lessons.chances(RelationModel::trust()), args)?;
        }
        render::text("by weights from the other corpora")?;
        self.show_by(judged, &left_out, args)
    }

    fn show_by(&self, judged: &[Option<BTreeSet<usize>>], chances: &[Vec<f32>], args: &Facts) -> Result<()> {
        let names: BTreeMap<usize, &str> = self.said.iter().map(|(at, said)| (*at, said.corpus.as_str())).collect();
        let wholes = std::iter::once((None, "all")).chain(names.iter().map(|(at, name)| (Some(*at), *name)));
        for (only, name) in wholes {
            let rows = self.said.iter().zip(judged).zip(chances);
            let rows: Vec<(&BTreeSet<usize>, &[f32])> = rows
                .filter(|(((corpus, _), _), _)| only.is_none_or(|only| only == *corpus))
                .filter_map(|((_, is), chances)| Some((is.as_ref()?, chances.as_slice())))
                .collect();
            let told = if args.entities { kinds(&rows) } else { precisions(&rows) };
            render::text(&format!("{name:14}{told}"))?;
        }
        Ok(())
    }

    /// How much of what is stated was found true.
    fn stated(&self, judged: &[Option<BTreeSet<usize>>]) -> String {
        let stated = self.lessons.shown().iter().zip(judged);
        let stated = stated.filter_map(|(shown, is)| is.as_ref().filter(|_| shown.is_trusted));
        let stated: Vec<_> = stated.collect();
        let n_true = stated.iter().filter(|is| is.contains(&0)).count();
        format!("{:.2} of {}", share(n_true, stated.len()), stated.len())
    }
}

/// The precision of claims that are at least so likely.
fn precisions(rows: &[(&BTreeSet<usize>, &[f32])]) -> String {
    let mut line = String::new();
    for step in STEPS {
        let kept: Vec<_> = rows.iter().filter(|(_, chances)| chances[0] >= step).collect();
        let n_true = kept.iter().filter(|(is, _)| is.contains(&0)).count();
        let precision = share(n_true, kept.len());
        _ = write!(line, "  ≥{step:.2} {precision:.2} of {}", kept.len());
    }
    line
}

/// The precision and recall of what is no entity, and of types; the first class is the former.
fn kinds(rows: &[(&BTreeSet<usize>, &[f32])]) -> String {
    let likely = |from: usize, chances: &[f32]| {
        let best = (from..chances.len()).max_by(|a, b| chances[*a].total_cmp(&chances[*b]));
        best.filter(|at| chances[*at] >= LIKELY)
    };
    let told = |is_asked: &dyn Fn(usize) -> bool, from: usize, end: usize| {
        let said: Vec<_> = rows
            .iter()
            .filter_map(|(is, chances)| Some((*is, likely(from, &chances[..end])?)))
            .collect();
        let n_right = said.iter().filter(|(is, said)| is.contains(said)).count();
        let n_asked = rows
            .iter()
            .filter(|(is, _)| is.iter().any(|class| is_asked(*class)))
            .count();
        format!(
            "P {:.2} of {} R {:.2} of {n_asked}",
            share(n_right, said.len()),
            said.len(),
            share(n_right, n_asked)
        )
    };
    let n = rows.first().map_or(1, |(_, chances)| chances.len());
    let open = OPEN_AT.min(n - 1);
    format!(
        "  junk {}  types {}",
        told(&|class| class == 0, 0, 1),
        told(&|class| class > open, open + 1, n)
    )
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
