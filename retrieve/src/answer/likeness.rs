//! How like the words of a passage are to those of a sub-question, by static token vectors: "wed" to "married".

use super::ask::Ask;
use crate::searcher::Searcher;
use banyan_engine::embed::{StaticEmbedder, dot, normalize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Cosine below which two words have nothing in common. Arbitrary: most pairs of common words lie below it.
const UNLIKE: f32 = 0.3;

/// Likenesses of one word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Like {
    /// To each word of the sub-question, in the order of [`Ask::focus`], 0..=1.
    pub(crate) focus: Vec<f32>,
    /// To the noun asked for.
    pub(crate) noun: f32,
}

/// The words of one sub-question as vectors, and what was compared with them.
pub(crate) struct Likeness<'a> {
    embedder: Option<&'a StaticEmbedder>,
    /// In the order of [`Ask::focus`].
    focus: Vec<Vec<f32>>,
    noun: Option<Vec<f32>>,
    known: RefCell<BTreeMap<String, Rc<Like>>>,
}

impl<'a> Likeness<'a> {
    /// The words of `ask`. Without token vectors nothing is like anything.
    pub(crate) fn new(searcher: &'a Searcher, ask: &Ask) -> Self {
        let embedder = searcher.tokens();
        let vector = |word: &str| embedder.map_or_else(Vec::new, |embedder| vector(embedder, word));
        let spelled = |term: &String| vector(ask.spelled.get(term).unwrap_or(term));
        Self {
            embedder,
            focus: ask.focus.keys().map(spelled).collect(),
            noun: ask.noun.as_ref().map(|noun| vector(noun)),
            known: RefCell::default(),
        }
    }

    /// How like a word in lower case is; each word is compared once. Cost O(d · words asked).
    pub(crate) fn of(&self, word: &str) -> Rc<Like> {
        let Some(embedder) = self.embedder else {
            return Rc::default();
        };
        if let Some(known) = self.known.borrow().get(word) {
            return Rc::clone(known);
        }
        let own = vector(embedder, word);
        let like = |other: &Vec<f32>| ((dot(&own, other) - UNLIKE) / (1.0 - UNLIKE)).clamp(0.0, 1.0);
        let found = Rc::new(Like {
            focus: self.focus.iter().map(like).collect(),
            noun: self.noun.as_ref().map_or(0.0, like),
        });
        self.known.borrow_mut().insert(word.to_owned(), Rc::clone(&found));
        found
    }
}

/// The unit vector of a word; zeros where no token of it is known.
fn vector(embedder: &StaticEmbedder, word: &str) -> Vec<f32> {
    let mut sum = vec![0.0; banyan_engine::embed::Embedder::dimension(embedder)];
    for token in embedder.tokenizer().encode(word) {
        let part = embedder.token(token);
        sum.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
    }
    normalize(&mut sum);
    sum
}
