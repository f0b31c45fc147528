#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli stopped by Ctrl-C or killed: what was finished is kept, what was there before too."""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase, xyz_frames  # noqa: E402


class Interrupted(CliCase):
    """A map that would take long: stopped, killed."""

    def start(self, *arguments):
        return subprocess.Popen([cli.PROGRAM, *map(str, arguments)], cwd=self.folder, env=cli.environment(),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def long_files(self):
        (self.folder / 'long.xyz').write_text(xyz_frames(2000), encoding='ascii')
        return ['molecule.pqr', 'long.xyz']

    def long_map(self):
        return ['map', '--precision', 'double', '--threads', '1', '--shape', '100,100,100', '--spacing', '0.3',
                '--progress', '-o', 'long.dx', *self.long_files()]

    def test_stop_writes_what_was_finished(self):
        endings = ('dx', 'cube', 'ccp4', 'h5')
        process = self.start(*self.long_map(), *(word for ending in endings for word in ('-o', f'long.{ending}')))
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        text = (self.folder / 'long.dx').read_text(encoding='utf-8')
        self.assertIn('partial', text)
        n_done = int(re.search(r', (\d+) of \d+ used', errors)[1])
        self.assertIn(f'potential, mean of {n_done} frames from' if n_done > 0 else 'potential from', errors)
        self.assertEqual(len(cli.read_dx(self.folder / 'long.dx')[2]), 1000000)
        for ending in endings:
            with self.subTest(ending=ending):
                self.assertIs(cli.run_json('info', self.folder / f'long.{ending}')['partial'], True)
                self.assertIn('stopped before its end', self.run_cli('info', f'long.{ending}').stdout)

    def test_what_was_not_stopped_is_not_partial(self):
        for ending in ('dx', 'cube', 'ccp4', 'h5'):
            with self.subTest(ending=ending):
                self.assertEqual(self.run_cli('map', '--spacing', '4', '-o', f'whole.{ending}', self.pqr).returncode, 0)
                told = cli.run_json('info', self.folder / f'whole.{ending}')
                self.assertIs(told['partial'], False)
                self.assertEqual(told['title'], 'Electrostatic potential' if ending == 'h5' else 'potential')

    def test_second_signal_ends_at_once(self):
        process = self.start(*self.long_map())
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130, -signal.SIGINT))

    def test_stop_that_can_not_be_written_says_why(self):
        (self.folder / 'gone').mkdir()
        process = self.start(*[word.replace('long.dx', 'gone/long.dx') for word in self.long_map()])
        process.stderr.readline()
        (self.folder / 'gone').rmdir()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn('gone/long.dx', errors)

    def test_stopped_job_says_what_its_file_holds(self):
        (self.folder / 'long.xyz').write_text(xyz_frames(2000), encoding='ascii')
        process = self.start('scattering', '--dynamic', '--q', '0.5:90:0.5', '--orientation', 'sphere:400',
                             '--threads', '1', '--device', 'cpu', '--continue', 'k.h5', '--save-every', '0', '-o',
                             'k.csv', 'long.xyz')
        while process.poll() is None and not (self.folder / 'k.h5').exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertRegex(errors, 'debye-cli: stopped: k.h5 holds [0-9]+ of 180 rows of q')

    def test_stopped_counts_are_whole(self):
        """Whenever displacements stop being counted, what is kept and counted on is what is counted at once."""
        generator = random.Random(2)
        places, frames = [[0.0] * 3 for _ in range(300)], []
        for _ in range(500):
            frames.append('300\nwalk\n' + ''.join('H {:.3f} {:.3f} {:.3f}\n'.format(*place) for place in places))
            places = [[x + generator.gauss(0.0, 0.2) for x in place] for place in places]
        (self.folder / 'walk.xyz').write_text(''.join(frames), encoding='ascii')
        job = ('scattering', '--dynamic', '--kind', 'incoherent', '--orientation', 'exact', '--normalise', 'weight', '--q', '1,2',
               '-o', 'f.csv', 'walk.xyz')
        start = time.monotonic()
        whole = self.values_of(self.run_cli(*job))
        seconds = time.monotonic() - start
        for step in range(1, 8):
            process = self.start(*job, '--continue', 'k.h5', '--save-every', '0.1')
            time.sleep(step / 8 * seconds)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            continued = self.values_of(self.run_cli(*job, '--continue', 'k.h5'))
            for one, other in zip(whole, continued, strict=True):
                self.assertAlmostEqual(one, other, delta=1e-12, msg=f'stopped after {step} of 8 parts')
            (self.folder / 'k.h5').unlink()

    def values_of(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / 'f.csv').read_text(encoding='utf-8').splitlines()
        return [float(line.split(',')[2]) for line in lines if line[0] not in '#q']

    def has_begun_to_write(self, process):
        """Whether a file in the folder, which mostly has no name yet, is open for writing and has got more than the
        index of the frames that were read takes."""
        for entry in pathlib.Path(f'/proc/{process.pid}/fdinfo').iterdir():
            try:
                flags = int(re.search(r'flags:\s*(\d+)', entry.read_text(encoding='ascii'))[1], 8)
                opened = pathlib.Path(f'/proc/{process.pid}/fd/{entry.name}')
                if flags & 3 and os.readlink(opened).startswith(str(self.folder)) and opened.stat().st_size > 100000:
                    return True
            except OSError:
                continue
        return False

    def test_stopped_export_holds_whole_frames(self):
        frame = '500\nframe\n' + ''.join(f'C {i % 10} {i // 10 % 10} {i // 100}\n' for i in range(500))
        (self.folder / 'from.xyz').write_text(frame * 4000, encoding='ascii')
        outputs = [f'big.{ending}' for ending in ('pdb', 'xyz', 'gro', 'csv')]
        process = self.start('export', *(word for name in outputs for word in ('-o', name)), 'from.xyz')
        while process.poll() is None and not self.has_begun_to_write(process):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn('partial', errors)
        n_written = int(re.search(r'partial: (\d+) of 4000', errors)[1])
        self.assertTrue(0 < n_written < 4000, n_written)
        for name in outputs[:3]:
            told = cli.run_json('info', self.folder / name)
            self.assertEqual((told['atoms'], told['frames']), (500, n_written), name)
        self.check_remarks(n_written)

    def check_remarks(self, n_written):
        lines = {ending: (self.folder / f'big.{ending}').read_text(encoding='ascii').splitlines()
                 for ending in ('pdb', 'xyz', 'gro', 'csv')}
        self.assertEqual(lines['pdb'][-2:], [f'REMARK   6 PARTIAL: {n_written} OF 4000 FRAMES', 'END'])
        self.assertIn(f' partial="{n_written} of 4000 frames"', lines['xyz'][1])
        self.assertIn(f' partial="{n_written} of 4000 frames"', lines['gro'][0])
        self.assertEqual(sum('partial' in line for line in lines['xyz'] + lines['gro']), 2)
        header = [line.strip() for line in lines['csv'] if line.startswith('#')]
        self.assertIn('# state: partial', header)
        self.assertIn(f'# frames_written: {n_written}', header)
        self.assertEqual(len(lines['csv']) - len(header), 1 + 500 * n_written)

    def test_killed_leaves_the_old_file(self):
        (self.folder / 'long.dx').write_text('the old one', encoding='ascii')
        process = self.start(*self.long_map())
        process.stderr.readline()
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual((self.folder / 'long.dx').read_text(encoding='ascii'), 'the old one')


if __name__ == '__main__':
    unittest.main()
