//! The number by which the model knows a text.

use super::hash;

/// Texts with a number of their own instead of a hash: the part of the library's symbol list that a feature can be
/// (lower-case norms, and prefixes, suffixes and shapes of up to three characters). Runs of consecutive numbers, each
/// with its first.
const SYMBOLS: &[(u64, &str)] = &[
    (64, "ID"),
    (74, "POS TAG DEP"),
    (84, "ADJ ADP ADV AUX"),
    (90, "DET"),
    (93, "NUM"),
    (99, "SYM"),
    (101, "X EOL"),
    (383, "ORG GPE LOC"),
    (390, "LAW"),
    (
        398,
        "acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj csubjpass dep det dobj expl \
         hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num number oprd obj obl parataxis \
         partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod root xcomp acl",
    ),
    (455, "IDX _"),
];

/// Letters of the longest symbol.
const LONGEST: usize = 10;

/// The number of a text: its symbol's, or its hash; 0 for the empty text.
pub(super) fn number(text: &str) -> u64 {
    if text.is_empty() {
        return 0;
    }
    let symbol = |(first, run): &(u64, &str)| {
        let mut numbered = (*first..).zip(run.split(' '));
        numbered.find_map(|(number, symbol)| (symbol == text).then_some(number))
    };
    let listed = (text.len() <= LONGEST)
        .then(|| SYMBOLS.iter().find_map(symbol))
        .flatten();
    listed.unwrap_or_else(|| hash::of_text(text.as_bytes()))
}
