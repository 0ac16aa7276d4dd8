//! Names given for tags, against gold.

use banyan_engine::name;
use banyan_extract::tag::Tag;
use std::collections::BTreeMap;

/// F1 of the names given for tags: a name is right that is an accepted one, apart from case, accents and marks. Cost
/// O(names).
pub(super) fn f1(given: &BTreeMap<Tag, String>, gold: &BTreeMap<Tag, Vec<String>>) -> f64 {
    let is_right = |(tag, name): &(&Tag, &String)| {
        let accepted = gold.get(*tag).map_or(&[][..], Vec::as_slice);
        let key = name::key(name);
        !key.is_empty() && accepted.iter().any(|gold| name::key(gold) == key)
    };
    let n_right = given.iter().filter(is_right).count();
    2.0 * n_right as f64 / (given.len() + gold.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_computed_case_agrees() {
        let tag = |tag: &str| Tag::parse(tag).unwrap();
        let names = |pairs: &[(&str, &str)]| pairs.iter().map(|(of, name)| (tag(of), (*name).to_owned())).collect();
        let gold: BTreeMap<Tag, String> = names(&[("PERSON#1", "Ann Hall"), ("PERSON#2", "Bob"), ("PERSON#3", "Cole")]);
        let gold: BTreeMap<Tag, Vec<String>> = gold.into_iter().map(|(tag, name)| (tag, vec![name])).collect();
        let given = names(&[("PERSON#1", "ann  hall"), ("PERSON#3", "Coles"), ("PERSON#9", "Dora")]);
        assert!((f1(&given, &gold) - 1.0 / 3.0).abs() < 1e-12);
        assert!(f1(&BTreeMap::new(), &gold).abs() < 1e-12 && f1(&BTreeMap::new(), &BTreeMap::new()).abs() < 1e-12);
    }
}
