//! What people decide about proposals.

use super::{AcceptedBy, Growth, Proposal, SchemaVersion};
use crate::id::DocumentId;
use crate::schema::element::{Element, ElementKind};
use crate::schema::{Schema, SchemaError, snake_case};
use std::collections::BTreeSet;

/// Names listed in an error at most; enough to see a misspelling. Arbitrary.
const MAX_LISTED: usize = 8;

/// Why a decision cannot be carried out; nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrowthError {
    /// Nothing of this name is proposed.
    #[error("nothing named `{name}` is proposed; {}", listed(.open))]
    NotProposed {
        /// The name.
        name: String,
        /// Names of open proposals.
        open: Vec<String>,
    },
    /// The schema has it already.
    #[error("`{name}` is part of the schema already")]
    Known {
        /// The name.
        name: String,
    },
    /// Elements of several kinds share the name.
    #[error("`{name}` is of several kinds; name one as {}", .choices.join(" or "))]
    Ambiguous {
        /// The name.
        name: String,
        /// How to say which.
        choices: Vec<String>,
    },
    /// An element needs types that the schema does not have.
    #[error("{kind} `{name}` needs the entity types {}; accept them with it", .types.join(", "))]
    NeedsTypes {
        /// What it is.
        kind: ElementKind,
        /// Its name.
        name: String,
        /// The types.
        types: Vec<String>,
    },
    /// The seed defines it.
    #[error("{kind} `{name}` is part of the seed schema; edit that file and build with it")]
    OfSeed {
        /// What it is.
        kind: ElementKind,
        /// Its name.
        name: String,
    },
    /// Other elements refer to it.
    #[error("entity type `{name}` is used by {}; reject them with it", .by.join(", "))]
    InUse {
        /// The type.
        name: String,
        /// What refers to it.
        by: Vec<String>,
    },
    /// What would come out is no schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

fn listed(open: &[String]) -> String {
    match open {
        [] => "there are no proposals".to_owned(),
        [..] if open.len() > MAX_LISTED => {
            format!(
                "open are {} and {} more",
                open[..MAX_LISTED].join(", "),
                open.len() - MAX_LISTED
            )
        }
        [..] => format!("open are {}", open.join(", ")),
    }
}

/// What a person named: a name, or a kind and a name (`relation:lit_by`).
struct Wanted {
    kind: Option<ElementKind>,
    name: String,
}

impl Wanted {
    fn of(typed: &str) -> Self {
        let prefix = typed.split_once(':');
        let kind = prefix.and_then(|(word, _)| ElementKind::ALL.into_iter().find(|kind| kind.word() == word.trim()));
        let name = prefix.filter(|_| kind.is_some()).map_or(typed, |(_, name)| name);
        Self {
            kind,
            name: snake_case(name),
        }
    }

    fn fits(&self, kind: ElementKind, name: &str) -> bool {
        self.kind.is_none_or(|wanted| wanted == kind) && self.name == name
    }

    /// The only one that fits; `None` where none does.
    fn only(&self, found: impl Iterator<Item = (ElementKind, usize)>) -> Result<Option<usize>, GrowthError> {
        let fitting: Vec<(ElementKind, usize)> = found.collect();
        match fitting.as_slice() {
            [] => Ok(None),
            [(_, at)] => Ok(Some(*at)),
            [..] => Err(GrowthError::Ambiguous {
                name: self.name.clone(),
                choices: fitting
                    .iter()
                    .map(|(kind, _)| format!("{}:{}", kind.word(), self.name))
                    .collect(),
            }),
        }
    }
}

impl Growth {
    /// Accepts open proposals by name, whatever their confidence: one version by the user. A name that was rejected
    /// before is only freed; it is proposed again by the next build.
    ///
    /// # Errors
    /// [`GrowthError`] when a name is not proposed, is ambiguous, or needs types that are not there.
    pub fn accept(&self, schema: &Schema, names: &[String]) -> Result<(Self, Schema), GrowthError> {
        let mut growth = self.clone();
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        for typed in names {
            let wanted = Wanted::of(typed);
            let open = self.open.iter().enumerate().map(|(at, proposal)| (proposal.id(), at));
            let fitting = open.filter(|((kind, name), _)| wanted.fits(*kind, name));
            if let Some(at) = wanted.only(fitting.map(|((kind, _), at)| (kind, at)))? {
                chosen.insert(at);
                continue;
            }
            let n_rejected = growth.rejected.len();
            growth.rejected.retain(|(kind, name)| !wanted.fits(*kind, name));
            if growth.rejected.len() == n_rejected {
                return Err(self.missing(schema, &wanted));
            }
        }
        let mut accepted: Vec<Proposal> = chosen.iter().map(|at| self.open[*at].clone()).collect();
        // Types first, so that what refers to them comes after.
        accepted.sort_by_key(|proposal| proposal.element.kind());
        needs(schema, &accepted)?;
        let grown = schema.grow_by(&accepted)?;
        growth.open = (0..)
            .zip(&self.open)
            .filter(|(at, _)| !chosen.contains(at))
            .map(|(_, open)| open.clone())
            .collect();
        growth.add_version(&grown, schema, AcceptedBy::User, accepted, Vec::new());
        Ok((growth, grown))
    }

    /// Turns names down: open ones are proposed no more, accepted ones are taken out of the schema.
    ///
    /// # Errors
    /// [`GrowthError`] when a name is neither, or other elements refer to a type that would go.
    pub fn reject(&self, schema: &Schema, names: &[String]) -> Result<(Self, Schema), GrowthError> {
        let mut growth = self.clone();
        let accepted = self.accepted();
        let mut withdrawn: Vec<&Proposal> = Vec::new();
        for typed in names {
            let wanted = Wanted::of(typed);
            let known = accepted
                .iter()
                .chain(&self.open.iter().collect::<Vec<_>>())
                .copied()
                .collect::<Vec<_>>();
            let fitting = known.iter().enumerate().map(|(at, proposal)| (proposal.id(), at));
            let fitting = fitting.filter(|((kind, name), _)| wanted.fits(*kind, name));
            let Some(at) = wanted.only(fitting.map(|((kind, _), at)| (kind, at)))? else {
                return Err(self.not_grown(schema, &wanted));
            };
            let (kind, name) = known[at].id();
            growth.rejected.push((kind, name.to_owned()));
            growth.open.retain(|proposal| proposal.id() != (kind, name));
            withdrawn.extend(known.get(at).filter(|_| at < accepted.len()));
        }
        growth.rejected.sort();
        growth.rejected.dedup();
        let mut shrunk = schema.clone();
        if !withdrawn.is_empty() {
            is_free(schema, &withdrawn)?;
            shrunk = schema.shrunk(&withdrawn)?;
            shrunk.file.version = schema.version().saturating_add(1);
        }
        let names = withdrawn
            .iter()
            .map(|proposal| proposal.id())
            .map(|(kind, name)| (kind, name.to_owned()));
        let names = names.collect();
        growth.add_version(&shrunk, schema, AcceptedBy::User, Vec::new(), names);
        Ok((growth, shrunk))
    }

    /// What only people decided, on the seed: where a build starts anew. Their additions are one version, with the types
    /// that those need; evidence in documents that are gone is dropped; nothing is open yet.
    ///
    /// # Errors
    /// [`GrowthError`] where the decisions do not fit `seed`.
    pub fn decided(&self, seed: &Schema, documents: &BTreeSet<DocumentId>) -> Result<(Self, Schema), GrowthError> {
        let accepted = self.accepted();
        let by_user = |proposal: &Proposal| {
            let of_user = self.versions.iter().filter(|version| version.by == AcceptedBy::User);
            of_user
                .flat_map(|version| &version.accepted)
                .any(|other| other.id() == proposal.id())
        };
        let mut kept: Vec<&Proposal> = accepted.iter().copied().filter(|proposal| by_user(proposal)).collect();
        let mut checked = 0;
        while let Some(proposal) = kept.get(checked).copied() {
            checked += 1;
            for name in proposal
                .element
                .references()
                .into_iter()
                .chain(proposal.alias_of.as_deref())
            {
                let is_it = |other: &&&Proposal| other.element.name() == name && other.alias_of.is_none();
                if let Some(needed) = accepted.iter().find(is_it)
                    && kept.iter().all(|other| other.id() != needed.id())
                {
                    kept.push(needed);
                }
            }
        }
        let mut kept: Vec<Proposal> = kept.into_iter().cloned().collect();
        kept.sort_by_key(|proposal| (proposal.alias_of.is_some(), proposal.element.kind()));
        let grown = seed.grow_by(&kept)?;
        let mut growth = Self {
            rejected: self.rejected.clone(),
            ..Self::default()
        };
        growth.add_version(&grown, seed, AcceptedBy::User, kept, Vec::new());
        Ok((growth.only(documents), grown))
    }

    /// Records the step from `before` to `after`; a step that changes nothing is none.
    fn add_version(
        &mut self,
        after: &Schema,
        before: &Schema,
        by: AcceptedBy,
        accepted: Vec<Proposal>,
        withdrawn: Vec<(ElementKind, String)>,
    ) {
        if after.version() != before.version() {
            self.versions.push(SchemaVersion {
                number: after.version(),
                by,
                accepted,
                withdrawn,
            });
        }
    }

    fn missing(&self, schema: &Schema, wanted: &Wanted) -> GrowthError {
        let name = wanted.name.clone();
        let is_known = |kind: &ElementKind| wanted.fits(*kind, &wanted.name) && schema.defines(*kind, &wanted.name);
        if ElementKind::ALL.iter().any(is_known) {
            return GrowthError::Known { name };
        }
        let open = self
            .open
            .iter()
            .map(|proposal| proposal.element.name().to_owned())
            .collect();
        GrowthError::NotProposed { name, open }
    }

    fn not_grown(&self, schema: &Schema, wanted: &Wanted) -> GrowthError {
        let name = wanted.name.clone();
        let is_known = |kind: &ElementKind| wanted.fits(*kind, &wanted.name) && schema.defines(*kind, &wanted.name);
        match ElementKind::ALL.into_iter().find(is_known) {
            Some(kind) => GrowthError::OfSeed { kind, name },
            None => self.missing(schema, wanted),
        }
    }
}

/// Holds that every type that a proposal refers to is in the schema or comes with it.
fn needs(schema: &Schema, proposals: &[Proposal]) -> Result<(), GrowthError> {
    let comes = |name: &str| {
        let is_it = |other: &Proposal| other.id() == (ElementKind::EntityType, name) && other.alias_of.is_none();
        proposals.iter().any(is_it)
    };
    for proposal in proposals.iter().filter(|proposal| proposal.alias_of.is_none()) {
        let names = proposal.element.references().into_iter().map(snake_case);
        let types: Vec<String> = names
            .filter(|name| schema.type_id(name).is_none() && !comes(name))
            .collect();
        if !types.is_empty() {
            let (kind, name) = proposal.id();
            return Err(GrowthError::NeedsTypes {
                kind,
                name: name.to_owned(),
                types,
            });
        }
    }
    Ok(())
}

/// Holds that nothing that stays refers to a type that goes.
fn is_free(schema: &Schema, leaving: &[&Proposal]) -> Result<(), GrowthError> {
    let goes = |element: &Element| {
        leaving
            .iter()
            .any(|proposal| proposal.id() == (element.kind(), element.name()))
    };
    for proposal in leaving.iter().filter(|proposal| proposal.alias_of.is_none()) {
        let (ElementKind::EntityType, name) = proposal.id() else {
            continue;
        };
        let stays = schema.elements().into_iter().filter(|element| !goes(element));
        let users = stays.filter(|element| element.references().contains(&name));
        let by: Vec<String> = users
            .map(|element| format!("{} {}", element.kind(), element.name()))
            .collect();
        if !by.is_empty() {
            return Err(GrowthError::InUse {
                name: name.to_owned(),
                by,
            });
        }
    }
    Ok(())
}
