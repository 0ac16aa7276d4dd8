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

/// A picture as two tables after RFC 4180, with line feeds. A text that a spreadsheet would run as a formula gets an
/// apostrophe before it.
///
/// # Errors
/// When the tables do not fit into memory.
pub fn csv(picture: &Picture) -> Result<Csv, csv::Error> {
    let nodes = picture.nodes.iter().map(|node| {
        [
            node.id.clone(),
            inert(&node.name),
            node.kind.as_str().to_owned(),
            node.level.to_string(),
            inert(&node.type_name),
            inert(&node.description),
            node.score.to_string(),
            inert(&node.sources.join("\n")),
        ]
    });
    let edges = picture.edges.iter().map(|edge| {
        [
            edge.source.clone(),
            edge.target.clone(),
            "Directed".to_owned(),
            inert(&edge.relation),
            edge.level.to_string(),
            edge.weight.to_string(),
            inert(&edge.sources.join("\n")),
        ]
    });
    Ok(Csv {
        nodes: table("Id,Label,Kind,Level,Type,Description,Score,Sources\n", nodes)?,
        edges: table("Source,Target,Type,Label,Level,Weight,Sources\n", edges)?,
    })
}

fn table<const N: usize>(head: &str, rows: impl Iterator<Item = [String; N]>) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(head.as_bytes().to_vec());
    for row in rows {
        writer.write_record(&row)?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A text that no spreadsheet takes for a formula.
fn inert(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}
