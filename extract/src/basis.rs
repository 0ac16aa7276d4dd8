//! What the facts of a document are read from, as a digest: where it is equal, they need not be read again.

use crate::context::Context;
use crate::error::ExtractError;
use crate::reading::Reading;
use banyan_engine::Schema;
use banyan_engine::fact::Basis;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Raised when facts are read from the same in another way.
const VERSION: u32 = 3;

/// The digests of documents that are read by one schema and cut into chunks of at most so many tokens.
pub(crate) struct Bases(Sha256);

impl Bases {
    /// Cost O(schema).
    pub(crate) fn new(schema: &Schema, max_chunk_tokens: u32) -> Result<Self, ExtractError> {
        let schema = serde_json::to_string(schema)?;
        let mut digest = Sha256::new();
        digest.update(bytes(&(VERSION, env!("CARGO_PKG_VERSION"), schema, max_chunk_tokens))?);
        Ok(Self(digest))
    }

    /// The digest of a reading, of the parse under it and of what the corpus adds. Cost O(length).
    pub(crate) fn of(&self, reading: &Reading, context: &Context) -> Result<Basis, ExtractError> {
        let Reading {
            parsed,
            own,
            is_about_title,
            mentions,
            entities,
            definition,
            lifespan,
            stated: _,
        } = reading;
        let Context {
            types,
            modifiers,
            verbs,
            schema: _,
            phrases: _,
            patterns: _,
            model: _,
            served: _,
            trust: _,
        } = context;
        let mut digest = self.0.clone();
        let document = parsed.document;
        digest.update(bytes(&(
            document.id,
            &document.layout,
            &parsed.foreign,
            own,
            is_about_title,
            mentions,
            entities,
            definition,
            lifespan,
        ))?);
        digest.update(bytes(&(types, modifiers, verbs))?);
        for (span, words) in &parsed.sentences {
            digest.update(bytes(&(span, words))?);
        }
        let mut basis = Basis::default();
        let n = basis.len();
        basis.copy_from_slice(&digest.finalize()[..n]);
        Ok(basis)
    }
}

fn bytes(value: &impl Serialize) -> Result<Vec<u8>, ExtractError> {
    Ok(bincode::serde::encode_to_vec(value, bincode::config::standard())?)
}
