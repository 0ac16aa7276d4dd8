//! The program under test, and what a run of it came to.

use serde_json::Value;
use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Marks of a value printed for programmers where a sentence for users belongs.
const DEBUG_MARKS: [&str; 4] = ["Os {", "kind: ", "backtrace", "panicked"];

/// The `banyan` program and the home directory that it is given.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    binary: &'static str,
    home: &'static str,
}

impl Program {
    /// The program at `binary`, whose caches go below `home`.
    pub const fn new(binary: &'static str, home: &'static str) -> Self {
        Self { binary, home }
    }

    /// A command that runs in `directory` without a model and without the caller's settings.
    pub fn command(self, directory: &Path) -> Command {
        let mut command = Command::new(self.binary);
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("BANYAN_") {
                command.env_remove(name);
            }
        }
        // The whole suite can be run on the other database.
        if let Some(engine) = env::var_os("BANYAN_TEST_ENGINE") {
            command.env("BANYAN_ENGINE", engine);
        }
        command
            .env("HOME", self.home)
            .env("XDG_CACHE_HOME", self.home)
            .env("BANYAN_STORE", "store")
            .current_dir(directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .args(["--embedder", "none", "--parser", "none"]);
        command
    }

    /// The program's path, for scripts that start it.
    pub const fn path(self) -> &'static str {
        self.binary
    }
}

/// What a finished run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Exit code; `None` for a process ended by a signal.
    pub code: Option<i32>,
    /// Results.
    pub stdout: String,
    /// Everything else.
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Run {
    /// The run, which must have done its work: exit code 0.
    #[track_caller]
    pub fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "expected success: {self:#?}");
        self
    }

    /// The run, whose results must contain each of these.
    #[track_caller]
    pub fn prints(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stdout.contains(part), "expected {part:?} on stdout: {self:#?}");
        }
        self
    }

    /// The run, which must have told each of these beside its results.
    #[track_caller]
    pub fn tells(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "expected {part:?} on stderr: {self:#?}");
        }
        self
    }

    /// The run, which must have found no answer: exit code 1 and no error.
    #[track_caller]
    pub fn unanswered(self) -> Self {
        assert_eq!(self.code, Some(1), "expected no answer: {self:#?}");
        assert!(!self.stderr.contains("error:"), "no answer is not an error: {self:#?}");
        self
    }

    /// Holds that the run was refused: exit code 2, no result, and one `error:` line, the last one, that contains each of
    /// `says`, tells nothing twice and shows no value in the notation of programmers.
    #[track_caller]
    pub fn refused(self, says: &[&str]) {
        assert_eq!(self.code, Some(2), "expected an error: {self:#?}");
        assert_eq!(self.stdout, "", "expected no result beside an error: {self:#?}");
        let n_errors = self.stderr.lines().filter(|line| line.starts_with("error:")).count();
        let last = self.stderr.lines().last().unwrap_or_default();
        assert!(
            n_errors == 1 && last.starts_with("error:"),
            "expected one error line, at the end: {self:#?}"
        );
        for part in says {
            assert!(last.contains(part), "expected {part:?} in: {last}");
        }
        let mut told = BTreeSet::new();
        for part in last.split(": ") {
            assert!(told.insert(part), "{part:?} is told twice in: {last}");
        }
        for mark in DEBUG_MARKS {
            assert!(!last.contains(mark), "expected words, found {mark:?} in: {last}");
        }
    }

    /// The printed JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("the program prints JSON")
    }

    /// The printed lines of JSON.
    #[track_caller]
    pub fn rows(&self) -> Vec<Value> {
        rows(&self.stdout)
    }
}

/// The values of a text of JSON lines.
#[track_caller]
pub fn rows(text: &str) -> Vec<Value> {
    let row = |line| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(row).collect()
}
