//! One tag for each entity, and every spelling under it.

use super::form::{Form, Forms, MIN_PLURAL, Occurrence, can_be_name, form};
use super::tag::{self, Tag};
use super::token::{Case, Token, tokens};
use banyan_engine::index::term;
use banyan_engine::{EntityId, Knowledge};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many times as often a name must stand alone as within a longer phrase for that phrase to be the name and common
/// words ("AHAB GOES"). Arbitrary.
const DOMINANCE: usize = 3;

/// Longest label, well within what [`super::tag`] reads.
const MAX_LABEL: usize = 24;

/// Titles that are no part of a name. Chosen by hand.
const TITLES: &[&str] = &[
    "aunt",
    "captain",
    "colonel",
    "doctor",
    "dr",
    "father",
    "general",
    "lady",
    "lord",
    "madam",
    "major",
    "master",
    "miss",
    "mr",
    "mrs",
    "ms",
    "mother",
    "professor",
    "sir",
    "uncle",
];

/// What goes under one tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The tag.
    pub tag: Tag,
    /// The spelling that the texts use most, on one line.
    pub name: String,
    /// Other spellings that they use, sorted; letter case counts.
    pub aliases: Vec<String>,
    /// How often the texts name it.
    pub n: usize,
}

/// Which names go under which tags.
#[derive(Clone, Debug)]
pub struct Dictionary {
    pub(super) forms: Forms,
    /// Form → entry.
    pub(super) entry_of: Vec<usize>,
    entries: Vec<Entry>,
    by_entity: BTreeMap<EntityId, usize>,
}

impl Dictionary {
    /// The dictionary of a knowledge: its entities by the names under which its documents mention them.
    ///
    /// A spelling stands for one entity, the one that is mentioned most by it. Left out are spellings that the texts use in
    /// small letters at least half as often as with a capital (they are words), and phrases of a name and common words,
    /// where the name alone does the same. Numbers follow first appearance and begin beyond those of tags that the texts
    /// have already. Cost O(total length · log names).
    pub fn of(knowledge: &Knowledge) -> Self {
        let documents = &knowledge.documents;
        let texts: Vec<&str> = documents
            .iter()
            .flat_map(|document| [document.title.as_str(), document.text.as_str()])
            .collect();
        let read: Vec<Vec<Token>> = texts.par_iter().map(|text| tokens(text)).collect();
        let (forms, owners) = candidates(knowledge);
        let (forms, owners) = kept(&texts, &read, forms, owners);
        Self::number(knowledge, &texts, &read, &Forms::new(forms), &owners)
    }

    /// All entries, in the order of their first appearance.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of an entity of the knowledge, if it is listed under its own name.
    pub fn entry(&self, entity: EntityId) -> Option<usize> {
        self.by_entity.get(&entity).copied()
    }

    fn number(knowledge: &Knowledge, texts: &[&str], read: &[Vec<Token>], forms: &Forms, owners: &[EntityId]) -> Self {
        let mut drafts: BTreeMap<EntityId, Draft> = BTreeMap::new();
        for (text, tokens) in texts.iter().zip(read) {
            for found in forms.occurrences(text, tokens) {
                let order = drafts.len();
                let draft = drafts.entry(owners[found.form]).or_insert_with(|| Draft::new(order));
                *draft
                    .spellings
                    .entry(spelled(&text[found.start..found.end]))
                    .or_default() += 1;
            }
        }
        let mut next = taken(texts);
        let mut ordered: Vec<(EntityId, Draft)> = drafts.into_iter().collect();
        ordered.sort_by_key(|(_, draft)| draft.order);
        let by_entity: BTreeMap<EntityId, usize> = ordered
            .iter()
            .enumerate()
            .map(|(at, (entity, _))| (*entity, at))
            .collect();
        let entries = ordered.into_iter().map(|(entity, draft)| {
            let kind = knowledge.graph.entity(entity).entity_type;
            let mut entry = draft.entry();
            let label = label(&knowledge.schema.entity_type(kind).name);
            let number = next.entry(label.clone()).or_default();
            *number += 1;
            entry.tag = Tag { label, number: *number };
            entry
        });
        let entries: Vec<Entry> = entries.collect();
        // A form that never occurs has no entry; it is not searched for either.
        let listed = (0..forms.len()).filter_map(|form| Some((form, *by_entity.get(&owners[form])?)));
        let (listed, entry_of): (Vec<Form>, Vec<usize>) =
            listed.map(|(form, entry)| (forms.get(form).clone(), entry)).unzip();
        Self {
            forms: Forms::new(listed),
            entry_of,
            entries,
            by_entity,
        }
    }
}

/// An entry before it has a number.
struct Draft {
    order: usize,
    spellings: BTreeMap<String, usize>,
}

impl Draft {
    fn new(order: usize) -> Self {
        Self {
            order,
            spellings: BTreeMap::new(),
        }
    }

    /// What goes under a tag that is still to be given.
    fn entry(self) -> Entry {
        let most = self
            .spellings
            .iter()
            .max_by_key(|(name, n)| (**n, std::cmp::Reverse(*name)));
        let name = most.map_or_else(String::new, |(name, _)| name.clone());
        Entry {
            tag: Tag {
                label: String::new(),
                number: 0,
            },
            n: self.spellings.values().sum(),
            aliases: self
                .spellings
                .into_keys()
                .filter(|spelling| *spelling != name)
                .collect(),
            name,
        }
    }
}

/// The name of a type as the label of a tag.
fn label(entity_type: &str) -> String {
    match entity_type {
        "place" => "LOCATION".to_owned(),
        "organisation" => "ORGANIZATION".to_owned(),
        other => {
            let kept = other.to_ascii_uppercase().chars().take(MAX_LABEL).collect::<String>();
            kept.replace(|ch: char| !ch.is_ascii_uppercase(), "_")
        }
    }
}

/// A name on one line.
fn spelled(surface: &str) -> String {
    surface.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The largest number of each label that the texts have as a tag.
fn taken(texts: &[&str]) -> BTreeMap<String, u64> {
    let mut taken: BTreeMap<String, u64> = BTreeMap::new();
    for text in texts {
        for Tag { label, number } in tag::named(text) {
            let largest = taken.entry(label).or_default();
            *largest = (*largest).max(number.min(u64::MAX / 2));
        }
    }
    taken
}

/// Every form under which a document names an entity, with the entity that it stands for most often.
fn candidates(knowledge: &Knowledge) -> (Vec<Form>, Vec<EntityId>) {
    let mut uses: BTreeMap<Form, BTreeMap<EntityId, usize>> = BTreeMap::new();
    for (position, entity) in knowledge.graph.entities().iter().enumerate() {
        let id = EntityId::at(position);
        let names = std::iter::once(&entity.name).chain(&entity.aliases);
        for name in names {
            uses.entry(form(&tokens(name))).or_default().entry(id).or_default();
        }
        for (source, _) in &entity.mentions {
            let document = knowledge.document(knowledge.chunk(source.chunk).document);
            let form = form(&tokens(source.span.of(&document.text)));
            *uses.entry(form).or_default().entry(id).or_default() += 1;
        }
    }
    uses.into_iter()
        .filter(|(form, _)| can_be_name(form))
        .filter_map(|(form, owners)| {
            let most = owners.iter().max_by_key(|(id, n)| (**n, std::cmp::Reverse(**id)))?;
            Some((form, *most.0))
        })
        .unzip()
}

/// How a form or a word is written.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    n: usize,
    lower: usize,
}

impl Uses {
    fn is_word(self) -> bool {
        2 * self.lower > self.n - self.lower
    }
}

/// The forms that are names, with whom they stand for. What a longer form had covered counts once that form is gone, so
/// it is asked again until nothing changes.
fn kept(texts: &[&str], read: &[Vec<Token>], forms: Vec<Form>, owners: Vec<EntityId>) -> (Vec<Form>, Vec<EntityId>) {
    let mut kept = (forms, owners);
    loop {
        let before = kept.0.len();
        kept = names_among(texts, read, &kept.0, &kept.1).into_iter().unzip();
        if kept.0.len() == before {
            return kept;
        }
    }
}

fn names_among(texts: &[&str], read: &[Vec<Token>], forms: &[Form], owners: &[EntityId]) -> Vec<(Form, EntityId)> {
    let words = word_uses(read);
    let numbers: HashMap<&[String], usize> = forms
        .iter()
        .enumerate()
        .map(|(at, form)| (form.as_slice(), at))
        .collect();
    let index = Forms::new(forms.to_vec());
    let uses = form_uses(texts, read, &index);
    let is_title = |at: usize| forms[at].iter().all(|word| TITLES.contains(&word.as_str()));
    let is_drawn = |at: usize| {
        let form = &forms[at];
        let inner = (0..form.len()).flat_map(|first| (first + 1..=form.len()).map(move |last| (first, last)));
        inner
            .filter(|(first, last)| last - first < form.len())
            .any(|(first, last)| {
                let Some(inner) = numbers.get(&form[first..last]) else {
                    return false;
                };
                let is_other = owners[*inner] != owners[at] && !uses[*inner].is_word() && uses[*inner].n > 0;
                let is_common = |word: &String| {
                    word.starts_with(term::is_ideograph) || words.get(word.as_str()).is_none_or(|uses| uses.is_word())
                };
                let is_titled = last == form.len() && form[..first].iter().all(|word| TITLES.contains(&word.as_str()));
                let is_dominated = uses[*inner].n >= DOMINANCE * uses[at].n.max(1);
                let mut rest = form[..first].iter().chain(&form[last..]);
                is_other && (is_titled || is_dominated && rest.all(is_common))
            })
    };
    // Where the singular is a name, the plural goes under it.
    let is_plural = |at: usize| {
        let mut form = forms[at].clone();
        let Some(last) = form
            .last_mut()
            .filter(|word| word.len() >= MIN_PLURAL && word.ends_with('s'))
        else {
            return false;
        };
        last.pop();
        let singular = numbers.get(form.as_slice());
        singular.is_some_and(|one| uses[*one].n > 0 && !uses[*one].is_word())
    };
    let keep: BTreeSet<usize> = (0..forms.len())
        .into_par_iter()
        .filter(|at| !uses[*at].is_word() && !is_drawn(*at) && !is_plural(*at))
        .filter(|at| !is_title(*at))
        .collect();
    let numbered = forms.iter().cloned().zip(owners.iter().copied()).enumerate();
    numbered
        .filter(|(at, _)| keep.contains(at))
        .map(|(_, kept)| kept)
        .collect()
}

fn word_uses(read: &[Vec<Token>]) -> HashMap<&str, Uses> {
    let mut uses: HashMap<&str, Uses> = HashMap::new();
    for token in read.iter().flatten().filter(|token| !token.is_ideograph) {
        let slot = uses.entry(&token.key).or_default();
        slot.n += 1;
        slot.lower += usize::from(token.case == Case::Lower);
    }
    uses
}

fn form_uses(texts: &[&str], read: &[Vec<Token>], index: &Forms) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); index.len()];
    for (text, tokens) in texts.iter().zip(read) {
        for Occurrence { first, last, form, .. } in index.occurrences(text, tokens) {
            let mut content = tokens[first..last]
                .iter()
                .filter(|token| !term::is_stop_word(&token.key));
            uses[form].n += 1;
            uses[form].lower += usize::from(content.any(|token| token.case == Case::Lower));
        }
    }
    uses
}
