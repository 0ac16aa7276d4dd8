//! A server on this machine that nobody named.

use banyan_engine::llm::http::local;
use banyan_tests::server::{Answer, ChatServer};
use serde_json::json;
use std::net::TcpListener;

fn port(server: &ChatServer) -> u16 {
    let address = server.base_url();
    let port = address.trim_end_matches("/v1").rsplit(':').next().unwrap();
    port.parse().unwrap()
}

#[test]
fn the_first_server_that_names_a_model_is_found_and_nothing_else_is_asked_of_it() {
    let nobody = TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let page = ChatServer::scripted([Answer::text("a page of something else")]);
    let model = ChatServer::scripted([Answer::json(
        200,
        &json!({"object": "list", "data": [{"id": "teak-1b"}, {"id": "x"}]}),
    )]);
    let found = local::find(&[nobody, port(&page), port(&model)]).unwrap();
    assert_eq!((found.base_url, found.model.as_str()), (model.base_url(), "teak-1b"));
    let targets: Vec<String> = model.asked().into_iter().map(|asked| asked.target).collect();
    assert_eq!(targets, ["GET /v1/models"]);
    assert!(local::find(&[nobody, port(&page)]).is_none());
    assert!(local::find(&[]).is_none());
}
