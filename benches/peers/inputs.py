"""The inputs of the table, bit for bit: the generator of `benches/inputs.rs`, and the files of the workloads."""

from pathlib import Path

import numpy as np
from numba import njit

DATA = Path(__file__).resolve().parents[2] / "workloads" / "data"


@njit
def _numbers(n, x):
    out = np.empty(n)
    for i in range(-20, n):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        if i >= 0:
            out[i] = np.float64(x >> np.uint64(11)) / 9007199254740992.0
    return out


def numbers(shape, seed):
    """Numbers between 0 and 1."""
    start = (seed * 0x9E37_79B9_7F4A_7C15) % 2**64 | 1
    return _numbers(int(np.prod(shape)), np.uint64(start)).reshape(shape)


def mixture(name):
    """`alphas[k]`, `means[k][d]`, `icf[k][t]` and `points[n][d]` of a Gaussian mixture."""
    words = (DATA / "gmm" / "1k" / f"{name}.txt").read_text().split()
    d, k, n = map(int, words[:3])
    t = d * (d + 1) // 2
    values = np.array(words[3 : 3 + k + k * d + k * t + n * d], dtype=float)
    parts = np.split(values, np.cumsum([k, k * d, k * t]))
    return tuple(x.reshape(s) for x, s in zip(parts, [(k,), (k, d), (k, t), (n, d)]))


def hand():
    """`transforms[b][4][4]`, `vertices[v][4]` and `weights[b][v]` of the small hand."""
    folder = DATA / "hand" / "model_small"
    lines = lambda name: [line.split(":") for line in (folder / name).read_text().split("\n") if line.strip()]
    transforms = np.array([line[2:18] for line in lines("bones.txt")], dtype=float).reshape(-1, 4, 4)
    records = lines("vertices.txt")
    vertices = np.ones((len(records), 4))
    weights = np.zeros((len(transforms), len(records)))
    for v, record in enumerate(records):
        vertices[v, :3] = [float(x) for x in record[:3]]
        for i in range(int(record[8])):
            weights[int(record[9 + 2 * i]), v] = float(record[10 + 2 * i])
    return transforms, vertices, weights
