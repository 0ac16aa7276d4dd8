//! Compiling with proof: own weights of a relation are kept only where they pay on sentences that they were not fitted to.

use super::example::Example;
use super::train::{Learned, learn};
use crate::statement::passage::key;
use crate::statement::weights::feature_id;
use crate::statement::{General, Reader, Relation};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Parts that examples are cut into. Each is held back once, while the others are learned from: a fifth, the usual share.
const PARTS: u64 = 5;

/// Statements of one relation on held-back sentences, against their labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hits {
    /// Statements that were made.
    pub found: usize,
    /// Statements that the labels have.
    pub gold: usize,
    /// Those of both, equal in subject and object but for case and white space.
    pub hits: usize,
}

impl Hits {
    /// Share of the statements made that are right; 0 for none.
    pub fn precision(self) -> f64 {
        self.hits as f64 / self.found.max(1) as f64
    }

    /// Share of the labels that were found; 0 for none.
    pub fn recall(self) -> f64 {
        self.hits as f64 / self.gold.max(1) as f64
    }

    /// Their harmonic mean.
    pub fn f1(self) -> f64 {
        2.0 * self.hits as f64 / (self.found + self.gold).max(1) as f64
    }

    fn add(&mut self, more: Self) {
        self.found += more.found;
        self.gold += more.gold;
        self.hits += more.hits;
    }
}

/// What became of the own weights of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// They raise F1 on what was held back.
    Kept,
    /// They do not: the relation is read without.
    DoesNotPay,
    /// No example states the relation.
    NoExample,
}

/// How a relation fared on what was held back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Examples that state it.
    pub examples: usize,
    /// Whether its own weights are kept.
    pub outcome: Outcome,
    /// Read with what the examples taught.
    pub with: Hits,
    /// Read with the weights that ship.
    pub without: Hits,
}

/// A compiled extractor with the proof of it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What is kept of what the examples taught.
    pub learned: Learned,
    /// One for each relation, in the order of the schema.
    pub verdicts: Vec<Verdict>,
    /// All relations together, read by the weights that ship.
    pub unlearned: Hits,
    /// All relations together, read by everything that the examples taught.
    pub taught: Hits,
}

/// Learns from examples and keeps what pays.
///
/// The examples are cut into five parts by a hash of the subject of their first statement, so that no subject is both
/// learned from and held back. Each part is read by what the others teach, and by the weights that ship. A relation keeps its
/// own weights where reading with what was taught raises its F1. What is kept is then fitted to all examples; where all of it
/// together reads the held-back parts no better, nothing is kept. Cost O(six times that of [`learn`]); the same for any
/// number of threads.
pub fn verify(relations: &[Relation], examples: &[Example], general: &General) -> Verified {
    let mut sums = [
        vec![Hits::default(); relations.len()],
        vec![Hits::default(); relations.len()],
    ];
    for part in 0..PARTS {
        let (held, rest): (Vec<Example>, Vec<Example>) =
            examples.iter().cloned().partition(|example| part_of(example) == part);
        if held.is_empty() || rest.is_empty() {
            continue;
        }
        let learned = learn(relations, &rest, general);
        for (sum, learned) in sums.iter_mut().zip([None, Some(&learned)]) {
            count(sum, &Reader::new(relations, general, learned), relations, &held);
        }
    }
    let [without, with] = sums;
    let total = |hits: &[Hits]| {
        let mut sum = Hits::default();
        for more in hits {
            sum.add(*more);
        }
        sum
    };
    let (unlearned, taught) = (total(&without), total(&with));
    let is_better = taught.f1() > unlearned.f1();
    let verdict = |(at, relation): (usize, &Relation)| {
        let states = |example: &&Example| example.triples.iter().any(|triple| triple.relation == relation.label);
        let examples = examples.iter().filter(states).count();
        let outcome = match examples {
            0 => Outcome::NoExample,
            _ if is_better && with[at].f1() > without[at].f1() => Outcome::Kept,
            _ => Outcome::DoesNotPay,
        };
        Verdict {
            examples,
            outcome,
            with: with[at],
            without: without[at],
        }
    };
    let verdicts: Vec<Verdict> = relations.iter().enumerate().map(verdict).collect();
    let mut learned = Learned {
        general: general.clone(),
        ..Learned::default()
    };
    if is_better {
        learned = learn(relations, examples, general);
        for (relation, verdict) in relations.iter().zip(&verdicts) {
            if verdict.outcome != Outcome::Kept {
                learned.relations.remove(&relation.label);
            }
        }
    }
    Verified {
        learned,
        verdicts,
        unlearned,
        taught,
    }
}

/// The part that an example is in, by its subject; by its sentence where it states nothing.
fn part_of(example: &Example) -> u64 {
    let first = example.triples.first().map(|triple| key(&triple.subject));
    feature_id(&first.unwrap_or_else(|| key(&example.sentence)), &[]) % PARTS
}

/// Adds what a reader makes of held-back sentences, by relation. What a sentence leaves unlabelled counts against the
/// reader only where its labels are known to be complete.
fn count(sums: &mut [Hits], reader: &Reader, relations: &[Relation], held: &[Example]) {
    let read: Vec<_> = held.par_iter().map(|example| reader.read(&example.sentence)).collect();
    for (example, statements) in held.iter().zip(&read) {
        for (at, relation) in relations.iter().enumerate() {
            let ends = |subject: &str, object: &str| (key(subject), key(object));
            let gold: BTreeSet<_> = example
                .triples
                .iter()
                .filter(|triple| triple.relation == relation.label)
                .map(|triple| ends(&triple.subject, &triple.object))
                .collect();
            if gold.is_empty() && !example.is_complete {
                continue;
            }
            let found: BTreeSet<_> = statements
                .iter()
                .filter(|statement| statement.relation == at)
                .map(|statement| ends(&statement.subject.text, &statement.object.text))
                .collect();
            sums[at].add(Hits {
                found: found.len(),
                gold: gold.len(),
                hits: gold.intersection(&found).count(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Triple;

    /// Sentences that say who founded and who painted a works, in words that no label has.
    fn examples() -> Vec<Example> {
        let person = |at: usize| {
            let (first, last) = (
                ["Ada", "Bo", "Mara", "Odd", "Ulla"],
                ["Voss", "Quill", "Riis", "Ferren"],
            );
            format!("{} {}", first[at % 5], last[at % 4])
        };
        let one = |at: usize| {
            let (who, other, what) = (person(at), person(at + 7), format!("Ondle{} Works", "le".repeat(at)));
            let sentence = if at.is_multiple_of(2) {
                format!("{what}, painted by {other}, was dreamt up by {who}.")
            } else {
                format!("{what} was dreamt up by {who} and painted by {other}.")
            };
            Example {
                id: at.to_string(),
                sentence,
                triples: vec![Triple {
                    subject: what,
                    relation: "originator".to_owned(),
                    object: who,
                }],
                is_complete: true,
            }
        };
        (0..30).map(one).collect()
    }

    fn relations() -> Vec<Relation> {
        ["originator", "depth"]
            .map(|label| Relation {
                label: label.to_owned(),
                ..Relation::default()
            })
            .to_vec()
    }

    #[test]
    fn what_pays_is_kept_and_what_no_example_states_is_not() {
        let general = General::built_in().unwrap();
        let verified = verify(&relations(), &examples(), &general);
        let outcomes: Vec<_> = verified.verdicts.iter().map(|verdict| verdict.outcome).collect();
        assert_eq!(outcomes, [Outcome::Kept, Outcome::NoExample]);
        assert_eq!(verified.verdicts[0].with.gold, 30);
        assert!(verified.verdicts[0].with.f1() > 0.8, "{:?}", verified.verdicts);
        assert_eq!(verified.learned.relations.keys().collect::<Vec<_>>(), ["originator"]);
    }

    /// Labels that no words bear out teach nothing.
    #[test]
    fn what_does_not_pay_is_dropped() {
        let general = General::built_in().unwrap();
        let mut noise = examples();
        for (at, example) in noise.iter_mut().enumerate() {
            example.triples[0].object = format!("Nobody {at}");
        }
        let verified = verify(&relations(), &noise, &general);
        assert_eq!(verified.verdicts[0].outcome, Outcome::DoesNotPay);
        assert!(verified.learned.relations.is_empty());
        assert_eq!(verified.learned.general, general);
    }

    /// By hand: 3 of 4 found are among 6.
    #[test]
    fn figures_of_hits() {
        let hits = Hits {
            found: 4,
            gold: 6,
            hits: 3,
        };
        assert!((hits.precision() - 0.75).abs() < 1e-12 && (hits.recall() - 0.5).abs() < 1e-12);
        assert!((hits.f1() - 0.6).abs() < 1e-12);
        assert!(Hits::default().f1().abs() < 1e-12);
    }
}
