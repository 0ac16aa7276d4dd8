//! Ascending numbers as the gaps between them, which take a byte or two where the numbers take five.

use super::Source;
use crate::document::Span;
use crate::id::ChunkId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Puts the gap to the number before in place of each number.
pub(super) fn gaps(numbers: &mut [u32]) {
    let mut before = 0;
    for number in numbers {
        (*number, before) = (number.wrapping_sub(before), *number);
    }
}

/// Puts the numbers in place of the gaps.
pub(super) fn sums(gaps: &mut [u32]) {
    let mut sum = 0_u32;
    for gap in gaps {
        sum = sum.wrapping_add(*gap);
        *gap = sum;
    }
}

/// Chunk, first byte, bytes and certainty of a mention.
type Place = (u32, u32, u32, u8);

/// Mentions, ascending.
pub(super) fn serialize<S: Serializer>(mentions: &[(Source, u8)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut before = 0_u32;
    let places = mentions.iter().map(|(source, certainty)| {
        let gap = source.chunk.0.wrapping_sub(before);
        before = source.chunk.0;
        let Span { start, end } = source.span;
        (gap, start, end.wrapping_sub(start), *certainty)
    });
    places.collect::<Vec<Place>>().serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(Source, u8)>, D::Error> {
    let places = Vec::<Place>::deserialize(deserializer)?;
    let mut chunk = 0_u32;
    let mentions = places.into_iter().map(|(gap, start, length, certainty)| {
        chunk = chunk.wrapping_add(gap);
        let source = Source {
            chunk: ChunkId(chunk),
            span: Span {
                start,
                end: start.wrapping_add(length),
            },
        };
        (source, certainty)
    });
    Ok(mentions.collect())
}
