//! Chinese by a trained tagger, LAC (Jiao, Sun and Sun 2018): words, parts of speech and names of one sentence.
//!
//! Characters become numbers, a network that somebody else runs weighs a label for each, and the best sequence of labels
//! under a table of transitions is cut into words. Nothing here knows a word of Chinese.

use crate::grammar::{Kind, Pos};
use crate::parse::ParseError;
use crate::tag;
use crate::word::Word;
use banyan_engine::Span;
use banyan_engine::script::is_han;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};

/// Least share of Chinese characters among the letters and digits of a sentence that is read as Chinese. Below it they
/// are glosses ("Beijing (北京)"); in three English sets every such gloss lies below .15.
const MIN_CHINESE: f32 = 0.2;
/// Characters that the network reads at once, in sentences of one length, so that nothing is padded. On one core single
/// sentences were read at 25,000 characters a second, such batches at 42,000, and four times as many at 46,000.
const BATCH: usize = 128;
/// The key of any character that the table lacks.
const UNKNOWN: &str = "OOV";

/// Weighs labels: the numbers of the characters of some sentences, all of the length given, one after the other, to a
/// weight of each label for each character, `(characters, labels)`.
pub type Encoder = Box<dyn Fn(&[i64], usize) -> Result<Vec<f32>, String> + Send + Sync>;

/// The contents of the tagger's tables.
#[derive(Clone, Copy, Debug)]
pub struct ChineseBytes<'a> {
    /// `word.dic`: lines of number, tab, character.
    pub characters: &'a str,
    /// `tag.dic`: lines of number, tab, label; the later of two labels with one number counts.
    pub labels: &'a str,
    /// `q2b.dic`: lines of a character, tab, the one that is read for it (half-width, simplified).
    pub forms: &'a str,
    /// The weights of one label after another, `(labels, labels)` f32 as numpy writes them.
    pub transitions: &'a [u8],
}

/// What a label says of the character that carries it.
#[derive(Clone, Copy, Debug)]
struct Label {
    begins: bool,
    pos: Pos,
    kind: Kind,
}

/// A word: one past its last byte in the sentence, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    end: u32,
    pos: Pos,
    kind: Kind,
}

/// A tagger, ready to read.
pub struct Chinese {
    id: String,
    numbers: HashMap<char, i64>,
    unknown: i64,
    labels: Vec<Label>,
    /// Labels that the network weighs; the first of them have a meaning.
    n_labels: usize,
    transitions: Vec<f32>,
    encoder: Encoder,
}

impl Debug for Chinese {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        to.debug_tuple("Chinese").field(&self.id).finish()
    }
}

impl Chinese {
    /// A tagger called `id`; equal ids must give the same words of the same sentence.
    ///
    /// # Errors
    /// [`ParseError`] for tables that are broken or do not go together.
    pub fn new(id: impl Into<String>, bytes: &ChineseBytes<'_>, encoder: Encoder) -> Result<Self, ParseError> {
        let (n_labels, transitions) = matrix(bytes.transitions).ok_or_else(|| {
            ParseError::new(
                "transitions",
                "a square matrix of '<f4' in .npy",
                format!("{} bytes", bytes.transitions.len()),
            )
        })?;
        let mut labels: Vec<Option<Label>> = vec![None; n_labels];
        for (number, name) in rows("labels", bytes.labels)? {
            let place = number.parse().ok().and_then(|number: usize| labels.get_mut(number));
            *place.ok_or_else(|| ParseError::new("labels", "numbers of the transitions' labels", number))? =
                Some(label(name)?);
        }
        let labels: Vec<Label> = labels.into_iter().map_while(|label| label).collect();
        let mut numbers = HashMap::new();
        let mut unknown = None;
        for (number, name) in rows("characters", bytes.characters)? {
            let number = number
                .parse()
                .map_err(|_| ParseError::new("characters", "a number before each character", number))?;
            if name == UNKNOWN {
                unknown = Some(number);
            } else if let Some(ch) = single(name) {
                numbers.insert(ch, number);
            }
        }
        let read = |ch: &str| single(ch).ok_or_else(|| ParseError::new("forms", "single characters", ch));
        for (written, form) in rows("forms", bytes.forms)? {
            if let Some(number) = numbers.get(&read(form)?).copied() {
                numbers.insert(read(written)?, number);
            }
        }
        let unknown = unknown.ok_or_else(|| ParseError::new("characters", "an entry OOV", "none"))?;
        if labels.is_empty() {
            return Err(ParseError::new("labels", "a label with the number 0", "none"));
        }
        Ok(Self {
            id: id.into(),
            numbers,
            unknown,
            labels,
            n_labels,
            transitions,
            encoder,
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The words of sentences, none for those that are not Chinese. Sentences of one length are read together, in
    /// parallel; which are, depends on nothing but the list. Cost O(length).
    ///
    /// # Errors
    /// What the network says.
    pub(crate) fn read(&self, sentences: &[&str]) -> Result<Vec<Vec<Token>>, String> {
        let lengths: Vec<usize> = sentences.par_iter().map(|text| length(text)).collect();
        let mut order: Vec<usize> = (0..sentences.len()).filter(|at| lengths[*at] > 0).collect();
        order.sort_by_key(|at| (lengths[*at], *at));
        let same = order.chunk_by(|a, b| lengths[*a] == lengths[*b]);
        let batches: Vec<&[usize]> = same
            .flat_map(|same| same.chunks((BATCH / lengths[same[0]]).max(1)))
            .collect();
        let read = |batch: &&[usize]| self.batch(batch.iter().map(|at| sentences[*at]), lengths[batch[0]]);
        let found = batches.par_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut tokens = vec![Vec::new(); sentences.len()];
        for (at, words) in batches.into_iter().flatten().zip(found.into_iter().flatten()) {
            tokens[*at] = words;
        }
        Ok(tokens)
    }

    fn batch<'a>(
        &self,
        sentences: impl Iterator<Item = &'a str> + Clone,
        length: usize,
    ) -> Result<Vec<Vec<Token>>, String> {
        let number = |ch: char| self.numbers.get(&ch).copied().unwrap_or(self.unknown);
        let numbers: Vec<i64> = sentences.clone().flat_map(str::chars).map(number).collect();
        let weights = (self.encoder)(&numbers, length)?;
        let expected = numbers.len() * self.n_labels;
        if weights.len() != expected {
            return Err(format!(
                "the network gave {} weights, expected {expected}",
                weights.len()
            ));
        }
        let weights = weights.chunks_exact(length * self.n_labels);
        Ok(sentences
            .zip(weights)
            .map(|(text, weights)| self.words(text, weights))
            .collect())
    }

    /// Words from the weights of a sentence.
    fn words(&self, text: &str, weights: &[f32]) -> Vec<Token> {
        let mut words: Vec<Token> = Vec::new();
        for ((at, ch), label) in text.char_indices().zip(self.best(weights)) {
            let Label { begins, pos, kind } = self.labels[label];
            let end = Span::new(0, at + ch.len_utf8()).end;
            match words.last_mut().filter(|_| !begins) {
                Some(word) => word.end = end,
                None => words.push(Token { end, pos, kind }),
            }
        }
        words
    }

    /// The likeliest sequence of labels (Viterbi); of equal ones that of smaller numbers.
    fn best(&self, weights: &[f32]) -> Vec<usize> {
        let n = self.labels.len();
        let mut scores = weights[..n].to_vec();
        let mut from: Vec<usize> = Vec::new();
        for weights in weights.chunks_exact(self.n_labels).skip(1) {
            let mut next = vec![f32::NEG_INFINITY; n];
            let mut back = vec![0; n];
            for (before, score) in scores.iter().enumerate() {
                let row = &self.transitions[before * self.n_labels..][..n];
                for (label, transition) in row.iter().enumerate() {
                    if score + transition > next[label] {
                        (next[label], back[label]) = (score + transition, before);
                    }
                }
            }
            scores = next.iter().zip(weights).map(|(score, weight)| score + weight).collect();
            from.extend(back);
        }
        let last = (0..n)
            .rev()
            .max_by(|a, b| scores[*a].total_cmp(&scores[*b]))
            .unwrap_or(0);
        let mut path = vec![last];
        for back in from.chunks_exact(n).rev() {
            path.push(back[path[path.len() - 1]]);
        }
        path.reverse();
        path
    }
}

/// Lays the words of a sentence that begins at `offset` over its words by Unicode, each ideograph one of them.
pub(crate) fn annotate(text: &str, words: Vec<Word>, tokens: &[Token], offset: u32) -> Vec<Word> {
    let mut merged: Vec<Word> = Vec::new();
    let mut last = None;
    for word in words {
        let at = tokens.partition_point(|token| token.end + offset <= word.span.start);
        let token = tokens.get(at).filter(|_| word.of(text).starts_with(is_han));
        let is_same = last == Some(at);
        last = token.map(|_| at);
        match (token, merged.last_mut()) {
            (Some(_), Some(before)) if is_same && before.span.end == word.span.start => before.span.end = word.span.end,
            (Some(token), _) => merged.push(Word {
                is_capitalised: token.kind.is_name(),
                kind: token.kind,
                begins: !is_same,
                pos: token.pos,
                ..word
            }),
            (None, _) => merged.push(word),
        }
    }
    merged
}

/// The number of characters of a sentence that is Chinese: of more than a gloss of it, and without kana; 0 of any other.
pub(crate) fn length(sentence: &str) -> usize {
    let n_han = sentence.chars().filter(|ch| is_han(*ch)).count();
    if n_han == 0 || sentence.contains(|ch| matches!(ch, '\u{3041}'..='\u{30fa}')) {
        return 0;
    }
    let n_tags: usize = tag::find(sentence).iter().map(ExactSizeIterator::len).sum();
    let n_letters = sentence.chars().filter(|ch| ch.is_alphanumeric()).count();
    let is_chinese = n_han as f32 >= MIN_CHINESE * n_letters.saturating_sub(n_tags) as f32;
    if is_chinese { sentence.chars().count() } else { 0 }
}

/// The lines of a table, cut at their tab.
fn rows<'a>(file: &'static str, text: &'a str) -> Result<Vec<(&'a str, &'a str)>, ParseError> {
    let cut = |line: &'a str| {
        line.split_once('\t')
            .ok_or_else(|| ParseError::new(file, "lines with a tab", line))
    };
    text.split_terminator('\n').map(cut).collect()
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// What a label such as `PER-B` says. Titles of works are not taken from it: book marks tell them better.
fn label(name: &str) -> Result<Label, ParseError> {
    let (tag, place) = name.rsplit_once('-').unwrap_or((name, "B"));
    let (pos, kind) = match tag {
        "PER" | "nr" => (Pos::Name, Kind::Person),
        "LOC" | "ns" => (Pos::Name, Kind::Place),
        "ORG" | "nt" => (Pos::Name, Kind::Organisation),
        "nz" => (Pos::Name, Kind::Other),
        "TIME" | "t" => (Pos::Noun, Kind::Value),
        "n" | "nw" | "an" | "vn" | "s" => (Pos::Noun, Kind::Common),
        "a" => (Pos::Adjective, Kind::Common),
        "v" | "vd" => (Pos::Verb, Kind::Common),
        "m" => (Pos::Number, Kind::Common),
        "r" => (Pos::Pronoun, Kind::Common),
        "d" | "ad" => (Pos::Adverb, Kind::Common),
        "p" | "c" | "u" | "f" | "xc" => (Pos::Function, Kind::Common),
        "q" | "w" | "O" => (Pos::Other, Kind::Common),
        _ => return Err(ParseError::new("labels", "a label of LAC", name)),
    };
    let begins = match place {
        "B" => true,
        "I" => false,
        _ => return Err(ParseError::new("labels", "B or I after a hyphen", name)),
    };
    Ok(Label { begins, pos, kind })
}

/// A square matrix of f32 in numpy's format (NEP 1, version 1), row after row, and its size.
fn matrix(bytes: &[u8]) -> Option<(usize, Vec<f32>)> {
    let [low, high, rest @ ..] = bytes.strip_prefix(b"\x93NUMPY\x01\x00")? else {
        return None;
    };
    let (header, data) = rest.split_at_checked(usize::from(u16::from_le_bytes([*low, *high])))?;
    let shape = str::from_utf8(header).ok()?.trim_end();
    let shape = shape.strip_prefix("{'descr': '<f4', 'fortran_order': False, 'shape': (")?;
    let (rows, columns) = shape.strip_suffix("), }")?.split_once(", ")?;
    let n: usize = rows.parse().ok().filter(|_| rows == columns)?;
    let (numbers, rest) = data.as_chunks();
    let is_whole = rest.is_empty() && n.checked_mul(n) == Some(numbers.len());
    is_whole.then(|| (n, numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()))
}

#[cfg(test)]
pub(crate) mod tests;
