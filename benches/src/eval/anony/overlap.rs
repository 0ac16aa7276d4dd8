//! How much of a question stands word for word in the sentences that answer it.

use super::item::Item;
use banyan::eval::metric::Mean;
use banyan_engine::index::term;
use std::collections::BTreeSet;

/// Share of a question's content words, options and tags aside, that its gold places have; `None` without such places or
/// words. What is high can be answered by matching words. Cost O(length).
pub fn overlap(item: &Item) -> Option<f64> {
    let is_word = |term: &String| !term.contains('#');
    let asked: Vec<String> = term::distinct(&item.stem).into_iter().filter(is_word).collect();
    let quotes = item.places.iter().flat_map(|place| term::distinct(&place.quote));
    let quoted: BTreeSet<String> = quotes.collect();
    let n_shared = asked.iter().filter(|word| quoted.contains(*word)).count();
    (!item.places.is_empty() && !asked.is_empty()).then(|| n_shared as f64 / asked.len() as f64)
}

/// The mean of [`overlap`] over the questions that have one; `None` where none has.
pub fn mean_overlap(items: &[Item], seed: u64) -> Option<Mean> {
    let shares: Vec<f64> = items.iter().filter_map(overlap).collect();
    (!shares.is_empty()).then(|| Mean::of(&shares, seed))
}
