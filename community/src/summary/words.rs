//! Just enough English to write a list.

/// `a`, `a and b`, `a, b and c`; empty for no items.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// A name in `snake_case` as words.
pub(super) fn readable(name: &str) -> String {
    name.replace('_', " ").trim().to_owned()
}

/// The plural of a word by the common rules; words of other scripts stay as they are.
pub(super) fn plural(word: &str) -> String {
    if !word.ends_with(|last: char| last.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    if word.ends_with("ies") {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("person") {
        return format!("{stem}people");
    }
    let before_y = word
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    if let Some(stem) = before_y {
        return format!("{stem}ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end));
    format!("{word}{}", if hisses { "es" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_get_their_plural() {
        for (one, many) in [
            ("person", "people"),
            ("creative work", "creative works"),
            ("city", "cities"),
            ("day", "days"),
            ("class", "classes"),
            ("人物", "人物"),
        ] {
            assert_eq!(plural(one), many);
        }
    }
}
