//! What the graph itself states that answers a question of one step: the value of an attribute of the one thing that the
//! question names, what that thing is, or the other end of a triple. Every word of the question has to be one of the name,
//! of a phrase of the schema's element, or of the kind of thing asked for; of several different answers none is taken.

use super::Found;
use crate::form::{QuestionForm, stems};
use crate::level;
use crate::question::{Expected, Question};
use crate::searcher::Searcher;
use banyan_engine::graph::{Source, Triple};
use banyan_engine::schema::ValueKind;
use banyan_engine::{AttributeId, ChunkId, Entity, EntityId, RelationId, Span};
use banyan_extract::DEFINITION;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How a question begins that asks what something is, and names nothing else.
const DEFINING: [&str; 8] = [
    "define",
    "what are",
    "what is",
    "what was",
    "what were",
    "what's",
    "who is",
    "who was",
];

/// Words by which a question asks for any value or name.
const ASKING: &str = "date day year time name person place where long many much";

/// The relation of a place to what it lies in.
const LOCATED_IN: &str = "located_in";

/// Words between a noun and the name that it belongs to ("son of *the old king* Jan Orde"). Arbitrary.
const MAX_BETWEEN: usize = 4;

/// The answer that the graph states. Cost O(facts of the things named · phrases of their relations).
pub(super) fn find(searcher: &Searcher, question: &Question, form: &QuestionForm) -> Option<Found> {
    if form.decomposition.steps.len() != 1 {
        return None;
    }
    if let Some(found) = define(searcher, &question.text) {
        return Some(found);
    }
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for (span, entities) in searcher.spelled_in(&question.text) {
        if let [entity] = entities {
            let asked = Asked::new(searcher, question, form, span);
            asked.look_up(*entity, &mut found);
        }
    }
    let (_, only) = found.pop_first()?;
    found.is_empty().then_some(only)
}

/// Whether a question asks by a name alone what it is the name of. Another name would be no answer.
pub(super) fn is_defining(searcher: &Searcher, question: &str) -> bool {
    defined(searcher, question).is_some_and(|named| !named.is_empty())
}

/// What bears the name by which alone a question asks what it is.
fn defined<'a>(searcher: &'a Searcher, question: &str) -> Option<&'a [EntityId]> {
    let name = DEFINING.iter().find_map(|begin| {
        let (opening, name) = question.split_at_checked(begin.len())?;
        let is_word = name.starts_with(char::is_whitespace);
        (is_word && opening.eq_ignore_ascii_case(begin)).then_some(name)
    })?;
    Some(searcher.named(name))
}

/// What the one thing is, by whose name alone a question asks: what most places say of it; of several descriptions that as
/// many give the one that stands first.
fn define(searcher: &Searcher, question: &str) -> Option<Found> {
    let knowledge = searcher.knowledge();
    let description = knowledge.schema.attribute_id(DEFINITION)?;
    let described = defined(searcher, question)?.iter().filter_map(|entity| {
        let told = knowledge.graph.attributes_of(*entity);
        let told = told.filter(|one| one.attribute == description);
        told.min_by_key(|one| (Reverse(one.sources.len()), one.sources.first().copied()))
    });
    let described: Vec<_> = described.collect();
    let [only] = described[..] else { return None };
    let support = only.sources.iter().map(|source| sentence(searcher, *source));
    Some(Found {
        text: only.value.clone(),
        support: support.collect(),
    })
}

/// The sentence in which a source stands.
fn sentence(searcher: &Searcher, source: Source) -> (ChunkId, Span) {
    (source.chunk, searcher.sentence_of(source).unwrap_or(source.span))
}

/// Where a name stands to the words around it.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Head,
    Tail,
}

/// What a question asks of one of the names in it.
struct Asked<'a> {
    searcher: &'a Searcher,
    expected: Expected,
    /// Stems before the name and behind it, without those that only ask.
    before: Vec<String>,
    after: Vec<String>,
    /// Stems of the kind of thing asked for, where the schema has no such type: "which *licence* does Tidd use".
    kind: Vec<String>,
    /// As [`QuestionForm::level`].
    level: Option<&'a str>,
    /// Whether it is the name's as in "the capital of Tidd" or "Tidd's capital".
    is_owner: bool,
    has_by: bool,
}

impl<'a> Asked<'a> {
    fn new(searcher: &'a Searcher, question: &Question, form: &'a QuestionForm, name: Span) -> Self {
        let text = question.text.as_str();
        let (before, after) = (&text[..name.start as usize], &text[name.end as usize..]);
        let own = ["'s ", "’s "].iter().find_map(|mark| after.strip_prefix(mark));
        let lower = before.to_lowercase();
        let mut asking = stems(ASKING);
        let schema = &searcher.knowledge().schema;
        let noun = Expected::noun(text, schema);
        let noun: Vec<String> = noun.iter().flat_map(|noun| stems(noun)).collect();
        let leads = lower.strip_prefix("which ").or_else(|| lower.strip_prefix("what "));
        let first = leads.and_then(|rest| rest.split(' ').next()).map(stems);
        let is_kind = form.expected == Expected::Any && !noun.is_empty() && first.as_ref() == Some(&noun);
        if is_kind || matches!(form.expected, Expected::Entity(_)) {
            asking.extend(noun.iter().cloned());
        }
        let telling = |text: &str| {
            let words = stems(text).into_iter();
            words.filter(|word| !asking.contains(word)).collect()
        };
        Self {
            searcher,
            expected: form.expected,
            kind: if is_kind { noun } else { Vec::new() },
            level: form.level.as_deref(),
            before: telling(before),
            after: telling(own.unwrap_or(after)),
            is_owner: own.is_some() || lower.ends_with(" of ") || lower.ends_with(" of the "),
            has_by: text.split(' ').any(|word| word.trim_end_matches('?') == "by"),
        }
    }

    fn look_up(&self, entity: EntityId, found: &mut BTreeMap<String, Found>) {
        if self.before.is_empty() && self.after.is_empty() {
            return;
        }
        let graph = &self.searcher.knowledge().graph;
        for attribute in graph.attributes_of(entity).filter(|one| self.describes(one.attribute)) {
            self.add(&attribute.value, &attribute.sources, found);
        }
        let schema = &self.searcher.knowledge().schema;
        for triple in graph.incident(entity).map(|id| graph.triple(id)) {
            let inverse = schema.inverse(triple.relation);
            let said = |phrase: &str| {
                triple
                    .sources
                    .iter()
                    .any(|source| self.is_said(*source, phrase, entity))
            };
            for side in [Side::Head, Side::Tail] {
                let (own, other, turned) = match side {
                    Side::Head => (triple.head, triple.tail, Side::Tail),
                    Side::Tail => (triple.tail, triple.head, Side::Head),
                };
                let is_asked = own == entity
                    && (self.relates(triple.relation, side, said)
                        || inverse.is_some_and(|id| self.relates(id, turned, said)));
                if is_asked && self.is_of_kind(other) && self.is_called(&triple.sources) {
                    for (place, sources) in self.at_level(triple, other) {
                        self.add(&graph.entity(place).name, &sources, found);
                    }
                }
            }
        }
    }

    /// Whether an attribute has the kind of value asked for, and its phrases all words of the question.
    fn describes(&self, id: AttributeId) -> bool {
        let attribute = &self.searcher.knowledge().schema.attributes()[id.index()];
        let is_kind = match self.expected {
            Expected::Date => attribute.kind == ValueKind::Date,
            Expected::Number => matches!(attribute.kind, ValueKind::Number | ValueKind::Quantity),
            Expected::Any => true,
            Expected::Entity(_) | Expected::YesNo => false,
        };
        is_kind && phrases(&attribute.name, &attribute.aliases).any(|phrase| self.is_held_by(&phrase))
    }

    /// Whether a phrase of a relation has all words of the question, and the question's name at this end of it. A noun has
    /// to be said: a child is no daughter.
    fn relates(&self, id: RelationId, side: Side, said: impl Fn(&str) -> bool) -> bool {
        let relation = &self.searcher.knowledge().schema.relations()[id.index()];
        let mut phrases = phrases(&relation.name, &relation.aliases);
        phrases.any(|phrase| {
            let is_it = self.is_held_by(&phrase) && self.side(&phrase) == Some(side);
            is_it && phrase.strip_suffix(" of").is_none_or(&said)
        })
    }

    /// Whether a sentence has a noun before the name of an entity, as in "daughter of Jan Orde", or behind it, as in "Jan
    /// Orde's daughter".
    fn is_said(&self, source: Source, noun: &str, entity: EntityId) -> bool {
        let sentence = self.text(source).to_lowercase();
        let Entity { name, aliases, .. } = self.searcher.knowledge().graph.entity(entity);
        let names = std::iter::once(name).chain(aliases).map(|name| name.to_lowercase());
        let mut places = names.flat_map(|name| {
            let found = sentence.match_indices(&name).map(|(at, name)| (at, at + name.len()));
            found.collect::<Vec<_>>()
        });
        places.any(|(start, end)| {
            let mut before = sentence[..start].split_whitespace().rev().take(MAX_BETWEEN);
            let leads = before.any(|word| word == "of") && before.next() == noun.split(' ').next_back();
            let after = sentence[end..]
                .strip_prefix("'s ")
                .or_else(|| sentence[end..].strip_prefix("’s "));
            let mut after = after
                .unwrap_or_default()
                .split(|ch: char| !ch.is_alphanumeric())
                .take(MAX_BETWEEN);
            leads || after.any(|word| word == noun)
        })
    }

    /// Whether a sentence that states a fact has the kind of thing asked for.
    fn is_called(&self, sources: &[Source]) -> bool {
        let mut said = sources.iter().map(|source| stems(self.text(*source)));
        self.kind.is_empty() || said.any(|said| self.kind.iter().all(|word| said.contains(word)))
    }

    /// What a fact says of its `end`, said of the kind of place asked for: of itself, or of what it lies in.
    fn at_level(&self, fact: &Triple, end: EntityId) -> Vec<(EntityId, Vec<Source>)> {
        let graph = &self.searcher.knowledge().graph;
        let may_be = |level: &str| {
            let named = &graph.entity(end).name;
            let mut said = fact.sources.iter().map(|source| self.text(*source));
            said.any(|sentence| level::may_be(self.searcher, named, level, sentence))
        };
        let Some(level) = self.level.filter(|level| !may_be(level)) else {
            return vec![(end, fact.sources.clone())];
        };
        let lies_in = self.searcher.knowledge().schema.relation_id(LOCATED_IN);
        let around = graph.incident(end).map(|id| graph.triple(id));
        around
            .filter(|around| around.head == end && Some(around.relation) == lies_in)
            .filter(|around| self.is_of_kind(around.tail) && level::is(self.searcher, around.tail, level))
            .map(|around| (around.tail, [fact.sources.as_slice(), &around.sources].concat()))
            .collect()
    }

    /// The sentence in which a source stands.
    fn text(&self, source: Source) -> &str {
        let knowledge = self.searcher.knowledge();
        let (chunk, sentence) = sentence(self.searcher, source);
        sentence.of(&knowledge.document(knowledge.chunk(chunk).document).text)
    }

    fn is_held_by(&self, phrase: &str) -> bool {
        let phrase = stems(phrase);
        self.before.iter().chain(&self.after).all(|word| phrase.contains(word))
    }

    /// At which end of what a phrase says the name stands: "founded Tidd" and "capital of Tidd" have it behind them,
    /// "Tidd founded", "Tidd was founded by" and "author of Tidd" for `author` before.
    fn side(&self, phrase: &str) -> Option<Side> {
        let is_head = if self.is_owner {
            let is_noun = phrase.ends_with(" of") || !phrase.contains(' ');
            if !is_noun {
                return None;
            }
            !phrase.ends_with(" of")
        } else {
            let is_turned = phrase.ends_with(" by") != self.has_by;
            match (self.before.is_empty(), self.after.is_empty()) {
                (true, false) => !is_turned,
                (false, true) => is_turned,
                _ => return None,
            }
        };
        Some(if is_head { Side::Head } else { Side::Tail })
    }

    fn is_of_kind(&self, entity: EntityId) -> bool {
        let knowledge = self.searcher.knowledge();
        let kind = knowledge.graph.entity(entity).entity_type;
        match self.expected {
            Expected::Entity(expected) => kind == expected || kind == knowledge.schema.thing(),
            Expected::Any => true,
            Expected::Date | Expected::Number | Expected::YesNo => false,
        }
    }

    fn add(&self, text: &str, sources: &[Source], found: &mut BTreeMap<String, Found>) {
        let support = sources.iter().map(|source| sentence(self.searcher, *source)).collect();
        let known = found.entry(text.to_lowercase());
        known.or_insert_with(|| Found {
            text: text.to_owned(),
            support,
        });
    }
}

/// What names an element of a schema, but for what needs somebody before it ("his father was").
fn phrases<'a>(name: &str, aliases: &'a [String]) -> impl Iterator<Item = String> + 'a {
    let spoken = std::iter::once(name.replace('_', " ")).chain(aliases.iter().cloned());
    spoken.filter(|phrase| !["his ", "her ", "its "].iter().any(|own| phrase.starts_with(own)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted;
    use banyan_engine::{AttributeClaim, EntityClaim, Knowledge, Resolution, Schema, Settings, TripleClaim};
    use banyan_extract::chunk::EstimateTokens;
    use banyan_extract::{Analysis, Extractor, Watch, extract};

    struct Nobody;
    impl Watch for Nobody {}

    const TEXT: &str = "Mara Voss, a daughter of Jan Orde, was born in 1871. Mara Voss founded Orle Mill in Tidd. Jan Orde was \
        born in Ansay. Ansay is a town in Marle County.";

    /// A searcher over what [`TEXT`] states.
    fn searcher() -> Searcher {
        let documents = scripted::documents(&[("Notes", TEXT)]);
        let schema = Schema::general().unwrap();
        let parsed = Analysis::surfaces(&documents);
        let mut claims = extract(&parsed, Extractor::Embedded, &schema, &EstimateTokens, 256, &Nobody).unwrap();
        let span = |words: &str| {
            let start = TEXT.find(words).unwrap();
            Span::new(start, start + words.len())
        };
        let kinds = [
            ("Mara Voss", "person"),
            ("Jan Orde", "person"),
            ("Orle Mill", "organisation"),
            ("Ansay", "place"),
            ("Marle County", "place"),
        ];
        let entities = kinds.map(|(name, kind)| EntityClaim {
            entity: name.to_lowercase().into(),
            name: name.into(),
            entity_type: schema.type_id(kind),
            span: span(name),
            is_subject: false,
        });
        let related = [
            ("mara voss", "founder_of", "orle mill", "Mara Voss founded Orle Mill"),
            (
                "jan orde",
                "parent_of",
                "mara voss",
                "Mara Voss, a daughter of Jan Orde",
            ),
            ("jan orde", "born_in", "ansay", "Jan Orde was born in Ansay"),
            ("ansay", LOCATED_IN, "marle county", "Ansay is a town in Marle County"),
        ];
        let triples = related.map(|(head, relation, tail, place)| TripleClaim {
            head: head.into(),
            relation: schema.relation_id(relation).unwrap(),
            tail: tail.into(),
            phrase: String::new(),
            span: span(place),
        });
        claims[0].entities.extend(entities);
        claims[0].triples = triples.into();
        let attributes = [
            ("mara voss", "birth_date", "1871", "was born in 1871"),
            ("orle mill", DEFINITION, "mill in Tidd", "Orle Mill in Tidd"),
            ("ansay", DEFINITION, "town in Marle County", "town in Marle County"),
        ];
        let attributes = attributes.map(|(entity, attribute, value, place)| AttributeClaim {
            entity: entity.into(),
            attribute: schema.attribute_id(attribute).unwrap(),
            value: value.to_owned(),
            span: span(place),
        });
        claims[0].attributes = attributes.into();
        let (settings, joined) = (Settings::default(), Resolution::default());
        Searcher::new(Knowledge::assemble(settings, schema, documents, claims, joined))
    }

    #[test]
    fn a_fact_answers_a_question_of_which_it_has_every_word_at_the_right_end() {
        let searcher = searcher();
        let check = |text: &str, expected: Option<&str>| {
            let question = Question::new(text, None);
            let form = QuestionForm::read(&searcher, &question);
            let found = find(&searcher, &question, &form);
            assert_eq!(found.as_ref().map(|found| found.text.as_str()), expected, "{text}");
            if let Some(found) = found {
                assert!(found.support[0].1.of(TEXT).ends_with('.'), "{found:?}");
            }
        };
        check("When was Mara Voss born?", Some("1871"));
        check("When did Mara Voss die?", None);
        check("Who founded Orle Mill?", Some("Mara Voss"));
        check("Who was Orle Mill founded by?", Some("Mara Voss"));
        check("What did Mara Voss found?", Some("Orle Mill"));
        check("What was Mara Voss founded by?", None);
        check("Who is Jan Orde's daughter?", Some("Mara Voss"));
        check("Who is the daughter of Jan Orde?", Some("Mara Voss"));
        // That he is her father, and not her mother, is not said.
        check("Who is the father of Mara Voss?", None);
        check("Who is the mother of Mara Voss?", None);
        check("Who is the son of Jan Orde?", None);
        check("Who is the daughter of Mara Voss?", None);
        check("Who founded Orle Mill with borrowed money?", None);
        check("What is the Orle Mill?", Some("mill in Tidd"));
        check("Which mill did Mara Voss found?", Some("Orle Mill"));
        check("Which orchard did Mara Voss found?", None);
        check("What is Orle Mill in Tidd for?", None);
        check("Who was Mara Voss?", None);
        check("Where was Jan Orde born?", Some("Ansay"));
        check("In which town was Jan Orde born?", Some("Ansay"));
        check("In which county was Jan Orde born?", Some("Marle County"));
        check("In which country was Jan Orde born?", None);
        check("In which location was Jan Orde born?", Some("Ansay"));
        check("Jan Orde was born in which county?", Some("Marle County"));
    }

    #[test]
    fn a_kind_of_thing_stands_right_behind_the_question_word() {
        let searcher = searcher();
        let kind = |text: &str| {
            let question = Question::new(text, None);
            let form = QuestionForm::read(&searcher, &question);
            Asked::new(&searcher, &question, &form, searcher.spelled_in(text)[0].0).kind
        };
        assert_eq!(kind("Which orchard did Mara Voss found?"), ["orchard"]);
        assert!(kind("What is the orchard of Mara Voss?").is_empty());
    }
}
