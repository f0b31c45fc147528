#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli against the reference files: direct sums in double precision made by others, and what files hold."""
import csv
import gzip
import json
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
FORMATS = ('pdb', 'pqr', 'gro', 'psf', 'xyz', 'dcd', 'xtc', 'trr')

# A map's values are stored in single precision, and so are the charges: half a unit in the last place of each, and of
# the coordinates where the file has them as text. Near an atom the potential changes so fast that the last weighs more.
STORED = 1.5e-7
SINGLE = 5e-6   # of the map's root mean square: what the kernels promise


def read_reference(path, name='coulomb_direct'):
    """Values, z fastest, and the grid of the metadata."""
    meta = json.loads((path / 'meta.json').read_text(encoding='utf-8'))
    with gzip.open(path / f'{name}.csv.gz', 'rt', encoding='utf-8') as lines:
        values = [float(line) for line in lines if not line.startswith('#')]
    return meta['maps'], values


class ReferenceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-reference-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def compute(self, grid, files, *arguments):
        """Values in the reference's order (z fastest), e/Å unless another unit is asked for."""
        n = grid['n']
        origin = ','.join(str(number) for number in grid['origin'])
        done = cli.run('map', '--unit', 'e/A', '--origin=' + origin, '--shape', f'{n},{n},{n}', '--spacing',
                       grid['spacing'], '--quiet', '-o', self.folder / 'map.csv', *arguments, *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, rows = cli.read_map_csv(self.folder / 'map.csv')
        values = [value for _, value in rows]
        self.assertEqual(len(values), n ** 3)
        return [values[i + n * (j + n * k)] for i in range(n) for j in range(n) for k in range(n)]

    def check(self, name, files, *arguments, method='direct'):
        grid, exact = read_reference(SHARED / 'data' / 'ref' / name, f'coulomb_{method}')
        frames = ['--frames', grid['frame'], *arguments]
        rms = math.sqrt(sum(v * v for v in exact) / len(exact))
        single = self.compute(grid, files, *frames)
        error = math.sqrt(sum((a - b) ** 2 for a, b in zip(single, exact)) / len(exact))
        self.assertLess(error, SINGLE * rms, f'{name}: single precision')
        double = self.compute(grid, files, '--precision', 'double', *frames)
        error = math.sqrt(sum((a - b) ** 2 for a, b in zip(double, exact)) / len(exact))
        self.assertLess(error, 2e-6 * rms, f'{name}: double precision')
        return double, exact, rms

    def test_pqr(self):
        self.check('fas2_pqr', [SHARED / 'data/pqr/fas2.pqr'])

    def test_dcd_with_prmtop(self):
        files = [SHARED / 'data/amber/alanine-dipeptide-explicit.prmtop',
                 SHARED / 'data/dcd/alanine-dipeptide-explicit.dcd']
        double, exact, rms = self.check('aladip_dcd', files)
        # The coordinates are exactly the file's here: only charges and the stored map are rounded.
        for a, b in zip(double, exact):
            self.assertAlmostEqual(a, b, delta=20 * STORED * max(abs(b), rms))

    def test_psf_with_dcd(self):
        files = [SHARED / 'data/psf/adk.psf', SHARED / 'data/dcd/adk_dims_first30.dcd']
        double, exact, rms = self.check('adk_dcd', files)
        for a, b in zip(double, exact):
            self.assertAlmostEqual(a, b, delta=20 * STORED * max(abs(b), rms))

    def test_cutoff(self):
        """Within 12 Å, smoothed: open, in a box, and in CHARMM's skewed cell, whose vectors are where its matrix says."""
        cutoff = ('--method', 'cutoff', '--cutoff', '12', '--smoothing', 'smooth')
        periodic = (*cutoff, '--periodic', 'xyz')
        for name, files, arguments in (
                ('fas2_pqr', ['pqr/fas2.pqr'], cutoff),
                ('adk_dcd', ['psf/adk.psf', 'dcd/adk_dims_first30.dcd'], cutoff),
                ('aladip_dcd', ['amber/alanine-dipeptide-explicit.prmtop', 'dcd/alanine-dipeptide-explicit.dcd'], periodic),
                ('tip125_triclinic_dcd', ['psf/tip125_tric_C36.psf', 'dcd/tip125_tric_C36.dcd'], periodic)):
            self.check(name, [SHARED / 'data' / file for file in files], *arguments, method='cut12')

    def test_average_is_the_plain_loop(self):
        files = [SHARED / 'data/psf/adk.psf', SHARED / 'data/dcd/adk_dims_first30.dcd']
        grid = {'n': 12, 'origin': [-22.5, -22.9, -22.2], 'spacing': 4.0}
        loop = [self.compute(grid, files, '--frames', frame) for frame in (0, 10, 20)]
        for statistic, plain in (('mean', lambda v: sum(v) / 3), ('min', min), ('max', max),
                                 ('std', lambda v: math.sqrt(sum((x - sum(v) / 3) ** 2 for x in v) / 3))):
            told = self.compute(grid, files, '--frames', '0:20:10', '--superpose', 'none', '--statistic', statistic)
            for i, value in enumerate(told):
                # The frames of the loop are rounded to single precision each; the running sum is not.
                self.assertAlmostEqual(value, plain([values[i] for values in loop]), delta=4e-7, msg=statistic)

    # Column of the reference, options, tolerance against the map's root mean square. In single precision coordinates
    # are as exact as the file's, so that points within 0.05 Å of an atom, at 100 V, are what weighs.
    WATER = (
        ('direct_nopbc_V', (), SINGLE),
        ('direct_minimage_V', ('--periodic', 'xyz'), SINGLE),
        ('cutoff12_V', ('--method', 'cutoff', '--periodic', 'xyz', '--cutoff', '12'), SINGLE),
        ('ewald_V', ('--method', 'ewald'), 1e-4),
        ('ewald_V', ('--method', 'ewald', '--tolerance', '1e-5'), 1e-5),
        ('ewald_V', ('--method', 'ewald', '--tolerance', '1e-7'), 1e-7),
        ('ewald_V', ('--method', 'multilevel', '--periodic', 'xyz', '--tolerance', '1e-3'), 1e-3),
    )

    def test_charges_of_a_table_are_those_of_the_force_field(self):
        """Ubiquitin's PSF holds CHARMM's charges, its PDB none: the table's make the same map."""
        pdb, psf = SHARED / 'data/psf/ubq.pdb', SHARED / 'data/psf/ubq.psf'
        grid = {'n': 6, 'origin': [0, 0, 0], 'spacing': 8}
        given = self.compute(grid, [psf, pdb])
        taken = self.compute(grid, [pdb], '--charges', 'charmm')
        rms = math.sqrt(sum(v * v for v in given) / len(given))
        for a, b in zip(given, taken):
            self.assertAlmostEqual(a, b, delta=SINGLE * rms)

    def test_volts_of_water(self):
        folder = SHARED / 'reference'
        files = [folder / 'w3k/w3k.psf', folder / 'w3k/w3k_nojump.xtc']
        with open(folder / 'coulomb/w3k_coulomb.csv', encoding='utf-8') as lines:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]
        edge = cli.run_json('info', *files)['cell'][0]
        grid = {'n': 12, 'origin': [0, 0, 0], 'spacing': repr(edge / 12)}
        for column, options, tolerance in self.WATER:
            with self.subTest(column=column, options=options):
                values = self.compute(grid, files, '--frames', '0', '--unit', 'V', *options)
                rms = math.sqrt(sum(row[column] ** 2 for row in rows) / len(rows))
                error = math.sqrt(sum((values[int((row['i'] * 12 + row['j']) * 12 + row['k'])] - row[column]) ** 2
                                      for row in rows) / len(rows))
                self.assertLess(error, tolerance * rms)


def close(told, known, relative=1e-4):
    return abs(told - known) <= relative * max(abs(known), 1.0)


class Facts(unittest.TestCase):
    """info --json of every file, against what several other readers agree on."""

    def expected_cell(self, name, facts):
        """None: not decided. A cell of zeros, or the 1 Å cube that PDB files carry without a crystal, is no cell."""
        box = facts.get('box_first')
        if name == 'pdb/cryst_then_model.pdb':
            box = facts['box_vectors_first'][0][:1] + box[1:]   # the readers' box_first is the last CRYST1, of model 3
        if box is None or any(isinstance(number, str) for number in box):
            return None
        return 'none' if box[0] in (0.0, 1.0) else box

    def check_file(self, name, facts):
        told = cli.run_json('info', SHARED / 'data' / name)
        self.assertEqual(told['atoms'], facts['natoms'])
        self.assertEqual(sum(told['elements'].values()), facts['natoms'])
        if facts.get('nframes') is not None:
            self.assertEqual(told['frames'], facts['nframes'])
        if facts.get('sum_charges') is not None and name.split('/')[-1].split('.')[1] in ('pqr', 'psf'):
            self.assertAlmostEqual(told['total_charge'], facts['sum_charges'], delta=2e-4)
        box = self.expected_cell(name, facts)
        if box == 'none':
            self.assertTrue(told['cell'] is None or told['cell'][:3] == [1, 1, 1], told['cell'])
        elif box is not None:
            for one, other in zip(told['cell'], box):
                self.assertTrue(close(one, other), f'{told["cell"]}, known {box}')

    def test_every_file(self):
        facts = json.loads((SHARED / 'data/facts.json').read_text(encoding='utf-8'))
        names = [name for name in facts if name.split('/')[0] in FORMATS]
        self.assertGreater(len(names), 90)
        for name in names:
            with self.subTest(file=name):
                self.check_file(name, facts[name])


if __name__ == '__main__':
    if not SHARED.is_dir():
        print('DEBYE_SHARED is not set')
        sys.exit(77)
    unittest.main()
