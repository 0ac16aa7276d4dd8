//! What a model reads, word for word. `BANYAN_BLESS=1 cargo test -p banyan-retrieve prompts` writes the golden files
//! anew.

use super::*;
use crate::scripted::{dump, golden};

fn check(name: &str, found: &str) {
    golden(&format!("reason/tests/golden/{name}"), found);
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
