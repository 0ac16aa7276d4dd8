//! Every name a corpus knows, and what each may mean.

use crate::analysis::Analysis;
use crate::error::ExtractError;
use crate::han::{folded, is_han};
use crate::read::{is_named_by_file, is_record};
use crate::recognise::{self, CaseCounts, Name};
use crate::terminology::Terms;
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use banyan_engine::fact::EntityKey;
use banyan_engine::index::term;
use banyan_engine::{Document, DocumentId, name};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A name that stands for more entities than this is no evidence for any. Arbitrary.
const MAX_MEANINGS: usize = 6;

/// What a name may stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameSenses {
    /// Keys of entities, sorted; several where titles share a name ("Home (film)", "Home (song)").
    pub(crate) entities: Vec<EntityKey>,
    /// Number of words of the name.
    pub(crate) n_words: usize,
    /// Whether it is a term, which needs no capital.
    pub(crate) is_term: bool,
}

/// All names of a corpus in one automaton.
pub(crate) struct Lexicon {
    automaton: AhoCorasick,
    senses: Vec<NameSenses>,
    spellings: HashMap<String, usize>,
    /// Documents whose title names something.
    titled: BTreeSet<DocumentId>,
    cases: CaseCounts,
}

impl Lexicon {
    /// Gathers the names of `documents`: titles of records, and of files where the text knows them; titles without their
    /// disambiguating tail, opening names, every name that recognition found, the `terms`, and names `stated` from
    /// outside. Cost O(total length).
    ///
    /// # Errors
    /// [`ExtractError::TooManyNames`] when there are more names than one automaton holds.
    pub(crate) fn new<'a>(
        parsed: &[Analysis],
        cases: CaseCounts,
        names: &[Vec<Name>],
        terms: Terms,
        stated: impl Iterator<Item = &'a str>,
    ) -> Result<Self, ExtractError> {
        let (mut surfaces, mut titled) = (Surfaces::default(), BTreeSet::new());
        let found: Vec<_> = names.iter().cloned().zip(parsed.iter().map(Analysis::text)).collect();
        let found = recognise::survey(&found);
        for each in parsed {
            let is_known = |key: &str| found.contains_key(key) || terms.contains_key(key);
            let is_named = || !is_named_by_file(each.document) && is_known(&name::key(&each.document.title));
            if is_record(each.document) || recognise::opens_with_title(each) || is_named() {
                surfaces.add_document(each);
                titled.insert(each.document.id);
            }
        }
        for name in stated {
            let key = name::key(name);
            if !key.is_empty() && !term::is_stop_word(&key) {
                surfaces.add_name(name.trim(), &key);
            }
        }
        for (key, spellings) in found {
            for spelling in spellings {
                // With its article a name would match before a longer one that has none.
                surfaces.add_name(without_article(&spelling).unwrap_or(&spelling), &key);
            }
        }
        for (key, spellings) in terms {
            for spelling in spellings {
                surfaces.terms.insert(spelled(&spelling));
                surfaces.add_name(&spelling, &key);
            }
        }
        surfaces.finish(titled, cases)
    }

    /// Leftmost-longest occurrences of names in `text`: byte range and meaning. Word boundaries are not yet checked.
    pub(crate) fn occurrences(&self, text: &str) -> Vec<(usize, usize, &NameSenses)> {
        let folded = text.contains(is_han).then(|| folded(text));
        self.automaton
            .find_iter(folded.as_deref().unwrap_or(text))
            .map(|found| (found.start(), found.end(), &self.senses[found.pattern().as_usize()]))
            .collect()
    }

    /// What exactly this spelling may stand for; letter case and script of Chinese do not count.
    pub(crate) fn senses(&self, surface: &str) -> Option<&NameSenses> {
        let position = self.spellings.get(&spelled(surface))?;
        self.senses.get(*position)
    }

    /// Whether a document's title names what it is about.
    pub(crate) fn is_titled(&self, document: &Document) -> bool {
        self.titled.contains(&document.id)
    }

    /// How the corpus writes its words.
    pub(crate) fn cases(&self) -> &CaseCounts {
        &self.cases
    }
}

/// A spelling as the automaton holds it: in ASCII lower case and simplified characters, so that offsets stay as they are.
fn spelled(surface: &str) -> String {
    folded(&surface.to_ascii_lowercase())
}

/// A name without the article that begins it.
fn without_article(name: &str) -> Option<&str> {
    ["The ", "A ", "An "]
        .iter()
        .find_map(|article| name.strip_prefix(article))
}

/// Spellings and what they stand for, while they are gathered.
#[derive(Default)]
struct Surfaces {
    /// Spelling as [`spelled`] → keys.
    spellings: BTreeMap<String, BTreeSet<String>>,
    /// Key of a title, a bare title or an opening name → keys of titles.
    titles: BTreeMap<String, BTreeSet<String>>,
    /// Spellings of terms.
    terms: BTreeSet<String>,
}

impl Surfaces {
    fn add_document(&mut self, parsed: &Analysis) {
        let Document { title, .. } = parsed.document;
        let title_key = name::key(title);
        if title_key.is_empty() {
            return;
        }
        self.add_title(title, &title_key);
        if let Some(bare) = name::without_disambiguator(title) {
            self.add_title(bare, &title_key);
        }
        let opening = recognise::opening_name(title, parsed);
        for span in opening.into_iter().chain(recognise::other_names(parsed)) {
            self.add_title(span.of(parsed.text()), &title_key);
        }
    }

    fn add_title(&mut self, surface: &str, title_key: &str) {
        let key = name::key(surface);
        if key.is_empty() || term::is_stop_word(&key) {
            return;
        }
        self.titles.entry(key.clone()).or_default().insert(title_key.to_owned());
        self.add_name(surface, &key);
        if let Some(bare) = without_article(surface) {
            self.add_name(bare, &key);
        }
    }

    fn add_name(&mut self, surface: &str, key: &str) {
        self.spellings
            .entry(spelled(surface))
            .or_default()
            .insert(key.to_owned());
    }

    fn finish(self, titled: BTreeSet<DocumentId>, cases: CaseCounts) -> Result<Lexicon, ExtractError> {
        let titles: BTreeMap<String, Vec<EntityKey>> = self
            .titles
            .into_iter()
            .map(|(key, keys)| (key, keys.into_iter().map(EntityKey::from).collect()))
            .collect();
        let mut patterns = Vec::new();
        let mut senses = Vec::new();
        for (spelling, keys) in self.spellings {
            let mut entities: Vec<EntityKey> = keys
                .into_iter()
                .flat_map(|key| titles.get(&key).cloned().unwrap_or_else(|| vec![key.into()]))
                .collect();
            entities.sort();
            entities.dedup();
            if entities.len() <= MAX_MEANINGS {
                let n_words = name::words(&spelling).count();
                let is_term = self.terms.contains(&spelling);
                patterns.push(spelling);
                senses.push(NameSenses {
                    entities,
                    n_words,
                    is_term,
                });
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&patterns)
            .map_err(|source| ExtractError::TooManyNames {
                n_names: patterns.len(),
                source,
            })?;
        let spellings = patterns
            .into_iter()
            .enumerate()
            .map(|(position, spelling)| (spelling, position))
            .collect();
        Ok(Lexicon {
            automaton,
            senses,
            spellings,
            titled,
            cases,
        })
    }
}
