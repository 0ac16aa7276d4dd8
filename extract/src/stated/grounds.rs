//! Whether a passage contains what is said of it: the guard against facts that an extractor made up.

use super::{Defect, DefectKind, Stated};
use banyan_engine::name::key;

/// Endings that a name may have in the text: a plural, or the genitive whose apostrophe the key drops.
const ENDINGS: [&str; 2] = ["s", "es"];

/// A passage, folded so that names can be looked up in it.
pub struct Grounds {
    /// Key of the title, then of the text, then numbers without the marks between their thousands; a space around each.
    folded: String,
}

impl Grounds {
    /// The grounds that a passage and the title above it give. Cost O(length).
    pub fn new(title: &str, text: &str) -> Self {
        let text = key(text);
        let numbers = without_thousands_marks(&text).join(" ");
        Self {
            folded: format!(" {}  {text}  {numbers} ", key(title)),
        }
    }

    /// Whether the passage names this: the same words, whatever their case, accents and punctuation.
    ///
    /// In scripts that write spaces a name must be whole words. False for a name without a letter or digit.
    pub fn name(&self, name: &str) -> bool {
        self.has(&key(name))
    }

    /// Whether the passage has this value, or at least half of its words: values are often written anew (a date, a
    /// number with its unit), and leading zeros do not count.
    pub fn value(&self, value: &str) -> bool {
        let folded = key(value);
        if self.has(&folded) {
            return true;
        }
        let words: Vec<&str> = folded.split(' ').map(|word| word.trim_start_matches('0')).collect();
        let n_found = words.iter().filter(|word| self.has(word)).count();
        n_found > 0 && 2 * n_found >= words.len()
    }

    /// Drops what the text does not contain: entities, triples by their ends, attributes by their entity and value. A
    /// name that the passage lacks may stand elsewhere in its document (`knows`), as that of "he" does; a value may
    /// not. Each costs a [`DefectKind::NotInText`]. Proposals stay: they are no facts.
    #[must_use]
    pub fn keep(&self, mut stated: Stated, mut knows: impl FnMut(&str) -> bool) -> Stated {
        let defects = &mut stated.defects;
        let mut is_found = |is_found: bool, what: &str| {
            if !is_found {
                defects.push(Defect::new(DefectKind::NotInText, what));
            }
            is_found
        };
        let mut has = |name: &str| is_found(self.name(name) || knows(name), name);
        stated.entities.retain(|entity| has(&entity.name));
        stated.triples.retain(|triple| has(&triple.head) && has(&triple.tail));
        stated.attributes.retain(|fact| has(&fact.entity));
        stated
            .attributes
            .retain(|fact| is_found(self.value(&fact.value), &fact.value));
        stated
    }

    fn has(&self, folded: &str) -> bool {
        let (Some(first), Some(last)) = (folded.chars().next(), folded.chars().next_back()) else {
            return false;
        };
        let mut from = 0;
        while let Some(at) = self.folded.get(from..).and_then(|rest| rest.find(folded)) {
            let start = from + at;
            let end = start + folded.len();
            if self.begins_at(start, first) && self.ends_at(end, last) {
                return true;
            }
            from = start + first.len_utf8();
        }
        false
    }

    fn begins_at(&self, start: usize, first: char) -> bool {
        is_unspaced(first) || self.folded[..start].chars().next_back().is_none_or(|ch| !goes_on(ch))
    }

    fn ends_at(&self, end: usize, last: char) -> bool {
        let rest = &self.folded[end..];
        let is_boundary = |rest: &str| rest.chars().next().is_none_or(|ch| !goes_on(ch));
        is_unspaced(last)
            || is_boundary(rest)
            || ENDINGS
                .iter()
                .any(|ending| rest.strip_prefix(ending).is_some_and(is_boundary))
    }
}

/// Numbers that a key has in groups of three digits, such as `148 200` for 148,200, each as one word.
fn without_thousands_marks(folded: &str) -> Vec<String> {
    let is_group = |word: &str| (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers: Vec<Vec<&str>> = Vec::new();
    let mut is_open = false;
    for word in folded.split(' ') {
        match numbers.last_mut() {
            Some(number) if is_open && is_group(word) && word.len() == 3 => number.push(word),
            _ if is_group(word) => numbers.push(vec![word]),
            _ => {}
        }
        is_open = is_group(word);
    }
    numbers
        .iter()
        .filter(|groups| groups.len() > 1)
        .map(|groups| groups.concat())
        .collect()
}

/// Whether a word of a spaced script goes on with this character of a key.
fn goes_on(ch: char) -> bool {
    ch != ' ' && !is_unspaced(ch)
}

/// Scripts that write no spaces between words, or hang particles on names (Korean).
fn is_unspaced(ch: char) -> bool {
    matches!(ch,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Burmese
        | '\u{1100}'..='\u{11ff}' // Korean, as compatibility decomposition leaves it
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{2e80}'..='\u{9fff}' // Chinese, Japanese
        | '\u{ac00}'..='\u{d7af}' // Korean
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Mara Voss's film Teak opened on 3 May 1999 in São Tomé. 宋江到了梁山泊。";

    fn check(text: &str, name: &str, expected: bool) {
        assert_eq!(Grounds::new("The Harrow Isles", text).name(name), expected, "{name}");
    }

    #[test]
    fn a_name_is_found_whatever_its_case_accents_and_genitive() {
        check(TEXT, "mara voss", true);
        check(TEXT, "Sao Tomé", true);
        check(TEXT, "Harrow Isles", true);
        check(TEXT, "宋江", true);
        check(TEXT, "Films", false);
        check("Two Teaks stood there.", "Teak", true);
    }

    #[test]
    fn a_name_is_whole_words() {
        check(TEXT, "Tea", false);
        check(TEXT, "Mar", false);
        check(TEXT, "oss", false);
        check(TEXT, "Isles Mara", false);
        check(TEXT, "林冲", false);
        check(TEXT, "", false);
        check(TEXT, "—", false);
    }

    #[test]
    fn a_value_may_be_written_anew_but_not_made_up() {
        let grounds = Grounds::new("", TEXT);
        assert!(grounds.value("1999-05-03"));
        assert!(grounds.value("3 May 1999"));
        assert!(!grounds.value("2001-07-19"));
        assert!(!grounds.value("director of operas"));
        assert!(!grounds.value(""));
        let grounds = Grounds::new(
            "",
            "Some 1,250,000 crowns in 1999, 148.200 people, 7 of them 300 m away.",
        );
        assert!(grounds.value("148200") && grounds.value("1250000 crowns") && grounds.value("148,200"));
        assert!(!grounds.value("250000") && !grounds.value("1999148"));
    }

    #[test]
    fn what_the_passage_lacks_is_dropped_and_counted() {
        let mut intake = crate::stated::Intake::default();
        intake.entity("Mara Voss", None);
        intake.entity("Ada Lorn", None);
        intake.triple("Teak", "director", "Mara Voss");
        intake.triple("Teak", "director", "Ada Lorn");
        intake.entity("Cay", None);
        intake.attribute("Teak", "opened", "1999");
        intake.attribute("Teak", "opened", "1740");
        let kept = Grounds::new("", TEXT).keep(intake.finish(), |name| name == "Cay");
        assert_eq!(
            (kept.entities.len(), kept.triples.len(), kept.attributes.len()),
            (2, 1, 1)
        );
        let kinds: Vec<_> = kept
            .defects
            .iter()
            .map(|defect| (defect.kind, defect.detail.as_str()))
            .collect();
        assert_eq!(
            kinds,
            [
                (DefectKind::NotInText, "Ada Lorn"),
                (DefectKind::NotInText, "Ada Lorn"),
                (DefectKind::NotInText, "1740")
            ]
        );
    }
}
