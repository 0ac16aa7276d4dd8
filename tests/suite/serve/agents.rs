//! Agents over standard streams and HTTP, and programs that chat.

use super::{Server, built};
use banyan_tests::Desk;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// What an agent sends, a message a line, and what it is answered, by id.
fn talk(desk: &Desk, options: &[&str], messages: &[Value]) -> Vec<Value> {
    let mut process = desk
        .command([&["mcp"], options].concat())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let mut sent = process.stdin.take().unwrap();
    let mut replies = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut reply = || serde_json::from_str::<Value>(&replies.next().unwrap().unwrap()).unwrap();
    writeln!(sent, "{hello}").unwrap();
    let mut found = vec![reply()];
    writeln!(
        sent,
        "{}",
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
    )
    .unwrap();
    for (id, message) in (1..).zip(messages) {
        let mut message = message.clone();
        (message["jsonrpc"], message["id"]) = ("2.0".into(), id.into());
        writeln!(sent, "{message}").unwrap();
        found.push(reply());
        assert_eq!(found[id]["id"], id, "{found:#?}");
    }
    drop(sent);
    assert!(process.wait().unwrap().success());
    found
}

#[test]
fn an_agent_finds_the_tools_and_is_answered_in_words() {
    let call = |name: &str, arguments: Value| json!({"method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let desk = built();
    let replies = talk(
        &desk,
        &[],
        &[
            json!({"method": "tools/list"}),
            call(
                "query",
                json!({"question": "Where was Ada Quill born?", "mode": "open"}),
            ),
            call("node", json!({"name": "Nobody"})),
            call("query", json!({"question": "x", "calibration": "/etc/passwd"})),
            call("add", json!({})),
        ],
    );
    assert_eq!(replies[0]["result"]["serverInfo"]["name"], "banyan");
    let tools = replies[1]["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "query",
            "node",
            "neighbours",
            "paths",
            "match",
            "communities",
            "records",
            "stats"
        ]
    );
    assert_eq!(tools[0]["inputSchema"]["required"], json!(["question"]));
    let says = |at: usize, is_error: bool, part: &str| {
        let result = &replies[at]["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(
            result["isError"] == is_error && text.contains(part),
            "{:#}",
            replies[at]
        );
    };
    says(2, false, "answer: Vessing\n");
    says(2, false, "(ada.txt:1:1)");
    says(3, true, "Nobody");
    says(4, true, "no such parameter");
    says(5, true, "no tool; expected one of query");
}

#[test]
fn a_chat_is_answered_with_sources_and_an_agent_over_http() {
    let desk = built();
    let server = Server::start(&desk, &[]);
    assert_eq!(server.get("/v1/models").1["data"][1]["id"], "store:open");
    let ask = |model: &str, stream: bool| {
        let messages = json!([
            {"role": "system", "content": "Be short."},
            {"role": "user", "content": [{"type": "text", "text": "Where was Ada Quill born?"}]},
        ]);
        let body = json!({"model": model, "messages": messages, "stream": stream}).to_string();
        let (host, n) = (&server.address, body.len());
        server.exchange(&format!(
            "POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Length: {n}\r\nConnection: close\r\n\r\n{body}"
        ))
    };
    let (status, body) = ask("store:open", false);
    let reply: Value = serde_json::from_str(&body).unwrap();
    let said = reply["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(
        status == 200
            && said.starts_with("Vessing\n")
            && said.contains("“Ada Quill was born in Vessing.” (ada, ada.txt:1)"),
        "{reply:#}"
    );
    let (_, events) = ask("store:open", true);
    assert!(
        events.contains("\"delta\"") && events.contains("data: [DONE]"),
        "{events}"
    );
    let (status, refused) = server.post("/v1/chat/completions", r#"{"messages": []}"#);
    assert!(
        status == 400 && refused["error"].as_str().unwrap().contains("role is user"),
        "{refused:#}"
    );
    let agent = |message: Value| {
        let (host, body) = (&server.address, message.to_string());
        let n = body.len();
        server.send(&format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {n}\r\nConnection: close\r\n\r\n{body}"
        ))
    };
    let (_, tools) = agent(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert_eq!(tools["result"]["tools"][0]["name"], "query", "{tools:#}");
    let (_, told) = agent(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params":
        {"name": "node", "arguments": {"name": "Ada Quill"}}}));
    let text = told["result"]["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("Vessing") || text.contains("ada"), "{told:#}");
    let (_, counts) = server.exchange(&format!(
        "GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address
    ));
    let line = "banyan_requests_total{address=\"/v1/chat/completions\",status=\"200\"} 2";
    assert!(counts.contains(line), "{counts}");
}

#[test]
fn an_agent_that_may_write_adds_a_note_that_is_asked_for_and_taken_out_again() {
    let desk = built();
    let call = |name: &str, arguments: Value| json!({"method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let note = json!({"title": "Dee Marl", "text": "Dee Marl was born in Tidd."});
    let refused = talk(&desk, &[], &[call("note", note.clone())]);
    assert_eq!(refused[1]["result"]["isError"], true, "{refused:#?}");
    let replies = talk(
        &desk,
        &["--write"],
        &[
            call("note", note.clone()),
            call("note", note),
            call("query", json!({"question": "Where was Dee Marl born?", "mode": "open"})),
            call("note", json!({"title": "x", "text": " "})),
        ],
    );
    let said = |at: usize| replies[at]["result"]["content"][0]["text"].as_str().unwrap_or_default();
    let noted: Value = serde_json::from_str(said(1)).unwrap();
    let name = noted["document"].as_str().unwrap();
    assert!(name.starts_with("note:"), "{replies:#?}");
    assert!(
        said(3).starts_with("answer: Tidd\n") && said(3).contains(name),
        "{replies:#?}"
    );
    assert!(said(4).contains("one of them is empty"), "{replies:#?}");
    // What is in no file does not go with files.
    desk.banyan("add cass.txt").done();
    desk.banyan("sync .").done();
    desk.run(["node", "Dee Marl"]).done().prints(&["Tidd"]);
    desk.run(["remove", name]).done();
    desk.run(["node", "Dee Marl"]).refused(&["Dee Marl"]);
    desk.run(["note", "Dee Marl", "Dee Marl was born in Tidd."])
        .done()
        .tells(&["banyan remove note:"]);
}
