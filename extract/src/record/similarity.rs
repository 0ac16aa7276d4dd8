//! Which column a label of the documents names, by its words.

use super::literal;
use super::page::Page;
use super::term::{Term, likeness, terms};
use super::view::ColumnView;
use std::collections::BTreeMap;

/// Least likeness of a label to a column's name: two words of which one is shared, and no more that differ. Arbitrary.
const ALIKE: f32 = 0.6;
/// The share of a label's values that have to be of the column's kind. Arbitrary: half.
const OF_KIND: f64 = 0.5;

/// The columns that labels name, for all documents alike.
pub(super) struct Labels(BTreeMap<String, (usize, f32)>);

impl Labels {
    /// Looks at all labels of some pages. Cost O(labels · columns).
    pub(super) fn new(views: &[ColumnView<'_>], pages: &[Page<'_>]) -> Self {
        let mut values: BTreeMap<String, (&[Term], Vec<&str>)> = BTreeMap::new();
        for page in pages {
            for field in &page.fields {
                let known = values.entry(key(&field.terms)).or_insert((&field.terms, Vec::new()));
                known.1.push(field.value.of(&page.document.text));
            }
        }
        let best = |(key, (label, values)): (String, (&[Term], Vec<&str>))| {
            let is_of_kind = |view: &ColumnView<'_>| {
                let n = values.iter().filter(|raw| literal::read(view.column, raw).is_some());
                n.count() as f64 >= OF_KIND * values.len() as f64
            };
            let of_kind = views.iter().enumerate().filter(|(_, view)| is_of_kind(view));
            let scored = of_kind.map(|(at, view)| (at, likeness(&view.name, label)));
            Some((key, clear(scored.collect())?))
        };
        Self(values.into_iter().filter_map(best).collect())
    }

    /// The column that a label names, and how plainly.
    pub(super) fn column_of(&self, label: &[Term]) -> Option<(usize, f32)> {
        self.0.get(&key(label)).copied()
    }
}

/// The best of some columns, where it is good enough and better than the next.
fn clear(mut scored: Vec<(usize, f32)>) -> Option<(usize, f32)> {
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let next = scored.get(1).map_or(0.0, |(_, score)| *score);
    scored
        .first()
        .copied()
        .filter(|(_, best)| *best >= ALIKE && *best > next)
}

/// What labels are compared by: their stems.
pub(super) fn key(terms: &[Term]) -> String {
    let stems: Vec<&str> = terms.iter().map(|term| term.stem.as_str()).collect();
    stems.join(" ")
}

/// The terms of a name without those that only say that it is a time or a number, unless it has no others.
pub(super) fn core(name: &str) -> Vec<Term> {
    let all = terms(name);
    let specific: Vec<Term> = all.iter().filter(|term| !term.is_generic()).cloned().collect();
    if specific.is_empty() { all } else { specific }
}
