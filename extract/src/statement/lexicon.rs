//! General English for the reader: families of words, nouns by the kind of thing they denote, peoples and countries,
//! given names. The tables are text files in `data/lexicon`.

use super::kind::{Kind, Kinds};
use super::root::root;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The tables, read once.
pub(crate) static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// How large a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    City,
    Region,
    Continent,
}

/// The tables.
#[derive(Debug)]
pub(crate) struct Lexicon {
    /// Stems to the families they belong to.
    families: BTreeMap<String, Vec<usize>>,
    /// Stems of each family.
    members: Vec<BTreeSet<String>>,
    kinds: BTreeMap<String, Kinds>,
    /// Adjectives of origin in lower case to countries.
    peoples: BTreeMap<String, String>,
    /// Countries and languages in lower case.
    countries: BTreeSet<String>,
    languages: BTreeSet<String>,
    /// Cities, regions and continents in lower case.
    places: BTreeMap<String, Scale>,
    given_names: BTreeSet<String>,
    classes: Vec<Class>,
}

/// A class of common nouns, as genres or instruments.
#[derive(Debug)]
struct Class {
    /// The first word that asks for it.
    name: String,
    /// Roots of the words that ask for it.
    asked: BTreeSet<String>,
    /// Roots of its members.
    members: BTreeSet<String>,
}

impl Lexicon {
    fn read() -> Self {
        let mut lexicon = Self {
            families: BTreeMap::new(),
            members: Vec::new(),
            kinds: BTreeMap::new(),
            peoples: BTreeMap::new(),
            countries: BTreeSet::new(),
            languages: BTreeSet::new(),
            places: BTreeMap::new(),
            given_names: words(include_str!("../../../data/lexicon/given_names.txt"))
                .map(str::to_lowercase)
                .collect(),
            classes: lines(include_str!("../../../data/lexicon/members.txt"))
                .filter_map(|line| line.split_once(':'))
                .map(|(names, members)| Class {
                    name: names.split_whitespace().next().unwrap_or_default().to_owned(),
                    asked: roots(names),
                    members: roots(members),
                })
                .collect(),
        };
        for line in lines(include_str!("../../../data/lexicon/families.txt")) {
            let members: BTreeSet<String> = line.split_whitespace().map(root).collect();
            for member in &members {
                let place = lexicon.members.len();
                lexicon.families.entry(member.clone()).or_default().push(place);
            }
            lexicon.members.push(members);
        }
        for line in lines(include_str!("../../../data/lexicon/kinds.txt")) {
            let Some((name, nouns)) = line.split_once(':') else {
                continue;
            };
            let Some(kind) = Kind::named(name) else { continue };
            for noun in nouns.split_whitespace() {
                let slot = lexicon.kinds.entry(root(noun)).or_default();
                *slot = slot.with(kind);
            }
        }
        for line in lines(include_str!("../../../data/lexicon/peoples.txt")) {
            lexicon.people(line);
        }
        for line in lines(include_str!("../../../data/lexicon/places.txt")) {
            let Some((scale, names)) = line.split_once(':') else {
                continue;
            };
            let scale = match scale {
                "city" => Scale::City,
                "region" => Scale::Region,
                _ => Scale::Continent,
            };
            let names = names.split(';').map(|name| name.trim().to_lowercase());
            lexicon.places.extend(names.map(|name| (name, scale)));
        }
        lexicon
    }

    /// Reads a line of `Adjective=Country`, `Language*`, `Adjective*=Country` or `=Country`; countries may have spaces.
    fn people(&mut self, line: &str) {
        let mut entries: Vec<String> = Vec::new();
        for word in line.split_whitespace() {
            match entries.last_mut() {
                Some(entry) if !word.contains(['=', '*']) => {
                    entry.push(' ');
                    entry.push_str(word);
                }
                _ => entries.push(word.to_owned()),
            }
        }
        for entry in entries {
            let (adjective, country) = entry.split_once('=').unwrap_or((&entry, ""));
            let bare = adjective.trim_end_matches('*').to_lowercase();
            if adjective.ends_with('*') {
                self.languages.insert(bare.clone());
            }
            if !country.is_empty() {
                self.countries.insert(country.to_lowercase());
                if !bare.is_empty() {
                    self.peoples.insert(bare, country.to_owned());
                }
            }
        }
    }

    /// The stems that share a family with `stem`, itself apart.
    pub(crate) fn kin(&self, stem: &str) -> BTreeSet<&str> {
        let families = self.families.get(stem).into_iter().flatten();
        families
            .flat_map(|place| &self.members[*place])
            .map(String::as_str)
            .filter(|other| *other != stem)
            .collect()
    }

    /// The kinds of things that a common noun, given by its stem, denotes.
    pub(crate) fn kinds_of(&self, stem: &str) -> Kinds {
        self.kinds.get(stem).copied().unwrap_or_default()
    }

    /// The country that an adjective of origin (lower case) belongs to.
    pub(crate) fn country_of(&self, adjective: &str) -> Option<&str> {
        self.peoples.get(adjective).map(String::as_str)
    }

    /// Whether a name in lower case is a country or large region.
    pub(crate) fn is_country(&self, lower: &str) -> bool {
        self.countries.contains(lower)
    }

    /// How large a well-known place is, by its name in lower case.
    pub(crate) fn place(&self, lower: &str) -> Option<Scale> {
        self.places.get(lower).copied()
    }

    /// Whether a word in lower case names a language.
    pub(crate) fn is_language(&self, lower: &str) -> bool {
        self.languages.contains(lower)
    }

    /// The classes that a word, given by its root, asks for.
    pub(crate) fn classes_asked<'a>(&'a self, root: &'a str) -> impl Iterator<Item = usize> + 'a {
        let asks = move |class: &usize| self.classes[*class].asked.contains(root);
        (0..self.classes.len()).filter(asks)
    }

    /// Whether a class has a word, given by its root, as a member.
    pub(crate) fn is_member(&self, class: usize, root: &str) -> bool {
        self.classes
            .get(class)
            .is_some_and(|class| class.members.contains(root))
    }

    /// The name of a class in features.
    pub(crate) fn class_name(&self, class: usize) -> &str {
        self.classes.get(class).map_or("", |class| &class.name)
    }

    /// Number of classes.
    pub(crate) fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// Whether a word in lower case is a common given name.
    pub(crate) fn is_given_name(&self, lower: &str) -> bool {
        self.given_names.contains(lower)
    }
}

/// Lines without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn roots(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(root).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    lines(text).flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read_whole() {
        let lexicon = &LEXICON;
        assert!(lexicon.kin(&root("author")).contains(root("written").as_str()));
        assert!(lexicon.kinds_of(&root("singers")).has(Kind::Person));
        assert_eq!(lexicon.country_of("british"), Some("United Kingdom"));
        assert!(lexicon.is_country("new zealand") && lexicon.is_language("latin"));
        assert!(lexicon.is_given_name("ada") && !lexicon.is_given_name("tide"));
        let genre = lexicon.classes_asked("genr").next().unwrap();
        assert_eq!(lexicon.class_name(genre), "genre");
        assert!(lexicon.is_member(genre, &root("comedies")) && !lexicon.is_member(genre, &root("harbour")));
        let names: BTreeSet<&str> = (0..lexicon.n_classes())
            .map(|class| lexicon.class_name(class))
            .collect();
        assert_eq!(names.len(), lexicon.n_classes(), "two classes of one name");
        for line in lines(include_str!("../../../data/lexicon/kinds.txt")) {
            let name = line.split(':').next().unwrap_or("");
            assert!(Kind::named(name).is_some(), "{name}: no such kind");
        }
    }
}
