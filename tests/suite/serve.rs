//! `banyan serve` by the real program: what it answers, whom it lets in, and that a change is seen.

use crate::desk;
use banyan_tests::Desk;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

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
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").expect(&reply);
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
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
    assert_eq!(paths.len(), 8, "{:?}", paths.keys());
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
    assert_eq!(server.post("/v1/query", &long).0, 413);
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
    desk.run(["serve", "--port", &port])
        .refused(&["--port", "cannot listen", "take another"]);
}
