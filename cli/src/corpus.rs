//! Paths to documents: walks directories, reads files, and tells what it left out.

use crate::environment::Environment;
use crate::progress::counted;
use anyhow::{Context, Result, bail};
use banyan_engine::document::canonicalise;
use banyan_engine::{Document, Origin};
use banyan_extract::read::{self, Fields, Found};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

mod apart;

pub use apart::bound;

/// What facts of people are said to be read in.
pub const DECIDED: &str = "fact";

/// What notes are said to be read in, before their number.
pub(crate) const NOTE: &str = "note:";

/// Whether what is said to be read in `file` came from a person and is in no file.
pub(crate) fn is_of_person(file: &str) -> bool {
    file == DECIDED || file.starts_with(NOTE)
}

/// Whether a person stated what a document says.
pub fn is_decided(document: &Document) -> bool {
    document.origins.iter().any(|origin| origin.file == DECIDED)
}

/// How files become documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Stop at the first file of a directory that cannot be read; otherwise it is told and left out. A file that is named
    /// itself has to be readable.
    pub strict: bool,
    /// Read source code in directories, too; a file that is named itself is read in any case.
    pub code: bool,
    /// Field of JSON and Parquet records that holds the text; by default the one that is named like a text.
    pub text_field: Option<String>,
    /// Field that holds the title.
    pub title_field: Option<String>,
}

impl ReadOptions {
    /// As they are typed.
    pub(crate) fn arguments(&self) -> Vec<&str> {
        let fields = [("--text-field", &self.text_field), ("--title-field", &self.title_field)];
        let given = fields
            .into_iter()
            .filter_map(|(name, value)| Some([name, value.as_deref()?]));
        given.flatten().collect()
    }
}

/// The text of a file.
///
/// # Errors
/// When it cannot be read, or is no UTF-8.
pub fn text(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{}: cannot read; name another file", file.display()))
}

/// Reads every document below `paths` in canonical order.
///
/// Directories are walked without following links twice or out of what was named; hidden files and files of unknown kinds
/// in them are left out and counted.
pub fn read(paths: &[PathBuf], options: &ReadOptions, env: &Environment) -> Result<Vec<Document>> {
    let mut walk = Walk::new(options);
    for path in paths {
        walk.start(path)?;
    }
    let bar = env.progress.bar("reading", walk.files.len());
    let files = walk.files.par_iter().map(|file| {
        env.stop.check()?;
        let read = if read::is_intricate(&name(file)) {
            apart::read(file, options, env)
        } else {
            parse(file, options)
        };
        bar.step();
        Ok(read)
    });
    let files = files.collect::<Result<Vec<_>>>()?;
    drop(bar);
    let mut documents = Vec::new();
    for (file, read) in walk.files.iter().zip(files) {
        match read {
            Ok(found) => {
                documents.extend(found.documents);
                found.remarks.iter().for_each(|line| env.progress.remark(line));
            }
            Err(error) if !options.strict && !walk.named.contains(file) => {
                walk.left_out.push(format!("left out {error:#}"));
            }
            Err(error) => return Err(error.context("nothing was done; mend the file or take it out")),
        }
    }
    if options.strict
        && let Some(line) = walk.left_out.first()
    {
        bail!("nothing was done; mend the directory or take it out: {line}");
    }
    for line in &walk.left_out {
        env.progress.remark(line);
    }
    if !walk.left_out.is_empty() {
        let n = counted(walk.left_out.len(), "file");
        env.progress.remark(&format!("{n} left out that cannot be read"));
    }
    if walk.n_unknown > 0 {
        env.progress.remark(&format!(
            "{} of other kinds left out (known: {})",
            counted(walk.n_unknown, "file"),
            read::EXTENSIONS.join(", ")
        ));
    }
    if walk.n_code > 0 {
        let n = counted(walk.n_code, "file");
        env.progress.remark(&format!(
            "{n} of source code left out (--code reads their comments and code)"
        ));
    }
    let n_joined = canonicalise(&mut documents);
    if n_joined > 0 {
        env.progress.remark(&format!(
            "{} joined with another of equal title and text",
            counted(n_joined, "document")
        ));
    }
    if documents.is_empty() {
        let places: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        bail!(
            "no documents in {}; expected files of kind {}",
            places.join(", "),
            read::EXTENSIONS.join(", ")
        );
    }
    Ok(documents)
}

/// When each file below `paths` that is read was changed last, and how long it is; what cannot be looked at is not there.
pub(crate) fn state(paths: &[PathBuf], options: &ReadOptions) -> BTreeMap<PathBuf, (Option<SystemTime>, u64)> {
    let mut walk = Walk::new(options);
    for path in paths {
        // What is missing now is told when it is read.
        drop(walk.start(path));
    }
    let files = walk.files.into_iter().filter_map(|file| {
        let found = fs::metadata(&file).ok()?;
        Some((file, (found.modified().ok(), found.len())))
    });
    files.collect()
}

/// What one file holds: at least one document.
///
/// # Errors
/// Where it cannot be read.
pub fn parse(file: &Path, options: &ReadOptions) -> Result<Found> {
    let fields = Fields {
        text: options.text_field.clone(),
        title: options.title_field.clone(),
    };
    let name = name(file);
    let length = fs::metadata(file).map_or(0, |found| found.len());
    if length > MAX_FILE_BYTES {
        bail!("{name}: {length} bytes; expected at most {MAX_FILE_BYTES}: split it");
    }
    let bytes = fs::read(file).with_context(|| format!("{name}: cannot read"))?;
    Ok(read::parse_fields(&name, bytes, &fields)?)
}

/// The file's name as it is stored: as given, with forward slashes, without `.` parts and those that `..` takes back.
pub fn name(file: &Path) -> String {
    let mut parts: Vec<Component> = Vec::new();
    for part in file.components().filter(|part| *part != Component::CurDir) {
        match (part, parts.last()) {
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let name: PathBuf = parts.iter().collect();
    name.to_string_lossy().replace('\\', "/")
}

/// Largest file that is read: what spans of 32 bits can count.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// Drops what was read before from some files.
pub(crate) fn forget(documents: &mut Vec<Document>, files: &BTreeSet<&str>) {
    documents.retain_mut(|document| {
        document.origins.retain(|origin| !files.contains(origin.file.as_str()));
        !document.origins.is_empty()
    });
}

/// The files that documents were read from.
pub(crate) fn files(documents: &[Document]) -> BTreeSet<&str> {
    let origins = documents.iter().flat_map(|document| &document.origins);
    origins.map(|origin| origin.file.as_str()).collect()
}

/// Takes what `wanted` names out of the list; whether anything was named. A document that was read from several places
/// stays as long as one of them is left.
pub(crate) fn drop_matching(documents: &mut Vec<Document>, wanted: &str) -> bool {
    let mut is_found = false;
    documents.retain_mut(|document| {
        if document.title == wanted || document.id.to_string() == wanted {
            is_found = true;
            return false;
        }
        let n = document.origins.len();
        document.origins.retain(|origin| !is_at(origin, wanted));
        is_found |= document.origins.len() < n;
        !document.origins.is_empty()
    });
    is_found
}

fn is_at(origin: &Origin, wanted: &str) -> bool {
    let place = name(Path::new(wanted));
    is_below(&origin.file, &place) || origin.to_string() == place
}

/// Whether a file is, or is below, what is named so; the directory that a command runs in has the empty name.
pub(crate) fn is_below(file: &str, place: &str) -> bool {
    let rest = file.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || place.is_empty() && !rest.starts_with("../"))
}

/// Whether reading would never end or give no text; a pipe is no device.
fn is_device(found: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        found.file_type().is_char_device() || found.file_type().is_block_device()
    }
    #[cfg(not(unix))]
    {
        !found.is_file()
    }
}

#[derive(Default)]
struct Walk {
    files: Vec<PathBuf>,
    /// Those that were named one by one: they have to be readable.
    named: BTreeSet<PathBuf>,
    n_unknown: usize,
    n_code: usize,
    /// Whether source code is read.
    with_code: bool,
    /// Entries of directories that lead nowhere, as remarks.
    left_out: Vec<String>,
    /// Directories seen, by their real path: a loop of links ends here.
    seen: BTreeSet<PathBuf>,
    /// The real path of the directory that was named.
    root: PathBuf,
}

impl Walk {
    fn new(options: &ReadOptions) -> Self {
        Self {
            with_code: options.code,
            ..Self::default()
        }
    }

    fn start(&mut self, path: &Path) -> Result<()> {
        let found =
            fs::metadata(path).with_context(|| format!("nothing was read; check the path {}", path.display()))?;
        if found.is_dir() {
            self.root = fs::canonicalize(path).with_context(|| format!("{}: cannot resolve", path.display()))?;
            return self.directory(path);
        }
        let name = name(path);
        if is_device(&found) || found.is_file() && !read::is_readable(&name) {
            bail!(
                "{name}: unknown kind of file; expected one of {}; nothing was read",
                read::EXTENSIONS.join(", ")
            );
        }
        self.files.push(path.to_owned());
        self.named.insert(path.to_owned());
        Ok(())
    }

    /// Whether an entry is a link to something that is not below the directory that was named, as an archive from
    /// elsewhere may hold.
    fn leads_out(&self, entry: &Path) -> bool {
        let is_link = fs::symlink_metadata(entry).is_ok_and(|found| found.is_symlink());
        is_link && fs::canonicalize(entry).is_ok_and(|real| !real.starts_with(&self.root))
    }

    fn directory(&mut self, path: &Path) -> Result<()> {
        let real = fs::canonicalize(path).with_context(|| format!("{}: cannot resolve", path.display()))?;
        if !self.seen.insert(real) {
            return Ok(());
        }
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let mut entries: Vec<PathBuf> = entries
            .with_context(|| format!("{}: cannot list", path.display()))?
            .into_iter()
            .map(|entry| entry.path())
            .filter(|path| {
                !path
                    .file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with('.'))
            })
            .collect();
        entries.sort();
        for entry in entries {
            if self.leads_out(&entry) {
                let shown = entry.display();
                self.left_out.push(format!(
                    "left out {shown}: a link out of the directory; name what it leads to"
                ));
                continue;
            }
            match fs::metadata(&entry) {
                Ok(found) if found.is_dir() => {
                    if let Err(error) = self.directory(&entry) {
                        self.left_out.push(format!("left out {error:#}"));
                    }
                }
                Ok(found) if found.is_file() && !self.with_code && read::is_code(&entry.to_string_lossy()) => {
                    self.n_code += 1;
                }
                Ok(found) if found.is_file() && read::is_readable(&entry.to_string_lossy()) => self.files.push(entry),
                Ok(_) => self.n_unknown += 1,
                Err(error) => self.left_out.push(format!("left out {}: {error}", entry.display())),
            }
        }
        Ok(())
    }
}
