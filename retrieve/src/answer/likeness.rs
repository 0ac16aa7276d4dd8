//! How like the words of a passage are to those of a sub-question, by static token vectors: "wed" to "married".

use super::ask::Ask;
use crate::searcher::Searcher;
use banyan_engine::embed::{StaticEmbedder, dot, normalize};
use std::cell::RefCell;
use std::collections::HashMap;
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

/// What was compared for one question: steps ask with the same words of the same passages.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Words asked, with their vectors.
    asked: Vec<(String, Vec<f32>)>,
    /// Words of passages with their vectors and their likeness to each of `asked`, as far as it is known.
    words: HashMap<String, (Vec<f32>, Vec<Option<f32>>)>,
}

impl Compared {
    /// Position of a word among those asked.
    fn position(&mut self, embedder: &StaticEmbedder, word: &str) -> usize {
        let known = self.asked.iter().position(|(own, _)| own == word);
        known.unwrap_or_else(|| {
            self.asked.push((word.to_owned(), vector(embedder, word)));
            self.asked.len() - 1
        })
    }

    /// Likeness of a word to words asked, by their positions, 0..=1.
    fn likes(&mut self, embedder: &StaticEmbedder, word: &str, positions: impl Iterator<Item = usize>) -> Vec<f32> {
        if !self.words.contains_key(word) {
            self.words.insert(word.to_owned(), (vector(embedder, word), Vec::new()));
        }
        let Some((own, known)) = self.words.get_mut(word) else {
            return Vec::new();
        };
        known.resize(self.asked.len(), None);
        let like = |at: usize| {
            let of = |other: &[f32]| ((dot(own, other) - UNLIKE) / (1.0 - UNLIKE)).clamp(0.0, 1.0);
            *known[at].get_or_insert_with(|| of(&self.asked[at].1))
        };
        positions.map(like).collect()
    }
}

/// The words of one sub-question, and how like the words of passages are to them.
pub(crate) struct Likeness<'a> {
    embedder: Option<&'a StaticEmbedder>,
    compared: Rc<RefCell<Compared>>,
    /// Positions among the words compared, in the order of [`Ask::focus`].
    focus: Vec<usize>,
    noun: Option<usize>,
    known: RefCell<HashMap<String, Rc<Like>>>,
}

impl<'a> Likeness<'a> {
    /// The words of `ask`, beside what was compared before. Without token vectors nothing is like anything.
    pub(crate) fn new(searcher: &'a Searcher, ask: &Ask, compared: &Rc<RefCell<Compared>>) -> Self {
        let embedder = searcher.tokens();
        let position = |word: &str| embedder.map(|embedder| compared.borrow_mut().position(embedder, word));
        let spelled = |term: &String| position(ask.spelled.get(term).unwrap_or(term));
        Self {
            embedder,
            focus: ask.focus.keys().filter_map(spelled).collect(),
            noun: ask.noun.as_deref().and_then(position),
            compared: Rc::clone(compared),
            known: RefCell::default(),
        }
    }

    /// How like a word in lower case is; each pair of words is compared once a question. Cost O(d · words asked).
    pub(crate) fn of(&self, word: &str) -> Rc<Like> {
        let Some(embedder) = self.embedder else {
            return Rc::default();
        };
        if let Some(known) = self.known.borrow().get(word) {
            return Rc::clone(known);
        }
        let positions = self.focus.iter().chain(&self.noun).copied();
        let mut focus = self.compared.borrow_mut().likes(embedder, word, positions);
        let noun = if self.noun.is_some() { focus.pop() } else { None };
        let found = Rc::new(Like {
            focus,
            noun: noun.unwrap_or(0.0),
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
