//! What each kind of row takes in.

use crate::graph::{Around, Association, Attribute, Entity, Triple};
use crate::id::EntityId;
use crate::index::Named;
use crate::paged::Grow;

/// Adds to a list what it does not have.
fn add_missing<T: Clone + PartialEq>(list: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !list.contains(one) {
            list.push(one.clone());
        }
    }
}

impl Grow for Entity {
    /// It keeps its key and type, and its name unless nobody called it so; another name is an alias.
    fn grow(&mut self, more: &Self) {
        if self.name == self.key {
            self.name.clone_from(&more.name);
        }
        let called = Some(&more.name).filter(|name| **name != more.key);
        let others = called.into_iter().chain(&more.aliases);
        let others: Vec<String> = others.filter(|name| **name != self.name).cloned().collect();
        add_missing(&mut self.aliases, &others);
        self.aliases.sort();
        self.is_term &= more.is_term;
        self.subject_of.extend(&more.subject_of);
        self.mentions.extend(&more.mentions);
    }
}

impl Grow for Triple {
    fn grow(&mut self, more: &Self) {
        add_missing(&mut self.phrases, &more.phrases);
        self.sources.extend(&more.sources);
    }
}

impl Grow for Attribute {
    fn grow(&mut self, more: &Self) {
        self.sources.extend(&more.sources);
    }
}

impl Grow for Association {
    fn grow(&mut self, more: &Self) {
        self.n += more.n;
        self.weight = self.weight.max(more.weight);
        add_missing(&mut self.phrases, &more.phrases);
    }
}

impl Grow for Around {
    fn grow(&mut self, more: &Self) {
        self.triples.extend(&more.triples);
        self.associations.extend(&more.associations);
        self.attributes.extend(&more.attributes);
    }
}

impl Grow for Named {
    fn grow(&mut self, more: &Self) {
        self.chunks.extend(&more.chunks);
        self.subject.extend(&more.subject);
        self.frequency += more.frequency;
    }
}

impl<T: Ord + Clone> Grow for Vec<T> {
    /// As a set, ascending.
    fn grow(&mut self, more: &Self) {
        self.extend(more.iter().cloned());
        self.sort_unstable();
        self.dedup();
    }
}

/// What a key or a word is does not change.
impl Grow for EntityId {
    fn grow(&mut self, _: &Self) {}
}

impl Grow for u32 {
    fn grow(&mut self, _: &Self) {}
}
