//! The things that a question sets against each other: "…, Tidd Bridge or Ansay Pier?", "both Mara Voss and Jon Eld".

use crate::searcher::Searcher;
use banyan_engine::EntityId;

/// One of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alternative {
    /// As the question writes it, without quotation marks.
    pub(crate) text: String,
    /// What the corpus knows by this name, what it has documents about first; empty for an unknown name.
    pub(crate) entities: Vec<EntityId>,
}

/// Longest name of an alternative, in words. Arbitrary.
const MAX_WORDS: usize = 20;

/// The things on both sides of the last "or", else of an "and" that joins two names; empty where there is none.
pub(crate) fn alternatives(searcher: &Searcher, question: &str) -> Vec<Alternative> {
    let text = question.trim().trim_end_matches(['?', '.', ' ']);
    for joint in [" or ", " and ", " & "] {
        let joints: Vec<usize> = text.match_indices(joint).map(|(at, _)| at).collect();
        let pairs = joints.into_iter().rev().filter_map(|at| {
            let left = side(searcher, &text[..at], true)?;
            let right = side(searcher, &text[at + joint.len()..], false)?;
            Some((
                usize::from(left.entities.is_empty()) + usize::from(right.entities.is_empty()),
                left,
                right,
            ))
        });
        let best = pairs.min_by_key(|(n_unknown, ..)| *n_unknown);
        if let Some((n_unknown, left, right)) = best
            && (joint == " or " || n_unknown == 0)
        {
            return vec![left, right];
        }
    }
    Vec::new()
}

/// The longest name that the corpus knows at one end of a text, else the run of capitalised words there.
fn side(searcher: &Searcher, text: &str, is_end: bool) -> Option<Alternative> {
    let starts: Vec<usize> = text
        .split_whitespace()
        .map(|word| word.as_ptr() as usize - text.as_ptr() as usize)
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let n = words.len();
    let part = |length: usize| {
        if is_end {
            &text[starts[n - length]..]
        } else {
            let last = words[length - 1];
            &text[..starts[length - 1] + last.len()]
        }
    };
    for length in (1..=n.min(MAX_WORDS)).rev() {
        let bare = trimmed(part(length));
        let entities = known(searcher, bare);
        if !entities.is_empty() && bare.contains(|ch: char| ch.is_uppercase() || ch.is_ascii_digit()) {
            return Some(Alternative {
                text: bare.to_owned(),
                entities,
            });
        }
    }
    let is_name = |word: &&&str| {
        word.trim_start_matches(['"', '“', '(', '\''])
            .starts_with(|ch: char| ch.is_uppercase() || ch.is_ascii_digit())
    };
    let ends_name = |word: &str| word.ends_with([',', ':', ';']);
    let length = if is_end {
        let mut length = 0;
        for word in words.iter().rev().take(MAX_WORDS) {
            if (length > 0 && ends_name(word))
                || !(is_name(&word) || matches!(*word, "of" | "the" | "and" | "in" | "a" | "to"))
            {
                break;
            }
            length += 1;
        }
        length
    } else {
        words
            .iter()
            .take(MAX_WORDS)
            .take_while(|word| is_name(word) || matches!(**word, "of" | "the" | "and" | "in" | "a" | "to"))
            .count()
    };
    let bare = trimmed(part(length.max(1)));
    (length > 0 && bare.contains(char::is_uppercase)).then(|| Alternative {
        text: bare.to_owned(),
        entities: Vec::new(),
    })
}

fn trimmed(text: &str) -> &str {
    text.trim()
        .trim_matches(|ch: char| matches!(ch, '"' | '“' | '”' | ',' | ':' | ';' | ' ' | '?'))
}

/// The entities of a name, those with documents first.
fn known(searcher: &Searcher, text: &str) -> Vec<EntityId> {
    let mut found = searcher.named(text).to_vec();
    found.sort_by_key(|entity| (searcher.incidence().subject_chunks(*entity).is_empty(), *entity));
    found
}
