//! Porter's stemmer (Porter, "An algorithm for suffix stripping", 1980).

/// Endings of step 2 with what replaces them where the measure before them is positive.
const STEP_2: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];
/// Endings of step 3.
const STEP_3: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];
/// Endings of step 4, removed where the measure before them exceeds one.
const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
];

/// The stem of a word, in lower case. Words of one or two letters and words beyond ASCII letters only lose their case.
pub fn stem(word: &str) -> String {
    let lower = word.to_lowercase();
    if lower.len() <= 2 || !lower.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return lower;
    }
    let word = step_1b(step_1a(lower));
    let word = replaced(replaced(step_1c(word), STEP_2), STEP_3);
    step_5(step_4(word))
}

/// Plurals.
fn step_1a(mut word: String) -> String {
    if word.ends_with("sses") || word.ends_with("ies") {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
    word
}

/// Past tenses and participles.
fn step_1b(mut word: String) -> String {
    if word.ends_with("eed") {
        if measure(&word[..word.len() - 3]) > 0 {
            word.pop();
        }
        return word;
    }
    let Some(end) = ["ed", "ing"]
        .into_iter()
        .find(|end| word.strip_suffix(end).is_some_and(has_vowel))
    else {
        return word;
    };
    word.truncate(word.len() - end.len());
    if ["at", "bl", "iz"].iter().any(|end| word.ends_with(end)) {
        word.push('e');
    } else if ends_double(&word) && !word.ends_with(['l', 's', 'z']) {
        word.pop();
    } else if measure(&word) == 1 && ends_short(&word) {
        word.push('e');
    }
    word
}

fn step_1c(mut word: String) -> String {
    if word.strip_suffix('y').is_some_and(has_vowel) {
        word.pop();
        word.push('i');
    }
    word
}

/// The word with its longest listed ending replaced, where the measure before it is positive.
fn replaced(mut word: String, endings: &[(&str, &str)]) -> String {
    let longest = endings
        .iter()
        .filter(|(end, _)| word.ends_with(end))
        .max_by_key(|(end, _)| end.len());
    if let Some((end, by)) = longest
        && measure(&word[..word.len() - end.len()]) > 0
    {
        word.truncate(word.len() - end.len());
        word.push_str(by);
    }
    word
}

fn step_4(mut word: String) -> String {
    let longest = STEP_4
        .iter()
        .filter(|end| word.ends_with(*end))
        .max_by_key(|end| end.len());
    if let Some(end) = longest {
        let rest = &word[..word.len() - end.len()];
        let admits = *end != "ion" || rest.ends_with(['s', 't']);
        if admits && measure(rest) > 1 {
            word.truncate(word.len() - end.len());
        }
    }
    word
}

fn step_5(mut word: String) -> String {
    if let Some(rest) = word.strip_suffix('e')
        && (measure(rest) > 1 || (measure(rest) == 1 && !ends_short(rest)))
    {
        word.pop();
    }
    if word.ends_with("ll") && measure(&word) > 1 {
        word.pop();
    }
    word
}

/// Whether the letter at `at` is a vowel; `y` is one after a consonant.
fn is_vowel(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => true,
        b'y' => at > 0 && !is_vowel(word, at - 1),
        _ => false,
    }
}

fn has_vowel(word: &str) -> bool {
    (0..word.len()).any(|at| is_vowel(word.as_bytes(), at))
}

/// Porter's m: how often a run of vowels is followed by a run of consonants.
fn measure(word: &str) -> usize {
    let vowels: Vec<bool> = (0..word.len()).map(|at| is_vowel(word.as_bytes(), at)).collect();
    vowels.windows(2).filter(|pair| pair[0] && !pair[1]).count()
}

fn ends_double(word: &str) -> bool {
    matches!(word.as_bytes(), [.., a, b] if a == b && !is_vowel(word.as_bytes(), word.len() - 1))
}

/// Consonant, vowel, consonant other than w, x, y.
fn ends_short(word: &str) -> bool {
    let bytes = word.as_bytes();
    let n = bytes.len();
    n >= 3
        && !is_vowel(bytes, n - 3)
        && is_vowel(bytes, n - 2)
        && !is_vowel(bytes, n - 1)
        && !matches!(bytes[n - 1], b'w' | b'x' | b'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_those_of_porters_paper() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("cats", "cat"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("hopping", "hop"),
            ("filing", "file"),
            ("happy", "happi"),
            ("relational", "relat"),
            ("vietnamization", "vietnam"),
            ("triplicate", "triplic"),
            ("adjustable", "adjust"),
            ("adoption", "adopt"),
            ("controll", "control"),
            ("January", "januari"),
            ("É", "é"),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }
}
