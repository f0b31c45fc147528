#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli export: frames, cells and molecules in every format."""
import os
import resource
import shlex
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase, MOLECULE, xyz_frames  # noqa: E402


class Export(CliCase):
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

    def test_csv_says_how_it_was_made(self):
        done = self.run_cli('export', '--frames', '1:-1:2', '--select', 'element C', '--center', 'name N', '--element',
                            'name O=O', '-o', 'out.csv', 'run.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / 'out.csv').read_text(encoding='utf-8')
        header = dict(line[2:].rstrip().split(': ', 1) for line in text.splitlines() if line.startswith('# '))
        version = self.run_cli('--version').stdout.split()[1]
        expected = {'debye_version': version, 'analysis': 'export', 'frames': '1:-1:2', 'select': 'element C',
                    'center': 'name N', 'element': 'name O=O', 'unwrap': 'false', 'content': 'coordinates', 'atoms': '2',
                    'state': 'whole', 'frames_written': '2'}
        self.assertEqual({key: header.get(key) for key in expected}, expected)
        (self.folder / 'out.csv').unlink()
        done = self.run_cli(*shlex.split(header['command_line'])[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / 'out.csv').read_text(encoding='utf-8'), text)

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

    def test_superpose_solute(self):
        """The protein's atoms alone count; where there is none, frames stay as they are, and that is told."""
        on_solute = self.read_places(4, '--superpose', 'solute', '--reference', 'frame:0', self.pqr, self.xyz)
        on_residue = self.read_places(4, '--superpose', 'resname ALA', '--reference', 'frame:0', self.pqr, self.xyz)
        self.assert_places(on_solute, on_residue, 1e-6)
        still = self.read_places(4, self.pqr, self.xyz)
        self.assertGreater(abs(on_solute[3][0] - still[3][0]), 0.1)
        done = self.run_cli('export', '--superpose', 'solute', '-o', 'out.xyz', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('frames were not superposed: there is no solute', done.stderr)

    def test_superpose_weights(self):
        """A light atom that jumps: with masses it moves the fit of three heavy ones less."""
        frames = [(0.0, 0.0, 0.0), (4.0, 3.0, 2.0)]
        heavy = ((0.0, 2.0, 0.0), (3.0, 0.0, 0.0), (0.0, 0.0, 4.0))
        (self.folder / 'jump.xyz').write_text(''.join(
            f'4\n\nH {x} {y} {z}\n' + ''.join(f'Pb {a} {b} {c}\n' for a, b, c in heavy) for x, y, z in frames))
        shifts = []
        for weights in ('none', 'mass'):
            places = self.read_places(1, '--superpose', 'all', '--superpose-weights', weights, '--reference', 'frame:0',
                                      'jump.xyz')
            shifts.append(max(abs(a - b) for place, known in zip(places[1:], heavy) for a, b in zip(place, known)))
        plain = self.read_places(1, '--superpose', 'all', '--reference', 'frame:0', 'jump.xyz')
        self.assertAlmostEqual(max(abs(a - b) for place, known in zip(plain[1:], heavy) for a, b in zip(place, known)),
                               shifts[0], places=6)
        self.assertGreater(shifts[0], 0.5)
        self.assertLess(shifts[1], 0.1)

    def read_places(self, frame, *arguments):
        done = self.run_cli('export', '-q', '--frames', str(frame), *arguments, '-o', 'places.csv')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = (self.folder / 'places.csv').read_text(encoding='utf-8').splitlines()
        return [[float(number) for number in row.split(',')[2:5]] for row in rows if row[0].isdigit()]

    def assert_places(self, places, expected, delta):
        self.assertEqual(len(places), len(expected))
        for place, known in zip(places, expected):
            for a, b in zip(place, known):
                self.assertAlmostEqual(a, b, delta=delta)

    def test_superpose_on_another_frame_or_file(self):
        """The molecule moves as a whole, so every frame comes to lie where the reference is."""
        third = self.read_places(2, self.xyz)
        self.assertGreater(abs(third[0][0] - self.read_places(0, self.xyz)[0][0]), 0.05)
        for frame in (0, 4):
            on_third = self.read_places(frame, '--superpose', 'all', '--reference', 'frame:2', self.xyz)
            self.assert_places(on_third, third, 2e-3)
        # Of a file with some of the atoms, in the same order, those that the selection chooses there.
        some = 'element C N O'
        self.run_cli('export', '-q', '--frames', '2', '--select', some, '-o', 'some.xyz', self.xyz)
        on_file = self.read_places(4, '--superpose', some, '--reference', 'file:some.xyz', self.xyz)
        self.assert_places(on_file, third, 2e-3)

    def test_reference_is_edited_as_the_frames_are(self):
        """A pair that the cell cuts between its molecules, and within one: laid on itself it stays as it is."""
        places = ((1.0, 5.0, 1.5), (2.5, 5.0, 1.5), (3.0, 6.4, 1.8), (1.0, 5.0, 18.5), (19.5, 5.2, 18.5), (19.0, 6.4, 17.9))
        atoms = ''.join(f'ATOM  {i + 1:5d}  C{i % 3 + 1}  LIG {"AB"[i // 3]}{i // 3 + 1:4d}    '
                        f'{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           C  \n' for i, (x, y, z) in enumerate(places))
        bonds = ''.join(f'CONECT{a:5d}{b:5d}\n' for a, b in ((1, 2), (2, 3), (4, 5), (5, 6)))
        cell = 'CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1           1\n'
        (self.folder / 'pair.pdb').write_text(cell + atoms + bonds, encoding='ascii')
        for edits in ((), ('--whole',), ('--unwrap',), ('--center', 'all', '--wrap')):
            known = self.read_places(0, *edits, 'pair.pdb')
            for reference in ('first', 'frame:0'):
                found = self.read_places(0, *edits, '--superpose', 'all', '--reference', reference, 'pair.pdb')
                self.assert_places(found, known, 2e-3)

    def test_references_that_are_none(self):
        self.run_cli('export', '-q', '--frames', '0', '--select', 'element C', '-o', 'carbon.xyz', self.xyz)
        (self.folder / 'other.xyz').write_text(xyz_frames(1).replace('N', 'S'), encoding='ascii')
        for arguments, expected in (
                (('--superpose', 'all', '--reference', 'frame:99'),
                 'Reference: frames: expected a first frame from 0 to 4 or from -5 to -1, found 99'),
                (('--superpose', 'all', '--reference', 'frame:0:1'),
                 'Reference: expected the number of one frame, found “0:1”'),
                (('--superpose', 'all', '--reference', 'frame:x'),
                 'Reference: expected the number of one frame, found “x”'),
                (('--superpose', 'all', '--reference', 'last'),
                 'Reference: expected first, frame:N or file:FILE, found “last”'),
                (('--reference', 'frame:1'), 'Reference: expected atoms to superpose, found none (superpose)'),
                (('--superpose', 'all', '--reference', 'file:carbon.xyz'),
                 'Reference: carbon.xyz: expected 7 atoms for “all”, as in run.xyz, found 2'),
                (('--superpose', 'x < 1e6', '--reference', 'file:carbon.xyz'),
                 'Reference: carbon.xyz: expected as many atoms as in run.xyz, since “x < 1e6” depends on positions, found 2'),
                (('--superpose', 'all', '--reference', 'file:other.xyz'),
                 'Reference: other.xyz: expected the same atoms as in run.xyz, found S for N as chosen atom 3')):
            done = self.run_cli('export', *arguments, '-o', 'none.xyz', self.xyz)
            self.assertEqual(done.stderr, f'debye-cli: {expected}\n')
            self.assertIn(done.returncode, (1, 2))
            self.assertFalse((self.folder / 'none.xyz').exists())

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

    def test_an_octant_in_a_larger_cell(self):
        """What is cut out keeps its positions but for the way that it is moved; what the new cell doesn't hold is said."""
        rows = ['C 1 2 3', 'C 6 1 1', 'O 4.5 4.5 4.5', 'C 1 1 9']
        self.xyz.write_text('4\nLattice="10 0 0 0 10 0 0 0 10" Properties=species:S:1:pos:R:3\n' + '\n'.join(rows) + '\n',
                            encoding='ascii')
        octant = ('--select', 'x < 5 and y < 5 and z < 5', '--translate', '20,21,22.5')
        done = self.run_cli('export', *octant, '--cell', '40,40,50,90,90,80', '-o', 'a.xyz', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn('outside', done.stderr)
        self.run_cli('export', '-o', 'a.csv', 'a.xyz')
        places = [[float(number) for number in row.split(',')[2:5]] for row in
                  (self.folder / 'a.csv').read_text().splitlines()[-2:]]
        self.assertEqual(places, [[21, 23, 25.5], [24.5, 25.5, 27]])
        for a, b in zip(cli.run_json('info', self.folder / 'a.xyz')['cell'], (40, 40, 50, 90, 90, 80)):
            self.assertAlmostEqual(a, b, delta=1e-4)
        for cell in ((), ('--cell', '24,40,40')):   # its own, and one that holds one of the two
            done = self.run_cli('export', *octant, *cell, '-o', 'a.xyz', self.xyz)
            self.assertIn('outside: up to %d of 2 atoms' % (1 if cell else 2), done.stderr)
        # Wrapping comes after, in the cell that counts then.
        done = self.run_cli('export', *octant, '--cell', '24,40,40', '--wrap', '-o', 'a.csv', self.xyz)
        self.assertNotIn('outside', done.stderr)
        self.assertAlmostEqual(float((self.folder / 'a.csv').read_text().splitlines()[-1].split(',')[2]), 0.5, delta=1e-5)

    def test_what_can_not_be_written(self):
        self.assertIn('selects no atoms', self.expect_failure('export', '--select', 'name XX', '-o', 'a.xyz', self.pqr))
        self.assertIn('charges', self.expect_failure('export', '--frames', '0', '-o', 'a.pqr', self.xyz))
        self.assertIn('both', self.expect_usage('export', '--wrap', '--unwrap', '-o', 'a.xyz', self.xyz))
        self.assertIn('no folder', self.expect_failure('map', '-o', 'none/a.dx', self.pqr))
        self.assertIn('molecule.pqr: expected a cell', self.expect_failure('export', '--wrap', '-o', 'a.xyz', self.pqr))
        self.assertIn('ends in one of', self.expect_usage('export', '-o', 'a.xyz.gz', self.pqr))
        self.assertFalse((self.folder / 'a.xyz').exists())


if __name__ == '__main__':
    unittest.main()
