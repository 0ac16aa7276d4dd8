//! Dependencies to a tree: labels that moved a word to another head are undone, sentences are found.

use super::arc::Arcs;

/// Between a label and the label of the head that the word belongs to.
const DECORATION: &str = "||";
/// Rounds of widening the words' ranges; a malformed tree must not loop for ever. As in the library.
const MAX_ROUNDS: usize = 12;

/// The first and the last word of what depends on each word, itself included.
#[derive(Debug, PartialEq, Eq)]
struct Edges {
    lefts: Vec<usize>,
    rights: Vec<usize>,
}

impl Edges {
    fn of(heads: &[usize]) -> Self {
        let mut edges = Self {
            lefts: (0..heads.len()).collect(),
            rights: (0..heads.len()).collect(),
        };
        for _ in 0..MAX_ROUNDS {
            (0..heads.len())
                .chain((0..heads.len()).rev())
                .for_each(|word| edges.widen(heads[word], word));
            if edges.is_closed(heads) {
                break;
            }
        }
        edges
    }

    fn widen(&mut self, head: usize, word: usize) {
        self.lefts[head] = self.lefts[head].min(self.lefts[word]);
        self.rights[head] = self.rights[head].max(self.rights[word]);
    }

    /// Whether each word starts a sentence: the first of what depends on a root does.
    fn starts(&self, heads: &[usize]) -> Vec<bool> {
        let mut starts = vec![false; heads.len()];
        for (word, _) in heads.iter().enumerate().filter(|(word, head)| word == *head) {
            starts[self.lefts[word]] = true;
        }
        starts
    }

    /// Whether every head lies in the sentence of its dependant.
    fn is_closed(&self, heads: &[usize]) -> bool {
        let starts = self.starts(heads);
        let mut start = 0;
        for end in 1..heads.len() {
            if starts[end] || end == heads.len() - 1 {
                if heads[start..end].iter().any(|head| *head < start || *head > end) {
                    return false;
                }
                start = end;
            }
        }
        true
    }
}

/// Puts words with a decorated label `x||y` under the first descendant of their head with label `y`, breadth first,
/// and drops the decoration (Nivre and Nilsson 2005, "Pseudo-projective dependency parsing", scheme HEAD).
///
/// `name` gives a label's text; white space is never a head. Gives the labels' texts and whether each word starts a
/// sentence. Cost O(words) plus O(words²) for each decorated label at worst.
pub(super) fn finish<'a>(
    arcs: &mut Arcs,
    name: impl Fn(usize) -> &'a str,
    is_space: impl Fn(usize) -> bool,
) -> (Vec<&'a str>, Vec<bool>) {
    let mut labels: Vec<&str> = arcs.labels.iter().map(|label| name(*label)).collect();
    let mut edges = Edges::of(&arcs.heads);
    let mut has_moved = false;
    for word in 0..labels.len() {
        if let Some((label, of_head)) = labels[word].split_once(DECORATION) {
            let accepts = |child: usize| child != word && !is_space(child);
            let head = descendant(&arcs.heads, &edges, arcs.heads[word], accepts, |child| {
                labels[child] == of_head
            });
            arcs.heads[word] = head.unwrap_or(arcs.heads[word]);
            labels[word] = label;
            has_moved = true;
        }
    }
    if has_moved {
        edges = Edges::of(&arcs.heads);
    }
    let starts = edges.starts(&arcs.heads);
    (labels, starts)
}

/// The first descendant of `root` that is wanted, level by level from left to right, among those accepted.
fn descendant(
    heads: &[usize],
    edges: &Edges,
    root: usize,
    accepts: impl Fn(usize) -> bool,
    is_wanted: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut level = vec![root];
    let mut n_left = heads.len();
    while !level.is_empty() && n_left > 0 {
        let mut next = Vec::new();
        for parent in level {
            let children = edges.lefts[parent]..=edges.rights[parent];
            for child in children.filter(|child| *child != parent && heads[*child] == parent && accepts(*child)) {
                if is_wanted(child) {
                    return Some(child);
                }
                next.push(child);
            }
        }
        n_left -= 1;
        level = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heads: &[usize], labels: &[&'static str], expected: (&[usize], &[&str], &[bool])) {
        let mut arcs = Arcs {
            heads: heads.to_vec(),
            labels: (0..labels.len()).collect(),
        };
        let (named, starts) = finish(&mut arcs, |label| labels[label], |_| false);
        assert_eq!((&arcs.heads[..], &named[..], &starts[..]), expected);
    }

    #[test]
    fn every_root_starts_a_sentence_at_its_first_word() {
        let labels = ["a", "ROOT", "b", "ROOT"];
        check(
            &[1, 1, 3, 3],
            &labels,
            (&[1, 1, 3, 3], &labels, &[true, false, true, false]),
        );
    }

    #[test]
    fn a_decorated_label_moves_the_word_to_the_named_descendant() {
        let labels = ["ROOT", "dobj", "prep||dobj"];
        check(
            &[0, 0, 0],
            &labels,
            (&[0, 0, 1], &["ROOT", "dobj", "prep"], &[true, false, false]),
        );
    }
}
