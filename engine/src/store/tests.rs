//! The store at its public boundary: what is written reads back, and a writer that stops leaves what was there.

use super::*;
use crate::document::{Document, Origin, Span};
use crate::fact::{EntityClaim, Mention};
use crate::id::{CommunityId, EntityId};
use crate::resolution::{Decision, Evidence, Merge};
use crate::schema::{Element, EntityType, Proposal};
use crate::tree::Keyword;

/// Knowledge of one document that names one entity.
fn knowledge(title: &str, text: &str) -> Knowledge {
    let origin = Origin {
        file: format!("{title}.txt"),
        record: None,
        line: None,
    };
    let document = Document::new(title, text, origin);
    let (key, span) = (crate::name::key(title), Span::new(0, title.len()));
    let mut contribution = Contribution::new(document.id);
    contribution.chunks = vec![(Span::new(0, text.len()), 9)];
    contribution.entities = vec![EntityClaim {
        entity: key.clone(),
        name: title.to_owned(),
        entity_type: None,
        span,
        is_subject: true,
    }];
    contribution.mentions = vec![Mention {
        span,
        entity: key.clone(),
        certainty: 100,
    }];
    let schema = Schema::general().unwrap();
    let apart = Decision::Split {
        a: key.clone(),
        b: crate::name::key(text),
    };
    let resolution = Resolution::new(vec![joined(&format!("{title} the elder"), title)], vec![apart]).unwrap();
    let (documents, contributions) = (vec![document], vec![contribution]);
    let mut knowledge = Knowledge::assemble(Settings::default(), schema, documents, contributions, resolution);
    let (entity, score) = (EntityId(0), 0.5);
    let community = Community {
        name: title.to_owned(),
        description: "one thing".to_owned(),
        members: vec![entity],
        keywords: vec![Keyword { entity, score }],
    };
    let branch = Branch {
        name: title.to_owned(),
        description: "one community".to_owned(),
        children: vec![CommunityId(0)],
        keywords: community.keywords.clone(),
    };
    let tree = KnowledgeTree::new(vec![community], 1).unwrap();
    let branches = vec![vec![branch.clone()], vec![branch]];
    knowledge.tree = tree.with_branches(branches).unwrap().refreshed(3);
    knowledge.chunk_vectors = Vectors::zeros(8, 1);
    knowledge
}

fn joined(from: &str, into: &str) -> Merge {
    Merge {
        from: crate::name::key(from),
        into: crate::name::key(into),
        score: 0.8125,
        evidence: vec![Evidence::Initials, Evidence::Context { n_shared: 2 }],
    }
}

/// Writes, stopping when more than `max_rows` reports of progress have been made.
fn write(path: &Path, knowledge: &Knowledge, max_rows: usize) -> Result<(), StoreError> {
    let mut n = 0;
    Writer::lock(path)?.write(knowledge, &mut |_, _| {
        n += 1;
        n <= max_rows
    })
}

#[test]
fn a_writer_that_stops_anywhere_leaves_what_was_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let old = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let new = knowledge("Bo Ferren", "Bo Ferren met Ada Quill in 1911.");
    assert!(matches!(write(&path, &old, 0), Err(StoreError::Stopped)));
    assert!(!path.exists(), "a store that never came to be was left behind");
    write(&path, &old, usize::MAX).unwrap();
    let mut max_rows = 0;
    while let Err(error) = write(&path, &new, max_rows) {
        assert!(matches!(error, StoreError::Stopped), "{error}");
        assert_eq!(
            read(&path).unwrap().to_string(),
            old.to_string(),
            "stopped at {max_rows}"
        );
        max_rows += 1;
    }
    assert!(max_rows > 4, "only {max_rows} places to stop");
    let found = read(&path).unwrap();
    assert_eq!(found.to_string(), new.to_string());
    assert_eq!(found.chunk_vectors, new.chunk_vectors);
}

#[test]
fn the_growth_of_the_schema_is_part_of_the_store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let mut grown = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let proposal = Proposal {
        element: Element::EntityType(EntityType {
            name: "glassblower".to_owned(),
            ..EntityType::default()
        }),
        alias_of: None,
        confidence: 0.1 + 0.2,
        n_documents: 1,
        consistency: 1.0,
        distance: 0.5,
        evidence: vec![(grown.documents[0].id, Span::new(0, 9))],
    };
    grown.growth.open = vec![proposal];
    write(&path, &grown, usize::MAX).unwrap();
    assert_eq!(read(&path).unwrap().growth, grown.growth);
}

#[test]
fn only_one_writer_works_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let first = Writer::lock(&path).unwrap();
    assert!(matches!(Writer::lock(&path), Err(StoreError::Locked { .. })));
    drop(first);
    assert!(Writer::lock(&path).is_ok());
}

#[test]
fn a_database_that_is_about_to_be_dropped_is_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let mut nothing = |_, _| true;
    let held = Rows::create(directory.path(), 0, &mut nothing).unwrap();
    let (path, (sender, receiver)) = (directory.path().to_owned(), std::sync::mpsc::channel());
    let waiting = std::thread::spawn(move || {
        sender.send(()).unwrap();
        Rows::open(&path).map(drop)
    });
    receiver.recv().unwrap();
    drop(held);
    waiting.join().unwrap().unwrap();
}

#[test]
fn what_is_derived_goes_with_its_generation() {
    let desk = tempfile::tempdir().unwrap();
    let path = desk.path().join("store");
    let write = |title: &str| {
        Writer::lock(&path)
            .unwrap()
            .write(&knowledge(title, "text"), &mut |_, _| true)
            .unwrap();
    };
    write("Ada");
    let first = Derived::of(&path).unwrap();
    assert_eq!(first.get::<String>("table", "a key"), None);
    assert!(first.keep("table", "a key", &"kept".to_owned()).unwrap());
    assert_eq!(first.get::<String>("table", "a key").as_deref(), Some("kept"));
    assert_eq!(first.get::<String>("table", "another key"), None);
    assert_eq!(first.get::<Vec<f64>>("table", "a key"), None, "damaged for this reader");
    assert_eq!(read(&path).unwrap().documents[0].title, "Ada");

    write("Bo");
    assert!(!first.keep("table", "a key", &"late".to_owned()).unwrap());
    let second = Derived::of(&path).unwrap();
    assert_eq!(second.get::<String>("table", "a key"), None);
    for at in 0..70_u32 {
        assert!(second.keep("table", &at.to_string(), &at).unwrap());
    }
    assert_eq!(second.get::<u32>("table", "69"), Some(69));
    assert_eq!(second.get::<u32>("table", "1"), None, "no more than a bound is kept");
}
