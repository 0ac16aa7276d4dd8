//! Nodes and edges, whatever they stand for.

use serde::Serialize;

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// What brings communities together, or branches of the level below, from 5.
    Branch,
    /// A community, ℓ = 4.
    Community,
    /// A pivotal entity of a community, ℓ = 3.
    Keyword,
    /// An entity, an end of triples, ℓ = 2.
    Entity,
    /// A value that an entity has, ℓ = 1.
    Attribute,
}

impl NodeKind {
    /// In one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Branch => "branch",
            Self::Community => "community",
            Self::Keyword => "keyword",
            Self::Entity => "entity",
            Self::Attribute => "attribute",
        }
    }
}

/// A node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Node {
    /// Unique within a picture: a letter for the kind and a number.
    pub id: String,
    /// What it stands for.
    pub kind: NodeKind,
    /// Number of its level, `1..=4`, more for branches.
    pub level: u8,
    /// A name to show.
    pub name: String,
    /// Its entity or attribute type; `community` for a community, `branch` for a branch.
    #[serde(rename = "type")]
    pub type_name: String,
    /// What it is, in a sentence or a few words.
    pub description: String,
    /// φ of a keyword (Eq. 5); members of a community, children of a branch; for other kinds how many places state or
    /// name it. Higher is more.
    pub score: f32,
    /// Places that state or name it, `file:start..end` in bytes; for a community those of its strongest facts, for a
    /// branch the first of each of its keywords.
    pub sources: Vec<String>,
}

/// A directed edge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// Unique within a picture: what networkx calls the key of an edge of a multigraph.
    #[serde(rename = "key")]
    pub id: String,
    /// Id of the node that it starts from.
    pub source: String,
    /// Id of the node that it leads to.
    pub target: String,
    /// The relation or attribute that it states, or what else joins the two.
    pub relation: String,
    /// Number of the level that it is of, `1..=4`, more for what leads to a branch.
    pub level: u8,
    /// How many places state it, or how many triples join two communities; φ of a keyword.
    pub weight: f32,
    /// Places that state it.
    pub sources: Vec<String>,
}

/// What was chosen. Every edge joins two nodes of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Picture {
    /// By falling level, then by id.
    pub nodes: Vec<Node>,
    /// By falling level, then as their nodes.
    pub edges: Vec<Edge>,
}
