//! What a model reads, word for word. `BANYAN_BLESS=1 cargo test -p banyan-retrieve prompts` writes the golden files anew.

use super::*;
use std::path::PathBuf;

/// Compares with a golden file, or writes it where the variable `BANYAN_BLESS` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "a golden file is written when a person asks for it"
)]
fn check(name: &str, found: &str) {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/reason/tests/golden")).join(name);
    if std::env::var_os("BANYAN_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(found, golden, "{name} has changed; see the first line of this file");
}

/// A request as one text: both parts, the form of the reply, the longest reply.
fn dump(request: &Request) -> String {
    let shape = request.shape.as_ref().unwrap();
    format!(
        "== system\n{}\n== user\n{}\n== reply: {}, at most {} tokens\n{}\n",
        request.system, request.user, shape.name, request.max_reply_tokens, shape.schema
    )
}

#[test]
fn prompts_are_as_reviewed() {
    let model = Scripted::new([PLAN, FIRST, SECOND, ANSWER]);
    let mut asking = Asking::new();
    asking.conclude(&model).unwrap();
    let asked = model.asked();
    check("decompose.txt", &dump(&asked[0]));
    check("reason.txt", &dump(&asked[2]));
    check("answer_open.txt", &dump(&asked[3]));
    asking.mode = Mode::Reject;
    let model = Scripted::new([PLAN, FIRST, SECOND, ANSWER]);
    asking.conclude(&model).unwrap();
    check("answer_reject.txt", &dump(&model.asked()[3]));
}

#[test]
fn the_two_modes_differ_in_one_line() {
    let [open, reject] = ["open", "reject"].map(|mode| {
        let asking = Asking {
            mode: if mode == "open" { Mode::Open } else { Mode::Reject },
            ..Asking::new()
        };
        let model = Scripted::new([PLAN, SECOND, ANSWER]);
        asking.conclude(&model).unwrap();
        model.asked()[2].clone()
    });
    assert_eq!(open.user, reject.user);
    let pairs = open.system.lines().zip(reject.system.lines());
    let differing: Vec<(&str, &str)> = pairs.filter(|(a, b)| a != b).collect();
    assert_eq!(differing.len(), 1, "{differing:?}");
    assert_eq!(open.system.lines().count(), reject.system.lines().count());
}
