"""Writes the tables beside this file: sets in the published form of AnonyRAG, as its tools write them, with our own texts.

    python3 -m pip install pyarrow && python3 tests/suite/anonyrag/tables.py

Each file is packed in another way: snappy and zstd, several row groups, dictionaries and none, both versions of pages,
columns that may be empty, lists, large strings.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent

ENG_TEXTS = [
    ("The lamp", "Every evening [PERSON#11] climbed the tower of [LOCATION#21] and lit the lamp with a burning reed."),
    ("The debt", "[PERSON#12] owed [PERSON#13] nine silver crowns and hid in the cellar of the mill when he came to collect."),
    ("The mill", "The mill at [LOCATION#22] belonged to [PERSON#14], who ground barley for the whole valley."),
    ("The storm", "In the storm [PERSON#11], called Orla Venn, dropped the oil jar, and [PERSON#13] caught it with his hat."),
    ("The wedding", "[PERSON#12] married [PERSON#14] in the chapel of [LOCATION#23], and nobody danced."),
    ("The ferry", "The ferry from [LOCATION#22] to [LOCATION#21] was rowed by [PERSON#15], a deaf boy of fourteen."),
]
ENG_QUESTIONS = [
    (
        "Who lights the lamp in the tower of [LOCATION#21] every evening?"
        "\nA. [PERSON#12]\nB. [PERSON#13]\nC. [PERSON#11]\nD. [PERSON#15]",
        "C. (Orla Venn)",
        ["lit the lamp"],
        ["[LOCATION#21]", "[PERSON#11]"],
        "simple",
    ),
    (
        "To whom did the man who hid in a cellar owe silver?"
        "\nA. [PERSON#13]\nB. [PERSON#14]\nC. [PERSON#15]\nD. [PERSON#11]",
        "A. (Bram Holt)",
        ["hid in", "owed"],
        ["[PERSON#12]", "[PERSON#13]"],
        "complex",
    ),
    (
        "With what was the falling oil jar caught?\nA. A fishing net\nB. A hat\nC. A bucket\nD. A cloak",
        "B",
        ["caught with"],
        ["[PERSON#13]"],
        "simple",
    ),
    (
        "Please read the following QA pairs\nQ: Who rowed the ferry to [LOCATION#21]?\nA: [PERSON#15] rowed it, and [PERSON#11]"
        " watched.\nthen for all anonymized Persons and Locations, infer what was anonymized.",
        "PERSON#15——Tam Reed\nPERSON#11——Orla Venn\nLOCATION#21——Skelva Light",
        ["rowed", "watched"],
        ["[PERSON#15]", "[PERSON#11]", "[LOCATION#21]"],
        "simple",
    ),
]
CHS_TEXTS = [
    ("第一回", "[PERSON#31]每晚登上[LOCATION#41]的高塔，点起一盏油灯。"),
    ("第二回", "[PERSON#32]欠了[PERSON#33]九两银子，躲进磨坊的地窖里。"),
    (None, "[PERSON#34]在[LOCATION#42]开了一家磨坊，替全村磨麦子。"),
    ("第四回", "[PERSON#33]用帽子接住了油罐，众人都笑了。"),
]
CHS_QUESTIONS = [
    ("谁每晚在[LOCATION#41]点灯？\nA. [PERSON#32]\nB. [PERSON#31]\nC. [PERSON#33]\nD. [PERSON#34]", "B. (林秋)", None, None, "simple"),
    ("躲进地窖的人欠了谁的银子？A.[PERSON#31]B.[PERSON#34]C.[PERSON#33]D.[LOCATION#42]", "C", ["欠", "躲"], ["[PERSON#33]"], "complex"),
    (
        "请根据上下文对下面这段问答\nQ:谁开了磨坊？\nA:[PERSON#34]在[LOCATION#42]开了磨坊。\n进行推理，判断出被匿名的原本内容是哪些。",
        "PERSON#34——周满\nLOCATION#42——青溪村",
        ["开"],
        ["[PERSON#34]", "[LOCATION#42]"],
        "simple",
    ),
]


def texts(rows, text, number):
    """The table of a set's texts."""
    return pa.table(
        {
            "idx": pa.array(range(len(rows)), number),
            "title": pa.array([row[0] for row in rows], text),
            "chunk": pa.array([row[1] for row in rows], text),
        }
    )


def questions(rows, text):
    """The table of a set's questions."""
    columns = ["question", "answer", "relations", "entities", "query_type"]
    types = [text, text, pa.list_(text), pa.list_(text), pa.dictionary(pa.int32(), pa.string())]
    return pa.table(
        {
            column: pa.array([row[at] for row in rows], kind)
            for at, (column, kind) in enumerate(zip(columns, types))
        }
    )


def write(name, table, **packing):
    """Writes one file beside this one."""
    pq.write_table(table, HERE / f"{name}.parquet", **packing)


write("annoyrag_eng_qa", questions(ENG_QUESTIONS, pa.string()), compression="snappy")
write("annoyrag_eng_text_chunks", texts(ENG_TEXTS, pa.string(), pa.int64()), compression="zstd", row_group_size=4)
write("annoyrag_chs_qa", questions(CHS_QUESTIONS, pa.large_string()), compression="zstd", data_page_version="2.0")
write("annoyrag_chs_text_chunks", texts(CHS_TEXTS, pa.large_string(), pa.int32()), compression="none", use_dictionary=False)
write("other_columns", pa.table({"prompt": ["Who?"], "label": ["A"]}), compression="snappy")
write("no_rows", questions([], pa.string()), compression="snappy")
