//! What speaks for a possible answer by how it is written.

use super::ask::Ask;
use super::choice::{Choice, Sort};
use super::feature::{Feature, on};
use super::page::Page;
use banyan_engine::schema::ValueKind;
use banyan_extract::gazetteer;

/// How a choice is written.
pub(super) fn spelling(ask: &Ask, page: &Page<'_>, choice: &Choice, set: &mut impl FnMut(Feature, f32)) {
    let text = choice.text.as_str();
    let letters = text.chars().any(char::is_alphabetic);
    match choice.sort {
        Sort::Value(ValueKind::Date) => return set(Feature::WholeDate, on(letters)),
        Sort::Value(_) => {
            set(Feature::HasUnit, on(letters));
            set(Feature::Grouped, on(text.contains(',')));
            let is_bare = text.bytes().all(|byte| byte.is_ascii_digit());
            return set(Feature::ShortNumber, on(is_bare && text.len() <= MAX_SHORT_NUMBER));
        }
        _ => {}
    }
    let is_short = text.len() > 1 && !text.chars().any(char::is_lowercase);
    set(Feature::Abbreviation, on(is_short));
    set(Feature::IsPeople, on(gazetteer::country_of(text).is_some()));
    let is_name = matches!(choice.sort, Sort::Entity(_));
    set(Feature::InQualifier, on(is_name && page.qualifier.contains(text)));
    if ask.is_person {
        let has_small = text.split(' ').any(|word| word.starts_with(char::is_lowercase));
        set(Feature::SmallWord, on(has_small));
        let n = text.split(' ').count();
        let is_plain = text
            .chars()
            .all(|ch| ch.is_alphabetic() || matches!(ch, ' ' | '.' | '-' | '\'' | '’'));
        set(Feature::FullName, on(is_plain && !has_small && (2..=4).contains(&n)));
        let is_suffix = matches!(
            text.trim_end_matches('.'),
            "Jr" | "Sr" | "Inc" | "Ltd" | "Hon" | "Dr" | "Mr" | "Mrs" | "St"
        );
        set(Feature::Fragment, on(n == 1 && (is_short || is_suffix)));
    }
}

/// Digits of numbers that may count anything. Arbitrary.
const MAX_SHORT_NUMBER: usize = 3;
