//! How alike the names of attributes are: by the stems and the spelling of their words.
//!
//! Names of columns, labels of documents and words of questions are cut into [`Term`]s. There is no list of synonyms:
//! what differs in every word is for a model to tell.

use crate::stem::stem;
use banyan_engine::name;
use std::collections::BTreeSet;

/// Letters of a stem that another one begins with, which is derived from it, and how many more that may have: `director`
/// and `directed`. Arbitrary.
const COMMON: usize = 5;
const DERIVED: usize = 3;
/// How alike such stems are, where equal ones are 1. Arbitrary; below 1 so that the word itself wins.
const ALIKE: f32 = 0.9;
/// What a word such as `total` weighs beside one that says which attribute is meant. Arbitrary.
const GENERIC_WEIGHT: f32 = 0.25;
/// What it costs that two names differ in words such as `total` and `number`. Arbitrary; enough to prefer the name that
/// does not.
const OTHER_GENERIC: f32 = 0.97;

/// Words of grammar.
const FUNCTION: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "by", "does", "each", "ever", "for",
    "from", "had", "has", "have", "he", "her", "his", "how", "if", "in", "into", "is", "it", "its", "many", "much",
    "of", "on", "or", "our", "out", "over", "per", "s", "she", "so", "some", "than", "that", "the", "their", "there",
    "they", "this", "to", "up", "was", "we", "were", "what", "when", "where", "whether", "which", "who", "with",
];
/// Stems that say little about which attribute is meant: that something is counted, named, or lies in time.
const GENERIC: &[&str] = &[
    "amount", "averag", "count", "dai", "date", "figur", "inform", "last", "n", "name", "no", "num", "number",
    "overal", "quantiti", "size", "time", "total", "valu", "year",
];
/// Stems of flags that say nothing about what is flagged.
const FLAG: &[&str] = &[
    "allow", "avail", "facil", "free", "ha", "includ", "is", "offer", "provid", "servic",
];

/// A word of a name that is no word of grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its stem.
    pub stem: String,
    /// The word of the text that it is, from 0.
    pub start: usize,
    /// One past that word.
    pub end: usize,
}

impl Term {
    /// How alike two terms are: 1 for equal stems, less where one is derived from the other, 0 for others.
    pub fn likeness(&self, other: &Self) -> f32 {
        if self.stem == other.stem {
            return 1.0;
        }
        let (mut own, mut theirs) = (self.stem.chars(), other.stem.chars());
        let n_common = own.by_ref().zip(theirs.by_ref()).take_while(|(a, b)| a == b).count();
        let n_more = [&self.stem, &other.stem].map(|stem| stem.chars().count() - n_common);
        let is_derived = n_common >= COMMON && n_more.contains(&0) && n_more[0].max(n_more[1]) <= DERIVED;
        if is_derived { ALIKE } else { 0.0 }
    }

    /// How much the term says about which attribute is meant.
    pub fn weight(&self) -> f32 {
        if self.is_generic() { GENERIC_WEIGHT } else { 1.0 }
    }

    /// Whether it is a word like `total` or `number`.
    pub fn is_generic(&self) -> bool {
        GENERIC.contains(&self.stem.as_str())
    }
}

/// The words of a text in lower case, without accents: runs of letters, digits, apostrophes and signs of words; `_` and `-` part words,
/// and a capital after a small letter begins one.
pub fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for (at, ch) in text.char_indices() {
        let is_sign = name::is_sign(text, at);
        let begins = ch.is_uppercase() && before.is_lowercase();
        let is_joint = matches!(ch, '\'' | '’') && before.is_alphanumeric();
        if begins || !ch.is_alphanumeric() && !is_joint && !is_sign {
            words.push(String::new());
        }
        if (ch.is_alphanumeric() || is_sign)
            && let Some(word) = words.last_mut()
        {
            word.extend(ch.to_lowercase());
        }
        before = ch;
    }
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| name::plain(word)).collect()
}

/// The terms of a text. Cost O(words).
pub fn terms(text: &str) -> Vec<Term> {
    terms_of(&words(text))
}

/// The terms of words in lower case.
pub fn terms_of(words: &[String]) -> Vec<Term> {
    let term = |(at, word): (usize, &String)| Term {
        stem: stem_of(word),
        start: at,
        end: at + 1,
    };
    let said = words.iter().enumerate().filter(|(_, word)| !is_function(word));
    said.map(term).collect()
}

/// The terms of a flag's name without words such as `offers` and `available`, unless it has no others.
pub fn flag_terms(name: &str) -> Vec<Term> {
    let all = terms(name);
    let said: Vec<Term> = all.iter().filter(|term| !is_flag_word(&term.stem)).cloned().collect();
    if said.is_empty() { all } else { said }
}

/// Whether a stem only says that something is there.
pub(super) fn is_flag_word(stem: &str) -> bool {
    FLAG.contains(&stem)
}

/// Whether a word in lower case is one of grammar.
pub(super) fn is_function(word: &str) -> bool {
    FUNCTION.contains(&word)
}

/// The stem of a word without accents and in one of two spellings: `centre` is `center`.
pub(super) fn stem_of(word: &str) -> String {
    let folded = if word.is_ascii() {
        word.to_owned()
    } else {
        banyan_engine::name::key(word)
    };
    match folded.strip_suffix("tre") {
        Some(root) if root.len() > 2 => stem(&format!("{root}ter")),
        _ => stem(&folded),
    }
}

/// The share of the weight of `wanted` that `given` covers, 0 to 1; 0 where nothing is wanted.
pub fn coverage(wanted: &[Term], given: &[Term]) -> f32 {
    let total: f32 = wanted.iter().map(Term::weight).sum();
    if total == 0.0 {
        return 0.0;
    }
    let best = |term: &Term| given.iter().map(|other| term.likeness(other)).fold(0.0, f32::max);
    wanted.iter().map(|term| term.weight() * best(term)).sum::<f32>() / total
}

/// How alike two names are: the harmonic mean of what either covers of the other, 0 to 1. Words such as `total` and
/// `number` count only where there are no others.
pub fn likeness(a: &[Term], b: &[Term]) -> f32 {
    let specific = |terms: &[Term]| -> Vec<Term> { terms.iter().filter(|term| !term.is_generic()).cloned().collect() };
    let generic = |terms: &[Term]| -> BTreeSet<String> {
        let generic = terms.iter().filter(|term| term.is_generic());
        generic.map(|term| term.stem.clone()).collect()
    };
    let (said, given) = (specific(a), specific(b));
    let (x, y, factor) = if said.is_empty() || given.is_empty() {
        (a, b, 1.0)
    } else if generic(a) == generic(b) {
        (&said[..], &given[..], 1.0)
    } else {
        (&said[..], &given[..], OTHER_GENERIC)
    };
    let (there, back) = (coverage(x, y), coverage(y, x));
    if there + back == 0.0 {
        0.0
    } else {
        factor * 2.0 * there * back / (there + back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_attribute_are_alike() {
        let check = |a: &str, b: &str| likeness(&terms(a), &terms(b));
        assert!(check("runner_up", "Runners-up") > 0.9);
        assert!(check("total_goals", "Goals") > 0.9);
        assert!(check("director", "directed by") > 0.8);
        assert!(check("city center", "City centre") > 0.9);
        assert!(check("hasSwimmingPool", "pool") > 0.6);
        assert!(check("country", "county") < 0.1);
        assert!(check("length", "draught") < 0.1);
    }

    #[test]
    fn nothing_is_like_nothing() {
        assert!(coverage(&[], &terms("a of the")) < f32::EPSILON);
        assert!(likeness(&terms("the"), &terms("of")) < f32::EPSILON);
    }
}
