//! The words of questions that say what to do, in general English, and the adjectives that say what is measured.

use super::query::{Function, Operator};
use crate::question::is_among;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// What, which, or an order to list.
    What,
    /// Who: somebody with a name.
    Who,
    When,
    HowMany,
    /// How much: an amount, never a count.
    HowMuch,
    YesNo,
}

/// A word or phrase that says what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Ask(Ask),
    /// What is computed of a column.
    Function(Function),
    /// `number of`.
    Count,
    Percentage,
    /// The largest, or the smallest; with what the word itself measures (`cheapest`: price).
    Extreme(Degree),
    /// `most common`, `least often`.
    Frequent {
        is_max: bool,
    },
    /// A comparison with what follows; with what the word itself measures (`cheaper than`).
    Compare(Operator, Option<Degree>),
    Between,
    /// `or more` after a number.
    OrBeyond(Operator),
    Not,
    /// `per`, `for each`.
    Each,
    And,
    Or,
    Top,
    /// A word of grammar that asks nothing and restricts nothing.
    Small,
}

/// Which end of which measure an adjective means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Degree {
    pub(super) is_max: bool,
    /// The measure; `None` for words without their own, such as `greatest`.
    pub(super) measure: Option<&'static Measure>,
    /// Whether it goes with any number, too: the highest price.
    pub(super) is_any: bool,
}

/// What adjectives measure.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// Words of the name of a column that says it.
    pub(super) names: &'static str,
    /// The dimension of that column's unit; empty where it has none.
    pub(super) dimension: &'static str,
    more: &'static [&'static str],
    less: &'static [&'static str],
    /// Whether it is a place in time: what is older came earlier.
    pub(super) is_time: bool,
}

const fn measure(
    names: &'static str,
    dimension: &'static str,
    more: &'static [&'static str],
    less: &'static [&'static str],
) -> Measure {
    Measure {
        names,
        dimension,
        more,
        less,
        is_time: dimension.is_empty(),
    }
}

/// The dimensions that adjectives of English have.
const MEASURES: &[Measure] = &[
    measure("height", "length", &["tall", "high"], &["low"]),
    measure("length duration", "length", &["long"], &["short"]),
    measure("weight mass", "mass", &["heavy"], &["light"]),
    measure("speed", "speed", &["fast"], &["slow"]),
    measure("distance", "length", &["far"], &["near", "close"]),
    measure("depth", "length", &["deep"], &["shallow"]),
    measure("width", "length", &["wide", "broad"], &["narrow"]),
    measure("price cost", "money", &["expensive", "costly"], &["cheap"]),
    measure("temperature", "temperature", &["hot", "warm"], &["cold", "cool"]),
    measure("year date", "", &["new", "young", "late", "recent"], &["old", "early"]),
];
/// Adjectives that go with any number; `most` and `least` are their superlatives, too.
const MORE: &[&str] = &["high", "large", "big", "great", "most", "maximum"];
const LESS: &[&str] = &["low", "small", "few", "least", "minimum"];

/// Words of grammar, and verbs that only say that something is there, or has something.
const SMALL: &str = "a all also among an any appear appears are at be been by called can carry contain did do does for had has have \
    having hold in include included includes including is it its located made me of offer offered offering offers \
    on please provide provided provides s that the their there these they this those to was were which who will \
    with";
pub(super) const MAX_WORDS: usize = 4;

/// What a phrase in lower case says; `from` is the position of its first word in the question.
pub(super) fn keyword(phrase: &str, from: usize) -> Option<Keyword> {
    use Keyword::{
        And, Between, Compare, Count, Each, Frequent, Function as Computes, Not, Or, OrBeyond, Percentage, Top,
    };
    use Operator::{AtLeast, AtMost, Equal, Less, More};
    let found = match phrase {
        "how many" => Keyword::Ask(Ask::HowMany),
        "how much" => Keyword::Ask(Ask::HowMuch),
        "whose" if from > 0 => Keyword::Small,
        "what" | "which" | "whose" => Keyword::Ask(Ask::What),
        "who" => Keyword::Ask(Ask::Who),
        "when" => Keyword::Ask(Ask::When),
        "list" | "name" | "show" | "give" | "find" if from == 0 => Keyword::Ask(Ask::What),
        "count" if from == 0 => Keyword::Ask(Ask::HowMany),
        "is" | "are" | "was" | "were" | "do" | "does" | "did" | "has" | "have" if from == 0 => Keyword::Ask(Ask::YesNo),
        "average" | "mean" | "on average" => Computes(Function::Mean),
        "sum" | "total" | "in total" | "altogether" => Computes(Function::Sum),
        "median" => Computes(Function::Median),
        "different" | "distinct" | "unique" => Computes(Function::Distinct),
        "number of" | "count of" => Count,
        "percentage" | "percent" | "proportion" | "share" => Percentage,
        "most common" | "most often" | "most frequent" | "most frequently" => Frequent { is_max: true },
        "least common" | "least often" | "least frequent" | "least frequently" => Frequent { is_max: false },
        "more than" | "greater than" | "over" | "above" | "exceeding" | "after" | "later than" => Compare(More, None),
        "less than" | "fewer than" | "under" | "below" | "before" | "earlier than" => Compare(Less, None),
        "at least" | "no less than" | "no fewer than" | "since" => Compare(AtLeast, None),
        "at most" | "no more than" | "up to" | "until" => Compare(AtMost, None),
        "exactly" | "equal to" => Compare(Equal, None),
        "between" => Between,
        "or more" | "or later" | "or above" => OrBeyond(AtLeast),
        "or less" | "or fewer" | "or earlier" | "or below" => OrBeyond(AtMost),
        "without" | "not" | "no" | "never" => Not,
        "per" | "each" | "every" | "for each" | "in each" | "of each" | "for every" => Each,
        "and" => And,
        "or" => Or,
        "top" => Top,
        _ if phrase.ends_with("n't") || phrase.ends_with("n’t") => Not,
        _ if is_among(SMALL, phrase) => Keyword::Small,
        _ => return compared(phrase).or_else(|| superlative(phrase).map(Keyword::Extreme)),
    };
    Some(found)
}

/// `taller than`, `more expensive than`.
fn compared(phrase: &str) -> Option<Keyword> {
    let adjective = phrase.strip_suffix(" than")?;
    let degree = match adjective.split_once(' ') {
        Some(("more", base)) => degree(base)?,
        Some(("less", base)) => turned(degree(base)?),
        Some(_) => return None,
        None => degrees(adjective, "er")?,
    };
    let operator = if degree.is_max { Operator::More } else { Operator::Less };
    Some(Keyword::Compare(operator, Some(degree)))
}

fn superlative(phrase: &str) -> Option<Degree> {
    match phrase.split_once(' ') {
        Some(("most", base)) => degree(base),
        Some(("least", base)) => degree(base).map(turned),
        Some(_) => None,
        None => match phrase {
            "first" => degree("early"),
            "last" => degree("late"),
            "most" | "maximum" | "least" | "minimum" => degree(phrase),
            _ => degrees(phrase, "est"),
        },
    }
}

fn turned(degree: Degree) -> Degree {
    Degree {
        is_max: !degree.is_max,
        ..degree
    }
}

/// What an adjective with this ending means: `heaviest`, `wider`, `biggest`, `tallest`.
fn degrees(word: &str, ending: &str) -> Option<Degree> {
    let stem = word.strip_suffix(ending)?;
    let bases = [
        Some(stem.to_owned()),
        Some(format!("{stem}e")),
        stem.strip_suffix('i').map(|stem| format!("{stem}y")),
        stem.char_indices().last().map(|(at, _)| stem[..at].to_owned()),
        (stem == "furth" || stem == "farth").then(|| "far".to_owned()),
    ];
    bases.into_iter().flatten().find_map(|base| degree(&base))
}

pub(super) fn degree(base: &str) -> Option<Degree> {
    let measure = MEASURES
        .iter()
        .find(|one| one.more.contains(&base) || one.less.contains(&base));
    let is_any = MORE.contains(&base) || LESS.contains(&base);
    let is_max = MORE.contains(&base) || measure.is_some_and(|one| one.more.contains(&base));
    (is_any || measure.is_some()).then_some(Degree {
        is_max,
        measure,
        is_any,
    })
}

/// The measure that a noun says by itself: a cost is a price.
pub(super) fn named(noun: &str) -> Option<&'static Measure> {
    MEASURES
        .iter()
        .find(|measure| measure.names.split(' ').any(|name| name == noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjectives_say_a_measure_and_its_end() {
        let check = |phrase: &str, expected: Option<(bool, &str)>| {
            let found = match keyword(phrase, 3) {
                Some(Keyword::Extreme(degree) | Keyword::Compare(_, Some(degree))) => {
                    Some((degree.is_max, degree.measure.map_or("", |measure| measure.names)))
                }
                _ => None,
            };
            assert_eq!(found, expected, "{phrase}");
        };
        check("tallest", Some((true, "height")));
        check("heaviest", Some((true, "weight mass")));
        check("widest", Some((true, "width")));
        check("biggest", Some((true, "")));
        check("lowest", Some((false, "height")));
        check("most expensive", Some((true, "price cost")));
        check("cheaper than", Some((false, "price cost")));
        check("older than", Some((false, "year date")));
        check("less expensive than", Some((false, "price cost")));
        check("fewest", Some((false, "")));
        check("forest", None);
        check("rather than", None);
    }
}
