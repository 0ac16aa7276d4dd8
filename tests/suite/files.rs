//! Files of pages, offices and mail by the real program: what they are read as, where answers are cited, and those that cannot
//! be read.

use crate::desk;
use banyan_tests::Desk;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{Cursor, Write};
use std::iter::repeat;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A PDF whose pages are lines of text, the first a good way above the others.
fn pdf(pages: &[&[&str]]) -> Vec<u8> {
    drawn("1 0 0 1 72 800 Tm", pages)
}

/// The same, with the text of each page put where and as `matrix` says.
fn drawn(matrix: &str, pages: &[&[&str]]) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut kids = String::new();
    for lines in pages {
        let mut drawn = format!("BT /F 11 Tf {matrix} ");
        for (line, gap) in lines.iter().zip([80].into_iter().chain(repeat(14))) {
            write!(drawn, "({line}) Tj 0 -{gap} Td ").unwrap();
        }
        drawn += "ET";
        let page = objects.len() + 1;
        write!(kids, "{page} 0 R ").unwrap();
        let contents = page + 1;
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents {contents} 0 R>>"
        ));
        objects.push(format!("<</Length {}>>stream\n{drawn}\nendstream", drawn.len()));
    }
    objects[1] = format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len());
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = String::new();
    for (number, object) in (1..).zip(&objects) {
        writeln!(places, "{:010} 00000 n ", file.len()).unwrap();
        writeln!(file, "{number} 0 obj{object}endobj").unwrap();
    }
    let (n, at) = (objects.len() + 1, file.len());
    let trailer = format!("trailer<</Size {n}/Root 1 0 R>>\nstartxref\n{at}\n%%EOF");
    (file + &format!("xref\n0 {n}\n0000000000 65535 f \n{places}{trailer}")).into_bytes()
}

/// A packed file with these parts.
fn packed<C: AsRef<[u8]>>(parts: &[(&str, C)]) -> Vec<u8> {
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        file.start_file(*name, SimpleFileOptions::default()).unwrap();
        file.write_all(content.as_ref()).unwrap();
    }
    file.finish().unwrap().into_inner()
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Relations of a packed file or one of its parts to others.
fn relations(parts: &[(&str, &str)]) -> String {
    let parts = (1..)
        .zip(parts)
        .map(|(id, (kind, target))| format!("<Relationship Id='r{id}' Type='{OFFICE}/{kind}' Target='{target}'/>"));
    format!(
        "<Relationships xmlns='{RELATIONS}'>{}</Relationships>",
        parts.collect::<String>()
    )
}

fn types(parts: &[(&str, &str)]) -> String {
    let parts = parts.iter().map(|(name, kind)| {
        format!("<Override PartName='/{name}' ContentType='application/vnd.openxmlformats-officedocument.{kind}+xml'/>")
    });
    format!(
        "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'><Default Extension='rels' ContentType='application/vnd.openxmlformats-package.relationships+xml'/><Default Extension='xml' ContentType='application/xml'/>{}</Types>",
        parts.collect::<String>()
    )
}

fn docx(body: &str) -> Vec<u8> {
    packed(&[
        (
            "[Content_Types].xml",
            types(&[("word/document.xml", "wordprocessingml.document.main")]),
        ),
        ("_rels/.rels", relations(&[("officeDocument", "word/document.xml")])),
        (
            "word/document.xml",
            format!(
                "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>{body}</w:body></w:document>"
            ),
        ),
    ])
}

fn xlsx(rows: &[&[&str]]) -> Vec<u8> {
    let cell = |value: &&str| format!("<c t='inlineStr'><is><t>{value}</t></is></c>");
    let rows = (1..).zip(rows).map(|(number, row)| {
        let cells = row
            .iter()
            .zip('A'..)
            .map(|(value, column)| cell(value).replace("<c ", &format!("<c r='{column}{number}' ")));
        format!("<row r='{number}'>{}</row>", cells.collect::<String>())
    });
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    packed(&[
        (
            "[Content_Types].xml",
            types(&[
                ("xl/workbook.xml", "spreadsheetml.sheet.main"),
                ("xl/worksheets/sheet1.xml", "spreadsheetml.worksheet"),
            ]),
        ),
        ("_rels/.rels", relations(&[("officeDocument", "xl/workbook.xml")])),
        (
            "xl/_rels/workbook.xml.rels",
            relations(&[("worksheet", "worksheets/sheet1.xml")]),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns='{main}' xmlns:r='{OFFICE}'><sheets><sheet name='Ferries' sheetId='1' r:id='r1'/></sheets></workbook>"
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                "<worksheet xmlns='{main}'><sheetData>{}</sheetData></worksheet>",
                rows.collect::<String>()
            ),
        ),
    ])
}

fn epub(chapters: &[&str]) -> Vec<u8> {
    let each = |line: fn(usize) -> String| (0..chapters.len()).map(line).collect::<String>();
    let items = each(|at| format!("<item id='c{at}' href='c{at}.xhtml' media-type='application/xhtml+xml'/>"));
    let spine = each(|at| format!("<itemref idref='c{at}'/>"));
    let package = format!(
        "<package xmlns='http://www.idpf.org/2007/opf' version='3.0' unique-identifier='i'><metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:identifier id='i'>1</dc:identifier><dc:title>The Light of Skelva</dc:title><dc:language>en</dc:language></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let container = "<container version='1.0' xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile full-path='book.opf' media-type='application/oebps-package+xml'/></rootfiles></container>";
    let mut parts = vec![
        ("mimetype".to_owned(), "application/epub+zip".to_owned()),
        ("META-INF/container.xml".to_owned(), container.to_owned()),
        ("book.opf".to_owned(), package),
    ];
    for (at, chapter) in chapters.iter().enumerate() {
        let page = format!("<html xmlns='http://www.w3.org/1999/xhtml'><body>{chapter}</body></html>");
        parts.push((format!("c{at}.xhtml"), page));
    }
    let parts: Vec<(&str, &String)> = parts.iter().map(|(name, part)| (name.as_str(), part)).collect();
    packed(&parts)
}

const HARBOUR: &[&[&str]] = &[
    &[
        "Port of Vessing",
        "The light was lit in the year after the great flood.",
        "It was seen from Skelva, where the pilots lived then.",
        "The harbour was built by Ada Quill, who was",
    ],
    &[
        "Port of Vessing",
        "born in Karrowmouth. She was an engineer, and drew",
        "the plans of the pier, of the light, and of the mole.",
        "Nothing of the mole is left.",
    ],
    &[
        "Port of Vessing",
        "Ada Quill married Bo Ferren. They had no children,",
        "and left the house on the quay to the pilots, who",
        "have it still.",
    ],
];

/// A folder as people have it.
fn folder() -> Desk {
    let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    desk()
        .with("all/harbour.pdf", pdf(HARBOUR))
        .with("all/voss.docx", docx(&paragraph("Mara Voss was born in Great Ommer.")))
        .with(
            "all/ferries.xlsx",
            xlsx(&[&["ship", "speed"], &["Dipper", "21"], &["Skelva", "18"]]),
        )
        .with(
            "all/skelva.epub",
            epub(&[
                "<h1>One</h1><p>Cass Orde was born in Vessing.</p>",
                "<h1>Two</h1><p>Cass Orde married Dov Merrow.</p>",
            ]),
        )
        .with("all/ports.csv", "port;berths\nVessing;12\nKarrowmouth;7\n")
        .with(
            "all/late.eml",
            "From: Ada Quill <ada@quill.test>\nSubject: Late\n\nThe Dipper is late.\n",
        )
}

/// Title, place and text of every document of a file.
fn documents(desk: &Desk, file: &str) -> Vec<[String; 3]> {
    let found = desk.run(["read", "--json", file]).done().json();
    let documents = found[0]["documents"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let record = |one: &Value| one["origins"][0]["record"].as_str().unwrap_or_default().to_owned();
    documents
        .iter()
        .map(|one| [text(&one["title"]), record(one), text(&one["text"])])
        .collect()
}

#[test]
fn each_kind_of_file_is_read_as_what_it_says() {
    let desk = folder();
    let check = |file: &str, expected: &[[&str; 3]]| assert_eq!(documents(&desk, file), expected, "{file}");
    let harbour = HARBOUR.concat().join(" ").replacen("Port of Vessing ", "", 2);
    let found = documents(&desk, "all/harbour.pdf").remove(0);
    assert_eq!(found[2].split_whitespace().collect::<Vec<_>>().join(" "), harbour);
    check("all/voss.docx", &[["voss", "", "Mara Voss was born in Great Ommer."]]);
    let rows = [
        ["Dipper", "Ferries!2", "ship: Dipper\nspeed: 21"],
        ["Skelva", "Ferries!3", "ship: Skelva\nspeed: 18"],
    ];
    check("all/ferries.xlsx", &rows);
    let chapters = "One\n\nCass Orde was born in Vessing.\n\nTwo\n\nCass Orde married Dov Merrow.";
    check("all/skelva.epub", &[["The Light of Skelva", "", chapters]]);
    let rows = [
        ["Vessing", "row=2", "port: Vessing\nberths: 12"],
        ["Karrowmouth", "row=3", "port: Karrowmouth\nberths: 7"],
    ];
    check("all/ports.csv", &rows);
    check(
        "all/late.eml",
        &[["Late", "", "From: Ada Quill <ada@quill.test>\n\nThe Dipper is late."]],
    );
}

#[test]
fn a_folder_of_all_kinds_is_built_and_its_pages_are_cited() {
    let desk = folder();
    desk.banyan("build all")
        .done()
        .tells(&["all/ports.csv: rows, each a document titled by `port`: 2"]);
    desk.ask("Where was Ada Quill born?", "")
        .prints(&["answer: Karrowmouth", "(all/harbour.pdf#page=1)"]);
    desk.ask("Who did Ada Quill marry?", "")
        .prints(&["answer: Bo Ferren", "(all/harbour.pdf#page=3)"]);
    desk.ask("Who did Cass Orde marry?", "")
        .prints(&["answer: Dov Merrow", "› Two (all/skelva.epub:"]);
    let shown = desk
        .run(["query", "Who did Ada Quill marry?", "--mode=open", "--json"])
        .done()
        .json();
    assert_eq!(shown["answer"]["citations"][0]["page"], 3, "{shown:#}");
    // What a file is does not depend on the process that reads it, and a build again changes nothing.
    let before = desk.dump("store");
    desk.banyan("sync all").done();
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_left_out_or_stops_the_build() {
    let blank = pdf(&[&[], &[]]);
    let bomb = vec![b' '; 300 << 20];
    let desk = desk()
        .with("all/good.txt", "Ada Quill was born in Vessing.")
        .with("all/scan.pdf", blank)
        .with("all/cut.pdf", &pdf(HARBOUR)[..200])
        .with("all/turned.pdf", drawn("0 1 -1 0 100 72 Tm", HARBOUR))
        .with("all/other.docx", "no packed file")
        .with("all/bomb.docx", docx(&String::from_utf8(bomb).unwrap()));
    let says = [
        "all/scan.pdf: no text on any of 2 pages; where they are scanned",
        "left out all/cut.pdf: cannot be read as PDF",
        "all/turned.pdf: text stands turned on 3 of 3 pages, and its lines may be out of order",
        "left out all/other.docx: not what its name says, or damaged",
        "left out all/bomb.docx: ",
        "4 files left out",
    ];
    desk.banyan("build all").done().tells(&says);
    let before = desk.dump("store");
    desk.banyan("build all --strict --store new")
        .refused(&["all/bomb.docx"]);
    desk.banyan("add all/scan.pdf").refused(&["all/scan.pdf", "ocrmypdf"]);
    assert_eq!(desk.dump("store"), before);
    assert!(!desk.path("new").exists());
}

#[test]
fn what_would_be_read_is_listed_and_nothing_is_built() {
    let desk = desk()
        .with("mix/ada.txt", "Ada Quill was born in Vessing.")
        .with("mix/towns.csv", "town,people\nVessing,12\nTidd,7\n");
    let run = desk.banyan("build mix --store new --dry-run").done();
    run.prints(&[
        "mix/ada.txt: 1 document, 30 bytes of text",
        "mix/towns.csv: 2 documents, ",
    ]);
    let listed = desk.banyan("build mix --store new --dry-run --json").done().json();
    assert_eq!(listed["files"][1]["documents"], 2, "{listed:#}");
    assert!(!desk.path("new").exists());
}

#[test]
fn source_code_is_read_where_that_is_asked_for() {
    let code = "// Ada Quill was born in Vessing.\nint quill_tide(int n) { return n; }\n";
    let desk = desk()
        .with("notes/a.md", "Bo Ferren was born in Tidd.\n")
        .with("notes/tide.c", code);
    desk.banyan("build notes")
        .tells(&["1 file of source code left out (--code"])
        .tells(&["1 document ·"]);
    desk.banyan("build notes --code").tells(&["2 documents ·"]);
    desk.run(["match", "?who born_in Vessing"])
        .done()
        .prints(&["Ada Quill", "notes/tide.c:1:"]);
    let found = desk.ask("Where is quill_tide?", "--json --mode open").stdout;
    assert!(found.contains("int quill_tide(int n)"), "{found}");
    desk.banyan("node int").refused(&["no such name"]);
    let dump = desk.dump("store");
    // What is known of it stays where it is not read again.
    desk.banyan("sync notes").tells(&["notes/tide.c"]);
    assert_eq!(desk.dump("store"), dump);
    desk.banyan("read notes/tide.c")
        .done()
        .prints(&["Ada Quill was born in Vessing."]);
}
