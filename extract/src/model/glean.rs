//! Gleaning: asking again what was missed, as often as the options say and as long as it gives something.

use super::assign::Assigned;
use super::run::{State, Task};
use super::{ModelExtractor, Outcome};

/// Which round of gleaning a task is.
pub(super) struct Gleaning {
    round: u32,
}

impl ModelExtractor<'_> {
    /// What comes after passages were read: gleaning, or nothing.
    pub(super) fn done(&self, positions: Vec<usize>, state: &mut State<'_, '_>) -> Vec<Task> {
        self.glean(positions, 1, state)
    }

    /// Takes in the reply to a round of gleaning. Passages go on together while the round gives anything new.
    pub(super) fn take_gleaning(
        &self,
        task: &Task,
        gleaning: &Gleaning,
        assigned: Vec<Assigned>,
        state: &mut State<'_, '_>,
    ) -> Vec<Task> {
        let count = |state: &State<'_, '_>| -> usize {
            let chunks = task.passages.iter().map(|position| &state.chunks[*position].stated);
            chunks.map(|stated| stated.n_facts() + stated.entities.len()).sum()
        };
        let n_before = count(state);
        for (position, said) in task.passages.iter().zip(assigned) {
            state.join(*position, said);
        }
        let has_more = count(state) > n_before;
        let round = if has_more { gleaning.round + 1 } else { u32::MAX };
        self.glean(task.passages.clone(), round, state)
    }

    /// The task of this round; without one, the passages are done.
    fn glean(&self, positions: Vec<usize>, round: u32, state: &mut State<'_, '_>) -> Vec<Task> {
        if round <= self.options.n_gleanings && !positions.is_empty() {
            return vec![Task {
                passages: positions,
                gleaning: Some(Gleaning { round }),
            }];
        }
        for position in positions {
            state.chunks[position].outcome = Outcome::Done;
        }
        Vec::new()
    }
}
