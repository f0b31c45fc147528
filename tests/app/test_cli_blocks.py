#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Standard errors from blocks of frames some of which can't be used: against the values of each frame alone."""
import csv
import math
import os
import random
import re
import statistics
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_case import CliCase  # noqa: E402
import started_once  # noqa: E402

JOBS = {
    'rdf': ('--pair', 'all', 'all', '--max', '5', '--width', '1'),
    'scattering': ('--q', '1:3:0.5', '--orientation', 'sphere:50'),
    'map': ('--method', 'direct', '--origin', '0,0,0', '--shape', '2,2,2', '--spacing', '2'),
}


class BlocksTest(CliCase):
    def setUp(self):
        super().setUp()
        place = random.Random(3)
        self.frames = [[[place.uniform(0.0, 10.0) for _ in range(3)] for _ in range(8)] for _ in range(7)]

    def compute(self, command, *frames, options=()):
        """What the result has of each bin, q or point, its errors, and what is said."""
        with open(self.folder / 'b.xyz', 'w', encoding='ascii') as file:
            for atoms in frames:
                file.write('8\nLattice="10 0 0 0 10 0 0 0 10" Properties=species:S:1:pos:R:3:charge:R:1\n')
                file.writelines(f'O {x} {y} {z} {1 - 2 * (n % 2)}\n' for n, (x, y, z) in enumerate(atoms))
        is_map = command == 'map'
        output = self.folder / ('b.h5' if is_map else 'b.csv')
        done = self.run_cli(command, *JOBS[command], *options, '-o', output, 'b.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)
        if is_map:
            return (self.dump('data/potential'), self.dump('potential_error/potential_error'),
                    done.stdout + done.stderr)
        with open(output, encoding='utf-8') as lines:
            rows = list(csv.DictReader(line for line in lines if not line.startswith('#')))
        name = 'g' if command == 'rdf' else 'intensity'
        values, errors = ([float(row.get(column) or 'nan') for row in rows] for column in (name, name + '_error'))
        return values, errors, done.stdout + done.stderr

    def dump(self, name):
        """The numbers of a field, nothing where there is none."""
        done = started_once.run('h5dump', ['-y', '-w', '1', '-m', '%.9g', '-d', f'/entry/{name}', 'b.h5'], folder=self.folder)
        data = re.search(r'DATA \{(.*?)\}', done.stdout, re.DOTALL)
        return [float(number) for number in data.group(1).split(',')] if data else []

    def check(self, command, n_blocks, unused, n_expected):
        n = len(self.frames)
        alone = [self.compute(command, frame)[0] for frame in self.frames]
        frames = [[[math.nan, *atoms[0][1:]], *atoms[1:]] if number in unused else atoms
                  for number, atoms in enumerate(self.frames)]
        _, errors, told = self.compute(command, *frames, options=('--blocks', n_blocks))
        blocks = [[i for i in range(n * b // n_blocks, n * (b + 1) // n_blocks) if i not in unused]
                  for b in range(n_blocks)]
        means = [[statistics.fmean(alone[i][k] for i in block) for k in range(len(alone[0]))]
                 for block in blocks if block]
        self.assertEqual(len(means), n_expected)
        if n_expected < 2:
            self.assertIn(f'no standard errors: they need two whole blocks of frames, found 1 of {n_blocks}', told)
            self.assertTrue(all(map(math.isnan, errors)))
            return
        self.assertIn(f'from {n_expected} blocks of ', told)
        self.assertEqual(len(errors), len(alone[0]))
        self.assertGreater(len(errors), 4)
        for k, error in enumerate(errors):
            expected = statistics.stdev(mean[k] for mean in means) / math.sqrt(n_expected)
            self.assertAlmostEqual(error, expected, delta=1e-6 * max(expected, max(map(abs, alone[0]))))

    def check_all(self, *case):
        for command in JOBS:
            with self.subTest(command):
                self.check(command, *case)

    def test_every_frame(self):
        self.check_all(3, (), 3)

    def test_in_the_last_block(self):
        """It ends where its last frame would have been."""
        self.check_all(2, (6,), 2)

    def test_in_the_first_block(self):
        """The others don't begin earlier for it."""
        self.check_all(3, (1,), 3)

    def test_a_block_without_any(self):
        self.check_all(3, (2, 3), 2)

    def test_one_block_is_left(self):
        self.check_all(2, (3, 4, 5, 6), 1)


if __name__ == '__main__':
    unittest.main(verbosity=2)
