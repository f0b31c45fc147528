#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli rdf against the reference files: counts in double precision made by others, curves of other programs."""
import csv
import math
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

SHARED = pathlib.Path(os.environ.get('DEBYE_SHARED') or '/nonexistent')
WATER = (SHARED / 'reference/w3k/w3k.psf', SHARED / 'reference/w3k/w3k_nojump.xtc')


def read_csv(path):
    """Rows of numbers by column; comments and empty fields left out."""
    with open(path, encoding='utf-8') as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith('#'))
        return [{key: float(value) for key, value in row.items() if value} for row in rows]


def read_reference(path):
    """(count, g or None, pairs near the lower edge) a bin"""
    rows = [line.strip().split(',') for line in path.read_text(encoding='utf-8').splitlines() if line[:1] not in '#']
    return [(int(row[2]), float(row[3]) if row[3] else None, int(row[5])) for row in rows]


class RdfReferenceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-rdf-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def count(self, files, *arguments):
        done = cli.run('rdf', *arguments, '--quiet', '-o', self.folder / 'rdf.csv', *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_csv(self.folder / 'rdf.csv')

    def check(self, reference, files, pair, largest, frames, *arguments, same_volume=False):
        """Counts differ by no more pairs than lie within 1e-5 Å of the bin's edges: the reader may round those over."""
        known = read_reference(SHARED / 'data/ref' / reference)
        told = self.count(files, '--pair', *pair, '--max', largest, '--bins', len(known), '--frames', frames, *arguments)
        self.assertEqual(len(told), len(known))
        for k, (row, (count, g, near)) in enumerate(zip(told, known)):
            spare = near + (known[k + 1][2] if k + 1 < len(known) else 2)
            self.assertLessEqual(abs(row['count'] - count), spare, f'{reference}: bin {k}')
            if same_volume and row['count'] == count:
                # The reference divides by the sum of 1/V, Debye averages each frame's g: one and the same only where
                # the volume stays. Cells are stored in single precision.
                self.assertAlmostEqual(row['g'], g, delta=2e-6 * max(g, 1.0), msg=f'{reference}: bin {k}')
        return told

    def test_water_under_constant_pressure(self):
        files = [SHARED / 'data/xtc/tip3p_300K_1ATM.pdb', SHARED / 'data/xtc/tip3p_300K_1ATM.xtc']
        self.check('tip3p_xtc/gr_OO.csv', files, ('element O', 'element O'), 9, '0:400')
        self.check('tip3p_xtc/gr_OH.csv', files, ('element O', 'element H'), 9, '0:400')

    def test_triclinic_water(self):
        files = [SHARED / 'data/psf/tip125_tric_C36.psf', SHARED / 'data/dcd/tip125_tric_C36.dcd']
        oxygen = ('element O', 'element O')
        self.check('tip125_triclinic_dcd/gr_OO.csv', files, oxygen, 5.2, '0:9')
        nearest = self.check('tip125_triclinic_dcd/gr_OO_beyond_half.csv', files, oxygen, 11, '0:9', '--images',
                             'nearest')
        # All images in range: more of them beyond half the cell, the same within.
        every = self.count(files, '--pair', *oxygen, '--max', 11, '--bins', 200, '--frames', '0:9')
        self.assertEqual([row['count'] for row in every[:90]], [row['count'] for row in nearest[:90]])
        self.assertGreater(sum(row['count'] for row in every), sum(row['count'] for row in nearest))

    def test_solvated_peptide(self):
        files = [SHARED / 'data/amber/alanine-dipeptide-explicit.prmtop',
                 SHARED / 'data/dcd/alanine-dipeptide-explicit.dcd']
        self.check('aladip_dcd/gr_OwOw.csv', files, ('water and element O', 'water and element O'), 15, '0:19',
                   same_volume=True)

    def test_without_a_cell(self):
        files = [SHARED / 'data/psf/adk.psf', SHARED / 'data/dcd/adk_dims_first30.dcd']
        rows = self.check('adk_dcd/gr_CACA_nopbc.csv', files, ('name CA', 'name CA'), 60, '0:29')
        self.assertTrue(all(math.isnan(row['g']) for row in rows))

    def test_exclusions_and_other_conventions(self):
        """Counts of ordered pairs, and g with N/V, as gmx rdf has it."""
        known = [row for row in read_csv(SHARED / 'reference/rdf/w3k_numpy_counts.csv')]
        pairs = {'OO': ('name OW', 'name OW', 2), 'OH': ('name OW', 'element H', 1), 'HH': ('element H', 'element H', 2)}
        for name, (first, second, times) in pairs.items():
            for exclude in ('incl', 'excl'):
                column = name if name == 'OO' else f'{name}_{exclude}'
                told = self.count(WATER, '--pair', first, second, '--max', '15', '--width', '0.1', '--frames', '0:-1:10',
                                  '--norm', 'density', '--exclude', 'residue' if exclude == 'excl' else 'none')
                self.assertEqual([times * row['count'] for row in told], [row[f'count_{column}'] for row in known])
                for row, other in zip(told, known):
                    self.assertAlmostEqual(row['g'], other[f'g_{column}'], delta=1e-9 * max(1.0, row['g']))

    def test_other_programs(self):
        """mdtraj and MDAnalysis: the same edges and pairs, single precision, so some pairs in the next bin."""
        known = read_csv(SHARED / 'reference/rdf/w3k_mdanalysis_mdtraj.csv')
        told = self.count(WATER, '--pair', 'name OW', 'name OW', '--max', '15', '--width', '0.1', '--frames', '0:-1:10')
        for row, other in zip(told, known):
            for program in ('mda', 'mdtraj'):
                self.assertAlmostEqual(row['g'], other[f'{program}_OO'], delta=3e-3, msg=program)

    def test_partials_are_pairs(self):
        """All pairs of elements at once count what each pair alone counts, and molecules are residues here."""
        done = cli.run('rdf', '--partials', '--exclude', 'molecule', '--max', '10', '--frames', '0:40:20', '--quiet', '-o',
                       self.folder / 'partials.csv', *WATER)
        self.assertEqual(done.returncode, 0, done.stderr)
        partials = read_csv(self.folder / 'partials.csv')
        for first, second, name in (('O', 'O', 'O-O'), ('H', 'O', 'H-O'), ('H', 'H', 'H-H')):
            alone = self.count(WATER, '--pair', f'element {first}', f'element {second}', '--exclude', 'residue', '--max',
                               '10', '--frames', '0:40:20')
            self.assertEqual([row[f'{name}.count'] for row in partials], [row['count'] for row in alone])
            self.assertEqual([row[f'{name}.g_error'] for row in partials], [row['g_error'] for row in alone])


if __name__ == '__main__':
    if not os.environ.get('DEBYE_SHARED'):
        print('DEBYE_SHARED is not set: the reference files are not here')
        sys.exit(77)
    unittest.main(verbosity=2)
