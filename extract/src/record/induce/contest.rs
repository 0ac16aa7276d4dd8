//! Columns that pages of contests show without writing them: how many were played, who won the last, who leads a ranking.

use super::{Found, column, name_of};
use crate::record::fill::deciding;
use crate::record::page::Page;
use banyan_engine::table::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the documents that have to list contests, or a ranking.
const SHARE: f32 = 0.5;
/// Contests that make a page one of contests.
const LEAST: usize = 3;

/// The columns of contests and rankings.
pub(super) fn columns(pages: &[Page<'_>]) -> Vec<Found> {
    let which = |has: &dyn Fn(&Page<'_>) -> bool| -> BTreeSet<usize> {
        let all = pages.iter().enumerate();
        all.filter(|(_, page)| has(page)).map(|(at, _)| at).collect()
    };
    let found = |name: &str, kind: Kind, documents: BTreeSet<usize>, description: &str| Found {
        column: column(name.to_owned(), kind, &[], description.to_owned()),
        documents,
        share: SHARE,
    };
    let played = which(&|page| page.contests.len() >= LEAST);
    let last = |is_third: bool| which(&|page| deciding(&page.contests, is_third).is_some());
    let mut all = vec![
        found(
            "matches",
            Kind::Integer,
            played.clone(),
            "How many contests a document lists.",
        ),
        found(
            "goals",
            Kind::Integer,
            played.clone(),
            "What both sides scored in all of them.",
        ),
        found("teams", Kind::Integer, played, "How many sides took part."),
        found("champion", Kind::Text, last(false), "Who won the final."),
        found("runner_up", Kind::Text, last(false), "Who lost the final."),
        found(
            "third_place",
            Kind::Text,
            last(true),
            "Who won the contest for third place.",
        ),
        found(
            "fourth_place",
            Kind::Text,
            last(true),
            "Who lost the contest for third place.",
        ),
    ];
    all.extend(rankings(pages));
    all.retain(|found| !found.documents.is_empty());
    all
}

/// The heads of rankings that recur, and their numbers.
fn rankings(pages: &[Page<'_>]) -> Vec<Found> {
    let mut named: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        for ranking in &page.rankings {
            let key = (name_of(&ranking.title), name_of(&ranking.noun));
            named.entry(key).or_default().insert(at);
        }
    }
    let found = |name: String, kind: Kind, documents: BTreeSet<usize>, description: String| Found {
        column: column(name, kind, &[], description),
        documents,
        share: SHARE,
    };
    let both = named.into_iter().flat_map(|((title, noun), documents)| {
        let of = if title.is_empty() { noun.clone() } else { title };
        let names = format!("Who stands first in the ranking `{of}`.");
        let most = format!("How many {noun} the first in the ranking `{of}` has.");
        [
            found(format!("top_{of}"), Kind::Text, documents.clone(), names),
            found(format!("top_{of}_{noun}"), Kind::Integer, documents, most),
        ]
    });
    both.collect()
}
