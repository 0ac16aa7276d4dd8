//! `banyan mcp`: a store asked by an agent, over the standard streams.

use super::serve::Door;
use super::tool::{self, Form, Shelf};
use crate::Outcome;
use crate::args::Mcp;
use anyhow::{Context, Result};
use banyan::Environment;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use std::sync::Arc;

/// Longest reply, in bytes: an agent reads it whole. Arbitrary: some four thousand words.
const MAX_REPLY: usize = 24 << 10;
/// What an agent is told of all tools.
const INSTRUCTIONS: &str = include_str!("../templates/mcp.txt");

pub(crate) fn run(args: &Mcp, env: &Environment) -> Result<Outcome> {
    let server = Server {
        shelf: Arc::new(Shelf::open(&args.target.store, args.cache, env)?),
        may_change: args.write,
        door: None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("cannot start the server")?.block_on(async {
        let service = server.serve(rmcp::transport::stdio()).await;
        let service = service.context("the agent did not begin as the protocol says")?;
        service.waiting().await.context("the server failed")
    })?;
    Ok(Outcome::Done)
}

/// The same over HTTP, a reply for each message.
pub(crate) fn service(
    shelf: &Arc<Shelf>,
    door: &Arc<Door>,
    max_body: usize,
) -> StreamableHttpService<impl ServerHandler + use<>, NeverSessionManager> {
    let server = Server {
        shelf: Arc::clone(shelf),
        may_change: door.may_change,
        door: Some(Arc::clone(door)),
    };
    // Who may ask is settled before.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(max_body)
        .disable_allowed_hosts();
    StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config)
}

#[derive(Clone)]
struct Server {
    shelf: Arc<Shelf>,
    may_change: bool,
    /// Where a place to work is waited for; over the standard streams one asks alone.
    door: Option<Arc<Door>>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("banyan", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS.trim())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let changes = tool::CHANGES.iter().filter(|_| self.may_change);
        let names = tool::TOOLS
            .iter()
            .map(|name| (name, true))
            .chain(changes.map(|name| (name, false)));
        let tools = names.map(|(name, is_read)| {
            let schema = tool::schema(name).as_object().cloned().unwrap_or_default();
            let acts = ToolAnnotations::new().read_only(is_read).open_world(false);
            Tool::new(*name, tool::purpose(name), schema).with_annotations(acts)
        });
        let tools: Vec<Tool> = tools.collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (shelf, may_change) = (Arc::clone(&self.shelf), self.may_change);
        let given = request.arguments.unwrap_or_default();
        let turn = match &self.door {
            Some(door) => {
                // Nobody waits for it any more.
                let gone = || ErrorData::internal_error("the request was given up on", None);
                let turn = tokio::select! {
                    () = context.ct.cancelled() => return Err(gone()),
                    turn = door.turn() => turn,
                };
                match turn {
                    Ok(turn) => Some(turn),
                    Err(refusal) => return Ok(CallToolResult::error(vec![ContentBlock::text(refusal.why)]).into()),
                }
            }
            None => None,
        };
        let work = tokio::task::spawn_blocking(move || {
            if may_change && tool::CHANGES.contains(&&*request.name) {
                let changed = shelf.change(&request.name, &given);
                drop(turn);
                return changed;
            }
            let call = || shelf.call(&request.name, &given, Form::Words);
            match &turn {
                Some(turn) => turn.work(call),
                None => call(),
            }
        });
        let reply = match work.await {
            Ok(Ok(text)) => CallToolResult::success(vec![ContentBlock::text(cut(text))]),
            Ok(Err(error)) => CallToolResult::error(vec![ContentBlock::text(format!("{error:#}"))]),
            Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
        };
        Ok(reply.into())
    }
}

/// A reply of a length that an agent reads.
fn cut(mut text: String) -> String {
    if text.len() > MAX_REPLY {
        text.truncate(text.floor_char_boundary(MAX_REPLY));
        text += "\n… cut here; ask for less, with a smaller limit";
    }
    text
}
