//! What people decide about proposals.

use super::{AcceptedBy, Growth, Proposal, SchemaVersion};
use crate::id::DocumentId;
use crate::schema::element::ElementKind;
use crate::schema::{Schema, SchemaError, snake_case};
use std::collections::BTreeSet;

/// Names listed in an error at most; enough to see a misspelling. Arbitrary.
const MAX_LISTED: usize = 8;

/// What would come out is no schema.
fn together(error: &SchemaError) -> SchemaError {
    format!("{error}; accept or reject what belongs together with one command").into()
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

    /// The only proposal that fits; `None` where none does.
    fn only<'a>(&self, proposals: impl Iterator<Item = &'a Proposal>) -> Result<Option<&'a Proposal>, SchemaError> {
        let is_it = |proposal: &&Proposal| self.fits(proposal.element.kind(), proposal.element.name());
        let fitting: Vec<&Proposal> = proposals.filter(is_it).collect();
        if fitting.len() < 2 {
            return Ok(fitting.first().copied());
        }
        let choice = |proposal: &&Proposal| format!("{}:{}", proposal.element.kind().word(), self.name);
        let choices: Vec<String> = fitting.iter().map(choice).collect();
        Err(SchemaError::from(format!(
            "`{}` is of several kinds; name one as {}",
            self.name,
            choices.join(" or ")
        )))
    }
}

impl Growth {
    /// Accepts open proposals by name, whatever their confidence: one version by the user. A name that was rejected
    /// before is only freed; it is proposed again by the next build.
    ///
    /// # Errors
    /// [`SchemaError`] when a name is not proposed, is ambiguous, or needs types that are not there.
    pub fn accept(&self, schema: &Schema, names: &[String]) -> Result<(Self, Schema), SchemaError> {
        let mut growth = self.clone();
        let mut chosen: BTreeSet<(ElementKind, &str)> = BTreeSet::new();
        for typed in names {
            let wanted = Wanted::of(typed);
            let n_rejected = growth.rejected.len();
            if let Some(proposal) = wanted.only(self.open.iter())? {
                chosen.insert(proposal.id());
                continue;
            }
            growth.rejected.retain(|(kind, name)| !wanted.fits(*kind, name));
            if growth.rejected.len() == n_rejected {
                return Err(self.not_proposed(schema, &wanted, "the schema already"));
            }
        }
        let (mut accepted, open): (Vec<Proposal>, Vec<Proposal>) =
            growth.open.into_iter().partition(|open| chosen.contains(&open.id()));
        growth.open = open;
        // Types first, so that what refers to them comes after.
        accepted.sort_by_key(|proposal| proposal.element.kind());
        let grown = schema.grow_by(&accepted).map_err(|error| together(&error))?;
        growth.add_version(&grown, schema, accepted, Vec::new());
        Ok((growth, grown))
    }

    /// Turns names down: open ones are proposed no more, accepted ones are taken out of the schema.
    ///
    /// # Errors
    /// [`SchemaError`] when a name is neither, or other elements refer to a type that would go.
    pub fn reject(&self, schema: &Schema, names: &[String]) -> Result<(Self, Schema), SchemaError> {
        let mut growth = self.clone();
        let accepted = self.accepted();
        let mut rejected: BTreeSet<(ElementKind, String)> = growth.rejected.into_iter().collect();
        let mut withdrawn: Vec<&Proposal> = Vec::new();
        for typed in names {
            let wanted = Wanted::of(typed);
            let Some(proposal) = wanted.only(accepted.iter().copied().chain(&self.open))? else {
                let what = "the seed schema; edit that file and build with it";
                return Err(self.not_proposed(schema, &wanted, what));
            };
            let (kind, name) = proposal.id();
            rejected.insert((kind, name.to_owned()));
            growth.open.retain(|open| open.id() != (kind, name));
            withdrawn.extend(accepted.iter().filter(|known| known.id() == (kind, name)));
        }
        growth.rejected = rejected.into_iter().collect();
        let mut shrunk = schema.clone();
        if !withdrawn.is_empty() {
            shrunk = schema.shrunk(&withdrawn).map_err(|error| together(&error))?;
            shrunk.file.version = schema.version().saturating_add(1);
        }
        let names = withdrawn.iter().map(|proposal| proposal.id());
        let names = names.map(|(kind, name)| (kind, name.to_owned())).collect();
        growth.add_version(&shrunk, schema, Vec::new(), names);
        Ok((growth, shrunk))
    }

    /// What only people decided, on the seed: where a build starts anew. Their additions are one version, with the types
    /// that those need; evidence in documents that are gone is dropped; nothing is open yet.
    ///
    /// # Errors
    /// [`SchemaError`] where the decisions do not fit `seed`.
    pub fn decided(&self, seed: &Schema, documents: &BTreeSet<DocumentId>) -> Result<(Self, Schema), SchemaError> {
        let accepted = self.accepted();
        let of_user = self.versions.iter().filter(|version| version.by == AcceptedBy::User);
        let by_user: BTreeSet<_> = of_user
            .flat_map(|version| &version.accepted)
            .map(Proposal::id)
            .collect();
        let is_decided = |proposal: &&&Proposal| by_user.contains(&proposal.id());
        let mut kept: Vec<&Proposal> = accepted.iter().filter(is_decided).copied().collect();
        let mut checked = 0;
        while let Some(proposal) = kept.get(checked).copied() {
            checked += 1;
            let needed = proposal.element.references().into_iter();
            for name in needed.chain(proposal.alias_of.as_deref()) {
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
        let grown = seed.grow_by(&kept).map_err(|error| together(&error))?;
        let mut growth = Self {
            rejected: self.rejected.clone(),
            ..Self::default()
        };
        growth.add_version(&grown, seed, kept, Vec::new());
        Ok((growth.only(|id| documents.contains(id)), grown))
    }

    /// Records the user's step from `before` to `after`; a step that changes nothing is none.
    fn add_version(
        &mut self,
        after: &Schema,
        before: &Schema,
        accepted: Vec<Proposal>,
        withdrawn: Vec<(ElementKind, String)>,
    ) {
        if after.version() != before.version() {
            self.versions.push(SchemaVersion {
                number: after.version(),
                by: AcceptedBy::User,
                accepted,
                withdrawn,
            });
        }
    }

    /// The error for a name that no proposal has; `part_of` says of what it is a part where the schema defines it.
    fn not_proposed(&self, schema: &Schema, wanted: &Wanted, part_of: &str) -> SchemaError {
        let name = &wanted.name;
        let is_known = |kind: &ElementKind| wanted.fits(*kind, name) && schema.defines(*kind, name);
        if ElementKind::ALL.iter().any(is_known) {
            return SchemaError::from(format!("`{name}` is part of {part_of}"));
        }
        let open: Vec<&str> = self.open.iter().map(|proposal| proposal.element.name()).collect();
        let listed = match open.len().checked_sub(MAX_LISTED) {
            None | Some(0) if open.is_empty() => "there are no proposals".to_owned(),
            None | Some(0) => format!("open are {}", open.join(", ")),
            Some(more) => format!("open are {} and {more} more", open[..MAX_LISTED].join(", ")),
        };
        SchemaError::from(format!("nothing named `{name}` is proposed; {listed}"))
    }
}
