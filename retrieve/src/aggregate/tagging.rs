//! A question as labelled runs of words: literals, names that the records hold, keywords and columns.

use super::catalogue::{Catalogue, ColumnView, value_words};
use super::keyword::{Ask, Keyword, MAX_WORDS, Measure, degree, keyword, named};
use banyan_engine::name;
use banyan_engine::table::Kind;
use banyan_extract::record::literal::{days, numbers, unit_of};
use banyan_extract::record::term::{Term, coverage, likeness, terms, terms_of, words as words_of};
use banyan_extract::stem::stem;

/// Least fit of a column: one word of a name of two has .67, one of three .5. `goals` are not `top_scorer_goals`.
const LEAST: f32 = 0.6;
/// Share of a flag's name that has to be said: `won` does not ask whether the host won.
const FLAG: f32 = 0.6;
/// From this share of a run on, a column's name and description explain the run. Below 1 by what a derived word lacks.
const EXPLAINED: f32 = 0.79;
/// Longest run of terms that names one column.
const MAX_TERMS: usize = 5;
/// What a description is worth beside a name: the least.
const DESCRIPTION: f32 = LEAST;
/// What a column of another table is worth less than the table's own. Arbitrary; enough to prefer the own one of two that
/// fit alike.
const JOINED: f32 = 0.1;
/// By how much one column has to fit better than the next to be meant for certain. Arbitrary.
const MARGIN: f32 = 0.01;

#[derive(Clone, Debug)]
struct Word {
    text: String,
    lower: String,
    start: usize,
    end: usize,
}

/// What a run of words means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Label {
    Keyword(Keyword),
    /// What a record is called.
    Record,
    /// Columns, best first, with how well they fit.
    Column(Vec<(usize, f32)>),
    /// A value as the records write it, with the columns that have it.
    Value {
        text: String,
        columns: Vec<usize>,
    },
    Number {
        value: f64,
        unit: String,
    },
    Year(u16),
    Date(String),
    /// A word that means nothing here.
    Unknown,
}

#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) label: Label,
    pub(super) text: String,
}

/// Labels a question: literals first, then names of several words, nouns for records, names of one word, keywords,
/// columns. Cost O(words · (columns + log values)).
pub(super) fn tag(question: &str, catalogue: &Catalogue) -> Vec<Run> {
    let words = words(question);
    let mut tagger = Tagger {
        taken: vec![None; words.len()],
        words: &words,
        catalogue,
    };
    tagger.names();
    tagger.literals(question);
    tagger.values(2);
    tagger.records();
    tagger.values(1);
    tagger.keywords();
    tagger.columns();
    let mut runs = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (to, label) = tagger.taken[at].clone().unwrap_or((at + 1, Label::Unknown));
        let texts: Vec<&str> = words[at..to].iter().map(|word| word.text.as_str()).collect();
        runs.push(Run {
            label,
            text: texts.join(" "),
        });
        at = to;
    }
    runs
}

struct Tagger<'a> {
    words: &'a [Word],
    /// The end of the run that a word begins, and its label; words within a run have the same.
    taken: Vec<Option<(usize, Label)>>,
    catalogue: &'a Catalogue,
}

impl Tagger<'_> {
    fn is_free(&self, from: usize, to: usize) -> bool {
        from < to && to <= self.taken.len() && self.taken[from..to].iter().all(Option::is_none)
    }

    fn take(&mut self, from: usize, to: usize, label: Label) {
        if self.is_free(from, to) {
            self.taken[from..to].fill(Some((to, label)));
        }
    }

    fn lower(&self, from: usize, to: usize) -> Vec<String> {
        self.words[from..to].iter().map(|word| word.lower.clone()).collect()
    }

    /// Columns whose names of several words stand in the question word by word: `price per night`.
    fn names(&mut self) {
        let stems: Vec<String> = self.words.iter().map(|word| stem(&word.lower)).collect();
        let views = self.catalogue.columns.iter().enumerate();
        let names = views
            .map(|(at, view)| (words_of(&view.column.name), at))
            .filter(|(name, _)| name.len() > 1);
        let mut names: Vec<(Vec<String>, usize)> = names.collect();
        names.sort_by_key(|(name, at)| (std::cmp::Reverse(name.len()), *at));
        for (name, column) in names {
            let name: Vec<String> = name.iter().map(|word| stem(word)).collect();
            for from in
                (0..(stems.len() + 1).saturating_sub(name.len())).filter(|from| stems[*from..].starts_with(&name))
            {
                self.take(from, from + name.len(), Label::Column(vec![(column, 1.0)]));
            }
        }
    }

    fn literals(&mut self, question: &str) {
        let words = self.words;
        let covered = |start: u32, end: u32| {
            let from = words.iter().position(|word| word.end > start as usize);
            let to = words.iter().position(|word| word.start >= end as usize);
            (from.unwrap_or(words.len()), to.unwrap_or(words.len()))
        };
        for day in days(question).into_iter().filter(|day| day.year.is_some()) {
            let (from, to) = covered(day.span.start, day.span.end);
            self.take(from, to, Label::Date(day.iso()));
        }
        for number in numbers(question).into_iter().filter(|number| !number.is_ordinal) {
            let (from, to) = covered(number.span.start, number.span.end);
            let unit = number.unit.of(question).to_owned();
            let is_year = number.span.of(question).len() == 4 && (1000.0..2200.0).contains(&number.value);
            // `the 1990s` are no year.
            if is_year && question[number.span.end as usize..].starts_with(char::is_alphabetic) {
                continue;
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "from 1000 to 2199"
            )]
            let label = if is_year && number.value.fract() == 0.0 && unit_of(&unit).is_none() {
                Label::Year(number.value as u16)
            } else {
                Label::Number {
                    value: number.value,
                    unit: unit.clone(),
                }
            };
            // "one of" and "which one" count nothing.
            if !number.span.of(question).eq_ignore_ascii_case("one") {
                self.take(from, to + self.unit_at(to), label);
            }
        }
    }

    /// How many words from here on are a unit: two of `18 nautical miles`, none of `18 rooms`.
    fn unit_at(&self, from: usize) -> usize {
        let own = |unit: &str| {
            self.catalogue
                .columns
                .iter()
                .any(|view| view.column.unit.as_deref() == Some(unit))
        };
        let is_unit = |n: &usize| {
            let end = from + n;
            end <= self.words.len() && {
                let phrase = self.lower(from, end).join(" ");
                own(&phrase) || unit_of(&phrase).is_some()
            }
        };
        [2, 1].into_iter().find(is_unit).unwrap_or(0)
    }

    /// Values of the records of at least so many words, longest first. One of one word that a column is called is meant
    /// only where it is written as a name, and a name is not meant by a common word.
    fn values(&mut self, min_words: usize) {
        let keys: Vec<Vec<String>> = self.words.iter().map(|word| value_words(&word.text)).collect();
        for n in (min_words..=self.catalogue.max_words.min(self.words.len())).rev() {
            for from in 0..=self.words.len() - n {
                let Some(known) = self.catalogue.values.get(&keys[from..from + n].concat()) else {
                    continue;
                };
                let is_capital = self.words[from].text.starts_with(char::is_uppercase);
                let is_common = || {
                    let own = terms_of(&self.lower(from, from + 1));
                    let mut views = self.catalogue.columns.iter();
                    own.is_empty() || views.any(|view| coverage(&own, &view.terms) > EXPLAINED)
                };
                let is_name = known.text.starts_with(char::is_uppercase);
                if n > 1 || (is_capital && from > 0) || (!is_name && !is_common()) {
                    let columns = known.columns.keys().copied().collect();
                    let text = known.text.clone();
                    self.take(from, from + n, Label::Value { text, columns });
                }
            }
        }
    }

    /// Words that call a record what it is: `annual reports`, `hotels`.
    fn records(&mut self) {
        let stems: Vec<String> = self.words.iter().map(|word| stem(&word.lower)).collect();
        for noun in &self.catalogue.nouns {
            for from in 0..(stems.len() + 1).saturating_sub(noun.len()) {
                let to = from + noun.len();
                // `List` asks, whatever a record is called.
                if *noun == stems[from..to] && (from > 0 || keyword(&self.words[0].lower, 0).is_none()) {
                    self.take(from, to, Label::Record);
                }
            }
        }
    }

    /// Phrases that say what to do, longest first. A word of a column's own name is none: `average_rating`.
    fn keywords(&mut self) {
        for n in (1..=MAX_WORDS).rev() {
            for from in 0..(self.words.len() + 1).saturating_sub(n) {
                let phrase = self.lower(from, from + n).join(" ");
                if let Some(found) = keyword(&phrase, from)
                    && (n > 1 || found == Keyword::Small || !self.is_named(from))
                {
                    self.take(from, from + n, Label::Keyword(found));
                }
            }
        }
        for at in 1..self.words.len() {
            let asks = self.words[at - 1].lower == "how" && self.is_free(at - 1, at + 1);
            // `How tall is …` asks for a height.
            let asked = degree(&self.words[at].lower)
                .filter(|_| asks)
                .and_then(|degree| degree.measure)
                // How old something is, is no year.
                .filter(|measure| !measure.is_time);
            if let Some(column) = asked.and_then(|measure| measured(measure, self.catalogue)) {
                self.take(at - 1, at, Label::Keyword(Keyword::Ask(Ask::What)));
                self.take(at, at + 1, Label::Column(vec![(column, 1.0)]));
            }
        }
    }

    /// Whether a word and a neighbour are both in the name of one column.
    fn is_named(&self, at: usize) -> bool {
        let neighbours = [at.checked_sub(1), Some(at + 1).filter(|next| *next < self.words.len())];
        let own = stem(&self.words[at].lower);
        let others: Vec<String> = neighbours
            .iter()
            .flatten()
            .map(|at| stem(&self.words[*at].lower))
            .collect();
        self.catalogue.columns.iter().any(|view| {
            let has = |stem: &String| {
                view.terms
                    .iter()
                    .any(|term| term.stem.split(' ').any(|part| part == stem))
            };
            has(&own) && others.iter().any(|other| *other != own && has(other))
        })
    }

    /// Columns: the longest runs of terms that the name or description of one explains as a whole.
    fn columns(&mut self) {
        let free =
            |term: &Term, taken: &[Option<(usize, Label)>]| taken[term.start..term.end].iter().all(Option::is_none);
        let all: Vec<Term> = terms_of(&self.lower(0, self.words.len()));
        let all: Vec<Term> = all.into_iter().filter(|term| free(term, &self.taken)).collect();
        let mut at = 0;
        while at < all.len() {
            let longest = (1..=MAX_TERMS.min(all.len() - at)).rev().find_map(|n| {
                let run = &all[at..at + n];
                let is_run = run.windows(2).all(|pair| self.is_gap(pair[0].end, pair[1].start));
                let found = if is_run {
                    candidates(run, self.catalogue)
                } else {
                    Vec::new()
                };
                (!found.is_empty()).then_some((n, found))
            });
            let by_measure = || {
                let measure = named(&self.words[all[at].start].lower)?;
                Some((1, vec![(measured(measure, self.catalogue)?, LEAST)]))
            };
            let Some((n, found)) = longest.or_else(by_measure) else {
                if matches!(all[at].stem.as_str(), "name" | "number" | "count" | "amount") {
                    self.take(all[at].start, all[at].end, Label::Keyword(Keyword::Small));
                }
                at += 1;
                continue;
            };
            let (from, to) = (all[at].start, all[at + n - 1].end);
            self.taken[from..to].fill(Some((to, Label::Column(found))));
            at += n;
        }
    }

    /// Whether only words of grammar stand between two positions.
    fn is_gap(&self, from: usize, to: usize) -> bool {
        let is_small = |taken: &Option<(usize, Label)>| matches!(taken, Some((_, Label::Keyword(Keyword::Small))));
        to - from <= 2 && self.taken[from..to].iter().all(is_small)
    }
}

/// The columns whose name or description explains all of a run, best first.
fn candidates(run: &[Term], catalogue: &Catalogue) -> Vec<(usize, f32)> {
    let is_called_so = |view: &ColumnView| {
        let stems = |terms: &[Term]| terms.iter().map(|term| term.stem.clone()).collect::<Vec<_>>();
        stems(&view.terms) == stems(run)
    };
    let is_generic = run.iter().all(Term::is_generic);
    let fit = |view: &ColumnView| {
        // "The amount of" is of anything, unless a column is called so.
        if is_generic && !is_called_so(view) {
            return 0.0;
        }
        let is_flag = view.column.kind == Kind::Boolean;
        let is_said =
            coverage(run, &terms(&view.column.name)) >= EXPLAINED && (!is_flag || coverage(&view.terms, run) >= FLAG);
        let by_name = if is_said { likeness(&view.terms, run) } else { 0.0 };
        let by_description = if coverage(run, &view.description) >= EXPLAINED {
            DESCRIPTION
        } else {
            0.0
        };
        by_name.max(by_description) - if view.join.is_some() { JOINED } else { 0.0 }
    };
    let fits = catalogue.columns.iter().map(fit).enumerate();
    let mut found: Vec<(usize, f32)> = fits.filter(|(_, fit)| *fit >= LEAST).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found
}

/// The column of these that is of a fitting kind and fits better than all others of such a kind.
pub(super) fn certain(found: &[(usize, f32)], catalogue: &Catalogue, fits: impl Fn(Kind) -> bool) -> Option<usize> {
    let mut fitting = found.iter().filter(|(column, _)| fits(catalogue.kind(*column)));
    let (column, fit) = fitting.next()?;
    fitting
        .next()
        .is_none_or(|(_, next)| fit - next > MARGIN)
        .then_some(*column)
}

/// The column that says what an adjective measures: by name, else the only one of its dimension or in time.
pub(super) fn measured(measure: &Measure, catalogue: &Catalogue) -> Option<usize> {
    let fits = |kind: Kind| {
        if measure.is_time {
            kind.is_time()
        } else {
            kind.is_number()
        }
    };
    let mut names = measure.names.split(' ').map(|name| candidates(&terms(name), catalogue));
    let named = names.find_map(|found| certain(&found, catalogue, fits));
    let has_dimension = |at: usize| {
        let unit = catalogue.columns[at].column.unit.as_deref().and_then(unit_of);
        unit.is_some_and(|unit| unit.dimension == measure.dimension)
    };
    let dimensioned = || {
        let mut all = (0..catalogue.columns.len()).filter(|at| has_dimension(*at));
        all.next().filter(|_| all.next().is_none())
    };
    let timed = || catalogue.only(Kind::is_time).filter(|_| measure.is_time);
    named.or_else(dimensioned).or_else(timed)
}

/// The words of a question, `'s` apart from what has it.
fn words(question: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut start = None;
    for (at, ch) in question.char_indices().chain([(question.len(), ' ')]) {
        let next_is_digit = question[at..].chars().nth(1).is_some_and(|next| next.is_ascii_digit());
        let before_is_digit = question[..at].ends_with(|before: char| before.is_ascii_digit());
        let in_number = matches!(ch, '.' | ',') && before_is_digit && next_is_digit;
        let is_joint = matches!(ch, '_' | '\'' | '’') && start.is_some();
        let in_word = ch.is_alphanumeric() || in_number || is_joint || name::is_sign(question, at);
        match (start, in_word) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                let whole = &question[begin..at];
                let mut ends = ["'s", "’s", "'", "’"].iter();
                let text = ends.find_map(|end| whole.strip_suffix(end)).unwrap_or(whole);
                words.push(Word {
                    text: text.to_owned(),
                    lower: name::plain(text),
                    start: begin,
                    end: begin + text.len(),
                });
                start = None;
            }
            _ => {}
        }
    }
    words
}
