"""All pairs within epsilon: scikit-learn and arsg on the same points, in one run.

    pip install scikit-learn
    cargo build --release --example join_points
    python3 benches/peers/radius_neighbors.py target/release/examples/join_points

Prints millions of pairs a second (all n x n pairs, looked at or not; the best of three) and the
number of pairs found, which must agree. `impacts` are sums of cores around 200 topics, `noise` is a
ball of noise with epsilon in the bulk of its distances, where no bound can skip anything.
"""
import subprocess
import sys
import tempfile
import time

import numpy as np
import sklearn
from sklearn.neighbors import NearestNeighbors

COUNT, WIDTH = 20_000, 600


def impacts(random):
    topics = random.uniform(-0.3, 0.3, (200, WIDTH))
    cores = random.integers(3, 30, COUNT)[:, None]
    noise = random.uniform(-0.1, 0.1, (COUNT, WIDTH))
    return cores * topics[random.integers(0, 200, COUNT)] + np.sqrt(cores) * noise


def noise(random):
    return random.normal(0, 1, (COUNT, WIDTH))


def by_scikit_learn(points, epsilon):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        model = NearestNeighbors(radius=epsilon, algorithm="brute", n_jobs=-1).fit(points)
        neighbours = model.radius_neighbors(points, return_distance=False)
        best = min(best, time.perf_counter() - start)
    # Every pair is found twice, and every point finds itself.
    return best, (sum(map(len, neighbours)) - len(points)) // 2


def by_arsg(program, points, epsilon):
    with tempfile.NamedTemporaryFile(suffix=".f32") as file:
        points.astype("<f4").tofile(file.name)
        answer = subprocess.run(
            [program, file.name, str(WIDTH), str(epsilon)], capture_output=True, text=True, check=True
        )
    seconds, found = answer.stdout.split()
    return float(seconds), int(found)


print(f"scikit-learn {sklearn.__version__}, {COUNT} x {COUNT} x {WIDTH}")
for make, epsilon in [(impacts, 8.0), (noise, 32.5)]:
    points = make(np.random.default_rng(7)).astype(np.float32)
    theirs, their_pairs = by_scikit_learn(points, epsilon)
    ours, our_pairs = by_arsg(sys.argv[1], points, epsilon)
    rate = COUNT * COUNT / 1e6
    print(
        f"{make.__name__}, epsilon {epsilon}: scikit-learn {rate / theirs:.0f} M pairs/s, {their_pairs} pairs; "
        f"arsg {rate / ours:.0f} M pairs/s, {our_pairs} pairs; {theirs / ours:.1f} times as fast"
    )
