//! Documents read, and what is found in them counted.

use super::*;
use banyan::eval::report::Total;
use facts::{End, Fact};

struct Nobody;
impl Watch for Nobody {}

/// Ada Quill (twice named) was born in Vessing in 1901; the office is gold but not stated.
const DOCUMENTS: &str = r#"[{"title": "Ada Quill", "sents": [
    ["Ada", "Quill", "was", "born", "in", "Vessing", "in", "1901", "."], ["Quill", "met", "Odd", "Riis", "."]],
  "vertexSet": [
    [{"name": "Ada Quill", "sent_id": 0, "pos": [0, 2], "type": "PER"},
     {"name": "Quill", "sent_id": 1, "pos": [0, 1], "type": "PER"}],
    [{"name": "Vessing", "sent_id": 0, "pos": [5, 6], "type": "LOC"}],
    [{"name": "1901", "sent_id": 0, "pos": [7, 8], "type": "TIME"}],
    [{"name": "Odd Riis", "sent_id": 1, "pos": [2, 4], "type": "PER"}]],
  "labels": [{"h": 0, "t": 1, "r": "P1"}, {"h": 0, "t": 2, "r": "P2"}, {"h": 1, "t": 3, "r": "P3"}]}]"#;

fn gold(head: usize, relation: &str, tail: usize) -> Fact {
    (End::Gold(head), relation.to_owned(), End::Gold(tail))
}

fn read() -> (Vec<Annotated>, Relations) {
    let relations = [("P1", "place of birth"), ("P2", "date of birth"), ("P3", "founded by")];
    let relations = relations.map(|(id, label)| (id.to_owned(), label.to_owned())).into();
    (docred::parse(DOCUMENTS, &relations).unwrap(), relations)
}

#[test]
fn the_hand_computed_case_agrees() {
    let (documents, relations) = read();
    let outside = (End::Gold(0), "P1".to_owned(), End::Other("ommer".to_owned()));
    let facts = BTreeSet::from([gold(0, "P1", 1), gold(0, "P1", 3), outside]);
    let names = BTreeSet::from([Tagging::new(0..2, "PER"), Tagging::new(5..6, "PER")]);
    let mut part = Part::default();
    facts::score(&mut part, &documents, &[facts], &relations);
    score(&mut part, &documents, &[names]);
    // Of three facts found one is among the three gold ones; one of those found leaves the gold entities.
    let between = "facts between gold entities";
    for (method, metric, expected) in [
        ("facts", "precision", 1.0 / 3.0),
        ("facts", "f1", 1.0 / 3.0),
        (between, "precision", 0.5),
        (between, "f1", 0.4),
        // Two names are in place, of five mentions; one has its label.
        ("names", "span precision", 1.0),
        ("names", "span recall", 0.4),
        ("names", "f1", 2.0 / 7.0),
        ("facts", "f1 place of birth", 0.5),
    ] {
        let is_it = |one: &&Total| one.method == method && one.metric == metric;
        let value = part.totals.iter().find(is_it).unwrap().value;
        assert!((value - expected).abs() < 1e-6, "{method} {metric}");
    }
}

#[test]
fn facts_are_found_by_any_name_of_their_ends() {
    let (documents, relations) = read();
    let general = Schema::general().unwrap();
    let labels = Labels::new(&["PER", "LOC", "TIME"].map(str::to_owned).into(), &general);
    let vocabulary = Vocabulary::new(&relations, &labels, &general).unwrap();
    let read = Understanding::of(
        &documents,
        vocabulary.schema().clone(),
        &Analyser::surface(),
        Extractor::Embedded,
        &Nobody,
    )
    .unwrap();
    let facts = &facts(&read, &documents, &vocabulary)[0];
    assert!(
        facts.contains(&gold(0, "P1", 1)) && facts.contains(&gold(0, "P2", 2)),
        "{facts:?}"
    );
    assert!(!facts.contains(&gold(1, "P3", 3)), "{facts:?}");
    assert!(names(&read, 0, &documents[0].text, &labels).contains(&Tagging::new(7..8, "TIME")));
}
