//! `banyan serve` and `banyan mcp` by the real program: what they answer, whom they let in, and that a change is seen.

use crate::desk;
use banyan_tests::Desk;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

mod agents;

/// A server, ended with the test.
struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

impl Server {
    /// Serves the store of a desk on a free port.
    fn start(desk: &Desk, options: &[&str]) -> Self {
        let mut process = desk
            .command([&["serve", "--port", "0"], options].concat())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = process.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect(&line).to_owned();
        Self { process, address }
    }

    /// Sends a request as it is written; the status and the body of the reply.
    fn send(&self, request: &str) -> (u16, Value) {
        let (status, body) = self.exchange(request);
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    /// The same, with the body as it came.
    fn exchange(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").expect(&reply);
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, Value) {
        let host = &self.address;
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    }

    fn post(&self, path: &str, body: &str) -> (u16, Value) {
        let (host, n) = (&self.address, body.len());
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {n}\r\nConnection: close\r\n\r\n{body}"
        ))
    }

    /// A decision, sent as the explorer sends it.
    fn decide(&self, change: &str, given: &Value) -> (u16, Value) {
        let (host, body) = (&self.address, given.to_string());
        let n = body.len();
        self.send(&format!(
            "POST /v1/{change} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {n}\r\nConnection: close\r\n\r\n{body}"
        ))
    }
}

fn built() -> Desk {
    let desk = desk()
        .with("ada.txt", "Ada Quill was born in Vessing. Ada Quill married Bo Ferren.")
        .with("cass.txt", "Cass Orde was born in Karrowmouth.");
    desk.banyan("build ada.txt").done();
    desk
}

#[test]
fn what_the_commands_say_is_answered_over_http() {
    let desk = built();
    let server = Server::start(&desk, &[]);
    assert_eq!(server.get("/health").1["status"], "ok");
    let asked = json!({"question": "Where was Ada Quill born?", "mode": "open"});
    let (status, reply) = server.post("/v1/query", &asked.to_string());
    assert_eq!(
        (status, &reply["answer"]["text"]),
        (200, &json!("Vessing")),
        "{reply:#}"
    );
    let printed = desk
        .run(["query", "Where was Ada Quill born?", "--mode=open", "--json"])
        .done()
        .json();
    assert_eq!(reply, printed);
    let (_, reply) = server.get("/v1/query?question=Where+was+Ada+Quill+born%3F&mode=open");
    assert_eq!(reply, printed);
    let (_, node) = server.get("/v1/node?name=ada%20quill");
    assert_eq!(node, desk.run(["node", "Ada Quill", "--json"]).done().json());
    let (_, found) = server.get("/v1/neighbours?name=Ada+Quill&relation=spouse&relation=born_in&limit=1");
    assert_eq!(
        (&found["of"], found["neighbours"].as_array().map(Vec::len)),
        (&json!(2), Some(1)),
        "{found:#}"
    );
    let (_, found) = server.post("/v1/match", r#"{"pattern": "?who spouse \"Bo Ferren\""}"#);
    assert_eq!(found["rows"][0]["values"], json!({"who": "ada"}), "{found:#}");
    for (tool, field) in [("communities", "communities"), ("stats", "documents")] {
        let (status, found) = server.get(&format!("/v1/{tool}"));
        assert_eq!((status, found[field].is_null()), (200, false), "{found:#}");
    }
}

#[test]
fn every_tool_stands_in_the_description_with_its_parameters() {
    let desk = built();
    let server = Server::start(&desk, &[]);
    let (_, described) = server.get("/openapi.json");
    let paths = described["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 23, "{:?}", paths.keys());
    let schema = |tool: &str| {
        described["paths"][format!("/v1/{tool}")]["post"]["requestBody"]["content"]["application/json"]["schema"]
            .clone()
    };
    let query = schema("query");
    assert_eq!(query["required"], json!(["question"]));
    assert_eq!(query["properties"]["mode"]["enum"], json!(["open", "reject"]));
    assert_eq!(query["properties"]["top_k"]["default"], 5);
    // No parameter names a file of the server.
    for file in ["batch", "calibration", "columns", "store"] {
        assert!(query["properties"][file].is_null(), "{query:#}");
    }
    assert_eq!(schema("neighbours")["properties"]["in"]["type"], "boolean");
    assert_eq!(schema("paths")["properties"]["relation"]["type"], "array");
}

#[test]
fn records_are_tables_of_the_documents_with_the_place_of_each_cell() {
    let page = |name: &str, height: u32| {
        let text = format!("# {name}\n\nHeight: {height} m\nBuilt: 17{height}\nGroup: north\n");
        (format!("{name}.md"), text)
    };
    let desk = desk().with_files([page("High Mill", 21), page("Low Mill", 11), page("Salt Mill", 15)]);
    desk.run(["build", "."]).done();
    // Nothing is kept from one request to the next.
    let server = Server::start(&desk, &["--cache-mb", "0"]);
    let (status, found) = server.get("/v1/records?limit=2");
    assert_eq!(
        (status, found["records"].as_array().map(Vec::len)),
        (200, Some(2)),
        "{found:#}"
    );
    let columns = found["schema"]["columns"].as_array().unwrap();
    let at = columns.iter().position(|column| column["name"] == "height").unwrap();
    let cell = &found["records"][0]["cells"][at];
    assert_eq!((&cell["value"], &cell["raw"]), (&json!(21), &json!("21 m")));
    let (_, atlas) = server.get("/v1/atlas");
    assert_eq!((&atlas["is_tabular"], &atlas["records"]), (&json!(true), &Value::Null));
    let number = |one: &Value| one["id"] == found["records"][0]["document"];
    let number = atlas["documents"].as_array().unwrap().iter().position(number).unwrap();
    let (_, document) = server.get(&format!("/v1/documents/{number}"));
    let part = |end: &str| usize::try_from(cell["span"][end].as_u64().unwrap()).unwrap();
    assert_eq!(&document["text"].as_str().unwrap()[part("start")..part("end")], "21 m");
    let (status, refused) = server.get("/v1/records?limit=many");
    assert_eq!(status, 400, "{refused:#}");
}

#[test]
fn the_explorer_has_all_that_the_store_holds_and_runs_nothing_that_a_document_says() {
    let desk = built();
    let desk = desk.with(
        "evil.txt",
        "Dee Marl was born in Vessing. </script><script>alert(1)</script>",
    );
    desk.banyan("add evil.txt").done();
    let server = Server::start(&desk, &[]);
    let (status, page) = server.exchange(&format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address
    ));
    assert!(
        status == 200 && page.contains("default-src 'none'") && page.contains(">null</script>"),
        "{status}"
    );
    let (_, atlas) = server.get("/v1/atlas");
    let rows = |list: &str| atlas[list].as_array().unwrap();
    assert!(rows("entities").iter().any(|one| one[0] == "Vessing"), "{atlas:#}");
    assert!(rows("communities").iter().any(|one| !one["why"].is_null()), "{atlas:#}");
    let number = rows("documents").iter().position(|one| one["title"] == "evil").unwrap();
    let (_, document) = server.get(&format!("/v1/documents/{number}"));
    let text = document["text"].as_str().unwrap();
    assert!(text.ends_with("<script>alert(1)</script>"), "{document:#}");
    // Every place of every fact lies in the text of its document.
    for place in rows("triples").iter().flat_map(|one| one[4].as_array().unwrap()) {
        let (_, document) = server.get(&format!("/v1/documents/{}", place[0]));
        let end = usize::try_from(place[2].as_u64().unwrap()).unwrap();
        assert!(document["text"].as_str().unwrap().is_char_boundary(end), "{place}");
    }
    for missing in ["99", "-1", "x", "../../etc"] {
        assert_eq!(server.get(&format!("/v1/documents/{missing}")).0, 404, "{missing}");
    }
    desk.banyan("export --out all.html").done();
    let page = fs::read_to_string(desk.path("all.html")).unwrap();
    assert!(page.contains("\\u003cscript>alert(1)") && !page.contains("<script>alert(1)"));
    assert_eq!(page.matches("</script>").count(), 2);
    desk.banyan("export --out all.html").refused(&["is there already"]);
    desk.banyan("export --level triples --out some.html")
        .refused(&["--level"]);
}

#[test]
fn what_is_decided_over_http_holds_where_the_server_was_told_so() {
    let desk = built();
    let rename = json!({"entity": "Ada Quill", "name": "Ada Ferren", "author": "me"});
    let reader = Server::start(&desk, &[]);
    let (status, refused) = reader.decide("entity_rename", &rename);
    assert!(
        status == 403 && refused["error"].as_str().unwrap().contains("--write"),
        "{refused:#}"
    );
    let server = Server::start(&desk, &["--write"]);
    // What a form of another page can send is not enough.
    assert_eq!(server.post("/v1/entity_rename", &rename.to_string()).0, 415);
    let decide = |change: &str, given: Value| {
        let (status, reply) = server.decide(change, &given);
        assert_eq!((status, &reply), (200, &json!({"changed": true})), "{change} {given}");
    };
    decide("entity_rename", rename);
    let (_, node) = server.get("/v1/node?name=Ada+Ferren");
    assert_eq!(node["name"], "Ada Ferren", "{node:#}");
    decide("resolve", json!({"undo": true}));
    assert_eq!(server.get("/v1/node?name=Ada+Ferren").0, 400);
    decide("resolve", json!({"merge": ["Ada Quill", "Bo Ferren"]}));
    decide(
        "fact_remove",
        json!({"head": "Ada Quill", "relation": "born_in", "tail": "Vessing"}),
    );
    decide(
        "fact_add",
        json!({"head": "Ada Quill", "relation": "born_in", "tail": "Tidd"}),
    );
    assert_eq!(server.get("/v1/neighbours?name=Ada+Quill&relation=born_in").1["of"], 1);
    let atlas = server.get("/v1/atlas").1;
    let papers = atlas["documents"].as_array().unwrap().iter();
    let stated = papers.filter_map(|paper| paper["from"].as_str().filter(|from| from.starts_with("fact#")));
    decide("remove", json!({"documents": stated.collect::<Vec<_>>()}));
    let (_, found) = server.get("/v1/neighbours?name=Ada+Quill&relation=born_in");
    assert_eq!(found["of"], 0, "{found:#}");
    for (change, given, why) in [
        ("resolve", json!({}), "merge, split or undo"),
        ("resolve", json!({"merge": ["Ada Quill"]}), "2 values"),
        ("entity_delete", json!({"entity": "Nobody"}), "Nobody"),
        ("entity_delete", json!({"store": "/"}), "no such parameter"),
        ("fact_batch", json!({"file": "/etc/passwd"}), "expected one of"),
    ] {
        let (status, reply) = server.decide(change, &given);
        let error = reply["error"].as_str().unwrap_or_default();
        assert!(status >= 400 && error.contains(why), "{status} {reply:#}");
    }
}

#[test]
fn the_steps_of_an_answer_are_streamed_before_it() {
    let desk = built();
    let server = Server::start(&desk, &[]);
    let streamed = |question: &str| {
        server.exchange(&format!(
            "GET /v1/query?mode=open&question={question} HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n",
            server.address
        ))
    };
    let (status, events) = streamed("Where+was+the+spouse+of+Bo+Ferren+born%3F");
    let order: Vec<&str> = events.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!((status, order.last()), (200, Some(&"reply")), "{events}");
    assert!(
        order.len() > 2 && order[..order.len() - 1].iter().all(|kind| *kind == "step"),
        "{events}"
    );
    assert!(events.contains("Vessing"), "{events}");
    let (_, events) = streamed("");
    assert!(events.contains("event: error"), "{events}");
}

#[test]
fn several_stores_are_each_at_their_name() {
    let desk = built();
    desk.banyan("build cass.txt --store other").done();
    let server = Server::start(&desk, &["--store", "store", "--store", "other"]);
    assert_eq!(server.get("/v1/stores").1, json!({"stores": ["other", "store"]}));
    assert_eq!(server.get("/store/v1/stats").1["documents"], 1);
    assert_eq!(server.get("/other/v1/node?name=Karrowmouth").0, 200);
    assert_eq!(server.get("/store/v1/node?name=Karrowmouth").0, 400);
    assert_eq!(server.get("/v1/stats").0, 404);
    let described = server.get("/openapi.json").1;
    assert_eq!(
        described["servers"][0]["variables"]["store"]["enum"],
        json!(["other", "store"])
    );
    assert_eq!(server.get("/other").0, 308);
    desk.banyan("serve --store store --store store")
        .refused(&["two stores are called store"]);
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for() {
    let desk = built();
    let server = Server::start(&desk, &["--timeout", "1"]);
    let (status, reply) = server.send(&format!(
        "POST /v1/query HTTP/1.1\r\nHost: {}\r\nContent-Length: 50\r\nConnection: close\r\n\r\n{{\"question",
        server.address
    ));
    assert!(
        status == 504 && reply["error"].as_str().unwrap().contains("in time"),
        "{status} {reply:#}"
    );
    assert_eq!(server.get("/health").0, 200);
}

#[test]
fn a_folder_is_built_beside_itself_and_shown() {
    let desk = desk().with("notes/ada.txt", "Ada Quill was born in Vessing.");
    let line = |desk: &Desk| {
        // From beside it the first time, then from within.
        let is_built = desk.path("notes.banyan").exists();
        let (place, name) = if is_built { ("notes", ".") } else { ("", "notes") };
        let mut command = desk.command([name, "--port", "0", "--watch"]);
        let mut process = command.current_dir(desk.path(place)).spawn().unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect(&line).to_owned();
        Server { process, address }
    };
    let server = line(&desk);
    assert_eq!(server.get("/v1/stats").1["documents"], 1);
    drop(server);
    let desk = desk.with("notes/cass.txt", "Cass Orde was born in Karrowmouth.");
    let server = line(&desk);
    assert_eq!(server.get("/v1/stats").1["documents"], 2);
    fs::remove_file(desk.path("notes/ada.txt")).unwrap();
    let began = Instant::now();
    let mut is_seen = false;
    while !is_seen && began.elapsed() < Duration::from_mins(1) {
        is_seen = server.get("/v1/stats").1["documents"] == 1;
    }
    assert!(is_seen && desk.path("notes.banyan").is_dir());
}

#[test]
fn what_cannot_be_answered_is_refused_with_its_reason() {
    let desk = built();
    let server = Server::start(&desk, &[]);
    let says = |(status, reply): (u16, Value), expected: u16, part: &str| {
        let error = reply["error"].as_str().unwrap_or_default();
        assert!(
            status == expected && error.contains(part),
            "{status} {reply:#}, expected {part}"
        );
    };
    says(server.get("/v1/nothing"), 404, "expected one of query, node");
    says(server.get("/v1/fact_add"), 405, "by POST");
    says(server.post("/health", "{}"), 405, "another method");
    let chat = r#"{"model": "zzz", "messages": [{"role": "user", "content": "x"}]}"#;
    says(server.post("/v1/chat/completions", chat), 404, "expected store");
    says(server.get("/elsewhere"), 404, "/openapi.json");
    says(server.get("/v1/../../etc/passwd"), 404, "");
    says(server.get("/v1/node"), 400, "name: expected");
    says(server.get("/v1/node?name=Nobody"), 400, "Nobody");
    says(server.get("/v1/node?nme=x"), 400, "did you mean name?");
    says(server.get("/v1/query?question=x&mode=maybe"), 400, "maybe");
    says(server.get("/v1/query?question=x&top_k=0"), 400, "1..=1000");
    says(
        server.get("/v1/query?question=x&calibration=/etc/passwd"),
        400,
        "no such parameter",
    );
    says(server.get("/v1/node?name=--help"), 400, "--help");
    says(server.post("/v1/query", "{"), 400, "JSON object");
    says(
        server.post("/v1/query", r#"{"question": {"a": 1}}"#),
        400,
        "expected a text",
    );
    let long = json!({"question": "x".repeat(70_000)}).to_string();
    says(server.post("/v1/query", &long), 413, "length limit");
    let host = &server.address;
    let elsewhere =
        format!("GET /v1/stats HTTP/1.1\r\nHost: {host}\r\nOrigin: http://localhost:1\r\nConnection: close\r\n\r\n");
    says(server.send(&elsewhere), 403, "from elsewhere");
    // A page from elsewhere that calls this machine by a name of its own.
    let rebound = "GET /v1/stats HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n";
    says(server.send(rebound), 403, "host");
}

#[test]
fn a_change_is_seen_and_a_token_is_asked_for() {
    let desk = built();
    let server = Server::start(&desk, &["--token", "tide"]);
    let ask = |token: &str| {
        let host = &server.address;
        server.send(&format!(
            "GET /v1/node?name=Cass+Orde HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        ))
    };
    for wrong in ["", "tid", "tides", "ebbs"] {
        assert_eq!(ask(wrong).0, 401, "{wrong}");
    }
    assert_eq!(ask("tide").0, 400);
    desk.banyan("add cass.txt").done();
    let (status, node) = ask("tide");
    assert_eq!((status, &node["mentions"]), (200, &json!(2)), "{node:#}");
    desk.banyan("serve --host 0.0.0.0").refused(&["token"]);
    desk.banyan("serve --store none").refused(&["none"]);
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let taken = ["--port", "cannot listen", "take another"];
    desk.run(["serve", "--port", &port]).refused(&taken);
    // Nothing is built in vain.
    let desk = desk.with("letters/ada.txt", "Ada Quill was born in Vessing.");
    desk.run(["letters", "--port", &port]).refused(&taken);
    assert!(!desk.path("letters.banyan").exists());
}
