//! Files of pages as Markdown: what runs along the edges of all pages goes, and what goes on over the end of a page is one
//! paragraph.

use super::{SOFT_HYPHEN, markdown, stem};
use banyan_engine::{Document, name};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// On how many pages a line has to stand to be one that runs along their edges. Arbitrary: two may agree by chance.
const MIN_RUNNING: usize = 3;
/// How many blocks at each end of a page may be such lines: a line and a page number.
const EDGE: usize = 2;
/// Longest line that runs along pages, in characters. Arbitrary.
const MAX_RUNNING: usize = 120;
/// Numbers of a line that may be that of its page: a date has more.
const MAX_NUMBERS: usize = 3;

/// A page, as blocks of Markdown.
pub(super) struct Page {
    /// Its number in the file, from 1.
    pub(super) number: u32,
    blocks: Vec<String>,
    /// What runs along its edges and is said nowhere else.
    running: Vec<String>,
}

impl Page {
    /// A page of Markdown. What has no letter or digit is ornament, and lines that lead to other pages tell nothing.
    pub(super) fn new(number: u32, markdown: &str) -> Self {
        let markdown = markdown.replace(SOFT_HYPHEN, "");
        let blocks = markdown.split("\n\n").map(|block| block.trim_matches('\n'));
        let blocks = blocks.filter(|block| block.contains(char::is_alphanumeric) && !is_contents(block));
        Self {
            number,
            blocks: blocks.map(str::to_owned).collect(),
            running: Vec::new(),
        }
    }

    /// Adds blocks at its end.
    pub(super) fn push(&mut self, blocks: Vec<String>) {
        self.blocks.extend(blocks);
    }

    /// Whether there is no text on it.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Whether it has all words of a title.
    pub(super) fn says(&self, title: &str) -> bool {
        let own: BTreeSet<String> = self.blocks.iter().flat_map(|block| words(block)).collect();
        words(title).next().is_some() && words(title).all(|word| own.contains(&word))
    }

    fn has_heading(&self) -> bool {
        self.blocks.iter().any(|block| block.starts_with('#'))
    }

    /// Positions of the blocks at its two ends.
    fn edges(&self) -> BTreeSet<usize> {
        let n = self.blocks.len();
        (0..EDGE.min(n)).chain(n.saturating_sub(EDGE)..n).collect()
    }
}

/// The document of a file of pages. `title` is what the file says its title is; it stands only where the text has its words,
/// for programs put the names of files and templates there. Cost O(bytes).
pub(super) fn document(file: &str, title: Option<String>, mut pages: Vec<Page>) -> Document {
    let title = title.filter(|title| pages.first().is_some_and(|page| page.says(title)));
    // Further down a heading is one of a section.
    let begins_named = pages
        .iter()
        .find(|page| !page.is_empty())
        .is_some_and(Page::has_heading);
    let title = title.or_else(|| (!begins_named).then(|| stem(file).to_owned()));
    drop_running(&mut pages);
    let (mut source, mut begins): (String, Vec<(usize, u32)>) = Default::default();
    let mut running = Vec::new();
    for page in &pages {
        for (at, block) in page.blocks.iter().enumerate() {
            if goes_on(&source, block) {
                source.truncate(source.trim_end().len());
                let word = source.strip_suffix('-').map(str::len);
                match word.filter(|word| source[..*word].ends_with(char::is_alphabetic)) {
                    Some(word) => source.truncate(word),
                    None => source.push('\n'),
                }
            } else {
                // Not before, so that a sentence comes to its end.
                running
                    .drain(..)
                    .for_each(|line: &String| source.extend([line, "\n\n"]));
            }
            if at == 0 {
                begins.push((source.len(), page.number));
            }
            source.extend([block, "\n\n"]);
        }
        running.extend(&page.running);
    }
    running.drain(..).for_each(|line| source.extend([line, "\n\n"]));
    markdown::paged(file, title, &source, begins)
}

/// Whether a block is of a table of contents: lines whose dots lead to numbers.
fn is_contents(block: &str) -> bool {
    static LEADER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?:[.…]\s?){6,}\d").ok());
    LEADER.as_ref().is_some_and(|leader| leader.is_match(block))
}

/// Whether a paragraph goes on with the sentence that the one before ends in, on the page before or broken off above it.
fn goes_on(before: &str, block: &str) -> bool {
    let last = before.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let is_prose = |block: &str| block.starts_with(|ch: char| ch.is_alphabetic() || "\"“(*".contains(ch));
    let is_open = last.ends_with(|ch: char| ch.is_alphanumeric() || ",-–—)".contains(ch));
    is_prose(last) && is_open && block.starts_with(char::is_lowercase)
}

/// Takes out the lines that stand at the edges of several pages, but for the page's own number: titles, chapters, numbers,
/// addresses. What is said nowhere else is kept of the first of them.
fn drop_running(pages: &mut [Page]) {
    let mut places: BTreeMap<String, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        for edge in page.edges() {
            for key in keys(&page.blocks[edge], page.number) {
                places.entry(key).or_default().insert((at, edge));
            }
        }
    }
    let mut running: BTreeMap<String, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for places in places.into_values().filter(|places| n_pages(places) >= MIN_RUNNING) {
        for (at, edge) in places {
            let said = words(&pages[at].blocks[edge]).filter(|word| number(word).is_none());
            let said = said.collect::<Vec<_>>().join(" ");
            running.entry(said).or_default().insert((at, edge));
        }
    }
    let is_running = |place: &(usize, usize)| running.values().any(|places| places.contains(place));
    let others = pages.iter().enumerate().flat_map(|(at, page)| {
        let blocks = page.blocks.iter().enumerate();
        blocks
            .filter(move |(edge, _)| !is_running(&(at, *edge)))
            .map(|(_, block)| block)
    });
    let others: Vec<String> = others.flat_map(|block| words(block)).collect();
    let others = format!(" {} ", others.join(" "));
    let mut gone = BTreeSet::new();
    for (said, places) in running {
        let is_said = said.is_empty() || others.contains(&format!(" {said} "));
        if let Some((at, edge)) = places.first().filter(|_| !is_said) {
            let line = pages[*at].blocks[*edge].clone();
            pages[*at].running.push(line);
        }
        gone.extend(places);
    }
    for (at, page) in pages.iter_mut().enumerate() {
        let mut edges = 0..;
        page.blocks
            .retain(|_| edges.next().is_some_and(|edge| !gone.contains(&(at, edge))));
    }
}

fn n_pages(places: &BTreeSet<(usize, usize)>) -> usize {
    places.iter().map(|(page, _)| page).collect::<BTreeSet<_>>().len()
}

/// What a block is the same as on other pages, where any of its numbers may be that of the page, counted from anywhere.
fn keys(block: &str, page: u32) -> Vec<String> {
    let words: Vec<String> = words(block).collect();
    let numbers: Vec<usize> = (0..words.len()).filter(|at| number(&words[*at]).is_some()).collect();
    if block.chars().count() > MAX_RUNNING || numbers.len() > MAX_NUMBERS {
        return Vec::new();
    }
    let key = |chosen: usize| {
        let mut words = words.clone();
        for (_, at) in numbers.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1) {
            let own = number(&words[*at]).unwrap_or_default();
            words[*at] = format!("+{}", i64::from(own) - i64::from(page));
        }
        words.join(" ")
    };
    (0..1 << numbers.len()).map(key).collect()
}

fn words(block: &str) -> impl Iterator<Item = String> {
    name::words(block).map(str::to_lowercase)
}

/// A number of a page, in figures or as Romans wrote it.
fn number(word: &str) -> Option<u32> {
    let value = |ch: char| "ivxlc".find(ch).map(|at| [1, 5, 10, 50, 100][at]);
    let roman = || {
        let values: Vec<u32> = word.chars().map(value).collect::<Option<_>>()?;
        let next = values.iter().skip(1).chain([&0]);
        let signed = values
            .iter()
            .zip(next)
            .map(|(one, next)| if one < next { -i64::from(*one) } else { i64::from(*one) });
        u32::try_from(signed.sum::<i64>()).ok()
    };
    word.parse().ok().or_else(roman)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pages: &[&str]) -> Document {
        let pages = (1..).zip(pages).map(|(number, page)| Page::new(number, page));
        document("report.pdf", Some("Untitled-3".to_owned()), pages.collect())
    }

    #[test]
    fn what_runs_along_the_pages_goes_and_a_sentence_goes_on_over_their_end() {
        let found = read(&[
            "The Harbour\n\n# Of ships\n\nThe Dipper, which was\n\nvii",
            "The Harbour\n\nbuilt in Karrow- mouth, is a light-\n\nviii",
            "The Harbour\n\nship. It burnt.\n\n❙❚❘\n\nix",
            "The Harbour\n\nMara Voss bought\n\nit.\n\n1 Ships .......... 4 1.1 Iron . . . . . . . . 5\n\nShe lived there.\n\nx",
        ]);
        assert_eq!(found.title, "Of ships");
        let text = "The Dipper, which was\nbuilt in Karrow- mouth, is a lightship. It burnt.\n\nThe Harbour\n\nMara Voss bought\nit.\n\nShe lived there.";
        assert_eq!(found.text, text);
        for (word, page) in [("Dipper", 1), ("built", 2), ("Mara", 4), ("there", 4)] {
            let at = u32::try_from(text.find(word).unwrap()).unwrap();
            assert_eq!(found.page(at), Some(page), "{word}");
            assert_eq!(found.locate(at), format!("report.pdf#page={page}"));
        }
    }

    #[test]
    fn what_only_looks_alike_stays() {
        let found = read(&["Invoice 17\n\nTeak.", "Invoice 35\n\nOak.", "Invoice 12\n\nAsh."]);
        assert_eq!(found.text.matches("Invoice").count(), 3);
        let found = read(&["One.\n\nThe end", "# Two\n\nThe end"]);
        assert_eq!(found.title, "report");
        assert_eq!(found.text, "One.\n\nThe end\n\nTwo\n\nThe end");
    }

    #[test]
    fn a_title_stands_where_the_text_says_it() {
        let page = || vec![Page::new(1, "TEAK AND OTHER WOODS\n\nA tree.")];
        let title = |said: &str| document("a/b.pdf", Some(said.to_owned()), page()).title;
        assert_eq!(title("Teak and Other Woods"), "Teak and Other Woods");
        assert_eq!(title("Microsoft Word - draft2.doc"), "b");
    }
}
