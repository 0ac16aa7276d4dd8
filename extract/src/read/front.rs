//! Front matter: what stands above a page in YAML or TOML, for the programs that show the page and for readers.

use saphyr_parser::{Event, Parser, ScalarStyle};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// Fields that Jekyll, Hugo, Docusaurus, `MkDocs`, Eleventy and Obsidian read or write themselves.
const SETTINGS: &[&str] = &[
    "cascade",
    "comments",
    "created",
    "cssclass",
    "cssclasses",
    "custom_edit_url",
    "date",
    "draft",
    "eleventynavigation",
    "excerpt",
    "has_children",
    "hide",
    "hide_table_of_contents",
    "hide_title",
    "icon",
    "id",
    "image",
    "lang",
    "lastmod",
    "layout",
    "linktitle",
    "markup",
    "modified",
    "nav_exclude",
    "nav_order",
    "navigation",
    "outputs",
    "pagination_next",
    "pagination_prev",
    "permalink",
    "publish",
    "published",
    "redirect_from",
    "redirect_to",
    "redirects",
    "search_exclude",
    "sidebar",
    "sidebar_class_name",
    "sidebar_label",
    "sidebar_position",
    "slug",
    "tag",
    "tags",
    "template",
    "thumbnail",
    "toc",
    "updated",
    "url",
    "weight",
];

/// What front matter says of a page.
#[derive(Default)]
pub(super) struct Front {
    pub(super) title: Option<String>,
    /// What the page is about.
    pub(super) description: Option<Told>,
    /// What else is told, and is not for the program that shows the page: fields with their values.
    pub(super) fields: Vec<(Told, Told)>,
}

/// Words, and the byte of the file where they stand.
pub(super) struct Told {
    pub(super) text: String,
    pub(super) at: usize,
}

/// A field and its value; several are parted by commas, and one that is not plain is empty.
type Entry = (Told, Told);

/// The front matter, where there is some, and what follows it. Cost O(bytes).
pub(super) fn parted(source: &str) -> (Front, &str) {
    let fence = source.lines().next().unwrap_or_default().trim_end();
    if !matches!(fence, "---" | "+++") {
        return (Front::default(), source);
    }
    let mut lines = source.split_inclusive('\n');
    let start = lines.next().map_or(0, str::len);
    let mut end = start;
    for line in lines {
        if line.trim_end() == fence {
            let inner = &source[start..end];
            let entries = if fence == "+++" { Some(toml(inner)) } else { yaml(inner) };
            return entries.map_or((Front::default(), source), |entries| {
                (Front::of(entries, start), &source[end + line.len()..])
            });
        }
        end += line.len();
    }
    (Front::default(), source)
}

impl Front {
    /// What entries that stand `above` bytes down the file say.
    fn of(entries: Vec<Entry>, above: usize) -> Self {
        let mut front = Self::default();
        for (mut field, mut value) in entries {
            let text = unlinked(&value.text);
            (field.at, value.at) = (field.at + above, value.at + above);
            let value = Told { text, ..value };
            match &*field.text {
                _ if !value.text.contains(char::is_alphanumeric) => {}
                "title" => front.title = front.title.or(Some(value.text)),
                "description" => front.description = Some(value),
                name if tells(name, &value.text) => front.fields.push((field, value)),
                _ => {}
            }
        }
        front
    }
}

/// Whether a field says something to a reader: it is no switch, address, path or template.
fn tells(field: &str, value: &str) -> bool {
    let is_setting = SETTINGS.binary_search(&field.to_lowercase().as_str()).is_ok();
    let is_plain = !value.starts_with(['{', '/', '.']) && !value.contains("://");
    let is_said = is_plain && !matches!(value, "true" | "false" | "null");
    is_said && !is_setting && field.starts_with(char::is_alphabetic)
}

/// The entries of YAML; `None` where it is other text between rules. Each is read on its own, so that a broken one takes no
/// other with it.
fn yaml(text: &str) -> Option<Vec<Entry>> {
    let (mut begins, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let is_inner = line.starts_with([' ', '\t', '-', ']', '}']);
        if begins.is_empty() && is_inner && !line.trim().is_empty() {
            return None;
        }
        if !is_inner && !line.starts_with('#') && !line.trim().is_empty() {
            begins.push(at);
        }
        at += line.len();
    }
    begins.push(at);
    let ranges = begins.windows(2).map(|range| range[0]..range[1]);
    ranges.map(|range| entry(text, range)).collect()
}

/// A field of YAML. A line that is no YAML may still be one: "title: Teak: a wood".
fn entry(text: &str, range: Range<usize>) -> Option<Entry> {
    let (block, above) = (&text[range.clone()], range.start);
    let (mut n_maps, mut words, mut at) = (0, Vec::new(), block.len());
    for event in Parser::new_from_str(block) {
        match event {
            Ok((Event::Scalar(word, style, ..), span)) => {
                if words.len() == 1 {
                    let quote = usize::from(matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted));
                    let first = block.char_indices().nth(span.start.index() + quote);
                    at = first.map_or(at, |(first, _)| first);
                }
                words.push(word);
            }
            Ok((Event::MappingStart(..), _)) => n_maps += 1,
            Ok((Event::StreamEnd, _)) => break,
            Ok(_) => {}
            Err(_) => {
                let (field, value) = block.split_once(':')?;
                let at = block.len() - value.trim_start().len();
                return Some((told(field, above), told(value, above + at)));
            }
        }
    }
    let (field, values) = words.split_first().filter(|_| n_maps > 0)?;
    let value = if n_maps == 1 { values.join(", ") } else { String::new() };
    Some((told(field, above), told(&value, above + at)))
}

/// The plain entries of TOML; what is broken is left out.
fn toml(text: &str) -> Vec<Entry> {
    let read = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::Array(_) | DeValue::Table(_) => None,
        DeValue::String(string) => Some(told(string, value.span().start + 1)),
        _ => Some(told(&text[value.span()], value.span().start)),
    };
    let entry = |(field, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        let values: Vec<Told> = match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(read).collect(),
            _ => read(value).into_iter().collect(),
        };
        let texts: Vec<&str> = values.iter().map(|value| &*value.text).collect();
        let value = told(&texts.join(", "), values.first()?.at);
        Some((told(field.get_ref(), field.span().start), value))
    };
    let (table, _) = DeTable::parse_recoverable(text);
    let mut entries: Vec<Entry> = table.get_ref().iter().filter_map(entry).collect();
    entries.sort_by_key(|(field, _)| field.at);
    entries
}

fn told(text: &str, at: usize) -> Told {
    Told {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        at,
    }
}

/// A text with what a reader sees of its wiki links: "[[people/Mara Voss]]", "[[Mara Voss|Mara]]".
fn unlinked(text: &str) -> String {
    let (mut seen, mut rest) = (String::new(), text);
    while let Some((before, (link, after))) = rest
        .split_once("[[")
        .and_then(|(before, behind)| Some((before, behind.split_once("]]")?)))
    {
        let shown = link.split_once('|').map_or_else(|| linked(link), |(_, shown)| shown);
        seen.extend([before, shown]);
        rest = after;
    }
    seen + rest
}

/// What a wiki link without words of its own shows: the name of the page, or the heading on the same page.
pub(super) fn linked(target: &str) -> &str {
    match target.split_once('#') {
        Some(("", heading)) => heading,
        Some((page, _)) => page,
        None => target,
    }
    .rsplit('/')
    .next()
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, title: Option<&str>, fields: &[(&str, &str)], body: &str) {
        let (front, rest) = parted(source);
        let read = front.fields.iter().map(|(field, value)| (&*field.text, &*value.text));
        assert_eq!(read.collect::<Vec<_>>(), fields, "{source}");
        assert_eq!((front.title.as_deref(), rest), (title, body), "{source}");
        for (field, value) in &front.fields {
            assert!(source[field.at..].starts_with(&field.text), "{source}");
            let first = value.text.split([',', ' ']).next().unwrap_or_default();
            assert!(
                source[value.at..].starts_with(first) || source[value.at..].starts_with("[["),
                "{source}"
            );
        }
    }

    #[test]
    fn plain_fields_of_yaml_are_read() {
        assert!(SETTINGS.is_sorted());
        check(
            "---\nHouse: Skelva\nborn: 1990-04-02 # a Monday\nlayout: page\nseen: true\nfrom:\n  - x: y\n\
             author: \"[[people/Mara Voss|Mara]]\"\naliases: [Tikwood]\ncreated: 2024-01-02\n---\nWood.\n",
            None,
            &[
                ("House", "Skelva"),
                ("born", "1990-04-02"),
                ("author", "Mara"),
                ("aliases", "Tikwood"),
            ],
            "Wood.\n",
        );
        check(
            "---\r\ntitle: 'Teak''s use'\r\nby: [Ann Reed, \"[[Jon Eld]]\"]\r\nplaces:\r\n- Orle\r\n- Ansay\r\n---\r\n",
            Some("Teak's use"),
            &[("by", "Ann Reed, Jon Eld"), ("places", "Orle, Ansay")],
            "",
        );
        check(
            "---\ntitle: Teak: a wood\nof: >-\n  ships and\n  piers\nby: \ntext: |\n---\n",
            Some("Teak: a wood"),
            &[("of", "ships and piers")],
            "",
        );
    }

    #[test]
    fn plain_fields_of_toml_are_read() {
        check(
            "+++\ntitle = \"Teak\"\nborn = 1990-04-02\nby = ['Ann Reed']\nweight = 3\n[menu]\nname = 'x'\n+++\nWood.",
            Some("Teak"),
            &[("born", "1990-04-02"), ("by", "Ann Reed")],
            "Wood.",
        );
    }

    #[test]
    fn text_between_rules_is_text() {
        for source in [
            "---\n\nOnly a rule.\n",
            "---\nOne.\n\n---\nTwo.\n",
            "---\n- one\n---\n",
            "Before.\n---\na: b\n---\n",
        ] {
            check(source, None, &[], source);
        }
    }

    #[test]
    fn a_long_one_costs_no_more_than_its_length() {
        for part in ["[", "a: ", "- ", "\"", "a: [b, ", "{", "? "] {
            let source = format!("---\na: {}\n---\n", part.repeat(200_000));
            assert!(parted(&source).0.title.is_none());
        }
    }
}
