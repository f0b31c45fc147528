#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering of large bodies, averaged exactly: from a lattice, within the tolerance of the sum over
all pairs in double, also where the body grows from frame to frame; and how it is done otherwise."""
import csv
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

N_ATOMS = 9000
LATTICE = 'reciprocal lattice of a cube'
MOMENTS = 'all distances, from four moments'
Q = '0.02:0.9:0.04'
GROWING = (1.0, 1.01, 1.1)


def write_body(path, scales, n_atoms=N_ATOMS):
    """A ball of carbon and oxygen, as large as the scale in each frame."""
    chance, radius = random.Random(3), (n_atoms / 0.06 * 0.75 / 3.14159) ** (1 / 3)
    atoms = []
    while len(atoms) < n_atoms:
        atom = [chance.uniform(-radius, radius) for _ in range(3)]
        if sum(x * x for x in atom) < radius * radius:
            atoms.append(atom)
    with open(path, 'w', encoding='utf-8') as out:
        for scale in scales:
            out.write(f'{n_atoms}\n\n')
            for i, atom in enumerate(atoms):
                out.write(f'{"CO"[i % 3 == 0]} {" ".join(f"{7 + scale * x:.3f}" for x in atom)}\n')


class Bodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        write_body(cls.folder / 'growing.xyz', GROWING)
        cls.of_all_pairs = {}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def compute(self, *arguments):
        done = cli.run('scattering', '--device', 'cpu', '--q', Q, '--partials', '--normalise', 'atom', '--json', '-o', 'out.csv',
                       *arguments, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / 'out.csv', encoding='utf-8') as lines:
            rows = list(csv.DictReader(line for line in lines if line[0] != '#'))
        return '. '.join(json.loads(done.stdout.splitlines()[0])['notes']), rows

    def sum_pairs(self, scale):
        """Over all pairs of one frame, once: it is asked for by several tests."""
        if scale not in self.of_all_pairs:
            write_body(self.folder / 'frame.xyz', (scale,))
            self.of_all_pairs[scale] = self.compute('--precision', 'double', 'frame.xyz')[1]
        return self.of_all_pairs[scale]

    def compare(self, rows, scales, tolerance):
        """With the mean of the frames' sums over all pairs."""
        exact = [{name: sum(float(frame[name]) for frame in frames) / len(scales) for name in frames[0]}
                 for frames in zip(*map(self.sum_pairs, scales), strict=True)]
        columns = [name for name in exact[0] if name not in ('q', 'intensity_error')]
        self.assertGreater(len(columns), 3)
        for column in columns:
            pairs = [(float(row[column]), other[column]) for row, other in zip(rows, exact, strict=True)]
            size = (sum(other * other for _, other in pairs) / len(pairs)) ** 0.5
            self.assertLess(max(abs(one - other) for one, other in pairs) / size, tolerance, column)

    def test_lattice(self):
        for tolerance in (5e-6, 1e-7):
            with self.subTest(tolerance=tolerance):
                said, rows = self.compute('--tolerance', str(tolerance), 'growing.xyz')
                self.assertIn(LATTICE, said)
                self.assertNotIn(MOMENTS, said)
                self.compare(rows, GROWING, tolerance)

    def test_threads(self):
        one, many = (self.compute('--threads', n, 'growing.xyz')[1] for n in ('1', '3'))
        self.assertEqual(one, many)

    def test_moments(self):
        """Where the lattice is too large for its memory, or more work than few pairs far apart."""
        write_body(self.folder / 'wide.xyz', (12.0,))
        said, rows = self.compute('--tolerance', '1e-3', 'wide.xyz')
        self.assertIn(MOMENTS, said)
        self.assertNotIn(LATTICE, said)
        self.compare(rows, (12.0,), 1e-3)

    def test_from_lattice_to_moments(self):
        """A body that comes apart."""
        write_body(self.folder / 'apart.xyz', (1.0, 12.0))
        said, rows = self.compute('apart.xyz')
        self.assertIn(LATTICE, said)
        self.assertIn(MOMENTS, said)
        self.compare(rows, (1.0, 12.0), 5e-6)


if __name__ == '__main__':
    unittest.main()
