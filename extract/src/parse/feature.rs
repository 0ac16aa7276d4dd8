//! A word's features: the numbers that its vector is looked up by.

use super::error::ParseError;
use super::norm::Norms;
use super::shape;
use super::symbol;
use super::tokenizer::Word;

/// A kind of feature. The discriminant is the place in [`Features`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    /// The normal form.
    Norm = 0,
    /// The first character.
    Prefix = 1,
    /// The last three characters.
    Suffix = 2,
    /// The form, see [`shape::of`].
    Shape = 3,
    /// Whether a blank follows.
    Spacy = 4,
    /// Whether it is white space.
    IsSpace = 5,
}

impl Feature {
    /// The kind by its name in the model's file.
    ///
    /// # Errors
    /// [`ParseError`] for a name that is not known.
    pub(super) fn named(file: &'static str, name: &str) -> Result<Self, ParseError> {
        match name {
            "NORM" => Ok(Self::Norm),
            "PREFIX" => Ok(Self::Prefix),
            "SUFFIX" => Ok(Self::Suffix),
            "SHAPE" => Ok(Self::Shape),
            "SPACY" => Ok(Self::Spacy),
            "IS_SPACE" => Ok(Self::IsSpace),
            other => Err(ParseError::new(file, "a known feature", other)),
        }
    }
}

/// The numbers of a word's features, by kind.
pub(super) type Features = [u64; 6];

/// The features of a word of a text.
pub(super) fn of(text: &str, word: &Word, norms: &Norms) -> Features {
    let form = &text[word.start..word.end];
    let is_space = shape::is_space(form);
    let prefix = form.chars().next().map_or(0, char::len_utf8);
    let suffix = form.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
    [
        word.norm.unwrap_or_else(|| norms.of(form)),
        symbol::number(&form[..prefix]),
        symbol::number(&form[suffix..]),
        symbol::number(&shape::of(form)),
        u64::from(!is_space && text[word.end..].starts_with(' ')),
        u64::from(is_space),
    ]
}

/// Whether these are the features of white space.
pub(super) fn is_space(features: &Features) -> bool {
    features[Feature::IsSpace as usize] == 1
}
