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
/// agreement of 1959, months and years those of the Gregorian calendar on average.
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
    (
        &["µm", "micrometre", "micrometres", "micrometer", "micrometers"],
        "length",
        1e-6,
    ),
    (&["inch", "inches"], "length", 0.0254),
    (&["mi", "mile", "miles"], "length", 1_609.344),
    (&["nmi", "nautical mile", "nautical miles"], "length", 1_852.0),
    (&["ft", "foot", "feet"], "length", 0.3048),
    (&["yd", "yard", "yards"], "length", 0.9144),
    (&["kg", "kilogram", "kilograms", "kilo", "kilos"], "mass", 1.0),
    (&["g", "gram", "grams"], "mass", 0.001),
    (&["mg", "milligram", "milligrams"], "mass", 1e-6),
    (&["t", "tonne", "tonnes"], "mass", 1_000.0),
    (&["ton", "tons"], "ton", 1.0),
    (&["oz", "ounce", "ounces"], "mass", 0.028_349_523_125),
    (&["lb", "lbs", "pound", "pounds"], "mass", 0.453_592_37),
    (&["m²", "m2", "sqm", "square metres", "square meters"], "area", 1.0),
    (&["km²", "km2", "square kilometres", "square kilometers"], "area", 1e6),
    (&["square feet", "sqft"], "area", 0.092_903_04),
    (&["square miles"], "area", 2_589_988.110_336),
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
    (&["gallon", "gallons"], "gallon", 1.0),
    (&["ns", "nanosecond", "nanoseconds"], "time", 1e-9),
    (&["µs", "us", "microsecond", "microseconds"], "time", 1e-6),
    (&["ms", "millisecond", "milliseconds"], "time", 0.001),
    (&["second", "seconds", "sec", "secs"], "time", 1.0),
    (&["min", "mins", "minute", "minutes"], "time", 60.0),
    (&["h", "hr", "hrs", "hour", "hours"], "time", 3_600.0),
    (&["day", "days"], "time", 86_400.0),
    (&["week", "weeks"], "time", 604_800.0),
    (&["month", "months"], "time", 2_629_746.0),
    (&["year", "years"], "time", 31_556_952.0),
    (&["byte", "bytes"], "bytes", 1.0),
    (&["kb"], "bytes", 1e3),
    (&["mb"], "bytes", 1e6),
    (&["gb"], "bytes", 1e9),
    (&["tb"], "bytes", 1e12),
    (&["kib"], "bytes", 1_024.0),
    (&["mib"], "bytes", 1_048_576.0),
    (&["gib"], "bytes", 1_073_741_824.0),
    (&["tib"], "bytes", 1_099_511_627_776.0),
    (&["bit", "bits"], "bits", 1.0),
    (&["bps", "bit/s"], "bit rate", 1.0),
    (&["kbps", "kbit/s"], "bit rate", 1e3),
    (&["mbps", "mbit/s"], "bit rate", 1e6),
    (&["gbps", "gbit/s"], "bit rate", 1e9),
    (&["hz", "hertz"], "frequency", 1.0),
    (&["khz"], "frequency", 1e3),
    (&["mhz"], "frequency", 1e6),
    (&["ghz"], "frequency", 1e9),
    (&["rpm"], "rotation", 1.0),
    (&["v", "volt", "volts"], "voltage", 1.0),
    (&["kv", "kilovolt", "kilovolts"], "voltage", 1e3),
    (&["amp", "amps", "ampere", "amperes"], "current", 1.0),
    (&["ma", "milliamp", "milliamps"], "current", 0.001),
    (&["w", "watt", "watts"], "power", 1.0),
    (&["kw", "kilowatt", "kilowatts"], "power", 1e3),
    (&["mw", "megawatt", "megawatts"], "power", 1e6),
    (&["kwh"], "energy", 1.0),
    (&["ohm", "ohms", "ω"], "resistance", 1.0),
    (&["db", "decibel", "decibels"], "level", 1.0),
    (&["dbm"], "level over a milliwatt", 1.0),
    (&["px", "pixel", "pixels"], "pixels", 1.0),
    (&["°c", "celsius"], "celsius", 1.0),
    (&["°f", "fahrenheit"], "fahrenheit", 1.0),
    (&["°", "degree", "degrees"], "degrees", 1.0),
    (&["%", "percent", "per cent", "pct"], "share", 1.0),
    (&["$", "usd", "dollar", "dollars"], "dollar", 1.0),
    (&["€", "eur", "euro", "euros"], "euro", 1.0),
    (&["£", "gbp", "sterling"], "sterling", 1.0),
    (&["¥", "jpy", "yen"], "yen", 1.0),
    (&["₹", "inr", "rupee", "rupees"], "rupee", 1.0),
    (&["chf", "franc", "francs"], "franc", 1.0),
    (&["crown", "crowns"], "crown", 1.0),
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
