# SPDX-License-Identifier: MIT
"""What the tests of a failing world share: a folder with a molecule and its trajectory, and runs with a fault."""
import os
import pathlib
import shutil
import tempfile
import unittest

import cli

N_ATOMS, N_FRAMES = 1500, 40


def place(i, k, frame):
    """Somewhere in a box of 30 Å, always the same, moving from frame to frame."""
    return (i * (7919, 104729, 1299709)[k] % 30011) / 1000.37 + 0.01 * frame


def frame_of(n_atoms, frame):
    lines = (f'O {place(i, 0, frame):.3f} {place(i, 1, frame):.3f} {place(i, 2, frame):.3f}\n' for i in range(n_atoms))
    return f'{n_atoms}\nframe {frame}\n' + ''.join(lines)


class FaultTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-faults-'))
        self.mark = self.folder.with_name(self.folder.name + '.mark')
        cli.write_pqr(self.folder / 'a.pqr', [('O', 'HOH', i // 3 + 1, *(place(i, k, 0) for k in range(3)),
                                               0.5 - i % 2, 1.5) for i in range(N_ATOMS)])

    def tearDown(self):
        shutil.rmtree(self.folder)
        self.mark.unlink(missing_ok=True)

    def write_trajectory(self, name):
        """From text, so that the trajectory is one that debye-cli has written."""
        text = self.folder / 'source.xyz'
        text.write_text(''.join(frame_of(N_ATOMS, frame) for frame in range(N_FRAMES)), encoding='ascii')
        done = self.run_cli('export', '--quiet', '-o', name, 'a.pqr', text.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        text.unlink()

    def run_cli(self, *arguments, **faults):
        """With faults such as WRITE='3:28', see faults.c; `happened` says whether one did."""
        self.mark.unlink(missing_ok=True)
        changes = {'XDG_CACHE_HOME': str(self.folder / 'cache'), 'MESA_SHADER_CACHE_DISABLE': 'true'}
        if faults:
            before = [os.environ['LD_PRELOAD']] if 'LD_PRELOAD' in os.environ else []
            changes.update({'LD_PRELOAD': ':'.join([os.environ['DEBYE_FAULTS'], *before]),
                            'DEBYE_FAULT_MARK': str(self.mark)})
            changes.update({f'DEBYE_FAULT_{key}': str(value) for key, value in faults.items()})
        done = cli.run(*arguments, folder=self.folder, env=cli.environment(**changes))
        done.happened = self.mark.exists()
        return done

    def assert_one_sentence(self, done, name=''):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith('debye-cli: ' + name), done.stderr)

    def names(self):
        return {path.name for path in self.folder.iterdir()}
