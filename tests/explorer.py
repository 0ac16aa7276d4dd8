#!/usr/bin/env python3
"""Walks through every view of the explorer in a headless browser.

    tests/explorer.py target/release/banyan [--browser chromium] [--shots DIR] [--store DIR [--picture FILE]]

Builds a small store (or takes one), serves it, and looks at each view in a wide and a narrow window, in light and dark.
Fails on an error that the page reports, on text that is missing, on a serious finding of axe, on a page that asks anybody
but its server, and on one that scrolls sideways. Needs the packages playwright and axe-playwright-python, and a Chromium.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

TEXTS = {
    "ada.md": "# Ada Quill\n\nAda Quill was born in Vessing in 1912. Ada Quill married Bo Ferren. She wrote The Low Tide.\n",
    "bo.txt": "Bo Ferren was born in Karrowmouth. Bo Ferren, also known as Beau Ferren, founded the Karrow Boatyard.\n",
    "evil.txt": "Dee Marl was born in Vessing. <img src=x onerror=alert(1)></script><script>alert(1)</script>\n",
}
# A corpus whose documents are records of one kind.
RECORDS = pathlib.Path(__file__).parent.parent / "data/museums/pages.jsonl"
SIZES = {"wide": (1400, 860), "narrow": (360, 640), "4k": (3840, 2160)}


class Walk:
    def __init__(self, page, shots):
        self.page, self.shots, self.faults, self.strangers = page, shots, [], []
        page.on("console", lambda said: said.type == "error" and self.faults.append(f"console: {said.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"page: {error}"))
        page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def look(self, name, *texts):
        """The view as it is: what it says, whether it fits, and what axe finds."""
        page = self.page
        for text in texts:
            try:
                page.locator("#panel").get_by_text(text).first.wait_for(timeout=20000)
            except Exception:
                self.faults.append(f"{name}: {text!r} is not told, but {page.locator('#panel').inner_text()[:300]!r}")
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"):
            self.faults.append(f"{name}: the page scrolls sideways")
        for found in Axe().run(page).response["violations"]:
            if found["impact"] in ("serious", "critical"):
                where = [node["target"] for node in found["nodes"]][:3]
                self.faults.append(f"{name}: axe: {found['id']} {where}")
        if self.shots:
            page.screenshot(path=self.shots / f"{name}.png")

    def go(self, address):
        self.page.evaluate("address => { location.hash = address }", address)

    def number(self, name):
        return self.page.evaluate("name => atlas.find(name)", name)


def views(walk, size):
    page = walk.page
    walk.look(f"{size}-overview", "Largest communities", "Named most")
    walk.go(f"#entity/{walk.number('Ada Quill')}")
    walk.look(f"{size}-entity", "Ada Quill", "born in")
    page.locator("#panel .fact button").first.click()
    page.locator("#panel .fact blockquote mark").first.wait_for()
    walk.look(f"{size}-fact", "Ada Quill")
    page.locator("#panel .fact blockquote a").first.click()
    page.locator("#panel mark#here").wait_for()
    walk.look(f"{size}-document", "Vessing")
    walk.go(f"#community/{page.evaluate('atlas.community[' + str(walk.number('Ada Quill')) + ']')}")
    walk.look(f"{size}-community", "Why they belong together", "Keywords", "Members")
    walk.go("#schema")
    walk.look(f"{size}-schema", "Relations", "Attributes")
    walk.go("#decisions")
    walk.look(f"{size}-decisions", "of several names")
    walk.go("#ask")
    page.locator("#panel textarea").fill("Where was the spouse of Bo Ferren born?")
    page.locator("#panel input[value=open]").check()
    page.locator("#panel button.main").click()
    page.locator("#panel .answer").wait_for(timeout=60000)
    walk.look(f"{size}-answer", "Vessing", "Steps", "Evidence")


def decide(walk):
    """What a person decides is seen at once, and can be undone."""
    page = walk.page
    walk.go(f"#entity/{walk.number('Ada Quill')}")
    page.locator("#panel details.decide summary").click()
    form = page.locator("#panel details.decide form", has_text="It is called")
    form.locator("input").fill("Ada Ferren")
    form.locator("button").click()
    page.locator("#panel h2", has_text="Ada Ferren").wait_for(timeout=60000)
    walk.go("#decisions")
    page.get_by_role("button", name="Undo the last").click()
    page.get_by_text("Nothing was decided yet.").wait_for(timeout=60000)
    walk.look("decided", "Nothing was decided yet.")


def keys(walk):
    """The tree is walked by keyboard."""
    page = walk.page
    walk.go("")
    page.locator("#branches .leaf").first.focus()
    for key in ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "Enter"]:
        page.keyboard.press(key)
    page.locator("#panel h2").wait_for()
    if not page.evaluate("location.hash.startsWith('#entity/')"):
        walk.faults.append(f"keys: expected an entity, found {page.evaluate('location.hash')}")
    page.locator("#find").fill("ada")
    page.locator("#found a").first.click()
    walk.look("found", "Ada Quill")
    page.locator("#canvas").focus()
    before = page.evaluate("JSON.stringify(chart.view)")
    page.keyboard.press("+")
    page.keyboard.press("ArrowLeft")
    if page.evaluate("JSON.stringify(chart.view)") == before:
        walk.faults.append("keys: the map does not move")


def pace(page, name):
    """When something is first seen, and frames a second while the map is drawn anew and moved."""
    paint = page.evaluate("performance.getEntriesByType('paint').find(one => one.name === 'first-contentful-paint').startTime")
    words = page.evaluate("performance.now()")
    page.wait_for_function("chart.atlas && chart.width")
    ready = page.evaluate("performance.now()")
    rate = page.evaluate("""async () => {
        let n = 0, box = chart.canvas.getBoundingClientRect();
        const send = (kind, x) => chart.canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 1, clientX: box.left + x, clientY: box.top + 200, bubbles: true }));
        chart.canvas.setPointerCapture = () => {};
        send("pointerdown", 100);
        const start = performance.now();
        while (performance.now() - start < 3000) {
            send("pointermove", 100 + n % 200);
            await new Promise(requestAnimationFrame);
            n += 1;
        }
        send("pointercancel", 100);
        return n / ((performance.now() - start) / 1000);
    }""")
    nodes = page.evaluate("atlas.rows.entities.length")
    print(f"{name}: {nodes} nodes, first paint {paint:.0f} ms, map after {max(ready, words):.0f} ms, {rate:.0f} frames a second while it moves")


def main():
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("banyan", type=pathlib.Path)
    wanted.add_argument("--browser", default="/usr/bin/chromium")
    wanted.add_argument("--shots", type=pathlib.Path)
    wanted.add_argument("--store", help="only tell how fast this one is shown")
    wanted.add_argument("--picture", type=pathlib.Path, help="of this store, with its largest community")
    args = wanted.parse_args()
    banyan = args.banyan.resolve()
    if args.shots:
        args.shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        store = args.store
        if store is None:
            notes = pathlib.Path(directory, "notes")
            notes.mkdir()
            for name, text in TEXTS.items():
                (notes / name).write_text(text)
            store = f"{directory}/notes.banyan"
            subprocess.run([banyan, "--quiet", "--embedder", "none", "build", notes, "--store", store], check=True)
        line = [banyan, "--quiet", "--embedder", "none", "serve", "--store", store, "--port", "0", "--write"]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as server:
            try:
                faults = walk_through(args, server.stdout.readline().strip(), store, directory, banyan)
            finally:
                server.terminate()
    for fault in faults:
        print(fault)
    print("explorer:", "no fault" if not faults else f"{len(faults)} faults")
    return bool(faults)


def walk_through(args, address, store, directory, banyan):
    faults = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=args.browser, args=["--no-sandbox"])

        def opened(size, scheme, place):
            width, height = SIZES[size]
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.route("**/*", lambda route: route.continue_() if route.request.url.startswith((address, "file:", "data:")) else faults.append(f"asks {route.request.url}") or route.abort())
            walk = Walk(page, args.shots)
            page.goto(place)
            page.locator("#panel h2").wait_for(timeout=60000)
            return walk

        if args.store:
            pace(opened("wide", "light", address).page, "served")
            if args.picture:
                walk = opened("wide", "light", address)
                walk.go("#community/0")
                walk.page.wait_for_timeout(1000)
                walk.page.screenshot(path=args.picture)
        else:
            for size, scheme in [("wide", "light"), ("narrow", "dark"), ("4k", "light")]:
                walk = opened(size, scheme, address)
                views(walk, size)
                faults += walk.faults
            walk = opened("wide", "dark", address)
            keys(walk)
            decide(walk)
            faults += walk.faults
        page = f"{directory}/page.html"
        subprocess.run([banyan, "--quiet", "export", "--store", store, "--out", page], check=True)
        walk = opened("wide", "light", f"file://{page}")
        if args.store:
            pace(walk.page, f"exported, {pathlib.Path(page).stat().st_size / 1e6:.1f} MB")
        else:
            walk.look("exported", "This page holds all")
            faults += walk.faults
            tables = f"{directory}/records.banyan"
            subprocess.run([banyan, "--quiet", "--embedder", "none", "build", RECORDS, "--store", tables], check=True)
            subprocess.run([banyan, "--quiet", "export", "--store", tables, "--out", f"{directory}/records.html"], check=True)
            for size in ["wide", "narrow"]:
                walk = opened(size, "light", f"file://{directory}/records.html")
                walk.go("#records")
                walk.look(f"{size}-records", "What each document says")
                cell = walk.page.locator("#panel td a").first
                cell.click()
                walk.page.locator("#panel mark#here").wait_for()
                faults += walk.faults
            walk.faults = []
        faults += walk.faults
        browser.close()
    return faults


if __name__ == "__main__":
    sys.exit(main())
