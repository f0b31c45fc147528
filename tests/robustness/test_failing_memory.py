#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Each allocation of some size fails once, in turn: readers, selections, analyses, results and pictures say so in a
sentence. Smaller ones than these are asked for before main begins."""
import unittest

from faults import FaultTest

LEAST_BYTES = 20000
COMMANDS = {
    'info': ('info', '--json', 'a.pqr', 'run.dcd'),
    'map': ('map', '--quiet', '--spacing', '2', '-o', 'out.h5', 'a.pqr'),
    'text map': ('map', '--quiet', '--spacing', '2', '-o', 'out.dx', 'a.pqr'),
    'pairs': ('rdf', '--quiet', '--pair', 'name O', 'name O', '--max', '6', '-o', 'out.h5', 'a.pqr', 'run.dcd'),
    'export': ('export', '--quiet', '--select', 'within 9 of resid 1', '-o', 'out.xtc', 'a.pqr', 'run.dcd'),
}


class Memory(FaultTest):
    def fail_each(self, command):
        for n in range(1, 200):
            for left in self.folder.glob('.*index'):
                left.unlink()
            (self.folder / command[command.index('-o') + 1] if '-o' in command else self.mark).unlink(missing_ok=True)
            before = self.names()
            done = self.run_cli(*command, ALLOCATION=f'{n}:{LEAST_BYTES}')
            if not done.happened:
                self.assertEqual(done.returncode, 0, done.stderr)
                return n - 1
            # What can be done without (the cache of the frames' index) may fail unseen.
            if done.returncode != 0:
                self.assert_one_sentence(done)
                self.assertRegex(done.stderr, 'memory')
                self.assertEqual(self.names() - before - {'.run.dcd.debye-index'}, set())
        self.fail('allocations without end')

    def test_each_allocation(self):
        self.write_trajectory('run.dcd')
        for name, command in COMMANDS.items():
            with self.subTest(name):
                self.assertGreater(self.fail_each(command), 3)


if __name__ == '__main__':
    unittest.main()
