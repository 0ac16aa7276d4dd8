//! Whatever a text mixes, every span that extraction gives slices it at characters and quotes what was claimed
//! (ARCHITECTURE, invariant 2).

use banyan_engine::{Contribution, Document, Origin, Schema, name};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::{Analysis, Extractor, Watch, extract};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// Pieces of texts in several scripts, some cut short.
const PIECES: &str = "林远|周敏|东岭省|青河县|東嶺省|云川大学（简称云大）|《长岸》|梅琳·多恩|Ada Quill|Vessing|Café Ößling|出生于|\
    毕业於|是|的省会是|由|创办|，|。|；|“不是。”|(|）|１９８７年３月|三月五日|1.2亿元|二百公里| was born in |おおさか서울|🙂\u{301}";

struct Nobody;
impl Watch for Nobody {}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(select(PIECES.split('|').collect::<Vec<_>>()), 1..24).prop_map(|pieces| pieces.concat())
}

fn check(contribution: &Contribution, text: &str) -> Result<(), TestCaseError> {
    let slice = |span: banyan_engine::Span| text.get(span.start as usize..span.end as usize);
    for (span, _) in &contribution.chunks {
        prop_assert!(slice(*span).is_some_and(|part| !part.is_empty()), "chunk {:?}", span);
    }
    for mention in &contribution.mentions {
        prop_assert!(slice(mention.span).is_some(), "{:?}", mention);
    }
    for claim in contribution
        .entities
        .iter()
        .filter(|claim| claim.span.end > 0 && !claim.is_subject)
    {
        let part = slice(claim.span).map(name::key);
        prop_assert!(
            claim.name.is_empty() || part == Some(name::key(&claim.name)),
            "{:?}",
            claim
        );
    }
    for claim in &contribution.attributes {
        prop_assert!(
            slice(claim.span).is_some_and(|part| part.contains(&claim.value)),
            "{:?}",
            claim
        );
    }
    for claim in &contribution.triples {
        prop_assert!(slice(claim.span).is_some(), "{:?}", claim);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_span_quotes_what_was_claimed(texts in prop::collection::vec(text(), 1..4)) {
        let origin = |at: usize| Origin { file: at.to_string(), record: None, line: None };
        let titles = ["林远", "東嶺省", "Vessing"];
        let mut documents: Vec<Document> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Document::new(titles[at], text.as_str(), origin(at)))
            .collect();
        banyan_engine::document::canonicalise(&mut documents);
        let schema = Schema::general().unwrap();
        let contributions = extract(&Analysis::surfaces(&documents), Extractor::Embedded, &schema, &EstimateTokens, 64, &Nobody).unwrap();
        for (document, contribution) in documents.iter().zip(&contributions) {
            check(contribution, &document.text)?;
        }
    }
}
