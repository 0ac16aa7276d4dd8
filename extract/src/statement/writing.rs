//! Forms in which an end of a statement can be written: as the text has it, or normalised.

use super::candidate::{Candidate, Source};
use super::lexicon::LEXICON;
use super::value::{Value, month_name};
use serde::{Deserialize, Serialize};

/// A way to write an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// As the text has it.
    Plain,
    /// In quotation marks.
    Quoted,
    /// `1901-05-03`.
    Iso,
    /// `"1901-05-03"`.
    QuotedIso,
    /// `03 May 1901`; what the text leaves open is the first: `01 January 1901`.
    Long,
    /// `00 May 1901`, `00  1901`: what the text leaves open is zero or empty.
    Open,
    /// `1901`.
    Year,
    /// Without separators, scale worked in: `3500000`.
    Digits,
    /// The same in quotation marks.
    QuotedDigits,
    /// The same as a decimal: `3500000.0`.
    Decimal,
    /// The country of an adjective of origin.
    Country,
    /// The same in quotation marks.
    QuotedCountry,
}

/// What kind of end a form is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// A date with month or day.
    Date,
    /// A year alone.
    Year,
    /// A number.
    Number,
    /// An adjective of origin.
    People,
    /// Anything else.
    Text,
}

/// What a candidate is to writing.
pub(crate) fn matter(candidate: &Candidate) -> Matter {
    match &candidate.value {
        Some(value) if value.is_year() => Matter::Year,
        Some(value) if value.is_date() => Matter::Date,
        Some(_) => Matter::Number,
        None if candidate.is(Source::People) => Matter::People,
        None => Matter::Text,
    }
}

/// Every form of a candidate whose text is `text`.
pub(crate) fn forms(candidate: &Candidate, text: &str) -> Vec<(Form, String)> {
    let all: &[Form] = match matter(candidate) {
        Matter::Date | Matter::Year => &[
            Form::Plain,
            Form::Quoted,
            Form::Iso,
            Form::QuotedIso,
            Form::Long,
            Form::Open,
            Form::Year,
        ],
        Matter::Number => &[
            Form::Plain,
            Form::Quoted,
            Form::Digits,
            Form::QuotedDigits,
            Form::Decimal,
        ],
        Matter::People => &[Form::Plain, Form::Quoted, Form::Country, Form::QuotedCountry],
        Matter::Text => &[Form::Plain, Form::Quoted],
    };
    all.iter().map(|form| (*form, write(candidate, text, *form))).collect()
}

/// A candidate in a form; as the text has it where the form does not apply.
pub(crate) fn write(candidate: &Candidate, text: &str, form: Form) -> String {
    let quoted = |text: String| format!("\"{text}\"");
    match (form, &candidate.value) {
        (Form::Quoted, _) => quoted(text.to_owned()),
        (Form::Country | Form::QuotedCountry, None) => {
            let country = LEXICON.country_of(&text.to_lowercase()).unwrap_or(text).to_owned();
            if form == Form::Country {
                country
            } else {
                quoted(country)
            }
        }
        (Form::Digits, Some(Value::Number(digits))) => digits.clone(),
        (Form::QuotedDigits, Some(Value::Number(digits))) => quoted(digits.clone()),
        (Form::Decimal, Some(Value::Number(digits))) if digits.contains('.') => digits.clone(),
        (Form::Decimal, Some(Value::Number(digits))) => format!("{digits}.0"),
        (form, Some(Value::Date { year, month, day })) => {
            date(form, *year, *month, *day).unwrap_or_else(|| text.to_owned())
        }
        _ => text.to_owned(),
    }
}

fn date(form: Form, year: u32, month: Option<u32>, day: Option<u32>) -> Option<String> {
    let (first_month, first_day) = (month.unwrap_or(1), day.unwrap_or(1));
    match form {
        Form::Iso => Some(format!("{year:04}-{first_month:02}-{first_day:02}")),
        Form::QuotedIso => Some(format!("\"{year:04}-{first_month:02}-{first_day:02}\"")),
        Form::Long => Some(format!("{first_day:02} {} {year:04}", month_name(first_month)?)),
        Form::Open => {
            let month = month.and_then(month_name).unwrap_or("");
            Some(format!("{:02} {month} {year:04}", day.unwrap_or(0)))
        }
        Form::Year => Some(year.to_string()),
        _ => None,
    }
}

/// Whether writing in this form keeps to the words of the text.
pub(crate) fn is_literal(matter: Matter, form: Form) -> bool {
    matches!(form, Form::Plain | Form::Year) || (matter == Matter::Year && form == Form::Long)
}
