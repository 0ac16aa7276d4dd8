//! How numbers and dates are written.

use crate::draw::Draw;

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A whole number below a thousand in words.
pub(super) fn words(n: usize) -> String {
    match n {
        0..=19 => ONES[n].to_owned(),
        20..=99 if n.is_multiple_of(10) => TENS[n / 10].to_owned(),
        20..=99 => format!("{}-{}", TENS[n / 10], ONES[n % 10]),
        _ if n.is_multiple_of(100) => format!("{} hundred", words(n / 100)),
        _ => format!("{} hundred and {}", words(n / 100), words(n % 100)),
    }
}

/// A whole number in figures, sometimes in words, with a comma or without, or as thousands where nothing is lost.
pub(super) fn count(n: usize, draw: &mut Draw) -> String {
    match draw.below(5) {
        0 if n < 1_000 => words(n),
        1 if n >= 1_000 && n.is_multiple_of(100) => format!("{}K", n as f64 / 1_000.0),
        2 if n >= 1_000 => n.to_string(),
        _ if n >= 1_000 => format!("{},{:03}", n / 1_000, n % 1_000),
        _ => n.to_string(),
    }
}

/// A distance in kilometres in one of three units, exactly.
pub(super) fn distance(km: f64, draw: &mut Draw) -> String {
    match draw.below(5) {
        0 if km < 2.0 => format!("{} metres", (km * 1_000.0).round()),
        1 => format!("{km} kilometres"),
        2 => format!("{km} kilometers"),
        3 => format!("{km}km"),
        _ => format!("{km} km"),
    }
}

/// A price in dollars.
pub(super) fn price(dollars: f64, draw: &mut Draw) -> String {
    match draw.below(4) {
        0 => format!("{dollars} dollars"),
        1 => format!("USD {dollars}"),
        2 => format!("${dollars}.00"),
        _ => format!("${dollars}"),
    }
}

/// A date `YYYY-MM-DD` in one of four notations.
pub(super) fn date(iso: &str, draw: &mut Draw) -> String {
    let parts: Vec<usize> = iso.split('-').filter_map(|part| part.parse().ok()).collect();
    let [year, month, day] = parts[..] else {
        return iso.to_owned();
    };
    let name = MONTHS[(month + 11) % 12];
    match draw.below(4) {
        0 => format!("{day} {name} {year}"),
        1 => format!("{name} {day}, {year}"),
        2 => iso.to_owned(),
        _ => format!("the {day}{} of {name} {year}", ordinal(day)),
    }
}

fn ordinal(n: usize) -> &'static str {
    match (n % 10, n % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    }
}
