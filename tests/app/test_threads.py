#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--threads 1: one thread of an analysis computes, whatever of it can be shared."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

# Of all threads' time: what the others take is reading ahead, and the words at the end.
OF_ONE_THREAD = 0.8


def write_atoms(path, n_atoms, n_frames, seed=3):
    rng = random.Random(seed)
    lines = []
    for frame in range(n_frames):
        lines += [str(n_atoms), f'Lattice="60 0 0 0 60 0 0 0 60" Properties=species:S:1:pos:R:3 Time={frame}']
        lines += ['C ' + ' '.join(f'{rng.uniform(0, 60):.3f}' for _ in range(3)) for _ in range(n_atoms)]
    path.write_text('\n'.join(lines) + '\n', encoding='ascii')


def look_at_threads(pid, seconds):
    """Notes how long each of the process's threads has been on a processor; one that ended keeps its last note."""
    for task in pathlib.Path(f'/proc/{pid}/task').glob('*/schedstat'):
        try:
            seconds[task.parent.name] = 1e-9 * int(task.read_text(encoding='ascii').split()[0])
        except (OSError, IndexError):
            continue


def write_large(path, n_atoms, seed=4):
    """More atoms than are worth several threads: their text is read, and their bonds are found, in parts."""
    rng = random.Random(seed)
    rows = (f'{i // 10 % 99999:5d}ALA      C{i % 100000:5d}' + ''.join(f'{rng.uniform(0, 17):8.3f}' for _ in range(3))
            for i in range(n_atoms))
    path.write_text(f'large\n{n_atoms}\n' + '\n'.join(rows) + '\n17.0 17.0 17.0\n', encoding='ascii')


def look_at_names(pid, names):
    for task in pathlib.Path(f'/proc/{pid}/task').glob('*/comm'):
        try:
            names.add(task.read_text(encoding='ascii').strip())
        except OSError:
            continue


class ThreadsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-threads-'))
        write_atoms(cls.folder / 'still.xyz', 36000, 1)
        write_atoms(cls.folder / 'fewer.xyz', 20000, 1)
        write_atoms(cls.folder / 'moving.xyz', 2000, 20)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_and_look(self, *arguments):
        seconds = {}
        with subprocess.Popen([cli.PROGRAM, *arguments, '--device', 'cpu', '--quiet', '-o', 'out.csv'], cwd=self.folder,
                              env=cli.environment(), stderr=subprocess.PIPE, text=True, encoding='utf-8') as process:
            while process.poll() is None:
                look_at_threads(process.pid, seconds)
                time.sleep(0.01)
            self.assertEqual(process.returncode, 0, process.stderr.read())
        return sorted(seconds.values(), reverse=True)

    def check(self, *arguments):
        seconds = self.run_and_look(*arguments, '--threads', '1')
        # What is over at once says nothing.
        self.assertGreater(seconds[0], 0.1, f'{arguments}')
        self.assertGreater(seconds[0], OF_ONE_THREAD * sum(seconds), f'{arguments}: {seconds}')

    def test_scattering(self):
        # A large body comes from a lattice or from counts of its distances, a small one pair by pair.
        self.check('scattering', '--orientation', 'exact', '--q', '0.1:1:0.1', 'still.xyz')
        self.check('scattering', '--orientation', 'exact', '--q', '0.1:3:0.1', 'fewer.xyz')
        self.check('scattering', '--orientation', 'exact', '--q', '0.5:2:0.5', 'moving.xyz')
        self.check('scattering', '--orientation', 'multipole:30', '--q', '0.1:3:0.1', 'still.xyz')
        self.check('scattering', '--orientation', 'sphere:12000', '--q', '0.5:2:0.5', 'moving.xyz')

    def test_pairs(self):
        self.check('rdf', '--pair', 'all', 'all', '--max', '29', 'still.xyz')

    def name_threads(self, threads):
        names = set()
        with subprocess.Popen([cli.PROGRAM, 'rdf', '--pair', 'index 0', 'index 1', '--threads', threads, '--device', 'cpu', '--quiet',
                               '-o', 'out.csv', 'large.gro'], cwd=self.folder, env=cli.environment(), stderr=subprocess.PIPE,
                              text=True, encoding='utf-8') as process:
            while process.poll() is None:
                look_at_names(process.pid, names)
                time.sleep(0.001)
            self.assertEqual(process.returncode, 0, process.stderr.read())
        return names

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, 'there is one processor')
    def test_reading(self):
        write_large(self.folder / 'large.gro', 300000)
        self.assertIn('debye-parts', self.name_threads('0'))
        self.assertNotIn('debye-parts', self.name_threads('1'))

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, 'there is one processor')
    def test_that_threads_are_seen(self):
        seconds = self.run_and_look('scattering', '--orientation', 'exact', '--q', '0.1:3:0.1', 'fewer.xyz')
        self.assertLess(seconds[0], OF_ONE_THREAD * sum(seconds), f'{seconds}')


if __name__ == '__main__':
    unittest.main()
