//! The reader: a text to statements under a list of relations.

use super::candidate::{Passage, Source};
use super::cue::Cues;
use super::feature::{Nearest, nearest, object, own, pair, rivalries, subject};
use super::kind::{Kind, Kinds};
use super::relation::Relation;
use super::view::View;
use super::weights::{General, Tally, Weights};
use super::writing::{Form, Matter, is_literal, matter, write};
use crate::learn::Learned;
use banyan_engine::Span;
use std::collections::BTreeMap;

/// Most objects of one relation in one sentence. Arbitrary: longer lists are cut.
const MAX_OBJECTS: usize = 8;

/// One end of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Where it stands.
    pub span: Span,
    /// As it is to be written: as it stands, or in the form that examples taught.
    pub text: String,
}

/// A statement that a text makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Who or what it is about.
    pub subject: Argument,
    /// Position of the relation in the list that the reader was made with.
    pub relation: usize,
    /// The other end.
    pub object: Argument,
    /// How sure it is: the logarithm of the odds, higher is surer.
    pub score: f32,
    /// From the first to the last of its words.
    pub evidence: Span,
}

/// Reads sentences under a list of relations.
#[derive(Clone, Debug)]
pub struct Reader {
    relations: Vec<Cues>,
    object: Weights,
    subject: Weights,
    /// By relation, where examples of it were learned from.
    own: Vec<Option<Weights>>,
    forms: Vec<BTreeMap<Matter, Form>>,
    known: std::collections::BTreeSet<String>,
    threshold: f32,
    further: f32,
    fallback: f32,
}

/// A candidate as object of a relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) relation: usize,
    pub(crate) object: usize,
    pub(crate) score: f32,
}

impl Reader {
    /// A reader under these relations with these general weights, and with what was learned from examples of them.
    pub fn new(relations: &[Relation], general: &General, learned: Option<&Learned>) -> Self {
        let own = |relation: &Relation| {
            learned?
                .relations
                .get(&relation.label)
                .map(|one| Weights::new(&one.own))
        };
        let forms = |relation: &Relation| {
            learned
                .and_then(|learned| learned.relations.get(&relation.label))
                .map(|one| one.forms.clone())
                .unwrap_or_default()
        };
        Self {
            relations: relations.iter().map(Cues::new).collect(),
            object: Weights::new(learned.map_or(&general.object, |learned| &learned.object)),
            subject: Weights::new(learned.map_or(&general.subject, |learned| &learned.subject)),
            own: relations.iter().map(own).collect(),
            forms: relations.iter().map(forms).collect(),
            known: learned
                .map(|learned| learned.known.iter().cloned().collect())
                .unwrap_or_default(),
            threshold: learned.map_or(general.threshold, |learned| learned.threshold),
            further: learned.map_or(general.further, |learned| learned.further),
            fallback: learned.map_or(general.fallback, |learned| learned.fallback),
        }
    }

    /// The statements of a text, surest first. Cost O(candidates · relations + candidates²).
    pub fn read(&self, text: &str) -> Vec<Statement> {
        let view = View::new(Passage::new(text, |text| self.known.contains(text)));
        let claims = self.claims(&view);
        claims
            .into_iter()
            .filter_map(|claim| self.statement(&view, claim))
            .collect()
    }

    /// The objects that are sure enough, without overlap within a relation, surest first.
    fn claims(&self, view: &View) -> Vec<Claim> {
        let mut scored: Vec<Vec<Claim>> = vec![Vec::new(); self.relations.len()];
        for claim in self.scores(view) {
            scored[claim.relation].push(claim);
        }
        let mut claims: Vec<Claim> = Vec::new();
        for mut list in scored {
            list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.object.cmp(&b.object)));
            let mut kept: Vec<Claim> = Vec::new();
            for claim in list {
                let candidate = &view.passage.candidates[claim.object];
                let is_free = kept.iter().all(|other| {
                    !view.passage.candidates[other.object].overlaps(candidate)
                        && view.shapes[other.object].key != view.shapes[claim.object].key
                });
                let is_sure = kept.is_empty() || claim.score >= self.further;
                if is_free && is_sure && kept.len() < MAX_OBJECTS {
                    kept.push(claim);
                }
            }
            claims.append(&mut kept);
        }
        claims.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then((a.relation, a.object).cmp(&(b.relation, b.object)))
        });
        let n_sure = claims.iter().take_while(|claim| claim.score >= self.threshold).count();
        let n_kept = if n_sure > 0 {
            n_sure
        } else {
            usize::from(claims.first().is_some_and(|claim| claim.score >= self.fallback))
        };
        claims.truncate(n_kept);
        claims
    }

    fn scores(&self, view: &View) -> Vec<Claim> {
        let mut claims = Vec::new();
        for index in 0..view.passage.candidates.len() {
            let nearest = cues_of(view, index, &self.relations);
            let rivalries = rivalries(&self.relations, &nearest);
            for (relation, cues) in self.relations.iter().enumerate() {
                if !is_possible(view, index, cues) {
                    continue;
                }
                let mut tally = Tally::new(&self.object);
                object(view, index, cues, &nearest[relation], rivalries[relation], &mut tally);
                let mut score = tally.sum;
                if let Some(weights) = &self.own[relation] {
                    let mut tally = Tally::new(weights);
                    own(view, index, &mut tally);
                    score += tally.sum;
                }
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
    fn statement(&self, view: &View, claim: Claim) -> Option<Statement> {
        let cues = &self.relations[claim.relation];
        let o = &view.passage.candidates[claim.object];
        let mut best: Option<(f32, usize)> = None;
        for (index, s) in view.passage.candidates.iter().enumerate() {
            if !s.is_subject() || s.overlaps(o) {
                continue;
            }
            let mut tally = Tally::new(&self.subject);
            subject(view, index, false, &mut tally);
            pair(view, index, claim.object, cues, false, &mut tally);
            if best.is_none_or(|(score, _)| tally.sum > score) {
                best = Some((tally.sum, index));
            }
        }
        let s = &view.passage.candidates[best?.1];
        let argument = |span: Span, text: String| Argument { span, text };
        let text = view.passage.text_of(o);
        let learned = self.forms[claim.relation].get(&matter(o)).copied();
        let asked = (matter(o) == Matter::Year && cues.is_dated).then_some(Form::Long);
        let form = learned.or(asked).unwrap_or(Form::Plain);
        let form = if is_literal(matter(o), form) { form } else { Form::Plain };
        Some(Statement {
            subject: argument(s.span, view.passage.text_of(s).to_owned()),
            relation: claim.relation,
            object: argument(o.span, write(o, text, form)),
            score: claim.score,
            evidence: Span {
                start: s.span.start.min(o.span.start),
                end: s.span.end.max(o.span.end),
            },
        })
    }
}

/// The nearest cues of every relation to a candidate.
pub(crate) fn cues_of(view: &View, index: usize, relations: &[Cues]) -> Vec<Nearest> {
    relations.iter().map(|cues| nearest(view, index, cues)).collect()
}

/// Whether a candidate can be an object of the relation at all: dates where dates are asked for, numbers for numbers.
pub(crate) fn is_possible(view: &View, index: usize, cues: &Cues) -> bool {
    let candidate = &view.passage.candidates[index];
    let is_date = candidate.value.as_ref().is_some_and(super::value::Value::is_date);
    let wants = |kind: Kind| cues.range.has(kind);
    match &candidate.value {
        Some(_) if is_date => wants(Kind::Date) || wants(Kind::Number) || cues.range.is_empty() || wants(Kind::Text),
        Some(_) => wants(Kind::Number) || wants(Kind::Text) || cues.range.is_empty(),
        None => {
            let only_values =
                !cues.range.is_empty() && cues.range.iter().all(|kind| matches!(kind, Kind::Date | Kind::Number));
            let only_persons = cues.range == Kinds::default().with(Kind::Person);
            let is_thing = matches!(
                view.shapes[index].form,
                "people" | "tongue" | "language" | "country" | "city" | "region" | "continent" | "lower" | "office"
            );
            !(only_values || only_persons && is_thing) && candidate.sources != [Source::Opening]
        }
    }
}
