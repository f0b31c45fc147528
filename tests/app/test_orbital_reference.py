#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli orbital against reference values of orbitals and densities, files of eight programs, and against PySCF's cubes."""
import gzip
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

FILES = pathlib.Path(os.environ.get('DEBYE_SHARED') or '/nonexistent') / 'reference/next/orbitals'
BOHR = 0.529177210903
# Two contractions of it begin with coefficients of 0, which the reference's program took for no functions at all.
WRONG = 'h2o_ccpvdz_cfour.molden'
# Of the largest value.
TOLERANCE = 1e-5


def read_columns(path):
    lines = [line for line in path.read_text(encoding='utf-8').splitlines() if not line.startswith('#')]
    return lines[0].split(','), numpy.array([[float(word) for word in line.split(',')] for line in lines[1:]])


def read_cube(path):
    lines = gzip.open(path, 'rt', encoding='utf-8').read().splitlines()
    rows = [[float(word) for word in line.split()] for line in lines[2:6]]
    n_atoms, origin = int(rows[0][0]), numpy.array(rows[0][1:4])
    values = numpy.array([float(word) for line in lines[6 + n_atoms:] for word in line.split()])
    axes = [origin[i] + rows[1 + i][1 + i] * numpy.arange(int(rows[1 + i][0])) for i in range(3)]
    return numpy.stack(numpy.meshgrid(*axes, indexing='ij'), -1).reshape(-1, 3), values


class Reference(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-orbital-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def evaluate(self, file, points, *arguments):
        numpy.savetxt(self.folder / 'points.txt', points * BOHR, fmt='%.17g')
        done = cli.run('orbital', *arguments, '--at', self.folder / 'points.txt', '--quiet', '-o', self.folder / 'values.csv',
                       FILES / file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_columns(self.folder / 'values.csv')[1][:, 3:].T

    def check(self, found, expected, what):
        self.assertLessEqual(abs(found - expected).max(), TOLERANCE * abs(expected).max(), what)

    def test_values_of_all_files(self):
        with h5py.File(FILES / 'orbitals.h5', 'r') as known:
            for name, group in known.items():
                if name == WRONG:
                    continue
                file = str(group.attrs.get('file', name)) + '.gz'
                numbers = group['mo_index'][()][:12]
                options = [word for number in numbers for word in ('--orbital', str(number))]
                has_density = 'density' in group and group['density'][()].max() > 0
                found = self.evaluate(file, group['points_bohr'][()], *options, *(['--density'] if has_density else []))
                for row, expected in zip(found[:len(numbers)], group['mo'][()]):
                    self.check(row, expected, name)
                if has_density:
                    self.check(found[len(numbers)], group['density'][()], name)

    def test_cubes(self):
        """Steps of six decimals: the last point is known to 1e-5 bohr, where the density at oxygen falls by 16 of itself."""
        for name, options, tolerance in (('homo', ('--orbital', 'homo'), 5e-5), ('density', ('--density',), 2e-4)):
            points, expected = read_cube(FILES / f'water_ccpvtz_sph_{name}.cube.gz')
            found = self.evaluate('water_ccpvtz_sph.molden.gz', points, *options)[0]
            self.assertLessEqual(abs(found - expected).max(), tolerance * abs(expected).max(), name)

    def test_electrostatic_potential(self):
        """PySCF's int1e_rinv at these points (bohr), as orbital files of its own give it."""
        points = numpy.array([[0.3, -0.2, 0.5], [1.5, 1.0, -2.0], [-4.0, 3.0, 6.0], [0.05, 2.2, 0.1]])
        for file, expected in {
                'water_ccpvtz_sph.molden.gz': (6.715421573, 0.057143453, -0.010528711, 0.163333935),
                'neon_ccpvqz_cart.molden.gz': (25.537667704, 0.000550237, 0.0, 0.003775526),
                'OH_uhf_ccpvtz_sph.molden.gz': (3.887847657, -0.046171712, 0.010404796, -0.030892080),
                'NiCO4_def2svp_sph.molden.gz': (8.538442616, 0.050406549, 0.007553740, 0.150742192)}.items():
            found = self.evaluate(file, points, '--potential')[0]
            self.assertLess(abs(found - expected).max(), 1e-8, file)

    def test_maps_are_the_values_at_their_points(self):
        for file in ('NiCO4_def2svp_sph.molden.gz', 'neon_ccpvqz_cart.molden.gz', 'orca_zn_cc_pvqz_pure.molden.gz'):
            wanted = ('--orbital', '5', '--density', '--laplacian')
            done = cli.run('orbital', *wanted, '--origin', '-1.3,-1.1,-0.9', '--shape', '12,11,10', '--spacing', '0.23',
                           '--quiet', '-o', self.folder / 'map.h5', FILES / file)
            self.assertEqual(done.returncode, 0, done.stderr)
            axes = [start + 0.23 * numpy.arange(n) for start, n in ((-1.3, 12), (-1.1, 11), (-0.9, 10))]
            points = numpy.stack(numpy.meshgrid(*axes, indexing='ij'), -1).reshape(-1, 3) / BOHR
            values = self.evaluate(file, points, *wanted)
            with h5py.File(self.folder / 'map.h5', 'r') as result:
                maps = []
                result.visititems(lambda _, item: maps.append(item[()]) if isinstance(item, h5py.Dataset) and item.ndim == 3
                                  else None)
            for expected in values:
                shaped = expected.reshape(12, 11, 10)
                errors = [abs(found.transpose(order) - shaped).max() for found in maps for order in ((0, 1, 2), (2, 1, 0))
                          if found.transpose(order).shape == shaped.shape]
                self.assertLessEqual(min(errors), TOLERANCE * abs(expected).max(), file)


if __name__ == '__main__':
    if not os.environ.get('DEBYE_SHARED'):
        print('DEBYE_SHARED is not set: the reference files are not here')
        sys.exit(77)
    unittest.main(verbosity=2)
