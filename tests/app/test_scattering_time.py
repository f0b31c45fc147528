#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli scattering in time where the answer is known: partials, displacements, reflections, sum rules."""
import cmath
import itertools
import math
import os
import random
import re
import resource
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import started_once  # noqa: E402
from test_scattering_jobs import ScatteringJobTest, write_gro  # noqa: E402

B_CU = 7.718
# u Å²/(ps² K), meV ps, u Å²/ps
BOLTZMANN, HBAR_MEV, HBAR = 0.8314462618, 0.6582119569, 6.350779924


def sinc(x):
    return math.sin(x) / x if x else 1.0


class ScatteringInTime(ScatteringJobTest):
    def write(self, name, frames, cell=None):
        """frames: lists of (element, x, y, z). The file says no times: τ is in frames."""
        lattice = f'Lattice="{cell} 0 0 0 {cell} 0 0 0 {cell}" ' if cell else ''
        with open(self.folder / name, 'w', encoding='ascii') as file:
            for atoms in frames:
                file.write(f'{len(atoms)}\n{lattice}Properties=species:S:1:pos:R:3\n')
                file.writelines(f'{element} {x:.6f} {y:.6f} {z:.6f}\n' for element, x, y, z in atoms)

    def rows(self, *arguments):
        self.compute(*arguments, '-o', 's.csv')
        return [{key: float(value) for key, value in row.items()} for row in self.read('s.csv')]

    def numbers(self, name, dataset):
        done = started_once.run('h5dump', ['-d', dataset, '-y', '-w', '0', '-m', '%.17g', name], folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        body = done.stdout[done.stdout.index('DATA {') + 6:done.stdout.index('}', done.stdout.index('DATA {'))]
        return [float(number) for number in re.findall(r'-?\d[-+.\de]*|nan', body)]


class Partials(ScatteringInTime):
    def setUp(self):
        super().setUp()
        write_gro(self.folder / 'walk.gro')

    def test_they_add_up(self):
        for words in (('--kind', 'total'), ('--signal', 'square'), ('--kind', 'incoherent', '--orientation', 'exact')):
            rows = self.rows('--dynamic', '--partials', '--q', '1,2,3', *words, 'walk.gro')
            names = [key for key in rows[0] if '-' in key or ' self' in key]
            expected = 5 if words[-1] == 'total' else 3 if words[0] == '--signal' else 2
            self.assertEqual(len(names), expected, names)
            largest = max(abs(row['F_re']) for row in rows)
            for row in rows:
                self.assertAlmostEqual(sum(row[name] for name in names), row['F_re'], delta=1e-9 * largest)

    def test_a_pair_of_like_species_is_what_it_scatters_alone(self):
        common = ('--dynamic', '--normalise', 'raw', '--q', '1,2', '--orientation', 'sphere:30', '--no-box-correction')
        whole = cli.run('scattering', '--quiet', '--partials', *common, '-o', 'w.csv', 'walk.gro', folder=self.folder)
        alone = cli.run('scattering', '--quiet', '--select', 'name OW', *common, '-o', 'o.csv', 'walk.gro', folder=self.folder)
        self.assertEqual((whole.returncode, alone.returncode), (0, 0), whole.stderr + alone.stderr)
        for row, other in zip(self.read('w.csv'), self.read('o.csv')):
            self.assertAlmostEqual(float(row['O-O']), float(other['F_re']), delta=1e-4)


class BesideTheLattice(ScatteringInTime):
    def test_the_first_time_is_the_static_intensity(self):
        """With the shape of the cell taken off in both; of the lattice with and without transforms."""
        write_gro(self.folder / 'walk.gro')
        for words in (('--orientation', 'sphere:50', '--box-correction'), ('--orientation', 'lattice')):
            common = ('--q', '0.4,1,2', *words, 'walk.gro')
            static = [row['intensity'] for row in self.rows(*common)]
            first = [row['F_re'] for row in self.rows('--dynamic', *common) if row['tau'] == 0.0]
            self.assertEqual(len(static), len(first))
            for one, other in zip(static, first):
                self.assertAlmostEqual(one, other, delta=1e-5 * abs(one))

    def test_some_of_a_shell(self):
        write_gro(self.folder / 'walk.gro')
        done = cli.run('scattering', '--dynamic', '--q', '1:4:1', '--shell-vectors', '20', '-o', 'a.csv', 'walk.gro',
                       folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr + done.stdout, r'Of \d+ lattice vectors, \d+ are used, at most 20 per q')
        self.assertRegex(done.stderr + done.stdout, r'Vectors: (\d+) in \d shells')


class Normalised(ScatteringInTime):
    def test_times_of_the_chosen_frames(self):
        """Frames at 0, 1, 4, 5, 8, 9 ps: every other one is 4 ps after the last, all of them are not even."""
        write_gro(self.folder / 'walk.gro')
        times = iter((0, 1, 4, 5, 8, 9))
        text = (self.folder / 'walk.gro').read_text(encoding='ascii').split('walk t= ')[1:7]
        (self.folder / 'pairs.gro').write_text(''.join(f'walk t= {next(times)}.0' + part[part.index('\n'):] for part in text),
                                               encoding='ascii')
        job = ('--dynamic', '--kind', 'incoherent', '--q', '1', '--orientation', 'exact', 'pairs.gro', '--frames')
        self.assertEqual([row['tau'] for row in self.rows(*job, '0:-1:2')], [0, 4, 8])
        self.refuse('correlations in time need frames at even steps', *job, '0:-1', '-o', 's.csv')

    def test_clock_begins_anew(self):
        """Three files, each from 0 on, are one course; one that skips a step, or keeps a moment again, is none."""
        def write(name, times, first):
            places = [f'walk t= {time}\n1\n    1ION     NA    1   {0.01 * (first + i) ** 2:5.3f}   0.000   0.000\n   9.0 9.0 9.0\n'
                      for i, time in enumerate(times)]
            (self.folder / name).write_text(''.join(places), encoding='ascii')
        write('whole.gro', range(0, 24, 2), 0)
        write('a.gro', range(0, 8, 2), 0)
        write('b.gro', range(0, 10, 2), 4)
        write('c.gro', range(0, 6, 2), 9)
        job = ('--dynamic', '--kind', 'incoherent', '--q', '1', '--orientation', 'exact', '--element', 'NA=Na')
        whole = self.rows(*job, 'whole.gro')
        done = cli.run('scattering', *job, '-o', 's.csv', 'a.gro', 'b.gro', 'c.gro', folder=self.folder)
        self.assertIn('restarts of the clock: 2, the first in frame 4;', done.stderr + done.stdout)
        self.assertEqual([{key: float(value) for key, value in row.items()} for row in self.read('s.csv')], whole)
        self.assertEqual([row['tau'] for row in whole], list(range(0, 24, 2)))
        write('late.gro', range(10, 14, 2), 4)
        self.refuse('frame 4 is at 10 ps, expected 8 ps', *job, '-o', 's.csv', 'a.gro', 'late.gro')
        write('again.gro', range(6, 12, 2), 3)
        self.refuse('frame 4 is at 6 ps, expected 8 ps', *job, '-o', 's.csv', 'a.gro', 'again.gro')

    def test_faber_ziman_is_not_in_time(self):
        """What is added for each atom with itself, for S → 1 at large q, has no place where it decays."""
        write_gro(self.folder / 'walk.gro')
        (self.folder / 'q.txt').write_text('1 0 0\n', encoding='ascii')
        for words in (('--dynamic', '--q', '1,2'), ('--q-vectors', 'q.txt'), ('--hkl', '1,0,0')):
            self.refuse('Faber–Ziman partials apply to I(q)', '--normalise', 'faber-ziman', *words, '-o', 'a.csv', 'walk.gro')

    def test_absolute_of_a_cell_that_breathes(self):
        """Two atoms 1 Å apart in cells of 8000, 10648 and 13824 Å³: Σ over pairs of b² by the mean volume, 1 fm²/Å³ is
        0.01 cm⁻¹; at any q of the static curve, and of the course in time at τ = 0."""
        with open(self.folder / 'breathe.xyz', 'w', encoding='ascii') as file:
            for edge in (20, 22, 24):
                file.write(f'2\nLattice="{edge} 0 0 0 {edge} 0 0 0 {edge}" Properties=species:S:1:pos:R:3\n'
                           'Cu 1 1 1\nCu 2 1 1\n')
        volume = (20**3 + 22**3 + 24**3) / 3
        common = ('--normalise', 'absolute', '--no-box-correction', '--orientation', 'none', '--q', '0.5,1', 'breathe.xyz')
        self.compute_warned(*common, '-o', 's.csv')
        self.compute_warned('--dynamic', *common, '-o', 'f.csv')
        self.compute_warned('--dynamic', *common, '--continue', 'c.h5', '--save-every', '0', '-o', 'c.csv')
        # The same along z, across the pair's axis: both scatter in phase.
        expected = 0.01 * (2 * B_CU) ** 2 / volume
        for name, column in (('s.csv', 'intensity'), ('f.csv', 'F_re'), ('c.csv', 'F_re')):
            for row in self.read(name):
                self.assertAlmostEqual(float(row[column]), expected, delta=1e-5 * expected)
        # What is incoherent, too.
        own = ('--kind', 'incoherent', '--q', '0.5,1', 'breathe.xyz')
        self.compute('--normalise', 'raw', *own, '-o', 'r.csv')
        self.compute('--normalise', 'absolute', *own, '-o', 'i.csv')
        self.compute('--normalise', 'absolute', '--dynamic', *own, '-o', 'j.csv')
        courses = [row for row in self.read('j.csv') if float(row['tau']) == 0.0]
        for raw, row, other in zip(self.read('r.csv'), self.read('i.csv'), courses, strict=True):
            self.assertAlmostEqual(float(row['intensity']), 0.01 * float(raw['intensity']) / volume, delta=1e-12)
            self.assertAlmostEqual(float(other['F_re']), float(row['intensity']), delta=1e-12)


class AcrossTheFaces(ScatteringInTime):
    """An atom that drifts through a cell of 10 Å, wrapped: Fₛ(q, τ) = exp(iq·vτ) at a vector beside the lattice."""
    speed = (3.0, 0.5, 0.0)
    q = (0.25, 0.1, 0.05)

    def setUp(self):
        super().setUp()
        self.write('drift.xyz', [[('H', *((x + v * t) % 10.0 for x, v in zip((1.0, 2.0, 3.0), self.speed)))]
                                 for t in range(13)], cell=10.0)
        (self.folder / 'q.txt').write_text(' '.join(map(str, self.q)), encoding='ascii')

    def phase(self, tau):
        return tau * sum(q * v for q, v in zip(self.q, self.speed))

    def rows_warned(self, *arguments):
        self.compute_warned(*arguments, '-o', 's.csv')
        return [{key: float(value) for key, value in row.items()} for row in self.read('s.csv')]

    def check(self, rows):
        for row in rows:
            self.assertAlmostEqual(row['F_re'], math.cos(self.phase(row['tau'])), delta=1e-5)
            self.assertAlmostEqual(row['F_im'], math.sin(self.phase(row['tau'])), delta=1e-5)

    def test_rows_of_vectors(self):
        common = ('--q-vectors', 'q.txt', '--dynamic', '--kind', 'incoherent', '--normalise', 'weight', '-o', 's.csv', 'drift.xyz')
        done = cli.run('scattering', *common, folder=self.folder)
        self.assertIn('Molecules are followed across the faces of the cell', done.stderr + done.stdout)
        self.check({key: float(value) for key, value in row.items()} for row in self.read('s.csv'))
        done = cli.run('scattering', '--no-unwrap', *common, folder=self.folder)
        self.assertNotIn('followed', done.stderr + done.stdout)

    def test_frames_that_a_step_leaves_out(self):
        """Across two or three frames the atom goes further than half the cell, and seems to have gone back."""
        length = math.hypot(*self.speed)
        for step in (2, 3):
            some = ('--frames', f'0:-1:{step}', '--dynamic', '--kind', 'incoherent', '--normalise', 'weight')
            rows = self.rows_warned(*some, '--q-vectors', 'q.txt', 'drift.xyz')
            self.assertEqual(len(rows), 12 // step + 1)
            self.check({**row, 'tau': step * row['tau']} for row in rows)
            for row in self.rows_warned(*some, '--q', '0.3,0.9', 'drift.xyz'):
                self.assertAlmostEqual(row['F_re'], sinc(row['q'] * length * step * row['tau']), delta=1e-4)

    def test_a_static_run_follows_too(self):
        """An atom that stands in the cell, and one that drifts away from it; in blocks of frames, and in one go."""
        self.write('pair.xyz', [[('Cu', 1.0, 2.0, 3.0), ('Cu', *((x + v * t) % 10.0 for x, v in zip((5.0, 2.0, 3.0), self.speed)))]
                                for t in range(13)], cell=10.0)
        common = ('--frames', '0:-1:3', '--orientation', 'exact', '--q', '0.2,0.3', '--normalise', 'raw', '--unwrap', 'pair.xyz')
        self.compute_warned(*common, '-o', 's.csv')
        for row in self.read('s.csv'):
            terms = [sinc(float(row['q']) * math.hypot(4.0 + self.speed[0] * t, self.speed[1] * t)) for t in range(0, 13, 3)]
            expected = 2.0 * (1.0 + sum(terms) / len(terms)) * B_CU**2
            self.assertAlmostEqual(float(row['intensity']), expected, delta=1e-4 * B_CU**2)
        self.compute_warned(*common, '--continue', 'c.h5', '--save-every', '0', '-o', 'c.csv')
        self.check_same('c.csv', 's.csv', 1e-9)

    def test_a_frame_that_is_missed_on_the_way(self):
        """Where a frame that the step leaves out, or one that can't be used, tells no way, it is said."""
        text = (self.folder / 'drift.xyz').read_text(encoding='ascii').splitlines()
        for frame, is_warned in ((3, True), (2, True), (None, False)):
            lines = [*text]
            if frame is not None:
                lines[3 * frame + 2] = 'H nan 0 0'
            (self.folder / 'gap.xyz').write_text('\n'.join(lines) + '\n', encoding='ascii')
            runs = [('--orientation', 'exact', '--q', '0.3', '--unwrap')]
            if frame != 2:
                runs.append(('--dynamic', '--kind', 'incoherent', '--q', '0.3'))
            for words in runs:
                done = cli.run('scattering', '--frames', '0:-1:2', *words, '-o', 's.csv', 'gap.xyz', folder=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(f'molecules are followed past frame {frame}, in' in done.stderr, is_warned, done.stderr)

    def test_both_parts_are_what_each_is_alone(self):
        """The coherent one is of the atoms as the files have them: at τ = 0 what I(q) is."""
        for words in (('--q-vectors', 'q.txt'), ('--orientation', 'sphere:20', '--q', '0.3', '--no-box-correction')):
            parts = {}
            for kind in ('coherent', 'incoherent', 'total'):
                done = cli.run('scattering', *words, '--kind', kind, '--dynamic', '--normalise', 'raw', '-o', 's.csv', 'drift.xyz',
                               folder=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                parts[kind] = self.read('s.csv')
            self.assertIn('Incoherent part: molecules are followed', done.stderr + done.stdout)
            for one, own, both in zip(parts['coherent'], parts['incoherent'], parts['total'], strict=True):
                for key in ('F_re', 'F_im'):
                    self.assertAlmostEqual(float(one[key]) + float(own[key]), float(both[key]), delta=1e-9)


class Parts(ScatteringInTime):
    """Partials of named selections, each of more than one element."""
    ATOMS = [('C', 0.0, 0.0, 0.0), ('N', 1.3, 0.2, 0.1), ('O', 4.1, 0.3, 2.2), ('H', 4.9, 0.1, 2.6), ('C', 2.0, 5.0, 1.0)]
    LENGTHS = {'C': 6.646, 'N': 9.36, 'O': 5.803, 'H': -3.739}
    PARTS = ('--partials', '--part', 'index 0:1=a group', '--part', 'index 2=w', '--part', 'index 3=w')
    MEMBERS = {'a group': [0, 1], 'w': [2, 3], 'rest': [4]}

    def setUp(self):
        super().setUp()
        generator = random.Random(3)
        self.frames = [[(element, *(round(x + generator.gauss(0.0, 0.3), 4) for x in place)) for element, *place in self.ATOMS]
                       for _ in range(12)]
        self.write('parts.xyz', self.frames)

    def formula(self, frame, q, one, other):
        """Debye's, both orders of a pair."""
        total = sum(self.LENGTHS[frame[i][0]] * self.LENGTHS[frame[j][0]] * sinc(q * math.dist(frame[i][1:], frame[j][1:]))
                    for i in self.MEMBERS[one] for j in self.MEMBERS[other])
        return total * (1.0 if one == other else 2.0)

    def test_of_the_intensity(self):
        rows = self.rows('--q', '0.5:5:0.5', '--orientation', 'exact', '--normalise', 'raw', *self.PARTS, 'parts.xyz')
        names = [key for key in rows[0] if key not in ('q', 'intensity', 'intensity_error')]
        self.assertEqual(names, ['a group-a group', 'a group-w', 'a group-rest', 'w-w', 'w-rest', 'rest-rest'])
        for row in rows:
            for name in names:
                expected = sum(self.formula(frame, row['q'], *name.split('-')) for frame in self.frames) / len(self.frames)
                self.assertAlmostEqual(row[name], expected, delta=1e-2)
            self.assertAlmostEqual(sum(row[name] for name in names), row['intensity'], delta=1e-3)

    def test_in_time(self):
        words = ('--dynamic', '--q', '1,2', '--normalise', 'raw', '--precision', 'double')
        for kind, names in ((('--kind', 'coherent', '--orientation', 'sphere:20'), 6),
                            (('--kind', 'incoherent', '--orientation', 'sphere:20'), 3),
                            (('--kind', 'incoherent', '--orientation', 'exact'), 3)):
            rows = self.rows(*words, *kind, *self.PARTS, 'parts.xyz')
            alone = self.rows(*words, *kind, '--select', 'index 2:3', 'parts.xyz')
            found = [key for key in rows[0] if '-' in key or ' self' in key]
            self.assertEqual(len(found), names, found)
            largest = max(abs(row['F_re']) for row in rows)
            for row, other in zip(rows, alone):
                self.assertAlmostEqual(sum(row[name] for name in found), row['F_re'], delta=1e-9 * largest)
                self.assertAlmostEqual(row['w-w' if names == 6 else 'w self'], other['F_re'], delta=1e-5 * largest)

    def test_a_part_needs_atoms(self):
        self.refuse('“name X”', '--partials', '--part', 'name X=x', '--q', '1', '-o', 'a.csv', 'parts.xyz')

    def test_the_rest_is_no_part(self):
        self.refuse('expected another name than “rest”', '--partials', '--part', 'index 0=rest', '--q', '1', '-o', 'a.csv',
                    'parts.xyz')

    def test_without_partials_there_are_no_parts(self):
        told = [cli.run('scattering', '--q', '1', *words, '-o', 'a.csv', 'parts.xyz', folder=self.folder)
                for words in ((), ('--part', 'index 0=x'))]
        species = [[line for line in (done.stdout + done.stderr).splitlines() if line.startswith('species ')] for done in told]
        self.assertEqual(len(species[0]), 4)
        self.assertEqual(species[0], species[1])


class Displacements(ScatteringInTime):
    def setUp(self):
        super().setUp()
        self.speed, self.n = 0.37, 40
        self.write('fly.xyz', [[('H', self.speed * t, 0.0, 0.0)] for t in range(self.n)])

    def test_all_alike(self):
        """Where all displacements are the same a bin's middle is not: still within the tolerance."""
        for tolerance in ('1e-3', '1e-4', '1e-5'):
            rows = self.rows('--dynamic', '--kind', 'incoherent', '--normalise', 'weight', '--orientation', 'exact', '--q',
                             '0.5:3:0.5', '--tolerance', tolerance, 'fly.xyz')
            for row in rows:
                expected = sinc(row['q'] * self.speed * row['tau'])
                self.assertAlmostEqual(row['F_re'], expected, delta=1.5 * float(tolerance))

    def test_few_atoms(self):
        """Few displacements lie anywhere in their bins: against the sum over all of them, one by one."""
        generator = random.Random(5)
        places, frames = [[0.0] * 3, [3.0] * 3], []
        for _ in range(40):
            frames.append([('H', *place) for place in places])
            places = [[round(x + generator.gauss(0.0, 0.4), 6) for x in place] for place in places]
        self.write('few.xyz', frames)
        for tolerance, least in (('5e-6', 2e-6), ('1e-7', 2e-7)):
            rows = self.rows('--dynamic', '--kind', 'incoherent', '--normalise', 'weight', '--orientation', 'exact', '--q',
                             '0.5:8:0.5', '--tolerance', tolerance, 'few.xyz')
            squares = []
            for row in rows:
                lag = round(row['tau'])
                moves = [math.dist(one[1:], other[1:]) for i in range(len(frames) - lag)
                         for one, other in zip(frames[i], frames[i + lag])]
                squares.append((row['F_re'] - sum(sinc(row['q'] * d) for d in moves) / len(moves)) ** 2)
            self.assertLess(math.sqrt(sum(squares) / len(squares)), least, tolerance)

    def test_longest_time(self):
        """Longer displacements are not counted: the same values of the others, in less time."""
        generator = random.Random(9)
        frames, places = [], [[5.0 * i, 0.0, 0.0] for i in range(30)]
        for _ in range(2500):
            frames.append([('H', *place) for place in places])
            places = [[x + generator.gauss(0.0, 0.1) for x in place] for place in places]
        self.write('long.xyz', frames)
        common = ('--dynamic', '--kind', 'incoherent', '--orientation', 'exact', '--q', '1,2', 'long.xyz')
        seconds, rows = [], []
        for words in (('--lags', '25'), ()):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = started_once.run_anew(cli.PROGRAM, ['scattering', '--quiet', *words, *common, '-o', 'l.h5'],
                                         folder=self.folder, env=cli.environment())
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            rows.append(self.rows(*words, *common))
            squares = self.numbers('l.h5', '/entry/mean_square_displacement/mean_square_displacement')
            # A walk of 0.1 Å along each axis a frame, 25 frames on, within a tenth.
            self.assertAlmostEqual(squares[25], 3 * 0.01 * 25, delta=0.075)
        self.assertLess(seconds[0], 0.5 * seconds[1])
        self.assertEqual(len(rows[0]), 2 * 26)
        others = {(row['q'], row['tau']): row['F_re'] for row in rows[1]}
        for row in rows[0]:
            # Fewer pairs are counted with their places in the bins as well.
            self.assertAlmostEqual(row['F_re'], others[row['q'], row['tau']], delta=1e-5 * others[row['q'], 0.0])

    def test_van_hove(self):
        """4πr²G(r, τ) is a distribution: of one atom that flies, all of it at r = vτ."""
        self.compute('--dynamic', '--kind', 'incoherent', '--orientation', 'exact', '--q', '2', '-o', 's.h5', 'fly.xyz')
        values = self.numbers('s.h5', '/entry/van_hove_self/van_hove_self')
        r, tau = self.numbers('s.h5', '/entry/van_hove_self/r'), self.numbers('s.h5', '/entry/van_hove_self/tau')
        width = r[1] - r[0]
        self.assertEqual(len(values), len(r) * len(tau))
        for i, time in enumerate(tau):
            row = values[i * len(r):(i + 1) * len(r)]
            self.assertAlmostEqual(width * sum(row), 1.0, delta=1e-9)
            self.assertAlmostEqual(r[row.index(max(row))], self.speed * time, delta=0.51 * width)

    def test_elastic_structure_factor(self):
        """As the manual has it, of an atom at either of two places: (1 + sin(qd)/(qd))/2."""
        generator = random.Random(7)
        self.write('hop.xyz', [[('H', 2.0 * generator.randint(0, 1), 0.0, 0.0)] for _ in range(2000)])
        common = ('--dynamic', '--kind', 'incoherent', '--normalise', 'raw', '--orientation', 'sphere:100', '--q', '1', '-o', 'e.h5')
        self.compute(*common, 'hop.xyz')
        fq, fq0 = (self.numbers('e.h5', f'/entry/{name}/{name}')[0] for name in ('fq', 'fq0'))
        self.compute(*common, '--signal', 'plain', 'hop.xyz')
        for found in (fq / fq0, self.numbers('e.h5', '/entry/fq2/fq2')[0] / fq0):
            self.assertAlmostEqual(found, 0.5 * (1.0 + sinc(2.0)), delta=0.01)

    def test_how_often_files_are_read(self):
        """Once for the displacements, whatever the rows; once for the coherent part of each block of rows, once for the cells."""
        self.write('cell.xyz', [[('O', 1.0 + 0.1 * t, 2.0, 3.0), ('H', 2.0, 2.0 + 0.1 * t, 3.0)] for t in range(5)], cell=8.0)
        for words, n_times in ((('--kind', 'incoherent'), 1), (('--kind', 'coherent'), 1), (('--kind', 'total'), 2),
                               (('--kind', 'total', '--normalise', 'absolute'), 3),
                               (('--kind', 'total', '--continue', 'c.h5', '--save-every', '0'), 4),
                               (('--kind', 'total', '--orientation', 'sphere:9', '--no-box-correction'), 2)):
            done = cli.run('scattering', '--dynamic', '--q', '1:3:1', *words, '-o', 's.csv', 'cell.xyz', folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = re.findall(r'read (\d) times', done.stdout + done.stderr)
            self.assertEqual(told, [str(n_times)] if n_times > 1 else [], words)


class Reflections(ScatteringInTime):
    """A crystal that moves as a whole: F(hkl, τ) = N²b² exp(iq·vτ) where hkl is allowed, else 0."""

    def setUp(self):
        super().setUp()
        n, edge, self.speed = 4, 3.6, 0.2
        sites = ((0.0, 0.0, 0.0), (0.0, 0.5, 0.5), (0.5, 0.0, 0.5), (0.5, 0.5, 0.0))
        places = [[edge * (cell[k] + site[k]) for k in range(3)]
                  for cell in itertools.product(range(n), repeat=3) for site in sites]
        self.n_atoms, self.cell = len(places), n * edge
        self.write('crystal.xyz', [[('Cu', x + self.speed * t, y, z) for x, y, z in places] for t in range(12)],
                   cell=self.cell)

    def check(self, *words):
        forward = (self.n_atoms * B_CU) ** 2
        for row in self.rows('--hkl', '4,4,4', '--hkl=-8,0,0', '--hkl', '4,0,0', '--normalise', 'raw', '--dynamic', *words,
                             'crystal.xyz'):
            q = 2.0 * math.pi * row['h'] / self.cell
            bright = row['h'] != 4.0 or row['k'] != 0.0
            self.assertAlmostEqual(row['qx'], q, delta=1e-9)
            self.assertAlmostEqual(row['F_re'], bright * forward * math.cos(q * self.speed * row['tau']), delta=1e-4 * forward)
            self.assertAlmostEqual(row['F_im'], bright * forward * math.sin(q * self.speed * row['tau']), delta=1e-4 * forward)

    def test_one_by_one(self):
        self.check()

    def test_refused(self):
        self.refuse('three whole numbers h,k,l', '--hkl', '1,2', '-o', 'a.csv', 'crystal.xyz')
        self.refuse('expected one of lengths', '--hkl', '1,0,0', '--q', '1', '-o', 'a.csv', 'crystal.xyz')
        self.refuse('has no cell', '--hkl', '1,0,0', '-o', 'a.csv', 'open.xyz')


class AllReflections(ScatteringInTime):
    """S(hkl) as a volume of a few atoms: each point is |Σ b exp(iq·r)|², normalised as the curve is."""
    atoms = (('Cu', 0.3, 0.4, 0.5), ('Cu', 2.0, 3.1, 1.2), ('O', 4.0, 0.7, 5.1))
    cell, lengths = 6.0, {'Cu': B_CU, 'O': 5.803}

    def test_each_normalisation(self):
        self.write('few.xyz', [self.atoms], cell=self.cell)
        n, b = len(self.atoms), [self.lengths[atom[0]] for atom in self.atoms]
        squares, mean = sum(length**2 for length in b), sum(b) / n
        for norm, scale, offset in (('raw', 1.0, 0.0), ('atom', 1.0 / n, 0.0), ('weight', 1.0 / squares, 0.0),
                                    ('absolute', 0.01 / self.cell**3, 0.0),
                                    ('faber-ziman', 1.0 / n / mean**2, 1.0 - squares / n / mean**2)):
            done = cli.run('scattering', '--q', '1:4:1', '--normalise', norm, '--volume-map', '-o', 's.h5', 'few.xyz',
                           folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('S(hkl): the value at 000', done.stdout + done.stderr)
            self.assertNotIn('complex', done.stdout + done.stderr)
            values = iter(self.numbers('s.h5', '/entry/data/S_hkl'))
            most = 4
            for l, k, h in itertools.product(range(-most, most + 1), repeat=3):
                value = next(values)
                amplitude = sum(length * cmath.exp(2j * math.pi / self.cell * (h * x + k * y + l * z))
                                for length, (_, x, y, z) in zip(b, self.atoms))
                if (h, k, l) != (0, 0, 0):
                    self.assertAlmostEqual(value, abs(amplitude)**2 * scale + offset, delta=2e-5 * squares * scale)
            self.assertIsNone(next(values, None))

    def test_complex_lengths_are_told(self):
        self.write('boron.xyz', [(('B', 0.3, 0.4, 0.5), ('O', 2.0, 3.1, 1.2))], cell=self.cell)
        done = cli.run('scattering', '--q', '1:2:1', '--volume-map', '-o', 's.h5', 'boron.xyz', folder=self.folder)
        self.assertIn('each value is the mean of hkl and its opposite', done.stdout + done.stderr)


class SumRules(ScatteringInTime):
    """A gas of free atoms at 300 K: ⟨ω²⟩ = q²kT/m, and with detailed balance ⟨ħω⟩ = ħ²q²/2m."""

    def setUp(self):
        super().setUp()
        n, self.mass, step = 1500, 1.008, 0.01
        width = math.sqrt(BOLTZMANN * 300.0 / self.mass)
        # Maxwell's distribution by its quantiles: no noise, which the factor of detailed balance would magnify.
        speeds = [width * self.quantile((k + 0.5) / n) for k in range(n)]
        with open(self.folder / 'gas.gro', 'w', encoding='ascii') as file:
            for t in range(80):
                file.write(f'gas t= {t * step:.5f}\n{len(speeds)}\n')
                for number, speed in enumerate(speeds):
                    file.write(f'{number + 1:5d}{"H":<5}{"H":>5}{number + 1:5d}'
                               + f'{0.1 * speed * step * t:12.7f}{0.0:12.7f}{0.0:12.7f}\n')
                file.write('   0.0 0.0 0.0\n')

    @staticmethod
    def quantile(part):
        low, high = 0.0, 10.0
        for _ in range(40):
            x = 0.5 * (low + high)
            below = math.erf(x / math.sqrt(2.0)) - math.sqrt(2.0 / math.pi) * x * math.exp(-0.5 * x * x) < part
            low, high = (x, high) if below else (low, x)
        return x

    def moments(self, *words):
        self.compute('--spectrum', '--kind', 'incoherent', '--orientation', 'exact', '--q', '1,2', '--window', 'none', *words,
                     '-o', 's.h5', 'gas.gro')
        return {name: self.numbers('s.h5', f'/entry/sum_rules/{name}')
                for name in ('zeroth_moment', 'F_zero', 'first_moment', 'first_moment_rule', 'second_moment',
                             'second_moment_free_atoms')}

    def test_classical(self):
        moments = self.moments('--normalise', 'weight')
        for k, q in enumerate((1.0, 2.0)):
            self.assertAlmostEqual(moments['zeroth_moment'][k], moments['F_zero'][k], delta=1e-9)
            self.assertAlmostEqual(moments['first_moment'][k], 0.0, delta=1e-6)
            self.assertEqual(moments['first_moment_rule'][k], 0.0)
            rule = HBAR_MEV**2 * q * q * BOLTZMANN * 300.0 / self.mass
            self.assertAlmostEqual(moments['second_moment_free_atoms'][k], rule, delta=1e-3 * rule)
            self.assertAlmostEqual(moments['second_moment'][k], rule, delta=0.01 * rule)

    def test_detailed_balance(self):
        moments = self.moments('--normalise', 'weight', '--detailed-balance')
        recoil = 0.5 * HBAR_MEV * HBAR / self.mass
        self.assertAlmostEqual(moments['first_moment_rule'][0], recoil, delta=1e-3 * recoil)
        self.assertAlmostEqual(moments['first_moment'][0], recoil, delta=0.05 * recoil)


if __name__ == '__main__':
    unittest.main(defaultTest=['Partials', 'BesideTheLattice', 'Normalised', 'AcrossTheFaces', 'Displacements', 'Reflections', 'AllReflections', 'SumRules'], verbosity=2)
