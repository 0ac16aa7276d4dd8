//! Answers against accepted answers, as `SQuAD` scores them.

/// Exact match and token F1 of `found` against the best of `accepted`, each 0..=1; 0 without an answer.
pub fn score(found: Option<&str>, accepted: &[String]) -> (f64, f64) {
    let Some(found) = found.map(normalise) else {
        return (0.0, 0.0);
    };
    accepted
        .iter()
        .map(|answer| {
            let answer = normalise(answer);
            (f64::from(u8::from(found == answer)), f1(&found, &answer))
        })
        .fold((0.0, 0.0), |best, one| (best.0.max(one.0), best.1.max(one.1)))
}

/// Whether `found` holds one of the accepted answers as whole words.
pub fn holds(found: &str, accepted: &[String]) -> bool {
    let found = normalise(found);
    let is_held = |answer: Vec<String>| !answer.is_empty() && found.windows(answer.len()).any(|part| part == answer);
    accepted.iter().any(|answer| is_held(normalise(answer)))
}

/// Lower case, without punctuation and articles.
fn normalise(text: &str) -> Vec<String> {
    let bare: String = text
        .to_lowercase()
        .chars()
        .filter(|ch| ch.is_alphanumeric() || ch.is_whitespace())
        .collect();
    bare.split_whitespace()
        .filter(|word| !matches!(*word, "a" | "an" | "the"))
        .map(str::to_owned)
        .collect()
}

fn f1(found: &[String], answer: &[String]) -> f64 {
    let mut rest = answer.to_vec();
    let shared = found.iter().filter(|word| {
        let at = rest.iter().position(|other| other == *word);
        at.map(|at| rest.swap_remove(at)).is_some()
    });
    let n = shared.count() as f64;
    let total = (found.len() + answer.len()) as f64;
    if n > 0.0 { 2.0 * n / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_case_and_marks_do_not_count_and_the_best_answer_does() {
        let accepted = ["Nova Scotia".to_owned(), "the Province of Nova Scotia".to_owned()];
        assert_eq!(score(Some("nova scotia."), &accepted), (1.0, 1.0));
        let (em, f1) = score(Some("Nova"), &accepted);
        assert!(em.abs() < 1e-12 && (f1 - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(score(None, &accepted), (0.0, 0.0));
        assert!(holds("It lies in Nova Scotia, Canada.", &accepted));
        assert!(!holds("It lies in Nova.", &accepted) && !holds("Nova Scotian", &accepted));
    }
}
