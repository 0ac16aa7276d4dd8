//! What a knowledge has no more: documents that were removed from it, and rows that others stand in for since.

use crate::document::{Chunk, Document, Origin, Span, one_line};
use crate::fact::Contribution;
use crate::graph::{Around, Association, Attribute, Entity, Source, Triple};
use crate::id::{ChunkId, CommunityId, DocumentId, DocumentIndex, EntityId};
use crate::index::bm25::Extent;
use crate::index::{Fact, Index, Named, term};
use crate::knowledge::Knowledge;
use crate::name;
use crate::paged::{Lazy, Paged};
use crate::tree::{Branch, Community, Keyword};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

mod facts;

/// Other rows in place of some, by position.
type Rows<T> = BTreeMap<u32, T>;

/// What is left of rows that refer to removed documents. Where nothing is left of a row it is blank, so that the handles of
/// all others keep their meaning.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Removed {
    /// With their places alone; those that are gone have none.
    pub(crate) documents: Rows<Document>,
    /// Ids of those that are gone.
    pub(super) ids: BTreeSet<DocumentId>,
    /// Those that are gone, without text.
    pub(crate) chunks: Rows<Chunk>,
    pub(crate) entities: Rows<Entity>,
    pub(crate) triples: Rows<Triple>,
    pub(crate) attributes: Rows<Attribute>,
    pub(crate) associations: Rows<Association>,
    pub(crate) around: Rows<Around>,
    pub(crate) of_relation: Rows<Vec<u32>>,
    pub(crate) of_attribute: Rows<Vec<u32>>,
    keys: BTreeSet<String>,
    pub(crate) names: BTreeMap<String, Vec<EntityId>>,
    pub(crate) files: BTreeMap<String, Vec<u32>>,
    pub(crate) named: Rows<Named>,
    pub(crate) stated: Rows<Vec<Fact>>,
    pub(crate) communities: Rows<Community>,
    pub(crate) branches: Rows<Vec<Branch>>,
    extent: Extent,
}

impl Removed {
    /// What is left once documents have these `places`; those without one are gone. Cost O(size of these documents and
    /// of the rows that they touch), and the statements of as many others as say the same.
    pub(super) fn new((base, index): (&Knowledge, &Index), places: &BTreeMap<DocumentIndex, Vec<Origin>>) -> Self {
        let gone = places.iter().filter(|(_, places)| places.is_empty());
        let mut cut = Cut {
            base,
            index,
            gone: gone.map(|(at, _)| *at).collect(),
            chunks: BTreeSet::new(),
            gone_entities: BTreeSet::new(),
            out: Self::default(),
        };
        cut.documents(places);
        cut.chunks();
        let said: Vec<Contribution> = cut
            .gone
            .iter()
            .map(|at| base.contributions.get(at.index()).clone())
            .collect();
        cut.triples();
        cut.attributes(&said);
        cut.associations(&said);
        cut.entities(&said);
        cut.communities();
        cut.out
    }

    /// Whether all is left.
    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Gives documents the places that they have now; those that have none are blank.
    pub(super) fn move_documents(&self, documents: &mut Paged<Document>) {
        let moved = |document: &mut Document, places: &Document| {
            if places.origins.is_empty() {
                *document = Document::default();
            } else {
                document.origins.clone_from(&places.origins);
            }
        };
        *documents = std::mem::take(documents).changed(self.documents.clone(), moved);
    }

    /// The knowledge and its indexes with what is left. Cost O(rows).
    pub(super) fn over(self, (mut knowledge, mut index): (Knowledge, Index)) -> (Knowledge, Index) {
        let gone = self
            .documents
            .iter()
            .filter(|(_, document)| document.origins.is_empty());
        knowledge.gone = gone.map(|(at, _)| DocumentIndex(*at)).collect();
        self.move_documents(&mut knowledge.documents);
        let chunks: Vec<u32> = self.chunks.keys().copied().collect();
        let unnamed: Rows<Vec<(EntityId, u8)>> = chunks.iter().map(|at| (*at, Vec::new())).collect();
        let unstated = chunks.iter().map(|at| (*at, Vec::new()));
        let stated: Rows<Vec<Fact>> = unstated.chain(self.stated).collect();
        with(&mut knowledge.chunks, self.chunks);
        let graph = &mut knowledge.graph;
        with(&mut graph.entities, self.entities);
        with(&mut graph.triples, self.triples);
        with(&mut graph.attributes, self.attributes);
        with(&mut graph.associations, self.associations);
        with(&mut graph.around, self.around);
        with(&mut graph.of_relation, self.of_relation);
        with(&mut graph.of_attribute, self.of_attribute);
        let (resolution, keys, ids) = (
            std::mem::take(&mut knowledge.resolution),
            self.keys.clone(),
            self.ids.clone(),
        );
        knowledge.resolution = Lazy::stored(move || resolution.without(&keys, &ids));
        let (refusals, ids) = (std::mem::take(&mut knowledge.refusals), self.ids.clone());
        knowledge.refusals = Lazy::stored(move || refusals.without(&ids));
        knowledge.growth = knowledge.growth.only(|id| !self.ids.contains(id));
        let keys = self.keys.into_iter().map(|key| (key, None));
        graph.keys = std::mem::take(&mut graph.keys).with(keys.collect());
        with(&mut knowledge.tree.communities, self.communities);
        with(&mut knowledge.tree.branches, self.branches);
        index.names = index.names.with(left(self.names));
        index.files = index.files.with(left(self.files));
        with(&mut index.incidence.by_chunk, unnamed);
        with(&mut index.incidence.by_entity, self.named);
        with(&mut index.facts.stated, stated);
        index.passages.gone = chunks.into();
        index.passages.extent = index.passages.extent.without(self.extent);
        (knowledge, index)
    }
}

fn with<T: Clone + Default + Send + Sync>(list: &mut Paged<T>, rows: Rows<T>) {
    *list = std::mem::take(list).with(rows);
}

/// Keys with what is left of each, if anything.
fn left<T>(values: BTreeMap<String, Vec<T>>) -> BTreeMap<String, Option<Vec<T>>> {
    let left = values.into_iter();
    left.map(|(key, own)| (key, Some(own).filter(|own| !own.is_empty())))
        .collect()
}

/// What is left, while it is gathered.
struct Cut<'a> {
    base: &'a Knowledge,
    index: &'a Index,
    gone: BTreeSet<DocumentIndex>,
    chunks: BTreeSet<ChunkId>,
    gone_entities: BTreeSet<EntityId>,
    out: Removed,
}

impl Cut<'_> {
    fn documents(&mut self, places: &BTreeMap<DocumentIndex, Vec<Origin>>) {
        for (at, places) in places {
            let known = &self.base.document(*at).origins;
            let files =
                |origins: &[Origin]| -> BTreeSet<String> { origins.iter().map(|one| one.file.clone()).collect() };
            let (then, now) = (files(known), files(places));
            for file in then.symmetric_difference(&now) {
                let held = || self.index.files.get(file).cloned().unwrap_or_default();
                let own = self.out.files.entry(file.clone()).or_insert_with(held);
                match own.binary_search(&at.0) {
                    Ok(place) => drop(own.remove(place)),
                    Err(place) => own.insert(place, at.0),
                }
            }
            let moved = Document {
                origins: places.clone(),
                ..Document::default()
            };
            self.out.documents.insert(at.0, moved);
            if places.is_empty() {
                self.out.ids.insert(self.base.document(*at).id);
            }
        }
    }

    fn chunks(&mut self) {
        let lengths = &self.index.passages.lengths;
        for document in &self.gone {
            for id in chunks_of(self.base, *document) {
                let known = self.base.chunk(id);
                let blank = Chunk {
                    span: Span::default(),
                    n_tokens: 0,
                    ..*known
                };
                self.out.chunks.insert(id.0, blank);
                self.out.extent.n_passages += 1;
                self.out.extent.n_terms += lengths.get(id.index()).map_or(0, |n| *n as usize);
                self.chunks.insert(id);
            }
        }
    }

    fn is_left(&self, source: &Source) -> bool {
        !self.chunks.contains(&source.chunk)
    }

    /// An entity stays as long as it is named or something is said of it.
    fn entities(&mut self, said: &[Contribution]) {
        let (graph, incidence) = (&self.base.graph, &self.index.incidence);
        let mut called: BTreeMap<EntityId, BTreeSet<&str>> = BTreeMap::new();
        for claim in said.iter().flat_map(|said| &said.entities) {
            if let Some(id) = graph.find(&claim.entity) {
                called.entry(id).or_default().insert(&claim.name);
            }
        }
        for (id, _) in self.chunks.iter().flat_map(|chunk| incidence.entities_of(*chunk)) {
            called.entry(*id).or_default();
        }
        let keys: BTreeSet<&str> = said.iter().flat_map(keys).collect();
        for id in keys.iter().filter_map(|key| graph.find(key)) {
            called.entry(id).or_default();
        }
        for (id, called) in called {
            let known = graph.entity(id);
            let mut left = known.clone();
            left.mentions.retain(|(source, _)| self.is_left(source));
            left.subject_of.retain(|document| !self.gone.contains(document));
            let said = self
                .out
                .around
                .get(&id.0)
                .unwrap_or_else(|| graph.around.get(id.index()));
            let is_gone = left.mentions.is_empty() && left.subject_of.is_empty() && *said == Around::default();
            let mut named = incidence.of(id).clone();
            named.chunks.retain(|place| !self.chunks.contains(&place.chunk));
            named.subject.retain(|chunk| !self.chunks.contains(chunk));
            let own = |chunk: ChunkId| left.subject_of.contains(&self.base.chunk(chunk).document);
            let n_own = named.chunks.iter().filter(|place| own(place.chunk)).count();
            named.frequency = named.chunks.len() - n_own + n_own.min(1);
            if is_gone {
                left = Entity::default();
                self.gone_entities.insert(id);
            } else {
                let is_called = |name: &String| !called.contains(name.as_str()) || self.is_called(&named, name);
                left.aliases.retain(is_called);
                if !is_called(&known.name) {
                    let other = left.aliases.pop();
                    left.name = other.unwrap_or_else(|| left.key.clone());
                }
            }
            let spelled = |one: &Entity| -> BTreeSet<String> {
                let surfaces = std::iter::once(&one.name).chain(&one.aliases);
                surfaces.map(|surface| name::key(surface)).collect()
            };
            let (then, now) = (spelled(known), spelled(&left));
            let other = name::key(&left.name);
            if then.contains(&known.key) && !now.contains(&known.key) && graph.find(&other) == Some(id) {
                left.key = other;
            }
            let bears = |spelled: BTreeSet<String>, one: &Entity| &spelled | &BTreeSet::from([one.key.clone()]);
            for key in bears(then, known).difference(&bears(now, &left)) {
                if graph.find(key) == Some(id) {
                    self.out.keys.insert(key.clone());
                }
                let held = || self.index.names.get(key).cloned().unwrap_or_default();
                let own = self.out.names.entry(key.clone()).or_insert_with(held);
                own.retain(|one| *one != id);
            }
            self.out.entities.insert(id.0, left);
            self.out.named.insert(id.0, named);
        }
        let of_gone = |key: &&str| graph.find(key).is_some_and(|id| self.gone_entities.contains(&id));
        self.out
            .keys
            .extend(keys.into_iter().filter(of_gone).map(str::to_owned));
        let own = self.gone_entities.iter().map(|id| graph.entity(*id).key.clone());
        self.out.keys.extend(own);
    }

    /// Whether a passage that is left and names an entity spells a name.
    fn is_called(&self, named: &Named, name: &str) -> bool {
        let words = term::distinct(name);
        let postings: Vec<_> = words.iter().map(|word| self.index.passages.postings(word)).collect();
        let has_all = |chunk: ChunkId| postings.iter().all(|own| own.weight_in(chunk.index()).is_some());
        let spells = |chunk: ChunkId| one_line(&self.base.passage(chunk)).contains(name);
        let places = named.chunks.iter().map(|place| place.chunk);
        places.filter(|chunk| has_all(*chunk)).any(spells)
    }

    /// Where name or description of what belongs together tell of an entity that is gone, it is called by those that are left.
    fn renamed(&self, name: &mut String, description: &mut String, keywords: &[Keyword]) {
        let entity = |id: EntityId| self.base.graph.entity(id);
        let tells = |text: &str| self.gone_entities.iter().any(|id| text.contains(&entity(*id).name));
        if tells(name) || tells(description) {
            let left: Vec<&str> = keywords
                .iter()
                .map(|keyword| entity(keyword.entity).name.as_str())
                .collect();
            *name = left.join(", ");
            description.clear();
        }
    }

    fn communities(&mut self) {
        let tree = &self.base.tree;
        let gone = &self.gone_entities;
        let touched: BTreeSet<CommunityId> = gone.iter().filter_map(|id| tree.community_of(*id)).collect();
        for id in touched {
            let mut left = tree.community(id).clone();
            left.members.retain(|member| !gone.contains(member));
            left.keywords.retain(|keyword| !gone.contains(&keyword.entity));
            if let (true, Some(first)) = (left.keywords.is_empty(), left.members.first()) {
                let (entity, score) = (*first, 0.0);
                left.keywords.push(Keyword { entity, score });
            }
            self.renamed(&mut left.name, &mut left.description, &left.keywords);
            if left.members.is_empty() {
                left = Community::default();
            }
            self.out.communities.insert(id.0, left);
        }
        if gone.is_empty() {
            return;
        }
        for (level, nodes) in (0..).zip(tree.branches()) {
            let mut left = nodes.clone();
            for node in &mut left {
                node.keywords.retain(|keyword| !gone.contains(&keyword.entity));
                self.renamed(&mut node.name, &mut node.description, &node.keywords);
            }
            if left != *nodes {
                self.out.branches.insert(level, left);
            }
        }
    }
}

/// The chunks of a document.
fn chunks_of(knowledge: &Knowledge, document: DocumentIndex) -> impl Iterator<Item = ChunkId> {
    let chunks = &knowledge.chunks;
    let first = chunks.partition_point(|chunk| chunk.document < document);
    let own = (first..chunks.len()).take_while(move |at| chunks.get(*at).document == document);
    own.map(ChunkId::at)
}

/// The entities that a document speaks of, with repetitions.
fn keys(said: &Contribution) -> impl Iterator<Item = &str> {
    let ends = said.triples.iter().flat_map(|claim| [&claim.head, &claim.tail]);
    let loose = said.loose.iter().flat_map(|claim| [&claim.head, &claim.tail]);
    let named = said.mentions.iter().map(|mention| &mention.entity);
    let claimed = said.entities.iter().map(|claim| &claim.entity);
    let described = said.attributes.iter().map(|claim| &claim.entity);
    let all = ends.chain(loose).chain(named).chain(claimed).chain(described);
    all.map(|key| &**key)
}
