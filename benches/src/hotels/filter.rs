//! Phrases that restrict records.

use super::record::Hotel;
use crate::draw::Draw;

/// Flags: column, with, without.
pub(super) const FLAGS: [(&str, &str, &str); 10] = [
    ("swimming_pool", "with a swimming pool", "without a pool"),
    ("spa", "with a spa", "without a spa"),
    ("gym", "that have a gym", "without a gym"),
    ("parking", "with parking", "without parking"),
    (
        "airport_shuttle",
        "offering an airport shuttle",
        "without an airport shuttle",
    ),
    ("restaurant", "that have a restaurant", "without a restaurant"),
    ("bar", "with a bar", "that do not have a bar"),
    ("pets_allowed", "that allow pets", "that do not allow pets"),
    ("laundry_service", "offering laundry service", "without laundry service"),
    ("air_conditioning", "with air conditioning", "without air conditioning"),
];

/// Records that a phrase restricts to.
pub(super) struct Filter {
    pub(super) words: String,
    pub(super) sql: String,
    pub(super) holds: Box<dyn Fn(&Hotel) -> bool>,
}

pub(super) fn filter(hotels: &[Hotel], draw: &mut Draw) -> Filter {
    let sample = &hotels[draw.below(hotels.len())];
    match draw.below(8) {
        0 | 1 => equal("city", "in", sample),
        2 => equal("country", "in", sample),
        3 => {
            let (column, with, without) = FLAGS[draw.below(FLAGS.len())];
            let is = draw.chance(0.7);
            Filter {
                words: if is { with } else { without }.to_owned(),
                sql: format!("{column} = {}", u8::from(is)),
                holds: Box::new(move |hotel| hotel.flag(column) == is),
            }
        }
        4 => {
            let at = draw.between(60, 95);
            let floor = at as f64 / 10.0;
            compared(
                "guest_rating",
                floor,
                draw.pick(&["with a rating above", "rated above", "with a guest rating higher than"]),
                true,
            )
        }
        5 => {
            let price = draw.between(5, 15) * 10;
            compared(
                "price_per_night",
                price as f64,
                draw.pick(&["cheaper than $", "that cost less than $", "with a price below $"]),
                false,
            )
        }
        6 => {
            let year = draw.between(1960, 2015);
            let before = draw.chance(0.5);
            Filter {
                words: format!("{} {year}", if before { "opened before" } else { "that opened after" }),
                sql: if before {
                    format!("substr(opening_date,1,4) < '{year}'")
                } else {
                    format!("substr(opening_date,1,4) > '{year}'")
                },
                holds: Box::new(move |hotel| {
                    let opened: usize = hotel
                        .text("opening_date")
                        .get(..4)
                        .and_then(|year| year.parse().ok())
                        .unwrap_or(0);
                    if before { opened < year } else { opened > year }
                }),
            }
        }
        _ => {
            let rooms = draw.between(2, 30) * 10;
            compared("rooms", rooms as f64, "with more than @ rooms", true)
        }
    }
}

pub(super) fn equal(column: &'static str, word: &str, sample: &Hotel) -> Filter {
    let value = sample.text(column).to_owned();
    Filter {
        words: format!("{word} {}{value}", if value == "Calabar Isles" { "the " } else { "" }),
        sql: format!("{column} = '{value}'"),
        holds: Box::new(move |hotel| hotel.text(column) == value),
    }
}

fn compared(column: &'static str, bound: f64, words: &str, is_more: bool) -> Filter {
    let words = if words.contains('@') {
        words.replace('@', &bound.to_string())
    } else if words.ends_with('$') {
        format!("{words}{bound}")
    } else {
        format!("{words} {bound}")
    };
    Filter {
        words,
        sql: format!("{column} {} {bound}", if is_more { ">" } else { "<" }),
        holds: Box::new(move |hotel| {
            if is_more {
                hotel.number(column) > bound
            } else {
                hotel.number(column) < bound
            }
        }),
    }
}

/// One filter, or two of different columns.
pub(super) fn filters(hotels: &[Hotel], draw: &mut Draw, most: usize) -> Filter {
    let first = filter(hotels, draw);
    if most < 2 || draw.chance(0.55) {
        return first;
    }
    let second = filter(hotels, draw);
    let column = |sql: &str| sql.split([' ', ',']).next().unwrap_or("").to_owned();
    if column(&first.sql) == column(&second.sql) || first.words.starts_with("in ") == second.words.starts_with("in ") {
        return first;
    }
    // The place stands first, as one would say it.
    let (first, second) = if second.words.starts_with("in ") {
        (second, first)
    } else {
        (first, second)
    };
    let (a, b) = (first.holds, second.holds);
    Filter {
        words: format!("{} {}", first.words, second.words),
        sql: format!("{} and {}", first.sql, second.sql),
        holds: Box::new(move |hotel| a(hotel) && b(hotel)),
    }
}

pub(super) fn chosen<'a>(hotels: &'a [Hotel], filter: &Filter) -> Vec<&'a Hotel> {
    hotels.iter().filter(|hotel| (filter.holds)(hotel)).collect()
}
