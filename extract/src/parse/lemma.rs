//! Words to their base forms.

use super::error::ParseError;
use super::msgpack::{self, Value, get};
use super::symbol;
use std::collections::HashMap;

/// The package's file of this module.
const FILE: &str = "lemmatizer/lookups/lookups.bin";

/// A part of speech with inflections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Noun,
    Verb,
    Adjective,
    Adverb,
}

/// The classes in the order of [`Lemmas::tables`], by their names in the file.
const CLASSES: [&str; 4] = ["noun", "verb", "adj", "adv"];

/// Tags and words whose base form the tables do not have: contractions, forms of "be" that the library lists as
/// auxiliaries, and the one pronoun that is written large. Own list. Sorted.
const CONTRACTED: &[(&str, &str, &str)] = &[
    ("MD", "'d", "would"),
    ("MD", "'ll", "will"),
    ("MD", "ca", "can"),
    ("MD", "wo", "will"),
    ("PRP", "i", "I"),
    ("RB", "n't", "not"),
    ("VBP", "'m", "be"),
    ("VBP", "'re", "be"),
    ("VBP", "'ve", "have"),
    ("VBP", "am", "be"),
    ("VBP", "are", "be"),
    ("VBZ", "'s", "be"),
];

/// What is known of one class.
#[derive(Debug, Default)]
struct Table {
    /// Endings and what they become, in order.
    rules: Vec<(String, String)>,
    /// Irregular forms.
    exceptions: HashMap<String, String>,
    /// Base forms.
    known: Vec<String>,
}

/// Base forms of English words by rules, irregular forms and a list of known base forms.
///
/// # Differs from the library
/// The library derives a finer part of speech first, from about 180 rules over tags, words and labels. Here the tag
/// alone decides, which gives another form for a few function words (pronouns keep theirs: `him`).
#[derive(Debug)]
pub struct Lemmas {
    tables: [Table; 4],
}

impl Lemmas {
    /// Reads the package's `lemmatizer/lookups/lookups.bin`. Cost O(bytes · log bytes).
    ///
    /// # Errors
    /// [`ParseError`] where it is no msgpack or lacks a table.
    pub fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let file = msgpack::read(FILE, bytes)?;
        let mut tables = <[Table; 4]>::default();
        for (name, table) in CLASSES.iter().zip(&mut tables) {
            let error = || ParseError::content(FILE, format!("rules, exceptions and forms of {name}"), "none");
            *table = read_table(&file, symbol::number(name)).ok_or_else(error)?;
        }
        Ok(Self { tables })
    }

    /// The base form of a word with this tag of the Penn treebank; names stay as they are, all else is lower case.
    ///
    /// Cost O(length · log forms).
    pub fn of(&self, word: &str, tag: &str) -> String {
        let lower = word.to_lowercase();
        let plain = lower.replace('’', "'");
        if let Ok(at) = CONTRACTED.binary_search_by(|(tagged, form, _)| (*tagged, *form).cmp(&(tag, plain.as_str()))) {
            return CONTRACTED[at].2.to_owned();
        }
        let class = match tag {
            "NNP" | "NNPS" => return word.to_owned(),
            "NNS" => Class::Noun,
            "VBD" | "VBG" | "VBN" | "VBZ" => Class::Verb,
            "JJR" | "JJS" => Class::Adjective,
            "RBR" | "RBS" => Class::Adverb,
            _ => return lower,
        };
        self.tables[class as usize].base(word)
    }
}

impl Table {
    fn base(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        if let Some(form) = self.exceptions.get(&lower) {
            return form.clone();
        }
        let endings = self
            .rules
            .iter()
            .filter_map(|(old, new)| lower.strip_suffix(old).map(|stem| [stem, new].concat()));
        let forms: Vec<_> = endings.filter(|form| !form.is_empty()).collect();
        let is_known = |form: &&String| self.known.binary_search(form).is_ok();
        let has_other = |form: &&String| !form.chars().all(char::is_alphabetic);
        let found = forms
            .iter()
            .rev()
            .find(is_known)
            .or_else(|| forms.iter().find(has_other))
            .or(forms.first());
        found.cloned().unwrap_or_else(|| word.to_owned())
    }
}

/// The tables of one class; none where one has another form than expected.
fn read_table(file: &Value, class: u64) -> Option<Table> {
    let of_class = |table: &str| {
        let mut pairs = get(file, table)?.as_map()?.iter();
        let found = pairs.find(|(key, _)| key.as_u64() == Some(class));
        found.map(|(_, value)| value)
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let rule = |rule: &Value| match &rule.as_array()?[..] {
        [old, new] => Some((text(old)?, text(new)?)),
        _ => None,
    };
    // The library puts each listed form before the ones before it, so the last one is taken.
    let exception = |(form, bases): &(Value, Value)| Some((text(form)?, text(bases.as_array()?.last()?)?));
    let known = of_class("lemma_index")?.as_array()?.iter().map(text);
    let mut known: Vec<String> = known.collect::<Option<_>>()?;
    known.sort_unstable();
    let rules = of_class("lemma_rules")?.as_array()?.iter().map(rule);
    let exceptions = of_class("lemma_exc")?.as_map()?.iter().map(exception);
    Some(Table {
        rules: rules.collect::<Option<_>>()?,
        exceptions: exceptions.collect::<Option<_>>()?,
        known,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let rule = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        Table {
            rules: vec![rule("s", ""), rule("ing", "e"), rule("ing", "")],
            exceptions: HashMap::from([("sold".to_owned(), "sell".to_owned())]),
            known: ["make", "sail"].map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn irregular_forms_go_first_then_known_forms_then_the_first_rule() {
        let check = |word: &str, expected: &str| assert_eq!(table().base(word), expected, "{word}");
        check("Sold", "sell");
        check("sailing", "sail");
        check("making", "make");
        check("rowing", "rowe");
        check("glim", "glim");
    }

    #[test]
    fn names_keep_their_case_and_base_forms_lose_it() {
        let lemmas = Lemmas {
            tables: [table(), table(), table(), table()],
        };
        let check = |word: &str, tag: &str, expected: &str| assert_eq!(lemmas.of(word, tag), expected, "{word}");
        check("Wells", "NNPS", "Wells");
        check("Sails", "NNS", "sail");
        check("The", "DT", "the");
        check("Are", "VBP", "be");
        check("’ve", "VBP", "have");
        check("i", "PRP", "I");
        assert!(CONTRACTED.is_sorted());
    }
}
