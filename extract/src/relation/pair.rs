//! Two ends in one sentence, and what the dependency tree shows of how they stand to each other.

use super::tree::{End, NodeKind, Tree};
use crate::feature::FeatureSink;
use crate::gazetteer;
use crate::grammar::{Dependency, Kind, Pos};
use crate::literal::Literal;
use crate::stem::stem;
use crate::word::Word;
use banyan_engine::Span;
use banyan_engine::fact::EntityKey;
use banyan_engine::schema::ValueKind;
use std::sync::Arc;

/// Most steps between the ends of a pair. Arbitrary: beyond, hardly any pair of Re-DocRED is related.
const MAX_APART: usize = 7;
/// Most words from one end of a pair to the other. Arbitrary: so a list of a thousand names costs what its length does.
const MAX_REACH: usize = 60;
/// Most words between two ends that count as a phrase of their own.
const MAX_BETWEEN: usize = 4;
/// Prepositions behind which stands what something is not in, at or of, but only by.
const ASIDE: [&str; 6] = ["beside", "beyond", "near", "opposite", "outside", "towards"];

/// A name, a value, or a word that stands for the document's subject.
pub(super) struct Candidate {
    pub(super) end: End,
    /// The word of it that the others depend on.
    pub(super) word: usize,
    pub(super) value: Option<Literal>,
    kind: &'static str,
}

impl Candidate {
    /// Whether the gazetteer knows it as a country.
    pub(super) fn is_country(&self) -> bool {
        self.kind == "country"
    }
}

/// Who is related to whom or what, if at all: positions among the candidates, and the way through the tree.
pub(super) struct Pair {
    pub(super) head: usize,
    pub(super) tail: usize,
    /// From the head up to the word that governs both, and from there down to the tail.
    up: Vec<usize>,
    down: Vec<usize>,
}

/// The candidates of a sentence with these values, and their pairs. Cost O(candidates² · depth).
pub(super) fn pairs(tree: &Tree, values: &[Literal]) -> (Vec<Candidate>, Vec<Pair>) {
    let mut candidates: Vec<Candidate> = Vec::new();
    candidates.extend(tree.nodes.iter().map(|node| Candidate {
        end: End::of(node),
        word: node.word,
        value: None,
        kind: kind(tree, node.span),
    }));
    for word in (0..tree.words.len()).filter(|at| tree.owner[*at].is_none()) {
        candidates.extend(tree.antecedent(word).map(|entity| Candidate {
            end: End {
                entity: Arc::clone(entity),
                span: tree.words[word].span,
                kind: NodeKind::Name,
            },
            word,
            value: None,
            kind: if matches!(tree.lower(word).as_str(), "he" | "she") {
                "Person"
            } else {
                "It"
            },
        }));
    }
    // A people ("the *Corrantine* painter") is no entity, but tells where somebody or something belongs.
    let is_people = |at: &usize| tree.words[*at].kind == Kind::Group && tree.owner[*at].is_none();
    let peoples = (0..tree.words.len()).filter(is_people).map(|at| Literal {
        span: tree.words[at].span,
        kind: ValueKind::Text,
    });
    for value in values.iter().copied().chain(peoples) {
        let free = tree.word_of(value.span).filter(|word| tree.owner[*word].is_none());
        candidates.extend(free.map(|word| Candidate {
            end: End {
                entity: EntityKey::default(),
                span: value.span,
                kind: NodeKind::Name,
            },
            word,
            value: Some(value),
            kind: match value.kind {
                ValueKind::Date => "date",
                ValueKind::Quantity => "quantity",
                ValueKind::Text => "Group",
                _ => "number",
            },
        }));
    }
    let chains: Vec<Vec<usize>> = candidates.iter().map(|candidate| chain(tree, candidate.word)).collect();
    let mut pairs = Vec::new();
    for (head, one) in candidates.iter().enumerate().filter(|(_, one)| one.value.is_none()) {
        for (tail, other) in candidates.iter().enumerate() {
            let is_near = one.word != other.word && one.word.abs_diff(other.word) <= MAX_REACH;
            if is_near && one.end.entity != other.end.entity {
                pairs.extend(pair((head, &chains[head]), (tail, &chains[tail])));
            }
        }
    }
    (candidates, pairs)
}

/// What a name is known as in the gazetteer, else what most of its words are recognised as.
pub(super) fn kind(tree: &Tree, span: Span) -> &'static str {
    let bare = span.of(tree.text);
    let bare = bare
        .strip_prefix("the ")
        .or_else(|| bare.strip_prefix("The "))
        .unwrap_or(bare);
    if let Some(known) = gazetteer::place(bare) {
        return known;
    }
    let inside = tree.words.iter().filter(|word| span.overlaps(word.span));
    let mut counts: Vec<(Kind, usize)> = Vec::new();
    for word in inside.filter(|word| word.kind != Kind::Common) {
        match counts.iter_mut().find(|(kind, _)| *kind == word.kind) {
            Some((_, n)) => *n += 1,
            None => counts.push((word.kind, 1)),
        }
    }
    let most = counts.iter().rev().max_by_key(|(_, n)| *n);
    most.map_or(Kind::Common, |(kind, _)| *kind).label()
}

/// A word and those above it, up to the root.
pub(super) fn chain(tree: &Tree, word: usize) -> Vec<usize> {
    let mut chain = vec![word];
    let mut at = word;
    while tree.words[at].head != at && chain.len() <= tree.words.len() {
        at = tree.words[at].head;
        chain.push(at);
    }
    chain
}

fn pair((head, from): (usize, &[usize]), (tail, to): (usize, &[usize])) -> Option<Pair> {
    let (up, down) = way(from, to)?;
    (up.len() + down.len() <= MAX_APART + 1).then_some(Pair { head, tail, up, down })
}

/// From one word up to the word above both, and from there down to the other, by what is above each.
pub(super) fn way(from: &[usize], to: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
    let (top, end) = from
        .iter()
        .enumerate()
        .find_map(|(top, word)| Some((top, to.iter().position(|other| other == word)?)))?;
    Some((from[..=top].to_vec(), to[..end].iter().rev().copied().collect()))
}

impl Pair {
    /// Whether an end or a verb between them is negated or under a condition, one end is only near the other, or the ends are
    /// members of a list.
    pub(super) fn is_denied(&self, tree: &Tree) -> bool {
        let mut way = self.up.iter().chain(&self.down);
        let mut below_top = self.up.iter().rev().skip(1).chain(&self.down);
        let is_aside = |at: &usize| {
            tree.words[*at].dependency == Dependency::Preposition && ASIDE.contains(&tree.lower(*at).as_str())
        };
        way.any(|at| tree.is_negated(*at) || (tree.is_verb(*at) && tree.is_denied(*at)) || is_aside(at))
            || below_top.any(|at| tree.is_listed(*at))
            || self.is_parted(tree)
            || self.is_bracketed(tree)
    }

    /// Whether one of its ends stands alone in brackets: "Kristiania (Oslo)" may be two names of one thing.
    fn is_bracketed(&self, tree: &Tree) -> bool {
        let is_alone = |end: Option<usize>| {
            let span = tree.nodes[tree.owner[end?]?].span;
            let before = tree.text.get(..span.start as usize)?;
            let behind = tree.text.get(span.end as usize..)?;
            Some(before.ends_with('(') && behind.starts_with(')'))
        };
        self.ends().into_iter().filter_map(is_alone).any(|is_alone| is_alone)
    }

    /// The word of the head and that of the tail.
    fn ends(&self) -> [Option<usize>; 2] {
        [self.up.first(), self.down.last().or(self.up.last())].map(Option::<&usize>::copied)
    }

    /// Whether its ends are names that only stand in one row, with other words than names between them: of "Orle, Skelva, or
    /// Tidd, Ansay" nothing is stated of Skelva and Tidd.
    fn is_parted(&self, tree: &Tree) -> bool {
        let is_named = |at: &usize| tree.owner[*at].is_some();
        let joins = |at: &usize| {
            matches!(
                tree.words[*at].dependency,
                Dependency::Apposition | Dependency::Conjunct
            )
        };
        let mut below_top = self.up.iter().rev().skip(1).chain(&self.down);
        self.up.iter().chain(&self.down).all(is_named)
            && below_top.all(joins)
            && matches!(self.ends(), [Some(one), Some(other)] if !tree.is_beside(one, other))
    }

    /// The words between its ends in the tree, in the order of the text, and no others: head and tail apart. A verb that
    /// only lends its subject to another says nothing of what that one's is: "was *born* in Tidd and rests in Orle".
    fn inner(&self, tree: &Tree, candidates: &[Candidate]) -> Vec<usize> {
        let ends = [candidates[self.head].word, candidates[self.tail].word];
        let lends = |at: &usize| {
            let is_joined = |below: &&usize| tree.words[**below].dependency == Dependency::Conjunct;
            let joined = self.down.iter().find(|below| tree.words[**below].head == *at);
            tree.is_verb(*at) && joined.filter(is_joined).is_some_and(|below| tree.is_verb(*below))
        };
        let way = self.up.iter().chain(&self.down).copied();
        let mut inner: Vec<usize> = way.filter(|at| !ends.contains(at) && !lends(at)).collect();
        inner.sort_unstable();
        inner
    }

    /// The same in lower case, as spoken.
    pub(super) fn phrase(&self, tree: &Tree, candidates: &[Candidate]) -> String {
        let words = self.inner(tree, candidates).into_iter().map(|at| tree.lower(at));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// What speaks for and against a pair, whatever the relation.
pub(super) fn put(tree: &Tree, candidates: &[Candidate], pair: &Pair, sink: &mut impl FeatureSink) {
    let (head, tail) = (&candidates[pair.head], &candidates[pair.tail]);
    let label = |at: usize| tree.words[at].dependency.label();
    let mut shape: Vec<&str> = pair.up[..pair.up.len() - 1].iter().map(|at| label(*at)).collect();
    shape.push("^");
    shape.extend(pair.down.iter().map(|at| label(*at)));
    let shape = shape.join(" ");
    let inner = pair.inner(tree, candidates);
    let stems = |list: &[usize]| -> Vec<String> { list.iter().map(|at| stem(&tree.lower(*at))).collect() };
    // Beside an end only the kind of a name counts: which one it is holds for one corpus.
    let told = |at: usize| match tree.words[at] {
        Word {
            pos: Pos::Name, kind, ..
        } => kind.label().to_owned(),
        _ => stem(&tree.lower(at)),
    };
    let words = stems(&inner);
    let phrase = words.join(" ");
    let kinds = [head.kind, tail.kind];
    sink.put("kinds", &kinds);
    sink.put("head", &kinds[..1]);
    sink.put("tail", &kinds[1..]);
    sink.put("shape", &[&shape]);
    sink.put("phrase", &[&phrase]);
    sink.put("kinds shape", &[head.kind, tail.kind, &shape]);
    sink.put("kinds phrase", &[head.kind, tail.kind, &phrase]);
    sink.put("kinds shape phrase", &[head.kind, tail.kind, &shape, &phrase]);
    let about = if head.end.entity == *tree.own { "own" } else { "other" };
    let place = if tree.span.start == 0 { "opening" } else { "later" };
    sink.put("about", &[about]);
    sink.put("about place", &[about, place]);
    sink.put("kinds place", &[head.kind, tail.kind, place]);
    sink.put("kinds n", &[head.kind, tail.kind, &inner.len().to_string()]);
    let order = if head.word < tail.word { "first" } else { "last" };
    sink.put("kinds order", &[head.kind, tail.kind, order]);
    for word in &words {
        sink.put("word", &[word]);
        sink.put("kinds word", &[head.kind, tail.kind, word]);
    }
    let tells = |at: &usize| {
        let is_telling = matches!(
            tree.words[*at].dependency,
            Dependency::Particle
                | Dependency::Object
                | Dependency::Complement
                | Dependency::Compound
                | Dependency::Modifier
                | Dependency::Preposition
        );
        is_telling && inner.binary_search(at).is_err()
    };
    let beside = inner.iter().flat_map(|at| &tree.below[*at]).copied();
    let beside: Vec<usize> = beside.filter(tells).collect();
    for word in stems(&beside) {
        sink.put("kinds beside", &[head.kind, tail.kind, &word]);
    }
    let (first, last) = (head.word.min(tail.word), head.word.max(tail.word));
    if last - first <= MAX_BETWEEN {
        let between: Vec<usize> = (first + 1..last).collect();
        sink.put("kinds between", &[head.kind, tail.kind, &stems(&between).join(" ")]);
    }
    for (name, end) in [("kinds at head", head), ("kinds at tail", tail)] {
        for word in tree.below[end.word].iter().map(|at| told(*at)) {
            sink.put(name, &[head.kind, tail.kind, &word]);
        }
    }
}
