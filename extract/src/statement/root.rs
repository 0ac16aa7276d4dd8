//! What the inflections and derivations of a word share.

use crate::stem::stem;

/// Endings that remain after stemming, each with the shortest rest it may leave.
const ENDINGS: &[(&str, usize)] = &[("er", 4), ("or", 4), ("at", 5), ("it", 5)];

/// The root under which the reader compares words: `founder`, `founded` and `foundation` share `found`.
pub(crate) fn root(word: &str) -> String {
    let mut root = stem(word);
    let cut = ENDINGS
        .iter()
        .find(|(end, rest)| root.len() >= end.len() + rest && root.ends_with(end))
        .map_or(0, |(end, _)| end.len());
    if root.is_ascii() {
        root.truncate(root.len() - cut);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivations_share_their_root() {
        for group in [
            ["founder", "founded", "foundation"],
            ["director", "directed", "direction"],
            ["composer", "composed", "composition"],
            ["leader", "leads", "leading"],
        ] {
            let roots: Vec<_> = group.iter().map(|word| root(word)).collect();
            assert!(roots.iter().all(|other| *other == roots[0]), "{roots:?}");
        }
        assert_eq!(root("river"), "river");
    }
}
