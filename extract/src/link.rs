//! Mentions: where a document names an entity that the corpus knows.

use crate::analysis::Analysis;
use crate::grammar::Kind;
use crate::han;
use crate::lexicon::{Lexicon, NameSenses};
use crate::recognise::CaseCounts;
use crate::terminology::is_identifier;
use crate::word::{Word, is_mark};
use crate::word_list::List;
use banyan_engine::fact::EntityKey;
use banyan_engine::index::term;
use banyan_engine::{Mention, Span, name};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Certainty of a last or first name that stands for a full name used before it. Arbitrary, below a full name.
const SHORT_NAME_CERTAINTY: u8 = 70;
/// Certainty of a full name.
pub(crate) const FULL: u8 = 100;

/// All mentions in one document, the title's first; sorted by place. Cost O(length · log names).
///
/// Names of several words link wherever they stand as words; a single word only where it is capitalised and not a
/// common word of the corpus. Where a name has several meanings, those whose title's other words occur in the document
/// win; else all share the certainty.
pub(crate) fn mentions(parsed: &Analysis, own: &EntityKey, lexicon: &Lexicon) -> Vec<Mention> {
    let text = parsed.text();
    let openings: BTreeSet<u32> = parsed.sentences.iter().map(|(span, _)| span.start).collect();
    let context: BTreeSet<String> = term::terms(text).into_iter().collect();
    let mut mentions = Vec::new();
    if !own.is_empty() {
        mentions.push(Mention {
            span: Span::new(0, 0),
            entity: Arc::clone(own),
            certainty: FULL,
            is_term: false,
        });
    }
    for (start, end, meaning) in lexicon.occurrences(text) {
        let span = Span::new(start, end);
        let opens = openings.contains(&span.start);
        if is_word(text, start, end) && is_cut(parsed, span) && is_name(span.of(text), meaning, opens, lexicon) {
            let span = with_article(text, span, &openings);
            link(span, meaning, own, &context, &mut mentions);
        }
    }
    mentions.extend(
        opening(parsed, own)
            .filter(|span| mentions.iter().all(|mention| !mention.span.overlaps(*span)))
            .map(|span| Mention {
                span,
                entity: Arc::clone(own),
                certainty: FULL,
                is_term: false,
            }),
    );
    short_names(parsed, lexicon.cases(), &mut mentions);
    for mention in mentions
        .iter_mut()
        .filter(|mention| mention.span.end > mention.span.start)
    {
        mention.is_term = is_term(parsed, mention.span, lexicon);
    }
    mentions.sort();
    // Those of a whole corpus are kept.
    mentions.shrink_to_fit();
    mentions
}

/// Where a document begins with what its title names.
fn opening(parsed: &Analysis, own: &str) -> Option<Span> {
    let title = &parsed.document.title;
    let bare = name::without_disambiguator(title).unwrap_or(title);
    let start = parsed.opening().filter(|_| !own.is_empty())?.0.start as usize;
    let rest = parsed.text().get(start..)?.strip_prefix(bare)?;
    let end = start + bare.len();
    (!rest.starts_with(char::is_alphanumeric) && !name::is_sign(parsed.text(), end)).then(|| Span::new(start, end))
}

/// A name's span with the article before it, where that has a capital within a sentence ("sang *The* Long Shore").
fn with_article(text: &str, span: Span, openings: &BTreeSet<u32>) -> Span {
    let before = text.get(..span.start as usize).unwrap_or("");
    let articles = ["The ", "A ", "An "];
    let article = articles.iter().find(|article| before.ends_with(**article));
    let start = article.map_or(span.start as usize, |article| before.len() - article.len());
    let own = Span::new(start, span.end as usize);
    let is_word = before[..start.min(before.len())].ends_with(|ch: char| !ch.is_alphanumeric());
    if is_word && !openings.contains(&own.start) {
        own
    } else {
        span
    }
}

/// Whether a Chinese name of two characters does not cut a common word where it stands; longer names hardly stand by
/// chance.
fn is_cut(parsed: &Analysis, span: Span) -> bool {
    let surface = span.of(parsed.text());
    if !han::begins(surface) || surface.chars().count() > 2 {
        return true;
    }
    let mut words = parsed.words_around(span).iter().filter(|word| word.span.overlaps(span));
    words.all(|word| span.contains(word.span) || word.kind.is_name())
}

/// Whether a mention is a term: nothing about its words is a name's, and no quotation marks make it a title. Where
/// there are no tags, and in Chinese, what is known as a term and written without a capital.
fn is_term(parsed: &Analysis, span: Span, lexicon: &Lexicon) -> bool {
    let text = parsed.text();
    let mut inside = parsed.words_around(span).iter().filter(|word| span.overlaps(word.span));
    let is_known = || lexicon.senses(span.of(text)).is_some_and(|meaning| meaning.is_term);
    let is_quoted = || text[..span.start as usize].trim_end().ends_with(['"', '“', '«', '《']);
    let is_named = |word: &Word| match word.is_tagged_name() {
        Some(is_name) if !han::begins(word.of(text)) => {
            (is_name && word.kind != Kind::Value) || is_identifier(word.of(text))
        }
        _ => word.is_capitalised || !is_known(),
    };
    !inside.any(is_named) && !is_quoted()
}

fn is_word(text: &str, start: usize, end: usize) -> bool {
    let is_inner =
        |ch: Option<char>| ch.is_some_and(|ch| (ch.is_alphanumeric() || is_mark(ch)) && !term::is_ideograph(ch));
    !is_inner(text[..start].chars().next_back()) && !is_inner(text[end..].chars().next()) && !name::is_sign(text, end)
}

/// Where `within` first has this name as words of its own, whatever the case of its letters.
pub(crate) fn named(text: &str, within: Span, name: &str) -> Option<Span> {
    let (spoken, name) = (within.of(text).to_ascii_lowercase(), name.trim().to_ascii_lowercase());
    let places = spoken.match_indices(name.as_str());
    let places = places.map(|(at, _)| Span::new(at, at + name.len()).moved(within.start));
    places
        .into_iter()
        .find(|span| is_word(text, span.start as usize, span.end as usize))
}

fn is_name(surface: &str, meaning: &NameSenses, opens: bool, lexicon: &Lexicon) -> bool {
    if surface.starts_with(term::is_ideograph) {
        return surface.chars().count() > 1;
    }
    if meaning.is_term {
        return true;
    }
    let cases = lexicon.cases();
    let is_capitalised = |word: &str| word.starts_with(|ch: char| ch.is_uppercase() || ch.is_numeric());
    if meaning.n_words <= 1 {
        let is_common_here = (opens && cases.is_common(surface)) || cases.is_rarely_a_name(surface);
        return is_capitalised(surface) && !is_common_here && !surface.bytes().all(|byte| byte.is_ascii_digit());
    }
    let mut words = name::words(surface);
    words.any(|word| !term::is_stop_word(&word.to_lowercase()) && (is_capitalised(word) || !cases.is_common(word)))
}

fn link(span: Span, meaning: &NameSenses, own: &str, context: &BTreeSet<String>, mentions: &mut Vec<Mention>) {
    let fits = |entity: &&EntityKey| {
        let tail = name::disambiguator_of_key(entity, meaning.n_words);
        ***entity == *own || (!tail.is_empty() && tail.iter().any(|word| context.contains(word)))
    };
    let all: Vec<&EntityKey> = meaning.entities.iter().collect();
    let fitting: Vec<&EntityKey> = all.iter().copied().filter(fits).collect();
    let chosen = if fitting.is_empty() || all.len() == 1 {
        all
    } else {
        fitting
    };
    let certainty = FULL / u8::try_from(chosen.len()).unwrap_or(FULL);
    mentions.extend(chosen.into_iter().map(|entity| Mention {
        span,
        entity: entity.clone(),
        certainty,
        is_term: false,
    }));
}

/// Whether a name has the shape of a person's: two to four words, all capitalised.
fn is_personal(surface: &str) -> bool {
    let words: Vec<&str> = surface.split_whitespace().collect();
    (2..=4).contains(&words.len()) && words.iter().all(|word| word.starts_with(char::is_uppercase))
}

/// Links single capitalised words that are no common words to the one longer name of the document that ends or begins
/// with them.
fn short_names(parsed: &Analysis, cases: &CaseCounts, mentions: &mut Vec<Mention>) {
    let text = parsed.text();
    let mut full: BTreeMap<&str, BTreeSet<&EntityKey>> = BTreeMap::new();
    let mut covered: Vec<Span> = Vec::new();
    for mention in mentions.iter() {
        covered.push(mention.span);
        let surface = if mention.span.end > 0 {
            mention.span.of(text)
        } else {
            parsed.document.title.as_str()
        };
        let mut words = mention.entity.split(' ');
        if let (Some(first), Some(last), true) = (words.next(), words.next_back(), is_personal(surface)) {
            full.entry(last).or_default().insert(&mention.entity);
            full.entry(first).or_default().insert(&mention.entity);
        }
    }
    covered.sort();
    let mut found = Vec::new();
    for word in parsed.sentences.iter().flat_map(|(_, words)| words).filter(|word| {
        let spelled = word.of(text);
        let is_numeral = || spelled.chars().all(|ch| matches!(ch, 'I' | 'V' | 'X' | 'L' | 'C'));
        let is_name = word.is_capitalised && spelled.chars().nth(1).is_some() && word.is_tagged_name() != Some(false);
        is_name && !cases.is_common(spelled) && !List::Calendar.has(spelled) && !is_numeral()
    }) {
        let at = covered.partition_point(|span| span.end <= word.span.start);
        let is_covered = covered.get(at).is_some_and(|span| span.overlaps(word.span));
        let key = name::key(word.of(text));
        if let Some(entities) = full.get(key.as_str()).filter(|list| list.len() == 1 && !is_covered) {
            found.extend(entities.iter().map(|entity| Mention {
                span: word.span,
                entity: Arc::clone(entity),
                certainty: SHORT_NAME_CERTAINTY,
                is_term: false,
            }));
        }
    }
    mentions.append(&mut found);
}
