//! Which of the systems a question needs.

use crate::classify::{Choice, Classifier, WeightsError};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

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
}

/// What decides beside the question's words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Whether records answer all of the question, with evidence.
    pub is_covered: bool,
    /// Whether a language model reasons.
    pub has_model: bool,
}

/// Where a question is sent, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Routing {
    /// The method.
    pub method: Method,
    /// Why this method, in words.
    pub reason: String,
}

/// The classifier of questions by method that ships, read once: fitted to `data/questions/router.jsonl`.
///
/// # Errors
/// [`WeightsError`] where the file that ships is broken.
pub fn shipped() -> Result<&'static Classifier, &'static WeightsError> {
    static SHIPPED: LazyLock<Result<Classifier, WeightsError>> =
        LazyLock::new(|| Classifier::read(include_str!("../../data/questions/router.weights.json")));
    SHIPPED.as_ref()
}

/// Sends a question; `vector` is its unit vector with the embedder's id. Records answer what they cover. Else the
/// question stays with retrieval, unless a model reasons and the classifier finds it one for structures. A table is
/// filled for a question only where that is asked for, since it reads all documents anew. Cost O(words + d).
pub fn route(classifier: &Classifier, question: &str, vector: Option<(&str, &[f32])>, situation: Situation) -> Routing {
    let to = |method: Method, reason: &str| Routing {
        method,
        reason: reason.to_owned(),
    };
    if situation.is_covered {
        return to(Method::Records, "the question is one to the records");
    }
    if !situation.has_model {
        return to(Method::Tree, "no records cover the question");
    }
    let choice = classifier.choose(question, vector);
    let is_structured = |choice: &&Choice| choice.class == Method::SchemaRag.name();
    match choice.as_ref().filter(is_structured) {
        Some(choice) => to(Method::SchemaRag, &choice.explain()),
        None => to(
            Method::Tree,
            &choice.map_or_else(String::new, |choice| choice.explain()),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retrieval_answers_unless_records_do_or_a_model_can_build_structures() {
        let classifier = shipped().unwrap();
        let check = |question: &str, is_covered: bool, has_model: bool, method: Method| {
            let routing = route(classifier, question, None, Situation { is_covered, has_model });
            assert_eq!(routing.method, method, "{question}: {}", routing.reason);
            assert!(!routing.reason.is_empty());
        };
        let sort = "Sort the given reports into groups by the cause they name and summarise each group.";
        check("What is the average price of the inns?", true, false, Method::Records);
        check("What is the average price of the inns?", false, false, Method::Tree);
        check(
            "Who was the mother of the founder of Orle Mill?",
            false,
            true,
            Method::Tree,
        );
        check(sort, false, true, Method::SchemaRag);
        check(sort, false, false, Method::Tree);
    }
}
