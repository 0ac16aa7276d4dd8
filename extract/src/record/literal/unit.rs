//! Units of measure and money.

/// What a unit measures, and how many of the base unit one of it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// What it measures; only units of one dimension convert.
    pub dimension: &'static str,
    /// How many base units one is. Money does not convert: every currency is its own dimension.
    pub factor: f64,
}

/// Spellings, dimension, factor. Factors of feet, miles, pounds, ounces and acres are those of the international
/// agreement of 1959.
const UNITS: &[(&[&str], &str, f64)] = &[
    (&["m", "metre", "metres", "meter", "meters"], "length", 1.0),
    (
        &["km", "kms", "kilometre", "kilometres", "kilometer", "kilometers"],
        "length",
        1_000.0,
    ),
    (
        &["cm", "centimetre", "centimetres", "centimeter", "centimeters"],
        "length",
        0.01,
    ),
    (
        &["mm", "millimetre", "millimetres", "millimeter", "millimeters"],
        "length",
        0.001,
    ),
    (&["mi", "mile", "miles"], "length", 1_609.344),
    (&["nmi", "nautical mile", "nautical miles"], "length", 1_852.0),
    (&["ft", "foot", "feet"], "length", 0.3048),
    (&["yd", "yard", "yards"], "length", 0.9144),
    (&["kg", "kilogram", "kilograms", "kilo", "kilos"], "mass", 1.0),
    (&["g", "gram", "grams"], "mass", 0.001),
    (&["t", "tonne", "tonnes"], "mass", 1_000.0),
    (&["lb", "lbs", "pound", "pounds"], "mass", 0.453_592_37),
    (&["m²", "m2", "sqm", "square metres", "square meters"], "area", 1.0),
    (&["km²", "km2", "square kilometres", "square kilometers"], "area", 1e6),
    (&["km/h", "kmh", "kph"], "speed", 1.0),
    (&["mph"], "speed", 1.609_344),
    (&["kn", "kt", "knot", "knots"], "speed", 1.852),
    (&["ha", "hectare", "hectares"], "area", 10_000.0),
    (&["acre", "acres"], "area", 4_046.856_422_4),
    (&["l", "litre", "litres", "liter", "liters"], "volume", 1.0),
    (
        &["ml", "millilitre", "millilitres", "milliliter", "milliliters"],
        "volume",
        0.001,
    ),
    (&["second", "seconds", "sec", "secs"], "time", 1.0),
    (&["min", "mins", "minute", "minutes"], "time", 60.0),
    (&["h", "hr", "hrs", "hour", "hours"], "time", 3_600.0),
    (&["day", "days"], "time", 86_400.0),
    (&["week", "weeks"], "time", 604_800.0),
    (&["%", "percent", "pct"], "share", 1.0),
    (&["$", "usd", "dollar", "dollars"], "dollar", 1.0),
    (&["€", "eur", "euro", "euros"], "euro", 1.0),
    (&["£", "gbp", "sterling"], "sterling", 1.0),
    (&["¥", "jpy", "yen"], "yen", 1.0),
    (&["₹", "inr", "rupee", "rupees"], "rupee", 1.0),
    (&["chf", "franc", "francs"], "franc", 1.0),
];

/// The unit that a word or sign names, in any case; `None` where it names none.
pub fn unit_of(word: &str) -> Option<Quantity> {
    let lower = word.trim().trim_end_matches('.').to_lowercase();
    let found = UNITS.iter().find(|(spellings, ..)| spellings.contains(&lower.as_str()));
    found.map(|(_, dimension, factor)| Quantity {
        dimension,
        factor: *factor,
    })
}

/// `value` of one unit in another; `None` where they measure different things.
pub fn convert(value: f64, from: Quantity, to: Quantity) -> Option<f64> {
    (from.dimension == to.dimension).then(|| {
        let factor = from.factor / to.factor;
        // What was written with few digits has no more of them in another unit.
        if (factor - 1.0).abs() < f64::EPSILON {
            value
        } else {
            (value * factor * 1e6).round() / 1e6
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_one_dimension_convert() {
        let check = |value: f64, from: &str, to: &str, expected: Option<f64>| {
            assert_eq!(
                convert(value, unit_of(from).unwrap(), unit_of(to).unwrap()),
                expected,
                "{from} {to}"
            );
        };
        check(2.5, "km", "metres", Some(2_500.0));
        check(1.0, "Miles", "km", Some(1.609_344));
        check(90.0, "minutes", "hours", Some(1.5));
        check(3.0, "€", "$", None);
        assert_eq!(unit_of("teams"), None);
    }
}
