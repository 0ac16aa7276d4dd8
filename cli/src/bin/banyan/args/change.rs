//! What makes and changes a store, as it is typed.

use super::{Target, share};
use banyan::global::one_of;
use banyan::{AddOptions, BuildOptions, CommunityUpdate, ExtractorKind, Joining, ReadOptions, RemoveOptions, Worker};
use banyan_engine::schema::SchemaMode;
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// How files become documents.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Read {
    /// Stop at the first file that cannot be read, instead of listing it and going on
    #[arg(long)]
    strict: bool,
    /// Read source code in directories, too: what comments say, and the code to be found by its words
    #[arg(long)]
    code: bool,
    /// Field of JSON and Parquet records that holds the text
    #[arg(long, value_name = "NAME")]
    text_field: Option<String>,
    /// Field that holds the title
    #[arg(long, value_name = "NAME")]
    title_field: Option<String>,
}

impl From<&Read> for ReadOptions {
    fn from(read: &Read) -> Self {
        Self {
            strict: read.strict,
            code: read.code,
            text_field: read.text_field.clone(),
            title_field: read.title_field.clone(),
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReadFiles {
    /// Files of any kind that `build` reads
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) read: Read,
    /// Print JSON: a list with documents and remarks for each file
    #[arg(long)]
    pub(crate) json: bool,
    /// Give up where reading the first file takes too much time or memory
    #[arg(long, hide = true)]
    pub(crate) bounded: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Build {
    /// Files (txt, md, html, pdf, docx, pptx, xlsx, csv, rst, adoc, org, json, jsonl, parquet) and directories
    #[arg(required_unless_present = "facts", value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) read: Read,
    /// Facts that were written down: JSON lines or CSV with head, relation, tail and perhaps source, or N-Triples
    #[arg(long, value_name = "FILE")]
    facts: Vec<PathBuf>,
    /// Schema (JSON) that bounds what is extracted; the built-in general one by default
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// What the schema does not define is refused (`strict`), proposed and accepted from a confidence of --mu
    /// (`expand`), or accepted at once (`open`)
    #[arg(long, default_value = "strict", value_parser = one_of(&[("strict", SchemaMode::Strict), ("expand", SchemaMode::Expand), ("open", SchemaMode::Open)]))]
    schema_mode: SchemaMode,
    /// Least confidence with which --schema-mode expand accepts, 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.9, value_parser = share)]
    mu: f32,
    /// Who reads the facts: `embedded` (rules, no model), `llm` (the configured language model), or `recorded:FILE` (what
    /// another system said of each record)
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    extractor: ExtractorKind,
    /// Who writes names and summaries of communities: `embedded` or `llm`
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(Worker::ALL))]
    summaries: Worker,
    /// Ask again about what the model gave no usable reply to
    #[arg(long)]
    retry_failed: bool,
    /// List what would be read of each file, or with `--extractor llm` tell calls, tokens and cost, and build nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// With --dry-run: print JSON
    #[arg(long, requires = "dry_run")]
    pub(crate) json: bool,
}

impl Build {
    /// The same without a schema, which is a file yet to be read.
    pub(crate) fn options(&self) -> BuildOptions {
        BuildOptions {
            read: (&self.read).into(),
            schema: None,
            schema_mode: self.schema_mode,
            mu: self.mu,
            extractor: self.extractor.clone(),
            summaries: self.summaries,
            retry_failed: self.retry_failed,
            facts: self.facts.clone(),
        }
    }
}

/// When what is added or removed is joined with the whole.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Join {
    /// When the change is joined with the rest of the store: `now`; `later`, by `banyan compact`, until when what is new is read
    /// on its own, and what is gone is kept in the files of the store; or `auto` (later where the store is large)
    #[arg(long = "join", value_name = "WHEN", default_value = "auto", value_parser = one_of(&[("auto", Joining::Auto), ("now", Joining::Now), ("later", Joining::Later)]))]
    when: Joining,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Add {
    /// Files and directories
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    read: Read,
    /// What becomes of the communities now: `refresh` them, `detect` them anew, or `auto` (detect where much changed). By
    /// default they follow `--join`; joined at once it is `auto`
    #[arg(long, value_name = "HOW", value_parser = one_of(UPDATES))]
    communities: Option<CommunityUpdate>,
    #[command(flatten)]
    join: Join,
}

impl Add {
    pub(crate) fn options(&self) -> AddOptions {
        AddOptions {
            read: (&self.read).into(),
            communities: self.communities,
            joining: self.join.when,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Note {
    /// What it is about
    pub(crate) title: String,
    /// The text; on the command line `-` is stdin
    pub(crate) text: String,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Compact {
    #[command(flatten)]
    pub(crate) target: Target,
    /// As for `add`
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = one_of(UPDATES))]
    pub(crate) communities: CommunityUpdate,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Import {
    /// JSON lines (`{"head", "relation", "tail", "source"?}`), CSV with such a header, or N-Triples; each subject gets a
    /// document that states its facts
    #[arg(required = true, value_name = "FACTS")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Sync {
    /// Files and directories, named as they were when they were added
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    read: Read,
    /// As for `remove`
    #[arg(long, value_name = "HOW", value_parser = one_of(UPDATES))]
    communities: Option<CommunityUpdate>,
    #[command(flatten)]
    join: Join,
}

impl Sync {
    pub(crate) fn options(&self) -> AddOptions {
        AddOptions {
            read: (&self.read).into(),
            communities: self.communities,
            joining: self.join.when,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) sync: Sync,
    /// How often they are looked at; what changed is read once it stayed as it is for so long
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) every: u64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Remove {
    /// Documents by file or directory as it was added, by record (`corpus.jsonl#12`), by title, or by id
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// As for `add`; only `detect`, the default where it is joined at once, leaves what a store has that never had the
    /// documents
    #[arg(long, value_name = "HOW", value_parser = one_of(UPDATES))]
    communities: Option<CommunityUpdate>,
    #[command(flatten)]
    join: Join,
}

impl Remove {
    pub(crate) fn options(&self) -> RemoveOptions {
        RemoveOptions {
            communities: self.communities,
            joining: self.join.when,
        }
    }
}

const UPDATES: &[(&str, CommunityUpdate)] = &[
    ("auto", CommunityUpdate::Auto),
    ("refresh", CommunityUpdate::Refresh),
    ("detect", CommunityUpdate::Detect),
];
