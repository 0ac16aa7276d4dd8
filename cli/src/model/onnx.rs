//! Writes the encoder's network as ONNX straight from its safetensors weights.
//!
//! The published package has weights without a graph; the only packaged graph has 8-bit weights. Six
//! identical layers are a short list of nodes, so the graph is written here, in the runtime's fused
//! operators: exact fp32, and 1.1–1.3 × as fast as that. Field numbers are those of `onnx.proto`.

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
    let mut graph = Graph {
        weights: SafeTensors::deserialize(safetensors).context("the weights cannot be read")?,
        nodes: Message::default(),
        initializers: Message::default(),
    };
    for (input, narrow) in INPUTS.into_iter().zip(["ids", "mask", "types"]) {
        let to = Message::default().text(1, "to").number(3, INT32).number(20, 2);
        graph.node("Cast", "", &[input], &[narrow], Some(&to));
    }
    let mut hidden = graph.embeddings()?;
    for layer in 0..LAYERS {
        hidden = graph.encoder_layer(layer, &hidden)?;
    }
    Ok(graph.into_model())
}

/// A graph that is being written: its weights, and the nodes and initializers so far.
struct Graph<'a> {
    weights: SafeTensors<'a>,
    nodes: Message,
    initializers: Message,
}

impl<'a> Graph<'a> {
    fn embeddings(&mut self) -> Result<String> {
        let mut inputs = vec!["ids".to_owned(), "types".to_owned()];
        for part in [
            "word_embeddings.weight",
            "position_embeddings.weight",
            "token_type_embeddings.weight",
            "LayerNorm.weight",
            "LayerNorm.bias",
        ] {
            inputs.push(self.weight(&format!("embeddings.{part}"))?);
        }
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let outputs = ["embedded", "lengths"];
        Ok(self.node("EmbedLayerNormalization", FUSED, &inputs, &outputs, Some(&epsilon())))
    }

    /// Attention, projection, norm; widening, gelu, narrowing, norm. Both norms add their input back.
    fn encoder_layer(&mut self, layer: usize, hidden: &str) -> Result<String> {
        let prefix = format!("encoder.layer.{layer}");
        let output = |name: &str| format!("{layer}.{name}");
        let (qkv, qkv_bias) = self.query_key_value(&prefix)?;
        let inputs = [hidden, &qkv, &qkv_bias, "mask"];
        let heads = Message::default().text(1, "num_heads").number(3, HEADS).number(20, 2);
        let attended = self.node("Attention", FUSED, &inputs, &[&output("attended")], Some(&heads));
        let projected = self.matrix_product(&attended, &format!("{prefix}.attention.output.dense"))?;
        let settled = output("settled");
        self.add_and_norm(&projected, hidden, &format!("{prefix}.attention.output"), &settled)?;
        let widened = self.matrix_product(&settled, &format!("{prefix}.intermediate.dense"))?;
        let bias = self.weight(&format!("{prefix}.intermediate.dense.bias"))?;
        let active = self.node("BiasGelu", FUSED, &[&widened, &bias], &[&output("active")], None);
        let narrowed = self.matrix_product(&active, &format!("{prefix}.output.dense"))?;
        let last = if layer + 1 == LAYERS {
            OUTPUT.to_owned()
        } else {
            output("hidden")
        };
        self.add_and_norm(&narrowed, &settled, &format!("{prefix}.output"), &last)?;
        Ok(last)
    }

    fn matrix_product(&mut self, input: &str, dense: &str) -> Result<String> {
        let (rows, columns, bytes) = self.transposed(&format!("{dense}.weight"))?;
        let matrix = self.initializer(&format!("{dense}.matrix"), &[rows, columns], &bytes);
        Ok(self.node("MatMul", "", &[input, &matrix], &[&format!("{dense}.product")], None))
    }

    /// Layer norm of `input` + the bias of its dense layer + `skipped`.
    fn add_and_norm(&mut self, input: &str, skipped: &str, prefix: &str, output: &str) -> Result<()> {
        let scale = self.weight(&format!("{prefix}.LayerNorm.weight"))?;
        let shift = self.weight(&format!("{prefix}.LayerNorm.bias"))?;
        let bias = self.weight(&format!("{prefix}.dense.bias"))?;
        let inputs = [input, skipped, &scale, &shift, &bias];
        self.node("SkipLayerNormalization", FUSED, &inputs, &[output], Some(&epsilon()));
        Ok(())
    }

    /// Query, key and value side by side: a matrix (d, 3d) and a bias (3d).
    fn query_key_value(&mut self, prefix: &str) -> Result<(String, String)> {
        let name = |part: &str, of: &str| format!("{prefix}.attention.self.{part}.{of}");
        let (mut parts, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            parts.push(self.transposed(&name(part, "weight"))?);
            bias.extend_from_slice(self.tensor(&name(part, "bias"))?.1);
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
        let bias = self.initializer(&format!("{prefix}.qkv_bias"), &[bias.len() / 4], &bias);
        Ok((matrix, bias))
    }

    /// Shape and bytes of a tensor of f32, row after row.
    fn tensor(&self, name: &str) -> Result<(Vec<usize>, &'a [u8])> {
        let tensor = self.weights.tensor(name)?;
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

    fn weight(&mut self, name: &str) -> Result<String> {
        let (shape, bytes) = self.tensor(name)?;
        Ok(self.initializer(name, &shape, bytes))
    }

    fn initializer(&mut self, name: &str, shape: &[usize], bytes: &[u8]) -> String {
        let shape = shape
            .iter()
            .fold(Message::default(), |tensor, n| tensor.number(1, *n as u64));
        let tensor = shape.number(2, FLOAT).text(8, name).bytes(9, bytes);
        self.initializers = std::mem::take(&mut self.initializers).message(5, &tensor);
        name.to_owned()
    }

    /// Adds a node; the name of its first output.
    fn node(
        &mut self,
        operator: &str,
        domain: &str,
        inputs: &[&str],
        outputs: &[&str],
        with: Option<&Message>,
    ) -> String {
        let node = inputs
            .iter()
            .fold(Message::default(), |node, input| node.text(1, input));
        let node = outputs
            .iter()
            .fold(node, |node, output| node.text(2, output))
            .text(4, operator);
        let node = with
            .into_iter()
            .fold(node, |node, attribute| node.message(5, attribute));
        self.nodes = std::mem::take(&mut self.nodes).message(1, &node.text(7, domain));
        outputs[0].to_owned()
    }

    fn into_model(self) -> Vec<u8> {
        let mut graph = self.nodes.text(2, "all-MiniLM-L6-v2");
        graph.0.extend_from_slice(&self.initializers.0);
        let graph = INPUTS
            .iter()
            .fold(graph, |graph, name| graph.message(11, &value(name, INT64, None)));
        let graph = graph.message(12, &value(OUTPUT, FLOAT, Some(384)));
        let model = Message::default().number(1, 8).text(2, "banyan").message(7, &graph);
        let opset = |domain: &str, version| Message::default().text(1, domain).number(2, version);
        model.message(8, &opset("", 17)).message(8, &opset(FUSED, 1)).0
    }
}

fn epsilon() -> Message {
    Message::default().text(1, "epsilon").float(2, EPSILON).number(20, 1)
}

/// Declares an input or output of shape (batch, sequence) or (batch, sequence, width).
fn value(name: &str, element: u64, width: Option<u64>) -> Message {
    let named = ["batch", "sequence"].map(|axis| Message::default().text(2, axis));
    let counted = width.map(|n| Message::default().number(1, n));
    let axes = named.iter().chain(&counted);
    let shape = axes.fold(Message::default(), |shape, axis| shape.message(1, axis));
    let tensor = Message::default().number(1, element).message(2, &shape);
    Message::default()
        .text(1, name)
        .message(2, &Message::default().message(1, &tensor))
}

/// A protocol-buffers message under construction: fields in the order written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn number(self, field: u64, value: u64) -> Self {
        self.varint(field << 3).varint(value)
    }

    fn float(self, field: u64, value: f32) -> Self {
        let mut message = self.varint(field << 3 | 5);
        message.0.extend(value.to_le_bytes());
        message
    }

    fn bytes(self, field: u64, value: &[u8]) -> Self {
        let mut message = self.varint(field << 3 | 2).varint(value.len() as u64);
        message.0.extend_from_slice(value);
        message
    }

    fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    fn message(self, field: u64, value: &Message) -> Self {
        self.bytes(field, &value.0)
    }

    fn varint(mut self, mut value: u64) -> Self {
        while value > 0x7f {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
        self
    }
}
