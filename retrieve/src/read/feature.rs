//! What speaks for a possible answer, as numbers that a linear score weighs.

use super::ask::{Ask, Named};
use super::candidate::{Candidate, Sort, Word};
use super::page::{Page, Pages, Sentence};
use crate::evidence::LEAST_ODDS;
use banyan_engine::Span;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_extract::gazetteer;

/// A reason for or against an answer; each is 0..=1 unless it says otherwise. "Anchors" are what the step names,
/// "bridges" what earlier steps found, the "focus" are the step's own words without names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// Score of the passage for the whole question by the routes alone, 0..=1.5.
    PassageScore,
    /// Logarithm of its odds of holding evidence, at most 0.
    PassageOdds,
    /// 1 over its rank for the whole question.
    PassageRank,
    /// Score of the passage for the step, 0..=1.5.
    StepScore,
    /// 1 over its rank for the step.
    StepRank,
    /// Logarithm of the belief in the answers of earlier steps, at most 0.
    Bridge,
    /// The passage is about an anchor.
    AboutAnchor,
    /// The sentence names an anchor.
    SentenceNamesAnchor,
    /// The passage names an anchor.
    PassageNamesAnchor,
    /// The sentence names a bridge.
    SentenceNamesBridge,
    /// Share of the focus in the sentence or the title.
    FocusInSentence,
    /// 1 over the words between the answer and the nearest word of the focus.
    NearestFocus,
    /// The same for words that say what the focus does.
    NearestSynonym,
    /// A word of the focus stands a few words before the answer.
    FollowsFocus,
    /// The type asked for, or a value where a value is asked for.
    RightType,
    /// An entity of unknown type where a type is asked for.
    UnknownType,
    /// An entity of another type than the one asked for.
    WrongType,
    /// An entity where no type is asked for.
    AnyEntity,
    /// A phrase where no type is asked for.
    AnyPhrase,
    /// The name says what it names: "Tidd *Bridge*".
    NounInName,
    /// The document about it says that it is what is asked for.
    NounDescribes,
    /// A well-known place of the kind asked for.
    KnownAsNoun,
    /// A well-known place of another kind.
    KnownAsOther,
    /// What the document is about, not what the sentence says.
    IsTitle,
    /// Logarithm of the sentence's share among those ranked for the whole question, at most 0.
    Share,
    /// Logarithm of the number of passages that have it, 0..=2.
    Frequency,
    /// How rare the entity is in the corpus.
    Rarity,
    /// A fact of a relation asked for connects it with an anchor.
    StatedTriple,
    /// The graph has it as a value asked for of an anchor.
    StatedAttribute,
    /// It is an anchor itself.
    IsAnchor,
    /// "in", "at", "near", "from" or "to" stands right before it.
    AfterIn,
    /// "by" or "with" stands right before it.
    AfterBy,
    /// "is", "was", "called" or the like stands right before it.
    AfterIs,
    /// A name that says of the noun behind it what kind it is: "the *Tidd* railway".
    Modifies,
    /// A name with "the" before it.
    Determined,
    /// A person's name of two to four capitalised words.
    FullName,
    /// A date with more than a year.
    WholeDate,
}

/// How many features there are.
pub const N_FEATURES: usize = Feature::ALL.len();

/// Values or weights of features, in the order of their names in the file of weights.
pub type Features = [f32; N_FEATURES];

impl Feature {
    pub(crate) const ALL: [Self; 37] = [
        Self::PassageScore,
        Self::PassageOdds,
        Self::PassageRank,
        Self::StepScore,
        Self::StepRank,
        Self::Bridge,
        Self::AboutAnchor,
        Self::SentenceNamesAnchor,
        Self::PassageNamesAnchor,
        Self::SentenceNamesBridge,
        Self::FocusInSentence,
        Self::NearestFocus,
        Self::NearestSynonym,
        Self::FollowsFocus,
        Self::RightType,
        Self::UnknownType,
        Self::WrongType,
        Self::AnyEntity,
        Self::AnyPhrase,
        Self::NounInName,
        Self::NounDescribes,
        Self::KnownAsNoun,
        Self::KnownAsOther,
        Self::IsTitle,
        Self::Share,
        Self::Frequency,
        Self::Rarity,
        Self::StatedTriple,
        Self::StatedAttribute,
        Self::IsAnchor,
        Self::AfterIn,
        Self::AfterBy,
        Self::AfterIs,
        Self::Modifies,
        Self::Determined,
        Self::FullName,
        Self::WholeDate,
    ];

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feature| format!("{feature:?}") == name)
    }
}

/// How high a passage ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank {
    /// Score by the routes, logarithm of its odds and 1 / rank for the whole question; 0, [`LEAST_ODDS`] and 0 where it is
    /// not among the best.
    pub(crate) whole: (f32, f32, f32),
    /// Score and 1 / rank for the sub-question; 0 where it is not among the best.
    pub(crate) step: (f32, f32),
}

impl Default for Rank {
    fn default() -> Self {
        Self {
            whole: (0.0, LEAST_ODDS, 0.0),
            step: (0.0, 0.0),
        }
    }
}

/// Scores of passages beyond this count as this much.
const MAX_SCORE: f32 = 1.5;
/// Words before the answer within which a word of the question leads to it. Arbitrary.
const MAX_LEAD: usize = 6;
/// Terms of a name whose first word may say what it names: "University of Wrenna". Arbitrary.
const MAX_CALLED: usize = 3;

/// What all candidates of a sentence have in common. `is_about` tells whether its passage is about an anchor, `named` is
/// where the passage names one.
pub(super) fn of_sentence(
    ask: &Ask,
    page: &Page<'_>,
    sentence: &Sentence,
    (rank, ranked): (Rank, f32),
    (is_about, named): (bool, &[Named]),
) -> Features {
    let mut row = [0.0; N_FEATURES];
    let mut set = |feature: Feature, value: f32| row[feature as usize] = value;
    set(Feature::PassageScore, rank.whole.0.clamp(0.0, MAX_SCORE));
    set(Feature::PassageOdds, rank.whole.1);
    set(Feature::PassageRank, rank.whole.2);
    set(Feature::StepScore, rank.step.0.clamp(0.0, MAX_SCORE));
    set(Feature::StepRank, rank.step.1);
    set(Feature::AboutAnchor, on(is_about));
    let words = &sentence.words;
    let in_sentence = |word: &str| {
        page.title_terms.contains(word)
            || words
                .iter()
                .any(|own| own.term.as_deref().is_some_and(|own| own == word))
    };
    let held = ask.focus.iter().filter(|(word, _)| in_sentence(word));
    set(Feature::FocusInSentence, held.map(|(_, share)| share).sum());
    let inside = || named.iter().filter(|named| sentence.span.contains(named.span));
    set(
        Feature::PassageNamesAnchor,
        on(named.iter().any(|named| named.is_anchor)),
    );
    set(Feature::SentenceNamesAnchor, on(inside().any(|named| named.is_anchor)));
    set(Feature::SentenceNamesBridge, on(inside().any(|named| named.is_bridge)));
    set(Feature::Share, ranked);
    row
}

/// A word of a sentence that a step has in mind.
pub(super) struct Asked {
    /// Position among the words.
    at: usize,
    /// Whether it is of the focus, not a word that says the same.
    is_focus: bool,
}

/// The words of a sentence that a step has in mind.
pub(super) fn asked_in(ask: &Ask, words: &[Word]) -> Vec<Asked> {
    let asked = words.iter().enumerate().filter_map(|(at, word)| {
        let term = word.term.as_deref()?;
        let is_focus = ask.focus.contains_key(term);
        (is_focus || ask.synonyms.contains(term)).then_some(Asked { at, is_focus })
    });
    asked.collect()
}

/// The features of one candidate beside `row`, those of its sentence.
pub(super) fn of_candidate(
    pages: &mut Pages<'_>,
    ask: &Ask,
    (page, sentence, asked): (&Page<'_>, &Sentence, &[Asked]),
    candidate: &Candidate,
    mut row: Features,
) -> Features {
    let mut set = |feature: Feature, value: f32| row[feature as usize] = value;
    match candidate.span {
        Some(span) => {
            let (at, end) = position(&sentence.words, span);
            near(asked, (at, end), &mut set);
            around(page, sentence, candidate, (span, at), &mut set);
        }
        None => set(Feature::IsTitle, 1.0),
    }
    kind(pages, ask, candidate, &mut set);
    match candidate.sort {
        Sort::Entity(entity) => {
            set(Feature::Rarity, pages.searcher.rarity(entity));
            set(Feature::IsAnchor, on(ask.anchors.contains(&entity)));
            set(Feature::StatedTriple, on(ask.stated.contains(&entity)));
        }
        Sort::Value(_) | Sort::Phrase | Sort::Place => {
            let is_stated = ask.values.iter().any(|value| value.contains(&candidate.text));
            set(Feature::StatedAttribute, on(is_stated));
        }
    }
    if ask.is_person {
        let words: Vec<&str> = candidate.text.split(' ').collect();
        let is_name_word = |word: &&str| word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
        let is_full = (2..=4).contains(&words.len()) && words.iter().all(is_name_word);
        set(Feature::FullName, on(is_full));
    }
    let is_date = candidate.sort == Sort::Value(ValueKind::Date);
    set(
        Feature::WholeDate,
        on(is_date && candidate.text.contains(char::is_alphabetic)),
    );
    row
}

fn on(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Positions of the first word of a span and of the one after its last.
fn position(words: &[Word], span: Span) -> (usize, usize) {
    let at = words.partition_point(|word| word.span.end <= span.start);
    let end = words.partition_point(|word| word.span.start < span.end);
    (at, end.max(at))
}

/// How near the words of the question stand.
fn near(asked: &[Asked], (at, end): (usize, usize), set: &mut impl FnMut(Feature, f32)) {
    let (mut nearest, mut synonym): (f32, f32) = (0.0, 0.0);
    for word in asked.iter().filter(|word| word.at < at || word.at >= end) {
        let n = word.at;
        let distance = if n < at { at - n } else { n + 1 - end };
        let closeness = 1.0 / distance as f32;
        if word.is_focus {
            nearest = nearest.max(closeness);
            if n < at && distance <= MAX_LEAD {
                set(Feature::FollowsFocus, 1.0);
            }
        }
        synonym = synonym.max(closeness);
    }
    set(Feature::NearestFocus, nearest);
    set(Feature::NearestSynonym, synonym);
}

/// How the kind of the candidate fits.
fn kind(pages: &mut Pages<'_>, ask: &Ask, candidate: &Candidate, set: &mut impl FnMut(Feature, f32)) {
    let knowledge = pages.searcher.knowledge();
    let own = &candidate.terms;
    if let Some(noun) = &ask.noun_term {
        let is_first = own.len() <= MAX_CALLED && own.first() == Some(noun);
        set(Feature::NounInName, on(is_first || own.last() == Some(noun)));
    }
    let feature = match candidate.sort {
        Sort::Entity(entity) => {
            if let Some(noun) = &ask.noun_term {
                set(Feature::NounDescribes, on(pages.describes(entity, noun)));
            }
            let own = knowledge.graph.entity(entity).entity_type;
            match () {
                () if ask.types.is_empty() => Feature::AnyEntity,
                () if ask.types.contains(&own) => Feature::RightType,
                () if own == knowledge.schema.thing() => Feature::UnknownType,
                () => Feature::WrongType,
            }
        }
        Sort::Phrase => Feature::AnyPhrase,
        Sort::Value(_) | Sort::Place => Feature::RightType,
    };
    set(feature, 1.0);
    if let Some(asked) = &ask.noun
        && let Some(known) = gazetteer::place(&candidate.text)
    {
        set(Feature::KnownAsNoun, on(asked == known));
        set(Feature::KnownAsOther, on(asked != known));
    }
}

/// What stands right before and after.
fn around(
    page: &Page<'_>,
    sentence: &Sentence,
    candidate: &Candidate,
    (span, at): (Span, usize),
    set: &mut impl FnMut(Feature, f32),
) {
    let before = &sentence.words[at.saturating_sub(2)..at];
    let is_after = |list: &[&str]| on(before.iter().any(|word| list.contains(&word.lower.as_str())));
    set(Feature::AfterIn, is_after(&["in", "at", "near", "from", "to"]));
    set(Feature::AfterBy, is_after(&["by", "with"]));
    set(
        Feature::AfterIs,
        is_after(&["is", "was", "are", "were", "called", "named", "as"]),
    );
    if !matches!(candidate.sort, Sort::Entity(_)) {
        return;
    }
    let behind = page
        .text
        .get(span.end as usize..)
        .and_then(|text| text.strip_prefix(' '));
    let next = behind.and_then(|rest| rest.split(|ch: char| !ch.is_alphanumeric()).next());
    let modifies = next.is_some_and(|word| word.starts_with(char::is_lowercase) && !term::is_stop_word(word));
    set(Feature::Modifies, on(modifies));
    set(
        Feature::Determined,
        on(before.last().is_some_and(|word| word.lower == "the")),
    );
}
