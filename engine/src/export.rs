//! Knowledge as files for other programs: what is chosen of it, as nodes and edges, and how formats write these.
//!
//! [`select`] makes a [`Picture`] of the chosen levels (Eq. 8, Youtu-GraphRAG) and entities; [`Format::write`] and
//! [`csv`](csv()) make text of it. Nothing here opens a file.

mod csv;
mod dot;
mod gexf;
mod graphml;
mod json;
mod picture;
mod select;
#[cfg(test)]
mod tests;
mod xml;

pub use csv::{Csv, csv};
pub use picture::{Edge, Node, NodeKind, Picture};
pub use select::{Selection, select};

/// A format that keeps a picture in one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One object in the node-link form that networkx reads (`edges="edges"`).
    Json,
    /// An object a line: all nodes, then all edges, told apart by `is`.
    JsonLines,
    /// `GraphML`, with sources and descriptions as data.
    GraphMl,
    /// GEXF 1.2, which Gephi and networkx read.
    Gexf,
    /// Graphviz.
    Dot,
}

impl Format {
    /// The picture as text that ends in a line break. Deterministic; cost O(size).
    pub fn write(self, picture: &Picture) -> String {
        match self {
            Self::Json => json::node_link(picture),
            Self::JsonLines => json::lines(picture),
            Self::GraphMl => graphml::graphml(picture),
            Self::Gexf => gexf::gexf(picture),
            Self::Dot => dot::dot(picture),
        }
    }
}
