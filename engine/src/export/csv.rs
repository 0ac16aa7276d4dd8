//! Two tables, nodes and edges, with the headings that Gephi knows.

use super::picture::Picture;

/// The texts of the two tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csv {
    /// `Id,Label,Kind,Level,Type,Description,Score,Sources`.
    pub nodes: String,
    /// `Source,Target,Type,Label,Level,Weight,Sources`.
    pub edges: String,
}

/// A picture as two tables after RFC 4180, with line feeds. Deterministic; cost O(size).
pub fn csv(picture: &Picture) -> Csv {
    let mut nodes = String::from("Id,Label,Kind,Level,Type,Description,Score,Sources\n");
    nodes.extend(picture.nodes.iter().map(|node| {
        row(&[
            &node.id,
            &node.name,
            node.kind.as_str(),
            &node.level.to_string(),
            &node.type_name,
            &node.description,
            &node.score.to_string(),
            &node.sources.join("\n"),
        ])
    }));
    let mut edges = String::from("Source,Target,Type,Label,Level,Weight,Sources\n");
    edges.extend(picture.edges.iter().map(|edge| {
        row(&[
            &edge.source,
            &edge.target,
            "Directed",
            &edge.relation,
            &edge.level.to_string(),
            &edge.weight.to_string(),
            &edge.sources.join("\n"),
        ])
    }));
    Csv { nodes, edges }
}

fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    format!("{}\n", cells.join(","))
}

/// A cell, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
