//! The words of a sentence that a question may repeat.

use super::text::replaced;
use banyan_engine::index::term;

/// Shortest word between spaces that says something. Arbitrary.
const MIN_CHARS: usize = 4;

/// Whether the words read on from a name to the next: no speech begins or ends between them, and no name is cut.
pub(super) fn is_plain(words: &str) -> bool {
    let is_mark = |ch: char| {
        matches!(
            ch,
            '"' | '“' | '”' | '「' | '」' | '!' | '?' | '！' | '？' | '。' | ';' | '；'
        )
    };
    !words.contains(is_mark) && !words.starts_with(['-', '\'', '’', '.']) && !words.ends_with('-')
}

/// Whether the words say more than that two names stand together: at least one is no function word and no name.
pub(super) fn has_content(words: &str) -> bool {
    let bare = replaced(words, |_| Some(" "));
    let n_han = bare.chars().filter(|ch| term::is_ideograph(*ch)).count();
    let is_content = |word: &str| word.chars().count() >= MIN_CHARS && !term::is_stop_word(&word.to_lowercase());
    n_han >= 2 || bare.split(|ch: char| !ch.is_alphanumeric()).any(is_content)
}
