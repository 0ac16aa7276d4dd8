//! Communities that are kept where nothing changed.

use super::{fresh, pair, undivided};
use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::text;
use serde_json::Value;

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

/// A store of all but the last record of the Harrow corpus, that record being `new.jsonl`.
fn all_but_one() -> Desk {
    let corpus = text("data/harrow/corpus.jsonl");
    let (old, new) = corpus.trim_end().rsplit_once('\n').expect("several records");
    let desk = desk().with("old.jsonl", old).with("new.jsonl", new);
    desk.run(["build", "old.jsonl", "--store", "store"]).done();
    desk
}

#[test]
fn an_added_document_leaves_most_communities_as_they_were() {
    let desk = all_but_one();
    let before = desk.dump("store");
    let run = desk.run(["add", "new.jsonl", "--store", "store"]).done();
    let (touched, n) = (number(&run.stderr, " of "), number(&run.stderr, " in "));
    let after = desk.dump("store");
    let (was, is) = (communities(&before), communities(&after));
    assert_eq!(is.len(), n);
    let same = is.iter().filter(|community| was.contains(community)).count();
    assert!(touched < n && same + touched >= n, "{same} the same: {}", run.stderr);
    assert!(after.contains("\n# tree\nrefreshed 1\n"));
    let stats: Value = desk.run(["stats", "--store", "store", "--json"]).done().json();
    assert_eq!(stats["refreshes"], 1);
    let table = desk.run(["stats", "--store", "store"]).done().stdout;
    assert!(
        table.contains("refreshed by 1 change since they were detected"),
        "{table}"
    );
    desk.run(["remove", "new.jsonl", "--store", "store"]).done();
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn a_removal_may_keep_the_communities_that_lose_nothing() {
    let desk = all_but_one();
    desk.run(["add", "new.jsonl", "--store", "store"]).done();
    let run = desk.run(["remove", "new.jsonl", "--store", "store", "--communities", "refresh"]);
    let run = run.done();
    assert!(number(&run.stderr, " of ") < number(&run.stderr, " in "));
    let dump = desk.dump("store");
    assert!(dump.contains("\n# tree\nrefreshed 2\n"));
    assert_eq!(undivided(&dump), undivided(&fresh(&desk, ["old.jsonl"])));
}

#[test]
fn many_added_documents_are_detected_anew() {
    let desk = pair();
    let run = desk.run(["add", "Bo Ferren.txt", "--store", "store"]).done();
    assert!(run.stderr.contains("communities touched 0 of "), "{}", run.stderr);
    desk.put(
        "Cass Orde.txt",
        "Cass Orde was born in Karrowmouth and married Dov Merrow.",
    );
    let run = desk.run(["add", "Cass Orde.txt", "--store", "store"]).done();
    assert!(run.stderr.contains("communities detected anew: "), "{}", run.stderr);
    assert_eq!(
        desk.dump("store"),
        fresh(&desk, ["Ada Quill.txt", "Bo Ferren.txt", "Cass Orde.txt"])
    );
}
