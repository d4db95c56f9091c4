"""The rows of the table with NumPy, numba and jax, on one CPU, in one run with smooth.

    python3 -m pip install numpy numba "jax[cpu]"
    python3 benches/peers/peers.py [words that select rows]

Each row is timed in turns: smooth by the bench `table`, then the others, and again, `ROUNDS` times; the fastest run of each
counts. Before that the results are compared with those of smooth. The table is printed, and written to
`target/table/peers.md`.
"""

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS, ROUNDS = float(os.environ.get("SMOOTH_SECONDS", "1")), 3

# One CPU for all, their threads included; before they are imported.
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"]:
    os.environ[name] = "1"

import jax
import numba
import numpy as np
from rows import ROWS


def table():
    """Builds the bench, and says where it is."""
    build = ["cargo", "bench", "-q", "--bench", "table", "--no-run", "--message-format=json"]
    lines = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    made = [m.get("executable") for m in map(json.loads, lines) if m.get("target", {}).get("name") == "table"]
    return [path for path in made if path][-1]


def run_table(program, row, seconds):
    """A row of the table: what smooth took, and its result."""
    folder = ROOT / "target" / "table" / "peers"
    environment = {**os.environ, "SMOOTH_SECONDS": str(seconds), "SMOOTH_RESULTS": str(folder)}
    subprocess.run([program, row], env=environment, check=True, stdout=subprocess.DEVNULL)
    lines = (folder / "times.tsv").read_text().splitlines()
    times = {(r, who): float(t) for r, who, t in (line.split("\t") for line in lines)}
    result = np.fromfile(folder / f"{row}.f64")
    return times[(row, "smooth")] * 1e-9, times[(row, "plain Rust")] * 1e-9, result


def numbers(result):
    """A result as one array."""
    parts = result if isinstance(result, tuple) else (result,)
    return np.concatenate([np.asarray(p, dtype=float).ravel() for p in parts])


def check(row, who, got, want):
    worst = np.abs(numbers(got) - want).max()
    assert worst <= 1e-9 * np.abs(want).max(), f"{row.name}: {who} is off by {worst:e}"


def fastest(f, args, seconds):
    """The fastest of many runs; several at a time, so that the clock does not count."""
    run = lambda: jax.block_until_ready(f(*args))
    run()
    start = time.perf_counter()
    run()
    once = time.perf_counter() - start
    several = max(1, int(2e-5 / max(once, 1e-8)))
    best, end = once, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(several):
            run()
        best = min(best, (time.perf_counter() - start) / several)
    return best


def text(seconds):
    for unit, scale in [("ns", 1e9), ("µs", 1e6)]:
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e3:.3g} ms"


def main():
    words = sys.argv[1:]
    rows = [r for r in ROWS if not words or any(w in r.name for w in words)]
    program = table()
    names = ["smooth", "plain Rust", "NumPy", "numba", "jax"]
    out = ["| | smooth | " + " | ".join(names[1:]) + " |", "|---|" + "---:|" * len(names)]
    ratios = {name: [] for name in names[1:]}
    print("\n".join(out))
    for row in rows:
        args, times = row.args(), {}
        inputs = {"jax": tuple(jax.device_put(a) if isinstance(a, np.ndarray) else a for a in args)}
        _, _, want = run_table(program, row.name, 0.05)
        for who, f in row.contenders.items():
            check(row, who, f(*inputs.get(who, args)), want)
        for _ in range(ROUNDS):
            *rust, _ = run_table(program, row.name, SECONDS / ROUNDS)
            again = dict(zip(names, rust))
            for who, f in row.contenders.items():
                again[who] = fastest(f, inputs.get(who, args), SECONDS / ROUNDS)
            times = {who: min(t, times.get(who, t)) for who, t in again.items()}
        for who, all in ratios.items():
            all.append(times[who] / times["smooth"])
        cells = [text(times["smooth"]), *(f"{times[who] / times['smooth']:.2f}" for who in names[1:])]
        out.append(f"| {row.name} | " + " | ".join(cells) + " |")
        print(out[-1], flush=True)
    means = ", ".join(f"{who} {np.exp(np.mean(np.log(all))):.2f}" for who, all in ratios.items())
    out += ["", f"Geometric means of the multiples of smooth: {means}."]
    out += ["", f"Python {platform.python_version()}, NumPy {np.__version__}, numba {numba.__version__}, jax {jax.__version__}."]
    (ROOT / "target" / "table" / "peers.md").write_text("\n".join(out) + "\n")
    print("\n".join(out[-3:]))


if __name__ == "__main__":
    main()
