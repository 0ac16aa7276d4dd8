//! The golden dump: everything a store knows, as text, in canonical order.
//!
//! Handles never appear in it, only names and content addresses, so that two stores that know the same print the same.

use super::{Knowledge, Settings};
use crate::graph::Source;
use crate::id::EntityId;
use crate::resolution::Evidence;
use crate::tree::{Community, Level};
use std::fmt::{self, Display, Formatter};

impl Display for Knowledge {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        self.documents_section(f)?;
        self.entities_section(f)?;
        self.resolution_section(f)?;
        self.associations_section(f)?;
        self.tree_section(f)?;
        self.branches_section(f)?;
        self.apart_section(f)
    }
}

/// How many of each there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents.
    pub documents: usize,
    /// Chunks.
    pub chunks: usize,
    /// Entities.
    pub entities: usize,
    /// Triples.
    pub triples: usize,
    /// Attributes.
    pub attributes: usize,
    /// Associations.
    pub associations: usize,
    /// Communities.
    pub communities: usize,
}

impl Knowledge {
    /// How many of each are there. Cost O(1); O(size) where something was removed.
    pub fn counts(&self) -> Counts {
        let (graph, tree) = (&self.graph, &self.tree);
        let all = Counts {
            documents: self.n_documents(),
            chunks: self.chunks.len(),
            entities: graph.n_entities(),
            triples: graph.n_triples(),
            attributes: graph.n_attributes(),
            associations: graph.n_associations(),
            communities: tree.n_communities(),
        };
        if self.gone.is_empty() {
            return all;
        }
        Counts {
            chunks: self
                .chunks
                .all()
                .iter()
                .filter(|one| !self.is_gone(one.document))
                .count(),
            entities: graph.entities().iter().filter(|one| !one.is_gone()).count(),
            triples: graph.triples().iter().filter(|one| !one.is_gone()).count(),
            attributes: graph.attributes().iter().filter(|one| !one.is_gone()).count(),
            associations: graph.associations().iter().filter(|one| !one.is_gone()).count(),
            communities: tree.communities().iter().filter(|one| !one.is_gone()).count(),
            ..all
        }
    }

    fn heading(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (Self { settings, schema, .. }, counts) = (self, self.counts());
        writeln!(
            f,
            "banyan dump 3\nschema {} version {} extractor {} parser {} embedder {} max_chunk_tokens {} seed {}",
            schema.name(),
            schema.version(),
            settings.extractor,
            settings.parser,
            settings.embedder,
            settings.max_chunk_tokens,
            settings.seed
        )?;
        if settings.summariser != Settings::default().summariser {
            writeln!(f, "summariser {}", settings.summariser)?;
        }
        writeln!(
            f,
            "documents {} chunks {} entities {} triples {} attributes {} associations {} communities {} refused {}",
            counts.documents,
            counts.chunks,
            counts.entities,
            counts.triples,
            counts.attributes,
            counts.associations,
            counts.communities,
            self.n_refused()
        )?;
        let mut sum = crc32fast::Hasher::new();
        for row in self.chunk_vectors.rows() {
            for x in row {
                sum.update(&x.to_le_bytes());
            }
        }
        writeln!(f, "vectors {} crc {:08x}", self.chunk_vectors.len(), sum.finalize())
    }

    fn documents_section(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n# documents")?;
        let documents = self.documents.all().iter().zip(self.contributions.all());
        for (document, contribution) in documents.filter(|(document, _)| !document.origins.is_empty()) {
            write!(f, "{} {:?}", document.id, document.title)?;
            for origin in &document.origins {
                write!(f, " {origin}")?;
            }
            for (span, n_tokens) in &contribution.chunks {
                write!(f, " [{}..{} {n_tokens}]", span.start, span.end)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn entities_section(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n# entities")?;
        for entity in self.graph.entities().iter().filter(|one| !one.is_gone()) {
            let kind = &self.schema.entity_type(entity.entity_type).name;
            write!(f, "{} {:?} {kind}", entity.key, entity.name)?;
            for alias in &entity.aliases {
                write!(f, " {alias:?}")?;
            }
            for index in &entity.subject_of {
                write!(f, " ={}", self.document(*index).id)?;
            }
            for (source, certainty) in &entity.mentions {
                write!(f, " {}~{certainty}", self.place(*source))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn resolution_section(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n# resolution")?;
        for merge in self.resolution.merges() {
            write!(f, "{} → {} {:.4}", merge.from, merge.into, merge.score)?;
            for evidence in &merge.evidence {
                write!(f, " {}", evidence.name())?;
                match evidence {
                    Evidence::Alias { document, span } => write!(f, " {document}:{}..{}", span.start, span.end)?,
                    Evidence::Embedding { cosine } => write!(f, " {cosine:.4}")?,
                    Evidence::Context { n_shared } => write!(f, " {n_shared}")?,
                    _ => {}
                }
            }
            writeln!(f)?;
        }
        self.resolution
            .decisions()
            .iter()
            .try_for_each(|decision| writeln!(f, "! {decision}"))
    }

    fn associations_section(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n# associations")?;
        for one in self.graph.associations().iter().filter(|one| !one.is_gone()) {
            let (a, b) = (self.name(one.a), self.name(one.b));
            let place = self.place(one.source);
            writeln!(f, "{a} ~ {b} {} {:.4} {:?} {place}", one.n, one.weight, one.phrases)?;
        }
        Ok(())
    }

    fn tree_section(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n# tree")?;
        if self.tree.n_refreshes() > 0 {
            writeln!(f, "refreshed {}", self.tree.n_refreshes())?;
        }
        self.tree
            .communities()
            .iter()
            .filter(|community| !community.is_gone())
            .try_for_each(|community| self.community(community, f))
    }

    fn branches_section(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut below: Vec<&str> = self.tree.communities().iter().map(|node| node.name.as_str()).collect();
        for (level, branches) in (Level::Communities as usize + 1..).zip(self.tree.branches()) {
            writeln!(f, "\n# level {level}")?;
            for branch in branches {
                writeln!(f, "{level} {:?} — {:?}", branch.name, branch.description)?;
                for keyword in &branch.keywords {
                    writeln!(f, "  3 {} {:.4}", self.name(keyword.entity), keyword.score)?;
                }
                for child in branch.children.iter().filter(|child| !below[child.index()].is_empty()) {
                    writeln!(f, "  {} {:?}", level - 1, below[child.index()])?;
                }
            }
            below = branches.iter().map(|node| node.name.as_str()).collect();
        }
        Ok(())
    }

    fn community(&self, community: &Community, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "4 {:?} — {:?}", community.name, community.description)?;
        for keyword in &community.keywords {
            writeln!(f, "  3 {} {:.4}", self.name(keyword.entity), keyword.score)?;
        }
        community.members.iter().try_for_each(|member| self.member(*member, f))
    }

    /// What was added since communities were found.
    fn apart_section(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let all = (0..self.graph.n_entities()).map(EntityId::at);
        let is_apart = |id: &EntityId| self.tree.community_of(*id).is_none() && !self.graph.entity(*id).is_gone();
        let mut apart = all.filter(is_apart).peekable();
        if self.n_recent > 0 && apart.peek().is_some() {
            writeln!(f, "\n# in no community yet")?;
        }
        apart
            .filter(|_| self.n_recent > 0)
            .try_for_each(|id| self.member(id, f))
    }

    fn member(&self, member: EntityId, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "  · {}", self.name(member))?;
        for id in self.graph.incident(member) {
            let triple = self.graph.triple(id);
            if triple.head == member {
                let relation = self.schema.relation_name(triple.relation);
                write!(f, "    2 {relation} {} {:?}", self.name(triple.tail), triple.phrases)?;
                self.places(&triple.sources, f)?;
            }
        }
        for attribute in self.graph.attributes_of(member) {
            let name = self.schema.attribute_name(attribute.attribute);
            write!(f, "    1 {name} = {:?}", attribute.value)?;
            self.places(&attribute.sources, f)?;
        }
        Ok(())
    }

    fn name(&self, id: EntityId) -> &str {
        &self.graph.entity(id).key
    }

    fn places(&self, sources: &[Source], f: &mut Formatter<'_>) -> fmt::Result {
        for source in sources {
            write!(f, " {}", self.place(*source))?;
        }
        writeln!(f)
    }

    fn place(&self, source: Source) -> String {
        let document = self.document(self.chunk(source.chunk).document);
        format!("{}:{}..{}", document.id, source.span.start, source.span.end)
    }
}
