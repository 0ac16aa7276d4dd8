//! Communities that are kept where nothing changed.

use super::{fresh, pair, undivided};
use crate::desk;
use banyan_tests::workspace::text;

/// The number before `mark` in what a change said.
#[track_caller]
fn number(says: &str, mark: &str) -> usize {
    let before = says.split(mark).next().filter(|before| before.len() < says.len());
    let number = before.and_then(|before| before.split(' ').next_back()?.parse().ok());
    number.unwrap_or_else(|| panic!("expected a number before {mark:?}: {says}"))
}

/// Communities as a dump shows them, each with its texts, keywords and members.
fn communities(dump: &str) -> Vec<String> {
    let tree = dump.split_once("\n# tree\n").expect("the dump has a tree").1;
    let whole = format!("\n{tree}");
    let blocks = whole.split("\n4 ").skip(1);
    let shown = |block: &str| {
        let lines = block.lines().filter(|line| !line.starts_with("    "));
        lines.collect::<Vec<_>>().join("\n")
    };
    blocks.map(shown).collect()
}

#[test]
fn a_change_leaves_most_communities_as_they_were() {
    let corpus = text("data/harrow/corpus.jsonl");
    let (old, new) = corpus.trim_end().rsplit_once('\n').expect("several records");
    let desk = desk().with("old.jsonl", old).with("new.jsonl", new);
    desk.banyan("build old.jsonl").done();
    let before = desk.dump("store");
    let run = desk.banyan("add new.jsonl").done();
    let (touched, n) = (number(&run.stderr, " of "), number(&run.stderr, " in "));
    let after = desk.dump("store");
    let (was, is) = (communities(&before), communities(&after));
    assert_eq!(is.len(), n);
    let same = is.iter().filter(|community| was.contains(community)).count();
    assert!(touched < n && same + touched >= n, "{same} the same: {}", run.stderr);
    assert!(after.contains("\n# tree\nrefreshed 1\n"));
    assert_eq!(desk.banyan("stats --json").done().json()["refreshes"], 1);
    desk.banyan("stats")
        .done()
        .prints(&["refreshed by 1 change since they were detected"]);

    desk.shell("cp -r store kept").done();
    desk.banyan("remove new.jsonl").done();
    assert_eq!(desk.dump("store"), before, "detected anew");
    let run = desk
        .banyan("remove new.jsonl --store kept --communities refresh")
        .done();
    assert!(number(&run.stderr, " of ") < number(&run.stderr, " in "));
    let kept = desk.dump("kept");
    assert!(kept.contains("\n# tree\nrefreshed 2\n"));
    assert_eq!(undivided(&kept), undivided(&before));
}

#[test]
fn many_added_documents_are_detected_anew() {
    let desk = pair();
    desk.banyan("add bo.txt").done().tells(&["nothing to change"]);
    desk.put("cass.txt", "Cass Orde was born in Karrowmouth and married Dov Merrow.");
    desk.banyan("add cass.txt")
        .done()
        .tells(&["communities detected anew: "]);
    assert_eq!(desk.dump("store"), fresh(&desk, ["ada.txt", "bo.txt", "cass.txt"]));
}
