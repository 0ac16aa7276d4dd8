//! Writes the encoder's network as ONNX straight from its safetensors weights.
//!
//! The published package has weights without a graph; the only packaged graph has 8-bit weights. Six
//! identical layers are a short list of nodes, so the graph is written here, in the runtime's fused
//! operators: exact fp32, and 1.1–1.3 × as fast as that. Field numbers are those of `onnx.proto`.

use super::protobuf::Message;
use anyhow::{Context, Result, bail, ensure};
use safetensors::{Dtype, SafeTensors};

const LAYERS: usize = 6;
const HEADS: u64 = 12;
const EPSILON: f32 = 1e-12;
const FUSED: &str = "com.microsoft";
const FLOAT: u64 = 1;
const INT32: u64 = 6;
const INT64: u64 = 7;
const INPUTS: [&str; 3] = ["input_ids", "attention_mask", "token_type_ids"];
const OUTPUT: &str = "last_hidden_state";

/// The ONNX file for the weights of a 6-layer `MiniLM`, about as many bytes. The same weights always give
/// the same bytes. Inputs `input_ids`, `attention_mask`, `token_type_ids` (batch, sequence) i64; output
/// `last_hidden_state` (batch, sequence, 384) f32.
///
/// # Errors
/// When `safetensors` is no such file, or lacks a tensor of the network.
pub(super) fn from_safetensors(safetensors: &[u8]) -> Result<Vec<u8>> {
    let weights = Weights(SafeTensors::deserialize(safetensors).context("the weights cannot be read")?);
    let mut graph = Graph::default();
    for (input, narrow) in INPUTS.into_iter().zip(["ids", "mask", "types"]) {
        graph.node("Cast", "", &[input], &[narrow], &[Attribute::Int("to", INT32)]);
    }
    let mut hidden = embeddings(&mut graph, &weights)?;
    for layer in 0..LAYERS {
        hidden = encoder_layer(&mut graph, &weights, layer, &hidden)?;
    }
    Ok(graph.into_model())
}

fn embeddings(graph: &mut Graph, weights: &Weights<'_>) -> Result<String> {
    let mut inputs = vec!["ids".to_owned(), "types".to_owned()];
    for part in ["word_embeddings", "position_embeddings", "token_type_embeddings"] {
        inputs.push(graph.weight(weights, &format!("embeddings.{part}.weight"))?);
    }
    for part in ["weight", "bias"] {
        inputs.push(graph.weight(weights, &format!("embeddings.LayerNorm.{part}"))?);
    }
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let epsilon = [Attribute::Float("epsilon", EPSILON)];
    Ok(graph.node(
        "EmbedLayerNormalization",
        FUSED,
        &inputs,
        &["embedded", "lengths"],
        &epsilon,
    ))
}

/// Attention, projection, norm; widening, gelu, narrowing, norm. Both norms add their input back.
fn encoder_layer(graph: &mut Graph, weights: &Weights<'_>, layer: usize, hidden: &str) -> Result<String> {
    let prefix = format!("encoder.layer.{layer}");
    let output = |name: &str| format!("{layer}.{name}");
    let (qkv, qkv_bias) = graph.query_key_value(weights, &prefix)?;
    let heads = [Attribute::Int("num_heads", HEADS)];
    let attended = graph.node(
        "Attention",
        FUSED,
        &[hidden, &qkv, &qkv_bias, "mask"],
        &[&output("attended")],
        &heads,
    );
    let projected = graph.matrix_product(weights, &attended, &format!("{prefix}.attention.output.dense"))?;
    let settled = graph.add_and_norm(
        weights,
        &projected,
        hidden,
        &format!("{prefix}.attention.output"),
        &output("settled"),
    )?;
    let widened = graph.matrix_product(weights, &settled, &format!("{prefix}.intermediate.dense"))?;
    let bias = graph.weight(weights, &format!("{prefix}.intermediate.dense.bias"))?;
    let active = graph.node("BiasGelu", FUSED, &[&widened, &bias], &[&output("active")], &[]);
    let narrowed = graph.matrix_product(weights, &active, &format!("{prefix}.output.dense"))?;
    let last = if layer + 1 == LAYERS {
        OUTPUT.to_owned()
    } else {
        output("hidden")
    };
    graph.add_and_norm(weights, &narrowed, &settled, &format!("{prefix}.output"), &last)
}

/// Weights by name.
struct Weights<'a>(SafeTensors<'a>);

impl<'a> Weights<'a> {
    /// Shape and bytes of a tensor of f32, row after row.
    fn tensor(&self, name: &str) -> Result<(Vec<usize>, &'a [u8])> {
        let tensor = self.0.tensor(name)?;
        let dtype = tensor.dtype();
        ensure!(dtype == Dtype::F32, "tensor {name} is {dtype:?}, expected F32");
        Ok((tensor.shape().to_vec(), tensor.data()))
    }

    /// A weight matrix as (in, out), where the file has (out, in).
    fn transposed(&self, name: &str) -> Result<(usize, usize, Vec<u8>)> {
        let (shape, bytes) = self.tensor(name)?;
        let [rows, columns] = shape[..] else {
            bail!("tensor {name} is no matrix")
        };
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| 4 * (row * columns + column)));
        let bytes = cells.flat_map(|start| &bytes[start..start + 4]).copied().collect();
        Ok((columns, rows, bytes))
    }
}

enum Attribute {
    Int(&'static str, u64),
    Float(&'static str, f32),
}

/// Nodes and weights of a graph, already encoded.
#[derive(Default)]
struct Graph {
    nodes: Message,
    initializers: Message,
}

impl Graph {
    fn node(
        &mut self,
        operator: &str,
        domain: &str,
        inputs: &[&str],
        outputs: &[&str],
        attributes: &[Attribute],
    ) -> String {
        let mut node = Message::default();
        for input in inputs {
            node.text(1, input);
        }
        for output in outputs {
            node.text(2, output);
        }
        node.text(4, operator);
        for attribute in attributes {
            let mut message = Message::default();
            match attribute {
                Attribute::Float(name, value) => {
                    message.text(1, name);
                    message.float(2, *value);
                    message.number(20, 1);
                }
                Attribute::Int(name, value) => {
                    message.text(1, name);
                    message.number(3, *value);
                    message.number(20, 2);
                }
            }
            node.message(5, &message);
        }
        node.text(7, domain);
        self.nodes.message(1, &node);
        outputs[0].to_owned()
    }

    fn matrix_product(&mut self, weights: &Weights<'_>, input: &str, dense: &str) -> Result<String> {
        let (rows, columns, bytes) = weights.transposed(&format!("{dense}.weight"))?;
        let matrix = self.initializer(&format!("{dense}.matrix"), &[rows, columns], &bytes);
        Ok(self.node("MatMul", "", &[input, &matrix], &[&format!("{dense}.product")], &[]))
    }

    /// Layer norm of `input` + the bias of its dense layer + `skipped`.
    fn add_and_norm(
        &mut self,
        weights: &Weights<'_>,
        input: &str,
        skipped: &str,
        prefix: &str,
        output: &str,
    ) -> Result<String> {
        let scale = self.weight(weights, &format!("{prefix}.LayerNorm.weight"))?;
        let shift = self.weight(weights, &format!("{prefix}.LayerNorm.bias"))?;
        let bias = self.weight(weights, &format!("{prefix}.dense.bias"))?;
        let epsilon = [Attribute::Float("epsilon", EPSILON)];
        Ok(self.node(
            "SkipLayerNormalization",
            FUSED,
            &[input, skipped, &scale, &shift, &bias],
            &[output],
            &epsilon,
        ))
    }

    /// Query, key and value side by side: a matrix (d, 3d) and a bias (3d).
    fn query_key_value(&mut self, weights: &Weights<'_>, prefix: &str) -> Result<(String, String)> {
        let name = |part: &str, of: &str| format!("{prefix}.attention.self.{part}.{of}");
        let mut parts = Vec::new();
        let mut bias = Vec::new();
        for part in ["query", "key", "value"] {
            parts.push(weights.transposed(&name(part, "weight"))?);
            bias.extend_from_slice(weights.tensor(&name(part, "bias"))?.1);
        }
        let (rows, width) = (parts[0].0, parts[0].1);
        ensure!(
            parts.iter().all(|part| (part.0, part.1) == (rows, width)),
            "{prefix}: query, key and value differ in shape"
        );
        let mut matrix = Vec::with_capacity(12 * rows * width);
        for row in 0..rows {
            for (_, _, bytes) in &parts {
                matrix.extend_from_slice(&bytes[4 * row * width..4 * (row + 1) * width]);
            }
        }
        let matrix = self.initializer(&format!("{prefix}.qkv"), &[rows, 3 * width], &matrix);
        Ok((
            matrix,
            self.initializer(&format!("{prefix}.qkv_bias"), &[bias.len() / 4], &bias),
        ))
    }

    fn weight(&mut self, weights: &Weights<'_>, name: &str) -> Result<String> {
        let (shape, bytes) = weights.tensor(name)?;
        Ok(self.initializer(name, &shape, bytes))
    }

    fn initializer(&mut self, name: &str, shape: &[usize], bytes: &[u8]) -> String {
        let mut tensor = Message::default();
        for &n in shape {
            tensor.number(1, n as u64);
        }
        tensor.number(2, FLOAT);
        tensor.text(8, name);
        tensor.bytes(9, bytes);
        self.initializers.message(5, &tensor);
        name.to_owned()
    }

    fn into_model(self) -> Vec<u8> {
        let mut graph = self.nodes;
        graph.text(2, "all-MiniLM-L6-v2");
        graph.0.extend_from_slice(&self.initializers.0);
        for name in INPUTS {
            graph.message(11, &value(name, INT64, None));
        }
        graph.message(12, &value(OUTPUT, FLOAT, Some(384)));
        let mut model = Message::default();
        model.number(1, 8);
        model.text(2, "banyan");
        model.message(7, &graph);
        for (domain, version) in [("", 17), (FUSED, 1)] {
            let mut opset = Message::default();
            opset.text(1, domain);
            opset.number(2, version);
            model.message(8, &opset);
        }
        model.0
    }
}

/// Declares an input or output of shape (batch, sequence) or (batch, sequence, width).
fn value(name: &str, element: u64, width: Option<u64>) -> Message {
    let mut shape = Message::default();
    let mut axis = |write: &dyn Fn(&mut Message)| {
        let mut dimension = Message::default();
        write(&mut dimension);
        shape.message(1, &dimension);
    };
    axis(&|d| d.text(2, "batch"));
    axis(&|d| d.text(2, "sequence"));
    if let Some(n) = width {
        axis(&|d| d.number(1, n));
    }
    let (mut tensor, mut kind, mut info) = (Message::default(), Message::default(), Message::default());
    tensor.number(1, element);
    tensor.message(2, &shape);
    kind.message(1, &tensor);
    info.text(1, name);
    info.message(2, &kind);
    info
}
