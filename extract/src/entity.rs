//! What the names and terms of a corpus are: whether each is an entity at all, and of which type. A linear model over
//! how all places of the corpus use it, fitted to what people who read them said (`banyan-eval facts --entities`).

use crate::clause::within;
use crate::error::ExtractError;
use crate::feature::{FeatureId, FeatureSink, extended, feature_id};
use crate::gazetteer;
use crate::grammar::Dependency;
use crate::learned::RelationModel;
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::typing;
use banyan_engine::{Span, TypeId};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

mod place;

use place::{NounTypes, Place};

/// The class of what is no entity.
pub const JUNK: &str = "junk";
/// The class of what is an entity of no type that the weights know.
pub const OPEN: &str = "thing";
/// Least probability at which something is left out.
const IS_JUNK: f32 = 0.7;
/// Least probability of a type that is told: it is likelier than all others together.
pub const LIKELY: f32 = 0.5;
/// Shares of the places that use an entity in some way, from which that counts for more. Arbitrary.
const SHARES: [(&str, f32); 2] = [("some", 0.2), ("most", 0.6)];
/// Places of a document that are kept to be shown to who is asked what an entity is.
const MAX_KEPT: usize = 100;
/// One document in so many has to set something as code for a corpus to be of such texts. Arbitrary: one page with a command
/// makes no manual of a novel.
const WITH_CODE: usize = 4;

/// What names and terms are found to be; what no parser read is not judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entities {
    junk: BTreeSet<String>,
    /// The type of each, `None` where none is likely.
    types: BTreeMap<String, Option<TypeId>>,
    /// The types that the weights can tell.
    known: BTreeSet<TypeId>,
}

/// How a corpus uses one name or term.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    n: u32,
    n_documents: u32,
    cues: HashMap<FeatureId, u32>,
    /// Documents and places of some uses, while learning.
    pub(crate) places: Vec<(usize, Span)>,
}

impl Entities {
    /// Judges all that `readings` mention. Cost O(mentions).
    ///
    /// # Errors
    /// [`ExtractError::Schema`] if the built-in schema, whose types cues are told by, is none.
    pub(crate) fn judge(readings: &[Reading], model: &RelationModel, phrases: &Phrases) -> Result<Self, ExtractError> {
        let classes: Vec<Option<TypeId>> = model
            .classes()
            .iter()
            .map(|class| phrases.type_of(&class.label))
            .collect();
        let junk = model.classes().iter().position(|class| class.label == JUNK);
        let open = model.classes().iter().position(|class| class.label == OPEN);
        let mut found = Self {
            known: classes.iter().flatten().copied().collect(),
            ..Self::default()
        };
        let cues = known_cues(model);
        let (usages, _) = usages(readings, &Learning::Known(&cues))?;
        let judge = |(key, usage): (&&str, &Usage)| {
            let mut scores = model.scores();
            features(usage, |id| scores.add(id));
            let chances = scores.chances();
            // Who is of which nation is a fact, though an adjective names the nation.
            let is_junk = junk.is_some_and(|at| chances[at] >= IS_JUNK) && gazetteer::country_of(key).is_none();
            let likely =
                (0..chances.len()).filter(|at| Some(*at) != junk && Some(*at) != open && classes[*at].is_some());
            let best = likely.max_by(|a, b| chances[*a].total_cmp(&chances[*b]).then(b.cmp(a)));
            // What a text says a name to be is no guess.
            let stated = || {
                let is_said = |at: &usize| {
                    let label = &model.classes()[*at].label;
                    usage.cues.contains_key(&feature_id("by", &[label, "stated"]))
                };
                let is_name = !usage.cues.contains_key(&feature_id("shape", &["lower"]));
                (0..chances.len()).find(is_said).filter(|_| is_name)
            };
            let kind = best.filter(|at| chances[*at] >= LIKELY).or_else(stated);
            ((*key).to_owned(), is_junk, kind.and_then(|at| classes[at]))
        };
        let judged: Vec<(String, bool, Option<TypeId>)> = usages.par_iter().map(judge).collect();
        let junk = judged.iter().filter(|(_, is_junk, _)| *is_junk);
        found.junk = junk.map(|(key, ..)| key.clone()).collect();
        found.types = judged.into_iter().map(|(key, _, kind)| (key, kind)).collect();
        Ok(found)
    }

    /// Whether a name or term was judged.
    pub(crate) fn is_judged(&self, key: &str) -> bool {
        self.types.contains_key(key)
    }

    /// The type that a name or term was found to be of, if any.
    pub(crate) fn type_of(&self, key: &str) -> Option<TypeId> {
        self.types.get(key).copied().flatten()
    }

    /// Whether it is found to be no entity.
    pub(crate) fn is_junk(&self, key: &str) -> bool {
        self.junk.contains(key)
    }

    /// Whether the weights can tell a type.
    pub(crate) fn can_tell(&self, kind: TypeId) -> bool {
        self.known.contains(&kind)
    }
}

/// Which cues are counted.
pub(crate) enum Learning<'a> {
    /// Collect every cue by its name.
    All,
    /// Only cues that weights know.
    Known(&'a HashSet<FeatureId>),
}

/// The cues that a model has weights for, without shares.
fn known_cues(model: &RelationModel) -> HashSet<FeatureId> {
    let names = model.classes().iter().flat_map(|class| class.weights.keys());
    let bare = names.map(|name| {
        let shares = SHARES
            .iter()
            .find_map(|(share, _)| name.strip_suffix(share)?.strip_suffix('&'));
        feature_id(shares.unwrap_or(name), &[])
    });
    bare.collect()
}

pub(crate) type Usages<'a> = BTreeMap<&'a str, Usage>;
pub(crate) type Names = HashMap<FeatureId, String>;

/// How each entity is used, and the names of cues and of their shares while learning.
pub(crate) fn usages<'a>(readings: &'a [Reading], learning: &Learning) -> Result<(Usages<'a>, Names), ExtractError> {
    let noun_types = NounTypes::new()?;
    let sets_code = readings
        .iter()
        .filter(|reading| !reading.parsed.document.layout.code.is_empty());
    let n_code = sets_code.count();
    let has_code = n_code > 0 && n_code * WITH_CODE >= readings.len();
    let of = |(document, reading): (usize, &'a Reading)| {
        let (mut usages, mut names) = (Usages::new(), Names::new());
        for (sentence, words) in &reading.parsed.sentences {
            if words.iter().all(|word| word.dependency == Dependency::Other) {
                continue;
            }
            let certain = within(&reading.mentions, *sentence).filter(|mention| mention.certainty == 100);
            for mention in certain {
                let usage = usages.entry(&*mention.entity).or_default();
                usage.n += 1;
                usage.n_documents = 1;
                if matches!(learning, Learning::All) && usage.places.len() < MAX_KEPT {
                    usage.places.push((document, mention.span));
                }
                let mut sink = Cues {
                    counts: &mut usage.cues,
                    names: &mut names,
                    learning,
                };
                let place = Place::new(reading, mention, *sentence, words, has_code);
                place.put(&noun_types, &mut sink);
            }
        }
        if let Some(usage) = usages.get_mut(&*reading.own) {
            let mut sink = Cues {
                counts: &mut usage.cues,
                names: &mut names,
                learning,
            };
            sink.put("titled", &[]);
            if let Some(kind) = typing::definition(reading.parsed, &noun_types.phrases).and_then(|(_, kind)| kind) {
                sink.put("defined", &[noun_types.name(kind)]);
            }
        }
        (usages, names)
    };
    let whole = readings.par_iter().enumerate().map(of);
    let (mut usages, mut names) = whole.reduce(Default::default, merged);
    if matches!(learning, Learning::All) {
        let shared: Vec<_> = names
            .iter()
            .flat_map(|(id, name)| SHARES.map(|(share, _)| (extended(*id, share), format!("{name}&{share}"))))
            .collect();
        names.extend(shared);
        for n in 0..=MAX_BUCKET {
            for template in ["n", "documents"] {
                let value = (1_u32 << n).to_string();
                names.insert(feature_id(template, &[&value]), format!("{template}={value}"));
            }
        }
    }
    for usage in usages.values_mut() {
        let last = usage.places.len().saturating_sub(1);
        let chosen: BTreeSet<usize> = [0, last / 2, last].into();
        let chosen = chosen.into_iter().filter_map(|at| usage.places.get(at).copied());
        usage.places = chosen.collect();
    }
    Ok((usages, names))
}

fn merged<'a>(mut into: (Usages<'a>, Names), from: (Usages<'a>, Names)) -> (Usages<'a>, Names) {
    for (key, usage) in from.0 {
        let slot = into.0.entry(key).or_default();
        slot.n += usage.n;
        slot.n_documents += usage.n_documents;
        slot.places.extend(usage.places);
        #[allow(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
        for (cue, n) in usage.cues {
            *slot.cues.entry(cue).or_default() += n;
        }
    }
    into.1.extend(from.1);
    into
}

/// Largest power of two that counts are told apart by.
const MAX_BUCKET: u32 = 7;

/// The features of an entity, always in the same order, since weights are summed in it: what is ever said of it, what of
/// some of its places, and what of most.
pub(crate) fn features(usage: &Usage, mut add: impl FnMut(FeatureId)) {
    let mut cues: Vec<(&FeatureId, &u32)> = usage.cues.iter().collect();
    cues.sort_unstable();
    for (cue, n) in cues {
        add(*cue);
        let share = *n as f32 / usage.n.max(1) as f32;
        for (name, least) in SHARES {
            if share >= least {
                add(extended(*cue, name));
            }
        }
    }
    for (template, n) in [("n", usage.n), ("documents", usage.n_documents)] {
        let bucket = 1_u32 << n.max(1).ilog2().min(MAX_BUCKET);
        add(feature_id(template, &[&bucket.to_string()]));
    }
}

/// Counts cues.
struct Cues<'a> {
    counts: &'a mut HashMap<FeatureId, u32>,
    names: &'a mut Names,
    learning: &'a Learning<'a>,
}

impl FeatureSink for Cues<'_> {
    fn put(&mut self, template: &str, values: &[&str]) {
        let id = feature_id(template, values);
        match self.learning {
            Learning::Known(known) if !known.contains(&id) => return,
            Learning::Known(_) => {}
            Learning::All => {
                let separator = if values.is_empty() { "" } else { "=" };
                let name = || format!("{template}{separator}{}", values.join("&"));
                self.names.entry(id).or_insert_with(name);
            }
        }
        *self.counts.entry(id).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::Schema;

    #[test]
    fn what_ships_tells_every_type_of_the_built_in_schema_and_what_is_no_entity() {
        let schema = Schema::general().unwrap();
        let labels: BTreeSet<&str> = RelationModel::entities()
            .classes()
            .iter()
            .map(|class| class.label.as_str())
            .collect();
        let types = schema.type_ids().map(|(_, kind)| kind.name.as_str());
        let expected: BTreeSet<&str> = types.chain([JUNK]).collect();
        assert_eq!(labels, expected);
    }

    #[test]
    fn a_cue_counts_for_more_the_larger_the_share_of_places_that_shows_it() {
        let cue = feature_id("behind", &["in"]);
        let features_of = |n: u32| {
            let usage = Usage {
                n: 10,
                n_documents: 1,
                cues: HashMap::from([(cue, n)]),
                places: Vec::new(),
            };
            let mut found = Vec::new();
            features(&usage, |id| found.push(id));
            [
                found.contains(&cue),
                found.contains(&extended(cue, "some")),
                found.contains(&extended(cue, "most")),
            ]
        };
        assert_eq!(features_of(1), [true, false, false]);
        assert_eq!(features_of(2), [true, true, false]);
        assert_eq!(features_of(6), [true, true, true]);
    }
}
