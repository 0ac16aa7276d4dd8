//! Labelled sentences as annotated texts, and what is found in them as triples again.

use super::example::{Example, Triple};
use super::ontology::{Ontology, id};
use crate::measure::annotated::{Annotated, End, Fact, Tokenised};
use banyan_engine::name;
use banyan_extract::record::literal::{MONTHS, days};
use std::collections::{BTreeMap, BTreeSet};

/// A sentence as a text without a title, each end of its triples an entity; and the ends as the triples write them.
/// Triples of relations that the ontology lacks are left out.
pub(super) fn annotated(example: &Example, ontology: &Ontology) -> (Annotated, Vec<String>) {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ends: Vec<String> = Vec::new();
    let mut facts = BTreeSet::new();
    for Triple {
        subject,
        relation,
        object,
    } in &example.triples
    {
        let Some(relation) = ontology.position(relation) else {
            continue;
        };
        let [head, tail] = [subject, object].map(|end| {
            *places.entry(end).or_insert_with(|| {
                ends.push(end.clone());
                ends.len() - 1
            })
        });
        facts.insert((head, id(relation), tail));
    }
    let text = Annotated {
        text: Tokenised::of(&example.sentence),
        entities: ends.iter().map(|end| keys(end)).collect(),
        facts,
        ..Annotated::default()
    };
    (text, ends)
}

/// A fact as a triple: a gold end as it is written there, any other by its key.
pub(super) fn triple((head, relation, tail): &Fact, ends: &[String], ontology: &Ontology) -> Option<Triple> {
    let at = relation.strip_prefix('r')?.parse::<usize>().ok()?;
    let end = |end: &End| match end {
        End::Gold(at) => ends[*at].clone(),
        End::Other(key) => key.clone(),
    };
    Some(Triple {
        subject: end(head),
        relation: ontology.relations.get(at)?.clone(),
        object: end(tail),
    })
}

/// The keys of a gold end: its own, and those of the ways to write the same date or number. A date on the first of
/// January may stand for a bare year.
fn keys(end: &str) -> BTreeSet<String> {
    let bare = end.trim_matches('"').replace('_', " ");
    let mut keys = BTreeSet::from([name::key(&bare)]);
    if let Some(date) = days(&bare).first()
        && let (Some(year), Some(month), Some(day)) = (date.year, date.month, date.day)
    {
        let name = MONTHS[usize::from(month) - 1];
        let ways = [
            format!("{day} {name} {year}"),
            format!("{name} {day}, {year}"),
            date.iso(),
        ];
        keys.extend(ways.iter().map(|way| name::key(way)));
        keys.extend(((month, day) == (1, 1)).then(|| year.to_string()));
    }
    if let Some(whole) = bare
        .strip_suffix(".0")
        .or(Some(bare.as_str()))
        .and_then(|digits| digits.parse::<u64>().ok())
    {
        keys.extend([whole.to_string(), name::key(&grouped(whole))]);
    }
    keys
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    if number < 1000 {
        return number.to_string();
    }
    format!("{},{:03}", grouped(number / 1000), number % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gold_ends_are_known_in_other_spellings() {
        for (gold, text) in [
            ("\"Ada_Voss\"", "Ada Voss"),
            ("1901-05-03", "May 3, 1901"),
            ("01 January 1907", "1907"),
            ("8500", "8,500"),
            ("1439.0", "1439"),
        ] {
            assert!(keys(gold).contains(&name::key(text)), "{gold}: {:?}", keys(gold));
        }
        assert!(!keys("3 May 1901").contains("1901"));
    }
}
