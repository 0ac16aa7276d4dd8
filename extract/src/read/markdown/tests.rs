use super::*;

#[test]
fn headings_are_those_that_a_reader_sees() {
    let source = "---\ntitle: On teak\n---\n# Teak\n\nWood.\n{: .note}\n\n<div>\n## Use\n</div>\n\nShips.\n\n\
        ## How long it lasts in water, in earth, in air, and in none of the three\n\nAges.\n";
    let found = document("notes.md", source);
    assert!(
        found.text.starts_with("Teak\n\nWood.\n\nUse\n\nShips.\n\nHow"),
        "{}",
        found.text
    );
    let paths: Vec<String> = ["Wood", "Ships", "Ages"]
        .iter()
        .map(|word| found.section(u32::try_from(found.text.find(word).unwrap()).unwrap()))
        .collect();
    assert_eq!(
        paths,
        ["", "Use", "How long it lasts in water, in earth, in air, and in none …"]
    );
}

#[test]
fn a_word_is_cited_where_it_stands_in_the_file() {
    let source = "---\ntitle: On teak\ndescription: \"Of Skelva.\"\n---\n# Teak\n\n\nWood *of* `Asia`.\n\n{{ x }} Tidd.\n\n- ä [Ondle](x.md)\n\n<div>\nLast.\n</div>\n";
    let found = document("notes.md", source);
    for word in ["Skelva", "Wood", "Asia", "Tidd", "Ondle", "Last"] {
        let place = found.place(u32::try_from(found.text.find(word).unwrap()).unwrap());
        let at = source.find(word).unwrap();
        let line = source[..at].matches('\n').count() + 1;
        let column = source[..at].rsplit('\n').next().unwrap().chars().count() + 1;
        assert_eq!((place.line as usize, place.column as usize), (line, column), "{word}");
    }
}

fn check(source: &str, title: &str, text: &str) {
    let found = document("notes.md", source);
    assert_eq!((found.title.as_str(), found.text.as_str()), (title, text));
}

#[test]
fn markup_goes_and_what_a_reader_sees_stays() {
    check("---\ntags: x\n---\n\nOnly *text*.\n", "notes", "Only text.");
    check(
        "---\r\ntitle: 'On teak'\r\n---\r\n# Teak\n\nWood.\n",
        "On teak",
        "Teak\n\nWood.",
    );
    check("---\ntitle: Teak\n---", "Teak", "");
    check(
        "---\ntitle: Teak\ndescription: 'Teak is a wood.'\n---\n\n## Use\n",
        "Teak",
        "Teak is a wood.\n\nUse",
    );
    check(
        "+++\ntitle = \"Teak\"\ndescription = \"\"\n+++\nWood.\n",
        "Teak",
        "Wood.",
    );
    check("---\n\nOnly a rule.\n", "notes", "Only a rule.");
    check(
        "---\nHouse: Skelva\nborn: 1990-04-02\n---\nWood.\n",
        "notes",
        "House: Skelva\nborn: 1990-04-02\n\nWood.",
    );
    check(
        "[![built](b.png)](b.md)\n\n# Teak `wood`\nA [tree](x.md) of\n**Asia**, 4 \\* 5 &amp; ![a *leaf*](l.png).\n\n## Use\n",
        "Teak wood",
        "built\n\nA tree of\nAsia, 4 * 5 & a leaf.\n\nUse",
    );
    check(
        "- a\n- b\n  - c\n\n3. d\n4. e\n\nf",
        "notes",
        "• a\n• b\n• c\n\n3. d\n4. e\n\nf",
    );
    check(
        "<table><tr><td>Ondle &lt; 3</td>\n<td>lifts <b>water</b></td></tr>\n</table>\n\nEnd.",
        "notes",
        "Ondle < 3\n\nlifts water\n\nEnd.",
    );
    check(
        "One.\n\n<!-- Not\n\n## shown\n-->\n\n<style>\np { color: red }\n</style>\n\n<div>\n<script>f(1 < 2);</script>\nTwo. \
         <!-- no -->\n</div>\n\n<pre>\n# kept\n</pre>\n",
        "notes",
        "One.\n\nTwo. \n\n# kept",
    );
    check(
        "{% include \"note_a.html\" %}\n\nWood of {{ site.`x` }}Asia {{ at last.\n\n`{{ kept }}`\n",
        "notes",
        "Wood of Asia {{ at last.\n\n{{ kept }}",
    );
    check(
        "| Ann Reed<br>Tidd | Mara<br/>Voss<li>Ansay |\n",
        "notes",
        "| Ann Reed\nTidd | Mara\nVoss\nAnsay |",
    );
    check("```rust\nlet *a;\n\nlet b;\n```\nc", "notes", "let *a;\n\nlet b;\n\nc");
    check(
        "> quoted\n\n| a | b |\n|---|---|\n| 1 | *2* |\n",
        "notes",
        "quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    );
}

#[test]
fn notes_are_read_as_their_writers_see_them() {
    check("## Use\n\nShips.\n\n# Teak\n", "notes", "Use\n\nShips.\n\nTeak");
    check("Ships.\n\n# Sources\n", "notes", "Ships.\n\nSources");
    check(
        "Wood %% of Asia? %%of ships. ^8d9d50\n\n^8d9d51\n\nEnd ^2.\n",
        "notes",
        "Wood of ships.\n\nEnd ^2.",
    );
    check(
        "$D_{{\\color{green} n}}$ and {{1, 2}} {{< x >}}stay.\n",
        "notes",
        "$D_{{\\color{green} n}}$ and {{1, 2}} stay.",
    );
    assert_eq!(document("tools/teak/index.md", "Wood.").title, "teak");
    check(
        "[[people/Mara Voss]] of [[Orle#History]], [[#Use]], and [[Jon Eld|*Jon*]]. ![[map.png|400]]\n",
        "notes",
        "Mara Voss of Orle, Use, and Jon.",
    );
    check("Teak [[1]](x.md#a_b) of _Asia_.\n", "notes", "Teak 1 of Asia.");
    check(
        "Teak costs ~~90 `or` 80~~ 70[^1].\n\n[^1]: In *Orle*.\n",
        "notes",
        "Teak costs  70.\n\nIn Orle.",
    );
    check(
        "> [!tip|no-icon right]- On teak\n> Wood.\n\n> [!NOTE]\n> Asia.\n",
        "notes",
        "On teak\nWood.\n\nAsia.",
    );
    let found = document("notes.md", "> [!NOTE]\n> [[people/Mara Voss]] ~~or~~ Jon.\n");
    let place = |word: &str| found.place(u32::try_from(found.text.find(word).unwrap()).unwrap());
    assert_eq!((place("Mara").line, place("Mara").column), (2, 12));
    assert_eq!((place("Jon").line, place("Jon").column), (2, 31));
}

/// Each of these took minutes at this size, four times as long at twice the size.
#[test]
fn marks_that_are_never_closed_cost_no_more_than_others() {
    for marks in ["[", "![", "[a](", "*a _", "> ", "`a ``", "<a ", "[[a|", "~~a", "> [!a"] {
        let text = document("notes.md", &marks.repeat(400_000)).text;
        assert!(text.len() <= marks.len() * 400_000);
    }
}
