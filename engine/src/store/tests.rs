//! The store at its public boundary: what is written reads back, and a writer that stops leaves what was there.

use super::*;
use crate::document::{Document, Layout, Origin, Span};
use crate::embed::Vectors;
use crate::fact::{AttributeClaim, Contribution, EntityClaim, LooseClaim, Mention, TripleClaim, UnboundClaim};
use crate::id::{CommunityId, DocumentIndex, EntityId};
use crate::knowledge::Settings;
use crate::resolution::{Decision, Evidence, Merge, Resolution};
use crate::schema::ElementKind;
use crate::stated::Stated;
use crate::tree::{Branch, Community, Keyword};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;

const SCHEMA: &str = r#"{
  "name": "lives",
  "entity_types": [{"name": "person"}],
  "relations": [{"name": "spouse"}],
  "attributes": [{"name": "birth_date", "kind": "date"}]
}"#;

/// Knowledge of one document that names one entity.
fn knowledge(title: &str, text: &str) -> Knowledge {
    let origin = Origin {
        file: format!("{title}.txt"),
        record: None,
        line: None,
    };
    let document = Document::new(title, text, origin);
    let (key, span) = (crate::name::key(title), Span::new(0, title.len()));
    let schema = Schema::from_json(SCHEMA).unwrap();
    let mut contribution = Contribution::new(document.id);
    contribution.chunks = vec![(Span::new(0, text.len()), 9)];
    contribution.entities = vec![EntityClaim {
        entity: key.as_str().into(),
        name: title.into(),
        entity_type: None,
        span,
        is_subject: true,
    }];
    contribution.mentions = vec![Mention {
        span,
        entity: key.as_str().into(),
        certainty: 100,
        is_term: false,
    }];
    contribution.triples = vec![TripleClaim {
        head: key.as_str().into(),
        relation: schema.relation_id("spouse").unwrap(),
        tail: key.as_str().into(),
        phrase: "married".to_owned(),
        span,
    }];
    contribution.loose = vec![LooseClaim {
        head: key.as_str().into(),
        tail: key.as_str().into(),
        phrase: "met".to_owned(),
        span,
    }];
    contribution.attributes = vec![AttributeClaim {
        entity: key.as_str().into(),
        attribute: schema.attribute_id("birth_date").unwrap(),
        value: "1901".to_owned(),
        span,
    }];
    contribution.unbound = vec![UnboundClaim {
        kind: ElementKind::Relation,
        word: "sang with".to_owned(),
        subject: key.as_str().into(),
        object: key.clone(),
        span,
    }];
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
    knowledge.chunk_vectors = Vectors::zeros(8, 1).into();
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

/// Both databases, with the file of each.
const ENGINES: [(Engine, &str); 2] = [(Engine::Sled, "db"), (Engine::Redb, "redb")];

/// Writes, stopping when more than `max_rows` reports of progress have been made.
fn write(path: &Path, knowledge: &Knowledge, max_rows: usize) -> Result<(), StoreError> {
    write_by(None, path, knowledge, max_rows)
}

fn write_by(engine: Option<Engine>, path: &Path, knowledge: &Knowledge, max_rows: usize) -> Result<(), StoreError> {
    let mut n = 0;
    Writer::lock(path)?.with(engine).write(knowledge, &mut |_, _| {
        n += 1;
        n <= max_rows
    })
}

#[test]
fn a_writer_that_stops_anywhere_leaves_what_was_there() {
    for (engine, _) in ENGINES {
        stops_anywhere(engine);
    }
}

fn stops_anywhere(engine: Engine) {
    let write = |path: &Path, knowledge: &Knowledge, max_rows| write_by(Some(engine), path, knowledge, max_rows);
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
            load(&path).unwrap().to_string(),
            old.to_string(),
            "stopped at {max_rows}"
        );
        max_rows += 1;
    }
    assert!(max_rows > 4, "only {max_rows} places to stop");
    let found = load(&path).unwrap();
    assert_eq!(found.to_string(), new.to_string());
    assert_eq!(found.chunk_vectors, new.chunk_vectors);
    assert!(sound(&found).is_ok());
}

#[test]
fn codes_of_vectors_are_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let mut knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let vectors = Vectors::from_data(2, vec![0.6, -0.8]).unwrap();
    knowledge.chunk_vectors = crate::embed::passages::tests::coded(&vectors);
    let (path, _) = stored(&directory, &knowledge);
    let found = load(&path).unwrap();
    assert!(sound(&found).is_ok());
    assert_eq!(
        (found.chunk_vectors.codes.len(), &found.chunk_vectors),
        (1, &knowledge.chunk_vectors)
    );
    let dots = found.chunk_vectors.dots(&[0.6, -0.8]);
    assert!((dots[0] - 1.0).abs() < 1e-3, "{dots:?}");
}

/// A store at `directory`/store, with the path of its live generation.
fn stored(directory: &tempfile::TempDir, knowledge: &Knowledge) -> (PathBuf, PathBuf) {
    stored_by(Engine::Sled, directory, knowledge)
}

fn stored_by(engine: Engine, directory: &tempfile::TempDir, knowledge: &Knowledge) -> (PathBuf, PathBuf) {
    let path = directory.path().join("store");
    write_by(Some(engine), &path, knowledge, usize::MAX).unwrap();
    let generation = Directory::current(&path).unwrap();
    (path, generation)
}

/// Every file below `path` with its bytes.
fn content(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        if path.is_dir() {
            content(&path)
        } else {
            BTreeMap::from([(path.clone(), fs::read(path).unwrap())])
        }
    };
    entries.flat_map(read).collect()
}

/// Reading opened sled's database, which wrote to it: a process killed at that moment left a store that nothing opened.
#[test]
fn reading_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let (path, generation) = stored(&directory, &knowledge);
    // What a process left that was killed while it read, before readers had a file of their own.
    fs::write(generation.join("snap.FFFFFFFFFFFFFFFF.generating"), "").unwrap();
    let before = content(&path);
    for _ in 0..3 {
        assert_eq!(load(&path).unwrap().to_string(), knowledge.to_string());
        assert_eq!(verify(&path).unwrap().faults, Vec::<String>::new());
        size(&path).unwrap();
    }
    assert_eq!(content(&path), before);
}

#[test]
fn readers_wait_for_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let (path, generation) = stored(&directory, &knowledge("Ada Quill", "Ada Quill was born in Vessing."));
    let held = Writer::lock(&path).unwrap();
    let database = File::open(generation.join("db")).unwrap();
    database.lock().unwrap();
    assert!(load(&path).is_ok());
    drop((held, database));
}

/// A bit that was wrong in sled's log made it cut off what follows, while it was read.
#[test]
fn a_changed_bit_is_found_harms_nothing_else_and_can_be_mended() {
    for engine in ENGINES {
        changed_bits(engine);
    }
}

fn changed_bits((engine, database): (Engine, &str)) {
    let directory = tempfile::tempdir().unwrap();
    let knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let (path, generation) = stored_by(engine, &directory, &knowledge);
    let log = fs::read(generation.join(database)).unwrap().len();
    let rows = fs::read(generation.join("rows")).unwrap().len();
    let places = (0..4)
        .map(|at| (database, at * log / 4))
        .chain((0..4).map(|at| ("rows", at * rows / 4)));
    for (half, at) in places {
        let file = Directory::current(&path).unwrap().join(half);
        let mut bytes = fs::read(&file).unwrap();
        bytes[at] ^= 4;
        fs::write(&file, &bytes).unwrap();
        let before = content(&path);
        match load(&path) {
            Ok(found) => assert_eq!(found.to_string(), knowledge.to_string(), "{half} at {at}"),
            Err(error) => assert!(half == "rows" && matches!(error, StoreError::Corrupt { .. }), "{error}"),
        }
        assert_ne!(verify(&path).unwrap().faults, Vec::<String>::new(), "{half} at {at}");
        assert_eq!(content(&path), before, "{half} at {at}");
        repair(&path).unwrap();
        assert_eq!(verify(&path).unwrap().faults, Vec::<String>::new(), "{half} at {at}");
        assert_eq!(load(&path).unwrap().to_string(), knowledge.to_string());
    }
}

/// What is read on demand is as true as what is read whole: a fault is told, or it is where nothing was read.
#[test]
fn no_changed_bit_gives_another_answer() {
    let directory = tempfile::tempdir().unwrap();
    let knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let (path, generation) = stored(&directory, &knowledge);
    let file = generation.join("rows");
    let whole = fs::read(&file).unwrap();
    let told = |(known, index): &(Knowledge, Index)| {
        let names = index.names.get("ada quill").cloned();
        let postings: Vec<(usize, f32)> = index.passages.postings("vess").iter().collect();
        let stated = index.facts.stated.all().to_vec();
        format!(
            "{known}{names:?}{postings:?}{stated:?}{:?}",
            index.incidence.of(EntityId(0))
        )
    };
    let sound_answer = told(&open(&path).unwrap());
    let mut n_told = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, &bytes).unwrap();
        let Ok(opened) = open(&path) else {
            n_told += 1;
            continue;
        };
        let answer = told(&opened);
        match sound(&opened.0) {
            Ok(()) => assert_eq!(answer, sound_answer, "byte {at}"),
            Err(_) => n_told += 1,
        }
        assert_ne!(verify(&path).unwrap().faults, Vec::<String>::new(), "byte {at}");
    }
    assert!(n_told * 2 > whole.len(), "only {n_told} of {} were told", whole.len());
}

#[test]
fn a_store_without_a_sound_half_is_told_and_stays() {
    for (engine, database) in ENGINES {
        let directory = tempfile::tempdir().unwrap();
        let knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
        let (path, generation) = stored_by(engine, &directory, &knowledge);
        for half in [database, "rows"] {
            fs::write(generation.join(half), "something else").unwrap();
        }
        let before = content(&path);
        assert!(verify(&path).unwrap().faults.len() > 1);
        assert!(matches!(repair(&path), Err(StoreError::Corrupt { .. })));
        assert_eq!(content(&path), before);
    }
}

#[test]
fn a_store_keeps_its_database_until_another_is_asked_for_and_both_hold_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let path = directory.path().join("store");
    let steps = [
        (None, "db"),
        (Some(Engine::Redb), "redb"),
        (None, "redb"),
        (Some(Engine::Sled), "db"),
    ];
    for (engine, file) in steps {
        write_by(engine, &path, &knowledge, usize::MAX).unwrap();
        let generation = Directory::current(&path).unwrap();
        assert!(generation.join(file).is_file(), "{file}");
        assert_eq!(verify(&path).unwrap().faults, Vec::<String>::new());
        // What a damaged snapshot is written anew from.
        fs::write(generation.join("rows"), "something else").unwrap();
        repair(&path).unwrap();
        assert_eq!(load(&path).unwrap().to_string(), knowledge.to_string(), "{file}");
    }
}

/// `CURRENT` is a line of text, and without it a whole generation was taken for nothing, and overwritten by the next build.
#[test]
fn a_store_whose_current_is_lost_is_not_overwritten_and_can_be_mended() {
    for harm in [
        None,
        Some(&b"banyan st"[..]),
        Some(b"\xff\xfe"),
        Some(b"banyan store 11\ngen-77\n"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
        let (path, _) = stored(&directory, &knowledge);
        match harm {
            None => fs::remove_file(path.join("CURRENT")).unwrap(),
            Some(bytes) => fs::write(path.join("CURRENT"), bytes).unwrap(),
        }
        let refused = write(&path, &knowledge, usize::MAX).unwrap_err().to_string();
        assert!(refused.contains("`banyan verify --repair`"), "{refused}");
        assert_eq!(verify(&path).unwrap().faults.len(), 1);
        repair(&path).unwrap();
        assert_eq!(verify(&path).unwrap().faults, Vec::<String>::new());
        assert_eq!(load(&path).unwrap().to_string(), knowledge.to_string());
    }
}

/// Large values have files of their own, which were never made durable and are checked like the others.
#[test]
fn files_of_large_values_are_part_of_the_store() {
    let directory = tempfile::tempdir().unwrap();
    // Digits that do not compress to nothing.
    let numbers: Vec<String> = (1..300_000_u64).map(|n| (n * 2_654_435_761).to_string()).collect();
    let text = numbers.join(" ");
    let knowledge = knowledge("Ada Quill", &text);
    let (path, generation) = stored(&directory, &knowledge);
    let large = fs::read_dir(generation.join("blobs")).unwrap().next();
    fs::remove_file(large.expect("a megabyte is a large value").unwrap().path()).unwrap();
    assert_eq!(verify(&path).unwrap().faults.len(), 1);
    repair(&path).unwrap();
    assert_eq!(verify(&path).unwrap(), verify(&path).unwrap());
    assert_eq!(load(&path).unwrap().to_string(), knowledge.to_string());
}

/// A build that was stopped took its whole directory away, with a file that somebody had put there meanwhile.
#[test]
fn a_writer_that_gives_up_takes_away_only_what_it_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    let writer = Writer::lock(&path).unwrap();
    fs::write(path.join("notes.txt"), "precious").unwrap();
    assert!(matches!(
        writer.write(&knowledge, &mut |_, _| false),
        Err(StoreError::Stopped)
    ));
    drop(writer);
    let left: Vec<_> = content(&path).into_keys().collect();
    assert_eq!(left, [path.join("LOCK"), path.join("notes.txt")]);
    write(&path, &knowledge, usize::MAX).expect("the directory is still known to be a store's");
    assert!(path.join("notes.txt").exists());

    let foreign = directory.path().join("photos");
    fs::create_dir_all(foreign.join("gen-1")).unwrap();
    assert!(matches!(Writer::lock(&foreign), Err(StoreError::Unusable(_))));
    assert!(foreign.join("gen-1").exists() && !foreign.join("LOCK").exists());

    let empty = directory.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(matches!(write(&empty, &knowledge, 0), Err(StoreError::Stopped)));
    assert!(content(&empty).is_empty());
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
    assert_eq!(load(&path).unwrap().documents.get(0).title, "Ada");

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

/// A program that reads a record of another layout takes it for damage.
#[test]
fn the_format_number_stands_for_the_layout_of_the_records() {
    let mut knowledge = knowledge("Ada Quill", "Ada Quill was born in Vessing.");
    knowledge.documents.edit(|documents| {
        let layout = &mut documents[0].layout;
        *layout = Layout::with_headings([(Span::new(0, 3), 1), (Span::new(4, 9), 2)]);
        layout.code = vec![Span::new(0, 3)];
    });
    let statement = StatedAt {
        span: Span::new(0, 3),
        stated: Stated::default(),
        tokens: 1,
    };
    let id = knowledge.documents.get(0).id;
    knowledge.statements = BTreeMap::from([(id, vec![statement])]).into();
    let mut all: Vec<u8> = Vec::new();
    let mut snapshot = snapshot::Draft::new(Vec::new()).unwrap();
    record::records(&knowledge, &Index::new(&knowledge), &mut |tree, key, bytes, _| {
        let body = codec::body(tree, &bytes)?;
        all.extend([tree.as_bytes(), key, &body].concat());
        snapshot.put(tree, key, &body).unwrap();
        Ok(())
    })
    .unwrap();
    all.extend(snapshot.finish().unwrap());
    let own = self::knowledge("Bo Ferren", "Bo Ferren was born in Vessing.");
    let places = BTreeMap::from([(DocumentIndex(0), vec![])]);
    let recent = Recent::new((&knowledge, &Index::new(&knowledge)), own, &places);
    let recent = codec::encode("recent", &recent).unwrap();
    all.extend(codec::body("recent", &recent).unwrap().iter());
    let found = format!("format {FORMAT}, {:08x}", crc32fast::hash(&all));
    assert_eq!(
        found, "format 18, f4afab70",
        "where the layout changes, the format's number must, too"
    );
}
