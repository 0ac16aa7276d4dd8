//! Sentences of passages, with what speaks for each as numbers: by these passages are ranked, and answers found.

use crate::question::{Expected, Question};
use crate::searcher::Searcher;
use banyan_engine::embed::{StaticEmbedder, dot, normalize};
use banyan_engine::index::term;
use banyan_engine::name::words;
use banyan_engine::schema::ValueKind;
use banyan_engine::{ChunkId, EntityId, Span};
use banyan_extract::literal::literals;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// How many features there are.
pub const N_FEATURES: usize = 17;

/// Positions in [`Row`].
pub(crate) const EXACT: usize = 0;
pub(crate) const ALIKE: usize = 1;
pub(crate) const NEIGHBOURS: usize = 2;
pub(crate) const TITLE: usize = 4;
pub(crate) const SECTION: usize = 5;
pub(crate) const UNKNOWN: usize = 7;
pub(crate) const FITS: usize = 8;
pub(crate) const LACKS: usize = 9;
pub(crate) const SCORE: usize = 10;
/// Position of `near`.
pub const NEAR: usize = 16;

/// The features of one sentence. "Share" is that of the question's words, weighted by rarity; "alike" counts a word by the cosine of the
/// nearest word's vector, where there are vectors.
///
/// | name | what it is |
/// |---|---|
/// | exact | share that the sentence holds |
/// | alike | share that the sentence, its title and its headings hold, or words alike |
/// | neighbours | how much more the sentences beside it hold, or words alike |
/// | next | share that only the next sentence holds |
/// | title | share that only the document's title holds |
/// | section | share that only the headings hold |
/// | passage | share that the passage's sentences hold |
/// | unknown | share that neither passage nor title nor headings hold |
/// | fits | 1 where it has a value of the kind asked for, or names something new of the type asked for |
/// | lacks | 1 where such a kind is asked for and it has no such value, or nothing new with a capital |
/// | score | 1 for the best passage, less with the logarithm of its odds, at least 0; 0 before the passages are ranked |
/// | length | logarithm of its words |
/// | asks | 1 for a question |
/// | unfinished | 1 without a mark that ends a sentence |
/// | names | new words with a capital, a quarter each, at most 1 |
/// | weakest | as `alike`, for the word of the question that is held least |
/// | near | cosine of the question's vector to that of title, headings and sentence together; 0 where it was not compared |
pub type Row = [f32; N_FEATURES];

/// A sentence of the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// The passage that it stands in.
    pub chunk: ChunkId,
    /// Where in its document.
    pub span: Span,
    /// What speaks for it, by [`Row`].
    pub row: Row,
    /// Its share of exp(w · x) among the sentences that it was ranked with, 0..=1.
    pub share: f32,
}

impl Sentence {
    /// Score of its passage times the share of the question's words that it or its title holds.
    pub(crate) fn support(&self) -> f32 {
        self.row[SCORE] * (0.1 + self.row[EXACT] + self.row[TITLE])
    }
}

impl Sentence {
    /// What is stated by it: with the list that it introduces, where one follows in its passage.
    pub fn stated(&self, searcher: &Searcher) -> Span {
        let knowledge = searcher.knowledge();
        let chunk = knowledge.chunk(self.chunk);
        let text = &knowledge.document(chunk.document).text;
        let rest = Span {
            start: self.span.end,
            end: chunk.span.end,
        }
        .of(text);
        let list = rest.trim_start();
        let begins = |line: &str| {
            line.starts_with('•')
                || line
                    .trim_start_matches(|ch: char| ch.is_ascii_digit())
                    .starts_with(". ")
        };
        if !self.span.of(text).ends_with(':') || !begins(list) {
            return self.span;
        }
        let end = list.find("\n\n").unwrap_or(list.len());
        let end = rest.len() - list.len() + list[..end].trim_end().len();
        self.span.to(Span::new(0, self.span.end as usize + end))
    }
}

/// Passages that are read by one thread, which looks at each of their words once. Arbitrary.
const N_TOGETHER: usize = 4;
/// Least rarity of a word, so that common words count a little.
const LEAST_RARITY: f32 = 0.1;

/// The words of a question, and how alike other words are to them.
#[derive(Clone)]
struct Asked<'a> {
    terms: Vec<String>,
    /// Share of each term; shares sum to 1.
    shares: Vec<f32>,
    /// Unit vector of the word of each term; none without vectors.
    vectors: Vec<Vec<f32>>,
    embedder: Option<&'a StaticEmbedder>,
    /// What the words seen so far hold.
    known: HashMap<String, Held>,
    lower: BTreeSet<String>,
    expected: Expected,
}

/// For each term of a question how far a text holds it: 1 and 1 where it does, else 0 and how near the nearest word
/// comes, 0..=1.
#[derive(Clone)]
struct Held(Vec<[f32; 2]>);

impl Held {
    fn join(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = [own[0].max(other[0]), own[1].max(other[1])];
        }
    }

    fn exact(&self, term: usize) -> f32 {
        self.0[term][0]
    }

    fn alike(&self, term: usize) -> f32 {
        self.0[term][1]
    }
}

impl<'a> Asked<'a> {
    fn new(searcher: &Searcher, question: &Question, embedder: Option<&'a StaticEmbedder>) -> Self {
        let mut asked = Self {
            terms: Vec::new(),
            shares: Vec::new(),
            vectors: Vec::new(),
            embedder,
            known: HashMap::new(),
            lower: words(&question.text).map(str::to_lowercase).collect(),
            expected: Expected::of(&question.text, &searcher.knowledge().schema),
        };
        for word in words(&question.text) {
            for term in term::terms(word) {
                if !asked.terms.contains(&term) {
                    asked.shares.push(searcher.passages().idf(&term).max(LEAST_RARITY));
                    asked.vectors.extend(embedder.map(|embedder| vector(embedder, word)));
                    asked.terms.push(term);
                }
            }
        }
        let total: f32 = asked.shares.iter().sum();
        asked
            .shares
            .iter_mut()
            .for_each(|share| *share /= total.max(f32::MIN_POSITIVE));
        asked
    }

    /// What a text holds of the question. Each of its words is looked at once a question.
    fn read(&mut self, text: &str) -> Held {
        let mut all = self.nothing();
        for word in text.split_whitespace() {
            if let Some(known) = self.known.get(word) {
                all.join(known);
            } else {
                let held = self.look_at(word);
                all.join(&held);
                self.known.insert(word.to_owned(), held);
            }
        }
        all
    }

    fn nothing(&self) -> Held {
        Held(vec![[0.0; 2]; self.terms.len()])
    }

    /// What stands between two spaces.
    fn look_at(&self, word: &str) -> Held {
        let mut held = self.nothing();
        for term in term::terms(word) {
            if let Some(at) = self.terms.iter().position(|asked| *asked == term) {
                held.0[at] = [1.0, 1.0];
            }
        }
        let Some(embedder) = self.embedder else {
            return held;
        };
        for part in words(word) {
            let lower = part.to_lowercase();
            if !term::is_stop_word(&lower) {
                let own = vector(embedder, &lower);
                for ([_, alike], asked) in held.0.iter_mut().zip(&self.vectors) {
                    *alike = alike.max(dot(asked, &own));
                }
            }
        }
        held
    }

    /// The share of the question of words that count so much each.
    fn share(&self, counts: impl Fn(usize) -> f32) -> f32 {
        let shares = self.shares.iter().enumerate();
        shares.map(|(at, share)| share * counts(at)).sum()
    }

    /// Whether a sentence has what is asked for, and whether it lacks it; neither where no kind of thing is asked for.
    fn fits(
        &self,
        searcher: &Searcher,
        named: &[(Span, EntityId)],
        text: &str,
        span: Span,
        n_names: usize,
    ) -> [bool; 2] {
        let has = |kind| {
            let has = literals(text, span).iter().any(|literal| literal.serves(kind));
            [has, !has]
        };
        match self.expected {
            Expected::Date => has(ValueKind::Date),
            Expected::Number => has(ValueKind::Number),
            Expected::Entity(wanted) => {
                let graph = &searcher.knowledge().graph;
                let is_new = |place: Span| words(place.of(text)).any(|word| !self.lower.contains(&word.to_lowercase()));
                let inside = named
                    .iter()
                    .filter(|(place, _)| place.end > place.start && span.contains(*place));
                let mut new = inside.filter(|(place, _)| is_new(*place));
                [
                    new.any(|(_, entity)| graph.entity(*entity).entity_type == wanted),
                    n_names == 0,
                ]
            }
            Expected::YesNo | Expected::Any => [false; 2],
        }
    }
}

/// The sentences of passages with what speaks for each, in their order; the passages' scores are not known yet. Words are
/// alike by their vectors where the question has one, else not at all. Cost O(words of the passages · words of the
/// question).
pub fn sentences(searcher: &Searcher, question: &Question, chunks: &[ChunkId]) -> Vec<Sentence> {
    let tokens = searcher.tokens().filter(|_| question.vector.is_some());
    let asked = Asked::new(searcher, question, tokens);
    let read = |chunks: &[ChunkId]| {
        let (mut asked, mut found) = (asked.clone(), Vec::new());
        for chunk in chunks {
            of_passage(searcher, &mut asked, *chunk, &mut found);
        }
        found
    };
    let groups: Vec<Vec<Sentence>> = chunks.par_chunks(N_TOGETHER).map(read).collect();
    groups.into_iter().flatten().collect()
}

fn of_passage(searcher: &Searcher, asked: &mut Asked<'_>, id: ChunkId, found: &mut Vec<Sentence>) {
    let knowledge = searcher.knowledge();
    let chunk = knowledge.chunk(id);
    let document = knowledge.document(chunk.document);
    let title = asked.read(&document.title);
    let spans = searcher.sentences(id);
    let held: Vec<Held> = spans.iter().map(|span| asked.read(span.of(&document.text))).collect();
    let named = match asked.expected {
        Expected::Entity(_) => searcher.mentions_in(id),
        _ => Vec::new(),
    };
    let none = asked.nothing();
    let mut passage = asked.nothing();
    for sentence in &held {
        passage.join(sentence);
    }
    let mut headings: Option<(String, Held)> = None;
    for (at, span) in spans.iter().enumerate() {
        let text = span.of(&document.text);
        let path = document.section(span.start);
        if headings.as_ref().is_none_or(|(known, _)| *known != path) {
            let held = asked.read(&path);
            headings = Some((path, held));
        }
        let section = headings.as_ref().map_or(&none, |(_, held)| held);
        let own = &held[at];
        let before = at.checked_sub(1).map_or(&none, |before| &held[before]);
        let next = held.get(at + 1).unwrap_or(&none);
        let around = |word: usize| title.exact(word).max(section.exact(word));
        let near = |word: usize| own.alike(word).max(around(word));
        let n_words = words(text).count();
        let new = words(text)
            .skip(1)
            .filter(|word| word.starts_with(char::is_uppercase) && !asked.lower.contains(&word.to_lowercase()));
        let n_names = new.take(4).count();
        let [fits, lacks] = asked.fits(searcher, &named, &document.text, *span, n_names);
        let end = text.trim_end_matches(['"', '\'', ')', ']', '”', '’', '*', '_', '`']);
        let row = [
            asked.share(|word| own.exact(word)),
            asked.share(near),
            asked.share(|word| (before.alike(word).max(next.alike(word)) - own.alike(word)).max(0.0)),
            asked.share(|word| next.exact(word) * (1.0 - own.exact(word))),
            asked.share(|word| title.exact(word) * (1.0 - own.exact(word))),
            asked.share(|word| section.exact(word) * (1.0 - own.exact(word)) * (1.0 - title.exact(word))),
            asked.share(|word| passage.exact(word)),
            asked.share(|word| 1.0 - passage.exact(word).max(around(word))),
            on(fits),
            on(lacks),
            0.0,
            (1.0 + n_words as f32).ln(),
            on(end.ends_with(['?', '？'])),
            on(!end.ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '；'])),
            n_names as f32 / 4.0,
            (0..asked.terms.len()).map(near).fold(1.0, f32::min),
            0.0,
        ];
        found.push(Sentence {
            chunk: id,
            span: *span,
            row,
            share: 0.0,
        });
    }
}

/// The unit vector of a word.
fn vector(embedder: &StaticEmbedder, word: &str) -> Vec<f32> {
    let mut sum = vec![0.0; embedder.token(0).len()];
    embedder.tokenizer().for_each(word, |token| {
        sum.iter_mut()
            .zip(embedder.token(token))
            .for_each(|(sum, value)| *sum += value);
    });
    normalize(&mut sum);
    sum
}

fn on(is: bool) -> f32 {
    f32::from(u8::from(is))
}
