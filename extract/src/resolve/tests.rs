//! What is joined and what is not, on small texts whose names and types are marked.

use super::*;
use banyan_engine::document::canonicalise;
use banyan_engine::{EntityClaim, Evidence, Mention, Origin, Span, TripleClaim, name};

mod decisions;
mod pairs;

/// Documents `(title, text)` with their contributions. In a text `[Mara Voss]` is a name and `[Mara Voss|person]` one
/// whose type the text shows; a title names what its document is about.
struct Corpus {
    documents: Vec<Document>,
    contributions: Vec<Contribution>,
    schema: Schema,
}

impl Corpus {
    fn new(texts: &[(&str, &str)]) -> Self {
        let schema = Schema::general().unwrap();
        let mut read: Vec<(Document, Contribution)> =
            texts.iter().map(|text| marked(text.0, text.1, &schema)).collect();
        let mut documents: Vec<Document> = read.iter().map(|(document, _)| document.clone()).collect();
        canonicalise(&mut documents);
        read.sort_by(|a, b| (&a.0.title, a.0.id).cmp(&(&b.0.title, b.0.id)));
        Self {
            documents,
            contributions: read.into_iter().map(|(_, contribution)| contribution).collect(),
            schema,
        }
    }

    /// The corpus in which the first document states a fact, too.
    fn with(mut self, head: &str, relation: &str, tail: &str) -> Self {
        let claim = TripleClaim {
            head: name::key(head).into(),
            relation: self.schema.relation_id(relation).unwrap(),
            tail: name::key(tail).into(),
            phrase: String::new(),
            span: Span::new(0, 0),
        };
        self.contributions[0].triples.push(claim);
        self
    }

    fn resolve(&self, decisions: &[Decision]) -> Resolved {
        resolve(&self.documents, &self.contributions, &self.schema, decisions).unwrap()
    }

    /// Whether two names are one entity.
    fn joins(&self, a: &str, b: &str) -> bool {
        are_one(&self.resolve(&[]), a, b)
    }
}

fn are_one(resolved: &Resolved, a: &str, b: &str) -> bool {
    let (a, b) = (name::key(a), name::key(b));
    resolved.resolution.canonical(&a) == resolved.resolution.canonical(&b)
}

/// A document without its marks, and what they say.
fn marked(title: &str, text: &str, schema: &Schema) -> (Document, Contribution) {
    let mut plain = String::new();
    let mut found = Vec::new();
    for (at, part) in text.split('[').enumerate() {
        let (marked, rest) = if at == 0 {
            ("", part)
        } else {
            part.split_once(']').unwrap()
        };
        let (spelling, kind) = marked.split_once('|').unwrap_or((marked, ""));
        let start = plain.len();
        plain.push_str(spelling);
        if !spelling.is_empty() {
            found.push((Span::new(start, plain.len()), spelling, schema.type_id(kind)));
        }
        plain.push_str(rest);
    }
    let document = Document::new(title, plain, Origin::default());
    let mut contribution = Contribution::new(document.id);
    contribution.chunks = vec![(Span::new(0, document.text.len()), 9)];
    let mut claim = |span, spelling: &str, entity_type, is_subject| {
        contribution.entities.push(EntityClaim {
            entity: name::key(spelling).into(),
            name: spelling.into(),
            entity_type,
            span,
            is_subject,
        });
        contribution.mentions.push(Mention {
            span,
            entity: name::key(spelling).into(),
            certainty: 100,
            is_term: false,
        });
    };
    claim(Span::new(0, 0), title, None, true);
    for (span, spelling, kind) in found {
        claim(span, spelling, kind, false);
    }
    let contribution = contribution.normalised();
    (document, contribution)
}

#[test]
fn nothing_joins_nothing() {
    assert_eq!(Corpus::new(&[]).resolve(&[]), Resolved::default());
}

#[test]
fn evidence_names_the_words_that_equate_two_names() {
    let corpus = Corpus::new(&[("Weaving", "The [Inner Basket Makers] ([IBM]) met in 1911.")]);
    let resolution = corpus.resolve(&[]).resolution;
    let [merge] = resolution.merges() else {
        panic!("{resolution:?}")
    };
    assert_eq!(
        (merge.from.as_str(), merge.into.as_str()),
        ("ibm", "inner basket makers")
    );
    let Evidence::Alias { document, span } = merge.evidence[0] else {
        panic!("{merge:?}")
    };
    assert_eq!(document, corpus.documents[0].id);
    assert_eq!(span.of(&corpus.documents[0].text), "Inner Basket Makers (IBM)");
    assert_eq!(
        merge.evidence[1..],
        [Evidence::Initials, Evidence::Context { n_shared: 1 }]
    );
    // 1 - (1 - stated) (1 - acronym) (1 - context)
    assert!((merge.score - (1.0 - 0.1 * 0.45 * 0.4)).abs() < 1e-6, "{merge:?}");
}

#[test]
fn a_chain_of_aliases_does_not_grow() {
    let texts = [
        ("One", "[Salt Road], also known as [Gull Lane], is long."),
        ("Two", "[Gull Lane], also known as [Mill Walk], is short."),
        ("Three", "[Mill Walk], also known as [Harbour Rise], is steep."),
    ];
    let corpus = Corpus::new(&texts);
    assert!(!corpus.joins("Salt Road", "Harbour Rise"));
    assert!(!corpus.joins("Salt Road", "Mill Walk") || !corpus.joins("Gull Lane", "Harbour Rise"));
}

#[test]
fn facts_that_no_type_admits_keep_names_apart() {
    let text = [(
        "Notes",
        "[Gull Needle], also known as [Old Orde], is well known. [Vessing] is near, and so is [Ada Quill].",
    )];
    assert!(Corpus::new(&text).joins("Gull Needle", "Old Orde"));
    let corpus = Corpus::new(&text)
        .with("Gull Needle", "author", "Ada Quill")
        .with("Old Orde", "born_in", "Vessing");
    assert!(!corpus.joins("Gull Needle", "Old Orde"));
}

#[test]
fn names_do_not_depend_on_the_order_in_which_they_come() {
    let texts = [
        (
            "A",
            "[J. Brandt|person] and [Jonas Brandt|person] sailed on the [Tidd Gull Board] ([TGB]) boat.",
        ),
        ("B", "[Dr. Jonas Brandt|person] left the [TGB]."),
    ];
    let renamed = [("Z", texts[0].1), ("B", texts[1].1)];
    let merges = |texts: &[(&str, &str)]| {
        let resolution = Corpus::new(texts).resolve(&[]).resolution;
        let keys = resolution
            .merges()
            .iter()
            .map(|merge| (merge.from.clone(), merge.into.clone()));
        keys.collect::<Vec<_>>()
    };
    assert_eq!(merges(&texts), merges(&renamed));
    assert_eq!(merges(&texts).len(), 3);
}
