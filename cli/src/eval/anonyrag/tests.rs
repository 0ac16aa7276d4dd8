//! Sets read, answered and counted.

use super::answer::{Answerer, Embedded, Given};
use super::item::{EXPECTED, Gold, Item, items};
use super::model::ModelAnswerer;
use crate::eval::records::parse;
use banyan_engine::document::canonicalise;
use banyan_engine::llm::{Finish, LanguageModel, LlmError, Reply, Request, Usage};
use banyan_engine::{Document, Knowledge, Origin, Schema, Settings};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::resolve::resolve;
use banyan_extract::tag::Tag;
use banyan_extract::{Analysis, Extractor, Watch, extract};
use banyan_retrieve::answer::Mode;
use banyan_retrieve::config::Config;
use banyan_retrieve::question::Question;
use banyan_retrieve::searcher::Searcher;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::sync::Mutex;

fn read(value: &Value) -> anyhow::Result<Item> {
    Ok(items(parse(&value.to_string(), EXPECTED)?, None)?.remove(0))
}

#[test]
fn questions_are_read_as_the_published_sets_write_them() {
    let item = read(&json!({
        "question": "Which traits do [PERSON#1035] and [PERSON#445] share?\nA. Straight hair\nB. Curly hair\nC. Wavy hair\nD. Short hair",
        "answer": "B. (Ann, daughter Mary)", "relations": "['a', 'b', 'c']", "query_type": "multi-hop", "idx": 7,
    }));
    let item = item.unwrap();
    assert_eq!(
        (item.gold, item.hops, item.id.as_str()),
        (Gold::Letter('B'), Some(3), "7")
    );
    assert_eq!(item.stem, "Which traits do [PERSON#1035] and [PERSON#445] share?");
    assert_eq!(item.options[3], ('D', "Short hair".to_owned()));
    let item = read(&json!({"question": "谁？ A. [LOCATION#1]; 甲 B. 乙 C. 丙 D. 丁", "answer": "C"})).unwrap();
    assert_eq!(
        (item.options[0].1.as_str(), item.options.len()),
        ("[LOCATION#1]; 甲", 4)
    );
    let item =
        read(&json!({"question": "Q: [PERSON#2]? A: [PERSON#3].", "answer": "PERSON#2——Ann\nPERSON#3——Bob"})).unwrap();
    let Gold::Names(names) = &item.gold else {
        panic!("{item:?}")
    };
    let tags: Vec<String> = names.keys().map(Tag::bare).collect();
    assert_eq!(tags, ["PERSON#2", "PERSON#3"]);
    assert!(item.options.is_empty());
}

#[test]
fn sets_that_cannot_be_used_are_refused_by_name() {
    for (value, says) in [
        (json!({"query": "x"}), "expected an object with `question`"),
        (json!({"question": "x"}), "missing field `answer`"),
        (json!({"question": "x", "answer": " "}), "a question without answer"),
        (
            json!({"question": "x", "answer": "somebody"}),
            "gold line \"somebody\" does not parse",
        ),
        (json!({"question": "x", "answer": "B"}), "the question has no option B"),
        (
            json!({"question": "x", "answer": "PERSON#3"}),
            "names behind [PERSON#3] are not known",
        ),
        (
            json!({"question": "x", "answer": "PERSON#3——Ann", "gold": 3}),
            "expected a sequence",
        ),
    ] {
        let error = format!("{:#}", read(&value).unwrap_err());
        assert!(error.starts_with("line 1: ") && error.contains(says), "{error}");
    }
    let one = r#"{"id": "a", "question": "x", "answer": "PERSON#3——Ann"}"#;
    let twice = items(parse(&format!("{one}\n{one}"), EXPECTED).unwrap(), None);
    assert_eq!(twice.unwrap_err().to_string(), "line 2: id \"a\" is there twice");
}

struct Unwatched;
impl Watch for Unwatched {}

fn searcher(text: &str) -> Searcher {
    let origin = Origin {
        file: "1.txt".to_owned(),
        record: None,
        line: None,
    };
    let mut documents = vec![Document::new("1", text, origin)];
    canonicalise(&mut documents);
    let (schema, settings) = (Schema::general().unwrap(), Settings::default());
    let facts = extract(
        &Analysis::surfaces(&documents),
        Extractor::Embedded,
        &schema,
        &EstimateTokens,
        256,
        &Unwatched,
    )
    .unwrap();
    let resolved = resolve(&documents, &facts, &schema, &[]).unwrap();
    Searcher::new(Knowledge::assemble(
        settings,
        schema,
        documents,
        facts,
        resolved.resolution,
    ))
}

const TEXT: &str = "[PERSON#1] hid the silver lantern from [PERSON#2] in [LOCATION#1]. [PERSON#3] painted a boat. \
    [PERSON#4] slept. [PERSON#5], called Orla Venn, laughed at [PERSON#3].";

fn choice() -> Item {
    read(&json!({
        "question": "From whom did [PERSON#1] hide the silver lantern?\nA. [PERSON#3]\nB. [PERSON#4]\nC. [PERSON#2]\nD. [PERSON#5]",
        "answer": "C",
    }))
    .unwrap()
}

fn reversion() -> Item {
    read(&json!({"question": "Who are [PERSON#4] and [PERSON#5]?", "answer": "PERSON#4——Ann\nPERSON#5——Orla Venn"}))
        .unwrap()
}

fn evidence(searcher: &Searcher, items: &[Item]) -> Vec<banyan_retrieve::evidence::Evidence> {
    let search = |item: &Item| searcher.search(&Question::new(item.stem.clone(), None), &Config::default());
    items.iter().map(search).collect()
}

#[test]
fn the_option_goes_first_for_which_the_corpus_says_most() {
    let searcher = searcher(TEXT);
    let items = [choice(), reversion()];
    let evidence = evidence(&searcher, &items);
    let embedded = Embedded::new(&searcher);
    let given = embedded.answer(&items, Some(&evidence), Mode::Open).unwrap();
    assert_eq!(given[0].letter, Some('C'));
    assert!(given[0].confidence > 0.5 && given[0].confidence <= 1.0);
    assert_eq!(given[1], Given::default());
}

#[test]
fn what_speaks_for_no_option_is_no_answer() {
    let searcher = searcher("[PERSON#9] slept.");
    let items = [choice()];
    let evidence = evidence(&searcher, &items);
    let embedded = Embedded::new(&searcher);
    let open = embedded.answer(&items, Some(&evidence), Mode::Open).unwrap();
    assert_eq!((open[0].letter, open[0].confidence), (None, 0.0));
    assert_eq!(embedded.answer(&items, None, Mode::Open).unwrap(), [Given::default()]);
}

/// A model that says what it is told, and keeps what it was asked.
struct Scripted {
    reply: &'static str,
    asked: Mutex<Vec<Request>>,
}

impl LanguageModel for Scripted {
    fn id(&self) -> &'static str {
        "scripted"
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        self.asked.lock().unwrap().push(request.clone());
        Ok(Reply {
            text: self.reply.to_owned(),
            usage: Usage::default(),
            finish: Finish::Stop,
        })
    }
}

fn scripted(reply: &'static str, item: Item, mode: Mode) -> (Given, Request) {
    let searcher = searcher(TEXT);
    let items = [item];
    let evidence = evidence(&searcher, &items);
    let model = Scripted {
        reply,
        asked: Mutex::new(Vec::new()),
    };
    let answerer = ModelAnswerer::new(&searcher, &model, NonZeroUsize::MIN, &|| false).unwrap();
    let given = answerer.answer(&items, Some(&evidence), mode).unwrap().remove(0);
    let request = model.asked.lock().unwrap().remove(0);
    (given, request)
}

#[test]
fn scripted_replies_are_read_whatever_they_say() {
    let given = |reply, item, mode| scripted(reply, item, mode).0;
    let right = given(r#"{"answer": "C", "confidence": 0.8}"#, choice(), Mode::Open);
    assert_eq!((right.letter, right.confidence), (Some('C'), 0.8));
    let names =
        r#"{"names": [{"tag": "PERSON#4", "name": "Ann"}, {"tag": "[PERSON#5]", "name": "Bob"}], "confidence": 0.6}"#;
    let names = given(names, reversion(), Mode::Open);
    assert_eq!((names.names.len(), names.confidence), (2, 0.6));
    for none in [
        "",
        "{}",
        "{{{",
        "Z",
        r#"{"answer": "unknown", "confidence": 0.1}"#,
        r#"{"answer": "E"}"#,
    ] {
        assert!(given(none, choice(), Mode::Reject).lines().is_none(), "{none}");
    }
    let beyond = r#"{"names": [{"tag": "PERSON#99999999999999999999", "name": "x"}, {"tag": 3}]}"#;
    for none in [beyond, r#"{"names": []}"#, "unknown"] {
        assert!(given(none, reversion(), Mode::Reject).lines().is_none(), "{none}");
    }
}

#[test]
fn rendered_prompts_are_as_they_were_reviewed() {
    let render = |(item, mode)| {
        let (_, Request { system, user, .. }) = scripted("", item, mode);
        format!("== system\n{system}\n== user\n{user}\n")
    };
    let all = [
        (choice(), Mode::Open),
        (choice(), Mode::Reject),
        (reversion(), Mode::Open),
        (reversion(), Mode::Reject),
    ];
    let rendered: String = all.into_iter().map(render).collect();
    assert_eq!(
        rendered.trim_end(),
        include_str!("golden/prompts.txt").trim_end(),
        "rendered:\n{rendered}"
    );
}
