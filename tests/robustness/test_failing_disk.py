#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every step of writing fails once, as on a full disk, or is the program's last, as under kill -9; files change, shrink
and vanish between two reads; nothing can be locked. The old file or the new one stands, and a sentence says why."""
import errno
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import unittest

import cli
from faults import N_ATOMS, N_FRAMES, FaultTest, frame_of

SMALL_MAP = ('map', '--quiet', '--spacing', '4', '-o')
PAIRS = ('rdf', '--quiet', '--pair', 'name O', 'name O', '--max', '4', '-o')
EXPORT = ('export', '--quiet', '--frames', '0:5', '-o')
WRITES = [(*SMALL_MAP, f'out.{ending}', 'a.pqr') for ending in ('h5', 'dx', 'cube', 'ccp4')]
WRITES += [('measure', '--quiet', '--atoms', '0,1', '-o', 'out.csv', 'a.pqr')]
WRITES += [('msd', '--quiet', '-o', 'out.csv', 'a.pqr', 'run.dcd')]
WRITES += [('density', '--quiet', '-o', 'out.h5', 'a.pqr', 'run.dcd')]
WRITES += [('fit', '--quiet', '--kratky', '-o', f'out.{ending}', 'curve.csv') for ending in ('csv', 'h5')]
WRITES += [(*PAIRS, f'out.{ending}', 'a.pqr') for ending in ('csv', 'svg', 'png')]
WRITES += [(*PAIRS[:-1], '--size', '20x20mm', '--dpi', '36', '-o', 'out.tiff', 'a.pqr')]  # few steps: it is not packed
WRITES += [(*EXPORT, f'out.{ending}', 'a.pqr', 'run.dcd')
           for ending in ('gro', 'xyz', 'dcd', 'xtc', 'nc', 'h5md', 'pdb')]
WRITES += [('export', '--quiet', '-o', 'out.pqr', 'a.pqr')]
WRITES += [('prepare', '--quiet', '-o', f'out.{ending}', 'ion.pqr') for ending in ('pqr', 'pdb')]
ORBITALS = pathlib.Path(__file__).resolve().parents[2] / 'data/samples/water.molden'
WRITES += [('ligands', '--quiet', '--force-field', 'table', '--spacing', '3', '-o', 'out.h5', 'a.pqr', 'run.dcd')]
WRITES += [('orbital', '--quiet', '--spacing', '1', '-o', 'out.h5', str(ORBITALS))]
OLD = b'the old one'


class Writing(FaultTest):
    def setUp(self):
        super().setUp()
        self.write_trajectory('run.dcd')
        cli.write_pqr(self.folder / 'ion.pqr', [('NA', 'NA', 1, 0, 0, 0, 1, 1.4)])
        (self.folder / 'curve.csv').write_text('q (1/A),I\n' + ''.join(f'0.{i},{9 - i}\n' for i in range(1, 9)), encoding='utf-8')

    def fail_each(self, command, number, **further):
        """Lets each step fail in turn; gives the names that were left behind."""
        output = self.folder / command[command.index('-o') + 1]
        left = set()
        for n in range(1, 100):
            output.write_bytes(OLD)
            before = self.names()
            done = self.run_cli(*command, WRITE=f'{n}:{number}', **further)
            new = self.names() - before
            left |= new
            for name in new:
                (self.folder / name).unlink()
            if done.returncode == 0:
                self.assertGreater(n, 3)
                self.assertNotEqual(output.read_bytes(), OLD)
                return left
            self.assertEqual(output.read_bytes(), OLD)
            if number == 0:
                self.assertEqual(done.returncode, -signal.SIGKILL)
            else:
                self.assert_one_sentence(done, output.name + ": can't be written: ")
                self.assertIn(os.strerror(number), done.stderr)
        return self.fail('steps without end')

    def test_full_disk(self):
        for command in WRITES:
            with self.subTest(command):
                self.assertEqual(self.fail_each(command, errno.ENOSPC), set())

    def test_killed(self):
        for command in WRITES:
            with self.subTest(command):
                name = command[command.index('-o') + 1]
                # Between the link and the rename it has a name, always the same one.
                self.assertLessEqual(self.fail_each(command, 0), {f'.{name}.debye-part0'})

    def test_no_nameless_files(self):
        """Where the file system has none, as NFS: the same promises but one, that a kill leaves nothing behind."""
        command = WRITES[0]
        self.assertEqual(self.fail_each(command, errno.EDQUOT, NAMELESS=errno.EOPNOTSUPP), set())
        self.assertEqual(self.fail_each(command, 0, NAMELESS=errno.EOPNOTSUPP), {'.out.h5.debye-part0'})

    def test_what_was_left_is_removed_a_day_later(self):
        stale, fresh = (self.folder / f'.out.h5.debye-part{k}' for k in range(2))
        for path in (stale, fresh):
            path.write_bytes(OLD)
        os.utime(stale, (0, 0))
        self.assertEqual(self.run_cli(*WRITES[0]).returncode, 0)
        self.assertFalse(stale.exists())
        self.assertTrue(fresh.exists())

    def test_size_limit(self):
        """A limit of the system (ulimit -f) raises a signal first."""
        (self.folder / 'out.dx').write_bytes(OLD)
        line = 'ulimit -f 8; exec "$0" "$@"'
        done = subprocess.run(['bash', '-c', line, cli.PROGRAM, 'map', '--quiet', '--spacing', '1', '-o', 'out.dx', 'a.pqr'],
                              cwd=self.folder, env=cli.environment(), stderr=subprocess.PIPE, text=True, check=False)
        self.assert_one_sentence(done, 'out.dx: ')
        self.assertEqual((self.folder / 'out.dx').read_bytes(), OLD)

    def test_two_programs_on_one_file(self):
        """Both finish; the file is the whole of one of them."""
        commands = [(*SMALL_MAP, 'both.dx', '--unit', unit, 'a.pqr') for unit in ('V', 'mV')]
        alone = []
        for command in commands:
            self.assertEqual(self.run_cli(*command).returncode, 0)
            alone.append((self.folder / 'both.dx').read_text(encoding='utf-8').splitlines()[-20:])
        for _ in range(5):
            processes = [subprocess.Popen([cli.PROGRAM, *command], cwd=self.folder, env=cli.environment())
                         for command in commands]
            self.assertEqual([process.wait(timeout=60) for process in processes], [0, 0])
            self.assertIn((self.folder / 'both.dx').read_text(encoding='utf-8').splitlines()[-20:], alone)
        self.assertEqual([name for name in self.names() if 'debye-part' in name], [])

    def test_no_locks(self):
        """A network drive without locks: nothing here needs them."""
        for number in (errno.ENOLCK, errno.ENOSYS):
            for command in (WRITES[0], ('rerun', '--quiet', '-o', 'again.h5', 'out.h5'),
                            (*EXPORT, 'out.h5md', 'a.pqr', 'run.dcd'), ('info', 'a.pqr', 'out.h5md')):
                done = self.run_cli(*command, LOCK=number)
                self.assertEqual(done.returncode, 0, done.stderr)


class Reading(FaultTest):
    def read(self, trajectory, **faults):
        for cache in self.folder.glob('.*index'):
            cache.unlink()
        return self.run_cli('rdf', '--pair', 'index 0 to 99', 'index 0 to 99', '--max', '4', '--json', '--quiet',
                            'a.pqr', trajectory, **faults)

    def count_frames(self, *files):
        return json.loads(self.run_cli('info', '--json', *files).stdout)['frames']

    def test_changed_between_reads(self):
        for ending in ('xtc', 'dcd', 'nc', 'h5md', 'xyz'):
            self.write_trajectory('whole.' + ending)
            whole, trajectory = self.folder / f'whole.{ending}', self.folder / f'run.{ending}'
            size = whole.stat().st_size
            for action in ('truncate:0', f'truncate:{size // 2}', 'unlink', f'replace:{self.folder}/other', errno.EIO):
                for n in (1, 4, 5, 7, 12, 40):
                    shutil.copy(whole, trajectory)
                    (self.folder / 'other').write_bytes(whole.read_bytes()[::-1])
                    with self.subTest(ending=ending, action=action, n=n):
                        done = self.read(trajectory.name, READ=f'{n}:{trajectory.name}:{action}')
                        if done.returncode != 0:
                            self.assert_one_sentence(done, trajectory.name + ': ')

    def test_bad_moment_of_a_disk(self):
        """A read that the system refuses is an error and not the end of the file, nor is that kept for later."""
        self.write_trajectory('run.xtc')
        whole = (self.folder / 'run.xtc').read_bytes()
        failed = 0
        for n in range(3, 20):
            done = self.read('run.xtc', READ=f'{n}:run.xtc:{errno.EIO}')
            failed += done.returncode != 0
            self.assertEqual((self.folder / 'run.xtc').read_bytes(), whole)
            self.assertEqual(self.count_frames('a.pqr', 'run.xtc'), N_FRAMES + 1)
        self.assertGreater(failed, 10)

    def test_result_on_a_bad_disk(self):
        """Nor is a result taken for a damaged one, or for none."""
        self.assertEqual(self.run_cli(*SMALL_MAP, 'map.h5', 'a.pqr').returncode, 0)
        failed = 0
        for n in range(1, 12):
            done = self.run_cli('field', '--quiet', '-o', 'out.dx', 'map.h5', READ=f'{n}:map.h5:{errno.EIO}')
            if done.returncode != 0:
                self.assert_one_sentence(done, "map.h5: can't be read at byte ")
                failed += 1
        self.assertGreater(failed, 5)

    def test_packed_file_is_unpacked_once(self):
        """However often it is opened while its information is gathered: a read that would only come with unpacking it
        twice never does."""
        seeded = random.Random(1)
        lines = [f'C {seeded.random():.7f} {seeded.random():.7f} {seeded.random():.7f}' for _ in range(40000)]
        packed = gzip.compress('\n'.join([str(len(lines)), 'packed', *lines, '']).encode(), 1)
        (self.folder / 'packed.xyz.gz').write_bytes(packed)
        once = len(packed) // 32768
        for n, status in ((once // 2, 1), (once + once // 2, 0)):
            done = self.run_cli('info', '--quiet', 'packed.xyz.gz', READ=f'{n}:packed.xyz.gz:{errno.EIO}')
            self.assertEqual(done.returncode, status, done.stderr)

    def test_another_file_in_its_place(self):
        """After the index was made: of the same format, atoms and size, only the file itself is another."""
        self.write_trajectory('run.dcd')
        shutil.copy(self.folder / 'run.dcd', self.folder / 'first.dcd')
        found = 0
        for n in range(1, 12):
            shutil.copy(self.folder / 'first.dcd', self.folder / 'run.dcd')
            shutil.copy(self.folder / 'first.dcd', self.folder / 'other')
            done = self.read('run.dcd', READ=f'{n}:run.dcd:replace:{self.folder}/other')
            if done.returncode != 0:
                self.assert_one_sentence(done, 'run.dcd: expected the file that was opened, found another one')
                found += 1
        self.assertGreater(found, 0)

    def test_cache_of_another_file(self):
        """Same name, size and time of change; other content."""
        text = self.folder / 'run.xyz'
        plain = ''.join(frame_of(N_ATOMS, frame) for frame in range(80))
        text.write_text(plain, encoding='ascii')
        os.utime(text, (1000, 1000))
        self.assertEqual(self.count_frames('run.xyz'), 80)
        self.assertTrue((self.folder / '.run.xyz.debye-index').exists())
        lines = plain.splitlines(keepends=True)[:79 * (N_ATOMS + 2)]
        padded = ''.join(lines)
        text.write_text(padded + ' ' * (len(plain) - len(padded) - 1) + '\n', encoding='ascii')
        os.utime(text, (1000, 1000))
        self.assertEqual(self.count_frames('run.xyz'), 79)

    def test_read_only_folder(self):
        """The cache of an index goes to the user's own folder, or nowhere; an output is refused."""
        self.write_trajectory('run.xtc')
        (self.folder / 'run.xyz').write_text(''.join(frame_of(N_ATOMS, k) for k in range(80)), encoding='ascii')
        self.folder.chmod(0o555)
        try:
            for cache in (self.folder / 'cache', '/proc'):
                done = cli.run('info', '--json', 'run.xyz', folder=self.folder,
                               env=cli.environment(XDG_CACHE_HOME=str(cache)))
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse((self.folder / '.run.xyz.debye-index').exists())
            if os.geteuid() != 0:
                self.assert_one_sentence(self.run_cli(*WRITES[0]), "out.h5: can't be written: ")
        finally:
            self.folder.chmod(0o755)

    def test_pipes_are_refused_at_once(self):
        os.mkfifo(self.folder / 'slow')
        for command in (['info'], ['render', '-o', 'picture.png'], ['map', '-o', 'map.h5']):
            self.assert_one_sentence(self.run_cli(*command, 'slow'), "slow: can't be opened: expected a file, found ")


if __name__ == '__main__':
    unittest.main()
