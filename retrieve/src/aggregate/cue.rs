//! Phrases of questions that say what to do, in general English.

use super::adjective::{self, Degree};
use super::catalogue::Catalogue;
use super::link::hinted;
use super::mark::{Aggregate, Ask, Compare, Mark, Meaning, Word, take};
use banyan_engine::table::Kind;

/// Longest phrase in words.
const MAX_WORDS: usize = 5;

/// Marks the phrases, longest first, the earlier one first.
pub(super) fn mark(words: &[Word], catalogue: &Catalogue, taken: &mut [Option<Mark>]) {
    let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    for n in (1..=MAX_WORDS).rev() {
        for from in 0..lower.len().saturating_sub(n - 1) {
            let phrase = lower[from..from + n].join(" ");
            let Some(meaning) = meaning(&phrase, from).filter(|meaning| !joins_clauses(meaning, words, from)) else {
                continue;
            };
            // A word of a column's own name is no cue: `average_rating`, `first_name`, `total_goals`.
            let is_name = n == 1 && names_column(words, from, catalogue) && !matches!(meaning, Meaning::Ask(_));
            if !is_name {
                take(taken, from, from + n, meaning);
            }
        }
    }
}

/// Whether `when` begins a clause rather than a question: `who won when …`, but `who won, and when`.
fn joins_clauses(meaning: &Meaning, words: &[Word], from: usize) -> bool {
    let asks_again = |before: &Word| matches!(before.lower.as_str(), "and" | "or");
    *meaning == Meaning::Ask(Ask::When) && from > 0 && !asks_again(&words[from - 1]) && !words[from].gap.contains(',')
}

/// Whether a word and a neighbour are both in the name of one column.
pub(super) fn names_column(words: &[Word], at: usize, catalogue: &Catalogue) -> bool {
    let neighbours = [at.checked_sub(1), Some(at + 1).filter(|next| *next < words.len())];
    catalogue.columns.iter().any(|view| {
        let name = banyan_extract::record::term::words(&view.column.name);
        let stems: Vec<String> = name.iter().map(|word| banyan_extract::stem::stem(word)).collect();
        let has = |word: &Word| stems.contains(&word.stem);
        has(&words[at])
            && neighbours
                .into_iter()
                .flatten()
                .any(|other| has(&words[other]) && words[other].stem != words[at].stem)
    })
}

fn meaning(phrase: &str, from: usize) -> Option<Meaning> {
    asks(phrase, from)
        .or_else(|| computes(phrase))
        .or_else(|| extremes(phrase))
        .or_else(|| compares(phrase))
        .or_else(|| joins(phrase))
}

pub(super) fn asks(phrase: &str, from: usize) -> Option<Meaning> {
    let ask = match phrase {
        "how many" | "how much" => Ask::HowMany,
        "what" => Ask::What,
        "which" => Ask::Which,
        "who" | "whom" | "whose" => Ask::Who,
        "when" => Ask::When,
        "where" if from == 0 => Ask::Where,
        "list" | "name" | "show" | "give" | "enumerate" | "identify" | "tell me" | "find" if from < 2 => Ask::List,
        "is" | "are" | "was" | "were" | "does" | "do" | "did" | "has" | "have" | "can" | "any" | "is there"
        | "are there"
            if from == 0 =>
        {
            Ask::YesNo
        }
        _ => return None,
    };
    Some(Meaning::Ask(ask))
}

fn computes(phrase: &str) -> Option<Meaning> {
    let aggregate = match phrase {
        "average" | "mean" | "on average" | "typical" | "typically" | "averaged" => Aggregate::Mean,
        "sum" | "total" | "in total" | "combined" | "altogether" | "sum of" | "cumulative" | "overall"
        | "total number of" | "total amount of" => Aggregate::Sum,
        "median" => Aggregate::Median,
        "standard deviation" => Aggregate::Deviation,
        "number of" | "count of" | "count" | "the number of" => Aggregate::Count,
        "different" | "distinct" | "unique" | "number of different" | "number of distinct" | "number of unique" => {
            Aggregate::Distinct
        }
        "percentage" | "percent" | "percentage of" | "proportion" | "share" | "fraction" | "what share of" => {
            Aggregate::Percentage
        }
        "difference" | "how many more" | "how much more" | "how many fewer" | "how much higher" | "how much less"
        | "gap" => Aggregate::Difference,
        "ratio" | "ratio of" => Aggregate::Ratio,
        _ => return None,
    };
    Some(Meaning::Aggregate(aggregate))
}

fn extremes(phrase: &str) -> Option<Meaning> {
    let is_max = match phrase {
        "most often" | "most common" | "most frequent" | "most frequently" | "the most times" | "most times"
        | "commonest" => {
            return Some(Meaning::MostOften { is_max: true });
        }
        "least often" | "least common" | "least frequent" | "least frequently" | "rarest" | "fewest times" => {
            return Some(Meaning::MostOften { is_max: false });
        }
        "most" | "maximum" | "greatest" | "max" | "top scoring" | "peak" | "highest number of"
        | "largest number of" | "greatest number of" | "record" => true,
        "fewest" | "minimum" | "least" | "min" | "lowest number of" | "smallest number of" | "fewest number of" => {
            false
        }
        _ => {
            let (hint, is_max) = adjective::find(phrase, Degree::Superlative)?;
            let hint = Some(hint);
            return Some(Meaning::Extreme { is_max, hint });
        }
    };
    Some(Meaning::Extreme { is_max, hint: None })
}

fn compares(phrase: &str) -> Option<Meaning> {
    use Compare::{After, AtLeast, AtMost, Before, Between, Equal, Less, More, Since, Until};
    let than = || adjective::find(phrase.strip_suffix(" than")?, Degree::Comparative);
    if let Some((hint, is_more)) = than() {
        let how = if is_more { More } else { Less };
        let hint = Some(hint);
        return Some(Meaning::Compare { how, hint });
    }
    let (how, hint) =
        match phrase {
            "more than" | "greater than" | "over" | "above" | "exceeding" | "exceeds" | "exceed" | "exceeded"
            | "better than" | "in excess of" => (More, ""),
            "less than" | "fewer than" | "under" | "below" | "worse than" => (Less, ""),
            "at least" | "no less than" | "no fewer than" | "not less than" | "minimum of" | "a minimum of"
            | "or more" => (AtLeast, ""),
            "at most" | "no more than" | "not more than" | "up to" | "maximum of" | "a maximum of"
            | "not exceeding" => (AtMost, ""),
            "exactly" | "equal to" | "precisely" | "equals" => (Equal, ""),
            "before" | "prior to" | "earlier than" => (Before, ""),
            "after" | "later than" | "following" => (After, ""),
            "since" | "from" | "starting in" | "starting from" => (Since, ""),
            "until" | "till" | "through" | "up until" | "by the end of" => (Until, ""),
            "between" => (Between, ""),
            "within" => (Less, "distance"),
            "rated above" | "rated over" => (More, "rating"),
            "rated below" | "rated under" => (Less, "rating"),
            "rated at least" => (AtLeast, "rating"),
            _ => return None,
        };
    let hint = adjective::of(hint);
    Some(Meaning::Compare { how, hint })
}

/// Marks what asks for a measure by its adjective: `how tall` asks for a height, `how much taller` for a difference of heights.
pub(super) fn measures(words: &[Word], catalogue: &Catalogue, taken: &mut [Option<Mark>]) {
    for at in 0..words.len() {
        let is = |at: usize, word: &str| words.get(at).is_some_and(|other| other.lower == word);
        if !is(at, "how") {
            continue;
        }
        let (adjective, degree, ask) = if is(at + 1, "much") {
            let ask = Meaning::Aggregate(Aggregate::Difference);
            (at + 2, Degree::Comparative, ask)
        } else {
            (at + 1, Degree::Positive, Meaning::Ask(Ask::What))
        };
        let measure = words
            .get(adjective)
            .and_then(|word| adjective::find(&word.lower, degree));
        let Some((measure, _)) = measure else { continue };
        let found = hinted(measure, catalogue, Kind::is_number);
        let is_free = taken[at..=adjective].iter().all(Option::is_none);
        if is_free && !found.is_empty() {
            take(taken, at, adjective, ask);
            let found = found.into_iter().map(|column| (column, 1.0)).collect();
            take(taken, adjective, adjective + 1, Meaning::Column(found));
        }
    }
}

fn joins(phrase: &str) -> Option<Meaning> {
    Some(match phrase {
        "without" | "no" | "not" | "don't" | "doesn't" | "didn't" | "isn't" | "aren't" | "lack" | "lacks"
        | "lacking" | "do not" | "does not" | "did not" | "has no" | "have no" | "never" => Meaning::Not,
        "per" | "for each" | "in each" | "each" | "every" | "for every" | "by each" | "of each" | "grouped by"
        | "broken down by" | "across each" => Meaning::Each,
        "and" | "as well as" | "but" | "both" => Meaning::And,
        "or" => Meaning::Or,
        "than" | "versus" | "vs" | "compared to" | "compared with" => Meaning::Than,
        "once" => Meaning::Times(1.0),
        "twice" => Meaning::Times(2.0),
        "times" | "occasions" | "number of times" => Meaning::Occasions,
        "top" => Meaning::Top,
        _ => return None,
    })
}
