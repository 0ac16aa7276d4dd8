//! Compiled extractors as files: read, checked against a schema, written.

use crate::extraction::Reader;
use crate::ontology::Ontology;
use anyhow::{Context, Result, bail};
use banyan_engine::schema::snake_case;
use banyan_engine::{DocumentId, Schema};
use banyan_extract::SentenceReader;
use banyan_extract::learn::Patterns;
use banyan_extract::statement::{General, Relation};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// A compiled extractor that reads documents.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The text of its file, as the store keeps it.
    pub text: String,
    /// What it reads with.
    pub reader: SentenceReader,
}

impl Compiled {
    /// What the user chose for a build under `schema`; it goes with the embedded rules alone.
    pub fn chosen(file: Option<&Path>, extractor: &Reader, schema: &Schema) -> Result<Option<Self>> {
        if file.is_some() && *extractor != Reader::Embedded {
            bail!("--patterns reads beside the embedded rules; leave out --extractor, or --patterns");
        }
        file.map(|file| Self::open(file, schema)).transpose()
    }

    fn open(file: &Path, schema: &Schema) -> Result<Self> {
        let patterns = read(file)?;
        let defines = |label: &str| {
            let name = snake_case(label);
            schema.relation_id(&name).is_some() || schema.attribute_id(&name).is_some()
        };
        check(&patterns, schema.name(), defines).with_context(|| file.display().to_string())?;
        Self::new(&patterns)
    }

    /// What a store keeps: nothing where it was built without one.
    pub fn stored(text: &str) -> Result<Option<Self>> {
        if text.is_empty() {
            return Ok(None);
        }
        let patterns = Patterns::parse(text).context("the compiled extractor of the store")?;
        Self::new(&patterns).map(Some)
    }

    fn new(patterns: &Patterns) -> Result<Self> {
        Ok(Self {
            text: patterns.to_text()?,
            reader: SentenceReader::compiled(patterns, &General::built_in()?),
        })
    }

    /// Its content address.
    pub fn id(&self) -> DocumentId {
        DocumentId::of("", &self.text)
    }
}

/// Relations of another schema that an error names at most. Arbitrary.
const MAX_NAMED: usize = 3;

/// Reads a compiled extractor.
pub fn read(file: &Path) -> Result<Patterns> {
    let text = fs::read_to_string(file).with_context(|| {
        format!(
            "{}: cannot read; name a file that `banyan extract learn` wrote",
            file.display()
        )
    })?;
    Patterns::parse(&text).with_context(|| file.display().to_string())
}

/// Refuses a compiled extractor that asks for relations which `schema` does not define.
pub fn check(patterns: &Patterns, schema: &str, defines: impl Fn(&str) -> bool) -> Result<()> {
    let labels = patterns.relations.iter().map(|relation| relation.label.as_str());
    let foreign: Vec<&str> = labels.filter(|label| !defines(label)).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let named = foreign.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join(", ");
    bail!(
        "the patterns were compiled for schema {}; {} of their {} relations are not in {schema} ({named}): learn them with --schema of this one",
        patterns.schema,
        foreign.len(),
        patterns.relations.len()
    )
}

/// The name and relations of a schema file, spelled as its examples spell them.
pub fn relations(file: &Path) -> Result<(Schema, Vec<Relation>)> {
    let schema = crate::commands::read_schema(file)?;
    let text = fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?;
    let relations = match Ontology::from_json(&text) {
        Ok(ontology) => ontology.relations,
        Err(_) => Relation::all(&schema),
    };
    Ok((schema, relations))
}

/// Writes a compiled extractor to a file that does not exist: whole, or not at all.
pub fn write(file: &Path, patterns: &Patterns) -> Result<()> {
    let shown = file.display();
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let staged = tempfile::Builder::new()
        .prefix(".patterns-")
        .make_in(directory.unwrap_or(Path::new(".")), |path| File::create_new(path))
        .with_context(|| format!("{shown}: cannot create; name a file in a directory that exists"))?;
    let text = patterns.to_text()?;
    let mut out = staged.as_file();
    writeln!(out, "{text}")
        .and_then(|()| out.sync_all())
        .with_context(|| format!("{shown}: cannot write (is the disk full?)"))?;
    match staged.persist_noclobber(file) {
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => bail!(taken(file)),
        written => written.map(drop).with_context(|| format!("{shown}: cannot write")),
    }
}

/// What is said of a file that is there.
pub fn taken(file: &Path) -> String {
    format!(
        "{}: exists already, and compiled extractors are not written over; name another",
        file.display()
    )
}
