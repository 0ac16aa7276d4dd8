//! Things set against each other, and whether something is so.

use crate::{desk, list};
use serde_json::Value;

#[test]
fn things_are_set_against_each_other_and_yes_and_no_need_a_sentence_that_says_so() {
    let desk = desk().with_files([
        (
            "works/Mara Voss.txt",
            "Mara Voss (3 May 1901 – 1 May 1972) was a Tidd engineer. She designed Tidd Bridge, Ansay Pier and the Ondle \
             Viaduct. She married the painter Jon Eld in 1930.",
        ),
        (
            "works/Jon Eld.txt",
            "Jon Eld (12 June 1895 – 1950) was a painter from Ansay. He painted the murals of Ansay Pier.",
        ),
        (
            "works/Tidd Bridge.txt",
            "Tidd Bridge is a road bridge in Tidd. It was opened on 4 July 1934. It is 320 metres long. It was designed by \
             Mara Voss and built by Harrow Works.",
        ),
        (
            "works/Ansay Pier.txt",
            "Ansay Pier is a pier in Ansay. It was opened on 1 July 1950 and is 1.2 km long. It was designed by Mara Voss \
             and built by Harrow Works.",
        ),
        (
            "works/Ondle Viaduct.txt",
            "The Ondle Viaduct is a railway viaduct. It was designed by Mara Voss. It is 700 metres long and was opened in \
             1940.",
        ),
    ]);
    desk.banyan("build works").done();
    for (question, answer, quote) in [
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
        ("Did Mara Voss marry Jon Eld?", "yes", "married the painter Jon Eld"),
        ("Did Mara Voss design the Ondle Viaduct?", "yes", "Ondle"),
        ("Is Tidd Bridge 320 metres long?", "yes", "320 metres"),
        ("Is Tidd Bridge 500 metres long?", "no", "320 metres"),
        ("Was Tidd Bridge opened in 1934?", "yes", "4 July 1934"),
        ("Was Tidd Bridge opened in 1935?", "no", "4 July 1934"),
    ] {
        let reply = desk.ask(question, "--method tree --json").done().json();
        assert_eq!(reply["answer"]["text"], answer, "{question}: {reply:#}");
        let mut quotes = list(&reply["answer"]["citations"]).iter();
        let has = |citation: &Value| citation["quote"].as_str().unwrap().contains(quote);
        assert!(quotes.any(has), "{question}: expected {quote:?} in {reply:#}");
    }
    desk.ask("Was Tidd Bridge built by Ansay Works?", "--method tree")
        .unanswered();
}
