//! How a question is put: in the words of the text, or in others.

use super::question::{Kind, Language};
use super::synonym;
use super::tag::Tag;
use serde::{Deserialize, Serialize};

/// In whose words a question says what it asks about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wording {
    /// In others: a word for which there is a synonym gives way to it, and other words of a sentence are given only so.
    #[default]
    Paraphrase,
    /// In those of the text, word for word.
    Text,
}

impl Wording {
    /// The words besides a statement that a question may give.
    pub(super) fn about(self, words: &[String]) -> Vec<String> {
        match self {
            Self::Text => words.to_vec(),
            Self::Paraphrase => words
                .iter()
                .filter_map(|word| synonym::of(word))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// What joins two ends, and what else is said there.
    pub(super) fn statement(self, language: Language, ends: [&str; 2], words: &str, about: &[String]) -> String {
        let [first, second] = ends;
        let said = match (self, language) {
            (Self::Text, Language::Eng) => format!("{first} \"{words}\" {second}"),
            (Self::Text, Language::Chs) => format!("{first}“{words}”{second}"),
            (Self::Paraphrase, Language::Eng) => format!("{first} {} {second}", synonym::paraphrase(words)),
            (Self::Paraphrase, Language::Chs) => format!("{first}{}{second}", synonym::paraphrase(words)),
        };
        match (language, about.is_empty()) {
            (_, true) => said,
            (Language::Eng, false) => format!("{said}, where the text speaks of {}", about.join(", ")),
            (Language::Chs, false) => format!("{said}，同一处还说到{}", about.join("、")),
        }
    }

    /// The whole question over a chain of statements, with its options.
    pub(super) fn ask(
        self,
        language: Language,
        kind: Kind,
        statements: &[String],
        last: &str,
        options: &[Tag],
    ) -> String {
        let chain = match language {
            Language::Eng => statements.join("; "),
            Language::Chs => statements.join("；"),
        };
        let says = match (self, language) {
            (Self::Text, Language::Eng) => "The text states",
            (Self::Paraphrase, Language::Eng) => "In other words than here, the text states",
            (Self::Text, Language::Chs) => "原文说",
            (Self::Paraphrase, Language::Chs) => "原文的大意是",
        };
        let asked = match (language, kind) {
            (Language::Eng, Kind::MultipleChoice) => {
                format!("{says}, with X for those to be found: {chain}. Who or what is {last}?")
            }
            (Language::Eng, Kind::AnonymityReversion) => {
                format!(
                    "{says}: {chain}. Who is {last}, and who or what are the others? Name the original of each tag."
                )
            }
            (Language::Chs, Kind::MultipleChoice) => {
                format!("{says}（X代表待求的人或物）：{chain}。{last}是谁或是什么？")
            }
            (Language::Chs, Kind::AnonymityReversion) => {
                format!("{says}：{chain}。{last}是谁？其余各是谁或是什么？请写出每个标签的原名。")
            }
        };
        let lines = ('A'..)
            .zip(options)
            .map(|(letter, option)| format!("\n{letter}. {option}"));
        std::iter::once(asked).chain(lines).collect()
    }
}
