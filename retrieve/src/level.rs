//! Kinds of places that lie in each other: who was born in a town was not born in that county.

use crate::question::Expected;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{EntityId, Knowledge, name};
use banyan_extract::{DEFINITION, gazetteer};

/// Where people live: what a text says was born or lies in a place is taken to have it in one of these.
const SETTLEMENTS: [&str; 8] = [
    "borough",
    "city",
    "hamlet",
    "municipality",
    "settlement",
    "suburb",
    "town",
    "village",
];
/// What such places lie in: of a place that is not told to be one it is not known.
const AROUND: [&str; 14] = [
    "archipelago",
    "canton",
    "continent",
    "country",
    "county",
    "district",
    "island",
    "nation",
    "peninsula",
    "prefecture",
    "province",
    "region",
    "state",
    "territory",
];

/// The kind of place that a question asks for: "in which *county*"; `None` where it asks for something else.
pub(crate) fn asked(question: &str, searcher: &Searcher) -> Option<String> {
    let noun = Expected::noun(question, &searcher.knowledge().schema)?;
    let is_level = |noun: &str| SETTLEMENTS.contains(&noun) || AROUND.contains(&noun);
    is_level(&noun).then_some(noun)
}

/// Whether a place is told to be of this kind: it is well known as one, called or described so.
pub(crate) fn is(searcher: &Searcher, place: EntityId, noun: &str) -> bool {
    kinds(searcher, place).iter().any(|kind| kind == noun)
}

/// Whether a place called `named` may be of this kind: it is told to be, by what is known of it or by the sentence that is
/// cited for it; where settlements are asked for, also where nothing tells that it is none.
pub(crate) fn may_be(searcher: &Searcher, named: &str, noun: &str, sentence: &str) -> bool {
    let known = searcher.named(named).iter().flat_map(|place| kinds(searcher, *place));
    let kinds: Vec<String> = known.chain(gazetteer::place(named).map(str::to_owned)).collect();
    let is_settled = |kind: &str| SETTLEMENTS.contains(&kind);
    let is_open = is_settled(noun) && kinds.iter().all(|kind| is_settled(kind));
    is_open || kinds.iter().any(|kind| kind == noun) || is_said(named, noun, sentence)
}

/// Whether a sentence may tell a place of this kind: it has the noun or a well-known place of that kind, where it takes more
/// than any place that is named.
pub(crate) fn may_be_told(noun: &str, sentence: &str) -> bool {
    let tells = |word: &str| noun_of(word) == noun || gazetteer::place(word) == Some(noun);
    SETTLEMENTS.contains(&noun) || name::words(sentence).any(tells)
}

/// The kinds that a place is told to be of. The last word for one in its name tells which: "Salt Lake City".
fn kinds(searcher: &Searcher, place: EntityId) -> Vec<String> {
    let Knowledge { graph, schema, .. } = searcher.knowledge();
    let named = &graph.entity(place).name;
    let nouns = |text: &str| name::words(text).map(noun_of).collect::<Vec<_>>();
    let called = nouns(named)
        .into_iter()
        .rfind(|word| Expected::denoted(word, schema).is_some());
    let told = graph
        .attributes_of(place)
        .filter(|one| Some(one.attribute) == schema.attribute_id(DEFINITION));
    let described = told.filter_map(|one| {
        let words = nouns(&one.value)
            .into_iter()
            .skip_while(|word| term::is_stop_word(word));
        words.take_while(|word| !term::is_stop_word(word)).last()
    });
    let known = gazetteer::place(named).map(str::to_owned);
    called.into_iter().chain(described).chain(known).collect()
}

/// Whether a sentence has the noun, and not as another's: "Stowby, in the county of Lorrick" and "in Marle County" say of
/// Stowby no county.
fn is_said(named: &str, noun: &str, sentence: &str) -> bool {
    let words: Vec<&str> = name::words(sentence).collect();
    let own: Vec<&str> = name::words(named).collect();
    let is_name = |word: &&&str| word.starts_with(char::is_uppercase);
    (0..words.len()).filter(|at| noun_of(words[*at]) == noun).any(|at| {
        let behind = words.get(at + 2).filter(|_| words[at + 1] == "of").filter(is_name);
        let before = at.checked_sub(1).map(|before| &words[before]).filter(is_name);
        [behind, before].into_iter().flatten().all(|word| own.contains(word))
    })
}

fn noun_of(word: &str) -> String {
    term::singular(word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_is_said_of_what_it_stands_beside() {
        let check = |named: &str, sentence: &str, expected: bool| {
            assert_eq!(is_said(named, "county", sentence), expected, "{named}: {sentence}");
        };
        check("Marle", "Ada Quill was born in the county of Marle.", true);
        check("Stowby", "Hugh Orde was born at Stowby, in the county of Marle.", false);
        check("Stowby", "Stowby lies in Marle County.", false);
        check("Marle", "Stowby lies in Marle County.", true);
        check("Stowby", "Of all her counties she was born in Stowby.", true);
        check("Stowby", "Ada Quill was born in Stowby.", false);
        assert!(may_be_told("country", "Ada Quill was born in Stowby, Norway."));
        assert!(!may_be_told("country", "Ada Quill was born in Stowby."));
    }
}
