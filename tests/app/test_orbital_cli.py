#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli orbital on a molecule of two Gaussians whose values are known: maps, points, choices, notes and refusals."""
import math
import os
import sys
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402

BOHR = 0.529177210903
EXPONENT, DISTANCE = 0.7, 1.6


def write_molecule(path, occupations=(2, 0), betas=''):
    """Two s functions; the bonding and the antibonding orbital."""
    overlap = math.exp(-EXPONENT / 2 * DISTANCE ** 2)
    plus, minus = 1 / math.sqrt(2 + 2 * overlap), 1 / math.sqrt(2 - 2 * overlap)
    shell = f's 1 1.0\n {EXPONENT} 1.0\n\n'
    path.write_text(f'[Molden Format]\n[Atoms] AU\nH 1 1 0 0 0\nH 2 1 0 0 {DISTANCE}\n[GTO]\n1 0\n{shell}2 0\n{shell}[MO]\n'
                    f'Sym= sg\nEne= -0.6\nSpin= Alpha\nOccup= {occupations[0]}\n1 {plus:.12f}\n2 {plus:.12f}\n'
                    f'Sym= su\nEne= 0.3\nSpin= Alpha\nOccup= {occupations[1]}\n1 {minus:.12f}\n2 -{minus:.12f}\n{betas}',
                    encoding='ascii')
    return plus, minus


def gaussian(x, y, z, at):
    return (2 * EXPONENT / math.pi) ** 0.75 * numpy.exp(-EXPONENT * (x * x + y * y + (z - at) ** 2))


class Orbital(CliCase):
    def setUp(self):
        super().setUp()
        self.plus, self.minus = write_molecule(self.folder / 'h2.molden')

    def compute(self, *arguments, file='h2.molden'):
        done = self.run_cli('orbital', *arguments, '-o', 'out.h5', file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.folder / 'out.h5', 'r') as result:
            maps = {}
            result.visititems(lambda name, item: maps.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) and
                              item.ndim == 3 else None)
            notes = [note.decode('utf-8') for note in result['entry/provenance/notes'][()]]
        return maps, notes

    def grid(self):
        return numpy.meshgrid(*[(-2 + 0.25 * numpy.arange(17)) / BOHR] * 3, indexing='ij')

    def find_map(self, maps, values):
        """The map of these values, in whatever order of axes."""
        errors = [abs(found.transpose(order) - values).max() for found in maps.values() for order in ((0, 1, 2), (2, 1, 0))
                  if found.transpose(order).shape == values.shape]
        self.assertLess(min(errors), 1e-5 * abs(values).max())

    def test_hydrogen_is_as_exact_as_its_gaussians(self):
        """The sample's orbitals against the formulas that the window shows beside them, away from the cusp at the nucleus."""
        root = math.sqrt
        formulas = [
            lambda x, y, z, r: math.exp(-r) / root(math.pi),
            lambda x, y, z, r: (2 - r) * math.exp(-r / 2) / (4 * root(2 * math.pi)),
            *(lambda *at, k=k: at[k] * math.exp(-at[3] / 2) / (4 * root(2 * math.pi)) for k in range(3)),
            lambda x, y, z, r: (27 - 18 * r + 2 * r * r) * math.exp(-r / 3) / (81 * root(3 * math.pi)),
            *(lambda *at, k=k: root(2) * (6 - at[3]) * at[k] * math.exp(-at[3] / 3) / (81 * root(math.pi)) for k in range(3)),
            lambda x, y, z, r: (3 * z * z - r * r) * math.exp(-r / 3) / (81 * root(6 * math.pi)),
            lambda x, y, z, r: root(2) * x * z * math.exp(-r / 3) / (81 * root(math.pi)),
            lambda x, y, z, r: root(2) * y * z * math.exp(-r / 3) / (81 * root(math.pi)),
            lambda x, y, z, r: (x * x - y * y) * math.exp(-r / 3) / (81 * root(2 * math.pi)),
            lambda x, y, z, r: root(2) * x * y * math.exp(-r / 3) / (81 * root(math.pi))]
        points = [(0.3, -0.4, 0.2), (1.0, 0.5, -0.7), (-2.0, 1.5, 1.0), (2.5, 3.0, -3.5), (0.0, 0.0, 6.0)]
        (self.folder / 'at.txt').write_text(''.join(f'{x * BOHR:.15g} {y * BOHR:.15g} {z * BOHR:.15g}\n' for x, y, z in points))
        sample = os.path.join(os.environ['DEBYE_SAMPLES_DIR'], 'hydrogen.molden')
        for number, formula in enumerate(formulas):
            done = self.run_cli('orbital', '--orbital', str(number), '--at', 'at.txt', '-o', 'out.csv', sample)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = [line for line in (self.folder / 'out.csv').read_text().splitlines() if line[0] in '-0123456789']
            exact = [formula(*at, math.hypot(*at)) for at in points]
            for row, value in zip(rows, exact, strict=True):
                # A share of the error of the basis, 10^-6 in the energies, that grows as its root.
                self.assertAlmostEqual(float(row.split(',')[3]), value, delta=1e-3 * max(map(abs, exact)), msg=f'orbital {number}')

    def test_maps(self):
        window = ('--origin', '-2,-2,-2', '--shape', '17,17,17', '--spacing', '0.25')
        x, y, z = self.grid()
        first, second = gaussian(x, y, z, 0), gaussian(x, y, z, DISTANCE)
        maps, notes = self.compute('--orbital', 'homo', '--orbital', 'lumo', '--density', *window)
        self.find_map(maps, self.plus * (first + second))
        self.find_map(maps, self.minus * (first - second))
        self.find_map(maps, 2 * (self.plus * (first + second)) ** 2)
        self.assertTrue(any(note.startswith('Electrons: 2 by the occupations, 2 by the norms') for note in notes), notes)

    def test_density_integrates_to_its_electrons(self):
        _, notes = self.compute('--density', '--spacing', '0.2')
        told = [note for note in notes if 'integral over the grid' in note]
        self.assertEqual(len(told), 1)
        self.assertAlmostEqual(float(told[0].split()[-2]), 2.0, delta=1e-3)

    def test_points_and_derivatives(self):
        (self.folder / 'points.txt').write_text('# here\n0 0 0.2\n0.3 -0.1 0.5\n', encoding='ascii')
        done = self.run_cli('orbital', '--density', '--laplacian', '--at', 'points.txt', '-o', 'out.csv', 'h2.molden')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(',') for line in (self.folder / 'out.csv').read_text(encoding='utf-8').splitlines()
                if not line.startswith('#')][1:]

        def density(x, y, z):
            return 2 * (self.plus * (gaussian(x, y, z, 0) + gaussian(x, y, z, DISTANCE))) ** 2

        for row, at in zip(rows, ((0, 0, 0.2), (0.3, -0.1, 0.5))):
            at = numpy.array(at) / BOHR
            self.assertAlmostEqual(float(row[3]), density(*at), delta=1e-10)
            step = 1e-3
            steps = [step * numpy.eye(3)[i] for i in range(3)]
            laplacian = sum(density(*(at + s)) + density(*(at - s)) - 2 * density(*at) for s in steps) / step ** 2
            self.assertAlmostEqual(float(row[4]), laplacian, delta=1e-5)

    def test_electrostatic_potential(self):
        """Of protons and of Gaussians it is known; a map has the values of its points, and a nucleus has none."""
        points = [(0, 0, 0.2), (0.3, -0.1, 0.5), (-2.0, 1.0, 4.0)]
        (self.folder / 'points.txt').write_text(''.join(f'{x} {y} {z}\n' for x, y, z in points), encoding='ascii')
        done = self.run_cli('orbital', '--potential', '--at', 'points.txt', '-o', 'out.csv', 'h2.molden')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(',') for line in (self.folder / 'out.csv').read_text(encoding='utf-8').splitlines()
                if not line.startswith('#')][1:]
        overlap = math.exp(-EXPONENT / 2 * DISTANCE ** 2)

        def attraction(at, centre):
            r = math.dist(at, (0, 0, centre))
            return math.erf(math.sqrt(2 * EXPONENT) * r) / r

        def potential(x, y, z):
            at = (x / BOHR, y / BOHR, z / BOHR)
            electrons = attraction(at, 0) + attraction(at, DISTANCE) + 2 * overlap * attraction(at, DISTANCE / 2)
            return 1 / math.dist(at, (0, 0, 0)) + 1 / math.dist(at, (0, 0, DISTANCE)) - 2 * self.plus ** 2 * electrons

        for row, at in zip(rows, points):
            self.assertAlmostEqual(float(row[3]), potential(*at), delta=1e-10)
        maps, notes = self.compute('--density', '--potential', '--origin', '-0.5,-0.5,-0.5', '--shape', '3,3,3', '--spacing', '0.5')
        told = [note for note in notes if note.startswith('Electrostatic potential: exact integrals of 3 products')]
        self.assertEqual(len(told), 1, notes)
        found = next(values for name, values in maps.items() if name.endswith('electrostatic_potential'))
        for i, j, k in numpy.ndindex(3, 3, 3):
            place = [0.5 * (n - 1) for n in (k, j, i)]
            if place == [0, 0, 0]:
                self.assertTrue(math.isnan(found[i, j, k]))
            else:
                self.assertAlmostEqual(found[i, j, k], potential(*place), delta=1e-6)

    def test_spin(self):
        write_molecule(self.folder / 'cation.molden', (1, 0))
        _, notes = self.compute('--spin', '--spacing', '0.2', file='cation.molden')
        told = [note for note in notes if note.startswith('spin density')]
        self.assertAlmostEqual(float(told[0].split()[-2]), 1.0, delta=1e-3)
        write_molecule(self.folder / 'natural.molden', (1.9, 0.1))
        self.assertIn('found 1.9 of orbital 0', self.expect_failure('orbital', '--spin', '-o', 'a.h5', 'natural.molden'))

    def test_list_and_cube(self):
        done = self.run_cli('orbital', '--spacing', '0.4', '-o', 'list.csv', '-o', 'homo.cube', 'h2.molden')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line for line in (self.folder / 'list.csv').read_text(encoding='utf-8').splitlines() if line[0] != '#']
        self.assertEqual(rows[0], 'orbital,spin,symmetry,energy,energy_ev,occupation')
        self.assertTrue(rows[1].startswith('0,alpha,sg,-0.6,-16.32'), rows[1])
        lines = (self.folder / 'homo.cube').read_text(encoding='utf-8').splitlines()
        self.assertIn('bohr^-3/2', lines[1])
        self.assertEqual(int(lines[2].split()[0]), 2)
        self.assertEqual([float(word) for line in lines[6:8] for word in line.split()], [1, 1, 0, 0, 0, 1, 1, 0, 0, DISTANCE])
        self.assertRegex(self.run_cli('info', 'homo.cube').stdout, r'Atoms +2\n')

    def test_degenerate_frontier(self):
        """Two atoms too far from each other to split: each has its HOMO, and so has a LUMO's partner."""
        text = (self.folder / 'h2.molden').read_text(encoding='ascii').split('[MO]')[0]
        orbitals = ''.join(f'Sym= a\nEne= {energy}\nSpin= Alpha\nOccup= {occupation}\n1 {a}\n2 {b}\n'
                           for energy, occupation, a, b in ((-0.6, 2, 1, 0), (-0.6 + 1e-4, 2, 0, 1), (-0.598, 0, 1, 0), (0.3, 0, 0, 1)))
        (self.folder / 'two.molden').write_text(f'{text}[MO]\n{orbitals}', encoding='ascii')
        _, notes = self.compute(*[word for n in range(4) for word in ('--orbital', str(n))], '--spacing', '0.5', file='two.molden')
        told = [note.split(':')[0] for note in notes if '∫ψ²' in note]
        self.assertEqual(told, ['orbital 0 (HOMO)', 'orbital 1 (HOMO)', 'orbital 2 (LUMO)', 'orbital 3'])

    def test_a_cube_shows_its_molecule(self):
        """As a structure for any command, counted beside its map, with the place in Å."""
        (self.folder / 'homo.cube').write_text(f'bonding\nby hand\n -2 -1 -1 -1\n 2 2 0 0\n 2 0 2 0\n 2 0 0 2\n 1 1 0 0 0\n'
                                               f' 1 1 0 0 {DISTANCE}\n 1 1\n' + ' 0.1 0.2\n' * 4, encoding='ascii')
        shown = self.run_cli('info', 'homo.cube').stdout
        self.assertRegex(shown, r'Atoms +2\n')
        self.assertRegex(shown, r'Map +bonding, in bohr\^-3/2')
        done = self.run_cli('export', '-o', 'h2.xyz', 'homo.cube')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split() for line in (self.folder / 'h2.xyz').read_text(encoding='utf-8').splitlines()]
        self.assertEqual([row[0] for row in rows[2:]], ['H', 'H'])
        self.assertAlmostEqual(float(rows[3][3]), DISTANCE * BOHR, 4)

    def test_a_result_is_made_again(self):
        self.compute('--orbital', 'lumo', '--spacing', '0.4')
        done = self.run_cli('rerun', '-o', 'again.h5', 'out.h5')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_refusals(self):
        self.assertIn('found “9”', self.expect_usage('orbital', '--orbital', '9', '-o', 'a.h5', 'h2.molden'))
        self.assertIn('found “homer”', self.expect_usage('orbital', '--orbital', 'homer', '-o', 'a.h5', 'h2.molden'))
        self.assertIn('has no homo-1', self.expect_failure('orbital', '--orbital', 'homo-1', '-o', 'a.h5', 'h2.molden'))
        self.assertIn('expected a file with orbitals', self.expect_failure('orbital', '-o', 'a.h5', 'molecule.pqr'))
        write_molecule(self.folder / 'empty.molden', (0, 0))
        for option in ('--density', '--potential'):
            self.assertIn('found none that is occupied', self.expect_failure('orbital', option, '-o', 'a.h5', 'empty.molden'))
        self.assertIn('Grid spacing', self.expect_failure('orbital', '--spacing', '0.01', '--memory', '1M', '-o', 'a.h5',
                                                          'h2.molden'))

    def test_a_norm_that_is_not_1_is_told(self):
        text = (self.folder / 'h2.molden').read_text(encoding='ascii')
        (self.folder / 'wrong.molden').write_text(text.replace(f'2 {self.plus:.12f}', '2 0.9'), encoding='ascii')
        done = self.run_cli('orbital', '--orbital', '0', '--spacing', '0.5', '-o', 'a.h5', 'wrong.molden')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('has the norm', done.stderr)


if __name__ == '__main__':
    unittest.main(verbosity=2)
