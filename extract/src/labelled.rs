//! Facts of records: a line "Place of birth: Leeds" says it of what its document is about.

use crate::context::Facts;
use crate::field::{labelled, within};
use crate::literal::literals;
use crate::pattern::Sense;
use crate::read::is_record;
use crate::telling::{Telling, is_prose};
use banyan_engine::fact::EntityKey;
use banyan_engine::schema::ValueKind;
use banyan_engine::{AttributeClaim, AttributeId, RelationId, Span, TripleClaim};
use std::sync::Arc;

/// Longest text that is a value, in bytes. Arbitrary.
const MAX_TEXT: usize = 120;
/// Labels above a text that say it of the text; those of Dublin Core and what goes for them.
const OF_TEXT: &[&str] = &[
    "author",
    "authors",
    "by",
    "contributor",
    "contributors",
    "created",
    "creator",
    "creators",
    "date",
    "editor",
    "editors",
    "language",
    "license",
    "licence",
    "publication date",
    "published",
    "publisher",
    "released",
    "source",
    "status",
    "subject",
    "title",
    "translator",
    "translators",
    "type",
    "updated",
    "version",
    "written by",
    "year",
];
/// How it is said that there is no value.
const NONE: [&str; 5] = ["n/a", "na", "none", "unknown", "various"];

/// The facts that a document's fields state of what it is about. Cost O(length).
pub(crate) fn fields(telling: &Telling, facts: &mut Facts) {
    let reading = telling.reading;
    let (text, own) = (reading.parsed.text(), &reading.own);
    let document = reading.parsed.document;
    let is_record = is_record(document);
    if own.is_empty() || telling.own.is_empty() && !is_record {
        return;
    }
    for line in text.lines().map(|line| within(text, line.trim())) {
        let Some((label, value)) = labelled(text, line) else {
            continue;
        };
        // What stands in a section is often of something else, and what stands before the first sentence may be of the text.
        let begins = reading.parsed.opening().map_or(0, |(opening, _)| opening.start);
        let is_of_text = line.start <= begins && OF_TEXT.contains(&&*label.of(text).to_lowercase());
        let is_own = is_record || !is_of_text && document.section(line.start).is_empty();
        if !is_own || !is_prose(reading.parsed, line) {
            continue;
        }
        let field = Field { label, value };
        let mut senses = telling.context.patterns.labels.senses(label.of(text)).iter();
        senses.any(|sense| field.state(*sense, own, telling, facts));
    }
}

struct Field {
    label: Span,
    value: Span,
}

impl Field {
    /// States what the label says in one of its senses; whether the value allows that.
    fn state(&self, sense: Sense, own: &EntityKey, telling: &Telling, facts: &mut Facts) -> bool {
        match sense {
            Sense::Attribute(attribute) => self.attribute(attribute, own, telling, facts),
            Sense::Relation(relation) => self.relation(relation, own, false, telling, facts),
            Sense::Reversed(relation) => self.relation(relation, own, true, telling, facts),
        }
    }

    fn attribute(&self, id: AttributeId, own: &EntityKey, telling: &Telling, facts: &mut Facts) -> bool {
        let (text, schema) = (telling.reading.parsed.text(), telling.context.schema);
        let (attribute, value) = (&schema.attributes()[id.index()], self.value.of(text));
        let is_value = match attribute.kind {
            ValueKind::Text => {
                value.len() <= MAX_TEXT && attribute.holds(value) && !NONE.contains(&&*value.to_lowercase())
            }
            ValueKind::Enum => attribute.holds(value),
            kind => {
                let found = literals(text, self.value);
                matches!(found[..], [one] if one.span == self.value && one.serves(kind))
            }
        };
        let owner = telling.context.types.likely(own).unwrap_or(schema.thing());
        let is_stated = is_value && schema.admits_attribute(owner, id);
        if is_stated {
            facts.attributes.push(AttributeClaim {
                entity: Arc::clone(own),
                attribute: id,
                value: value.to_owned(),
                span: self.label.to(self.value),
            });
        }
        is_stated
    }

    /// The value has to be names and nothing else.
    fn relation(
        &self,
        id: RelationId,
        own: &EntityKey,
        is_reversed: bool,
        telling: &Telling,
        facts: &mut Facts,
    ) -> bool {
        let (text, context) = (telling.reading.parsed.text(), telling.context);
        let mut rest = self.value.of(text).to_owned();
        let mut claims = Vec::new();
        for named in telling.named(self.value) {
            rest = rest.replacen(named.span.of(text), "", 1);
            let ends = [own, &named.entity];
            let [head, tail] = if is_reversed { [ends[1], ends[0]] } else { ends };
            let fit = context.types.fit(context.schema, head, id, tail);
            let fits = fit.is_some_and(|fit| fit > 0 || context.schema.admits_any(id));
            if named.entity == *own || !fits {
                return false;
            }
            claims.push(TripleClaim {
                head: Arc::clone(head),
                relation: id,
                tail: Arc::clone(tail),
                phrase: self.label.of(text).to_lowercase(),
                span: self.label.to(self.value),
            });
        }
        let is_whole = rest.split([',', ';', '&', ' ']).all(|word| matches!(word, "" | "and"));
        let is_stated = is_whole && !claims.is_empty();
        if is_stated {
            facts.triples.append(&mut claims);
        }
        is_stated
    }
}
