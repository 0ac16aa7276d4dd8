//! What becomes of replies that can be read.

use super::*;
use crate::stated::DefectKind;
use banyan_engine::document::Layout;
use banyan_engine::schema::ElementKind;

fn kinds(chunk: &Extracted) -> Vec<DefectKind> {
    chunk.stated.defects.iter().map(|defect| defect.kind).collect()
}

#[test]
fn every_passage_gets_its_own_statements_for_any_number_of_calls_at_a_time() {
    let texts: Vec<String> = (0..150).map(|n| format!("P{n} knows P{}.", n + 1)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let at_a_time = |n| {
        // A fifth of the replies about several passages is cut, so that there are splits, too.
        let model = Scripted::new(|asked: &Asked| {
            let text = honest(asked);
            let sum: usize = asked.bodies[0].bytes().map(usize::from).sum();
            let is_cut = asked.bodies.len() > 1 && sum.is_multiple_of(5);
            let end = if is_cut { text.len() / 2 } else { text.len() };
            Ok(reply(&text[..end], if is_cut { Finish::Length } else { Finish::Stop }))
        });
        let options = Options {
            max_concurrent: NonZeroUsize::new(n).unwrap(),
            ..Options::default()
        };
        let run = run(&model, options, &texts);
        (run.chunks, run.n_calls)
    };
    let (one, n_calls) = at_a_time(1);
    assert_eq!(one.len(), 150);
    for (n, chunk) in one.iter().enumerate() {
        assert_eq!(chunk.outcome, Outcome::Done);
        assert_eq!(chunk.stated.triples[0].tail, format!("P{}", n + 1));
    }
    assert!(n_calls > 38, "no call was split");
    for n in [2, 3, 7] {
        assert_eq!(at_a_time(n), (one.clone(), n_calls), "{n} at a time");
    }
}

#[test]
fn what_the_passage_does_not_say_is_dropped() {
    let text = r#"{"passages": [{"passage": 1, "triples": [["Ann", "knows", "Ben"], ["Ann", "knows", "Zoe"]],
        "attributes": [["Ann", "height", "1.7 m"], ["Ann", "height", "3 ells"], ["Note 0", "height", "3 m"]]}]}"#;
    let model = Scripted::new(|_: &Asked| Ok(reply(text, Finish::Stop)));
    let texts = ["Ann knows Ben. She is 1.7 m tall, 3 more than Cay."];
    let guarded = run(&model, Options::default(), &texts);
    assert_eq!(told(&guarded), ["done: Ben"]);
    let facts: Vec<_> = guarded.chunks[0]
        .stated
        .attributes
        .iter()
        .map(|fact| fact.value.as_str())
        .collect();
    assert_eq!(facts, ["1.7 m", "3 ells", "3 m"]);
    assert_eq!(kinds(&guarded.chunks[0]), [DefectKind::NotInText]);
}

#[test]
fn a_passage_is_read_with_what_its_document_says_elsewhere() {
    let text = "# Ann\n\nAnn Orrin kept a light. \n\n## Later\n\nShe knows Ben. She was 1.7 m tall. 7 cats were hers.";
    let mut document = Document::new("Keepers", text, Origin::default());
    let heading = |level, from: &str| {
        let start = text.find(from).unwrap();
        (Span::new(start, start + from.len()), level)
    };
    document.layout = Layout::with_headings([heading(1, "Ann"), heading(2, "Later")]);
    let passage = Passage {
        document: &document,
        span: Span::new(text.find("She").unwrap(), text.len()),
    };
    let said = r#"{"passages": [{"about": 1, "triples": [["Ann Orrin", "knows", "Ben"], ["Ann Orrin", "knows", "Zoe"]],
        "attributes": [["Ann Orrin", "height", "1.7 m"]]}]}"#;
    let model = Scripted::new(|_: &Asked| Ok(reply(said, Finish::Stop)));
    let extractor = ModelExtractor::new(&model, &schema(), in_order()).unwrap();
    let calls = extractor.plan(&[passage], usize::MAX).unwrap();
    let run = extractor.run(&[passage], &calls, &Nobody);
    assert_eq!(told(&run), ["done: Ben"]);
    assert_eq!(run.chunks[0].stated.attributes.len(), 1);
    let user = extractor.request(&[passage], &calls[0]).unwrap().user;
    assert!(user.contains("\nKeepers › Ann › Later\n\nShe knows"), "{user}");
    let (_, before) = user.split_once("<before 1 ").unwrap();
    assert!(before.contains("Ann Orrin kept a light."), "{user}");
}

#[test]
fn proposals_go_where_they_are_used() {
    let text = r#"{"passages": [{"about": 1, "triples": [["Ann", "knows", "Ben"]]}, {"about": 2, "attributes": [["Cay", "age", 7]]},
            {"about": 3, "entities": [{"name": "Dee", "type": "wizard"}], "triples": [["Dee", "taught", "Eve"]]}, {"about": 4}],
        "proposed_types": {"entity_types": [{"name": "wizard"}, {"name": "witch"}], "relations": [{"name": "taught"}]}}"#;
    let model = Scripted::new(|_: &Asked| Ok(reply(text, Finish::Stop)));
    let texts = ["Ann knows Ben.", "Cay is 7.", "Dee taught Eve."];
    let run = run(&model, Options::default(), &texts);
    assert_eq!(told(&run), ["done: Ben", "done: ", "done: Eve"]);
    assert_eq!(run.chunks[1].stated.attributes[0].value, "7");
    let proposed = run.chunks[2].stated.types.iter();
    let proposed: Vec<_> = proposed
        .map(|proposal| (proposal.kind, proposal.name.as_str()))
        .collect();
    assert_eq!(
        proposed,
        [(ElementKind::EntityType, "wizard"), (ElementKind::Relation, "taught")]
    );
    assert_eq!(kinds(&run.chunks[0]), [DefectKind::UnknownPassage, DefectKind::Unused]);
    assert_eq!(run.n_calls, 1);
}

#[test]
fn an_empty_answer_is_an_answer() {
    let model = Scripted::new(|_: &Asked| Ok(reply(r#"{"passages": []}"#, Finish::Stop)));
    let run = run(&model, Options::default(), &FOUR);
    assert_eq!(told(&run), ["done: "; 4]);
    assert_eq!(run.n_calls, 1);
}

#[test]
fn the_tokens_of_all_calls_are_shared_out_by_length() {
    let model = Scripted::new(|_: &Asked| Ok(reply(r#"{"passages": []}"#, Finish::Stop)));
    let texts = ["Ann knows Ben. Ann knows Cay. Ann knows Dee.", "Nobody is here."];
    let run = run(&model, in_order(), &texts);
    assert_eq!(run.n_tokens(), 1_016);
    let shares: Vec<u64> = run.chunks.iter().map(|chunk| chunk.n_tokens).collect();
    // 45 and 16 bytes with the line's end.
    assert_eq!(shares, [749, 267]);
}
