//! The file behind a cassette.

use super::super::{LlmError, Reply, Request};
use super::line::{self, Key, Line};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of lines, and what was replied to each call on it.
#[derive(Debug, Default)]
pub(super) struct Tape {
    path: PathBuf,
    /// Where it is recorded.
    file: Option<File>,
    replies: BTreeMap<Key, Reply>,
    /// Number of lines by model.
    models: BTreeMap<String, usize>,
    /// Where the next line goes: after the last whole one.
    end: u64,
    /// Whether the file goes on after `end`.
    is_torn: bool,
    remark: Option<String>,
}

impl Tape {
    /// Opens a cassette to be appended to, alone.
    pub(super) fn record(path: &Path) -> Result<Self, LlmError> {
        refuse_devices(path)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        // Prompts hold whole documents.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options
            .open(path)
            .map_err(|error| failed(path, "cannot open", &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let what = "is being written by another process; try again when it has finished";
                return Err(LlmError::Cassette(format!("cassette {} {what}", path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(failed(path, "cannot lock", &error)),
        }
        let mut tape = Self::load(path, &file)?;
        tape.file = Some(file);
        tape.cut()?;
        Ok(tape)
    }

    /// Opens a cassette to be read only.
    pub(super) fn replay(path: &Path) -> Result<Self, LlmError> {
        refuse_devices(path)?;
        let file = File::open(path).map_err(|error| failed(path, "cannot open", &error))?;
        Self::load(path, &file)
    }

    fn load(path: &Path, file: &File) -> Result<Self, LlmError> {
        let mut tape = Self {
            path: path.to_owned(),
            ..Self::default()
        };
        let mut reader = BufReader::new(file);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let n_bytes = reader.read_until(b'\n', &mut bytes);
            if n_bytes.map_err(|error| failed(path, "cannot read", &error))? == 0 {
                break;
            }
            tape.take(number, &bytes)?;
        }
        Ok(tape)
    }

    /// Takes the next line, with its end.
    fn take(&mut self, number: usize, bytes: &[u8]) -> Result<(), LlmError> {
        if bytes.last() != Some(&b'\n') {
            self.is_torn = true;
            self.remark = Some(format!(
                "{}: left out an incomplete last line of {} bytes, as a process that was killed leaves it",
                self.path.display(),
                bytes.len()
            ));
            return Ok(());
        }
        let (key, line) = line::parse(bytes).map_err(|(expected, found)| {
            let place = format!("{}:{number}", self.path.display());
            LlmError::Cassette(format!(
                "{place}: expected {expected}, found {found}; repair or delete the line"
            ))
        })?;
        self.know(key, &line.model, line.reply.into_owned(), bytes.len() as u64);
        Ok(())
    }

    /// Notes a line that stands at `end`.
    fn know(&mut self, key: Key, model: &str, reply: Reply, n_bytes: u64) {
        self.replies.insert(key, reply);
        *self.models.entry(model.to_owned()).or_default() += 1;
        self.end += n_bytes;
    }

    /// Cuts off what stands after the last whole line.
    fn cut(&mut self) -> Result<(), LlmError> {
        if let Some(file) = self.file.as_ref().filter(|_| self.is_torn) {
            let cut = file.set_len(self.end);
            cut.map_err(|error| failed(&self.path, "cannot cut off an incomplete line", &error))?;
            self.is_torn = false;
        }
        Ok(())
    }

    pub(super) fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// The model that all calls are of, where it is one.
    pub(super) fn only_model(&self) -> Option<&str> {
        let mut models = self.models.keys();
        models.next().filter(|_| models.next().is_none()).map(String::as_str)
    }

    /// What is on it, for people.
    pub(super) fn summary(&self) -> String {
        let models: Vec<String> = self.models.iter().map(|(model, n)| format!("{n} by {model}")).collect();
        if models.is_empty() {
            return "it has no calls".to_owned();
        }
        format!("it has calls: {}", models.join(", "))
    }

    /// The error for a call that is not on it.
    pub(super) fn missing(&self, key: &str, request: &str, model: &str) -> LlmError {
        LlmError::Missing(format!(
            "{}: no reply is recorded for request {key} ({request}) to {model}; {}",
            self.path.display(),
            self.summary()
        ))
    }

    pub(super) fn has(&self, key: &Key) -> bool {
        self.replies.contains_key(key)
    }

    pub(super) fn forget(&mut self, key: &Key) {
        self.replies.remove(key);
    }

    pub(super) fn reply(&self, key: &Key) -> Option<Reply> {
        let mut reply = self.replies.get(key)?.clone();
        reply.usage.is_replayed = true;
        Some(reply)
    }

    /// Appends a call, whole and synced.
    pub(super) fn append(&mut self, key: Key, model: &str, request: &Request, reply: &Reply) -> Result<(), LlmError> {
        self.cut()?;
        let line = Line {
            key: key.to_string(),
            model: Cow::Borrowed(model),
            request: Cow::Borrowed(request),
            reply: Cow::Borrowed(reply),
        };
        let written = self.write(&line);
        // Until it is known to be whole, whatever stands after the last whole line is torn.
        self.is_torn = written.is_err();
        let n_bytes = written.map_err(|error| failed(&self.path, "cannot record a call", &error))?;
        self.know(key, model, reply.clone(), n_bytes);
        Ok(())
    }

    fn write(&mut self, line: &Line<'_>) -> io::Result<u64> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        let file = self.file.as_mut().ok_or(io::ErrorKind::PermissionDenied)?;
        file.seek(SeekFrom::Start(self.end))?;
        file.write_all(&bytes)?;
        file.sync_data()?;
        Ok(bytes.len() as u64)
    }
}

/// A device or a pipe may never end, and opening it may wait for ever. What is not there yet is no device.
fn refuse_devices(path: &Path) -> Result<(), LlmError> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(failed(path, "cannot open", &io::Error::other("it is not a file"))),
        _ => Ok(()),
    }
}

fn failed(path: &Path, action: &str, error: &io::Error) -> LlmError {
    LlmError::Cassette(format!("{}: {action}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{Finish, Usage};

    #[test]
    fn a_line_that_could_not_be_written_leaves_no_rest() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cassette");
        let mut tape = Tape::record(&path).unwrap();
        let request = Request {
            system: String::new(),
            user: String::new(),
            shape: None,
            max_reply_tokens: 1,
        };
        let reply = Reply {
            text: "[]".into(),
            usage: Usage::default(),
            finish: Finish::Stop,
        };
        let key = |model| Key::of(model, &request);
        tape.append(key("a"), "a", &request, &reply).unwrap();
        // A disk that is full takes a part of a line, and then nothing.
        let writable = tape.file.replace(File::open(&path).unwrap());
        let error = tape.append(key("b"), "b", &request, &reply).unwrap_err();
        assert!(matches!(error, LlmError::Cassette(_)) && error.ends_job());
        let mut outside = OpenOptions::new().append(true).open(&path).unwrap();
        outside.write_all(&[b'{'; 10_000]).unwrap();
        assert!(!tape.has(&key("b")));
        tape.file = writable;
        tape.append(key("c"), "c", &request, &reply).unwrap();
        drop(tape);
        let tape = Tape::replay(&path).unwrap();
        assert_eq!((tape.replies.len(), tape.remark()), (2, None));
        assert!(tape.has(&key("a")) && tape.has(&key("c")));
    }
}
