//! Weights and limits of resolution, in one place.

use super::ResolveError;

/// Weights and limits. A weight is the share of certainty that one piece of evidence gives; independent pieces add up as
/// `1 − Π (1 − w)`. Chosen by hand on the labelled pairs of the tests and on the joins found in public multi-hop corpora:
/// one piece that could as well be chance stays below the threshold, and joins only with a second one.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolveConfig {
    /// Least score of a join.
    pub threshold: f32,
    /// Least lead of a short name's best reading over another one that is something else.
    pub margin: f32,
    /// Least share of the documents naming a short name that must have to do with its best reading, where there are others.
    pub min_share: f32,
    /// Documents naming a stated alias from which on one statement is not enough: "Main Street" may be anywhere.
    pub n_wide: usize,
    /// Least share of such an alias's documents that must have to do with what it is stated of.
    pub min_wide_share: f32,
    /// Most names of one entity, apart from what the user joins.
    pub max_cluster: usize,
    /// Most keys of a block in which pairs are formed; a larger block is evidence of nothing.
    pub max_block: usize,
    /// A text says that two names are one, and the alias has several words or is an acronym.
    pub stated: f32,
    /// A text says so of an alias of one word, which may be called so in this text only.
    pub stated_word: f32,
    /// The same name in two spellings.
    pub spelling: f32,
    /// The same name in two spellings that two things may well share: one word, or a word cut in two.
    pub spelling_weak: f32,
    /// The same name of several words after a title of honour.
    pub title: f32,
    /// The same single word after a title, or the same name before a legal form.
    pub title_weak: f32,
    /// One initial or equal given name that agrees.
    pub initial: f32,
    /// Two of them; also an acronym of three or more letters of a name.
    pub two_initials: f32,
    /// Three or more.
    pub three_initials: f32,
    /// An acronym of three or more letters.
    pub acronym: f32,
    /// An acronym of two letters.
    pub short_acronym: f32,
    /// A rare last name of one full name, or a full name without its middle names.
    pub containment: f32,
    /// The same type, both shown by texts.
    pub same_type: f32,
    /// All the company that the rarer of both has; less in proportion.
    pub context: f32,
    /// An embedder finds the names alike.
    pub embedding: f32,
    /// Least cosine for that.
    pub min_cosine: f32,
}

impl Default for ResolveConfig {
    fn default() -> Self {
        Self {
            threshold: 0.8,
            margin: 0.15,
            min_share: 0.6,
            n_wide: 4,
            min_wide_share: 0.25,
            max_cluster: 12,
            max_block: 64,
            stated: 0.9,
            stated_word: 0.55,
            spelling: 0.9,
            spelling_weak: 0.6,
            title: 0.85,
            title_weak: 0.4,
            initial: 0.45,
            two_initials: 0.72,
            three_initials: 0.85,
            acronym: 0.55,
            short_acronym: 0.35,
            containment: 0.52,
            same_type: 0.3,
            context: 0.6,
            embedding: 0.15,
            min_cosine: 0.8,
        }
    }
}

impl ResolveConfig {
    /// Checks every field.
    ///
    /// # Errors
    /// [`ResolveError::Config`] with the first field that is out of its range.
    pub fn validate(&self) -> Result<(), ResolveError> {
        let shares = [
            ("threshold", self.threshold),
            ("margin", self.margin),
            ("min_share", self.min_share),
            ("min_wide_share", self.min_wide_share),
            ("stated", self.stated),
            ("stated_word", self.stated_word),
            ("spelling", self.spelling),
            ("spelling_weak", self.spelling_weak),
            ("title", self.title),
            ("title_weak", self.title_weak),
            ("initial", self.initial),
            ("two_initials", self.two_initials),
            ("three_initials", self.three_initials),
            ("acronym", self.acronym),
            ("short_acronym", self.short_acronym),
            ("containment", self.containment),
            ("same_type", self.same_type),
            ("context", self.context),
            ("embedding", self.embedding),
            ("min_cosine", self.min_cosine),
        ];
        let counts = [
            ("max_cluster", self.max_cluster),
            ("max_block", self.max_block),
            ("n_wide", self.n_wide),
        ];
        let share = shares.into_iter().find(|(_, value)| !(0.0..=1.0).contains(value));
        if let Some((field, found)) = share {
            let expected = "a share, 0..=1";
            return Err(ResolveError::Config { field, expected, found });
        }
        if let Some((field, found)) = counts.into_iter().find(|(_, value)| *value < 2) {
            let expected = "at least 2";
            let found = found as f32;
            return Err(ResolveError::Config { field, expected, found });
        }
        Ok(())
    }
}
