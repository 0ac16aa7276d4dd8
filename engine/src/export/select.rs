//! Which part of the knowledge is shown, as nodes and edges.

mod branch;

use super::picture::{Edge, Node, NodeKind, Picture};
use crate::graph::{Source, Ties, Triple};
use crate::id::{CommunityId, EntityId};
use crate::knowledge::Knowledge;
use crate::tree::Level;
use std::collections::{BTreeMap, BTreeSet};

/// The attribute that tells what an entity is, where a schema has it.
const DESCRIPTION: &str = "description";
/// What edges are called that are no facts: their ends are named side by side.
pub(super) const ASSOCIATED: &str = "associated";
/// Places named for a community. Arbitrary: enough to look into it.
const MAX_COMMUNITY_SOURCES: usize = 16;

/// What to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// These levels.
    pub levels: BTreeSet<Level>,
    /// Only members of this community.
    pub community: Option<CommunityId>,
    /// Only this entity and what is at most so many triples away.
    pub around: Option<(EntityId, usize)>,
}

impl Default for Selection {
    /// Everything.
    fn default() -> Self {
        Self {
            levels: [Level::Attributes, Level::Triples, Level::Keywords, Level::Communities].into(),
            community: None,
            around: None,
        }
    }
}

/// The chosen part of `knowledge`.
///
/// Above communities stand their branches. Communities are joined by the triples between them, keywords to their
/// communities, and to each other by triples where the level of triples is not shown; entities to each other by triples
/// and, beside the communities that they make, by associations, and to their communities; attributes to their entities,
/// which come with them. Ids of `selection` are of this knowledge. Deterministic; cost O(size).
pub fn select(knowledge: &Knowledge, selection: &Selection) -> Picture {
    let mut draft = Draft {
        knowledge,
        levels: &selection.levels,
        chosen: chosen(knowledge, selection),
        picture: Picture::default(),
    };
    if draft.has(Level::Communities) {
        draft.branches();
        draft.communities();
    }
    if draft.has(Level::Keywords) {
        draft.keywords();
    }
    draft.entities();
    if draft.has(Level::Triples) {
        draft.triples(NodeKind::Entity);
        if draft.has(Level::Communities) {
            draft.associations();
        }
    } else if draft.has(Level::Keywords) {
        draft.triples(NodeKind::Keyword);
    }
    if draft.has(Level::Attributes) {
        draft.attributes();
    }
    draft.picture
}

fn chosen(knowledge: &Knowledge, selection: &Selection) -> BTreeSet<EntityId> {
    let all = (0..knowledge.graph.n_entities()).map(EntityId::at);
    let near = selection.around.map(|(entity, depth)| near(knowledge, entity, depth));
    let is_member = |id: &EntityId| {
        let own = || knowledge.tree.community_of(*id);
        selection.community.is_none_or(|community| own() == Some(community))
    };
    let is_near = |id: &EntityId| near.as_ref().is_none_or(|near| near.contains(id));
    let is_there = |id: &EntityId| !knowledge.graph.entity(*id).is_gone();
    all.filter(|id| is_member(id) && is_near(id) && is_there(id)).collect()
}

/// What is at most `depth` triples or associations away from an entity, itself included.
fn near(knowledge: &Knowledge, entity: EntityId, depth: usize) -> BTreeSet<EntityId> {
    let all = Ties {
        relations: &[],
        with_associations: true,
    };
    knowledge.graph.distances(entity, all, depth).into_keys().collect()
}

struct Draft<'a> {
    knowledge: &'a Knowledge,
    levels: &'a BTreeSet<Level>,
    chosen: BTreeSet<EntityId>,
    picture: Picture,
}

impl Draft<'_> {
    fn has(&self, level: Level) -> bool {
        self.levels.contains(&level)
    }

    /// Whether an entity is a node: as an end of triples, or as the owner of attributes.
    fn shows(&self, id: EntityId) -> bool {
        let has_attributes = || self.knowledge.graph.attributes_of(id).next().is_some();
        self.has(Level::Triples) || (self.has(Level::Attributes) && has_attributes())
    }

    /// Communities of the chosen entities, joined by how many triples lead from one to another.
    fn communities(&mut self) {
        let tree = &self.knowledge.tree;
        let shown: BTreeSet<CommunityId> = self.chosen.iter().filter_map(|id| tree.community_of(*id)).collect();
        let mut between: BTreeMap<(CommunityId, CommunityId), usize> = BTreeMap::new();
        let mut within: BTreeMap<CommunityId, Vec<&Triple>> = BTreeMap::new();
        for triple in self.knowledge.graph.triples().iter().filter(|one| !one.is_gone()) {
            let own = |end| tree.community_of(end).filter(|own| shown.contains(own));
            let (Some(head), Some(tail)) = (own(triple.head), own(triple.tail)) else {
                continue;
            };
            if head == tail {
                within.entry(head).or_default().push(triple);
            } else {
                *between.entry((head, tail)).or_default() += 1;
            }
        }
        for id in shown {
            let community = tree.community(id);
            let mut facts = within.remove(&id).unwrap_or_default();
            facts.sort_by_key(|triple| std::cmp::Reverse(triple.sources.len()));
            let sources = facts.iter().filter_map(|triple| triple.sources.first());
            let sources = self.places(sources.take(MAX_COMMUNITY_SOURCES));
            self.picture.nodes.push(Node {
                id: community_id(id),
                kind: NodeKind::Community,
                level: Level::Communities as u8,
                name: community.name.clone(),
                type_name: NodeKind::Community.as_str().to_owned(),
                description: community.description.clone(),
                score: community.members.len() as f32,
                sources,
            });
        }
        for ((head, tail), n) in between {
            let ends = (community_id(head), community_id(tail));
            self.edge(
                joined("b", &ends),
                ends,
                "linked",
                Level::Communities,
                n as f32,
                Vec::new(),
            );
        }
    }

    /// Pivotal entities of the communities of chosen entities, as far as they are chosen themselves.
    fn keywords(&mut self) {
        let (tree, graph) = (&self.knowledge.tree, &self.knowledge.graph);
        for (position, community) in tree.communities().iter().enumerate() {
            for keyword in &community.keywords {
                if !self.chosen.contains(&keyword.entity) {
                    continue;
                }
                let entity = graph.entity(keyword.entity);
                let sources = self.places(entity.mentions.iter().map(|(source, _)| source));
                let id = keyword_id(keyword.entity);
                self.picture.nodes.push(Node {
                    id: id.clone(),
                    kind: NodeKind::Keyword,
                    level: Level::Keywords as u8,
                    name: entity.name.clone(),
                    type_name: self.knowledge.schema.entity_type(entity.entity_type).name.clone(),
                    description: format!("pivotal in {}", community.name),
                    score: keyword.score,
                    sources,
                });
                if self.has(Level::Communities) {
                    let ends = (id.clone(), community_id(CommunityId::at(position)));
                    self.edge(
                        joined("p", &ends),
                        ends,
                        "keyword_of",
                        Level::Keywords,
                        keyword.score,
                        Vec::new(),
                    );
                }
                if self.shows(keyword.entity) {
                    let ends = (id, entity_id(keyword.entity));
                    self.edge(joined("i", &ends), ends, "is", Level::Keywords, 1.0, Vec::new());
                }
            }
        }
    }

    fn entities(&mut self) {
        let graph = &self.knowledge.graph;
        for id in self.chosen.clone() {
            if !self.shows(id) {
                continue;
            }
            let entity = graph.entity(id);
            let type_name = self.knowledge.schema.entity_type(entity.entity_type).name.clone();
            let sources = self.places(entity.mentions.iter().map(|(source, _)| source));
            self.picture.nodes.push(Node {
                id: entity_id(id),
                kind: NodeKind::Entity,
                level: Level::Triples as u8,
                name: entity.name.clone(),
                description: self.described(id).unwrap_or_else(|| type_name.clone()),
                type_name,
                score: entity.mentions.len() as f32,
                sources,
            });
            let community = self.knowledge.tree.community_of(id);
            if let Some(community) = community.filter(|_| self.has(Level::Communities)) {
                let ends = (entity_id(id), community_id(community));
                self.edge(joined("m", &ends), ends, "member_of", Level::Triples, 1.0, Vec::new());
            }
        }
    }

    /// What the texts say that an entity is.
    fn described(&self, id: EntityId) -> Option<String> {
        let description = self.knowledge.schema.attribute_id(DESCRIPTION)?;
        let attributes = self.knowledge.graph.attributes_of(id);
        let mut values = attributes.filter(|fact| fact.attribute == description);
        values.next().map(|fact| fact.value.clone())
    }

    fn triples(&mut self, kind: NodeKind) {
        let shown = self.shown(kind);
        let id = if kind == NodeKind::Entity {
            entity_id
        } else {
            keyword_id
        };
        for (position, triple) in self.knowledge.graph.triples().iter().enumerate() {
            let ends = (id(triple.head), id(triple.tail));
            if !triple.is_gone() && shown.contains(&ends.0) && shown.contains(&ends.1) {
                let relation = self.knowledge.schema.relation_name(triple.relation);
                let (weight, sources) = (triple.sources.len() as f32, self.places(&triple.sources));
                self.edge(format!("t{position}"), ends, relation, Level::Triples, weight, sources);
            }
        }
    }

    /// Associations between the entities shown: edges that are no facts, with how strongly their ends are tied.
    fn associations(&mut self) {
        let shown = self.shown(NodeKind::Entity);
        for (position, one) in self.knowledge.graph.associations().iter().enumerate() {
            let ends = (entity_id(one.a), entity_id(one.b));
            if !one.is_gone() && shown.contains(&ends.0) && shown.contains(&ends.1) {
                let sources = self.places([&one.source]);
                self.edge(
                    format!("s{position}"),
                    ends,
                    ASSOCIATED,
                    Level::Triples,
                    one.weight,
                    sources,
                );
            }
        }
    }

    /// The ids of the nodes of a kind.
    fn shown(&self, kind: NodeKind) -> BTreeSet<String> {
        let nodes = self.picture.nodes.iter().filter(|node| node.kind == kind);
        nodes.map(|node| node.id.clone()).collect()
    }

    fn attributes(&mut self) {
        let (graph, schema) = (&self.knowledge.graph, &self.knowledge.schema);
        for (position, fact) in graph.attributes().iter().enumerate() {
            if fact.is_gone() || !self.chosen.contains(&fact.entity) {
                continue;
            }
            let (id, name) = (format!("a{position}"), schema.attribute_name(fact.attribute));
            let sources = self.places(&fact.sources);
            self.picture.nodes.push(Node {
                id: id.clone(),
                kind: NodeKind::Attribute,
                level: Level::Attributes as u8,
                name: fact.value.clone(),
                type_name: name.to_owned(),
                description: format!("{name} of {}", graph.entity(fact.entity).name),
                score: fact.sources.len() as f32,
                sources: sources.clone(),
            });
            let (ends, weight) = ((entity_id(fact.entity), id), fact.sources.len() as f32);
            self.edge(joined("h", &ends), ends, name, Level::Attributes, weight, sources);
        }
    }

    fn edge(
        &mut self,
        id: String,
        (source, target): (String, String),
        relation: &str,
        level: Level,
        weight: f32,
        sources: Vec<String>,
    ) {
        self.picture.edges.push(Edge {
            id,
            source,
            target,
            relation: relation.to_owned(),
            level: level as u8,
            weight,
            sources,
        });
    }

    fn places<'s>(&self, sources: impl IntoIterator<Item = &'s Source>) -> Vec<String> {
        sources
            .into_iter()
            .map(|source| self.knowledge.locate(source))
            .collect()
    }
}

fn community_id(id: CommunityId) -> String {
    format!("c{}", id.index())
}

fn keyword_id(id: EntityId) -> String {
    format!("k{}", id.index())
}

/// The id of an edge that is one of a kind between its ends.
fn joined(letter: &str, (source, target): &(String, String)) -> String {
    format!("{letter}{source}-{target}")
}

fn entity_id(id: EntityId) -> String {
    format!("e{}", id.index())
}
