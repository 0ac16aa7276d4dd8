//! What a trained parser says of a word, in the few kinds that extraction tells apart.

use serde::{Deserialize, Serialize};

/// Part of speech.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pos {
    /// Nobody said: no parser read the word.
    #[default]
    Unknown,
    /// Proper noun.
    Name,
    /// Common noun.
    Noun,
    /// Adjective.
    Adjective,
    /// Verb or modal.
    Verb,
    /// Past participle.
    Participle,
    /// Present participle or gerund.
    Gerund,
    /// Cardinal number.
    Number,
    /// Personal, relative or interrogative pronoun.
    Pronoun,
    /// Adverb.
    Adverb,
    /// Article, or who or what something belongs to.
    Determiner,
    /// Preposition, conjunction, particle.
    Function,
    /// Interjection, foreign word, symbol.
    Other,
    /// Adjective in the comparative or superlative.
    Comparison,
}

impl Pos {
    /// Its name as features of weights have it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Name => "name",
            Self::Noun => "noun",
            Self::Adjective | Self::Comparison => "adjective",
            Self::Verb => "verb",
            Self::Participle => "participle",
            Self::Gerund => "gerund",
            Self::Number => "number",
            Self::Pronoun => "pronoun",
            Self::Adverb => "adverb",
            Self::Determiner => "determiner",
            Self::Function => "function",
            Self::Other => "other",
        }
    }

    pub(crate) fn is_adjective(self) -> bool {
        matches!(self, Self::Adjective | Self::Comparison)
    }

    /// The part of speech of a tag of the Penn treebank.
    pub(crate) fn of(tag: &str) -> Self {
        match tag {
            "NNP" | "NNPS" => Self::Name,
            "NN" | "NNS" => Self::Noun,
            "JJ" => Self::Adjective,
            "JJR" | "JJS" => Self::Comparison,
            "VBN" => Self::Participle,
            "VBG" => Self::Gerund,
            "VB" | "VBD" | "VBP" | "VBZ" | "MD" => Self::Verb,
            "CD" => Self::Number,
            "PRP" | "WP" | "WDT" => Self::Pronoun,
            "RB" | "RBR" | "RBS" | "WRB" => Self::Adverb,
            "DT" | "PDT" | "PRP$" | "WP$" | "POS" => Self::Determiner,
            "IN" | "CC" | "TO" | "EX" | "RP" => Self::Function,
            _ => Self::Other,
        }
    }
}

/// How a word depends on its head, by the labels of `ClearNLP`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Dependency {
    /// Any other label, or no parser.
    #[default]
    Other,
    /// `ROOT`.
    Root,
    /// `nsubj`, `csubj`.
    Subject,
    /// `nsubjpass`.
    PassiveSubject,
    /// `dobj`, `dative`.
    Object,
    /// `attr`, `oprd`, `acomp`.
    Complement,
    /// `prep`.
    Preposition,
    /// `agent`: the "by" of a passive.
    Agent,
    /// `pobj`, `pcomp`.
    PrepositionObject,
    /// `appos`.
    Apposition,
    /// `poss`.
    Possessor,
    /// `compound`, `nmod`.
    Compound,
    /// `amod`, `nummod`.
    Modifier,
    /// `relcl`, `acl`.
    Clause,
    /// `conj`.
    Conjunct,
    /// `neg`.
    Negation,
    /// `auxpass`.
    PassiveAuxiliary,
    /// `xcomp`, `ccomp`, `advcl`.
    ClausalComplement,
    /// `intj`.
    Interjection,
    /// `prt`: the "up" of "set up".
    Particle,
}

impl Dependency {
    /// Its name as features of weights have it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Root => "root",
            Self::Subject => "subject",
            Self::PassiveSubject => "passive",
            Self::Object => "object",
            Self::Complement => "complement",
            Self::Preposition => "prep",
            Self::Agent => "agent",
            Self::PrepositionObject => "of",
            Self::Apposition => "apposition",
            Self::Possessor => "possessor",
            Self::Compound => "compound",
            Self::Modifier => "modifier",
            Self::Clause => "clause",
            Self::Conjunct => "and",
            Self::Negation => "not",
            Self::PassiveAuxiliary => "auxiliary",
            Self::ClausalComplement => "clausal",
            Self::Interjection => "oh",
            Self::Particle => "particle",
        }
    }

    pub(crate) fn of(label: &str) -> Self {
        match label {
            "ROOT" => Self::Root,
            "nsubj" | "csubj" => Self::Subject,
            "nsubjpass" | "csubjpass" => Self::PassiveSubject,
            "dobj" | "dative" => Self::Object,
            "attr" | "oprd" | "acomp" => Self::Complement,
            "prep" => Self::Preposition,
            "agent" => Self::Agent,
            "pobj" | "pcomp" => Self::PrepositionObject,
            "appos" => Self::Apposition,
            "poss" => Self::Possessor,
            "compound" | "nmod" => Self::Compound,
            "amod" | "nummod" => Self::Modifier,
            "relcl" | "acl" => Self::Clause,
            "conj" => Self::Conjunct,
            "neg" => Self::Negation,
            "auxpass" => Self::PassiveAuxiliary,
            "xcomp" | "ccomp" | "advcl" => Self::ClausalComplement,
            "intj" => Self::Interjection,
            "prt" => Self::Particle,
            _ => Self::Other,
        }
    }
}

/// What kind of thing a word is part of the name of, by a dictionary or a recogniser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// No name.
    #[default]
    Common,
    /// A person.
    Person,
    /// A country, town, river, mountain.
    Place,
    /// An organisation.
    Organisation,
    /// A building, bridge, airport.
    Structure,
    /// A book, song, film, law.
    Work,
    /// A battle, storm, election.
    Event,
    /// A thing that is made and sold.
    Product,
    /// A language.
    Language,
    /// A people, a faith, a party's followers.
    Group,
    /// Something else that has a name.
    Other,
    /// No name, but a date, a number, a sum, a share.
    Value,
}

impl Kind {
    /// Its name as features of weights have it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Common => "Common",
            Self::Person => "Person",
            Self::Place => "Place",
            Self::Organisation => "Organisation",
            Self::Structure => "Structure",
            Self::Work => "Work",
            Self::Event => "Event",
            Self::Product => "Product",
            Self::Language => "Language",
            Self::Group => "Group",
            Self::Other => "Other",
            Self::Value => "Value",
        }
    }

    /// The kind of an entity label of `OntoNotes`.
    pub(crate) fn of(label: &str) -> Self {
        match label {
            "PERSON" => Self::Person,
            "GPE" | "LOC" => Self::Place,
            "ORG" => Self::Organisation,
            "FAC" => Self::Structure,
            "WORK_OF_ART" | "LAW" => Self::Work,
            "EVENT" => Self::Event,
            "PRODUCT" => Self::Product,
            "LANGUAGE" => Self::Language,
            "NORP" => Self::Group,
            _ => Self::Value,
        }
    }

    /// Whether it is the kind of a name.
    pub(crate) fn is_name(self) -> bool {
        !matches!(self, Self::Common | Self::Value)
    }

    /// The noun that says what the kind is, as schemas name types; `None` for what says nothing of a type.
    pub(crate) fn noun(self) -> Option<&'static str> {
        match self {
            Self::Person => Some("person"),
            Self::Place => Some("place"),
            Self::Organisation => Some("organisation"),
            Self::Structure => Some("structure"),
            Self::Work => Some("work"),
            Self::Event => Some("event"),
            Self::Product => Some("product"),
            Self::Language => Some("language"),
            Self::Common | Self::Group | Self::Other | Self::Value => None,
        }
    }
}
