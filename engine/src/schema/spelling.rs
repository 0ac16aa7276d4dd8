//! One spelling for names of schema elements, whatever the file used.

/// A name in `snake_case`: words of letters and digits in lower case, joined by `_`; a capital inside a word begins a
/// new one (`hasToItsWest`, `URLOfSite`). Empty for a text without a letter or digit. Cost O(length).
///
/// ```
/// use banyan_engine::schema::snake_case;
/// assert_eq!(snake_case("Film Award "), "film_award");
/// assert_eq!(snake_case("hasToItsWest"), "has_to_its_west");
/// ```
pub fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (at, &ch) in chars.iter().enumerate() {
        if !ch.is_alphanumeric() {
            if !matches!(ch, '\'' | '’') && !snake.is_empty() && !snake.ends_with('_') {
                snake.push('_');
            }
            continue;
        }
        if begins_word(&chars, at) && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(ch.to_lowercase());
    }
    snake.truncate(snake.trim_end_matches('_').len());
    snake
}

/// Whether a capital begins a word inside a run of letters: after a small letter or digit, or before a small letter.
fn begins_word(chars: &[char], at: usize) -> bool {
    let is = |at: Option<usize>, test: fn(char) -> bool| at.and_then(|at| chars.get(at)).is_some_and(|ch| test(*ch));
    let before = at.checked_sub(1);
    chars[at].is_uppercase()
        && (is(before, char::is_lowercase)
            || is(before, char::is_numeric)
            || (is(before, char::is_uppercase) && is(Some(at + 1), char::is_lowercase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_name_comes_to_one() {
        for (name, expected) in [
            ("date_of_birth", "date_of_birth"),
            ("date of birth", "date_of_birth"),
            ("DateOfBirth", "date_of_birth"),
            ("  Date–of–birth! ", "date_of_birth"),
            ("UTCOffset", "utc_offset"),
            ("utcOffset", "utc_offset"),
            ("PhD2Thesis", "ph_d2_thesis"),
            ("women's team", "womens_team"),
            ("出生日期", "出生日期"),
            ("Größe", "größe"),
            ("—", ""),
        ] {
            assert_eq!(snake_case(name), expected, "{name}");
            assert_eq!(snake_case(expected), expected, "a normal form is its own");
        }
    }
}
