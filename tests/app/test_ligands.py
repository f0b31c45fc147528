#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli ligands against plain sums over all atoms and images, parameter files of each kind, and what it refuses before it begins."""
import itertools
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

KT = 1.987204259e-3 * 300
COULOMB = 332.06371
UFF = {'C': (0.105, 3.851 / 2), 'O': (0.06, 3.5 / 2), 'H': (0.044, 2.886 / 2)}
XENON = (0.494, 2.24)
OXYGEN = (0.12, 1.7)
EDGE, N_FRAMES, N_SIDE, CUTOFF = 9.0, 6, 5, 7.0


def energy(atom, site, r, geometric=False):
    distance = 2 * math.sqrt(atom[1] * site[1]) if geometric else atom[1] + site[1]
    sixth = (distance / r) ** 6
    return numpy.sqrt(atom[0] * site[0]) * (sixth * sixth - 2 * sixth)


def half_sphere(n):
    for i in range(n):
        z = (i + 0.5) / n
        angle = math.pi * (3 - math.sqrt(5)) * i
        yield numpy.array([math.sqrt(1 - z * z) * math.cos(angle), math.sqrt(1 - z * z) * math.sin(angle), z])


class Ligands(CliCase):
    """Some atoms of three elements in a cube."""

    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        self.elements = ['C', 'O', 'H', 'C', 'O', 'H', 'H']
        self.frames = [numpy.round(numpy.array([[rng.uniform(0, EDGE) for _ in range(3)] for _ in self.elements]), 3)
                       for _ in range(N_FRAMES)]
        self.charges = [0.3, -0.4, 0.2, 0.1, -0.3, 0.05, 0.05]
        cli.write_pqr(self.folder / 'top.pqr', [(e, 'MOL', 1, *p, q, 1.0)
                                                for e, p, q in zip(self.elements, self.frames[0], self.charges)])
        with open(self.folder / 'run.xyz', 'w', encoding='ascii') as file:
            for places in self.frames:
                file.write(f'{len(places)}\nLattice="{EDGE} 0 0 0 {EDGE} 0 0 0 {EDGE}" Properties=species:S:1:pos:R:3\n')
                file.writelines(f'{n} {x:.3f} {y:.3f} {z:.3f}\n' for n, (x, y, z) in zip(self.elements, places))

    def compute(self, *arguments, files=('top.pqr', 'run.xyz')):
        # The structure's own place is a frame, without a cell.
        frames = () if '--frames' in arguments or files[0] == 'top.psf' else ('--frames', '1:-1')
        done = self.run_cli('ligands', '--quiet', *frames, '--origin', '1,2,1.5', '--shape', f'{N_SIDE},{N_SIDE},2', '--superpose', 'none',
                            '--spacing', '1.5', '--subsamples', '2', '--cutoff', str(CUTOFF), *arguments, '-o', 'result.h5', *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        maps = {}

        def visit(name, item):
            if isinstance(item, h5py.Dataset) and item.ndim == 3:
                maps[name.rpartition('/')[2]] = item[()].transpose(2, 1, 0)

        with h5py.File(self.folder / 'result.h5', 'r') as file:
            file.visititems(visit)
        return maps

    def refuse(self, *arguments, files=('top.pqr', 'run.xyz')):
        done = self.run_cli('ligands', '--quiet', *arguments, '-o', 'result.h5', *files)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count('\n'), 1)
        self.assertFalse((self.folder / 'result.h5').exists())
        return done.stderr

    def means(self, parameters, sites, directions, charges=None, geometric=False):
        """⟨exp(−E/kT)⟩ of each frame and voxel, z fastest; sites: place along the direction, parameters, charge."""
        found = numpy.zeros((N_FRAMES, N_SIDE, N_SIDE, 2))
        shifts = numpy.array(list(itertools.product((-EDGE, 0, EDGE, -2 * EDGE, 2 * EDGE), repeat=3)))
        samples = numpy.array(list(itertools.product((-0.375, 0.375), repeat=3)))
        for frame, i, j, k in numpy.ndindex(found.shape):
            centre = numpy.array([1, 2, 1.5]) + 1.5 * numpy.array([i, j, k])
            sums = []
            for sample, direction in itertools.product(samples, directions):
                total = 0.0
                for place, site, q in sites:
                    for atom, p in enumerate(self.frames[frame]):
                        r = numpy.linalg.norm(p + shifts - centre - sample - place * direction, axis=1)
                        r = r[r < CUTOFF]
                        total += energy(parameters[self.elements[atom]], site, r, geometric).sum()
                        if charges is not None:
                            total += (COULOMB * q * charges[atom] * (1 / r - 1 / CUTOFF)).sum()
                sums.append(math.exp(-total / KT) if total / KT <= 80 else 0.0)
            found[frame, i, j, k] = numpy.mean(sums)
        return found

    def check(self, found, means, tolerance=1e-3):
        """To 1e-3 of ⟨exp⟩, which is 1e-3 kT."""
        mean = means.mean(0)
        empty = mean < 1e-34
        self.assertTrue(numpy.array_equal(numpy.isnan(found), empty))
        self.assertLess(numpy.abs(found[~empty] + KT * numpy.log(mean[~empty])).max(), tolerance * KT)

    def test_xenon(self):
        means = self.means(UFF, [(0.0, XENON, 0.0)], [numpy.zeros(3)])
        found = self.compute('--force-field', 'table', '--blocks', '3')
        self.check(found['free_energy'], means)
        blocks = means.reshape(3, 2, *means.shape[1:]).mean(1)
        with numpy.errstate(invalid='ignore', divide='ignore'):
            error = KT * blocks.std(0, ddof=1) / math.sqrt(3) / means.mean(0)
        given = found['free_energy_error']
        sampled = means.mean(0) > 1e-30
        self.assertTrue(sampled.any())
        self.assertLess(numpy.abs(given[sampled] / error[sampled] - 1).max(), 5e-3)
        self.assertTrue(numpy.isnan(given[means.mean(0) == 0]).all())

    def test_oxygen_geometric(self):
        sites = [(-0.604, OXYGEN, 0.0), (0.604, OXYGEN, 0.0)]
        means = self.means(UFF, sites, list(half_sphere(4)), geometric=True)
        found = self.compute('--ligand', 'o2', '--orientations', '4', '--combining', 'geometric', '--force-field', 'table')
        self.check(found['free_energy'], means)

    def test_charges_of_a_file(self):
        """A molecule of one atom: its own element, and the charge that its file gives."""
        cli.write_pqr(self.folder / 'ion.pqr', [('O', 'ION', 1, 3.0, 4.0, 5.0, -0.2, 1.0)])
        means = self.means(UFF, [(0.0, UFF['O'], -0.2)], [numpy.zeros(3)], charges=self.charges)
        found = self.compute('--ligand', 'ion.pqr', '--charges', 'file', '--force-field', 'table')
        self.check(found['free_energy'], means)

    def test_parameter_files(self):
        """CHARMM's and GROMACS' files say the same as the plain sum."""
        names = {'C': 'CA', 'O': 'OX', 'H': 'HX'}
        with open(self.folder / 'top.psf', 'w', encoding='ascii') as file:
            file.write('PSF\n\n       1 !NTITLE\n REMARKS made\n\n%8d !NATOM\n' % len(self.elements))
            for i, (e, q) in enumerate(zip(self.elements, self.charges)):
                mass = {'C': 12.011, 'O': 15.999, 'H': 1.008}[e]
                file.write('%8d MOL  1    MOL  %-4s %-4s %10.6f %13.4f %11d\n' % (i + 1, e, names[e], q, mass, 0))
            file.write('\n%8d !NBOND: bonds\n\n' % 0)
        rows = ''.join(f'{names[e].lower()} 0.0 {-p[0]} {p[1]} 0.0 -0.1 1.9 ! {e}\n' for e, p in UFF.items())
        (self.folder / 'a.prm').write_text('* title\n*\n\nBONDS\nCA OX 300.0 1.4\n\nNONBONDED nbxmod 5 atom -\ncutnb 14.0\n' + rows.upper() + 'END\n',
                                           encoding='ascii')
        (self.folder / 'a.itp').write_text('[ defaults ]\n1 2 yes 0.5 0.5\n[ atomtypes ]\n; name mass charge ptype sigma epsilon\n' +
                                           ''.join(f'{names[e]} 6 1.0 0.0 A {p[1] * 2 / 2 ** (1 / 6) / 10:.12g} {p[0] * 4.184:.12g}\n'
                                                   for e, p in UFF.items()) + '[ bondtypes ]\nCA OX 1 0.1 1000\n', encoding='ascii')
        means = self.means(UFF, [(0.0, XENON, 0.0)], [numpy.zeros(3)])
        for name in ('a.prm', 'a.itp'):
            self.check(self.compute('--parameters', name, files=('top.psf', 'run.xyz'))['free_energy'], means)
        (self.folder / 'b.prm').write_text('NONBONDED\nCA 0.0 -0.1 2.0\nEND\n', encoding='ascii')
        (self.folder / 'result.h5').unlink()
        self.assertIn('OX', self.refuse('--parameters', 'b.prm', files=('top.psf', 'run.xyz')))
        (self.folder / 'c.prm').write_text('NONBONDED\nCA 0.0 wrong 2.0\nEND\n', encoding='ascii')
        self.assertIn('c.prm', self.refuse('--parameters', 'c.prm', files=('top.psf', 'run.xyz')))

    @unittest.skipUnless(os.environ.get('DEBYE_SHARED'), 'the folder shared/ is not here')
    def test_run_input(self):
        """GROMACS' run inputs say the same as the itp that they were made with (values of amber99sb-ildn, SPC/E water)."""
        types = {'C': (0.339967, 0.359824), 'CT': (0.339967, 0.457730), 'O': (0.295992, 0.878640), 'N': (0.325000, 0.711280),
                 'H': (0.106908, 0.0656888), 'HC': (0.264953, 0.0656888), 'H1': (0.247135, 0.0656888),
                 'OW_spc': (0.316557, 0.650629), 'HW_spc': (0.0, 0.0),
                 'Na': (0.332840, 0.0115897), 'Cl': (0.440104, 0.418400)}
        (self.folder / 'a.itp').write_text('[ defaults ]\n1 2 yes 0.5 0.5\n[ atomtypes ]\n' +
                                           ''.join(f'{name} 6 1.0 0.0 A {sigma} {epsilon}\n' for name, (sigma, epsilon) in types.items()),
                                           encoding='ascii')
        for name in ('pep', 'w3k'):
            path = os.path.join(os.environ['DEBYE_SHARED'], 'reference', name, f'{name}.tpr')
            arguments = ('--frames', '0', '--ligand', 'ar', '--shape', '12,12,12', '--spacing', '2')
            given = self.compute('--parameters', 'a.itp', *arguments, files=(path,))['free_energy']
            for found in (self.compute(*arguments, files=(path,)), self.compute('--parameters', path, *arguments, files=(path,))):
                sampled = given < 20 * KT
                self.assertGreater(sampled.sum(), 20)
                numpy.testing.assert_allclose(found['free_energy'][sampled], given[sampled], rtol=0, atol=1e-3 * KT)

    def test_cavities(self):
        """Each barrier against the least level at which a flood from bulk in Python reaches the cavity's lowest voxel."""
        self.compute('--force-field', 'table', '--cavities=0', '--shape', '9,9,9', '--spacing', '1', '--blocks', '3')
        with h5py.File(self.folder / 'result.h5', 'r') as file:
            entry = file['entry']
            energies, flooded = (entry['data/free_energy'][()], entry['barrier_to_bulk/barrier_to_bulk'][()])
            table = {name: entry[f'cavities/{name}'][()] for name in ('x', 'y', 'z', 'lowest', 'barrier', 'volume')}
        with numpy.errstate(invalid='ignore'):
            low = energies < 0
        self.assertGreater(len(table['x']), 0)
        labels = self.label(low)
        edge = numpy.ones(energies.shape, dtype=bool)
        edge[1:-1, 1:-1, 1:-1] = False
        edge &= ~numpy.isnan(energies)
        self.assertEqual(labels.max() - len(set(labels[edge].tolist()) - {0}), len(table['x']))
        for x, y, z, lowest, barrier, volume in zip(*[table[name] for name in table]):
            at = tuple(int(round(k)) for k in (z - 1.5, y - 2, x - 1))
            self.assertAlmostEqual(lowest, float(energies[at]), 4)
            self.assertAlmostEqual(volume, float((labels == labels[at]).sum()), 6)
            steps = sorted(set(energies[~numpy.isnan(energies)].tolist()))
            reached = next((level for level in steps if level >= 0 and
                            self.meet(self.label(numpy.nan_to_num(energies, nan=1e30) <= level), at, edge)), None)
            self.assertEqual(reached is None, bool(numpy.isnan(barrier)))
            if reached is not None:
                self.assertAlmostEqual(barrier, reached - lowest, 4)
                self.assertAlmostEqual(float(flooded[at]), reached, 4)

    @staticmethod
    def meet(labels, at, bulk):
        return labels[at] in set(labels[bulk].tolist())

    @staticmethod
    def label(inside):
        """Regions that touch by faces, from 1."""
        labels, n = numpy.zeros(inside.shape, dtype=int), 0
        for start in zip(*numpy.nonzero(inside)):
            if labels[start]:
                continue
            n += 1
            labels[start], todo = n, [start]
            while todo:
                at = todo.pop()
                for axis, side in itertools.product(range(3), (-1, 1)):
                    beside = tuple(k + side * (axis == i) for i, k in enumerate(at))
                    if all(0 <= k < m for k, m in zip(beside, inside.shape)) and inside[beside] and not labels[beside]:
                        labels[beside] = n
                        todo.append(beside)
        return labels

    def test_nothing_there(self):
        """Out of reach of all atoms ΔG is 0."""
        self.frames[0] += 60.0
        cli.write_pqr(self.folder / 'top.pqr', [('C', 'MOL', 1, *self.frames[0][0], 0.0, 1.0)])
        found = self.compute('--force-field', 'table', '--frames', '0', '--cell', 'none', files=('top.pqr',))
        self.assertEqual(numpy.abs(found['free_energy']).max(), 0.0)

    def test_refusals(self):
        self.assertIn('no Lennard-Jones parameters', self.refuse())
        self.assertIn('can\'t be opened', self.refuse('--ligand', 'nothing', '--force-field', 'table'))
        self.assertIn('top.pqr', self.refuse('--parameters', 'top.pqr'))
        (self.folder / 'b.prm').write_text('NONBONDED\nCA 0.0 -0.1 2.0\nEND\n', encoding='ascii')
        self.assertIn('outside the grid', self.refuse('--force-field', 'table', '--cavities=0', '--shape', '9,9,9', '--spacing', '1',
                                                      '--cell', 'none', '--bulk', '90,0,0'))
        self.assertIn('expected a value of “cavities”', self.refuse('--force-field', 'table', '--bulk', '0,0,0'))
        self.assertIn('no atom types', self.refuse('--parameters', 'b.prm'))
        self.assertIn('depends on positions', self.refuse('--force-field', 'table', '--select', 'within 3 of element C'))


if __name__ == '__main__':
    unittest.main()
