//! What answers over a wire, as it is typed.

use super::Target;
use super::change::Read;
use clap::Args as ClapArgs;
use std::net::IpAddr;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Serve {
    /// Directory of a store; of several each is at its name, `http://…/NAME/`
    #[arg(long = "store", value_name = "DIR", env = "BANYAN_STORE", required = true)]
    pub(crate) stores: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) at: Address,
    #[command(flatten)]
    pub(crate) cache: Cache,
    /// Let callers decide on the store, too: what facts, entities, names and the schema are
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) cache: Cache,
    /// Let the agent add notes and decide on the store, too
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Open {
    /// A directory of texts; its store is `FOLDER.banyan` beside it
    pub(crate) folder: PathBuf,
    /// Read what changes in the folder while it is shown
    #[arg(long)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) read: Read,
    #[command(flatten)]
    pub(crate) at: Address,
    #[command(flatten)]
    pub(crate) cache: Cache,
}

/// What is kept of what was read.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Cache {
    /// How much of a store is kept in memory, in MiB as it was before it was compressed; it takes several times as much. Where
    /// more was read, it is read again as it is needed
    #[arg(long, value_name = "MIB", default_value_t = 128)]
    pub(crate) cache_mb: u32,
}

/// Where and to whom answers are given.
#[derive(Debug, ClapArgs)]
pub(crate) struct Address {
    /// Port to listen on; 0 takes a free one, which is told
    #[arg(long, value_name = "N", default_value_t = 8321)]
    pub(crate) port: u16,
    /// Address to listen on; beyond this machine a token is needed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,
    /// What callers have to send as `Authorization: Bearer …`
    #[arg(long, value_name = "TOKEN", env = "BANYAN_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    /// Longest time that answering may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) timeout: u64,
    /// Tell each request on stderr as a line of JSON: when, which address, how it ended, how long it took; never what was asked
    #[arg(long)]
    pub(crate) log: bool,
}
