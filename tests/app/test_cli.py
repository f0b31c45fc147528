#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli as a person or a script meets it: outputs, exit status, messages, on small molecules made here."""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

WATER = [('O', 'HOH', 1, 0.0, 0.0, 0.0, -0.8, 1.5), ('H1', 'HOH', 1, 0.957, 0.0, 0.0, 0.4, 1.0),
         ('H2', 'HOH', 1, -0.24, 0.927, 0.0, 0.4, 1.0)]
MOLECULE = WATER + [('N', 'ALA', 2, 5.0, 1.0, 2.0, -0.5, 1.8), ('CA', 'ALA', 2, 6.4, 1.0, 2.0, 0.7, 1.9),
                    ('C', 'ALA', 2, 7.1, 2.3, 2.0, 0.3, 1.9), ('O', 'ALA', 2, 6.5, 3.4, 2.1, -0.5, 1.6)]
CHARGES = [(x, y, z, q) for _, _, _, x, y, z, q, _ in MOLECULE]


def xyz_frames(n_frames):
    """The molecule, moving: atom i of frame f is shifted along x by 0.1·f."""
    text = ''
    for frame in range(n_frames):
        text += f'{len(MOLECULE)}\nframe {frame}\n'
        text += ''.join(f'{name[0]} {x + 0.1 * frame:.4f} {y:.4f} {z:.4f}\n' for name, _, _, x, y, z, _, _ in MOLECULE)
    return text


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-cli-'))
        self.pqr = self.folder / 'molecule.pqr'
        self.xyz = self.folder / 'run.xyz'
        cli.write_pqr(self.pqr, MOLECULE)
        self.xyz.write_text(xyz_frames(5), encoding='ascii')

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_cli(self, *arguments, **options):
        return cli.run(*arguments, folder=self.folder, **options)

    def expect_usage(self, *arguments):
        done = self.run_cli(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, '')
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith('debye-cli: '), done.stderr)
        return done.stderr

    def expect_failure(self, *arguments):
        done = self.run_cli(*arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith('debye-cli: '), done.stderr)
        return done.stderr


class Line(CliTest):
    def test_no_command_and_unknown_command(self):
        self.assertEqual(self.run_cli().returncode, 2)
        self.assertIn('there is no command “mapp”', self.expect_usage('mapp'))

    def test_unknown_option_names_the_nearest(self):
        self.assertIn('did you mean --spacing?', self.expect_usage('map', '--spacng', '1', self.pqr))

    def test_values_are_checked_before_files(self):
        self.assertIn('found “wide”', self.expect_usage('map', '--spacing', 'wide', 'missing.pqr'))
        self.assertIn('kcal/mol/e', self.expect_usage('map', '--unit', 'furlong', 'missing.pqr'))
        self.assertIn('needs a value', self.expect_usage('map', self.pqr, '--spacing'))
        self.assertIn('expected --output', self.expect_usage('map', self.pqr))
        self.assertIn('.dx', self.expect_usage('map', '-o', 'x.jpeg', self.pqr))
        self.assertIn('found none', self.expect_usage('info'))
        self.assertIn('512M', self.expect_usage('map', '--memory', 'much', '-o', 'a.dx', 'missing.pqr'))
        self.assertIn('column 3', self.expect_usage('map', '--select', '((', '-o', 'a.dx', 'missing.pqr'))
        self.assertIn('there is no option -o', self.expect_usage('info', '-o', 'a.txt', self.pqr))

    def test_names_are_bytes(self):
        for name in (b'a b.xyz', 'ü ß.xyz'.encode(), b'latin-\xfc.xyz', b'two\nlines.xyz', b'-dash.xyz'):
            with self.subTest(name=name):
                name = os.fsdecode(name)
                done = self.run_cli('export', '--quiet', '-o', name, self.pqr)
                self.assertEqual((done.returncode, done.stderr), (0, ''))
                self.assertEqual(json.loads(self.run_cli('info', '--json', '--', name).stdout)['atoms'], 7)
        self.assertIn("can't be opened", self.expect_failure('info', 'no\nfile.xyz'))

    def test_spellings_of_options(self):
        spellings = [('-o', 'a.csv', '-s', 'name CA'), ('-oa.csv', '-sname CA'),
                     ('--output=a.csv', '--select=name CA'), ('--output', 'a.csv', '--select', 'name CA')]
        texts = set()
        for spelling in spellings:
            done = self.run_cli('export', *spelling, '--', self.pqr)
            self.assertEqual(done.returncode, 0, done.stderr)
            texts.add((self.folder / 'a.csv').read_text(encoding='utf-8'))
            (self.folder / 'a.csv').unlink()
        self.assertEqual(len(texts), 1)

    def test_two_dashes_end_the_options(self):
        shutil.copy(self.pqr, self.folder / '--odd.pqr')
        self.assertEqual(json.loads(self.run_cli('info', '--json', '--', '--odd.pqr').stdout)['atoms'], 7)

    def test_flags_together_and_negated(self):
        self.assertEqual(json.loads(self.run_cli('info', '-qj', self.pqr).stdout)['atoms'], 7)
        self.assertTrue(self.run_cli('info', '--json', '--no-json', self.pqr).stdout.startswith('File'))

    def test_settings_file(self):
        config = self.folder / 'settings.ini'
        config.write_text('spacing = 2\nunit = V\n[export]\nframes = 0\n[map]\npadding = 3\n', encoding='ascii')
        told = cli.run_json('map', '--config', config, '--unit', 'mV', self.pqr)
        self.assertEqual(told['unit'], 'mV')
        self.assertEqual(told['grid']['steps'][0], [2, 0, 0])
        config.write_text('spacng = 2\n', encoding='ascii')
        self.assertIn('found “spacng”', self.expect_usage('map', '--config', config, '--json', self.pqr))

    def test_strict_makes_warnings_errors(self):
        odd = self.folder / 'odd.pqr'
        cli.write_pqr(odd, MOLECULE[:2])
        quiet = self.run_cli('info', '--quiet', odd)
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ''))
        self.assertIn('warning', self.run_cli('info', odd).stderr)
        self.assertIn('--strict', self.expect_failure('info', '--strict', odd))

    def test_full_disk_behind_standard_output(self):
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([cli.PROGRAM, 'info', str(self.pqr)], stdout=full, stderr=subprocess.PIPE,
                                  env=cli.environment(), check=False)
        self.assertEqual(done.returncode, 1)


class Info(CliTest):
    def test_json_keys(self):
        told = cli.run_json('info', self.pqr)
        self.assertEqual(list(told), ['atoms', 'frames', 'cell', 'time', 'total_charge', 'elements', 'element_sources',
                                      'element_kinds', 'residues', 'bonds', 'format', 'warnings'])
        self.assertEqual((told['atoms'], told['frames'], told['residues']), (7, 1, 2))
        self.assertIsNone(told['cell'])
        self.assertIsNone(told['time'])
        self.assertAlmostEqual(told['total_charge'], 0.0, places=6)
        self.assertEqual(told['elements'], {'H': 2, 'C': 2, 'N': 1, 'O': 2})
        self.assertEqual(told['element_sources'], {'name': 7})
        self.assertEqual(told['format'], ['pqr'])
        self.assertIn('decided by  atom names 7', self.run_cli('info', self.pqr).stdout)

    def test_files_in_any_order(self):
        one, other = cli.run_json('info', self.pqr, self.xyz), cli.run_json('info', self.xyz, self.pqr)
        self.assertEqual(one['atoms'], other['atoms'])
        self.assertAlmostEqual(one['total_charge'], other['total_charge'])

    def test_no_charges_is_null(self):
        told = cli.run_json('info', self.xyz)
        self.assertIsNone(told['total_charge'])
        self.assertEqual(told['frames'], 5)

    def test_selected_atoms(self):
        told = cli.run_json('info', '--select', 'resname ALA', self.pqr)
        self.assertEqual((told['atoms'], told['residues']), (4, 1))
        self.assertAlmostEqual(told['total_charge'], 0.0, places=6)

    def test_missing_and_unknown_files(self):
        self.assertIn('missing.pdb', self.expect_failure('info', 'missing.pdb'))
        (self.folder / 'noise.dat').write_bytes(bytes(range(256)) * 8)
        self.assertIn('noise.dat', self.expect_failure('info', 'noise.dat'))


class Check(CliTest):
    """info --check reads all frames; bonds are told with where they come from."""

    def test_numbers(self):
        told = cli.run_json('info', '--check', self.xyz)
        self.assertEqual(told['check'], {'frames': 5, 'bad_frames': 0})
        self.assertNotIn('check', cli.run_json('info', self.xyz))
        bad = self.folder / 'bad.xyz'
        frame = '2\n\nC {} 0 0\nO 1.2 0 0\n'
        bad.write_text(frame.format(0) + frame.format('nan') + frame.format(0) + frame.format('inf'), encoding='ascii')
        told = cli.run_json('info', '--check', bad)
        self.assertEqual(told['check'], {'frames': 4, 'bad_frames': 2, 'first_frame': 1, 'first_atom': 0})
        self.assertIn('the first is atom 0 of frame 1', self.run_cli('info', '--check', bad).stdout)

    def test_bonds_of_waters_that_overlap(self):
        """Two waters, 1.1 Å apart: distances bond one's oxygen to the other's; templates don't."""
        pdb = self.folder / 'clash.pdb'
        cli.write_pdb(pdb, [('O', 'HOH', 1, 0.0, 0.0, 0.0), ('H1', 'HOH', 1, -0.957, 0.0, 0.0),
                            ('H2', 'HOH', 1, 0.24, -0.927, 0.0), ('O', 'HOH', 2, 1.3, 0.0, 0.0),
                            ('H1', 'HOH', 2, 2.257, 0.0, 0.0), ('H2', 'HOH', 2, 1.06, 0.927, 0.0)])
        self.assertEqual(cli.run_json('info', pdb)['bonds'], {'file': 0, 'distances': 4, 'templates': 0})
        self.assertIn("don't fit 2 standard residues (the first: HOH 1)", self.run_cli('info', pdb).stdout)


class Elements(CliTest):
    """What --element says holds for every command, and for computing a result again."""

    def setUp(self):
        super().setUp()
        self.pdb = self.folder / 'odd.pdb'
        cli.write_pdb(self.pdb, [('CA', 'ALA', 1, 0.0, 0.0, 0.0), ('Q9', 'BEA', 2, 5.0, 0.0, 0.0),
                                 ('O', 'HOH', 3, 9.0, 0.0, 0.0), ('H1', 'HOH', 3, 9.957, 0.0, 0.0),
                                 ('H2', 'HOH', 3, 8.76, 0.927, 0.0)])

    def test_told(self):
        told = cli.run_json('info', self.pdb)
        self.assertEqual(told['elements'], {'H': 2, 'C': 1, 'O': 1, 'unknown': 1})
        kinds = {kind['atoms']: (kind['element'], kind['source'], kind['count']) for kind in told['element_kinds']}
        self.assertEqual(kinds['Q9'], ('none', 'unknown', 1))
        self.assertEqual(kinds['CA'], ('C', 'name', 1))
        self.assertIn('Q9=none  1 by nothing', self.run_cli('info', self.pdb).stdout)

    def test_chosen(self):
        told = cli.run_json('info', '--element', 'Q9=Zn', '-e', 'resname ALA=Ca', self.pdb)
        self.assertEqual(told['elements'], {'H': 2, 'O': 1, 'Ca': 1, 'Zn': 1})
        self.assertEqual(told['element_sources'], {'name': 3, 'chosen': 2})
        self.assertEqual(told['warnings'], [])
        done = self.run_cli('export', '--element', 'Q9=Zn', '-o', 'a.xyz', self.pdb)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('\nZn ', (self.folder / 'a.xyz').read_text())
        self.assertIn('element: expected', self.expect_failure('info', '--element', 'XX=Zn', self.pdb))

    def test_kept_with_the_result(self):
        done = self.run_cli('map', '--charges', 'amber', '--element', 'Q9=Zn', '--select', 'element Zn or water',
                            '--spacing', '2', '-o', 'a.h5', 'odd.pdb')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('4 of 5', done.stderr)
        told = cli.run_json('rerun', self.folder / 'a.h5', folder=self.folder)
        self.assertLess(told['largest_difference'], 1e-6)


class Export(CliTest):
    def test_every_format_reads_back(self):
        for ending in ('xyz', 'pdb', 'pqr', 'gro', 'dcd', 'xtc', 'csv'):
            with self.subTest(ending=ending):
                output = self.folder / f'out.{ending}'
                done = self.run_cli('export', '-o', output, '--quiet', self.pqr)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '', ''))
                if ending != 'csv':
                    self.assertEqual(cli.run_json('info', output)['atoms'], 7)

    def test_csv_has_every_digit(self):
        self.run_cli('export', '-o', 'out.csv', self.pqr)
        lines = [line for line in (self.folder / 'out.csv').read_text(encoding='utf-8').splitlines()
                 if not line.startswith('#')]
        self.assertEqual(lines[0], 'index,element,x,y,z')
        self.assertEqual(len(lines), 8)
        for line, (name, _, _, x, y, z, _, _) in zip(lines[1:], MOLECULE):
            _, element, *position = line.split(',')
            self.assertEqual(element, name[0])
            for written, expected in zip(position, (x, y, z)):
                self.assertAlmostEqual(float(written), expected, delta=4e-7)

    def test_frames_and_selection(self):
        done = self.run_cli('export', '--frames', '1:-1:2', '--select', 'element C', '-o', 'out.xyz', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = cli.run_json('info', self.folder / 'out.xyz')
        self.assertEqual((told['atoms'], told['frames'], told['elements']), (2, 2, {'C': 2}))

    def test_unwrap_follows_through_skipped_frames(self):
        lattice = 'Lattice="10 0 0 0 10 0 0 0 10" Properties=species:S:1:pos:R:3'
        walk = [1.0, 4.0, 7.0, 0.0, 3.0]  # 3 Å a frame, folded into the cell
        self.xyz.write_text(''.join(f'1\n{lattice}\nNa {x} 5 5\n' for x in walk), encoding='ascii')
        done = self.run_cli('export', '--unwrap', '--frames', '::2', '-o', 'out.csv', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line for line in (self.folder / 'out.csv').read_text(encoding='utf-8').splitlines()
                 if not line.startswith('#')]
        self.assertEqual([float(line.split(',')[3]) for line in lines[1:]], [1.0, 7.0, 13.0])

    def test_frames_without_numbers_are_named(self):
        self.xyz.write_text(self.xyz.read_text(encoding='ascii').replace('0.2000 0.0000', 'nan 0.0000'),
                            encoding='ascii')
        done = self.run_cli('export', '-o', 'out.xyz', self.xyz)
        self.assertEqual(done.returncode, 0)
        self.assertIn('frame 2 is the first', done.stderr)
        self.assertIn('frame 2', self.expect_failure('export', '--strict', '-o', 'none.xyz', self.xyz))
        self.assertFalse((self.folder / 'none.xyz').exists())
        self.assertEqual(self.run_cli('export', '--strict', '-q', '-f', '0:1', '-o', 'out.xyz', self.xyz).stderr, '')

    def test_json_says_what_was_written(self):
        told = cli.run_json('export', '-f', '1:3', '-s', 'element C', '-o', 'a.xyz', '-o', 'a.dcd', self.xyz,
                            folder=self.folder)
        self.assertEqual(told, {'outputs': ['a.xyz', 'a.dcd'], 'frames': 3, 'atoms': 2, 'partial': False,
                                'warnings': []})

    def test_write_errors_name_the_file(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        self.xyz.write_text(xyz_frames(2000), encoding='ascii')
        for ending in ('xyz', 'pdb', 'dcd', 'csv'):
            with self.subTest(ending=ending):
                done = subprocess.run([cli.PROGRAM, 'export', '-q', '-o', f'out.{ending}', str(self.xyz)],
                                      cwd=self.folder, env=cli.environment(), preexec_fn=limit, check=False,
                                      stderr=subprocess.PIPE, encoding='utf-8')
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, rf"^debye-cli: out\.{ending}: .*can't be written: .+\n$")
                self.assertEqual([path.name for path in self.folder.iterdir() if 'out.' in path.name], [])

    def test_superpose_undoes_the_motion(self):
        done = self.run_cli('export', '--superpose', 'all', '-o', 'out.xyz', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / 'out.xyz').read_text(encoding='utf-8').splitlines()
        first = [float(lines[2 + i].split()[1]) for i in range(7)]
        last = [float(lines[4 * 9 + 2 + i].split()[1]) for i in range(7)]
        for a, b in zip(first, last):
            self.assertAlmostEqual(a, b, places=3)

    def test_cells_are_turned_with_their_atoms(self):
        """a along y and b along −x: for formats that keep cells along the axes x becomes −y, y becomes x."""
        odd = self.folder / 'odd.xyz'
        odd.write_text('2\nLattice="0 10 0 -12 0 0 0 0 14" Properties=species:S:1:pos:R:3\n'
                       'C 1.0 2.0 3.0\nO 4.0 5.5 6.0\n', encoding='ascii')
        for ending, turned in (('pdb', True), ('gro', True), ('dcd', True), ('xtc', True), ('trr', True), ('nc', True),
                               ('h5md', False), ('xyz', False)):
            done = self.run_cli('export', '-o', f'out.{ending}', odd)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual('turned: the cell' in done.stderr, turned, (ending, done.stderr))
            self.run_cli('export', '-o', 'out.csv', f'out.{ending}')
            rows = (self.folder / 'out.csv').read_text().splitlines()[1:]
            places = [tuple(float(number) for number in row.split(',')[2:5]) for row in rows if row[0].isdigit()]
            expected = [(2.0, -1.0, 3.0), (5.5, -4.0, 6.0)] if turned else [(1.0, 2.0, 3.0), (4.0, 5.5, 6.0)]
            for place, known in zip(places, expected):
                for a, b in zip(place, known):
                    self.assertAlmostEqual(a, b, delta=1e-5, msg=ending)
            cell = cli.run_json('info', self.folder / f'out.{ending}')['cell']
            for a, b in zip(cell, (10, 12, 14, 90, 90, 90)):
                self.assertAlmostEqual(a, b, delta=1e-4, msg=ending)

    def test_precision_of_xtc(self):
        self.xyz.write_text('12\n\n' + 'C 1.23456 0 0\n' * 12, encoding='ascii')
        for precision, known in ((None, 1.23), ('10000', 1.235), ('100000', 1.2346)):
            more = ['--precision', precision] if precision else []
            done = self.run_cli('export', *more, '-o', 'a.xtc', self.xyz)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.run_cli('export', '-o', 'a.csv', 'a.xtc')
            x = float((self.folder / 'a.csv').read_text().splitlines()[-1].split(',')[2])
            self.assertAlmostEqual(x, known, delta=1e-6)
        self.assertIn('.xtc', self.expect_usage('export', '--precision', '100', '-o', 'a.dcd', self.xyz))

    def test_whole_molecules_of_any_cell(self):
        """A carbon monoxide that a triclinic cell cuts: its image beside the carbon is one edge away."""
        cut = self.folder / 'cut.xyz'
        cut.write_text('2\nLattice="10 0 0 3 9 0 -2 4 8" Properties=species:S:1:pos:R:3\n'
                       'C 0.2 0.1 0.7\nO 11.0 13.0 7.6\n', encoding='ascii')   # a + b + c − (0, 0, 0.4)
        self.run_cli('export', '--whole', '-o', 'a.csv', cut)
        rows = (self.folder / 'a.csv').read_text().splitlines()
        places = [tuple(float(number) for number in row.split(',')[2:5]) for row in rows[-2:]]
        for a, b in zip(places[1], (0.0, 0.0, -0.4)):
            self.assertAlmostEqual(a, b, delta=1e-5)

    def test_what_can_not_be_written(self):
        self.assertIn('chooses no atom', self.expect_failure('export', '--select', 'name XX', '-o', 'a.xyz', self.pqr))
        self.assertIn('charges', self.expect_failure('export', '--frames', '0', '-o', 'a.pqr', self.xyz))
        self.assertIn('both', self.expect_usage('export', '--wrap', '--unwrap', '-o', 'a.xyz', self.xyz))
        self.assertIn('no folder', self.expect_failure('map', '-o', 'none/a.dx', self.pqr))
        self.assertIn('molecule.pqr: expected a cell', self.expect_failure('export', '--wrap', '-o', 'a.xyz', self.pqr))
        self.assertIn('ends in one of', self.expect_usage('export', '-o', 'a.xyz.gz', self.pqr))
        self.assertFalse((self.folder / 'a.xyz').exists())


class Map(CliTest):
    def map_values(self, *arguments, files=None):
        done = self.run_cli('map', '-o', 'map.csv', '--quiet', *arguments, *(files or [self.pqr]))
        self.assertEqual(done.returncode, 0, done.stderr)
        return cli.read_map_csv(self.folder / 'map.csv')[1]

    def test_one_charge(self):
        one = self.folder / 'one.pqr'
        cli.write_pqr(one, [('NA', 'NA', 1, 0.0, 0.0, 0.0, 1.0, 1.0)])
        for unit, factor in (('e/A', 1.0), ('V', cli.VOLT), ('mV', 1000.0 * cli.VOLT), ('kT/e', cli.KT_PER_E),
                             ('kcal/mol/e', cli.KCAL)):
            values = self.map_values('--unit', unit, '--origin', '1,0,0', '--shape', '4,1,1', '--spacing', '1',
                                     files=[one])
            for i, (point, value) in enumerate(values):
                self.assertEqual(point, (1.0 + i, 0.0, 0.0))
                # One rounding to single precision of the result, and the float rsqrt's 5e-6.
                self.assertAlmostEqual(value * (1 + i) / factor, 1.0, delta=5e-6)

    def test_permittivity_and_temperature_divide(self):
        grid = ['--origin', '1,1,5', '--shape', '3,3,3', '--spacing', '1']
        plain = self.map_values(*grid)
        divided = self.map_values(*grid, '--permittivity', '80', '--temperature', '150')
        for (_, a), (_, b) in zip(plain, divided):
            self.assertAlmostEqual(b, a / 80 * 2, delta=1e-5 * abs(a))

    def test_against_a_plain_sum(self):
        values = self.map_values('--unit', 'e/A', '--spacing', '1.5', '--padding', '4')
        exact = [cli.coulomb(point, CHARGES) for point, _ in values]
        rms = (sum(v * v for v in exact) / len(exact)) ** 0.5
        error = (sum((v - e) ** 2 for (_, v), e in zip(values, exact)) / len(exact)) ** 0.5
        self.assertLess(error, 5e-6 * rms)
        # In double: one rounding of coordinates, charges and result to single precision.
        for (point, value), e in zip(self.map_values('--unit', 'e/A', '--spacing', '1.5', '--padding', '4',
                                                     '--tolerance', '1e-7'), exact):
            self.assertAlmostEqual(value, e, delta=1e-6 * max(abs(e), rms), msg=str(point))

    def test_selection_counts_only_its_charges(self):
        values = self.map_values('--unit', 'e/A', '--select', 'resname ALA', '--spacing', '2')
        for point, value in values:
            exact = cli.coulomb(point, CHARGES[3:])
            self.assertAlmostEqual(value, exact, delta=5e-6 * max(1.0, abs(exact)))

    def test_statistics_over_frames(self):
        grid = ['--unit', 'e/A', '--origin', '1,1,3', '--shape', '3,2,2', '--spacing', '1.5']
        files = [self.pqr, self.xyz]
        # Two structure files with coordinates: the frames of both count, so the frames are asked for from the end.
        n_frames = cli.run_json('info', *files)['frames']
        frames = []
        for number in range(n_frames):
            frames.append([v for _, v in self.map_values(*grid, '--frames', number, files=files)])
        for statistic, plain in (('mean', lambda v: sum(v) / len(v)), ('min', min), ('max', max),
                                 ('std', lambda v: (sum((x - sum(v) / len(v)) ** 2 for x in v) / len(v)) ** 0.5)):
            told = [v for _, v in self.map_values(*grid, '--statistic', statistic, files=files)]
            for i, value in enumerate(told):
                expected = plain([frame[i] for frame in frames])
                self.assertAlmostEqual(value, expected, delta=2e-6, msg=statistic)

    def test_formats_hold_the_same_map(self):
        done = self.run_cli('map', '--spacing', '2', '-o', 'a.dx', '-o', 'a.csv', '-o', 'a.h5', '-o', 'a.cube',
                            '-o', 'a.ccp4', self.pqr)
        self.assertEqual(done.returncode, 0, done.stderr)
        shape, _, dx = cli.read_dx(self.folder / 'a.dx')
        _, csv = cli.read_map_csv(self.folder / 'a.csv')
        self.assertEqual(len(dx), len(csv))
        nx, ny, nz = shape
        for index, (_, value) in enumerate(csv):
            i, j, k = index % nx, index // nx % ny, index // (nx * ny)
            self.assertAlmostEqual(dx[(i * ny + j) * nz + k], value, delta=1e-5 * abs(value) + 1e-6)

    def test_rerun_gives_the_same(self):
        self.run_cli('map', '--spacing', '2', '--unit', 'V', '-o', 'a.h5', 'molecule.pqr')
        told = cli.run_json('rerun', self.folder / 'a.h5', '-o', self.folder / 'b.csv', folder=self.folder)
        self.assertLess(told['largest_difference'], 1e-6)
        self.assertTrue((self.folder / 'b.csv').exists())

    def test_charges_of_a_table(self):
        """Water and an ion without charges in their file: TIP3P's are known numbers."""
        atoms = [('O', 'HOH', 1, 0.0, 0.0, 0.0), ('H1', 'HOH', 1, 0.957, 0.0, 0.0),
                 ('H2', 'HOH', 1, -0.24, 0.927, 0.0), ('NA', 'NA', 2, 5.0, 0.0, 0.0)]
        strange = [('C1', 'LIG', 3, 0.0, 8.0, 0.0)]
        charges = [(0.0, 0.0, 0.0, -0.834), (0.957, 0.0, 0.0, 0.417), (-0.24, 0.927, 0.0, 0.417), (5.0, 0.0, 0.0, 1.0)]
        grid = ['--unit', 'e/A', '--origin', '1,1,4', '--shape', '3,2,2', '--spacing', '1.5']
        for more, table in (([], 'amber'), (strange, 'charmm')):
            path = self.folder / 'bare.pdb'
            cli.write_pdb(path, atoms + more)
            for point, value in self.map_values(*grid, '--charges', table, files=[path]):
                exact = cli.coulomb(point, charges)
                self.assertAlmostEqual(value, exact, delta=5e-6 * max(1.0, abs(exact)))
        done = self.run_cli('map', *grid, '--charges', 'amber', '-o', 'map.h5', path)
        self.assertIn('1 of the 5 chosen atoms', done.stderr)
        self.assertIn('--charges amber', self.expect_failure('map', '-o', 'a.dx', path))
        self.assertIn('--charges amber', self.expect_failure('map', '--charges', 'file', '-o', 'a.dx', path))
        only = self.folder / 'only.pdb'
        cli.write_pdb(only, strange)
        self.assertIn('LIG', self.expect_failure('map', '--charges', 'charmm', '-o', 'a.dx', only))

    def test_zeros_are_no_charges(self):
        zeros = self.folder / 'zeros.pqr'
        cli.write_pqr(zeros, [('C1', 'LIG', 1, 0.0, 0.0, 0.0, 0.0, 1.5)])
        self.assertIn('no charges but zeros', self.expect_failure('map', '-o', 'a.dx', zeros))
        done = self.run_cli('map', '--charges', 'file', '-o', 'a.dx', zeros)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_plain_words(self):
        self.assertIn('no charges', self.expect_failure('map', '-o', 'a.dx', self.xyz))
        self.assertIn('chooses none', self.expect_failure('map', '-o', 'a.dx', '--select', 'name XX', self.pqr))
        told = self.expect_failure('map', '-o', 'a.dx', '--spacing', '0.05', '--memory', '1M', self.pqr)
        spacing = re.search(r'a spacing of ([0-9.]+) Å fits', told).group(1)
        done = self.run_cli('map', '-o', 'a.dx', '--spacing', spacing, '--memory', '1M', self.pqr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('expected an amount', self.expect_usage('map', '--memory', 'lots', '-o', 'b.dx', self.pqr))
        self.assertIn('frames', self.expect_failure('map', '--frames', '9', '-o', 'b.dx', self.pqr).lower())

    def test_nan_frames_are_named_and_left_out(self):
        text = xyz_frames(3).splitlines()
        text[9 + 2] = 'O nan 0 0'
        (self.folder / 'bad.xyz').write_text('\n'.join(text) + '\n', encoding='ascii')
        done = self.run_cli('map', '--json', '--spacing', '3', self.pqr, 'bad.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertTrue(any('left out' in warning for warning in told['warnings']), told['warnings'])
        self.assertFalse(told['partial'])

    def test_json_says_what_was_done(self):
        told = cli.run_json('map', '--spacing', '2', self.pqr)
        self.assertEqual(told['unit'], 'kT/e')
        self.assertFalse(told['partial'])
        self.assertTrue(any(note.startswith('Device cpu') for note in told['notes']), told['notes'])
        for key in ('minimum', 'maximum', 'mean', 'rms', 'seconds'):
            self.assertIsInstance(told[key], (int, float))

    def test_moment_for_a_thousand_atoms(self):
        many = self.folder / 'many.pqr'
        cli.write_pqr(many, [('C', 'MOL', 1 + i // 10, (i % 10) * 1.5, (i // 10 % 10) * 1.5, (i // 100) * 1.5,
                              (-1) ** i * 0.3, 1.7) for i in range(1000)])
        start = time.monotonic()
        done = self.run_cli('map', '--shape', '64,64,64', '--spacing', '0.4', '-o', 'm.dx', '--quiet', many)
        seconds = time.monotonic() - start
        self.assertEqual(done.returncode, 0, done.stderr)
        # The figure to reach is 0.5 s on a quiet machine; a loaded one must not fail for it.
        self.assertLess(seconds, 5.0)


class Interrupted(CliTest):
    """A map that would take long: stopped, killed."""

    def start(self, *arguments):
        return subprocess.Popen([cli.PROGRAM, *map(str, arguments)], cwd=self.folder, env=cli.environment(),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def long_files(self):
        (self.folder / 'long.xyz').write_text(xyz_frames(2000), encoding='ascii')
        return ['molecule.pqr', 'long.xyz']

    def long_map(self):
        return ['map', '--precision', 'double', '--threads', '1', '--shape', '100,100,100', '--spacing', '0.3',
                '--progress', '-o', 'long.dx', *self.long_files()]

    def test_stop_writes_what_was_finished(self):
        process = self.start(*self.long_map())
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        text = (self.folder / 'long.dx').read_text(encoding='utf-8')
        self.assertIn('partial', text)
        self.assertEqual(len(cli.read_dx(self.folder / 'long.dx')[2]), 1000000)

    def test_second_signal_ends_at_once(self):
        process = self.start(*self.long_map())
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130, -signal.SIGINT))

    def has_begun_to_write(self, process):
        """Whether a file in the folder, which mostly has no name yet, is open for writing and has got more than the
        index of the frames that were read takes."""
        for entry in pathlib.Path(f'/proc/{process.pid}/fdinfo').iterdir():
            try:
                flags = int(re.search(r'flags:\s*(\d+)', entry.read_text(encoding='ascii'))[1], 8)
                opened = pathlib.Path(f'/proc/{process.pid}/fd/{entry.name}')
                if flags & 3 and os.readlink(opened).startswith(str(self.folder)) and opened.stat().st_size > 100000:
                    return True
            except OSError:
                continue
        return False

    def test_stopped_export_holds_whole_frames(self):
        frame = '500\nframe\n' + ''.join(f'C {i % 10} {i // 10 % 10} {i // 100}\n' for i in range(500))
        (self.folder / 'big.xyz').write_text(frame * 4000, encoding='ascii')
        process = self.start('export', '-o', 'big.pdb', 'big.xyz')
        while process.poll() is None and not self.has_begun_to_write(process):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn('partial', errors)
        told = cli.run_json('info', self.folder / 'big.pdb')
        self.assertEqual(told['atoms'], 500)
        self.assertTrue(0 < told['frames'] < 4000, told['frames'])

    def test_killed_leaves_the_old_file(self):
        (self.folder / 'long.dx').write_text('the old one', encoding='ascii')
        process = self.start(*self.long_map())
        process.stderr.readline()
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual((self.folder / 'long.dx').read_text(encoding='ascii'), 'the old one')


class Locale(CliTest):
    def test_german_gives_the_same_bytes(self):
        path = self.folder / 'locales'
        path.mkdir()
        made = subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', path / 'de_DE.UTF-8'], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertIn(made.returncode, (0, 1), 'localedef makes de_DE')
        german = cli.environment(LC_ALL='de_DE.UTF-8', LANG='de_DE.UTF-8', LOCPATH=str(path))
        texts = []
        for env in (cli.environment(), german):
            written = [self.run_cli('info', self.pqr, env=env).stdout]
            for name in ('a.dx', 'a.cube', 'a.pdb', 'a.xyz', 'b.csv'):
                command = ['export'] if name in ('a.pdb', 'a.xyz', 'b.csv') else ['map', '--spacing', '1.5']
                done = self.run_cli(*command, '-o', name, '--quiet', 'molecule.pqr', env=env)
                self.assertEqual(done.returncode, 0, done.stderr)
                written.append((self.folder / name).read_text(encoding='utf-8'))
            texts.append(written)
        self.assertEqual(texts[0], texts[1])


class Around(CliTest):
    def test_no_gtk_is_linked(self):
        needed = subprocess.run(['ldd', cli.PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn('libglib', needed)
        for library in ('libgtk', 'libgdk-', 'libadwaita', 'libcuda', 'libcudart'):
            self.assertNotIn(library, needed)

    def test_help_of_every_command(self):
        overview = self.run_cli('--help').stdout
        for name in ('info', 'export', 'map', 'render', 'devices', 'bench', 'rerun', 'sample', 'help'):
            self.assertIn(f'  {name} ', overview)
            done = self.run_cli(name, '--help')
            self.assertEqual(done.returncode, 0)
            self.assertIn('--json', done.stdout)
            self.assertEqual(done.stdout, self.run_cli('help', name).stdout)
        self.assertRegex(self.run_cli('map', '--help').stdout, r'(?s)--spacing.*Å.*--temperature.*K; default 300')

    def test_manual_page(self):
        page = self.run_cli('help', '--man').stdout
        self.assertIn('.SH "COMMON OPTIONS"', page)
        self.assertIn('\\-\\-permittivity', page)
        if shutil.which('man'):
            (self.folder / 'debye-cli.1').write_text(page, encoding='utf-8')
            done = subprocess.run(['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', 'debye-cli.1'],
                                  cwd=self.folder, env=cli.environment(LC_ALL='C.UTF-8', MANROFFSEQ='', MANWIDTH='80'),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.stderr, '')

    def test_completion_scripts(self):
        scripts = {shell: self.run_cli('help', '--completion', shell).stdout for shell in ('bash', 'zsh', 'fish')}
        for shell, script in scripts.items():
            self.assertIn('permittivity', script, shell)
            if shutil.which(shell):
                option = '-n'
                done = subprocess.run([shell, option], input=script, text=True, stderr=subprocess.PIPE, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ''), shell)
        words = self.complete(scripts['bash'], ['debye-cli', 'map', '--un'])
        self.assertEqual(words, ['--unit'])
        words = self.complete(scripts['bash'], ['debye-cli', 'map', '--statistic', 'm'])
        self.assertEqual(words, ['mean', 'min', 'max'])

    def complete(self, script, words):
        line = ' '.join(f"'{word}'" for word in words)
        ask = f'{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _debye_cli; printf "%s\\n" "${{COMPREPLY[@]}}"'
        return subprocess.run(['bash', '-c', ask], stdout=subprocess.PIPE, text=True, check=True).stdout.split()

    def test_devices(self):
        told = cli.run_json('devices')['devices']
        self.assertEqual(told[0]['id'], 'cpu')
        self.assertTrue(told[0]['usable'])
        self.assertIn('cpu', self.run_cli('devices').stdout)
        self.assertIn('Devices', self.expect_usage('map', '--device', 'abacus', '-o', 'a.dx', self.pqr))
        self.assertIn('cuda:99', self.expect_failure('map', '--device', 'cuda:99', '-o', 'a.dx', self.pqr))

    def test_bench(self):
        told = cli.run_json('bench', '--size', '24,200', '--repeat', '2', '--against', 'naive,double')
        variants = {result['variant']: result for result in told['results']}
        self.assertEqual(set(variants), {'ours', 'naive', 'double'})
        self.assertLess(variants['ours']['error'], 5e-6)
        self.assertLess(variants['double']['error'], 1e-12)
        self.assertIn('variant', self.run_cli('bench', '--size', '16,50', '--repeat', '1').stdout)
        self.expect_usage('bench', '--size', 'large')

    def test_bench_of_teaching_variants(self):
        told = cli.run_json('bench', '--device', 'cpu', '--size', '24,200', '--repeat', '1', '--against', 'dz2,simd')
        self.assertEqual([result['variant'] for result in told['results']], ['ours', 'dz2', 'simd'])
        limits, = told['limits']
        for result in told['results'][1:]:
            self.assertLess(result['error'], 1e-5)
            self.assertAlmostEqual(result['flops_per_second'], 7 * result['evals_per_second'], delta=1e3)
            self.assertAlmostEqual(result['share_of_limit'] * limits['flops_per_second'], result['flops_per_second'],
                                   delta=1e3)
        self.assertIn('at most', self.run_cli('bench', '--size', '8,20', '--repeat', '1', '--against', 'all').stdout)
        self.assertIn('found “scatter”', self.expect_usage('bench', '--device', 'cpu', '--against', 'scatter'))

    def test_bench_of_histograms(self):
        told = cli.run_json('bench', '--device', 'cpu', '--kernel', 'histogram', '--size', '2,3000', '--repeat', '1')
        lost = {result['variant']: result['error'] for result in told['results']}
        self.assertEqual(set(lost), {'histogram-race', 'histogram-atomic'})
        self.assertEqual(lost['histogram-atomic'], 0)
        self.assertGreaterEqual(lost['histogram-race'], 0)

    def test_teaching_variants_of_map(self):
        """Each gives the map of the production kernel; what they can't do is said."""
        grid = ['--device', 'cpu', '--shape', '9,7,5', '--spacing', '1.3']
        expected = None
        for variant in (None, 'grid-outer', 'atom-outer', 'dz2', 'unrolled', 'blocked', 'simd', 'threads', 'ours'):
            done = self.run_cli('map', *grid, *(['--variant', variant] if variant else []), '-o', 'a.dx', self.pqr)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual('Teaching variant: ' in done.stdout + done.stderr, variant is not None)
            values = cli.read_dx(self.folder / 'a.dx')[-1]
            expected = expected or values
            self.assertEqual(len(values), 9 * 7 * 5)
            scale = max(abs(value) for value in expected)
            for value, known in zip(values, expected):
                self.assertAlmostEqual(value, known, delta=1e-5 * scale, msg=variant)
        self.run_cli('map', *grid, '--variant', 'dz2', '--statistic', 'mean', '-o', 'a.h5', self.pqr)
        self.assertEqual(self.run_cli('rerun', '-o', 'b.dx', 'a.h5').returncode, 0)
        for wrong, named in ((['--method', 'cutoff'], 'found cutoff'), (['--precision', 'double'], 'found double'),
                             (['--variant', 'scatter'], 'grid-outer')):
            text = self.expect_failure('map', *grid, '--variant', 'simd', *wrong, '-o', 'c.dx', self.pqr)
            self.assertIn(named, text)

    def test_samples(self):
        listed = cli.run_json('sample', '--list')['samples']
        self.assertGreaterEqual(len(listed), 3)
        for sample in listed:
            done = self.run_cli('sample', sample['name'], '-o', sample['name'])
            self.assertEqual(done.returncode, 0, done.stderr)
            files = done.stdout.splitlines()
            self.assertGreater(cli.run_json('info', *files, folder=self.folder)['atoms'], 0)
        self.assertIn('expected one of', self.expect_usage('sample', 'unobtainium'))


class Render(CliTest):
    def size_of(self, name):
        head = (self.folder / name).read_bytes()[:24]
        self.assertEqual(head[:8], b'\x89PNG\r\n\x1a\n')
        return int.from_bytes(head[16:20], 'big'), int.from_bytes(head[20:24], 'big')

    def test_picture_with_a_map(self):
        done = self.run_cli('render', '--surface', '30', '--surface', '-30', '--slice', 'z', '--spacing', '0.8',
                            '--size', '320x200', '-o', 'a.png', self.pqr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('a.png'), (320, 200))

    def test_series(self):
        done = self.run_cli('render', '--frames', '0:-1:2', '--size', '160x120', '-o', 'film.png', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        pictures = sorted(path.name for path in self.folder.glob('film-*.png'))
        self.assertEqual(pictures, ['film-0000.png', 'film-0001.png', 'film-0002.png'])
        self.assertNotEqual((self.folder / pictures[0]).read_bytes(), (self.folder / pictures[2]).read_bytes())

    def test_map_from_a_file_and_a_scene(self):
        self.run_cli('map', '--spacing', '1', '-o', 'm.dx', 'molecule.pqr')
        (self.folder / 'film.scene').write_text('[scene]\nmap = m.dx\nsurface = 20;-20\nsize = 200x100\nstyle = sticks\n'
                                                'files = molecule.pqr\n', encoding='ascii')
        done = cli.run('render', '--scene', self.folder / 'film.scene', '-o', self.folder / 'a.png', '--orbit', '30,20')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('a.png'), (200, 100))
        done = self.run_cli('render', '--map', 'm.dx', '--size', '64x64', '--transparent', '-o', 'alone.png')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_wrong_lines(self):
        self.assertIn('--size', self.expect_usage('render', '--size', 'big', '-o', 'a.png', self.pqr))
        self.assertIn('.png', self.expect_usage('render', '-o', 'a.jpeg', self.pqr))
        self.assertIn('neither', self.expect_usage('render', '-o', 'a.png'))
        self.assertIn('Slice', self.expect_usage('render', '--slice', 'w', '-o', 'a.png', self.pqr))
        self.assertIn('Slice', self.expect_failure('render', '--slice', 'z:900', '-o', 'a.png', self.pqr))


if __name__ == '__main__':
    unittest.main()
