#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli orbital against reference values of orbitals and densities, files of eight programs, and against PySCF's cubes."""
import gzip
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

FILES = pathlib.Path(os.environ.get('DEBYE_SHARED') or '/nonexistent') / 'reference/next/orbitals'
BOHR = 0.529177210903
# Two contractions of it begin with coefficients of 0, which the reference's program took for no functions at all.
WRONG = 'h2o_ccpvdz_cfour.molden'
# Of the largest value.
TOLERANCE = 1e-5
# Cartesian g functions as Molden files and as formatted checkpoints have them; the lower ones are alike in both, as pure ones are.
MOLDEN_G = 'xxxx yyyy zzzz xxxy xxxz xyyy yyyz xzzz yzzz xxyy xxzz yyzz xxyz xyyz xyzz'.split()
GAUSSIAN_G = 'zzzz yzzz yyzz yyyz yyyy xzzz xyzz xyyz xyyy xxzz xxyz xxyy xxxz xxxy xxxx'.split()


def read_columns(path):
    lines = [line for line in path.read_text(encoding='utf-8').splitlines() if not line.startswith('#')]
    return lines[0].split(','), numpy.array([[float(word) for word in line.split(',')] for line in lines[1:]])


def read_cube(path):
    lines = gzip.open(path, 'rt', encoding='utf-8').read().splitlines()
    rows = [[float(word) for word in line.split()] for line in lines[2:6]]
    n_atoms, origin = int(rows[0][0]), numpy.array(rows[0][1:4])
    values = numpy.array([float(word) for line in lines[6 + n_atoms:] for word in line.split()])
    axes = [origin[i] + rows[1 + i][1 + i] * numpy.arange(int(rows[1 + i][0])) for i in range(3)]
    return numpy.stack(numpy.meshgrid(*axes, indexing='ij'), -1).reshape(-1, 3), values


def read_molden(path):
    """Of one atom: its place, shells as pairs of a letter and primitives, rows of coefficients."""
    lines = gzip.open(path, 'rt', encoding='utf-8').read().splitlines()
    place = [float(word) for word in lines[lines.index('[Atoms] (AU)') + 1].split()[3:]]
    shells, rows, has_orbitals = [], [], False
    for line in lines[lines.index('[GTO]') + 2:]:
        words = line.split()
        has_orbitals = has_orbitals or line == '[MO]'
        if has_orbitals and 'Sym=' in line:
            rows.append([])
        elif has_orbitals and len(words) == 2 and words[0].isdigit():
            rows[-1].append(float(words[1]))
        elif not has_orbitals and words and words[0] in ('s', 'p', 'd', 'f', 'g'):
            shells.append((words[0], []))
        elif not has_orbitals and len(words) == 2 and words[0] != '1':
            shells[-1][1].append([float(word) for word in words])
    return place, shells, numpy.array(rows)


def write_checkpoint(path, place, shells, rows, is_pure):
    """As Gaussian has them: a scalar or an array each, 6 whole or 5 real numbers a line."""
    sizes = {'s': 1, 'p': 3, 'd': 5 if is_pure else 6, 'f': 7 if is_pure else 10, 'g': 9 if is_pure else 15}
    order = []
    for letter, _ in shells:
        inner = [MOLDEN_G.index(one) for one in GAUSSIAN_G] if letter == 'g' and not is_pure else range(sizes[letter])
        first = len(order)
        order += [first + at for at in inner]
    types = [('spdfg'.index(letter)) * (-1 if is_pure and letter in 'dfg' else 1) for letter, _ in shells]
    primitives = [one for _, of in shells for one in of]
    values = {'Number of atoms': 1, 'Charge': 0, 'Multiplicity': 1, 'Number of electrons': 10, 'Number of alpha electrons': 5,
              'Number of beta electrons': 5, 'Atomic numbers': [10], 'Nuclear charges': [10.0],
              'Current cartesian coordinates': place, 'Number of basis functions': len(order),
              'Number of independent functions': len(rows), 'Number of contracted shells': len(shells),
              'Number of primitive shells': len(primitives), 'Pure/Cartesian d shells': 0 if is_pure else 1,
              'Pure/Cartesian f shells': 0 if is_pure else 1, 'Highest angular momentum': 4, 'Largest degree of contraction': 9,
              'Shell types': types, 'Number of primitives per shell': [len(of) for _, of in shells],
              'Shell to atom map': [1] * len(shells), 'Primitive exponents': [one[0] for one in primitives],
              'Contraction coefficients': [one[1] for one in primitives], 'Coordinates of each shell': place * len(shells),
              'Alpha Orbital Energies': [float(i) for i in range(len(rows))],
              'Alpha MO coefficients': rows[:, order].ravel().tolist()}
    with open(path, 'w', encoding='ascii') as file:
        file.write('neon\nSP        RHF                                                         cc-pVQZ\n')
        for name, value in values.items():
            numbers = value if isinstance(value, list) else [value]
            kind, width, form = ('R', 5, '{:16.8E}') if isinstance(numbers[0], float) else ('I', 6, '{:12d}')
            if not isinstance(value, list):
                file.write(f'{name:<40}   {kind}     {value:12d}\n')
                continue
            file.write(f'{name:<40}   {kind}   N={len(numbers):12d}\n')
            for i in range(0, len(numbers), width):
                file.write(''.join(form.format(number) for number in numbers[i:i + width]) + '\n')


class Reference(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-orbital-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def evaluate(self, file, points, *arguments):
        numpy.savetxt(self.folder / 'points.txt', points * BOHR, fmt='%.17g')
        done = cli.run('orbital', *arguments, '--at', self.folder / 'points.txt', '--quiet', '-o', self.folder / 'values.csv',
                       FILES / file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_columns(self.folder / 'values.csv')[1][:, 3:].T

    def check(self, found, expected, what):
        self.assertLessEqual(abs(found - expected).max(), TOLERANCE * abs(expected).max(), what)

    def test_values_of_all_files(self):
        with h5py.File(FILES / 'orbitals.h5', 'r') as known:
            for name, group in known.items():
                if name == WRONG:
                    continue
                file = str(group.attrs.get('file', name)) + '.gz'
                numbers = group['mo_index'][()][:12]
                options = [word for number in numbers for word in ('--orbital', str(number))]
                has_density = 'density' in group and group['density'][()].max() > 0
                found = self.evaluate(file, group['points_bohr'][()], *options, *(['--density'] if has_density else []))
                for row, expected in zip(found[:len(numbers)], group['mo'][()]):
                    self.check(row, expected, name)
                if has_density:
                    self.check(found[len(numbers)], group['density'][()], name)

    def test_order_of_checkpoints(self):
        """PySCF's orbitals up to g, Cartesian and pure, in Gaussian's order; 8 figures are written."""
        with h5py.File(FILES / 'orbitals.h5', 'r') as known:
            for kind in ('cart', 'sph'):
                place, shells, rows = read_molden(FILES / f'neon_ccpvqz_{kind}.molden.gz')
                path = self.folder / f'neon_{kind}.fchk'
                write_checkpoint(path, place, shells, rows, kind == 'sph')
                group = known[f'neon_ccpvqz_{kind}']
                numbers = group['mo_index'][()]
                options = [word for number in numbers for word in ('--orbital', str(number))]
                found = self.evaluate(path, group['points_bohr'][()], *options)
                for row, expected, number in zip(found, group['mo'][()], numbers):
                    self.check(row, expected, f'{kind} {number}')

    def test_sections_of_molpro(self):
        """Molpro's files have the norms of the format, labels such as 1.1, and sections of its own, which are passed over."""
        text = gzip.open(FILES / 'neon_ccpvqz_sph.molden.gz', 'rt', encoding='utf-8').read()
        text = text.replace('[Molden Format]\n', '[Molden Format]\n[Molpro variables]\n_PROGRAM         ="MOLPRO"\n'
                            '_ENERGY         = -128.54\n[Title]\n Molpro\n', 1)
        (self.folder / 'molpro.molden').write_text(re.sub(r'Sym= +\S+', 'Sym=      1.1', text), encoding='utf-8')
        with h5py.File(FILES / 'orbitals.h5', 'r') as known:
            group = known['neon_ccpvqz_sph']
            numbers = group['mo_index'][()]
            options = [word for number in numbers for word in ('--orbital', str(number))]
            found = self.evaluate(self.folder / 'molpro.molden', group['points_bohr'][()], *options)
            for row, expected in zip(found, group['mo'][()]):
                self.check(row, expected, 'Molpro')

    def test_cubes(self):
        """Steps of six decimals: the last point is known to 1e-5 bohr, where the density at oxygen falls by 16 of itself."""
        for name, options, tolerance in (('homo', ('--orbital', 'homo'), 5e-5), ('density', ('--density',), 2e-4)):
            points, expected = read_cube(FILES / f'water_ccpvtz_sph_{name}.cube.gz')
            found = self.evaluate('water_ccpvtz_sph.molden.gz', points, *options)[0]
            self.assertLessEqual(abs(found - expected).max(), tolerance * abs(expected).max(), name)

    def test_electrostatic_potential(self):
        """PySCF's int1e_rinv at these points (bohr), as orbital files of its own give it."""
        points = numpy.array([[0.3, -0.2, 0.5], [1.5, 1.0, -2.0], [-4.0, 3.0, 6.0], [0.05, 2.2, 0.1]])
        for file, expected in {
                'water_ccpvtz_sph.molden.gz': (6.715421573, 0.057143453, -0.010528711, 0.163333935),
                'neon_ccpvqz_cart.molden.gz': (25.537667704, 0.000550237, 0.0, 0.003775526),
                'OH_uhf_ccpvtz_sph.molden.gz': (3.887847657, -0.046171712, 0.010404796, -0.030892080),
                'NiCO4_def2svp_sph.molden.gz': (8.538442616, 0.050406549, 0.007553740, 0.150742192)}.items():
            found = self.evaluate(file, points, '--potential')[0]
            self.assertLess(abs(found - expected).max(), 1e-8, file)

    def test_maps_are_the_values_at_their_points(self):
        for file in ('NiCO4_def2svp_sph.molden.gz', 'neon_ccpvqz_cart.molden.gz', 'orca_zn_cc_pvqz_pure.molden.gz'):
            wanted = ('--orbital', '5', '--density', '--laplacian')
            done = cli.run('orbital', *wanted, '--origin', '-1.3,-1.1,-0.9', '--shape', '12,11,10', '--spacing', '0.23',
                           '--quiet', '-o', self.folder / 'map.h5', FILES / file)
            self.assertEqual(done.returncode, 0, done.stderr)
            axes = [start + 0.23 * numpy.arange(n) for start, n in ((-1.3, 12), (-1.1, 11), (-0.9, 10))]
            points = numpy.stack(numpy.meshgrid(*axes, indexing='ij'), -1).reshape(-1, 3) / BOHR
            values = self.evaluate(file, points, *wanted)
            with h5py.File(self.folder / 'map.h5', 'r') as result:
                maps = []
                result.visititems(lambda _, item: maps.append(item[()]) if isinstance(item, h5py.Dataset) and item.ndim == 3
                                  else None)
            for expected in values:
                shaped = expected.reshape(12, 11, 10)
                errors = [abs(found.transpose(order) - shaped).max() for found in maps for order in ((0, 1, 2), (2, 1, 0))
                          if found.transpose(order).shape == shaped.shape]
                self.assertLessEqual(min(errors), TOLERANCE * abs(expected).max(), file)


if __name__ == '__main__':
    if not os.environ.get('DEBYE_SHARED'):
        print('DEBYE_SHARED is not set: the reference files are not here')
        sys.exit(77)
    unittest.main(verbosity=2)
