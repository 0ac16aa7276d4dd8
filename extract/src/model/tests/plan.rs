//! Passages to calls.

use super::*;
use banyan_engine::llm::Forecast;

fn check(options: Options, texts: &[&str], expected: &[&[usize]]) {
    let documents = documents(texts);
    let passages = passages(&documents);
    let model = Scripted::new(|_| Err(LlmError::Stopped));
    let extractor = ModelExtractor::new(&model, &schema(), options).unwrap();
    let calls = extractor.plan(&passages, usize::MAX).unwrap();
    let planned: Vec<&[usize]> = calls.iter().map(|call| call.passages.as_slice()).collect();
    assert_eq!(planned, expected);
    for call in &calls {
        let request = extractor.request(&passages, call).unwrap();
        let is_small = request.estimated_prompt_tokens() <= u64::from(extractor.options.max_prompt_tokens);
        assert!(is_small || call.passages.len() == 1);
        let bodies = bodies(&request);
        let expected: Vec<String> = call
            .passages
            .iter()
            .map(|n| format!("Note {n}\n\n{}", passages[*n].text().trim()))
            .collect();
        assert_eq!(bodies, expected);
    }
}

#[test]
fn neighbours_share_a_call_up_to_the_limit() {
    check(Options::default(), &FOUR, &[&[0, 1, 2, 3]]);
    let three = Options {
        max_passages: NonZeroUsize::new(3).unwrap(),
        ..Options::default()
    };
    check(three, &FOUR, &[&[0, 1, 2], &[3]]);
    let apart = Options {
        share_calls: false,
        ..Options::default()
    };
    check(apart, &FOUR, &[&[0], &[1], &[2], &[3]]);
    check(Options::default(), &[], &[]);
}

#[test]
fn a_call_takes_what_its_tokens_allow_and_one_passage_always() {
    let long = "Ann knows Ben. ".repeat(60);
    let texts = [FOUR[0], long.as_str(), FOUR[1], FOUR[2]];
    let options = |max_prompt_tokens| Options {
        max_prompt_tokens,
        ..Options::default()
    };
    let model = Scripted::new(|_| Err(LlmError::Stopped));
    let extractor = ModelExtractor::new(&model, &schema(), options(6_000)).unwrap();
    let documents = documents(&texts[..1]);
    let call = Call {
        passages: vec![0],
        part: None,
    };
    let alone = extractor
        .request(&passages(&documents), &call)
        .unwrap()
        .estimated_prompt_tokens();
    let limit = u32::try_from(alone).unwrap();
    check(options(limit), &texts, &[&[0], &[1], &[2], &[3]]);
    check(options(limit + 60), &texts, &[&[0], &[1], &[2, 3]]);
}

#[test]
fn a_schema_that_fills_the_prompt_is_refused() {
    let model = Scripted::new(|_| Err(LlmError::Stopped));
    let options = Options {
        max_prompt_tokens: 100,
        ..Options::default()
    };
    let error = ModelExtractor::new(&model, &schema(), options)
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("of a prompt of at most 100") && error.contains("max_prompt_tokens"),
        "{error}"
    );
}

/// A model that has replies at hand for whatever names Ann.
struct Remembers;

impl LanguageModel for Remembers {
    fn id(&self) -> &'static str {
        "scripted"
    }

    fn complete(&self, _: &Request) -> Result<Reply, LlmError> {
        Err(LlmError::Stopped)
    }

    fn is_known(&self, request: &Request) -> bool {
        request.user.contains("Ann")
    }
}

#[test]
fn a_forecast_leaves_out_what_is_at_hand() {
    let options = Options {
        max_passages: NonZeroUsize::new(2).unwrap(),
        ..Options::default()
    };
    let documents = documents(&FOUR);
    let passages = passages(&documents);
    let extractor = ModelExtractor::new(&Remembers, &schema(), options).unwrap();
    let calls = extractor.plan(&passages, usize::MAX).unwrap();
    let forecast = extractor.forecast(&passages, &calls).unwrap();
    let expected = Forecast {
        n_known: 1,
        n_calls: 1,
        prompt_tokens: extractor
            .request(&passages, &calls[1])
            .unwrap()
            .estimated_prompt_tokens(),
        max_completion_tokens: 4_096,
    };
    assert_eq!(forecast, expected);
}
