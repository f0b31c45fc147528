# SPDX-License-Identifier: MIT
# Hydrogen's orbitals up to n = 3 as a Molden file, to standard output; called by make.sh with NumPy. Schrödinger's equation of one
# electron, solved for each l in a basis of Gaussians r^l exp(−αr²) whose exponents are a geometric series: each solution is one
# contracted shell, each of its functions one orbital. Atomic units.
import math
import sys

import numpy

SMALLEST, RATIO, COUNT = 0.004, 1.8, 30  # exponents: from the tails of n = 3 to the cusp at the nucleus
LETTERS = 'spd'
# Molden's order of pure functions: m = 0, +1, −1, +2, −2; of p: x, y, z.
PARTS = {0: [''], 1: ['x', 'y', 'z'], 2: ['z2', 'xz', 'yz', 'x2-y2', 'xy']}


def radial_moment(power, exponent):
    """∫₀^∞ r^power exp(−exponent·r²) dr."""
    return 0.5 * math.gamma(0.5 * (power + 1)) * exponent ** (-0.5 * (power + 1))


def solve(l, exponents):
    """Energies and weights of normalised Gaussians, from the lowest energy on."""
    norms = [radial_moment(2 * l + 2, 2 * a) ** -0.5 for a in exponents]
    overlap, hamiltonian = (numpy.empty((len(exponents),) * 2) for _ in range(2))
    for i, a in enumerate(exponents):
        for j, b in enumerate(exponents):
            s = radial_moment(2 * l + 2, a + b)
            # −½∇² on r^l exp(−br²) gives (b(2l + 3) − 2b²r²) of it.
            kinetic = b * (2 * l + 3) * s - 2 * b * b * radial_moment(2 * l + 4, a + b)
            overlap[i, j] = norms[i] * norms[j] * s
            hamiltonian[i, j] = norms[i] * norms[j] * (kinetic - radial_moment(2 * l + 1, a + b))
    lower = numpy.linalg.inv(numpy.linalg.cholesky(overlap))
    energies, vectors = numpy.linalg.eigh(lower @ hamiltonian @ lower.T)
    return energies, (lower.T @ vectors).T


shells = []
for l in range(3):
    exponents = [SMALLEST * RATIO ** i for i in range(COUNT - 5 * l)]
    energies, weights = solve(l, exponents)
    for n in range(l + 1, 4):
        weight = weights[n - l - 1] * (1 if weights[n - l - 1] @ numpy.array(exponents) ** 0.75 > 0 else -1)
        shells.append((n, l, energies[n - l - 1], exponents, weight))
shells.sort(key=lambda shell: shell[:2])
print('[Molden Format]\n[Title]\nHydrogen: one electron in a basis of Gaussians')
print('[Atoms] (AU)\nH 1 1 0.0 0.0 0.0\n[5D]\n[GTO]\n1 0')
for n, l, energy, exponents, weight in shells:
    print(f'{LETTERS[l]} {len(exponents)} 1.00')
    for exponent, value in zip(exponents, weight):
        print(f'{exponent:.10g} {value:.10g}')
print('\n[MO]')
function = 0
for n, l, energy, exponents, weight in shells:
    sys.stderr.write(f'{n}{LETTERS[l]} {energy:.9f} {-0.5 / n**2:.9f}\n')
    for part in PARTS[l]:
        function += 1
        print(f'Sym= {n}{LETTERS[l]}{part}\nEne= {energy:.9f}\nSpin= Alpha\nOccup= {1.0 if n == 1 else 0.0}')
        print(f'{function} 1.0')
