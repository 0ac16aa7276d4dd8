//! SHA-256 as text.

use sha2::{Digest, Sha256};

/// The digest of `bytes` in hexadecimal, 64 digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digits = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    bytes.iter().flat_map(digits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_written_with_two_digits_a_byte() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
        assert!(sha256(b"").starts_with("e3b0c44298fc1c14"));
    }
}
