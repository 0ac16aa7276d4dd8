//! Nothing is embedded twice: de-duplication and a cache by content hash in front of an [`Embedder`].

use super::{EmbedError, Embedder, FileCache, Vectors};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Texts handed to the embedder at once: a checkpoint and a progress report about every second.
const CHECKPOINT: usize = 256;

/// Content hash of (embedder id, text): the first 16 bytes of their SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// The key under which `text` embedded by `embedder` is remembered.
    pub fn new(embedder: &str, text: &str) -> Self {
        let digest = Sha256::new()
            .chain_update(embedder)
            .chain_update([0])
            .chain_update(text)
            .finalize();
        let mut key = [0; 16];
        key.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        Self(key)
    }
}

/// Embeds `texts` into `(texts.len(), dimension)` f16-rounded rows in the order given, asking the
/// embedder only for distinct texts that the cache does not know, and storing them there as they come.
///
/// `on_progress(done, total)` counts distinct texts that had to be computed; it is not called when there
/// are none, and `ControlFlow::Break` stops after the batch that was just stored.
///
/// # Errors
/// [`EmbedError::Cancelled`] when `on_progress` breaks; what was computed is in the cache, so the next
/// call continues. Otherwise what embedder and cache return.
pub fn embed_all(
    embedder: &dyn Embedder,
    texts: &[&str],
    mut cache: Option<&mut FileCache>,
    on_progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Vectors, EmbedError> {
    let keys: Vec<Key> = texts.iter().map(|text| Key::new(embedder.id(), text)).collect();
    let mut vectors = Vectors::zeros(embedder.dimension(), texts.len());
    let missing = fill_known(&keys, cache.as_deref(), &mut vectors)?;
    let (mut done, total) = (0, missing.len());
    for batch in sorted_by_length(texts, &missing).chunks(CHECKPOINT) {
        let batch_texts: Vec<&str> = batch.iter().map(|places| texts[places[0]]).collect();
        let batch_keys: Vec<Key> = batch.iter().map(|places| keys[places[0]]).collect();
        let rows = compute(embedder, &batch_texts)?;
        if let Some(cache) = &mut cache {
            cache.put(&batch_keys, &rows)?;
        }
        for (places, row) in batch.iter().zip(rows.rows()) {
            places
                .iter()
                .for_each(|&place| vectors.row_mut(place).copy_from_slice(row));
        }
        done += batch.len();
        if on_progress(done, total).is_break() && done < total {
            return Err(EmbedError::Cancelled { done, total });
        }
    }
    Ok(vectors)
}

/// Writes the rows that the cache knows; returns the places of each distinct text that it does not
/// know, in order of first appearance.
fn fill_known(keys: &[Key], cache: Option<&FileCache>, vectors: &mut Vectors) -> Result<Vec<Vec<usize>>, EmbedError> {
    let known = cache.map_or_else(|| Ok(vec![None; keys.len()]), |cache| cache.get(keys))?;
    let mut missing: Vec<Vec<usize>> = Vec::new();
    let mut seen: HashMap<Key, usize> = HashMap::new();
    for (place, (key, row)) in keys.iter().zip(known).enumerate() {
        if let Some(row) = row {
            vectors.row_mut(place).copy_from_slice(&row);
            continue;
        }
        let group = *seen.entry(*key).or_insert(missing.len());
        match missing.get_mut(group) {
            Some(places) => places.push(place),
            None => missing.push(vec![place]),
        }
    }
    Ok(missing)
}

/// Longest first, so that the estimate of the time left errs on the safe side; ties in input order.
fn sorted_by_length<'a>(texts: &[&str], missing: &'a [Vec<usize>]) -> Vec<&'a [usize]> {
    let mut groups: Vec<&[usize]> = missing.iter().map(Vec::as_slice).collect();
    groups.sort_by_key(|places| (std::cmp::Reverse(texts[places[0]].len()), places[0]));
    groups
}

fn compute(embedder: &dyn Embedder, texts: &[&str]) -> Result<Vectors, EmbedError> {
    let mut rows = embedder.embed(texts)?;
    EmbedError::check_width(embedder.dimension(), rows.dimension())?;
    if rows.len() != texts.len() {
        let (expected, found) = (texts.len(), rows.len());
        return Err(EmbedError::Model(format!("expected {expected} vectors, found {found}")));
    }
    rows.round_to_f16();
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts the texts it is asked for; a text's vector is its length.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Embedder for Counting {
        fn id(&self) -> &'static str {
            "counting"
        }

        fn dimension(&self) -> usize {
            1
        }

        fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            Vectors::from_data(1, texts.iter().map(|text| text.len() as f32).collect())
        }
    }

    #[test]
    fn distinct_texts_are_embedded_once_and_a_cancelled_run_keeps_what_it_computed() {
        let directory = tempfile::tempdir().unwrap();
        let mut cache = FileCache::open(&directory.path().join("cache"), "counting", 1).unwrap();
        let embedder = Counting::default();
        let texts: Vec<String> = (0..=2 * CHECKPOINT).map(|i| "x".repeat(i % 400 + 1)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let error = embed_all(&embedder, &texts, Some(&mut cache), &mut |_, _| ControlFlow::Break(())).unwrap_err();
        assert!(matches!(error, EmbedError::Cancelled { done: CHECKPOINT, .. }));
        for _ in 0..2 {
            let rows = embed_all(&embedder, &texts, Some(&mut cache), &mut |_, _| {
                ControlFlow::Continue(())
            });
            let expected: Vec<f32> = texts.iter().map(|text| text.len() as f32).collect();
            assert_eq!(rows.unwrap().as_slice(), expected);
        }
        assert_eq!(embedder.0.load(Ordering::Relaxed), 400);
    }
}
