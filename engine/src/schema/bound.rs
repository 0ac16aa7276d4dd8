//! What a schema admits (Eq. 2, Youtu-GraphRAG).

use super::{AttributeId, RelationId, Schema, TypeId};

impl Schema {
    /// The type itself, its parent, the parent's parent and so on; nothing for an id of another schema.
    pub fn ancestry(&self, id: TypeId) -> impl Iterator<Item = TypeId> {
        let parent = |id: &TypeId| self.parents.get(id.index()).copied().flatten();
        std::iter::successors(Some(id).filter(|id| self.has_type(*id)), parent)
    }

    /// Whether `id` is `ancestor` or a kind of it.
    pub fn is_a(&self, id: TypeId, ancestor: TypeId) -> bool {
        self.ancestry(id).any(|kind| kind == ancestor)
    }

    /// Whether the schema admits `(head, relation, tail)` (Eq. 2). An untyped end ([`THING`](super::THING)) is admitted
    /// everywhere, a type of another schema nowhere.
    pub fn admits(&self, head: TypeId, relation: RelationId, tail: TypeId) -> bool {
        self.admits_head(head, relation) && self.admits_tail(relation, tail)
    }

    /// Whether an entity of type `head` can be the relation's head.
    pub fn admits_head(&self, head: TypeId, relation: RelationId) -> bool {
        let ends = self.ends.get(relation.index());
        ends.is_some_and(|(domain, _)| self.fits(head, domain))
    }

    /// Whether an entity of type `tail` can be the relation's tail.
    pub fn admits_tail(&self, relation: RelationId, tail: TypeId) -> bool {
        let ends = self.ends.get(relation.index());
        ends.is_some_and(|(_, range)| self.fits(tail, range))
    }

    /// Whether a relation may hold between things of any type.
    pub fn admits_any(&self, relation: RelationId) -> bool {
        let is_any = |allowed: &Vec<TypeId>| allowed.is_empty() || allowed.contains(&self.thing);
        let ends = self.ends.get(relation.index());
        ends.is_some_and(|(domain, range)| is_any(domain) && is_any(range))
    }

    /// The relation that says the same from the tail's side.
    pub fn inverse(&self, relation: RelationId) -> Option<RelationId> {
        self.inverses.get(relation.index()).copied().flatten()
    }

    /// Inverses are one relation with two readings: the reading under which facts are kept, which is that of the two which
    /// the schema defines first.
    pub fn kept(&self, relation: RelationId) -> RelationId {
        self.inverse(relation).map_or(relation, |inverse| relation.min(inverse))
    }

    /// Whether the schema admits `attribute` on an entity of type `subject` (Eq. 2).
    pub fn admits_attribute(&self, subject: TypeId, attribute: AttributeId) -> bool {
        let domain = self.subjects.get(attribute.index());
        domain.is_some_and(|domain| self.fits(subject, domain))
    }

    fn fits(&self, id: TypeId, allowed: &[TypeId]) -> bool {
        let admits_all = id == self.thing || allowed.is_empty() || allowed.contains(&self.thing);
        (admits_all && self.has_type(id)) || self.ancestry(id).any(|kind| allowed.contains(&kind))
    }
}
