//! Labelled pairs: what is one entity and what is not. Precision goes first: nothing may be joined wrongly.

use super::*;

/// The pairs of the section of `pairs.txt` whose heading begins so, of which at least `n` have to be there, that are
/// joined or not.
#[track_caller]
fn check(heading: &str, n: usize, is_joined: bool) {
    let sections = include_str!("pairs.txt").split("## ");
    let pairs = sections.filter_map(|section| section.split_once('\n'));
    let (_, pairs) = pairs.into_iter().find(|(own, _)| own.starts_with(heading)).unwrap();
    let pairs: Vec<&str> = pairs.lines().filter(|line| !line.is_empty()).collect();
    assert!(pairs.len() >= n, "{} pairs", pairs.len());
    let wrong: Vec<&&str> = pairs.iter().filter(|pair| joins(pair) != is_joined).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn joins(pair: &str) -> bool {
    let (names, text) = pair.split_once(" @ ").unwrap();
    let (a, b) = names.split_once(" = ").unwrap();
    let apart = [
        format!("In those days [{a}] was well known."),
        format!("Nobody wrote more of [{b}] than they did."),
    ];
    let together = apart.join(" ");
    let texts: Vec<(&str, &str)> = match text {
        "apart" => vec![("Note one", &apart[0]), ("Note two", &apart[1])],
        "together" => vec![("Note one", &together)],
        texts => texts.split(" // ").map(|text| text.split_once(": ").unwrap()).collect(),
    };
    let bare = |mark: &str| mark.split('|').next().unwrap_or(mark).to_owned();
    Corpus::new(&texts).joins(&bare(a), &bare(b))
}

#[test]
fn no_pair_of_different_things_is_joined() {
    check("two things", 40, false);
}

#[test]
fn pairs_of_one_thing_are_joined_but_for_the_known_misses() {
    check("one thing", 35, true);
    check("one thing, but missed", 4, false);
}
