#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli density against plain sums over all atoms and copies, and what it refuses before it begins."""
import math
import os
import random
import sys
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402

N_FRAMES = 12
WATER = numpy.array([[0.0, 0.0, 0.0], [0.957, 0.0, 0.0], [-0.24, 0.927, 0.0]])
CHARGES = numpy.array([-0.8, 0.4, 0.4])


def rotation(rng):
    matrix, _ = numpy.linalg.qr(numpy.array([[rng.gauss(0, 1) for _ in range(3)] for _ in range(3)]))
    return matrix * numpy.linalg.det(matrix)


def fit(moved, reference):
    """(R, from, to) that lays moved on reference, rows times R."""
    a, b = moved.mean(0), reference.mean(0)
    v, _, w = numpy.linalg.svd((moved - a).T @ (reference - b))
    v[:, -1] *= numpy.sign(numpy.linalg.det(v @ w))
    return v @ w, a, b


class Density(CliCase):
    """Rigid waters and an ion in a cube that breathes."""
    n_waters = 20

    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        self.frames, self.cells = [], []
        for t in range(N_FRAMES):
            edge = 9.0 + 0.25 * (t % 4)
            atoms = [WATER @ rotation(rng) + numpy.array([rng.uniform(0, edge) for _ in range(3)])
                     for _ in range(self.n_waters)]
            atoms.append(numpy.array([[rng.uniform(0, edge) for _ in range(3)]]))
            self.frames.append(numpy.round(numpy.concatenate(atoms), 3))
            self.cells.append(edge)
        atoms = [(name, 'HOH', w + 1, *self.frames[0][3 * w + k], CHARGES[k], 1.0)
                 for w in range(self.n_waters) for k, name in enumerate(('O', 'H1', 'H2'))]
        cli.write_pqr(self.folder / 'top.pqr', atoms + [('NA', 'NA', self.n_waters + 1, *self.frames[0][-1], 1.0, 1.0)])
        with open(self.folder / 'run.xyz', 'w', encoding='ascii') as file:
            for places, edge in zip(self.frames, self.cells):
                file.write(f'{len(places)}\nLattice="{edge} 0 0 0 {edge} 0 0 0 {edge}" Properties=species:S:1:pos:R:3\n')
                names = ['O', 'H', 'H'] * self.n_waters + ['Na']
                file.writelines(f'{n} {x:.3f} {y:.3f} {z:.3f}\n' for n, (x, y, z) in zip(names, places))

    def compute(self, *arguments, files=('top.pqr', 'run.xyz')):
        done = self.run_cli('density', '--quiet', '--frames', '1:-1', *arguments, '-o', 'result.h5', *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        maps = {}

        def visit(name, item):
            if isinstance(item, h5py.Dataset) and item.ndim == 3:
                maps[name.rpartition('/')[2]] = item[()].transpose(2, 1, 0)

        with h5py.File(self.folder / 'result.h5', 'r') as file:
            file.visititems(visit)
        return maps

    def images(self, t, d):
        return d - self.cells[t] * numpy.rint(d / self.cells[t])

    def expect_copies(self, weights, edges):
        """Atoms around each water laid on the first one of the first frame, its own left out; sums of each frame."""
        model = self.frames[0][:3]
        sums = []
        for t, places in enumerate(self.frames):
            total = numpy.zeros((len(edges[0]) - 1,) * 3)
            for w in range(self.n_waters):
                turn, a, b = fit(places[3 * w:3 * w + 3], model)
                others = [i for i in range(len(places)) if i // 3 != w and weights[i] != 0]
                moved = self.images(t, places[others] - a) @ turn + b
                total += numpy.histogramdd(moved, bins=edges, weights=weights[others])[0]
            sums.append(total / self.n_waters)
        return numpy.array(sums)

    def test_copies(self):
        n, h = 8, 1.1
        origin = self.frames[0][0] - 4.0
        edges = [origin[k] - 0.5 * h + h * numpy.arange(n + 1) for k in range(3)]
        grid = ('--about', 'resname HOH', '--copies', '--spacing', h, '--origin', ','.join(map(repr, map(float, origin))),
                '--shape', f'{n},{n},{n}')
        weights = numpy.array(list(CHARGES) * self.n_waters + [1.0])
        for weight, of in (('number', numpy.ones(len(weights))), ('charge', weights)):
            with self.subTest(weight):
                expected = self.expect_copies(of, edges) / h ** 3
                found = self.compute('--weight', weight, '--blocks', '4', *grid)
                numpy.testing.assert_allclose(found['density'], expected.mean(0), rtol=0, atol=1e-6)
                error = expected.reshape(4, 3, n, n, n).mean(1).std(0, ddof=1) / math.sqrt(4)
                numpy.testing.assert_allclose(found['density_error'], error, rtol=0, atol=1e-6)

    def test_occupancy(self):
        grid = ('--origin', '0.75,0.75,0.75', '--shape', '6,6,6', '--spacing', '1.5')
        found = self.compute('--weight', 'occupancy', *grid)['occupancy']
        share = numpy.zeros((6, 6, 6))
        for t, places in enumerate(self.frames):
            middle = numpy.full(3, 4.5)
            share += numpy.histogramdd(self.images(t, places - middle) + middle, bins=[1.5 * numpy.arange(7)] * 3)[0] > 0
        numpy.testing.assert_allclose(found, share / N_FRAMES, atol=1e-6)

    def test_dipole(self):
        """One water: its moment, turned with the reference, is where its centre is."""
        found = self.compute('--select', 'resid 1', '--weight', 'dipole', '--about', 'resid 1', '--spacing', '1', '--padding', '3')
        total = [found[f'dipole_{axis}'].sum() for axis in 'xyz']
        numpy.testing.assert_allclose(total, CHARGES @ self.frames[0][:3], atol=5e-3)

    def test_gaussian(self):
        """What is spread is all there, and a frame of another size counts for its own."""
        for grid in (('--bins', '9,9,9'), ('--spacing', '1', '--padding', '8', '--about', 'resid 1')):
            found = self.compute('--gaussian', '1.2', *grid)['density']
            volume = self.cells[0] ** 3 / 729 if grid[0] == '--bins' else 1.0
            n = 61 * numpy.mean([(self.cells[0] / edge) ** 3 for edge in self.cells]) if grid[0] == '--bins' else 61
            self.assertAlmostEqual(found.sum() * volume / n, 1.0, delta=2e-3)

    def test_relative(self):
        found = self.compute('--bins', '4,4,4', '--relative')['relative_density']
        self.assertAlmostEqual(found.mean(), 1.0, places=5)

    def test_centred(self):
        """The centre is in the middle, and the halves are alike."""
        done = self.run_cli('density', '--quiet', '--frames', '1:-1', '--select', 'element Na', '--center', 'element Na',
                            '--profile', 'z', '--bins', '5', '--symmetrise', '-o', 'p.csv', 'top.pqr', 'run.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(',') for line in (self.folder / 'p.csv').read_text().splitlines() if line[:1] != '#'][1:]
        values = [float(row[1]) for row in rows]
        self.assertEqual(values[:2] + values[3:], [0.0] * 4)
        self.assertAlmostEqual(values[2], 5 * numpy.mean([edge ** -3 for edge in self.cells]), places=9)
        self.assertAlmostEqual(float(rows[2][0]), 0.0, places=9)

    def test_blobs(self):
        """An ion that hops among three places: who was where, in which frames, how long."""
        places = [2.0, 2.0, 7.0, 7.0, 7.0, 2.0, 4.5, 2.0]
        with open(self.folder / 'hop.xyz', 'w', encoding='ascii') as file:
            for x in places:
                file.write(f'1\n\nNa {x} 0.2 0.2\n')
        self.compute('--weight', 'occupancy', '--frames', '0:-1', '--origin', '0,0,0', '--shape', '10,3,3', '--spacing', '1',
                     files=('hop.xyz',))
        os.rename(self.folder / 'result.h5', self.folder / 'map.h5')
        done = self.run_cli('density', '--quiet', '--blobs', 'map.h5', '--level', '0.3', '-o', 'v.csv', 'hop.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(',') for line in (self.folder / 'v.csv').read_text().splitlines() if line[:1] != '#']
        found = [dict(zip(rows[0], row)) for row in rows[1:]]
        self.assertEqual([[float(row[key]) for key in ('first_frame', 'last_frame', 'frames', 'share', 'stays', 'longest_stay')]
                          for row in found], [[0, 7, 4, 0.5, 3, 2], [2, 4, 3, 0.375, 1, 3]])
        self.assertIn('expected one (--level)', self.run_cli('density', '--blobs', 'map.h5', '-o', 'v.csv', 'hop.xyz').stderr)

    def read_visits(self, *arguments, file='hop.xyz'):
        done = self.run_cli('density', '--quiet', '--blobs', 'map.h5', *arguments, '-o', 'v.csv', file)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(',') for line in (self.folder / 'v.csv').read_text().splitlines() if line[:1] != '#']
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    def test_blob_at(self):
        """The same ion: one place alone, from a point in it, on its surface and off it."""
        places = [2.0, 2.0, 7.0, 7.0, 7.0, 2.0, 4.5, 2.0]
        with open(self.folder / 'hop.xyz', 'w', encoding='ascii') as file:
            for x in places:
                file.write(f'1\n\nNa {x} 0.2 0.2\n')
        self.compute('--weight', 'occupancy', '--frames', '0:-1', '--origin', '0,0,0', '--shape', '10,3,3', '--spacing', '1',
                     files=('hop.xyz',))
        os.rename(self.folder / 'result.h5', self.folder / 'map.h5')
        for point in ('7,0,0', '7.4,0.3,0'):
            with self.subTest(point):
                found = self.read_visits('--level', '0.3', '--blob-at', point)
                self.assertEqual([[float(row[key]) for key in ('blob', 'index', 'first_frame', 'frames', 'longest_stay')]
                                  for row in found], [[1, 0, 2, 3, 3]])
        done = self.run_cli('density', '--blobs', 'map.h5', '--level', '0.3', '--blob-at', '5,1,1', '-o', 'v.csv', 'hop.xyz')
        self.assertIn('doesn\'t reach the level 0.3 there', done.stderr)
        for notes, *arguments in (('Residues that were in the blob: 1', '--blob-at', '7,0,0'),
                                  ('Blobs: 2; pairs of a blob and a residue that was in it: 2',)):
            done = self.run_cli('density', '--blobs', 'map.h5', '--level', '0.3', *arguments, '-o', 'v.csv', 'hop.xyz')
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(notes, done.stdout + done.stderr)

    def test_blob_at_negative_level(self):
        """Of a map of charges below a negative level: the chlorine that stays, not the sodium at the other end."""
        cli.write_pqr(self.folder / 'ions.pqr', [('NA', 'NA', 1, 1.0, 1.0, 1.0, 1.0, 1.0), ('CL', 'CL', 2, 5.0, 1.0, 1.0, -1.0, 1.0)])
        self.compute('--weight', 'charge', '--frames', '0', '--origin', '0,0,0', '--shape', '8,3,3', '--spacing', '1',
                     files=('ions.pqr',))
        os.rename(self.folder / 'result.h5', self.folder / 'map.h5')
        found = self.read_visits('--level=-0.5', '--blob-at', '5,1,1', file='ions.pqr')
        self.assertEqual([(row['residue'], float(row['share'])) for row in found], [('CL 2', 1.0)])

    def test_blobs_of_bins(self):
        """A cell that breathes: an ion at a fixed fraction of it stays in its voxel."""
        with open(self.folder / 'breath.xyz', 'w', encoding='ascii') as file:
            for edge in (10.0, 12.0, 14.0):
                file.write(f'1\nLattice="{edge} 0 0 0 {edge} 0 0 0 {edge}" Properties=species:S:1:pos:R:3\n')
                file.write(f'Na {0.75 * edge:.3f} {0.25 * edge:.3f} {0.25 * edge:.3f}\n')
        self.compute('--weight', 'occupancy', '--frames', '0:-1', '--bins', '10', files=('breath.xyz',))
        os.rename(self.folder / 'result.h5', self.folder / 'map.h5')
        found = self.read_visits('--bins', '10', '--level', '0.9', '--blob-at', '7.5,2.5,2.5', file='breath.xyz')
        self.assertEqual([float(row['frames']) for row in found], [3])
        for bins, sentence in (('abc', 'expected N or N,N,N'), ('8', "the map isn't of 8 bins of the cell"),
                               ('10,10,8', "the map isn't of 10,10,8 bins of the cell")):
            self.refuse_bins(bins, sentence)
        for grid in (('0.5,0.5,0.5', '0.5'), ('3,0.5,0.5', '1')):
            self.compute('--weight', 'occupancy', '--frames', '0', '--origin', grid[0], '--shape', '10,10,10', '--spacing', grid[1],
                         files=('breath.xyz',))
            os.rename(self.folder / 'result.h5', self.folder / 'map.h5')
            self.refuse_bins('10', "the map isn't of 10 bins of the cell")

    def refuse_bins(self, bins, sentence):
        done = self.run_cli('density', '--blobs', 'map.h5', '--level', '0.9', '--bins', bins, '-o', 'v.csv', 'breath.xyz')
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)

    def test_refusals(self):
        files = ('--frames', '1:-1', 'top.pqr', 'run.xyz')
        for words, *arguments in (
                ('Reference: the selection “within 3 of index 0” depends on positions', '--about', 'within 3 of index 0'),
                ('chooses none of 61 atoms', '--about', 'resname LIG'),
                ('copies must have the same atoms', '--about', 'all', '--copies'),
                ('voxels need', '--spacing', '0.02', '--memory', '64M'),
                ('voxels are too many', '--shape', '4000,4000,4000', '--spacing', '1'),
                ('expected a reference', '--copies'),
                ('expected at least the edge of a voxel', '--spacing', '1', '--gaussian', '0.5'),
                ('expected N or N,N,N', '--bins', '4,4'),
                ('has no cell', '--bins', '4,4,4', '--cell', 'none'),
                ('have no bulk density', '--relative', '--weight', 'charge'),
                ('around one reference or none', '--blobs', 'm.h5', '--level', '1', '--about', 'resname HOH', '--copies'),
                ('expected a map that has the blob (--blobs), found none', '--blob-at', '1,1,1'),
                ('needs atoms to measure from', '--profile', 'radial')):
            with self.subTest(words):
                done = self.run_cli('density', *arguments, '-o', 'x.csv', *files)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(words, done.stderr)


if __name__ == '__main__':
    unittest.main(verbosity=2)
