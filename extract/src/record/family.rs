//! Kinds of things in one corpus, and the tables of each (the open question of several tables in S-RAG's limitations).
//!
//! Pages of one kind share labels, or call their subject the same. Families are what hangs together by that; two of them
//! are of one kind after all where their columns are. A column of one table whose values are titles of another's pages is
//! a key to it.

use super::induce::{induce, is_same, spread};
use super::page::Page;
use super::subject;
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Column, Kind, Table, TableSchema, Value};
use banyan_engine::{Document, name};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Documents, spread evenly, that families are made of; the others join the one that they are most like.
const SAMPLE: usize = 240;
/// Two pages are of one family from this share of common features on. Arbitrary: half.
const ALIKE: f64 = 0.5;
/// Features that two such pages have in common at least, unless they have fewer.
const COMMON: usize = 2;
/// A family has at least this share of the pages, and two of them; smaller ones are strays. Arbitrary.
const LEAST: f64 = 0.05;
/// Two families are one kind where the smaller schema shares this much with the larger. Arbitrary: half.
const SAME: f64 = 0.5;
/// Columns beside names and flags without which a family is no table of its own.
const COLUMNS: usize = 2;
/// Share of the values of a key that have to be titles. Arbitrary: of some things there is no page.
const TITLES: f64 = 0.5;

/// A table, and the documents that its records are of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Family {
    /// Its columns.
    pub schema: TableSchema,
    /// Positions of its documents, ascending.
    pub documents: Vec<usize>,
}

/// The tables of a corpus, the one with most documents first: one where all pages are of one kind, which is then called
/// `table`, else one for each kind, called by its noun; none where the documents share nothing. Cost O(length of the
/// documents + columns of the kinds).
pub fn families(documents: &[Document], questions: &[&str], table: &str) -> Vec<Family> {
    let whole = || {
        let schema = induce(documents, questions, table).into_iter().next();
        let documents = (0..documents.len()).collect();
        schema.map(|schema| Family { schema, documents }).into_iter().collect()
    };
    let groups = groups(documents);
    if groups.len() < 2 {
        return whole();
    }
    let mut found: Vec<Family> = Vec::new();
    let of = |positions: Vec<usize>| family(documents, positions, questions, table);
    for family in groups.into_iter().filter_map(of) {
        let known = found
            .iter()
            .position(|known| is_one_kind(&known.schema, &family.schema));
        let Some(at) = known else {
            found.push(family);
            continue;
        };
        let mut both = [&found[at].documents[..], &family.documents].concat();
        both.sort_unstable();
        if let Some(both) = of(both) {
            found[at] = both;
        }
    }
    if found.len() < 2 {
        return whole();
    }
    called(&mut found, table);
    found
}

/// The family of some documents; `None` where they share too little for a table.
fn family(documents: &[Document], positions: Vec<usize>, questions: &[&str], table: &str) -> Option<Family> {
    let part: Vec<Document> = positions.iter().map(|at| documents[*at].clone()).collect();
    let schema = induce(&part, questions, table).into_iter().next()?;
    let is_table = attributes(&schema).count() >= COLUMNS;
    is_table.then_some(Family {
        schema,
        documents: positions,
    })
}

/// Gives each table the name of what its records are.
fn called(families: &mut [Family], table: &str) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (at, family) in families.iter_mut().enumerate() {
        let noun = family.schema.nouns.last().map(|noun| identifier(noun));
        let noun = noun.filter(|noun| !noun.is_empty() && !taken.contains(noun));
        let own = noun.unwrap_or_else(|| format!("{table}_{}", at + 1));
        taken.insert(own.clone());
        family.schema.name = own;
    }
}

/// The columns that are neither names nor flags: those that say something about one kind of things.
pub fn attributes(schema: &TableSchema) -> impl Iterator<Item = &Column> {
    let is_name = |column: &Column| schema.key.as_ref() == Some(&column.name) || column.name == "name";
    schema
        .columns
        .iter()
        .filter(move |column| column.kind != Kind::Boolean && !is_name(column))
}

fn is_one_kind(a: &TableSchema, b: &TableSchema) -> bool {
    let n = attributes(a).count().min(attributes(b).count());
    let n_same = attributes(a).filter(|own| attributes(b).any(|other| is_same(own, other)));
    n_same.count() as f64 >= SAME * n as f64
}

/// Groups of documents that look alike, the largest first; one where they do not fall apart.
fn groups(documents: &[Document]) -> Vec<Vec<usize>> {
    let features: Vec<BTreeSet<String>> = documents.par_iter().map(features).collect();
    let sample: Vec<usize> = spread(&(0..documents.len()).collect::<Vec<_>>(), SAMPLE)
        .into_iter()
        .copied()
        .collect();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for at in sample {
        let (own, others): (Vec<_>, Vec<_>) = members
            .into_iter()
            .partition(|group| group.iter().any(|other| is_alike(&features[*other], &features[at])));
        members = others;
        members.push(own.into_iter().flatten().chain([at]).collect());
    }
    let n: usize = members.iter().map(Vec::len).sum();
    let is_family = |group: &Vec<usize>| group.len() >= 2 && group.len() as f64 >= LEAST * n as f64;
    let common: Vec<BTreeMap<&String, f64>> = members
        .iter()
        .filter(|group| is_family(group))
        .map(|group| shares(group, &features))
        .collect();
    if common.len() < 2 {
        return vec![(0..documents.len()).collect()];
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); common.len()];
    for (at, own) in features.iter().enumerate() {
        let fit = |shares: &BTreeMap<&String, f64>| own.iter().filter_map(|feature| shares.get(feature)).sum::<f64>();
        // Of families that fit as well the first.
        let best = (0..common.len())
            .rev()
            .max_by(|a, b| fit(&common[*a]).total_cmp(&fit(&common[*b])));
        // What is like none of them is of no table.
        if let Some(best) = best.filter(|best| fit(&common[*best]) > 0.0) {
            groups[best].push(at);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    groups
}

/// What tells the kind of a page: its labels, and what it calls its subject.
fn features(document: &Document) -> BTreeSet<String> {
    let page = Page::new(document);
    let labels = page.fields.iter().map(|field| super::similarity::key(&field.terms));
    let labels = labels.filter(|label| !label.is_empty());
    let nouns = subject::noun(&page).into_iter().map(|noun| format!("is {noun}"));
    labels.chain(nouns).collect()
}

/// Whether two pages have half of what they have in common.
fn is_alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let n_common = a.intersection(b).count();
    let n_all = a.union(b).count();
    let least = COMMON.min(a.len()).min(b.len());
    n_common > 0 && n_common >= least && n_common as f64 >= ALIKE * n_all as f64
}

/// The share of a group's pages that have each feature.
fn shares<'a>(group: &[usize], features: &'a [BTreeSet<String>]) -> BTreeMap<&'a String, f64> {
    let mut shares: BTreeMap<&String, f64> = BTreeMap::new();
    for feature in group.iter().flat_map(|at| &features[*at]) {
        *shares.entry(feature).or_default() += 1.0 / group.len() as f64;
    }
    shares
}

/// Makes keys of the columns whose values are titles of another table's records: their cells get the title as it is
/// there, what the document writes stays in `raw`. Cost O(cells · log).
pub fn link(tables: &mut [Table]) {
    let titles: Vec<BTreeMap<String, String>> = tables.iter().map(titles).collect();
    let names: Vec<String> = tables.iter().map(|table| table.schema.name.clone()).collect();
    for (own, table) in tables.iter_mut().enumerate() {
        for at in 0..table.schema.columns.len() {
            let is_name = table.schema.key.as_ref() == Some(&table.schema.columns[at].name);
            if table.schema.columns[at].kind != Kind::Text || is_name {
                continue;
            }
            let cells: Vec<&str> = table.column(at).filter_map(|cell| cell.value.as_text()).collect();
            let n_titles = |titles: &BTreeMap<String, String>| {
                cells
                    .iter()
                    .filter(|text| titles.contains_key(&name::key(text)))
                    .count()
            };
            let others = (0..titles.len()).filter(|other| *other != own);
            // Of tables that fit as well the first.
            let best = others
                .map(|other| (n_titles(&titles[other]), other))
                .rev()
                .max_by_key(|(n, _)| *n);
            let Some((_, other)) = best.filter(|(n, _)| *n > 0 && *n as f64 >= TITLES * cells.len() as f64) else {
                continue;
            };
            for cell in table.records.iter_mut().filter_map(|record| record.cells.get_mut(at)) {
                let title = cell
                    .value
                    .as_text()
                    .and_then(|text| titles[other].get(&name::key(text)));
                if let Some(title) = title {
                    cell.value = Value::Text(title.clone());
                }
            }
            table.schema.columns[at].references = Some(names[other].clone());
        }
    }
}

fn titles(table: &Table) -> BTreeMap<String, String> {
    let records = table.records.iter();
    records
        .map(|record| (name::key(&record.title), record.title.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fill;
    use banyan_engine::Origin;

    fn documents(pages: &[(&str, &str)]) -> Vec<Document> {
        let page = |(title, text): &(&str, &str)| Document::new(*title, *text, Origin::default());
        pages.iter().map(page).collect()
    }

    const MILLS: [(&str, &str); 3] = [
        ("Upper Mill", "Built: 1801\nWheels: 3\nOwner: Ann Bray"),
        ("Lower Mill", "Built: 1840\nWheels: 5\nOwner: Ann Bray"),
        ("Hook Mill", "Built: 1875\nWheels: 4\nOwner: Jo Cole"),
    ];
    const OWNERS: [(&str, &str); 2] = [
        ("Ann Bray", "Born: 1780\nTrade: miller\nChildren: 3"),
        ("Jo Cole", "Born: 1831\nTrade: baker\nChildren: 0"),
    ];

    fn sizes(pages: &[(&str, &str)]) -> Vec<usize> {
        let families = families(&documents(pages), &[], "records");
        families.iter().map(|family| family.documents.len()).collect()
    }

    #[test]
    fn pages_of_two_kinds_are_two_families_and_pages_of_one_are_one() {
        assert_eq!(sizes(&[&MILLS[..], &OWNERS].concat()), [3, 2]);
        assert_eq!(sizes(&MILLS), [3]);
        assert_eq!(sizes(&[]), [0; 0]);
        // Some say more than others, and are of one kind all the same.
        let more = [
            (
                "Salt Mill",
                "Built: 1700\nWheels: 1\nOwner: Al Ray\nBakery: yes\nSails: 4\nMiller: Ed",
            ),
            (
                "Rye Mill",
                "Built: 1710\nWheels: 2\nOwner: Al Ray\nBakery: no\nSails: 6\nMiller: Bo",
            ),
        ];
        assert_eq!(sizes(&[&MILLS[..], &more].concat()), [5]);
    }

    #[test]
    fn a_letter_among_pages_is_of_no_table() {
        let letter = [("A letter", "Dear Ann, the geese have left and the rain goes on.")];
        assert_eq!(sizes(&[&MILLS[..], &OWNERS, &letter].concat()), [3, 2]);
    }

    #[test]
    fn a_column_that_names_pages_of_the_other_kind_is_a_key() {
        let all = documents(&[&MILLS[..], &OWNERS].concat());
        let mut tables: Vec<Table> = families(&all, &[], "records")
            .into_iter()
            .map(|family| {
                let own: Vec<Document> = family.documents.iter().map(|at| all[*at].clone()).collect();
                fill(&family.schema, &own)
            })
            .collect();
        link(&mut tables);
        let keys = |table: &Table| -> Vec<(String, String)> {
            let columns = table.schema.columns.iter();
            columns
                .filter_map(|column| Some((column.name.clone(), column.references.clone()?)))
                .collect()
        };
        let owners = tables[1].schema.name.clone();
        assert_eq!(keys(&tables[0]), [("owner".to_owned(), owners)]);
        assert_eq!(keys(&tables[1]), []);
    }
}
