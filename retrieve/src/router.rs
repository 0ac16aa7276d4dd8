//! Which of the systems a question needs.

use crate::classify::{Choice, Classifier, WeightsError};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Retrieval over the knowledge tree (Youtu-GraphRAG).
    Tree,
    /// SQL over records that were filled before (S-RAG).
    Records,
    /// SQL over a table that is filled for the question (SRAG).
    Srag,
    /// Structures chosen for the question (`SchemaRAG`).
    SchemaRag,
}

impl Method {
    /// All, simplest first.
    pub const ALL: [Self; 4] = [Self::Tree, Self::Records, Self::Srag, Self::SchemaRag];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Records => "records",
            Self::Srag => "srag",
            Self::SchemaRag => "schemarag",
        }
    }

    /// The method of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a question is sent, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Routing {
    /// The method.
    pub method: Method,
    /// What the classifier found; `None` where it was not asked.
    pub choice: Option<Choice>,
    /// Why this method, in words.
    pub reason: String,
}

/// The classifier of questions by method.
#[derive(Clone, Debug)]
pub struct Router {
    classifier: Classifier,
}

impl Router {
    /// The router that ships: fitted to `data/questions/router.jsonl`.
    ///
    /// # Errors
    /// [`WeightsError`] where the file that ships is broken.
    pub fn shipped() -> Result<Self, WeightsError> {
        let classifier = Classifier::read(include_str!("../../data/questions/router.weights.json"))?;
        Ok(Self { classifier })
    }

    /// Its weights.
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    /// Sends a question; `vector` is its unit vector with the embedder's id. `has_records` says whether records were
    /// filled: without any, a question for them is answered by a table filled for it. Cost O(words + d).
    pub fn route(&self, question: &str, vector: Option<(&str, &[f32])>, has_records: bool) -> Routing {
        let choice = self.classifier.choose(question, vector);
        let chosen = choice.as_ref().and_then(|choice| Method::named(&choice.class));
        let method = match chosen.unwrap_or(Method::Tree) {
            Method::Records if !has_records => Method::Srag,
            method => method,
        };
        let mut reason = choice.as_ref().map_or_else(String::new, Choice::explain);
        if chosen == Some(Method::Records) && method == Method::Srag {
            reason.push_str("; no records are filled, so a table is filled for the question");
        }
        Routing { method, choice, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Example;

    #[test]
    fn the_shipped_weights_are_those_of_the_shipped_questions() {
        let lines = include_str!("../../data/questions/router.jsonl").lines();
        let example = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            Example {
                text: line["question"].as_str().unwrap().to_owned(),
                vector: None,
                class: line["method"].as_str().unwrap().to_owned(),
            }
        };
        let examples: Vec<Example> = lines.map(example).collect();
        let router = Router::shipped().unwrap();
        assert_eq!(Classifier::fit(&examples, "none").words, router.classifier.words);
    }

    #[test]
    fn questions_go_where_they_are_answered_and_say_why() {
        let router = Router::shipped().unwrap();
        let check = |question: &str, has_records: bool, method: Method| {
            let routing = router.route(question, None, has_records);
            assert_eq!(routing.method, method, "{question}: {}", routing.reason);
            assert!(!routing.reason.is_empty());
        };
        let average = "What is the average price of the inns with a garden?";
        check(average, true, Method::Records);
        check(average, false, Method::Srag);
        check("Who was the mother of the founder of Orle Mill?", true, Method::Tree);
        check(
            "Sort the given reports into groups by the cause they name and summarise each group.",
            true,
            Method::SchemaRag,
        );
    }
}
