//! What answers two steps at once.

use crate::answer::reader::Reading;
use std::collections::BTreeMap;

/// Least belief that one step leaves an answer of the other: a passage need not write a name as the other one does.
/// Arbitrary.
const LEAST: f32 = 0.02;

/// The answers to either step by the logarithm of the product of both beliefs in them, best first, with the sentences of
/// both. Ties by text.
pub(super) fn common(first: &[Reading], second: &[Reading]) -> Vec<Reading> {
    let mut found: BTreeMap<String, (Reading, [f32; 2])> = BTreeMap::new();
    for (side, readings) in [first, second].into_iter().enumerate() {
        let top = readings.first().map_or(0.0, |reading| reading.score);
        let total: f32 = readings.iter().map(|reading| (reading.score - top).exp()).sum();
        for reading in readings {
            let share = (reading.score - top).exp() / total;
            let key = reading.text.to_lowercase();
            let known = found.entry(key).or_insert_with(|| (reading.clone(), [LEAST; 2]));
            known.1[side] = share.max(LEAST);
            if side == 1 && known.0.chunk != reading.chunk {
                known.0.before.push((reading.chunk, reading.sentence));
            }
        }
    }
    let mut best: Vec<Reading> = found
        .into_values()
        .map(|(mut reading, [one, other])| {
            reading.score = one.ln() + other.ln();
            reading
        })
        .collect();
    best.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::feature::N;
    use banyan_engine::{ChunkId, Span};

    fn reading(text: &str, chunk: usize, score: f32) -> Reading {
        Reading {
            text: text.to_owned(),
            entity: None,
            chunk: ChunkId::at(chunk),
            sentence: Span::new(0, 1),
            score,
            row: [0.0; N],
            before: Vec::new(),
        }
    }

    #[test]
    fn what_both_believe_wins_and_what_only_one_does_is_not_lost() {
        let first = [
            reading("Tidd", 0, 2.0),
            reading("Ansay", 0, 1.5),
            reading("Ondle", 0, -2.0),
        ];
        let second = [reading("Eld", 1, 3.0), reading("ansay", 1, 2.5)];
        let best = common(&first, &second);
        let texts: Vec<&str> = best.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["Ansay", "Eld", "Tidd", "Ondle"]);
        assert_eq!(best[0].before, [(ChunkId::at(1), Span::new(0, 1))]);
        assert!((common(&first[..1], &[])[0].score - LEAST.ln()).abs() < 1e-6);
        assert!(common(&[], &[]).is_empty());
    }
}
