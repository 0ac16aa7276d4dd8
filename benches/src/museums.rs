//! Pages of invented museums with records and aggregative questions: a second kind of pages, in other words and another
//! layout than [`crate::hotels`], to see whether rules that were written beside one hold for the other.
//!
//! Facts stand in a table, in sentences, or in both; numbers in figures, in words, rounded to thousands; areas in square
//! metres; prices in euros.

use crate::draw::Draw;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const TOWNS: [(&str, &str); 12] = [
    ("Aldmere", "Wessany"),
    ("Brackwater", "Wessany"),
    ("Corrin", "Dalmark"),
    ("Dunholt", "Dalmark"),
    ("Elverby", "Dalmark"),
    ("Fenwick Bay", "Osterlund"),
    ("Grantholm", "Osterlund"),
    ("Hallin", "Osterlund"),
    ("Istervale", "Wessany"),
    ("Jorrow", "Karsk"),
    ("Kelstead", "Karsk"),
    ("Lindmoor", "Karsk"),
];
const KINDS: [&str; 6] = [
    "maritime",
    "natural history",
    "railway",
    "textile",
    "folk",
    "modern art",
];
const FIRST: [&str; 12] = [
    "Harbour",
    "Lantern",
    "Old Mill",
    "Granary",
    "Ferrow",
    "Quayside",
    "Marten",
    "Bellgate",
    "Northgate",
    "Willow",
    "Foundry",
    "Orchard",
];
const GIVEN: [&str; 12] = [
    "Ilse", "Tomas", "Reva", "Odell", "Marit", "Joren", "Sunniva", "Pascal", "Wanda", "Emeka", "Lucia", "Bram",
];
const FAMILY: [&str; 12] = [
    "Vance",
    "Oduya",
    "Lindqvist",
    "Marlow",
    "Petrov",
    "Sato",
    "Brandt",
    "Okafor",
    "Reyes",
    "Hollis",
    "Duarte",
    "Kern",
];

/// A museum.
#[derive(Clone, Debug)]
pub struct Museum {
    name: String,
    town: &'static str,
    country: &'static str,
    kind: &'static str,
    founded: usize,
    objects: usize,
    visitors: usize,
    admission: usize,
    area: usize,
    director: String,
    cafe: bool,
    guide: bool,
    garden: bool,
}

/// `n` museums with names of their own. Cost O(n).
pub fn museums(n: usize, seed: u64) -> Vec<Museum> {
    let mut draw = Draw::new(seed);
    let mut names = BTreeSet::new();
    (0..n).map(|_| museum(&mut draw, &mut names)).collect()
}

fn museum(draw: &mut Draw, names: &mut BTreeSet<String>) -> Museum {
    let (town, country) = TOWNS[draw.below(TOWNS.len())];
    let mut name = format!("{} Museum {town}", draw.pick(&FIRST));
    while !names.insert(name.clone()) {
        name = format!("{} {} Museum", draw.pick(&FAMILY), draw.pick(&FIRST));
        if names.contains(&name) {
            name = format!("{name} {town} {}", names.len());
        }
    }
    Museum {
        name,
        town,
        country,
        kind: draw.pick(&KINDS),
        founded: draw.between(1820, 2018),
        objects: draw.between(8, 900) * 100,
        visitors: draw.between(3, 400) * 1_000,
        admission: draw.between(3, 24),
        area: draw.between(4, 160) * 50,
        director: format!("{} {}", draw.pick(&GIVEN), draw.pick(&FAMILY)),
        cafe: draw.chance(0.5),
        guide: draw.chance(0.4),
        garden: draw.chance(0.3),
    }
}

/// A number in figures, with or without a comma, or in thousands.
fn written(n: usize, draw: &mut Draw) -> String {
    match draw.below(3) {
        0 if n >= 1_000 => format!("{},{:03}", n / 1_000, n % 1_000),
        1 if n >= 1_000 && n.is_multiple_of(1_000) => format!("{} thousand", n / 1_000),
        _ => n.to_string(),
    }
}

/// A page about a museum.
pub fn page(museum: &Museum, draw: &mut Draw) -> String {
    let Museum {
        name,
        town,
        country,
        kind,
        ..
    } = museum;
    let mut rows: Vec<(&str, String)> = Vec::new();
    let mut said: Vec<String> = Vec::new();
    for (label, value, sentences) in facts(museum, draw) {
        if draw.chance(0.4) {
            rows.push((label, value));
        } else {
            said.push(
                draw.pick(&[sentences[0].as_str(), sentences[1].as_str(), sentences[2].as_str()])
                    .to_owned(),
            );
        }
    }
    said.extend(offers(museum, draw));
    for aside in [
        "The tram line 4 passes the door every 10 minutes.",
        "School classes come on most mornings.",
        "In 1911 a fire took the roof of the house across the street.",
        "The bell tower nearby is 48 metres tall.",
    ] {
        if draw.chance(0.4) {
            said.push(aside.to_owned());
        }
    }
    draw.shuffle(&mut said);
    let lead = match draw.below(3) {
        0 => format!("{name} is a {kind} museum in {town}, {country}."),
        1 => format!("The {name}, in {town}, {country}, is a {kind} museum."),
        _ => format!("{name} is a {kind} museum on the main square of {town}, {country}."),
    };
    let table: Vec<String> = rows
        .iter()
        .map(|(label, value)| format!("| {label} | {value} |"))
        .collect();
    let paragraphs: Vec<String> = said.chunks(3).map(|chunk| chunk.join(" ")).collect();
    format!(
        "# {name}\n\n{lead}\n\n{}\n\n{}\n",
        table.join("\n"),
        paragraphs.join("\n\n")
    )
}

/// Label, value and three sentences of each fact.
fn facts(museum: &Museum, draw: &mut Draw) -> Vec<(&'static str, String, [String; 3])> {
    let Museum {
        founded,
        admission,
        area,
        director,
        ..
    } = museum;
    let (objects, visitors) = (written(museum.objects, draw), written(museum.visitors, draw));
    let three = |a: String, b: String, c: String| [a, b, c];
    vec![
        (
            "Founded",
            founded.to_string(),
            three(
                format!("It was founded in {founded}."),
                format!("Founded in {founded}, it has moved twice since."),
                format!("The museum was established in {founded} by citizens."),
            ),
        ),
        (
            "Objects",
            objects.clone(),
            three(
                format!("Its collection counts {objects} objects."),
                format!("Some {objects} objects are kept here."),
                format!("There are {objects} objects in the collection."),
            ),
        ),
        (
            "Annual visitors",
            visitors.clone(),
            three(
                format!("Last year {visitors} visitors came."),
                format!("The museum welcomes {visitors} visitors a year."),
                format!("It draws {visitors} visitors each year."),
            ),
        ),
        (
            "Admission",
            format!("€{admission}"),
            three(
                format!("Admission costs €{admission}."),
                format!("The admission is {admission} euros."),
                format!("Visitors pay an admission of €{admission}."),
            ),
        ),
        (
            "Floor area",
            format!("{area} m²"),
            three(
                format!("The floor area is {area} m²."),
                format!("It has a floor area of {area} square metres."),
                format!("The rooms have a floor area of {area} m²."),
            ),
        ),
        (
            "Director",
            director.clone(),
            three(
                format!("{director} is the director."),
                format!("The museum is directed by {director}."),
                format!("Its director, {director}, leads tours herself."),
            ),
        ),
    ]
}

fn offers(museum: &Museum, draw: &mut Draw) -> Vec<String> {
    let things = [
        (museum.cafe, "a café", "no café"),
        (museum.guide, "an audio guide", "no audio guide"),
        (museum.garden, "a sculpture garden", "no sculpture garden"),
    ];
    let has: Vec<&str> = things.iter().filter(|thing| thing.0).map(|thing| thing.1).collect();
    let mut said = Vec::new();
    if !has.is_empty() {
        let list = has.join(" and ");
        said.push(match draw.below(2) {
            0 => format!("There is {list}."),
            _ => format!("The museum has {list}."),
        });
    }
    for (_, _, no) in things.iter().filter(|thing| !thing.0) {
        if draw.chance(0.3) {
            said.push(format!("There is {no}."));
        }
    }
    said
}

/// The records as CSV, as gold records are read.
pub fn csv(museums: &[Museum]) -> String {
    let mut text =
        "museum_name,town,country,museum_type,founded,objects,annual_visitors,admission,floor_area,director,cafe,audio_guide,sculpture_garden\n"
            .to_owned();
    let row = |m: &Museum| {
        format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            m.name,
            m.town,
            m.country,
            m.kind,
            m.founded,
            m.objects,
            m.visitors,
            m.admission,
            m.area,
            m.director,
            m.cafe,
            m.guide,
            m.garden
        )
    };
    text.extend(museums.iter().map(row));
    text
}

/// The schema, as `--gold-schema` reads it.
pub fn schema() -> Value {
    let column = |name: &str, kind: &str, unit: Option<&str>, description: &str| json!({"name": name, "kind": kind, "unit": unit, "description": description});
    json!({"name": "museums", "nouns": ["museum"], "key": "museum_name", "columns": [
        column("museum_name", "text", None, "The museum's name"),
        column("town", "text", None, "The town that it is in"),
        column("country", "text", None, "The country that it is in"),
        column("museum_type", "text", None, "What it shows: maritime, natural history, railway, textile, folk or modern art"),
        column("founded", "year", None, "The year in which it was founded"),
        column("objects", "integer", None, "How many objects the collection has"),
        column("annual_visitors", "integer", None, "How many visitors come in a year"),
        column("admission", "number", Some("€"), "The price of a ticket"),
        column("floor_area", "number", Some("m²"), "The floor area in square metres"),
        column("director", "text", None, "Who directs it"),
        column("cafe", "boolean", None, "Whether there is a café"),
        column("audio_guide", "boolean", None, "Whether there is an audio guide"),
        column("sculpture_garden", "boolean", None, "Whether there is a sculpture garden"),
    ]})
}

/// Aggregative questions with their answers, computed from the records. Cost O(`n` · museums).
pub fn questions(museums: &[Museum], n: usize, seed: u64) -> Vec<(String, String)> {
    let mut draw = Draw::new(seed ^ 0x5eed);
    let mut asked = BTreeSet::new();
    let mut found = Vec::new();
    while found.len() < n && asked.len() < 50 * n {
        let (question, answer) = question(museums, &mut draw);
        if asked.insert(question.clone())
            && let Some(answer) = answer
        {
            found.push((question, answer));
        }
    }
    found
}

/// Whether a museum satisfies a condition.
type Test = Box<dyn Fn(&Museum) -> bool>;

/// A condition in words, and the museums that satisfy it.
fn chosen<'m>(museums: &'m [Museum], draw: &mut Draw) -> (String, Vec<&'m Museum>) {
    let town = TOWNS[draw.below(TOWNS.len())];
    let kind = draw.pick(&KINDS);
    let year = draw.between(1850, 1990);
    let objects = draw.between(10, 60) * 1_000;
    let (words, is): (String, Test) = match draw.below(6) {
        0 => (format!("museums in {}", town.0), Box::new(move |m| m.town == town.0)),
        1 => (format!("museums in {}", town.1), Box::new(move |m| m.country == town.1)),
        2 => (format!("{kind} museums"), Box::new(move |m| m.kind == kind)),
        3 => (
            format!("museums founded before {year}"),
            Box::new(move |m| m.founded < year),
        ),
        4 => (
            format!("museums with more than {objects} objects"),
            Box::new(move |m| m.objects > objects),
        ),
        _ => ("museums with a café".to_owned(), Box::new(|m| m.cafe)),
    };
    (words, museums.iter().filter(|m| is(m)).collect())
}

fn question(museums: &[Museum], draw: &mut Draw) -> (String, Option<String>) {
    let (words, chosen) = chosen(museums, draw);
    let mean = |of: fn(&Museum) -> usize| {
        let sum: usize = chosen.iter().map(|m| of(m)).sum();
        (!chosen.is_empty()).then(|| format!("{:.2}", sum as f64 / chosen.len() as f64))
    };
    let first = |of: fn(&Museum) -> usize| {
        let best = chosen.iter().map(|m| of(m)).max()?;
        let all: Vec<&str> = chosen
            .iter()
            .filter(|m| of(m) == best)
            .map(|m| m.name.as_str())
            .collect();
        (all.len() == 1).then(|| all[0].to_owned())
    };
    match draw.below(8) {
        0 => (format!("How many {words} are there?"), Some(chosen.len().to_string())),
        1 => (
            format!("What is the average admission of {words}?"),
            mean(|m| m.admission),
        ),
        2 => (format!("What is the average floor area of {words}?"), mean(|m| m.area)),
        3 => (
            format!("Which of the {words} has the most annual visitors?"),
            first(|m| m.visitors),
        ),
        4 => (
            format!("Which of the {words} has the largest floor area?"),
            first(|m| m.area),
        ),
        5 => {
            let sum: usize = chosen.iter().map(|m| m.objects).sum();
            (
                format!("How many objects do the {words} have in total?"),
                Some(sum.to_string()),
            )
        }
        6 => {
            let distinct: BTreeSet<&str> = chosen.iter().map(|m| m.director.as_str()).collect();
            (
                format!("How many different directors do the {words} have?"),
                Some(distinct.len().to_string()),
            )
        }
        _ => {
            let n = chosen.iter().filter(|m| m.guide).count();
            let share = 100.0 * n as f64 / chosen.len().max(1) as f64;
            let answer = (!chosen.is_empty()).then(|| format!("{share:.2}"));
            (format!("What percentage of {words} have an audio guide?"), answer)
        }
    }
}
