//! One spelling for names of schema elements, whatever the file used.

use heck::ToSnakeCase;

/// A name in `snake_case`: words of letters and digits in lower case, joined by `_`; a capital inside a word begins a
/// new one (`hasToItsWest`, `URLOfSite`). Empty for a text without a letter or digit. Cost O(length).
///
/// ```
/// use banyan_engine::schema::snake_case;
/// assert_eq!(snake_case("Film Award "), "film_award");
/// assert_eq!(snake_case("hasToItsWest"), "has_to_its_west");
/// ```
pub fn snake_case(name: &str) -> String {
    name.replace(['\'', '’'], "").to_snake_case()
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
