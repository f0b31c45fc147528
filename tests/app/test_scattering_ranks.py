#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering over several processes: the same numbers as from one. DEBYE_MPIRUN names mpirun."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from test_scattering_jobs import N_FRAMES, ScatteringJobTest  # noqa: E402

# Sums of the same numbers in another order, in double; of single precision phases each frame's are the same.
ROUNDING = 1e-12


class Ranks(ScatteringJobTest):
    def run_ranks(self, n_ranks, *arguments):
        # A machine of the test may have less cores than there are processes, and be a container's.
        line = [os.environ['DEBYE_MPIRUN'], '-n', n_ranks, '--oversubscribe', '--allow-run-as-root', cli.PROGRAM, *arguments]
        return subprocess.run([str(word) for word in line], cwd=self.folder, env=cli.environment(), timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding='utf-8', check=False)

    def check_alike(self, n_ranks, *arguments):
        self.compute(*arguments, '-o', 'one.csv')
        done = self.run_ranks(n_ranks, 'scattering', '--quiet', '--threads', '1', *arguments, '-o', 'many.csv')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same('many.csv', 'one.csv', ROUNDING)

    def test_vectors(self):
        # Blocks of frames that the shares of two and three processes cut.
        for n_ranks in (2, 3):
            self.check_alike(n_ranks, '--q', '0.5,1,2', '--orientation', 'sphere:20', '--blocks', '5', '--partials',
                             'open.xyz')

    def test_lattice(self):
        self.check_alike(2, '--q', '1:3:0.5', 'cell.xyz')

    def test_debye_formula(self):
        self.check_alike(2, '--q', '1,2', '--orientation', 'exact', '--frames', '1:20:3', '--kind', 'total', 'open.xyz')

    def test_more_processes_than_frames(self):
        self.check_alike(3, '--q', '1', '--orientation', 'sphere:20', '--frames', f'{N_FRAMES - 2}:{N_FRAMES - 1}',
                         'open.xyz')

    def test_frames_left_out(self):
        lines = (self.folder / 'open.xyz').read_text(encoding='ascii').splitlines()
        lines[32 * 20 + 5] = 'H nan 0 0'
        (self.folder / 'gap.xyz').write_text('\n'.join(lines) + '\n', encoding='ascii')
        arguments = ('scattering', '--quiet', '--q', '1', '--orientation', 'sphere:20', '--blocks', '0')
        self.assertEqual(cli.run(*arguments, '-o', 'one.csv', 'gap.xyz', folder=self.folder).returncode, 0)
        self.assertEqual(self.run_ranks(2, *arguments, '-o', 'many.csv', 'gap.xyz').returncode, 0)
        self.assertAlmostEqual(float(self.read('many.csv')[0]['intensity']), float(self.read('one.csv')[0]['intensity']),
                               delta=1e-9)

    def test_what_is_not_shared(self):
        for words, text in ((('scattering', '--dynamic', '--q', '1', '--orientation', 'sphere:5'), 'courses in time'),
                            (('scattering', '--q', '1', '--orientation', 'sphere:5', '--motion', 'all=fixed'),
                             'share frames as they are'),
                            (('rdf',), 'only scattering is shared')):
            done = self.run_ranks(2, *words, '-o', 'a.csv', 'open.xyz')
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, done.stderr)
            self.assertFalse((self.folder / 'a.csv').exists())


if __name__ == '__main__':
    unittest.main(defaultTest='Ranks', verbosity=2)
