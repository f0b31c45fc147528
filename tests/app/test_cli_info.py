#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli info: what files hold, which elements atoms are, whether frames are sound."""
import os
import re
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402


class Info(CliCase):
    def test_json_keys(self):
        told = cli.run_json('info', self.pqr)
        self.assertEqual(list(told), ['atoms', 'frames', 'cell', 'time', 'total_charge', 'elements', 'element_sources',
                                      'element_kinds', 'residues', 'alternates', 'bonds', 'format', 'warnings'])
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

    def test_what_single_precision_leaves_of_a_sum_is_not_said(self):
        path = self.folder / 'thirds.pqr'
        cli.write_pqr(path, [(name, 'HOH', 1, x, 0.0, 0.0, q, 1.0) for name, x, q in
                             (('O', 0.0, -0.3), ('H1', 1.0, 0.2), ('H2', -1.0, 0.1))])
        self.assertNotEqual(cli.run_json('info', path)['total_charge'], 0.0)
        self.assertIn('\nTotal charge  0 e\n', self.run_cli('info', path).stdout)

    def test_selected_atoms(self):
        told = cli.run_json('info', '--select', 'resname ALA', self.pqr)
        self.assertEqual((told['atoms'], told['residues']), (4, 1))
        self.assertAlmostEqual(told['total_charge'], 0.0, places=6)

    def test_uneven_times_have_no_step(self):
        for times, step, said in (((0, 2, 4, 6, 8), 2.0, 'every 2 ps'), ((0, 2, 4, 14, 30), None, 'in uneven steps'),
                                  ([*range(50), *range(60, 110)], None, 'in uneven steps')):
            (self.folder / 'u.gro').write_text(
                ''.join(f'x t= {time:.3f}\n1\n    1SOL     OW    1   0.100   0.100   0.100\n   2.0 2.0 2.0\n' for time in times),
                encoding='ascii')
            self.assertEqual(cli.run_json('info', self.folder / 'u.gro')['time'],
                             {'first': 0.0, 'last': float(times[-1]), 'step': step})
            self.assertIn(f'0 to {times[-1]} ps, {said}\n', self.run_cli('info', 'u.gro').stdout)

    def test_vibrations(self):
        """Of a file of frequencies alone; modes that can't be read are a warning."""
        text = ('[Molden Format]\n[FREQ]\n-250.5\n3700\n[INT]\n31\n5\n[FR-COORD]\nO 0 0 0.12\nH 0 1.43 -0.98\nH 0 -1.43 -0.98\n'
                '[FR-NORM-COORD]\nvibration 1\n1 0 0\n-1 0 0\n-1 0 0\nvibration 2\n0 0 0.05\n0 0.58 -0.4\n')
        (self.folder / 'modes.molden').write_text(text + '0 -0.58 -0.4\n', encoding='ascii')
        told = cli.run_json('info', self.folder / 'modes.molden')
        self.assertEqual(told['vibrations'], [{'number': 1, 'wavenumber': -250.5, 'intensity': 31, 'reduced_mass': None},
                                              {'number': 2, 'wavenumber': 3700, 'intensity': 5, 'reduced_mass': None}])
        said = self.run_cli('info', 'modes.molden').stdout
        self.assertIn('Vibrations       1     250.5 i cm⁻¹      31.0 km/mol\n', said)
        (self.folder / 'wrong.molden').write_text(text, encoding='ascii')
        told = cli.run_json('info', self.folder / 'wrong.molden')
        self.assertNotIn('vibrations', told)
        self.assertEqual(told['warnings'], ['wrong.molden: mode 2: expected displacements of 3 atoms, found 2'])

    def test_missing_and_unknown_files(self):
        self.assertIn('missing.pdb', self.expect_failure('info', 'missing.pdb'))
        (self.folder / 'noise.dat').write_bytes(bytes(range(256)) * 8)
        self.assertIn('noise.dat', self.expect_failure('info', 'noise.dat'))


class Result(CliCase):
    """info of a map, of Debye or another program, and of curves."""

    def setUp(self):
        super().setUp()
        made = self.run_cli('map', '--origin', '0,0,0', '--shape', '4,5,6', '--spacing', '1.5', '-o', 'map.h5',
                            '-o', 'map.dx', self.pqr)
        self.assertEqual(made.returncode, 0, made.stderr)

    def test_map_with_its_story(self):
        told = self.run_cli('info', 'map.h5').stdout
        self.assertIn('Points        4 × 5 × 6\n', told)
        self.assertIn(', in kT/e\n', told)
        self.assertRegex(told, r'Steps +\(1\.5, 0, 0\) Å\n +\(0, 1\.5, 0\) Å')
        self.assertRegex(told, r'Made by +debye-cli map .*--spacing 1\.5')
        version = self.run_cli('--version').stdout.split()[1]
        made = re.search(r'^Made +(\S+Z), Debye (.*)$', told, re.MULTILINE)
        self.assertEqual(made.group(2), version)
        whole = cli.run_json('info', 'map.h5', folder=self.folder)
        self.assertEqual((whole['created'], whole['debye_version']), made.groups())
        self.assertNotRegex(self.run_cli('info', 'map.dx').stdout, r'(?m)^Made ')
        plain = cli.run_json('info', 'map.dx', folder=self.folder)
        self.assertEqual((plain['created'], plain['debye_version']), (None, None))

    def test_same_numbers_from_both_formats(self):
        whole = cli.run_json('info', 'map.h5', folder=self.folder)
        plain = cli.run_json('info', 'map.dx', folder=self.folder)
        self.assertEqual(whole['grid'], plain['grid'])
        self.assertEqual(whole['grid']['shape'], [4, 5, 6])
        for key in ('minimum', 'maximum', 'mean', 'rms'):
            self.assertAlmostEqual(whole[key], plain[key], delta=1e-5 * whole['rms'])
        low = float(re.search(r'Values +(\S+) to', self.run_cli('info', 'map.dx').stdout).group(1))
        self.assertAlmostEqual(low, plain['minimum'], delta=1e-5 * abs(low))

    def test_curves(self):
        made = self.run_cli('rdf', '--pair', 'element H', 'element O', '--max', '4', '-o', 'g.h5', self.xyz)
        self.assertEqual(made.returncode, 0, made.stderr)
        curves = cli.run_json('info', 'g.h5', folder=self.folder)['curves']
        lines = [line for line in self.run_cli('info', 'g.h5').stdout.splitlines() if line.startswith('Curve ')]
        self.assertEqual(len(lines), len(curves))
        self.assertIn(f"{curves[0]['name']}: ", lines[0])
        self.assertTrue(lines[0].endswith(f", {curves[0]['points']} points"), lines[0])

    def test_broken_map(self):
        text = (self.folder / 'map.dx').read_text(encoding='utf-8')
        (self.folder / 'half.dx').write_text(text[:len(text) // 2], encoding='utf-8')
        self.assertIn('half.dx', self.expect_failure('info', 'half.dx'))


class Check(CliCase):
    """info --check reads all frames, and without it those that take no second; bonds are told with where they come from."""

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

    def test_later_frames_unasked(self):
        bad = self.folder / 'bad.xyz'
        frame = '2\n\nC {} 0 0\nO 1.2 0 0\n'
        sentence = '2 coordinates are not numbers, in 2 frames; the first is atom 0 of frame 1'
        bad.write_text(frame.format(0) + frame.format('nan') + frame.format(0) + frame.format('inf'), encoding='ascii')
        told = cli.run_json('info', bad)
        self.assertEqual(told['check'], {'frames': 4, 'bad_frames': 2, 'first_frame': 1, 'first_atom': 0})
        self.assertEqual(told['warnings'], [sentence])
        self.assertIn(f'Checked       4 frames: {sentence}\n', self.run_cli('info', bad).stdout)
        self.assertEqual(self.run_cli('info', '--strict', bad).returncode, 1)
        bad.write_text(frame.format('nan') + frame.format(0), encoding='ascii')
        told = cli.run_json('info', bad)
        self.assertEqual(told['check'], {'frames': 2, 'bad_frames': 1, 'first_frame': 0, 'first_atom': 0})
        self.assertEqual(len(told['warnings']), 1)

    def test_later_frame_that_cannot_be_read(self):
        """Its error is a warning, as long as nobody asks for all frames."""
        broken = self.folder / 'broken.pdb'
        model = 'MODEL\nATOM      1  N   ALA     1    {:8} 2.000   3.000\nENDMDL\n'
        broken.write_text(model.format('1.000') + model.format('****') + model.format('3.000'), encoding='ascii')
        sentence = 'line 5: expected a number for x, found “****”'
        told = cli.run_json('info', broken)
        self.assertTrue(told['warnings'][-1].endswith(sentence), told['warnings'])
        self.assertEqual(told['check'], {'frames': 1, 'bad_frames': 0})
        self.assertIn(sentence, self.expect_failure('info', '--check', broken))

    def test_more_frames_than_there_is_time_for(self):
        """Zeros that take no room on the disk: 20,000 frames of 100,000 atoms, as NetCDF."""
        n_frames, n_atoms = 20000, 100000
        name = lambda text: struct.pack('>i', len(text)) + text.encode() + bytes(-len(text) % 4)
        dimensions = [('frame', 0), ('spatial', 3), ('atom', n_atoms)]
        head = b'CDF\x02' + struct.pack('>i', n_frames) + struct.pack('>ii', 10, len(dimensions))
        head += b''.join(name(text) + struct.pack('>i', size) for text, size in dimensions)
        head += struct.pack('>ii', 12, 1) + name('Conventions') + struct.pack('>i', 2) + name('AMBER')
        head += struct.pack('>ii', 11, 1) + name('coordinates') + struct.pack('>iiii', 3, 0, 2, 1) + bytes(8)
        head += struct.pack('>ii', 5, 12 * n_atoms)
        head += struct.pack('>q', len(head) + 8)
        with open(self.folder / 'long.nc', 'wb') as file:
            file.write(head)
            file.truncate(len(head) + n_frames * n_atoms * 12)
        told = cli.run_json('info', self.folder / 'long.nc')
        self.assertEqual((told['atoms'], told['frames']), (n_atoms, n_frames))
        self.assertLess(told['check']['frames'], n_frames)
        self.assertGreater(told['check']['frames'], 1)
        self.assertRegex(self.run_cli('info', 'long.nc').stdout,
                         f'Checked       [0-9]+ of {n_frames} frames: all coordinates are numbers; --check reads all\n')

    def test_bonds_of_waters_that_overlap(self):
        """Two waters, 1.1 Å apart: distances bond one's oxygen to the other's; templates don't."""
        pdb = self.folder / 'clash.pdb'
        cli.write_pdb(pdb, [('O', 'HOH', 1, 0.0, 0.0, 0.0), ('H1', 'HOH', 1, -0.957, 0.0, 0.0),
                            ('H2', 'HOH', 1, 0.24, -0.927, 0.0), ('O', 'HOH', 2, 1.3, 0.0, 0.0),
                            ('H1', 'HOH', 2, 2.257, 0.0, 0.0), ('H2', 'HOH', 2, 1.06, 0.927, 0.0)])
        self.assertEqual(cli.run_json('info', pdb)['bonds'], {'file': 0, 'distances': 4, 'templates': 0})
        self.assertIn("don't fit 2 standard residues (the first: HOH 1)", self.run_cli('info', pdb).stdout)


class Elements(CliCase):
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


if __name__ == '__main__':
    unittest.main()
