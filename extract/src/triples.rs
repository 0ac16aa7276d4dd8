//! Triples from the words between names (Eq. 2, Youtu-GraphRAG), bounded by the schema.

use crate::clause::{COMMAS, Clause, is_list_joint, is_negated};
use crate::context::Facts;
use crate::grammar::Pos;
use crate::han;
use crate::phrase::{Phrases, spoken};
use crate::types::Types;
use crate::word::Word;
use banyan_engine::fact::EntityKey;
use banyan_engine::index::term;
use banyan_engine::{LooseClaim, RelationId, Schema, Span, TripleClaim};
use std::sync::Arc;

/// What "东岭省云川市" says of two places.
const LOCATED: [&str; 2] = ["located", "in"];
/// Longest connection of two names that is kept as an unnamed relation, in words. Arbitrary.
const MAX_UNNAMED_WORDS: usize = 6;

/// The triples that one sentence states. Cost O(words · names).
///
/// For each name the words before it are searched for a phrase of the schema that ends there; its head is the name right
/// before the phrase, or the sentence's subject when other words stand between. Items of a list share the first item's
/// relation. Negated statements are passed over. Names joined by a few words that no phrase covers are joined loosely.
pub(crate) fn triples(clause: &Clause, schema: &Schema, phrases: &Phrases, types: &Types, facts: &mut Facts) {
    let reader = Reader {
        clause,
        schema,
        phrases,
        types,
    };
    let mut claims: Vec<TripleClaim> = Vec::new();
    let mut listed: Option<TripleClaim> = None;
    for position in 0..clause.named.len() {
        if let Some((within, inner)) = listed.as_ref().and_then(|listed| reader.within(listed, position)) {
            claims.extend([within, inner.clone()]);
            listed = Some(inner);
            continue;
        }
        let found = reader.claim(position, listed.as_ref());
        if found.is_none() {
            facts.loose.extend(reader.unnamed(position));
        }
        listed.clone_from(&found);
        claims.extend(found);
    }
    claims.retain(|claim| claim.head != claim.tail);
    facts.triples.append(&mut claims);
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
        if let Some(found) = before.filter(|_| words.is_empty()).and_then(|_| self.nested(position)) {
            return Some(found);
        }
        if let (Some(first), true) = (listed, self.joins(words)) {
            let gap = self.clause.gap(start, named.span.start);
            let is_list = gap.contains(COMMAS) || gap == "》《" || !words.is_empty();
            let fits = self
                .types
                .fit(self.schema, &first.head, first.relation, &named.entity)
                .is_some();
            return (is_list && fits).then(|| self.statement(&first.head, first.relation, position, &first.phrase));
        }
        if is_negated(words) {
            return None;
        }
        let reversed = || self.reversed(position, words);
        if let Some(found) = self.around(position, words).or_else(reversed) {
            return Some(found);
        }
        let heads = self.heads(position, words);
        match self.phrases.relation_before(words) {
            Some(found) => {
                let phrase = spoken(&words[found.first..found.end]);
                let (_, head, relation) = self.best(&found.ids, &heads, &named.entity)?;
                Some(self.statement(head, relation, position, &phrase))
            }
            None => None,
        }
    }

    /// "东岭省云川市": of two Chinese places without a gap the second lies in the first.
    fn nested(&self, position: usize) -> Option<TripleClaim> {
        let (outer, inner) = (&self.clause.named[position - 1], &self.clause.named[position]);
        let is_adjacent = outer.span.end == inner.span.start && han::begins(inner.span.of(self.clause.text));
        if !is_adjacent || !self.are_places(&inner.entity, &outer.entity) {
            return None;
        }
        let found = self.phrases.relation_before(&LOCATED.map(str::to_owned))?;
        let (_, _, relation) = self.best(&found.ids, &[&inner.entity], &outer.entity)?;
        let claim = self.statement(&outer.entity, relation, position, "");
        Some(TripleClaim {
            head: inner.entity.clone(),
            tail: outer.entity.clone(),
            ..claim
        })
    }

    /// A place that lies in the place of the statement before it: that, and the same statement of the inner place.
    fn within(&self, before: &TripleClaim, position: usize) -> Option<(TripleClaim, TripleClaim)> {
        let nested = position.checked_sub(1).and_then(|_| self.nested(position))?;
        let inner = TripleClaim {
            tail: nested.head.clone(),
            span: before.span.to(nested.span),
            ..before.clone()
        };
        let fits = self
            .types
            .fit(self.schema, &inner.head, inner.relation, &inner.tail)
            .is_some();
        (before.tail == nested.tail && fits).then_some((nested, inner))
    }

    fn are_places(&self, one: &str, other: &str) -> bool {
        let place = self.schema.type_id("place").or_else(|| self.phrases.type_of("place"));
        place.is_some() && self.types.likely(one) == place && self.types.likely(other) == place
    }

    /// Whether words only join two items of a list; in Chinese a common noun may stand before the item ("和诗集《渡口》").
    fn joins(&self, words: &[String]) -> bool {
        let is_noun = |word: &String| han::begins(word) && self.phrases.type_of(word).is_some();
        match words {
            [joint, noun] => is_list_joint(words) || (is_list_joint(std::slice::from_ref(joint)) && is_noun(noun)),
            _ => is_list_joint(words),
        }
    }

    /// What a phrase around the name states of what stands before it ("由*周敏*创办").
    fn around(&self, position: usize, words: &[String]) -> Option<TripleClaim> {
        let (offset, following) = self.following(position);
        let found = self.phrases.relation_around(words, following)?;
        let heads = self.heads(position, words);
        let (_, head, relation) = self.best(&found.ids, &heads, &self.clause.named[position].entity)?;
        let mut claim = self.statement(head, relation, position, &found.phrase);
        claim.span.end = self.clause.words[offset + found.n_after - 1].span.end;
        Some(claim)
    }

    /// What a phrase between two names states of the second one ("东岭省的省会是*云川市*").
    fn reversed(&self, position: usize, words: &[String]) -> Option<TripleClaim> {
        let (relations, tail) = self.possessed(position, words)?;
        let (_, head, relation) = self.best(relations, &[&self.clause.named[position].entity], tail)?;
        let claim = self.statement(tail, relation, position, &spoken(words));
        Some(TripleClaim {
            head: Arc::clone(head),
            tail: Arc::clone(tail),
            ..claim
        })
    }

    /// What such a phrase may state, with the tail: the name before it, or the subject after a comma ("…，首府是云口").
    fn possessed(&self, position: usize, words: &[String]) -> Option<(&[RelationId], &EntityKey)> {
        if let Some(relations) = self.phrases.relation_reversed(words) {
            return Some((relations, &self.clause.named[position.checked_sub(1)?].entity));
        }
        let named = &self.clause.named[position];
        let (_, aside) = self
            .clause
            .gap(self.clause.span.start, named.span.start)
            .rsplit_once('，')?;
        let start = named.span.start as usize - aside.len();
        let mut phrase = self.clause.between(Span::new(0, start).end, named.span.start).to_vec();
        phrase.insert(0, "的".to_owned());
        Some((self.phrases.relation_reversed(&phrase)?, &self.clause.subject))
    }

    /// The words that follow a name, or the list that it begins, up to the next name or mark, and how many words of the
    /// sentence stand before them.
    fn following(&self, position: usize) -> (usize, &[String]) {
        let named = &self.clause.named;
        let joins = |at: &usize| self.joins(self.clause.between(named[at - 1].span.end, named[*at].span.start));
        let last = position + (position + 1..named.len()).take_while(joins).count();
        let start = named[last].span.end;
        let end = named.get(last + 1).map_or(self.clause.span.end, |next| next.span.start);
        let gap = self.clause.gap(start, end).trim_start_matches(['》', '」', '”', '"']);
        let mark = gap.find(|ch: char| ch.is_ascii_punctuation() || "，。；：、（".contains(ch));
        let shift = self.clause.gap(start, end).len() - gap.len();
        let end = Span::new(0, start as usize + shift + mark.unwrap_or(gap.len())).end;
        let offset = self.clause.words.partition_point(|word| word.span.start < start);
        (offset, self.clause.between(start, end))
    }

    /// Possible heads, likelier first: the name right before where the phrase continues it, else the sentence's subject.
    fn heads<'b>(&'b self, position: usize, words: &[String]) -> Vec<&'b EntityKey> {
        let continues = |word: &String| !matches!(word.as_str(), "and" | "but" | "he" | "she" | "it" | "they" | "then");
        let subject = &self.clause.subject;
        let Some(before) = position.checked_sub(1).map(|before| &self.clause.named[before]) else {
            return vec![subject];
        };
        let gap = self.clause.gap(before.span.end, self.clause.named[position].span.start);
        // A Chinese clause goes on about the subject; what a preposition stands before is none.
        let is_aside = gap.contains('，') || self.is_oblique(before.span);
        if words.first().is_some_and(continues) && !is_aside {
            vec![&before.entity, subject]
        } else {
            vec![subject, &before.entity]
        }
    }

    /// Whether a Chinese preposition stands right before a name.
    fn is_oblique(&self, name: Span) -> bool {
        let before = self.clause.gap(self.clause.span.start, name.start);
        before.ends_with(['在', '于', '从', '到', '向', '对'])
    }

    /// The relation and head that the types support best; earlier candidates win ties.
    fn best<'b>(
        &self,
        relations: &[RelationId],
        heads: &[&'b EntityKey],
        tail: &str,
    ) -> Option<(u8, &'b EntityKey, RelationId)> {
        let mut best: Option<(u8, &EntityKey, RelationId)> = None;
        for head in heads.iter().filter(|head| !head.is_empty() && &****head != tail) {
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

    /// The words between a name and the one before it, where they say something.
    fn unnamed(&self, position: usize) -> Option<LooseClaim> {
        let named = &self.clause.named;
        let (before, tail) = (&named[position.checked_sub(1)?], &named[position]);
        let words = self.clause.between(before.span.end, tail.span.start);
        let mut lone = self.clause.words.iter().zip(&self.clause.lower);
        let is_between = |word: &Word| before.span.end <= word.span.start && word.span.end <= tail.span.start;
        let says_something =
            lone.any(|(word, lower)| is_between(word) && !term::is_stop_word(lower) && word.pos != Pos::Function);
        let short = (1..=MAX_UNNAMED_WORDS).contains(&words.len());
        let is_told = says_something && short && before.entity != tail.entity && !is_negated(words);
        is_told.then(|| LooseClaim {
            head: before.entity.clone(),
            tail: tail.entity.clone(),
            phrase: spoken(words),
            span: before.span.to(tail.span),
        })
    }

    fn statement(&self, head: &EntityKey, relation: RelationId, position: usize, phrase: &str) -> TripleClaim {
        let named = &self.clause.named[position];
        let before = self.clause.named[..position].iter();
        let told = before.rev().find(|other| other.entity == *head);
        TripleClaim {
            head: Arc::clone(head),
            relation,
            tail: named.entity.clone(),
            phrase: phrase.to_owned(),
            span: told.map_or(self.clause.span, |told| told.span).to(named.span),
        }
    }
}
