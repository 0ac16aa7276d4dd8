//! What others may ask of a store, over HTTP and MCP: commands by their names, whose arguments are the parameters. The command
//! line is the one definition of them.

use super::{communities, graph, query, stats};
use crate::args::{Args, Command};
use anyhow::{Context, Result, bail};
use banyan::{Banyan, nearest};
use clap::{Arg, ArgAction, CommandFactory, Parser};
use serde_json::{Map, Value, json};
use std::any::TypeId;
use std::path::{Path, PathBuf};

/// The commands that only ask.
pub(crate) const TOOLS: [&str; 7] = ["query", "node", "neighbours", "paths", "match", "communities", "stats"];
/// Arguments that say how to print. What names a file of this machine is left out by its type.
const PRINTING: [&str; 5] = ["json", "explain", "trace", "dry_run", "ledger"];

/// What the command line says that a tool does.
pub(crate) fn purpose(tool: &str) -> String {
    let args = Args::command();
    let command = args.find_subcommand(tool);
    command
        .and_then(clap::Command::get_about)
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// The parameters of a tool as a JSON schema of an object.
pub(crate) fn schema(tool: &str) -> Value {
    let args = Args::command();
    let parameters = parameters(&args, tool);
    let properties = parameters.iter().map(|arg| (name(arg), property(arg)));
    let properties: Map<String, Value> = properties.collect();
    let required = parameters.iter().filter(|arg| arg.is_positional()).map(|arg| name(arg));
    json!({
        "type": "object",
        "properties": properties,
        "required": required.collect::<Vec<_>>(),
        "additionalProperties": false,
    })
}

/// What a tool says of the store at `store`, which `banyan` is open on, as JSON.
///
/// # Errors
/// Where a parameter is unknown, missing or out of its range, or the store has no answer; a [`banyan::Error`] where the store
/// or a model is at fault.
pub(crate) fn call(tool: &str, given: &Map<String, Value>, banyan: &Banyan, store: &Path) -> Result<String> {
    let found = match parsed(tool, given, store)? {
        Command::Query(args) => return query::reply(banyan, &args),
        Command::Node(args) => graph::node_view(banyan, &args)?["node"].take(),
        Command::Neighbours(args) => graph::neighbours_view(banyan, &args)?,
        Command::Paths(args) => graph::paths_view(banyan, &args)?,
        Command::Match(args) => graph::matching_view(banyan, &args)?,
        Command::Communities(args) => communities::view(banyan, &args)?,
        Command::Stats(args) => serde_json::to_value(stats::view(banyan, &args)?).context("cannot encode JSON")?,
        _ => bail!("{tool}: no tool; expected one of {}", TOOLS.join(", ")),
    };
    Ok(found.to_string())
}

/// The command line of a call, understood.
fn parsed(tool: &str, given: &Map<String, Value>, store: &Path) -> Result<Command> {
    let args = Args::command();
    let parameters = parameters(&args, tool);
    let names: Vec<String> = parameters.iter().map(|arg| name(arg)).collect();
    if let Some(strange) = given.keys().find(|key| !names.contains(key)) {
        let near = nearest(strange, names.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        bail!(
            "{strange:?}: {tool} has no such parameter, but {}{near}",
            names.join(", ")
        );
    }
    let mut line = vec![
        "banyan".to_owned(),
        tool.to_owned(),
        format!("--store={}", store.display()),
    ];
    let mut positional = vec!["--".to_owned()];
    for arg in &parameters {
        let long = arg.get_long().unwrap_or_default();
        let values = match given.get(&name(arg)) {
            None | Some(Value::Null) if arg.is_positional() => bail!("{}: expected; {tool} needs it", name(arg)),
            None | Some(Value::Null) => continue,
            Some(Value::Array(values)) => values.as_slice(),
            Some(value) => std::slice::from_ref(value),
        };
        for value in values {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => bail!("{}: expected a text, a number or a list of them", name(arg)),
            };
            match arg.get_action() {
                _ if arg.is_positional() => positional.push(text),
                ArgAction::SetTrue if text == "true" => line.push(format!("--{long}")),
                ArgAction::SetTrue if text == "false" => {}
                ArgAction::SetTrue => bail!("{}: expected true or false, found {text:?}", name(arg)),
                _ => line.push(format!("--{long}={text}")),
            }
        }
    }
    line.append(&mut positional);
    let args = Args::try_parse_from(line).map_err(|error| {
        let said = error.to_string();
        let said = said.split("\n\n").next().unwrap_or_default();
        anyhow::anyhow!("{}", said.trim_start_matches("error: ").replace('\n', " "))
    })?;
    Ok(args.command)
}

/// The arguments of a command that are parameters of the tool, in order.
fn parameters<'a>(args: &'a clap::Command, tool: &str) -> Vec<&'a Arg> {
    let arguments = args
        .find_subcommand(tool)
        .into_iter()
        .flat_map(clap::Command::get_arguments);
    let is_offered = |arg: &&Arg| {
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        !is_path && !PRINTING.contains(&arg.get_id().as_str()) && (arg.is_positional() || arg.get_long().is_some())
    };
    arguments.filter(is_offered).collect()
}

/// What a parameter is called: as on the command line, in one word.
fn name(arg: &Arg) -> String {
    arg.get_long().unwrap_or(arg.get_id().as_str()).replace('-', "_")
}

fn property(arg: &Arg) -> Value {
    let is_of = |kinds: &[TypeId]| kinds.iter().any(|kind| arg.get_value_parser().type_id() == *kind);
    let kind = if matches!(arg.get_action(), ArgAction::SetTrue) {
        "boolean"
    } else if is_of(&[TypeId::of::<u8>(), TypeId::of::<u16>(), TypeId::of::<usize>()]) {
        "integer"
    } else if is_of(&[TypeId::of::<f32>()]) {
        "number"
    } else {
        "string"
    };
    let mut property = json!({"type": kind});
    let values = arg.get_possible_values();
    if kind == "string" && !values.is_empty() {
        property["enum"] = values.iter().map(clap::builder::PossibleValue::get_name).collect();
    }
    if let [default] = arg.get_default_values()
        && kind != "boolean"
    {
        let default = default.to_string_lossy();
        property["default"] = match kind {
            "string" => default.into(),
            _ => serde_json::from_str(&default).unwrap_or_default(),
        };
    }
    if matches!(arg.get_action(), ArgAction::Append) {
        property = json!({"type": "array", "items": property});
    }
    property["description"] = arg.get_help().map(ToString::to_string).into();
    property
}
