//! Phrases of questions that say what to do, in general English.

use super::catalogue::Catalogue;
use super::mark::{Aggregate, Ask, Compare, Mark, Meaning, Word, take};

/// Longest phrase in words.
const MAX_WORDS: usize = 5;

/// Marks the phrases, longest first, the earlier one first.
pub(super) fn mark(words: &[Word], catalogue: &Catalogue, taken: &mut [Option<Mark>]) {
    let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    for n in (1..=MAX_WORDS).rev() {
        for from in 0..lower.len().saturating_sub(n - 1) {
            let phrase = lower[from..from + n].join(" ");
            let Some(meaning) = meaning(&phrase, from) else {
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

/// Whether a word and a neighbour are both in the name of one column.
pub(super) fn names_column(words: &[Word], at: usize, catalogue: &Catalogue) -> bool {
    let neighbours = [at.checked_sub(1), Some(at + 1).filter(|next| *next < words.len())];
    catalogue.columns.iter().any(|view| {
        let name = banyan_extract::record::thesaurus::words(&view.column.name);
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

fn asks(phrase: &str, from: usize) -> Option<Meaning> {
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
    let (is_max, hint) = match phrase {
        "most often" | "most common" | "most frequent" | "most frequently" | "the most times" | "most times"
        | "commonest" => {
            return Some(Meaning::MostOften { is_max: true });
        }
        "least often" | "least common" | "least frequent" | "least frequently" | "rarest" | "fewest times" => {
            return Some(Meaning::MostOften { is_max: false });
        }
        "most" | "highest" | "maximum" | "greatest" | "max" | "top scoring" | "peak" | "highest number of"
        | "largest number of" | "greatest number of" | "record" => (true, ""),
        "fewest" | "lowest" | "minimum" | "least" | "min" | "lowest number of" | "smallest number of"
        | "fewest number of" => (false, ""),
        "largest" | "biggest" => (true, "size"),
        "smallest" => (false, "size"),
        "most expensive" | "priciest" | "costliest" | "dearest" => (true, "price"),
        "cheapest" | "least expensive" | "most affordable" => (false, "price"),
        "best" | "best rated" | "highest rated" | "top rated" | "best reviewed" => (true, "rating"),
        "worst" | "worst rated" | "lowest rated" | "poorest" => (false, "rating"),
        "most reviewed" => (true, "review"),
        "oldest" => (false, "time founded"),
        "newest" | "youngest" => (true, "time founded"),
        "earliest" | "first" | "for the first time" | "first time" => (false, "time"),
        "latest" | "last" | "most recent" | "most recently" | "for the last time" | "last time" => (true, "time"),
        "longest" => (true, "length duration"),
        "shortest" => (false, "length duration height"),
        "tallest" => (true, "height"),
        "heaviest" => (true, "weight"),
        "lightest" => (false, "weight"),
        "fastest" | "quickest" => (true, "speed"),
        "slowest" => (false, "speed"),
        "closest" | "nearest" => (false, "distance"),
        "furthest" | "farthest" | "most distant" | "most remote" => (true, "distance"),
        "deepest" => (true, "depth"),
        "widest" => (true, "width"),
        "most populous" | "most populated" => (true, "population"),
        "least populous" => (false, "population"),
        "most popular" => (true, "visitor review rating"),
        _ => return None,
    };
    Some(Meaning::Extreme { is_max, hint })
}

fn compares(phrase: &str) -> Option<Meaning> {
    use Compare::{After, AtLeast, AtMost, Before, Between, Equal, Less, More, Since, Until};
    let (how, hint) =
        match phrase {
            "more than" | "greater than" | "higher than" | "over" | "above" | "exceeding" | "exceeds" | "exceed"
            | "exceeded" | "bigger than" | "larger than" | "better than" | "in excess of" => (More, ""),
            "less than" | "fewer than" | "lower than" | "under" | "below" | "smaller than" | "worse than"
            | "not more than"
                if phrase != "not more than" =>
            {
                (Less, "")
            }
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
            "cheaper than" | "less expensive than" => (Less, "price"),
            "more expensive than" | "pricier than" | "dearer than" => (More, "price"),
            "older than" => (Less, "time founded"),
            "newer than" | "younger than" => (More, "time founded"),
            "longer than" => (More, "length duration"),
            "shorter than" => (Less, "length duration height"),
            "taller than" => (More, "height"),
            "heavier than" => (More, "weight"),
            "lighter than" => (Less, "weight"),
            "faster than" => (More, "speed"),
            "slower than" => (Less, "speed"),
            "closer than" | "nearer than" | "within" => (Less, "distance"),
            "further than" | "farther than" => (More, "distance"),
            "rated above" | "rated over" | "rated higher than" => (More, "rating"),
            "rated below" | "rated under" | "rated lower than" => (Less, "rating"),
            "rated at least" => (AtLeast, "rating"),
            _ => return None,
        };
    Some(Meaning::Compare { how, hint })
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
