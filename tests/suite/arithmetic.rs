//! Answers that stand in no text: counted, computed, or what two things share.

use crate::desk;
use banyan_tests::Desk;

fn works() -> Desk {
    let texts = [
        (
            "Mara Voss",
            "Mara Voss (3 May 1901 – 1 May 1972) was a Tidd engineer. She designed Tidd Bridge, Ansay Pier and the Ondle \
             Viaduct. She married the painter Jon Eld in 1930.",
        ),
        (
            "Jon Eld",
            "Jon Eld (12 June 1895 – 1950) was a painter from Ansay. He painted the murals of Ansay Pier.",
        ),
        (
            "Tidd Bridge",
            "Tidd Bridge is a road bridge in Tidd. It was opened on 4 July 1934. It is 320 metres long. It was designed by \
             Mara Voss and built by Harrow Works.",
        ),
        (
            "Ansay Pier",
            "Ansay Pier is a pier in Ansay. It was opened on 1 July 1950 and is 1.2 km long. It was designed by Mara Voss \
             and built by Harrow Works.",
        ),
        (
            "Ondle Viaduct",
            "The Ondle Viaduct is a railway viaduct. It was designed by Mara Voss. It is 700 metres long and was opened in \
             1940.",
        ),
    ];
    let mut desk = desk();
    for (title, text) in texts {
        desk = desk.with(&format!("works/{title}.txt"), text);
    }
    desk.run(["build", "works", "--store", "store"]).done();
    desk
}

/// Asks each question and expects the answer and, in one of the quotes, the words.
fn check(desk: &Desk, expected: &[(&str, &str, &str)]) {
    for (question, answer, quote) in expected {
        let run = desk.run(["query", question, "--store", "store", "--method", "tree", "--json"]);
        let reply = run.done().json();
        assert_eq!(reply["answer"]["text"], *answer, "{question}: {reply:#}");
        let quotes = reply["answer"]["citations"].as_array().unwrap();
        let has = |citation: &serde_json::Value| citation["quote"].as_str().unwrap().contains(quote);
        assert!(quotes.iter().any(has), "{question}: expected {quote:?} in {quotes:#?}");
    }
}

#[test]
fn ages_and_times_between_events_are_computed() {
    check(
        &works(),
        &[
            ("How old was Mara Voss when she died?", "70", "3 May 1901"),
            (
                "How old was Mara Voss when Tidd Bridge was opened?",
                "33",
                "4 July 1934",
            ),
            ("How old was Jon Eld in 1930?", "35", "12 June 1895"),
            ("At what age did Jon Eld die?", "55", "1950"),
            ("How many years older is Jon Eld than Mara Voss?", "5", "12 June 1895"),
            (
                "How many years lie between the opening of Tidd Bridge and the opening of Ansay Pier?",
                "15",
                "1 July 1950",
            ),
            (
                "How many days after the opening of Tidd Bridge was Ansay Pier opened?",
                "5841",
                "4 July 1934",
            ),
            (
                "How many years before 1950 was Tidd Bridge opened?",
                "16",
                "4 July 1934",
            ),
        ],
    );
}

#[test]
fn numbers_in_different_units_are_set_against_each_other() {
    check(
        &works(),
        &[
            ("How much longer is Ansay Pier than Tidd Bridge?", "0.88 km", "1.2 km"),
            (
                "How long are Tidd Bridge and Ansay Pier together?",
                "1,520 metres",
                "320 metres",
            ),
            (
                "What is the difference in length between Tidd Bridge and the Ondle Viaduct?",
                "380 metres",
                "700 metres",
            ),
            (
                "Which is longer, Ansay Pier or the Ondle Viaduct?",
                "Ansay Pier",
                "pier in Ansay",
            ),
        ],
    );
}

#[test]
fn things_are_counted_from_facts_where_no_text_says_how_many() {
    check(
        &works(),
        &[
            (
                "How many structures did Mara Voss design?",
                "3",
                "designed by Mara Voss",
            ),
            ("How many bridges did Mara Voss design?", "1", "designed by Mara Voss"),
        ],
    );
}

#[test]
fn what_holds_for_two_things_at_once_is_found() {
    check(
        &works(),
        &[(
            "Who designed both Tidd Bridge and Ansay Pier?",
            "Mara Voss",
            "designed by Mara Voss",
        )],
    );
    let desk = works();
    let question = "What do Tidd Bridge and Ansay Pier have in common?";
    let shared = desk.run(["query", question, "--store", "store"]).done().stdout;
    assert!(
        shared.lines().next().unwrap_or_default().contains("Mara Voss"),
        "{shared}"
    );
}
