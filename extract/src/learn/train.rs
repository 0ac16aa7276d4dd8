//! From examples to weights.

use super::example::{Example, Triple};
use super::fit::{Loss, fit};
use super::row::{Row, Rows};
use crate::gazetteer::country_of;
use crate::statement::feature::{object, own, pair, subject};
use crate::statement::nearest::compared;
use crate::statement::passage::{Passage, key};
use crate::statement::reader::is_possible;
use crate::statement::trigger::Triggers;
use crate::statement::value::values;
use crate::statement::{General, Learned, NamedWeights, Relation, tokens};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Weight of a row whose relation its sentence may state without saying so. On held-back folds of eight public training
/// sets F1 and strict F1 are .372 and .224 at .1, .368 and .247 at .3, .364 and .264 at .6.
const UNSURE: f64 = 0.3;
/// Penalties: of the general weights, of object, subject and own weights that start from them; chosen among powers of
/// about 3 by F1 on held-back folds of those training sets, where neighbours differ by less than .01.
const L2_GENERAL: f64 = 1.0;
const L2_OBJECT: f64 = 10.0;
const L2_SUBJECT: f64 = 3.0;
const L2_OWN: f64 = 2.0;
/// Rows of one set beyond which relations that a sentence has not are thinned out. Arbitrary: bounds memory.
const MAX_ROWS: usize = 60_000;
/// Weight of a whole set in the general weights, so that sets of all sizes count alike. Arbitrary.
const MASS: f64 = 300.0;
/// Sources that a feature must occur in: one that all relations share, and one of the general weights. Arbitrary.
const MIN_SHARED: usize = 2;
const MIN_GENERAL: usize = 3;

/// An example with its gold as candidates.
struct Lesson<'a> {
    passage: Passage<'a>,
    /// For each relation that occurs in its gold: subjects and objects of each statement.
    gold: BTreeMap<usize, Vec<[BTreeSet<usize>; 2]>>,
    /// Whether relations without gold are known to be absent.
    is_complete: bool,
    /// A number for its subject.
    source: u32,
}

impl<'a> Lesson<'a> {
    fn new(example: &'a Example, relations: &[Triggers], source: u32) -> Self {
        let passage = Passage::new(&example.sentence);
        let mut gold: BTreeMap<usize, Vec<[BTreeSet<usize>; 2]>> = BTreeMap::new();
        for triple in &example.triples {
            let Some(relation) = relations.iter().position(|triggers| triggers.label == triple.relation) else {
                continue;
            };
            gold.entry(relation).or_default().push(ends(&passage, triple));
        }
        Self {
            passage,
            gold,
            is_complete: example.is_complete,
            source,
        }
    }
}

/// The candidates that a gold statement has as subject and as object. An object is one that reads the same, says the same
/// date or number, or is the adjective of the country.
fn ends(passage: &Passage, triple: &Triple) -> [BTreeSet<usize>; 2] {
    let (subject, object) = (key(&triple.subject), key(&triple.object));
    let bare = triple.object.trim_matches('"');
    let said = values(bare, &tokens(bare)).pop().map(|(.., value)| value);
    let is_subject = |index: &usize| passage.shapes[*index].key == subject && passage.candidates[*index].is_subject();
    let is_object = |index: &usize| {
        let (read, value) = (&passage.shapes[*index].key, passage.candidates[*index].value);
        *read == object
            || value.zip(said).is_some_and(|(value, said)| value.is_said_by(said))
            || country_of(read).is_some_and(|country| key(country) == object)
    };
    let all = 0..passage.candidates.len();
    [
        all.clone().filter(is_subject).collect(),
        all.filter(is_object).collect(),
    ]
}

fn lessons<'a>(examples: &'a [Example], relations: &[Triggers]) -> Vec<Lesson<'a>> {
    let mut subjects: BTreeMap<&str, u32> = BTreeMap::new();
    let mut numbered = Vec::with_capacity(examples.len());
    for example in examples {
        let first = example.triples.first().map_or("", |triple| &triple.subject);
        let next = u32::try_from(subjects.len()).unwrap_or(u32::MAX);
        numbered.push((example, *subjects.entry(first).or_insert(next)));
    }
    let lessons = numbered.par_iter();
    lessons
        .map(|(example, source)| Lesson::new(example, relations, *source))
        .collect()
}

/// A row for each candidate that may be the object of a relation, with lesson, candidate and relation of each. `every` so
/// many relations that a sentence has not stand for all; `base` is added to the numbers of sources.
fn object_rows(
    lessons: &[Lesson],
    relations: &[Triggers],
    (every, scale, base): (usize, f64, u32),
    rows: &mut Rows,
) -> Vec<(usize, usize, usize)> {
    let mut places = Vec::new();
    let mut group = 0;
    for (l, lesson) in lessons.iter().enumerate() {
        let passage = &lesson.passage;
        let compared: Vec<_> = (0..passage.candidates.len())
            .map(|index| compared(passage, index, relations))
            .collect();
        for (relation, triggers) in relations.iter().enumerate() {
            let gold = lesson.gold.get(&relation);
            if gold.is_none() && !(l * 7 + relation * 13 + passage.tokens.len()).is_multiple_of(every) {
                continue;
            }
            let objects: BTreeSet<usize> = gold
                .into_iter()
                .flatten()
                .flat_map(|[_, objects]| objects)
                .copied()
                .collect();
            let is_found = !objects.is_empty();
            group += u32::from(is_found);
            let thin = if gold.is_some() { 1.0 } else { every as f64 };
            let sure = if is_found || lesson.is_complete { 1.0 } else { UNSURE };
            for index in (0..compared.len()).filter(|index| is_possible(passage, *index, triggers)) {
                object(passage, index, triggers, &compared[index][relation], rows);
                rows.finish(Row {
                    label: objects.contains(&index),
                    weight: sure * thin * scale,
                    offset: 0.0,
                    source: lesson.source + base,
                    group: if is_found { group } else { 0 },
                });
                places.push((l, index, relation));
            }
        }
    }
    places
}

/// A row for each candidate that may be the subject of a gold statement.
fn subject_rows(lessons: &[Lesson], relations: &[Triggers], (scale, base): (f64, u32), rows: &mut Rows) {
    let mut group = base;
    for lesson in lessons {
        let candidates = &lesson.passage.candidates;
        let gold = lesson
            .gold
            .iter()
            .flat_map(|(relation, pairs)| pairs.iter().map(move |pair| (*relation, pair)));
        for (relation, [subjects, objects]) in gold {
            let Some(o) = objects.first().filter(|_| !subjects.is_empty()) else {
                continue;
            };
            group += 1;
            for (index, candidate) in candidates.iter().enumerate() {
                if !candidate.is_subject() || candidate.overlaps(&candidates[*o]) {
                    continue;
                }
                subject(&lesson.passage, index, rows);
                pair(&lesson.passage, index, *o, &relations[relation], rows);
                rows.finish(Row {
                    label: subjects.contains(&index),
                    weight: scale,
                    offset: 0.0,
                    source: lesson.source + base,
                    group,
                });
            }
        }
    }
}

/// General weights from examples under several schemas, each schema weighing the same.
pub fn general(sets: &[(Vec<Relation>, Vec<Example>)]) -> General {
    let (mut objects, mut subjects) = (Rows::default(), Rows::default());
    for (place, (relations, examples)) in sets.iter().enumerate() {
        let base = u32::try_from(place * 1_000_000).unwrap_or(u32::MAX);
        let relations: Vec<Triggers> = relations.iter().map(Triggers::new).collect();
        let lessons = lessons(examples, &relations);
        let pairs = lessons.iter().flat_map(|lesson| lesson.gold.values()).flatten();
        let n = pairs.filter(|[_, objects]| !objects.is_empty()).count();
        let n_candidates: usize = lessons.iter().map(|lesson| lesson.passage.candidates.len()).sum();
        let every = (n_candidates * relations.len() / MAX_ROWS).max(1);
        let scale = MASS / n.max(1) as f64;
        object_rows(&lessons, &relations, (every, scale, base), &mut objects);
        subject_rows(&lessons, &relations, (scale, base), &mut subjects);
    }
    moved(
        &General::default(),
        (&objects, &subjects),
        (L2_GENERAL, L2_GENERAL),
        MIN_GENERAL,
    )
}

/// Learns from examples under a schema: general weights that start from those given, then, with these as offset,
/// weights of each relation's own.
pub fn learn(relations: &[Relation], examples: &[Example], general: &General) -> Learned {
    let relations: Vec<Triggers> = relations.iter().map(Triggers::new).collect();
    let lessons = lessons(examples, &relations);
    let (mut objects, mut subjects) = (Rows::default(), Rows::default());
    let places = object_rows(&lessons, &relations, (1, 1.0, 0), &mut objects);
    subject_rows(&lessons, &relations, (1.0, 0), &mut subjects);
    let moved = moved(general, (&objects, &subjects), (L2_OBJECT, L2_SUBJECT), MIN_SHARED);
    let shared = objects.start(&moved.object);
    let own_weights = |(relation, triggers): (usize, &Triggers)| {
        let mut rows = Rows::default();
        for (at, (lesson, index, _)) in places.iter().enumerate().filter(|(_, place)| place.2 == relation) {
            own(&lessons[*lesson].passage, *index, &mut rows);
            let offset = objects.score(at, &shared);
            rows.finish(Row {
                offset,
                ..objects.kinds[at]
            });
        }
        let is_shown = rows.kinds.iter().any(|row| row.label);
        let weights = is_shown.then(|| fit(&rows, &vec![0.0; rows.names.len()], Loss::Both, L2_OWN, 1))?;
        Some((triggers.label.clone(), rows.named(&weights)))
    };
    let each: Vec<_> = relations.par_iter().enumerate().filter_map(own_weights).collect();
    Learned {
        general: moved,
        relations: each.into_iter().collect(),
    }
}

/// Weights fitted to object and subject rows, starting from and drawn to those given.
fn moved(
    from: &General,
    (objects, subjects): (&Rows, &Rows),
    (l2_object, l2_subject): (f64, f64),
    n: usize,
) -> General {
    let fitted = |rows: &Rows, from: &NamedWeights, loss, l2| {
        let mut weights = from.clone();
        weights.extend(rows.named(&fit(rows, &rows.start(from), loss, l2, n)));
        weights
    };
    General {
        object: fitted(objects, &from.object, Loss::Both, l2_object),
        subject: fitted(subjects, &from.subject, Loss::Group, l2_subject),
    }
}
