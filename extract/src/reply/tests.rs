//! Replies as models write them, and worse.

use super::*;

mod arbitrary;
mod hostile;
mod shapes;
mod syntax;

/// Everything a reply states, a line each, in order: passage (`-` for none), kind, parts.
fn lines(statements: &Statements) -> Vec<String> {
    let mut lines = Vec::new();
    for part in &statements.parts {
        let mut say = |kind: &str, parts: &[&str]| {
            let number = part.passage.map_or("-".to_owned(), |number| number.to_string());
            lines.push(format!("{number} {kind} {}", parts.join(" | ")));
        };
        let stated = &part.stated;
        for entity in &stated.entities {
            say("entity", &[&entity.name, entity.entity_type.as_deref().unwrap_or("?")]);
        }
        for triple in &stated.triples {
            say("triple", &[&triple.head, &triple.relation, &triple.tail]);
        }
        for attribute in &stated.attributes {
            say(
                "attribute",
                &[&attribute.entity, &attribute.attribute, &attribute.value],
            );
        }
        for proposal in &stated.types {
            let kind = format!("new {:?}", proposal.kind);
            let value = proposal.value.map_or(String::new(), |kind| format!("{kind:?}"));
            let ends = format!("{:?} -> {:?} {value}", proposal.domain, proposal.range);
            say(&kind, &[&proposal.name, &proposal.description, ends.trim_end()]);
        }
    }
    lines
}

/// All defects of a reply as `kind: detail`.
fn defects(statements: &Statements) -> Vec<String> {
    let of_parts = statements.parts.iter().flat_map(|part| &part.stated.defects);
    statements
        .defects
        .iter()
        .chain(of_parts)
        .map(ToString::to_string)
        .collect()
}

/// What a reply about two passages states, and what is wrong with it.
fn check(reply: &str, expected: &[&str], wrong: &[&str]) {
    let statements = read(reply, 2);
    assert_eq!(lines(&statements), expected, "{reply}");
    assert_eq!(defects(&statements), wrong, "{reply}");
}
