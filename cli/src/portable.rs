//! A store as JSON lines: all of it that is not derived from the rest, for another machine, another version, or another
//! program. What is derived is derived anew when it is loaded, and comes to the same.

use crate::analysis::analyser_of;
use crate::change::rebuild;
use crate::config::writer;
use crate::environment::Environment;
use crate::progress::counted;
use crate::tree::grow;
use anyhow::{Context, Result, bail, ensure};
use banyan_community::Touched;
use banyan_engine::document::{Layout, canonicalise};
use banyan_engine::schema::Growth;
use banyan_engine::stated::Quarantine;
use banyan_engine::store;
use banyan_engine::tree::Branch;
use banyan_engine::{
    Community, CommunityId, Decision, Document, EntityId, Keyword, Knowledge, KnowledgeGraph, KnowledgeTree, Origin,
    Resolution, Schema, Settings, Span, StatedAt,
};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::path::Path;

/// Version of this form.
const VERSION: u32 = 1;

/// A line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// The first: which version of the form this is.
    Banyan(u32),
    Settings(Settings),
    Schema(Box<Schema>),
    Growth(Box<Growth>),
    Patterns(String),
    Decision(Decision),
    Document(Record),
    Quarantine(Quarantine),
    /// How often the communities were refreshed since they were found.
    Refreshes(u32),
    Community(Group),
    /// A level above the communities.
    Level(Vec<Group>),
    /// The last: how many lines stand before it.
    End(usize),
}

#[derive(Serialize, Deserialize)]
struct Record {
    title: String,
    text: String,
    layout: Layout,
    origins: Vec<Origin>,
    /// What was stated of it from outside, where somebody was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stated: Option<Vec<StatedAt>>,
}

/// A community or what stands above some, its entities by their keys.
#[derive(Serialize, Deserialize)]
struct Group {
    name: String,
    description: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    members: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    children: Vec<CommunityId>,
    keywords: Vec<(String, f32)>,
}

/// Writes a knowledge. Cost O(size).
///
/// # Errors
/// Those of `out`.
pub(crate) fn write(knowledge: &Knowledge, out: &mut impl Write) -> Result<()> {
    let mut n_lines = 0;
    let mut line = |line: Line| -> Result<()> {
        serde_json::to_writer(&mut *out, &line)?;
        n_lines += 1;
        Ok(out.write_all(b"\n")?)
    };
    line(Line::Banyan(VERSION))?;
    line(Line::Settings(knowledge.settings.clone()))?;
    line(Line::Schema(Box::new(knowledge.schema.clone())))?;
    line(Line::Growth(Box::new(knowledge.growth.clone())))?;
    if !knowledge.patterns.is_empty() {
        line(Line::Patterns(knowledge.patterns.clone()))?;
    }
    for decision in knowledge.resolution.decisions() {
        line(Line::Decision(decision.clone()))?;
    }
    for document in knowledge.documents_left() {
        line(Line::Document(Record {
            title: document.title.clone(),
            text: document.text.clone(),
            layout: document.layout.clone(),
            origins: document.origins.clone(),
            stated: knowledge.statements.get(&document.id).cloned(),
        }))?;
    }
    for stretch in &*knowledge.quarantine {
        line(Line::Quarantine(stretch.clone()))?;
    }
    let tree = &knowledge.tree;
    line(Line::Refreshes(tree.n_refreshes()))?;
    let key = |id: EntityId| knowledge.graph.entity(id).key.clone();
    let keys = |keywords: &[Keyword]| keywords.iter().map(|one| (key(one.entity), one.score)).collect();
    // Where something is gone, they are found anew.
    let is_whole = knowledge.gone.is_empty();
    for community in tree.communities().iter().filter(|_| is_whole) {
        line(Line::Community(Group {
            name: community.name.clone(),
            description: community.description.clone(),
            members: community.members.iter().map(|id| key(*id)).collect(),
            children: Vec::new(),
            keywords: keys(&community.keywords),
        }))?;
    }
    for level in tree.branches().iter().filter(|_| is_whole) {
        let groups = level.iter().map(|branch| Group {
            name: branch.name.clone(),
            description: branch.description.clone(),
            members: Vec::new(),
            children: branch.children.clone(),
            keywords: keys(&branch.keywords),
        });
        line(Line::Level(groups.collect()))?;
    }
    serde_json::to_writer(&mut *out, &Line::End(n_lines))?;
    Ok(out.write_all(b"\n")?)
}

/// Makes a store at `path`, where none may be, of what was written of another. `name` is what the lines are called.
pub(crate) fn load(path: &Path, name: &str, lines: impl BufRead, env: &Environment) -> Result<()> {
    let told = "nothing was loaded";
    let writer = writer(path, env)?;
    ensure!(
        store::check(path).is_err(),
        "{} holds a store already; name another directory; {told}",
        path.display()
    );
    let (known, tree) = read(name, lines).context(told)?;
    let n_documents = known.documents.len();
    let analyser = analyser_of(&known.settings.parser, known.documents.all(), env).context(told)?;
    let grown = |knowledge: &mut Knowledge, embedding: &_, timing: &mut _| {
        if let Some(tree) = tree.over(&knowledge.graph) {
            knowledge.tree = tree;
            return Ok(Touched::none(&knowledge.tree));
        }
        env.progress
            .remark("the entities are others than when this was written: communities are found anew");
        grow(knowledge, embedding, timing)
    };
    rebuild(path, &writer, known, &analyser, env, grown).context(told)?;
    env.progress
        .remark(&format!("{} loaded", counted(n_documents, "document")));
    Ok(())
}

/// The tree as it was written.
#[derive(Default)]
struct Written {
    communities: Vec<Group>,
    levels: Vec<Vec<Group>>,
    n_refreshes: u32,
}

fn read(name: &str, lines: impl BufRead) -> Result<(Knowledge, Written)> {
    let (mut known, mut tree) = (Knowledge::nothing(Schema::general()?), Written::default());
    let (mut documents, mut decisions, mut quarantine) = (Vec::new(), Vec::new(), Vec::new());
    let mut statements = std::collections::BTreeMap::new();
    let (mut is_begun, mut is_ended) = (false, false);
    for (number, line) in (1..).zip(lines.lines()) {
        let line = line.with_context(|| format!("{name}:{number}: cannot read"))?;
        let expected = "expected what `banyan dump --json` writes";
        let line = serde_json::from_str(&line).with_context(|| format!("{name}:{number}: {expected}"))?;
        match line {
            Line::Banyan(VERSION) => is_begun = true,
            Line::Banyan(version) => {
                bail!("{name}: version {version} of this form; this program reads {VERSION}: use a newer banyan")
            }
            _ if !is_begun => bail!("{name}:{number}: {expected}, which begins with its version"),
            Line::Settings(settings) => known.settings = settings,
            Line::Schema(schema) => known.schema = *schema,
            Line::Growth(growth) => known.growth = *growth,
            Line::Patterns(patterns) => known.patterns = patterns,
            Line::Decision(decision) => decisions.push(decision),
            Line::Document(text) => {
                let (document, stated) = text
                    .checked()
                    .with_context(|| format!("{name}:{number}: spans within the text expected, found others"))?;
                statements.extend(stated.map(|stated| (document.id, stated)));
                documents.push(document);
            }
            Line::Quarantine(stretch) => quarantine.push(stretch),
            Line::Refreshes(n) => tree.n_refreshes = n,
            Line::Community(group) => tree.communities.push(group),
            Line::Level(groups) => tree.levels.push(groups),
            Line::End(n) => is_ended = n + 1 == number,
        }
    }
    ensure!(!documents.is_empty(), "{name}: no documents");
    ensure!(
        is_ended,
        "{name}: its end is missing, or lines before it are: it was cut"
    );
    canonicalise(&mut documents);
    known.documents = documents.into();
    known.statements = statements.into();
    known.quarantine = quarantine.into();
    known.resolution = Resolution::new(Vec::new(), decisions)?.into();
    Ok((known, tree))
}

impl Record {
    /// The document and what was stated of it, where all that they point at is there.
    fn checked(self) -> Option<(Document, Option<Vec<StatedAt>>)> {
        let Layout {
            headings,
            blocks,
            code,
            places,
            pages,
        } = &self.layout;
        let marked = headings
            .iter()
            .map(|heading| heading.span)
            .chain(blocks.iter().copied());
        let stated = self.stated.iter().flatten().map(|at| at.span);
        let places = places.iter().map(|place| place.at);
        let points = places.chain(pages.iter().map(|page| page.at));
        let points = points.map(|at| Span { start: at, end: at });
        let mut spans = marked.chain(code.iter().copied()).chain(stated).chain(points);
        // A block at the end of a text may go on over the lines that were cut off there.
        let is_there = |span: Span| {
            let end = self.text.len().min(span.end as usize);
            self.text.get(span.start as usize..end).is_some()
        };
        if !spans.all(is_there) || self.origins.is_empty() {
            return None;
        }
        let mut document = Document::new(self.title, self.text, Origin::default());
        (document.layout, document.origins) = (self.layout, self.origins);
        Some((document, self.stated))
    }
}

impl Written {
    /// The tree over a graph; none where that has other entities.
    fn over(self, graph: &KnowledgeGraph) -> Option<KnowledgeTree> {
        let keywords = |keywords: Vec<(String, f32)>| -> Option<Vec<Keyword>> {
            let keyword = |(key, score): (String, f32)| graph.find(&key).map(|entity| Keyword { entity, score });
            keywords.into_iter().map(keyword).collect()
        };
        let community = |group: Group| {
            let members: Option<Vec<EntityId>> = group.members.iter().map(|key| graph.find(key)).collect();
            let mut members = members?;
            members.sort_unstable();
            Some(Community {
                name: group.name,
                description: group.description,
                members,
                keywords: keywords(group.keywords)?,
            })
        };
        let branch = |group: Group| {
            Some(Branch {
                name: group.name,
                description: group.description,
                children: group.children,
                keywords: keywords(group.keywords)?,
            })
        };
        let communities: Option<Vec<Community>> = self.communities.into_iter().map(community).collect();
        let levels = self.levels.into_iter();
        let branches: Option<Vec<Vec<Branch>>> = levels.map(|level| level.into_iter().map(branch).collect()).collect();
        let tree = KnowledgeTree::new(communities?, graph.n_entities()).ok()?;
        let tree = tree.with_branches(branches?).ok()?;
        Some(tree.refreshed(self.n_refreshes))
    }
}
