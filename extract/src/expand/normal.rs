//! The form under which two names of candidates are one: `was_founded_by` and `founded_by`, `moves_to` and `moved_to`.

use crate::word_list::List;
use banyan_engine::index::term;
use banyan_engine::schema::{ElementKind, snake_case};

/// The normal form of a name. Relations lose the inflection of their words, types and attributes the plural. Cost
/// O(length).
pub(super) fn normal(kind: ElementKind, name: &str) -> String {
    let snake = snake_case(name);
    let words: Vec<&str> = snake.split('_').collect();
    let kept: Vec<&str> = words.iter().copied().filter(|word| !List::Idle.has(word)).collect();
    let kept = if kept.is_empty() { words } else { kept };
    let fold = |word: &str| match kind {
        ElementKind::Relation if !term::is_stop_word(word) => uninflected(word),
        ElementKind::Relation => word.to_owned(),
        ElementKind::EntityType | ElementKind::Attribute => term::singular(word.to_owned()),
    };
    kept.into_iter().map(fold).collect::<Vec<_>>().join("_")
}

/// A word without the endings that English verbs take; agents keep theirs, for a director is not what is directed.
fn uninflected(word: &str) -> String {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|stem| stem.len() >= least);
    if let Some(stem) = cut("ied", 2).or_else(|| cut("ies", 2)) {
        return format!("{stem}y");
    }
    let bare = cut("ing", 3).or_else(|| cut("ed", 3));
    let mut stem = bare.map_or_else(|| term::singular(word.to_owned()), str::to_owned);
    let last_two: Vec<u8> = stem.bytes().rev().take(2).collect();
    if bare.is_some() && stem.len() > 3 && last_two[0] == last_two[1] && !matches!(last_two[0], b'l' | b's') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: ElementKind, names: &[&str], is_one: bool) {
        let first = normal(kind, names[0]);
        for name in &names[1..] {
            assert_eq!(normal(kind, name) == first, is_one, "{name} and {}: {first}", names[0]);
        }
    }

    #[test]
    fn inflections_and_auxiliaries_do_not_make_a_relation_another() {
        let relation = ElementKind::Relation;
        check(
            relation,
            &["founded_by", "was_founded_by", "foundedBy", "is also founded by"],
            true,
        );
        check(relation, &["moved to", "moves to", "moving to", "then moved to"], true);
        check(relation, &["married", "marries"], true);
        check(relation, &["planned", "plans", "planning"], true);
        check(relation, &["directed", "director", "directed_by"], false);
        check(relation, &["has", "is"], false);
    }

    #[test]
    fn a_plural_is_no_other_type_or_attribute() {
        check(
            ElementKind::EntityType,
            &["lighthouse", "Lighthouses", "the lighthouse"],
            true,
        );
        check(ElementKind::EntityType, &["painter", "painting", "paint"], false);
        check(ElementKind::Attribute, &["crew_size", "crew sizes"], true);
    }
}
