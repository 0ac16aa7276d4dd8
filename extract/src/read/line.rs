//! Chunks as the Python reference of Youtu-GraphRAG writes them down: a line each, `id: <id>\tChunk: <text>`.

use super::{origin, stem};
use banyan_engine::Document;

/// One document a line; `None` where some line is of another form. Blank lines are passed over.
pub(super) fn chunks(file: &str, text: &str) -> Option<Vec<Document>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| chunk(file, number, line)).collect()
}

fn chunk(file: &str, number: usize, line: &str) -> Option<Document> {
    let (id, text) = line.strip_prefix("id:")?.split_once('\t')?;
    let (id, text) = (id.trim(), text.trim_start().strip_prefix("Chunk:")?.trim());
    let is_whole = !id.is_empty() && !text.is_empty();
    is_whole.then(|| Document::new(stem(file), text, origin(file, Some(id.to_owned()), Some(number))))
}

#[cfg(test)]
mod tests {
    use crate::read::parse;

    #[test]
    fn lines_of_chunks_are_documents_and_other_text_is_one() {
        let read = |text: &str| parse("c.txt", text.as_bytes().to_vec()).unwrap();
        let chunks = read("id: a1\tChunk: [PERSON#1] slept.\n\nid: b2\tChunk: It rained.\n");
        assert_eq!(chunks.len(), 2);
        assert_eq!(
            (chunks[0].text.as_str(), chunks[1].origins[0].record.as_deref()),
            ("[PERSON#1] slept.", Some("b2"))
        );
        assert_eq!(read("id: a1\tChunk: x y\nand more\n").len(), 1);
    }
}
