//! Figures of an anonymised set, by mode, with intervals.

use super::answer::Given;
use super::item::{Gold, Item};
use super::score::Named;
use banyan::eval::coverage::Coverage;
use banyan::eval::metric::{Mean, pick};
use banyan_retrieve::answer::Mode;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Resamples behind an interval, as elsewhere.
const N_RESAMPLES: usize = 2_000;

/// Everything that is reported of a set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The set, by its file.
    pub set: String,
    /// Documents (chunks, where the set has chunks) of its texts.
    pub documents: usize,
    /// Who answered.
    pub answerer: String,
    /// Identity of the embedder.
    pub embedder: String,
    /// Questions.
    pub questions: usize,
    /// Figures under `open` and `reject`, as far as they were asked for.
    pub modes: BTreeMap<String, ModeFigures>,
    /// Share of the gold places among the first k passages; none where the set tells none.
    pub evidence: Option<BTreeMap<usize, Mean>>,
    /// Share of a question's words that its gold places have; none where the set tells no places.
    pub overlap: Option<Mean>,
    /// What a reader has to know to judge the figures.
    pub remarks: Vec<String>,
    /// Each question.
    pub per_question: Vec<Asked>,
}

/// Figures of one mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeFigures {
    /// Names behind tags; none without such questions.
    pub reversion: Option<Reversion>,
    /// Multiple choice; none without such questions.
    pub choice: Option<Choice>,
    /// Mean risk over all coverages, answers in order of confidence (open mode does not look at it: any order); over
    /// choices, where there are some, else over names. Lower is better.
    pub risk_coverage_area: Option<f64>,
    /// The same for answers in any order: what `risk_coverage_area` has to beat.
    pub random_area: Option<f64>,
    /// Figures by number of hops.
    pub by_hops: BTreeMap<usize, Group>,
    /// Figures by the set's kind of question.
    pub by_type: BTreeMap<String, Group>,
}

/// Names given for tags, over all questions together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reversion {
    /// Questions.
    pub questions: usize,
    /// Share of the given names that are right.
    pub precision: f64,
    /// Share of the gold names that were given.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// The same where part of a name is enough.
    pub relaxed_f1: f64,
    /// Share of the questions with some name given.
    pub coverage: f64,
    /// 95 % intervals of `f1` and `relaxed_f1` over resampled questions.
    pub intervals: BTreeMap<String, (f64, f64)>,
}

/// Letters chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// Questions.
    pub questions: usize,
    /// Share of all questions that are answered right; a refusal is not right (as in the paper).
    pub accuracy: f64,
    /// Share of the answers that are right.
    pub answered_accuracy: f64,
    /// Share of the questions that are answered.
    pub coverage: f64,
    /// 95 % interval of `accuracy`.
    pub interval: (f64, f64),
}

/// Figures of some questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Questions.
    pub questions: usize,
    /// Mean correctness: 0 or 1 of a choice, F1 of a reversion.
    pub correct: f64,
    /// Share that is answered.
    pub coverage: f64,
}

/// One question and what came of it in each mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Asked {
    /// The set's id.
    pub id: String,
    /// The set's kind.
    pub query_type: String,
    /// Hops, where known.
    pub hops: Option<usize>,
    /// Rank of the first passage for each gold place.
    pub gold_ranks: Vec<Option<usize>>,
    /// By mode: what was answered and how right that is.
    pub modes: BTreeMap<String, Reply>,
}

/// An answer, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reply {
    /// The letter, or lines of tag and name; `None` where nothing was answered.
    pub answer: Option<String>,
    /// How sure that is (of a refusal: would have been), 0..=1.
    pub confidence: f64,
    /// 0 or 1 of a choice, F1 of a reversion.
    pub correct: f64,
}

/// The name of a mode in reports.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Open => "open",
        Mode::Reject => "reject",
    }
}

impl Reply {
    fn new(item: &Item, given: &Given) -> Self {
        Self {
            answer: given.lines(),
            confidence: given.confidence,
            correct: correct(item, given),
        }
    }
}

/// How right an answer is: 0 or 1 of a choice, F1 of a reversion.
pub fn correct(item: &Item, given: &Given) -> f64 {
    match &item.gold {
        Gold::Letter(letter) => f64::from(u8::from(given.letter == Some(*letter))),
        Gold::Names(gold) => Named::new(&given.names, gold).f1(),
    }
}

impl ModeFigures {
    /// The figures of `answers`, which run parallel to `items`; `sure` holds the answers as they were before any was
    /// refused, with their confidence.
    pub fn new(items: &[Item], answers: &[Given], sure: &[Given], mode: Mode, seed: u64) -> Self {
        let pairs: Vec<(&Item, &Given)> = items.iter().zip(answers).collect();
        let is_choice = |item: &Item| matches!(item.gold, Gold::Letter(_));
        let has_choices = items.iter().any(is_choice);
        let ordered: Vec<(f64, f64)> = items
            .iter()
            .zip(sure)
            .filter(|(item, _)| is_choice(item) == has_choices)
            .map(|(item, given)| (given.confidence, correct(item, given)))
            .collect();
        let blind: Vec<(f64, f64)> = ordered.iter().map(|(_, right)| (0.0, *right)).collect();
        let area = |answers: &[(f64, f64)]| Coverage::new(answers).map(|coverage| coverage.aurc);
        let random_area = area(&blind);
        Self {
            reversion: Reversion::new(&pairs, seed),
            choice: Choice::new(&pairs, seed),
            risk_coverage_area: if mode == Mode::Open {
                random_area
            } else {
                area(&ordered)
            },
            random_area,
            by_hops: groups(&pairs, |item| item.hops),
            by_type: groups(&pairs, |item| {
                Some(item.query_type.clone()).filter(|kind| !kind.is_empty())
            }),
        }
    }
}

impl Reversion {
    fn new(pairs: &[(&Item, &Given)], seed: u64) -> Option<Self> {
        let counts: Vec<Named> = pairs
            .iter()
            .filter_map(|(item, given)| match &item.gold {
                Gold::Names(gold) => Some(Named::new(&given.names, gold)),
                Gold::Letter(_) => None,
            })
            .collect();
        let all = counts.iter().fold(Named::default(), |sum, one| sum.plus(*one));
        let n_given = counts.iter().filter(|named| named.given > 0).count();
        let intervals = BTreeMap::from([
            ("f1".to_owned(), interval(&counts, Named::f1, seed)),
            ("relaxed_f1".to_owned(), interval(&counts, Named::relaxed_f1, seed)),
        ]);
        (!counts.is_empty()).then(|| Self {
            questions: counts.len(),
            precision: all.precision(),
            recall: all.recall(),
            f1: all.f1(),
            relaxed_f1: all.relaxed_f1(),
            coverage: n_given as f64 / counts.len() as f64,
            intervals,
        })
    }
}

/// 2.5th and 97.5th percentile of a figure over resampled questions.
fn interval(counts: &[Named], figure: impl Fn(Named) -> f64, seed: u64) -> (f64, f64) {
    let mut state = seed;
    let resample = |_| {
        let drawn = (0..counts.len()).map(|_| counts[pick(&mut state, counts.len())]);
        figure(drawn.fold(Named::default(), Named::plus))
    };
    let mut figures: Vec<f64> = (0..N_RESAMPLES).map(resample).collect();
    figures.sort_by(f64::total_cmp);
    (figures[N_RESAMPLES / 40], figures[N_RESAMPLES - 1 - N_RESAMPLES / 40])
}

impl Choice {
    fn new(pairs: &[(&Item, &Given)], seed: u64) -> Option<Self> {
        let choices: Vec<&(&Item, &Given)> = pairs
            .iter()
            .filter(|(item, _)| matches!(item.gold, Gold::Letter(_)))
            .collect();
        let right: Vec<f64> = choices.iter().map(|(item, given)| correct(item, given)).collect();
        let n_given = choices.iter().filter(|(_, given)| given.is_answer()).count();
        let accuracy = Mean::of(&right, seed);
        (!choices.is_empty()).then(|| Self {
            questions: choices.len(),
            accuracy: accuracy.value,
            answered_accuracy: right.iter().sum::<f64>() / n_given.max(1) as f64,
            coverage: n_given as f64 / choices.len() as f64,
            interval: accuracy.interval,
        })
    }
}

fn groups<K: Ord>(pairs: &[(&Item, &Given)], key: impl Fn(&Item) -> Option<K>) -> BTreeMap<K, Group> {
    let mut members: BTreeMap<K, Vec<(f64, bool)>> = BTreeMap::new();
    for (item, given) in pairs {
        if let Some(key) = key(item) {
            members
                .entry(key)
                .or_default()
                .push((correct(item, given), given.is_answer()));
        }
    }
    let figures = |(key, members): (K, Vec<(f64, bool)>)| {
        let n = members.len() as f64;
        let group = Group {
            questions: members.len(),
            correct: members.iter().map(|member| member.0).sum::<f64>() / n,
            coverage: members.iter().filter(|member| member.1).count() as f64 / n,
        };
        (key, group)
    };
    members.into_iter().map(figures).collect()
}

impl Asked {
    /// One question with its answers by mode.
    pub fn new<'a>(item: &Item, ranks: Vec<Option<usize>>, answers: impl Iterator<Item = (Mode, &'a Given)>) -> Self {
        Self {
            id: item.id.clone(),
            query_type: item.query_type.clone(),
            hops: item.hops,
            gold_ranks: ranks,
            modes: answers
                .map(|(mode, given)| (mode_name(mode).to_owned(), Reply::new(item, given)))
                .collect(),
        }
    }
}

/// Share of the gold places of each question among its first k passages, as a mean over the questions that have such;
/// `None` where none has.
pub fn recalls(asked: &[Asked], ks: &[usize], seed: u64) -> Option<BTreeMap<usize, Mean>> {
    let with_gold: Vec<&Asked> = asked.iter().filter(|one| !one.gold_ranks.is_empty()).collect();
    let recall = |one: &&Asked, k: usize| {
        let found = one.gold_ranks.iter().flatten().filter(|rank| **rank <= k).count();
        found as f64 / one.gold_ranks.len() as f64
    };
    let at = |k: &usize| {
        (
            *k,
            Mean::of(&with_gold.iter().map(|one| recall(one, *k)).collect::<Vec<_>>(), seed),
        )
    };
    (!with_gold.is_empty()).then(|| ks.iter().map(at).collect())
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            set,
            questions,
            documents,
            answerer,
            embedder,
            ..
        } = self;
        writeln!(
            f,
            "{set}: {questions} questions over {documents} documents · {answerer} · embedder {embedder}"
        )?;
        for (mode, figures) in &self.modes {
            writeln!(f, "{mode}")?;
            figures.fmt(f)?;
        }
        if let Some(evidence) = &self.evidence {
            let at = |(k, mean): (&usize, &Mean)| {
                format!(
                    "recall@{k} {:.3} [{:.3}, {:.3}]",
                    mean.value, mean.interval.0, mean.interval.1
                )
            };
            writeln!(
                f,
                "gold places: {}",
                evidence.iter().map(at).collect::<Vec<_>>().join(", ")
            )?;
        }
        if let Some(Mean { value, interval }) = self.overlap {
            let (low, high) = interval;
            writeln!(
                f,
                "words of a question that its gold places have: {value:.3} [{low:.3}, {high:.3}]"
            )?;
        }
        f.write_str(&self.remarks.join("\n"))
    }
}

impl Display for ModeFigures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Choice {
            questions,
            accuracy,
            answered_accuracy,
            coverage,
            interval,
        }) = &self.choice
        {
            writeln!(
                f,
                "  choice     accuracy {accuracy:.3} [{:.3}, {:.3}], coverage {coverage:.3}, of those answered {answered_accuracy:.3} ({questions} questions)",
                interval.0, interval.1
            )?;
        }
        if let Some(reversion) = &self.reversion {
            let Reversion {
                questions,
                precision,
                recall,
                f1,
                relaxed_f1,
                coverage,
                ..
            } = reversion;
            writeln!(
                f,
                "  reversion  P {precision:.3}, R {recall:.3}, F1 {f1:.3}, relaxed F1 {relaxed_f1:.3}, coverage {coverage:.3} ({questions} questions)"
            )?;
        }
        if let (Some(area), Some(random)) = (self.risk_coverage_area, self.random_area) {
            writeln!(f, "  area under risk and coverage {area:.3} (in any order {random:.3})")?;
        }
        let group = |name: String, group: &Group| format!("{name}: {:.3} of {}", group.correct, group.questions);
        let hops: Vec<String> = self
            .by_hops
            .iter()
            .map(|(hops, one)| group(hops.to_string(), one))
            .collect();
        let kinds: Vec<String> = self
            .by_type
            .iter()
            .map(|(kind, one)| group(kind.clone(), one))
            .collect();
        for (title, groups) in [("by hops", hops), ("by type", kinds)] {
            if !groups.is_empty() {
                writeln!(f, "  {title:<10} {}", groups.join(", "))?;
            }
        }
        Ok(())
    }
}
