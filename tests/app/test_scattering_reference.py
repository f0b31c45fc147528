#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering against the reference files: sums in double precision made by others."""
import csv
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

SHARED = pathlib.Path(os.environ.get('DEBYE_SHARED') or '/nonexistent')
REFERENCE = SHARED / 'reference'
WATER = (REFERENCE / 'w3k/w3k.psf', REFERENCE / 'w3k/w3k_nojump.xtc')
PEPTIDE = (REFERENCE / 'pep/pep.psf', REFERENCE / 'pep/pep_nojump.xtc')


def read_csv(path):
    with open(path, encoding='utf-8') as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith('#'))
        return [{key: float(value) for key, value in row.items() if value} for row in rows]


def read_reference(path):
    """Rows of numbers; lines that begin otherwise are left out."""
    rows = []
    for line in path.read_text(encoding='utf-8').splitlines():
        try:
            rows.append([float(field) for field in line.split(',')])
        except ValueError:
            continue
    return rows


class ScatteringReferenceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-scattering-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def compute(self, files, *arguments):
        done = cli.run('scattering', '--normalise', 'raw', *arguments, '--quiet', '-o', self.folder / 's.csv', *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        column = 'fq0_re' if '--q-vectors' in arguments else 'intensity'
        return [row[column] for row in read_csv(self.folder / 's.csv')]

    def check(self, found, expected, tolerance):
        self.assertEqual(len(found), len(expected))
        for k, (one, other) in enumerate(zip(found, expected)):
            self.assertLessEqual(abs(one - other), tolerance * abs(other), f'row {k}: {one}, expected {other}')

    def check_rows(self, files, reference):
        """Every vector of the file alone, over all frames; a deuterated copy by its isotope."""
        known = read_reference(REFERENCE / 'scattering' / reference)
        vectors = self.folder / 'q.txt'
        vectors.write_text('\n'.join(' '.join(map(repr, row[:3])) for row in known), encoding='ascii')
        rows = ('--q-vectors', vectors)
        self.check(self.compute(files, *rows), [row[4] for row in known], 1e-6)
        self.check(self.compute(files, *rows, '--precision', 'double'), [row[4] for row in known], 1e-12)
        self.check(self.compute(files, *rows, '--isotope', 'element H=D'), [row[6] for row in known], 1e-6)

    def test_water_vectors(self):
        self.check_rows(WATER, 'w3k_static.csv')

    def test_peptide_vectors(self):
        self.check_rows(PEPTIDE, 'pep_static.csv')

    def test_directions_of_a_file(self):
        known = read_reference(REFERENCE / 'scattering/w3k_orient_static.csv')
        found = self.compute(WATER, '--frames', '0:-1:25', '--q', ','.join(repr(row[0]) for row in known),
                             '--orientation', f'vectors:{REFERENCE}/scattering/orientations_fib100.txt')
        self.check(found, [row[1] for row in known], 1e-6)

    def check_peptide(self, tolerance, *arguments):
        known = read_reference(REFERENCE / 'scattering/pep_debye_peptide22.csv')
        found = self.compute(PEPTIDE, '--select', 'index 0 to 21', '--frames', '0:10',
                             '--q', ','.join(repr(row[0]) for row in known), *arguments)
        self.check(found, [row[1] for row in known], tolerance)

    def test_exact_average(self):
        self.check_peptide(1e-12, '--orientation', 'exact')

    def test_multipoles(self):
        self.check_peptide(1e-11, '--orientation', 'multipole:40')

    def test_many_directions(self):
        # A golden spiral of n directions is exact up to orders of about √n: ten times what |q|·8 Å needs.
        self.check_peptide(1e-4, '--orientation', 'sphere:4000')

    def check_debye(self, name, files, atoms, frame, q_rows=51):
        """The whole curve from q = 0 on. X-rays with the table that the reference has, printed with 7 digits."""
        known = read_reference(SHARED / 'data/ref' / name / 'debye.csv')
        self.assertEqual(len(known), q_rows)
        common = ('--select', atoms, '--frames', f'{frame}:{frame}', '--q', '0:5:0.1', '--orientation', 'exact')
        self.check(self.compute(files, *common), [row[1] for row in known], 2e-6)
        self.check(self.compute(files, *common, '--tolerance', '1e-6'), [row[1] for row in known], 1e-6)
        found = self.compute(files, *common, '--probe', 'xray', '--form-factors', 'cromer-mann', '--hydrogen', 'bonded')
        self.check(found, [row[2] for row in known], 2e-5)

    def test_protein(self):
        data = SHARED / 'data'
        self.check_debye('adk_dcd', (data / 'psf/adk.psf', data / 'dcd/adk_dims_first30.dcd'), 'not hydrogen', 29)

    def test_toxin(self):
        self.check_debye('fas2_pqr', (next((SHARED / 'data/pqr').glob('*fas2*')),), 'all', 0)

    def test_dipeptide(self):
        data = SHARED / 'data'
        self.check_debye('aladip_dcd', (data / 'amber/alanine-dipeptide-explicit.prmtop',
                                        data / 'dcd/alanine-dipeptide-explicit.dcd'), 'all', 0)

    def test_water_in_a_skew_cell(self):
        data = SHARED / 'data'
        self.check_debye('tip125_triclinic_dcd', (data / 'psf/tip125_tric_C36.psf', data / 'dcd/tip125_tric_C36.dcd'), 'all', 0)

    def test_water(self):
        data = SHARED / 'data'
        self.check_debye('tip3p_xtc', (data / 'xtc/tip3p_300K_1ATM.pdb', data / 'xtc/tip3p_300K_1ATM.xtc'), 'all', 0)


if __name__ == '__main__':
    if not os.environ.get('DEBYE_SHARED'):
        print('DEBYE_SHARED is not set: the reference files are not here')
        sys.exit(77)
    unittest.main(verbosity=2)
