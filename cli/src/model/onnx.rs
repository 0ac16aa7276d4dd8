//! Writes the encoder's network as ONNX straight from its safetensors weights.
//!
//! The published package carries weights without a graph, and the only packaged graph has 8-bit weights.
//! Six identical layers are a short list of nodes, so the graph is written here, in the runtime's fused
//! operators (domain `com.microsoft`): exact fp32, and faster than an exported graph, whose attention the
//! runtime does not recognise (1.1–1.3 × batch for batch). Field numbers are those of `onnx.proto`.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

const LAYERS: usize = 6;
const HEADS: u64 = 12;
const EPSILON: f32 = 1e-12;
const FUSED: &str = "com.microsoft";
const FLOAT: u64 = 1;
const INT32: u64 = 6;
const INT64: u64 = 7;
const INPUTS: [&str; 3] = ["input_ids", "attention_mask", "token_type_ids"];
const OUTPUT: &str = "last_hidden_state";

/// The ONNX file for the weights of a 6-layer MiniLM, about as many bytes. The same weights always give
/// the same bytes. Inputs `input_ids`, `attention_mask`, `token_type_ids` (batch, sequence) i64; output
/// `last_hidden_state` (batch, sequence, 384) f32.
///
/// # Errors
/// When `safetensors` is no such file, or lacks a tensor of the network.
pub(super) fn from_safetensors(safetensors: &[u8]) -> Result<Vec<u8>> {
    let weights = Weights::parse(safetensors)?;
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
    Ok(graph.node("EmbedLayerNormalization", FUSED, &inputs, &["embedded", "lengths"], &epsilon))
}

/// Attention, projection, norm; widening, gelu, narrowing, norm. Both norms add their input back.
fn encoder_layer(graph: &mut Graph, weights: &Weights<'_>, layer: usize, hidden: &str) -> Result<String> {
    let prefix = format!("encoder.layer.{layer}");
    let output = |name: &str| format!("{layer}.{name}");
    let (qkv, qkv_bias) = graph.query_key_value(weights, &prefix)?;
    let heads = [Attribute::Int("num_heads", HEADS)];
    let attended = graph.node("Attention", FUSED, &[hidden, &qkv, &qkv_bias, "mask"], &[&output("attended")], &heads);
    let projected = graph.matrix_product(weights, &attended, &format!("{prefix}.attention.output.dense"))?;
    let settled = graph.add_and_norm(weights, &projected, hidden, &format!("{prefix}.attention.output"), &output("settled"))?;
    let widened = graph.matrix_product(weights, &settled, &format!("{prefix}.intermediate.dense"))?;
    let bias = graph.weight(weights, &format!("{prefix}.intermediate.dense.bias"))?;
    let active = graph.node("BiasGelu", FUSED, &[&widened, &bias], &[&output("active")], &[]);
    let narrowed = graph.matrix_product(weights, &active, &format!("{prefix}.output.dense"))?;
    let last = if layer + 1 == LAYERS { OUTPUT.to_owned() } else { output("hidden") };
    graph.add_and_norm(weights, &narrowed, &settled, &format!("{prefix}.output"), &last)
}

/// The tensors of a safetensors file: a JSON header with offsets, then little-endian data.
struct Weights<'a> {
    header: Value,
    data: &'a [u8],
}

struct Tensor<'a> {
    shape: Vec<usize>,
    bytes: &'a [u8],
}

impl<'a> Weights<'a> {
    fn parse(file: &'a [u8]) -> Result<Self> {
        let (length, rest) = file.split_first_chunk::<8>().context("the weights file is cut short")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let (header, data) = rest.split_at_checked(length).context("the weights file is cut short")?;
        let header = serde_json::from_slice(header).context("the header of the weights file is no JSON")?;
        Ok(Self { header, data })
    }

    fn tensor(&self, name: &str) -> Result<Tensor<'a>> {
        let entry = &self.header[name];
        let numbers = |key: &str| -> Option<Vec<usize>> {
            entry[key].as_array()?.iter().map(|n| usize::try_from(n.as_u64()?).ok()).collect()
        };
        let shape = numbers("shape").with_context(|| format!("the weights have no tensor {name}"))?;
        let offsets = numbers("data_offsets").unwrap_or_default();
        let bytes = match offsets[..] {
            [from, to] => self.data.get(from..to),
            _ => None,
        };
        let bytes = bytes.with_context(|| format!("tensor {name} lies outside the file"))?;
        ensure!(entry["dtype"] == "F32", "tensor {name} is {}, expected F32", entry["dtype"]);
        ensure!(bytes.len() == 4 * shape.iter().product::<usize>(), "tensor {name} has another size than its shape");
        Ok(Tensor { shape, bytes })
    }

    /// A weight matrix as (in, out), where the file has (out, in).
    fn transposed(&self, name: &str) -> Result<(usize, usize, Vec<u8>)> {
        let tensor = self.tensor(name)?;
        let [rows, columns] = tensor.shape[..] else { anyhow::bail!("tensor {name} is no matrix") };
        let mut bytes = Vec::with_capacity(tensor.bytes.len());
        for column in 0..columns {
            for row in 0..rows {
                let start = 4 * (row * columns + column);
                bytes.extend_from_slice(&tensor.bytes[start..start + 4]);
            }
        }
        Ok((columns, rows, bytes))
    }
}

enum Attribute {
    Int(&'static str, u64),
    Float(&'static str, f32),
}

/// Nodes and weights of a GraphProto, already encoded.
#[derive(Default)]
struct Graph {
    nodes: Message,
    initializers: Message,
}

impl Graph {
    fn node(&mut self, operator: &str, domain: &str, inputs: &[&str], outputs: &[&str], attributes: &[Attribute]) -> String {
        let mut node = Message::default();
        inputs.iter().for_each(|input| node.text(1, input));
        outputs.iter().for_each(|output| node.text(2, output));
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
    fn add_and_norm(&mut self, weights: &Weights<'_>, input: &str, skipped: &str, prefix: &str, output: &str) -> Result<String> {
        let scale = self.weight(weights, &format!("{prefix}.LayerNorm.weight"))?;
        let shift = self.weight(weights, &format!("{prefix}.LayerNorm.bias"))?;
        let bias = self.weight(weights, &format!("{prefix}.dense.bias"))?;
        let epsilon = [Attribute::Float("epsilon", EPSILON)];
        Ok(self.node("SkipLayerNormalization", FUSED, &[input, skipped, &scale, &shift, &bias], &[output], &epsilon))
    }

    /// Query, key and value side by side: a matrix (d, 3d) and a bias (3d).
    fn query_key_value(&mut self, weights: &Weights<'_>, prefix: &str) -> Result<(String, String)> {
        let name = |part: &str, of: &str| format!("{prefix}.attention.self.{part}.{of}");
        let mut parts = Vec::new();
        let mut bias = Vec::new();
        for part in ["query", "key", "value"] {
            parts.push(weights.transposed(&name(part, "weight"))?);
            bias.extend_from_slice(weights.tensor(&name(part, "bias"))?.bytes);
        }
        let (rows, width) = (parts[0].0, parts[0].1);
        ensure!(parts.iter().all(|part| (part.0, part.1) == (rows, width)), "{prefix}: query, key and value differ in shape");
        let mut matrix = Vec::with_capacity(12 * rows * width);
        for row in 0..rows {
            for (_, _, bytes) in &parts {
                matrix.extend_from_slice(&bytes[4 * row * width..4 * (row + 1) * width]);
            }
        }
        let matrix = self.initializer(&format!("{prefix}.qkv"), &[rows, 3 * width], &matrix);
        Ok((matrix, self.initializer(&format!("{prefix}.qkv_bias"), &[bias.len() / 4], &bias)))
    }

    fn weight(&mut self, weights: &Weights<'_>, name: &str) -> Result<String> {
        let tensor = weights.tensor(name)?;
        Ok(self.initializer(name, &tensor.shape, tensor.bytes))
    }

    fn initializer(&mut self, name: &str, shape: &[usize], bytes: &[u8]) -> String {
        let mut tensor = Message::default();
        shape.iter().for_each(|&n| tensor.number(1, n as u64));
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
        INPUTS.iter().for_each(|name| graph.message(11, &value(name, INT64, None)));
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

/// A ValueInfoProto of shape (batch, sequence) or (batch, sequence, width).
fn value(name: &str, element: u64, width: Option<u64>) -> Message {
    let mut shape = Message::default();
    for axis in ["batch", "sequence"] {
        let mut dimension = Message::default();
        dimension.text(2, axis);
        shape.message(1, &dimension);
    }
    if let Some(width) = width {
        let mut dimension = Message::default();
        dimension.number(1, width);
        shape.message(1, &dimension);
    }
    let (mut tensor, mut kind, mut info) = (Message::default(), Message::default(), Message::default());
    tensor.number(1, element);
    tensor.message(2, &shape);
    kind.message(1, &tensor);
    info.text(1, name);
    info.message(2, &kind);
    info
}

/// A protocol-buffers message under construction: fields in the order written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    fn text(&mut self, field: u64, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    fn message(&mut self, field: u64, value: &Message) {
        self.bytes(field, &value.0);
    }

    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
