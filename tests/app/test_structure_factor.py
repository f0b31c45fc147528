#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Structure factors of debye-cli rdf: against direct sums at the cell's own lattice vectors, the two conventions against
each other, totals against their partials, and what holds of any g(r) that has a hole."""
import cmath
import csv
import itertools
import math
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
SALT = (SAMPLES / 'salt.psf', SAMPLES / 'salt.xtc')
# Sears 1992, fm.
COHERENT = {'H': -3.739, 'O': 5.803, 'Na': 3.63, 'Cl': 9.577}
PAIRS = [f'{a}-{b}' for a in COHERENT for b in COHERENT]


def read_columns(path):
    """Columns by the pair they are of; one alone is named after what it is."""
    with open(path, encoding='utf-8') as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith('#')))
    return {name.split('.')[0]: [float(row[name]) if row[name] else math.nan for row in rows] for name in rows[0]}


class StructureFactorTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-structure-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def compute(self, quantity, *arguments):
        done = cli.run('rdf', '--plot', quantity, '-o', self.folder / 's.csv', '--quiet', *arguments, *SALT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_columns(self.folder / 's.csv')

    def frames(self, selection, frames):
        """Coordinates frame by frame, and the edge of the cubic cell."""
        done = cli.run('export', '--select', selection, '--frames', frames, '-o', self.folder / 'atoms.xyz', '--quiet', *SALT)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = iter((self.folder / 'atoms.xyz').read_text(encoding='utf-8').splitlines())
        positions = []
        for first in lines:
            next(lines)
            positions.append([tuple(map(float, next(lines).split()[1:4])) for _ in range(int(first))])
        return positions, cli.run_json('info', *SALT)['cell'][0]

    @staticmethod
    def direct(positions, edge, largest):
        """n²: the mean of |Σ exp(iq·r)|²/N over frames and half of all vectors q = 2π/L·(h, k, l), h² + k² + l² = n²."""
        sums = {}
        unit = 2 * math.pi / edge
        for atoms in positions:
            powers = []
            for axis in range(3):
                base = [cmath.exp(1j * unit * atom[axis]) for atom in atoms]
                rows = [[1.0] * len(atoms)]
                for _ in range(largest):
                    rows.append([p * b for p, b in zip(rows[-1], base)])
                powers.append(rows)
            for h, k, l in itertools.product(range(largest + 1), range(largest + 1), range(largest + 1)):
                n = h * h + k * k + l * l
                if 0 < n <= largest * largest:
                    amplitude = sum(x * y * z for x, y, z in zip(powers[0][h], powers[1][k], powers[2][l]))
                    sums.setdefault(n, []).append(abs(amplitude) ** 2 / len(atoms))
        return {n: sum(values) / len(values) for n, values in sums.items()}

    def test_lattice_vectors(self):
        """A liquid's: what is lost by ending at half the cell is less than what few vectors and frames let it scatter."""
        positions, edge = self.frames('element O', '0:-1:5')
        known = self.direct(positions, edge, 12)
        told = self.compute('structure_factor', '--pair', 'element O', 'element O', '--convention', 'ashcroft-langreth',
                            '--max', '12', '--window', 'lorch', '--frames', '0:-1:5', '--structure-factor', '0.5:3.2:0.01')
        q, s = told['q'], told['structure_factor']
        off, n_shells = 0.0, 0
        for n, value in known.items():
            wanted = 2 * math.pi / edge * math.sqrt(n)
            if wanted > q[0]:
                nearest = min(range(len(q)), key=lambda i: abs(q[i] - wanted))
                off += (s[nearest] - value) ** 2
                n_shells += 1
        self.assertGreater(n_shells, 80)
        self.assertLess(math.sqrt(off / n_shells), 0.16)
        # And not because all are near 1: the deepest and the highest shells are told apart.
        self.assertGreater(max(s) - min(s), 0.8)

    def test_conventions(self):
        """S = δ + √(c_A·c_B)·(A − 1)."""
        common = ('--partials', '--max', '10', '--frames', '0:-1:10', '--structure-factor', '0.5:10:0.5')
        faber = self.compute('structure_factor', *common)
        ashcroft = self.compute('structure_factor', *common, '--convention', 'ashcroft-langreth')
        elements = cli.run_json('info', *SALT)['elements']
        n = sum(elements.values())
        for name in faber:
            if name not in PAIRS:
                continue
            first, second = name.split('-')
            share = math.sqrt(elements[first] * elements[second]) / n
            for a, s in zip(faber[name], ashcroft[name]):
                self.assertAlmostEqual(s, (1.0 if first == second else 0.0) + share * (a - 1.0), delta=1e-5 * max(1, abs(a)))

    def test_total_of_neutrons(self):
        """F = Σ c_A·c_B·b_A·b_B·(A − 1)."""
        common = ('--partials', '--max', '10', '--frames', '0:-1:10', '--structure-factor', '0.5:10:0.5')
        partial = self.compute('structure_factor', *common)
        total = self.compute('neutron_f', *common)
        elements = cli.run_json('info', *SALT)['elements']
        n = sum(elements.values())
        values = next(column for name, column in total.items() if name != 'q')
        for i, value in enumerate(values):
            expected = 0.0
            for name in partial:
                if name not in PAIRS:
                    continue
                first, second = name.split('-')
                twice = 1 if first == second else 2
                expected += twice * elements[first] * elements[second] / n ** 2 * COHERENT[first] * COHERENT[second] * \
                    (partial[name][i] - 1.0)
            self.assertAlmostEqual(value, expected, delta=2e-3 * max(1.0, abs(expected)))

    def test_back_to_the_hole(self):
        """g(r) = 1 + 1/(2π²ρr)·∫q·(S − 1)·sin(qr) dq, and no two oxygens are at 1.5 Å."""
        told = self.compute('structure_factor', '--pair', 'element O', 'element O', '--convention', 'ashcroft-langreth',
                            '--max', '12', '--window', 'lorch', '--frames', '0:-1:10', '--structure-factor', '0.02:40:0.02')
        info = cli.run_json('info', *SALT)
        density = info['elements']['O'] / info['cell'][0] ** 3
        for r, expected, spare in ((1.5, 0.0, 0.05), (2.0, 0.0, 0.05)):
            integral = sum(q * (s - 1.0) * math.sin(q * r) for q, s in zip(told['q'], told['structure_factor'])) * 0.02
            self.assertAlmostEqual(1.0 + integral / (2 * math.pi ** 2 * density * r), expected, delta=spare)


if __name__ == '__main__':
    unittest.main(verbosity=2)
