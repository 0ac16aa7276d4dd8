//! What kind of thing a tag says an entity is: by its type, its spelling, and the words around it where those speak clearly.

use super::token::Token;
use banyan_engine::index::term::is_ideograph;
use banyan_extract::word::has_surname;

/// Words that what a person says or does goes with, right after the name. Chosen by hand, sorted.
const AFTER_PERSON: &[&str] = &[
    "added",
    "advanced",
    "answered",
    "approached",
    "arose",
    "asked",
    "began",
    "bowed",
    "came",
    "commanded",
    "continued",
    "cried",
    "demanded",
    "exclaimed",
    "felt",
    "gave",
    "gazed",
    "glanced",
    "grinned",
    "heard",
    "herself",
    "himself",
    "hurried",
    "jumped",
    "knelt",
    "knew",
    "laughed",
    "leaned",
    "leaped",
    "lifted",
    "listened",
    "looked",
    "loved",
    "married",
    "murmured",
    "muttered",
    "nodded",
    "ordered",
    "paused",
    "pulled",
    "ran",
    "remarked",
    "repeated",
    "replied",
    "rose",
    "rushed",
    "said",
    "sat",
    "saw",
    "says",
    "seized",
    "shouted",
    "sighed",
    "slept",
    "smiled",
    "spoke",
    "sprang",
    "stared",
    "stood",
    "stooped",
    "strode",
    "thought",
    "threw",
    "told",
    "took",
    "tried",
    "turned",
    "waited",
    "walked",
    "wanted",
    "watched",
    "went",
    "wept",
    "whispered",
    "who",
    "whose",
    "wished",
    "woke",
    "wrote",
];
/// Words right before a person's name. Chosen by hand, sorted.
const BEFORE_PERSON: &[&str] = &[
    "answered",
    "asked",
    "aunt",
    "captain",
    "colonel",
    "cried",
    "dear",
    "doctor",
    "dr",
    "exclaimed",
    "father",
    "king",
    "lady",
    "lord",
    "master",
    "miss",
    "mr",
    "mrs",
    "muttered",
    "old",
    "poor",
    "prince",
    "queen",
    "replied",
    "said",
    "saith",
    "shouted",
    "sir",
    "uncle",
    "whispered",
    "young",
];
/// What a person has, after the name in the possessive. Chosen by hand, sorted.
const OWN: &[&str] = &[
    "arm", "arms", "boat", "body", "brother", "cabin", "eye", "eyes", "face", "father", "feet", "finger", "fingers",
    "hand", "hands", "hat", "head", "heart", "leg", "life", "lips", "mind", "mother", "mouth", "name", "nose",
    "shoulder", "sister", "son", "soul", "voice", "wife", "words",
];
/// Prepositions of place right before a name. Chosen by hand, sorted; "of" goes with anything.
const BEFORE_PLACE: &[&str] = &[
    "across", "around", "at", "from", "in", "into", "near", "off", "reached", "round", "toward", "towards", "via",
];
/// What is "of" a place. Chosen by hand, sorted.
const OF_PLACE: &[&str] = &[
    "cape",
    "city",
    "coast",
    "harbor",
    "harbour",
    "inhabitants",
    "island",
    "isle",
    "kingdom",
    "land",
    "natives",
    "people",
    "port",
    "shores",
    "streets",
    "town",
    "village",
    "waters",
];
/// Words of a place's own name. Chosen by hand, sorted.
const PLACE_NOUNS: &[&str] = &[
    "bay",
    "cape",
    "church",
    "city",
    "coast",
    "desert",
    "harbor",
    "harbour",
    "hill",
    "inn",
    "island",
    "islands",
    "isle",
    "isles",
    "lake",
    "mount",
    "mountain",
    "mountains",
    "ocean",
    "port",
    "river",
    "sea",
    "seas",
    "shore",
    "strait",
    "straits",
    "street",
    "town",
    "valley",
    "village",
];
/// Characters right after a person's name in Chinese: what one says, does, or is told with. Chosen by hand.
const AFTER_PERSON_HAN: &str = "道曰说笑问听见答想便叫喝骂喊看拿提引领拜跪哭应谢却又正只都等把将与和";
/// Characters right before one. Chosen by hand.
const BEFORE_PERSON_HAN: &str = "与和请唤教令差命杀捉救随同对拜问骂被说";
/// Characters right before a place's name in Chinese. Chosen by hand.
const BEFORE_PLACE_HAN: &str = "在到往投离至入奔回过出取打攻守";
/// Characters right after one. Chosen by hand.
const AFTER_PLACE_HAN: &str = "上下里内外中边前城地界";
/// Characters that end names of places. Chosen by hand.
const PLACE_ENDS: &str = "山寨庄州府县村岭岗冈河湖江海城镇关店寺庙庵观宫殿门街路泊桥洞坡渡驿亭国省市岛";
/// Longest Chinese name of a person, in characters.
const MAX_PERSON_HAN: usize = 4;
/// What the type, and what a spelling, is worth in occurrences, and what is the least that says anything. Arbitrary.
const PRIOR: usize = 2;

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
    /// Counts one occurrence: the words `first..last` among `tokens` of `text`.
    pub(super) fn add(&mut self, text: &str, tokens: &[Token], first: usize, last: usize) {
        let around = Around {
            text,
            tokens,
            first,
            last,
        };
        let (is_person, is_place) = if tokens[first].is_ideograph {
            around.han()
        } else {
            around.english()
        };
        self.n += 1;
        self.person += usize::from(is_person);
        self.place += usize::from(is_place);
    }

    /// The label: `PERSON` or `LOCATION` where words around the name, its spelling and its type say so clearly more than
    /// the other, and at least in one occurrence of 25 (a place: of 10), where the type says a third thing in one of 8 (of 4);
    /// else that of `entity_type`. The shares are arbitrary, set by eye on two novels.
    pub(super) fn label(self, entity_type: &str, name: &str) -> String {
        let Self { person, place, n } = self;
        let (like_person, like_place) = spelling(name);
        let by_type = |kind: &str| if entity_type == kind { PRIOR } else { 0 };
        let (p, l) = (
            person + like_person + by_type("person"),
            place + like_place + by_type("place"),
        );
        let is_open = matches!(entity_type, "thing" | "person" | "place");
        let (most_p, most_l) = if is_open { (25, 10) } else { (8, 4) };
        let is_said = |around: usize, spelled: usize, prior: usize| around + prior > 0 || spelled > PRIOR;
        let says_person = p >= PRIOR && is_said(person, like_person, by_type("person"));
        let says_place = l >= PRIOR && is_said(place, like_place, by_type("place"));
        if says_person && 2 * p >= 3 * l && most_p * p >= n {
            return "PERSON".to_owned();
        }
        if says_place && 2 * l >= 3 * p && most_l * l >= n {
            return "LOCATION".to_owned();
        }
        match entity_type {
            "place" => "LOCATION".to_owned(),
            "organisation" | "organization" => "ORGANIZATION".to_owned(),
            other => label(other),
        }
    }
}

/// An occurrence of a name.
struct Around<'a> {
    text: &'a str,
    tokens: &'a [Token],
    first: usize,
    last: usize,
}

impl Around<'_> {
    /// The word so many places before (`-1` is the last one) or after (`1`) the name, if no mark that ends a sentence or
    /// clause stands between; in Chinese nothing may.
    fn word(&self, offset: isize) -> &str {
        let edge = if offset < 0 { self.first } else { self.last - 1 };
        let Some(at) = edge.checked_add_signed(offset) else {
            return "";
        };
        let Some(token) = self.tokens.get(at) else { return "" };
        let (low, high) = if at < edge {
            (token, &self.tokens[edge])
        } else {
            (&self.tokens[edge], token)
        };
        let gap = self.text.get(low.end..high.start).unwrap_or("");
        let has_end =
            gap.contains(['!', '?', ';', ':']) || gap.contains('.') && !BEFORE_PERSON.contains(&token.key.as_str());
        if has_end { "" } else { &token.key }
    }

    /// Whether the words say a person, a place.
    fn english(&self) -> (bool, bool) {
        let (before, after) = (self.word(-1), self.word(1));
        let has = |list: &[&str], word: &str| list.binary_search(&word).is_ok();
        // "The whale's head" is no person's.
        let is_owner = after == "s" && before != "the" && has(OWN, self.word(2));
        let is_person = has(AFTER_PERSON, after) || has(BEFORE_PERSON, before) || is_owner;
        let is_place = has(BEFORE_PLACE, before) || before == "of" && has(OF_PLACE, self.word(-2));
        (is_person, is_place && after != "s")
    }

    fn han(&self) -> (bool, bool) {
        let next_to = |offset: isize| {
            let edge = if offset < 0 { self.first } else { self.last - 1 };
            let token = edge.checked_add_signed(offset).and_then(|at| self.tokens.get(at));
            let is_adjacent =
                |token: &&Token| token.end == self.tokens[edge].start || token.start == self.tokens[edge].end;
            token.filter(is_adjacent).map_or("", |token| token.key.as_str())
        };
        let (before, after) = (next_to(-1), next_to(1));
        let has = |list: &str, ch: &str| !ch.is_empty() && list.contains(ch);
        let is_person = has(AFTER_PERSON_HAN, after) || has(BEFORE_PERSON_HAN, before);
        (is_person, has(BEFORE_PLACE_HAN, before) || has(AFTER_PLACE_HAN, after))
    }
}

/// What the spelling of a name says for a person and for a place.
fn spelling(name: &str) -> (usize, usize) {
    if name.starts_with(is_ideograph) {
        let n_chars = name.chars().count();
        let is_person = has_surname(name) && (2..=MAX_PERSON_HAN).contains(&n_chars);
        let is_place = n_chars > 1 && name.chars().next_back().is_some_and(|last| PLACE_ENDS.contains(last));
        return (PRIOR * usize::from(is_person), PRIOR * usize::from(is_place));
    }
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let [first, .., last] = &words[..] else { return (0, 0) };
    let is_titled = BEFORE_PERSON.binary_search(&first.trim_end_matches('.')).is_ok();
    let is_place = [first, last]
        .into_iter()
        .any(|word| PLACE_NOUNS.binary_search(&word.as_str()).is_ok());
    (
        2 * PRIOR * usize::from(is_titled),
        2 * PRIOR * usize::from(is_place && !is_titled),
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anonymise::token::tokens;

    #[test]
    fn words_are_sorted_for_binary_search() {
        for list in [AFTER_PERSON, BEFORE_PERSON, OWN, BEFORE_PLACE, OF_PLACE, PLACE_NOUNS] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }

    /// The label of `name`, a thing by its type, in `text`.
    fn check(text: &str, name: &str, expected: &str) {
        let (tokens, form) = (tokens(text), tokens(name));
        let mut votes = Votes::default();
        for (at, window) in tokens.windows(form.len()).enumerate() {
            if window.iter().zip(&form).all(|(a, b)| a.key == b.key) {
                votes.add(text, &tokens, at, at + form.len());
            }
        }
        assert_eq!(votes.label("thing", name), expected, "{text}: {votes:?}");
    }

    #[test]
    fn words_around_a_name_and_its_own_tell_its_kind() {
        check("\"No,\" said Tobin. Tobin rose. I saw Tobin's face.", "Tobin", "PERSON");
        check(
            "In Skelva it rained. We came from Skelva. Off Skelva we lay.",
            "Skelva",
            "LOCATION",
        );
        check("Tobin's. Who said so? Tobin.", "Tobin", "THING");
        check("Father Reed", "Father Reed", "PERSON");
        check("the Amber Sea", "Amber Sea", "LOCATION");
        check("林远道：“好。”却说林远。", "林远", "PERSON");
        check("在青石庄上。到青石庄。", "青石庄", "LOCATION");
    }
}
