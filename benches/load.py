#!/usr/bin/env python3
"""What a server takes: many clients that ask one after the other, without a pause.

    benches/load.py --store target/scale/20000.none.store [--banyan target/release/banyan] [--clients 64] [--seconds 60]

Takes a store of benches/scale.py's passages, serves it, and asks about names that the passages have. Prints a row for each
address and one for all: replies, errors, and milliseconds of the fastest half, of 99 in 100, and of the slowest; then the
memory of the server after a tenth of the time and at the end.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import time
from pathlib import Path
from urllib.parse import urlencode

from scale import passages


def wishes(names, draw):
    """What one client asks, without an end: as much for answers as for the graph."""
    kinds = ["Where was {} born?", "Whom did {} marry?", "What did {} write about?", "Where did {} move in the end?"]
    while True:
        one, other = draw.sample(names, 2)
        yield "query", {"question": draw.choice(kinds).format(one.split(" (")[0])}
        yield draw.choice([
            ("node", {"name": one}),
            ("neighbours", {"name": one, "limit": 20}),
            ("paths", {"from": one, "to": other, "max_depth": 3, "limit": 3}),
            ("match", {"pattern": f'"{one}" born_in ?town', "limit": 10}),
        ])


async def client(host, port, names, seed, end, taken):
    reader, writer = await asyncio.open_connection(host, port)
    for tool, given in wishes(names, random.Random(seed)):
        start = time.perf_counter()
        if start > end:
            break
        writer.write(f"GET /v1/{tool}?{urlencode(given)} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        body = await reader.readexactly(length)
        status = int(head.split(b" ")[1])
        if status != 200:
            taken["errors"].append(f"{tool} {given} {status} {body[:200]!r}")
        taken.setdefault(tool, []).append((time.perf_counter() - start) * 1e3)
    writer.close()


def memory(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def load(args, process, host, port, names):
    taken, began = {"errors": []}, time.perf_counter()
    clients = [client(host, port, names, seed, began + args.seconds, taken) for seed in range(args.clients)]
    work = asyncio.gather(*clients)
    await asyncio.wait({asyncio.ensure_future(work)}, timeout=args.seconds / 10)
    early = memory(process)
    await work
    return taken, early, memory(process)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True)
    parser.add_argument("--banyan", default="target/release/banyan")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=60)
    args = parser.parse_args()
    env = os.environ | {"BANYAN_PARSER": "none", "BANYAN_EMBEDDER": "none", "BANYAN_OFFLINE": "1"}
    # Those that the passages are about, of which each is in the graph.
    names = [passage["title"] for passage in passages(20_000)]
    command = [args.banyan, "serve", "--store", args.store, "--port", "0"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            host, port = process.stdout.readline().strip().removeprefix("http://").split(":")
            taken, early, late = asyncio.run(load(args, process, host, int(port), names))
        finally:
            process.terminate()
    errors = taken.pop("errors")
    taken["all"] = [one for times in taken.values() for one in times]
    print(f"{args.clients} clients, {args.seconds} s\n{'address':12} {'replies':>8} {'p50 ms':>8} {'p99 ms':>8} {'most ms':>8}")
    for tool, times in taken.items():
        times.sort()
        shown = [times[len(times) // 2], times[len(times) * 99 // 100], times[-1]]
        print(f"{tool:12} {len(times):8} " + " ".join(f"{one:8.1f}" for one in shown))
    print(f"{len(errors)} errors; memory {early:.0f} MB, at the end {late:.0f} MB")
    for error in errors[:5]:
        print(error)


if __name__ == "__main__":
    main()
