//! Why a file is no graph, or no matrix.

/// Why a file holds no graph to evaluate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There is no node.
    #[error("no nodes; expected {expected}")]
    NoNodes {
        /// What such a file holds.
        expected: &'static str,
    },
    /// A line does not have the form of its format.
    #[error("line {line} has {found}; expected {expected}")]
    Form {
        /// Line, from 1.
        line: usize,
        /// What the format has there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// An edge ends at a node that no line introduces.
    #[error("{} names the node `{node}`, which is not among the nodes", place(*line))]
    UnknownNode {
        /// Line, from 1; 0 where the format has no lines.
        line: usize,
        /// The node.
        node: String,
    },
    /// A node is introduced again.
    #[error("{} introduces the node `{node}` a second time", place(*line))]
    TwiceNode {
        /// Line, from 1; 0 where the format has no lines.
        line: usize,
        /// The node.
        node: String,
    },
    /// The JSON cannot be read.
    #[error("not the JSON of a graph or of communities")]
    Json(#[from] serde_json::Error),
}

fn place(line: usize) -> String {
    if line == 0 {
        "an entry".to_owned()
    } else {
        format!("line {line}")
    }
}

/// Why a file holds no matrix to read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The file does not start as numpy's do.
    #[error("not a .npy file; expected it to start with \\x93NUMPY")]
    Magic,
    /// The version of the format is another one.
    #[error("version {found} of the .npy format; expected 1, 2 or 3")]
    Version {
        /// Major version.
        found: u8,
    },
    /// The header does not say what it must.
    #[error("the .npy header has no {field}")]
    Header {
        /// What is missing.
        field: &'static str,
    },
    /// Numbers of another kind.
    #[error("numbers of kind `{found}`; expected `<f4` or `<f8`")]
    Kind {
        /// numpy's name of the kind.
        found: String,
    },
    /// Columns stand before rows.
    #[error("the matrix is in Fortran order; expected C order (numpy.ascontiguousarray)")]
    Order,
    /// Not a matrix, or one without columns.
    #[error("the shape is ({found}); expected (rows, columns)")]
    Shape {
        /// The shape as written.
        found: String,
    },
    /// The numbers do not fill the shape.
    #[error("{found} bytes of numbers; expected {expected} for its shape")]
    Length {
        /// Bytes that the shape needs.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
}
