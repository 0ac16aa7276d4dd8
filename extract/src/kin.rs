//! What a schema calls like the built-in one, however it spells it: `birthPlace` is "place of birth".

use crate::label::spelling;
use crate::learned::RelationModel;
use banyan_engine::Schema;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Built-in relations and attributes, and who is called like them.
pub(crate) struct Kin {
    /// Labels in one [`spelling`] to names of built-in elements.
    called: BTreeMap<String, BTreeSet<String>>,
    /// Names of built-in elements to their phrases.
    phrases: BTreeMap<String, Vec<String>>,
}

/// That of the built-in schema and the model that ships.
pub(crate) static KIN: LazyLock<Kin> = LazyLock::new(|| {
    // A test holds that the built-in schema is read.
    Schema::general().map_or_else(|_| Kin::empty(), |schema| Kin::new(&schema, RelationModel::built_in()))
});

impl Kin {
    fn empty() -> Self {
        Self {
            called: BTreeMap::new(),
            phrases: BTreeMap::new(),
        }
    }

    fn new(schema: &Schema, model: &RelationModel) -> Self {
        let relations = schema.relations().iter().map(|kind| (&kind.name, &kind.aliases));
        let attributes = schema.attributes().iter().map(|kind| (&kind.name, &kind.aliases));
        let mut kin = Self::empty();
        let mut call = |label: &str, name: &String| {
            kin.called.entry(spelling(label)).or_default().insert(name.clone());
        };
        for (name, aliases) in relations.chain(attributes) {
            aliases.iter().chain([name]).for_each(|label| call(label, name));
            kin.phrases.insert(name.clone(), aliases.clone());
        }
        for class in model.classes() {
            class.means.iter().for_each(|name| call(&class.label, name));
        }
        kin
    }

    /// The phrases of a relation or attribute: its own, else those of the built-in ones that it is called like.
    pub(crate) fn phrases<'a>(&self, name: &str, own: &'a [String]) -> Cow<'a, [String]> {
        if !own.is_empty() {
            return Cow::Borrowed(own);
        }
        let called = self.called.get(&spelling(name)).into_iter().flatten();
        let phrases = called.filter_map(|name| self.phrases.get(name)).flatten();
        Cow::Owned(phrases.cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_known_in_other_spellings_but_not_in_the_other_direction() {
        let says = |label: &str, phrase: &str| KIN.phrases(label, &[]).contains(&phrase.to_owned());
        assert!(says("birthPlace", "was born in") && says("headquarters location", "based in"));
        assert!(says("owned by", "acquired by") && !says("owned by", "acquired"));
        assert!(says("owner of", "acquired") && !says("owner of", "acquired by"));
        assert!(KIN.phrases("gait", &[]).is_empty());
        let own = ["came from".to_owned()];
        assert_eq!(KIN.phrases("birthPlace", &own).as_ref(), own);
    }
}
