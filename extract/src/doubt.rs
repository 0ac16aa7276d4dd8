//! Words by which a sentence does not say that what it tells of is so.

use crate::stem::stem;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Words beside a verb of what is not so, or not said to be so; sorted.
const UNREAL: [&str; 22] = [
    "allegedly",
    "almost",
    "barely",
    "could",
    "hardly",
    "if",
    "may",
    "maybe",
    "might",
    "must",
    "nearly",
    "never",
    "perhaps",
    "possibly",
    "probably",
    "rarely",
    "reportedly",
    "seldom",
    "should",
    "supposedly",
    "unless",
    "would",
];

/// Words that deny what they stand beside, short forms of "not" apart.
const DENIALS: &[&str] = &[
    "not", "never", "neither", "nor", "without", "no", "nobody", "cannot", "不", "不再", "不是", "从未", "尚未",
    "并未", "并非", "无", "未", "未曾", "没", "没有",
];

/// Words by which something was so, or will be, only at times or in part.
const AT_TIMES: &[&str] = &[
    "until", "till", "once", "only", "will", "shall", "whether", "soon", "formerly", "longer",
];

/// Stems of verbs whose complement is not done by that, or not yet, or only said.
static UNDONE: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let verbs = "aim ask attempt avoid claim consider debate decline deny discuss expect fail forbid hope intend offer \
                 oppose plan prefer prohibit promise propose recommend refuse reject request suggest suppose threaten \
                 try want wish";
    verbs.split_whitespace().map(stem).collect()
});

/// Whether a lower-case word says that what a verb beside it tells is not so, or not sure.
pub fn is_unreal(word: &str) -> bool {
    UNREAL.binary_search(&word).is_ok()
}

/// Whether a lower-case word denies what it stands beside.
pub fn denies(word: &str) -> bool {
    DENIALS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t")
}

/// Whether a lower-case word says that something is so only at times or in part, or will be.
pub fn is_at_times(word: &str) -> bool {
    AT_TIMES.contains(&word)
}

/// Whether a lower-case verb leaves what its complement tells undone or open: "refused to marry", "discussed using".
pub fn leaves_undone(verb: &str) -> bool {
    UNDONE.contains(&stem(verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_doubted_is_not_so() {
        assert!(UNREAL.is_sorted());
        assert!(is_unreal("might") && !is_unreal("will"));
        assert!(denies("didn’t") && denies("没有") && !denies("note"));
        assert!(is_at_times("until") && !is_at_times("while"));
        assert!(leaves_undone("refused") && leaves_undone("hoping") && !leaves_undone("began"));
    }
}
