//! Labelled pairs: what is one entity and what is not. Precision goes first: nothing may be joined wrongly.

use super::*;

/// A text with two names, in documents of their own or in one.
enum Text {
    /// Two documents that share nothing but the names.
    Apart,
    /// One document that names both.
    Together,
    /// These documents.
    Of(&'static [(&'static str, &'static str)]),
}
use Text::{Apart, Of, Together};

/// Two names as marks (`Mara Voss|person`) and where they stand.
type Pair = (&'static str, &'static str, Text);

/// One thing under two names.
const SAME: &[Pair] = &[
    ("Paper Gulls", "The Paper Gulls", Apart),
    ("TIDD HARBOUR", "Tidd Harbour", Apart),
    ("Ada Quill", "Ada Quill's", Apart),
    ("Karl Müller", "Karl Mueller", Apart),
    ("Müller", "Mueller", Apart),
    ("Müller", "Muller", Apart),
    ("Jørn Lærke", "Joern Laerke", Apart),
    ("Weiß Hall", "Weiss Hall", Apart),
    ("Twelve Gulls", "12 Gulls", Apart),
    ("Gull War II", "Gull War Two", Apart),
    ("Second Gull Fair", "2nd Gull Fair", Apart),
    ("St. Orsa's Church", "Saint Orsa's Church", Apart),
    ("Mt. Ansay", "Mount Ansay", Apart),
    ("Harrow & Sons", "Harrow and Sons", Apart),
    ("Tidd Harbor Trust", "Tidd Harbour Trust", Apart),
    ("Tidd Lighthouse Trust", "Tidd Light House Trust", Apart),
    ("Harrow Lighthouse Company", "Harrow Lighthouse Co.", Apart),
    ("U.K. Gull Board", "UK Gull Board", Apart),
    ("N.A.V.", "NAV", Apart),
    ("Dr. Mara Voss", "Mara Voss", Apart),
    ("President Tam Orde", "Tam Orde", Apart),
    ("Queen Ada II", "Ada II", Apart),
    ("Prime Minister Ivo Lund|person", "Ivo Lund|person", Apart),
    ("J. R. R. Orde", "Jan Ruud Riis Orde", Apart),
    ("JRR Orde", "Jan Ruud Riis Orde", Apart),
    ("George A. Falk|person", "George Albert Falk|person", Apart),
    ("O.H. Navy|organisation", "Ommer Harbour Navy|organisation", Apart),
    ("J. Brandt|person", "Jonas Brandt|person", Together),
    ("Iain M. Lund|person", "Iain Lund|person", Together),
    ("Woody Boyde|person", "Boyde", Together),
    ("Tidd Gull Society", "TGS", Together),
    ("Air Ommer|organisation", "Air Ommer Corporation|organisation", Together),
    (
        "Inner Basket Makers",
        "IBM",
        Of(&[
            ("One", "The [Inner Basket Makers] ([IBM]) met in 1911."),
            ("Two", "The [IBM] struck in [Tidd]."),
            ("Three", "Nobody at the [IBM] answered."),
        ]),
    ),
    (
        "Tidd Gull Board",
        "TGB",
        Of(&[("One", "The [TGB] ([Tidd Gull Board]) met.")]),
    ),
    (
        "Karrow Tower",
        "Gull Needle",
        Of(&[("One", "The [Karrow Tower], also known as the [Gull Needle], stands.")]),
    ),
    (
        "Ada Quill",
        "Adele Quillon",
        Of(&[("One", "[Ada Quill] (born [Adele Quillon]; 3 May 1901) was a painter.")]),
    ),
    (
        "Vessing Hall",
        "Mill Hall",
        Of(&[(
            "One",
            "They met in [Tidd]. [Vessing Hall] (formerly [Mill Hall]) is old.",
        )]),
    ),
    (
        "Odd Riis|person",
        "Redbeard",
        Of(&[("One", "[Odd Riis|person] (also known as [Redbeard]) sailed.")]),
    ),
    (
        "Lo Wey",
        "Lo Way",
        Of(&[(
            "One",
            "[Lo Wey] (sometimes spelled [Lo Way], 12 December 1918) was a director.",
        )]),
    ),
    (
        "Unhatched",
        "Rules for Gulls",
        Of(&[(
            "Unhatched",
            "[Unhatched] (previously known as [Rules for Gulls]) is a comedy.",
        )]),
    ),
    // Known to be missed: nicknames, inverted names, what a state is called for short, a title on a single name.
    ("Bob Orde|person", "Robert Orde|person", Together),
    ("Orde, Jan|person", "Jan Orde|person", Together),
    ("Republic of Ommer|place", "Ommer|place", Together),
    ("Lord Voss", "Voss", Apart),
];

/// Two things with names that resemble each other.
const DIFFERENT: &[Pair] = &[
    (
        "Wrenna, Ommer",
        "Wrenna, Tidd",
        Of(&[("Wrenna, Ommer", "A town."), ("Wrenna, Tidd", "A town, too.")]),
    ),
    (
        "Quell",
        "Quell (mythology)",
        Of(&[("Quell", "A city."), ("Quell (mythology)", "A hero.")]),
    ),
    (
        "Quell",
        "Quell (mythology)",
        Of(&[("Quell (mythology)", "A hero."), ("Notes", "[Quell] is a city.")]),
    ),
    (
        "Jonas Brandt",
        "J. Brandt",
        Of(&[
            ("Jonas Brandt", "A painter."),
            ("J. Brandt", "Also [Jonas Brandt|person]."),
        ]),
    ),
    (
        "Dr. Mara Voss",
        "Mara Voss",
        Of(&[("Dr. Mara Voss", "A film."), ("Mara Voss", "A director.")]),
    ),
    ("Jan Orde", "Jan Orde Jr.", Together),
    ("Jan Orde Sr.", "Jan Orde Jr.", Together),
    ("Pear", "Pear Records", Together),
    ("Gullfire", "Gullfire II", Together),
    ("Gullfire Part One", "Gullfire Part Two", Together),
    ("1990 Gull Cup", "1994 Gull Cup", Together),
    ("Gull War I", "Gull War II", Together),
    ("Queen Ada I", "Queen Ada II", Together),
    ("Ward 3", "Ward 4", Together),
    ("Third Gull Fair", "Fourth Gull Fair", Together),
    (
        "Karrow Lighthouse|structure",
        "Karrow Lighthouse Company|organisation",
        Together,
    ),
    ("Karrow Lighthouse", "Karrow Lighthouse Company", Together),
    ("Walt Brenn|person", "Walt Brenn Company|organisation", Together),
    ("Michael Orde|person", "Michal Orde|person", Together),
    ("Jan Orde|person", "Jon Orde|person", Together),
    ("Mrs. Jan Orde", "Jan Orde", Together),
    ("Lady Randolph Orde", "Randolph Orde", Together),
    ("Charles Town", "Charlestown", Apart),
    ("St Brann", "Saint Brann", Apart),
    ("Dr. Voss", "Voss", Apart),
    ("Prince Harald Vess", "King Harald Vess", Apart),
    ("President of Ommer", "Ommer", Together),
    ("National League", "National Gull League", Together),
    (
        "Tidd Art Museum|organisation",
        "Tidd Asian Art Museum|organisation",
        Together,
    ),
    ("Ada Quill", "Ada Quill Prize", Together),
    ("Tidd River", "Tidd", Together),
    ("House of Orde", "Orde", Together),
    ("Captain Lund Bridge|structure", "Lund Bridge|structure", Together),
    ("J. Brandt|person", "Jonas Brandt|person", Apart),
    ("Co.", "Company", Together),
    ("TGS", "Tidd Gull Society", Apart),
    ("B League|organisation", "Basket League|organisation", Together),
    (
        "J. Brandt|person",
        "Jonas Brandt|person",
        Of(&[(
            "One",
            "[J. Brandt|person], [Jonas Brandt|person] and [Jakob Brandt|person] sailed.",
        )]),
    ),
    (
        "Mara Voss|person",
        "Voss",
        Of(&[("One", "[Mara Voss|person] and [Ivo Voss|person] sang. [Voss] left.")]),
    ),
    (
        "Woody Boyde|person",
        "Boyde",
        Of(&[
            ("One", "[Woody Boyde|person] sang. [Boyde] left."),
            ("Two", "[Boyde] is a hill in [Tidd]."),
        ]),
    ),
    (
        "Tidd Gull Board",
        "TGB",
        Of(&[
            ("One", "The [Tidd Gull Board] ([TGB]) met."),
            ("Two", "The [Tall Grass Band] ([TGB]) sang."),
        ]),
    ),
    (
        "Tidd Gull Board",
        "TGB",
        Of(&[
            ("One", "The [Tidd Gull Board] ([TGB]) met."),
            ("Two", "The Old [Grass Band] ([TGB]) sang."),
        ]),
    ),
    (
        "Vessing",
        "Old Gull",
        Of(&[(
            "One",
            "[Ada Quill], from [Vessing], also known as the [Old Gull], left.",
        )]),
    ),
    (
        "Tidd",
        "Gull Rite",
        Of(&[("One", "The customs in [Tidd] (known as the [Gull Rite]) differ.")]),
    ),
    (
        "Kate Mull",
        "Captain Vane",
        Of(&[("One", "[Kate Mull], best known as [Captain Vane], left.")]),
    ),
    (
        "Olivia Benn",
        "Mari Harg",
        Of(&[("One", "[Olivia Benn] ([Mari Harg]), a nurse, left.")]),
    ),
    ("Karrow", "Tidd", Of(&[("One", "[Karrow] ([Tidd]), was rebuilt.")])),
    (
        "Orsa Church",
        "Gull",
        Of(&[("One", "[Orsa Church], also known as the [Gull] Church, is old.")]),
    ),
    (
        "Bridge Study",
        "Task Force",
        Of(&[(
            "One",
            "The [Bridge Study] (also known as the [Task Force] on Gulls) is long.",
        )]),
    ),
    (
        "Vessing|place",
        "Ada Quill|person",
        Of(&[("One", "[Vessing|place], also known as [Ada Quill|person], left.")]),
    ),
    (
        "Gullfire",
        "Gullfire II",
        Of(&[("One", "[Gullfire] (also known as [Gullfire II]) is a film.")]),
    ),
    (
        "Odd Riis|person",
        "Jack",
        Of(&[
            ("One", "[Odd Riis|person], known as [Jack], sailed."),
            ("Two", "[Jack] climbed."),
            ("Three", "[Jack] fell."),
        ]),
    ),
];

/// How many of the pairs that are joined by default are unavoidable misses: the last four of [`SAME`].
const N_MISSED: usize = 4;

fn is_joined((a, b, text): &Pair) -> bool {
    let apart = [
        format!("In those days [{a}] was well known."),
        format!("Nobody wrote more of [{b}] than they did."),
    ];
    let together = format!("In those days [{a}] was well known. Nobody wrote more of [{b}] than they did.");
    let corpus = match text {
        Apart => Corpus::new(&[("Note one", &apart[0]), ("Note two", &apart[1])]),
        Together => Corpus::new(&[("Note one", &together)]),
        Of(texts) => Corpus::new(texts),
    };
    let bare = |mark: &'static str| mark.split('|').next().unwrap_or(mark);
    corpus.joins(bare(a), bare(b))
}

fn names(pairs: &[&Pair]) -> Vec<String> {
    pairs.iter().map(|(a, b, _)| format!("{a} / {b}")).collect()
}

#[test]
fn no_pair_of_different_things_is_joined() {
    let wrong: Vec<&Pair> = DIFFERENT.iter().filter(|pair| is_joined(pair)).collect();
    assert!(wrong.is_empty(), "joined: {:#?}", names(&wrong));
}

#[test]
fn pairs_of_one_thing_are_joined_but_for_the_known_misses() {
    let missed: Vec<&Pair> = SAME.iter().filter(|pair| !is_joined(pair)).collect();
    let known: Vec<&Pair> = SAME[SAME.len() - N_MISSED..].iter().collect();
    assert_eq!(names(&missed), names(&known));
}

#[test]
fn the_pairs_are_enough_to_mean_something() {
    assert!(
        SAME.len() >= 40 && DIFFERENT.len() >= 40,
        "{} and {}",
        SAME.len(),
        DIFFERENT.len()
    );
}
