//! Questions over the records.

use super::filter::{chosen, filter, filters};
use super::record::{Hotel, Value};
use super::shape::{difference, distinct, exists, list, lookup, most_common, percentage, top};
use crate::draw::Draw;

/// Draws for each question wanted, before a corpus too small for all of them is left with fewer.
const MAX_DRAWS: usize = 60;

/// A question with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its shape.
    pub kind: &'static str,
    /// The question.
    pub question: String,
    /// The answer, from the records.
    pub answer: String,
    /// SQL over the records that gives it.
    pub sql: String,
}

/// Numeric columns: name, how questions call it, superlative up and down.
pub(super) const MEASURES: [(&str, &[&str], &str, &str); 7] = [
    (
        "guest_rating",
        &["guest rating", "rating"],
        "highest guest rating",
        "lowest rating",
    ),
    (
        "reviews",
        &["number of reviews", "review count"],
        "most reviews",
        "fewest reviews",
    ),
    ("rooms", &["number of rooms"], "most rooms", "fewest rooms"),
    (
        "price_per_night",
        &["price per night", "nightly price"],
        "highest price per night",
        "lowest price",
    ),
    ("stars", &["number of stars"], "most stars", "fewest stars"),
    (
        "distance_to_center",
        &["distance to the city center"],
        "greatest distance to the city center",
        "shortest distance to the city center",
    ),
    (
        "distance_to_airport",
        &["distance to the airport"],
        "greatest distance to the airport",
        "smallest distance to the airport",
    ),
];
/// `n` questions with answers that are not empty and of which there is one. Cost O(n · hotels).
pub fn questions(hotels: &[Hotel], n: usize, seed: u64) -> Vec<Question> {
    let mut draw = Draw::new(seed ^ 0x5151);
    let mut found: Vec<Question> = Vec::new();
    for _ in 0..n * MAX_DRAWS {
        if found.len() == n {
            break;
        }
        let question = question(hotels, &mut draw, found.len());
        if let Some(question) = question.filter(|new| found.iter().all(|old| old.question != new.question)) {
            found.push(question);
        }
    }
    found
}

fn question(hotels: &[Hotel], draw: &mut Draw, turn: usize) -> Option<Question> {
    match turn % 20 {
        0 | 1 => count(hotels, draw),
        2 | 3 => aggregate(hotels, draw, "avg"),
        4 => aggregate(hotels, draw, "sum"),
        5 => aggregate(hotels, draw, "max"),
        6 => aggregate(hotels, draw, "min"),
        7 => aggregate(hotels, draw, "median"),
        8 | 9 => extreme(hotels, draw, true),
        10 => extreme(hotels, draw, false),
        11 => extreme_of(hotels, draw),
        12 => lookup(hotels, draw),
        13 => list(hotels, draw),
        14 => most_common(hotels, draw),
        15 => percentage(hotels, draw),
        16 => distinct(hotels, draw),
        17 => difference(hotels, draw),
        18 => top(hotels, draw),
        _ => Some(exists(hotels, draw)),
    }
}

/// At most two decimals.
pub(super) fn rounded(number: f64) -> String {
    ((number * 100.0).round() / 100.0).to_string()
}

fn count(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let filter = filters(hotels, draw, 2);
    let n = chosen(hotels, &filter).len();
    let words = &filter.words;
    let question = match draw.below(4) {
        0 => format!("How many hotels {words} are there?"),
        1 => format!("What is the number of hotels {words}?"),
        2 => format!("What is the total number of hotels {words}?"),
        _ => format!("Count the hotels {words}."),
    };
    (n > 0).then(|| Question {
        kind: "count",
        question,
        answer: n.to_string(),
        sql: format!("select count(*) from hotels where {}", filter.sql),
    })
}

fn aggregate(hotels: &[Hotel], draw: &mut Draw, function: &'static str) -> Option<Question> {
    let (column, names, up, down) = MEASURES[draw.below(if function == "sum" { 3 } else { MEASURES.len() })];
    if function == "sum" && column == "guest_rating" {
        return None;
    }
    let filter = filters(hotels, draw, 2);
    let mut numbers: Vec<f64> = chosen(hotels, &filter)
        .iter()
        .map(|hotel| hotel.number(column))
        .collect();
    if numbers.len() < 2 || filter.sql.contains(column) {
        return None;
    }
    numbers.sort_by(f64::total_cmp);
    let (n, sum) = (numbers.len(), numbers.iter().sum::<f64>());
    let name = draw.pick(names);
    let bare = name.strip_prefix("number of ").unwrap_or(name);
    let words = &filter.words;
    let (value, question) = match function {
        "avg" => (
            sum / n as f64,
            match draw.below(3) {
                0 => format!("What is the average {name} of hotels {words}?"),
                1 => format!("What is the mean {name} among hotels {words}?"),
                _ => format!("On average, what is the {name} of hotels {words}?"),
            },
        ),
        "sum" => (
            sum,
            match draw.below(2) {
                0 => format!(
                    "How many {} do the hotels {words} have in total?",
                    if column == "reviews" { "reviews" } else { bare }
                ),
                _ => format!("What is the total {name} of hotels {words}?"),
            },
        ),
        "max" => (
            numbers[n - 1],
            format!("What is the {up} among hotels {words}?").replace("the most", "the highest number of"),
        ),
        "min" => (
            numbers[0],
            format!("What is the {down} among hotels {words}?").replace("the fewest", "the smallest number of"),
        ),
        _ => {
            let middle = if n.is_multiple_of(2) {
                f64::midpoint(numbers[n / 2 - 1], numbers[n / 2])
            } else {
                numbers[n / 2]
            };
            (middle, format!("What is the median {name} of hotels {words}?"))
        }
    };
    Some(Question {
        kind: function,
        question,
        answer: rounded(value),
        sql: format!("select round({function}({column}),2) from hotels where {}", filter.sql),
    })
}

/// The one hotel with the largest or smallest value.
fn best<'a>(hotels: &[&'a Hotel], column: &str, is_max: bool) -> Option<&'a Hotel> {
    let key = |hotel: &&Hotel| {
        if is_max {
            hotel.number(column)
        } else {
            -hotel.number(column)
        }
    };
    let top = hotels.iter().copied().max_by(|a, b| key(a).total_cmp(&key(b)))?;
    let n_equal = hotels
        .iter()
        .filter(|hotel| hotel.number(column).total_cmp(&top.number(column)).is_eq())
        .count();
    (n_equal == 1 && hotels.len() > 1).then_some(top)
}

fn extreme(hotels: &[Hotel], draw: &mut Draw, is_max: bool) -> Option<Question> {
    let (column, _, up, down) = MEASURES[draw.below(MEASURES.len())];
    let filter = filter(hotels, draw);
    let top = best(&chosen(hotels, &filter), column, is_max)?;
    let words = &filter.words;
    let superlative = if is_max { up } else { down };
    let question = match draw.below(4) {
        0 if column == "price_per_night" => format!(
            "Which hotel {words} is the {}?",
            if is_max { "most expensive" } else { "cheapest" }
        ),
        0 if column == "distance_to_airport" && !is_max => format!("Which hotel {words} is closest to the airport?"),
        1 => format!("What is the name of the hotel {words} that has the {superlative}?"),
        _ => format!("Which hotel {words} has the {superlative}?"),
    };
    let (order, name) = (if is_max { "desc" } else { "asc" }, top.text("hotel_name"));
    Some(Question {
        kind: if is_max { "argmax" } else { "argmin" },
        question,
        answer: name.to_owned(),
        sql: format!(
            "select hotel_name from hotels where {} order by {column} {order} limit 1",
            filter.sql
        ),
    })
}

/// An attribute of the extreme hotel: `Who manages the hotel with the most rooms?`
fn extreme_of(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let (column, _, up, down) = MEASURES[draw.below(MEASURES.len())];
    let is_max = draw.chance(0.6);
    let filter = filter(hotels, draw);
    let top = best(&chosen(hotels, &filter), column, is_max)?;
    let superlative = if is_max { up } else { down };
    let words = &filter.words;
    let (wanted, question) = match draw.below(5) {
        0 => (
            "manager",
            format!("Who is the manager of the hotel {words} with the {superlative}?"),
        ),
        1 => (
            "city",
            format!("In which city is the hotel {words} with the {superlative}?"),
        ),
        2 => (
            "opening_date",
            format!("When did the hotel {words} with the {superlative} open?"),
        ),
        3 => (
            "property_type",
            format!("What is the property type of the hotel {words} with the {superlative}?"),
        ),
        _ => (
            "rooms",
            format!("How many rooms does the hotel {words} with the {superlative} have?"),
        ),
    };
    if filter.sql.contains(wanted) || wanted == column {
        return None;
    }
    let answer = match top.get(wanted) {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let order = if is_max { "desc" } else { "asc" };
    Some(Question {
        kind: "argmax-other",
        question,
        answer,
        sql: format!(
            "select {wanted} from hotels where {} order by {column} {order} limit 1",
            filter.sql
        ),
    })
}
