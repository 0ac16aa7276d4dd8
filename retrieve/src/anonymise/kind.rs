//! What kind of thing a tag says an entity is: by its type, or by the words around it where those speak clearly.

use super::token::Token;

/// Words that what a person says or does goes with, right after the name. Chosen by hand.
const AFTER_PERSON: &[&str] = &[
    "added",
    "answered",
    "asked",
    "began",
    "bowed",
    "cried",
    "exclaimed",
    "gave",
    "grinned",
    "himself",
    "herself",
    "laughed",
    "looked",
    "muttered",
    "nodded",
    "paused",
    "replied",
    "said",
    "sat",
    "says",
    "shouted",
    "sighed",
    "smiled",
    "spoke",
    "stood",
    "thought",
    "told",
    "took",
    "turned",
    "walked",
    "went",
    "whispered",
    "who",
    "wrote",
];
/// Words right before a person's name. Chosen by hand.
const BEFORE_PERSON: &[&str] = &[
    "answered",
    "asked",
    "captain",
    "colonel",
    "cried",
    "doctor",
    "dr",
    "exclaimed",
    "father",
    "king",
    "lady",
    "lord",
    "miss",
    "mr",
    "mrs",
    "muttered",
    "old",
    "prince",
    "queen",
    "replied",
    "said",
    "shouted",
    "sir",
    "uncle",
    "whispered",
];
/// Prepositions of place right before a name. Chosen by hand; "of" goes with anything.
const BEFORE_PLACE: &[&str] = &[
    "at", "from", "in", "into", "near", "off", "reached", "toward", "towards", "via",
];
/// Characters right after a person's name in Chinese. Chosen by hand.
const AFTER_PERSON_HAN: &[&str] = &[
    "道", "曰", "说", "笑", "问", "听", "见", "答", "想", "便", "叫", "喝", "大", "也", "自", "心",
];
/// Characters right before a place's name in Chinese. Chosen by hand.
const BEFORE_PLACE_HAN: &[&str] = &["在", "到", "往", "投", "离", "至", "入", "奔"];

/// Longest label, well within what [`super::tag`] reads.
const MAX_LABEL: usize = 24;

/// What the words around a name say of its kind, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Votes {
    person: usize,
    place: usize,
    n: usize,
}

impl Votes {
    /// Counts one occurrence: the words `first..last` among `tokens`.
    pub(super) fn add(&mut self, tokens: &[Token], first: usize, last: usize) {
        let is_han = tokens[first].is_ideograph;
        let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.key.as_str());
        let (before, after) = (word(first.checked_sub(1)), word(Some(last)));
        self.n += 1;
        let (is_person, is_place) = if is_han {
            (AFTER_PERSON_HAN.contains(&after), BEFORE_PLACE_HAN.contains(&before))
        } else {
            let is_person = AFTER_PERSON.contains(&after) || BEFORE_PERSON.contains(&before);
            (is_person, BEFORE_PLACE.contains(&before))
        };
        self.person += usize::from(is_person);
        self.place += usize::from(is_place);
    }

    /// The label: `PERSON` or `LOCATION` where twice as many words say so as say the other, two of them at least, and a
    /// share of all (arbitrary: a tenth for a person, a sixth where the type says otherwise, a third for a place, which
    /// anything may be in); else that of `entity_type`.
    pub(super) fn label(self, entity_type: &str) -> String {
        let Self { person, place, n } = self;
        let is_open = matches!(entity_type, "thing" | "person");
        let most = if is_open { 10 } else { 6 };
        if person >= 2 && person > 2 * place && most * person >= n {
            return "PERSON".to_owned();
        }
        if (is_open || entity_type == "place") && place >= 2 && place > 2 * person && 3 * place >= n {
            return "LOCATION".to_owned();
        }
        match entity_type {
            "place" => "LOCATION".to_owned(),
            "organisation" | "organization" => "ORGANIZATION".to_owned(),
            other => label(other),
        }
    }
}

/// The name of a type as a label.
fn label(name: &str) -> String {
    let upper = name.to_ascii_uppercase();
    let kept: String = upper
        .chars()
        .take(MAX_LABEL)
        .map(|ch| if ch.is_ascii_uppercase() { ch } else { '_' })
        .collect();
    if kept.is_empty() { "THING".to_owned() } else { kept }
}
