"""The rows of the table as one writes them with NumPy, numba and jax: arguments, and a function for each."""

from math import cos, exp, log, pi, sin, sqrt

import jax
import jax.numpy as jnp
import numpy as np
from inputs import hand, mixture, numbers
from jax import lax
from numba import njit

jax.config.update("jax_enable_x64", True)
TAU = 2 * pi


class Row:
    """A row: its name in the table, what makes the arguments, and the contenders."""

    def __init__(self, name, args, numpy, numba, jaxed):
        self.name, self.args = name, args
        self.contenders = {"NumPy": numpy, "numba": numba, "jax": jax.jit(jaxed)}


# add3, cross, project, products


@njit
def add3(x, y, z):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = x[i] + y[i] + z[i]
    return out


@njit
def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@njit
def project(cam, x):
    r, x, (u0, v0) = cam[:3], x - cam[3:6], cam[7:9]
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    if square != 0.0:
        theta = sqrt(square)
        w = r / theta
        z = x * cos(theta) + cross(w, x) * sin(theta) + w * (np.dot(w, x) * (1.0 - cos(theta)))
    else:
        z = x + cross(r, x)
    px, py = z[0] / z[2], z[1] / z[2]
    rho = px * px + py * py
    scale = (1.0 + cam[9] * rho + cam[10] * rho * rho) * cam[6]
    return np.array([px * scale + u0, py * scale + v0])


def _project(xp, cam, x):
    r, x = cam[:3], x - cam[3:6]
    theta = xp.sqrt(r @ r)
    w = r / theta
    z = x * xp.cos(theta) + xp.cross(w, x) * xp.sin(theta) + w * ((w @ x) * (1.0 - xp.cos(theta)))
    p = z[:2] / z[2]
    rho = p @ p
    return p * ((1.0 + cam[9] * rho + cam[10] * rho * rho) * cam[6]) + cam[7:9]


@njit
def matmul(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for l in range(a.shape[1]):
            for j in range(b.shape[1]):
                out[i, j] += a[i, l] * b[l, j]
    return out


# Mixtures and the hand


@njit
def gmm(alphas, means, icf, points):
    (k, d), n = means.shape, len(points)
    total, squares, beta, v = 0.0, 0.0, np.empty(k), np.empty(d)
    diagonal, sums = np.exp(icf[:, :d]), np.empty(k)
    for c in range(k):
        sums[c] = icf[c, :d].sum()
        squares += (diagonal[c] ** 2).sum() + (icf[c, d:] ** 2).sum()
    for p in range(n):
        for c in range(k):
            for j in range(d):
                v[j] = points[p, j] - means[c, j]
            square, at = 0.0, d
            for i in range(d):
                s = diagonal[c, i] * v[i]
                for j in range(i):
                    s += icf[c, at] * v[j]
                    at += 1
                square += s * s
            beta[c] = alphas[c] + sums[c] - 0.5 * square
        most = beta.max()
        total += most + log(np.exp(beta - most).sum())
    most = alphas.max()
    return total - n * (most + log(np.exp(alphas - most).sum())) + 0.5 * squares


def _gmm(xp, alphas, means, icf, points):
    (k, d), n = means.shape, len(points)
    diagonal = xp.exp(icf[:, :d])
    rows, columns = np.tril_indices(d, -1)
    if xp is np:
        triangle = np.zeros((k, d, d))
        triangle[:, rows, columns] = icf[:, d:]
    else:
        triangle = jnp.zeros((k, d, d)).at[:, rows, columns].set(icf[:, d:])
    triangle = triangle + diagonal[:, :, None] * np.eye(d)
    moved = xp.einsum("kij,nkj->nki", triangle, points[:, None] - means)
    beta = alphas + icf[:, :d].sum(1) - 0.5 * (moved**2).sum(2)
    logsumexp = lambda b: b.max(-1) + xp.log(xp.exp(b - b.max(-1, keepdims=True)).sum(-1))
    return logsumexp(beta).sum() - n * logsumexp(alphas) + 0.5 * ((diagonal**2).sum() + (icf[:, d:] ** 2).sum())


@njit
def skinned(transforms, vertices, weights):
    out = np.zeros((len(vertices), 3))
    for v in range(len(vertices)):
        for i in range(len(transforms)):
            m, x = transforms[i], vertices[v]
            for r in range(3):
                out[v, r] += weights[i, v] * (m[r, 0] * x[0] + m[r, 1] * x[1] + m[r, 2] * x[2] + m[r, 3] * x[3])
    return out


def _skinned(xp, transforms, vertices, weights):
    moved = xp.einsum("irc,vc->ivr", transforms[:, :3], vertices)
    return (weights[:, :, None] * moved).sum(0)


# Sums, stencils, paths


@njit
def norm(a, b):
    s = 0.0
    for i in range(len(a)):
        s += (a[i] + b[i]) * (a[i] + b[i])
    return sqrt(s)


@njit
def heat(plate, steps):
    n, m = plate.shape
    t, u = plate.copy(), np.empty_like(plate)
    for _ in range(steps):
        for i in range(n):
            for j in range(m):
                around = t[max(i - 1, 0), j] + t[min(i + 1, n - 1), j] + t[i, max(j - 1, 0)] + t[i, min(j + 1, m - 1)]
                u[i, j] = t[i, j] + 0.2 * (around - 4.0 * t[i, j])
        t, u = u, t
    return t


def _heat_step(xp, t):
    p = xp.pad(t, 1, mode="edge")
    return t + 0.2 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4.0 * t)


def heat_numpy(t, steps):
    for _ in range(steps):
        t = _heat_step(np, t)
    return t


@njit
def paths(wall):
    cost, n = wall[0].copy(), wall.shape[1]
    other = np.empty_like(cost)
    for i in range(1, len(wall)):
        for j in range(n):
            least = min(cost[j], cost[max(j - 1, 0)], cost[min(j + 1, n - 1)])
            other[j] = wall[i, j] + least
        cost, other = other, cost
    return cost


def _paths_step(xp, cost, row):
    p = xp.pad(cost, 1, mode="edge")
    return row + xp.minimum(cost, xp.minimum(p[:-2], p[2:]))


def paths_numpy(wall):
    cost = wall[0]
    for row in wall[1:]:
        cost = _paths_step(np, cost, row)
    return cost


@njit
def stencil(a):
    out = a.copy()
    n, m, p = a.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for k in range(1, p - 1):
                near = a[i - 1, j, k] + a[i + 1, j, k] + a[i, j - 1, k] + a[i, j + 1, k]
                out[i, j, k] = 0.1 * (near + a[i, j, k - 1] + a[i, j, k + 1]) + 0.4 * a[i, j, k]
    return out


def _inside(a):
    near = a[:-2, 1:-1, 1:-1] + a[2:, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1] + a[1:-1, 2:, 1:-1]
    return 0.1 * (near + a[1:-1, 1:-1, :-2] + a[1:-1, 1:-1, 2:]) + 0.4 * a[1:-1, 1:-1, 1:-1]


def stencil_numpy(a):
    out = a.copy()
    out[1:-1, 1:-1, 1:-1] = _inside(a)
    return out


# MRI-Q, histogram, softmax, perceptron


@njit
def mri(x, k, phi):
    n, m = x.shape[1], k.shape[1]
    re, im = np.zeros(n), np.zeros(n)
    for i in range(n):
        for j in range(m):
            t = TAU * (k[0, j] * x[0, i] + k[1, j] * x[1, i] + k[2, j] * x[2, i])
            re[i] += phi[j] * cos(t)
            im[i] += phi[j] * sin(t)
    return re, im


def _mri(xp, x, k, phi):
    t = TAU * (x.T @ k)
    return xp.cos(t) @ phi, xp.sin(t) @ phi


@njit
def histogram(x):
    count = np.zeros(256, np.uint32)
    for i in range(len(x)):
        count[x[i]] += 1
    return count


@njit
def softmax(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        most, total = x[i].max(), 0.0
        for j in range(x.shape[1]):
            out[i, j] = exp(x[i, j] - most)
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total
    return out


def _softmax(xp, x):
    e = xp.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


@njit
def perceptron(x, w1, b1, w2, b2):
    hidden = np.maximum(np.dot(x, w1.T) + b1, 0.0)
    return np.dot(hidden, w2.T) + b2


def _perceptron(xp, x, w1, b1, w2, b2):
    return xp.maximum(x @ w1.T + b1, 0.0) @ w2.T + b2


# Mandelbrot


def _points(xp, size):
    cx = xp.arange(size) / size * 3.0 - 2.0
    cy = xp.arange(size) / size * 2.0 - 1.0
    return cx[None, :], cy[:, None]


def _mandelbrot_step(xp, cx, cy, state):
    x, y, steps = state
    inside = x * x + y * y <= 4.0
    nx, ny = x * x - y * y + cx, 2.0 * x * y + cy
    return xp.where(inside, nx, x), xp.where(inside, ny, y), steps + inside


def _start(xp, size):
    return xp.zeros((size, size)), xp.zeros((size, size)), xp.zeros((size, size), "int64")


def fixed_numpy(size, limit):
    cx, cy = _points(np, size)
    state = _start(np, size)
    for _ in range(limit):
        state = _mandelbrot_step(np, cx, cy, state)
    return state[2]


def fixed_jax(size, limit):
    cx, cy = _points(jnp, 256)
    return lax.fori_loop(0, limit, lambda _, s: _mandelbrot_step(jnp, cx, cy, s), _start(jnp, 256))[2]


def early_numpy(size, limit):
    """The points that are still inside, packed after each step."""
    cx, cy = (c.ravel() for c in np.broadcast_arrays(*_points(np, size)))
    x, y, steps, at = np.zeros(size * size), np.zeros(size * size), np.zeros(size * size, int), np.arange(size * size)
    for _ in range(limit):
        inside = x * x + y * y <= 4.0
        x, y, cx, cy, at = x[inside], y[inside], cx[inside], cy[inside], at[inside]
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
        steps[at] += 1
    return steps.reshape(size, size)


def early_jax(size, limit):
    """All points go on until the last one has left."""
    cx, cy = _points(jnp, 256)
    inside = lambda s: (s[0] < limit) & jnp.any(s[1][0] ** 2 + s[1][1] ** 2 <= 4.0)
    step = lambda s: (s[0] + 1, _mandelbrot_step(jnp, cx, cy, s[1]))
    return lax.while_loop(inside, step, (0, _start(jnp, 256)))[1][2]


@njit
def fixed(size, limit):
    out = np.empty((size, size), np.uint32)
    for i in range(size):
        for j in range(size):
            cx, cy = j / size * 3.0 - 2.0, i / size * 2.0 - 1.0
            x, y, steps = 0.0, 0.0, 0
            for _ in range(limit):
                if x * x + y * y <= 4.0:
                    x, y, steps = x * x - y * y + cx, 2.0 * x * y + cy, steps + 1
            out[i, j] = steps
    return out


@njit
def early(size, limit):
    out = np.empty((size, size), np.uint32)
    for i in range(size):
        for j in range(size):
            cx, cy = j / size * 3.0 - 2.0, i / size * 2.0 - 1.0
            x, y, steps = 0.0, 0.0, 0
            while steps < limit and x * x + y * y <= 4.0:
                x, y, steps = x * x - y * y + cx, 2.0 * x * y + cy, steps + 1
            out[i, j] = steps
    return out


def row(name, args, f, numba):
    """One text for NumPy and jax."""
    return Row(name, args, lambda *args: f(np, *args), numba, lambda *args: f(jnp, *args))


def square(n):
    return lambda: (numbers((n, n), 1), numbers((n, n), 2))


def centred(*shapes):
    return lambda: tuple(numbers(shape, seed) - 0.5 for shape, seed in shapes)


CAMERA = [0.1, 0.1, 0.1, 0.2, 0.1, 0.3, 1.2, 0.01, 0.03, 0.009, 1.2e-4]
LAYERS = [((64, 784), 5), ((128, 784), 1), (128, 2), ((10, 128), 3), (10, 4)]
SUM = lambda xp, a, b: xp.linalg.norm(a + b)
WALL = lambda: ((numbers((100, 100_000), 1) * 10.0).astype(np.int32),)
BYTES = lambda: ((numbers(1_000_000, 1) * 256.0).astype(np.uint32),)

ROWS = [
    row("add3 new, n = 100", lambda: tuple(numbers(100, s) for s in [1, 2, 3]), lambda xp, x, y, z: x + y + z, add3),
    row("cross", lambda: (np.array([0.3, -1.2, 0.7]), np.array([1.1, 0.4, -0.9])), lambda xp, a, b: xp.cross(a, b), cross),
    row("project", lambda: (np.array(CAMERA), np.array([0.03, 0.11, -0.7])), _project, project),
    row("gmm, d = 2, K = 5, n = 1000", lambda: mixture("gmm_d2_K5"), _gmm, gmm),
    row("gmm, d = 10, K = 25, n = 1000", lambda: mixture("gmm_d10_K25"), _gmm, gmm),
    row("hand, 22 × 544", hand, _skinned, skinned),
    row("matmul 4", lambda: (numbers((4, 4), 1), numbers((4, 4), 2)), lambda xp, a, b: a @ b, matmul),
    *[row(f"matmul {n}", square(n), lambda xp, a, b: a @ b, matmul) for n in [16, 64, 256, 512]],
    *[row(f"norm of a sum, n = {n}", lambda n=n: (numbers(n, 4), numbers(n, 5)), SUM, norm) for n in [1000, 1_000_000]],
    Row(
        "heat, 512 × 512, 60 steps",
        lambda: (numbers((512, 512), 1), 60),
        heat_numpy,
        heat,
        lambda t, steps: lax.fori_loop(0, steps, lambda _, t: _heat_step(jnp, t), t),
    ),
    Row(
        "paths, 100 × 100 000",
        WALL,
        paths_numpy,
        paths,
        lambda wall: lax.scan(lambda cost, row: (_paths_step(jnp, cost, row), None), wall[0], wall[1:])[0],
    ),
    row("mri-q, 2048 × 2048", lambda: (numbers((3, 2048), 1), numbers((3, 2048), 2), numbers(2048, 3)), _mri, mri),
    Row(
        "7-point stencil, 128³",
        lambda: (numbers((128, 128, 128), 1),),
        stencil_numpy,
        stencil,
        lambda a: a.at[1:-1, 1:-1, 1:-1].set(_inside(a)),
    ),
    Row(
        "histogram, 10⁶ into 256",
        BYTES,
        lambda x: np.bincount(x, minlength=256),
        histogram,
        lambda x: jnp.bincount(x, length=256),
    ),
    row("softmax, 1024 × 256", lambda: (10.0 * numbers((1024, 256), 1) - 5.0,), _softmax, softmax),
    row("perceptron, 64 × 784-128-10", centred(*LAYERS), _perceptron, perceptron),
    Row("mandelbrot, fixed", lambda: (256, 256), fixed_numpy, fixed, fixed_jax),
    Row("mandelbrot, early exit", lambda: (256, 256), early_numpy, early, early_jax),
]
