//! Words to stems.

use rust_stemmers::{Algorithm, Stemmer};

/// The stem of an English word, in lower case, by Porter's second algorithm.
///
/// ```
/// assert_eq!(banyan_extract::stem::stem("Motoring"), "motor");
/// ```
pub fn stem(word: &str) -> String {
    Stemmer::create(Algorithm::English)
        .stem(&word.to_lowercase())
        .into_owned()
}
