//! What the explorer shows: all that a store holds, in short rows whose order is their number, and the page around it.

use super::resolve::Report;
use anyhow::{Context, Result};
use banyan::{Banyan, Error, Filled, RecordsOptions};
use banyan_community::{Reasons, reasons};
use banyan_engine::schema::Growth;
use banyan_engine::{
    ChunkId, CommunityId, Document, DocumentIndex, EntityId, Keyword, Knowledge, KnowledgeTree, Schema, Source,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Places told of each fact and name; the others are counted. Arbitrary: what somebody reads of one thing.
const MAX_PLACES: usize = 6;
/// Words and facts that say why a community belongs together. Arbitrary, as `banyan communities` shows.
const MAX_REASONS: usize = 5;

/// The page without what it shows.
const PAGE: &str = include_str!("../explorer/page.html");
const STYLE: &str = include_str!("../explorer/style.css");
/// One script, in the order in which its parts need each other.
const SCRIPT: &str = concat!(
    include_str!("../explorer/atlas.js"),
    include_str!("../explorer/map.js"),
    include_str!("../explorer/panel.js"),
    include_str!("../explorer/main.js")
);

/// The explorer as one page that asks nobody for anything but the server that it came from; `atlas` is what it shows, or
/// `null` where it is to ask for that.
pub(crate) fn page(atlas: &str) -> String {
    // What is said in a document never ends the element that it stands in.
    let atlas = atlas.replace('<', "\\u003c");
    PAGE.replace("{style}", STYLE)
        .replace("{script}", SCRIPT)
        .replace("{atlas}", &atlas)
}

/// A page that leads to each of several stores.
pub(crate) fn shelf_page(names: &[String]) -> String {
    let links = names
        .iter()
        .map(|name| format!("<li><a href=\"{name}/\">{name}</a></li>"));
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Banyan</title><link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style><main style=\"display:block;padding:1rem\"><h1>Banyan</h1><ul>{}</ul></main></html>\n",
        links.collect::<String>()
    )
}

/// Everything but what is gone, whose row is `null`.
#[derive(Serialize)]
pub(crate) struct Atlas<'a> {
    /// What the store is called.
    name: String,
    version: &'static str,
    types: Vec<&'a str>,
    relations: Vec<&'a str>,
    attributes: Vec<&'a str>,
    entities: Vec<Option<Named<'a>>>,
    /// Facts between two entities.
    triples: Vec<(u32, usize, u32, usize, Vec<Place>)>,
    /// Facts about one.
    values: Vec<(u32, usize, &'a str, usize, Vec<Place>)>,
    /// Entities that are named side by side.
    associations: Vec<(u32, u32, f32, Place)>,
    communities: Vec<Option<Group<'a>>>,
    /// The levels above the communities, the lowest first.
    branches: Vec<Vec<Group<'a>>>,
    documents: Vec<Option<Paper<'a>>>,
    schema: Value,
    resolution: Report,
    /// Whether the documents are records of one kind or a few, so that tables of them tell something.
    is_tabular: bool,
    /// Those tables, where no server can be asked for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<Filled>,
    /// Whether the page may send decisions to its server.
    may_change: bool,
}

/// An entity: its name, type, other names, how often it is named, and where first.
#[derive(Serialize)]
struct Named<'a>(&'a str, usize, &'a [String], usize, Vec<Place>);

/// A stretch of a document, in bytes of its text; empty at 0 for its title.
#[derive(Serialize)]
struct Place(usize, u32, u32);

/// A community, or a branch above.
#[derive(Serialize)]
struct Group<'a> {
    name: &'a str,
    description: &'a str,
    /// Entities of a community; positions in the level below of a branch.
    members: Vec<u32>,
    /// Pivotal entities with φ (Eq. 5, Youtu-GraphRAG), the best first.
    keywords: Vec<(u32, f32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why<'a>>,
}

/// Why the members of a community belong together.
#[derive(Serialize)]
struct Why<'a> {
    cohesion: f32,
    n_inside: usize,
    n_outside: usize,
    relations: Vec<(&'a str, usize)>,
    words: &'a [String],
    facts: Vec<usize>,
}

/// A document, with its text where no server can be asked for it.
#[derive(Serialize)]
struct Paper<'a> {
    id: String,
    title: &'a str,
    from: String,
    /// First byte and number of each page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pages: Vec<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// For whom an atlas is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A page that stands alone: the texts are in it.
    Page,
    /// A page that asks its server, and that may decide or not.
    Caller { may_change: bool },
}

/// All that a store of this name holds, as JSON. Cost O(size).
pub(crate) fn atlas(banyan: &Banyan, name: String, reader: Reader) -> Result<String> {
    let with_texts = reader == Reader::Page;
    let may_change = reader == Reader::Caller { may_change: true };
    let mut is_tabular = banyan.is_tabular()?;
    let records = match (is_tabular && with_texts).then(|| banyan.tables(&RecordsOptions::default())) {
        // A sample looked like records, and all documents together share no column.
        Some(Err(Error::Input(_))) => {
            is_tabular = false;
            None
        }
        tables => tables.transpose()?,
    };
    let knowledge = banyan.knowledge()?;
    let Knowledge {
        schema, graph, tree, ..
    } = knowledge;
    let reasons = reasons(graph, tree, MAX_REASONS);
    let maker = Maker(knowledge);
    let entities = (0..graph.n_entities()).map(|at| maker.named(EntityId::at(at)));
    let triples = graph.triples().iter().map(|one| {
        let places = maker.places(&one.sources);
        (one.head.0, one.relation.index(), one.tail.0, one.sources.len(), places)
    });
    let values = graph.attributes().iter().filter(|one| !one.is_gone()).map(|one| {
        let places = maker.places(&one.sources);
        (
            one.entity.0,
            one.attribute.index(),
            one.value.as_str(),
            one.sources.len(),
            places,
        )
    });
    let associations = graph.associations().iter().filter(|one| !one.is_gone());
    let documents = knowledge.documents.all().iter().enumerate();
    let atlas = Atlas {
        name,
        version: env!("CARGO_PKG_VERSION"),
        types: schema.entity_types().iter().map(|one| one.name.as_str()).collect(),
        relations: schema.relations().iter().map(|one| one.name.as_str()).collect(),
        attributes: schema.attributes().iter().map(|one| one.name.as_str()).collect(),
        entities: entities.collect(),
        triples: triples.collect(),
        values: values.collect(),
        associations: associations
            .map(|one| (one.a.0, one.b.0, one.weight, maker.place(&one.source)))
            .collect(),
        communities: (0..).zip(&reasons).map(|(at, why)| maker.community(at, why)).collect(),
        branches: branches(tree),
        documents: documents
            .map(|(at, document)| {
                let is_there = !knowledge.is_gone(DocumentIndex(u32::try_from(at).ok()?));
                is_there.then(|| paper(document, with_texts))
            })
            .collect(),
        schema: bounds(schema, &knowledge.growth)?,
        resolution: Report::new(knowledge, None),
        is_tabular,
        records,
        may_change,
    };
    let text = serde_json::to_string(&atlas).context("cannot encode JSON")?;
    banyan.sound()?;
    Ok(text)
}

/// The text of one document and where it came from, as JSON; `None` where it is not there.
pub(crate) fn document(banyan: &Banyan, number: usize) -> Result<Option<String>> {
    let knowledge = banyan.knowledge()?;
    let index = u32::try_from(number).ok().map(DocumentIndex);
    let is_there = |at: &DocumentIndex| at.index() < knowledge.documents.len() && !knowledge.is_gone(*at);
    let Some(index) = index.filter(is_there) else {
        return Ok(None);
    };
    let text = serde_json::to_string(&paper(knowledge.document(index), true)).context("cannot encode JSON")?;
    banyan.sound()?;
    Ok(Some(text))
}

/// A schema, how it grew, and what is proposed for it.
pub(crate) fn bounds(schema: &Schema, growth: &Growth) -> Result<Value> {
    let schema: Value = serde_json::from_str(&schema.to_json()?).context("cannot read the schema")?;
    Ok(json!({"schema": schema, "versions": growth.versions, "open": growth.open, "rejected": growth.rejected}))
}

fn paper(document: &Document, with_texts: bool) -> Paper<'_> {
    let from = document.origins.first().map(ToString::to_string);
    Paper {
        id: document.id.to_string(),
        title: &document.title,
        from: from.unwrap_or_else(|| document.id.to_string()),
        pages: document
            .layout
            .pages
            .iter()
            .map(|page| (page.at, page.number))
            .collect(),
        text: with_texts.then_some(document.text.as_str()),
    }
}

fn keywords(keywords: &[Keyword]) -> Vec<(u32, f32)> {
    keywords.iter().map(|word| (word.entity.0, word.score)).collect()
}

fn branches(tree: &KnowledgeTree) -> Vec<Vec<Group<'_>>> {
    let levels = tree.branches().iter().map(|level| {
        let groups = level.iter().map(|branch| Group {
            name: &branch.name,
            description: &branch.description,
            members: branch.children.iter().map(|child| child.0).collect(),
            keywords: keywords(&branch.keywords),
            why: None,
        });
        groups.collect()
    });
    levels.collect()
}

struct Maker<'a>(&'a Knowledge);

impl<'a> Maker<'a> {
    fn place(&self, source: &Source) -> Place {
        let document = self.0.chunk(source.chunk).document;
        Place(document.index(), source.span.start, source.span.end)
    }

    fn places(&self, sources: &[Source]) -> Vec<Place> {
        sources
            .iter()
            .take(MAX_PLACES)
            .map(|source| self.place(source))
            .collect()
    }

    fn named(&self, id: EntityId) -> Option<Named<'a>> {
        let entity = self.0.graph.entity(id);
        let mut firsts: BTreeMap<ChunkId, &Source> = BTreeMap::new();
        for (source, _) in &entity.mentions {
            if firsts.len() == MAX_PLACES {
                break;
            }
            firsts.entry(source.chunk).or_insert(source);
        }
        (!entity.is_gone()).then(|| {
            let places = firsts.into_values().map(|source| self.place(source));
            Named(
                &entity.name,
                entity.entity_type.index(),
                &entity.aliases,
                entity.mentions.len(),
                places.collect(),
            )
        })
    }

    fn community(&self, at: usize, why: &'a Reasons) -> Option<Group<'a>> {
        let community = self.0.tree.community(CommunityId::at(at));
        let name = |(id, n): &(_, usize)| (self.0.schema.relation_name(*id), *n);
        (!community.is_gone()).then(|| Group {
            name: &community.name,
            description: &community.description,
            members: community.members.iter().map(|member| member.0).collect(),
            keywords: keywords(&community.keywords),
            why: Some(Why {
                cohesion: why.cohesion(),
                n_inside: why.n_inside,
                n_outside: why.n_outside,
                relations: why.relations.iter().take(MAX_REASONS).map(name).collect(),
                words: &why.words,
                facts: why.facts.iter().map(|fact| fact.index()).collect(),
            }),
        })
    }
}
