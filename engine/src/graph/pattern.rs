//! Conjunctive patterns with variables: `?film director ?p . ?p born_in Paris`.

use super::KnowledgeGraph;
use crate::id::{EntityId, TripleId};
use crate::paged::Paged;
use crate::schema::{AttributeId, RelationId, Schema};

/// Facts that matching may look at. Arbitrary: what a second or so looks at.
const MAX_LOOKED_AT: usize = 5_000_000;

/// One end of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// The variable of this number.
    Variable(usize),
    /// An entity of the graph.
    Entity(EntityId),
    /// The value of an attribute, as written; case does not count.
    Value(String),
}

/// What a pattern says of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// A relation, as the schema keeps it.
    Relation(RelationId),
    /// An attribute, whose tail is a value.
    Attribute(AttributeId),
}

/// One condition: a head, what is said of it, and a tail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Who or what it is said of.
    pub head: Term,
    /// What is said.
    pub predicate: Predicate,
    /// The other end.
    pub tail: Term,
}

/// What a variable stands for in a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// An entity.
    Entity(EntityId),
    /// The value of an attribute.
    Value(String),
}

/// A fact that fulfils a pattern, by its position among the triples or the attributes of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Witness {
    /// Of the triples.
    Triple(usize),
    /// Of the attributes.
    Attribute(usize),
}

/// One way to fulfil all patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What each variable stands for, by its number.
    pub bindings: Vec<Binding>,
    /// The fact behind each pattern, in the order of the patterns.
    pub witnesses: Vec<Witness>,
}

/// The rows that fulfil all patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// In the order in which they are found, which depends on the graph and the patterns alone.
    pub rows: Vec<Row>,
    /// Whether there may be more.
    pub is_cut: bool,
}

impl KnowledgeGraph {
    /// The rows that fulfil all patterns, at most `limit`; every variable below `n_variables` has to stand in a pattern. The
    /// pattern with the fewest facts to look at comes first, again after each binding. Cost O(facts looked at), at most five
    /// million.
    pub fn matching(&self, schema: &Schema, patterns: &[Pattern], n_variables: usize, limit: usize) -> Rows {
        let mut search = Search {
            graph: self,
            schema,
            patterns,
            limit,
            n_looked_at: 0,
            bindings: vec![None; n_variables],
            witnesses: vec![None; patterns.len()],
            found: Rows::default(),
        };
        search.extend();
        search.found
    }
}

struct Search<'a> {
    graph: &'a KnowledgeGraph,
    schema: &'a Schema,
    patterns: &'a [Pattern],
    limit: usize,
    n_looked_at: usize,
    bindings: Vec<Option<Binding>>,
    witnesses: Vec<Option<Witness>>,
    found: Rows,
}

impl<'a> Search<'a> {
    /// Fulfils the patterns that have no fact yet.
    fn extend(&mut self) {
        let open = (0..self.patterns.len()).filter(|at| self.witnesses[*at].is_none());
        let candidates = open.map(|at| (at, self.candidates(&self.patterns[at])));
        let Some((at, facts)) = candidates.min_by_key(|(at, facts)| (facts.len(), *at)) else {
            self.found.is_cut = self.found.rows.len() == self.limit;
            if !self.found.is_cut {
                self.found.rows.push(Row {
                    bindings: self.bindings.iter().flatten().cloned().collect(),
                    witnesses: self.witnesses.iter().flatten().copied().collect(),
                });
            }
            return;
        };
        for number in 0..facts.len() {
            self.n_looked_at += 1;
            self.found.is_cut |= self.n_looked_at > MAX_LOOKED_AT;
            if self.found.is_cut {
                return;
            }
            let fact = facts.get(number);
            for ends in self.readings(fact) {
                self.bind(at, fact, ends);
            }
        }
    }

    /// Binds both ends of a pattern to those of a fact, where they fit, and goes on.
    fn bind(&mut self, at: usize, fact: Witness, ends: [Binding; 2]) {
        let pattern = &self.patterns[at];
        let before = self.bindings.clone();
        let [head, tail] = ends;
        if self.fits(&pattern.head, head) && self.fits(&pattern.tail, tail) {
            self.witnesses[at] = Some(fact);
            self.extend();
            self.witnesses[at] = None;
        }
        self.bindings = before;
    }

    /// Whether a term is, or may become, what stands at an end of a fact.
    fn fits(&mut self, term: &Term, end: Binding) -> bool {
        match (term, end) {
            (Term::Variable(number), end) => {
                let bound = &mut self.bindings[*number];
                bound.get_or_insert_with(|| end.clone()) == &end
            }
            (Term::Entity(wanted), Binding::Entity(found)) => *wanted == found,
            (Term::Value(wanted), Binding::Value(found)) => wanted.to_lowercase() == found.to_lowercase(),
            _ => false,
        }
    }

    /// The ends of a fact; those of a relation that is its own inverse both ways round.
    fn readings(&self, fact: Witness) -> Vec<[Binding; 2]> {
        match fact {
            Witness::Triple(at) => {
                let triple = self.graph.triples.get(at);
                let ends = [triple.head, triple.tail];
                let is_symmetric = self.schema.inverse(triple.relation) == Some(triple.relation);
                let both = [ends, [triple.tail, triple.head]]
                    .into_iter()
                    .take(1 + usize::from(is_symmetric));
                both.map(|ends| ends.map(Binding::Entity)).collect()
            }
            Witness::Attribute(at) => {
                let attribute = self.graph.attribute(at);
                vec![[
                    Binding::Entity(attribute.entity),
                    Binding::Value(attribute.value.clone()),
                ]]
            }
        }
    }

    /// The entity that a term is bound to.
    fn entity(&self, term: &Term) -> Option<EntityId> {
        match term {
            Term::Entity(id) => Some(*id),
            Term::Variable(number) => match self.bindings[*number] {
                Some(Binding::Entity(id)) => Some(id),
                _ => None,
            },
            Term::Value(_) => None,
        }
    }

    /// The facts that may fulfil a pattern: those of an end that is bound, else all of its relation or attribute.
    fn candidates(&self, pattern: &Pattern) -> Facts<'a> {
        let graph = self.graph;
        let (head, tail) = (self.entity(&pattern.head), self.entity(&pattern.tail));
        match pattern.predicate {
            Predicate::Relation(relation) => match head.or(tail) {
                Some(end) => {
                    let incident = graph.incident(end).map(TripleId::index);
                    let own = incident.filter(|at| graph.triples.get(*at).relation == relation);
                    Facts::Own(own.map(Witness::Triple).collect())
                }
                None => Facts::All(of(&graph.of_relation, relation.index()), Witness::Triple),
            },
            Predicate::Attribute(attribute) => match head {
                Some(head) => {
                    let places = graph.attribute_places(head);
                    let own = places.filter(|at| graph.attribute(*at).attribute == attribute);
                    Facts::Own(own.map(Witness::Attribute).collect())
                }
                None => Facts::All(of(&graph.of_attribute, attribute.index()), Witness::Attribute),
            },
        }
    }
}

/// Facts to look at.
enum Facts<'a> {
    Own(Vec<Witness>),
    All(&'a [u32], fn(usize) -> Witness),
}

impl Facts<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Own(facts) => facts.len(),
            Self::All(positions, _) => positions.len(),
        }
    }

    fn get(&self, number: usize) -> Witness {
        match self {
            Self::Own(facts) => facts[number],
            Self::All(positions, witness) => witness(positions[number] as usize),
        }
    }
}

/// The positions of a kind; none where the graph has none of it.
fn of(positions: &Paged<Vec<u32>>, kind: usize) -> &[u32] {
    if kind < positions.len() {
        positions.get(kind)
    } else {
        &[]
    }
}
