//! Relatives by way of other relatives: a mother-in-law is the mother of the spouse.

/// A word for a relative, and the two that make it: who is meant first, and who of that one.
const RELATIVES: &[(&str, &str, &str)] = &[
    ("brother-in-law", "spouse", "brother"),
    ("daughter-in-law", "son", "wife"),
    ("father-in-law", "spouse", "father"),
    ("maternal grandfather", "mother", "father"),
    ("maternal grandmother", "mother", "mother"),
    ("mother-in-law", "spouse", "mother"),
    ("paternal grandfather", "father", "father"),
    ("paternal grandmother", "father", "mother"),
    ("sister-in-law", "spouse", "sister"),
    ("son-in-law", "daughter", "husband"),
    ("stepfather", "mother", "husband"),
    ("stepmother", "father", "wife"),
];

/// A question with such words said in two steps: "Mara's mother-in-law" as "Mara's spouse's mother", "the mother-in-law
/// of Mara" as "the mother of the spouse of Mara".
pub(super) fn unfolded(question: &str) -> String {
    let mut text = question.to_owned();
    for (word, first, second) in RELATIVES {
        for apostrophe in ["'s", "’s"] {
            let said = format!("{apostrophe} {word}");
            text = text.replace(&said, &format!("{apostrophe} {first}{apostrophe} {second}"));
        }
        text = text.replace(&format!("{word} of "), &format!("{second} of the {first} of "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relatives_by_marriage_and_descent_are_said_in_two_steps() {
        let check = |question, expected| assert_eq!(unfolded(question), expected);
        check("Who is Mara's mother-in-law?", "Who is Mara's spouse's mother?");
        check(
            "Who is the paternal grandfather of Mara?",
            "Who is the father of the father of Mara?",
        );
        check("Who led Tidd?", "Who led Tidd?");
    }
}
