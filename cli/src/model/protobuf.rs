//! The few field kinds of protocol buffers that an ONNX file needs.

/// A protocol-buffers message under construction: fields in the order written.
#[derive(Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    pub(super) fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    pub(super) fn float(&mut self, field: u64, value: f32) {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    pub(super) fn text(&mut self, field: u64, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    pub(super) fn message(&mut self, field: u64, value: &Message) {
        self.bytes(field, &value.0);
    }

    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
    }
}
