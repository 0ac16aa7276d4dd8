//! Commands and options that are no more, and what to use instead.

/// Words as they were typed, in this order, and what takes their place. The first line that fits is told.
const REMOVED: &[(&[&str], &str)] = &[
    (&["schema", "diff"], "banyan schema show B --since A"),
    (&["schema", "accept"], "banyan schema decide --accept NAME"),
    (&["schema", "reject"], "banyan schema decide --reject NAME"),
    (&["schema", "show", "--store"], "banyan schema show STORE"),
    (&["schema", "--toml"], "a schema in JSON"),
    (&["resolve", "log"], "banyan resolve [NAME]"),
    (&["resolve", "merge"], "banyan resolve --merge A B"),
    (&["resolve", "split"], "banyan resolve --split A B"),
    (&["resolve", "undo"], "banyan resolve --undo"),
    (&["export", "gexf"], "graphml"),
    (&["export", "dot"], "graphml"),
    (&["export", "jsonl"], "json"),
    (&["records", "induce"], "banyan records CORPUS --columns-only"),
    (&["records", "fill"], "banyan records CORPUS"),
    (&["records", "preview"], "banyan records CORPUS --limit N"),
    (
        &["records", "ask"],
        "banyan build, then banyan query QUESTION --method records",
    ),
    (&["records", "--schema"], "--columns FILE"),
    (&["model", "verify"], "banyan model fetch --check"),
    (&["verify-answer"], "banyan verify --answer FILE"),
    (&["extract"], "banyan-eval extraction --learn"),
    (&["parse"], "nothing: the parser is not part of the program any more"),
    (&["--parser"], "nothing: the parser is not part of the program any more"),
    (
        &["--parser-dir"],
        "nothing: the parser is not part of the program any more",
    ),
    (
        &["--patterns"],
        "nothing: compiled extractors are not part of the program any more",
    ),
    (
        &["--skip-bad"],
        "nothing: what cannot be read is listed and left out; --strict stops instead",
    ),
    (&["--save-trace"], "--trace --json"),
    (&["calibrate"], "banyan-eval calibrate"),
    (&["anonymize"], "banyan-eval anonymize"),
    (&["eval", "run"], "banyan eval SUITE"),
    (&["eval", "multihop"], "banyan eval DIR"),
    (&["eval", "compare"], "banyan eval --compare A B"),
    (&["eval", "anonyrag"], "banyan eval DIR"),
];

/// What `eval` had as commands of its own.
const KINDS: &str = "aggregate answers community entities extraction leakage relations router schema-change structure";

/// What to use instead of a command or an option that was typed and is no more.
pub(crate) fn replacement(typed: impl Iterator<Item = String>) -> Option<String> {
    let typed: Vec<String> = typed.collect();
    let names = |word: &str| {
        typed
            .iter()
            .position(|typed| typed == word || typed.starts_with(&format!("{word}=")))
    };
    let is_typed = |words: &[&str]| {
        let places: Option<Vec<usize>> = words.iter().map(|word| names(word)).collect();
        places.is_some_and(|places| places.is_sorted())
    };
    let kind = KINDS.split(' ').find(|kind| is_typed(&["eval", *kind]));
    if let Some(kind) = kind {
        return Some(format!("`eval {kind}` is no more; use banyan-eval {kind}"));
    }
    let (words, instead) = REMOVED.iter().find(|(words, _)| is_typed(words))?;
    let gone = format!("`{}` is no more", words.join(" "));
    Some(match instead.strip_prefix("nothing: ") {
        Some(why) => format!("{gone}: {why}"),
        None => format!("{gone}; use {instead}"),
    })
}

#[cfg(test)]
mod tests {
    use super::replacement;

    #[test]
    fn what_is_no_more_names_what_to_use() {
        let told = |typed: &str| replacement(typed.split(' ').map(str::to_owned));
        assert_eq!(
            told("schema diff a.json b.json").as_deref(),
            Some("`schema diff` is no more; use banyan schema show B --since A")
        );
        assert!(told("build notes --skip-bad --store s").is_some_and(|told| told.contains("--strict")));
        assert!(told("build notes --parser=small").is_some());
        assert_eq!(told("build notes --stor s"), None);
    }
}
