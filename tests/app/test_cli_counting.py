#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--altloc and --cell: what of the files counts, in every command, in results and in what computes them again."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import png_pixels  # noqa: E402
from cli_case import CliCase  # noqa: E402

CRYSTAL = 'CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1           1\n'
# Two waters and an argon; the first water at two locations, B in more cells of the crystal.
SITES = [('O', 'HOH', ' ', 1, 1.0, 1.0, 1.0, 1.0, 'O'), ('H1', 'HOH', ' ', 1, 1.957, 1.0, 1.0, 1.0, 'H'),
         ('H2', 'HOH', ' ', 1, 0.76, 1.927, 1.0, 1.0, 'H'),
         ('O', 'HOH', 'A', 2, 4.0, 1.0, 1.0, 0.4, 'O'), ('O', 'HOH', 'B', 2, 4.4, 1.3, 1.0, 0.6, 'O'),
         ('H1', 'HOH', 'A', 2, 4.957, 1.0, 1.0, 0.4, 'H'), ('H1', 'HOH', 'B', 2, 5.357, 1.3, 1.0, 0.6, 'H'),
         ('H2', 'HOH', 'A', 2, 3.76, 1.927, 1.0, 0.4, 'H'), ('H2', 'HOH', 'B', 2, 4.16, 2.227, 1.0, 0.6, 'H'),
         ('AR', 'AR', ' ', 3, 9.0, 9.0, 9.0, 1.0, 'AR')]


def write(path, sites, cell=CRYSTAL):
    lines = [f'HETATM{i + 1:5d} {name:<4s}{label}{residue:>3s} A{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}{occupancy:6.2f}  0.00'
             f'          {element:>2s}\n' for i, (name, residue, label, number, x, y, z, occupancy, element) in enumerate(sites)]
    path.write_text(cell + ''.join(lines) + 'END\n', encoding='ascii')


def rows(path):
    """What is in a table or a curve, without its header."""
    return [line for line in path.read_text(encoding='utf-8').splitlines() if not line.startswith('#')]


def header(path):
    return [line for line in path.read_text(encoding='utf-8').splitlines() if line.startswith('#')]


class Counting(CliCase):
    # Each as a function of the computation's files: a command and the ending of what it writes.
    ANALYSES = {
        'scattering': ['scattering', '--probe', 'neutron', '--q', '0.5:3:0.5', '--orientation', 'exact', '--kind', 'total'],
        'rdf': ['rdf', '--pair', 'element O', 'element H', '--max', '6', '--bins', '60'],
        'map': ['map', '--charges', 'amber', '--select', 'water', '--origin', '-5,-5,-5', '--shape', '8,8,8', '--spacing', '2'],
        'export': ['export'],
    }

    def setUp(self):
        super().setUp()
        write(self.folder / 'both.pdb', SITES)
        for label in 'AB':
            write(self.folder / f'{label}.pdb', [site[:2] + (' ',) + site[3:7] + (1.0,) + site[8:]
                                                 for site in SITES if site[2] in (' ', label)])

    def compute(self, name, file, *options, output='out.csv'):
        done = self.run_cli(*self.ANALYSES[name], *options, '-o', output, file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / output

    def test_one_location_counts_in_every_analysis(self):
        for name in self.ANALYSES:
            for options, file in (((), 'B.pdb'), (('--altloc', 'highest'), 'B.pdb'), (('--altloc', 'A'), 'A.pdb')):
                with self.subTest(name, options=options):
                    expected = rows(self.compute(name, file, output='expected.csv'))
                    self.assertEqual(rows(self.compute(name, 'both.pdb', *options)), expected)
            with self.subTest(name, options='all'):
                self.assertNotEqual(rows(self.compute(name, 'both.pdb', '--altloc', 'all')), expected)

    def test_ions_and_measured_atoms(self):
        for options, file in (((), 'B.pdb'), (('--altloc', 'A'), 'A.pdb')):
            found = [self.run_cli('ions', '--charges', 'amber', '--select', 'water', '--count', '1,1', '--spacing', '1', *given, '-o',
                                  'ions.csv', name).returncode == 0 and rows(self.folder / 'ions.csv')
                     for given, name in ((options, 'both.pdb'), ((), file))]
            self.assertTrue(found[0])
            self.assertEqual(found[0], found[1])
        # What is named by its index is measured, whichever location counts.
        done = self.run_cli('measure', '--atoms', '0,3;0,4', '-o', 'd.csv', 'both.pdb')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([round(float(value), 3) for value in rows(self.folder / 'd.csv')[1].split(',')[-2:]], [3.0, 3.413])

    def test_it_is_told(self):
        out = self.compute('scattering', 'both.pdb', output='s.h5')
        self.assertIn('6 atoms have alternate locations; the 3 with the highest occupancy are used',
                      self.run_cli('info', out).stdout + self.run_cli('scattering', *self.ANALYSES['scattering'][1:], '-o', 'x.csv',
                                                                      'both.pdb').stderr)
        self.assertIn('# altloc: highest', header(self.compute('scattering', 'both.pdb')))
        self.assertIn('# cell: file', header(self.compute('scattering', 'both.pdb')))

    def test_info_counts_all(self):
        told = cli.run_json('info', self.folder / 'both.pdb')
        self.assertEqual((told['atoms'], told['alternates'], told['residues']), (10, 6, 3))
        self.assertEqual(cli.run_json('info', '--altloc', 'A', self.folder / 'both.pdb')['atoms'], 7)
        self.assertIn('other commands use 3 of these 6 atoms by default', self.run_cli('info', 'both.pdb').stdout)
        self.assertEqual(cli.run_json('info', self.folder / 'A.pdb')['alternates'], 0)

    def test_exported_labels(self):
        """All locations keep their labels; a chosen one needs none."""
        self.compute('export', 'both.pdb', '--altloc', 'all', output='all.pdb')
        self.assertEqual(cli.run_json('info', self.folder / 'all.pdb')['alternates'], 6)
        self.assertEqual(rows(self.compute('scattering', 'all.pdb')), rows(self.compute('scattering', 'both.pdb', output='b.csv')))
        self.compute('export', 'both.pdb', output='one.pdb')
        told = cli.run_json('info', self.folder / 'one.pdb')
        self.assertEqual((told['atoms'], told['alternates']), (7, 0))

    def test_the_cell_is_chosen(self):
        write(self.folder / 'open.pdb', SITES, cell='')
        for name in ('rdf', 'scattering', 'map'):
            options = {'rdf': [], 'scattering': ['--orientation', 'sphere:20'], 'map': ['--periodic', 'xyz']}[name]
            for cell, file in (('none', 'open.pdb'), ('20,20,20', 'both.pdb'), ('20,20,20,90,90,90', 'both.pdb')):
                if (name, cell) == ('map', 'none'):
                    continue
                with self.subTest(name, cell=cell):
                    source = 'both.pdb' if cell == 'none' else 'open.pdb'
                    expected = rows(self.compute(name, file, *options, output='expected.csv'))
                    self.assertEqual(rows(self.compute(name, source, *options, '--cell', cell)), expected)
        self.assertIn('cell', self.run_cli(*self.ANALYSES['map'], '--periodic', 'xyz', '--cell', 'none', '-o', 'm.csv',
                                           'both.pdb').stderr)

    def test_the_cell_of_every_frame(self):
        done = self.run_cli('export', '--cell', '7,8,9,90,90,120', '-o', 'in.gro', 'run.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)
        told = cli.run_json('info', self.folder / 'in.gro')
        self.assertEqual(told['frames'], 5)
        self.assertEqual([round(number, 3) for number in told['cell']], [7, 8, 9, 90, 90, 120])
        self.assertIsNone(cli.run_json('info', '--cell', 'none', self.folder / 'in.gro')['cell'])
        # Wrapped into it: no atom is outside.
        self.run_cli('export', '--cell', '4,4,4', '--wrap', '-o', 'wrapped.csv', '--frames', '0', 'both.pdb')
        argon = [line for line in rows(self.folder / 'wrapped.csv') if ',Ar,' in line][0].split(',')
        self.assertEqual([float(number) for number in argon[2:]], [1.0, 1.0, 1.0])

    def test_computed_again(self):
        self.compute('rdf', 'both.pdb', '--altloc', 'A', '--cell', '15,16,17', output='g.h5')
        told = cli.run_json('rerun', 'g.h5', '-o', 'again.h5', folder=self.folder)
        self.assertEqual(told['largest_difference'], 0.0)
        done = self.run_cli('rerun', '-o', 'again.csv', 'again.h5')
        self.assertEqual(done.returncode, 0, done.stderr)
        line = [text for text in header(self.folder / 'again.csv') if text.startswith('# command_line:')][0]
        self.assertIn(' --altloc A --cell 15,16,17 ', line)
        self.assertIn('# altloc: A', header(self.folder / 'again.csv'))
        self.assertEqual(rows(self.folder / 'again.csv'),
                         rows(self.compute('rdf', 'A.pdb', '--cell', '15,16,17', output='expected.csv')))

    def test_pictures(self):
        for name, options in (('default', ()), ('A', ('--altloc', 'A')), ('all', ('--altloc', 'all'))):
            done = self.run_cli('render', '--size', '200x150', '--style', 'spheres', *options, '-o', f'{name}.png', 'both.pdb')
            self.assertEqual(done.returncode, 0, done.stderr)
        for label, name in (('B', 'default'), ('A', 'A')):
            self.run_cli('render', '--size', '200x150', '--style', 'spheres', '-o', 'expected.png', f'{label}.pdb')
            self.assertEqual(png_pixels.drawn(self.folder / 'expected.png'), png_pixels.drawn(self.folder / f'{name}.png'))
        self.assertNotEqual(png_pixels.drawn(self.folder / 'all.png'), png_pixels.drawn(self.folder / 'default.png'))

    def test_what_is_refused(self):
        self.assertIn('--cell: expected file, none', self.expect_usage(*self.ANALYSES['rdf'], '--cell', '10,10', '-o', 'g.csv', 'both.pdb'))
        self.assertIn('with a volume', self.expect_usage('export', '--cell', '10,10,0', '-o', 'a.pdb', 'both.pdb'))
        self.assertIn('--altloc: expected highest', self.expect_usage('info', '--altloc', 'A B', 'both.pdb'))


if __name__ == '__main__':
    unittest.main()
