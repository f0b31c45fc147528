#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli killed in the midst of its frames, or of the planes of a map: the file of the job has what is done so far, and the
same job goes on after it to the same result, bit for bit."""
import os
import signal
import subprocess
import sys
import time
import unittest

import h5py

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from job_support import JOBS, MAPS, JobTest, read_notes, with_threads  # noqa: E402

WHAT = {False: 'the sums of', True: 'the map in'}


class Killed(JobTest):
    def count_behind(self):
        try:
            with h5py.File(self.folder / 'k.h5', 'r') as file:
                entry = file['entry']
                # A file without fields has its first table as its default data.
                for part in ('restart_frames/behind', 'restart_planes/value', 'restart_centres/value', 'data/value'):
                    if part in entry and 'ions' not in entry:
                        return int(entry[part][0])
        except (OSError, KeyError):
            pass
        return 0

    def kill(self, job, least=3, interval='0'):
        """When so many frames are behind; how many."""
        running = subprocess.Popen([cli.PROGRAM, *with_threads(job, 2), '--continue', 'k.h5', '--save-every', interval, '-o', 'k.csv',
                                    *job[1:]], cwd=self.folder, env=cli.environment(), stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60.0
        # The job rests while its file is looked at, so that a busy machine doesn't let it come to its end meanwhile.
        running.send_signal(signal.SIGSTOP)
        while self.count_behind() < least and time.monotonic() < deadline:
            running.send_signal(signal.SIGCONT)
            time.sleep(0.01)
            running.send_signal(signal.SIGSTOP)
            self.assertIsNone(running.poll(), 'the job is meant to last')
        running.kill()
        running.wait()
        self.assertFalse((self.folder / 'k.csv').exists())
        return self.count_behind()

    def test_all(self):
        for name, job in {**JOBS, **MAPS}.items():
            with self.subTest(name):
                (self.folder / 'k.h5').unlink(missing_ok=True)
                n = self.kill(job)
                self.assertGreaterEqual(n, 3)
                self.compute(job, '--continue', 'k.h5', '-o', 'a.h5')
                self.compute(job, '-o', 'b.h5')
                self.check_same('a.h5', 'b.h5')
                self.assertTrue(any(note.startswith(f'Continued: {WHAT[name in MAPS]} {n} of')
                                    for note in read_notes(self.folder / 'a.h5')), read_notes(self.folder / 'a.h5'))
                # The file is the result now, and asked for again it is not computed again.
                self.check_same('k.h5', 'b.h5')
                self.compute(job, '--continue', 'k.h5', '-o', 'c.h5')
                self.check_same('c.h5', 'b.h5')

    def test_potential(self):
        """Whole maps are so quick that all of the potential after them seems to fit into the interval, which it doesn't."""
        job = ('orbital', '--orbital', 'homo', '--density', '--potential', '--origin', '-3,-3,-3', '--shape', '64,64,96',
               '--spacing', '0.0625', 'water.molden')
        n = self.kill(job, 2 * 96 + 1, '0.5')
        self.assertLess(n, 3 * 96)
        self.compute(job, '--continue', 'k.h5', '-o', 'a.h5')
        self.compute(job, '-o', 'b.h5')
        self.check_same('a.h5', 'b.h5')
        # Both whole maps were in the file, with what they were computed on.
        notes = read_notes(self.folder / 'a.h5')
        self.assertIn(f'Continued: the map in {n} of 288 planes is from an earlier run', notes)
        self.assertEqual([note for note in notes if note.startswith('Computed on ')],
                         [note for note in read_notes(self.folder / 'b.h5') if note.startswith('Computed on ')])

    def test_points(self):
        """A file of points has changed since: its values are not those of the file of the job."""
        job = ('orbital', '--density', '--at', 'at.txt', 'water.molden')
        (self.folder / 'at.txt').write_text('0 0 0.1\n0 0.3 0.123456789\n', encoding='ascii')
        self.compute(job, '--continue', 'k.h5', '-o', 'a.h5')
        self.compute(job, '--continue', 'k.h5', '-o', 'b.h5')
        self.check_same('a.h5', 'b.h5')
        for points in ('0 0 0.1\n0 0.3 0.1234567\n', '0 0 0.1\n'):
            (self.folder / 'at.txt').write_text(points, encoding='ascii')
            self.check_refused(job, 'the earlier result is of other points than the file of this job has now')

    def check_refused(self, job, sentence):
        done = cli.run(job[0], '--quiet', '--continue', 'k.h5', '-o', 'x.h5', *job[1:], folder=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)
        self.assertFalse((self.folder / 'x.h5').exists())

    def test_other_jobs(self):
        self.kill(JOBS['mean'])
        self.check_refused(JOBS['least'], 'expected --statistic “min”, found “mean”')
        self.check_refused(JOBS['pairs'], 'expected a result of rdf, found one of map')
        self.check_refused((*JOBS['mean'], '--frames', '0:20'), 'is the result of another job: expected --frames')


if __name__ == '__main__':
    unittest.main(verbosity=2)
