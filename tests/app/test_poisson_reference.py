#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli map --method pb --as-apbs against APBS 3.4.1: maps where ions may be, and energies."""
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
REFERENCE = SHARED / 'reference/next/pb'
KILOJOULES = 4.184
ION_RADIUS = 2.0


def read_atoms(path):
    """x, y, z, radius of each; columns are divided by blanks, and some files have a chain's letter behind the radius."""
    atoms = []
    for line in path.read_text(encoding='utf-8').splitlines():
        if line.startswith(('ATOM', 'HETATM')):
            words = line.split()
            x, y, z, _, radius = (float(word) for word in words[-5:])
            atoms.append((x, y, z, radius))
    return atoms


class ApbsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-apbs-'))
        self.addCleanup(shutil.rmtree, self.folder)
        with open(REFERENCE / 'energies.csv', encoding='utf-8') as file:
            rows = csv.DictReader(line for line in file if not line.startswith('#'))
            self.cases = {row['map']: row for row in rows if row['map']}

    def compare(self, name, *arguments):
        """Correlation and relative rms of the map where ions may be; both energies over APBS's."""
        case = self.cases[name]
        n, edge = int(case['dime']), float(case['glen'])
        step = edge / (n - 1)
        origin = [float(case[f'gcent_{axis}']) - edge / 2 for axis in 'xyz']
        file = SHARED / 'data/pqr' / case['pqr']
        told = cli.run_json('map', '--method', 'pb', '--as-apbs', '--select', 'all', '--energies', '--ionic-strength', case['conc_M'],
                            '--spacing', repr(step), '--origin=' + ','.join(repr(number) for number in origin), '--shape',
                            f'{n},{n},{n}', '-o', 'map.h5', *arguments, file, folder=self.folder)
        with h5py.File(REFERENCE / 'maps.h5', 'r') as maps, h5py.File(self.folder / 'map.h5', 'r') as mine:
            exact, stride = maps[name][()].astype(float), int(maps[name].attrs['stride'])
            found = mine['entry/data/potential'][()].transpose(2, 1, 0)[::stride, ::stride, ::stride].astype(float)
        places = numpy.stack(numpy.meshgrid(*(start + stride * step * numpy.arange(found.shape[axis])
                                              for axis, start in enumerate(origin)), indexing='ij'), -1)
        free = numpy.ones(found.shape, bool)
        for x, y, z, radius in read_atoms(file):
            free &= ((places - (x, y, z))**2).sum(-1) > (radius + ION_RADIUS)**2
        exact, found = exact[free], found[free]
        return (numpy.corrcoef(exact, found)[0, 1], numpy.sqrt(((found - exact)**2).mean() / (exact**2).mean()),
                told['solvation_kcal'] * KILOJOULES / float(case['dG_solv_minus_vac']),
                told['reaction_kcal'] * KILOJOULES / float(case['dG_solv_minus_hom']))

    def test_peptide(self):
        correlation, error, solvation, reaction = self.compare('1A1P_lpbe_65_smol_mdh_spl2_150mM')
        self.assertGreater(correlation, 0.9999)
        self.assertLess(error, 0.01)
        self.assertAlmostEqual(solvation, 1, delta=0.01)
        self.assertAlmostEqual(reaction, 1, delta=0.01)

    def test_protein(self):
        correlation, error, solvation, reaction = self.compare('fas2_lpbe_65_smol_mdh_spl2_150mM')
        self.assertGreater(correlation, 0.9999)
        self.assertLess(error, 0.01)
        self.assertAlmostEqual(solvation, 1, delta=0.01)
        self.assertAlmostEqual(reaction, 1, delta=0.01)

    def test_nonlinear(self):
        correlation, error, solvation, _ = self.compare('1A1P_npbe_65_smol_mdh_spl2_150mM', '--equation', 'nonlinear')
        self.assertGreater(correlation, 0.9999)
        self.assertLess(error, 0.01)
        self.assertAlmostEqual(solvation, 1, delta=0.01)


if __name__ == '__main__':
    if not REFERENCE.is_dir():
        print('DEBYE_SHARED is not set: the reference files are not here')
        sys.exit(77)
    unittest.main(verbosity=2)
