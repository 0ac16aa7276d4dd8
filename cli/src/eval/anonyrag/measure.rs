//! One set of questions over anonymised texts, in open and reject mode side by side.

use super::answer::{Answerer, Embedded, Given};
use super::item::{EXPECTED, Gold, GoldPlace, Item, items, parse_key};
use super::model::ModelAnswerer;
use crate::corpus::{self, ReadOptions};
use crate::cpu;
use crate::eval::Built;
use crate::eval::metric::rounded;
use crate::eval::model::{reasoned, searched};
use crate::eval::question::{BANYAN, REJECT, SEARCH};
use crate::eval::ranking::rankings;
use crate::eval::records::records;
use crate::eval::report::{Asked, Cost, Part, Source};
use crate::eval::suite::{Bench, Entry, Kind, Work};
use crate::language::{Language, Spent, Worker};
use crate::reasoning::Reasoning;
use anyhow::{Context, Result};
use banyan_engine::llm::LanguageModel;
use banyan_engine::name;
use banyan_extract::tag::Tag;
use banyan_retrieve::reason::{Reasoner, Task};
use banyan_retrieve::{Config as Search, Evidence, Mode, Question, Searcher};
use std::collections::BTreeMap;
use std::path::Path;

/// This kind of set.
pub const KIND: Kind = Kind { name: "anonyrag", open };

/// The key of a set of one's own, beside its questions.
const KEY: &str = "key.json";
/// Passages that are looked at: the paper's top 20.
const TOP_K: usize = 20;
/// Name under which calls are counted, and of the cassette that keeps them unless the user names one.
const STAGE: &str = "anonyrag";
/// What answers without passages are called.
const CLOSED_BOOK: &str = "closed book";

fn open(entry: &Entry) -> Result<Work> {
    let items = read_items(&entry.questions, entry.key.as_deref())?;
    let (name, texts) = (entry.name.clone(), entry.texts()?);
    Ok(Box::new(move |bench| measure(name, &texts, &items, bench)))
}

/// The questions of a file, with the key beside it where there is one.
///
/// # Errors
/// When a file cannot be read, and for the first record that cannot be used.
pub fn read_items(file: &Path, key: Option<&Path>) -> Result<Vec<Item>> {
    let records = records(file, EXPECTED)?;
    let beside = file.with_file_name(KEY);
    let key = match key.or(beside.exists().then_some(&beside)) {
        Some(key) => {
            let place = key.display();
            let json = corpus::text(key)?;
            Some(parse_key(&json).with_context(|| place.to_string())?)
        }
        None => None,
    };
    items(records, key.as_ref()).with_context(|| file.display().to_string())
}

fn measure(name: String, texts: &Path, items: &[Item], bench: &Bench<'_>) -> Result<Part> {
    let is_fresh = cpu::reset_peak();
    let documents = corpus::read(&[texts.to_owned()], &ReadOptions::default(), bench.env)?;
    let Built { searcher, dump, timing } = Built::new(documents, bench.reading, bench)?;
    let mut part = Part {
        set: name,
        source: Source {
            store: dump,
            embedder: bench.embedding.id().to_owned(),
            n_documents: searcher.knowledge().documents.len(),
        },
        questions: items.iter().map(asked).collect(),
        baseline: bench.suite.baseline.clone(),
        cost: Cost::of_build(&timing, is_fresh),
        ..Part::default()
    };
    let embedded = Embedded::new(&searcher);
    let most = bench.suite.k.iter().copied().max().unwrap_or(0);
    let beside = part.set.clone();
    let beside = Path::new(&beside);
    let Found {
        questions,
        searched,
        reasoned,
    } = Found::new(&searcher, items, beside, bench)?;
    let chunks = |evidence: &Evidence| evidence.passages.iter().map(|passage| passage.chunk).collect();
    for (at, (item, question)) in items.iter().zip(&questions).enumerate() {
        bench.env.stop.check()?;
        let found = [(SEARCH, chunks(&searched[at])), (BANYAN, chunks(&reasoned[at]))];
        for (name, ranking) in rankings(&searcher, question).into_iter().chain(found) {
            if name != BANYAN {
                mark(&mut part, name, at, item, &embedded.choose(item, &ranking));
            }
            let n_places = item.places.len();
            let first = ranking.iter().take(most);
            let passages: Vec<String> = first.map(|chunk| searcher.knowledge().passage(*chunk)).collect();
            for k in bench.suite.k.iter().filter(|_| n_places > 0) {
                let first = &passages[..passages.len().min(*k)];
                let stands = |place: &&GoldPlace| first.iter().any(|passage| passage.contains(&place.quote));
                let n_found = item.places.iter().filter(stands).count();
                part.score(name, &format!("recall@{k}"), at, n_found as f64 / n_places as f64);
            }
        }
    }
    let by_method = measure_with(&searcher, beside, bench, |answerer| {
        let ask = |mode| answerer.answer(items, Some(&reasoned), mode);
        let mut given = vec![(BANYAN, ask(Mode::Open)?), (REJECT, ask(Mode::Reject)?)];
        // What only a model can know: the program has nothing but the passages.
        if bench.asking.reasoner != Worker::Embedded {
            given.push((CLOSED_BOOK, answerer.answer(items, None, Mode::Open)?));
        }
        Ok(given)
    })?;
    for (method, given) in by_method {
        for (at, (item, given)) in items.iter().zip(&given).enumerate() {
            mark(&mut part, method, at, item, given);
        }
    }
    Ok(part)
}

/// What was found for each question without its options.
pub struct Found {
    /// The questions, as search takes them.
    pub questions: Vec<Question>,
    /// By search alone.
    pub searched: Vec<Evidence>,
    /// With the steps of whoever reasons.
    pub reasoned: Vec<Evidence>,
}

impl Found {
    /// Searches and reasons; where a reply is of no use, what search found stands. Calls of a model go to the cassette
    /// `beside`, unless the user names one.
    ///
    /// # Errors
    /// When the embedder fails, the user asked to stop, or no model is to be had.
    pub fn new(searcher: &Searcher, items: &[Item], beside: &Path, bench: &Bench<'_>) -> Result<Self> {
        let config = Search {
            top_k: TOP_K,
            ..Search::default()
        };
        let stems: Vec<&str> = items.iter().map(|item| item.stem.as_str()).collect();
        let questions = bench.embedding.questions(&stems)?;
        let searched = searched(searcher, &questions, &config);
        let reasoning = Reasoning {
            options: bench.asking,
            env: bench.env,
            store: beside,
        };
        let gathered = reasoning.with(|reasoner, language| {
            let asking = (reasoner, language);
            let gather = |reasoner: &dyn Reasoner, task: &Task| reasoner.gather(task);
            reasoned(searcher, &questions, &searched, asking, Mode::Open, bench, gather)
        })?;
        let n_unusable = gathered.iter().filter(|given| given.is_err()).count();
        if n_unusable > 0 {
            let remark = format!("{}: {n_unusable} unusable replies", beside.display());
            bench.env.progress.remark(&remark);
        }
        let reasoned = gathered.into_iter().zip(&searched);
        let reasoned = reasoned.map(|(given, found)| given.unwrap_or_else(|_| found.clone()));
        Ok(Self {
            questions,
            reasoned: reasoned.collect(),
            searched,
        })
    }
}

/// Lets `work` ask whoever answers: the program, or the configured language model, whose calls are counted and told.
///
/// # Errors
/// As `work`, and when no model is configured.
pub fn measure_with<T>(
    searcher: &Searcher,
    beside: &Path,
    bench: &Bench<'_>,
    work: impl FnOnce(&dyn Answerer) -> Result<T>,
) -> Result<T> {
    if bench.asking.reasoner == Worker::Embedded {
        return work(&Embedded::new(searcher));
    }
    let language = Language::open(bench.env, beside, Spent::default())?;
    let staged = language.stage(STAGE);
    let concurrency = language.limits().max_concurrent;
    let is_stopped = || bench.env.stop.is_asked();
    let model: &dyn LanguageModel = &staged;
    let done = work(&ModelAnswerer::new(searcher, model, concurrency, &is_stopped)?);
    language.report("", bench.env);
    done
}

/// A question with the groups that it counts in: the set's kind, and how many hops it takes.
fn asked(item: &Item) -> Asked {
    let kind = Some(item.query_type.clone()).filter(|kind| !kind.is_empty());
    let hops = item.hops.map(|hops| format!("{hops} hops"));
    let accepted = match &item.gold {
        Gold::Letter(letter) => vec![letter.to_string()],
        Gold::Names(names) => names.values().flatten().cloned().collect(),
    };
    Asked {
        id: item.id.clone(),
        text: item.question.clone(),
        accepted,
        groups: kind.into_iter().chain(hops).collect(),
    }
}

/// How right an answer is: 0 or 1 of a choice, F1 of the names of a reversion.
fn correct(item: &Item, given: &Given) -> f64 {
    match &item.gold {
        Gold::Letter(letter) => f64::from(u8::from(given.letter == Some(*letter))),
        Gold::Names(gold) => f1(&given.names, gold),
    }
}

/// F1 of the names given for tags: a name is right that is an accepted one, apart from case, accents and marks.
fn f1(given: &BTreeMap<Tag, String>, gold: &BTreeMap<Tag, Vec<String>>) -> f64 {
    let is_right = |(tag, name): &(&Tag, &String)| {
        let key = name::key(name);
        let mut accepted = gold.get(*tag).into_iter().flatten();
        !key.is_empty() && accepted.any(|gold| name::key(gold) == key)
    };
    let n_right = given.iter().filter(is_right).count();
    2.0 * n_right as f64 / (given.len() + gold.len()).max(1) as f64
}

/// Sets down an answer. As in the paper a refusal is not right; how many there are is `answered`.
pub fn mark(part: &mut Part, method: &str, at: usize, item: &Item, given: &Given) {
    let metric = match item.gold {
        Gold::Letter(_) => "choice",
        Gold::Names(_) => "reversion",
    };
    let lines = given.lines();
    part.score(method, metric, at, correct(item, given));
    part.score(method, "answered", at, f64::from(u8::from(lines.is_some())));
    part.answer(method, lines, rounded(given.confidence));
}
