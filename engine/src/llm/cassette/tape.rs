//! The file behind a cassette.

use super::super::{LlmError, Reply, Request};
use super::line::{self, Key, Line};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of lines, and what was replied to each call on it.
#[derive(Debug)]
pub(super) struct Tape {
    path: PathBuf,
    file: File,
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
        let file = options
            .open(path)
            .map_err(|source| failed(path, "cannot open", source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LlmError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(failed(path, "cannot lock", source)),
        }
        let mut tape = Self::load(path, file)?;
        tape.cut()?;
        Ok(tape)
    }

    /// Opens a cassette to be read only.
    pub(super) fn replay(path: &Path) -> Result<Self, LlmError> {
        refuse_devices(path)?;
        let file = File::open(path).map_err(|source| failed(path, "cannot open", source))?;
        Self::load(path, file)
    }

    fn load(path: &Path, file: File) -> Result<Self, LlmError> {
        let mut tape = Self {
            path: path.to_owned(),
            file: file.try_clone().map_err(|source| failed(path, "cannot open", source))?,
            replies: BTreeMap::new(),
            models: BTreeMap::new(),
            end: 0,
            is_torn: false,
            remark: None,
        };
        let mut reader = BufReader::new(file);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let n_bytes = reader.read_until(b'\n', &mut bytes);
            let n_bytes = n_bytes.map_err(|source| failed(path, "cannot read", source))?;
            if n_bytes == 0 {
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
        let parsed = line::parse(bytes);
        let (key, line) = parsed.map_err(|(expected, found)| LlmError::Cassette {
            path: self.path.clone(),
            line: number,
            expected,
            found,
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
        if self.is_torn {
            let cut = self.file.set_len(self.end);
            cut.map_err(|source| failed(&self.path, "cannot cut off an incomplete line", source))?;
            self.is_torn = false;
        }
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    pub(super) fn len(&self) -> usize {
        self.replies.len()
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

    pub(super) fn has(&self, key: &Key) -> bool {
        self.replies.contains_key(key)
    }

    pub(super) fn forget(&mut self, key: &Key) {
        self.replies.remove(key);
    }

    /// The reply recorded under `key`.
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
        let n_bytes = written.map_err(|source| failed(&self.path, "cannot record a call", source))?;
        self.know(key, model, reply.clone(), n_bytes);
        Ok(())
    }

    fn write(&mut self, line: &Line<'_>) -> std::io::Result<u64> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&bytes)?;
        self.file.sync_data()?;
        Ok(bytes.len() as u64)
    }
}

/// A device or a pipe may never end, and opening it may wait for ever. What is not there yet is no device.
fn refuse_devices(path: &Path) -> Result<(), LlmError> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(failed(path, "cannot open", std::io::Error::other("it is not a file"))),
        _ => Ok(()),
    }
}

fn failed(path: &Path, action: &'static str, source: std::io::Error) -> LlmError {
    LlmError::File {
        path: path.to_owned(),
        action,
        source,
    }
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
        let writable = std::mem::replace(&mut tape.file, File::open(&path).unwrap());
        let error = tape.append(key("b"), "b", &request, &reply).unwrap_err();
        assert!(matches!(error, LlmError::File { .. }) && error.ends_job());
        let mut outside = OpenOptions::new().append(true).open(&path).unwrap();
        outside.write_all(&[b'{'; 10_000]).unwrap();
        assert!(!tape.has(&key("b")));
        tape.file = writable;
        tape.append(key("c"), "c", &request, &reply).unwrap();
        drop(tape);
        let tape = Tape::replay(&path).unwrap();
        assert_eq!((tape.len(), tape.remark()), (2, None));
        assert!(tape.has(&key("a")) && tape.has(&key("c")));
    }
}
