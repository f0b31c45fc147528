#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli rerun: files that changed since, and files beside the result."""
import hashlib
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase, xyz_frames  # noqa: E402


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


class Changed(CliCase):
    def setUp(self):
        super().setUp()
        self.make('rdf', '--pair', 'all', 'all', '--max', '6', '--bins', '60', '-o', 'g.h5', 'run.xyz')

    def make(self, *arguments):
        done = self.run_cli(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_unchanged_is_not_spoken_of(self):
        done = self.run_cli('rerun', '--strict', 'g.h5')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(cli.run_json('rerun', 'g.h5', folder=self.folder)['changed_inputs'], [])

    def test_another_size_is_warned_of(self):
        before = self.xyz.stat().st_size
        self.xyz.write_text(xyz_frames(6), encoding='ascii')
        expected = (f'run.xyz: changed since the result was made: expected {before} bytes, '
                    f'found {self.xyz.stat().st_size}')
        done = self.run_cli('rerun', '-o', 'again.h5', 'g.h5')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'debye-cli: warning: {expected}\n', done.stderr)
        self.assertIn('Differs from what is stored', done.stdout)
        self.assertIn(expected, self.expect_failure('rerun', '--strict', 'g.h5'))
        self.assertEqual(cli.run_json('rerun', 'g.h5', folder=self.folder)['changed_inputs'], ['run.xyz'])
        self.assertEqual(self.run_cli('rerun', '--strict', 'again.h5').returncode, 0)

    def test_another_content_of_the_same_size_is_warned_of(self):
        before, text = sha256(self.xyz), self.xyz.read_text(encoding='ascii')
        self.xyz.write_text(text.replace('0.2000 0.0000', '0.7000 0.0000'), encoding='ascii')
        expected = f'run.xyz: changed since the result was made: expected the SHA-256 {before}, found {sha256(self.xyz)}'
        done = self.run_cli('rerun', '-o', 'again.h5', 'g.h5')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(expected, done.stderr)
        self.assertIn(expected, self.expect_failure('rerun', '--strict', 'g.h5'))
        # What the new result keeps is the file that it was made from.
        self.assertEqual(self.run_cli('rerun', '--strict', 'again.h5').returncode, 0)

    def test_a_changed_map_is_warned_of(self):
        self.make('map', '--spacing', '3', '-o', 'map.h5', 'molecule.pqr')
        self.make('field', '--profile', 'z', '-o', 'z.h5', 'map.h5')
        self.make('map', '--spacing', '3', '--select', 'resname ALA', '--origin', '-10,-10,-10', '--shape', '9,9,9',
                  '-o', 'map.h5', 'molecule.pqr')
        self.assertIn('map.h5: changed since', self.expect_failure('rerun', '--strict', 'z.h5'))

    def test_a_missing_input_is_named_once(self):
        self.xyz.unlink()
        self.assertRegex(self.expect_failure('rerun', 'g.h5'), r"\Adebye-cli: run\.xyz: can't be opened: [^\n]*\n\Z")


class Beside(CliCase):
    """Files that the settings of a result name, found from another folder."""

    def test_files_of_settings_are_found(self):
        (self.folder / 'v').write_text('1 0 0\n0 2 0\n1 1 1\n', encoding='ascii')
        (self.folder / 'r').write_text(''.join(f'{e} {max(0, 3 - abs(e))}\n' for e in range(-5, 6)), encoding='ascii')
        (self.folder / 'm.csv').write_text(''.join(f'{0.1 * i} {10 - i} 0.1\n' for i in range(1, 9)), encoding='ascii')
        with open(self.folder / 'times.gro', 'w', encoding='ascii') as file:
            for frame in range(20):
                file.write(f'pair t= {frame:.5f}\n2\n    1ION     NA    1   1.000   1.000   1.000\n'
                           '    2ION     NA    2   1.200   1.000   1.000\n   0.0 0.0 0.0\n')
        cases = {
            'vectors': ['--q-vectors', 'v'],
            'directions': ['--orientation', 'vectors:v', '--q', '1,2'],
            'resolution': ['--spectrum', '--kind', 'incoherent', '--resolution', 'file:r', '--q', '1,2'],
            'measured': ['--measured', 'm.csv', '--q', '0.1:0.8:0.1'],
        }
        for name, settings in cases.items():
            with self.subTest(name=name):
                made = self.run_cli('scattering', *settings, '-o', name + '.h5', 'times.gro')
                self.assertEqual(made.returncode, 0, made.stderr)
                told = cli.run_json('rerun', self.folder / (name + '.h5'), folder='/')
                self.assertLess(told['largest_difference'], 1e-12)

    def test_files_of_settings_are_not_written_over(self):
        (self.folder / 'v.csv').write_text('1 0 0\n0 2 0\n', encoding='ascii')
        before = (self.folder / 'v.csv').read_bytes()
        for name, settings in (('a', ['--q-vectors', 'v.csv']), ('b', ['--orientation', 'vectors:v.csv', '--q', '1,2'])):
            with self.subTest(settings=settings):
                made = self.run_cli('scattering', *settings, '-o', name + '.h5', 'run.xyz')
                self.assertEqual(made.returncode, 0, made.stderr)
                for command in (['rerun', '-o', 'v.csv', name + '.h5'],
                                ['scattering', *settings, '-o', 'v.csv', 'run.xyz']):
                    self.assertIn('expected another file than those that are read', self.expect_usage(*command))
        self.assertEqual((self.folder / 'v.csv').read_bytes(), before)


if __name__ == '__main__':
    unittest.main()
