//! What stops a program half-way leaves the store as it was: Ctrl-C, a kill, a full disk.

use crate::desk;
use banyan_tests::workspace::text;
use banyan_tests::{Desk, Run};
use std::fs::File;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;

/// A corpus that takes a while to understand.
const CORPUS: &str = "corpus.jsonl";

/// A desk with a store of one document, and a larger corpus.
fn prepared() -> Desk {
    let corpus = text("data/harrow/corpus.jsonl");
    let desk = desk()
        .with("good.txt", "Ada Quill was born in Vessing.")
        .with(CORPUS, corpus);
    desk.run(["build", "good.txt", "--store", "store"]).done();
    desk
}

/// Runs `args` with the named pipe `slow.txt` among its documents, does `meanwhile` (with the process id) when the
/// program has begun to read it, and only then lets the program read on.
fn halfway(desk: &Desk, args: &[&str], meanwhile: impl FnOnce(u32)) -> Run {
    let pipe = desk.path("slow.txt");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = desk.command(args).spawn().unwrap();
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
fn ctrl_c_in_the_middle_leaves_the_store_as_it_was() {
    for command in ["build", "add"] {
        let desk = prepared();
        let before = desk.dump("store");
        let args = [command, "slow.txt", CORPUS, "--store", "store"];
        let run = halfway(&desk, &args, |process| {
            signal(&desk, "INT", process);
            // Also the time in which the program's own thread takes note of the signal.
            assert_eq!(desk.dump("store"), before, "during {command}");
        });
        run.refused(&["stopped on request", "the store is unchanged"]);
        assert_eq!(desk.dump("store"), before, "after {command}");
    }
}

#[test]
fn ctrl_c_in_the_middle_leaves_no_half_store() {
    let desk = prepared();
    let run = halfway(&desk, &["build", "slow.txt", CORPUS, "--store", "new"], |process| {
        signal(&desk, "INT", process);
        desk.dump("store");
    });
    run.refused(&["stopped on request"]);
    assert!(!desk.path("new").exists());
}

/// The whole directory went, and with it whatever somebody had put there: a recording of replies that were paid for.
#[test]
fn ctrl_c_in_the_middle_takes_nothing_away_that_is_not_banyans() {
    let desk = prepared();
    let build = ["build", "slow.txt", CORPUS, "--store", "new"];
    let run = halfway(&desk, &build, |process| {
        desk.put("new/cassette.jsonl", "paid for");
        signal(&desk, "INT", process);
        desk.dump("store");
    });
    run.refused(&["stopped on request"]);
    assert_eq!(
        std::fs::read_to_string(desk.path("new/cassette.jsonl")).unwrap(),
        "paid for"
    );
    desk.run(["build", CORPUS, "--store", "new"]).done();
    assert!(desk.path("new/cassette.jsonl").exists());
}

#[test]
fn a_second_ctrl_c_ends_a_program_that_waits() {
    let desk = prepared();
    let before = desk.dump("store");
    let run = halfway(&desk, &["build", "slow.txt", "--store", "store"], |process| {
        // Signals that follow each other closely may become one, so more are sent until nobody is there to take them.
        let mut answers = (0..1_000).map(|_| desk.shell(&format!("kill -INT {process}")).code);
        assert!(answers.any(|code| code != Some(0)), "the program goes on waiting");
    });
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn a_second_writer_is_sent_away_while_the_first_one_works() {
    let desk = prepared();
    let run = halfway(&desk, &["add", "slow.txt", "--store", "store"], |_| {
        for command in [["build", CORPUS], ["add", CORPUS], ["remove", "good"]] {
            let says = ["store is being written by another process", "try again"];
            desk.run(command.iter().chain(&["--store", "store"])).refused(&says);
        }
    });
    run.done();
    assert!(desk.dump("store").contains("\ndocuments 2 "));
}

/// The walk took pipes for files and waited for ever for somebody to write into them.
#[test]
fn a_pipe_in_a_directory_is_left_out() {
    let desk = prepared();
    let run = halfway(&desk, &["build", ".", "--store", "new"], |_| ()).done();
    assert!(run.stderr.contains("of other kinds left out"), "{run:#?}");
    let dump = desk.dump("new");
    assert!(
        dump.contains("\"good\" good.txt") && !dump.contains("slow.txt"),
        "{dump}"
    );
}

#[test]
fn a_kill_before_writing_leaves_the_store_as_it_was() {
    let desk = prepared();
    let before = desk.dump("store");
    let run = halfway(&desk, &["build", "slow.txt", "--store", "store"], |process| {
        signal(&desk, "KILL", process);
    });
    assert_eq!(run.code, None, "{run:#?}");
    assert_eq!(desk.dump("store"), before);
}

/// Waits until `file` is there or the program has ended.
fn await_file(desk: &Desk, file: &str, child: &mut Child) {
    while !desk.path(file).exists() && child.try_wait().unwrap().is_none() {
        thread::yield_now();
    }
}

/// Kills a build when `moment` has come. Whichever of the two is faster, the store is the old one or the new one.
fn check_kill(moment: &str) {
    let desk = prepared();
    let old = desk.dump("store");
    desk.run(["build", CORPUS, "--store", "other"]).done();
    let new = desk.dump("other");
    let mut child = desk
        .command(["build", CORPUS, "--store", "store"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    await_file(&desk, moment, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let left = desk.dump("store");
    assert!(left == old || left == new, "killed at {moment}: {left}");
    desk.run(["build", CORPUS, "--store", "store"]).done();
    assert_eq!(desk.dump("store"), new, "built again after a kill at {moment}");
}

#[test]
fn a_kill_while_writing_leaves_the_old_store_or_the_new() {
    [
        "store/gen-2",
        "store/gen-2/conf",
        "store/gen-2/db",
        "store/gen-2/rows",
        "store/CURRENT.new",
    ]
    .into_iter()
    .for_each(check_kill);
}

/// Runs `args` where no file may grow beyond `blocks` of the shell: the writing fails as it does on a full disk.
fn cramped(desk: &Desk, blocks: u32, args: &str) -> Run {
    desk.shell(&format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$BANYAN\" {args}"))
}

#[test]
fn a_disk_that_is_full_leaves_the_store_as_it_was() {
    let desk = prepared();
    let before = desk.dump("store");
    for blocks in [0, 1, 16, 128] {
        for command in ["build", "add"] {
            let says = ["store", "is the disk full?", "ile too large"];
            cramped(&desk, blocks, &format!("{command} {CORPUS} --store store")).refused(&says);
            assert_eq!(desk.dump("store"), before, "{command} within {blocks} blocks");
        }
        let says = ["new", "nothing was stored", "is the disk full?"];
        cramped(&desk, blocks, &format!("build {CORPUS} --store new")).refused(&says);
        assert!(
            !desk.path("new").exists(),
            "a store was left behind within {blocks} blocks"
        );
    }
}

#[test]
fn a_full_disk_under_the_results_is_told() {
    let desk = prepared();
    for command in ["dump", "stats", "query 'Where was Ada Quill born?'"] {
        desk.shell(&format!("\"$BANYAN\" {command} --store store > /dev/full"))
            .refused(&["cannot write to stdout", "No space left"]);
    }
}
