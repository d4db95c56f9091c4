#!/usr/bin/env python3
"""Writes the golden values of bundle adjustment, computed with 50 digits: tests/golden/ba*.txt.

    pip install mpmath
    python3 tools/golden_ba.py            writes the files
    python3 tools/golden_ba.py --check    only says whether they are what it would write

It shares nothing with the Rust code: it reads the data files itself and computes the formula as
the mathematics has it. Inputs are doubles, taken exactly; everything after that has 50 digits;
outputs are printed with 25. The same on every machine: random numbers come from `random()` with a
fixed seed alone, and of floats there is only arithmetic and square roots (no `sum`, whose rounding
depends on the version of Python, and no `**`).
"""

import math
import random
import sys
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 50
ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
SEED = 20260401


# The functions below take and return lists of mpf.


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]


def rodrigues(r, y):
    theta = mp.sqrt(dot(r, r))
    if theta == 0:
        return list(y)
    a = [x / theta for x in r]
    sin, cos, along, b = mp.sin(theta), mp.cos(theta), dot(a, y), cross(a, y)
    return [y[i] * cos + b[i] * sin + a[i] * along * (1 - cos) for i in range(3)]


def project(cam, x):
    z = rodrigues(cam[0:3], [x[i] - cam[3 + i] for i in range(3)])
    p = [z[0] / z[2], z[1] / z[2]]
    rho = dot(p, p)
    l = 1 + cam[9] * rho + cam[10] * rho**2
    return [p[i] * l * cam[6] + cam[7 + i] for i in range(2)]


def exact(floats):
    return [mpf(x) for x in floats]


def out(x):
    return mp.nstr(x, 25)


def read(name):
    words = (ROOT / "data" / "ba" / name).read_text().split()
    n, m, p = map(int, words[:3])
    numbers = exact(map(float, words[3:]))
    assert len(numbers) == 11 + 3 + 1 + 2
    cameras, points = [numbers[0:11]] * n, [numbers[11:14]] * m
    weights, features = [numbers[14]] * p, [numbers[15:17]] * p
    return cameras, points, weights, features, [(i % n, i % m) for i in range(p)]


def of_file(name, first):
    """The values of the first observations of a data file, and the sums over all of them."""
    cameras, points, weights, features, observations = read(name)
    known = {}  # the file repeats the same observation many times
    rows, squares, weight_squares = [], [], []
    for i, (c, x) in enumerate(observations):
        key = (*cameras[c], *points[x])
        if key not in known:
            known[key] = project(cameras[c], points[x])
        uv, w = known[key], weights[i]
        residual = [w * (uv[j] - features[i][j]) for j in range(2)]
        squares.append(dot(residual, residual))
        weight_squares.append((1 - w * w) ** 2)
        if i < first:
            rows.append(" ".join([str(c), str(x), *map(out, uv), *map(out, residual)]))
    count = len(observations)
    return [
        f"# Golden values of data/ba/{name}, written by tools/golden_ba.py: do not edit.",
        f"# The first {len(rows)} of {count} observations, in order:",
        "# camera, point, projection (2), residual w * (projection - feature) (2)",
        *rows,
        "# The sums over all observations: of the squared residuals, and of (1 - w * w)^2.",
        f"sum_reproj2 {out(mp.fsum(squares))}",
        f"sum_w_err2 {out(mp.fsum(weight_squares))}",
    ]


CASES = [
    "# camera (11), point (3), projection (2)",
    "# The inputs have 17 digits and are doubles, the projection is correct to 25 digits.",
]


def case(kind, cam, x):
    inputs = " ".join(f"{v:.17g}" for v in [*cam, *x])
    return f"{kind} {inputs} {' '.join(map(out, project(exact(cam), exact(x))))}"


def of_paper():
    """The inputs of the paper's benchmark, with and without a rotation."""
    rest = [0.2, 0.1, 0.3, 1.2, 0.01, 0.03, 0.009, 1.2e-4]
    x = [0.03, 0.11, -0.7]
    return [
        "# Golden values of `project`, written by tools/golden_ba.py: do not edit.",
        "# The inputs of the paper's benchmark. Kind,",
        *CASES,
        case("generic", [0.1, 0.1, 0.1, *rest], x),
        case("zero", [0.0, 0.0, 0.0, *rest], x),
    ]


def condition(cam, x):
    """The condition number: the amplification of relative input errors, in the worse component."""
    inputs = exact([*cam, *x])
    at = project(inputs[:11], inputs[11:])
    sums = [mpf(0), mpf(0)]
    for i, v in enumerate(inputs):
        step = abs(v) * mpf(10) ** -15
        if step == 0:
            continue
        moved = [inputs[:], inputs[:]]
        moved[0][i], moved[1][i] = v + step, v - step
        high, low = (project(m[:11], m[11:]) for m in moved)
        for j in range(2):
            sums[j] += abs((high[j] - low[j]) / (2 * step) * v)
    return max(sums[j] / abs(at[j]) for j in range(2))


# Each kind of rotation and the range of its length. The square of the length of a "vanishing" rotation is 0 or
# subnormal as a double, although the length is not 0.
KINDS = {
    "generic": (0.05, 2.5),
    "tiny": (0.5e-9, 2e-9),
    "zero": (0.0, 0.0),
    "large": (2.9, 3.3),
    "vanishing": (1e-163, 1e-155),
}
# The kinds of every 10 cases.
ORDER = "generic tiny zero large generic tiny zero large generic vanishing".split()


def of_random(count):
    rng = random.Random(SEED)

    def between(low, high):
        return low + (high - low) * rng.random()

    def direction():
        while True:
            v = [between(-1, 1) for _ in range(3)]
            square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
            if 0.01 < square <= 1:
                return [x / math.sqrt(square) for x in v]

    def length(low, high):
        if low > 0 and high / low > 1e3:  # uniform in the exponent
            return float(mpf(10) ** mpf(between(float(mp.log10(low)), float(mp.log10(high)))))
        return between(low, high)

    def draw(kind):
        size = length(*KINDS[kind])
        r = [size * v for v in direction()] if size else [0.0] * 3
        centre = [between(-10, 10) for _ in range(3)]
        cam = [*r, *centre, between(1, 1000), *(between(-20, 20) for _ in range(2))]
        cam += [between(-0.1, 0.1), between(-0.01, 0.01)]
        # The point in camera coordinates: on either side, up to 56 degrees off the axis.
        depth = between(1, 20) * (1 if rng.random() < 0.5 else -1)
        z = [depth * between(-1.5, 1.5), depth * between(-1.5, 1.5), depth]
        back = rodrigues([-v for v in exact(r)], exact(z))
        return cam, [float(back[i] + centre[i]) for i in range(3)]

    rows, dropped = [], 0
    while len(rows) < count:
        kind = ORDER[len(rows) % len(ORDER)]
        cam, x = draw(kind)
        if condition(cam, x) > 100:
            dropped += 1
            continue
        rows.append(case(kind, cam, x))
    return [
        "# Golden values of `project`, written by tools/golden_ba.py: do not edit.",
        f"# {count} random cases (seed {SEED}), without the {dropped} drawn whose condition number",
        "# is above 100: a small relative error is to be asked for in each component. Kind of",
        "# rotation,",
        *CASES,
        *rows,
    ]


def main(check):
    files = {
        "ba_paper.txt": of_paper(),
        "ba_random.txt": of_random(200),
        "ba_test.txt": of_file("test.txt", 10),
        "ba1.txt": of_file("ba1_n49_m7776_p31843.txt", 100),
    }
    stale = []
    for name, lines in files.items():
        path, text = GOLDEN / name, "\n".join(lines) + "\n"
        if check:
            if not path.exists() or path.read_text() != text:
                stale.append(name)
        else:
            path.write_text(text)
    if stale:
        sys.exit(f"not what this script writes: {', '.join(stale)}")


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    main(check=bool(sys.argv[1:]))
