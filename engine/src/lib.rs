#![doc = include_str!("../README.md")]

mod best;
pub mod document;
pub mod embed;
pub mod export;
pub mod fact;
pub mod graph;
pub mod id;
pub mod index;
pub mod knowledge;
pub mod llm;
pub mod logistic;
pub mod name;
pub mod paged;
mod recent;
pub mod resolution;
pub mod schema;
pub mod script;
pub mod stated;
pub mod store;
pub mod table;
pub mod tree;

pub use best::best;
pub use document::{Chunk, Document, Origin, Span};
pub use fact::{AttributeClaim, Contribution, EntityClaim, LooseClaim, Mention, TripleClaim, UnboundClaim};
pub use graph::{Attribute, Entity, KnowledgeGraph, Source, Triple};
pub use id::{ChunkId, CommunityId, DocumentId, DocumentIndex, EntityId, TripleId};
pub use index::Index;
pub use knowledge::{Knowledge, Parses, Settings};
pub use recent::Recent;
pub use resolution::{Correction, Decision, Evidence, Merge, Resolution};
pub use schema::{AttributeId, RelationId, Schema, TypeId};
pub use stated::{Stated, StatedAt, StatedAttribute, StatedEntity, StatedTriple};
pub use table::{Column, Table, TableSchema};
pub use tree::{Branch, Community, Keyword, KnowledgeTree, Level};
