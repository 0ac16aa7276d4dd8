//! Texts by a scripted model: nothing here says anything about what a model can do.
//! `BANYAN_BLESS=1 cargo test -p banyan-community summaries` writes the golden prompt anew.

use super::fixture::{Toy, clique};
use crate::config::Config;
use crate::lift::lift;
use crate::partition::Partition;
use crate::summarise::{ModelSummariser, Summarised, Touched, summarise};
use banyan_engine::KnowledgeTree;
use banyan_engine::llm::{CallLimits, Finish, LanguageModel, LlmError, Reply, Request, Usage};
use banyan_engine::stated::DefectKind;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;

/// Answers as its script says of the number of groups asked about, and keeps what it was asked.
struct Scripted<F> {
    script: F,
    asked: Mutex<Vec<Request>>,
}

impl<F: Fn(usize) -> Result<String, LlmError> + Sync> LanguageModel for Scripted<F> {
    fn id(&self) -> &'static str {
        "scripted"
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        self.asked.lock().unwrap().push(request.clone());
        let text = (self.script)(n_groups(request))?;
        Ok(Reply {
            text,
            usage: Usage::default(),
            finish: Finish::Stop,
        })
    }
}

fn n_groups(request: &Request) -> usize {
    request.user.matches("\n</group ").count()
}

/// An entry as it should be.
fn entry(about: usize) -> String {
    format!(r#"{{"about": {about}, "name": "Group {about}", "summary": "What {about} is."}}"#)
}

fn list(entries: &[String]) -> String {
    format!("Here it is: {{\"communities\": [{}]}} Done.", entries.join(", "))
}

fn honest(n: usize) -> String {
    list(&(1..=n).map(entry).collect::<Vec<_>>())
}

/// Communities of cliques of three.
fn grown(n: u32) -> (Toy, KnowledgeTree) {
    let ties: Vec<_> = (0..n).flat_map(|at| clique(3 * at..3 * at + 3)).collect();
    let toy = Toy::new(3 * n as usize, &ties);
    let labels: Vec<u32> = (0..3 * n).map(|entity| entity / 3).collect();
    let config = Config {
        max_top: 6,
        ..Config::default()
    };
    let partition = Partition::from_labels(&labels);
    let tree = lift(&toy.schema, &toy.graph, &partition, &toy.space(), &config).unwrap();
    (toy, tree)
}

fn written(toy: &Toy, tree: &KnowledgeTree, touched: &Touched, by: &ModelSummariser<'_>) -> Summarised {
    summarise(&toy.schema, &toy.graph, tree, touched, by).unwrap()
}

/// What a script makes of `n` communities, and the requests.
fn run(
    n: u32,
    options: CallLimits,
    script: impl Fn(usize) -> Result<String, LlmError> + Sync,
) -> (Summarised, Vec<Request>) {
    let (toy, tree) = grown(n);
    let model = Scripted {
        script,
        asked: Mutex::default(),
    };
    let summariser = ModelSummariser::new(&model, options, &|| false).unwrap();
    let result = written(&toy, &tree, &Touched::all(&tree), &summariser);
    (result, model.asked.into_inner().unwrap())
}

fn names(tree: &KnowledgeTree) -> Vec<&str> {
    tree.communities()
        .iter()
        .map(|community| community.name.as_str())
        .collect()
}

#[test]
fn several_communities_share_a_call_and_each_gets_its_own_text() {
    let options = CallLimits {
        max_reply_tokens: 400,
        max_concurrent: NonZeroUsize::new(3).unwrap(),
        ..CallLimits::default()
    };
    let (result, asked) = run(5, options, |n| Ok(honest(n)));
    let mut sizes: Vec<usize> = asked.iter().map(n_groups).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 2, 2]);
    assert_eq!(
        names(&result.tree),
        ["Group 1", "Group 2", "Group 1", "Group 2", "Group 1"]
    );
    assert_eq!(result.tree.communities()[1].description, "What 2 is.");
    assert_eq!(
        (result.n_asked, result.n_kept, result.defects.of(DefectKind::NotJson)),
        (5, 0, 0)
    );
}

#[test]
fn a_prompt_never_has_more_tokens_than_it_may() {
    let options = CallLimits {
        max_prompt_tokens: 600,
        ..CallLimits::default()
    };
    let (result, asked) = run(6, options, |n| Ok(honest(n)));
    assert!(
        asked.len() > 1 && asked.iter().any(|request| n_groups(request) > 1),
        "{}",
        asked.len()
    );
    assert!(asked.iter().all(|request| request.estimated_prompt_tokens() <= 600));
    assert_eq!(result.n_kept, 0);
}

#[test]
fn branches_are_described_by_what_is_below_them() {
    let (result, asked) = run(8, CallLimits::default(), |n| Ok(honest(n)));
    let last = asked.last().unwrap();
    assert_eq!(n_groups(last), 1);
    assert!(last.user.contains("\nGroup 1: What 1 is.\n"), "{}", last.user);
    assert_eq!(result.tree.branches()[0][0].name, "Group 1");
    assert_eq!(result.n_asked, 9);
}

/// One defect of a reply about three communities: the first and third keep the text of the program unless named.
#[track_caller]
fn check(reply: &str, defects: &[(DefectKind, u64)], named: &[&str]) {
    let (result, _) = run(3, CallLimits::default(), |_| Ok(reply.to_owned()));
    let found: Vec<_> = result
        .defects
        .iter()
        .filter(|(kind, _)| *kind != DefectKind::Syntax)
        .collect();
    assert_eq!(found, defects, "{reply}");
    assert_eq!(names(&result.tree), named, "{reply}");
    let kept = named.iter().filter(|name| name.starts_with('e')).count();
    assert_eq!((result.n_asked, result.n_kept), (3, kept), "{reply}");
}

#[test]
fn what_cannot_be_used_is_counted_and_the_text_of_the_program_stays() {
    use DefectKind::{Duplicate, EmptyName, MissingField, NotJson, TooLong, Truncated, UnknownPassage, WrongShape};
    let kept = ["e0, e1 and e2", "e3, e4 and e5", "e6, e7 and e8"];
    for reply in ["", "no", "{}", "}{"] {
        let is_open = reply.ends_with('{');
        let wrong = [(NotJson, 1), (Truncated, 1)];
        check(reply, if is_open { &wrong } else { &wrong[..1] }, &kept);
    }
    check(r#"{"communities": 3}"#, &[(WrongShape, 1)], &kept);
    let one = ["Group 1", kept[1], kept[2]];
    check(&list(&[entry(1)]), &[], &one);
    check(&list(&[entry(1), entry(4), entry(0)]), &[(UnknownPassage, 2)], &one);
    check(
        &list(&[entry(1), r#"{"name": "x"}"#.into(), "7".into()]),
        &[(WrongShape, 1), (MissingField, 1)],
        &one,
    );
    check(&list(&[entry(1), entry(1)]), &[(Duplicate, 1)], &one);
    let empty = r#"{"about": 2, "name": " ", "summary": "x"}"#;
    check(&list(&[entry(1), empty.into()]), &[(EmptyName, 1)], &one);
    let long = format!(r#"{{"about": 3, "name": "{}", "summary": "x"}}"#, "n".repeat(81));
    check(&list(&[entry(1), long]), &[(TooLong, 1)], &one);
    let long = format!(r#"{{"about": 3, "name": "x", "summary": "{}"}}"#, "s ".repeat(401));
    check(&list(&[entry(1), long]), &[(TooLong, 1)], &one);
    let spread = r#"{"about": 1, "name": "Group\n 1", "summary": "\u0007x"}"#;
    check(&list(&[spread.into()]), &[], &one);
}

#[test]
fn a_call_that_fails_keeps_the_texts_there_are_and_says_so() {
    let options = CallLimits {
        max_reply_tokens: 800,
        ..CallLimits::default()
    };
    let (result, asked) = run(
        8,
        options,
        |n| if n == 4 { Err(LlmError::Stopped) } else { Ok(honest(n)) },
    );
    assert!(matches!(result.failure, Some(LlmError::Stopped)));
    assert_eq!(result.defects.iter().collect::<Vec<_>>(), [(DefectKind::Unanswered, 2)]);
    assert_eq!(
        (result.n_asked, result.n_kept),
        (9, 9),
        "the branch is not asked about any more"
    );
    assert!(asked.len() <= 2);
}

#[test]
fn only_what_was_touched_is_asked_about() {
    let (toy, tree) = grown(4);
    let model = Scripted {
        script: |n| Ok(honest(n)),
        asked: Mutex::default(),
    };
    let summariser = ModelSummariser::new(&model, CallLimits::default(), &|| false).unwrap();
    let touched = Touched {
        communities: vec![false, false, true, false],
        branches: vec![],
    };
    let result = written(&toy, &tree, &touched, &summariser);
    assert_eq!(
        names(&result.tree),
        ["e0, e1 and e2", "e3, e4 and e5", "Group 1", "e9, e10 and e11"]
    );
    let nothing = written(&toy, &tree, &Touched::default(), &summariser);
    assert_eq!((nothing.tree, nothing.n_asked), (tree, 0));
    assert_eq!(model.asked.into_inner().unwrap().len(), 1);
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a golden file is written when a person asks for it"
)]
fn the_prompt_is_as_reviewed() {
    let (_, asked) = run(2, CallLimits::default(), |n| Ok(honest(n)));
    let request = &asked[0];
    let shape = request.shape.as_ref().unwrap();
    let found = format!(
        "== system\n{}\n== user\n{}\n== reply: {}, at most {} tokens\n{}\n",
        request.system,
        request.user,
        shape.name,
        request.max_reply_tokens,
        shape.text()
    );
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden/summarise.txt"));
    if std::env::var_os("BANYAN_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap());
}
