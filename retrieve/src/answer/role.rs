//! The thing behind an alternative that a question really sets against others: "which film's *director* is older".

use super::subject::Subject;
use crate::agent::described_person;
use crate::form::comparison::Alternative;
use crate::read::Weights;
use crate::searcher::Searcher;
use banyan_engine::EntityId;
use banyan_engine::index::term;

/// The documents about an alternative, or about who has the role in it that the question names.
pub(super) fn subjects(
    searcher: &Searcher,
    question: &str,
    alternative: &Alternative,
    weights: &Weights,
) -> Vec<Subject> {
    let own: Vec<Subject> = alternative
        .entities
        .iter()
        .flat_map(|entity| Subject::of(searcher, *entity))
        .collect();
    let Some(role) = role(searcher, question, &alternative.entities) else {
        return own;
    };
    let filler = described_person(
        searcher,
        &format!("the {role} of {}", alternative.text),
        &alternative.entities,
        weights,
    );
    let found: Vec<Subject> = filler
        .into_iter()
        .flat_map(|entity| Subject::of(searcher, entity))
        .collect();
    if found.is_empty() { own } else { found }
}

/// The noun in the question that names a relation from a work to a person, where the alternative is no person itself.
fn role(searcher: &Searcher, question: &str, entities: &[EntityId]) -> Option<String> {
    let knowledge = searcher.knowledge();
    let person = knowledge.schema.type_id("person")?;
    let first = *entities.first()?;
    if knowledge.graph.entity(first).entity_type == person {
        return None;
    }
    let lower = question.to_lowercase();
    let words = lower
        .split(|ch: char| !ch.is_alphabetic())
        .map(|word| term::singular(word.to_owned()));
    let is_role = |word: &String| {
        let relation = knowledge
            .schema
            .relation_id(word)
            .map(|id| &knowledge.schema.relations()[id.index()]);
        relation.is_some_and(|relation| relation.range.iter().any(|end| end == "person"))
    };
    words.filter(|word| !word.is_empty()).find(is_role)
}
