//! The number by which the model knows a text.

use super::hash;

/// Texts with a number of their own instead of a hash: the part of the library's symbol list that a feature can be
/// (lower-case norms, and prefixes, suffixes and shapes of up to three characters). Sorted.
const SYMBOLS: &[(&str, u64)] = &[
    ("ADJ", 84),
    ("ADP", 85),
    ("ADV", 86),
    ("AUX", 87),
    ("DEP", 76),
    ("DET", 90),
    ("EOL", 102),
    ("GPE", 384),
    ("ID", 64),
    ("IDX", 455),
    ("LAW", 390),
    ("LOC", 385),
    ("NUM", 93),
    ("ORG", 383),
    ("POS", 74),
    ("SYM", 99),
    ("TAG", 75),
    ("X", 101),
    ("_", 456),
    ("acl", 451),
    ("acomp", 398),
    ("advcl", 399),
    ("advmod", 400),
    ("agent", 401),
    ("amod", 402),
    ("appos", 403),
    ("attr", 404),
    ("aux", 405),
    ("auxpass", 406),
    ("cc", 407),
    ("ccomp", 408),
    ("complm", 409),
    ("conj", 410),
    ("cop", 411),
    ("csubj", 412),
    ("csubjpass", 413),
    ("dep", 414),
    ("det", 415),
    ("dobj", 416),
    ("expl", 417),
    ("hmod", 418),
    ("hyph", 419),
    ("infmod", 420),
    ("intj", 421),
    ("iobj", 422),
    ("mark", 423),
    ("meta", 424),
    ("neg", 425),
    ("nmod", 426),
    ("nn", 427),
    ("npadvmod", 428),
    ("nsubj", 429),
    ("nsubjpass", 430),
    ("num", 431),
    ("number", 432),
    ("obj", 434),
    ("obl", 435),
    ("oprd", 433),
    ("parataxis", 436),
    ("partmod", 437),
    ("pcomp", 438),
    ("pobj", 439),
    ("poss", 440),
    ("possessive", 441),
    ("preconj", 442),
    ("prep", 443),
    ("prt", 444),
    ("punct", 445),
    ("quantmod", 446),
    ("rcmod", 448),
    ("relcl", 447),
    ("root", 449),
    ("xcomp", 450),
];

/// The number of a text: its symbol's, or its hash; 0 for the empty text.
pub(super) fn number(text: &str) -> u64 {
    if text.is_empty() {
        return 0;
    }
    SYMBOLS
        .binary_search_by(|(symbol, _)| (*symbol).cmp(text))
        .map_or_else(|_| hash::of_text(text.as_bytes()), |at| SYMBOLS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_sorted_so_that_each_is_found() {
        assert!(SYMBOLS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(number("nsubj"), 429);
        assert_eq!(number("X"), 101);
        assert_eq!(number(""), 0);
        assert_eq!(number("apple"), 8_566_208_034_543_834_098);
    }
}
