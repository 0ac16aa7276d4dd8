//! Triples from the words between names (Eq. 2, Youtu-GraphRAG), bounded by the schema.

use crate::clause::{Clause, is_list_joint, is_negated};
use crate::phrase::Phrases;
use crate::types::Types;
use banyan_engine::schema::RELATED_TO;
use banyan_engine::{RelationId, Schema, Span, TripleClaim};

/// What "Tidd, Wrenna" says of two places.
const LOCATED: [&str; 2] = ["located", "in"];
/// Longest connection of two names that is kept as an unnamed relation, in words. Arbitrary.
const MAX_UNNAMED_WORDS: usize = 6;

/// The triples that one sentence states. Cost O(words · names).
///
/// For each name the words before it are searched for a phrase of the schema that ends there; its head is the name right
/// before the phrase, or the sentence's subject when other words stand between. Items of a list share the first item's
/// relation. Negated statements are passed over. A place after a comma is where the place before it lies, except in lists.
/// Names joined by a few words that no phrase covers are `related_to`.
pub(crate) fn triples(clause: &Clause, schema: &Schema, phrases: &Phrases, types: &Types) -> Vec<TripleClaim> {
    let reader = Reader {
        clause,
        schema,
        phrases,
        types,
    };
    let mut claims: Vec<TripleClaim> = Vec::new();
    let mut listed: Option<TripleClaim> = None;
    for position in 0..clause.named.len() {
        let found = reader.claim(position, listed.as_ref());
        listed.clone_from(&found);
        claims.extend(found);
    }
    claims.retain(|claim| claim.head != claim.tail);
    claims
}

struct Reader<'a> {
    clause: &'a Clause<'a>,
    schema: &'a Schema,
    phrases: &'a Phrases,
    types: &'a Types,
}

impl Reader<'_> {
    fn claim(&self, position: usize, listed: Option<&TripleClaim>) -> Option<TripleClaim> {
        let named = &self.clause.named[position];
        let before = position.checked_sub(1).map(|before| &self.clause.named[before]);
        let start = before.map_or(self.clause.span.start, |before| before.span.end);
        let words = self.clause.between(start, named.span.start);
        if let Some(found) = before
            .filter(|_| words.is_empty())
            .and_then(|before| self.located(&before.entity, position))
        {
            return Some(found);
        }
        if let (Some(first), true) = (listed, is_list_joint(words)) {
            let is_list = self.clause.gap(start, named.span.start).contains(',') || !words.is_empty();
            let fits = self
                .types
                .fit(self.schema, &first.head, first.relation, &named.entity)
                .is_some();
            return (is_list && fits).then(|| self.statement(&first.head, first.relation, position, &first.phrase));
        }
        if is_negated(words) {
            return None;
        }
        let heads = self.heads(before.map(|before| before.entity.as_str()), words);
        match self.phrases.relation_before(words) {
            Some(found) => {
                let phrase = words[found.first..found.end].join(" ");
                let (_, head, relation) = self.best(&found.ids, &heads, &named.entity)?;
                Some(self.statement(head, relation, position, &phrase))
            }
            None => self.unnamed(before.map(|before| before.entity.as_str()), words, position),
        }
    }

    /// "Tidd, Wrenna": the place before a comma lies in the place after it, if no list goes on behind.
    fn located(&self, inner: &str, position: usize) -> Option<TripleClaim> {
        let outer = &self.clause.named[position].entity;
        let gap = |at: usize| {
            let (before, after) = (&self.clause.named[at - 1], self.clause.named.get(at)?);
            Some(self.clause.gap(before.span.end, after.span.start).trim())
        };
        let chained = (position + 1..self.clause.named.len())
            .take_while(|at| gap(*at) == Some(","))
            .count();
        let is_list = gap(position + 1 + chained).is_some_and(|gap| gap.ends_with("and") || gap.ends_with("or"));
        let place = self.schema.type_id("place").or_else(|| self.phrases.type_of("place"));
        let are_places = place.is_some() && self.types.likely(inner) == place && self.types.likely(outer) == place;
        if gap(position) != Some(",") || is_list || !are_places {
            return None;
        }
        let found = self.phrases.relation_before(&LOCATED.map(str::to_owned))?;
        let (_, head, relation) = self.best(&found.ids, &[inner], outer)?;
        Some(self.statement(head, relation, position, &LOCATED.join(" ")))
    }

    /// Possible heads, likelier first: the name right before where the phrase continues it, else the sentence's subject.
    fn heads<'b>(&'b self, before: Option<&'b str>, words: &[String]) -> Vec<&'b str> {
        let continues = |word: &String| !matches!(word.as_str(), "and" | "but" | "he" | "she" | "it" | "they" | "then");
        let subject = self.clause.subject.as_str();
        match before {
            Some(before) if words.first().is_some_and(continues) => vec![before, subject],
            Some(before) => vec![subject, before],
            None => vec![subject],
        }
    }

    /// The relation and head that the types support best; earlier candidates win ties.
    fn best<'b>(&self, relations: &[RelationId], heads: &[&'b str], tail: &str) -> Option<(u8, &'b str, RelationId)> {
        let mut best: Option<(u8, &str, RelationId)> = None;
        for head in heads.iter().filter(|head| !head.is_empty() && **head != tail) {
            for relation in relations {
                let Some(fit) = self.types.fit(self.schema, head, *relation, tail) else {
                    continue;
                };
                if best.is_none_or(|(top, ..)| fit > top) {
                    best = Some((fit, head, *relation));
                }
            }
        }
        best
    }

    fn unnamed(&self, before: Option<&str>, words: &[String], position: usize) -> Option<TripleClaim> {
        let relation = self.schema.relation_id(RELATED_TO)?;
        let says_something = words.iter().any(|word| !banyan_engine::index::term::is_stop_word(word));
        let short = (1..=MAX_UNNAMED_WORDS).contains(&words.len());
        let tail = &self.clause.named[position].entity;
        let head = before.filter(|head| says_something && short && *head != tail)?;
        Some(self.statement(head, relation, position, &words.join(" ")))
    }

    fn statement(&self, head: &str, relation: RelationId, position: usize, phrase: &str) -> TripleClaim {
        let named = &self.clause.named[position];
        let head_span = self.clause.named[..position]
            .iter()
            .rev()
            .find(|other| other.entity == head);
        TripleClaim {
            head: head.to_owned(),
            relation,
            tail: named.entity.clone(),
            phrase: phrase.to_owned(),
            span: Span {
                start: head_span.map_or(self.clause.span.start, |head| head.span.start),
                end: named.span.end,
            },
        }
    }
}
