#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli msd against the definition, summed over all pairs of frames, and where the answer is known."""
import math
import os
import random
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402

BOLTZMANN = 1.380649e-23


def moments(paths, n_lags):
    """Of unwrapped paths, [centre][frame] of (x, y, z): the mean square displacement and α₂ of each lag."""
    result = []
    for lag in range(n_lags):
        squares = [sum((b - a) ** 2 for a, b in zip(path[t], path[t + lag]))
                   for path in paths for t in range(len(path) - lag)]
        square = sum(squares) / len(squares)
        fourth = sum(d * d for d in squares) / len(squares)
        result.append((square, 3 * fourth / (5 * square * square) - 1 if square else 0))
    return result


def walk(n_atoms, n_frames, step, seed=7):
    rng = random.Random(seed)
    paths = []
    for _ in range(n_atoms):
        path = [[rng.uniform(0, 10) for _ in range(3)]]
        for _ in range(n_frames - 1):
            path.append([x + rng.gauss(0, step) for x in path[-1]])
        paths.append(path)
    return paths


class Msd(CliCase):
    def write_xyz(self, name, paths, cells=None, element='Q'):
        """Positions wrapped into the cell of each frame, an edge or none. No times; an element that nobody knows."""
        with open(self.folder / name, 'w', encoding='ascii') as file:
            for t in range(len(paths[0])):
                cell = cells[t] if cells else None
                lattice = f'Lattice="{cell} 0 0 0 {cell} 0 0 0 {cell}" ' if cell else ''
                file.write(f'{len(paths)}\n{lattice}Properties=species:S:1:pos:R:3\n')
                for path in paths:
                    place = [x % cell if cell else x for x in path[t]]
                    file.write(f'{element} ' + ' '.join(f'{x:.7f}' for x in place) + '\n')

    def write_gro(self, name, paths, times, cell, atoms=None):
        """atoms: (residue number, residue, atom) of each; nm, with five decimals."""
        atoms = atoms or [(i + 1, 'XX', 'Q') for i in range(len(paths))]
        with open(self.folder / name, 'w', encoding='ascii') as file:
            for t, time in enumerate(times):
                file.write(f'walk t= {time:.5f}\n{len(paths)}\n')
                for i, ((number, residue, atom), path) in enumerate(zip(atoms, paths)):
                    place = ''.join(f'{x % cell / 10:10.5f}' for x in path[t])
                    file.write(f'{number:5d}{residue:<5s}{atom:>5s}{i + 1:5d}{place}\n')
                file.write(' '.join(f'{cell / 10:.5f}' for _ in range(3)) + '\n')

    def compute(self, *arguments):
        """The rows of msd.csv and its header."""
        done = self.run_cli('msd', '--quiet', '-o', 'msd.csv', *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        header, rows, names = {}, [], None
        for line in (self.folder / 'msd.csv').read_text(encoding='utf-8').splitlines():
            if line.startswith('#'):
                key, _, value = line[1:].partition(':')
                header[key.strip()] = value.strip()
            elif names is None:
                names = line.split(',')
            else:
                rows.append(dict(zip(names, map(float, line.split(',')))))
        self.assertEqual(names, ['tau', 'msd', 'msd_error', 'alpha2'])
        return rows, header

    def number(self, header, key):
        return float(header[key].split()[0])

    def check_rows(self, rows, expected, step=1.0, tolerance=1e-6):
        self.assertEqual(len(rows), len(expected))
        for lag, (row, (square, alpha2)) in enumerate(zip(rows, expected)):
            self.assertAlmostEqual(row['tau'], lag * step, delta=1e-6 * step)
            self.assertAlmostEqual(row['msd'], square, delta=tolerance * max(square, 1e-3))
            self.assertAlmostEqual(row['alpha2'], alpha2, delta=10 * tolerance)


class Definition(Msd):
    def test_wrapped_walk(self):
        paths = walk(7, 40, 1.0)
        self.write_xyz('walk.xyz', paths, [10.0] * 40)
        rows, header = self.compute('walk.xyz')
        self.check_rows(rows, moments(paths, 40))
        self.assertEqual(header['unit of tau'], 'frames')

    def test_breathing_cell(self):
        """A jump is taken off in the cell of the frame that it is found in; steps are added, not images."""
        rng = random.Random(3)
        cells = [round(10 + rng.uniform(-0.3, 0.3), 3) for _ in range(60)]
        paths = walk(5, 60, 0.8)
        self.write_xyz('walk.xyz', paths, cells)
        unwrapped = []
        for path in paths:
            last = [x % cells[0] for x in path[0]]
            places = [last]
            for t in range(1, 60):
                now = [x % cells[t] for x in path[t]]
                moved = [b - a - cells[t] * round((b - a) / cells[t]) for a, b in zip(last, now)]
                places.append([x + d for x, d in zip(places[-1], moved)])
                last = now
            unwrapped.append(places)
        self.check_rows(self.compute('walk.xyz')[0], moments(unwrapped, 60))

    def test_skipped_frames_are_followed(self):
        """Two frames on, atoms have moved by more than half the cell."""
        paths = [[[0.3 * 10 * t, 0, 0] for t in range(21)]]
        self.write_xyz('line.xyz', paths, [10.0] * 21)
        rows, _ = self.compute('--frames', '0:-1:2', 'line.xyz')
        self.check_rows(rows, moments([paths[0][::2]], 11))

    def test_without_following(self):
        paths = [[[4.0 * t, 0, 0] for t in range(9)]]
        self.write_xyz('line.xyz', paths, [10.0] * 9)
        wrapped = [[[x % 10, 0, 0] for x, _, _ in paths[0]]]
        self.check_rows(self.compute('--no-unwrap', 'line.xyz')[0], moments(wrapped, 9))

    def test_free_particle(self):
        """⟨d²⟩ = v²τ² and α₂ = −2/5, where the path is 2,000 steps long."""
        n = 2000
        self.write_xyz('free.xyz', [[[0.25 * t, -0.5 * t, 0.125 * t] for t in range(n)]])
        rows, _ = self.compute('free.xyz')
        for lag in range(1, n):
            square = 0.328125 * lag * lag
            self.assertAlmostEqual(rows[lag]['msd'], square, delta=1e-8 * square)
            self.assertAlmostEqual(rows[lag]['alpha2'], -0.4, delta=1e-4)

    def test_passes_and_threads(self):
        """As little memory as takes a pass for each centre."""
        self.write_xyz('walk.xyz', walk(6, 50, 1.0), [10.0] * 50)
        whole, header = self.compute('--threads', '1', 'walk.xyz')
        for words in (('--memory', '4K'), ('--threads', '3')):
            rows, other = self.compute(*words, 'walk.xyz')
            self.assertEqual(other['D'], header['D'])
            for a, b in zip(rows, whole):
                self.assertEqual([a['msd'], a['alpha2']], [b['msd'], b['alpha2']])


class Diffusion(Msd):
    D = 0.25  # Å²/ps

    def write_walk(self, n_atoms=200, n_frames=101, cell=20.0):
        step = 0.5  # ps
        self.write_gro('walk.gro', walk(n_atoms, n_frames, math.sqrt(2 * self.D * step)),
                       [step * t for t in range(n_frames)], cell)

    def test_coefficient(self):
        self.write_walk()
        rows, header = self.compute('--fit', '1:10', 'walk.gro')
        d, error = self.number(header, 'D'), self.number(header, 'D_error')
        self.assertIn('Å²/ps', header['D'])
        # A walk's D over lags far shorter than itself: some √(2·lag/(3·frames·atoms)), three times that.
        expected = self.D * math.sqrt(2 * 20 / (3 * 101 * 200))
        self.assertLess(abs(d - self.D), 3 * expected)
        self.assertTrue(expected / 3 < error < 3 * expected, (error, expected))
        for row in rows[1:21]:
            self.assertLess(abs(row['msd'] - 6 * self.D * row['tau']), 5 * row['msd_error'])
            self.assertLess(abs(row['alpha2']), 0.05)

    def test_range(self):
        """From a tenth to half of the longest time, unless it is chosen; a line by hand."""
        self.write_walk(n_atoms=5)
        rows, header = self.compute('walk.gro')
        self.assertEqual((self.number(header, 'fit_begin'), self.number(header, 'fit_end')), (5, 25))
        some = [(row['tau'], row['msd']) for row in rows if 5 <= row['tau'] <= 25]
        x, y = (sum(pair[k] for pair in some) / len(some) for k in range(2))
        slope = sum((a - x) * (b - y) for a, b in some) / sum((a - x) ** 2 for a, _ in some)
        self.assertAlmostEqual(self.number(header, 'D'), slope / 6, delta=1e-9)

    def test_lags(self):
        self.write_walk(n_atoms=3)
        whole, _ = self.compute('walk.gro')
        rows, header = self.compute('--lags', '10', 'walk.gro')
        self.assertEqual([row['msd'] for row in rows], [row['msd'] for row in whole[:21]])
        self.assertEqual(self.number(header, 'fit_end'), 5)
        self.assertIn('last 50 ps', self.expect_failure('msd', '--lags', '51', '-o', 'x.csv', 'walk.gro'))
        self.assertIn('Fit range', self.expect_failure('msd', '--fit', '1:60', '-o', 'x.csv', 'walk.gro'))
        self.assertIn('Fit range', self.expect_usage('msd', '--fit', '9', '-o', 'x.csv', 'walk.gro'))

    def test_size_correction(self):
        self.write_walk(n_atoms=5)
        told = cli.run_json('msd', '--viscosity', '0.5', '--temperature', '310', self.folder / 'walk.gro')
        [summary] = told['summary']
        added = 2.837297 * BOLTZMANN * 310 / (6 * math.pi * 0.5e-3 * 20e-10) * 1e8
        self.assertAlmostEqual(summary['D_infinity'], summary['D'] + added, delta=1e-6 * added)
        self.assertAlmostEqual(summary['cell_length'], 20, delta=1e-4)
        self.assertTrue(any('Yeh' in note for note in told['notes']), told['notes'])
        self.write_xyz('open.xyz', walk(3, 5, 1.0))
        self.assertIn('cubic cell', self.expect_failure('msd', '--viscosity', '1', '-o', 'x.csv', 'open.xyz'))

    def test_single_centre(self):
        """Errors from blocks of its frames."""
        self.write_walk(n_atoms=1, n_frames=400)
        rows, header = self.compute('--fit', '0.5:5', 'walk.gro')
        self.assertTrue(0 < self.number(header, 'D_error') < self.D)
        self.assertTrue(rows[1]['msd_error'] > 0 and math.isnan(rows[40]['msd_error']))
        rows, header = self.compute('--blocks', '0', 'walk.gro')
        self.assertTrue(math.isnan(rows[1]['msd_error']) and header['D_error'].startswith('nan'))


class Centres(Msd):
    def test_molecules(self):
        """Waters that turn and drift across the cell: their centres of mass, without being whole."""
        rng = random.Random(11)
        paths, centres, atoms = [], [], []
        masses = (15.999, 1.008, 1.008)
        for molecule in range(3):
            place, angle, three = [rng.uniform(0, 12) for _ in range(3)], 0.0, [[], [], []]
            for _ in range(30):
                place = [x + rng.gauss(0, 0.8) for x in place]
                angle += 0.3
                arms = [(0, 0)] + [(0.96 * math.cos(angle + a), 0.96 * math.sin(angle + a)) for a in (0, 1.824)]
                for k, (x, y) in enumerate(arms):
                    three[k].append([place[0] + x, place[1] + y, place[2]])
            centres.append([[sum(m * three[k][t][i] for k, m in enumerate(masses)) / sum(masses) for i in range(3)]
                            for t in range(30)])
            paths += three
            atoms += [(molecule + 1, 'SOL', name) for name in ('OW', 'HW1', 'HW2')]
        self.write_gro('water.gro', paths, range(30), 12.0, atoms)
        for kind in ('molecules', 'residues'):
            rows, _ = self.compute('--centres', kind, 'water.gro')
            # Masses of a table of elements, places to 1e-4 Å.
            self.check_rows(rows, moments(centres, 30), tolerance=2e-4)

    def test_elements_are_for_centres_alone(self):
        self.write_xyz('walk.xyz', walk(2, 5, 1.0))
        self.compute('walk.xyz')
        said = self.expect_failure('msd', '--centres', 'residues', '-o', 'x.csv', 'walk.xyz')
        self.assertIn('no mass', said)


class Joined(Msd):
    """Several files as one course."""

    def setUp(self):
        super().setUp()
        self.paths = walk(4, 22, 0.5)

    def parts(self, *cuts):
        for name, first, end, begin in cuts:
            self.write_gro(name, [path[first:end] for path in self.paths], [begin + 2 * t for t in range(end - first)],
                           15.0)
        return [name for name, _, _, _ in cuts]

    def compute_joined(self, files):
        rows, _ = self.compute(*files)
        return rows, cli.run_json('msd', *(self.folder / name for name in files))['notes']

    def test_clock_begins_anew(self):
        files = self.parts(('a.gro', 0, 11, 0), ('b.gro', 11, 16, 0), ('c.gro', 16, 22, 2))
        rows, notes = self.compute_joined(files)
        self.check_rows(rows, moments(self.paths, 22), step=2, tolerance=1e-3)
        self.assertTrue(any('restarts of the clock: 2, the first in frame 11;' in note for note in notes), notes)

    def test_same_moment_twice(self):
        files = self.parts(('a.gro', 0, 11, 0), ('b.gro', 10, 22, 20))
        rows, notes = self.compute_joined(files)
        self.check_rows(rows, moments(self.paths, 22), step=2, tolerance=1e-3)
        self.assertTrue(any('left out: 1, the first is frame 11' in note for note in notes), notes)

    def test_run_that_goes_on_from_a_checkpoint(self):
        """Its frames are there already, of other steps."""
        files = self.parts(('a.gro', 0, 11, 0), ('b.gro', 11, 22, 16))
        said = self.expect_failure('msd', '-o', 'x.csv', *files)
        self.assertIn('frame 11 is at 16 ps, expected 22 ps', said)

    def test_gap(self):
        files = self.parts(('a.gro', 0, 11, 0), ('b.gro', 11, 22, 50))
        said = self.expect_failure('msd', '-o', 'x.csv', *files)
        self.assertIn('frame 11 is at 50 ps, expected 22 ps', said)


class Results(Msd):
    def test_files(self):
        self.write_xyz('walk.xyz', walk(12, 60, 1.0), [10.0] * 60)
        names = ['m.h5', 'm.svg', 'a.svg', 'm.pdf', 'm.png']
        done = self.run_cli('msd', '--quiet', 'walk.xyz', *(word for name in names if name[0] == 'm' for word in ('-o', name)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_cli('msd', '--quiet', '--plot', 'alpha2', '-o', 'a.svg', 'walk.xyz').returncode, 0)
        self.assertTrue(all((self.folder / name).stat().st_size > 500 for name in names))
        plot = (self.folder / 'm.svg').read_text(encoding='utf-8')
        self.assertIn('MSD: D = ', re.sub('<[^>]*>', '', plot))
        done = self.run_cli('rerun', 'm.h5', '-o', 'again.csv')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows, header = self.compute('walk.xyz')
        again = (self.folder / 'again.csv').read_text(encoding='utf-8').splitlines()
        self.assertIn(f'# D: {header["D"]}', again)
        self.assertEqual(float(again[-1].split(',')[1]), rows[-1]['msd'])

    def test_refusals(self):
        self.write_xyz('one.xyz', walk(2, 1, 1.0))
        self.assertIn('two or more times', self.expect_failure('msd', '-o', 'x.csv', 'one.xyz'))
        self.write_xyz('walk.xyz', walk(2, 5, 1.0))
        self.assertIn('chooses none', self.expect_failure('msd', '--select', 'name ZZ', '-o', 'x.csv', 'walk.xyz'))
        paths = walk(2, 5, 1.0)
        paths[1][3][0] = math.nan
        self.write_xyz('hole.xyz', paths)
        self.assertIn('atom 2 of frame 3', self.expect_failure('msd', '-o', 'x.csv', 'hole.xyz'))
        self.compute('--select', 'index 0', 'hole.xyz')

    def test_stopped(self):
        """The centres that were followed are kept; a pass for each."""
        self.write_xyz('some.xyz', walk(50, 200, 1.0))
        (self.folder / 'long.xyz').write_bytes((self.folder / 'some.xyz').read_bytes() * 100)
        process = subprocess.Popen([cli.PROGRAM, 'msd', '--progress', '--memory', '1M', '-o', 'part.csv', 'long.xyz'],
                                   cwd=self.folder, env=cli.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        text = (self.folder / 'part.csv').read_text(encoding='utf-8')
        self.assertIn('# state: partial', text)
        self.assertTrue(1 < len([line for line in text.splitlines() if line[0] != '#']) <= 20001)


if __name__ == '__main__':
    unittest.main()
