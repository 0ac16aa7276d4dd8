//! How a schema grew: what was proposed, what was accepted, by whom and on what evidence (Eq. 3, Youtu-GraphRAG).
//!
//! The seed file is never written. A grown schema is the seed plus what the versions of a [`Growth`] added, so that seed
//! and decisions can be told apart again, and a build of the same documents with the same decisions comes to the same.

use super::element::{Element, ElementKind};
use super::error::SchemaError;
use super::read::SchemaFile;
use super::{Schema, snake_case};
use crate::document::Span;
use crate::id::DocumentId;
use serde::{Deserialize, Serialize};

mod decide;

/// An element that texts suggest, with the numbers that its acceptance hangs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// What is proposed. With `alias_of`, only its name and aliases count.
    pub element: Element,
    /// The existing element of the same kind that this is only another phrase for; then there is no new element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias_of: Option<String>,
    /// In `0..=1`, higher is surer; what μ is compared with.
    pub confidence: f32,
    /// Distinct documents that suggest it.
    pub n_documents: u32,
    /// Share of the evidence that agrees on the types of its ends, or on the kind of its value, `0..=1`.
    pub consistency: f32,
    /// Cosine distance of its name to the nearest existing element of its kind, `0..=2`; 1 where there is none.
    pub distance: f32,
    /// Places that suggest it, in chunk order; not all, where there are many.
    pub evidence: Vec<(DocumentId, Span)>,
}

impl Proposal {
    /// What identifies it: kind and name.
    pub fn id(&self) -> (ElementKind, &str) {
        (self.element.kind(), self.element.name())
    }
}

/// Who accepted a version's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AcceptedBy {
    /// Their confidence reached μ.
    Confidence,
    /// A person named them.
    User,
    /// The schema was open to everything.
    OpenMode,
}

/// One step of growth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemaVersion {
    /// The version of the schema after the step.
    pub number: u32,
    /// Who accepted it.
    pub by: AcceptedBy,
    /// What was added, in the order of the new ids.
    pub accepted: Vec<Proposal>,
    /// What an earlier version had added and this one took out again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<(ElementKind, String)>,
}

/// Everything that is known of how a schema grew and might grow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// Steps in order; their numbers ascend.
    pub versions: Vec<SchemaVersion>,
    /// Proposals that nothing accepted yet, the surest first.
    pub open: Vec<Proposal>,
    /// Names that a person does not want, sorted; they are not proposed again.
    pub rejected: Vec<(ElementKind, String)>,
}

impl Growth {
    /// What the versions added and none withdrew, in the order in which it was added.
    pub fn accepted(&self) -> Vec<&Proposal> {
        let mut live: Vec<&Proposal> = Vec::new();
        for version in &self.versions {
            let is_out = |id| {
                version
                    .withdrawn
                    .iter()
                    .any(|(kind, name)| (*kind, name.as_str()) == id)
            };
            live.retain(|proposal| !is_out(proposal.id()));
            live.extend(&version.accepted);
        }
        live
    }

    /// The same growth without evidence in other documents than these; what only they suggested is proposed no more.
    #[must_use]
    pub fn only(&self, is_there: impl Fn(&DocumentId) -> bool) -> Self {
        let mut growth = self.clone();
        let accepted = growth.versions.iter_mut().flat_map(|version| &mut version.accepted);
        for proposal in accepted.chain(&mut growth.open) {
            proposal.evidence.retain(|(document, _)| is_there(document));
        }
        growth.open.retain(|proposal| !proposal.evidence.is_empty());
        growth
    }

    /// The schema that `schema` grew from.
    ///
    /// # Errors
    /// [`SchemaError`] where `schema` is not the one that these versions lead to.
    pub fn seed(&self, schema: &Schema) -> Result<Schema, SchemaError> {
        let Some(first) = self.versions.first() else {
            return Ok(schema.clone());
        };
        let mut seed = schema.shrunk(&self.accepted())?;
        seed.file.version = first.number.saturating_sub(1);
        Ok(seed)
    }
}

impl Schema {
    /// The next version with what `proposals` add: elements, appended in order with their names in normal form, and
    /// phrases of existing ones; ids of what was there stay valid. No proposals give the same schema again. Cost O(size
    /// of the schema).
    ///
    /// # Errors
    /// [`SchemaError`] when a name is taken, an element refers to a type that is not defined, or a phrase is proposed for
    /// such an element; then nothing is added.
    pub fn grow_by(&self, proposals: &[Proposal]) -> Result<Self, SchemaError> {
        if proposals.is_empty() {
            return Ok(self.clone());
        }
        let mut file = self.file.clone();
        for proposal in proposals {
            let Some(known) = &proposal.alias_of else {
                file.append(proposal.element.clone());
                continue;
            };
            let phrases = phrases(&proposal.element);
            let aliases = aliases(&mut file, proposal.element.kind(), known)?;
            aliases.extend(phrases);
        }
        next(file)
    }

    /// The schema without what `proposals` added, version unchanged.
    fn shrunk(&self, proposals: &[&Proposal]) -> Result<Self, SchemaError> {
        let mut file = self.file.clone();
        let (phrases_only, whole): (Vec<&Proposal>, Vec<&Proposal>) =
            proposals.iter().partition(|proposal| proposal.alias_of.is_some());
        let is_taken = |kind: ElementKind, name: &str| whole.iter().any(|proposal| proposal.id() == (kind, name));
        for proposal in phrases_only {
            let known = proposal.alias_of.as_deref().unwrap_or_default();
            if is_taken(proposal.element.kind(), known) {
                continue;
            }
            let phrases = phrases(&proposal.element);
            aliases(&mut file, proposal.element.kind(), known)?.retain(|alias| !phrases.contains(alias));
        }
        file.entity_types
            .retain(|kind| !is_taken(ElementKind::EntityType, &kind.name));
        file.relations
            .retain(|kind| !is_taken(ElementKind::Relation, &kind.name));
        file.attributes
            .retain(|kind| !is_taken(ElementKind::Attribute, &kind.name));
        Self::try_from(file)
    }
}

fn next(mut file: SchemaFile) -> Result<Schema, SchemaError> {
    file.version = file.version.saturating_add(1);
    Schema::try_from(file)
}

/// The phrases that a proposal brings along: its name as words, and its aliases.
fn phrases(element: &Element) -> Vec<String> {
    let mut phrases = vec![snake_case(element.name()).replace('_', " ")];
    for alias in element.aliases() {
        if !phrases.contains(alias) {
            phrases.push(alias.clone());
        }
    }
    phrases
}

fn aliases<'a>(file: &'a mut SchemaFile, kind: ElementKind, name: &str) -> Result<&'a mut Vec<String>, SchemaError> {
    let mut types = file.entity_types.iter_mut().map(|kind| (&kind.name, &mut kind.aliases));
    let mut relations = file.relations.iter_mut().map(|kind| (&kind.name, &mut kind.aliases));
    let mut attributes = file.attributes.iter_mut().map(|kind| (&kind.name, &mut kind.aliases));
    let is_it = |(known, _): &(&String, &mut Vec<String>)| *known == name;
    let found = match kind {
        ElementKind::EntityType => types.find(is_it),
        ElementKind::Relation => relations.find(is_it),
        ElementKind::Attribute => attributes.find(is_it),
    };
    let error = || format!("a phrase is proposed for {kind} `{name}`, which the schema does not define").into();
    found.map(|(_, aliases)| aliases).ok_or_else(error)
}
