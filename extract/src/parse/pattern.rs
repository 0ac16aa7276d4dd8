//! Regular expressions of the tokenizer's file to rules.
//!
//! Only the forms that the English package uses are translated: alternatives of characters, classes, `+`, groups of
//! plain words, anchors, look-behind and look-ahead of classes. Anything else is an error, so that no rule is lost
//! silently.

use super::charset::CharSet;
use super::error::ParseError;
use super::rule::{Rule, Rules, Step};

/// Translates a pattern.
///
/// # Errors
/// [`ParseError::Pattern`] at the first form that is not known.
pub(super) fn read(pattern: &str) -> Result<Rules, ParseError> {
    let mut reader = Reader { rest: pattern };
    let mut rules = vec![reader.rule()?];
    while reader.skip("|") {
        rules.push(reader.rule()?);
    }
    if reader.rest.is_empty() {
        Ok(Rules::new(rules))
    } else {
        Err(reader.error("a bracket that was not opened"))
    }
}

/// The set of a class such as `[a-z\u00e9]`, which must be all of `pattern`.
///
/// # Errors
/// [`ParseError::Pattern`] where it is none.
pub(super) fn class(pattern: &str) -> Result<CharSet, ParseError> {
    let mut reader = Reader { rest: pattern };
    match reader.step()? {
        Some(Step::One(set)) if reader.rest.is_empty() => Ok(set),
        _ => Err(reader.error("not one class")),
    }
}

/// What is left of a pattern.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn error(&self, reason: &'static str) -> ParseError {
        ParseError::Pattern {
            at: self.rest.chars().take(40).collect(),
            reason,
        }
    }

    /// Passes over `text` if the rest starts with it.
    fn skip(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Result<char, ParseError> {
        let mut characters = self.rest.chars();
        let next = characters.next().ok_or_else(|| self.error("it ends too early"))?;
        self.rest = characters.as_str();
        Ok(next)
    }

    /// One alternative, up to `|` or the end.
    fn rule(&mut self) -> Result<Rule, ParseError> {
        let mut rule = Rule {
            at_start: self.skip("^"),
            ..Rule::default()
        };
        if self.skip("(?<=") {
            rule.before = self.sets()?;
        }
        while let Some(step) = self.step()? {
            rule.body.push(step);
        }
        if self.skip("(?=") {
            rule.after = Some(self.one_set()?);
        } else if self.skip("(?!") {
            rule.not_after = Some(self.one_set()?);
        }
        rule.at_end = self.skip("$");
        if rule.body.is_empty() {
            return Err(self.error("an alternative without characters"));
        }
        if self.rest.is_empty() || self.rest.starts_with('|') {
            Ok(rule)
        } else {
            Err(self.error("something behind the end of an alternative"))
        }
    }

    /// The next step of a body; none before what cannot be one.
    fn step(&mut self) -> Result<Option<Step>, ParseError> {
        if self.skip("(?:") {
            return self.words().map(Some);
        }
        if self.rest.is_empty() || self.rest.starts_with(['|', '(', ')', '$']) {
            return Ok(None);
        }
        let set = self.set()?;
        Ok(Some(if self.skip("+") {
            Step::Many(set)
        } else {
            Step::One(set)
        }))
    }

    /// Plain words up to the closing bracket.
    fn words(&mut self) -> Result<Step, ParseError> {
        let mut words = vec![Vec::new()];
        while !self.skip(")") {
            if self.skip("|") {
                words.push(Vec::new());
                continue;
            }
            if self.rest.starts_with(['(', '[', '+', '*', '{']) {
                return Err(self.error("a group of other than plain words"));
            }
            let character = self.character()?;
            if let Some(word) = words.last_mut() {
                word.push(character);
            }
        }
        Ok(Step::Word(words))
    }

    /// Sets up to the closing bracket.
    fn sets(&mut self) -> Result<Vec<CharSet>, ParseError> {
        let mut sets = Vec::new();
        while !self.skip(")") {
            sets.push(self.set()?);
        }
        Ok(sets)
    }

    /// Exactly one set up to the closing bracket.
    fn one_set(&mut self) -> Result<CharSet, ParseError> {
        let sets = self.sets()?;
        <[CharSet; 1]>::try_from(sets)
            .map(|[set]| set)
            .map_err(|_| self.error("a look-ahead of other than one character"))
    }

    /// A class or one character.
    fn set(&mut self) -> Result<CharSet, ParseError> {
        if !self.skip("[") {
            return if self.rest.starts_with(['*', '?', '{', '.', '+', '^', '(']) {
                Err(self.error("an operator that is not known here"))
            } else {
                self.character().map(CharSet::one)
            };
        }
        if self.rest.starts_with('^') {
            return Err(self.error("a negated class"));
        }
        let mut ranges = Vec::new();
        while !self.skip("]") {
            let first = self.character()?;
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]") && self.skip("-");
            let last = if is_range { self.character()? } else { first };
            ranges.push((first, last));
        }
        Ok(CharSet::new(ranges))
    }

    /// One character, escaped or not.
    fn character(&mut self) -> Result<char, ParseError> {
        let character = self.next()?;
        if character != '\\' {
            return Ok(character);
        }
        match self.next()? {
            'u' => self.code(4),
            'U' => self.code(8),
            escaped if escaped.is_ascii_alphanumeric() => Err(self.error("an escape that is not known")),
            escaped => Ok(escaped),
        }
    }

    /// A character by `n` hexadecimal digits.
    fn code(&mut self, n: usize) -> Result<char, ParseError> {
        let character = self
            .rest
            .get(..n)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32);
        let character = character.ok_or_else(|| self.error("no number of a character"))?;
        self.rest = &self.rest[n..];
        Ok(character)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn characters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn a_prefix_is_the_first_alternative_that_matches() {
        let rules = read(r"^\+(?![0-9])|^\.\.+|^US\$|^[\u2600-\u26ff]").unwrap();
        let check = |text: &str, expected| assert_eq!(rules.prefix(&characters(text)), expected, "{text}");
        check("+a", 1);
        check("+1", 0);
        check("+", 1);
        check("...", 3);
        check(".", 0);
        check("US$5", 3);
        check("☀x", 1);
        check("x+", 0);
    }

    #[test]
    fn a_suffix_is_the_longest_match_at_the_end() {
        let rules = read(r"\.\.+$|'s$|(?<=[0-9])(?:km|m|km²)$|(?<=[A-Z][A-Z])\.$|,$").unwrap();
        let check = |text: &str, expected| assert_eq!(rules.suffix(&characters(text)), expected, "{text}");
        check("a...", 3);
        check("it's", 2);
        check("5km", 2);
        check("5km²", 3);
        check("5nm", 0);
        check("km", 0);
        check("US.", 1);
        check("Us.", 0);
        check("a,", 1);
    }

    #[test]
    fn infixes_see_what_stands_around_them() {
        let rules = read(r"\.\.+|(?<=[a-z])(?:-|--)(?=[a-z])|(?<=[0-9])[+\-*^](?=[0-9-])").unwrap();
        let check =
            |text: &str, expected: &[(usize, usize)]| assert_eq!(rules.all(&characters(text)), expected, "{text}");
        check("a-b-c", &[(1, 2), (3, 4)]);
        check("a--b", &[(1, 3)]);
        check("1-2", &[(1, 2)]);
        check("a..b", &[(1, 3)]);
        check("-a", &[]);
    }

    #[test]
    fn forms_that_are_not_known_are_refused() {
        for pattern in [
            "a*",
            "[^a]",
            r"\w",
            "(a)",
            "(?:a|[b])",
            "",
            "a|",
            "(?<=a)(?<=b)c",
            "a{2}",
            "[a",
        ] {
            assert!(read(pattern).is_err(), "{pattern}");
        }
    }
}
