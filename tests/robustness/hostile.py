# SPDX-License-Identifier: MIT
"""What the tests of hostile files share: a run within bounds, and what a refusal has to be."""
import pathlib
import resource
import shutil
import tempfile
import unittest

import cli
import started_once

# Address space of the whole program: what it needs for a file of some kilobytes, and no more.
MEMORY_LIMIT = 1 << 30
# What may be unpacked of any small file, with room for the rest.
DISK_LIMIT = 80 << 20
SECONDS = 30


class HostileTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-hostile-'))
        cli.write_pqr(self.folder / 'a.pqr', [('O', 'HOH', 1, 0.0, 0.0, 0.0, -0.8, 1.5)])

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_bounded(self, *arguments):
        # A sanitizer takes terabytes of addresses for itself.
        limits = [(resource.RLIMIT_FSIZE, DISK_LIMIT), (resource.RLIMIT_CPU, SECONDS)]
        if b'__asan_init' not in pathlib.Path(cli.PROGRAM).read_bytes():
            limits.append((resource.RLIMIT_AS, MEMORY_LIMIT))
        return started_once.run(cli.PROGRAM, arguments, folder=self.folder, env=cli.environment(), timeout=4 * SECONDS, limits=limits)

    def refuse(self, *arguments, status=1):
        before = {path.name for path in self.folder.iterdir()}
        done = self.run_bounded(*arguments)
        self.assertEqual(done.returncode, status, done.stderr[-500:])
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr[-500:])
        self.assertLess(len(done.stderr), 2000)
        self.assertEqual({path.name for path in self.folder.iterdir()}, before)
        return done.stderr

    def write(self, name, content):
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return name
