//! How a corpus uses its words: what is mostly lower case, or mostly tagged as something else than a name, is a common
//! word, wherever a capital stands.

use crate::analysis::Analysis;
use crate::grammar::Pos;
use banyan_engine::index::term;
use rayon::prelude::*;
use std::collections::HashMap;

/// Share of lower-case uses above which a capitalised word is hardly ever a name. Arbitrary: five in six.
const RARELY: usize = 5;

/// How often a word is used, and as what.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// As a common word: by its tag, else in lower case.
    common: usize,
    /// As a name: by its tag, else with a capital that no sentence gives it.
    name: usize,
    /// As a verb.
    verb: usize,
    /// As part of what a recogniser takes for a name.
    recognised: usize,
    /// In lower case.
    lower: usize,
    /// As a name amid other words, where nothing but a name gives it its capital.
    inner: usize,
}

/// How each word is used in a corpus.
#[derive(Clone, Debug, Default)]
pub struct CaseCounts {
    counts: HashMap<String, Uses>,
}

impl CaseCounts {
    /// Counts over all documents. Cost O(words), in parallel.
    pub fn new(documents: &[&Analysis]) -> Self {
        let counts = documents
            .par_iter()
            .map(|parsed| count(parsed))
            .reduce(HashMap::new, merge);
        Self { counts }
    }

    /// Whether the word is a common word at least half as often as a name, or is a function word.
    pub fn is_common(&self, word: &str) -> bool {
        let uses = self.of(word);
        2 * uses.common > uses.name || is_function_word(word)
    }

    /// Whether the word is so often a common word that a capital hardly makes it a name.
    pub fn is_rarely_a_name(&self, word: &str) -> bool {
        let uses = self.of(word);
        uses.common > RARELY * uses.name || is_function_word(word)
    }

    /// Whether a tagged word is a name somewhere by more than its place: amid other words, or mostly by a recogniser
    /// where the corpus never writes it in lower case.
    pub(crate) fn is_proved(&self, word: &str) -> bool {
        let uses = self.of(word);
        uses.inner > 0 || (2 * uses.recognised > uses.name && uses.lower == 0)
    }

    /// Whether a recogniser took the word for a name somewhere.
    pub(crate) fn is_recognised(&self, word: &str) -> bool {
        self.of(word).recognised > 0
    }

    /// Whether the corpus uses the word, and never as a name.
    pub(crate) fn is_never_a_name(&self, word: &str) -> bool {
        let uses = self.of(word);
        uses.common > 0 && uses.name == 0
    }

    /// Whether the word is more often a verb than anything else: at the start of a sentence it may be an order
    /// ("*Update* Kestrel") whatever its tag.
    pub(crate) fn is_verb(&self, word: &str) -> bool {
        let uses = self.of(word);
        2 * uses.verb > uses.common + uses.inner
    }

    fn of(&self, word: &str) -> Uses {
        // "that's" is as common as "that".
        let bare = word.split(['\'', '’']).next().unwrap_or(word);
        self.counts.get(&bare.to_lowercase()).copied().unwrap_or_default()
    }
}

/// Whether a word belongs to the closed classes, or is contracted with one ("don't", "I'll"; not "O'Neill").
fn is_function_word(word: &str) -> bool {
    let (stem, tail) = word.split_once(['\'', '’']).unwrap_or((word, ""));
    term::is_stop_word(&stem.to_lowercase()) || matches!(tail, "t" | "ll" | "re" | "ve" | "d" | "m")
}

fn count(parsed: &Analysis) -> HashMap<String, Uses> {
    let mut counts: HashMap<String, Uses> = HashMap::new();
    let text = parsed.text();
    for (sentence, words) in &parsed.sentences {
        if parsed.is_heading(*sentence) || parsed.is_code(*sentence) {
            continue;
        }
        for (position, word) in words.iter().enumerate() {
            let before = position.checked_sub(1).map(|before| words[before].span.end);
            let gap = before.and_then(|end| text.get(end as usize..word.span.start as usize));
            let is_inner = gap.is_some_and(|gap| gap.chars().all(char::is_whitespace));
            let uses = counts.entry(word.of(text).to_lowercase()).or_default();
            uses.lower += usize::from(!word.is_capitalised);
            uses.verb += usize::from(word.pos == Pos::Verb);
            match word.is_tagged_name() {
                Some(true) => {
                    uses.name += 1;
                    uses.recognised += usize::from(word.kind.is_name());
                    uses.inner += usize::from(is_inner);
                }
                Some(false) => uses.common += 1,
                None if !word.is_capitalised => uses.common += 1,
                None if position > 0 => uses.name += 1,
                None => {}
            }
        }
    }
    counts
}

fn merge(mut into: HashMap<String, Uses>, from: HashMap<String, Uses>) -> HashMap<String, Uses> {
    if into.len() < from.len() {
        return merge(from, into);
    }
    #[allow(clippy::iter_over_hash_type, reason = "sums of counts do not depend on the order")]
    for (word, other) in from {
        let uses = into.entry(word).or_default();
        uses.common += other.common;
        uses.verb += other.verb;
        uses.name += other.name;
        uses.recognised += other.recognised;
        uses.lower += other.lower;
        uses.inner += other.inner;
    }
    into
}
