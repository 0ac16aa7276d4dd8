//! Names that mostly modify ("the *American* singer") rather than denote: they are linked but state nothing.

use crate::reading::Reading;
use banyan_engine::fact::EntityKey;
use banyan_engine::index::term;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Endings of English adjectives of origin. A name with another ending is never a modifier: verbs follow names, too.
const ENDINGS: &[&str] = &["an", "ch", "ean", "ek", "ese", "ian", "ic", "ish", "man"];

/// The keys of single-word names with such an ending of whose mentions at least half stand right before a lower-case
/// word that carries meaning. Cost O(mentions).
pub(crate) fn find(readings: &[Reading]) -> BTreeSet<EntityKey> {
    let mut counts: BTreeMap<&EntityKey, (usize, usize)> = BTreeMap::new();
    for reading in readings {
        let text = reading.parsed.text();
        let inside = reading.mentions.iter().filter(|mention| mention.span.end > 0);
        for mention in inside.filter(|mention| is_candidate(&mention.entity)) {
            let slot = counts.entry(&mention.entity).or_default();
            slot.0 += 1;
            slot.1 += usize::from(modifies(&text[mention.span.end as usize..]));
        }
    }
    let modifiers = counts.into_iter().filter(|(_, (all, modifying))| 2 * modifying >= *all);
    modifiers.map(|(key, _)| Arc::clone(key)).collect()
}

fn is_candidate(key: &str) -> bool {
    !key.contains(' ')
        && ENDINGS
            .iter()
            .any(|ending| key.len() > ending.len() + 1 && key.ends_with(ending))
}

/// Whether a noun or adjective in lower case follows after one space.
fn modifies(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(' ') else {
        return false;
    };
    let word: String = rest.chars().take_while(|ch| ch.is_alphanumeric()).collect();
    word.starts_with(char::is_lowercase) && !term::is_stop_word(&word) && !word.ends_with("ed")
}
