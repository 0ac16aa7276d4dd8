//! The reader: a text to statements under a list of relations.

use super::feature::{object, own, pair, subject};
use super::lexicon::kind;
use super::nearest::compared;
use super::passage::Passage;
use super::relation::Relation;
use super::trigger::Triggers;
use super::value::Value;
use super::weights::{General, Learned, Weights};

/// Most objects of one relation in one sentence. Arbitrary: longer lists are cut.
const MAX_OBJECTS: usize = 8;
/// Score from which a statement is made, without and with examples. Without: on training sentences of ontologies left out
/// of the fit the mean of F1 and strict F1 is flat from -4 to -3 and lower at -2.
const THRESHOLD: [f32; 2] = [-3.0, -2.0];
/// Score from which a further object of the same relation is stated. Arbitrary.
const FURTHER: f32 = -1.0;
/// Score from which the best statement of a sentence is made where none reaches the threshold. Arbitrary.
const FALLBACK: f32 = -5.0;

/// A statement that a text makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Who or what it is about.
    pub subject: String,
    /// Position of the relation in the list that the reader was made with.
    pub relation: usize,
    /// The other end: as it stands, or as a date in full.
    pub object: String,
}

/// Reads sentences under a list of relations.
#[derive(Clone, Debug)]
pub struct Reader {
    relations: Vec<Triggers>,
    object: Weights,
    subject: Weights,
    /// By relation, where examples of it were learned from.
    own: Vec<Option<Weights>>,
    threshold: f32,
}

#[derive(Clone, Copy, Debug)]
struct Claim {
    relation: usize,
    object: usize,
    score: f32,
}

impl Reader {
    /// A reader under these relations with these general weights, and with what was learned from examples of them.
    pub fn new(relations: &[Relation], general: &General, learned: Option<&Learned>) -> Self {
        let own = |relation: &Relation| learned?.relations.get(&relation.label).map(Weights::new);
        let shared = learned.map_or(general, |learned| &learned.general);
        Self {
            relations: relations.iter().map(Triggers::new).collect(),
            object: Weights::new(&shared.object),
            subject: Weights::new(&shared.subject),
            own: relations.iter().map(own).collect(),
            threshold: THRESHOLD[usize::from(learned.is_some_and(|learned| !learned.relations.is_empty()))],
        }
    }

    /// The statements of a text, surest first. Cost O(candidates · relations + candidates²).
    pub fn read(&self, text: &str) -> Vec<Statement> {
        let passage = Passage::new(text);
        let claims = self.claims(&passage).into_iter();
        claims.filter_map(|claim| self.statement(&passage, claim)).collect()
    }

    /// The objects that are sure enough, without overlap within a relation, surest first.
    fn claims(&self, passage: &Passage) -> Vec<Claim> {
        let mut scored = self.scores(passage);
        scored.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then((a.relation, a.object).cmp(&(b.relation, b.object)))
        });
        let mut claims: Vec<Claim> = Vec::new();
        for claim in scored {
            let candidate = &passage.candidates[claim.object];
            let mut n_same = 0;
            let is_free = claims
                .iter()
                .filter(|other| other.relation == claim.relation)
                .all(|other| {
                    n_same += 1;
                    let is_key = passage.shapes[other.object].key == passage.shapes[claim.object].key;
                    !is_key && !passage.candidates[other.object].overlaps(candidate)
                });
            if is_free && n_same < MAX_OBJECTS && (n_same == 0 || claim.score >= FURTHER) {
                claims.push(claim);
            }
        }
        let n_sure = claims.iter().take_while(|claim| claim.score >= self.threshold).count();
        let is_fallback = claims.first().is_some_and(|claim| claim.score >= FALLBACK);
        claims.truncate(n_sure.max(usize::from(is_fallback)));
        claims
    }

    fn scores(&self, passage: &Passage) -> Vec<Claim> {
        let mut claims = Vec::new();
        for index in 0..passage.candidates.len() {
            let compared = compared(passage, index, &self.relations);
            for (relation, triggers) in self.relations.iter().enumerate() {
                if !is_possible(passage, index, triggers) {
                    continue;
                }
                let shared = self
                    .object
                    .sum(|sink| object(passage, index, triggers, &compared[relation], sink));
                let own_weights = self.own[relation].as_ref();
                let score = shared + own_weights.map_or(0.0, |weights| weights.sum(|sink| own(passage, index, sink)));
                claims.push(Claim {
                    relation,
                    object: index,
                    score,
                });
            }
        }
        claims
    }

    /// The claim with its most likely subject.
    fn statement(&self, passage: &Passage, claim: Claim) -> Option<Statement> {
        let triggers = &self.relations[claim.relation];
        let o = &passage.candidates[claim.object];
        let subjects = passage
            .candidates
            .iter()
            .enumerate()
            .filter(|(_, s)| s.is_subject() && !s.overlaps(o));
        let score = |index: usize| {
            self.subject.sum(|sink| {
                subject(passage, index, sink);
                pair(passage, index, claim.object, triggers, sink);
            })
        };
        let scored = subjects.map(|(index, s)| (score(index), std::cmp::Reverse(index), s));
        let (_, _, s) = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        let object = match o.value.and_then(Value::bare_year).filter(|_| triggers.is_dated) {
            Some(year) => format!("01 January {year:04}"),
            None => passage.text_of(o).to_owned(),
        };
        Some(Statement {
            subject: passage.text_of(s).to_owned(),
            relation: claim.relation,
            object,
        })
    }
}

/// Whether a candidate can be an object of the relation at all: dates where dates are asked for, numbers for numbers.
pub(crate) fn is_possible(passage: &Passage, index: usize, triggers: &Triggers) -> bool {
    let candidate = &passage.candidates[index];
    let wants = |name: &str| triggers.range.contains(&kind(name));
    let range = &triggers.range;
    if let Some(value) = candidate.value {
        return range.is_empty() || wants("text") || wants("number") || (value.is_date() && wants("date"));
    }
    let are = |names: &[&str]| {
        range
            .iter()
            .all(|kind_of| names.iter().any(|name| kind(name) == *kind_of))
    };
    let is_thing = matches!(
        passage.shapes[index].form,
        "people" | "tongue" | "language" | "country" | "city" | "region" | "continent" | "lower"
    );
    let is_wrong = are(&["date", "number"]) || (are(&["person"]) && is_thing);
    range.is_empty() || !is_wrong
}
