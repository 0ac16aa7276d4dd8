//! Extracted triples against gold, as `Text2KGBench` (Mihindukulasooriya et al., ISWC 2023) scores them.

use super::example::Triple;
use banyan_extract::stem::stem;
use serde::Serialize;
use std::collections::BTreeSet;

/// What a sentence came to, or a mean over several; all shares lie in 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Score {
    /// Harmonic mean of precision and recall, the benchmark's headline; 0 where nothing was predicted.
    pub(super) f1: f64,
    /// Share of predicted triples, among those whose relation occurs in the sentence's gold, that are gold.
    pub(super) precision: f64,
    /// Share of gold triples that were predicted.
    pub(super) recall: f64,
    /// Share of predicted relations that the ontology has; 1 where nothing was predicted.
    pub(super) conformance: f64,
    pub(super) hallucination: Hallucination,
    /// F1 where predictions of every relation count.
    pub(super) strict_f1: f64,
}

/// Shares of what the text, or for relations the ontology, does not have; the lower the better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Hallucination {
    pub(super) subject: f64,
    /// 1 − conformance.
    pub(super) relation: f64,
    pub(super) object: f64,
}

impl Score {
    /// The mean of scores, each weighing the same; 0 for none.
    pub(super) fn mean(scores: &[Self]) -> Self {
        let mean = |part: fn(&Self) -> f64| scores.iter().map(part).sum::<f64>() / scores.len().max(1) as f64;
        Self {
            f1: mean(|score| score.f1),
            precision: mean(|score| score.precision),
            recall: mean(|score| score.recall),
            conformance: mean(|score| score.conformance),
            hallucination: Hallucination {
                subject: mean(|score| score.hallucination.subject),
                relation: mean(|score| score.hallucination.relation),
                object: mean(|score| score.hallucination.object),
            },
            strict_f1: mean(|score| score.strict_f1),
        }
    }
}

/// Scores the triples predicted for one sentence.
///
/// `concepts` are the ontology's concept labels, which count as said, and `relations` its relation labels. Triples are
/// compared after white space and `_` are removed and case is folded, subject, relation and object run together. A
/// subject or object is hallucinated where its stemmed words, run together, are no part of the stemmed words of the
/// sentence and the concepts; "01 January", which gold dates put before a bare year, is left out. A space
/// stands between sentence and concepts, which the published script leaves out, so that an end of the sentence is no part
/// of a concept.
pub(super) fn score(
    sentence: &str,
    gold: &[Triple],
    predicted: &[Triple],
    concepts: &[&str],
    relations: &[&str],
) -> Score {
    let wanted: BTreeSet<String> = gold.iter().map(normal).collect();
    let closed: BTreeSet<String> = predicted
        .iter()
        .filter(|triple| gold.iter().any(|gold| gold.relation == triple.relation))
        .map(normal)
        .collect();
    let (precision, recall, f1) = compare(&wanted, &closed);
    let (_, _, strict_f1) = compare(&wanted, &predicted.iter().map(normal).collect());
    let said = stemmed(&format!("{sentence} {}", concepts.join(" ")));
    let invented = |end: fn(&Triple) -> &str| share(predicted, |triple| !is_said(end(triple), &said));
    let conformance = 1.0 - share(predicted, |triple| !relations.contains(&triple.relation.as_str()));
    Score {
        f1,
        precision,
        recall,
        conformance,
        hallucination: Hallucination {
            subject: invented(|triple| &triple.subject),
            relation: 1.0 - conformance,
            object: invented(|triple| &triple.object),
        },
        strict_f1,
    }
}

/// Precision, recall and F1 of two sets; all 0 where either is empty.
fn compare(gold: &BTreeSet<String>, found: &BTreeSet<String>) -> (f64, f64, f64) {
    let hits = gold.intersection(found).count() as f64;
    if hits == 0.0 {
        return (0.0, 0.0, 0.0);
    }
    let precision = hits / found.len() as f64;
    let recall = hits / gold.len() as f64;
    (precision, recall, 2.0 * precision * recall / (precision + recall))
}

/// Share of the triples for which `is` holds; 0 for none.
fn share(triples: &[Triple], is: impl Fn(&Triple) -> bool) -> f64 {
    if triples.is_empty() {
        return 0.0;
    }
    triples.iter().filter(|triple| is(triple)).count() as f64 / triples.len() as f64
}

fn normal(triple: &Triple) -> String {
    [&triple.subject, &triple.relation, &triple.object]
        .into_iter()
        .map(|part| bare(part))
        .collect()
}

/// Without white space and `_`, in lower case.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|ch| !ch.is_whitespace() && *ch != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_said(end: &str, said: &str) -> bool {
    said.contains(&stemmed(end).replace("01januari", ""))
}

/// The stems of the words of a text, run together.
fn stemmed(text: &str) -> String {
    let stems: String = tokens(text).iter().map(|token| stem(token)).collect();
    bare(&stems)
}

/// Words and marks as the Penn Treebank separates them, as far as that can change a stem: possessive endings, brackets
/// and marks are tokens of their own, quotation marks are told apart by side.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for part in text.split_whitespace() {
        let chars: Vec<char> = part.chars().collect();
        let mut word = String::new();
        for (at, ch) in chars.iter().enumerate() {
            let next = chars.get(at + 1);
            let parts_ways = match ch {
                '"' | ';' | '@' | '#' | '$' | '%' | '&' | '?' | '!' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' => {
                    true
                }
                ',' | ':' => !next.is_some_and(char::is_ascii_digit),
                '.' => !chars[at + 1..].iter().any(|ch| ch.is_alphanumeric()),
                '\'' => word.is_empty() || next.is_none_or(|next| matches!(next, 's' | 'd' | 'm')),
                _ => false,
            };
            if !parts_ways {
                word.push(*ch);
                continue;
            }
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            let opens = at == 0 || matches!(chars[at - 1], '(' | '[' | '{' | '<');
            tokens.push(match ch {
                '"' if opens => "``".to_owned(),
                '"' => "''".to_owned(),
                other => other.to_string(),
            });
        }
        if !word.is_empty() {
            tokens.push(word);
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triples(list: &[[&str; 3]]) -> Vec<Triple> {
        let triple = |[subject, relation, object]: &[&str; 3]| Triple {
            subject: (*subject).to_owned(),
            relation: (*relation).to_owned(),
            object: (*object).to_owned(),
        };
        list.iter().map(triple).collect()
    }

    /// Precision, recall, F1, strict F1, conformance, and shares of subjects and objects that are hallucinated.
    fn check(predicted: &[[&str; 3]], expected: [f64; 7]) {
        let sentence = "Ondle Bridge (1901) was built by Ada Voss and opened on 3 May 1902.";
        let gold = triples(&[
            ["Ondle_Bridge", "builder", "Ada Voss"],
            ["Ondle Bridge", "opened", "3 May 1902"],
        ]);
        let (concepts, relations) = (["structure", "human"], ["builder", "opened", "closed"]);
        let found = score(sentence, &gold, &triples(predicted), &concepts, &relations);
        let Hallucination { subject, object, .. } = found.hallucination;
        let found = [
            found.precision,
            found.recall,
            found.f1,
            found.strict_f1,
            found.conformance,
            subject,
            object,
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{predicted:?}: {found} for {expected}");
        }
    }

    #[test]
    fn triples_are_scored_as_by_hand() {
        // Nothing predicted scores nothing and invents nothing.
        check(&[], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        // 1 of 2 gold triples, 1 of 2 predictions of gold relations, 1 of 3 of all.
        check(
            &[
                ["ondle bridge", "builder", "Ada_Voss"],
                ["Ondle Bridge", "opened", "1901"],
                ["Ondle Bridge", "closed", "1902"],
            ],
            [0.5, 0.5, 0.5, 0.4, 1.0, 0.0, 0.0],
        );
        // Of four objects "Bridges" is said by its stem, "01 January 1901" by its year, "human" by the ontology.
        check(
            &[
                ["Bridges", "builder", "human"],
                ["Ondle Bridge", "opened", "01 January 1901"],
                ["Ondle Bridge", "opened", "1902-05-03"],
                ["Tidd", "owner", "Bridges"],
            ],
            [0.0, 0.0, 0.0, 0.0, 0.75, 0.25, 0.25],
        );
    }

    #[test]
    fn marks_part_words_as_in_the_treebank() {
        let found = tokens("Voss's \"Tide\" (1,200 m), e.g. St. Ives.");
        assert_eq!(
            found,
            [
                "Voss", "'", "s", "``", "Tide", "''", "(", "1,200", "m", ")", ",", "e.g", ".", "St", ".", "Ives", "."
            ]
        );
    }
}
