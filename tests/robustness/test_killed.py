#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""kill -9 at random moments of every kind of write: the old file or the new one stands, whole. Goes round the kinds for
DEBYE_KILL_SECONDS (default 10); DEBYE_KILL_SEED repeats a run."""
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time
import unittest

import cli
from faults import FaultTest

SECONDS = float(os.environ.get('DEBYE_KILL_SECONDS', '10'))
SEED = os.environ.get('DEBYE_KILL_SEED', str(time.time_ns()))
OLD = b'the old one'
MAP = ('map', '--quiet', '--spacing', '1.5')
PAIRS = ('rdf', '--quiet', '--pair', 'name O', 'name O', '--max', '4')
# What goes before the output's name, and what after it.
WRITES = {
    'map.h5': (MAP, ('a.pqr',)), 'map.dx': (MAP, ('a.pqr',)), 'map.cube': (MAP, ('a.pqr',)), 'map.ccp4': (MAP, ('a.pqr',)),
    'pairs.h5': (PAIRS, ('a.pqr',)), 'pairs.csv': (PAIRS, ('a.pqr',)), 'pairs.svg': (PAIRS, ('a.pqr',)),
    'pairs.pdf': (PAIRS, ('a.pqr',)), 'pairs.png': (PAIRS, ('a.pqr',)),
    'distance.csv': (('measure', '--quiet', '--atoms', '0,1'), ('a.pqr', 'frames.dcd')),
    'scene.png': (('render', '--quiet', '--size', '200x150'), ('a.pqr',)),
    **{f'run.{ending}': (('export', '--quiet'), ('a.pqr', 'frames.dcd'))
       for ending in ('pdb', 'pqr', 'gro', 'xyz', 'dcd', 'xtc', 'nc', 'h5md')},
}
# Of one frame.
WRITES['run.pqr'] = (('export', '--quiet', '--frames', '0:0'), ('a.pqr', 'frames.dcd'))


def without_times(content):
    """When it was made and how long that took."""
    return re.sub(rb'(?m)^.*(created|seconds|wall|CreationDate|20\d\d-\d\d-\d\d).*\n', b'', content)


class Killed(FaultTest):
    def setUp(self):
        super().setUp()
        self.write_trajectory('frames.dcd')
        self.random = random.Random(SEED)

    def start(self, name):
        before, after = WRITES[name]
        return subprocess.Popen([cli.PROGRAM, *before, '-o', name, *after], cwd=self.folder, env=cli.environment(),
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def make_reference(self, name):
        """The whole file, and how long it takes."""
        begin = time.monotonic()
        self.assertEqual(self.start(name).wait(timeout=60), 0, name)
        return (self.folder / name).read_bytes(), time.monotonic() - begin

    def has_begun_to_write(self, process):
        """A file without a name in the folder is open."""
        try:
            links = [os.readlink(entry) for entry in pathlib.Path(f'/proc/{process.pid}/fd').iterdir()]
        except OSError:
            return False
        return any(link.startswith(f'{self.folder}/') and link.endswith('(deleted)') for link in links)

    def wait_for_a_moment(self, process, seconds):
        """Any of the run, or soon after the first byte: most of a run computes."""
        end = time.monotonic() + self.random.uniform(0, 1.2 * seconds)
        if self.random.random() < 0.3:
            time.sleep(max(0, end - time.monotonic()))
            return
        while process.poll() is None and not self.has_begun_to_write(process):
            time.sleep(0.0005)
        time.sleep(self.random.expovariate(1 / 0.004))

    def is_whole(self, name, content, reference):
        ending = name.rpartition('.')[2]
        if ending == 'png':
            return content.startswith(b'\x89PNG') and content.endswith(b'IEND\xaeB`\x82')
        if ending in ('svg', 'pdf'):
            return content.rstrip().endswith(b'</svg>' if ending == 'svg' else b'%%EOF')
        if ending in ('h5', 'h5md'):
            # With a date in it; what HDF5's own header says of its end.
            return content[:8] == b'\x89HDF\r\n\x1a\n' and abs(len(content) - len(reference)) < 64
        return without_times(content) == without_times(reference)

    def kill_once(self, name, reference, seconds):
        (self.folder / name).write_bytes(OLD)
        process = self.start(name)
        self.wait_for_a_moment(process, seconds)
        process.kill()
        status = process.wait(timeout=60)
        content = (self.folder / name).read_bytes()
        if content != OLD:
            self.assertTrue(self.is_whole(name, content, reference), f'{name}: {len(content)} bytes, seed {SEED}')
        elif status == 0:
            self.fail(f'{name} was not written')
        for left in self.folder.glob(f'.{name}.debye-part*'):
            left.unlink()
        return status == -signal.SIGKILL

    def test_every_kind_of_file(self):
        references = {name: self.make_reference(name) for name in WRITES}
        for name, (content, _) in references.items():
            self.assertTrue(self.is_whole(name, content, content), name)
            self.assertFalse(self.is_whole(name, content[:len(content) * 2 // 3], content), name)
        killed = dict.fromkeys(WRITES, 0)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or min(killed.values()) == 0:
            for name in WRITES:
                killed[name] += self.kill_once(name, *references[name])
            self.assertLess(time.monotonic(), end + 120, f'never in time: {killed}')
        print(f'killed {sum(killed.values())} times', killed)

    def test_session(self):
        path = self.folder / 'work.debye'
        kills = max(10, int(SECONDS))
        numbers = set()
        for _ in range(kills):
            with subprocess.Popen([os.environ['DEBYE_SAVE_SESSIONS'], path]) as process:
                while process.poll() is None and not path.exists():
                    time.sleep(0.001)
                time.sleep(self.random.uniform(0, 0.3))
                process.kill()
            session = json.loads(path.read_text(encoding='utf-8'))
            words = session['notes'].split()
            numbers.add(int(words[0]))
            self.assertEqual(words, [words[0]] * (20000 + int(words[0])))
        print(f'{kills} sessions killed, last saved {sorted(numbers)}')


if __name__ == '__main__':
    unittest.main()
