//! Questions from paths: who is behind a tag, and which of four tags stands at the end (Youtu-GraphRAG, appendix B).
//!
//! Everything a question says is what the corpus states: a chain of triples, each by the words that join its two names.
//! A question of k hops follows k triples through k + 1 entities.

use super::path::Step;
use super::{Anonymised, CORPUS, Dictionary};
use crate::draw::Draw as Random;
use banyan::eval::anonyrag::{GoldPlace, N_OPTIONS};
use banyan_engine::index::term;
use banyan_extract::tag::Tag;
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
pub(super) enum Kind {
    /// The original name behind each tag.
    AnonymityReversion,
    /// One of four tags.
    MultipleChoice,
}

/// A question as a line of a set's `questions.jsonl`: no names, which are in the key alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    /// Unique in the set.
    pub(super) id: String,
    pub(super) query_type: Kind,
    /// Triples on the path.
    pub(super) hops: usize,
    pub(super) question: String,
    /// The letter of a multiple choice; for a reversion the tags to be named, one a line (`PERSON#3`).
    pub(super) answer: String,
    pub(super) relations: Vec<String>,
    pub(super) entities: Vec<Tag>,
    /// Where the corpus states it, one place a hop.
    pub(super) gold: Vec<GoldPlace>,
}

#[derive(Clone, Debug)]
pub(super) struct Draw {
    /// Numbers of hops.
    pub(super) hops: RangeInclusive<usize>,
    pub(super) n: usize,
    pub(super) seed: u64,
}

/// Draws questions, as evenly as there are paths over hops and both kinds; fewer where the graph does not give more.
/// The same for the same arguments. Cost O(n · tries).
pub(super) fn draw(dictionary: &Dictionary, texts: &[Anonymised], steps: &[Step], draw: &Draw) -> Vec<Line> {
    let mut deck = Deck::new(dictionary, texts, steps, draw.seed);
    let kinds = [Kind::MultipleChoice, Kind::AnonymityReversion];
    let both = |hops| kinds.map(|kind| (hops, kind));
    let mut open: Vec<(usize, Kind)> = draw.hops.clone().flat_map(both).collect();
    let mut drawn: Vec<Line> = Vec::new();
    while drawn.len() < draw.n && !open.is_empty() {
        open.retain(|(hops, kind)| {
            let is_wanted = drawn.len() < draw.n;
            let found = (0..MAX_TRIES).find_map(|_| deck.attempt(*hops, *kind).filter(|_| is_wanted));
            let is_found = found.is_some();
            drawn.extend(found);
            is_found
        });
    }
    drawn.sort_by_key(|line| (line.hops, line.query_type));
    for (number, line) in (1..).zip(&mut drawn) {
        line.id = format!("q{number:04}");
    }
    drawn
}

struct Deck<'a> {
    dictionary: &'a Dictionary,
    texts: &'a [Anonymised],
    steps: &'a [Step],
    /// Entry → steps that it is an end of.
    around: BTreeMap<usize, Vec<usize>>,
    entries: Vec<usize>,
    is_chinese: bool,
    random: Random,
    asked: BTreeSet<(Kind, Vec<usize>)>,
    /// Entry → questions that it answers.
    answers: BTreeMap<usize, usize>,
}

impl<'a> Deck<'a> {
    fn new(dictionary: &'a Dictionary, texts: &'a [Anonymised], steps: &'a [Step], seed: u64) -> Self {
        let mut around: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, step) in steps.iter().enumerate() {
            around.entry(step.first).or_default().push(number);
            around.entry(step.second).or_default().push(number);
        }
        Self {
            dictionary,
            texts,
            steps,
            entries: around.keys().copied().collect(),
            around,
            // The text of the first step's document tells the language.
            is_chinese: steps.first().is_some_and(|step| is_chinese(&texts[step.document].text)),
            random: Random::new(seed),
            asked: BTreeSet::new(),
            answers: BTreeMap::new(),
        }
    }

    fn attempt(&mut self, hops: usize, kind: Kind) -> Option<Line> {
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
        Some(self.line(kind, &path, &entries, &options))
    }

    /// Four entries of one kind in random order, one of them right. The others stand in no triple with what the last
    /// hop is from; those that the text names around the last statement come first, then those that it names as often.
    fn options(&mut self, path: &[usize], entries: &[usize]) -> Option<Vec<usize>> {
        let answer = *entries.last()?;
        let (before, last) = (entries[entries.len() - 2], &self.steps[*path.last()?]);
        let joined = self.around.get(&before)?.iter();
        let joined: BTreeSet<usize> = joined.map(|step| self.steps[*step].other(before)).collect();
        let all = self.dictionary.entries();
        let is_like = |entry: &usize| {
            all[*entry].tag.label == all[answer].tag.label && !joined.contains(entry) && !entries.contains(entry)
        };
        let mut near = self.near(last);
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
            options.push(from.swap_remove(self.random.below(from.len())));
        }
        self.random.shuffle(&mut options);
        Some(options)
    }

    /// Entries that a document names around a statement but not in it, each once, the closest first. Cost O(names).
    fn near(&self, step: &Step) -> Vec<usize> {
        let (start, end) = step.sentence;
        let named = self.texts[step.document].replaced.iter();
        let apart = named.map(|name| {
            (
                start
                    .saturating_sub(name.tag.end)
                    .max(name.tag.start.saturating_sub(end)),
                name.entry,
            )
        });
        let mut near: Vec<(usize, usize)> = apart.filter(|(apart, _)| *apart <= REACH).collect();
        near.sort_unstable();
        let mut seen = BTreeSet::new();
        near.retain(|(apart, entry)| seen.insert(*entry) && *apart > 0);
        near.into_iter().map(|(_, entry)| entry).collect()
    }

    fn line(&self, kind: Kind, path: &[usize], entries: &[usize], options: &[usize]) -> Line {
        let tag = |entry: &usize| self.dictionary.entries()[*entry].tag.clone();
        let is_choice = kind == Kind::MultipleChoice;
        let called = |place: usize| {
            if is_choice && place > 0 {
                format!("X{place}")
            } else {
                tag(&entries[place]).to_string()
            }
        };
        let steps: Vec<&Step> = path.iter().map(|step| &self.steps[*step]).collect();
        let statement = |(at, step): (usize, &&Step)| {
            let (here, there) = (called(at), called(at + 1));
            let is_onward = step.first == entries[at];
            let (first, second) = if is_onward { (here, there) } else { (there, here) };
            if self.is_chinese {
                format!("{first}“{}”{second}", step.words)
            } else {
                format!("{first} \"{}\" {second}", step.words)
            }
        };
        let statements: Vec<String> = steps.iter().enumerate().map(statement).collect();
        let asked = self.asked(is_choice, &statements, &called(path.len()));
        let options: Vec<Tag> = options.iter().map(tag).collect();
        let lettered = || ('A'..).zip(&options);
        let lines = lettered().map(|(letter, option)| format!("\n{letter}. {option}"));
        let asked: String = std::iter::once(asked).chain(lines).collect();
        let entities: Vec<Tag> = entries.iter().map(tag).collect();
        let letter = lettered().find(|(_, option)| entities.last() == Some(option));
        let names = || entities.iter().map(Tag::bare).collect::<Vec<_>>().join("\n");
        Line {
            id: String::new(),
            query_type: kind,
            hops: path.len(),
            // What joins statements must not make a name of their words.
            question: self.dictionary.anonymise(&asked).text,
            answer: letter.map_or_else(names, |(letter, _)| letter.to_string()),
            relations: steps.iter().map(|step| step.relation.clone()).collect(),
            gold: steps.iter().map(|step| self.place(step)).collect(),
            entities,
        }
    }

    /// The question over a chain of statements, without options.
    fn asked(&self, is_choice: bool, statements: &[String], last: &str) -> String {
        let said = statements.join(if self.is_chinese { "；" } else { "; " });
        match (self.is_chinese, is_choice) {
            (false, true) => format!("The text states, with X for those to be found: {said}. Who or what is {last}?"),
            (false, false) => format!(
                "The text states: {said}. Who is {last}, and who or what are the others? Name the original of each tag."
            ),
            (true, true) => format!("原文说（X代表待求的人或物）：{said}。{last}是谁或是什么？"),
            (true, false) => format!("原文说：{said}。{last}是谁？其余各是谁或是什么？请写出每个标签的原名。"),
        }
    }

    /// The sentence that states a step, in the file that is written.
    fn place(&self, step: &Step) -> GoldPlace {
        let (start, end) = step.sentence;
        GoldPlace {
            file: CORPUS.to_owned(),
            record: Some(super::set::id(step.document)),
            start,
            end,
            quote: self.texts[step.document]
                .text
                .get(start..end)
                .unwrap_or_default()
                .to_owned(),
        }
    }
}

/// Whether a third of a text's letters are ideographs.
fn is_chinese(text: &str) -> bool {
    let letters = text.chars().filter(|ch| ch.is_alphabetic());
    let (n, n_han) = letters.fold((0, 0), |(n, han), ch| {
        (n + 1, han + usize::from(term::is_ideograph(ch)))
    });
    3 * n_han > n
}
