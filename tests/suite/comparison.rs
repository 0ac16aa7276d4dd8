//! Things set against each other, and whether something is so.

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
fn numbers_in_different_units_are_set_against_each_other() {
    check(
        &works(),
        &[
            (
                "Which is longer, Ansay Pier or the Ondle Viaduct?",
                "Ansay Pier",
                "pier in Ansay",
            ),
            (
                "Which was opened first, Ansay Pier or Tidd Bridge?",
                "Tidd Bridge",
                "road bridge",
            ),
            (
                "Who was born first, Mara Voss or Jon Eld?",
                "Jon Eld",
                "painter from Ansay",
            ),
        ],
    );
}

#[test]
fn yes_and_no_need_a_sentence_that_says_so() {
    check(
        &works(),
        &[
            ("Did Mara Voss marry Jon Eld?", "yes", "married the painter Jon Eld"),
            ("Did Mara Voss design the Ondle Viaduct?", "yes", "Ondle"),
            ("Is Tidd Bridge 320 metres long?", "yes", "320 metres"),
            ("Is Tidd Bridge 500 metres long?", "no", "320 metres"),
            ("Was Tidd Bridge opened in 1934?", "yes", "4 July 1934"),
            ("Was Tidd Bridge opened in 1935?", "no", "4 July 1934"),
        ],
    );
    let silent = "Was Tidd Bridge built by Ansay Works?";
    works()
        .run(["query", silent, "--store", "store", "--method", "tree"])
        .unanswered();
}
