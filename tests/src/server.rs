//! An endpoint of chat completions on loopback that does as it is told, faults included.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// What the server does with one request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Sends a response.
    Response {
        /// The status.
        status: u16,
        /// Headers beside the length.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// Promises this body, sends half of it and closes the connection.
    Half(Vec<u8>),
    /// Sends these bytes, which need not be HTTP, and closes the connection.
    Raw(Vec<u8>),
    /// Says nothing until the client goes.
    Hang,
}

impl Answer {
    /// A completion that says `text`, for 10 tokens in and 20 out.
    pub fn text(text: &str) -> Self {
        Self::json(
            200,
            &json!({
                "object": "chat.completion",
                "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
                "usage": { "prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30 },
            }),
        )
    }

    /// A response with this body.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::status(status, body.to_string())
    }

    /// A refusal, in the form in which `OpenAI` has it.
    pub fn refusal(status: u16, code: &str, message: &str) -> Self {
        Self::json(
            status,
            &json!({ "error": { "message": message, "code": code, "type": "error" } }),
        )
    }

    /// A response with this body, which may be anything.
    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::Response {
            status,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    /// The response with one more header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        if let Self::Response { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Method and path, such as `POST /v1/chat/completions`.
    pub target: String,
    /// Headers by name in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body; `null` where it is not JSON.
    pub body: Value,
}

impl Asked {
    /// The text of the system's message.
    pub fn system(&self) -> &str {
        self.body["messages"][0]["content"].as_str().unwrap_or_default()
    }

    /// The text of the user's message.
    pub fn user(&self) -> &str {
        self.body["messages"][1]["content"].as_str().unwrap_or_default()
    }
}

/// The server. It runs until it is dropped.
#[derive(Debug)]
pub struct ChatServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_closed: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
}

impl ChatServer {
    /// Answers each request as `script` says, which is given the number of requests before it and the request.
    /// Connections are served at the same time, each for one request.
    pub fn new(script: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let is_closed = Arc::new(AtomicBool::new(false));
        let (seen, closed, script) = (asked.clone(), is_closed.clone(), Arc::new(script));
        let listener = thread::spawn(move || {
            for stream in listener.incoming() {
                if closed.load(Ordering::SeqCst) {
                    return;
                }
                let (Ok(stream), seen, script) = (stream, seen.clone(), script.clone()) else {
                    continue;
                };
                thread::spawn(move || serve(stream, &seen, &*script));
            }
        });
        Self {
            address,
            asked,
            is_closed,
            listener: Some(listener),
        }
    }

    /// Answers with one after the other; the last is repeated.
    pub fn scripted(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers: Vec<Answer> = answers.into_iter().collect();
        assert!(!answers.is_empty(), "a script has an answer");
        Self::new(move |number, _| answers[number.min(answers.len() - 1)].clone())
    }

    /// The address to configure.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// A configuration that names this server and asks it once, with `more` settings.
    pub fn config(&self, more: &str) -> String {
        let url = self.base_url();
        format!("[llm]\nbase_url = \"{url}\"\nmodel = \"scripted\"\nmax_concurrent = 2\nmax_retries = 0\n{more}")
    }

    /// All requests so far, in the order in which they came.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no request was left half read").clone()
    }
}

impl Drop for ChatServer {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::SeqCst);
        // Wakes the listener. Where that fails it is gone already.
        drop(TcpStream::connect(self.address));
        if let Some(listener) = self.listener.take() {
            drop(listener.join());
        }
    }
}

/// Serves a connection. A client that goes away is part of what is tested, so errors end it.
fn serve(stream: TcpStream, asked: &Mutex<Vec<Asked>>, script: &(dyn Fn(usize, &Asked) -> Answer + Send + Sync)) {
    let mut reader = BufReader::new(stream);
    let Some(request) = read(&mut reader) else {
        turn_away(reader.into_inner());
        return;
    };
    let number = {
        let mut asked = asked.lock().expect("no request was left half read");
        asked.push(request.clone());
        asked.len() - 1
    };
    let answer = script(number, &request);
    let mut stream = reader.into_inner();
    let sent = match answer {
        Answer::Response { status, headers, body } => {
            let head = head(status, &headers, body.len());
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body))
        }
        Answer::Half(body) => {
            let head = head(200, &[], body.len());
            let half = &body[..body.len() / 2];
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(half))
        }
        Answer::Raw(bytes) => stream.write_all(&bytes),
        Answer::Hang => stream.read(&mut [0]).map(|_| ()),
    };
    drop(sent);
}

/// Says that it was no request, as servers do, and hears the client out.
fn turn_away(mut stream: TcpStream) {
    let said = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    let done = said.and_then(|()| stream.shutdown(Shutdown::Write));
    drop(done.and_then(|()| io::copy(&mut stream, &mut io::sink())));
}

/// The request; `None` for what is none, such as the beginning of TLS.
fn read(reader: &mut impl BufRead) -> Option<Asked> {
    if !reader.fill_buf().ok()?.first()?.is_ascii_uppercase() {
        return None;
    }
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let (first, rest) = lines.split_first()?;
    let headers: BTreeMap<String, String> = rest
        .iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.get("content-length").map_or("0", String::as_str);
    let mut body = vec![0; length.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some(Asked {
        target: first.trim_end_matches(" HTTP/1.1").to_owned(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

fn head(status: u16, headers: &[(String, String)], n_bytes: usize) -> String {
    let headers: Vec<String> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let headers = headers.concat();
    format!("HTTP/1.1 {status} Scripted\r\ncontent-length: {n_bytes}\r\nconnection: close\r\n{headers}\r\n")
}
