//! `banyan records`, as it is typed.

use super::ModelArgs;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Records {
    /// Predict the columns that documents share
    Induce(Induce),
    /// Fill a record for each document, every cell with where it was read
    Fill(Fill),
    /// Fill the records of the first documents only, to see whether the columns serve
    Preview(Fill),
    /// Ask the records of a corpus: question to SQL to answer
    Ask(Ask),
}

/// Who reads documents for records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reads {
    /// The program, by rules
    Embedded,
    /// The configured language model
    Llm,
}

/// Who does what with records. A command reads of it what it does.
#[derive(Debug, ClapArgs)]
pub(crate) struct RecordsModel {
    /// Who predicts columns
    #[arg(long, value_enum, default_value_t = Reads::Embedded)]
    pub(crate) inducer: Reads,
    /// Who fills records
    #[arg(long, value_enum, default_value_t = Reads::Embedded)]
    pub(crate) filler: Reads,
    /// Who turns a question into SQL
    #[arg(long, value_enum, default_value_t = Reads::Embedded)]
    pub(crate) translator: Reads,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Induce {
    /// Files and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Questions as they will be asked, one a line; the first ten are read
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: Option<PathBuf>,
    /// Print JSON, as --schema reads it
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) who: RecordsModel,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Fill {
    /// Files and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Columns (JSON, or CSV for its header); predicted from the documents where none are given
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) who: RecordsModel,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Ask {
    /// The question
    pub(crate) question: String,
    /// Files and directories
    #[arg(long, required = true, num_args = 1.., value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Columns (JSON, or CSV for its header); predicted from the documents where none are given
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) who: RecordsModel,
}
