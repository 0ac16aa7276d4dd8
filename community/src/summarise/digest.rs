//! What is known of a community or branch, short enough to be read.

use crate::reasons::reasons;
use banyan_engine::document::one_line;
use banyan_engine::{Branch, CommunityId, KnowledgeGraph, KnowledgeTree, Schema};

/// Facts of a community. Arbitrary: enough to see what they have in common.
const MAX_FACTS: usize = 12;
/// Children of a branch. Arbitrary.
const MAX_CHILDREN: usize = 12;
/// Characters of a line; a name that is a whole sentence is cut. Arbitrary.
const MAX_LINE: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digest {
    /// The name that the program gave it.
    pub(super) name: String,
    /// The description that the program gave it.
    pub(super) description: String,
    /// Names of its pivotal entities, best first.
    pub(super) keywords: Vec<String>,
    /// Its strongest facts as `head | relation | tail`; of a branch what is below it as `name: summary`.
    pub(super) facts: Vec<String>,
}

impl Digest {
    /// The digest in lines: description, keywords, facts.
    pub(super) fn lines(&self) -> String {
        let head = [
            self.description.clone(),
            format!("central: {}", self.keywords.join("; ")),
        ];
        let lines = head.iter().chain(&self.facts);
        let short = lines.map(|line| line.chars().take(MAX_LINE).collect::<String>());
        let lines = short.map(|line| one_line(&line));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Digests of the communities at these places. Cost O(t log t).
pub(super) fn of_communities(
    schema: &Schema,
    graph: &KnowledgeGraph,
    tree: &KnowledgeTree,
    places: &[usize],
) -> Vec<Digest> {
    if places.is_empty() {
        return Vec::new();
    }
    let reasons = reasons(graph, tree, MAX_FACTS);
    let name = |id| graph.entity(id).name.clone();
    let digest = |place: &usize| {
        let community = tree.community(CommunityId::at(*place));
        let facts = reasons[*place].facts.iter().map(|id| {
            let fact = graph.triple(*id);
            let relation = schema.relation_name(fact.relation);
            format!("{} | {relation} | {}", name(fact.head), name(fact.tail))
        });
        Digest {
            name: community.name.clone(),
            description: community.description.clone(),
            keywords: community.keywords.iter().map(|word| name(word.entity)).collect(),
            facts: facts.collect(),
        }
    };
    places.iter().map(digest).collect()
}

/// Digests of the branches at these places over nodes with these names and summaries.
pub(super) fn of_branches(
    graph: &KnowledgeGraph,
    branches: &[Branch],
    below: &[(String, String)],
    places: &[usize],
) -> Vec<Digest> {
    let digest = |place: &usize| {
        let branch = &branches[*place];
        let keywords = branch.keywords.iter();
        let children = branch
            .children
            .iter()
            .take(MAX_CHILDREN)
            .map(|child| &below[child.index()]);
        Digest {
            name: branch.name.clone(),
            description: branch.description.clone(),
            keywords: keywords.map(|word| graph.entity(word.entity).name.clone()).collect(),
            facts: children.map(|(name, summary)| format!("{name}: {summary}")).collect(),
        }
    };
    places.iter().map(digest).collect()
}
