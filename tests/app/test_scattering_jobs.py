#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering as a job: continued, over several processes, stopped, and asked for what can't be."""
import csv
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

N_FRAMES = 24
EDGE = 12.0


def write_xyz(path, lattice=None, element='O', seed=7, n_atoms=30, n_frames=N_FRAMES):
    """Water-like atoms that jump about, without times."""
    generator = random.Random(seed)
    with open(path, 'w', encoding='ascii') as file:
        for frame in range(n_frames):
            file.write(f'{n_atoms}\n' + (f'Lattice="{lattice} 0 0 0 {lattice} 0 0 0 {lattice}"\n' if lattice
                                         else f'{frame}\n'))
            for atom in range(n_atoms):
                x, y, z = (generator.uniform(0.0, EDGE) for _ in range(3))
                file.write(f'{element if atom % 3 == 0 else "H"} {x:.5f} {y:.5f} {z:.5f}\n')


def write_gro(path, step=0.25, seed=9):
    """Atoms in a cell that walk at random, at even times."""
    generator = random.Random(seed)
    atoms = [[generator.uniform(0.0, EDGE) for _ in range(3)] for _ in range(30)]
    with open(path, 'w', encoding='ascii') as file:
        for frame in range(N_FRAMES):
            file.write(f'walk t= {frame * step:.5f}\n30\n')
            for number, place in enumerate(atoms):
                name = 'OW' if number % 3 == 0 else f'HW{number % 3}'
                file.write(f'{number // 3 + 1:5d}{"SOL":<5}{name:>5}{number + 1:5d}'
                           + ''.join(f'{0.1 * x:8.3f}' for x in place) + '\n')
            file.write(f'{0.1 * EDGE:10.5f}{0.1 * EDGE:10.5f}{0.1 * EDGE:10.5f}\n')
            atoms = [[(x + generator.gauss(0.0, 0.3)) % EDGE for x in place] for place in atoms]


class ScatteringJobTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-scattering-'))
        write_xyz(self.folder / 'open.xyz')
        write_xyz(self.folder / 'cell.xyz', lattice=EDGE)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_cli(self, *arguments):
        return cli.run('scattering', '--quiet', *arguments, folder=self.folder)

    def compute(self, *arguments):
        done = self.run_cli(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, '')

    def compute_warned(self, *arguments):
        done = self.run_cli(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def refuse(self, text, *arguments):
        done = self.run_cli(*arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(text, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def read(self, name):
        with open(self.folder / name, encoding='utf-8') as lines:
            return list(csv.DictReader(line for line in lines if not line.startswith('#')))

    def check_same(self, one, other, tolerance):
        """Within a part of the largest value of a column; what isn't known, in both."""
        rows, others = self.read(one), self.read(other)
        self.assertEqual(len(rows), len(others))
        for key in others[0]:
            known = [float(row[key]) for row in others]
            largest = max([abs(value) for value in known if value == value], default=0.0)
            for row, value in zip(rows, known):
                if value == value:
                    self.assertAlmostEqual(float(row[key]), value, delta=tolerance * largest)
                else:
                    self.assertNotEqual(float(row[key]), float(row[key]))


class Continue(ScatteringJobTest):
    def check_continued(self, few, many, *common):
        """Continued rows are, to the last digit, what they are in one go."""
        self.compute('--q', few, *common, '-o', 'a.h5')
        self.compute('--q', many, *common, '--continue', 'a.h5', '-o', 'a.h5', '-o', 'a.csv')
        self.compute('--q', many, *common, '-o', 'b.csv')
        self.check_same('a.csv', 'b.csv', 0.0)
        # All is there: nothing is computed, and the file is a whole result, of the whole job.
        self.compute('--q', many, *common, '--continue', 'a.h5', '-o', 'a.h5', '-o', 'c.csv')
        self.check_same('c.csv', 'b.csv', 0.0)
        done = cli.run('rerun', '--quiet', '-o', 'd.csv', 'a.h5', folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same('d.csv', 'b.csv', 0.0)

    def test_vectors(self):
        self.check_continued('1,2,4', '0.5,1,2,3,4,5', '--orientation', 'sphere:20', '--partials', 'open.xyz')

    def test_both_parts(self):
        self.check_continued('2', '1,2,3', '--orientation', 'sphere:20', '--kind', 'total', 'open.xyz')

    def check_continued_in_time(self, few, many, *common):
        """As above, but for rounding: F is normalised, and not again, on its way."""
        self.compute(*few, '--dynamic', *common, '-o', 'a.h5')
        self.compute(*many, '--dynamic', *common, '--continue', 'a.h5', '--save-every', '0', '-o', 'a.h5', '-o', 'a.csv')
        self.compute(*many, '--dynamic', *common, '-o', 'b.csv')
        self.check_same('a.csv', 'b.csv', 1e-11)
        self.compute(*many, '--dynamic', *common, '--continue', 'a.h5', '-o', 'c.csv')
        self.check_same('c.csv', 'b.csv', 1e-11)

    def test_in_time(self):
        self.check_continued_in_time(('--q', '1,2'), ('--q', '0.5,1,1.5,2,3'), '--orientation', 'sphere:20',
                                     '--kind', 'total', '--partials', 'open.xyz')

    def test_in_time_averaged_exactly(self):
        # Bins of displacements follow the largest q: that is there from the beginning.
        self.check_continued_in_time(('--q', '1,3'), ('--q', '1,2,3'), '--kind', 'incoherent', '--orientation', 'exact',
                                     'open.xyz')

    def test_reflections(self):
        self.check_continued_in_time(('--hkl', '1,0,0'), ('--hkl', '1,0,0', '--hkl', '0,1,-1'), 'cell.xyz')

    def test_rows_of_vectors(self):
        (self.folder / 'few.txt').write_text('1 0 0\n0 2 0\n', encoding='ascii')
        self.compute('--q-vectors', 'few.txt', '--continue', 'k.h5', '--save-every', '0', '-o', 'a.csv', 'open.xyz')
        self.compute('--q-vectors', 'few.txt', '--continue', 'k.h5', '-o', 'b.csv', 'open.xyz')
        self.compute('--q-vectors', 'few.txt', '-o', 'c.csv', 'open.xyz')
        self.check_same('a.csv', 'c.csv', 0.0)
        self.check_same('b.csv', 'c.csv', 0.0)

    def test_killed_in_time(self):
        """kill -9 leaves a valid file of the rows that were done; the same job with --continue computes the rest."""
        (self.folder / 'long.xyz').write_text(20 * (self.folder / 'cell.xyz').read_text(encoding='ascii'), encoding='ascii')
        job = ('--dynamic', '--q', '1:4:0.5', '--orientation', 'sphere:400', '--no-box-correction', 'long.xyz')
        self.kill_while_it_runs(job)
        self.compute_warned(*job, '--continue', 'k.h5', '-o', 'a.csv')
        self.compute_warned(*job, '-o', 'b.csv')
        self.check_same('a.csv', 'b.csv', 1e-11)

    def test_killed_at_rows(self):
        """The same of I(q)."""
        (self.folder / 'long.xyz').write_text(100 * (self.folder / 'open.xyz').read_text(encoding='ascii'), encoding='ascii')
        job = ('--q', '0.5:4:0.5', '--orientation', 'sphere:4000', 'long.xyz')
        self.kill_while_it_runs(job)
        self.compute(*job, '--continue', 'k.h5', '-o', 'a.csv')
        self.compute(*job, '-o', 'b.csv')
        self.check_same('a.csv', 'b.csv', 0.0)

    def kill_while_it_runs(self, job):
        running = subprocess.Popen([cli.PROGRAM, 'scattering', '--quiet', '--threads', '1', '--device', 'cpu', '--continue',
                                    'k.h5', '--save-every', '0', '-o', 'k.csv', *job],
                                   cwd=self.folder, env=cli.environment(), stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120.0
        while not (self.folder / 'k.h5').exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        self.assertIsNone(running.poll(), 'the job is meant to have more rows')
        running.kill()
        running.wait()
        self.assertFalse((self.folder / 'k.csv').exists())

    def test_nothing_there_yet(self):
        self.compute('--q', '1,2', '--orientation', 'exact', '--continue', 'new.h5', '-o', 'new.h5', 'open.xyz')
        self.compute('--q', '1,2', '--orientation', 'exact', '--continue', 'new.h5', '-o', 'a.csv', 'open.xyz')
        self.assertEqual([row['q'] for row in self.read('a.csv')], ['1', '2'])

    def test_other_jobs(self):
        job = ('--q', '1,2,3', '--orientation', 'sphere:20', '-o', 'b.h5', '--continue')
        self.compute('--q', '1,2', '--orientation', 'sphere:20', '-o', 'a.h5', 'open.xyz')
        self.refuse('expected --probe “xray”, found “neutron”', *job, 'a.h5', '--probe', 'xray', 'open.xyz')
        self.refuse('expected --frames “0:9”', *job, 'a.h5', '--frames', '0:9', 'open.xyz')
        self.refuse('input file 1 is not other.xyz', *job, 'a.h5', self.other())
        self.refuse('a row of q = 2', '--q', '1,3', '--orientation', 'sphere:20', '-o', 'b.h5', '--continue', 'a.h5',
                    'open.xyz')
        (self.folder / 'no.h5').write_text('not a result', encoding='ascii')
        self.refuse('no.h5', *job, 'no.h5', 'open.xyz')
        self.refuse('expected --dynamic “true”, found “false”', *job, 'a.h5', '--dynamic', 'open.xyz')
        self.refuse('ends in .h5, found a.csv', *job, 'a.csv', 'open.xyz')
        self.assertFalse((self.folder / 'b.h5').exists())

    def test_killed(self):
        """The file of before stands while a longer job runs and when it is killed, and is continued then."""
        job = ('--orientation', 'sphere:20', 'open.xyz')
        self.compute('--q', '1,2', '-o', 'a.h5', *job)
        before = (self.folder / 'a.h5').read_bytes()
        # Minutes of work for a processor.
        (self.folder / 'long.xyz').write_text(50 * (self.folder / 'open.xyz').read_text(encoding='ascii'), encoding='ascii')
        long = subprocess.Popen([cli.PROGRAM, 'scattering', '--quiet', '--threads', '1', '--device', 'cpu',
                                 '--q', '1:2:0.00001', '--orientation', 'sphere:39', '-o', 'a.h5', 'long.xyz'],
                                cwd=self.folder, env=cli.environment(), stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        self.assertIsNone(long.poll(), 'the long job is meant to outlast this')
        long.kill()
        long.wait()
        self.assertEqual((self.folder / 'a.h5').read_bytes(), before)
        self.compute('--q', '1,2,3', '--continue', 'a.h5', '-o', 'a.csv', *job)
        self.compute('--q', '1,2,3', '-o', 'b.csv', *job)
        self.check_same('a.csv', 'b.csv', 0.0)

    def other(self):
        write_xyz(self.folder / 'other.xyz', seed=8)
        return 'other.xyz'


class Spectrum(ScatteringJobTest):
    STEP = 0.25  # ps

    def setUp(self):
        super().setUp()
        with open(self.folder / 'still.gro', 'w', encoding='ascii') as file:
            for frame in range(200):
                file.write(f'one atom t= {frame * self.STEP:.5f}\n1\n    1ION     NA    1   1.000   1.000   1.000\n'
                           '   0.0 0.0 0.0\n')

    def spectrum(self, *arguments):
        self.compute('--spectrum', '--kind', 'incoherent', '--q', '1.5', '--orientation', 'none:1,0,0', *arguments,
                     '-o', 's.csv', 'still.gro')
        rows = self.read('s.csv')
        return [float(row['omega']) for row in rows], [float(row['S']) for row in rows]

    def test_a_flying_atom_is_a_line(self):
        axis, values = self.spectrum('--motion', 'all=linear:2,0,0', '--frequency', '1/ps')
        channel = axis[1] - axis[0]
        self.assertEqual(len(axis), 2 * 200 - 1)
        # ω = q·v
        self.assertAlmostEqual(axis[values.index(max(values))], 3.0, delta=0.51 * channel)
        still_axis, still = self.spectrum('--frequency', '1/ps')
        self.assertEqual(still_axis[still.index(max(still))], 0.0)
        # The integral is F(q, 0), which doesn't depend on the motion: |exp(iq·r)|² of floats.
        self.assertAlmostEqual(sum(values) / sum(still), 1.0, delta=1e-6)

    def test_the_resolution_is_what_a_still_atom_shows(self):
        axis, values = self.spectrum('--resolution', 'gaussian:0.5', '--window', 'none')
        for energy, value in zip(axis, values):
            # Half as high at half the full width.
            self.assertAlmostEqual(value / max(values), 2.0 ** -((energy / 0.25) ** 2), delta=1e-6)


class Told(ScatteringJobTest):
    def test_of_the_device(self):
        """No device is said to be unused where the processor did the work beside all lanes, or where there was none."""
        for words, told in ((('--orientation', 'exact'), 'pair by pair, on the CPU'), (('--orientation', 'multipole:4'), 'Multipoles'),
                            (('--kind', 'incoherent'), 'Frames'), (('--orientation', 'sphere:4'), 'Device cpu')):
            done = cli.run('scattering', '--q', '0.2', *words, '-o', 'a.csv', 'open.xyz', folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(told, done.stdout + done.stderr)
            self.assertNotIn('other devices', done.stdout + done.stderr)


class BadInput(ScatteringJobTest):
    def test_unknown_element(self):
        write_xyz(self.folder / 'x.xyz', element='Qq')
        self.refuse('Qq', '--q', '1', '--orientation', 'exact', '-o', 'a.csv', 'x.xyz')

    def test_xray_beyond_the_table(self):
        for option in (('--form-factors', 'cromer-mann'), ('--hydrogen', 'bonded')):
            self.refuse('ends at 25.1327 Å⁻¹, found 30', '--probe', 'xray', *option, '--q', '30', '--orientation', 'exact',
                        '-o', 'a.csv', 'open.xyz')

    def test_absolute_without_volume(self):
        self.refuse('--volume', '--normalise', 'absolute', '--q', '1', '--orientation', 'exact', '-o', 'a.csv',
                    'open.xyz')

    def test_exact_in_a_cell_is_warned_of(self):
        done = cli.run('scattering', '--q', '1', '--orientation', 'exact', '-o', 'a.csv', 'cell.xyz', folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('choose orientation lattice', done.stderr)

    def test_multipoles_in_a_cell_are_warned_of(self):
        for name, is_warned in (('cell.xyz', True), ('open.xyz', False)):
            done = cli.run('scattering', '--q', '0.2', '--orientation', 'multipole:8', '-o', 'a.csv', name, folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual('choose orientation lattice' in done.stderr, is_warned, done.stderr)

    def test_the_forward_beam_in_a_shell_is_warned_of(self):
        """A cell of 12 Å has its first vectors at 0.524 Å⁻¹: with steps of 1.5 they are in one shell with 000, else 000 is alone."""
        for q, is_warned in (('0:3:1.5', True), ('0:3:0.5', False), ('0.5:3:0.5', False)):
            done = cli.run('scattering', '--q', q, '-o', 'a.csv', 'cell.xyz', folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual('includes 000' in done.stderr, is_warned, done.stderr)

    def test_off_the_lattice_is_warned_of(self):
        done = cli.run('scattering', '--q', '1', '--orientation', 'sphere:10', '--no-box-correction', '-o', 'a.csv',
                       'cell.xyz', folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('box-correction', done.stderr)

    def test_resolution(self):
        spectrum = ('--spectrum', '--kind', 'incoherent', '--q', '1', '--orientation', 'exact', '-o', 'a.csv')
        (self.folder / 'r.txt').write_text('Not a line\nat all\n', encoding='ascii')
        self.refuse('Resolution: r.txt: expected rows', *spectrum, '--resolution', 'file:r.txt', 'open.xyz')
        self.refuse('Resolution: ', *spectrum, '--resolution', 'file:none.txt', 'open.xyz')
        for rows, reason in (('0 nan\n1 2\n', 'expected ascending energies and finite intensities'),
                             ('1 1\n0 2\n2 1\n', 'expected ascending energies and finite intensities'),
                             ('0 1\n', 'expected a line of three or more points'), ('0 1\n1 -3\n2 1\n', 'with an area above 0')):
            (self.folder / 'r.txt').write_text(rows, encoding='ascii')
            self.refuse(reason, *spectrum, '--resolution', 'file:r.txt', 'open.xyz')
        self.refuse('found “box:1”', *spectrum, '--resolution', 'box:1', 'open.xyz')
        self.refuse('found “-1”', *spectrum, '--resolution', 'gaussian:-1', 'open.xyz')

    def test_unknown_isotope(self):
        for isotope in ('7H', 'Zz'):
            self.refuse(f'an element or isotope that is tabulated (D, 13C, Ni), found “{isotope}”', '--isotope',
                        f'element H={isotope}', '--q', '1', '--orientation', 'exact', '-o', 'a.csv', 'open.xyz')

    def say(self, text, *arguments):
        """It runs, and says this."""
        done = cli.run('scattering', '-o', 'a.csv', *arguments, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(text, done.stdout + done.stderr)

    def test_corrected_off_the_lattice(self):
        self.say('its shape at the mean density is subtracted from the amplitudes', '--q', '1', '--orientation', 'sphere:10',
                 'cell.xyz')

    def test_wrapped_trajectory_is_unwrapped(self):
        write_gro(self.folder / 'walk.gro')
        job = ('--dynamic', '--kind', 'incoherent', '--q', '1', '--orientation', 'exact', 'walk.gro')
        self.say('Molecules are followed across the faces of the cell', *job)
        self.compute_warned(*job, '--no-unwrap', '-o', 'wrapped.csv')
        late, wrapped = (float(self.read(name)[-1]['F_re']) for name in ('a.csv', 'wrapped.csv'))
        self.assertNotAlmostEqual(late, wrapped, delta=1e-3 * float(self.read('a.csv')[0]['F_re']))

    def test_no_number(self):
        """Of I(q) the frame is left out and named; a course in time has no gaps."""
        lines = (self.folder / 'open.xyz').read_text(encoding='ascii').splitlines()
        lines[32 + 5] = 'H nan 0 0'
        (self.folder / 'nan.xyz').write_text('\n'.join(lines) + '\n', encoding='ascii')
        self.say('frame 1 is left out: chosen atoms have NaN or infinite coordinates', '--q', '1', '--orientation',
                 'exact', 'nan.xyz')
        self.refuse('atom 4 of frame 1 has NaN or infinite coordinates', '--dynamic', '--kind', 'incoherent', '--q',
                    '1', '--orientation', 'exact', '-o', 'b.csv', 'nan.xyz')

    def test_memory_limit(self):
        """The least that is needed is named, and enough."""
        for words in (('--q', '1', '--orientation', 'sphere:10', 'open.xyz'),
                      ('--q', '1:3:1', 'cell.xyz'),
                      ('--q', '1', '--dynamic', '--kind', 'incoherent', '--orientation', 'sphere:4', 'open.xyz')):
            done = self.run_cli(*words, '--memory', '1K', '-o', 'a.csv')
            self.assertEqual(done.returncode, 1)
            found = re.search(r'needs ([\d.]+) ([kM])B', done.stderr)
            self.assertIsNotNone(found, done.stderr)
            self.compute_warned(*words, '--memory', found.group(1) + found.group(2), '-o', 'a.csv')

    def test_result_of_another_analysis(self):
        done = cli.run('rdf', '--quiet', '--pair', 'all', 'all', '-o', 'rdf.h5', 'cell.xyz', folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refuse('rdf.h5: expected a result of scattering, found one of rdf', '--q', '1', '--continue', 'rdf.h5', '-o',
                    'a.csv', 'cell.xyz')

    def test_too_long_lags(self):
        self.refuse('24 frames last 23 frames, expected no more than that, found 1000 frames', '--dynamic', '--lags', '1000', '--kind', 'incoherent', '--q', '1', '--orientation',
                    'exact', '-o', 'a.csv', 'open.xyz')

    def test_spectrum_of_what_is_no_correlation(self):
        self.refuse('expected autocorrelate', '--spectrum', '--signal', 'plain', '--q', '1', '--orientation', 'sphere:5',
                    '-o', 'a.csv', 'open.xyz')

    def test_spectrum_without_times(self):
        self.refuse('time between frames', '--spectrum', '--kind', 'incoherent', '--q', '1', '--orientation', 'exact',
                    '-o', 'a.csv', 'open.xyz')

    def test_motion(self):
        self.refuse('expected brownian:step', '--motion', 'all=brownian:x', '--q', '1', '--orientation', 'exact', '-o',
                    'a.csv', 'open.xyz')


if __name__ == '__main__':
    unittest.main(verbosity=2)
