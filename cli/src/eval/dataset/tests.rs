use super::*;

/// Shape, and for each question its accepted answers and the titles of its gold passages.
fn check(text: &str, shape: Shape, expected: &[(&str, &[&str], &[&str])]) {
    let set = parse("q.json", text).unwrap();
    assert_eq!(set.shape, shape);
    assert_eq!(set.questions.len(), expected.len());
    for (pair, (question, answers, gold)) in set.questions.iter().zip(expected) {
        assert_eq!(pair.question, *question);
        assert_eq!(pair.answers, *answers);
        let title = |id: &Value| {
            let of_id = |passage: &&Passage| Some(passage.id.as_str()) == id.as_str();
            set.passages
                .iter()
                .find(of_id)
                .map_or_else(|| id.to_string(), |passage| passage.title.clone())
        };
        assert_eq!(pair.gold.iter().map(title).collect::<Vec<_>>(), *gold);
    }
}

fn refuse(text: &str, expected: &str) {
    let message = parse("q.json", text).unwrap_err().to_string();
    assert!(message.starts_with("q.json") && message.contains(expected), "{message}");
}

#[test]
fn every_published_shape_gives_its_questions() {
    check(
        r#"{"id": 1, "question": "Who?", "answers": ["Ann"], "gold": [3, "x"]}"#,
        Shape::Own,
        &[("Who?", &["Ann"], &["3", "\"x\""])],
    );
    check(
        r#"[{"_id": "a", "question": "Who?", "answer": "Ann", "type": "bridge",
            "supporting_facts": [["T", 0], ["T", 1]], "context": [["T", ["One.", " Two."]], ["U", ["Three."]]]},
           {"_id": "b", "question": "When?", "answer": "1900",
            "supporting_facts": {"title": ["U"], "sent_id": [0]},
            "context": {"title": ["U", "V"], "sentences": [["Three."], ["Four."]]}}]"#,
        Shape::Context,
        &[("Who?", &["Ann"], &["T"]), ("When?", &["1900"], &["U"])],
    );
    check(
        r#"{"id": "2hop__1_2", "question": "Who?", "answer": "Ann", "answer_aliases": ["Anna", "Ann"],
            "paragraphs": [{"idx": 0, "title": "T", "paragraph_text": "One.", "is_supporting": true}]}"#
            .replace('\n', " ")
            .as_str(),
        Shape::Paragraphs,
        &[("Who?", &["Ann", "Anna"], &["T"])],
    );
    check(
        r#"[{"id": "n1", "source": "s", "question": "Who?", "answer": "Ann", "question_type": "Fact"}]"#,
        Shape::Plain,
        &[("Who?", &["Ann"], &[])],
    );
    check(
        r#"{"Question": "Who?", "Answer": ["A", "C"], "Level-1 Topic": "Nets"}"#,
        Shape::Capital,
        &[("Who?", &["A", "C"], &[])],
    );
}

#[test]
fn a_passage_that_two_questions_bring_is_one() {
    let text = r#"[
        {"_id": "a", "question": "Who?", "answer": "x", "supporting_facts": [], "context": [["T", ["One. ", "Two."]]]},
        {"_id": "b", "question": "Why?", "answer": "y", "supporting_facts": [["T", 0]], "context": [["T", ["One.", "Two."]]]}]"#;
    let set = parse("q.json", text).unwrap();
    let passages: Vec<_> = set
        .passages
        .iter()
        .map(|one| (one.text.as_str(), one.is_gold))
        .collect();
    assert_eq!(passages, [("One. Two.", true)]);
    assert_eq!(set.questions[1].gold, ["a#0"]);
}

#[test]
fn gold_is_found_in_a_corpus_beside_the_questions() {
    let text = r#"[{"_id": "a", "question": "Who?", "answer": "x", "supporting_facts": [["T", 0], ["U", 0], ["W", 0]],
        "context": [["T", ["One.", "Two."]], ["U", ["Short."]], ["W", ["Gone."]]]}]"#;
    let set = parse("q.json", text).unwrap();
    let corpus = |title: &str, text: &str| Document::new(title, text, origin("c.json", "0"));
    let mut documents = [
        corpus("T", "Other."),
        corpus("T", "One.Two."),
        corpus("U", "Longer text."),
    ];
    assert_eq!(set.find_gold_in("q.json", &mut documents), ["W"]);
    let ids: Vec<usize> = documents.iter().map(|document| document.origins.len()).collect();
    assert_eq!(ids, [1, 2, 2]);
}

#[test]
fn a_question_that_the_paragraphs_do_not_answer_has_no_accepted_answer() {
    let text = r#"{"id": "q", "question": "Who?", "answer": "Ann", "answerable": false, "paragraphs": []}"#;
    assert!(parse("q.json", text).unwrap().questions[0].answers.is_empty());
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    refuse("", "none");
    refuse("[]", "none");
    refuse(r#"[{"q": 1}]"#, "an object with `q`");
    refuse("[1]", "found a number");
    refuse("[{]", "a JSON array of objects");
    refuse("{\"question\": \"Who?\", \"answer\": \"x\"}\n{]", "line 2");
    refuse(
        r#"[{"question": "Who?", "answer": "x"}, {"question": "Who?"}]"#,
        "record 2",
    );
    refuse(r#"[{"question": " ", "answer": "x"}]"#, "an empty `question`");
    refuse(r#"[{"question": "Who?", "answer": {}}]"#, "an object as `answer`");
    refuse(r#"[{"question": "Who?", "answer": ""}]"#, "an answer as text");
    refuse(
        r#"[{"question": "Who?", "answer": "x", "context": "T"}]"#,
        "found a string",
    );
    refuse(
        r#"[{"id": 1, "question": "Who?", "answer": "x"}, {"id": 1, "question": "Why?", "answer": "x"}]"#,
        "`1` again",
    );
}
