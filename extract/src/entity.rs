//! What the names and terms of a corpus are: whether each is an entity at all, and of which type. A linear model over
//! how all places of the corpus use it, fitted to what people who read them said (`banyan-eval facts --entities`).

use crate::clause::within;
use crate::error::ExtractError;
use crate::feature::{FeatureId, FeatureSink, extended, feature_id};
use crate::gazetteer;
use crate::grammar::{Dependency, Pos};
use crate::learned::RelationModel;
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::stem::stem;
use crate::terminology::is_identifier;
use crate::typing;
use crate::word::Word;
use banyan_engine::document::overlapping;
use banyan_engine::{Mention, Schema, Span, TypeId};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The class of what is no entity.
pub const JUNK: &str = "junk";
/// The class of what is an entity of no type that the weights know.
pub const OPEN: &str = "thing";
/// Least probability at which something is left out.
const IS_JUNK: f32 = 0.7;
/// Least probability of a type: the likeliest of some twenty is right more often than not from here on.
pub const LIKELY: f32 = 0.4;
/// Shares of the places that use an entity in some way, from which that counts for more. Arbitrary.
const SHARES: [(&str, f32); 2] = [("some", 0.2), ("most", 0.6)];
/// Places of a document that are kept to be shown to who is asked what an entity is.
const MAX_KEPT: usize = 100;

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
        for (key, usage) in &usages {
            let mut scores = model.scores();
            features(usage, |id| scores.add(id));
            let chances = scores.chances();
            // Who is of which nation is a fact, though an adjective names the nation.
            let is_junk = junk.is_some_and(|at| chances[at] >= IS_JUNK) && gazetteer::country_of(key).is_none();
            if is_junk {
                found.junk.insert((*key).to_owned());
            }
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
            let kind = kind.and_then(|at| classes[at]);
            found.types.insert((*key).to_owned(), kind);
        }
        Ok(found)
    }

    /// What a name or term was found to be; `None` where it was not judged.
    pub(crate) fn type_of(&self, key: &str) -> Option<Option<TypeId>> {
        self.types.get(key).copied()
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
    let has_code = readings
        .iter()
        .any(|reading| !reading.parsed.document.layout.code.is_empty());
    let of = |(document, reading): (usize, &'a Reading)| {
        let (mut usages, mut names) = (Usages::new(), Names::new());
        for (sentence, words) in &reading.parsed.sentences {
            if words.iter().all(|word| word.dependency == Dependency::Other) {
                continue;
            }
            let certain = within(&reading.mentions, *sentence).filter(|mention| mention.certainty == 100);
            for mention in certain {
                let usage = usages.entry(mention.entity.as_str()).or_default();
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
        if let Some(usage) = usages.get_mut(reading.own.as_str()) {
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

/// The features of an entity: what is ever said of it, what of some of its places, and what of most.
pub(crate) fn features(usage: &Usage, mut add: impl FnMut(FeatureId)) {
    #[allow(clippy::iter_over_hash_type, reason = "callers sum or sort")]
    for (cue, n) in &usage.cues {
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

/// The common nouns that denote the types of the built-in schema, whatever schema bounds the store.
struct NounTypes {
    schema: Schema,
    phrases: Phrases,
}

impl NounTypes {
    fn new() -> Result<Self, ExtractError> {
        let schema = Schema::general()?;
        let phrases = Phrases::new(&schema);
        Ok(Self { schema, phrases })
    }

    fn name(&self, kind: TypeId) -> &str {
        &self.schema.entity_type(kind).name
    }
}

/// One use of an entity.
struct Place<'a> {
    text: &'a str,
    span: Span,
    words: &'a [Word],
    /// Its words, from the first to past the last.
    first: usize,
    end: usize,
    /// The word of it that the others depend on.
    head: usize,
    is_term: bool,
    is_code: bool,
    is_heading: bool,
    has_code: bool,
}

impl<'a> Place<'a> {
    fn new(reading: &Reading<'a>, mention: &Mention, sentence: Span, words: &'a [Word], has_code: bool) -> Self {
        let span = mention.span;
        let first = words.partition_point(|word| word.span.end <= span.start);
        let end = words.partition_point(|word| word.span.start < span.end);
        let is_top = |at: &usize| words[*at].head == *at || !(first..end).contains(&words[*at].head);
        let head = (first..end).rev().find(is_top).unwrap_or(first);
        Self {
            text: reading.parsed.text(),
            span,
            words,
            first,
            end,
            head,
            is_term: mention.is_term,
            is_code: reading.parsed.is_code(sentence)
                || overlapping(&reading.parsed.document.layout.code, span).is_some(),
            is_heading: reading.parsed.is_heading(sentence),
            has_code,
        }
    }

    fn put(&self, nouns: &NounTypes, sink: &mut impl FeatureSink) {
        let Some(inside) = self.words.get(self.first..self.end).filter(|inside| !inside.is_empty()) else {
            return;
        };
        let head = self.words[self.head];
        let shape = self.shape();
        let label = label(inside);
        sink.put("label", &[label]);
        sink.put("shape", &[shape]);
        sink.put("label shape", &[label, shape]);
        if self.has_code {
            sink.put("label by code", &[label]);
        }
        sink.put("words", &[&inside.len().min(5).to_string()]);
        let last = inside[inside.len() - 1].of(self.text).to_lowercase();
        sink.put("last", &[&stem(&last)]);
        let n = last.chars().count();
        let ending: String = last.chars().skip(n.saturating_sub(3)).collect();
        sink.put("ending", &[&ending]);
        if inside.len() > 1 {
            sink.put("first", &[&inside[0].of(self.text).to_lowercase()]);
            sink.put("first pos", &[inside[0].pos.label()]);
        }
        let is_given = gazetteer::is_given_name(inside[0].of(self.text));
        for (name, holds) in [
            ("term", self.is_term),
            ("code", self.is_code),
            ("heading", self.is_heading),
            ("given", is_given),
            ("opens", self.first == 0),
            (
                "quoted",
                self.text[..self.span.start as usize].ends_with(['"', '“', '«', '*']),
            ),
        ] {
            if holds {
                sink.put(name, &[]);
            }
        }
        sink.put("pos", &[head.pos.label()]);
        sink.put("role", &[head.dependency.label()]);
        self.governed(sink);
        self.beside(sink);
        self.typed(nouns, sink);
    }

    /// What it depends on.
    fn governed(&self, sink: &mut impl FeatureSink) {
        let head = self.words[self.head];
        if head.head == self.head {
            return;
        }
        let above = self.words[head.head].of(self.text).to_lowercase();
        match head.dependency {
            Dependency::PrepositionObject => sink.put("behind", &[&above]),
            Dependency::Other | Dependency::Root => {}
            role => sink.put("on", &[role.label(), &stem(&above)]),
        }
    }

    /// The words before and after it, and what hangs on it.
    fn beside(&self, sink: &mut impl FeatureSink) {
        let shown = |word: Word| match word.pos {
            Pos::Determiner | Pos::Function | Pos::Pronoun | Pos::Adverb => word.of(self.text).to_lowercase(),
            Pos::Noun => stem(&word.of(self.text).to_lowercase()),
            pos => pos.label().to_owned(),
        };
        match self.first.checked_sub(1).map(|at| self.words[at]) {
            Some(word) => sink.put("before", &[&shown(word)]),
            None => sink.put("before", &["^"]),
        }
        match self.words.get(self.end) {
            Some(word) => sink.put("after", &[&shown(*word)]),
            None => sink.put("after", &["$"]),
        }
        let after = self.text[self.span.end as usize..].chars().next();
        if let Some(mark) = after.filter(|mark| !mark.is_alphanumeric() && !mark.is_whitespace()) {
            sink.put("mark", &[&mark.to_string()]);
        }
        let below = self.words.iter().enumerate();
        for (_, word) in below.filter(|(at, word)| word.head == self.head && !(self.first..self.end).contains(at)) {
            sink.put("below", &[word.dependency.label(), word.pos.label()]);
        }
    }

    /// What words say of its type.
    fn typed(&self, nouns: &NounTypes, sink: &mut impl FeatureSink) {
        let NounTypes { phrases, .. } = nouns;
        let spelled = self.span.of(self.text);
        let said = [
            (
                "stated",
                typing::of_statement(self.text, self.words, self.span, phrases),
            ),
            (
                "beside",
                typing::of_apposition(self.text, self.words, self.span, phrases),
            ),
            (
                "named",
                typing::of_name(&spelled.split_whitespace().collect::<Vec<_>>().join(" "), phrases),
            ),
            ("tagged", typing::of_tag(spelled, phrases)),
            ("noun", phrases.type_of(self.words[self.head].of(self.text))),
        ];
        for (template, kind) in said {
            if let Some(kind) = kind.map(|kind| nouns.name(kind)) {
                sink.put("by", &[kind, template]);
                sink.put("by shape", &[kind, template, self.shape()]);
            }
        }
    }

    fn shape(&self) -> &'static str {
        let spelled = self.span.of(self.text);
        let letters = || spelled.chars().filter(|ch| ch.is_alphabetic());
        if is_identifier(spelled) {
            "identifier"
        } else if spelled.contains(|ch: char| ch.is_ascii_digit()) {
            "digits"
        } else if letters().all(char::is_uppercase) {
            "upper"
        } else if letters().all(char::is_lowercase) {
            "lower"
        } else if spelled.split(' ').all(|word| word.starts_with(char::is_uppercase)) {
            "title"
        } else {
            "mixed"
        }
    }
}

/// What a recogniser takes the words for, by the name of the type that it is.
fn label(inside: &[Word]) -> &'static str {
    let kind = inside[0].kind;
    if inside.iter().all(|word| word.kind == kind) {
        kind.noun().unwrap_or_else(|| kind.label())
    } else {
        "several"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
