//! What a model replies about passages, and which passage each statement is about.

use super::Passage;
use crate::stated::{Defect, DefectKind, Grounds, Intake, NewType, Stated, join};
use banyan_engine::llm::Asked;
use banyan_engine::name::key;
use banyan_engine::schema::{ElementKind, ValueKind};
use schemars::JsonSchema;
use serde::Deserialize;

/// Repetitions by which a reply goes round in circles. Arbitrary: small models repeat until they are cut off.
const LOOP: usize = 6;

/// The reply: an entry for every passage, then what the schema lacks for them.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Extraction {
    passages: Vec<Entry>,
    proposed_types: Option<Proposed>,
}

/// What a passage states; its number first, so that a reply that breaks off still says what it was about.
#[derive(Debug, Deserialize, JsonSchema)]
struct Entry {
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["passage"]))]
    about: usize,
    entities: Vec<Entity>,
    triples: Vec<Triple>,
    attributes: Vec<Attribute>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Entity {
    #[schemars(extend("x-aliases" = ["entity"]))]
    name: String,
    #[serde(default, rename = "type")]
    #[schemars(extend("x-aliases" = ["entity_type"]))]
    kind: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Triple {
    #[schemars(extend("x-aliases" = ["subject", "source"]))]
    head: String,
    #[schemars(extend("x-aliases" = ["predicate"]))]
    relation: String,
    #[schemars(extend("x-aliases" = ["object", "target"]))]
    tail: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Attribute {
    entity: String,
    #[serde(rename = "attribute")]
    #[schemars(extend("x-aliases" = ["name"]))]
    name: String,
    value: String,
}

/// Elements for the schema, by the list that they are for (Eq. 3, Youtu-GraphRAG). At most 64 each, arbitrary.
#[derive(Debug, Deserialize, JsonSchema)]
struct Proposed {
    #[schemars(length(max = 64))]
    entity_types: Vec<ProposedType>,
    #[schemars(length(max = 64))]
    relations: Vec<ProposedRelation>,
    #[schemars(length(max = 64))]
    attributes: Vec<ProposedAttribute>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ProposedType {
    name: String,
    #[serde(default)]
    description: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ProposedRelation {
    name: String,
    #[serde(default)]
    description: String,
    domain: Vec<String>,
    range: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ProposedAttribute {
    name: String,
    #[serde(default)]
    description: String,
    domain: Vec<String>,
    kind: Option<ValueKind>,
}

impl Proposed {
    fn into_types(self) -> impl Iterator<Item = NewType> {
        let plain = |kind, name, description| NewType {
            kind,
            name,
            description,
            domain: Vec::new(),
            range: Vec::new(),
            value: None,
        };
        let types = self.entity_types.into_iter();
        let types = types.map(move |new| plain(ElementKind::EntityType, new.name, new.description));
        let relations = self.relations.into_iter().map(move |new| NewType {
            domain: new.domain,
            range: new.range,
            ..plain(ElementKind::Relation, new.name, new.description)
        });
        let attributes = self.attributes.into_iter().map(move |new| NewType {
            domain: new.domain,
            value: new.kind,
            ..plain(ElementKind::Attribute, new.name, new.description)
        });
        types.chain(relations).chain(attributes)
    }
}

impl Entry {
    fn into_stated(self) -> Stated {
        let mut intake = Intake::default();
        for Entity { name, kind } in &self.entities {
            intake.entity(name, Some(kind.as_str()).filter(|kind| !kind.is_empty()));
        }
        for Triple { head, relation, tail } in &self.triples {
            intake.triple(head, relation, tail);
        }
        for Attribute { entity, name, value } in &self.attributes {
            intake.attribute(entity, name, value);
        }
        intake.finish()
    }
}

/// What one reply says of one passage.
#[derive(Clone, Debug, Default)]
pub(super) struct Assigned {
    pub(super) stated: Stated,
    /// Whether the passage was read to its end. If not, something may be stated all the same.
    pub(super) is_answered: bool,
}

/// Gives every statement to its passage, by the number that the reply names; entries without numbers are in the order
/// of the passages where there is one for each. Defects of the reply as a whole go to the first passage. A reply that
/// names no passage and does not break off says that they state nothing. `knows` tells whether the document of a
/// passage names a thing anywhere.
pub(super) fn assign(
    asked: Asked<Extraction>,
    passages: &[Passage<'_>],
    mut knows: impl FnMut(&Passage<'_>, &str) -> bool,
) -> Vec<Assigned> {
    let mut assigned = vec![Assigned::default(); passages.len()];
    let is_cut = asked.is_cut && asked.cut_key.as_deref() != Some("proposed_types");
    let mut defects = asked.defects;
    if let Some(Extraction {
        passages: entries,
        proposed_types,
    }) = asked.value
    {
        let n_entries = entries.len();
        for said in &mut assigned {
            said.is_answered = n_entries == 0 && !is_cut;
        }
        for (at, entry) in entries.into_iter().enumerate() {
            let place = match entry.about {
                0 if n_entries == passages.len() => Some(at),
                about => about.checked_sub(1).filter(|place| *place < passages.len()),
            };
            let Some(place) = place else {
                let detail = format!("passage {} of {}", entry.about, passages.len());
                defects.push(Defect::new(DefectKind::UnknownPassage, detail));
                continue;
            };
            let passage = &passages[place];
            let grounds = Grounds::new(&passage.document.title, passage.text());
            let stated = grounds.keep(entry.into_stated(), |name| knows(passage, name));
            let said = &mut assigned[place];
            said.is_answered = !is_cut || at + 1 < n_entries || is_loop(&stated);
            said.stated = join(std::mem::take(&mut said.stated), stated);
        }
        for proposal in proposed_types.into_iter().flat_map(Proposed::into_types) {
            propose(&proposal, &mut assigned, &mut defects);
        }
    }
    if let Some(first) = assigned.first_mut() {
        first.stated.defects.splice(0..0, defects);
    }
    assigned
}

/// Whether a reply went round in circles when it broke off: asked again, a model would do the same.
fn is_loop(stated: &Stated) -> bool {
    let defects = stated.defects.iter();
    defects.filter(|defect| defect.kind == DefectKind::Duplicate).count() >= LOOP
}

/// Gives a proposal to the passages whose statements make use of it: they are its evidence (Eq. 3).
fn propose(proposal: &NewType, assigned: &mut [Assigned], defects: &mut Vec<Defect>) {
    let name = key(&proposal.name);
    let mut is_used = false;
    for said in assigned.iter_mut().filter(|said| uses(&said.stated, &name)) {
        let mut intake = Intake::resume(std::mem::take(&mut said.stated));
        intake.new_type(proposal);
        said.stated = intake.finish();
        is_used = true;
    }
    if !is_used {
        defects.push(Defect::new(DefectKind::Unused, &proposal.name));
    }
}

/// Whether a type, relation or attribute of this key occurs in what is stated.
fn uses(stated: &Stated, name: &str) -> bool {
    let types = stated
        .entities
        .iter()
        .filter_map(|entity| entity.entity_type.as_deref());
    let relations = stated.triples.iter().map(|triple| triple.relation.as_str());
    let attributes = stated.attributes.iter().map(|fact| fact.attribute.as_str());
    types.chain(relations).chain(attributes).any(|label| key(label) == name)
}
