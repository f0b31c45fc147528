#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli over several processes: the same numbers as from one, and one voice. DEBYE_MPIRUN names mpirun."""
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from job_support import JOBS, MAPS, JobTest, read_notes, with_threads  # noqa: E402

# Sums of the same numbers in another order, in double; maps are written in single precision.
ROUNDING = 2e-7


class Ranks(JobTest):
    def run_ranks(self, n_ranks, *words):
        # A machine of the test may have less cores than there are processes, and be a container's.
        line = [os.environ['DEBYE_MPIRUN'], '-n', n_ranks, '--oversubscribe', '--allow-run-as-root', cli.PROGRAM, *words]
        return subprocess.run([str(word) for word in line], cwd=self.folder, env=cli.environment(), timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding='utf-8', check=False)

    def share(self, n_ranks, job, *options):
        done = self.run_ranks(n_ranks, *with_threads(job, 1), *options, *job[1:])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_alike(self):
        for name, job in {**JOBS, **MAPS}.items():
            self.compute(job, '-o', 'one.h5')
            for n_ranks in (2, 3):
                with self.subTest(name, n_ranks=n_ranks):
                    self.share(n_ranks, job, '-o', 'many.h5')
                    self.check_same('many.h5', 'one.h5', ROUNDING)

    def test_one_frame(self):
        job = (*JOBS['least'], '--frames', '3')
        self.compute(job, '-o', 'one.h5')
        self.share(2, job, '-o', 'many.h5')
        self.check_same('many.h5', 'one.h5', ROUNDING)

    def test_who_did_what(self):
        self.share(2, JOBS['pairs'], '-o', 'many.h5')
        notes = read_notes(self.folder / 'many.h5')
        self.assertIn('Frames were shared by 2 processes', notes)
        shares = [note for note in notes if note.startswith('Process ')]
        self.assertEqual(len(shares), 2)
        for rank, note in enumerate(shares):
            self.assertRegex(note, rf'^Process {rank} on .+: cpu \(.+\), \d+ frames in .+ s$')
        self.assertEqual(sum(int(note.rsplit(', ', 1)[1].split()[0]) for note in shares), 101)

    def test_kept_on_the_way(self):
        """By processes of another number each time."""
        job = JOBS['mean']
        self.compute(job, '-o', 'one.h5')
        self.share(3, job, '--continue', 'k.h5', '--save-every', '0', '-o', 'many.h5')
        self.check_same('many.h5', 'one.h5', ROUNDING)
        self.check_same('k.h5', 'one.h5', ROUNDING)

    def test_bench(self):
        done = self.run_ranks(2, 'bench', '--size', '24,200', '--json')
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads(done.stdout)['results']
        self.assertEqual([row['device'].split(':')[0] for row in results], ['0', '1', 'all'])
        self.assertAlmostEqual(results[2]['evals_per_second'], sum(row['evals_per_second'] for row in results[:2]), delta=1.0)
        self.assertEqual(results[2]['seconds'], max(row['seconds'] for row in results[:2]))
        self.check_said_once('expected neither', 'bench', '--against', 'naive')
        self.check_continued()
        done = self.run_ranks(2, 'bench', '--size', '24,200', '--sweep', 'ranks=1,2', '--kernel', 'pairs', '--json')
        self.assertEqual(done.returncode, 0, done.stderr)
        one, two = json.loads(done.stdout)['results']
        self.assertEqual((one['ranks'], two['ranks']), (1, 2))
        self.assertAlmostEqual(two['speed_up'], one['seconds'] / two['seconds'])

    def check_continued(self):
        """One process has the file; the others, which have no times of its points, go on with it all the same."""
        line = ('bench', '--size', '8,100', '--sweep', 'atoms=50:400:x2', '--continue', 'kept.json', '--json')
        first = self.run_ranks(2, *line)
        self.assertEqual(first.returncode, 0, first.stderr)
        again = self.run_ranks(2, *line)
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout), again.stderr)
        kept = json.loads((self.folder / 'kept.json').read_text(encoding='utf-8'))
        half = {**kept, 'points': kept['points'][:2]}
        (self.folder / 'kept.json').write_text(json.dumps(half), encoding='utf-8')
        resumed = self.run_ranks(2, *line)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        rows, of_first = (json.loads(done.stdout)['results'] for done in (resumed, first))
        self.assertEqual(rows[:2], of_first[:2])
        self.assertEqual(len(rows), 4)
        self.check_said_once('another number of processes: expected 3, found 2', *line)

    def check_said_once(self, sentence, *words):
        done = self.run_ranks(3, *words)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count(sentence), 1, done.stderr)
        self.assertEqual(done.stderr.count('debye-cli:'), 1, done.stderr)
        self.assertNotIn('MPI_ABORT', done.stderr)

    def test_refusals(self):
        self.check_said_once('expected one process, found 3', 'info', 'water.psf')
        self.check_said_once('the selection “name XX” chooses none', 'rdf', '--pair', 'name XX', 'name OW', '-o', 'a.h5',
                             'water.psf', 'water.xtc')
        self.check_said_once('none.xtc', 'rdf', '-o', 'a.h5', 'water.psf', 'none.xtc')
        self.check_said_once('--statistic', 'map', '--statistic', 'middle', '-o', 'a.h5', 'salt.psf', 'salt.xtc')
        self.check_said_once("can't be written", 'rdf', '--pair', 'name OW', 'name OW', '-o',
                             'nowhere/a.h5', 'water.psf', 'water.xtc')

    def test_failure_of_one(self):
        """A frame that can't be read is one process', and the others don't wait for it."""
        whole = (self.folder / 'water.xtc').read_bytes()
        (self.folder / 'water.xtc').unlink()
        damaged = bytearray(whole)
        at = len(whole) * 2 // 3
        damaged[at:at + 400] = bytes(400)
        (self.folder / 'water.xtc').write_bytes(damaged)
        self.check_said_once('water.xtc', *JOBS['pairs'], '-o', 'a.h5')


if __name__ == '__main__':
    unittest.main(verbosity=2)
