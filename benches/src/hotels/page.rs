//! A record as a page.

use super::record::Hotel;
use super::wording::{count, date, distance, price};
use crate::draw::Draw;

/// Flags: column, affirmed, denied.
const FLAGS: [(&str, [&str; 4], [&str; 3]); 10] = [
    (
        "swimming_pool",
        [
            "a heated swimming pool",
            "an outdoor pool",
            "a swimming pool",
            "a rooftop pool",
        ],
        ["no swimming pool", "no pool", "no pool on the premises"],
    ),
    (
        "spa",
        ["a spa", "a full-service spa", "a small spa", "a wellness centre"],
        ["no spa", "no wellness centre", "no spa of its own"],
    ),
    (
        "gym",
        ["a gym", "a fitness center", "a well-equipped gym", "a fitness room"],
        ["no gym", "no fitness center", "no gym on site"],
    ),
    (
        "parking",
        ["parking", "free parking", "a car park", "a parking garage"],
        ["no parking", "no car park", "no parking of its own"],
    ),
    (
        "airport_shuttle",
        [
            "an airport shuttle",
            "a shuttle to the airport",
            "an airport shuttle every hour",
            "an airport transfer",
        ],
        ["no airport shuttle", "no airport transfer", "no shuttle to the airport"],
    ),
    (
        "restaurant",
        [
            "a restaurant",
            "a restaurant with local dishes",
            "its own restaurant",
            "an award-winning restaurant",
        ],
        [
            "no restaurant",
            "no restaurant of its own",
            "no restaurant in the building",
        ],
    ),
    (
        "bar",
        ["a bar", "a cosy bar", "a cocktail bar", "a bar on the top floor"],
        ["no bar", "no bar of its own", "no bar on site"],
    ),
    ("pets_allowed", ["", "", "", ""], ["", "", ""]),
    (
        "laundry_service",
        ["laundry service", "a laundry service", "same-day laundry", "a laundry"],
        ["no laundry service", "no laundry", "no laundry on site"],
    ),
    (
        "air_conditioning",
        [
            "air conditioning",
            "individual air conditioning",
            "air conditioning in every room",
            "modern air conditioning",
        ],
        [
            "no air conditioning",
            "no air conditioning in the rooms",
            "no air conditioning at all",
        ],
    ),
];

/// Sentences that speak of other things and other numbers.
const ASIDES: [&str; 14] = [
    "The old market, a short walk away, sells fruit and cloth on most mornings.",
    "The tram stops every 12 minutes in front of the door.",
    "Local guides say that the cathedral has 312 steps.",
    "Breakfast is served until half past ten.",
    "The museum of glass keeps more than 4,000 pieces.",
    "Guests praise the view over the roofs.",
    "In summer the square fills with music.",
    "The harbour ferry takes 25 minutes to the islands.",
    "The quarter is known for its bakers.",
    "The town hall, finished in 1887, is open to visitors.",
    "Check-in begins at 3 pm, and the front desk never closes.",
    "Bicycles can be hired around the corner.",
    "The botanical garden nearby shows 900 kinds of plants.",
    "Our team speaks several languages and is glad to help.",
];

/// A page in Markdown about a hotel: a title, facts, paragraphs in an order of their own. Every attribute is said once,
/// flags that are not so often not at all.
pub fn page(hotel: &Hotel, draw: &mut Draw) -> String {
    let mut facts: Vec<String> = Vec::new();
    let mut sentences: Vec<String> = Vec::new();
    let name = hotel.text("hotel_name");
    let opening = opening(hotel, draw);
    for (fact, sentence) in numbers(hotel, draw).into_iter().chain(names(hotel, draw)) {
        if draw.chance(0.25) {
            facts.push(fact);
        } else {
            sentences.push(sentence);
        }
    }
    sentences.extend(places(hotel, draw));
    let (offers, flags) = flags(hotel, draw);
    facts.extend(flags);
    sentences.extend(offers);
    for _ in 0..draw.between(2, 5) {
        sentences.push(draw.pick(&ASIDES).to_owned());
    }
    draw.shuffle(&mut sentences);
    draw.shuffle(&mut facts);
    let mut paragraphs: Vec<String> = sentences.chunks(4).map(|chunk| chunk.join(" ")).collect();
    if !facts.is_empty() {
        let mark = draw.pick(&["- ", "", "* "]);
        let list: Vec<String> = facts.iter().map(|fact| format!("{mark}{fact}")).collect();
        paragraphs.insert(
            draw.below(paragraphs.len() + 1),
            format!(
                "{}\n\n{}",
                draw.pick(&["## At a glance", "## Facts", "## Good to know"]),
                list.join("\n")
            ),
        );
    }
    format!("# {name}\n\n{opening}\n\n{}\n", paragraphs.join("\n\n"))
}

fn opening(hotel: &Hotel, draw: &mut Draw) -> String {
    let (name, city, country, kind) = (
        hotel.text("hotel_name"),
        hotel.text("city"),
        hotel.text("country"),
        hotel.text("property_type"),
    );
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    let stars = hotel.number("stars");
    match draw.below(5) {
        0 => format!("{name} is a {stars}-star {kind} in {city}, {country}."),
        1 => format!("Welcome to {name}, a charming {stars}-star {kind} nestled in the heart of {city}, {country}."),
        2 => format!(
            "{name} is {article} {kind} in {city}, {country}. It holds {}.",
            starred(stars, draw)
        ),
        3 => format!("Located in {city}, {country}, {name} is a {stars}-star {kind} that feels like home."),
        _ => format!(
            "With {}, {name} is {article} {kind} in {city}, {country}, that travellers come back to.",
            starred(stars, draw)
        ),
    }
}

fn starred(stars: f64, draw: &mut Draw) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "one to five")]
    let n = stars as usize;
    let figures = if draw.chance(0.5) {
        n.to_string()
    } else {
        super::wording::words(n)
    };
    if n == 1 {
        format!("{figures} star")
    } else {
        format!("{figures} stars")
    }
}

/// Facts and sentences of the numbers.
fn numbers(hotel: &Hotel, draw: &mut Draw) -> Vec<(String, String)> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts below 5,000"
    )]
    let whole = |name: &str| hotel.number(name) as usize;
    let rating = hotel.number("guest_rating");
    let (reviews, rooms) = (count(whole("reviews"), draw), count(whole("rooms"), draw));
    let night = price(hotel.number("price_per_night"), draw);
    let opened = date(hotel.text("opening_date"), draw);
    let scored = match draw.below(4) {
        0 => format!("Guests give it a rating of {rating} out of 10."),
        1 => format!("It is rated {rating}/10 by those who stayed."),
        2 => format!("Its guest rating stands at {rating}."),
        _ => format!("The average guest rating is {rating} on a scale to 10."),
    };
    let reviewed = match draw.below(4) {
        0 => format!("So far {reviews} reviews have been written."),
        1 => format!("Travellers have left {reviews} reviews."),
        2 => format!("The score rests on {reviews} reviews."),
        _ => format!("There are {reviews} guest reviews to read."),
    };
    let housed = match draw.below(4) {
        0 => format!("The house has {rooms} rooms."),
        1 => format!("Visitors choose among {rooms} comfortable rooms."),
        2 => format!("In all there are {rooms} rooms, most of them quiet."),
        _ => format!("It counts {rooms} guest rooms on several floors."),
    };
    let paid = match draw.below(4) {
        0 => format!("A night costs {night}."),
        1 => format!("The price per night is {night}."),
        2 => format!("Rooms are priced at {night} per night."),
        _ => format!("Expect to pay {night} a night."),
    };
    let began = match draw.below(4) {
        0 => format!("It opened on {opened}."),
        1 => format!("The doors first opened on {opened}."),
        2 => format!("It has welcomed guests since it opened on {opened}."),
        _ => format!("Opened on {opened}, it has kept its charm."),
    };
    let mut said = vec![
        (format!("Guest rating: {rating}/10"), scored),
        (format!("Reviews: {reviews}"), reviewed),
        (format!("{}: {rooms}", draw.pick(&["Rooms", "Number of rooms"])), housed),
        (format!("Price per night: {night}"), paid),
        (format!("{}: {opened}", draw.pick(&["Opened", "Opening date"])), began),
    ];
    if let super::Value::Number(year) = hotel.get("renovation_year") {
        let sentence = match draw.below(3) {
            0 => format!("The building was last renovated in {year}."),
            1 => format!("A thorough renovation in {year} brought new bathrooms."),
            _ => format!("It was renovated in {year}."),
        };
        said.push((
            format!("{}: {year}", draw.pick(&["Last renovation", "Renovated"])),
            sentence,
        ));
    }
    said
}

/// Facts and sentences of the names.
fn names(hotel: &Hotel, draw: &mut Draw) -> Vec<(String, String)> {
    let manager = hotel.text("manager");
    let run = match draw.below(4) {
        0 => format!("The hotel is managed by {manager}."),
        1 => format!("{manager} is the manager."),
        2 => format!("The manager, {manager}, greets guests in person."),
        _ => format!("Under its manager {manager} the house has won many friends."),
    };
    vec![(format!("Manager: {manager}"), run)]
}

/// Sentences of the distances.
fn places(hotel: &Hotel, draw: &mut Draw) -> Vec<String> {
    let (center, airport) = (hotel.number("distance_to_center"), hotel.number("distance_to_airport"));
    let (center, airport) = (distance(center, draw), distance(airport, draw));
    let first = match draw.below(4) {
        0 => format!("It lies {center} from the city center."),
        1 => format!("The city centre is {center} away."),
        2 => format!("The distance to the city center is {center}."),
        _ => format!("You will find it {center} from the centre of town."),
    };
    let second = match draw.below(4) {
        0 => format!("The airport is {airport} away."),
        1 => format!("It is {airport} from the airport."),
        2 => format!("The distance to the airport is {airport}."),
        _ => format!("Those who fly have {airport} to go to the airport."),
    };
    vec![first, second]
}

/// Sentences and facts of the flags.
fn flags(hotel: &Hotel, draw: &mut Draw) -> (Vec<String>, Vec<String>) {
    let (mut yes, mut no, mut facts, mut sentences) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (column, affirmed, denied) in FLAGS {
        let is = hotel.flag(column);
        if column == "pets_allowed" {
            let lines: [&str; 3] = if is {
                [
                    "Pets are allowed.",
                    "Pets are welcome here.",
                    "Dogs and other pets may stay with their owners.",
                ]
            } else {
                ["Pets are not allowed.", "We cannot accept pets.", "Sorry, no pets."]
            };
            sentences.push(draw.pick(&lines).to_owned());
        } else if draw.chance(0.1) {
            let label = column.replace('_', " ");
            facts.push(format!(
                "{}{}: {}",
                label[..1].to_uppercase(),
                &label[1..],
                if is { "yes" } else { "no" }
            ));
        } else if is {
            yes.push(draw.pick(&affirmed).to_owned());
        } else if draw.chance(0.4) {
            no.push(draw.pick(&denied).to_owned());
        }
    }
    draw.shuffle(&mut yes);
    for part in yes.chunks(4) {
        let list = listed(part, "and");
        sentences.push(match draw.below(4) {
            0 => format!("Guests enjoy {list}."),
            1 => format!("Among the amenities are {list}."),
            2 => format!("The house offers {list}."),
            _ => format!("It features {list}."),
        });
    }
    for part in no.chunks(2) {
        let list = listed(part, "and");
        sentences.push(match draw.below(3) {
            0 => format!("There is {list}."),
            1 => format!("Please note that there is {list}."),
            _ => format!("It has {list}."),
        });
    }
    (sentences, facts)
}

/// `a, b and c`.
fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., end] => format!("{} {last} {end}", start.join(", ")),
    }
}
