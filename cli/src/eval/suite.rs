//! Suites: sets with known answers in one file, measured into one report, with floors that a later change must keep.

use super::Reading;
use super::judge;
use super::report::{Part, Report, figures};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::language::Spent;
use crate::reasoning::AskOptions;
use anyhow::{Result, bail};

mod file;

pub use file::{Entry, Suite};

/// What measures a set with, while a suite runs.
pub struct Bench<'a> {
    /// The suite's seed, baseline and numbers of passages.
    pub suite: &'a Suite,
    /// What embeds passages and questions.
    pub embedding: &'a Embedding,
    /// How corpora are read.
    pub reading: &'a Reading,
    /// Who answers, where the kind leaves a choice, and in how many rounds.
    pub asking: &'a AskOptions,
    /// How a language model is asked, who hears of progress, and how to stop.
    pub env: &'a Environment,
}

/// A set whose files were read, ready to be measured.
pub type Work = Box<dyn FnOnce(&Bench<'_>) -> Result<Part>>;

/// What is asked of a set, and so in which shapes its files are.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What a suite calls it.
    pub name: &'static str,
    /// Reads the questions and checks them, before any set is measured.
    pub open: fn(&Entry) -> Result<Work>,
}

/// How a suite is run.
pub struct Running<'a> {
    /// The kinds of sets that can be measured; the first is that of a set that names none.
    pub kinds: &'a [Kind],
    /// The command that prints the report.
    pub command: String,
    /// Measure these sets alone; all where none is named.
    pub only: &'a [String],
    /// Let the configured language model judge answers, too.
    pub is_judged: bool,
    /// How corpora are read.
    pub reading: Reading,
    /// Who answers, where a kind leaves a choice, and in how many rounds.
    pub asking: AskOptions,
    /// How a language model is asked, who hears of progress, and how to stop.
    pub env: &'a Environment,
}

impl Running<'_> {
    /// Measures the sets of a suite; whoever shows the report then asks [`hold_floors`].
    ///
    /// # Errors
    /// When a set cannot be read or measured.
    pub fn run(&self, suite: &Suite) -> Result<Report> {
        let mut report = Report {
            suite: suite.name.clone(),
            seed: suite.seed,
            command: self.command.clone(),
            ..Report::default()
        };
        let mut ready = Vec::new();
        for entry in chosen(suite, self.only)? {
            match entry.located(suite) {
                Ok(entry) => ready.push((self.kind(&entry)?.open)(&entry)?),
                Err(reason) if entry.optional => report.skipped.push(format!("{}: {reason}", entry.name)),
                Err(reason) => bail!("set {}: {reason}", entry.name),
            }
        }
        let embedding = Embedding::open(self.env)?;
        let mut spent = Spent::default();
        for work in ready {
            self.env.stop.check()?;
            let mut part = work(&Bench {
                suite,
                embedding: &embedding,
                reading: &self.reading,
                asking: &self.asking,
                env: self.env,
            })?;
            if self.is_judged {
                judge::add(&mut part, &mut spent, self.env)?;
            }
            report.parts.push(part);
        }
        Ok(report)
    }

    fn kind(&self, entry: &Entry) -> Result<&Kind> {
        let is_it = |kind: &&Kind| entry.kind.as_deref().is_none_or(|name| name == kind.name);
        let Some(kind) = self.kinds.iter().find(is_it) else {
            let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name).collect();
            bail!(
                "set {}: unknown kind `{}`; expected one of {}",
                entry.name,
                entry.kind.as_deref().unwrap_or_default(),
                names.join(", ")
            );
        };
        Ok(kind)
    }
}

/// The sets to measure, at least one.
fn chosen<'a>(suite: &'a Suite, only: &[String]) -> Result<Vec<&'a Entry>> {
    let names: Vec<&str> = suite.sets.iter().map(|entry| entry.name.as_str()).collect();
    if let Some(name) = only.iter().find(|name| !names.contains(&name.as_str())) {
        bail!(
            "--only {name}: the suite has no such set; expected one of {}",
            names.join(", ")
        );
    }
    let is_chosen = |entry: &&Entry| only.is_empty() || only.contains(&entry.name);
    Ok(suite.sets.iter().filter(is_chosen).collect())
}

/// Refuses a report with a figure below what the suite demands of it.
///
/// # Errors
/// Names every such figure.
pub fn hold_floors(suite: &Suite, report: &Report) -> Result<()> {
    let mut low = Vec::new();
    for part in &report.parts {
        let figures = figures(part, report.seed);
        let entries = suite.sets.iter().filter(|entry| entry.name == part.set);
        for (name, floor) in entries.flat_map(|entry| &entry.floor) {
            let found = figures
                .iter()
                .find(|one| format!("{} {}", one.method, one.metric) == *name);
            match found.map(|one| one.value) {
                None => low.push(format!("{} has no figure `{name}`", part.set)),
                Some(value) if value < *floor => {
                    low.push(format!("{} {name} is {value:.3}; expected at least {floor}", part.set));
                }
                Some(_) => {}
            }
        }
    }
    if !low.is_empty() {
        bail!("below the floors of the suite: {}", low.join("; "));
    }
    Ok(())
}
