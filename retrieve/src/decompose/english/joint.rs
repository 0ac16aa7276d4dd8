//! Questions about what holds for two named things at once: "Who performed in both Teak and Ansay?", "What do Teak and
//! Ansay have in common?".

use super::super::token::{Kind, Token, plain, tokens};
use crate::answer::Expected;
use banyan_engine::Schema;

/// Words between "both" or "and" and the name after it: "the band f(x)". Arbitrary.
const MAX_BEFORE: usize = 3;

/// The question asked of each of the two things alone; `None` where it does not join two names and ask for what they share.
pub(super) fn each(question: &str, names: &[&str], schema: &Schema) -> Option<[String; 2]> {
    let words = format!(" {} ", plain(question));
    let shares = words.contains(" in common ") || words.contains(" share ") || words.ends_with(" both what ");
    let joins = shares || words.contains(" both ");
    if !joins || words.contains(" or ") || Expected::of(question, schema) == Expected::YesNo {
        return None;
    }
    let tokens = tokens(question, names);
    let (left, right) = (0..tokens.len()).find_map(|at| pair(&tokens, at))?;
    let bytes = |part: (usize, usize)| (tokens[part.0].span.start as usize, tokens[part.1 - 1].span.end as usize);
    let (start, end) = (bytes(left).0, bytes(right).1);
    let alone = |part: (usize, usize)| {
        let (first, last) = bytes(part);
        if words.contains(" in common ") {
            return format!("What is {}?", &question[first..last]);
        }
        let whole = format!("{}{}{}", &question[..start], &question[first..last], &question[end..]);
        whole
            .split_whitespace()
            .filter(|word| !word.eq_ignore_ascii_case("both"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    Some([alone(left), alone(right)])
}

/// Two names joined by "and", with the words that lead to them, the first ending at or after `at`.
fn pair(tokens: &[Token<'_>], at: usize) -> Option<((usize, usize), (usize, usize))> {
    let joint = at + 1;
    let is_joint = tokens
        .get(joint)
        .is_some_and(|token| token.is_of(&["and"]) || token.text == "&");
    if tokens[at].kind != Kind::Name || !is_joint {
        return None;
    }
    let next = (joint + 1..tokens.len().min(joint + 2 + MAX_BEFORE)).find(|n| tokens[*n].kind == Kind::Name)?;
    let is_plain = tokens[joint + 1..next].iter().all(|token| token.kind == Kind::Word);
    let led = (at.saturating_sub(MAX_BEFORE)..at)
        .rev()
        .find(|n| tokens[*n].is_of(&["both"]));
    let first = led.map_or(at, |both| both + 1);
    is_plain.then_some(((first, at + 1), (joint + 1, next + 1)))
}
