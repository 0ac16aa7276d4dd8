//! Further shapes of questions.

use super::filter::{FLAGS, Filter, chosen, equal, filter, filters};
use super::question::{MEASURES, Question, rounded};
use super::record::{Hotel, Value};
use crate::draw::Draw;
use std::collections::BTreeMap;

pub(super) fn lookup(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let hotel = &hotels[draw.below(hotels.len())];
    let name = hotel.text("hotel_name");
    let (column, question) = match draw.below(6) {
        0 => ("manager", format!("Who manages {name}?")),
        1 => ("guest_rating", format!("What is the guest rating of {name}?")),
        2 => ("rooms", format!("How many rooms does {name} have?")),
        3 => ("opening_date", format!("When did {name} open?")),
        4 => ("price_per_night", format!("What is the price per night at {name}?")),
        _ => ("renovation_year", format!("In which year was {name} renovated?")),
    };
    let answer = match hotel.get(column) {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(Question {
        kind: "lookup",
        question,
        answer,
        sql: format!("select {column} from hotels where hotel_name = '{name}'"),
    })
}

pub(super) fn list(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let filter = filters(hotels, draw, 2);
    let chosen = chosen(hotels, &filter);
    // Lists that a person would still read.
    if chosen.is_empty() || chosen.len() > 8 {
        return None;
    }
    let names: Vec<&str> = chosen.iter().map(|hotel| hotel.text("hotel_name")).collect();
    let words = &filter.words;
    let question = match draw.below(3) {
        0 => format!("Which hotels {words} are there?"),
        1 => format!("List all hotels {words}."),
        _ => format!("Name the hotels {words}."),
    };
    Some(Question {
        kind: "list",
        question,
        answer: names.join("; "),
        sql: format!("select hotel_name from hotels where {}", filter.sql),
    })
}

pub(super) fn most_common(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let (column, name) = [
        ("city", "city"),
        ("country", "country"),
        ("property_type", "property type"),
    ][draw.below(3)];
    let filter = filter(hotels, draw);
    if filter.sql.contains("city") || filter.sql.contains("country") || filter.sql.contains(column) {
        return None;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for hotel in chosen(hotels, &filter) {
        *counts.entry(hotel.text(column)).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    let top: Vec<&str> = counts
        .iter()
        .filter(|(_, n)| **n == most)
        .map(|(name, _)| *name)
        .collect();
    let [only] = top[..] else { return None };
    let words = &filter.words;
    let question = match draw.below(3) {
        0 => format!("Which {name} has the most hotels {words}?"),
        1 => format!("What is the most common {name} among hotels {words}?"),
        _ => format!("Which {name} appears most often among hotels {words}?"),
    };
    Some(Question {
        kind: "mode",
        question,
        answer: only.to_owned(),
        sql: format!(
            "select {column} from hotels where {} group by 1 order by count(*) desc limit 1",
            filter.sql
        ),
    })
}

pub(super) fn percentage(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let (column, with, _) = FLAGS[draw.below(FLAGS.len())];
    let place = equal(draw.pick(&["city", "country"]), "in", &hotels[draw.below(hotels.len())]);
    let chosen = chosen(hotels, &place);
    let n = chosen.iter().filter(|hotel| hotel.flag(column)).count();
    let thing = with
        .trim_start_matches("with ")
        .trim_start_matches("offering ")
        .trim_start_matches("that have ");
    if thing.starts_with("that") {
        return None;
    }
    let share = 100.0 * n as f64 / chosen.len().max(1) as f64;
    let question = format!("What percentage of hotels {} have {thing}?", place.words);
    Some(Question {
        kind: "percentage",
        question,
        answer: rounded(share),
        sql: format!("select round(100.0*avg({column}),2) from hotels where {}", place.sql),
    })
}

pub(super) fn distinct(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let (column, plural) = [
        ("city", "cities"),
        ("country", "countries"),
        ("property_type", "property types"),
        ("manager", "managers"),
    ][draw.below(4)];
    let filter = filter(hotels, draw);
    if filter.sql.contains(column) {
        return None;
    }
    let chosen = chosen(hotels, &filter);
    let values: std::collections::BTreeSet<&str> = chosen.iter().map(|hotel| hotel.text(column)).collect();
    let question = match draw.below(2) {
        0 => format!("How many different {plural} are there among hotels {}?", filter.words),
        _ => format!("What is the number of distinct {plural} of hotels {}?", filter.words),
    };
    (!values.is_empty()).then(|| Question {
        kind: "count-distinct",
        question,
        answer: values.len().to_string(),
        sql: format!("select count(distinct {column}) from hotels where {}", filter.sql),
    })
}

pub(super) fn difference(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let (column, names, ..) = MEASURES[draw.below(4)];
    let (a, b) = (
        equal("city", "in", &hotels[draw.below(hotels.len())]),
        equal("city", "in", &hotels[draw.below(hotels.len())]),
    );
    if a.sql == b.sql {
        return None;
    }
    let mean = |filter: &Filter| {
        let numbers: Vec<f64> = chosen(hotels, filter)
            .iter()
            .map(|hotel| hotel.number(column))
            .collect();
        numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
    };
    let question = format!(
        "What is the difference between the average {} of hotels {} and hotels {}?",
        names[0], a.words, b.words
    );
    let answer = rounded((mean(&a) - mean(&b)).abs());
    Some(Question {
        kind: "difference",
        question,
        answer,
        sql: format!(
            "select round(abs((select avg({column}) from hotels where {}) - (select avg({column}) from hotels where {})),2)",
            a.sql, b.sql
        ),
    })
}

pub(super) fn top(hotels: &[Hotel], draw: &mut Draw) -> Option<Question> {
    let (column, names, up, _) = MEASURES[draw.below(4)];
    let filter = filter(hotels, draw);
    let mut chosen = chosen(hotels, &filter);
    chosen.sort_by(|a, b| b.number(column).total_cmp(&a.number(column)));
    let n = draw.between(2, 5);
    let is_clear = chosen.len() > n && chosen[n - 1].number(column) > chosen[n].number(column);
    if !is_clear {
        return None;
    }
    let names_of: Vec<&str> = chosen[..n].iter().map(|hotel| hotel.text("hotel_name")).collect();
    let words = &filter.words;
    let question = match draw.below(2) {
        0 => format!("List the top {n} hotels {words} by {}.", names[0]),
        _ => format!("Which {n} hotels {words} have the {up}?"),
    };
    Some(Question {
        kind: "top",
        question,
        answer: names_of.join("; "),
        sql: format!(
            "select hotel_name from hotels where {} order by {column} desc limit {n}",
            filter.sql
        ),
    })
}

pub(super) fn exists(hotels: &[Hotel], draw: &mut Draw) -> Question {
    let place = equal("city", "in", &hotels[draw.below(hotels.len())]);
    let (column, with, _) = FLAGS[draw.below(FLAGS.len())];
    let floor = draw.between(85, 99) as f64 / 10.0;
    let is = chosen(hotels, &place)
        .iter()
        .any(|hotel| hotel.flag(column) && hotel.number("guest_rating") > floor);
    let question = format!("Is there a hotel {} {with} rated above {floor}?", place.words)
        .replace("that have", "with")
        .replace("that allow", "which allows");
    let answer = if is { "yes" } else { "no" };
    Question {
        kind: "exists",
        question,
        answer: answer.to_owned(),
        sql: format!(
            "select count(*) > 0 from hotels where {} and {column} = 1 and guest_rating > {floor}",
            place.sql
        ),
    }
}
