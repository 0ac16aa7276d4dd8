//! The user's word against the evidence.

use super::*;

fn merge(a: &str, b: &str) -> Decision {
    Decision::Merge {
        a: name::key(a),
        b: name::key(b),
    }
}

fn split(a: &str, b: &str) -> Decision {
    Decision::Split {
        a: name::key(a),
        b: name::key(b),
    }
}

/// Three names that join by themselves, and others that do not.
fn corpus() -> Corpus {
    Corpus::new(&[
        (
            "One",
            "[Dr. Mara Voss|person] met [Mara Voss|person], [Prof. Mara Voss] and [Bob Orde|person].",
        ),
        ("Two", "[Robert Orde|person] lives in [Tidd|place], as does [Old Bob]."),
    ])
}

/// Expects these names to be one, or two, after decisions that all have effect.
fn check(decisions: &[Decision], one: &[(&str, &str)], two: &[(&str, &str)]) {
    let resolved = corpus().resolve(decisions);
    assert_eq!(resolved.held, [], "{decisions:?}");
    assert_eq!(resolved.resolution.decisions(), decisions);
    for (a, b) in one {
        assert!(are_one(&resolved, a, b), "{a} / {b}: {resolved:#?}");
    }
    for (a, b) in two {
        assert!(!are_one(&resolved, a, b), "{a} / {b}: {resolved:#?}");
    }
}

/// Expects the last decision to have no effect, for this reason.
fn check_held(decisions: &[Decision], expected: &Objection) {
    let resolved = corpus().resolve(decisions);
    let index = decisions.len() - 1;
    let objection = expected.clone();
    assert_eq!(resolved.held, [Held { index, objection }]);
}

#[test]
fn a_merge_needs_no_evidence_and_is_evidence_itself() {
    check(
        &[merge("Bob Orde", "Robert Orde")],
        &[("Bob Orde", "Robert Orde")],
        &[("Bob Orde", "Mara Voss")],
    );
    let resolution = corpus().resolve(&[merge("Bob Orde", "Robert Orde")]).resolution;
    let decided = resolution
        .merges()
        .iter()
        .find(|merge| merge.evidence[0] == Evidence::Decision);
    assert!(decided.is_some_and(|merge| merge.score >= 1.0), "{resolution:?}");
}

#[test]
fn a_split_takes_one_name_out_and_leaves_the_others() {
    check(
        &[split("Mara Voss", "Dr. Mara Voss")],
        &[("Prof. Mara Voss", "Mara Voss")],
        &[("Dr. Mara Voss", "Mara Voss"), ("Dr. Mara Voss", "Prof. Mara Voss")],
    );
}

#[test]
fn decisions_apply_in_their_order() {
    check(
        &[
            split("Mara Voss", "Dr. Mara Voss"),
            merge("Dr. Mara Voss", "Bob Orde"),
            merge("Bob Orde", "Old Bob"),
        ],
        &[("Dr. Mara Voss", "Old Bob"), ("Prof. Mara Voss", "Mara Voss")],
        &[("Dr. Mara Voss", "Mara Voss")],
    );
}

#[test]
fn a_decision_against_an_earlier_one_has_no_effect() {
    check_held(
        &[split("Mara Voss", "Dr. Mara Voss"), merge("Dr. Mara Voss", "Mara Voss")],
        &Objection::Contradicts(0),
    );
    check_held(
        &[
            merge("Bob Orde", "Robert Orde"),
            merge("Robert Orde", "Old Bob"),
            split("Bob Orde", "Old Bob"),
        ],
        &Objection::Contradicts(1),
    );
}

#[test]
fn what_the_schema_tells_apart_cannot_be_merged() {
    let schema = Schema::general().unwrap();
    let kind = |name| schema.type_id(name).unwrap();
    let objection = Objection::Types(kind("person"), kind("place"));
    check_held(&[merge("Bob Orde", "Tidd")], &objection);
    check_held(&[merge("Bob Orde", "Old Bob"), merge("Old Bob", "Tidd")], &objection);
}

#[test]
fn a_decision_on_a_name_that_is_gone_waits_for_it() {
    check_held(
        &[merge("Bob Orde", "Cass Orde")],
        &Objection::Unknown("cass orde".to_owned()),
    );
    check_held(&[merge("Bob Orde", "Bob  Orde")], &Objection::Same);
}
