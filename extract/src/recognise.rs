//! Names in a text: capitalised phrases and what a reader recognised, quoted titles, and what a document calls its
//! subject.

use crate::abbreviation::abbreviations;
use crate::analysis::Analysis;
use crate::grammar::{Dependency, Pos};
use crate::read::{is_named_by_file, is_record};
use crate::word::Word;
use banyan_engine::{Span, name};
use rayon::prelude::*;
use std::collections::BTreeMap;

mod alias;
mod capital;
mod case;
mod defined;
mod event;
mod quoted;

pub use alias::other_names;
pub(crate) use capital::is_title;
use capital::phrases;
pub use case::CaseCounts;
use defined::defined;
use quoted::quoted;

/// Verbs that say what something is, between spaces.
const COPULAS: [&str; 4] = [" is ", " was ", " are ", " were "];

/// Lower-case words that may stand inside a name.
const CONNECTORS: &[&str] = &[
    "&", "al", "and", "at", "au", "aux", "da", "das", "de", "degli", "dei", "del", "dell", "della", "delle", "den",
    "der", "des", "di", "do", "dos", "du", "e", "el", "en", "et", "for", "för", "für", "in", "la", "las", "le", "les",
    "los", "och", "of", "og", "on", "para", "per", "por", "pour", "sur", "the", "to", "und", "van", "von", "y", "zu",
    "zum", "zur",
];
/// Connectors that may as well join two names; the phrase is cut there.
const LOOSE: &[&str] = &["and", "at", "in", "on", "to"];
/// Longest name in words. Arbitrary: longer ones are headlines.
const MAX_WORDS: usize = 9;
const MAX_QUOTED_WORDS: usize = 10;

/// Words from this length on are capitalised in titles.
const MIN_TITLE_WORD: usize = 4;

/// A name as one place of a text writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Where it stands.
    pub span: Span,
    /// Whether quotation marks delimit it.
    pub is_quoted: bool,
}

/// The names in one document, in text order. Cost O(length).
pub fn names(parsed: &Analysis, cases: &CaseCounts) -> Vec<Name> {
    let mut titles = Vec::new();
    quoted(parsed.text(), &mut titles);
    titles.retain(|title| !is_spoken(parsed, title.span));
    titles.sort();
    let mut names = Vec::new();
    for (sentence, words) in &parsed.sentences {
        if parsed.is_heading(*sentence) || parsed.is_code(*sentence) {
            continue;
        }
        phrases(parsed.text(), words, cases, &mut names);
        titles.extend(defined(parsed.text(), words));
    }
    for abbreviation in abbreviations(parsed) {
        let long = Some(abbreviation.long).filter(|_| abbreviation.is_of_name(parsed.text()));
        let spans = long.into_iter().chain([abbreviation.short]);
        titles.extend(spans.map(|span| Name { span, is_quoted: false }));
    }
    titles.sort();
    // What stands inside a title is part of that name.
    names.retain(|name| {
        let before = titles.partition_point(|title| title.span.start <= name.span.start);
        !before
            .checked_sub(1)
            .is_some_and(|at| titles[at].span.contains(name.span))
    });
    names.append(&mut titles);
    names.sort();
    names.dedup();
    names
}

/// Whether a parser takes what stands between quotation marks for what somebody says ("*Halloa*," says he) rather than
/// for a part of the sentence ("she sang *Halloa*").
fn is_spoken(parsed: &Analysis, quoted: Span) -> bool {
    let words = parsed.words_around(quoted);
    let is_inside = |at: &usize| quoted.overlaps(words[*at].span);
    let mut tops = (0..words.len()).filter(is_inside).filter(|at| {
        let head = words[*at].head;
        head == *at || !is_inside(&head)
    });
    let calls = |word: &Word| quoted.overlaps(word.span) && word.dependency == Dependency::Interjection;
    let is_said = |at: usize| matches!(words[at].dependency, Dependency::Root | Dependency::ClausalComplement);
    tops.any(is_said) || words.iter().any(calls)
}

/// What the opening of a document calls its subject, where it is more than the title: `Clarence Snow` from
/// "Clarence Snow (1914–1999) was …" in a document called "Hank Snow". Shares a word with the title. The heading of a file
/// that says more ("About Hank Snow") is no other name of what it is about.
pub fn opening_name(title: &str, parsed: &Analysis) -> Option<Span> {
    let (sentence, words) = parsed.opening()?;
    let text = parsed.text();
    let skip = words
        .first()
        .filter(|word| name::key(word.of(text)).is_empty() || is_article(word.of(text)));
    let start = skip.map_or(sentence.start, |word| word.span.end) as usize;
    let rest = &text[start..sentence.end as usize];
    let cut = rest
        .find(['(', ',', ';', ':'])
        .into_iter()
        .chain(COPULAS.iter().filter_map(|verb| rest.find(verb)))
        .min()?;
    let opening = rest[..cut].trim();
    let offset = start + rest.find(opening)?;
    let span = Span::new(offset, offset + opening.len());
    let key = name::key(opening);
    let title_key = name::key(title);
    let is_titled = |word: &str| title_key.split(' ').any(|other| other == word);
    let shares = key.split(' ').any(is_titled);
    let is_part = key.split(' ').all(is_titled) && !is_record(parsed.document);
    let inside: Vec<_> = words.iter().filter(|word| span.contains(word.span)).collect();
    let is_name = (2..=6).contains(&inside.len())
        && inside
            .iter()
            .all(|word| word.is_capitalised || is_connector(word.of(text)));
    (is_name && shares && !is_part && key != title_key).then_some(span)
}

/// Whether the opening sentence names what the title names, as that of an article does, and that of a chapter or of a
/// page of a manual seldom. The name of a file must be told of: somebody chose it to find the file by.
pub(crate) fn opens_with_title(parsed: &Analysis) -> bool {
    let title = &parsed.document.title;
    let key = name::key(name::without_disambiguator(title).unwrap_or(title));
    let opening = parsed
        .opening()
        .map(|(sentence, _)| name::key(sentence.of(parsed.text())));
    let opening = opening.unwrap_or_default();
    let says = |word: &str| {
        let is_word = || opening.split(' ').any(|other| other == word);
        if crate::han::begins(word) {
            opening.contains(word)
        } else {
            is_word()
        }
    };
    let defines = || {
        let said = parsed.opening().map_or("", |(sentence, _)| sentence.of(parsed.text()));
        let (name, rest) = said.split_at_checked(title.len()).unwrap_or_default();
        let is_told = rest.starts_with(" (") || COPULAS.iter().any(|verb| rest.starts_with(verb));
        is_told && name.eq_ignore_ascii_case(title)
    };
    let is_told = || tells_of(&key, parsed).unwrap_or_else(|| !is_named_by_file(parsed.document) || defines());
    let is_named = !key.is_empty() && key.split(' ').all(says) && is_told();
    is_named || opening_name(title, parsed).is_some() || !other_names(parsed).is_empty()
}

/// Whether the opening sentence says something of what `key` names: its subject is of those words and of no others, so
/// that neither "the architecture of Kestrel" nor "Kestrel's architecture" is about architecture. `None` without a parser
/// and for a sentence without a subject.
fn tells_of(key: &str, parsed: &Analysis) -> Option<bool> {
    let (_, words) = parsed.opening()?;
    let is_titled = |word: &Word| {
        let own = name::key(word.of(parsed.text()));
        own.split(' ').all(|own| key.split(' ').any(|word| word == own))
    };
    let narrows = |word: &Word, subject: &Word| match word.dependency {
        Dependency::Possessor => true,
        Dependency::Modifier | Dependency::Preposition => subject.pos == Pos::Noun,
        _ => false,
    };
    let subjects = words
        .iter()
        .enumerate()
        .filter(|(_, word)| matches!(word.dependency, Dependency::Subject | Dependency::PassiveSubject));
    let mut is_told_of = subjects.map(|(at, subject)| {
        let mut narrower = words.iter().filter(|word| word.head == at && narrows(word, subject));
        is_titled(subject) && narrower.all(is_titled)
    });
    is_told_of.next().map(|first| first || is_told_of.any(|told| told))
}

fn is_article(word: &str) -> bool {
    ["the", "a", "an"]
        .iter()
        .any(|article| word.eq_ignore_ascii_case(article))
}

/// Whether a lower-case word may stand inside a name.
pub(crate) fn is_connector(word: &str) -> bool {
    CONNECTORS.binary_search(&word).is_ok()
}

/// Every key that is named somewhere, with its spellings. Cost O(total length), in parallel.
pub fn survey(documents: &[(Vec<Name>, &str)]) -> BTreeMap<String, Vec<String>> {
    let spelled = documents.par_iter().flat_map_iter(|(names, text)| {
        let surfaces = names.iter().map(|found| found.span.of(text));
        surfaces.map(|surface| (name::key(surface), surface))
    });
    let is_long = |key: &str| key.chars().filter(|ch| *ch != ' ').count() > 1;
    let mut spelled: Vec<(String, &str)> = spelled.filter(|(key, _)| is_long(key)).collect();
    spelled.par_sort_unstable();
    spelled.dedup();
    let same = spelled.chunk_by(|a, b| a.0 == b.0);
    let keys = same.map(|same| {
        let spellings = same.iter().map(|(_, surface)| (*surface).to_owned());
        (same[0].0.clone(), spellings.collect())
    });
    keys.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chinese::tests::analyser;
    use crate::watch::Watch;
    use banyan_engine::{Document, Origin};

    const WORDS: &[(&str, &str)] = &[
        ("云川市", "LOC"),
        ("东岭省", "LOC"),
        ("周敏", "PER"),
        ("周敏道", "PER"),
        ("周敏先生", "PER"),
        ("先生", "n"),
        ("施耐庵", "PER"),
        ("林道", "PER"),
        ("梅琳·多恩", "PER"),
    ];

    struct Nobody;
    impl Watch for Nobody {}

    fn check(text: &str, expected: &[&str]) {
        assert!(CONNECTORS.is_sorted());
        let origin = Origin {
            file: String::new(),
            record: None,
            line: None,
        };
        let document = Document::new("T", text, origin);
        let documents = [document];
        let parsed = &analyser(WORDS).read(&documents, &Nobody).unwrap()[0];
        let cases = CaseCounts::new(&[parsed]);
        let found: Vec<_> = names(parsed, &cases).iter().map(|found| found.span.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn capitalised_phrases_keep_their_inner_words() {
        check(
            "The University of Melbourne hired J. R. Reed and Mary Anne Hall in Paris.",
            &["University of Melbourne", "J. R. Reed", "Mary Anne Hall", "Paris"],
        );
    }

    #[test]
    fn articles_within_a_sentence_belong_to_names_and_dates_and_titles_do_not() {
        check("She sang The Long Shore and left.", &["The Long Shore"]);
        check("The Long Shore is a song.", &["Long Shore"]);
        check("In July 2012 Riis met President Peter Holm.", &["Riis", "Peter Holm"]);
        check("They toured Skelva the Gulls liked.", &["Skelva", "Gulls"]);
    }

    #[test]
    fn events_are_named_with_their_year() {
        check(
            "He stood in the 2009 Corrantine general election and the May 1998 Harrow Games.",
            &["2009 Corrantine general election", "May 1998 Harrow Games"],
        );
        check("In 2009 Corrantine boats sank.", &["Corrantine"]);
    }

    #[test]
    fn tags_that_stand_for_names_are_names() {
        check(
            "Captain [PERSON#3] met [PERSON#31] [ORGANIZATION#2].",
            &["Captain", "PERSON#3", "PERSON#31", "ORGANIZATION#2"],
        );
        check("[PERSON#334]道：“不是。”", &["PERSON#334"]);
    }

    #[test]
    fn chinese_names_are_recognised_and_lose_the_verbs_behind_them() {
        check("云川市的周敏和梅琳·多恩。", &["云川市", "周敏", "梅琳·多恩"]);
        check("他在东岭省云川市写了《长岸》。", &["东岭省", "云川市", "长岸"]);
        check("周敏来了。周敏道：“不是。”林道来了。", &["周敏", "周敏", "林道"]);
        check("周敏来了。周敏先生和先生。", &["周敏", "周敏"]);
    }

    #[test]
    fn owners_and_numerals_belong_to_names() {
        check(
            "The Harrow People's Party fell in World War I.",
            &["Harrow People's Party", "World War I"],
        );
        check("Skelva's Fennick Mine closed.", &["Skelva", "Fennick Mine"]);
    }

    #[test]
    fn a_common_word_that_opens_a_sentence_is_no_name() {
        check("Later the boat sank. It was later sold to Reed.", &["Reed"]);
    }

    #[test]
    fn dates_are_no_names() {
        check("The mill burned in November 1989, on a Monday, near Tidd.", &["Tidd"]);
    }

    #[test]
    fn quoted_titles_are_names_and_speech_is_not() {
        check(
            "She sang \"When the Gulls Come Home\", then left.",
            &["When the Gulls Come Home"],
        );
        check("\"He may be asleep by now,\" she said.", &[]);
        check("“Where is he?” she asked.", &[]);
        check("施耐庵《水浒传》说：“我自去。你休管！”", &["施耐庵", "水浒传"]);
    }
}
