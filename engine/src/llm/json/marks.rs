//! What a mark or a bare word means where JSON is written carelessly: what begins and ends a value or a text.

use serde_json::Value;

/// Longest bare key that is looked for behind a comma, in bytes; arbitrary. It bounds the look ahead.
const MAX_BARE_KEY: usize = 40;

/// The literals of JSON and of the languages that models mix it up with.
pub(super) fn literal(word: &str) -> Option<Value> {
    match word {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        "null" | "None" | "NULL" | "nil" | "undefined" | "NaN" | "nan" | "Infinity" | "-Infinity" => Some(Value::Null),
        _ => None,
    }
}

/// White space, and marks that are as good as none.
pub(super) fn is_blank(ch: char) -> bool {
    ch.is_whitespace() || matches!(ch, '\u{feff}' | '\u{200b}')
}

/// The marks that may end a text that begins with this one; none where it begins no text.
pub(super) fn closers(open: char) -> &'static [char] {
    match open {
        '"' => &['"'],
        '\'' => &['\''],
        '“' | '”' | '„' => &['”', '“', '"'],
        '‘' | '’' | '‚' => &['’', '‘', '\''],
        _ => &[],
    }
}

/// Whether a mark before this ends a value. Always so in valid JSON: there a comma or a closing bracket follows.
pub(super) fn is_end_of_value(after: &str) -> bool {
    let trimmed = after.trim_start_matches(is_blank);
    let blank = &after[..after.len() - trimmed.len()];
    match trimmed.chars().next() {
        None | Some('}' | ']') => true,
        Some(',') => is_start_of_item(&trimmed[1..]),
        Some('`') => trimmed.starts_with("```"),
        // A comma is missing.
        Some(ch) => blank.contains('\n') || (!blank.is_empty() && !closers(ch).is_empty()),
    }
}

/// Whether what follows a comma can be a further item, rather than the rest of a sentence.
fn is_start_of_item(after: &str) -> bool {
    let trimmed = after.trim_start_matches(is_blank);
    if !trimmed.starts_with(char::is_alphabetic) {
        return true;
    }
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = trimmed.bytes().take(MAX_BARE_KEY).take_while(is_letter).count();
    let (word, behind) = trimmed.split_at(length);
    behind.trim_start_matches(is_blank).starts_with(':') || literal(word).is_some()
}
