//! The inference runtime, a shared library loaded from a path instead of the environment.

use super::EmbedError;
use std::path::Path;

/// Loads ONNX Runtime from `library`. The process keeps the first library it loaded: a later call with
/// another path changes nothing, because the runtime cannot be exchanged while sessions live.
///
/// # Errors
/// [`EmbedError::Runtime`] when the file is missing, is no ONNX Runtime, or is too old.
pub(super) fn load(library: &Path) -> Result<(), EmbedError> {
    let fail = |reason: String| EmbedError::Runtime {
        path: library.to_owned(),
        reason,
    };
    if !library.is_file() {
        return Err(fail("there is no such file".to_owned()));
    }
    let absolute = library.canonicalize().map_err(|error| fail(error.to_string()))?;
    ort::init_from(&absolute).map_err(|error| fail(error.to_string()))?;
    Ok(())
}
