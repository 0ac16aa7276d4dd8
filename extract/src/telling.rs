//! What of a document may state something: its sentences, those whom they name, and those for whom their pronouns stand.

use crate::analysis::Analysis;
use crate::clause::within;
use crate::context::Context;
use crate::gazetteer;
use crate::grammar::{Dependency, Pos};
use crate::reading::Reading;
use crate::word::Word;
use banyan_engine::fact::EntityKey;
use banyan_engine::index::term;
use banyan_engine::{Mention, Span, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What of a document may state something.
pub(crate) struct Telling<'a> {
    pub(crate) reading: &'a Reading<'a>,
    pub(crate) context: &'a Context<'a>,
    /// In the order of the text.
    pub(crate) mentions: Vec<Mention>,
    /// What the document is about; empty where that is nothing.
    pub(crate) own: EntityKey,
    /// For whom each pronoun stands, by where it begins; without those of which that is unknown.
    antecedents: BTreeMap<u32, EntityKey>,
}

impl<'a> Telling<'a> {
    /// Cost O(length).
    pub(crate) fn new(reading: &'a Reading, context: &'a Context) -> Self {
        let mentions = reading.mentions.iter();
        let shared = shared_given_names(reading);
        let tells = |mention: &&Mention| {
            let Mention { entity, .. } = mention;
            !context.modifiers.contains(entity) && !shared.contains(&**entity)
        };
        let own = if reading.is_about_title {
            Arc::clone(&reading.own)
        } else {
            EntityKey::default()
        };
        let mut telling = Self {
            reading,
            context,
            mentions: mentions.filter(tells).cloned().collect(),
            own,
            antecedents: BTreeMap::new(),
        };
        telling.find_antecedents();
        telling
    }

    /// The sentences that state something.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = &'a (Span, Vec<Word>)> {
        let parsed = self.reading.parsed;
        parsed.sentences.iter().filter(|sentence| is_prose(parsed, sentence.0))
    }

    /// The mentions in a sentence.
    pub(crate) fn named(&self, sentence: Span) -> impl Iterator<Item = &Mention> {
        within(&self.mentions, sentence)
    }

    /// Whom or what a pronoun stands for, where that is known.
    pub(crate) fn antecedent(&self, pronoun: Word) -> Option<&EntityKey> {
        self.antecedents.get(&pronoun.span.start)
    }

    /// Whether a definite noun ("the film") may stand for what the document is about.
    pub(crate) fn is_own_noun(&self, words: &[Word], noun: usize) -> bool {
        let Context { types, phrases, .. } = self.context;
        let lower = |at: usize| words[at].of(self.reading.parsed.text()).to_lowercase();
        let is_article = |at: &usize| words[*at].head == noun && matches!(lower(*at).as_str(), "the" | "this");
        let own = types.likely(&self.own);
        !self.own.is_empty()
            && words[noun].pos == Pos::Noun
            && own.is_some()
            && phrases.type_of(&lower(noun)) == own
            && (0..noun).any(|at| is_article(&at))
    }
}

/// Given names with which two or more longer names of a document begin: by itself one may be anybody's. Cost O(mentions).
fn shared_given_names<'a>(reading: &'a Reading) -> BTreeSet<&'a str> {
    let text = reading.parsed.text();
    let mut longer: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut given: BTreeSet<&str> = BTreeSet::new();
    for Mention { entity, span, .. } in &reading.mentions {
        if let Some((first, _)) = entity.split_once(' ') {
            longer.entry(first).or_default().insert(entity);
        } else if gazetteer::is_given_name(span.of(text)) {
            given.insert(entity);
        }
    }
    given.retain(|name| longer.get(name).is_some_and(|names| names.len() > 1));
    given
}

/// Whom a pronoun may stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pronoun {
    He,
    She,
    It,
    They,
}

impl Pronoun {
    fn of(lower: &str) -> Option<Self> {
        match lower {
            "he" => Some(Self::He),
            "she" => Some(Self::She),
            "it" => Some(Self::It),
            "they" => Some(Self::They),
            _ => None,
        }
    }

    fn is_person(self) -> bool {
        matches!(self, Self::He | Self::She)
    }
}

/// What a sentence says something of.
struct Subject {
    /// `None` for what is not named.
    entity: Option<EntityKey>,
    kind: Option<TypeId>,
    /// A common noun in the plural.
    is_plural: bool,
}

impl Telling<'_> {
    /// A pronoun stands for what the same sentence said something of before it, else the sentence before, within a section:
    /// where it fits one of those, or several and one of them is what the document is about. Where it fits none, it stands
    /// for what the document is about, in the opening or where that is known to be a person; where it fits several others,
    /// nobody knows.
    fn find_antecedents(&mut self) {
        let parsed = self.reading.parsed;
        let (mut last, mut is_opening, mut has_begun) = (Vec::new(), true, false);
        for sentence in &parsed.sentences {
            if parsed.is_heading(sentence.0) {
                last.clear();
                is_opening &= !has_begun;
            }
            if !is_prose(parsed, sentence.0) {
                continue;
            }
            has_begun = true;
            let mut before: Vec<Subject> = Vec::new();
            for (at, word) in sentence.1.iter().enumerate() {
                let is_subject = matches!(word.dependency, Dependency::Subject | Dependency::PassiveSubject);
                let lower = || word.of(parsed.text()).to_lowercase();
                let pronoun = (word.pos == Pos::Pronoun).then(lower);
                let Some(pronoun) = pronoun.and_then(|lower| Pronoun::of(&lower)) else {
                    if is_subject {
                        before.extend(self.subjects(sentence, at));
                    }
                    continue;
                };
                let found = self.antecedent_of(pronoun, [&before, &last], is_opening);
                if let Some(entity) = &found {
                    self.antecedents.insert(word.span.start, entity.clone());
                }
                if is_subject {
                    before.push(self.standing_in(pronoun, found));
                }
            }
            last = before;
        }
    }

    fn antecedent_of(&self, pronoun: Pronoun, told: [&[Subject]; 2], is_opening: bool) -> Option<EntityKey> {
        for subjects in told {
            let fitting: Vec<_> = subjects.iter().filter(|subject| self.fits(pronoun, subject)).collect();
            let Some(first) = fitting.first() else { continue };
            if fitting.iter().any(|one| one.entity.as_ref() == Some(&self.own)) {
                return Some(Arc::clone(&self.own));
            }
            let is_one = fitting.iter().all(|one| one.entity == first.entity);
            return first.entity.clone().filter(|_| is_one);
        }
        let kind = self.context.types.likely(&self.own);
        let is_person = || kind.is_some() && kind == self.context.phrases.type_of("person");
        let is_told = !self.own.is_empty() && (is_opening || (pronoun.is_person() && is_person()));
        let own = Subject {
            entity: Some(Arc::clone(&self.own)),
            kind,
            is_plural: false,
        };
        (is_told && self.fits(pronoun, &own)).then(|| Arc::clone(&self.own))
    }

    fn fits(&self, pronoun: Pronoun, subject: &Subject) -> bool {
        let is_a = |kind: &str| subject.kind.is_some() && subject.kind == self.context.phrases.type_of(kind);
        let may_be_person = subject.kind.is_none() || is_a("person");
        match pronoun {
            Pronoun::He => !subject.is_plural && may_be_person,
            Pronoun::She => !subject.is_plural && (may_be_person || is_a("vehicle")),
            Pronoun::It => !subject.is_plural && !is_a("person"),
            Pronoun::They => subject.is_plural || (subject.entity.is_some() && !is_a("person") && !is_a("place")),
        }
    }

    /// What a pronoun puts in the place of its antecedent.
    fn standing_in(&self, pronoun: Pronoun, antecedent: Option<EntityKey>) -> Subject {
        let Context {
            schema, types, phrases, ..
        } = self.context;
        Subject {
            kind: match &antecedent {
                Some(entity) => types.likely(entity),
                None if pronoun.is_person() => phrases.type_of("person"),
                None => Some(schema.thing()),
            },
            is_plural: antecedent.is_none() && pronoun == Pronoun::They,
            entity: antecedent,
        }
    }

    /// What a subject and those joined to it are.
    fn subjects(&self, (span, words): &(Span, Vec<Word>), subject: usize) -> Vec<Subject> {
        let Context {
            schema, types, phrases, ..
        } = self.context;
        let is_joined = |at: &usize| {
            *at == subject || (words[*at].head == subject && words[*at].dependency == Dependency::Conjunct)
        };
        let of = |at: usize| {
            let lower = words[at].of(self.reading.parsed.text()).to_lowercase();
            let mention = self.named(*span).find(|mention| mention.span.contains(words[at].span));
            let own = || self.is_own_noun(words, at).then(|| Arc::clone(&self.own));
            let is_name = mention.is_some_and(|mention| !self.context.types.is_term(mention));
            let entity = mention
                .filter(|_| is_name)
                .map(|mention| mention.entity.clone())
                .or_else(own);
            match words[at].pos {
                // "Who" and "which" stand for what another word names.
                Pos::Pronoun | Pos::Determiner => None,
                _ => Some(Subject {
                    kind: match &entity {
                        Some(entity) => types.likely(entity),
                        None => phrases.type_of(&lower).or(Some(schema.thing())),
                    },
                    is_plural: entity.is_none() && term::singular(lower.clone()) != lower,
                    entity,
                }),
            }
        };
        (subject..words.len()).filter(is_joined).filter_map(of).collect()
    }
}

/// Whether what stands there is told: no heading, no code, and in a language that is read.
pub(crate) fn is_prose(parsed: &Analysis, span: Span) -> bool {
    !parsed.is_heading(span) && !parsed.is_code(span) && !parsed.is_foreign(span)
}

/// Whether a parser has read a sentence.
pub(crate) fn is_parsed(sentence: &(Span, Vec<Word>)) -> bool {
    sentence.1.iter().any(|word| word.dependency != Dependency::Other)
}
