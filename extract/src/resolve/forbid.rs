//! What makes two keys two things, whatever speaks for them: types and facts, numbers, articles of their own.

use super::judge::Judge;
use super::likeness::Likeness;
use super::profile::Profile;
use banyan_engine::TypeId;

/// Why two keys cannot be one entity of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contradiction {
    /// They are of these types, neither of which is a kind of the other.
    Types(TypeId, TypeId),
    /// No type admits the facts of both.
    Facts,
}

impl Judge<'_> {
    /// Whether two keys are two things, whatever speaks for them: another type, facts that the schema does not admit of
    /// both, another number, or articles of their own. Where a text abbreviates one by the other, it knows better than
    /// whoever took them for different types.
    pub(crate) fn forbids(&self, a: usize, b: usize) -> bool {
        let is_abbreviated =
            || self.stated(a, b).is_some() && matches!(self.likeness(a, b), Some(Likeness::Acronym { .. }));
        let differ = self.contradiction(a, b).is_some() && !is_abbreviated();
        differ || self.differ_in_number(a, b) || self.differ_in_title(a, b) || self.are_subjects(a, b)
    }

    /// Whether both are a single name, each after a title of its own: "Mr. Voss" and "Miss Voss" are two.
    fn differ_in_title(&self, a: usize, b: usize) -> bool {
        let titled = |at: usize| {
            let names = self.profiles[at].names.iter();
            names.filter(|name| name.bare().len() == 1 && !name.titles().is_empty())
        };
        titled(a).any(|x| titled(b).any(|y| x.titles() != y.titles() && x.bare() == y.bare()))
    }

    /// Whether types or facts of two keys exclude each other.
    pub(crate) fn contradiction(&self, a: usize, b: usize) -> Option<Contradiction> {
        let (x, y) = (&self.profiles[a], &self.profiles[b]);
        match (x.kind, y.kind) {
            (Some(a), Some(b)) if !self.schema.is_a(a, b) && !self.schema.is_a(b, a) => {
                Some(Contradiction::Types(a, b))
            }
            (Some(kind), None) if !self.admits(kind, y) => Some(Contradiction::Facts),
            (None, Some(kind)) if !self.admits(kind, x) => Some(Contradiction::Facts),
            (None, None) if self.exclude_each_other(x, y) => Some(Contradiction::Facts),
            _ => None,
        }
    }

    /// Whether the schema admits every fact of a key of that type.
    fn admits(&self, kind: TypeId, profile: &Profile) -> bool {
        let thing = self.schema.thing();
        let mut facts = profile.facts.iter();
        facts.all(|(relation, is_head, _)| {
            if *is_head {
                self.schema.admits(kind, *relation, thing)
            } else {
                self.schema.admits(thing, *relation, kind)
            }
        })
    }

    /// Whether there are types that admit the facts of each of two keys, but none that admits those of both.
    fn exclude_each_other(&self, x: &Profile, y: &Profile) -> bool {
        if x.facts.is_empty() || y.facts.is_empty() {
            return false;
        }
        let thing = self.schema.thing();
        let kinds = || {
            self.schema
                .type_ids()
                .map(|(kind, _)| kind)
                .filter(|kind| *kind != thing)
        };
        let admits_x: Vec<TypeId> = kinds().filter(|kind| self.admits(*kind, x)).collect();
        let admits_y: Vec<TypeId> = kinds().filter(|kind| self.admits(*kind, y)).collect();
        !admits_x.is_empty() && !admits_y.is_empty() && admits_x.iter().all(|kind| !admits_y.contains(kind))
    }

    /// Numbers, ordinals and generations must agree; only a stated alias that shares no word with the name may lack them.
    fn differ_in_number(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.profiles[a], &self.profiles[b]);
        let agree = x.names.iter().any(|a| y.names.iter().any(|b| a.marks == b.marks));
        if agree {
            return false;
        }
        let is_bare = |profile: &Profile| profile.names.iter().all(|name| name.marks.is_empty());
        let mut words = x.key.split(' ');
        let share = words.any(|word| y.key.split(' ').any(|other| other == word));
        share || self.stated(a, b).is_none() || !(is_bare(x) || is_bare(y))
    }

    /// Whether both have articles of their own and no text says that they are one, or one's title is the other's with a
    /// disambiguator.
    fn are_subjects(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.profiles[a], &self.profiles[b]);
        let is_bare_title = |x: &Profile, y: &Profile| x.bare_titles.iter().any(|bare| bare == y.key);
        if is_bare_title(x, y) || is_bare_title(y, x) {
            return true;
        }
        let are_both = !x.subject_of.is_empty() && !y.subject_of.is_empty();
        are_both && (self.stated(a, b).is_none() || self.likeness(a, b).is_none())
    }
}
