//! Questions from paths: who is behind a tag, and which of four tags stands at the end (Youtu-GraphRAG, appendix B).
//!
//! Everything a question says is what the corpus states: a chain of triples, each by the words that join its two names.
//! A question of k hops follows k triples through k + 1 entities.

use super::dictionary::Dictionary;
use super::path::{Reading, Step};
use super::tag::Tag;
use banyan::eval::anonyrag::{GoldPlace, N_OPTIONS};
use banyan::eval::metric::Draw as Random;
use banyan_engine::index::term;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Beginnings that are tried for a question before a number of hops is given up. Arbitrary.
const MAX_TRIES: usize = 2_000;
/// Questions that one entity may be the answer of. Arbitrary: hubs would answer most.
const MAX_ANSWERS: usize = 4;
/// How far around a statement others of its kind are looked for, in bytes. Arbitrary: about two pages.
const REACH: usize = 4_000;
/// Entities nearest in the text or in frequency among which wrong options are drawn. Arbitrary.
const N_LIKE: usize = 12;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The original name behind each tag.
    AnonymityReversion,
    /// One of four tags.
    MultipleChoice,
}

/// The language that a question is put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    Eng,
    /// Chinese.
    Chs,
}

impl Language {
    /// The language of a text: Chinese where a third of its letters are ideographs. O(length).
    pub fn of(text: &str) -> Self {
        let letters = text.chars().filter(|ch| ch.is_alphabetic());
        let (n, n_han) = letters.fold((0, 0), |(n, han), ch| {
            (n + 1, han + usize::from(term::is_ideograph(ch)))
        });
        if 3 * n_han > n { Self::Chs } else { Self::Eng }
    }
}

/// A question with what is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The question as it is written, without its id and places.
    pub line: Line,
    /// The tags to choose from, under A, B, C, D; none for a reversion.
    pub options: Vec<Tag>,
    /// The tag at the end of the path.
    pub answer: Tag,
    /// The sentences that state it: document by position, and bytes of its anonymised text; one a hop.
    pub gold: Vec<(usize, usize, usize)>,
}

/// A question as a line of a set's `questions.jsonl`: no names, which are in the key alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Unique in the set.
    pub id: String,
    /// What is asked for.
    pub query_type: Kind,
    /// Triples on the path.
    pub hops: usize,
    /// The question's language.
    pub language: Language,
    /// The question, with its options where it has some.
    pub question: String,
    /// The letter of a multiple choice; for a reversion the tags to be named, one a line (`PERSON#3`).
    pub answer: String,
    /// Relations along the path.
    pub relations: Vec<String>,
    /// Entities along the path.
    pub entities: Vec<Tag>,
    /// Where the corpus states it, one place a hop.
    pub gold: Vec<GoldPlace>,
}

impl Drawn {
    /// The question of this number, with the places that `find` gives for its sentences.
    pub(crate) fn line(self, number: usize, find: impl Fn((usize, usize, usize)) -> Option<GoldPlace>) -> Line {
        Line {
            id: format!("q{number:04}"),
            gold: self.gold.into_iter().filter_map(find).collect(),
            ..self.line
        }
    }
}

/// Which questions are drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Numbers of hops.
    pub hops: RangeInclusive<usize>,
    /// Questions, of all of them together.
    pub n: usize,
    /// Seed of the draw.
    pub seed: u64,
}

/// Draws questions, as evenly as there are paths over hops and both kinds; fewer where the graph does not give more.
/// The same for the same arguments. Cost O(n · tries).
pub fn draw(dictionary: &Dictionary, reading: &Reading, steps: &[Step], draw: &Draw) -> Vec<Drawn> {
    let mut deck = Deck::new(dictionary, reading, steps, draw);
    let n = draw.n;
    let lengths: Vec<usize> = draw.hops.clone().collect();
    let mut open: Vec<(usize, Kind)> = lengths
        .iter()
        .flat_map(|length| [(*length, Kind::MultipleChoice), (*length, Kind::AnonymityReversion)])
        .collect();
    let mut drawn = Vec::new();
    while drawn.len() < n && !open.is_empty() {
        open.retain(|(length, kind)| {
            if drawn.len() >= n {
                return true;
            }
            let found = deck.draw(*length, *kind);
            let is_found = found.is_some();
            drawn.extend(found);
            is_found
        });
    }
    drawn.sort_by_key(|question: &Drawn| (question.line.hops, question.line.query_type));
    drawn
}

struct Deck<'a> {
    dictionary: &'a Dictionary,
    reading: &'a Reading,
    steps: &'a [Step],
    /// Entry → steps that it is an end of.
    around: BTreeMap<usize, Vec<usize>>,
    entries: Vec<usize>,
    language: Language,
    random: Random,
    /// Paths that were asked about.
    asked: BTreeSet<(Kind, Vec<usize>)>,
    /// Entry → questions that it answers.
    answers: BTreeMap<usize, usize>,
}

impl<'a> Deck<'a> {
    fn new(dictionary: &'a Dictionary, reading: &'a Reading, steps: &'a [Step], draw: &Draw) -> Self {
        let mut around: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, step) in steps.iter().enumerate() {
            around.entry(step.first).or_default().push(number);
            around.entry(step.second).or_default().push(number);
        }
        // The text of the first step's document tells the language.
        let text = steps
            .first()
            .map_or("", |step| reading.text(step.document).text.as_str());
        Self {
            dictionary,
            reading,
            steps,
            entries: around.keys().copied().collect(),
            around,
            language: Language::of(text),
            random: Random::new(draw.seed),
            asked: BTreeSet::new(),
            answers: BTreeMap::new(),
        }
    }

    fn draw(&mut self, hops: usize, kind: Kind) -> Option<Drawn> {
        (0..MAX_TRIES).find_map(|_| self.attempt(hops, kind))
    }

    fn attempt(&mut self, hops: usize, kind: Kind) -> Option<Drawn> {
        let start = *self.entries.get(self.random.below(self.entries.len()))?;
        let mut entries = vec![start];
        let mut path: Vec<usize> = Vec::new();
        for _ in 0..hops {
            let here = entries[entries.len() - 1];
            let is_new = |step: &&usize| !entries.contains(&self.steps[**step].other(here));
            let onward: Vec<usize> = self.around.get(&here)?.iter().filter(is_new).copied().collect();
            let step = *onward.get(self.random.below(onward.len()))?;
            path.push(step);
            entries.push(self.steps[step].other(here));
        }
        let answer = entries[entries.len() - 1];
        let used = self.answers.get(&answer).copied().unwrap_or(0);
        if used >= MAX_ANSWERS || self.asked.contains(&(kind, path.clone())) {
            return None;
        }
        let options = match kind {
            Kind::MultipleChoice => self.options(&path, &entries)?,
            Kind::AnonymityReversion => Vec::new(),
        };
        *self.answers.entry(answer).or_default() += 1;
        self.asked.insert((kind, path.clone()));
        Some(self.put(kind, &path, &entries, &options))
    }

    /// Four entries of one kind in random order, one of them right. The others stand in no triple with what the last hop is
    /// from; those that the text names around the last statement come first, then those that it names as often.
    fn options(&mut self, path: &[usize], entries: &[usize]) -> Option<Vec<usize>> {
        let answer = *entries.last()?;
        let (before, last) = (entries[entries.len() - 2], &self.steps[*path.last()?]);
        let joined: BTreeSet<usize> = self
            .around
            .get(&before)?
            .iter()
            .map(|step| self.steps[*step].other(before))
            .collect();
        let all = self.dictionary.entries();
        let is_like = |entry: &usize| {
            all[*entry].tag.label == all[answer].tag.label && !joined.contains(entry) && !entries.contains(entry)
        };
        let mut near: Vec<usize> = self.reading.around(last.document, last.sentence, REACH);
        near.retain(is_like);
        near.truncate(N_LIKE);
        let mut like: Vec<usize> = self.entries.iter().copied().filter(is_like).collect();
        like.retain(|entry| !near.contains(entry));
        like.sort_by_key(|entry| (all[*entry].n.abs_diff(all[answer].n), *entry));
        like.truncate(N_LIKE);
        if near.len() + like.len() < N_OPTIONS - 1 {
            return None;
        }
        let mut options = vec![answer];
        while options.len() < N_OPTIONS {
            let from = if near.is_empty() { &mut like } else { &mut near };
            let drawn = self.random.below(from.len());
            options.push(from.swap_remove(drawn));
        }
        for last in (1..options.len()).rev() {
            let other = self.random.below(last + 1);
            options.swap(last, other);
        }
        Some(options)
    }

    fn put(&self, kind: Kind, path: &[usize], entries: &[usize], options: &[usize]) -> Drawn {
        let tag = |entry: &usize| self.dictionary.entries()[*entry].tag.clone();
        let is_choice = kind == Kind::MultipleChoice;
        let called = |place: usize| match place {
            0 => tag(&entries[0]).to_string(),
            place if is_choice => format!("X{place}"),
            place => tag(&entries[place]).to_string(),
        };
        let steps: Vec<&Step> = path.iter().map(|step| &self.steps[*step]).collect();
        let statement = |(at, step): (usize, &&Step)| {
            let (here, there) = (called(at), called(at + 1));
            let is_onward = step.first == entries[at];
            let (first, second) = if is_onward { (here, there) } else { (there, here) };
            match self.language {
                Language::Eng => format!("{first} \"{}\" {second}", step.words),
                Language::Chs => format!("{first}“{}”{second}", step.words),
            }
        };
        let statements: Vec<String> = steps.iter().enumerate().map(statement).collect();
        let options: Vec<Tag> = options.iter().map(tag).collect();
        let asked = ask(self.language, kind, &statements, &called(path.len()), &options);
        // What joins statements must not make a name of their words.
        let question = self.dictionary.anonymise(&asked).text;
        let entities: Vec<Tag> = entries.iter().map(tag).collect();
        let answer = tag(&entries[entries.len() - 1]);
        let letter = ('A'..).zip(&options).find(|(_, option)| **option == answer);
        let names = || entities.iter().map(Tag::bare).collect::<Vec<_>>().join("\n");
        Drawn {
            line: Line {
                id: String::new(),
                query_type: kind,
                hops: path.len(),
                language: Language::of(&question),
                answer: letter.map_or_else(names, |(letter, _)| letter.to_string()),
                relations: steps.iter().map(|step| step.relation.clone()).collect(),
                question,
                entities,
                gold: Vec::new(),
            },
            options,
            answer,
            gold: (steps.iter())
                .map(|step| (step.document, step.sentence.0, step.sentence.1))
                .collect(),
        }
    }
}

/// The whole question over a chain of statements, with its options.
fn ask(language: Language, kind: Kind, statements: &[String], last: &str, options: &[Tag]) -> String {
    let asked = match (language, kind) {
        (Language::Eng, Kind::MultipleChoice) => format!(
            "The text states, with X for those to be found: {}. Who or what is {last}?",
            statements.join("; ")
        ),
        (Language::Eng, Kind::AnonymityReversion) => format!(
            "The text states: {}. Who is {last}, and who or what are the others? Name the original of each tag.",
            statements.join("; ")
        ),
        (Language::Chs, Kind::MultipleChoice) => format!(
            "原文说（X代表待求的人或物）：{}。{last}是谁或是什么？",
            statements.join("；")
        ),
        (Language::Chs, Kind::AnonymityReversion) => format!(
            "原文说：{}。{last}是谁？其余各是谁或是什么？请写出每个标签的原名。",
            statements.join("；")
        ),
    };
    let lines = ('A'..)
        .zip(options)
        .map(|(letter, option)| format!("\n{letter}. {option}"));
    std::iter::once(asked).chain(lines).collect()
}
