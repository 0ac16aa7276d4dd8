//! Whether there is memory enough for a build, which holds all that it reads.

use banyan_engine::Document;
use std::fs;

/// Bytes of memory that a build takes for each byte of text; `benches/scale.py` prints what it took.
const BYTES_PER_BYTE: u64 = 25;
const GIB: f64 = 1_073_741_824.0;

/// What to tell before documents are built for which there may be too little memory; none where there is enough, or nobody
/// knows.
pub(crate) fn shortage(documents: &[Document]) -> Option<String> {
    let n_bytes = documents.iter().map(|document| document.text.len() as u64).sum();
    told(n_bytes, &fs::read_to_string("/proc/meminfo").ok()?)
}

/// That so many bytes of text need more than what `meminfo`, as Linux writes it, says is free.
fn told(n_bytes: u64, meminfo: &str) -> Option<String> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let n_free = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024;
    let n_needed = n_bytes.saturating_mul(BYTES_PER_BYTE);
    let shown = |n: u64| format!("{:.1} GiB", n as f64 / GIB);
    (n_needed > n_free).then(|| {
        format!(
            "this may take {} of memory, and {} are free: what is too much ends without a store. Stores of parts of the corpus take less each",
            shown(n_needed),
            shown(n_free)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_told() {
        let free = "MemTotal:       16384000 kB\nMemAvailable:    1048576 kB\n";
        let needed = told(1 << 30, free).unwrap();
        assert!(needed.contains("25.0 GiB of memory, and 1.0 GiB are free"), "{needed}");
        assert_eq!(told(1 << 20, free), None);
        assert_eq!(told(1 << 30, "MemTotal: 1 kB\n"), None);
    }
}
