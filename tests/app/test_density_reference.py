#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli density against maps and profiles of others: MDAnalysis' counts about a superposed peptide, voxel by voxel, and
numpy's histograms in fractions of each frame's cell, by radius and by distance to the nearest atom."""
import csv
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

SHARED = pathlib.Path(os.environ.get('DEBYE_SHARED') or '/nonexistent')
REFERENCE = SHARED / 'reference/next/density'
PEPTIDE = (SHARED / 'reference/pep/pep.tpr', SHARED / 'reference/pep/pep_nojump.xtc')
TIP3P = (SHARED / 'data/xtc/tip3p_300K_1ATM.pdb', SHARED / 'data/xtc/tip3p_300K_1ATM.xtc')
WEIGHTS = {'number': 'number', 'mass': 'mass', 'charge': 'charge', 'electron_Z': 'z', 'electron_Zq': 'electrons'}


class DensityReferenceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-density-'))
        self.addCleanup(shutil.rmtree, self.folder)

    def compute(self, files, name, *arguments):
        done = cli.run('density', *arguments, '--quiet', '-o', self.folder / name, *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def map_of(self, *arguments):
        with h5py.File(self.compute(*arguments), 'r') as file:
            return file['entry/data/density'][()].transpose(2, 1, 0)

    def profile_of(self, files, *arguments):
        """Columns of numbers by name; an empty field is NaN."""
        with open(self.compute(files, 'profile.csv', *arguments), encoding='utf-8') as lines:
            rows = list(csv.DictReader(line for line in lines if not line.startswith('#')))
        return {key: numpy.array([float(row[key] or 'nan') for row in rows]) for key in rows[0]}

    def test_superposed(self):
        with h5py.File(REFERENCE / 'map_superposed.h5', 'r') as file:
            counts, centre, atoms = file['count'][()].astype(int), file['reference_centre_A'][()], file['fit_atoms'][()]
            frames = file.attrs['frames']
        origin = ','.join(repr(float(x - 7.25)) for x in centre)
        values = self.map_of(PEPTIDE, 'map.h5', '--select', 'resname SOL and name OW', '--about',
                             'index ' + ' '.join(str(i) for i in atoms), '--spacing', '0.5', '--origin', origin, '--shape',
                             '30,30,30')
        found = numpy.rint(values * 0.125 * frames).astype(int)
        self.assertEqual(found.sum(), counts.sum())
        self.assertEqual((found != counts).sum(), 0)

    def check_profile(self, tag, files, frames, select, bins, weights=WEIGHTS, groups='all'):
        with h5py.File(REFERENCE / 'profiles.h5', 'r') as file:
            group = file[tag]
            for name, weight in weights.items():
                with self.subTest(f'{tag} {groups} {name}'):
                    found = self.profile_of(files, '--select', select, '--weight', weight, '--profile', 'z', '--bins', bins,
                                            '--frames', frames)
                    expected, error = group[f'{groups}/{name}'][()], group[f'{groups}/{name}_err'][()]
                    length = group.attrs['mean_L']
                    largest = abs(expected).max()
                    numpy.testing.assert_allclose(found['position'], group['centre_fraction'][()] * length, rtol=1e-6)
                    numpy.testing.assert_allclose(found['value'], expected, rtol=0, atol=2e-6 * largest)
                    numpy.testing.assert_allclose(found['error'], error, rtol=0, atol=2e-6 * largest)

    def test_profiles(self):
        self.check_profile('pep_z', PEPTIDE, '0:199', 'all', 100)
        self.check_profile('pep_z', PEPTIDE, '0:199', 'resname SOL and name OW', 100, {'number': 'number'}, 'waterO')

    def test_map_of_fractions(self):
        """A map of one voxel across is the profile; the cell breathes. A few of 300,000 atoms lie so near to a bin's edge that
        the last bit of a coordinate, which readers round in their own ways, decides."""
        with h5py.File(REFERENCE / 'profiles.h5', 'r') as file:
            expected = file['tip3p_npt_z/all/number'][()]
        profile = self.profile_of(TIP3P, '--profile', 'z', '--bins', '80', '--frames', '0:399')['value']
        values = self.map_of(TIP3P, 'map.h5', '--bins', '1,1,80', '--frames', '0:399').reshape(-1)
        numpy.testing.assert_allclose(values, profile, rtol=1e-6)
        atoms = (profile - expected) * 400 * 19.94 ** 3 / 80
        self.assertLess(abs(atoms).max(), 3.5)
        self.assertLessEqual((abs(atoms) > 0.5).sum(), 4)
        self.assertAlmostEqual(atoms.sum(), 0.0, places=1)

    def test_by_distance(self):
        with h5py.File(REFERENCE / 'radial_cylindrical.h5', 'r') as file:
            radial, proximal, frames = file['radial/density_per_A3'][()], file['proximal/count'][()], file.attrs['frames']
            volume = file.attrs['mean_volume']
        with h5py.File(REFERENCE / 'map_superposed.h5', 'r') as file:
            heavy = 'index ' + ' '.join(str(i) for i in file['fit_atoms'][()])
        water = ('--select', 'resname SOL and name OW')
        found = self.profile_of(PEPTIDE, *water, '--about', 'index 0:21', '--profile', 'radial', '--max', '13', '--spacing', '0.1')
        numpy.testing.assert_allclose(found['value'], radial, rtol=1e-9, atol=1e-12)
        found = self.profile_of(PEPTIDE, *water, '--about', heavy, '--profile', 'proximal', '--max', '10', '--spacing', '0.1')
        # Densities times the volumes that they were divided by are counts; volumes are estimates of a percent or so.
        shell = slice(30, 80)
        density = proximal[shell] / frames / found['value'][shell]
        self.assertLess(density.sum(), volume)
        self.assertGreater(density.sum(), 0.15 * volume)


if __name__ == '__main__':
    if not REFERENCE.is_dir():
        print('DEBYE_SHARED is not set: the reference files are not here')
        sys.exit(77)
    unittest.main(verbosity=2)
