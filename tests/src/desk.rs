//! A directory of its own for every test, with the files it needs and the program run in it.

use crate::program::{Program, Run};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A temporary directory in which the program runs; removed at the end.
///
/// Files are named relative to it, so that messages and dumps do not depend on where it lies. Its store is `store`,
/// unless a command names another.
#[derive(Debug)]
pub struct Desk {
    program: Program,
    exam: Program,
    directory: TempDir,
}

impl Desk {
    /// An empty desk for `banyan` and `banyan-eval`.
    pub fn new(program: Program, exam: Program) -> Self {
        let directory = TempDir::new().expect("a temporary directory can be made");
        Self {
            program,
            exam,
            directory,
        }
    }

    /// The desk with one more file, and the directories it needs.
    #[must_use]
    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.put(name, content);
        self
    }

    /// The desk with these files, and the directories they need.
    #[must_use]
    pub fn with_files<N: AsRef<str>, C: AsRef<[u8]>>(self, files: impl IntoIterator<Item = (N, C)>) -> Self {
        files
            .into_iter()
            .fold(self, |desk, (name, content)| desk.with(name.as_ref(), content))
    }

    /// Writes a file, and the directories it needs.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a directory")).expect("the directory can be made");
        fs::write(path, content).expect("the file can be written");
    }

    /// Where a file of this desk lies.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The text of a file of this desk.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// `banyan` with these arguments, not yet started.
    pub fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = self.program.command(self.directory.path());
        command.args(args);
        command
    }

    /// Runs `banyan` with these arguments to its end.
    pub fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Run {
        self.command(args).output().expect("the program starts").into()
    }

    /// Runs `banyan` with the words of a line to its end.
    pub fn banyan(&self, line: &str) -> Run {
        self.run(line.split_whitespace())
    }

    /// Asks the store a question; `options` are words. Unless they name a mode, for the best answer there is.
    pub fn ask(&self, question: &str, options: &str) -> Run {
        let mode = if options.contains("--mode") { "" } else { "--mode=open" };
        let options = options.split_whitespace().chain(mode.split_whitespace());
        self.run(["query", question].into_iter().chain(options))
    }

    /// Runs `banyan-eval` with the words of a line to its end.
    pub fn exam(&self, line: &str) -> Run {
        let mut command = self.exam.command(self.directory.path());
        command.args(line.split_whitespace());
        command.output().expect("the program starts").into()
    }

    /// Runs `script` in a POSIX shell to its end; in it `$BANYAN` is the program.
    pub fn shell(&self, script: &str) -> Run {
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .current_dir(self.directory.path())
            .env("BANYAN", self.program.path())
            .env("BANYAN_EMBEDDER", "none")
            .env("BANYAN_STORE", "store");
        command.output().expect("the shell starts").into()
    }

    /// What `banyan dump` prints of a store.
    #[track_caller]
    pub fn dump(&self, store: &str) -> String {
        self.run(["dump", "--store", store]).done().stdout
    }
}

/// Holds that two dumps are the same, and shows the first line in which they differ where they are not.
#[track_caller]
pub fn same(found: &str, expected: &str, when: &str) {
    let differing = found
        .lines()
        .zip(expected.lines())
        .find(|(found, expected)| found != expected);
    if let Some((found, expected)) = differing {
        assert_eq!(found, expected, "{when}: the first line that differs");
    }
    assert_eq!(found.len(), expected.len(), "{when}: one goes on where the other ends");
}
