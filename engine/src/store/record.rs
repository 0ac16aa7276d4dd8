//! A knowledge with its indexes as the records of a store, in one order.

use super::pages::{EXTENT, HEADS, META};
use super::row::Row;
use super::{StoreError, codec};
use crate::index::{Bm25, Index};
use crate::knowledge::Knowledge;
use crate::paged::{Health, Paged};
use rayon::prelude::*;
use serde::Serialize;

/// Bytes of a block of a list, about. Arbitrary: a few passages, so that one of them costs little more than itself.
const BLOCK: usize = 8 << 10;
/// The same of lists that are only read as a whole: they compress better.
const BULK: usize = 256 << 10;

/// Blocks that are encoded at a time. Arbitrary: enough to share among threads.
const AT_ONCE: usize = 64;

/// Lists that only the snapshot has: they are made of the others, or of the texts.
const DERIVED: [&str; 18] = [
    "vector-code",
    "parse",
    "association",
    "around",
    "key",
    "of-relation",
    "of-attribute",
    "passage-term",
    "community-term",
    "named-in",
    "named",
    "name",
    "origin",
    "stated",
    "word",
    "name-words",
    "triple-words",
    "association-words",
];

/// Whether the database has a record, too.
pub(super) fn is_in_database(tree: &str, key: &[u8]) -> bool {
    let of = |list: &&str| tree == *list || ([EXTENT, HEADS].contains(&tree) && key == list.as_bytes());
    !DERIVED.iter().any(of)
}

/// Takes a record: its tree, its key, its bytes, and how many rows it has.
pub(super) type Take<'a> = &'a mut dyn FnMut(&'static str, &[u8], Vec<u8>, usize) -> Result<(), StoreError>;

/// Rows in all: what [`records`] counts up to.
pub(super) fn n_rows(knowledge: &Knowledge, index: &Index) -> usize {
    let graph = &knowledge.graph;
    let entities =
        4 * graph.n_entities() + graph.keys.rows().len() + index.names.rows().len() + index.files.rows().len();
    let facts = 2 * graph.n_triples() + 2 * graph.n_associations() + graph.n_attributes();
    let vectors = &knowledge.chunk_vectors;
    let chunks = 3 * knowledge.chunks.len() + vectors.len() + vectors.codes.len();
    let terms = [&index.passages, &index.communities].map(|bm25| bm25.terms.rows().len());
    let tree = knowledge.tree.n_communities() + knowledge.tree.branches().len();
    let texts = 2 * knowledge.documents.len() + knowledge.parses.len() + knowledge.statements.len();
    texts
        + entities
        + facts
        + chunks
        + terms.iter().sum::<usize>()
        + index.facts.numbers.rows().len()
        + tree
        + graph.n_entities()
}

/// Gives every record of a store to `take`.
///
/// # Errors
/// Those of `take`, and [`StoreError::Corrupt`] where a value cannot be stored.
pub(super) fn records(knowledge: &Knowledge, index: &Index, take: Take<'_>) -> Result<(), StoreError> {
    let mut out = Out { take };
    let (graph, tree) = (&knowledge.graph, &knowledge.tree);
    out.one(b"settings", &knowledge.settings)?;
    out.one(b"patterns", &knowledge.patterns)?;
    out.one(b"quarantine", &*knowledge.quarantine)?;
    out.one(b"schema", &json("the schema", &knowledge.schema)?)?;
    out.one(b"growth", &json("the growth of the schema", &knowledge.growth)?)?;
    out.one(b"resolution", &*knowledge.resolution)?;
    out.one(b"refusals", &*knowledge.refusals)?;
    out.one(b"refreshes", &tree.n_refreshes())?;
    out.list("document", knowledge.documents.all())?;
    out.bulk("contribution", &knowledge.contributions)?;
    let statements = knowledge.statements.iter().map(|(id, said)| (*id, said.clone()));
    out.bulk("statement", &statements.collect())?;
    out.bulk("parse", &knowledge.parses)?;
    out.list("chunk", knowledge.chunks.all())?;
    out.list("entity", graph.entities())?;
    out.list("triple", graph.triples())?;
    out.list("attribute", graph.attributes())?;
    out.list("association", graph.associations())?;
    out.list("around", graph.around.all())?;
    out.sorted("key", graph.keys.rows().all())?;
    out.list("of-relation", graph.of_relation.all())?;
    out.list("of-attribute", graph.of_attribute.all())?;
    out.list("community", tree.communities())?;
    out.list("membership", tree.membership.all())?;
    out.list("branch", tree.branches())?;
    let vectors = &knowledge.chunk_vectors;
    out.one(b"dimension", &vectors.dimension())?;
    if vectors.codes.is_empty() {
        out.bulk("vector", &vectors.halves)?;
    } else {
        out.list("vector", vectors.halves.all())?;
        out.bulk("vector-code", &vectors.codes)?;
    }
    out.bm25(
        ["passage-term", "community-term"],
        [b"passage-lengths", b"community-lengths"],
        index,
    )?;
    out.list("named-in", index.incidence.by_chunk.all())?;
    out.list("named", index.incidence.by_entity.all())?;
    out.sorted("name", index.names.rows().all())?;
    out.sorted("origin", index.files.rows().all())?;
    out.list("stated", index.facts.stated.all())?;
    out.sorted("word", index.facts.numbers.rows().all())?;
    out.list("name-words", index.facts.names.all())?;
    out.list("triple-words", index.facts.triples.all())?;
    out.list("association-words", index.facts.associations.all())
}

struct Out<'a> {
    take: Take<'a>,
}

impl Out<'_> {
    fn one<T: Serialize>(&mut self, key: &[u8], value: &T) -> Result<(), StoreError> {
        (self.take)(META, key, codec::encode(META, value)?, 0)
    }

    /// A list, in blocks.
    fn list<T: Row>(&mut self, tree: &'static str, rows: &[T]) -> Result<(), StoreError> {
        self.blocks(tree, rows, BLOCK).map(drop)
    }

    /// A list that is only read as a whole.
    fn bulk<T: Row>(&mut self, tree: &'static str, rows: &Paged<T>) -> Result<(), StoreError> {
        let Some((firsts, records)) = rows.records() else {
            return self.blocks(tree, rows.all(), BULK).map(drop);
        };
        for ((number, record), rows) in (0_u32..).zip(records).zip(firsts.windows(2)) {
            (self.take)(
                tree,
                &number.to_be_bytes(),
                record.clone(),
                (rows[1] - rows[0]) as usize,
            )?;
        }
        (self.take)(EXTENT, tree.as_bytes(), codec::encode(EXTENT, &firsts)?, 0)
    }

    /// The same; the first rows of its blocks, and last the number of rows.
    fn blocks<T: Row>(&mut self, tree: &'static str, rows: &[T], block_bytes: usize) -> Result<Vec<u32>, StoreError> {
        let firsts = encode(tree, rows, block_bytes, &mut |number, record, n| {
            (self.take)(tree, &number.to_be_bytes(), record, n)
        })?;
        (self.take)(EXTENT, tree.as_bytes(), codec::encode(EXTENT, &firsts)?, 0)?;
        Ok(firsts)
    }

    /// A list that is looked up by key.
    fn sorted<V>(&mut self, tree: &'static str, rows: &[(String, V)]) -> Result<(), StoreError>
    where
        (String, V): Row,
    {
        let firsts = self.blocks(tree, rows, BLOCK)?;
        let heads = firsts.iter().filter_map(|first| Some(&rows.get(*first as usize)?.0));
        let heads = codec::encode(HEADS, &heads.collect::<Vec<&String>>())?;
        (self.take)(HEADS, tree.as_bytes(), heads, 0)
    }

    fn bm25(&mut self, trees: [&'static str; 2], lengths: [&[u8]; 2], index: &Index) -> Result<(), StoreError> {
        let mut put = |at: usize, bm25: &Bm25| {
            self.sorted(trees[at], bm25.terms.rows().all())?;
            self.one(lengths[at], &*bm25.lengths)
        };
        put(0, &index.passages)?;
        put(1, &index.communities)?;
        self.one(b"index", &[index.passages.extent, index.communities.extent])
    }
}

/// Gives `put` the number and the record of each block of a list, and how many rows it has; the first rows of the blocks, and
/// last the number of rows.
fn encode<T: Row>(
    tree: &'static str,
    rows: &[T],
    block_bytes: usize,
    put: &mut dyn FnMut(u32, Vec<u8>, usize) -> Result<(), StoreError>,
) -> Result<Vec<u32>, StoreError> {
    let sizes = rows.par_iter().map(|row| codec::size(tree, row));
    let mut ends = Vec::new();
    let (mut size, mut n) = (0, 0);
    for (at, row) in (1..).zip(sizes.collect::<Result<Vec<_>, _>>()?) {
        (size, n) = (size + row, at);
        if size >= block_bytes {
            ends.push(at);
            size = 0;
        }
    }
    if size > 0 {
        ends.push(n);
    }
    let mut firsts = vec![0_u32];
    let mut first = 0;
    for ends in ends.chunks(AT_ONCE) {
        let begins: Vec<usize> = [first].into_iter().chain(ends.iter().copied()).collect();
        let encode = |ends: &[usize]| T::pack(tree, &rows[ends[0]..ends[1]]);
        let blocks: Vec<_> = begins.par_windows(2).map(encode).collect::<Result<_, _>>()?;
        for (block, end) in blocks.into_iter().zip(ends) {
            let number = u32::try_from(firsts.len() - 1).unwrap_or(u32::MAX);
            put(number, block, end - first)?;
            firsts.push(u32::try_from(*end).unwrap_or(u32::MAX));
            first = *end;
        }
    }
    Ok(firsts)
}

/// A list that is only read as a whole, as the records that it will be stored as. Cost O(size).
pub(super) fn packed<T: Row>(tree: &'static str, rows: Vec<T>, health: &Health) -> Result<Paged<T>, StoreError> {
    let mut records = Vec::new();
    let firsts = encode(tree, &rows, BULK, &mut |_, record, _| {
        records.push(record);
        Ok(())
    })?;
    drop(rows);
    let health = health.clone();
    let unpack = move |record: &[u8]| {
        T::unpack(tree, record).map_or_else(
            |error| {
                health.note(error.into_fault());
                Vec::new()
            },
            |(rows, _)| rows,
        )
    };
    Ok(Paged::packed(firsts, records, unpack))
}

fn json<T: Serialize>(what: &str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::corrupt(what, "what can be stored", error))
}
