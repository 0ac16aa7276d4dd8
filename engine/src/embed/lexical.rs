//! Vectors without a model: hashed words and character trigrams.

use super::{EmbedError, Embedder, Vectors, normalize};

/// Width of a lexical vector (arbitrary; enough that a few dozen features seldom collide).
const DIMENSION: usize = 128;

/// Weight of a trigram beside its word (arbitrary: a word outweighs any one of its parts, and all of them
/// together let inflected forms meet).
const TRIGRAM_WEIGHT: f32 = 0.5;

/// Similar letters, similar vectors: signed feature hashing of lower-cased words and their character
/// trigrams. The stand-in where `--embedder none` still needs some vector for Eq. 4; it knows no meaning.
#[derive(Debug, Clone, Copy, Default)]
pub struct LexicalEmbedder;

impl Embedder for LexicalEmbedder {
    fn id(&self) -> &'static str {
        "lexical/hashed-words-and-trigrams/128/1"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        let mut vectors = Vectors::zeros(DIMENSION, texts.len());
        for (index, text) in texts.iter().enumerate() {
            let row = vectors.row_mut(index);
            add_features(&text.to_lowercase(), row);
            normalize(row);
        }
        Ok(vectors)
    }
}

fn add_features(text: &str, row: &mut [f32]) {
    for word in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        add(word, 1.0, row);
        let padded: Vec<char> = std::iter::once('^').chain(word.chars()).chain(['$']).collect();
        for trigram in padded.windows(3) {
            add(&trigram.iter().collect::<String>(), TRIGRAM_WEIGHT, row);
        }
    }
}

/// Adds a feature at a column and with a sign that both come from its hash.
fn add(feature: &str, weight: f32, row: &mut [f32]) {
    let hash = fnv1a(feature.as_bytes());
    let sign = if hash >> 63 == 0 { weight } else { -weight };
    let column = usize::from(hash.to_le_bytes()[0]) % DIMENSION;
    row[column] += sign;
}

/// FNV-1a (64 bit), finished by a multiplicative mix, because its low bits alone are weak.
fn fnv1a(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::super::dot;
    use super::*;

    #[test]
    fn shared_letters_are_closer_than_none_and_case_does_not_count() {
        let texts = [
            "Founding director",
            "founded by directors",
            "zebra",
            "FOUNDING DIRECTOR",
            "",
        ];
        let rows = LexicalEmbedder.embed(&texts).unwrap();
        assert!(dot(rows.row(0), rows.row(1)) > dot(rows.row(0), rows.row(2)) + 0.2);
        assert_eq!(rows.row(0), rows.row(3));
        assert!((dot(rows.row(0), rows.row(0)) - 1.0).abs() < 1e-5);
        assert!(rows.row(4).iter().all(|&value| value == 0.0));
    }
}
