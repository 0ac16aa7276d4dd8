"""Answers requests {"file", "k", "n_init", "seed", "max_iter"} with scikit-learn's CPU time and inertia."""

import json
import sys
import time

import numpy
from sklearn.cluster import KMeans

for line in sys.stdin:
    request = json.loads(line)
    points = numpy.load(request["file"])
    model = KMeans(
        n_clusters=request["k"],
        n_init=request["n_init"],
        random_state=request["seed"],
        max_iter=request["max_iter"],
    )
    start = time.process_time()
    model.fit(points)
    seconds = time.process_time() - start
    print(json.dumps({"cpu_seconds": seconds, "inertia": float(model.inertia_)}), flush=True)
