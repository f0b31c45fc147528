#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering, killed where one pass over frames or atoms serves every q: the file has the sums so far, and
the same job goes on after them."""
import re
import subprocess
import sys
import os
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from test_scattering_jobs import EDGE, ScatteringJobTest, write_xyz  # noqa: E402

# Sums of the same numbers in other groups, in double.
ROUNDING = 1e-12


class Killed(ScatteringJobTest):
    N_FRAMES = 400

    def setUp(self):
        super().setUp()
        write_xyz(self.folder / 'open.xyz', n_frames=self.N_FRAMES)
        write_xyz(self.folder / 'cell.xyz', lattice=EDGE, n_frames=self.N_FRAMES)

    def number(self, dataset):
        shown = subprocess.run(['h5dump', '-d', dataset, 'k.h5'], cwd=self.folder, check=False, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
        found = re.search(r'DATA \{\s*\(0\): (\d+)', shown.stdout)
        return int(found.group(1)) if found else 0

    def kill(self, dataset, *job):
        """While the file says that some of all is behind; how much of it."""
        running = subprocess.Popen([cli.PROGRAM, 'scattering', '--quiet', '--threads', '1', '--continue', 'k.h5',
                                    '--save-every', '0', '-o', 'k.csv', *job],
                                   cwd=self.folder, env=cli.environment(), stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120.0
        while self.number(dataset) < 2 and time.monotonic() < deadline:
            self.assertIsNone(running.poll(), 'the job is meant to last')
        running.kill()
        running.wait()
        self.assertFalse((self.folder / 'k.csv').exists())
        return self.number(dataset)

    def go_on(self, expected, *job, tolerance=ROUNDING):
        done = cli.run('scattering', *job, '--continue', 'k.h5', '-o', 'a.csv', folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(expected, done.stdout + done.stderr)
        self.compute(*job, '-o', 'b.csv')
        self.check_same('a.csv', 'b.csv', tolerance)
        # What is left is a result as any other, with nothing to be done.
        listed = subprocess.run(['h5ls', 'k.h5/entry'], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True)
        self.assertNotIn('restart', listed.stdout)
        self.compute(*job, '--continue', 'k.h5', '-o', 'c.csv')
        self.check_same('c.csv', 'b.csv', tolerance)

    def check_frames(self, *job):
        n = self.kill('/entry/restart_frames/behind', *job)
        self.assertIn(n, range(2, self.N_FRAMES))
        self.go_on(f'sums of {n} of {self.N_FRAMES} frames are an earlier run', *job)

    def test_debye_formula(self):
        self.check_frames('--q', '0.5:4:0.5', '--orientation', 'exact', '--partials', 'open.xyz')

    def test_map(self):
        """Standard errors come from blocks of frames, the map from sums of its own."""
        self.check_frames('--q', '1:4:0.5', '--volume-map', '--blocks', '7', 'cell.xyz')
        self.compute('--q', '1:4:0.5', '--volume-map', '--blocks', '7', '-o', 'b.h5', 'cell.xyz')
        done = subprocess.run(['h5diff', '-p', '1e-6', 'k.h5', 'b.h5', '/entry/data', '/entry/data'], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_motion(self):
        """Steps of a random walk depend on those before: they are made again, and not summed again."""
        self.check_frames('--q', '1,2', '--orientation', 'exact', '--motion', 'element O=brownian:0.3', 'open.xyz')

    def test_rows_that_are_done(self):
        """Rows of an earlier result stay in the file while others are computed."""
        job = ('--orientation', 'exact', 'open.xyz')
        self.compute('--q', '1,3', '-o', 'k.h5', *job)
        n = self.kill('/entry/restart_frames/behind', '--q', '1,2,3', *job)
        self.compute('--q', '1,3', '-o', 'few.csv', *job)
        done = cli.run('scattering', '--quiet', '--continue', 'k.h5', '--q', '1,4', '-o', 'x.csv', *job, folder=self.folder)
        self.assertIn('a row of q = 3', done.stderr)
        done = cli.run('scattering', '--quiet', '--continue', 'k.h5', '--q', '1,3,4', '-o', 'x.csv', *job, folder=self.folder)
        self.assertIn(f'holds sums of {n} frames for other q than are left', done.stderr)
        self.assertFalse((self.folder / 'x.csv').exists())
        self.go_on('Continued: 2 rows of q', '--q', '1,2,3', *job)

    def test_frames_left_out(self):
        lines = (self.folder / 'open.xyz').read_text(encoding='ascii').splitlines()
        lines[32 + 5] = 'H nan 0 0'
        (self.folder / 'open.xyz').write_text('\n'.join(lines) + '\n', encoding='ascii')
        job = ('--q', '1,2', '--orientation', 'exact', 'open.xyz')
        self.kill('/entry/restart_frames/behind', *job)
        done = cli.run('scattering', *job, '--continue', 'k.h5', '-o', 'a.csv', folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('frame 1 left out', done.stdout + done.stderr)
        self.compute_warned(*job, '-o', 'b.csv')
        self.check_same('a.csv', 'b.csv', ROUNDING)


if __name__ == '__main__':
    unittest.main(defaultTest='Killed', verbosity=2)
