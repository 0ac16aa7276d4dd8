//! The records.

use crate::draw::Draw;
use serde_json::json;
use std::collections::BTreeSet;

/// A value of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not said.
    None,
    /// A text or a date.
    Text(String),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// Name, kind, unit and description of each column.
pub const COLUMNS: [(&str, &str, Option<&str>, &str); 24] = [
    ("hotel_name", "text", None, "The hotel's name"),
    ("city", "text", None, "The city that the hotel is in"),
    ("country", "text", None, "The country that the hotel is in"),
    (
        "property_type",
        "text",
        None,
        "What kind of property it is: hotel, resort, hostel, guesthouse, lodge or apartment hotel",
    ),
    ("stars", "integer", None, "How many stars the hotel has"),
    (
        "guest_rating",
        "number",
        None,
        "The rating that guests give, from 0 to 10",
    ),
    ("reviews", "integer", None, "How many reviews guests have written"),
    ("rooms", "integer", None, "How many rooms there are"),
    (
        "price_per_night",
        "number",
        Some("$"),
        "The price of a room for one night in dollars",
    ),
    ("opening_date", "date", None, "The day on which the hotel opened"),
    (
        "renovation_year",
        "year",
        None,
        "The year of the last renovation, empty where there was none",
    ),
    ("manager", "text", None, "The name of the manager"),
    (
        "distance_to_center",
        "number",
        Some("km"),
        "How far it is to the city center in kilometres",
    ),
    (
        "distance_to_airport",
        "number",
        Some("km"),
        "How far it is to the airport in kilometres",
    ),
    ("swimming_pool", "boolean", None, "Whether there is a swimming pool"),
    ("spa", "boolean", None, "Whether there is a spa"),
    ("gym", "boolean", None, "Whether there is a gym"),
    ("parking", "boolean", None, "Whether there is parking"),
    (
        "airport_shuttle",
        "boolean",
        None,
        "Whether there is an airport shuttle",
    ),
    ("restaurant", "boolean", None, "Whether there is a restaurant"),
    ("bar", "boolean", None, "Whether there is a bar"),
    ("pets_allowed", "boolean", None, "Whether pets are allowed"),
    ("laundry_service", "boolean", None, "Whether laundry service is offered"),
    (
        "air_conditioning",
        "boolean",
        None,
        "Whether the rooms have air conditioning",
    ),
];

/// City, country.
const PLACES: [(&str, &str); 16] = [
    ("Valmora", "Estrenia"),
    ("Port Calder", "Estrenia"),
    ("Santa Irel", "Estrenia"),
    ("Brunnhafen", "Norvald"),
    ("Oskelund", "Norvald"),
    ("Tarnvik", "Norvald"),
    ("Meridon", "Calabar Isles"),
    ("Lower Quay", "Calabar Isles"),
    ("Asharim", "Tamrisa"),
    ("Dar Selim", "Tamrisa"),
    ("Khelmat", "Tamrisa"),
    ("Hoshiwara", "Kisetsu"),
    ("Minakura", "Kisetsu"),
    ("Great Pell", "Albany Reach"),
    ("Windermoor", "Albany Reach"),
    ("Castle Brandon", "Albany Reach"),
];
const TYPES: [&str; 6] = ["hotel", "resort", "hostel", "guesthouse", "lodge", "apartment hotel"];
const FIRST: [&str; 18] = [
    "Golden", "Silver", "Grand", "Royal", "Old", "Blue", "Quiet", "Northern", "Amber", "Crimson", "Hidden", "Sunny",
    "Ivory", "Maple", "Harbour", "Velvet", "Emerald", "Copper",
];
const SECOND: [&str; 18] = [
    "Lantern",
    "Anchor",
    "Heron",
    "Orchard",
    "Palace",
    "Garden",
    "Terrace",
    "Compass",
    "Willow",
    "Falcon",
    "Crown",
    "Meadow",
    "Lighthouse",
    "Mill",
    "Courtyard",
    "Swan",
    "Harp",
    "Cedar",
];
const GIVEN: [&str; 14] = [
    "Mira", "Tomas", "Elin", "Jorge", "Aiko", "Samir", "Greta", "Pavel", "Ines", "Rohan", "Leila", "Oskar", "Nadia",
    "Hugo",
];
const FAMILY: [&str; 14] = [
    "Vantor",
    "Kestrel",
    "Olmedo",
    "Brandt",
    "Sato",
    "Haddad",
    "Lindqvist",
    "Moreau",
    "Pirelli",
    "Dasgupta",
    "Nemeth",
    "Okafor",
    "Quillon",
    "Abbott",
];

/// A hotel: one value for each of [`COLUMNS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Hotel(pub Vec<Value>);

impl Hotel {
    /// The value of a column; none for a name that is no column.
    pub fn get(&self, name: &str) -> &Value {
        let at = COLUMNS.iter().position(|column| column.0 == name);
        at.and_then(|at| self.0.get(at)).unwrap_or(&Value::None)
    }

    /// A number, 0 where there is none.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(number) => *number,
            _ => 0.0,
        }
    }

    /// A text, empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Value::Text(text) => text,
            _ => "",
        }
    }

    /// A flag.
    pub fn flag(&self, name: &str) -> bool {
        *self.get(name) == Value::Flag(true)
    }
}

/// `n` hotels with names of their own. Cost O(n).
pub fn hotels(n: usize, seed: u64) -> Vec<Hotel> {
    let mut draw = Draw::new(seed);
    let mut names = BTreeSet::new();
    (0..n).map(|_| hotel(&mut draw, &mut names)).collect()
}

fn hotel(draw: &mut Draw, names: &mut BTreeSet<String>) -> Hotel {
    let (city, country) = PLACES[draw.below(PLACES.len())];
    let kind = draw.pick(&TYPES);
    let name = name(draw, city, names);
    let stars = draw.between(1, 5);
    let rating = (draw.unit() * 450.0 + 550.0).round() / 100.0;
    let price = (draw.unit() * 90.0 + 20.0) * (stars as f64).sqrt();
    let month = draw.between(1, 12);
    let opened = draw.between(1950, 2021);
    let day = draw.between(1, 28);
    let renovated = draw.chance(0.4).then(|| draw.between(opened.max(1990) + 1, 2024));
    let text = |text: &str| Value::Text(text.to_owned());
    let number = |n: usize| Value::Number(n as f64);
    let tenth = |n: f64| Value::Number((n * 10.0).round() / 10.0);
    let manager = format!("{} {}", draw.pick(&GIVEN), draw.pick(&FAMILY));
    let mut values = vec![
        text(&name),
        text(city),
        text(country),
        text(kind),
        number(stars),
        Value::Number(rating),
        number(draw.between(40, 4_999)),
        number(draw.between(8, 420)),
        Value::Number(price.round()),
        text(&format!("{opened:04}-{month:02}-{day:02}")),
        renovated.map_or(Value::None, number),
        text(&manager),
        tenth(draw.unit() * 11.0 + 0.2),
        tenth(draw.unit() * 48.0 + 1.5),
    ];
    for chance in [0.5, 0.35, 0.55, 0.6, 0.4, 0.65, 0.5, 0.4, 0.5, 0.7] {
        values.push(Value::Flag(draw.chance(chance)));
    }
    Hotel(values)
}

/// A name that no other has.
fn name(draw: &mut Draw, city: &str, names: &mut BTreeSet<String>) -> String {
    loop {
        let (first, second) = (draw.pick(&FIRST), draw.pick(&SECOND));
        let name = match draw.below(4) {
            0 => format!("The {first} {second}"),
            1 => format!("{first} {second} {city}"),
            2 => format!("{second} House {city}"),
            _ => format!("The {first} {second}, {city}"),
        };
        // As many names as there are run out; a number then tells them apart.
        let name = if names.len() > 1_500 {
            format!("{name} {}", names.len())
        } else {
            name
        };
        if names.insert(name.clone()) {
            return name;
        }
    }
}

/// The records as CSV, as gold records are read.
pub fn csv(hotels: &[Hotel]) -> String {
    let header: Vec<&str> = COLUMNS.iter().map(|column| column.0).collect();
    let mut lines = vec![header.join(",")];
    for hotel in hotels {
        let cells = hotel.0.iter().map(|value| match value {
            Value::None => String::new(),
            Value::Text(text) if text.contains(',') => format!("\"{text}\""),
            Value::Text(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Flag(is) => is.to_string(),
        });
        lines.push(cells.collect::<Vec<_>>().join(","));
    }
    lines.join("\n") + "\n"
}

/// The schema, as `--gold-schema` reads it.
pub fn schema() -> serde_json::Value {
    let columns = COLUMNS.iter().map(
        |(name, kind, unit, description)| json!({"name": name, "kind": kind, "unit": unit, "description": description}),
    );
    json!({"name": "hotels", "nouns": ["hotel", "property"], "key": "hotel_name", "columns": columns.collect::<Vec<_>>()})
}
