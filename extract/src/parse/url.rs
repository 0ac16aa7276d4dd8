//! Web addresses and the like, which stay one word.

use super::charset::CharSet;
use super::shape::is_letter;

/// Most characters of a host's label between the first and the last one, plus those two.
const MAX_LABEL: usize = 64;
/// Letters of a top-level domain, at least and at most.
const TOP_LEVEL: std::ops::RangeInclusive<usize> = 2..=63;
/// Digits of a port, at least and at most.
const PORT: std::ops::RangeInclusive<usize> = 2..=5;

/// Whether a text without white space is an address: `[scheme://][user[:password]@]host[:port][/path]`.
///
/// The host is labels and a top-level domain of characters of `top_level`, or a public IPv4 address (not of a private
/// or link-local range), as the package's pattern has it.
pub(super) fn matches(text: &[char], top_level: &CharSet) -> bool {
    if !text.contains(&'.') {
        return false;
    }
    let after_user = (1..text.len()).filter(|at| text[*at] == '@').map(|at| at + 1);
    std::iter::once(0)
        .chain(after_scheme(text))
        .chain(after_user)
        .any(|start| is_located(&text[start..], top_level))
}

/// Where the text goes on behind a scheme of two and more characters.
fn after_scheme(text: &[char]) -> Option<usize> {
    let colon = text.iter().position(|character| *character == ':')?;
    let is_word = |character: char| is_letter(character) || character.is_numeric();
    let is_scheme = |character: &char| is_word(*character) || matches!(character, '_' | '+' | '-' | '.');
    let is_named = colon >= 2 && text[..colon].iter().all(is_scheme);
    (is_named && text[colon..].starts_with(&[':', '/', '/'])).then_some(colon + 3)
}

/// Whether this is a host, with a port and a path or without.
fn is_located(text: &[char], top_level: &CharSet) -> bool {
    let end = text
        .iter()
        .position(|character| matches!(character, '/' | '?' | '#' | '@'));
    let place = &text[..end.unwrap_or(text.len())];
    if end.is_some_and(|end| text[end] == '@') {
        return false;
    }
    let mut parts = place.splitn(2, |character| *character == ':');
    let host = parts.next().unwrap_or_default();
    let has_port = parts
        .next()
        .is_none_or(|port| PORT.contains(&port.len()) && port.iter().all(char::is_ascii_digit));
    has_port && (is_named_host(host, top_level) || is_public_address(host))
}

fn is_named_host(host: &[char], top_level: &CharSet) -> bool {
    let mut labels: Vec<_> = host.split(|character| *character == '.').collect();
    let last = labels.pop().unwrap_or_default();
    TOP_LEVEL.contains(&last.len())
        && last.iter().all(|character| top_level.contains(*character))
        && !labels.is_empty()
        && labels.iter().all(|label| is_label(label))
}

fn is_label(label: &[char]) -> bool {
    let is_edge = |character: &char| character.is_ascii_alphanumeric() || ('\u{a1}'..='\u{ffff}').contains(character);
    let is_inner = |character: &char| is_edge(character) || matches!(character, '_' | '-');
    label.len() <= MAX_LABEL
        && label.first().is_some_and(is_edge)
        && label.last().is_some_and(is_edge)
        && label.iter().all(is_inner)
}

/// Whether this is a dotted IPv4 address of 1.0.0.1 to 223.255.255.254 outside the private ranges.
fn is_public_address(host: &[char]) -> bool {
    let host: String = host.iter().collect();
    let numbers: Vec<Option<u8>> = host.split('.').map(number).collect();
    let [Some(a), Some(b), Some(_), Some(d)] = numbers[..] else {
        return false;
    };
    let is_private = matches!((a, b), (10 | 127, _) | (169, 254) | (192, 168) | (172, 16..=31));
    (1..=223).contains(&a) && (1..=254).contains(&d) && !is_private
}

fn number(digits: &str) -> Option<u8> {
    let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_words_with_dots() {
        let lower = CharSet::new(vec![('a', 'z')]);
        let check = |text: &str, expected| {
            let characters: Vec<char> = text.chars().collect();
            assert_eq!(matches(&characters, &lower), expected, "{text}");
        };
        for text in [
            "harbour.example",
            "http://example.com:8080/x?y",
            "me@harbour.example",
            "ftp://localhost:p@8.8.8.8/",
            "a-b.co#top",
        ] {
            check(text, true);
        }
        for text in [
            "word",
            "e.g.",
            "10.0.0.1",
            "a.co@",
            "192.168.1.1",
            "a.B",
            "-a.com",
            "a..com",
            "host.example:1",
            "1.5",
        ] {
            check(text, false);
        }
    }
}
