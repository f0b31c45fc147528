#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering over several processes: the same numbers as from one. DEBYE_MPIRUN names mpirun."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from test_scattering_jobs import EDGE, N_FRAMES, ScatteringJobTest, write_gro, write_xyz  # noqa: E402

# Sums of the same numbers in another order, in double; of single precision phases each frame's are the same.
ROUNDING = 1e-12


class Ranks(ScatteringJobTest):
    def setUp(self):
        super().setUp()
        write_gro(self.folder / 'timed.gro')

    def run_ranks(self, n_ranks, *arguments):
        # A machine of the test may have less cores than there are processes, and be a container's.
        line = [os.environ['DEBYE_MPIRUN'], '-n', n_ranks, '--oversubscribe', '--allow-run-as-root', cli.PROGRAM, *arguments]
        return subprocess.run([str(word) for word in line], cwd=self.folder, env=cli.environment(), timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding='utf-8', check=False)

    def check_alike(self, n_ranks, *arguments, tolerance=ROUNDING):
        self.compute(*arguments, '-o', 'one.csv')
        done = self.run_ranks(n_ranks, 'scattering', '--quiet', '--threads', '1', *arguments, '-o', 'many.csv')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same('many.csv', 'one.csv', tolerance)

    def test_vectors(self):
        # Blocks of frames that the shares of two and three processes cut.
        for n_ranks in (2, 3):
            self.check_alike(n_ranks, '--q', '0.5,1,2', '--orientation', 'sphere:20', '--blocks', '5', '--partials',
                             'open.xyz')

    def test_lattice(self):
        self.check_alike(2, '--q', '1:3:0.5', 'cell.xyz')

    def test_debye_formula(self):
        self.check_alike(2, '--q', '1,2', '--orientation', 'exact', '--frames', '1:20:3', '--kind', 'total', 'open.xyz')

    def test_debye_formula_of_large_bodies(self):
        """By a lattice, which is as large for all frames, whichever of them a process has first."""
        write_xyz(self.folder / 'large.xyz', n_atoms=4000, n_frames=6)
        self.check_alike(2, '--q', '0:0.99:0.033', '--orientation', 'exact', 'large.xyz')

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

    def test_in_time(self):
        """Vectors and atoms in shares; displacements' counts are whole numbers."""
        for words in (('--orientation', 'sphere:20', '--kind', 'total', '--partials', 'open.xyz'),
                      ('--orientation', 'exact', '--kind', 'incoherent', 'open.xyz'),
                      ('--kind', 'total', '--partials', '--spectrum', 'timed.gro'),
                      ('--orientation', 'none:1,0,0', '--kind', 'total', '--signal', 'square', 'open.xyz')):
            for n_ranks in (2, 3):
                self.check_alike(n_ranks, '--dynamic', '--q', '0.6,1,2', '--precision', 'double', *words)
            # Spectra of atoms are summed in single precision, as many at a time as a process has.
            self.check_alike(2, '--dynamic', '--q', '0.6,1,2', *words, tolerance=3e-6)

    def test_more_processes_than_vectors(self):
        self.check_alike(3, '--dynamic', '--q', '1', '--orientation', 'none:0,0,1', 'open.xyz')
        self.check_alike(3, '--dynamic', '--q', '1', '--orientation', 'exact', '--kind', 'incoherent', '--select', 'index 1',
                         'open.xyz')

    def test_transforms(self):
        """So many vectors that one transform of a frame is less work: processes share frames then."""
        write_xyz(self.folder / 'many.xyz', lattice=EDGE, n_atoms=2000, n_frames=6)
        self.check_alike(2, '--dynamic', '--q', '2:10:4', '--shell-vectors', '100000', 'many.xyz')

    def test_volume(self):
        for name in ('one', 'many'):
            arguments = ('scattering', '--quiet', '--q', '1:3:0.5', '--volume-map', '-o', f'{name}.h5', 'cell.xyz')
            done = self.run_ranks(2, *arguments) if name == 'many' else cli.run(*arguments, folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run(['h5diff', '-p', '1e-5', 'one.h5', 'many.h5', '/entry/data', '/entry/data'], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_frames_that_follow_each_other(self):
        """Unwrapping and motions need the frames before: every process goes through them, and sums its own."""
        for words in (('--motion', 'all=brownian:0.3'), ('--unwrap',), ('--center', 'element O')):
            self.check_alike(3, '--q', '1,2', '--orientation', 'sphere:20', '--no-box-correction', *words,
                             *(() if words[0] == '--unwrap' else ('open.xyz',)),
                             *(('timed.gro',) if words[0] == '--unwrap' else ()))

    def test_continued(self):
        for command in (self.compute, lambda *words: self.run_ranks(2, 'scattering', '--quiet', *words)):
            command('--q', '1,2', '--orientation', 'sphere:20', '--continue', 'a.h5', '-o', 'few.csv', 'open.xyz')
            command('--q', '0.5,1,2,3', '--orientation', 'sphere:20', '--continue', 'a.h5', '--save-every', '0', '-o',
                    'many.csv', 'open.xyz')
        self.compute('--q', '0.5,1,2,3', '--orientation', 'sphere:20', '-o', 'one.csv', 'open.xyz')
        self.check_same('many.csv', 'one.csv', ROUNDING)

    def test_kept_on_the_way(self):
        """Sums that all processes have together are in the file after each block of frames or atoms."""
        for words in (('--orientation', 'exact', '--blocks', '5', 'open.xyz'), ('--volume-map', 'cell.xyz'),
                      ('--dynamic', '--kind', 'incoherent', '--orientation', 'exact', 'open.xyz')):
            arguments = ('--q', '0.6,1,2', *words)
            (self.folder / 'a.h5').unlink(missing_ok=True)
            self.compute_warned(*arguments, '-o', 'one.csv')
            done = self.run_ranks(3, 'scattering', '--quiet', '--threads', '1', *arguments, '--continue', 'a.h5',
                                  '--save-every', '0', '-o', 'many.csv')
            self.assertEqual(done.returncode, 0, done.stderr)
            self.check_same('many.csv', 'one.csv', ROUNDING)
            self.compute_warned(*arguments, '--continue', 'a.h5', '-o', 'again.csv')
            self.check_same('again.csv', 'one.csv', ROUNDING)


if __name__ == '__main__':
    unittest.main(defaultTest='Ranks', verbosity=2)
