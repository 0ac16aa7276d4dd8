//! What others may ask of a store, over HTTP and MCP: commands by their names, whose arguments are the parameters. The command
//! line is the one definition of them.

use super::{atlas, communities, correct, graph, query, records, resolve, schema, stats};
use crate::args::{Args, Cache, Command, Schema};
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use banyan::{Banyan, Environment, nearest};
use banyan_retrieve::reason::Listener;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches};
use serde_json::{Map, Value, json};
use std::any::TypeId;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The commands that only ask.
pub(crate) const TOOLS: [&str; 8] = [
    "query",
    "node",
    "neighbours",
    "paths",
    "match",
    "communities",
    "records",
    "stats",
];
/// The commands by which somebody decides on a store.
pub(crate) const CHANGES: [&str; 9] = [
    "note",
    "remove",
    "fact_add",
    "fact_remove",
    "entity_rename",
    "entity_retype",
    "entity_delete",
    "resolve",
    "schema_decide",
];
/// Arguments that say how to print. What names a file of this machine is left out by its type.
const PRINTING: [&str; 5] = ["json", "explain", "trace", "dry_run", "ledger"];

/// What the command line says that a tool does.
pub(crate) fn purpose(tool: &str) -> String {
    command(tool)
        .and_then(clap::Command::get_about)
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// The parameters of a tool as a JSON schema of an object.
pub(crate) fn schema(tool: &str) -> Value {
    let parameters = parameters(tool);
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

/// How a reply is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the commands print it with `--json`.
    Json,
    /// As they print it without.
    Words,
    /// A question's answer with its sources, in Markdown; else as words.
    Brief,
}

/// A store that is asked while others may change it.
pub(crate) struct Shelf {
    store: PathBuf,
    env: Environment,
    /// Bytes that may have been read before all of them are let go.
    budget: u64,
    open: Mutex<Arc<Banyan>>,
}

impl Shelf {
    /// # Errors
    /// Where there is no store that this version reads.
    pub(crate) fn open(store: &Path, cache: Cache, env: &Environment) -> Result<Self> {
        Ok(Self {
            store: store.to_owned(),
            env: env.clone(),
            budget: u64::from(cache.cache_mb) << 20,
            open: Mutex::new(Arc::new(Banyan::open(store, env.clone())?)),
        })
    }

    /// All that the store holds but its texts, for the explorer.
    pub(crate) fn atlas(&self, may_change: bool) -> Result<String> {
        let reader = atlas::Reader::Caller { may_change };
        let banyan = self.current()?;
        atlas::atlas(&banyan, self.name(), reader)
    }

    /// One of its documents; `None` where it has no such.
    pub(crate) fn document(&self, number: usize) -> Result<Option<String>> {
        let banyan = self.current()?;
        atlas::document(&banyan, number)
    }

    /// The store as it is now: it is opened again where somebody changed it, or more of it was read than is to be kept. Who
    /// asks it already goes on with what is open.
    fn current(&self) -> Result<Arc<Banyan>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.n_bytes_read() > self.budget || !open.is_current()? {
            *open = Arc::new(Banyan::open(&self.store, self.env.clone())?);
        }
        Ok(Arc::clone(&open))
    }

    /// What the store is called.
    pub(crate) fn name(&self) -> String {
        render::stem(&self.store)
    }

    /// Decides what is asked for, and says so. Cost that of the command.
    ///
    /// # Errors
    /// As of [`Self::call`]; then the store is as it was.
    pub(crate) fn change(&self, tool: &str, given: &Map<String, Value>) -> Result<String> {
        let env = self.env.clone();
        match parsed(tool, given, &self.store)? {
            Command::Note(args) => {
                let name = Banyan::open(&self.store, env)?.note(&args.title, &args.text)?;
                return Ok(json!({"changed": true, "document": name}).to_string());
            }
            Command::Fact(args) => correct::fact(args, env)?,
            Command::Entity(args) => correct::entity(args, env)?,
            Command::Remove(args) => {
                Banyan::open(&self.store, env)?.remove(&args.documents, &args.options())?;
                Outcome::Done
            }
            Command::Schema(Schema::Decide(args)) => schema::decide(&args, env)?,
            Command::Resolve(args) => match resolve::verdict(&args) {
                Some(verdict) => resolve::decide(&args, &verdict, env)?,
                None => bail!("expected merge, split or undo"),
            },
            _ => bail!("{tool:?}: changes nothing; expected one of {}", CHANGES.join(", ")),
        };
        Ok(json!({"changed": true}).to_string())
    }

    /// What a tool says of the store.
    ///
    /// # Errors
    /// Where a parameter is unknown, missing or out of its range, or the store has no answer; a [`banyan::Error`] where the
    /// store or a model is at fault.
    pub(crate) fn call(&self, tool: &str, given: &Map<String, Value>, form: Form) -> Result<String> {
        self.heard(tool, given, form, &mut |_| {})
    }

    /// As [`Self::call`]; a question's steps are told to `hears` as they are done.
    pub(crate) fn heard(
        &self,
        tool: &str,
        given: &Map<String, Value>,
        form: Form,
        hears: Listener<'_>,
    ) -> Result<String> {
        if !TOOLS.contains(&tool) {
            bail!("{tool:?}: no tool; expected one of {}", TOOLS.join(", "));
        }
        let command = parsed(tool, given, &self.store)?;
        let banyan = self.current()?;
        let (found, template) = match command {
            Command::Query(args) => return query::reply(&banyan, &args, form, hears),
            Command::Records(args) => return records::reply(&banyan, &args, form == Form::Json),
            Command::Node(args) => (graph::node_view(&banyan, &args)?, graph::TEMPLATE),
            Command::Neighbours(args) => (graph::neighbours_view(&banyan, &args)?, graph::TEMPLATE),
            Command::Paths(args) => (graph::paths_view(&banyan, &args)?, graph::TEMPLATE),
            Command::Match(args) => (graph::matching_view(&banyan, &args)?, graph::TEMPLATE),
            Command::Communities(args) => (communities::view(&banyan, &args)?, communities::TEMPLATE),
            Command::Stats(args) => {
                let counts = serde_json::to_value(stats::view(&banyan, &args)?);
                (counts.context("cannot encode JSON")?, stats::TEMPLATE)
            }
            _ => bail!("{tool}: not answered"),
        };
        match form {
            Form::Json => Ok(found.get("node").unwrap_or(&found).to_string()),
            Form::Words | Form::Brief => render::page(template, &found),
        }
    }
}

/// The command line, described once.
static ARGS: LazyLock<clap::Command> = LazyLock::new(Args::command);
/// The same, as it is when it has been used: to describe it anew would take longer than most answers.
static LINE: LazyLock<Mutex<clap::Command>> = LazyLock::new(|| Mutex::new(Args::command()));

/// The command that a tool is, such as `fact add` of `fact_add`.
fn command(tool: &str) -> Option<&'static clap::Command> {
    tool.split('_')
        .try_fold(&*ARGS, |command, name| command.find_subcommand(name))
}

/// The command line of a call, understood.
fn parsed(tool: &str, given: &Map<String, Value>, store: &Path) -> Result<Command> {
    let parameters = parameters(tool);
    let names: Vec<String> = parameters.iter().map(|arg| name(arg)).collect();
    if let Some(strange) = given.keys().find(|key| !names.contains(key)) {
        let near = nearest(strange, names.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        bail!(
            "{strange:?}: {tool} has no such parameter, but {}{near}",
            names.join(", ")
        );
    }
    let mut line = vec!["banyan".to_owned()];
    line.extend(tool.split('_').map(str::to_owned));
    line.push(format!("--store={}", store.display()));
    let mut positional = Vec::new();
    for arg in &parameters {
        let long = arg.get_long().unwrap_or_default();
        let values = match given.get(&name(arg)) {
            None | Some(Value::Null) if arg.is_positional() => bail!("{}: expected; {tool} needs it", name(arg)),
            None | Some(Value::Null) => continue,
            Some(Value::Array(values)) => values.as_slice(),
            Some(value) => std::slice::from_ref(value),
        };
        let is_tuple = arg.get_num_args().is_some_and(|n| n.min_values() > 1);
        if is_tuple {
            line.push(format!("--{long}"));
        }
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
                _ if is_tuple => line.push(text),
                _ => line.push(format!("--{long}={text}")),
            }
        }
    }
    if !positional.is_empty() {
        line.push("--".to_owned());
        line.append(&mut positional);
    }
    let mut described = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    let matches = described.try_get_matches_from_mut(line);
    drop(described);
    let args = matches.and_then(|mut matches| Args::from_arg_matches_mut(&mut matches));
    let args = args.map_err(|error| {
        let said = error.to_string();
        let said = said.split("\n\n").next().unwrap_or_default();
        anyhow::anyhow!("{}", said.trim_start_matches("error: ").replace('\n', " "))
    })?;
    Ok(args.command)
}

/// The arguments of a command that are parameters of the tool, in order.
fn parameters(tool: &str) -> Vec<&'static Arg> {
    let arguments = command(tool).into_iter().flat_map(clap::Command::get_arguments);
    let is_offered = |arg: &&Arg| {
        // What `resolve` lists is no decision.
        let is_listing = tool == "resolve" && arg.is_positional();
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        !is_path
            && !is_listing
            && !PRINTING.contains(&arg.get_id().as_str())
            && (arg.is_positional() || arg.get_long().is_some())
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
    let is_list = arg.get_num_args().is_some_and(|n| n.max_values() > 1);
    if is_list || matches!(arg.get_action(), ArgAction::Append) {
        property = json!({"type": "array", "items": property});
    }
    property["description"] = arg.get_help().map(ToString::to_string).into();
    property
}
