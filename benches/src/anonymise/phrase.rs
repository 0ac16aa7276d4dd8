//! The words of a sentence that a question may repeat.

use super::tag;
use super::text::Anonymised;
use banyan_engine::Span;
use banyan_engine::index::term;
use banyan_extract::word;
use std::ops::Range;

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
    let mut bare = String::new();
    let mut at = 0;
    for tag in tag::find(words) {
        bare.push_str(&words[at..tag.start]);
        bare.push(' ');
        at = tag.end;
    }
    bare.push_str(&words[at..]);
    let n_han = bare.chars().filter(|ch| term::is_ideograph(*ch)).count();
    let is_content = |word: &str| word.chars().count() >= MIN_CHARS && !term::is_stop_word(&word.to_lowercase());
    n_han >= 2 || bare.split(|ch: char| !ch.is_alphanumeric()).any(is_content)
}

/// Content words of `sentence` outside `besides`, in order, each once; names are left out. Offsets are those of the old
/// text, whose names `new` tells.
pub(super) fn about(old: &str, sentence: Span, besides: Range<usize>, new: &Anonymised) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in word::words(old, sentence) {
        let range = word.span.start as usize..word.span.end as usize;
        let is_besides = range.start < besides.end && besides.start < range.end;
        let spelled = word.of(old);
        let is_han = spelled.starts_with(term::is_ideograph);
        let n_chars = spelled.chars().count();
        let is_long = if is_han { n_chars >= 2 } else { n_chars >= MIN_CHARS };
        let is_plain =
            spelled.chars().all(char::is_alphanumeric) && (is_han || spelled.starts_with(char::is_lowercase));
        let is_content = is_long && is_plain && !term::is_stop_word(spelled);
        if is_content && !is_besides && new.entries(range).next().is_none() && !found.iter().any(|one| one == spelled) {
            found.push(spelled.to_owned());
        }
    }
    found
}
