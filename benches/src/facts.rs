//! A knowledge with as many triples as wanted, shaped like an encyclopaedia, and questions about it.
//!
//! What is drawn, seeded: one document for ten triples, about an entity of its own; half of the tails are entities that
//! other documents are about, more often the earlier ones (weight 1/rank), half are named once or a few times; twenty
//! relations; 60 filler words a document from a vocabulary of 20,000 with weights 1/rank. So, as on `musique100` with
//! recorded facts, an entity stands in few triples, a few entities in very many, and common words in most passages.

use anyhow::Result;
use banyan_engine::embed::{LexicalEmbedder, StaticEmbedder, Vectors, WordPiece};
use banyan_engine::{
    Community, Contribution, Document, EntityClaim, EntityId, Keyword, Knowledge, KnowledgeTree, Mention, Origin,
    Resolution, Schema, Settings, Span, TripleClaim, document, name,
};
use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use std::fmt::Write;
use std::ops::ControlFlow;

/// Triples that one document states.
pub const TRIPLES_PER_DOCUMENT: usize = 10;
/// Columns of the passages' vectors, as of all-MiniLM-L6-v2.
pub const DIMENSION: usize = 384;
/// Members of a community.
const COMMUNITY: usize = 40;
const FILLERS: usize = 60;
const VOCABULARY: usize = 20_000;
/// Relations with the words that state them.
const RELATIONS: [(&str, &str); 20] = [
    ("born_in", "was born in"),
    ("built_by", "was built by"),
    ("capital_of", "is the capital of"),
    ("directed_by", "was directed by"),
    ("educated_at", "studied at"),
    ("employed_by", "worked for"),
    ("founded_by", "was founded by"),
    ("located_in", "lies in"),
    ("married_to", "married"),
    ("member_of", "joined"),
    ("named_after", "was named after"),
    ("owned_by", "belongs to"),
    ("parent_of", "is a parent of"),
    ("part_of", "is part of"),
    ("performed_by", "was sung by"),
    ("produced_by", "was produced by"),
    ("published_by", "was published by"),
    ("succeeded_by", "was followed by"),
    ("used_by", "serves"),
    ("written_by", "was written by"),
];

/// Token vectors whose pieces spell the generated names, two letters each. Their direction is noise; their cost is real.
///
/// # Errors
/// Never for these pieces; the error keeps callers honest.
pub fn tokens() -> Result<StaticEmbedder> {
    let mut pieces: Vec<Box<str>> = vec!["[UNK]".into()];
    for first in 'a'..='z' {
        for second in 'a'..='z' {
            pieces.push(format!("{first}{second}").into());
            pieces.push(format!("##{first}{second}").into());
        }
    }
    let tokenizer = WordPiece::from_pieces(pieces)?;
    Ok(StaticEmbedder::distil(&LexicalEmbedder, &tokenizer, &mut |_, _| {
        ControlFlow::Continue(())
    })?)
}

/// A knowledge and questions of one and of two hops about it, with vectors of noise.
pub struct Facts {
    /// Everything a store would hold.
    pub knowledge: Knowledge,
    /// Questions with their vectors, unit length.
    pub questions: Vec<(String, Vec<f32>)>,
}

/// Draws `n_triples` triples and `n_questions` questions. Cost O(n log n).
///
/// # Errors
/// Never for the schema that is written here; the error keeps callers honest.
pub fn generate(n_triples: usize, n_questions: usize, seed: u64) -> Result<Facts> {
    let mut draw = Draw(Xoshiro256Plus::seed_from_u64(seed));
    let n_documents = n_triples.div_ceil(TRIPLES_PER_DOCUMENT).max(2);
    let subjects: Vec<String> = (0..n_documents).map(spelled).collect();
    let schema = schema()?;
    let mut written: Vec<(Document, Contribution)> = Vec::with_capacity(n_documents);
    let mut questions = Vec::with_capacity(n_questions);
    let stride = (n_documents / n_questions.max(1)).max(1);
    for subject in 0..n_documents {
        let (document, contribution, facts) = draw.document(&schema, &subjects, subject, n_triples);
        if subject % stride == 0 && questions.len() < n_questions {
            let text = draw.question(&subjects[subject], &facts);
            questions.push((text, draw.unit()));
        }
        written.push((document, contribution));
    }
    written.sort_by(|a, b| (&a.0.title, a.0.id).cmp(&(&b.0.title, b.0.id)));
    let (mut documents, contributions): (Vec<_>, Vec<_>) = written.into_iter().unzip();
    document::canonicalise(&mut documents);
    let mut knowledge = Knowledge::assemble(
        Settings::default(),
        schema,
        documents,
        contributions,
        Resolution::default(),
    );
    knowledge.tree = tree(&knowledge)?;
    let mut vectors = Vectors::with_capacity(DIMENSION, knowledge.chunks.len());
    for _ in 0..knowledge.chunks.len() {
        vectors.push(&draw.unit())?;
    }
    knowledge.chunk_vectors = vectors;
    Ok(Facts { knowledge, questions })
}

fn schema() -> Result<Schema> {
    let relations: Vec<serde_json::Value> = RELATIONS
        .iter()
        .map(|(name, phrase)| serde_json::json!({"name": name, "description": phrase, "aliases": [phrase]}))
        .collect();
    let file = serde_json::json!({"name": "bench", "version": 1, "entity_types": [], "relations": relations, "attributes": []});
    Ok(Schema::from_json(&file.to_string())?)
}

/// Consecutive entities, forty a community, the first two of them pivotal.
fn tree(knowledge: &Knowledge) -> Result<KnowledgeTree> {
    let n = knowledge.graph.entities().len();
    let ids: Vec<EntityId> = (0..n).map(EntityId::at).collect();
    let communities = ids.chunks(COMMUNITY).map(|members| Community {
        name: knowledge.graph.entity(members[0]).name.clone(),
        description: String::new(),
        members: members.to_vec(),
        keywords: members
            .iter()
            .take(2)
            .map(|entity| Keyword {
                entity: *entity,
                score: 1.0,
            })
            .collect(),
    });
    Ok(KnowledgeTree::new(communities.collect(), n)?)
}

/// A name of two capitalised words that no other number has.
fn spelled(number: usize) -> String {
    let mut first = syllables(number / 400);
    let second = syllables(number % 400 + 1_000);
    first.push(' ');
    first.push_str(&second);
    first
}

/// A capitalised word for a number, different for different ones.
fn syllables(mut number: usize) -> String {
    const HEADS: [&str; 20] = [
        "Ba", "Ce", "Di", "Fo", "Gu", "Ha", "Je", "Ki", "Lo", "Mu", "Na", "Pe", "Ri", "So", "Tu", "Va", "We", "Xi",
        "Yo", "Zu",
    ];
    let mut word = String::new();
    loop {
        let head = HEADS[number % HEADS.len()];
        word.push_str(head);
        number /= HEADS.len();
        if number == 0 {
            break;
        }
    }
    let rest = word.get(1..).unwrap_or_default().to_lowercase();
    format!("{}{rest}nd", &word[..1])
}

/// The drawn facts of one document: relation and tail.
type Stated = Vec<(usize, String)>;

struct Draw(Xoshiro256Plus);

impl Draw {
    fn document(
        &mut self,
        schema: &Schema,
        subjects: &[String],
        subject: usize,
        n_triples: usize,
    ) -> (Document, Contribution, Stated) {
        let title = &subjects[subject];
        let mut text = String::new();
        let mut facts: Vec<(usize, String, Span, Span)> = Vec::new();
        let left = n_triples
            .saturating_sub(subject * TRIPLES_PER_DOCUMENT)
            .min(TRIPLES_PER_DOCUMENT);
        for _ in 0..left {
            let relation = self.below(RELATIONS.len());
            let tail = if self.below(2) == 0 {
                subjects[self.ranked(subjects.len())].clone()
            } else {
                spelled(subjects.len() + self.below(n_triples / 4 + 1))
            };
            let start = text.len();
            let _ = write!(text, "{title} {} {tail}", RELATIONS[relation].1);
            let clause = Span::new(start, text.len());
            let mention = Span::new(text.len() - tail.len(), text.len());
            for _ in 0..FILLERS / TRIPLES_PER_DOCUMENT {
                let _ = write!(text, " {}", syllables(self.ranked(VOCABULARY)).to_lowercase());
            }
            text.push_str(". ");
            facts.push((relation, tail, clause, mention));
        }
        let origin = Origin {
            file: "generated.jsonl".to_owned(),
            record: Some(subject.to_string()),
            line: None,
        };
        let document = Document::new(title, &text, origin);
        let contribution = contribution(schema, &document, &facts);
        let stated = facts.into_iter().map(|(relation, tail, ..)| (relation, tail)).collect();
        (document, contribution, stated)
    }

    /// A question of one hop or, from its other end, of two.
    fn question(&mut self, subject: &str, facts: &Stated) -> String {
        let Some((relation, tail)) = facts.get(self.below(facts.len().max(1))) else {
            return format!("What is known of {subject}?");
        };
        let further = RELATIONS[self.below(RELATIONS.len())].1;
        if self.below(2) == 0 {
            format!("Who or what {} what {subject} {}?", further, RELATIONS[*relation].1)
        } else {
            format!(
                "Which place {} {tail}, and where is what {}?",
                RELATIONS[*relation].1, further
            )
        }
    }

    /// A unit vector of noise.
    fn unit(&mut self) -> Vec<f32> {
        let mut row: Vec<f32> = (0..DIMENSION).map(|_| self.share() - 0.5).collect();
        banyan_engine::embed::normalize(&mut row);
        row
    }

    fn share(&mut self) -> f32 {
        // 24 bits fill the mantissa.
        (self.0.next_u64() >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.next_u64() >> 16).unwrap_or(0) % n
    }

    /// A position below `n` with weight about 1/rank.
    fn ranked(&mut self, n: usize) -> usize {
        let exponent = f64::from(self.share());
        let rank = (n as f64).powf(exponent);
        // Between 1 and n, so it fits.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 <= rank <= n")]
        let rank = rank as usize;
        rank.clamp(1, n) - 1
    }
}

fn contribution(schema: &Schema, document: &Document, facts: &[(usize, String, Span, Span)]) -> Contribution {
    let own = name::key(&document.title);
    let claim = |name: &str, span: Span, is_subject| EntityClaim {
        entity: name::key(name),
        name: name.to_owned(),
        entity_type: None,
        span,
        is_subject,
    };
    let mut contribution = Contribution::new(document.id);
    contribution.chunks.push((Span::new(0, document.text.len()), 128));
    contribution
        .entities
        .push(claim(&document.title, Span::new(0, 0), true));
    contribution.mentions.push(Mention {
        span: Span::new(0, 0),
        entity: own.clone(),
        certainty: 100,
    });
    for (relation, tail, clause, mention) in facts {
        contribution.entities.push(claim(tail, *mention, false));
        contribution.mentions.push(Mention {
            span: *mention,
            entity: name::key(tail),
            certainty: 100,
        });
        let Some(id) = schema.relation_id(RELATIONS[*relation].0) else {
            continue;
        };
        contribution.triples.push(TripleClaim {
            head: own.clone(),
            relation: id,
            tail: name::key(tail),
            phrase: RELATIONS[*relation].1.to_owned(),
            span: *clause,
        });
    }
    contribution.normalised()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_the_same_seed_gives_the_same_knowledge() {
        let names: std::collections::BTreeSet<String> = (0..5_000).map(spelled).collect();
        assert_eq!(names.len(), 5_000);
        let facts = |seed| generate(200, 5, seed).unwrap();
        assert_eq!(facts(1).knowledge.to_string(), facts(1).knowledge.to_string());
        assert_ne!(facts(1).questions, facts(2).questions);
        let n = facts(1).knowledge.graph.triples().len();
        assert!(n > 190, "{n} triples of 200");
    }
}
