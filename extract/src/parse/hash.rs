//! The two hashes that the model's features were trained under.

/// `MurmurHash64A` (Austin Appleby, public domain) of `bytes` with seed 1: the number by which the model knows a text.
pub(super) fn of_text(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |word: u64| {
        let word = word.wrapping_mul(MULTIPLIER);
        (word ^ (word >> 47)).wrapping_mul(MULTIPLIER)
    };
    let mut hash = 1 ^ (bytes.len() as u64).wrapping_mul(MULTIPLIER);
    let mut blocks = bytes.chunks_exact(8);
    for block in &mut blocks {
        hash = (hash ^ mix(little_endian(block))).wrapping_mul(MULTIPLIER);
    }
    let rest = blocks.remainder();
    if !rest.is_empty() {
        hash = (hash ^ little_endian(rest)).wrapping_mul(MULTIPLIER);
    }
    hash = (hash ^ (hash >> 47)).wrapping_mul(MULTIPLIER);
    hash ^ (hash >> 47)
}

/// Four table rows of a feature: the 128 bits of `MurmurHash3` (x64) of one 64-bit number, as four 32-bit words.
pub(super) fn rows_of(feature: u64, seed: u32) -> [u32; 4] {
    let seed = u64::from(seed);
    let mut h1 = feature.wrapping_mul(0x87c3_7b91_1142_53d5).rotate_left(31);
    h1 = h1.wrapping_mul(0x4cf5_ad43_2745_937f) ^ seed ^ 8;
    let mut h2 = seed ^ 8;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = finalise(h1);
    h2 = finalise(h2);
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    let [a, b] = halves(h1);
    let [c, d] = halves(h2);
    [a, b, c, d]
}

/// The last step of `MurmurHash3`: every bit of the input reaches every bit of the output.
fn finalise(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// The low and the high 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "both halves of the number are taken")]
fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// Up to eight bytes as a number, first byte lowest.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_hash_to_the_numbers_that_the_model_was_trained_with() {
        let check = |text: &str, expected| assert_eq!(of_text(text.as_bytes()), expected, "{text}");
        check("a", 11_901_859_001_352_538_922);
        check("apple", 8_566_208_034_543_834_098);
        check("abcdefgh", 17_751_780_907_874_141_760);
        check("naïve café", 9_646_334_175_591_888_092);
    }

    #[test]
    fn a_feature_names_four_rows() {
        let check = |feature, expected| assert_eq!(rows_of(feature, 8), expected, "{feature}");
        check(0, [0, 0, 0, 0]);
        check(1, [1_161_550_108, 2_247_783_286, 1_742_325_162, 1_224_191_281]);
        check(
            12_345_678_901_234_567,
            [1_519_880_696, 3_764_588_297, 132_337_396, 3_499_398_798],
        );
    }
}
