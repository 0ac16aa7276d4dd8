//! Documents chosen by SQL, and retrieval over them.

use super::super::Asking;
use super::super::records::Records;
use super::super::tabled::Tabled;
use super::{Outcome, RecordsWork, Session, Work};
use anyhow::Result;
use banyan_engine::{ChunkId, DocumentId, Index, Knowledge};
use banyan_retrieve::aggregate::ViewAnswer;
use banyan_retrieve::route::path::Path;
use banyan_retrieve::{Evidence, Passage, Question};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Serialize)]
pub(super) struct Hybrid {
    documents: Vec<String>,
    n_all: usize,
    /// Words that no column says.
    not_covered: Vec<String>,
}

impl Session<'_> {
    pub(super) fn hybrid(
        &self,
        question: &Question,
        records: &Records<'_>,
        chosen: &[usize],
        answer: ViewAnswer,
    ) -> Result<Outcome> {
        let table = records.table(&answer);
        let ids: BTreeSet<DocumentId> = chosen.iter().map(|at| table.records[*at].document).collect();
        let part = self.knowledge().clone().within(&ids);
        let index = Index::new(&part);
        let searcher = self.opened.embedding.searcher((part, index));
        let asking = Asking {
            searcher: &searcher,
            config: self.asking.config.clone(),
            ..self.asking
        };
        let mut reply = asking.ask(question, &mut |_| {})?;
        reply.evidence = of_whole(&reply.evidence, self.knowledge(), &ids);
        let titles = chosen.iter().map(|at| table.records[*at].title.clone());
        let work = RecordsWork {
            hybrid: Some(Hybrid {
                documents: titles.collect(),
                n_all: table.records.len(),
                not_covered: answer.refusal.map_or_else(Vec::new, |refusal| refusal.words),
            }),
            tabled: Tabled::new(&answer.asked, table),
        };
        Ok(Outcome::answered(reply, Some(Work::Records(work))))
    }
}

/// The passages of evidence over a part, as those of the whole: the part has the chunks of its documents in their order.
/// Entities, facts and communities are left out, and paths that lead through them: they are others in the whole.
fn of_whole(part: &Evidence, whole: &Knowledge, documents: &BTreeSet<DocumentId>) -> Evidence {
    let chunks = (0..).map(ChunkId).zip(whole.chunks.all());
    let kept = chunks.filter(|(_, chunk)| documents.contains(&whole.document(chunk.document).id));
    let kept: Vec<ChunkId> = kept.map(|(id, _)| id).collect();
    let of = |id: ChunkId| kept.get(id.index()).copied();
    let passages = part.passages.iter().filter_map(|passage| {
        Some(Passage {
            chunk: of(passage.chunk)?,
            path: None::<Path>,
            ..passage.clone()
        })
    });
    Evidence {
        passages: passages.collect(),
        n_cut: part.n_cut,
        first_cut: part.first_cut.and_then(|(id, score)| Some((of(id)?, score))),
        ..Evidence::default()
    }
}
