//! A column as the reader of pages looks for it.

use super::literal::{Quantity, unit_of, year_of};
use super::mention::Mention;
use super::page::Sentence;
use super::term::{Term, flag_terms, terms, words};
use banyan_engine::Span;
use banyan_engine::table::{Column, Kind, TableSchema, Value};

/// What the words of a description are worth beside those of the name. Arbitrary; below 1 so that the name wins.
const DESCRIBED: f32 = 0.9;
/// A word that so many descriptions have says nothing of one column. Arbitrary.
const COMMON: usize = 2;
/// A name stands within so many words of grammar of the word that says what it is: here nothing but these between. The
/// least share of a column's name that this word makes up. Arbitrary: half.
const HALF: f32 = 0.5;
/// Stems of columns that say what kind of thing a record is.
const TYPES: &[&str] = &["type", "kind", "categori", "genr", "class", "style"];
/// Stems of columns that say where it is, narrower and wider.
const NARROW: &[&str] = &["citi", "town", "villag", "place", "locat", "municip"];
const WIDE: &[&str] = &["countri", "region", "state", "counti", "provinc", "nation"];

/// How wide the places of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Narrow,
    Wide,
}

#[derive(Clone, Debug)]
pub(super) struct ColumnView<'a> {
    pub(super) column: &'a Column,
    /// The terms of its name; of a flag without words such as `has`.
    pub(super) name: Vec<Term>,
    /// The terms of its description that few others have.
    description: Vec<Term>,
    /// The values that the description lists, the longest first.
    listed: Vec<String>,
    /// Whether its values are the names of the records.
    is_key: bool,
}

impl<'a> ColumnView<'a> {
    /// The columns of a schema. Cost O(columns²).
    pub(super) fn all(schema: &'a TableSchema) -> Vec<Self> {
        let nouns: Vec<Term> = schema.nouns.iter().flat_map(|noun| terms(noun)).collect();
        let described: Vec<Vec<Term>> = schema.columns.iter().map(|column| terms(&column.description)).collect();
        let has = |all: &[Term], term: &Term| all.iter().any(|other| other.stem == term.stem);
        let view = |at: usize| {
            let column = &schema.columns[at];
            let says_something = |term: &&Term| {
                let n = described.iter().filter(|other| has(other, term)).count();
                n <= COMMON && !term.is_generic() && !has(&nouns, term) && unit_of(&term.stem).is_none()
            };
            Self {
                column,
                name: name_terms(column),
                description: described[at].iter().filter(says_something).cloned().collect(),
                listed: listed(&column.description),
                is_key: schema.key.as_ref() == Some(&column.name) || is_own_name(column, &nouns),
            }
        };
        (0..schema.columns.len()).map(view).collect()
    }

    /// The value that a title gives: all of it where the column names a record, its year where the column's name says no
    /// more than that.
    pub(super) fn of_title(&self, title: &str) -> Option<Value> {
        match self.column.kind {
            Kind::Text if self.is_key => Some(Value::Text(title.to_owned())).filter(|_| !title.is_empty()),
            Kind::Year if self.name.iter().all(Term::is_generic) => {
                year_of(title).map(|year| Value::Integer(year.into()))
            }
            _ => None,
        }
    }

    pub(super) fn unit(&self) -> Option<Quantity> {
        self.column.unit.as_deref().and_then(unit_of)
    }

    /// How well the words beside a value name the column, 0 to 1.
    pub(super) fn fit(&self, sentence: &Sentence, mention: &Mention) -> f32 {
        let context = mention.context(sentence);
        let best = |own: &Term| {
            context
                .iter()
                .map(|(term, near)| own.likeness(term) * near)
                .fold(0.0, f32::max)
        };
        let total: f32 = self.name.iter().map(Term::weight).sum();
        let named: f32 = self.name.iter().map(|own| own.weight() * best(own)).sum();
        let named = named / total.max(f32::MIN_POSITIVE);
        let described = self.description.iter().map(best).sum::<f32>() / self.description.len().max(1) as f32;
        named.max(DESCRIBED * described)
    }

    /// How well the word right beside a name says that it is of the column, 0 to 1.
    pub(super) fn beside(&self, sentence: &Sentence, mention: &Mention) -> f32 {
        let context = mention.context(sentence);
        let beside: Vec<&Term> = context
            .iter()
            .filter(|(term, _)| mention.is_beside(sentence, term))
            .map(|(term, _)| *term)
            .collect();
        let says = |own: &[Term]| own.iter().any(|own| beside.iter().any(|term| own.likeness(term) > 0.0));
        let own: Vec<Term> = self.name.iter().filter(|term| !term.is_generic()).cloned().collect();
        if says(&own) {
            self.fit(sentence, mention).max(HALF)
        } else if says(&self.description) {
            HALF
        } else {
            0.0
        }
    }

    /// What a definition says the type is: a value that the description lists, else the whole noun phrase.
    pub(super) fn type_in(&self, text: &str, defined: Span) -> Option<Span> {
        let phrase = defined.of(text).to_lowercase();
        let is_type = self.name.last().is_some_and(|last| TYPES.contains(&last.stem.as_str()));
        if self.column.kind != Kind::Text {
            return None;
        }
        if self.listed.is_empty() {
            return is_type.then_some(defined);
        }
        self.listed.iter().find_map(|value| {
            let at = phrase
                .find(value.as_str())
                .filter(|_| phrase.len() == defined.of(text).len())?;
            let start = defined.start as usize + at;
            Some(Span::new(start, start + value.len()))
        })
    }

    /// How wide its places are, where it is one of places.
    pub(super) fn place(&self) -> Option<Place> {
        let last = self.name.last().filter(|_| self.column.kind == Kind::Text)?;
        let is_in = |list: &[&str]| list.contains(&last.stem.as_str());
        if is_in(NARROW) {
            Some(Place::Narrow)
        } else if is_in(WIDE) {
            Some(Place::Wide)
        } else {
            None
        }
    }
}

/// Whether a column's name is `name` or `title`, or that of a record: `hotel_name`.
fn is_own_name(column: &Column, nouns: &[Term]) -> bool {
    let words = words(&column.name);
    let is_name = words
        .last()
        .is_some_and(|last| matches!(last.as_str(), "name" | "title"));
    let rest = terms(&words[..words.len().saturating_sub(1)].join(" "));
    is_name && rest.iter().all(|term| nouns.iter().any(|noun| noun.stem == term.stem))
}

fn name_terms(column: &Column) -> Vec<Term> {
    if column.kind == Kind::Boolean {
        flag_terms(&column.name)
    } else {
        terms(&column.name)
    }
}

/// The values that a description lists behind a colon, in lower case: `Its type: lodge, inn or hostel`.
fn listed(description: &str) -> Vec<String> {
    let Some((_, list)) = description.rsplit_once(':') else {
        return Vec::new();
    };
    let list = list.to_lowercase().replace(" or ", ",").replace(" and ", ",");
    let items = list.split(',').map(|item| item.trim().trim_end_matches('.').to_owned());
    let mut items: Vec<String> = items.filter(|item| (1..4).contains(&words(item).len())).collect();
    items.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    if items.len() > 1 { items } else { Vec::new() }
}
