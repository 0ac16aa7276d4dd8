"""Sentences a second of Python's onnxruntime, the other side of benches/embedding.rs.

Usage: embedding.py MODEL.onnx TOKENIZER.json
Reads one JSON object a line, {"texts": [...], "max_length": n}; answers each with
{"seconds": s, "vectors": [[...], ...]} in the order given. Batches of 32, sorted by length.
"""

import json
import sys
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

BATCH = 32


def embed(session, tokenizer, texts):
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
    rows = np.zeros((len(texts), 384), dtype=np.float32)
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        encodings = tokenizer.encode_batch([texts[i] for i in batch])
        ids = np.array([e.ids for e in encodings], dtype=np.int64)
        mask = np.array([e.attention_mask for e in encodings], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = session.run(None, inputs)[0]
        weights = mask[:, :, None].astype(np.float32)
        pooled = (hidden * weights).sum(1) / weights.sum(1)
        rows[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
    return rows


def main():
    session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(sys.argv[2])
    tokenizer.enable_padding()
    for line in sys.stdin:
        request = json.loads(line)
        tokenizer.enable_truncation(request["max_length"])
        start = time.perf_counter()
        rows = embed(session, tokenizer, request["texts"])
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, "vectors": rows.tolist()}), flush=True)


if __name__ == "__main__":
    main()
