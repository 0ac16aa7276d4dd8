#!/usr/bin/env python3
"""What whole commands cost on generated passages of two sizes, and how that grows.

    benches/scale.py [--banyan target/release/banyan] [--sizes 20000 200000] [--parser none|trained] [--dir DIR]

Prints a row for each command and size: CPU seconds, seconds on the clock, and the largest memory of the process; `questions`
are a hundred in one process. One note is added and removed while it lies over the store, joined with it by `compact`, and
then edited and removed in place. Stores that are there already are asked and not built again.
"""

import argparse
import json
import os
import random
import subprocess
import time
from pathlib import Path

SYLLABLES = [a + b for a in "b d f g k l m n p r s t v z br dr gr kr st tr".split() for b in "a e i o u an en in or el".split()]
TRADES = "painter composer engineer botanist novelist architect physician chemist explorer photographer".split()
SITES = "bridge museum observatory harbour library theatre mill lighthouse garden school".split()
ABOUT = "letters tides orchards glass maps insects winters tolls engines songs ferries clocks quarries dyes".split()


def name(draw, n):
    return "".join(draw.choice(SYLLABLES) for _ in range(n)).capitalize()


def passages(n):
    """`n` passages on persons, places and works; a name recurs in some ten of them."""
    draw = random.Random(1)
    towns = [name(draw, 3) for _ in range(max(10, n // 20))]
    people = [f"{name(draw, 2)} {name(draw, 3)}" for _ in range(max(10, n // 4))]
    for at in range(n):
        who, other = people[at % len(people)], draw.choice(people)
        town, second = draw.choice(towns), draw.choice(towns)
        trade, site, about = draw.choice(TRADES), draw.choice(SITES), draw.choice(ABOUT)
        born, year = draw.randrange(1700, 1950), draw.randrange(1700, 2000)
        kinds = [
            f"{who} was a {trade} who was born in {town} in {born}. {who} married {other} in {second} and wrote about {about}.",
            f"The {town} {site.capitalize()} is a {site} in {town}. It was designed by {who} in {year} and later sold to {other}.",
            f"{who} moved from {town} to {second} in {year}. There {other} taught a class on {about}, which {who} attended.",
            f"In {year} the council of {town} asked {who} to build a {site}. {other}, a {trade} from {second}, opposed the plan.",
        ]
        yield {"id": at, "title": f"{who} ({at})", "text": " ".join(draw.sample(kinds, 2))}


def run(command, env):
    """CPU seconds, seconds, and megabytes at most."""
    start = time.monotonic()
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    # A question without an answer ends with 1.
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, command))}: {said}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--banyan", default="target/release/banyan")
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 200_000])
    parser.add_argument("--parser", default="none")
    parser.add_argument("--dir", type=Path, default=Path("target/scale"))
    args = parser.parse_args()
    env = os.environ | {"BANYAN_PARSER": args.parser, "BANYAN_EMBEDDER": "none", "BANYAN_OFFLINE": "1"}
    args.dir.mkdir(parents=True, exist_ok=True)
    draw = random.Random(1)
    known = [f"{name(draw, 3)}" for _ in range(10)]
    note = args.dir / "note.md"
    text = f"# A note\n\nThe ferry of {known[3]} was sold to a painter from {known[4]} in 1899.\n"
    questions = args.dir / "questions.txt"
    draw = random.Random(2)
    kinds = ["Who was born in {}?", "Who built the museum of {}?", "Where did the painter from {} move?", "Who married whom in {}?"]
    questions.write_text("".join(draw.choice(kinds).format(draw.choice(known)) + "\n" for _ in range(100)))
    print(f"{'passages':>9}  {'command':9} {'CPU s':>8} {'s':>8} {'MB':>7}", flush=True)
    for n in args.sizes:
        corpus, store = args.dir / f"{n}.jsonl", args.dir / f"{n}.{args.parser}.store"
        if not corpus.exists():
            with corpus.open("w") as file:
                file.writelines(json.dumps(one) + "\n" for one in passages(n))
        at = ["--store", store]
        steps = [
            ("build", ["build", corpus, *at]),
            ("query", ["query", f"Who was born in {known[3]}?", *at]),
            ("node", ["node", known[3], *at]),
            ("add", ["add", note, *at]),
            ("query", ["query", f"What was sold to a painter from {known[4]}?", *at]),
            ("remove", ["remove", note, *at]),
            ("questions", ["query", "--batch", questions, *at]),
            ("add", ["add", note, *at]),
            ("compact", ["compact", *at]),
            ("edit", ["add", note, *at]),
            ("query", ["query", f"What was sold to a painter from {known[4]}?", *at]),
            ("remove", ["remove", note, *at]),
            ("query", ["query", f"Who was born in {known[3]}?", *at]),
            ("compact", ["compact", *at]),
        ]
        for command, rest in steps:
            note.write_text(text.replace("1899", "1907") if command == "edit" else text)
            if command == "build" and store.exists():
                continue
            cpu, seconds, memory = run([args.banyan, *rest], env)
            print(f"{n:9}  {command:9} {cpu:8.2f} {seconds:8.2f} {memory:7.0f}", flush=True)
        size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file())
        print(f"{n:9}  store {size / 1e6:.1f} MB, {size / corpus.stat().st_size:.1f} × the file", flush=True)


if __name__ == "__main__":
    main()
