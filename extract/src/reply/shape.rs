//! Which object of a reply says what about which passage.

use super::statement;
use super::value::{Value, is_called};
use super::{Part, attribute, proposal, triple};
use crate::stated::{Defect, DefectKind, Intake};
use std::collections::BTreeMap;

/// What a key of a reply announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Entities,
    Triples,
    Attributes,
    /// Types by entity, beside a list of triples.
    EntityTypes,
    NewTypes,
}

impl Section {
    /// The names under which models and other prompts have it, in lower case without marks.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Entities => &["entities", "nodes", "namedentities", "extractedentities", "entitylist"],
            Self::Triples => &[
                "triples",
                "triplets",
                "relations",
                "relationships",
                "edges",
                "facts",
                "statements",
                "extractedtriples",
            ],
            Self::Attributes => &["attributes", "properties", "attrs", "entityattributes"],
            Self::EntityTypes => &["entitytypes", "types", "typesbyentity"],
            Self::NewTypes => &[
                "newschematypes",
                "newtypes",
                "newschema",
                "schemaupdates",
                "proposedtypes",
            ],
        }
    }

    fn of(key: &str) -> Option<Self> {
        let all = [
            Self::Entities,
            Self::Triples,
            Self::Attributes,
            Self::EntityTypes,
            Self::NewTypes,
        ];
        all.into_iter()
            .find(|section| section.names().iter().any(|name| is_called(key, name)))
    }
}

/// Keys that hold a passage's number.
const PASSAGE: [&str; 8] = [
    "about",
    "passage",
    "passageid",
    "passagenumber",
    "chunk",
    "chunkid",
    "id",
    "n",
];

/// What is said of one passage, while the reply is read.
#[derive(Default)]
struct Draft {
    intake: Intake,
    is_cut: bool,
}

/// What a reply says by passage, while it is read.
pub(super) struct Parts {
    n_passages: u32,
    drafts: BTreeMap<Option<u32>, Draft>,
    defects: Vec<Defect>,
    is_cut: bool,
}

impl Parts {
    /// Nothing yet, about passages `1..=n_passages`.
    pub(super) fn new(n_passages: u32) -> Self {
        Self {
            n_passages,
            drafts: BTreeMap::new(),
            defects: Vec::new(),
            is_cut: false,
        }
    }

    /// Whether nothing of a known shape was found, about whatever passage.
    pub(super) fn is_empty(&self) -> bool {
        self.drafts.is_empty() && self.defects.is_empty()
    }

    /// Takes in one value of the reply.
    pub(super) fn read(&mut self, value: &Value) {
        let n_before = self.drafts.len();
        self.walk(value, None);
        self.is_cut |= value.is_cut() && self.drafts.len() > n_before;
    }

    /// What was said, in the order of passages; what was wrong beside it; whether the reply broke off.
    pub(super) fn finish(self) -> (Vec<Part>, Vec<Defect>, bool) {
        let part = |(passage, draft): (Option<u32>, Draft)| Part {
            passage,
            stated: draft.intake.finish(),
            is_cut: draft.is_cut,
        };
        (self.drafts.into_iter().map(part).collect(), self.defects, self.is_cut)
    }

    /// Looks for statements in a value and in what it holds; `passage` is the number that stands around it.
    fn walk(&mut self, value: &Value, passage: Option<u32>) {
        match value {
            Value::List { items, .. } => {
                let is_triple = |item: &Value| matches!(item, Value::List { items, .. } if is_three_texts(items));
                if items.iter().any(is_triple) {
                    self.section(Section::Triples, value, passage);
                } else {
                    for item in items {
                        self.walk(item, passage);
                    }
                }
            }
            Value::Object { entries, is_cut } => self.object(value, entries, *is_cut, passage),
            _ => {}
        }
    }

    fn object(&mut self, value: &Value, entries: &[(String, Value)], is_cut: bool, around: Option<u32>) {
        let own = value.field(&PASSAGE).and_then(number);
        let passage = own.or(around);
        let sections: Vec<(Option<Section>, &(String, Value))> =
            entries.iter().map(|entry| (Section::of(&entry.0), entry)).collect();
        let has = |wanted: Section| sections.iter().any(|(section, _)| *section == Some(wanted));
        if !has(Section::Entities) && !has(Section::Triples) && statement::is_one(value) {
            if let Some(draft) = self.draft(passage) {
                statement::read(value, &mut draft.intake);
            }
            return;
        }
        let mut is_part = own.is_some();
        for (section, (key, inner)) in sections {
            match section {
                Some(section) => {
                    self.section(section, inner, passage);
                    is_part = true;
                }
                None if is_called(key, "passages")
                    && matches!(inner, Value::List { items, .. } if items.is_empty()) =>
                {
                    is_part = true;
                }
                None if inner.is_container() => self.walk(inner, number_in(key).or(passage)),
                None => {}
            }
        }
        if is_part && let Some(draft) = self.draft(passage) {
            draft.is_cut |= is_cut;
        }
    }

    fn section(&mut self, section: Section, value: &Value, passage: Option<u32>) {
        let Some(draft) = self.draft(passage) else {
            return;
        };
        let intake = &mut draft.intake;
        match section {
            Section::Entities => statement::entities(value, intake),
            Section::Triples => triple::triples(value, intake),
            Section::Attributes => attribute::attributes(value, intake),
            Section::EntityTypes => statement::entity_types(value, intake),
            Section::NewTypes => proposal::read(value, intake),
        }
    }

    /// The draft of a passage; none, and a defect, for a passage that was not asked about.
    fn draft(&mut self, passage: Option<u32>) -> Option<&mut Draft> {
        if let Some(number) = passage.filter(|number| !(1..=self.n_passages).contains(number)) {
            let detail = format!("passage {number} of {}", self.n_passages);
            let defect = Defect::new(DefectKind::UnknownPassage, detail);
            if !self.defects.contains(&defect) && self.defects.len() < MAX_UNKNOWN {
                self.defects.push(defect);
            }
            return None;
        }
        Some(self.drafts.entry(passage).or_default())
    }
}

/// Most passages that are named as unknown; arbitrary. It bounds the search for repetitions.
const MAX_UNKNOWN: usize = 16;

fn is_three_texts(items: &[Value]) -> bool {
    items.len() == 3 && items.iter().all(|item| item.as_text().is_some())
}

/// A passage's number, as a number or as a text that holds one.
fn number(value: &Value) -> Option<u32> {
    match value {
        Value::Number(digits) => digits.parse().ok(),
        Value::Text(text) => number_in(text),
        _ => None,
    }
}

/// The number of `passage 2`, `chunk_2` or `2`; none in any other text.
fn number_in(text: &str) -> Option<u32> {
    let digits = text.trim().trim_start_matches(|ch: char| !ch.is_ascii_digit());
    let word = text.trim().strip_suffix(digits).unwrap_or_default();
    let is_known = ["", "passage", "chunk", "text", "p"]
        .iter()
        .any(|name| is_called(word, name));
    digits.parse().ok().filter(|_| is_known)
}
