#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli rdf on frames that are odd: what is refused is named with its frame, and what is little is counted right."""
import csv
import itertools
import math
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_case import CliCase  # noqa: E402

CELL = 'Lattice="10 0 0 0 10 0 0 0 10" Properties=species:S:1:pos:R:3'
ATOMS = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (1.0, 0.0, 4.0), (9.0, 9.5, 0.2)]


class RdfTest(CliCase):
    def write(self, name, *frames):
        """Frames of (comment, positions)."""
        text = ''
        for comment, atoms in frames:
            text += f'{len(atoms)}\n{comment}\n' + ''.join('O %s %s %s\n' % atom for atom in atoms)
        path = self.folder / name
        path.write_text(text, encoding='ascii')
        return path

    def refuse(self, frames, *arguments):
        return self.expect_failure('rdf', *arguments, '-o', 'x.csv', self.write('bad.xyz', *frames))

    def count(self, frames, *arguments):
        done = self.run_cli('rdf', *arguments, '--quiet', '-o', 'x.csv', self.write('good.xyz', *frames))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / 'x.csv', encoding='utf-8') as lines:
            return list(csv.DictReader(line for line in lines if not line.startswith('#')))

    @staticmethod
    def moved(x):
        return [ATOMS[0], ATOMS[1], (x, 0.0, 4.0), ATOMS[3]]

    def test_a_frame_without_a_cell(self):
        told = self.refuse([(CELL, ATOMS), ('none', ATOMS), (CELL, ATOMS)], '--pair', 'all', 'all', '--max', '4')
        self.assertIn('frame 1 has no cell', told)

    def test_positions_of_atoms_that_do_not_count(self):
        """Frames are reduced to chosen atoms: others may be anywhere, and who is refused keeps its number in the file."""
        job = ('--pair', 'index 1 2', 'index 2 3', '--max', '5', '--width', '1')
        frames = [(CELL, self.moved(x)) for x in (1.0, 2.0, 4.0)]
        expected = self.count(frames, *job)
        for place in ('1e12', 'nan'):
            odd = [(CELL, [(place, 0.0, 0.0), *atoms[1:]]) for _, atoms in frames]
            self.assertEqual(self.count(odd, *job), expected)
        one_bad = frames[:2] + [(CELL, [*ATOMS[:3], ('nan', 1.0, 1.0)])]
        self.assertEqual(self.count(one_bad, *job), self.count(frames[:2], *job))
        told = self.refuse(frames[:2] + [(CELL, [*ATOMS[:3], ('1e12', 1.0, 1.0)])], *job)
        self.assertIn('frame 2: Atom 4 has no usable position', told)

    def test_a_flat_cell(self):
        flat = CELL.replace('0 0 10"', '0 0 0"')
        told = self.refuse([(CELL, ATOMS), (CELL, ATOMS), (flat, ATOMS)], '--pair', 'all', 'all', '--max', '4')
        self.assertIn('frame 2 has no cell with a volume', told)

    def test_a_selection_that_becomes_empty(self):
        """A frame in which one atom is chosen has no pair, and one with none no neighbours either: in every order."""
        job = ('--pair', 'z > 3', 'z > 3', '--max', '5', '--width', '1')
        pair, one, none = ([(x, y, 4.0 if n < chosen else 0.0) for n, (x, y, _) in enumerate(ATOMS)]
                           for chosen in (3, 1, 0))
        alone = self.count([(CELL, pair)], *job)
        self.assertGreater(sum(float(row['g']) for row in alone), 0.0)
        for frames in itertools.permutations((pair, one, none)):
            rows = self.count([(CELL, frame) for frame in frames], *job)
            for row, expected in zip(rows, alone):
                self.assertEqual(row['count'], expected['count'])
                self.assertAlmostEqual(float(row['g']), float(expected['g']), delta=1e-12)
                self.assertAlmostEqual(float(row['coordination']), 0.5 * float(expected['coordination']), delta=1e-12)
        done = self.run_cli('rdf', *job, '-o', 'x.csv', 'good.xyz')
        self.assertIn('g(r) of “z > 3-z > 3” uses the 1 of 3 frames that have such pairs', done.stderr)

    def test_a_selection_that_becomes_empty_without_a_cell(self):
        high, flat = (('none', [(x, y, z if n == 2 else 0.0) for n, (x, y, _) in enumerate(ATOMS)]) for z in (4.0, 0.0))
        job = ('--pair', 'z > 3', 'all', '--max', '6', '--density', '0.1')
        alone = self.count([high], *job)
        self.assertEqual([row['g'] for row in self.count([high, flat], *job)], [row['g'] for row in alone])
        told = self.run_cli('rdf', *job, '-o', 'x.csv', 'good.xyz').stderr
        self.assertIn('g(r) of “z > 3-all” uses the 1 of 2 frames that have such pairs', told)
        # Where no density is stated there is no g in any frame, of which another note tells.
        self.assertNotIn('such pairs', self.run_cli('rdf', *job[:-2], '-o', 'x.csv', 'good.xyz').stderr)

    def test_nearest_images_up_to_the_diagonal(self):
        """Every pair is counted once, and g over the geometric factor is the g of all images in range."""
        job = ('--pair', 'all', 'all', '--width', '0.5', '--max', 'diagonal')
        rows = self.count([(CELL, ATOMS)], *job, '--images', 'nearest', '--geometric-factor')
        self.assertEqual(float(rows[-1]['r_high']), 9.0)   # 5·√3 = 8.66, a multiple of the width
        self.assertEqual(sum(float(row['count']) for row in rows), 6)
        for row in rows:
            r = 0.5 * (float(row['r_low']) + float(row['r_high']))
            if r < 5:
                self.assertEqual(float(row['geometric_factor']), 1.0)
            elif r < 7:
                self.assertAlmostEqual(float(row['geometric_factor']), (30 - 4 * r) / (2 * r), delta=0.005)
        done = self.run_cli('rdf', *job, '--images', 'nearest', '--geometric-factor', '--plot', 'g_divided', '-o', 'd.csv',
                            'good.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_geometric_factor_that_means_nothing(self):
        job = ('--pair', 'all', 'all', '--max', '4', '--geometric-factor')
        self.write('bad.xyz', (CELL, ATOMS))
        self.assertIn('--images nearest', self.expect_usage('rdf', *job, '-o', 'x.csv', 'bad.xyz'))
        self.assertIn('has no cell', self.refuse([('none', ATOMS)], *job, '--images', 'nearest'))
        self.assertIn('diagonal', self.refuse([('none', ATOMS)], '--pair', 'all', 'all', '--max', 'diagonal'))
        self.assertIn('or diagonal', self.expect_usage('rdf', '--pair', 'all', 'all', '--max', 'edge', '-o', 'x.csv', 'bad.xyz'))

    def test_a_density_beside_a_cell(self):
        """The cell counts, which is said."""
        job = ('--pair', 'all', 'all', '--max', '4', '--width', '1')
        alone = self.count([(CELL, ATOMS)], *job)
        self.assertEqual(self.count([(CELL, ATOMS)], *job, '--density', '0.5'), alone)
        done = self.run_cli('rdf', *job, '--density', '0.5', '-o', 'x.csv', 'good.xyz')
        self.assertIn('The stated density is not used', done.stderr)

    def test_pos_d(self):
        """Three edges, a number, rows: unit and element are chosen on the line, and rerun has them from the result."""
        (self.folder / 'pos.d').write_text('1 1 1\n4\n' + ''.join('%g %g %g\n' % tuple(x / 10 for x in atom) for atom in ATOMS),
                                           encoding='ascii')
        expected = self.count([(CELL, ATOMS)], '--pair', 'element O', 'all', '--max', '4', '--width', '1')
        job = ('rdf', '--quiet', '--pair', 'element O', 'all', '--max', '4', '--width', '1')
        done = self.run_cli(*job, '--strict', '--length-unit', 'nm', '--element', 'X=O', '-o', 'p.csv', '-o', 'p.h5', 'pos.d')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_cli('rerun', '--quiet', 'p.h5', '-o', 'again.csv')
        for name in ('p.csv', 'again.csv'):
            with open(self.folder / name, encoding='utf-8') as lines:
                rows = list(csv.DictReader(line for line in lines if not line.startswith('#')))
            self.assertEqual([row['count'] for row in rows], [row['count'] for row in expected])
            for row, known in zip(rows, expected):
                self.assertAlmostEqual(float(row['g']), float(known['g']), delta=1e-9)
        self.assertIn('unit of length', self.expect_failure(*job, '--strict', '-o', 'p.csv', 'pos.d'))
        self.assertIn('angstrom', self.expect_usage(*job, '--length-unit', 'mile', '-o', 'p.csv', 'pos.d'))
        self.assertIn('leaves its unit open', self.expect_usage(*job, '--length-unit', 'nm', '-o', 'p.csv', 'good.xyz'))

    def test_a_cell_that_is_too_narrow_for_the_distance(self):
        """The setting is named that is its cause, and the frame, be it the first one or another."""
        for cells, frame in (((0.5, 10.0), 0), ((10.0, 0.5), 1)):
            text = ''.join(f'1\nLattice="{a} 0 0 0 {a} 0 0 0 {a}"\nH 0 0 0\n' for a in cells)
            (self.folder / 'narrow.xyz').write_text(text, encoding='ascii')
            told = self.run_cli('rdf', '--pair', 'all', 'all', '--max', '60', '--width', '1', '-o', 'x.csv', 'narrow.xyz')
            self.assertIn(f'Largest distance: the cell of frame {frame} is 0.5 Å wide, expected at most 100 times that, found 60 Å',
                          told.stderr)
            self.assertNotEqual(told.returncode, 0)

    def test_a_selection_that_is_empty_in_all_frames(self):
        told = self.refuse([(CELL, ATOMS), (CELL, ATOMS)], '--pair', 'x > 50', 'all', '--max', '4')
        self.assertIn('“x > 50” chooses none of 4 atoms in any frame', told)

    def test_structure_factor_of_a_selection_that_changes(self):
        """S − 1 is the mean density times a transform of which Faber-Ziman has the density of all atoms: in every order."""
        two, four = ([(x, y, 4.0 if n < chosen else 0.0) for n, (x, y, _) in enumerate(ATOMS)] for chosen in (2, 4))
        for frames in ((two, four), (four, two)):
            partial, factor = (self.transform(frames, '--pair', 'z > 3', 'z > 3', '--max', '5', '--width', '0.5',
                                              '--structure-factor', '0:4:1', '--convention', convention)
                               for convention in ('faber-ziman', 'ashcroft-langreth'))
            self.assertEqual(len(factor), 5)
            for of_all, of_three in zip(partial, factor):
                self.assertAlmostEqual(of_three - 1.0, (of_all - 1.0) * 3.0 / 4.0, delta=1e-9)

    def transform(self, frames, *arguments):
        done = self.run_cli('rdf', *arguments, '-o', 's.h5', self.write('s.xyz', *((CELL, frame) for frame in frames)))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run(['h5dump', '-y', '-w', '0', '-m', '%.17g', '-d',
                               '/entry/z_3_z_3_structure_factor/structure_factor', 's.h5'],
                              cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True)
        return [float(number) for number in re.search(r'DATA \{(.*?)\}', done.stdout, re.DOTALL).group(1).split(',')]

    def test_an_empty_selection(self):
        told = self.refuse([(CELL, ATOMS)], '--pair', 'element Xe', 'all', '--max', '4')
        self.assertIn('“element Xe” chooses none of 4 atoms in frame 0', told)

    def test_a_distance_beyond_an_open_system(self):
        told = self.refuse([('none', ATOMS)], '--pair', 'all', 'all', '--max', '500')
        self.assertIn('frame 0 has no cell', told)
        self.assertIn('found 500', told)

    def test_frames_of_other_sizes(self):
        done = self.run_cli('rdf', '--pair', 'all', 'all', '--max', '4', '-o', 'x.csv',
                            self.write('sizes.xyz', (CELL, ATOMS), (CELL, ATOMS[:2]), (CELL, ATOMS)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('frames have 2 to 4 of 4 atoms', done.stderr)
        self.assertIn('frame 1 is left out', done.stderr)

    def test_positions_that_are_no_numbers(self):
        done = self.run_cli('rdf', '--pair', 'all', 'all', '--max', '4', '-o', 'x.csv',
                            self.write('nan.xyz', (CELL, ATOMS), (CELL, self.moved(math.nan)), (CELL, ATOMS)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('frame 1 is left out', done.stderr)

    def test_structure_factor_without_a_cell(self):
        done = self.run_cli('rdf', '--pair', 'all', 'all', '--max', '8', '--structure-factor', '1:5:0.5', '-o', 'x.h5',
                            self.write('open.xyz', ('none', ATOMS)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('S(q) is not known', done.stderr)
        self.assertNotIn('nan', done.stderr)

    def test_one_atom(self):
        """No pair, and without a cell nothing but that is said."""
        rows = self.count([('none', ATOMS[:1])], '--pair', 'all', 'all', '--max', '5')
        self.assertEqual(sum(int(row['count']) for row in rows), 0)
        rows = self.count([(CELL, ATOMS[:1])], '--pair', 'all', 'all', '--max', '5')
        self.assertEqual(sum(int(row['count']) for row in rows), 0)
        # Its own images, where they are asked for: six neighbours, each pair of images once.
        rows = self.count([(CELL, ATOMS[:1])], '--pair', 'all', 'all', '--max', '12', '--self-images')
        self.assertEqual(sum(int(row['count']) for row in rows), 3)

    def test_selections_that_share_atoms(self):
        """Pairs of different atoms, each as often as its two can be put in order: against a plain loop."""
        def distance(a, b):
            return math.sqrt(sum(((x - y + 5.0) % 10.0 - 5.0) ** 2 for x, y in zip(ATOMS[a], ATOMS[b])))
        for first, second, a, b in (('index 0 to 2', 'index 1 to 3', (0, 1, 2), (1, 2, 3)),
                                    ('index 0 to 3', 'index 0 to 3', (0, 1, 2, 3), (0, 1, 2, 3)),
                                    ('index 0', 'index 1 to 3', (0,), (1, 2, 3)),
                                    ('index 0 to 3', 'index 2', (0, 1, 2, 3), (2,))):
            rows = self.count([(CELL, ATOMS)], '--pair', first, second, '--max', '5', '--width', '1')
            expected = [0] * 5
            for i, j in itertools.product(a, b):
                if i != j and distance(i, j) < 5.0:
                    expected[int(distance(i, j))] += 1
            if a == b:
                expected = [n // 2 for n in expected]
            self.assertEqual([int(row['count']) for row in rows], expected, (first, second))

    def test_a_number_of_bins(self):
        """What is kept as their width is what they had, and again so when the result is made anew from that."""
        for most, bins, width in (('8', '16', '0.5'), ('7', '3', '2.33333333333333'), ('500', '1', '500'),
                                  ('0.1', '4096', '2.44140625e-05')):
            self.count([(CELL, ATOMS)], '--pair', 'all', 'all', '--max', most, '--bins', bins, '--images', 'nearest')
            said = (self.folder / 'x.csv').read_text(encoding='utf-8')
            self.assertIn(f'# width: {width} Å\n# bins: {bins}\n', said)
        self.assertEqual(self.run_cli('rdf', '--pair', 'all', 'all', '--max', '7', '--bins', '3', '-o', 'a.h5', 'good.xyz').returncode, 0)
        for name in ('a.h5', 'b.h5'):
            done = self.run_cli('rerun', '--strict', '-o', 'b.h5' if name == 'a.h5' else 'c.h5', name)
            self.assertEqual(done.returncode, 0, done.stderr)
        kept = [self.dump_settings(name) for name in ('a.h5', 'c.h5')]
        self.assertIn('2.33333333333333', kept[0])
        self.assertEqual(*kept)

    def dump_settings(self, name):
        done = subprocess.run(['h5dump', '-N', 'width', '-N', 'bins', '-N', 'max', name], cwd=self.folder, stdout=subprocess.PIPE,
                              text=True, check=True)
        return done.stdout.split('\n', 1)[1]

    def test_volume_of_each_frame(self):
        """The same counts in a cell of twice the volume: g is the mean of once and twice."""
        large = CELL.replace('0 0 10"', '0 0 20"')
        alone = self.count([(CELL, ATOMS)], '--pair', 'all', 'all', '--max', '3.5', '--width', '0.5')
        both = self.count([(CELL, ATOMS), (large, ATOMS)], '--pair', 'all', 'all', '--max', '3.5', '--width', '0.5')
        for one, two in zip(alone, both):
            self.assertEqual(2 * int(one['count']), int(two['count']))
            self.assertAlmostEqual(1.5 * float(one['g']), float(two['g']), delta=1e-9)


if __name__ == '__main__':
    unittest.main(verbosity=2)
