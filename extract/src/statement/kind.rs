//! Kinds of things, coarser than any schema's types: what a name, a value or a type's name can be told to be.

/// A kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    Person,
    Place,
    Organisation,
    Work,
    Event,
    Award,
    Date,
    Number,
    /// What common nouns denote: genres, professions, materials, fields.
    Class,
    Language,
    /// Free text.
    Text,
}

impl Kind {
    /// Every kind.
    pub(crate) const ALL: [Self; 11] = [
        Self::Person,
        Self::Place,
        Self::Organisation,
        Self::Work,
        Self::Event,
        Self::Award,
        Self::Date,
        Self::Number,
        Self::Class,
        Self::Language,
        Self::Text,
    ];

    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name in lower case.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Place => "place",
            Self::Organisation => "organisation",
            Self::Work => "work",
            Self::Event => "event",
            Self::Award => "award",
            Self::Date => "date",
            Self::Number => "number",
            Self::Class => "class",
            Self::Language => "language",
            Self::Text => "text",
        }
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u16);

impl Kinds {
    /// The set with one more.
    pub(crate) fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// What is in either.
    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn has(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its members in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }
}
