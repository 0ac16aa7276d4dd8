//! Nested descriptions in English questions, by rules on phrases.
//!
//! A description is a noun with what says which one is meant, by a name: "the performer of Teak", "Teak's performer",
//! "the town where the Ondle rises", "the company that built Tidd Bridge". The innermost becomes the first step and a
//! variable in the rest of the question; then the rest is read in the same way.

use super::token::{self, Kind, Token};
use super::{Author, Decompose, Decomposition, MAX_STEPS, Shape, SubQuery, variables};
use crate::answer::Expected;
use banyan_engine::Schema;
use banyan_engine::index::term;

/// Takes English questions apart by rules; any other question stays whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Decompose for Embedded {
    fn decompose(&self, question: &str, names: &[&str], schema: &Schema) -> Decomposition {
        if !variables(question).is_empty() {
            // Its own marks could not be told from variables.
            return Decomposition::whole(question, schema);
        }
        let mut steps: Vec<SubQuery> = Vec::new();
        let mut rest = question.trim().to_owned();
        while steps.len() + 1 < MAX_STEPS && !sets_against(&rest) {
            let Some((start, end)) = innermost(&rest, names, schema) else {
                break;
            };
            let mut step = SubQuery::read(&rest[start..end], steps.len(), schema);
            step.expected = head_kind(&rest[start..end], names, schema);
            steps.push(step);
            rest.replace_range(start..end, &format!("#{}", steps.len()));
        }
        let last = SubQuery::read(&rest, steps.len(), schema);
        steps.push(last);
        Decomposition {
            shape: shape(question, &steps),
            steps,
            author: Author::Embedded,
        }
    }
}

/// Words that begin a clause which describes the noun before it.
const RELATIVE: &[&str] = &["that", "where", "which", "who", "whom", "whose", "when"];
/// Words that may follow the name at the end of a clause: its verb and what hangs on it.
const AUXILIARY: &[&str] = &[
    "is", "was", "are", "were", "has", "had", "did", "does", "can", "could", "will",
];
const PREPOSITION: &[&str] = &[
    "at", "by", "for", "from", "in", "into", "near", "of", "on", "to", "under", "with",
];
/// Participles without a regular ending.
const PARTICIPLES: &[&str] = &[
    "born", "built", "found", "held", "known", "led", "made", "set", "shot", "won",
];
/// Nouns after "place of", "city of" … that make it an event in a life.
const EVENTS: &[&str] = &["birth", "citizenship", "death", "origin"];
const DETERMINER: &[&str] = &["a", "an", "the", "its", "this"];
/// Most words between the noun and the name, and of a description beside its names. Arbitrary.
const MAX_INNER: usize = 9;

/// Whether a question sets several things against each other: what it says holds of each of them.
fn sets_against(text: &str) -> bool {
    let plain = format!(" {} ", token::plain(text));
    [" or ", " both ", " same "].iter().any(|word| plain.contains(word)) && {
        let first = plain.split_whitespace().next().unwrap_or_default();
        plain.contains(" or ") || AUXILIARY.contains(&first) || first == "do"
    }
}

/// The bytes of the shortest description that leaves a question around it.
fn innermost(text: &str, names: &[&str], schema: &Schema) -> Option<(usize, usize)> {
    let tokens = token::tokens(text, names);
    let things = (0..tokens.len()).filter(|at| tokens[*at].is_thing());
    things
        .flat_map(|at| {
            let found = [
                possessive(&tokens, at, schema),
                of_phrase(&tokens, at, schema),
                clause(&tokens, at),
            ];
            found.into_iter().flatten()
        })
        .map(|(first, end)| (tokens[first].span.start as usize, tokens[end - 1].span.end as usize))
        .filter(|(start, end)| leaves_a_question(text, *start, *end))
        .min_by_key(|(start, end)| (end - start, *start))
}

/// Whether something is asked of the description: there are words outside that are neither small nor empty.
fn leaves_a_question(text: &str, start: usize, end: usize) -> bool {
    let outside = format!("{} {}", &text[..start], &text[end..]);
    let lower = outside.to_lowercase();
    let says = lower.split(|ch: char| !ch.is_alphanumeric() && ch != '#').any(|word| {
        !word.is_empty() && !term::is_stop_word(word) && !matches!(word, "name" | "called" | "s" | "exactly")
    });
    says || lower.trim_start().starts_with("when was ") || lower.trim_start().starts_with("where was ")
}

/// "Teak's performer", up to four words after the name.
fn possessive(tokens: &[Token<'_>], at: usize, schema: &Schema) -> Option<(usize, usize)> {
    let mark = tokens.get(at + 1)?;
    let is_possessive = matches!(mark.text, "'s" | "’s" | "'" | "’");
    if !is_possessive {
        return None;
    }
    let first = at + 2;
    let n_words = tokens[first..]
        .iter()
        .take(4)
        .take_while(|token| token.kind == Kind::Word)
        .count();
    let last = (first..first + n_words)
        .take_while(|n| !tokens[*n].is_of(AUXILIARY))
        .find(|n| is_head(tokens[*n].text, schema))?;
    Some((at, birth_or_death(tokens, last + 1)))
}

/// "city of birth", "place of death": one past the second noun.
fn birth_or_death(tokens: &[Token<'_>], end: usize) -> usize {
    let is_of = tokens.get(end).is_some_and(|token| token.is_of(&["of"]));
    let is_event = tokens.get(end + 1).is_some_and(|token| token.is_of(EVENTS));
    if is_of && is_event { end + 2 } else { end }
}

/// "the performer of song Teak": a noun, "of" or "by", at most two words, the name.
fn of_phrase(tokens: &[Token<'_>], at: usize, schema: &Schema) -> Option<(usize, usize)> {
    let of = (at.saturating_sub(4)..at)
        .rev()
        .find(|n| tokens[*n].is_of(&["of", "by"]))?;
    let is_plain = |token: &Token<'_>| token.kind == Kind::Word && !token.is_of(AUXILIARY) && !token.is_of(RELATIVE);
    if !tokens[of + 1..at].iter().all(is_plain) || is_owner(tokens, at) {
        return None;
    }
    let head = of.checked_sub(1)?;
    let is_event = tokens[head].is_of(EVENTS);
    let head = if is_event { head.checked_sub(2)? } else { head };
    let kind = kind_of(tokens[head].text, schema)?;
    // "the village of Tidd" names Tidd itself.
    let is_place = matches!(kind, Expected::Entity(kind) if schema.type_id("place") == Some(kind));
    if is_place && tokens[at].kind == Kind::Name && !is_event && !tokens[head].is_of(PLACES) {
        return None;
    }
    let start = noun_start(tokens, head)?;
    (!tokens[start].is_of(&["a", "an"])).then_some((start, at + 1))
}

/// Whether a possessive ending follows the name.
fn is_owner(tokens: &[Token<'_>], at: usize) -> bool {
    tokens
        .get(at + 1)
        .is_some_and(|mark| matches!(mark.text, "'s" | "’s" | "'" | "’"))
}

/// "the town where the Ondle rises", "the company that built Tidd Bridge", "the airport named after Mara Voss", "the country
/// Mara Voss is from".
fn clause(tokens: &[Token<'_>], at: usize) -> Option<(usize, usize)> {
    if is_owner(tokens, at) {
        return None;
    }
    let lowest = at.saturating_sub(MAX_INNER);
    let bare = bare_opener(tokens, at);
    let opener = bare.or_else(|| (lowest..at).rev().find(|n| opens_clause(tokens, *n)))?;
    let is_broken = tokens[opener..at].iter().any(|token| matches!(token.text, "?" | "."));
    let mut head = opener.checked_sub(1)?;
    while head > 0 && (tokens[head].is_of(PREPOSITION) || tokens[head].text == ",") {
        head -= 1;
    }
    if is_broken || tokens[head].kind != Kind::Word || term::is_stop_word(&tokens[head].text.to_lowercase()) {
        return None;
    }
    let start = noun_start(tokens, head).filter(|start| tokens[*start].is_of(DETERMINER))?;
    let has_preposition = tokens[opener - 1].is_of(PREPOSITION);
    let is_about_object = bare.is_some()
        || tokens[opener].is_of(&["where", "when", "whose"])
        || has_preposition
        || is_subject(tokens, opener, at);
    let end = if is_about_object {
        verb_end(tokens, at + 1)
    } else {
        object_end(tokens, at + 1)
    };
    Some((start, end))
}

/// "the country Mara Voss is from": the name follows a noun, and a verb that ends with a preposition follows the name.
fn bare_opener(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let first = if at > 0 && tokens[at - 1].is_of(DETERMINER) {
        at - 1
    } else {
        at
    };
    let is_noun = first > 1
        && tokens[first - 1].kind == Kind::Word
        && !term::is_stop_word(&tokens[first - 1].text.to_lowercase());
    let end = verb_end(tokens, at + 1);
    (is_noun && end > at + 2 && tokens[end - 1].is_of(PREPOSITION)).then_some(first)
}

/// Whether the name is the subject of the clause: nothing but a determiner stands between.
fn is_subject(tokens: &[Token<'_>], opener: usize, at: usize) -> bool {
    tokens[opener].is_of(RELATIVE) && tokens[opener + 1..at].iter().all(|token| token.is_of(DETERMINER))
}

/// One past what follows the object of a clause and still belongs to it: "who played Aron in Teak", "in 1930".
fn object_end(tokens: &[Token<'_>], at: usize) -> usize {
    let is_place = tokens
        .get(at)
        .is_some_and(|token| token.is_of(&["in", "on", "at", "during"]));
    let is_thing = tokens
        .get(at + 1)
        .is_some_and(|token| token.kind == Kind::Name || token.text.starts_with(|ch: char| ch.is_ascii_digit()));
    if is_place && is_thing {
        object_end(tokens, at + 2)
    } else {
        at
    }
}

fn opens_clause(tokens: &[Token<'_>], at: usize) -> bool {
    let token = &tokens[at];
    if at == 0 || token.kind != Kind::Word {
        return false;
    }
    let before = &tokens[at - 1];
    if token.is_of(RELATIVE) {
        return true;
    }
    let is_participle = (token.text.ends_with("ed")
        || token.text.ends_with("ing")
        || token.is_of(&["known", "built", "led", "won", "made", "written"]))
        && token.text.len() > 4;
    is_participle
        && before.kind == Kind::Word
        && !before.is_of(AUXILIARY)
        && !term::is_stop_word(&before.text.to_lowercase())
}

/// One past the verb that ends a clause after its name: "is located", "was a citizen", "lived in when he died".
fn verb_end(tokens: &[Token<'_>], at: usize) -> usize {
    let is = |n: usize, words: &[&str]| tokens.get(n).is_some_and(|token| token.is_of(words));
    let is_content = |n: usize| {
        tokens
            .get(n)
            .is_some_and(|token| token.kind == Kind::Word && !term::is_stop_word(&token.text.to_lowercase()))
    };
    let is_participle = |n: usize| {
        is_content(n) && (tokens[n].text.ends_with("ed") || tokens[n].text.ends_with("en") || is(n, PARTICIPLES))
    };
    let mut end = at;
    if is(end, AUXILIARY) {
        end += 1;
        if is(end, &["be", "been"]) {
            end += 1;
        }
        if is(end, &["a", "an", "part"]) {
            end += 1 + usize::from(is(end, &["a", "an"]));
        } else if is_participle(end) {
            end += 1;
            if is(end, &["to"]) && is(end + 1, &["be", "have"]) && is_content(end + 2) {
                end += 3;
            } else if is(end, &["to"]) && is_content(end + 1) {
                end += 2;
            }
        }
    } else if is_content(end) {
        end += 1;
        end += usize::from(is(end, &["place"]));
        // "got his doctorates"
        end += 2 * usize::from(is(end, &["his", "her", "its", "their"]) && is_content(end + 1));
    }
    if is(end, PREPOSITION)
        && tokens
            .get(end + 1)
            .is_none_or(|next| next.kind != Kind::Name && !next.is_of(DETERMINER))
    {
        end += 1;
    }
    if is(end, &["when"]) && is(end + 1, &["he", "she", "it", "they"]) && is_content(end + 2) {
        end += 3;
    }
    end
}

/// Where the noun phrase with this head begins: at its determiner, with at most four words between.
fn noun_start(tokens: &[Token<'_>], head: usize) -> Option<usize> {
    let lowest = head.saturating_sub(5);
    let start = (lowest..=head).rev().find(|n| tokens[*n].is_of(DETERMINER));
    let is_modifier = |token: &Token<'_>| {
        token.kind != Kind::Mark && !token.is_of(PREPOSITION) && !token.is_of(AUXILIARY) && !token.is_of(RELATIVE)
    };
    match start {
        Some(start) if tokens[start + 1..=head].iter().all(is_modifier) => Some(start),
        _ => {
            let bare = head > 0 && !tokens[head - 1].is_of(RELATIVE) && !tokens[head - 1].is_of(&["what", "how"]);
            bare.then_some(head)
        }
    }
}

/// Whether a noun can be described by a name: it denotes a type, or a relation bears its name.
fn is_head(noun: &str, schema: &Schema) -> bool {
    kind_of(noun, schema).is_some()
}

/// Nouns for places of an event in a life.
const PLACES: &[&str] = &["birthplace", "hometown", "home", "nationality", "headquarters"];

fn kind_of(noun: &str, schema: &Schema) -> Option<Expected> {
    let lower = noun.to_lowercase();
    let single = term::singular(lower.clone());
    let typed = |name: &str| schema.type_id(name).map(Expected::Entity);
    if PLACES.contains(&lower.as_str()) {
        return typed("place");
    }
    if let Some(kind) = Expected::denoted(&single, schema) {
        return Some(Expected::Entity(kind));
    }
    let phrase = format!("{single} of");
    let relation = schema
        .relation_ids()
        .find(|(_, relation)| relation.name == single || relation.aliases.contains(&phrase));
    let (_, relation) = relation?;
    // "X is the spouse of Y": the noun names the head; "director" names the tail.
    let ends = if relation.name == single {
        &relation.range
    } else {
        &relation.domain
    };
    ends.first().and_then(|name| typed(name)).or(Some(Expected::Any))
}

/// The kind of thing that a description means: that of its head noun.
fn head_kind(text: &str, names: &[&str], schema: &Schema) -> Expected {
    let tokens = token::tokens(text, names);
    let after_possessive = tokens.iter().position(|token| matches!(token.text, "'s" | "’s"));
    let nouns: Vec<&Token<'_>> = match after_possessive {
        Some(at) => tokens[at + 1..].iter().collect(),
        None => tokens
            .iter()
            .take_while(|token| !token.is_of(PREPOSITION) && !token.is_of(RELATIVE))
            .collect(),
    };
    let mut words = nouns.iter().rev().filter(|token| token.kind == Kind::Word);
    words
        .find_map(|token| kind_of(token.text, schema))
        .unwrap_or(Expected::Any)
}

fn shape(question: &str, steps: &[SubQuery]) -> Shape {
    let plain = format!(" {} ", token::plain(question));
    let expected = steps.last().map(|step| step.expected);
    match expected {
        Some(Expected::YesNo) => Shape::YesNo,
        _ if plain.contains(" or ") => Shape::Comparison,
        _ if plain.starts_with(" how many ") && steps.len() == 1 => Shape::Count,
        _ if steps.len() > 1 => Shape::Bridge,
        _ => Shape::Single,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, names: &[&str], expected: &[&str]) {
        let schema = Schema::general().unwrap();
        let decomposition = Embedded.decompose(question, names, &schema);
        let texts: Vec<&str> = decomposition.steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(texts, expected, "{question}");
        for (position, step) in decomposition.steps.iter().enumerate() {
            assert!(step.depends_on.iter().all(|needed| *needed <= position), "{question}");
        }
    }

    #[test]
    fn the_innermost_description_comes_first() {
        check(
            "Who is the spouse of the performer of Teak Nights?",
            &[],
            &["the performer of Teak Nights", "Who is the spouse of #1?"],
        );
        check(
            "When did the wife of Teak Nights's director die?",
            &[],
            &["Teak Nights's director", "the wife of #1", "When did #2 die?"],
        );
        check(
            "What is the population of the county where the town of Tidd is located?",
            &[],
            &[
                "the county where the town of Tidd is located",
                "What is the population of #1?",
            ],
        );
        check(
            "Who led the country Mara Voss is from?",
            &[],
            &["the country Mara Voss is from", "Who led #1?"],
        );
        check(
            "Who founded the company that built Tidd Bridge in 1901?",
            &[],
            &["the company that built Tidd Bridge in 1901", "Who founded #1?"],
        );
    }

    #[test]
    fn a_name_that_the_corpus_knows_is_one_name() {
        check(
            "Where was the author of The boats that left born?",
            &["The boats that left"],
            &["the author of The boats that left", "Where was #1 born?"],
        );
    }

    #[test]
    fn what_has_no_nested_description_stays_whole() {
        for question in [
            "",
            "Who led Tidd?",
            "Which is older, Tidd Bridge or Ansay Pier?",
            "塔在哪里？",
            "🦀🦀 #1 #9 '; DROP TABLE",
        ] {
            check(question, &[], &[question]);
        }
    }

    #[test]
    fn steps_know_what_they_ask_for() {
        let schema = Schema::general().unwrap();
        let decomposition = Embedded.decompose("Who is the spouse of the performer of Teak?", &[], &schema);
        let person = Expected::Entity(schema.type_id("person").unwrap());
        let kinds: Vec<Expected> = decomposition.steps.iter().map(|step| step.expected).collect();
        assert_eq!(kinds, [person, person]);
        let relations = |n: usize| {
            decomposition.steps[n]
                .relations
                .iter()
                .map(|id| schema.relation_name(*id))
                .collect::<Vec<_>>()
        };
        assert_eq!((relations(0), relations(1)), (vec!["performer"], vec!["spouse"]));
        assert_eq!(
            decomposition.steps[1].filled(&[Some("Mara Voss")]),
            "Who is the spouse of Mara Voss?"
        );
        assert_eq!(decomposition.rounds(), [vec![0], vec![1]]);
        assert_eq!(decomposition.shape, Shape::Bridge);
    }
}
