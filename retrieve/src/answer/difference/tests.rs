use super::*;

#[test]
fn the_words_tell_what_is_computed() {
    let check = |question: &str, expected: Option<Task>| assert_eq!(task(question), expected, "{question}");
    check("How old was Mara Voss when she died?", Some(Task::Age));
    check("How old was Mara Voss in 1950?", Some(Task::Age));
    check("At what age did Mara Voss marry?", Some(Task::Age));
    check("How old is the bridge?", None);
    check("How many years lie between A and B?", Some(Task::Between(Period::Year)));
    check("How many days after A did B sail?", Some(Task::Between(Period::Day)));
    check("How much older is A than B?", Some(Task::Between(Period::Year)));
    check("How many years did the survey take?", None);
    check("How much longer is the Ondle than the Skelva?", Some(Task::More));
    check("What is the difference in height between A and B?", Some(Task::More));
    check("How many people live in A and B together?", Some(Task::Total));
    check("What is the difference between A and B?", None);
    check("How many people live in A?", None);
    check("Who lived longer than B?", None);
}

#[test]
fn figures_are_written_as_english_writes_them() {
    let check = |value: f64, expected: &str| assert_eq!(grouped(value, decimals(value)), expected);
    check(0.0, "0");
    check(999.0, "999");
    check(1_234_567.5, "1,234,567.5");
    check(0.1 + 0.2, "0.3");
}

#[test]
fn numbers_of_one_dimension_are_set_against_each_other() {
    let measured = |value: f64, unit: &str| Measured {
        value,
        unit: unit.to_owned(),
        shared: 0,
        place: (ChunkId::at(0), Span::new(0, 1)),
    };
    let check = |first: (f64, &str), second: (f64, &str), expected: Option<(f64, f64)>| {
        let found = commensurable(&measured(first.0, first.1), &measured(second.0, second.1));
        assert_eq!(found, expected, "{first:?} {second:?}");
    };
    check((2.0, "km"), (500.0, "metres"), Some((2.0, 0.5)));
    check((3.0, "sheep"), (1.0, "sheep"), Some((3.0, 1.0)));
    check((3.0, "km"), (1.0, "kg"), None);
    check((3.0, ""), (1.0, "kg"), None);
    check((3.0, ""), (1.0, ""), Some((3.0, 1.0)));
}
