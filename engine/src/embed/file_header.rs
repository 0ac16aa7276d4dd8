//! The first bytes of a vector cache file: what it is, of which version, and whose vectors it holds.

use super::EmbedError;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

const MAGIC: [u8; 4] = *b"BNYV";
const VERSION: u8 = 1;

/// Writes the header into a file that has none yet (or only a torn one); returns the file's bytes.
pub(super) fn begin(file: &mut File, header: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    if bytes.len() < header.len() && header.starts_with(&bytes) {
        file.write_all(&header[bytes.len()..])?;
        bytes = header.to_vec();
    }
    Ok(bytes)
}

/// The first bytes of a cache for the embedder `id` with `dimension` columns.
pub(super) fn header(id: &str, dimension: usize) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    bytes.extend(u32::try_from(dimension).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(u16::try_from(id.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Says which part of a header is not ours.
pub(super) fn check_header(
    bytes: &[u8],
    ours: &[u8],
    path: &Path,
    id: &str,
    dimension: usize,
) -> Result<(), EmbedError> {
    if bytes.starts_with(ours) {
        return Ok(());
    }
    let what = format!("vector cache {}", path.display());
    let differs = |expected: String, found: String| Err(EmbedError::Format { what, expected, found });
    if !bytes.starts_with(&MAGIC) {
        return differs("a vector cache".to_owned(), "another kind of file".to_owned());
    }
    match bytes.get(4) {
        Some(&VERSION) => {}
        version => {
            return differs(
                format!("version {VERSION}"),
                format!("version {}", version.unwrap_or(&0)),
            );
        }
    }
    if let Some(&[a, b, c, d]) = bytes.get(5..9) {
        let found = u32::from_le_bytes([a, b, c, d]) as usize;
        if found != dimension {
            return Err(EmbedError::Dimension {
                expected: dimension,
                found,
            });
        }
    }
    differs(format!("vectors of {id}"), format!("vectors of {}", id_in(bytes)))
}

fn id_in(bytes: &[u8]) -> String {
    let length = bytes
        .get(9..11)
        .map_or(0, |pair| usize::from(u16::from_le_bytes([pair[0], pair[1]])));
    String::from_utf8_lossy(bytes.get(11..11 + length).unwrap_or(b"?")).into_owned()
}
