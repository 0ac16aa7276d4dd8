//! Whether an answer says what the gold answer says: numbers with tolerance, sets without order.

use banyan_engine::name;

/// Numbers agree within this share of the gold one: what rounding to two decimals leaves of small averages.
const TOLERANCE: f64 = 0.005;

/// Whether an answer has exactly the items of the gold answer, in any order. Two empty answers agree.
///
/// Items are parted by `;`, `,` (not within a number), line ends and `and` between the last two; the parts of an item by
/// `:`, `in`, brackets. Parts agree as numbers where both are, else as names (case, accents and articles aside); `yes`
/// is `true` is 1.
pub(super) fn is_match(gold: &str, answer: &str) -> bool {
    [false, true].into_iter().any(|commas| {
        let (gold, answer) = (items(gold, commas), items(answer, commas));
        gold.len() == answer.len() && is_covered(&gold, &answer) && is_covered(&answer, &gold)
    })
}

/// The share of the gold answer's parts that an answer has, 0 to 1; 1 where the gold answer is empty.
pub(super) fn recall(gold: &str, answer: &str) -> f64 {
    let parts = |text: &str| items(text, true).into_iter().flatten().collect::<Vec<String>>();
    let (gold, mut answer) = (parts(gold), parts(answer));
    if gold.is_empty() {
        return 1.0;
    }
    let n = gold.len() as f64;
    let mut n_found = 0.0;
    for part in gold {
        if let Some(at) = answer.iter().position(|other| agrees(&part, other)) {
            answer.swap_remove(at);
            n_found += 1.0;
        }
    }
    n_found / n
}

/// Every item of `a` has one in `b`.
fn is_covered(a: &[Vec<String>], b: &[Vec<String>]) -> bool {
    let same = |x: &[String], y: &[String]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| agrees(x, y));
    a.iter().all(|x| b.iter().any(|y| same(x, y)))
}

/// The items of an answer, each in parts.
fn items(text: &str, commas: bool) -> Vec<Vec<String>> {
    let mut items = vec![String::new()];
    let chars: Vec<char> = text.chars().collect();
    for (at, ch) in chars.iter().enumerate() {
        let in_number = *ch == ','
            && at > 0
            && chars[at - 1].is_ascii_digit()
            && chars.get(at + 1).is_some_and(char::is_ascii_digit);
        if matches!(ch, ';' | '\n') || commas && *ch == ',' && !in_number {
            items.push(String::new());
        } else if let Some(item) = items.last_mut() {
            item.push(*ch);
        }
    }
    let parts = |item: &String| -> Vec<String> {
        let spaced = item.replace([':', '(', ')', '[', ']'], " | ").replace(" in ", " | ");
        spaced
            .split('|')
            .map(|part| part.trim().trim_end_matches('.').to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    };
    items.iter().map(parts).filter(|parts| !parts.is_empty()).collect()
}

fn agrees(gold: &str, answer: &str) -> bool {
    match (number(gold), number(answer)) {
        (Some(a), Some(b)) => {
            // Counts are right or wrong; amounts are rounded.
            let is_exact = a.fract() == 0.0 && b.fract() == 0.0;
            (a - b).abs() <= if is_exact { 0.0 } else { (a.abs() * TOLERANCE).max(0.01) }
        }
        (None, None) => name::key(gold) == name::key(answer),
        _ => false,
    }
}

fn number(text: &str) -> Option<f64> {
    match text.to_lowercase().as_str() {
        "yes" | "true" => return Some(1.0),
        "no" | "false" => return Some(0.0),
        _ => {}
    }
    let bare: String = text
        .chars()
        .filter(|ch| !matches!(ch, ',' | '%' | '$' | '€' | '£' | ' '))
        .collect();
    bare.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_match_as_sets_of_parts() {
        let check = |gold: &str, answer: &str, expected: bool| {
            assert_eq!(is_match(gold, answer), expected, "{gold} / {answer}");
        };
        check("123.64", "123.636", true);
        check("5", "6", false);
        check("1970, 1986", "1986, 1970", true);
        check("1970, 1986", "1970", false);
        check("Argentina: 3; Brazil: 2", "Brazil: 2; Argentina: 3", true);
        check("3 in 1930", "3 in 1930", true);
        check("True", "yes", true);
        check("1,234", "1234", true);
        check("Diego Forlán", "Diego Forlan", true);
        check("2022", "2018", false);
        check("2022", "2021", false);
        check("", "", true);
        assert!((recall("Just Fontaine in 1958", "1958") - 0.5).abs() < 1e-12);
        assert!((recall("", "anything") - 1.0).abs() < 1e-12);
    }
}
