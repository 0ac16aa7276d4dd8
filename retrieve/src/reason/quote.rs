//! Where a quote stands in a text.

use banyan_engine::Span;
use banyan_engine::index::term;

/// The bytes of `text` that say `quote` word for word; runs of white space count as one space, and quotation marks around
/// the quote do not count. `None` where it does not stand there, or has no word that means anything. Cost O(length).
pub(super) fn place(text: &str, quote: &str) -> Option<Span> {
    let quote = quote.trim().trim_matches(['"', '“', '”', '«', '»', '„']);
    if term::terms(quote).is_empty() {
        return None;
    }
    let (plain, places) = collapsed(text);
    let (wanted, _) = collapsed(quote);
    let wanted = wanted.trim();
    let start = plain.find(wanted)?;
    let last = places.get(start + wanted.len() - 1)?;
    let length = text[*last..].chars().next().map_or(1, char::len_utf8);
    Some(Span::new(*places.get(start)?, last + length))
}

/// The text with one space for each run of white space, and for each of its bytes the place of its character before.
fn collapsed(text: &str) -> (String, Vec<usize>) {
    let mut plain = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len());
    for (at, ch) in text.char_indices() {
        let ch = if ch.is_whitespace() { ' ' } else { ch };
        if ch == ' ' && plain.ends_with(' ') {
            continue;
        }
        plain.push(ch);
        places.resize(plain.len(), at);
    }
    (plain, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_found_word_for_word_with_its_bytes() {
        let check = |text: &str, quote: &str, expected: Option<&str>| {
            assert_eq!(place(text, quote).map(|span| span.of(text)), expected, "{quote}");
        };
        let text = "Teak is a film.\n  It was directed by  Mara Voß.";
        check(
            text,
            "It was directed by Mara Voß",
            Some("It was directed by  Mara Voß"),
        );
        check(text, "“Teak is a film. It was”", Some("Teak is a film.\n  It was"));
        check(text, "Mara Voß.", Some("Mara Voß."));
        check(text, "It was directed by Ada Quill", None);
        check(text, "it was directed", None);
        check(text, "is a", None);
        check(text, "", None);
        check("柚木是一种树。", "一种树", Some("一种树"));
    }
}
