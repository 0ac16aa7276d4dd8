//! Lines that label a value: `| Teams | 13 |`, `Rooms: 120`, `- Price – $90`.

use banyan_engine::Span;

/// Longest label in words.
const MAX_LABEL_WORDS: usize = 6;
/// Longest labelled value in bytes that is read. Arbitrary: longer ones are prose.
const MAX_VALUE: usize = 300;
/// Longest line in bytes in which a dash parts label and value, unless it is an item of a list. Arbitrary.
const MAX_DASHED: usize = 80;

/// The cells of a row of a table; `None` for another line, and for the rule below a header.
pub(crate) fn cells(text: &str, line: Span) -> Option<Vec<&str>> {
    let row = line.of(text).strip_prefix('|')?;
    let cells: Vec<&str> = row.strip_suffix('|').unwrap_or(row).split('|').map(str::trim).collect();
    Some(cells).filter(|cells| !cells.iter().all(|cell| cell.chars().all(|ch| matches!(ch, '-' | ':'))))
}

/// Whether a line is a label with a colon and a value, and no sentence.
pub fn is_field(line: &str) -> bool {
    let parts = labelled(line, Span::new(0, line.len()));
    let is_colon = |(label, _): (Span, Span)| {
        line[label.end as usize..]
            .trim_start_matches(['*', '_'])
            .starts_with(": ")
    };
    parts.is_some_and(is_colon) && !line.trim_end().ends_with(['.', '!', '?', '。'])
}

/// Label and value of a line that has both.
pub(crate) fn labelled(text: &str, line: Span) -> Option<(Span, Span)> {
    let body = line.of(text);
    if body.starts_with('|') {
        let cells: Vec<&str> = cells(text, line)?.into_iter().filter(|cell| !cell.is_empty()).collect();
        let [label, value] = cells[..] else { return None };
        return is_label(label).then(|| (within(text, label), within(text, value)));
    }
    let bare = body.trim_start_matches(['-', '*', '•', '·', '–', '+', ' ', '\t']);
    let is_item = bare.len() < body.len();
    let is_clock = |at: &usize| bare[at + 1..].starts_with(|ch: char| ch.is_ascii_digit() || ch == '/');
    let colon = bare.find(':').filter(|at| !is_clock(at)).map(|at| (at, 1));
    let mut dashes = [" – ", " — ", " - "].iter();
    let dash = dashes.find_map(|dash| bare.find(dash).map(|at| (at, dash.len())));
    let tab = bare.find('\t').map(|at| (at, 1));
    let (at, length) = colon.or(tab).or(dash.filter(|_| is_item || bare.len() < MAX_DASHED))?;
    let label = bare[..at].trim_matches(|ch: char| matches!(ch, '*' | '_') || ch.is_whitespace());
    let value = bare[at + length..].trim_matches(|ch: char| ch == '*' || ch.is_whitespace());
    let fits = is_label(label) && !value.is_empty() && value.len() <= MAX_VALUE;
    fits.then(|| (within(text, label), within(text, value)))
}

/// Whether a text may be a label: a few words without marks that end sentences.
pub(crate) fn is_label(label: &str) -> bool {
    let n_words = label.split_whitespace().count();
    (1..=MAX_LABEL_WORDS).contains(&n_words)
        && label.chars().any(char::is_alphabetic)
        && !label.contains(['.', ';', '!', '?', '"'])
        && label.matches('(').count() == label.matches(')').count()
}

/// The span of a part of `text`.
pub(crate) fn within(text: &str, part: &str) -> Span {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start, start + part.len())
}
