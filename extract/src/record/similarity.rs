//! Which column a label of the documents names: by its words, and by vectors where they share none.

use super::literal;
use super::page::Page;
use super::term::{Term, likeness, terms};
use super::view::ColumnView;
use banyan_engine::embed::{EmbedError, Embedder, MemoryCache, dot, embed_all};
use banyan_engine::table::{Kind, TableSchema};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Least likeness of a label to a column's name: two words of which one is shared, and no more that differ. Arbitrary.
const ALIKE: f32 = 0.6;
/// Least cosine of a label to a column's name with its description, and the lead that it has over the next best column.
/// Arbitrary.
const COSINE: f32 = 0.5;
const LEAD: f32 = 0.05;
/// From so many documents on it shows whether a label heads a list. Arbitrary: of one or two nothing recurs.
const LEAST_LISTS: usize = 3;
/// The share of a label's values that have to be of the column's kind. Arbitrary: half.
const OF_KIND: f64 = 0.5;

/// The columns that labels name, for all documents alike.
pub(super) struct Labels {
    columns: BTreeMap<String, (usize, f32)>,
    lists: BTreeSet<String>,
}

impl Labels {
    /// Looks at all labels of some pages. Cost O(labels · columns).
    pub(super) fn new(views: &[ColumnView<'_>], pages: &[Page<'_>], vectors: &Vectors) -> Self {
        let mut values: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut several: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut known: BTreeMap<String, &[Term]> = BTreeMap::new();
        for page in pages {
            let mut own: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            for field in &page.fields {
                let value = field.value.of(&page.document.text);
                known.entry(key(&field.terms)).or_insert(&field.terms);
                values.entry(key(&field.terms)).or_default().push(value);
                own.entry(key(&field.terms)).or_default().insert(value);
            }
            for (key, own) in own {
                let count = several.entry(key).or_default();
                count.0 += 1;
                count.1 += usize::from(own.len() > 1);
            }
        }
        let best = |(key, label): (&String, &&[Term])| {
            let fits = |view: &ColumnView<'_>| {
                let values = &values[key];
                let n = values
                    .iter()
                    .filter(|raw| literal::read(view.column, raw).is_some())
                    .count();
                n as f64 >= OF_KIND * values.len() as f64
            };
            let of_kind: Vec<usize> = (0..views.len()).filter(|at| fits(&views[*at])).collect();
            let by_words = of_kind.iter().map(|at| (*at, likeness(&views[*at].name, label)));
            let found = clear(by_words.collect(), ALIKE, 0.0).or_else(|| {
                let by_vectors = of_kind.iter().filter_map(|at| Some((*at, vectors.cosine(*at, key)?)));
                clear(by_vectors.collect(), COSINE, LEAD)
            });
            Some((key.clone(), found?))
        };
        let is_list = |(_, (n, n_several)): &(&String, &(usize, usize))| *n >= LEAST_LISTS && n_several * 2 > *n;
        Self {
            columns: known.iter().filter_map(best).collect(),
            lists: several.iter().filter(is_list).map(|(key, _)| key.clone()).collect(),
        }
    }

    /// The column that a label names, and how plainly.
    pub(super) fn column_of(&self, label: &[Term]) -> Option<(usize, f32)> {
        self.columns.get(&key(label)).copied()
    }

    /// Whether documents list things under a label, so that several values do not contradict each other.
    pub(super) fn is_list(&self, key: &str) -> bool {
        self.lists.contains(key)
    }
}

/// The best of some columns, where it is good enough and better than the next by more than `lead`.
fn clear(mut scored: Vec<(usize, f32)>, least: f32, lead: f32) -> Option<(usize, f32)> {
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let next = scored.get(1).map_or(0.0, |(_, score)| *score);
    scored
        .first()
        .copied()
        .filter(|(_, best)| *best >= least && *best > next + lead)
}

/// What labels are compared by: their stems.
pub(super) fn key(terms: &[Term]) -> String {
    let stems: Vec<&str> = terms.iter().map(|term| term.stem.as_str()).collect();
    stems.join(" ")
}

/// How alike labels and columns are by an embedder; empty without one.
#[derive(Clone, Debug, Default)]
pub(super) struct Vectors {
    cosines: BTreeMap<(usize, String), f32>,
}

impl Vectors {
    /// Embeds the labels of documents, and the columns with their descriptions.
    pub(super) fn new(schema: &TableSchema, pages: &[Page<'_>], embedder: &dyn Embedder) -> Result<Self, EmbedError> {
        let mut labels: BTreeMap<String, &str> = BTreeMap::new();
        for page in pages {
            for field in &page.fields {
                labels
                    .entry(key(&field.terms))
                    .or_insert(field.label.of(&page.document.text));
            }
        }
        let named = schema.columns.iter().map(|column| match column.kind {
            Kind::Boolean => column.name.replace('_', " "),
            _ => format!("{}: {}", column.name.replace('_', " "), column.description),
        });
        let named: Vec<String> = named.collect();
        let texts: Vec<&str> = named
            .iter()
            .map(String::as_str)
            .chain(labels.values().copied())
            .collect();
        let rows = embed_all(embedder, &texts, &mut MemoryCache::default(), &mut |_, _| {
            ControlFlow::Continue(())
        })?;
        let mut cosines = BTreeMap::new();
        for (at, key) in labels.keys().enumerate() {
            for column in 0..named.len() {
                let cosine = dot(rows.row(column), rows.row(named.len() + at));
                cosines.insert((column, key.clone()), cosine);
            }
        }
        Ok(Self { cosines })
    }

    fn cosine(&self, column: usize, key: &str) -> Option<f32> {
        self.cosines.get(&(column, key.to_owned())).copied()
    }
}

/// The terms of a name without those that only say that it is a time or a number, unless it has no others.
pub(super) fn core(name: &str) -> Vec<Term> {
    let all = terms(name);
    let specific: Vec<Term> = all.iter().filter(|term| !term.is_generic()).cloned().collect();
    if specific.is_empty() { all } else { specific }
}
