//! How two names resemble each other, by their words alone.

use super::form::{Kind, Name, Word, compact};
use crate::word_list::List;

/// Most words of a name that can be a person's, and that an acronym stands for.
const MAX_WORDS: usize = 9;

/// A resemblance of two names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// One name in two spellings; weak where two things may share it.
    Spelling { is_weak: bool },
    /// One name with and without a title of honour; weak for a single word, or where both have another title.
    Title { is_weak: bool },
    /// One name with and without a legal form, which may as well be a company and what it is called after.
    LegalForm,
    /// Initials of one are those of words of the other; initials and given names that agree.
    Initials { n: usize },
    /// One is made of the first letters of the other.
    Acronym { n: usize },
    /// One has the words of the other, first and last word included, and more between them.
    MiddleName,
}

/// How two names resemble each other, the strongest reading; `None` where they do not, or differ in a number.
pub(crate) fn liken(a: &Name, b: &Name) -> Option<Likeness> {
    if a.marks != b.marks {
        return None;
    }
    spelling(a, b)
        .or_else(|| title(a, b))
        .or_else(|| acronym(a, b).or_else(|| acronym(b, a)))
        .or_else(|| given_names(a, b))
}

fn spelling(a: &Name, b: &Name) -> Option<Likeness> {
    let is_cut = a.words.len() != b.words.len();
    if (!is_cut && a.words.iter().map(|w| &w.text).ne(b.words.iter().map(|w| &w.text))) || a.compact() != b.compact() {
        return None;
    }
    // Saints and the towns called after them; "Charles Town" and "Charlestown" are two places.
    let is_saint = a.words.len() == 2 && a.words[0].text == "saint";
    let is_one_word = is_cut && a.words.len().min(b.words.len()) == 1;
    // "U.K." is cut into letters, not words.
    let is_run = a.is_acronym && b.is_acronym;
    Some(Likeness::Spelling {
        is_weak: is_saint || (is_one_word && !is_run),
    })
}

fn title(a: &Name, b: &Name) -> Option<Likeness> {
    if compact(a.bare()) != compact(b.bare()) {
        return None;
    }
    if compact(a.legal_forms()) != compact(b.legal_forms()) {
        return Some(Likeness::LegalForm);
    }
    let are_both = !a.titles().is_empty() && !b.titles().is_empty() && a.titles() != b.titles();
    let is_single = a.bare().len().min(b.bare().len()) < 2;
    Some(Likeness::Title {
        is_weak: are_both || is_single,
    })
}

/// `short` as the first letters of `long`, small words counted or not.
fn acronym(short: &Name, long: &Name) -> Option<Likeness> {
    let words = long.bare();
    if !short.is_acronym || words.len() < 2 || words.len() > MAX_WORDS {
        return None;
    }
    let letters: Vec<char> = short.words.first()?.text.chars().collect();
    let is_match = [&long.words[..], words].iter().any(|words| spells(&letters, words));
    is_match.then_some(Likeness::Acronym { n: letters.len() })
}

/// Whether `letters` are the first letters of `words` in order; small words may be left out.
fn spells(letters: &[char], words: &[Word]) -> bool {
    let Some((word, rest)) = words.split_first() else {
        return letters.is_empty();
    };
    let takes = match letters.split_first() {
        Some((letter, others)) => word.text.starts_with(*letter) && spells(others, rest),
        None => false,
    };
    takes || (List::Small.has(&word.text) && spells(letters, rest))
}

/// Every spelling of the first letters of a name, for blocking: with small words and without, with legal forms and
/// without; sorted. Empty where the name is too short or too long.
pub(crate) fn acronyms(name: &Name) -> Vec<String> {
    let mut found = Vec::new();
    for words in [&name.words[..], name.bare()] {
        let is_named = words.iter().all(|word| word.kind == Kind::Plain);
        if words.len() < 2 || words.len() > MAX_WORDS || !is_named {
            continue;
        }
        let first =
            |words: &mut dyn Iterator<Item = &Word>| words.filter_map(|word| word.text.chars().next()).collect();
        found.push(first(&mut words.iter()));
        found.push(first(&mut words.iter().filter(|word| !List::Small.has(&word.text))));
    }
    found.sort();
    found.dedup();
    found
}

/// A letter or word of a given name.
#[derive(Clone, Copy, PartialEq)]
enum Given<'a> {
    Letter(char),
    Word(&'a str),
}

impl Given<'_> {
    /// `Some(true)` where an initial stands for a word, `Some(false)` where both are the same word.
    fn agrees(self, other: Self) -> Option<bool> {
        match (self, other) {
            (Self::Word(a), Self::Word(b)) if a == b => Some(false),
            (Self::Letter(a), Self::Letter(b)) if a == b => Some(false),
            (Self::Letter(letter), Self::Word(word)) | (Self::Word(word), Self::Letter(letter))
                if word.starts_with(letter) =>
            {
                Some(true)
            }
            _ => None,
        }
    }
}

/// Names with the same last word whose words before it agree in order.
fn given_names(a: &Name, b: &Name) -> Option<Likeness> {
    let (given_a, last_a) = split(a)?;
    let (given_b, last_b) = split(b)?;
    if last_a != last_b {
        return None;
    }
    let (short, long) = if given_a.len() <= given_b.len() {
        (given_a, given_b)
    } else {
        (given_b, given_a)
    };
    short[0].agrees(long[0])?;
    let (mut n_initials, mut n_words, mut at) = (0, 0, 0);
    for part in &short {
        let found = long[at..].iter().position(|other| part.agrees(*other).is_some())?;
        match part.agrees(long[at + found]) {
            Some(true) => n_initials += 1,
            Some(false) if matches!(part, Given::Word(_)) => n_words += 1,
            _ => {}
        }
        at += found + 1;
    }
    if short.len() < long.len() {
        // "J. Orde" may be anybody of "J. R. Orde" and "Jan Paul Orde".
        return (n_words > 0).then_some(Likeness::MiddleName);
    }
    (n_initials > 0).then_some(Likeness::Initials {
        n: n_initials + n_words,
    })
}

/// The words before the last one, initials apart, and the last one; marks of a generation are left out.
fn split(name: &Name) -> Option<(Vec<Given<'_>>, &str)> {
    let words: Vec<&Word> = name
        .bare()
        .iter()
        .filter(|word| word.kind != Kind::Generation)
        .collect();
    let (last, given) = words.split_last()?;
    let is_named = |word: &&&Word| matches!(word.kind, Kind::Plain | Kind::Initials);
    if given.is_empty() || words.len() > MAX_WORDS || last.kind != Kind::Plain || !given.iter().all(|w| is_named(&w)) {
        return None;
    }
    let parts = given.iter().flat_map(|word| {
        let is_word = word.kind == Kind::Plain;
        let letters = word.text.chars().filter(move |_| !is_word).map(Given::Letter);
        letters.chain(is_word.then_some(Given::Word(&word.text)))
    });
    Some((parts.collect(), &last.text))
}

/// The last word of a name and the first letter of the first one, for blocking; `None` for a name that is not at least
/// two words.
pub(crate) fn surname(name: &Name) -> Option<(String, char)> {
    let (given, last) = split(name)?;
    let first = match given.first()? {
        Given::Letter(letter) => *letter,
        Given::Word(word) => word.chars().next()?,
    };
    Some((last.to_owned(), first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expected: Option<Likeness>) {
        for (a, b) in [(a, b), (b, a)] {
            let found = liken(&Name::of(a).unwrap(), &Name::of(b).unwrap());
            assert_eq!(found, expected, "{a} / {b}");
        }
    }

    #[test]
    fn spellings_of_one_name() {
        let strong = Some(Likeness::Spelling { is_weak: false });
        let weak = Some(Likeness::Spelling { is_weak: true });
        check("Weiß Hall", "Weiss Hall", strong);
        check("Harrow Lighthouse Company", "Harrow Light House Co.", strong);
        check("Twelve Gulls", "12 Gulls", strong);
        check("U.K.", "UK", strong);
        check("Charles Town", "Charlestown", weak);
        check("St Paul", "Saint Paul", weak);
        check("Michael Orde", "Michal Orde", None);
    }

    #[test]
    fn titles_and_legal_forms_are_no_part_of_a_name() {
        check("Dr. Mara Voss", "Mara Voss", Some(Likeness::Title { is_weak: false }));
        check("Dr. Voss", "Voss", Some(Likeness::Title { is_weak: true }));
        check("Hestle Inc.", "Hestle", Some(Likeness::LegalForm));
        check("Mrs. Jan Orde", "Jan Orde", None);
        check("President of Ommer", "Ommer", None);
    }

    #[test]
    fn initials_stand_for_words_in_order() {
        check("J. R. R. Orde", "Jan Ruud Riis Orde", Some(Likeness::Initials { n: 3 }));
        check("JRR Orde", "Jan Ruud Riis Orde", Some(Likeness::Initials { n: 3 }));
        check("Jan R. Orde", "Jan Ruud Orde", Some(Likeness::Initials { n: 2 }));
        check("J. Orde", "Jan Orde", Some(Likeness::Initials { n: 1 }));
        check("J. R. Orde", "Ruud Jan Orde", None);
        check("J. Orde", "Jan Ruud Orde", None);
        check("Jan Orde", "Jan Ruud Orde", Some(Likeness::MiddleName));
        check("Jan Orde", "Jon Orde", None);
    }

    #[test]
    fn acronyms_may_skip_small_words() {
        let of = |n| Some(Likeness::Acronym { n });
        check("TOGS", "Tidd Office of Gull Statistics", of(4));
        check("TGS", "Tidd Gull Statistics Ltd", of(3));
        check("TGSL", "Tidd Gull Statistics Ltd", of(4));
        check("TGX", "Tidd Gull Statistics", None);
    }

    #[test]
    fn numbers_and_generations_tell_names_apart() {
        check("Jan Orde", "Jan Orde Jr.", None);
        check("Jan Orde Sr.", "Jan Orde Jr.", None);
        check("The Gulls", "The Gulls II", None);
        check("1990 Gull Cup", "1994 Gull Cup", None);
        check("Ada II of Tidd", "Ada III of Tidd", None);
    }
}
