#!/usr/bin/env python3
"""What becomes of a store whose process is killed, whose disk fails, or whose bytes change.

    benches/faults.py [--banyan target/release/banyan] [--engine sled|redb] [--kills 1000] [--errors 800] [--flips 1000]

Every command runs under `strace`, which ends the process or fails a call at the N-th call of a kind; N goes over all of them,
evenly thinned to the numbers asked for. Afterwards the store must open, hold what it held before or what it was to hold, and
hold the latter where the command had said that it was done. A trace of each command also tells whether anything was
acknowledged that a power cut could still take away. Prints a row for each kind of fault; ends with 1 where anything was wrong.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

CALLS = (
    "openat,mkdir,mkdirat,read,pread64,write,writev,pwrite64,fsync,fdatasync,sync_file_range,ftruncate,rename,renameat,"
    "renameat2,unlink,unlinkat,rmdir,flock,fcntl,fchmod,chmod,copy_file_range,lseek,statx,getdents64"
)
WRITING = "mkdir,mkdirat,write,writev,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,rmdir,openat,read,pread64"
TEXTS = {
    "ada.txt": "Ada Quill was born in Vessing. Ada Quill married Bo Ferren.",
    "bo.txt": "Bo Ferren is a painter from Vessing. Bo Ferren met Dov Merrow in Karrowmouth.",
    "cass.txt": "Cass Orde was born in Karrowmouth. Cass Orde taught Ada Quill.",
    "dov.txt": "Dov Merrow was born in Great Ommer. Dov Merrow taught Bo Ferren.",
}
COMMANDS = {
    "build": ["build", "ada.txt", "cass.txt"],
    "add": ["add", "cass.txt", "--join", "now"],
    "add apart": ["add", "cass.txt", "--join", "later"],
    "compact": ["compact"],
    "sync": ["sync", "ada.txt", "cass.txt"],
    "remove": ["remove", "bo.txt", "--join", "now"],
    "remove apart": ["remove", "bo.txt", "--join", "later"],
    "decide": ["entity", "rename", "Vessing", "Great Vessing"],
    "query": ["query", "Where was Ada Quill born?"],
}
PATIENCE = 60


class Yard:
    """A directory with a store, put back before each fault."""

    def __init__(self, args):
        self.args = args
        self.path = Path(tempfile.mkdtemp())
        self.env = os.environ | {
            "BANYAN_PARSER": "none",
            "BANYAN_EMBEDDER": "none",
            "BANYAN_OFFLINE": "1",
            "BANYAN_ENGINE": args.engine,
            "HOME": str(self.path),
            "TMPDIR": str(self.path),
        }
        for name, text in TEXTS.items():
            (self.path / name).write_text(text)
        self.banyan("build", "ada.txt", "bo.txt")
        # Something lies over it, too.
        self.banyan("add", "dov.txt", "--join", "later")
        shutil.copytree(self.path / "store", self.path / "kept")
        self.old = self.dump()
        self.new = {}
        for name, command in COMMANDS.items():
            self.renew()
            self.banyan(*command)
            self.new[name] = self.dump()
        self.wrong = []

    def renew(self):
        shutil.rmtree(self.path / "store", ignore_errors=True)
        shutil.copytree(self.path / "kept", self.path / "store")

    def command(self, command):
        return [str(self.args.banyan), *command, "--store", "store", "--threads", "1"]

    def run(self, command, before=()):
        """How a command ended, and what it said; nothing where it hung."""
        process = subprocess.Popen(
            [*before, *self.command(command)],
            cwd=self.path,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, ""
        return process.returncode, said.decode(errors="replace")

    def banyan(self, *command):
        code, said = self.run(command)
        if code not in (0, 1):
            raise SystemExit(f"{command}: {said}")
        return said

    def dump(self):
        code, said = self.run(["dump"])
        return said if code == 0 else None

    def trace(self, name, calls=CALLS):
        """The calls of a command, each with its text, in order."""
        self.renew()
        log = self.path / "trace"
        self.run(COMMANDS[name], ["strace", "-f", "-y", "-qq", "-o", str(log), "-e", f"trace={calls}"])
        return [line.split(None, 1) for line in log.read_text(errors="replace").splitlines()]

    def note(self, what, problem):
        self.wrong.append(f"{what}: {problem}")

    def judge(self, name, what, code, said):
        """What is wrong after a fault."""
        if code is None:
            self.note(what, "hung")
        if "panicked" in said:
            self.note(what, said.strip().splitlines()[-1])
        found = self.dump()
        expected = [self.new[name]] if code == 0 else [self.old, self.new[name]]
        if name == "decide" and code != 0:
            # What lies over a store is joined first.
            expected.append(self.new["compact"])
        if found is None:
            self.note(what, "the store does not open")
        elif found not in expected:
            self.note(what, "acknowledged and lost" if code == 0 else "neither the old store nor the new")


def places(yard, calls, wanted):
    """(command, call, number) of all calls, thinned to the number wanted."""
    every = []
    for name in COMMANDS:
        most = {}
        for thread, text in yard.trace(name, calls):
            if match := re.match(r"(\w+)\(", text):
                seen = most.setdefault(match[1], {})
                seen[thread] = seen.get(thread, 0) + 1
        every += [(name, call, n) for call, seen in most.items() for n in range(1, max(seen.values()) + 1)]
    step = max(1.0, len(every) / max(1, wanted))
    return [every[int(at * step)] for at in range(int(len(every) / step))], len(every)


def injected(yard, calls, wanted, effect):
    chosen, n = places(yard, calls, wanted)
    for name, call, number in chosen:
        yard.renew()
        inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{effect}:when={number}"]
        code, said = yard.run(COMMANDS[name], inject)
        yard.judge(name, f"{effect} at {call} {number} of {name}", code, said)
    return len(chosen), n


def timed(yard, wanted):
    """Kills at random instants."""
    draw = random.Random(1)
    for at in range(wanted):
        name = list(COMMANDS)[at % len(COMMANDS)]
        yard.renew()
        process = subprocess.Popen(
            yard.command(COMMANDS[name]), cwd=yard.path, env=yard.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(draw.random() * 0.4)
        process.kill()
        yard.judge(name, f"kill {at} of {name}", process.wait(), "")


def unsynced(yard):
    """Files that were not on the disk when `CURRENT` or `recent` moved or the command ended, by the trace of each command."""
    n = 0
    for name in COMMANDS:
        dirty, names = set(), set()
        for _, text in yard.trace(name):
            if match := re.match(r"(?:write|writev|pwrite64|ftruncate|copy_file_range)\(\d+<([^>]*/store/[^>]*)>", text):
                dirty.add(match[1])
            elif match := re.match(r"(?:fsync|fdatasync)\(\d+<([^>]*)>", text):
                dirty.discard(match[1])
                names.discard(match[1])
            elif match := re.match(r'openat\([^,]*, "[^"]*", [^)]*O_CREAT.*= \d+<([^>]*/store/[^>]*)>', text):
                # Neither is its name one that anybody looks for.
                if not match[1].endswith("/LOCK"):
                    names.add(str(Path(match[1]).parent))
            elif match := re.match(r'(?:rename|renameat2?)\(.*"([^"]*(?:CURRENT|recent))"', text):
                n += 1
                # A lock holds nothing that a reader needs.
                left = {path for path in dirty if not path.endswith("/LOCK")}
                if left:
                    yard.note(f"{name} when {match[1]} moved", f"not synced: {sorted(left)}")
                names.add(str(Path(str(yard.path), match[1]).parent))
        if names:
            yard.note(f"{name} at its end", f"names not synced: {sorted(names)}")
    return n


def flipped(yard, wanted):
    """Random bits of random files: told by opening or by `verify`, and never another answer."""
    draw = random.Random(2)
    told = 0
    for at in range(wanted):
        yard.renew()
        files = sorted(path for path in (yard.path / "store").rglob("*") if path.is_file() and path.stat().st_size and path.name != "LOCK")
        file = draw.choice(files)
        content = bytearray(file.read_bytes())
        place, bit = draw.randrange(len(content)), draw.randrange(8)
        content[place] ^= 1 << bit
        file.write_bytes(content)
        what = f"bit {bit} of byte {place} of {file.relative_to(yard.path)}"
        code, said = yard.run(["dump"])
        verified, verdict = yard.run(["verify"])
        if code is None or verified is None or "panicked" in said + verdict:
            yard.note(what, "hung or panicked")
        elif code == 0 and said != yard.old:
            yard.note(what, "another answer")
        elif code == 0 and verified == 0:
            # What neither half needs: a name that sled or a person put there.
            yard.note(what, "not told")
        else:
            told += 1
    return told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--banyan", type=Path, default=Path("target/release/banyan"))
    parser.add_argument("--engine", default="sled")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--errors", type=int, default=800)
    parser.add_argument("--flips", type=int, default=1000)
    args = parser.parse_args()
    args.banyan = args.banyan.resolve()
    yard = Yard(args)
    n_wrong = 0

    def row(what, n):
        nonlocal n_wrong
        print(f"{args.engine:5} {what:44} {n:14} {len(yard.wrong) - n_wrong:4} wrong", flush=True)
        n_wrong = len(yard.wrong)

    n, every = injected(yard, CALLS, args.kills * 3 // 4, "signal=KILL")
    row("kills at file-system calls", f"{n} of {every}")
    timed(yard, args.kills // 4)
    row("kills at random instants", args.kills // 4)
    for effect in ("error=EIO", "error=ENOSPC"):
        n, every = injected(yard, WRITING, args.errors // 2, effect)
        row(f"calls that fail with {effect[6:]}", f"{n} of {every}")
    row("moves of a new state before which all was synced", unsynced(yard))
    row("changed bits, told", f"{flipped(yard, args.flips)} of {args.flips}")
    for line in yard.wrong[:40]:
        print("  " + line)
    shutil.rmtree(yard.path)
    raise SystemExit(bool(yard.wrong))


if __name__ == "__main__":
    main()
