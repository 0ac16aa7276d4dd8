//! Which passage a reply's statements are about, and whether each passage was answered.

use super::{Guard, Passage};
use crate::reply::{Part, Statements};
use crate::stated::{Defect, DefectKind, Grounds, Intake, NewType, Stated, join};
use banyan_engine::name::key;

/// What one reply says of one passage.
#[derive(Clone, Debug, Default)]
pub(super) struct Assigned {
    pub(super) stated: Stated,
    /// Whether the passage was read to its end. If not, something may be stated all the same.
    pub(super) is_answered: bool,
}

/// Gives every statement of a reply to its passage: by the number that the reply names, else to the first passage that
/// contains its names. `is_cut` says that the reply came to its longest length. Defects of the reply as a whole go to the
/// first passage.
pub(super) fn assign(statements: Statements, passages: &[&Passage<'_>], is_cut: bool, guard: Guard) -> Vec<Assigned> {
    let grounds: Vec<Grounds> = passages
        .iter()
        .map(|passage| Grounds::new(passage.title, passage.text))
        .collect();
    let has_numbers = statements.parts.iter().any(|part| part.passage.is_some());
    let is_flat = !has_numbers && !statements.is_unusable();
    let is_whole = !is_cut && !statements.is_cut;
    let mut desk = Desk {
        grounds,
        guard,
        assigned: vec![Assigned::default(); passages.len()],
        proposals: Vec::new(),
    };
    desk.complain(statements.defects);
    for part in statements.parts {
        desk.take(part);
    }
    desk.propose();
    if is_flat && is_whole {
        for assigned in &mut desk.assigned {
            assigned.is_answered = true;
        }
    }
    desk.assigned
}

/// Where statements are sorted.
struct Desk {
    grounds: Vec<Grounds>,
    guard: Guard,
    assigned: Vec<Assigned>,
    /// Proposals that name no passage.
    proposals: Vec<NewType>,
}

impl Desk {
    fn take(&mut self, part: Part) {
        let n_passages = self.assigned.len();
        let numbered = part.passage.and_then(|number| usize::try_from(number).ok());
        match numbered {
            Some(number) => {
                self.give(number.saturating_sub(1), part.stated);
                if let Some(assigned) = self.assigned.get_mut(number.saturating_sub(1)) {
                    assigned.is_answered = !part.is_cut;
                }
            }
            None if n_passages == 1 => self.give(0, part.stated),
            None => self.spread(part.stated),
        }
    }

    /// Statements of which the passage is known.
    fn give(&mut self, index: usize, stated: Stated) {
        let (Some(assigned), Some(grounds)) = (self.assigned.get_mut(index), self.grounds.get(index)) else {
            return;
        };
        let stated = match self.guard {
            Guard::InText => grounds.keep(stated),
            Guard::Off => stated,
        };
        assigned.stated = join(std::mem::take(&mut assigned.stated), stated);
    }

    /// Statements of which the passage is not known: each to the first passage that bears it out.
    fn spread(&mut self, stated: Stated) {
        let mut intakes: Vec<Intake> = self.assigned.iter().map(|_| Intake::default()).collect();
        for entity in &stated.entities {
            let place = self.place(|grounds| grounds.lacks_of_entity(entity).is_none());
            if let Some(intake) = chosen(&mut intakes, place, &entity.name) {
                intake.entity(&entity.name, entity.entity_type.as_deref());
            }
        }
        for triple in &stated.triples {
            let place = self.place(|grounds| grounds.lacks_of_triple(triple).is_none());
            if let Some(intake) = chosen(&mut intakes, place, &triple.head) {
                intake.triple(&triple.head, &triple.relation, &triple.tail);
            }
        }
        for fact in &stated.attributes {
            let place = self.place(|grounds| grounds.lacks_of_attribute(fact).is_none());
            if let Some(intake) = chosen(&mut intakes, place, &fact.entity) {
                intake.attribute(&fact.entity, &fact.attribute, &fact.value);
            }
        }
        for (assigned, intake) in self.assigned.iter_mut().zip(intakes) {
            assigned.stated = join(std::mem::take(&mut assigned.stated), intake.finish());
        }
        self.proposals.extend(stated.types);
        self.complain(stated.defects);
    }

    /// The first passage that bears a statement out; the first one if that is not asked for.
    fn place(&self, bears: impl Fn(&Grounds) -> bool) -> Option<usize> {
        let found = self.grounds.iter().position(bears);
        found.or((self.guard == Guard::Off).then_some(0))
    }

    /// Gives each proposal to the passages whose statements make use of it: they are its evidence (Eq. 3).
    fn propose(&mut self) {
        for proposal in std::mem::take(&mut self.proposals) {
            let name = key(&proposal.name);
            let mut is_used = false;
            for assigned in self
                .assigned
                .iter_mut()
                .filter(|assigned| uses(&assigned.stated, &name))
            {
                assigned.stated.types.push(proposal.clone());
                is_used = true;
            }
            if !is_used {
                self.complain(vec![Defect::new(DefectKind::Unused, &proposal.name)]);
            }
        }
    }

    fn complain(&mut self, defects: Vec<Defect>) {
        if let Some(first) = self.assigned.first_mut() {
            first.stated.defects.extend(defects);
        }
    }
}

/// The intake of the place; without a place, a defect for the first one.
fn chosen<'i>(intakes: &'i mut [Intake], place: Option<usize>, name: &str) -> Option<&'i mut Intake> {
    if place.is_none()
        && let Some(first) = intakes.first_mut()
    {
        first.defect(DefectKind::NotInText, name);
    }
    intakes.get_mut(place?)
}

/// Whether a type, relation or attribute of this key occurs in what is stated.
fn uses(stated: &Stated, name: &str) -> bool {
    let types = stated
        .entities
        .iter()
        .filter_map(|entity| entity.entity_type.as_deref());
    let relations = stated.triples.iter().map(|triple| triple.relation.as_str());
    let attributes = stated.attributes.iter().map(|fact| fact.attribute.as_str());
    types.chain(relations).chain(attributes).any(|label| key(label) == name)
}
