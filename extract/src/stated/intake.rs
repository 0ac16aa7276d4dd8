//! The one way in for what an extractor says: trimmed, bounded, told once; whatever is wrong is counted.

use super::{Defect, DefectKind, NewType, Stated, StatedAttribute, StatedEntity, StatedTriple};
use crate::literal::is_entity;
use banyan_engine::name::key;
use std::collections::BTreeSet;

/// Longest name of a thing, in characters. Arbitrary: longer than any title of the public question sets.
pub const MAX_NAME_CHARS: usize = 200;
/// Longest name of a relation, a type or an attribute, in characters. Arbitrary.
pub const MAX_LABEL_CHARS: usize = 100;
/// Longest value of an attribute, in characters. Arbitrary: a sentence or two.
pub const MAX_VALUE_CHARS: usize = 500;
/// Longest description of a proposed element, in characters; the rest is cut. Arbitrary.
pub const MAX_DESCRIPTION_CHARS: usize = 500;
/// Most types in the domain or range of a proposal. Arbitrary.
pub const MAX_TYPE_NAMES: usize = 32;
/// Most statements about one chunk, good and bad. Arbitrary: a chunk of 256 tokens states a few dozen.
pub const MAX_STATEMENTS: usize = 2000;

/// Takes in what an extractor says, statement by statement.
///
/// Everything let through is trimmed, has a letter or digit, is at most as long as the constants of this module say, is
/// said of a thing (not of a date, a number or a clause), and
/// is said once: repetitions are found by key (see [`key`]), so case and accents do not matter. Cost O(log n) each.
#[derive(Debug, Default)]
pub struct Intake {
    stated: Stated,
    seen: BTreeSet<Vec<String>>,
    n_taken: usize,
    n_over: usize,
}

impl Intake {
    /// Goes on from what is stated already.
    pub fn resume(stated: Stated) -> Self {
        let mut intake = Self::default();
        intake.add(stated);
        intake
    }

    /// A thing, with its type where one is said. A type that is no name is dropped and counted; the thing stays.
    pub fn entity(&mut self, name: &str, entity_type: Option<&str>) {
        let Some([name]) = self.names([(name, "entity", MAX_NAME_CHARS)]) else {
            return;
        };
        if !self.is_thing(&name, &[]) {
            return;
        }
        let entity_type = entity_type.and_then(|label| self.name(label, "type", MAX_LABEL_CHARS));
        if self.is_new(&["entity", &name, entity_type.as_deref().unwrap_or("")]) {
            self.stated.entities.push(StatedEntity { name, entity_type });
        }
    }

    /// A relation between two things.
    pub fn triple(&mut self, head: &str, relation: &str, tail: &str) {
        let Some([head, relation, tail]) = self.names([
            (head, "head", MAX_NAME_CHARS),
            (relation, "relation", MAX_LABEL_CHARS),
            (tail, "tail", MAX_NAME_CHARS),
        ]) else {
            return;
        };
        if key(&head) == key(&tail) {
            return self.defect(DefectKind::SelfLoop, format!("{head} {relation} {tail}"));
        }
        if self.is_thing(&head, &[&relation, &tail]) && self.is_new(&["triple", &head, &relation, &tail]) {
            self.stated.triples.push(StatedTriple { head, relation, tail });
        }
    }

    /// A property of a thing.
    pub fn attribute(&mut self, entity: &str, attribute: &str, value: &str) {
        let Some([entity, attribute, value]) = self.names([
            (entity, "entity", MAX_NAME_CHARS),
            (attribute, "attribute", MAX_LABEL_CHARS),
            (value, "value", MAX_VALUE_CHARS),
        ]) else {
            return;
        };
        if self.is_thing(&entity, &[&attribute, &value]) && self.is_new(&["attribute", &entity, &attribute, &value]) {
            self.stated.attributes.push(StatedAttribute {
                entity,
                attribute,
                value,
            });
        }
    }

    /// A proposal for the schema. Types in domain and range that are no names are dropped and counted.
    pub fn new_type(&mut self, proposal: &NewType) {
        let Some([name]) = self.names([(&proposal.name, "new type", MAX_LABEL_CHARS)]) else {
            return;
        };
        if !self.is_new(&[&format!("new {}", proposal.kind), &name]) {
            return;
        }
        let description = tidy(&proposal.description, 4 * MAX_DESCRIPTION_CHARS);
        let description: String = description.chars().take(MAX_DESCRIPTION_CHARS).collect();
        let proposal = NewType {
            kind: proposal.kind,
            name,
            description: description.trim_end().to_owned(),
            domain: self.type_names(&proposal.domain),
            range: self.type_names(&proposal.range),
            value: proposal.value,
        };
        self.stated.types.push(proposal);
    }

    /// Something that was wrong.
    pub fn defect(&mut self, kind: DefectKind, detail: impl AsRef<str>) {
        self.stated.defects.push(Defect::new(kind, detail));
    }

    /// Everything that `more` states, in its order, then its defects. What both state is kept once and is no defect.
    pub fn add(&mut self, more: Stated) {
        let n_before = self.stated.defects.len();
        for entity in &more.entities {
            self.entity(&entity.name, entity.entity_type.as_deref());
        }
        for triple in &more.triples {
            self.triple(&triple.head, &triple.relation, &triple.tail);
        }
        for attribute in &more.attributes {
            self.attribute(&attribute.entity, &attribute.attribute, &attribute.value);
        }
        for proposal in &more.types {
            self.new_type(proposal);
        }
        let mut defects = self.stated.defects.split_off(n_before);
        defects.retain(|defect| defect.kind != DefectKind::Duplicate);
        self.stated.defects.extend(defects);
        self.stated.defects.extend(more.defects);
    }

    /// What was let through, and what was wrong with the rest.
    pub fn finish(mut self) -> Stated {
        if self.n_over > 0 {
            let detail = format!("{} statements beyond the first {MAX_STATEMENTS}", self.n_over);
            self.defect(DefectKind::TooMany, detail);
        }
        self.stated
    }

    /// The names of one more statement, each with what it is called and how long it may be; `None` beyond the last
    /// statement that is read, and where one of them is none.
    fn names<const N: usize>(&mut self, parts: [(&str, &str, usize); N]) -> Option<[String; N]> {
        if self.n_taken == MAX_STATEMENTS {
            self.n_over += 1;
            return None;
        }
        self.n_taken += 1;
        let names = parts.map(|(raw, what, max_chars)| self.name(raw, what, max_chars));
        names
            .iter()
            .all(Option::is_some)
            .then(|| names.map(Option::unwrap_or_default))
    }

    /// A name as it is kept, or a defect.
    fn name(&mut self, raw: &str, what: &str, max_chars: usize) -> Option<String> {
        let name = tidy(raw, 4 * (max_chars + 1));
        if key(&name).is_empty() {
            self.defect(DefectKind::EmptyName, format!("{what} {name}"));
            return None;
        }
        let n_chars = name.chars().count();
        if n_chars > max_chars {
            self.defect(
                DefectKind::TooLong,
                format!("{what} of over {max_chars} characters: {name}"),
            );
            return None;
        }
        Some(name)
    }

    /// Whether a name can be that of a thing which something is said of; counted where not.
    fn is_thing(&mut self, name: &str, said: &[&str]) -> bool {
        let is_thing = is_entity(name);
        if !is_thing {
            self.defect(DefectKind::NoThing, [&[name], said].concat().join(" "));
        }
        is_thing
    }

    fn type_names(&mut self, names: &[String]) -> Vec<String> {
        if names.len() > MAX_TYPE_NAMES {
            let detail = format!("{} types in one domain or range", names.len());
            self.defect(DefectKind::TooMany, detail);
        }
        let kept = names.iter().take(MAX_TYPE_NAMES);
        kept.filter_map(|name| self.name(name, "type", MAX_LABEL_CHARS))
            .collect()
    }

    /// Whether this was not said before, whatever its case and accents.
    fn is_new(&mut self, said: &[&str]) -> bool {
        let is_new = self.seen.insert(said.iter().map(|part| key(part)).collect());
        if !is_new {
            self.defect(DefectKind::Duplicate, said[1..].join(" "));
        }
        is_new
    }
}

/// White space and control characters become single spaces, invisible marks vanish, the ends are trimmed; reading stops
/// after `max_bytes` of result.
fn tidy(raw: &str, max_bytes: usize) -> String {
    let mut tidied = String::new();
    for ch in raw.chars() {
        if ch.is_whitespace() || ch.is_control() {
            if !tidied.is_empty() && !tidied.ends_with(' ') {
                tidied.push(' ');
            }
        } else if !is_invisible(ch) {
            tidied.push(ch);
        }
        if tidied.len() > max_bytes {
            break;
        }
    }
    tidied.truncate(tidied.trim_end().len());
    tidied
}

/// Marks that are never part of a name: zero width spaces, direction marks, byte order marks. Joiners are, in some
/// scripts.
fn is_invisible(ch: char) -> bool {
    matches!(ch, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stated::DefectCounts;
    use banyan_engine::schema::ElementKind;

    fn check(say: impl Fn(&mut Intake), n_kept: usize, defects: &[DefectKind]) -> Stated {
        let mut intake = Intake::default();
        say(&mut intake);
        let stated = intake.finish();
        let n = stated.entities.len() + stated.triples.len() + stated.attributes.len() + stated.types.len();
        assert_eq!(n, n_kept, "{stated:?}");
        let found: Vec<_> = stated.defects.iter().map(|defect| defect.kind).collect();
        assert_eq!(found, defects, "{stated:?}");
        stated
    }

    #[test]
    fn names_are_trimmed_and_have_a_letter_or_digit() {
        let stated = check(
            |intake| intake.entity(" \u{feff}Mara \n\t Voss ", Some(" person ")),
            1,
            &[],
        );
        assert_eq!(stated.entities[0].name, "Mara Voss");
        assert_eq!(stated.entities[0].entity_type.as_deref(), Some("person"));
        check(|intake| intake.entity(" … ", None), 0, &[DefectKind::EmptyName]);
        check(|intake| intake.entity("Teak", Some("?")), 1, &[DefectKind::EmptyName]);
        check(|intake| intake.triple("A", "", "B"), 0, &[DefectKind::EmptyName]);
        check(|intake| intake.attribute("A", "age", "-"), 0, &[DefectKind::EmptyName]);
    }

    #[test]
    fn what_is_said_twice_counts_once() {
        let twice = |intake: &mut Intake| {
            intake.triple("A", "knows", "B");
            intake.triple("a", "Knows", "B.");
            intake.triple("B", "knows", "A");
        };
        check(twice, 2, &[DefectKind::Duplicate]);
        let two_types = |intake: &mut Intake| {
            intake.entity("A", Some("film"));
            intake.entity("A", Some("book"));
            intake.entity("A", Some("Film"));
        };
        check(two_types, 2, &[DefectKind::Duplicate]);
    }

    #[test]
    fn nothing_is_related_to_itself() {
        check(
            |intake| intake.triple("The Isle", "is", "isle"),
            0,
            &[DefectKind::SelfLoop],
        );
    }

    #[test]
    fn a_fact_is_said_of_a_thing() {
        let of_values = |intake: &mut Intake| {
            intake.entity("3 May 1999", Some("date"));
            intake.triple("1999", "saw", "Teak");
            intake.triple("Teak", "opened", "1999");
            intake.attribute("12", "unit", "km");
        };
        check(of_values, 1, &[DefectKind::NoThing; 3]);
    }

    #[test]
    fn lengths_are_bounded_in_characters() {
        let exactly = "é".repeat(MAX_NAME_CHARS);
        check(|intake| intake.triple("A", "knows", &exactly), 1, &[]);
        let over = "é".repeat(MAX_NAME_CHARS + 1);
        check(|intake| intake.triple("A", "knows", &over), 0, &[DefectKind::TooLong]);
        let huge = "x".repeat(1 << 20);
        check(|intake| intake.attribute("A", "b", &huge), 0, &[DefectKind::TooLong]);
        let proposal = NewType {
            kind: ElementKind::Relation,
            name: "owns".into(),
            description: huge,
            domain: vec![String::new(), "person".into()],
            range: Vec::new(),
            value: None,
        };
        let stated = check(|intake| intake.new_type(&proposal), 1, &[DefectKind::EmptyName]);
        assert_eq!(stated.types[0].description.len(), MAX_DESCRIPTION_CHARS);
        assert_eq!(stated.types[0].domain, ["person"]);
    }

    #[test]
    fn statements_beyond_the_limit_are_counted_in_one_defect() {
        let many = |intake: &mut Intake| (0..MAX_STATEMENTS + 3).for_each(|n| intake.entity(&format!("E{n}"), None));
        let stated = check(many, MAX_STATEMENTS, &[DefectKind::TooMany]);
        assert_eq!(
            stated.defects[0].to_string(),
            "too many: 3 statements beyond the first 2000"
        );
    }

    #[test]
    fn joining_keeps_order_and_what_both_state_is_no_defect() {
        let first = check(|intake| intake.triple("A", "knows", "B"), 1, &[]);
        let more = |intake: &mut Intake| {
            intake.triple("A", "knows", "B");
            intake.triple("A", "knows", "C");
            intake.triple("A", "knows", "A");
        };
        let joined = crate::stated::join(first, check(more, 2, &[DefectKind::SelfLoop]));
        let tails: Vec<_> = joined.triples.iter().map(|triple| triple.tail.as_str()).collect();
        assert_eq!(tails, ["B", "C"]);
        let mut counts = DefectCounts::default();
        counts.add(&joined.defects);
        assert_eq!((counts.of(DefectKind::SelfLoop), counts.total()), (1, 1));
    }
}
