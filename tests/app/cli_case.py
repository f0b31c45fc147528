# SPDX-License-Identifier: MIT
"""A small molecule, still and moving, in a folder of its own: what the tests of debye-cli begin with."""
import pathlib
import shutil
import tempfile
import unittest

import cli

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


class CliCase(unittest.TestCase):
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
