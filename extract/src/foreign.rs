//! Parts of a text whose language has no reader here.

use banyan_engine::index::term::is_stop_word;
use banyan_engine::{Span, name};
use whatlang::Lang;

/// How many letters a language is told from, and at the end of a text half of them. Arbitrary: three lines of print.
const N_LETTERS: usize = 200;
/// Share of words without topic from which a text is English, whatever names it is full of. Arbitrary: English prose has
/// twice as many, its neighbours share a few with it.
const ENGLISH: f32 = 0.2;

/// The parts of a text that surely are not English, by their letters' trigrams: runs of whole `sentences`, which are in
/// text order, each with what its language is called. Cost O(length).
pub(crate) fn parts(text: &str, sentences: impl Iterator<Item = Span>) -> Vec<(Span, &'static str)> {
    let mut parts = Vec::new();
    let mut run: Option<Span> = None;
    let mut n_letters = 0;
    let mut close = |run: Option<Span>| {
        if let Some((span, language)) = run.and_then(|span| Some((span, foreign(span.of(text))?))) {
            parts.push((span, language));
        }
    };
    for sentence in sentences {
        n_letters += sentence.of(text).chars().filter(|ch| ch.is_alphabetic()).count();
        run = Some(run.map_or(sentence, |run| run.to(sentence)));
        if n_letters >= N_LETTERS {
            close(run.take());
            n_letters = 0;
        }
    }
    if 2 * n_letters >= N_LETTERS {
        close(run);
    }
    parts
}

/// The language of a text, where that is surely not English. Counting words is cheaper than trigrams.
fn foreign(text: &str) -> Option<&'static str> {
    if is_english(text) {
        return None;
    }
    let found = whatlang::detect(text)?;
    let is_other = found.lang() != Lang::Eng && found.is_reliable();
    is_other.then(|| found.lang().eng_name())
}

/// What a language is called, by that name.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    Lang::all()
        .iter()
        .map(|lang| lang.eng_name())
        .find(|known| *known == name)
}

/// Whether a text has as many of the words that carry no topic as English has.
fn is_english(text: &str) -> bool {
    let words: Vec<String> = name::words(text).map(str::to_lowercase).collect();
    let n_small = words.iter().filter(|word| is_stop_word(word)).count();
    n_small as f32 >= ENGLISH * words.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence;

    #[test]
    fn a_part_in_another_language_is_told() {
        let german = "Die Mühle am Fluss gehörte lange Zeit der Familie des Bürgermeisters. Im Winter stand sie still, \
                      und die Bauern aus den Dörfern brachten ihr Korn erst nach der Schmelze.";
        let english = "The mill by the river belonged to the family of the mayor for a long time. In winter it stood \
                       still, and the farmers of the villages brought their grain only after the thaw had set in, \
                       when the roads were open again and the wheel could turn without breaking the ice.";
        let text = format!("{english} {german}");
        let found = parts(&text, sentence::split(&text).into_iter());
        let found: Vec<_> = found
            .iter()
            .map(|(span, language)| (span.of(&text), *language))
            .collect();
        assert_eq!(found, [(german, "German")]);
        let greek = "Ο μύλος δίπλα στο ποτάμι ανήκε για πολύ καιρό στην οικογένεια του δημάρχου. Τον χειμώνα στεκόταν \
                     ακίνητος, και οι χωρικοί έφερναν το σιτάρι τους μετά το λιώσιμο του χιονιού.";
        let found = parts(greek, sentence::split(greek).into_iter());
        assert_eq!(found, [(Span::new(0, greek.len()), "Greek")]);
        assert!(parts(english, sentence::split(english).into_iter()).is_empty());
        let names = "Joost van den Ouderkerk spent his youth in Wageningen, Vlissingen and Bergen op Zoom, where Geertruida \
                     van der Waalre, widow of Cornelis Hoogstraten, taught him the drawing of dykes for van Leeuwenburg, \
                     Groenewoud and Zevenhuizen.";
        assert_eq!(whatlang::detect_lang(names), Some(Lang::Nld));
        assert!(parts(names, sentence::split(names).into_iter()).is_empty());
    }
}
