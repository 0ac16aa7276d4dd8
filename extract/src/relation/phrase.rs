//! What the schema's phrases state of a name, kind or value: what governs it in the tree, looked up by its stems.

use super::Said;
use super::tree::{End, MAX_STEPS, Node, NodeKind, Tree};
use crate::context::Context;
use crate::grammar::Dependency;
use crate::label::{is_idle, stems};
use crate::learned::Element;
use crate::literal::Literal;
use crate::word::Word;
use banyan_engine::fact::EntityKey;
use banyan_engine::schema::ValueKind;
use banyan_engine::{AttributeId, LooseClaim};

/// Stem of the verb that lists what there is of a kind.
const LISTING: &str = "includ";

/// What governs a name or value: the phrases by which a schema may know it, likelier first, and who it is said of.
#[derive(Debug)]
pub(super) struct Statement {
    phrases: Vec<Phrase>,
    of_whom: Vec<End>,
}

/// Words that may state a relation or an attribute: by their stems, as the schema knows them, and as they are spoken.
#[derive(Clone, Debug)]
struct Phrase {
    stems: String,
    spoken: String,
    /// Whether it is a preposition alone.
    is_preposition: bool,
}

impl Phrase {
    fn new(words: &[&str]) -> Self {
        Self {
            stems: stems(words.iter().copied()),
            spoken: words.join(" "),
            is_preposition: false,
        }
    }
}

impl Tree<'_> {
    /// What governs the name or value at a word.
    pub(super) fn statements(&self, word: usize) -> Vec<Statement> {
        let mut at = word;
        for _ in 0..MAX_STEPS {
            let Word { head, dependency, .. } = self.words[at];
            let climbs = match dependency {
                Dependency::Conjunct => !self.is_verb(head),
                Dependency::Apposition => self.owner[head].is_none(),
                // Before its head a name only describes that ("the *Skelva* council").
                Dependency::Compound => self.owner[head].is_none() && at > head,
                _ => false,
            };
            if self.is_negated(at) {
                return Vec::new();
            }
            if !climbs {
                break;
            }
            at = head;
        }
        let Word { head, dependency, .. } = self.words[at];
        match dependency {
            Dependency::Object | Dependency::Complement => self.of_verb(head, None),
            Dependency::PrepositionObject => self.of_preposition(head),
            Dependency::Possessor => self.of_owner(head),
            _ if self.words[head].pos.is_adjective() && head != at => self.of_adjective(head),
            _ => Vec::new(),
        }
    }

    /// "A founded B": what a verb says of its object, with the preposition that leads there.
    fn of_verb(&self, verb: usize, preposition: Option<usize>) -> Vec<Statement> {
        if !self.is_verb(verb) || self.is_denied(verb) {
            return Vec::new();
        }
        let is_be = is_idle(&self.lower(verb));
        if is_be && preposition.is_none() {
            return Vec::new();
        }
        let (of_whom, is_passive) = self.subjects(verb, MAX_STEPS);
        if is_passive && preposition.is_none() {
            return Vec::new();
        }
        let between = self
            .children(verb, Dependency::Object)
            .filter(|at| self.owner[*at].is_none());
        let particle = self.children(verb, Dependency::Particle).next();
        let mut phrases: Vec<Phrase> = Vec::new();
        if let Some(preposition) = preposition {
            phrases.extend(between.map(|noun| self.phrase(&[verb, noun, preposition])));
            phrases.extend(particle.map(|particle| self.phrase(&[verb, particle, preposition])));
            phrases.push(self.phrase(&[verb, preposition]));
        } else {
            phrases.extend(particle.map(|particle| self.phrase(&[verb, particle])));
            phrases.push(self.phrase(&[verb]));
        }
        vec![Statement { phrases, of_whom }]
    }

    /// What stands behind a preposition: of the verb or the noun that it belongs to.
    fn of_preposition(&self, preposition: usize) -> Vec<Statement> {
        let Word { head, dependency, .. } = self.words[preposition];
        if !matches!(dependency, Dependency::Preposition | Dependency::Agent) || head == preposition {
            return Vec::new();
        }
        if self.is_verb(head) {
            return self.of_verb(head, Some(preposition));
        }
        if self.words[head].pos.is_adjective() {
            let of_whom = self
                .of_adjective(head)
                .into_iter()
                .flat_map(|statement| statement.of_whom);
            return vec![Statement {
                phrases: vec![self.phrase(&[head, preposition])],
                of_whom: of_whom.collect(),
            }];
        }
        if let Some(node) = self.node(head) {
            return vec![Statement {
                phrases: vec![Phrase {
                    is_preposition: true,
                    ..self.phrase(&[preposition])
                }],
                of_whom: vec![End::of(node)],
            }];
        }
        if self.owner[head].is_some() {
            return Vec::new();
        }
        let of_whom = self.called(head, MAX_STEPS);
        let described = self
            .children(head, Dependency::Compound)
            .chain(self.children(head, Dependency::Modifier));
        let mut phrases: Vec<Phrase> = described.map(|word| self.phrase(&[word, head, preposition])).collect();
        phrases.push(self.phrase(&[head, preposition]));
        let Word {
            head: above,
            dependency,
            ..
        } = self.words[head];
        if dependency == Dependency::Object && self.is_verb(above) {
            phrases.insert(0, self.phrase(&[above, head, preposition]));
        }
        // "a village in" is what the schema may know as "place in".
        let kind = self.context.phrases.type_of(&self.lower(head));
        phrases.extend(kind.map(|kind| {
            Phrase {
                stems: stems(
                    [
                        self.context.schema.entity_type(kind).name.as_str(),
                        &self.lower(preposition),
                    ]
                    .into_iter(),
                ),
                ..self.phrase(&[head, preposition])
            }
        }));
        vec![Statement { phrases, of_whom }]
    }

    /// "B's wife A": what an owner's noun says of who is called by it.
    fn of_owner(&self, noun: usize) -> Vec<Statement> {
        if self.owner[noun].is_some() {
            return Vec::new();
        }
        let of_whom = self.called(noun, MAX_STEPS);
        vec![Statement {
            phrases: vec![Phrase::new(&[&self.lower(noun), "of"])],
            of_whom,
        }]
    }

    /// "41 metres high".
    fn of_adjective(&self, adjective: usize) -> Vec<Statement> {
        let Word { head, dependency, .. } = self.words[adjective];
        let of_whom = match dependency {
            Dependency::Complement if !self.is_denied(head) => self.subjects(head, MAX_STEPS).0,
            Dependency::Modifier => self.called(head, MAX_STEPS),
            _ => Vec::new(),
        };
        vec![Statement {
            phrases: vec![self.phrase(&[adjective])],
            of_whom,
        }]
    }

    fn phrase(&self, words: &[usize]) -> Phrase {
        let lower: Vec<String> = words.iter().map(|word| self.lower(*word)).collect();
        Phrase::new(&lower.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// What phrases state of the nodes, by the schema and beyond it, of several relations the one whose types fit best.
    pub(super) fn related(&self) -> (Vec<Said>, Vec<LooseClaim>) {
        self.related_as(|_, _| {})
    }

    /// The same where an end is a kind. What stands in, at or about a kind is no part of what it is, and "cities include
    /// Vessing" names one of them.
    pub(super) fn related_kinds(&self) -> (Vec<Said>, Vec<LooseClaim>) {
        self.related_as(|node, statement| {
            let is_kind = |kind: NodeKind| kind != NodeKind::Name;
            statement.of_whom.retain(|end| is_kind(end.kind) || is_kind(node.kind));
            let phrases = &mut statement.phrases;
            phrases.retain(|phrase| !phrase.is_preposition && !phrase.stems.starts_with(LISTING));
        })
    }

    fn related_as(&self, narrow: impl Fn(&Node, &mut Statement)) -> (Vec<Said>, Vec<LooseClaim>) {
        let (mut said, mut loose) = (Vec::new(), Vec::new());
        for node in &self.nodes {
            for mut statement in self.statements(node.word) {
                narrow(node, &mut statement);
                self.relate(&statement, node, &mut said, &mut loose);
            }
        }
        (said, loose)
    }

    /// Adds the relations that a statement makes about the name it governs, or joins the two loosely.
    fn relate(&self, statement: &Statement, node: &Node, said: &mut Vec<Said>, loose: &mut Vec<LooseClaim>) {
        let Context {
            schema,
            types,
            patterns,
            ..
        } = self.context;
        for end in statement.of_whom.iter().filter(|end| end.entity != node.entity) {
            let known = statement.phrases.iter().find_map(|phrase| {
                let ids = patterns.relations.get(&phrase.stems)?;
                let fits = ids.iter().filter_map(|id| {
                    let fit = types.fit(schema, &end.entity, *id, &node.entity)?;
                    Some((fit, std::cmp::Reverse(*id)))
                });
                Some((phrase, fits.max()))
            });
            match known {
                Some((phrase, Some((_, std::cmp::Reverse(relation))))) => said.push(Said {
                    head: end.clone(),
                    tail: End::of(node),
                    element: Element::Relation(relation),
                    phrase: phrase.spoken.clone(),
                }),
                // What the schema knows, but not of such things, is not said of them.
                Some(_) => {}
                // A noun phrase of which the schema states nothing is no entity.
                None if [end.kind, node.kind].contains(&NodeKind::Phrase) => {}
                None => loose.extend(statement.phrases.last().map(|phrase| LooseClaim {
                    head: end.entity.clone(),
                    tail: node.entity.clone(),
                    phrase: phrase.spoken.clone(),
                    span: self.covering(end.span, node.span),
                })),
            }
        }
    }

    /// The attribute that a statement gives a value to.
    pub(super) fn describe(&self, statement: &Statement, value: Literal) -> Option<Said> {
        let Context {
            schema,
            types,
            patterns,
            ..
        } = self.context;
        let end = statement.of_whom.first()?;
        let kind_of = |id: &AttributeId| schema.attributes()[id.index()].kind;
        let (phrase, attribute) = statement.phrases.iter().find_map(|phrase| {
            let ids = patterns.attributes.get(&phrase.stems)?;
            let fits = |id: &&AttributeId| {
                let kind = kind_of(id);
                let owner = types.likely(&end.entity).unwrap_or(schema.thing());
                kind != ValueKind::Text && value.serves(kind) && schema.admits_attribute(owner, **id)
            };
            Some((phrase, *ids.iter().find(fits)?))
        })?;
        Some(Said {
            head: end.clone(),
            tail: End {
                entity: EntityKey::default(),
                span: value.span,
                kind: NodeKind::Name,
            },
            element: Element::Attribute(attribute),
            phrase: phrase.spoken.clone(),
        })
    }
}
