//! The form under which two names of candidates are one: `was_founded_by` and `founded_by`, `moves_to` and `moved_to`.

use crate::stem::stem;
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
        ElementKind::Relation if !term::is_stop_word(word) => stem(word),
        ElementKind::Relation => word.to_owned(),
        ElementKind::EntityType | ElementKind::Attribute => term::singular(word.to_owned()),
    };
    kept.into_iter().map(fold).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_auxiliaries_and_plurals_do_not_make_a_name_another() {
        let (entity_type, relation, attribute) =
            (ElementKind::EntityType, ElementKind::Relation, ElementKind::Attribute);
        for (kind, names, is_one) in [
            (
                relation,
                &["founded_by", "was_founded_by", "foundedBy", "is also founded by"][..],
                true,
            ),
            (relation, &["moved to", "moves to", "moving to", "then moved to"], true),
            (relation, &["planned", "plans", "planning"], true),
            (relation, &["directed", "director", "directed_by"], false),
            (relation, &["has", "is"], false),
            (entity_type, &["lighthouse", "Lighthouses", "the lighthouse"], true),
            (entity_type, &["painter", "painting", "paint"], false),
            (attribute, &["crew_size", "crew sizes"], true),
        ] {
            let first = normal(kind, names[0]);
            for name in &names[1..] {
                assert_eq!(normal(kind, name) == first, is_one, "{name} and {}: {first}", names[0]);
            }
        }
    }
}
