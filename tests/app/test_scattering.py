#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering on systems with a known answer."""
import csv
import itertools
import math
import os
import pathlib
import random
import re
import shutil
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

B_H, B_D, B_C, B_CU = -3.7390, 6.671, 6.6460, 7.718


def round_single(x):
    """As coordinates are kept."""
    return struct.unpack('f', struct.pack('f', x))[0]


def sinc(x):
    return math.sin(x) / x if x else 1.0


class ScatteringTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-scattering-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write_xyz(self, frames, cell=None):
        """frames: lists of (element, x, y, z); cell: its edge."""
        lattice = f'Lattice="{cell} 0 0 0 {cell} 0 0 0 {cell}" ' if cell else ''
        lines = []
        for time, atoms in enumerate(frames):
            lines += [str(len(atoms)), f'{lattice}Properties=species:S:1:pos:R:3 Time={time}']
            lines += [f'{element} {x!r} {y!r} {z!r}' for element, x, y, z in atoms]
        path = self.folder / 'atoms.xyz'
        path.write_text('\n'.join(lines) + '\n', encoding='ascii')
        return path

    def compute(self, path, *arguments):
        done = cli.run('scattering', '--quiet', '-o', self.folder / 's.csv', *arguments, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / 's.csv', encoding='utf-8') as lines:
            rows = csv.DictReader(line for line in lines if not line.startswith('#'))
            return [{key: float(value) for key, value in row.items() if value} for row in rows]

    def test_two_atoms(self):
        path = self.write_xyz([[('H', 0.0, 1.0, 0.0), ('H', 2.0, 1.0, 0.0)]])
        for orientation, tolerance in (('exact', 1e-12), ('multipole:40', 1e-12), ('sphere:3000', 1e-3)):
            rows = self.compute(path, '--normalise', 'raw', '--q', '0:6:0.5', '--orientation', orientation)
            self.assertEqual(len(rows), 13)
            for row in rows:
                expected = 2.0 * B_H**2 * (1.0 + sinc(2.0 * row['q']))
                self.assertAlmostEqual(row['intensity'], expected, delta=4.0 * B_H**2 * tolerance)

    def test_exchange_that_hides(self):
        path = self.write_xyz([[('H', 0.0, 0.0, 0.0), ('H', 2.0, 0.0, 0.0), ('H', 0.0, 3.0, 0.0)]])
        fraction = -B_H / (B_D - B_H)
        rows = self.compute(path, '--q', '0:3:1', '--exchange', f'all={fraction!r}')
        self.assertTrue(all(abs(row['intensity']) < 1e-9 for row in rows))
        rows = self.compute(path, '--q', '0:3:1', '--exchange', f'all={fraction!r}', '--kind', 'incoherent')
        own = ((1 - fraction) * 80.26 + fraction * 2.05) * 100.0 / (4.0 * math.pi)
        mixing = fraction * (1 - fraction) * (B_D - B_H) ** 2
        self.assertTrue(all(abs(row['intensity'] - own - mixing) < 1e-9 * own for row in rows))

    def test_crystal(self):
        """Copper: N²b² where h, k, l of the cubic cell are all even or all odd, nothing elsewhere."""
        n, edge = 4, 3.6
        sites = ((0.0, 0.0, 0.0), (0.0, 0.5, 0.5), (0.5, 0.0, 0.5), (0.5, 0.5, 0.0))
        atoms = [('Cu', *((edge * (cell[k] + site[k]) for k in range(3))))
                 for cell in itertools.product(range(n), repeat=3) for site in sites]
        path = self.write_xyz([atoms], cell=n * edge)
        unit = 2.0 * math.pi / edge
        forward = (len(atoms) * B_CU) ** 2
        shells = ((1, 6, 0), (math.sqrt(3.0), 8, 8), (2.0, 6, 6), (math.sqrt(8.0), 12, 12))
        for extra, tolerance in (((), 1e-5), (('--volume-map',), 2e-5), (('--precision', 'double'), 1e-9)):
            for length, n_vectors, n_bright in shells:
                q = length * unit
                rows = self.compute(path, '--normalise', 'raw', '--q', f'{q - 1e-5!r},{q!r},{q + 1e-5!r}', *extra)
                self.assertEqual(len(rows), 1)
                self.assertAlmostEqual(rows[0]['intensity'] / forward, n_bright / n_vectors, delta=tolerance)

    def test_precision_where_waves_cancel(self):
        """A crystal whose atoms are a little off their sites, along its cell: the waves nearly cancel, and single
        precision rounds each of them. Along a Bragg vector they add up, and single precision is enough."""
        numbers, n, step = random.Random(11), 12, 2.0
        atoms = [('C', *(step * i + numbers.gauss(0.0, 0.002) for i in site))
                 for site in itertools.product(range(n), repeat=3)]
        path = self.write_xyz([atoms], cell=n * step)
        dark, bright = 2.0 * math.pi / (n * step), 2.0 * math.pi / step
        # As long as the bright six are the 24 vectors like (8, 8, 4), in which the waves cancel.
        for q, share, precision, expected, tolerance in ((dark, 1.0, 'auto', 'Precision: double', 1e-10),
                                                         (dark, 1.0, 'single', 'expected error of single precision is', 1e-2),
                                                         (bright, 0.2, 'auto', None, 1e-6)):
            exact = [abs(sum(complex(math.cos(q * atom[axis]), math.sin(q * atom[axis])) for atom in rounded)) ** 2
                     for rounded in ([[atom[0], *(round_single(x) for x in atom[1:])] for atom in atoms],)
                     for axis in (1, 2, 3)]
            done = cli.run('scattering', '-o', self.folder / 's.csv', '--normalise', 'raw', '--orientation', 'lattice',
                           '--q', f'{q - 1e-6!r},{q!r},{q + 1e-6!r}', '--precision', precision, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual('single precision' in done.stderr, expected is not None)
            self.assertIn(expected or '', done.stderr)
            with open(self.folder / 's.csv', encoding='utf-8') as lines:
                row, = csv.DictReader(line for line in lines if not line.startswith('#'))
            mean = share * B_C ** 2 * sum(exact) / 3.0
            self.assertAlmostEqual(float(row['intensity']) / mean, 1.0, delta=tolerance)

    def test_ways_agree(self):
        """A random body: pairs of all species, by the formula, by multipoles and by many directions."""
        numbers = random.Random(4)
        atoms = [(numbers.choice('CHNO'), *(numbers.uniform(-6.0, 6.0) for _ in range(3))) for _ in range(120)]
        path = self.write_xyz([atoms])
        common = ('--normalise', 'raw', '--q', '0.1:3:0.1', '--partials', '--probe', 'xray')
        exact = self.compute(path, *common, '--orientation', 'exact')
        pairs = [name for name in exact[0] if '-' in name]
        self.assertEqual(len(pairs), 10)
        for row in exact:
            self.assertAlmostEqual(sum(row[name] for name in pairs), row['intensity'], delta=1e-9 * exact[0]['intensity'])
        for orientation, tolerance in (('multipole:60', 1e-9), ('sphere:20000', 1e-3)):
            for row, other in zip(exact, self.compute(path, *common, '--orientation', orientation)):
                for name in ('intensity', *pairs):
                    self.assertAlmostEqual(row[name], other[name], delta=tolerance * exact[0]['intensity'])

    def test_lattice_agrees(self):
        """A body in a large cell: the nonuniform transform, vector by vector, and the formula at the vectors' lengths."""
        numbers, n_atoms, edge, low, high = random.Random(9), 20, 60.0, 0.75, 1.25
        path = self.write_xyz([[(numbers.choice('CHNO'), *(numbers.uniform(26.0, 34.0) for _ in range(3)))
                                for _ in range(n_atoms)]], cell=edge)
        unit = 2.0 * math.pi / edge
        reach = range(-math.ceil(high / unit), math.ceil(high / unit) + 1)
        shell = [hkl for hkl in itertools.product(reach, repeat=3) if low < unit * math.hypot(*hkl) < high]
        common = ('--normalise', 'raw', '--precision', 'double')
        lattice = self.compute(path, *common, '--q', '0.5,1,1.5', '--orientation', 'lattice', '--volume-map')[1]['intensity']
        listed = self.folder / 'q.txt'
        listed.write_text(''.join(' '.join(repr(unit * k) for k in hkl) + '\n' for hkl in shell), encoding='ascii')
        rows = self.compute(path, *common, '--q-vectors', listed)
        self.assertEqual(len(rows), len(shell))
        self.assertAlmostEqual(lattice / (sum(row['fq0_re'] for row in rows) / len(rows)), 1.0, delta=1e-5)
        squares = sorted({sum(k * k for k in hkl) for hkl in shell})
        rows = self.compute(path, *common, '--orientation', 'exact', '--q', ','.join(repr(unit * math.sqrt(n)) for n in squares))
        exact = dict(zip(squares, (row['intensity'] for row in rows)))
        mean = sum(exact[sum(k * k for k in hkl)] for hkl in shell) / len(shell)
        # A sum over the lattice is off by what the shell's sharp faces hold of the next cells' distance: q/(R² ∫q² dq) = 7e-4
        # for each of the six, less for those farther away.
        self.assertAlmostEqual(lattice / mean, 1.0, delta=6 * 7e-4)

    def test_cylinder(self):
        """A rod along z, turned about it: the part of q along the rod sees its length, the rest nothing."""
        path = self.write_xyz([[('H', 0.0, 0.0, float(z)) for z in range(8)]])
        rows = self.compute(path, '--normalise', 'raw', '--q', '1,2', '--orientation', 'cylinder:12:0,0,1:0.7')
        re = sum(math.cos(0.7 * z) for z in range(8))
        im = sum(math.sin(0.7 * z) for z in range(8))
        for row in rows:
            self.assertAlmostEqual(row['intensity'], B_H**2 * (re * re + im * im), delta=1e-4)

    def test_moving_atom(self):
        """One atom at 0.3 Å a frame along x: F(q, τ) = b² exp(iqvτ) for a vector, sin(qvτ)/(qvτ) on average."""
        path = self.write_xyz([[('H', 0.3 * t, 0.0, 0.0)] for t in range(40)])
        vectors = self.folder / 'q.txt'
        vectors.write_text('1 0 0\n0 1 0\n', encoding='ascii')
        squared = 80.26 * 100.0 / (4.0 * math.pi)
        rows = self.compute(path, '--kind', 'incoherent', '--dynamic', '--q-vectors', vectors)
        self.assertEqual(len(rows), 80)
        for row in rows:
            phase = 0.3 * row['tau'] * row['qx']
            self.assertAlmostEqual(row['F_re'], squared * math.cos(phase), delta=2e-6 * squared)
            self.assertAlmostEqual(row['F_im'], squared * math.sin(phase), delta=2e-6 * squared)
        rows = self.compute(path, '--kind', 'incoherent', '--dynamic', '--q', '0.5,2')
        for row in rows:
            # One atom's displacements are not spread over a bin as a liquid's are: a bin's width of error.
            self.assertAlmostEqual(row['F_re'], squared * sinc(0.3 * row['tau'] * row['q']), delta=5e-3 * squared)

    def test_rotor(self):
        """One atom at places that are even over a sphere: its EISF is j0²(qR), whichever way q points."""
        n, radius, turn = 2000, 1.5, math.pi * (3.0 - math.sqrt(5.0))
        frames = []
        for k in range(n):
            z = 1.0 - (2.0 * k + 1.0) / n
            r = math.sqrt(1.0 - z * z)
            frames.append([('H', radius * r * math.cos(turn * k), radius * r * math.sin(turn * k), radius * z)])
        path = self.write_xyz(frames)
        vectors = self.folder / 'q.txt'
        vectors.write_text('1 0 0\n0 1.2 0.5\n0 0 2\n1 1 2\n', encoding='ascii')
        squared = 80.26 * 100.0 / (4.0 * math.pi)
        rows = self.compute(path, '--kind', 'incoherent', '--normalise', 'raw', '--signal', 'plain', '--q-vectors', vectors)
        self.assertEqual(len(rows), 4)
        for row in rows:
            q = math.hypot(row['qx'], row['qy'], row['qz'])
            self.assertAlmostEqual(row['fq2'] / squared, sinc(q * radius)**2, delta=2e-5)

    def test_measured(self):
        """Counts of a detector: 3 times I(q) and 20 besides, with errors as large as they are off."""
        path = self.write_xyz([[('H', 0.0, 0.0, 0.0), ('O', 1.0, 0.0, 0.0), ('O', 0.0, 2.2, 0.0)]])
        common = ('--q', '0.2:4:0.2', '--orientation', 'exact')
        rows = self.compute(path, *common)
        with open(self.folder / 'measured.dat', 'w', encoding='ascii') as file:
            for k, row in enumerate(rows):
                file.write(f"{row['q']} {3.0 * row['intensity'] + 20.0 + (0.1 if k % 2 else -0.1)!r} 0.1\n")
        done = cli.run('scattering', *common, '--measured', self.folder / 'measured.dat', '-o', self.folder / 'f.h5', path)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = re.search(r'is (\S+) times I\(q\) and a background of (\S+), χ² per degree of freedom (\S+), 20 points',
                          done.stdout + done.stderr)
        self.assertIsNotNone(found, done.stdout + done.stderr)
        for text, expected, tolerance in zip(found.groups(), (3.0, 20.0, 20.0 / 18.0), (0.05, 0.2, 0.1)):
            self.assertAlmostEqual(float(text), expected, delta=tolerance)
        with open(self.folder / 'bare.dat', 'w', encoding='ascii') as file:
            file.writelines(f"{row['q']} {3.0 * row['intensity'] + 20.0!r}\n" for row in rows)
        done = cli.run('scattering', *common, '--measured', self.folder / 'bare.dat', '-o', self.folder / 'f.h5', path)
        self.assertIn('3 times I(q) and a background of 20, 20 points without errors', done.stdout + done.stderr)
        with open(self.folder / 'some.dat', 'w', encoding='ascii') as file:
            file.writelines(f"{row['q']} {3.0 * row['intensity'] + 20.0!r} {0.1 if k > 0 else 0.0}\n"
                            for k, row in enumerate(rows))
        done = cli.run('scattering', *common, '--measured', self.folder / 'some.dat', '-o', self.folder / 'f.h5', path)
        self.assertIn('a background of 20, 20 points that weigh alike: not all have errors', done.stdout + done.stderr)

    def test_threads(self):
        numbers = random.Random(5)
        atoms = [('O', *(numbers.uniform(0.0, 20.0) for _ in range(3))) for _ in range(400)]
        path = self.write_xyz([atoms, atoms[::-1]], cell=20.0)
        one = self.compute(path, '--q', '0.3:4:0.1', '--threads', '1')
        self.assertEqual(one, self.compute(path, '--q', '0.3:4:0.1', '--threads', '2'))

    def test_large_cell(self):
        """Without a range q ends where the lattice has no more vectors than a run takes."""
        path = self.write_xyz([[('O', 0.0, 0.0, 0.0), ('O', 3.0, 0.0, 0.0)]], cell=225.0)
        rows = self.compute(path)
        self.assertTrue(2.5 < float(rows[-1]['q']) < 3.0, rows[-1])


if __name__ == '__main__':
    unittest.main(verbosity=2)
