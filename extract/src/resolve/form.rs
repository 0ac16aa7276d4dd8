//! A name in the form in which it is compared: words without spelling variants, titles, legal forms and numbers told
//! apart.

use super::number::number;
use crate::word_list::List;
use banyan_engine::name;
use std::ops::Range;

/// Longest run of capitals that are initials before a further word ("*JRR* Orde"). Arbitrary: longer ones are acronyms.
const MAX_INITIALS: usize = 3;
/// Letters that no decomposition makes plain.
const LETTERS: &[(char, &str)] = &[
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ø', "o"),
    ('đ', "d"),
    ('ð', "d"),
    ('ł', "l"),
    ('þ', "th"),
    ('ı', "i"),
];

/// What a word of a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Plain,
    /// One letter, or several that stand for a word each.
    Initials,
    /// `#` and the number in digits.
    Number,
    /// "jr", "sr", "elder", "younger".
    Generation,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) kind: Kind,
}

/// A name in normal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    /// Without articles and "and".
    pub(crate) words: Vec<Word>,
    bare: (usize, usize),
    /// Numbers and marks of a generation, sorted: names that differ in them are never one.
    pub(crate) marks: Vec<String>,
    /// Whether it is one word all in capitals, of two letters or more.
    pub(crate) is_acronym: bool,
}

impl Name {
    /// The normal form of a spelling; `None` for a text without a letter or digit.
    pub(crate) fn of(spelling: &str) -> Option<Self> {
        let bare = spelling.strip_suffix("'s").or_else(|| spelling.strip_suffix("’s"));
        let tokens = tokens(bare.unwrap_or(spelling));
        let n = tokens.len();
        let is_acronym = n > 0 && tokens.iter().all(|token| token.is_capital);
        let is_run = n > 1 && tokens.iter().all(Token::is_letter);
        let mut words: Vec<Word> = Vec::with_capacity(n);
        for (at, token) in tokens.into_iter().enumerate() {
            let word = if is_run {
                token.into_letter()
            } else {
                token.into_word(at, n)
            };
            match words.last_mut() {
                Some(last) if last.kind == Kind::Initials && word.kind == Kind::Initials => last.text += &word.text,
                _ => words.push(word),
            }
        }
        let letters: usize = words.iter().map(|word| word.text.chars().count()).sum();
        let bare = bare_part(&words);
        let mut marks: Vec<String> = words
            .iter()
            .filter(|word| matches!(word.kind, Kind::Number | Kind::Generation))
            .map(|word| word.text.clone())
            .collect();
        marks.sort();
        (!words.is_empty()).then_some(Self {
            is_acronym: is_acronym && words.len() == 1 && letters > 1 && (n == 1 || is_run),
            words,
            bare,
            marks,
        })
    }

    /// The words without titles of honour before them and legal forms after them.
    pub(crate) fn bare(&self) -> &[Word] {
        &self.words[self.bare.0..self.bare.1]
    }

    pub(crate) fn titles(&self) -> &[Word] {
        &self.words[..self.bare.0]
    }

    pub(crate) fn legal_forms(&self) -> &[Word] {
        &self.words[self.bare.1..]
    }

    pub(crate) fn compact(&self) -> String {
        compact(&self.words)
    }
}

pub(crate) fn compact(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect()
}

struct Token {
    text: String,
    /// Whether it has letters and all of them are capitals.
    is_capital: bool,
}

impl Token {
    fn letters(&self) -> usize {
        self.text.chars().count()
    }

    fn is_letter(&self) -> bool {
        self.letters() == 1 && self.text.chars().all(char::is_alphabetic)
    }

    /// One of nothing but letters: "N.A.V." holds no five.
    fn into_letter(self) -> Word {
        Word {
            text: self.text,
            kind: Kind::Initials,
        }
    }

    /// The word at position `at` of `n`.
    fn into_word(self, at: usize, n: usize) -> Word {
        let (is_first, is_last) = (at == 0, at + 1 == n);
        if let Some(number) = number(&self.text, is_first, is_last) {
            return Word {
                text: format!("#{number}"),
                kind: Kind::Number,
            };
        }
        if let Some(mark) = List::Generations.get(&self.text).filter(|_| !is_first) {
            return Word {
                text: mark.to_owned(),
                kind: Kind::Generation,
            };
        }
        let letters = self.letters();
        let is_plain = self.text.chars().all(|ch| ch.is_ascii_alphabetic());
        let is_initials = is_plain && (letters == 1 || (self.is_capital && letters <= MAX_INITIALS && !is_last));
        if is_initials {
            return Word {
                text: self.text,
                kind: Kind::Initials,
            };
        }
        // "Co" by itself may be anything.
        let written = match self.text.as_str() {
            alone if n == 1 => alone,
            // A saint before a name, a street after one.
            "st" if is_last => "street",
            "st" => "saint",
            short => List::Spellings.get(short).unwrap_or(short),
        };
        let mut text = written.to_owned();
        if let Some(stem) = text.strip_suffix("isation") {
            text = format!("{stem}ization");
        }
        Word {
            text,
            kind: Kind::Plain,
        }
    }
}

/// The words of a spelling, folded as keys are; articles and "and" left out.
fn tokens(spelling: &str) -> Vec<Token> {
    let is_part = |ch: char| ch.is_alphanumeric() || matches!(ch, '\'' | '’' | '+' | '#') || crate::word::is_mark(ch);
    let mut tokens = Vec::new();
    for written in spelling.split(|ch: char| !is_part(ch)) {
        let is_capital = written.chars().any(char::is_uppercase) && !written.chars().any(char::is_lowercase);
        let key = name::key(written);
        for text in key.split(' ').filter(|text| !text.is_empty()) {
            let text = plain_letters(text);
            tokens.push(Token { text, is_capital });
        }
    }
    let is_article = |token: &Token| matches!(token.text.as_str(), "a" | "an");
    if tokens.len() > 1 && is_article(&tokens[0]) {
        tokens.remove(0);
    }
    let is_filler = |token: &Token| matches!(token.text.as_str(), "the" | "and");
    if tokens.iter().any(|token| !is_filler(token)) {
        tokens.retain(|token| !is_filler(token));
    }
    tokens
}

fn plain_letters(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    for ch in text.chars() {
        match LETTERS.iter().find(|(letter, _)| *letter == ch) {
            Some((_, written)) => plain.push_str(written),
            None => plain.push(ch),
        }
    }
    plain
}

/// Where the name proper begins and ends. "President of Ommer" and "President and Chief Gull Officer" are offices and
/// keep their titles.
fn bare_part(words: &[Word]) -> (usize, usize) {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut start = 0;
    loop {
        let is_honorific = |at: usize| List::Honorifics.has(text(at));
        let n = match (is_honorific(start), List::Ranks.has(text(start))) {
            (true, _) => 1,
            (_, true) if is_honorific(start + 1) => 2,
            _ => break,
        };
        let next = text(start + n);
        let is_office = next == "of" || (List::Ranks.has(next) && !is_honorific(start + n + 1));
        if start + n >= words.len() || is_office {
            break;
        }
        start += n;
    }
    let Range { start, mut end } = start..words.len();
    while end > start + 1 && List::LegalForms.has(text(end - 1)) {
        end -= 1;
    }
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(spelling: &str, expected: &str, bare: &str) {
        let name = Name::of(spelling).unwrap();
        let words: Vec<&str> = name.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(words.join(" "), expected, "{spelling}");
        assert_eq!(compact(name.bare()), bare, "{spelling}");
    }

    #[test]
    fn spelling_variants_have_one_form() {
        check("The Harrow & Sons Co.", "harrow sons company", "harrowsons");
        check("J. R. R. Orde's", "jrr orde", "jrrorde");
        check("Müller", "muller", "muller");
        check("St. Tidd", "saint tidd", "tidd");
        check("Tidd St", "tidd street", "tiddstreet");
        check("Twelve Gulls", "#12 gulls", "#12gulls");
        check("Gull War II", "gull war #2", "gullwar#2");
        check("Weiß Æther", "weiss aether", "weissaether");
        check("Dr. Prof. Mara Voss", "dr prof mara voss", "maravoss");
        check("Co.", "co", "co");
        check("President and Chief Gull", "president chief gull", "presidentchiefgull");
        check(
            "Vice President of Ommer",
            "vice president of ommer",
            "vicepresidentofommer",
        );
        check("The The", "the the", "thethe");
    }

    #[test]
    fn acronyms_are_single_words_in_capitals() {
        for (spelling, expected) in [
            ("IBM", true),
            ("I.B.M.", true),
            ("N.A.V.", true),
            ("Ibm", false),
            ("A", false),
            ("GE Energy", false),
        ] {
            assert_eq!(Name::of(spelling).unwrap().is_acronym, expected, "{spelling}");
        }
    }
}
