#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering, killed where one pass over frames or atoms serves every q: the file has the sums so far, and
the same job goes on after them."""
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import started_once  # noqa: E402
from test_scattering_jobs import EDGE, ScatteringJobTest, write_xyz  # noqa: E402

# Sums of the same numbers in other groups, in double.
ROUNDING = 1e-12


class Killed(ScatteringJobTest):
    def number(self, dataset):
        """The only one of a dataset; 0: it isn't there. A file's first table is its default data."""
        for name in (dataset, dataset.replace('restart_atoms', 'data')):
            shown = started_once.run('h5dump', ['-d', name, 'k.h5'], folder=self.folder)
            found = re.search(r'DATA \{\s*\(0\): (\d+)', shown.stdout)
            if found:
                return int(found.group(1))
        return 0

    def kill(self, dataset, *job, behind=2):
        """While the file says that so many of all, or more, are behind; how many."""
        running = subprocess.Popen([cli.PROGRAM, 'scattering', '--quiet', '--threads', '1', '--continue', 'k.h5',
                                    '--save-every', '0', '-o', 'k.csv', *job],
                                   cwd=self.folder, env=cli.environment(), stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120.0
        # The job rests while its file is looked at, so that a busy machine doesn't let it come to its end meanwhile.
        running.send_signal(signal.SIGSTOP)
        while self.number(dataset) < behind and time.monotonic() < deadline:
            running.send_signal(signal.SIGCONT)
            time.sleep(0.01)
            running.send_signal(signal.SIGSTOP)
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


class KilledAtFrames(Killed):
    """Sums over frames."""
    N_FRAMES = 400

    def setUp(self):
        super().setUp()
        write_xyz(self.folder / 'open.xyz', n_frames=self.N_FRAMES)
        write_xyz(self.folder / 'cell.xyz', lattice=EDGE, n_frames=self.N_FRAMES)

    def check_frames(self, *job):
        n = self.kill('/entry/restart_frames/behind', *job)
        self.assertIn(n, range(2, self.N_FRAMES))
        self.go_on(f'sums of {n} of {self.N_FRAMES} frames are from an earlier run', *job)

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
        job = ('--q', '1,2', '--orientation', 'exact', '--blocks', '7', 'open.xyz')
        self.kill('/entry/restart_frames/behind', *job)
        done = cli.run('scattering', *job, '--continue', 'k.h5', '-o', 'a.csv', folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('frame 1 is left out', done.stdout + done.stderr)
        self.compute_warned(*job, '-o', 'b.csv')
        self.check_same('a.csv', 'b.csv', ROUNDING)


class KilledInTime(Killed):
    """Displacements are counted atom by atom."""
    N_FRAMES, N_ATOMS = 60, 300

    def setUp(self):
        super().setUp()
        generator = random.Random(3)
        atoms = [[generator.uniform(0.0, EDGE) for _ in range(3)] for _ in range(self.N_ATOMS)]
        with open(self.folder / 'walk.xyz', 'w', encoding='ascii') as file:
            for _ in range(self.N_FRAMES):
                file.write(f'{self.N_ATOMS}\nLattice="{EDGE} 0 0 0 {EDGE} 0 0 0 {EDGE}"\n')
                for number, place in enumerate(atoms):
                    file.write(f'{"HO"[number % 2]} ' + ' '.join(f'{x:.5f}' for x in place) + '\n')
                atoms = [[x + generator.gauss(0.0, 0.1) for x in place] for place in atoms]

    JOB = ('--dynamic', '--kind', 'incoherent', '--orientation', 'exact', 'walk.xyz')

    def check_atoms(self, *job):
        n = self.kill('/entry/restart_atoms/counted', *job)
        self.assertIn(n, range(2, self.N_ATOMS))
        self.go_on(f'displacements of {n} of {self.N_ATOMS} atoms are from an earlier run', *job, tolerance=1e-11)

    def go_on(self, expected, *job, tolerance=ROUNDING):
        # The file says no times of the frames, which is warned of.
        self.compute = self.compute_warned
        super().go_on(expected, *job, tolerance=tolerance)

    def test_displacements(self):
        self.check_atoms('--q', '1,2', '--partials', *self.JOB)

    def test_pass_by_pass(self):
        """Memory for few atoms at a time: a pass over the trajectory for each of them."""
        self.check_atoms('--q', '1,2', '--memory', '200K', *self.JOB)

    def test_counts_and_rows(self):
        """Both parts of a cell: counts that are finished are not made again while rows of q are left."""
        job = ('--dynamic', '--kind', 'total', '--q', '0.8:4:0.8', 'walk.xyz')
        n = self.kill('/entry/restart_atoms/counted', *job, behind=self.N_ATOMS)
        self.go_on(f'displacements of {n} of {self.N_ATOMS} atoms are from an earlier run', *job, tolerance=1e-11)

    def test_other_q(self):
        self.kill('/entry/restart_atoms/counted', '--q', '1,2', *self.JOB)
        done = cli.run('scattering', '--quiet', '--continue', 'k.h5', '--q', '1,3', '-o', 'x.csv', *self.JOB, folder=self.folder)
        self.assertIn('atoms for another largest q', done.stderr)
        self.assertFalse((self.folder / 'x.csv').exists())


if __name__ == '__main__':
    unittest.main(defaultTest=['KilledAtFrames', 'KilledInTime'], verbosity=2)
