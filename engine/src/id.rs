//! Identities: content-addressed where they are stored, positions in canonical order where they are handles in memory.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// Content address of a document: the first 16 bytes of SHA-256 over its title and text.
///
/// Two files with the same title and text are one document with two origins.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocumentId([u8; 16]);

impl DocumentId {
    /// The address of a document with this title and text. Cost O(length).
    pub fn of(title: &str, text: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update((title.len() as u64).to_le_bytes());
        hasher.update(title.as_bytes());
        hasher.update(text.as_bytes());
        let digest = hasher.finalize();
        let mut id = [0; 16];
        id.copy_from_slice(&digest[..16]);
        Self(id)
    }

    /// The raw bytes, as used in storage keys.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for DocumentId {
    /// The first 12 hexadecimal digits, enough to tell documents apart in print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..6].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocumentId({self})")
    }
}

/// Declares a handle: a position in one of the canonical lists of a [`crate::Knowledge`].
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The handle of position `index`; positions beyond `u32::MAX` are clamped to it.
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The position as an index into the list it belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

handle! {
    /// Position of a document in canonical order (by title, then content address).
    DocumentIndex
}
handle! {
    /// Position of a chunk: by document, then by where it starts.
    ChunkId
}
handle! {
    /// Position of an entity: by its first appearance in canonical document order.
    EntityId
}
handle! {
    /// Position of a triple: by head, relation, tail.
    TripleId
}
handle! {
    /// Position of a community: by size descending, then by its first member.
    CommunityId
}
