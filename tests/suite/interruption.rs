//! What stops a program half-way leaves the store as it was: Ctrl-C, a kill, a full disk.

use crate::desk;
use banyan_tests::workspace::text;
use banyan_tests::{Desk, Run};
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

/// A desk with a store of one document, and a corpus that takes a while to understand.
fn prepared() -> Desk {
    let desk = desk()
        .with("good.txt", "Ada Quill was born in Vessing.")
        .with("corpus.jsonl", text("data/harrow/corpus.jsonl"));
    desk.banyan("build good.txt").done();
    desk
}

/// Runs `line` with the named pipe `slow.txt` among its documents, does `meanwhile` (with the process id) when the
/// program has begun to read it, and only then lets the program read on.
fn halfway(desk: &Desk, line: &str, meanwhile: impl FnOnce(u32)) -> Run {
    let pipe = desk.path("slow.txt");
    if !pipe.exists() {
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    }
    let child = desk.command(line.split(' ')).spawn().unwrap();
    let id = child.id();
    let end = pipe.clone();
    let waiter = thread::spawn(move || {
        let output = child.wait_with_output().unwrap();
        // A program that ended without reading must not leave the other side waiting for a reader.
        drop(File::options().read(true).write(true).open(end).unwrap());
        output
    });
    let mut writer = File::options().write(true).open(&pipe).unwrap();
    meanwhile(id);
    // A program that was killed reads no more.
    drop(writer.write_all(b"Bo Ferren met Ada Quill in Vessing."));
    drop(writer);
    waiter.join().unwrap().into()
}

fn signal(desk: &Desk, name: &str, process: u32) {
    assert_eq!(desk.shell(&format!("kill -{name} {process}")).code, Some(0));
}

#[test]
fn ctrl_c_or_a_kill_in_the_middle_leaves_the_store_as_it_was() {
    let desk = prepared();
    let before = desk.dump("store");
    for command in ["build", "add"] {
        let run = halfway(&desk, &format!("{command} slow.txt corpus.jsonl"), |process| {
            signal(&desk, "INT", process);
            // Also the time in which the program's own thread takes note of the signal.
            assert_eq!(desk.dump("store"), before, "during {command}");
        });
        run.refused(&["stopped on request", "the store is unchanged"]);
        assert_eq!(desk.dump("store"), before, "after {command}");
    }
    let run = halfway(&desk, "build slow.txt", |process| signal(&desk, "KILL", process));
    assert_eq!(run.code, None, "{run:#?}");
    assert_eq!(desk.dump("store"), before, "after a kill");
    let run = halfway(&desk, "build slow.txt", |process| {
        // Signals that follow each other closely may become one, so more are sent until nobody is there to take them.
        let mut answers = (0..1_000).map(|_| desk.shell(&format!("kill -INT {process}")).code);
        assert!(answers.any(|code| code != Some(0)), "the program goes on waiting");
    });
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
    assert_eq!(desk.dump("store"), before, "after a second Ctrl-C");
}

/// The whole directory went, and with it whatever somebody had put there: a recording of replies that were paid for.
#[test]
fn ctrl_c_in_the_middle_leaves_no_half_store_and_takes_nothing_away_that_is_not_banyans() {
    let desk = prepared();
    let stopped = |file: Option<&str>| {
        let run = halfway(&desk, "build slow.txt corpus.jsonl --store new", |process| {
            if let Some(file) = file {
                desk.put(file, "paid for");
            }
            signal(&desk, "INT", process);
            desk.dump("store");
        });
        run.refused(&["stopped on request"]);
    };
    stopped(None);
    assert!(!desk.path("new").exists());
    stopped(Some("new/cassette.jsonl"));
    assert_eq!(desk.read("new/cassette.jsonl"), "paid for");
    desk.banyan("build good.txt --store new").done();
    assert!(desk.path("new/cassette.jsonl").exists());
}

/// The walk took pipes for files and waited for ever for somebody to write into them.
#[test]
fn a_second_writer_waits_or_is_sent_away_and_a_pipe_in_a_directory_is_left_out() {
    let desk = prepared();
    let mut patient = None;
    let run = halfway(&desk, "build slow.txt", |_| {
        patient = Some(desk.command("add good.txt --wait 600".split(' ')).spawn().unwrap());
        for line in [
            "build corpus.jsonl --wait 0",
            "add corpus.jsonl --wait 0",
            "remove good --wait 0",
        ] {
            let says = ["store is being written by another process", "try again"];
            desk.banyan(line).refused(&says);
        }
    });
    run.done();
    let waited: Run = patient.unwrap().wait_with_output().unwrap().into();
    waited.done();
    assert!(desk.dump("store").contains("\ndocuments 2 "));
    // Reading keeps nobody away, and what was written meanwhile is there afterwards.
    let run = halfway(&desk, "add slow.txt", |_| drop(desk.banyan("add good.txt").done()));
    run.done();
    assert!(desk.dump("store").contains("\ndocuments 2 "));
    let run = halfway(&desk, "build . --store new", |_| ()).done();
    run.tells(&["of other kinds left out"]);
    let dump = desk.dump("new");
    assert!(
        dump.contains("\"good\" good.txt") && !dump.contains("slow.txt"),
        "{dump}"
    );
}

/// Kills builds when their moment has come. Whichever of the two is faster, the store is the old one or the new one.
#[test]
fn a_kill_while_writing_leaves_the_old_store_or_the_new() {
    let desk = prepared();
    let old = desk.dump("store");
    desk.shell("cp -r store old").done();
    desk.banyan("build corpus.jsonl --store other").done();
    let new = desk.dump("other");
    for moment in ["gen-2", "gen-2/conf", "gen-2/db", "gen-2/rows", "CURRENT.new"] {
        desk.shell("rm -r store && cp -r old store").done();
        let mut command = desk.command(["build", "corpus.jsonl"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let file = desk.path(format!("store/{moment}"));
        while !file.exists() && child.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let left = desk.dump("store");
        assert!(left == old || left == new, "killed at {moment}: {left}");
        desk.banyan("build corpus.jsonl").done();
        assert_eq!(desk.dump("store"), new, "built again after a kill at {moment}");
    }
}

/// Runs `args` where no file may grow beyond `blocks` of the shell: the writing fails as it does on a full disk.
fn cramped(desk: &Desk, blocks: u32, args: &str) -> Run {
    desk.shell(&format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$BANYAN\" {args}"))
}

#[test]
fn a_disk_that_is_full_leaves_the_store_as_it_was_and_is_told() {
    let desk = prepared();
    let before = desk.dump("store");
    for blocks in [0, 1, 16, 128] {
        for command in ["build", "add"] {
            let says = ["store", "is the disk full?", "ile too large"];
            cramped(&desk, blocks, &format!("{command} corpus.jsonl")).refused(&says);
            assert_eq!(desk.dump("store"), before, "{command} within {blocks} blocks");
        }
    }
    let says = ["new", "nothing was stored", "is the disk full?"];
    cramped(&desk, 16, "build corpus.jsonl --store new").refused(&says);
    assert!(!desk.path("new").exists(), "a store was left behind");
    for command in ["dump", "stats", "query 'Where was Ada Quill born?'"] {
        desk.shell(&format!("\"$BANYAN\" {command} > /dev/full"))
            .refused(&["cannot write to stdout", "No space left"]);
    }
}
