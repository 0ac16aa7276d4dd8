//! What speaks for a possible answer, as numbers that a linear score weighs.

use super::Expected;
use super::ask::Ask;
use super::choice::{Choice, Sort, Word};
use super::likeness::{Like, Likeness};
use super::page::{Page, Pages, Sentence};
use super::spelling;
use banyan_engine::Span;
use banyan_engine::index::term;
use banyan_extract::gazetteer;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// A reason for or against an answer; each is 0..=1 unless it says otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Feature { $($(#[$doc])* $name),* }
        /// Their names, in order.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
        /// How many there are.
        pub(crate) const N: usize = NAMES.len();
    };
}

features! {
    /// Score of the passage and 1 / its rank for the whole question, then for the step.
    PassageScore, PassageRank, StepScore, StepRank, Bridge, AboutAnchor, SentenceNamesAnchor, FocusInSentence, FocusInPassage, ContextInSentence,
    NearFocus, NearestFocus, NearSynonym, RightType, UnknownType, WrongType, AnyEntity, AnyValue, AnyPhrase,
    NounInName, NounBeside, NounDescribes, IsTitle, IsTitleAndKind, FirstSentence, Frequency, Rarity, StatedTriple, StatedAttribute,
    AfterIn, AfterBy, AfterIs, Length, FollowsFocus, IsAnchor, AnchorNear, Quoted, SharesQuestion,
    AboutBridge, NamesBridge, PassageNamesBridge, FocusBesideBridge, Modifies, KnownAsNoun, KnownAsOther, HasUnit, WholeDate, Abbreviation, Determined, SmallWord, Grouped,
    /// By token vectors: the words of the question in the sentence and near the answer; the noun asked for near the answer.
    LikeSentence, LikeNear, LikeNoun,
    /// A country by the name of its people.
    OfPeople,
    /// A word for a people: "Norwegian".
    IsPeople,
    /// What tells the title from others names it: "Teak (*Mara Voss* album)".
    InQualifier,
    /// The passage names something that the question names.
    PassageNamesAnchor,
    /// A person by two to four capitalised words, or by what no name of a person is: "EP", "Jr".
    FullName, Fragment,
    /// How near a value stands to something named; a number of up to three digits and nothing else.
    ValueNearAnchor, ShortNumber,
    /// What the question's words and the rank for the step are worth in a passage that names nothing that the step names.
    FocusAway, StepAway,
}

/// Numbers by feature.
/// Its order is that of [`NAMES`].
pub(crate) type Features = [f32; N];

/// How high a passage ranks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Standing {
    /// Score and 1 / rank for the whole question; 0 where it is not among the best.
    pub(crate) whole: (f32, f32),
    /// The same for the sub-question.
    pub(crate) step: (f32, f32),
}

/// A sentence in its page, as the features of its choices need it.
pub(crate) struct Place<'a> {
    pub(crate) page: &'a Page<'a>,
    pub(crate) sentence: &'a Sentence,
    /// What all choices of the sentence have in common.
    pub(crate) row: Features,
    /// Likeness of each word to those asked.
    like: Vec<Rc<Like>>,
}

impl<'a> Place<'a> {
    /// A sentence of a passage that ranks like this; `is_about` tells whether it is about something named, and about what
    /// an earlier step found.
    pub(crate) fn new(
        (ask, likeness): (&Ask, &Likeness<'_>),
        page: &'a Page<'a>,
        sentence: &'a Sentence,
        standing: Standing,
        is_about: (bool, bool),
    ) -> Self {
        let mut row = [0.0; N];
        let mut set = |feature: Feature, value: f32| row[feature as usize] = value;
        set(Feature::PassageScore, standing.whole.0.clamp(0.0, MAX_SCORE));
        set(Feature::PassageRank, standing.whole.1);
        set(Feature::StepScore, standing.step.0.clamp(0.0, MAX_SCORE));
        set(Feature::StepRank, standing.step.1);
        set(Feature::AboutAnchor, on(is_about.0));
        set(Feature::AboutBridge, on(is_about.1));
        let held: BTreeSet<&str> = sentence.words.iter().filter_map(|word| word.term.as_deref()).collect();
        let in_sentence = |word: &str| held.contains(word) || page.title_terms.contains(word);
        let focus = share(&ask.focus, in_sentence);
        set(Feature::FocusInSentence, focus);
        set(
            Feature::FocusInPassage,
            share(&ask.focus, |word| page.terms.contains(word)),
        );
        set(Feature::ContextInSentence, share(&ask.context, in_sentence));
        let inside = || page.entities.iter().filter(|(span, _)| sentence.span.contains(*span));
        let names_bridge = inside().any(|(_, entity)| ask.bridges.contains(entity));
        set(
            Feature::SentenceNamesAnchor,
            on(inside().any(|(_, entity)| ask.anchors.contains(entity))),
        );
        set(Feature::NamesBridge, on(names_bridge));
        let is_anchored = page.entities.iter().any(|(_, entity)| ask.anchors.contains(entity));
        set(Feature::PassageNamesAnchor, on(is_anchored));
        if !is_anchored && !is_about.0 {
            set(Feature::FocusAway, focus);
            set(Feature::StepAway, standing.step.1);
        }
        let in_page = page.entities.iter().any(|(_, entity)| ask.bridges.contains(entity));
        set(Feature::PassageNamesBridge, on(in_page));
        set(
            Feature::FocusBesideBridge,
            if is_about.1 || names_bridge { focus } else { 0.0 },
        );
        set(Feature::FirstSentence, on(sentence.span.start == 0));
        let topical = |word: &Word| word.term.is_some();
        let like: Vec<Rc<Like>> = sentence
            .words
            .iter()
            .map(|word| {
                if topical(word) {
                    likeness.of(&word.lower)
                } else {
                    Rc::default()
                }
            })
            .collect();
        let liked = ask.focus.values().enumerate().map(|(n, share)| {
            let most = like.iter().filter_map(|like| like.focus.get(n).copied());
            share * most.fold(0.0, f32::max)
        });
        row[Feature::LikeSentence as usize] = liked.sum();
        Self {
            page,
            sentence,
            row,
            like,
        }
    }
}

/// Scores of passages beyond this count as this much.
const MAX_SCORE: f32 = 1.5;

fn share(list: &BTreeMap<String, f32>, has: impl Fn(&str) -> bool) -> f32 {
    list.iter().filter(|(word, _)| has(word)).map(|(_, share)| share).sum()
}

/// The features of one choice.
pub(crate) fn features(pages: &mut Pages<'_>, ask: &Ask, place: &Place<'_>, choice: &Choice) -> Features {
    let mut row = place.row;
    let mut set = |feature: Feature, value: f32| row[feature as usize] = value;
    let own = term::terms(&choice.text);
    let (at, end) = position(&place.sentence.words, choice.span);
    if choice.span.is_some() {
        near(ask, place, choice, at, end, &mut set);
    }
    kind(pages, ask, choice, &mut set);
    around(ask, place, choice, &own, (at, end), &mut set);
    match choice.sort {
        Sort::Entity(entity) => {
            set(Feature::Rarity, pages.searcher.rarity(entity));
            set(Feature::IsAnchor, on(ask.anchors.contains(&entity)));
            set(Feature::StatedTriple, on(ask.stated.contains(&entity)));
        }
        _ => set(
            Feature::StatedAttribute,
            on(ask.values.iter().any(|value| value.contains(&choice.text))),
        ),
    }
    spelling::spelling(ask, place.page, choice, &mut set);
    let is_other = choice.span.is_some_and(|span| span.of(place.page.text) != choice.text);
    set(Feature::OfPeople, on(is_other));
    let n_words = choice.text.split_whitespace().count();
    set(Feature::Length, (n_words as f32).ln().clamp(0.0, 2.0));
    let shared = own.iter().filter(|word| ask.context.contains_key(*word)).count();
    set(Feature::SharesQuestion, shared as f32 / own.len().max(1) as f32);
    row
}

pub(super) fn on(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Positions of the first word of a choice and of the one after its last.
fn position(words: &[Word], span: Option<Span>) -> (usize, usize) {
    let Some(span) = span else { return (0, 0) };
    let at = words.partition_point(|word| word.span.end <= span.start);
    let end = words.partition_point(|word| word.span.start < span.end);
    (at, end.max(at))
}

/// How near the words of the question stand, and what it names.
fn near(ask: &Ask, place: &Place<'_>, choice: &Choice, at: usize, end: usize, set: &mut impl FnMut(Feature, f32)) {
    let distance = |n: usize| if n < at { at - n } else { (n + 1).saturating_sub(end) };
    let mut nearest: f32 = 0.0;
    let mut synonym: f32 = 0.0;
    let mut best: BTreeMap<&str, f32> = BTreeMap::new();
    let words = &place.sentence.words;
    for (n, word) in words.iter().enumerate().filter(|(n, _)| *n < at || *n >= end) {
        let Some(term) = word.term.as_deref() else { continue };
        let closeness = 1.0 / distance(n) as f32;
        if let Some(share) = ask.focus.get(term) {
            nearest = nearest.max(closeness);
            let slot = best.entry(term).or_default();
            *slot = slot.max(share / (1.0 + distance(n) as f32 / HALF_DISTANCE));
            if n < at && distance(n) <= MAX_LEAD {
                set(Feature::FollowsFocus, 1.0);
            }
        }
        if ask.says(term) {
            synonym = synonym.max(closeness);
        }
    }
    let outside = || (0..words.len()).filter(|n| *n < at || *n >= end);
    let near = ask.focus.values().enumerate().map(|(term, share)| {
        let each = outside().filter_map(|n| {
            let like = place.like[n].focus.get(term)?;
            Some(like / (1.0 + distance(n) as f32 / HALF_DISTANCE))
        });
        share * each.fold(0.0, f32::max)
    });
    set(Feature::LikeNear, near.sum());
    let noun = outside().map(|n| place.like[n].noun / (1.0 + (distance(n) - 1) as f32 / HALF_DISTANCE));
    set(Feature::LikeNoun, noun.fold(0.0, f32::max));
    set(Feature::NearFocus, best.values().sum());
    set(Feature::NearestFocus, nearest);
    set(Feature::NearSynonym, synonym);
    let others = place.page.entities.iter().filter(|(span, entity)| {
        ask.anchors.contains(entity)
            && place.sentence.span.contains(*span)
            && choice.span.is_some_and(|own| !own.overlaps(*span))
    });
    let closest = others.map(|(span, _)| {
        let (first, last) = position(words, Some(*span));
        let gap = if last <= at {
            at - last
        } else {
            first.saturating_sub(end)
        };
        1.0 / (1 + gap) as f32
    });
    let closest = closest.fold(0.0, f32::max);
    set(Feature::AnchorNear, closest);
    if matches!(choice.sort, Sort::Value(_)) {
        set(Feature::ValueNearAnchor, closest);
    }
}

/// Words away at which a word of the question counts half. Arbitrary.
const HALF_DISTANCE: f32 = 4.0;
/// Words before the choice within which a word of the question leads to it. Arbitrary.
const MAX_LEAD: usize = 6;

/// How the kind of the choice fits.
fn kind(pages: &mut Pages<'_>, ask: &Ask, choice: &Choice, set: &mut impl FnMut(Feature, f32)) {
    let knowledge = pages.searcher.knowledge();
    let Sort::Entity(entity) = choice.sort else {
        let feature = match choice.sort {
            Sort::Place => {
                set(Feature::KnownAsNoun, 1.0);
                Feature::RightType
            }
            Sort::Phrase => Feature::AnyPhrase,
            _ if ask.expected == Expected::Any => Feature::AnyValue,
            _ => Feature::RightType,
        };
        return set(feature, 1.0);
    };
    let own = knowledge.graph.entity(entity).entity_type;
    let feature = match () {
        () if ask.types.is_empty() => Feature::AnyEntity,
        () if ask.types.contains(&own) => Feature::RightType,
        () if own == knowledge.schema.thing() => Feature::UnknownType,
        () => Feature::WrongType,
    };
    set(feature, 1.0);
    if let (Some(asked), Some(known)) = (&ask.noun, gazetteer::place(&choice.text)) {
        set(Feature::KnownAsNoun, on(asked == known));
        set(Feature::KnownAsOther, on(asked != known));
    }
    let describes = ask.noun_term.as_ref().is_some_and(|noun| pages.describes(entity, noun));
    set(Feature::NounDescribes, on(describes));
    if choice.span.is_none() {
        set(Feature::IsTitle, 1.0);
        set(Feature::IsTitleAndKind, on(describes));
    }
}

/// Whether a name says what it names: by its last word, "Tidd Bridge", or by the first of few, "Lake Hestle".
fn is_called(own: &[String], noun: &String) -> bool {
    own.last() == Some(noun) || (own.len() <= MAX_CALLED && own.first() == Some(noun))
}

/// Terms of a name whose first word may say what it names: "University of Wrenna". Arbitrary.
const MAX_CALLED: usize = 3;

/// What stands right before and after.
fn around(
    ask: &Ask,
    place: &Place<'_>,
    choice: &Choice,
    own: &[String],
    (at, end): (usize, usize),
    set: &mut impl FnMut(Feature, f32),
) {
    let words = &place.sentence.words;
    if let Some(noun) = &ask.noun_term {
        set(Feature::NounInName, on(is_called(own, noun)));
        let is_noun = |n: usize| words.get(n).is_some_and(|word| word.term.as_ref() == Some(noun));
        let beside = (at.saturating_sub(3)..at).any(&is_noun) || (end..end + 4).any(&is_noun);
        set(Feature::NounBeside, on(beside && choice.span.is_some()));
    }
    let Some(span) = choice.span else { return };
    let before: Vec<&str> = words[at.saturating_sub(2)..at]
        .iter()
        .map(|word| word.lower.as_str())
        .collect();
    let is_after = |list: &[&str]| before.iter().any(|word| list.contains(word));
    set(Feature::AfterIn, on(is_after(&["in", "at", "near", "from", "to"])));
    set(Feature::AfterBy, on(is_after(&["by", "with"])));
    set(
        Feature::AfterIs,
        on(is_after(&["is", "was", "are", "were", "called", "named", "as"])),
    );
    let text = place.page.text;
    let after = text.get(span.end as usize..).unwrap_or_default();
    let next = after
        .strip_prefix(' ')
        .and_then(|rest| rest.split(|ch: char| !ch.is_alphanumeric()).next());
    let modifies = next.is_some_and(|word| word.starts_with(char::is_lowercase) && !term::is_stop_word(word));
    let is_name = matches!(choice.sort, Sort::Entity(_));
    set(Feature::Modifies, on(modifies && is_name));
    set(Feature::Determined, on(is_name && before.last() == Some(&"the")));
    let mark = text
        .get(..span.start as usize)
        .and_then(|before| before.chars().next_back());
    set(Feature::Quoted, on(matches!(mark, Some('"' | '“'))));
}
