//! Names to tags in one text, and back.

use super::dictionary::Dictionary;
use super::tag;
use super::token::tokens;
use std::ops::Range;

/// A text with tags for names, and what they replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anonymised {
    /// The new text.
    pub text: String,
    /// Every tag in it, in order.
    pub replaced: Vec<Replaced>,
}

/// One tag of an anonymised text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Bytes of the old text that it stands for.
    pub original: Range<usize>,
    /// Its bytes in the new text.
    pub tag: Range<usize>,
    /// The entry behind it; `None` for a tag that the old text had already.
    pub entry: Option<usize>,
    /// What it stands for.
    pub surface: String,
}

impl Anonymised {
    /// The place in the new text of byte `at` of the old one. Within a name it is the beginning of the tag.
    pub fn position(&self, at: usize) -> usize {
        let before = self.replaced.partition_point(|replaced| replaced.original.end <= at);
        let (old, new) = before.checked_sub(1).map_or((0, 0), |last| {
            (self.replaced[last].original.end, self.replaced[last].tag.end)
        });
        let next = self.replaced.get(before);
        match next.filter(|next| next.original.start < at) {
            Some(inside) => inside.tag.start,
            None => new + (at - old),
        }
    }

    /// Entries named between two bytes of the old text, in order.
    pub fn entries(&self, old: Range<usize>) -> impl Iterator<Item = usize> {
        let first = self
            .replaced
            .partition_point(|replaced| replaced.original.end <= old.start);
        let inside = self.replaced[first..].iter();
        inside
            .take_while(move |replaced| replaced.original.start < old.end)
            .filter_map(|replaced| replaced.entry)
    }
}

impl Dictionary {
    /// Puts the tag for every name in `text`; its endings stay ("Ahab's" → `[PERSON#1]'s`, "Parsees" → `[PERSON#2]s`). Tags
    /// that are there already stay as they are. Cost O(length).
    pub fn anonymise(&self, text: &str) -> Anonymised {
        let tokens = tokens(text);
        let names = self.forms.occurrences(text, &tokens).into_iter();
        let mut places: Vec<(Range<usize>, Option<usize>)> = names
            .map(|found| (found.start..found.end, Some(self.entry_of[found.form])))
            .chain(tag::find(text).into_iter().map(|range| (range, None)))
            .collect();
        places.sort_by_key(|(range, _)| range.start);
        let mut new = Anonymised::default();
        let mut at = 0;
        for (original, entry) in places {
            new.text.push_str(&text[at..original.start]);
            let start = new.text.len();
            let surface = text[original.clone()].to_owned();
            match entry {
                Some(entry) => new.text.push_str(&self.entries()[entry].tag.to_string()),
                None => new.text.push_str(&surface),
            }
            at = original.end;
            new.replaced.push(Replaced {
                original,
                tag: start..new.text.len(),
                entry,
                surface,
            });
        }
        new.text.push_str(&text[at..]);
        new
    }
}

/// A text with each tag replaced by what `put` gives for it; a tag stays where that is nothing. Cost O(length).
pub(super) fn replaced<'a>(text: &str, mut put: impl FnMut(&str) -> Option<&'a str>) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for range in tag::find(text) {
        let tag = &text[range.clone()];
        new.push_str(&text[at..range.start]);
        new.push_str(put(tag).unwrap_or(tag));
        at = range.end;
    }
    new.push_str(&text[at..]);
    new
}
