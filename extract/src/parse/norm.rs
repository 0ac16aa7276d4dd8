//! Words to their normal form.

use super::error::ParseError;
use super::load;
use super::symbol;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// The package's file of this module.
const FILE: &str = "vocab/lookups.bin";

/// Normal forms of punctuation and currency that the library adds to every language: form and the words that have it.
const COMMON: &[(&str, &[&str])] = &[
    ("'s", &["'s", "'S", "’s", "’S"]),
    ("'", &["’", "‘", "´", "`"]),
    ("\"", &["”", "“", "''", "``", "´´", "„", "»", "«", "‘‘", "’’"]),
    ("?", &["？"]),
    ("!", &["！"]),
    (",", &["，"]),
    (";", &["；"]),
    (":", &["："]),
    (".", &["。", "।"]),
    ("...", &["…"]),
    ("-", &["—", "–", "--", "---", "——"]),
    (
        "$",
        &[
            "€", "£", "¥", "฿", "US$", "C$", "A$", "₺", "₹", "৳", "₩", "Mex$", "₣", "E£",
        ],
    ),
];

/// The normal form of a word, as the number of the form.
#[derive(Debug)]
pub(super) struct Norms {
    /// Number of the word to number of its form, for words whose form is not their lower case.
    forms: HashMap<u64, u64>,
}

/// What is read of the file.
#[derive(Deserialize)]
struct Tables {
    /// Number of the word to its form.
    lexeme_norm: BTreeMap<u64, String>,
}

impl Norms {
    /// Reads the table of `vocab/lookups.bin`; the common forms are added where the table is silent.
    ///
    /// # Errors
    /// Where the file is no msgpack or has no such table.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let Tables { lexeme_norm } = load::read(FILE, bytes)?;
        let common = COMMON
            .iter()
            .flat_map(|(form, words)| words.iter().map(move |word| (word, form)));
        let mut forms: HashMap<_, _> = common
            .map(|(word, form)| (symbol::number(word), symbol::number(form)))
            .collect();
        forms.extend(lexeme_norm.iter().map(|(word, form)| (*word, symbol::number(form))));
        Ok(Self { forms })
    }

    /// The number of the normal form of a word: of the table, else of its lower case.
    pub(super) fn of(&self, word: &str) -> u64 {
        self.forms
            .get(&symbol::number(word))
            .copied()
            .unwrap_or_else(|| symbol::number(&word.to_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_goes_before_the_common_forms_and_those_before_lower_case() {
        // {"lexeme_norm": {number of "Cuz": "because"}}
        let mut bytes = b"\x81\xablexeme_norm\x81\xcf".to_vec();
        bytes.extend(symbol::number("Cuz").to_be_bytes());
        bytes.extend(b"\xa7because");
        let norms = Norms::read(&bytes).unwrap();
        assert_eq!(norms.of("Cuz"), symbol::number("because"));
        assert_eq!(norms.of("€"), symbol::number("$"));
        assert_eq!(norms.of("Apple"), symbol::number("apple"));
        assert!(Norms::read(b"\x80").is_err());
    }
}
