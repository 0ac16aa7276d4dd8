//! What the stages of a build take.

use crate::cpu;
use anyhow::Result;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Time of one stage.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// What was done.
    pub name: &'static str,
    /// CPU time of all threads.
    pub cpu_seconds: f64,
    /// Time that passed.
    pub wall_seconds: f64,
}

/// Times of a build, stage by stage.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Timing {
    /// In the order in which they ran.
    pub stages: Vec<Stage>,
}

/// Name of the stage that runs the embedding model.
pub(crate) const EMBED: &str = "embed";

impl Timing {
    /// Runs `work` as a stage.
    ///
    /// # Errors
    /// That of `work`.
    pub fn stage<T>(&mut self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let (cpu, wall) = (cpu::time(), Instant::now());
        let result = work();
        let seconds = |time: Duration| time.as_secs_f64();
        self.stages.push(Stage {
            name,
            cpu_seconds: seconds(cpu::time().saturating_sub(cpu)),
            wall_seconds: seconds(wall.elapsed()),
        });
        result
    }

    /// CPU seconds of embedding, or of all other stages.
    pub(crate) fn cpu(&self, is_embedding: bool) -> f64 {
        let stages = self.stages.iter();
        let counted = stages.filter(|stage| (stage.name == EMBED) == is_embedding);
        counted.map(|stage| stage.cpu_seconds).sum()
    }

    /// One line: each stage with its wall and CPU time.
    pub fn line(&self) -> String {
        let each = |stage: &Stage| {
            format!(
                "{} {:.2}s ({:.2}s cpu)",
                stage.name, stage.wall_seconds, stage.cpu_seconds
            )
        };
        self.stages.iter().map(each).collect::<Vec<_>>().join(" · ")
    }
}
