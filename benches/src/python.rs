//! Python beside us: a virtual environment that pip fills once, and a script that answers line by line.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running script of `benches/python`.
#[derive(Debug)]
pub struct Python {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Python {
    /// Starts `script` with these arguments, where `packages` (named as pip and as `import` know them) can be had, on as
    /// many threads as `threads` says, all where it says nothing.
    ///
    /// # Errors
    /// When Python, pip or the packages cannot be had: what then is left out is Python's side.
    pub fn start<A: AsRef<OsStr>>(
        script: &str,
        packages: &[(&str, &str)],
        arguments: &[A],
        threads: Option<usize>,
    ) -> Result<Self> {
        let interpreter = environment(packages)?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python").join(script);
        let mut command = Command::new(&interpreter);
        command.arg(script).args(arguments).env_remove("OPENBLAS_CORETYPE");
        if let Some(threads) = threads {
            let threads = threads.to_string();
            command.envs(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, &threads)));
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", interpreter.display()))?;
        let requests = child.stdin.take().context("no standard input")?;
        let replies = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self {
            child,
            requests,
            replies,
        })
    }

    /// What the script answers to a request.
    ///
    /// # Errors
    /// When it has ended, or answers no JSON.
    pub fn ask(&mut self, request: &Value) -> Result<Value> {
        writeln!(self.requests, "{request}")?;
        let mut line = String::new();
        self.replies.read_line(&mut line)?;
        serde_json::from_str(&line).context("Python answered no JSON")
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It has answered everything; a process that is already gone needs no ending.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The interpreter of a virtual environment with these packages, made once for each set of them.
fn environment(packages: &[(&str, &str)]) -> Result<PathBuf> {
    let names: Vec<&str> = packages.iter().map(|package| package.0).collect();
    let imports: Vec<&str> = packages.iter().map(|package| package.1).collect();
    let directory = std::env::temp_dir().join(format!("banyan-bench-{}", names.join("-")));
    let interpreter = directory.join("bin/python");
    let test = format!("import {}", imports.join(", "));
    let works = |interpreter: &Path| {
        let check = Command::new(interpreter).args(["-c", &test]).output();
        check.is_ok_and(|output| output.status.success())
    };
    if works(&interpreter) {
        return Ok(interpreter);
    }
    run(Path::new("python3"), &["-m", "venv", &directory.to_string_lossy()])?;
    run(
        &interpreter,
        &[&["-m", "pip", "install", "--quiet"], names.as_slice()].concat(),
    )?;
    ensure!(
        works(&interpreter),
        "the packages were installed but cannot be imported"
    );
    Ok(interpreter)
}

fn run(program: &Path, arguments: &[&str]) -> Result<()> {
    let output = Command::new(program).args(arguments).output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(
        output.status.success(),
        "{} failed: {}",
        program.display(),
        complaint.trim()
    );
    Ok(())
}
