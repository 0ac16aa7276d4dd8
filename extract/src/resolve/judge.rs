//! What speaks for a pair of keys being one entity, as a score.

use super::block::{Carried, Pairs, is_hers};
use super::likeness::{Likeness, liken};
use super::profile::{Profile, Profiles};
use super::statement::{Statement, Statements};
use banyan_engine::{Evidence, Schema, TypeId};
use std::collections::BTreeMap;

/// Name of the type whose members have last names, middle names and titles of honour.
const PERSON: &str = "person";
/// Letters of an acronym that may be chance.
const SHORT_ACRONYM: usize = 2;
/// Least score of a join.
const THRESHOLD: f32 = 0.8;

/// Least share of what speaks for one bearer of a short name. Arbitrary: three times all others.
const BEARING: f32 = 0.75;

/// The share of certainty that one piece of evidence gives; independent pieces add up as `1 − Π (1 − w)`. Chosen by hand
/// on the labelled pairs of the tests and on the joins found in public multi-hop corpora: one piece that could as well be
/// chance stays below the threshold, and joins only with a second one.
mod weight {
    /// A text says that two names are one, and the alias has several words or resembles the name.
    pub(super) const STATED: f32 = 0.9;
    /// A text says so of an alias of one word, which may be called so in this text only.
    pub(super) const STATED_WORD: f32 = 0.55;
    /// The same name in two spellings; in two that two things may well share: one word, or a word cut in two.
    pub(super) const SPELLING: f32 = 0.9;
    pub(super) const SPELLING_WEAK: f32 = 0.6;
    /// The same name of several words after a title of honour; the same name before a legal form.
    pub(super) const TITLE: f32 = 0.85;
    pub(super) const LEGAL_FORM: f32 = 0.4;
    /// One initial or equal given name that agrees, two, three or more.
    pub(super) const INITIAL: f32 = 0.45;
    pub(super) const TWO_INITIALS: f32 = 0.72;
    pub(super) const THREE_INITIALS: f32 = 0.85;
    /// An acronym of three or more letters, and of two.
    pub(super) const ACRONYM: f32 = 0.55;
    pub(super) const SHORT_ACRONYM: f32 = 0.35;
    /// A first or last name, or a last name after a title; a full name without its middle names.
    pub(super) const CONTAINMENT: f32 = 0.52;
    /// The same type, both shown by texts.
    pub(super) const SAME_TYPE: f32 = 0.3;
    /// All the company that the rarer of both has; less in proportion.
    pub(super) const CONTEXT: f32 = 0.6;
}

/// What speaks for a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edge {
    pub(crate) score: f32,
    /// What texts and names say first, then what supports it.
    pub(crate) evidence: Vec<Evidence>,
    /// The name that may stand for something else as well: an alias, an acronym, a name with initials.
    pub(crate) short: Option<usize>,
}

/// Edges by pair, the smaller position first.
pub(crate) type Edges = BTreeMap<(usize, usize), Edge>;

pub(crate) struct Judge<'a> {
    pub(crate) profiles: &'a Profiles<'a>,
    pub(super) schema: &'a Schema,
    pub(super) statements: &'a Statements,
    person: Option<TypeId>,
}

/// A weight with what it stands for.
type Weighed = (f32, Evidence);

impl<'a> Judge<'a> {
    pub(crate) fn new(profiles: &'a Profiles<'a>, schema: &'a Schema, statements: &'a Statements) -> Self {
        Self {
            profiles,
            schema,
            statements,
            person: schema.type_id(PERSON),
        }
    }

    /// The pairs that may join: all that reach the threshold, without those whose short name may as well be something
    /// else.
    pub(crate) fn edges(&self, pairs: &Pairs) -> Edges {
        let mut edges = Edges::new();
        for (a, b) in &pairs.alike {
            if let Some(edge) = self.judge(*a, *b, pairs) {
                edges.insert((*a, *b), edge);
            }
        }
        for ((word, full), n) in &pairs.contained {
            if let Some(edge) = self.judge_contained(*word, *full, *n, pairs) {
                edges.entry((*word.min(full), *word.max(full))).or_insert(edge);
            }
        }
        self.drop_unclear(&mut edges, pairs);
        edges.retain(|_, edge| edge.score >= THRESHOLD);
        edges
    }

    /// What speaks for two keys by their names and by what texts say; `None` where nothing does or something forbids it.
    fn judge(&self, a: usize, b: usize, pairs: &Pairs) -> Option<Edge> {
        let likeness = self.likeness(a, b);
        let stated = self.stated(a, b);
        if self.forbids(a, b) || (likeness.is_none() && stated.is_none()) {
            return None;
        }
        let mut weighed = Vec::new();
        let mut short = None;
        if let Some((alias, statement)) = stated {
            let is_telling = self.profiles[alias].key.contains(' ') || likeness.is_some();
            let weight = if is_telling {
                weight::STATED
            } else {
                weight::STATED_WORD
            };
            let Statement { document, span } = statement;
            weighed.push((weight, Evidence::Alias { document, span }));
            short = Some(alias);
        }
        if let Some(likeness) = likeness {
            weighed.push(weigh(likeness));
            // Who has a title is a person, whether texts show it or not.
            if likeness == (Likeness::Title { is_weak: true }) && self.profiles[a].kind != self.profiles[b].kind {
                weighed.push((weight::SAME_TYPE, Evidence::Type));
            }
            // In "TGB (Tidd Gull Board)" the second name is not the one that needs a meaning.
            short = self.short_side(likeness, a, b).or(short);
        }
        let (x, y) = (&self.profiles[a], &self.profiles[b]);
        let n_least = match short {
            Some(short) => self.profiles[short].chunks.len(),
            None => x.chunks.len().min(y.chunks.len()),
        };
        let carried = short.and_then(|word| Some((word, pairs.carried.get(&word)?)));
        let share = match (likeness, carried) {
            (Some(Likeness::Title { is_weak: true }), Some((word, carried))) => {
                // Where nobody else has the name, "Mr. Voss" and "Mara Voss" do not compete.
                let n = if carried.is_family {
                    carried.n
                } else {
                    carried.n - carried.n_full
                };
                let titled = if word == a { b } else { a };
                self.bearing(word, titled, (self.profiles[titled].n_mentions, n))?
            }
            _ => common(&x.chunks, &y.chunks) as f32 / n_least.max(1) as f32,
        };
        let places = (share, common(&x.documents, &y.documents));
        Some(self.edge(weighed, (a, b), places, short))
    }

    /// What speaks for a first or last name being that of one of its carriers, who must be a person.
    fn judge_contained(&self, word: usize, full: usize, n_uses: usize, pairs: &Pairs) -> Option<Edge> {
        let (x, y) = (&self.profiles[word], &self.profiles[full]);
        let is_person = self.person.is_some() && y.kind == self.person;
        if !is_person || self.forbids(word, full) {
            return None;
        }
        let Carried { n, n_full, is_family } = pairs.carried.get(&word).copied().unwrap_or_default();
        // "Miss Mara" and "Mara Voss" may be one, "Miss Voss" and "Mara Voss" compete.
        let competes = y.key.ends_with(x.key) && is_family;
        let share = self.bearing(word, full, (n_uses, if competes { n } else { n_full }))?;
        let weighed = vec![(weight::CONTAINMENT, Evidence::Containment)];
        let places = (share, common(&x.documents, &y.documents));
        Some(self.edge(weighed, (word, full), places, Some(word)))
    }

    /// How clearly a word is short for a name that carries it: the share of the word's documents that have the name, and
    /// that of the name's uses in all of names that carry the word. `None` where it may as well be short for another one,
    /// and where most places of the rarer of both are far from all of the other's.
    fn bearing(&self, word: usize, full: usize, (n_uses, n): (usize, usize)) -> Option<f32> {
        let (x, y) = (&self.profiles[word], &self.profiles[full]);
        let n_shared = common(&x.documents, &y.documents);
        let shared = |document: &usize| [x, y].iter().all(|end| end.documents.binary_search(document).is_ok());
        let places = |end: &Profile| -> Vec<(usize, usize)> {
            end.chunks
                .iter()
                .copied()
                .filter(|(document, _)| shared(document))
                .collect()
        };
        let (mut rare, mut often) = (places(x), places(y));
        if rare.len() > often.len() {
            std::mem::swap(&mut rare, &mut often);
        }
        let is_beside = |(document, chunk): &&(usize, usize)| {
            let next = often.partition_point(|place| *place < (*document, chunk.saturating_sub(1)));
            often.get(next).is_some_and(|place| *place <= (*document, chunk + 1))
        };
        let n_beside = rare.iter().filter(is_beside).count();
        let share = |n: usize, of: usize| n as f32 / of.max(1) as f32;
        let told = share(n_shared, x.documents.len()) * share(n_uses.min(n), n);
        (told >= BEARING && share(n_beside, rare.len()) > 0.5).then_some(told)
    }

    /// Adds what the types and the company of both say: the places they share, as a share and as a number of documents,
    /// and the facts that are stated of both. A fact counts like half of all places.
    fn edge(
        &self,
        mut weighed: Vec<Weighed>,
        (a, b): (usize, usize),
        (share, n_documents): (f32, usize),
        short: Option<usize>,
    ) -> Edge {
        let (x, y) = (&self.profiles[a], &self.profiles[b]);
        let n_facts = common(&x.facts, &y.facts);
        let share = share.max(1.0 - 0.5_f32.powi(i32::try_from(n_facts).unwrap_or(i32::MAX)));
        let n_shared = u32::try_from(n_documents + n_facts).unwrap_or(u32::MAX);
        if x.kind.is_some() && x.kind == y.kind {
            weighed.push((weight::SAME_TYPE, Evidence::Type));
        }
        if share > 0.0 {
            weighed.push((weight::CONTEXT * share, Evidence::Context { n_shared }));
        }
        let score = 1.0 - weighed.iter().map(|(weight, _)| 1.0 - weight).product::<f32>();
        let evidence = weighed.into_iter().map(|(_, evidence)| evidence).collect();
        Edge { score, evidence, short }
    }

    pub(super) fn likeness(&self, a: usize, b: usize) -> Option<Likeness> {
        let (x, y) = (&self.profiles[a], &self.profiles[b]);
        let pairs = x.names.iter().flat_map(|a| y.names.iter().map(move |b| (a, b)));
        let best = pairs.filter_map(|(a, b)| liken(a, b)).min()?;
        let are_persons = self.person.is_some() && x.kind == self.person && y.kind == self.person;
        let is_wanted = match best {
            // "Captain Orde Bridge" is no captain, and "Orde" may be Miss Orde's brother.
            Likeness::Title { is_weak } => [x, y]
                .iter()
                .all(|end| (end.kind.is_none() || end.kind == self.person) && !(is_weak && is_hers(end))),
            // One letter is too little for anything but a given name.
            Likeness::MiddleName | Likeness::Initials { n: ..=1 } => are_persons,
            _ => true,
        };
        // Two places may be called by the same letters; a term is one, however it is cut.
        let is_term = [x, y].iter().any(|end| end.spelling.starts_with(char::is_lowercase));
        let best = if matches!(best, Likeness::Spelling { .. }) && is_term {
            Likeness::Spelling { is_weak: false }
        } else {
            best
        };
        is_wanted.then_some(best)
    }

    /// Which of two names may stand for something else as well.
    fn short_side(&self, likeness: Likeness, a: usize, b: usize) -> Option<usize> {
        let length = |at: usize| (self.profiles[at].key.len(), at);
        match likeness {
            Likeness::Spelling { .. } | Likeness::Title { is_weak: false } => None,
            _ if length(a) < length(b) => Some(a),
            _ => Some(b),
        }
    }

    /// The place that equates two keys, with the one that is the alias.
    pub(super) fn stated(&self, a: usize, b: usize) -> Option<(usize, Statement)> {
        let found = [(a, b), (b, a)]
            .into_iter()
            .filter_map(|pair| Some((pair.1, *self.statements.stated.get(&pair)?)));
        found.min_by_key(|(alias, statement)| (*statement, *alias))
    }
}

fn weigh(likeness: Likeness) -> Weighed {
    match likeness {
        Likeness::Spelling { is_weak: false } => (weight::SPELLING, Evidence::Spelling),
        Likeness::Spelling { is_weak: true } => (weight::SPELLING_WEAK, Evidence::Spelling),
        Likeness::Title { is_weak: false } => (weight::TITLE, Evidence::Title),
        Likeness::Title { is_weak: true } => (weight::CONTAINMENT, Evidence::Title),
        Likeness::LegalForm => (weight::LEGAL_FORM, Evidence::Title),
        Likeness::Initials { n: ..=1 } => (weight::INITIAL, Evidence::Initials),
        Likeness::Initials { n: 2 } => (weight::TWO_INITIALS, Evidence::Initials),
        Likeness::Initials { .. } => (weight::THREE_INITIALS, Evidence::Initials),
        Likeness::Acronym { n: ..=SHORT_ACRONYM } => (weight::SHORT_ACRONYM, Evidence::Initials),
        Likeness::Acronym { .. } => (weight::ACRONYM, Evidence::Initials),
        Likeness::MiddleName => (weight::CONTAINMENT, Evidence::Containment),
    }
}

/// How many elements two sorted lists share. Cost O(smaller · log larger).
fn common<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|item| many.binary_search(item).is_ok()).count()
}
