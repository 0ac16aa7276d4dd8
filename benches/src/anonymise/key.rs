//! The key of an anonymised corpus: what is behind each tag, and the texts as they were.

use super::dictionary::Entry;
use banyan_engine::{Document, Origin};
use banyan_extract::tag::{self, Tag};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that an anonymised set hides. As JSON it is `key.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Key {
    /// What is behind each tag, in the order of first appearance.
    pub(super) entities: Vec<Entry>,
    pub(super) documents: Vec<Record>,
}

/// A text of a set, as a line of `corpus.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
}

impl Key {
    pub(crate) fn documents(&self) -> Vec<Document> {
        let document = |record: &Record| {
            let origin = Origin {
                file: super::KEY.to_owned(),
                record: Some(record.id.clone()),
                line: None,
            };
            Document::new(&record.title, &record.text, origin)
        };
        self.documents.iter().map(document).collect()
    }

    /// A text with the name used most for each tag that the key knows. Cost O(length · log entities).
    pub(crate) fn reveal(&self, text: &str) -> String {
        let names: BTreeMap<&Tag, &str> = self.entities.iter().map(|one| (&one.tag, one.name.as_str())).collect();
        let mut new = String::with_capacity(text.len());
        let mut at = 0;
        for range in tag::find(text) {
            let name = Tag::parse(&text[range.clone()]).and_then(|tag| names.get(&tag).copied());
            new.push_str(&text[at..range.start]);
            new.push_str(name.unwrap_or(&text[range.clone()]));
            at = range.end;
        }
        new.push_str(&text[at..]);
        new
    }
}
