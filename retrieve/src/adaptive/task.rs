//! What kind of work a question asks for.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The task types 𝒴 of `SchemaRAG` §3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// What documents say, in short. The appendix: open-ended thinking.
    #[serde(alias = "open-ended thinking", alias = "open_ended_thinking")]
    Summarisation,
    /// Which has more, or how things differ. The appendix: comparison.
    Comparison,
    /// Which belong together. The appendix: clustering.
    Clustering,
    /// Facts or passages of each document. The appendix: information extraction, and matching.
    #[serde(
        alias = "information extraction",
        alias = "information_extraction",
        alias = "matching"
    )]
    Extraction,
    /// What to do, in which order.
    Planning,
    /// Facts that lead to one another. The appendix: chain reasoning.
    #[serde(alias = "chain reasoning", alias = "chain_reasoning")]
    MultiHop,
}

impl Task {
    /// All, in the paper's order.
    pub const ALL: [Self; 6] = [
        Self::Summarisation,
        Self::Comparison,
        Self::Clustering,
        Self::Extraction,
        Self::Planning,
        Self::MultiHop,
    ];

    /// The task whose words a question has most of; of equals the more particular one. A question without any is
    /// extraction, which takes what matches. Cost O(words).
    pub fn of(question: &str) -> Self {
        let lower = question.to_lowercase();
        let words: Vec<&str> = lower
            .split(|ch: char| !ch.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let n_cues = |task: &(Self, &[&str])| {
            let cues = task.1.iter();
            cues.map(|cue| count(cue, &words, &lower)).sum::<usize>()
        };
        let best = CUES.iter().map(|task| (n_cues(task), task.0)).filter(|(n, _)| *n > 0);
        best.rev()
            .max_by_key(|(n, _)| *n)
            .map_or(Self::Extraction, |(_, task)| task)
    }
}

/// How often a cue stands in a question: a word's beginning, or a phrase where it has a space or is Chinese.
fn count(cue: &str, words: &[&str], lower: &str) -> usize {
    if cue.contains(' ') || !cue.is_ascii() {
        lower.matches(cue).count()
    } else {
        words.iter().filter(|word| word.starts_with(cue)).count()
    }
}

/// The words of each task, the more particular tasks first.
const CUES: [(Task, &[&str]); 6] = [
    (
        Task::Clustering,
        &[
            "cluster",
            "categor",
            "classif",
            "group",
            "sort into",
            "divide",
            "partition",
            "bucket",
            "belong together",
            "into those",
            "分类",
            "分组",
            "归类",
        ],
    ),
    (
        Task::Planning,
        &[
            "plan",
            "itinerary",
            "schedule",
            "roadmap",
            "agenda",
            "step by step",
            "what should",
            "in what order",
            "prepare",
            "propose",
            "recommend",
            "计划",
            "安排",
            "方案",
        ],
    ),
    (
        Task::MultiHop,
        &[
            "chain",
            "cite",
            "citing",
            "cited",
            "citation",
            "lead to",
            "leads to",
            "led to",
            "trace",
            "path",
            "sequence",
            "successive",
            "depend",
            "caus",
            "result of",
            "because of",
            "through which",
            "引用",
            "导致",
            "因果",
        ],
    ),
    (
        Task::Comparison,
        &[
            "compar",
            "contrast",
            "differ",
            "versus",
            " vs",
            "similarit",
            "than",
            "highest",
            "lowest",
            "most",
            "least",
            "largest",
            "smallest",
            "rank",
            "both",
            "each other",
            "比较",
            "区别",
            "异同",
            "最",
        ],
    ),
    (
        Task::Summarisation,
        &[
            "summar",
            "overview",
            "outline",
            "theme",
            "gist",
            "main point",
            "key point",
            "in short",
            "describe",
            "opinion",
            "discuss",
            "what do the",
            "概括",
            "总结",
            "主题",
            "概述",
        ],
    ),
    (
        Task::Extraction,
        &[
            "extract", "list", "find", "which", "what", "who", "when", "where", "identify", "name", "give", "列出",
            "找出", "哪",
        ],
    ),
];

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Summarisation => "summarisation",
            Self::Comparison => "comparison",
            Self::Clustering => "clustering",
            Self::Extraction => "extraction",
            Self::Planning => "planning",
            Self::MultiHop => "multi-hop",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_show_their_task() {
        let check = |question, task| assert_eq!(Task::of(question), task, "{question}");
        check(
            "Group the reports into those before and after the flood.",
            Task::Clustering,
        );
        check("Summarise what the letters say about the harvest.", Task::Summarisation);
        check("Compare the two ferries' fares and crossing times.", Task::Comparison);
        check(
            "Find the longest chain of papers that cite one another.",
            Task::MultiHop,
        );
        check(
            "Plan a three-day visit to the islands from these guides.",
            Task::Planning,
        );
        check("List the tenant's duties in each lease.", Task::Extraction);
        check("总结这些信件的主题", Task::Summarisation);
        check("", Task::Extraction);
    }

    #[test]
    fn the_appendix_has_other_names_for_tasks() {
        let read = |name: &str| serde_json::from_value::<Task>(name.into()).unwrap();
        assert_eq!(read("chain reasoning"), Task::MultiHop);
        assert_eq!(read("matching"), Task::Extraction);
        assert_eq!(read("open-ended thinking"), Task::Summarisation);
    }
}
