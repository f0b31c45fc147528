#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli map --method pb: tables of residues, the reaction field alone, maps that are given and written, focusing, binding; against
Born, Coulomb, Gouy and Chapman and image charges."""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CHARGES, CliCase  # noqa: E402

BJERRUM = 167101.0 / 298.15  # e²/(4πε₀kT), Å
KCAL = 1.98720425864e-3 * 298.15
WATER = 78.54


def write_dx(path, origin, step, shape, function):
    """function(x, y, z) at each point, z fastest."""
    values = [function(*(origin[axis] + step * at for axis, at in enumerate((i, j, k))))
              for i in range(shape[0]) for j in range(shape[1]) for k in range(shape[2])]
    lines = [f'object 1 class gridpositions counts {shape[0]} {shape[1]} {shape[2]}',
             f'origin {origin[0]} {origin[1]} {origin[2]}', f'delta {step} 0 0', f'delta 0 {step} 0', f'delta 0 0 {step}',
             f'object 2 class gridconnections counts {shape[0]} {shape[1]} {shape[2]}',
             f'object 3 class array type double rank 0 items {len(values)} data follows']
    lines += [' '.join(f'{value:.9g}' for value in values[first:first + 3]) for first in range(0, len(values), 3)]
    path.write_text('\n'.join(lines) + '\n', encoding='ascii')


class Grid:
    """A map as read_dx gives it, by places."""

    def __init__(self, path):
        self.origin, self.step, self.shape, self.values = self.read(path)

    @staticmethod
    def read(path):
        shape, origin, step, values = None, None, None, []
        for line in path.read_text(encoding='utf-8').splitlines():
            words = line.split()
            if line.startswith('object 1'):
                shape = tuple(int(word) for word in words[-3:])
            elif line.startswith('origin'):
                origin = tuple(float(word) for word in words[1:])
            elif line.startswith('delta') and step is None:
                step = float(words[1])
            elif words and not line.startswith(('#', 'object', 'delta', 'attribute', 'component')):
                values += [float(word) for word in words]
        return origin, step, shape, values

    def at(self, *place):
        i, j, k = (round((place[axis] - self.origin[axis]) / self.step) for axis in range(3))
        return self.values[(i * self.shape[1] + j) * self.shape[2] + k]


class Poisson(CliCase):
    def solve(self, *arguments):
        """JSON of a map in m.dx."""
        return cli.run_json('map', '--method', 'pb', '-o', 'm.dx', *arguments, folder=self.folder)

    def refuse(self, reason, *arguments):
        self.assertIn(reason, self.expect_failure('map', '--method', 'pb', '-o', 'm.dx', *arguments))

    def write_ions(self, *places, radius=2.0):
        """An ion of charge z in a residue of its own at each (x, y, z, charge)."""
        path = self.folder / 'ions.pqr'
        cli.write_pqr(path, [('NA', 'NA', 1 + i, *place, radius) for i, place in enumerate(places)])
        return path

    def read_table(self, name):
        with open(self.folder / name, encoding='utf-8') as file:
            return list(csv.DictReader(line for line in file if not line.startswith('#')))

    # --- Residues ---

    def test_table_of_residues(self):
        """Its atoms' charges times half their potentials are the energies; what is beyond a residue is known of two of them."""
        told = self.solve('--select', 'all', '--spacing', '0.5', '--energies', '--residues', 'table.csv', self.pqr)
        rows = self.read_table('table.csv')
        atoms = [row for row in rows if row['level'] == 'atom']
        residues = [row for row in rows if row['level'] == 'residue']
        self.assertEqual([row['residue'] for row in residues], ['HOH', 'ALA'])
        self.assertEqual([row['name'] for row in atoms], ['O', 'H1', 'H2', 'N', 'CA', 'C', 'O'])
        for column, energy in (('reaction', 'reaction_kcal'), ('coulomb', 'coulomb_kcal')):
            total = sum(0.5 * float(row['charge']) * float(row[column]) for row in atoms) * KCAL
            self.assertAlmostEqual(total / told[energy], 1, delta=1e-5)
        places = [(0.0, 0.0, 0.0, -0.8), (0.957, 0.0, 0.0, 0.4), (-0.24, 0.927, 0.0, 0.4)]
        n = float(atoms[3]['environment']) - float(atoms[3]['reaction'])
        exact = BJERRUM / 2 * sum(q / math.dist((5.0, 1.0, 2.0), place) for *place, q in places)
        self.assertAlmostEqual(n / exact, 1, delta=1e-5)
        for residue, own in zip(residues, (atoms[:3], atoms[3:])):
            self.assertAlmostEqual(float(residue['charge']), sum(float(row['charge']) for row in own), delta=1e-6)
            energy = sum(0.5 * float(row['charge']) * float(row['reaction']) for row in own) * KCAL
            self.assertAlmostEqual(float(residue['reaction_energy']) / energy, 1, delta=1e-6)
            for column in ('reaction', 'coulomb', 'potential', 'environment'):
                mean = sum(float(row[column]) for row in own) / len(own)
                self.assertAlmostEqual(float(residue[column]), mean, delta=1e-9 * max(1, abs(mean)))

    def test_energies_bring_the_table_and_curves(self):
        """Over the residues the energies add up to that of the whole, and a map's CSV stays the map's."""
        told = cli.run_json('map', '--method', 'pb', '--select', 'all', '--spacing', '1', '--energies', '-o', 'm.h5', '-o', 'm.csv', self.pqr,
                            folder=self.folder)
        done = subprocess.run(['h5dump', '-w', '0', '-d', '/entry/residues/level', '-d', '/entry/residues/reaction_energy', 'm.h5'],
                              cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True)
        # A number a residue and an atom; what else is there are units and names.
        lists = [part.split(', ') for part in re.findall(r'\(0\): (.*)', done.stdout)]
        levels, values = (part for part in lists if len(part) == 2 + 7)
        energies = [float(energy) for level, energy in zip(levels, values) if level == '"residue"']
        self.assertEqual(len(energies), 2)
        self.assertAlmostEqual(sum(energies) / told['reaction_kcal'], 1, delta=1e-5)
        self.assertIn('A: potential of the surroundings in kT/e, 2 points', self.run_cli('info', 'm.h5').stdout)
        self.assertEqual(self.read_table('m.csv')[0].keys(), {'x', 'y', 'z', 'potential'})

    def test_table_has_a_unit_and_is_kept(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        cli.run_json('map', '--method', 'pb', '--select', 'all', '--ionic-strength', '0', '--unit', 'mV', '--residues',
                     'table.csv', '-o', 'm.h5', ion, folder=self.folder)
        self.assertIn('# unit of reaction: mV', (self.folder / 'table.csv').read_text(encoding='utf-8'))
        row = self.read_table('table.csv')[1]
        born = BJERRUM / 2 * (1 / WATER - 1 / 2)
        self.assertAlmostEqual(float(row['reaction']) / (born * 1000 * cli.VOLT / BJERRUM), 1, delta=2e-3)
        self.assertEqual(float(row['coulomb']), 0)
        done = subprocess.run(['h5dump', '-d', '/entry/residues/reaction', 'm.h5'], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, text=True)
        self.assertIn(f'{float(row["reaction"]):.3f}'[:6], done.stdout)

    def test_spread_over_frames(self):
        """Two ions that come nearer: the mean of both frames and how far each is from it."""
        pair = self.write_ions((0.0, 0.0, 0.0, 1.0), (8.0, 0.0, 0.0, 1.0))
        (self.folder / 'pair.xyz').write_text('2\n\nNa 0 0 0\nNa 8 0 0\n2\n\nNa 0 0 0\nNa 10 0 0\n', encoding='ascii')
        # The topology's own frame comes before the trajectory's two.
        arguments = ('--select', 'all', '--superpose', 'none', '--spacing', '0.5', '--origin=-10,-10,-10', '--shape', '65,41,41',
                     '--residues')
        tables = []
        for name, frames in (('both.csv', '1:2'), ('near.csv', '1'), ('far.csv', '2')):
            self.solve(*arguments, name, '--frames', frames, pair, 'pair.xyz')
            tables.append([float(row['environment']) for row in self.read_table(name)])
        both, near, far = tables
        self.assertNotAlmostEqual(near[0], far[0], delta=0.1)
        spread = [float(row['environment_std']) for row in self.read_table('both.csv')]
        for mean, one, other, deviation in zip(both, near, far, spread):
            self.assertAlmostEqual(mean, (one + other) / 2, delta=1e-3)
            self.assertAlmostEqual(deviation, abs(one - other) / 2, delta=1e-3)

    def test_residues_over_time(self):
        """A residue's potential in each frame is that of the frame alone; the table has the mean."""
        pair = self.write_ions((0.0, 0.0, 0.0, 1.0), (8.0, 0.0, 0.0, 1.0))
        frames = self.write_frames([(0, 0, 0), (8, 0, 0)], [(0, 0, 0), (9, 0, 0)], [(0, 0, 0), (10, 0, 0)])
        line = ('--select', 'all', '--superpose', 'none', '--spacing', '0.5', '--origin=-10,-10,-10', '--shape', '65,41,41',
                '--residues', 'table.csv', '--follow', 'resid 2')
        alone = []
        for frame in ('1', '2', '3'):
            self.solve(*line, '--frames', frame, pair, frames)
            alone += [float(row['environment']) for row in self.read_table('table.csv')
                      if row['level'] == 'residue' and row['number'] == '2']
        cli.run_json('map', '--method', 'pb', '-o', 'm.h5', *line, '--frames', '1:3', pair, frames, folder=self.folder)
        done = subprocess.run(['h5dump', '-r', '-n', 'm.h5'], cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True)
        groups = {name for name in re.findall(r'/entry/(\S+)/environment_course', done.stdout)}
        self.assertEqual(len(groups), 1, done.stdout)
        done = subprocess.run(['h5dump', '-y', '-w', '0', '-d', f'/entry/{groups.pop()}/environment_course', 'm.h5'], cwd=self.folder,
                              check=True, stdout=subprocess.PIPE, text=True)
        course = [float(number) for number in re.search(r'DATA \{([^}]*)\}', done.stdout)[1].split(',')]
        self.assertEqual(len(course), 3)
        for one, other in zip(course, alone, strict=True):
            self.assertAlmostEqual(one, other, delta=1e-3)

    def test_residues_that_cannot_be_followed(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        self.refuse('chooses none of 1 atoms', '--select', 'all', '--follow', 'resid 7', ion)
        self.refuse('depends on their positions', '--select', 'all', '--follow', 'x < 1', ion)
        self.refuse('it needs an open boundary', '--select', 'all', '--follow', 'resid 1', '--cell', '20,20,20', '--periodic', 'xyz', ion)

    # --- The reaction field ---

    def test_reaction_field_of_an_ion(self):
        """Within Born's ion it is the same everywhere."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0), radius=3.0)
        told = self.solve('--select', 'all', '--spacing', '0.5', '--padding', '10', '--origin=-12,-12,-12', '--shape', '49,49,49',
                          '--ionic-strength', '0', '--reaction', ion)
        self.assertEqual(told['title'], 'Reaction field of the solvent')
        field = Grid(self.folder / 'm.dx')
        born = BJERRUM / 3 * (1 / WATER - 1 / 2)
        for place in ((0, 0, 0), (1, 0, 0), (0, 2, 0), (1, 1, 1)):
            self.assertAlmostEqual(field.at(*place) / born, 1, delta=1e-2)
        # Beyond, it is the potential in water less that without.
        self.assertAlmostEqual(field.at(0, 0, 8) / (BJERRUM / 8 * (1 / WATER - 1 / 2)), 1, delta=5e-3)

    # --- The same by other ways ---

    def test_energies_are_the_same_on_one_core(self):
        arguments = ('--select', 'all', '--spacing', '0.5', '--energies', self.write_ions(*self.IONS))
        told = self.solve(*arguments)
        os.sched_setaffinity(0, {min(cores := os.sched_getaffinity(0))})
        try:
            alone = self.solve(*arguments)
        finally:
            os.sched_setaffinity(0, cores)
        for energy in ('reaction_kcal', 'solvation_kcal'):
            self.assertEqual(told[energy], alone[energy])

    def test_energies_of_a_turned_molecule(self):
        """By a quarter turn, on grids that aren't cubes: only roundings differ."""
        energies = []
        for turned in (self.IONS, [(-y, x, z, q) for x, y, z, q in self.IONS], [(x, -z, y, q) for x, y, z, q in self.IONS]):
            told = self.solve('--select', 'all', '--spacing', '0.5', '--energies', self.write_ions(*turned))
            self.assertGreater(len(set(told['grid']['shape'])), 1)
            energies.append([told['reaction_kcal'], told['solvation_kcal']])
        for one in energies[1:]:
            for value, first in zip(one, energies[0]):
                self.assertAlmostEqual(value / first, 1, delta=1e-4)

    # --- Cells and membranes ---

    def write_cell(self, *lines, edges=(16, 20, 12)):
        """Ions without extent in a cell."""
        a, b, c = edges
        path = self.folder / 'cell.xyz'
        path.write_text(f'{len(lines)}\nLattice="{a} 0 0 0 {b} 0 0 0 {c}" Properties=species:S:1:pos:R:3:charge:R:1\n' + '\n'.join(lines) +
                        '\n', encoding='ascii')
        return path

    def test_cell_of_charges(self):
        """In one permittivity, without ions: the Ewald sum's map, a net charge with its background."""
        cell = self.write_cell('Na 1.3 7 3', 'Cl 9 4 8', 'Na 15 18 5')
        for number, charge in (('1', '1'), ('2', '-1'), ('3', '1')):
            text = cell.read_text(encoding='ascii').splitlines()
            text[1 + int(number)] += ' ' + charge
            cell.write_text('\n'.join(text) + '\n', encoding='ascii')
        both = ('--select', 'all', '--permittivity', '4', '--temperature', '300')
        told = self.solve(*both, '--spacing', '0.5', '--periodic', 'xyz', '--solute-permittivity', '4', '--ionic-strength', '0', cell)
        self.assertTrue(any('net charge of +1 e is neutralised' in warning for warning in told['warnings']), told['warnings'])
        found = Grid(self.folder / 'm.dx')
        self.assertEqual(found.shape, (34, 42, 26))
        grid = ','.join(f'{value:.17g}' for value in found.origin)
        cli.run_json('map', '--method', 'ewald', *both, '--spacing', '0.5', f'--origin={grid}', '--shape', '34,42,26', '-o', 'e.dx', cell,
                     folder=self.folder)
        exact = Grid(self.folder / 'e.dx')
        near = [(one, other) for one, other in zip(found.values, exact.values) if abs(other) < 20]
        error = math.sqrt(sum((one - other)**2 for one, other in near) / sum(other**2 for _, other in near))
        self.assertLess(error, 0.01)
        self.assertGreater(len(near), 0.8 * len(found.values))

    def test_cell_with_ions_has_no_background(self):
        cell = self.write_cell('Na 1.3 7 3 1')
        told = self.solve('--select', 'all', '--spacing', '1', '--periodic', 'xyz', cell)
        self.assertFalse(any('neutralised' in warning for warning in told['warnings']), told['warnings'])
        values = Grid(self.folder / 'm.dx').values
        self.assertGreater(sum(values), 0)

    def test_voltage_across_layers(self):
        """The linear equation is a sum: two runs differ by what the voltage alone makes, which layers in a row have in closed form."""
        ion = self.write_ions((0.0, 0.0, 22.0, 1.0))
        slab = ('--membrane', '-15,15,2,5,10', '--temperature', '300')
        arguments = ('--select', 'all', '--spacing', '1', '--origin=-8,-8,-40', '--shape', '17,17,81')
        maps = []
        for more in ((), ('--voltage', '0.1')):
            self.solve(*arguments, *slab, *more, ion)
            maps.append(Grid(self.folder / 'm.dx'))
        volts = 0.1 / (8.617333262e-5 * 300)
        water = 78.54 * (1 - 4.579e-3 * 1.85 + 1.19e-5 * 1.85**2 - 2.8e-8 * 1.85**3)
        kappa = math.sqrt(8 * math.pi * 167101 / 300 * 6.02214076e-4 * 0.15 / water)
        bath = 1 / (water * kappa)
        layers = [(2, water), (5, 10), (20, 2), (5, 10), (2, water)]
        whole = 2 * bath + sum(length / permittivity for length, permittivity in layers)
        resistance = whole - bath
        z = -17.0
        for length, permittivity in layers:
            self.assertAlmostEqual(maps[1].at(0, 0, z) - maps[0].at(0, 0, z), volts * resistance / whole, delta=2e-3 * volts)
            resistance -= length / permittivity
            z += length
        self.assertAlmostEqual(maps[1].at(0, 0, 17) - maps[0].at(0, 0, 17), volts * bath / whole, delta=2e-3 * volts)
        self.assertAlmostEqual(maps[1].at(0, 0, -38) - maps[0].at(0, 0, -38), volts, delta=2e-3 * volts)

    def test_pore_lets_the_solvent_through(self):
        """The potential of an ion in the membrane is lower where a pore fills its place with water."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        arguments = ('--select', 'all', '--spacing', '1', '--padding', '12', '--energies', ion)
        energies = [self.solve(*more, *arguments)['solvation_kcal']
                    for more in ((), ('--membrane', '-15,15,2,8'), ('--membrane', '-15,15,2'))]
        self.assertEqual(energies, sorted(energies))
        self.assertLess(energies[0] / energies[1], 1.5)
        self.assertLess(energies[2] / energies[0], 0.6)

    def test_ion_within_a_layer(self):
        """A. Parsegian, Nature 221 (1969) 844: in the middle of a layer, by its images. A layer of water is none."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        arguments = ('--select', 'all', '--spacing', '1', '--padding', '25', '--ionic-strength', '0', '--energies', ion)
        told = self.solve('--membrane', '-15,15,2', *arguments)
        exact = -BJERRUM / (2 * 30) * math.log(2 * WATER / (WATER + 2)) * KCAL
        self.assertAlmostEqual(told['reaction_kcal'] / exact, 1, delta=2e-2)
        water = self.solve('--membrane', f'-15,15,{WATER}', '--permittivity', f'{WATER}', *arguments)
        self.assertAlmostEqual(water['reaction_kcal'] / self.solve(*arguments)['reaction_kcal'], 1, delta=1e-5)

    def test_cells_and_membranes_that_cannot_be(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        every = ('--select', 'all')
        for text in ('-15,15', '15,-15,2', '-15,15,0', '-15,15,2,5,10,6,7', '-15,15,2,16,10', '-15,15,2,x', '-15,15,2,-1'):
            self.refuse(f'found “{text}”', f'--membrane={text}', ion)
        self.refuse('a voltage needs a membrane', '--voltage', '0.1', ion)
        membrane = '--membrane=-15,15,2'
        for more in (('--energies',), ('--residues', 't.csv'), ('--reaction',)):
            self.refuse('with a voltage', membrane, '--voltage', '0.1', *every, *more, ion)
        self.refuse('does not support membranes', membrane, '--as-apbs', *every, ion)
        self.refuse('no cell with a volume', '--periodic', 'xy', *every, ion)
        cell = self.write_cell('Na 1.3 7 3 1')
        for reason, *more in (('open boundary', '--energies'), ('open boundary', '--reaction'), ('two ends along z differ', membrane, '--voltage', '1'),
                              ('expected it within the cell', '--membrane=-9,-5,2'), ('only zero', '--boundary', 'focus'), ('leave out the shape', '--shape', '33,33,33')):
            self.refuse(reason, '--select', 'all', '--periodic', 'xyz', *more, cell)
        text = cell.read_text(encoding='ascii')
        cell.write_text(text.replace('0 20 0', '3 20 0'), encoding='ascii')
        self.refuse('edges are along them', '--select', 'all', '--periodic', 'xyz', cell)

    def test_cell_that_changes(self):
        cell = self.write_cell('Na 1.3 7 3 1')
        text = cell.read_text(encoding='ascii')
        cell.write_text(text + text.replace('0 20 0', '0 21 0'), encoding='ascii')
        self.refuse('another cell than the first', '--select', 'all', '--spacing', '2', '--periodic', 'xyz', cell)
        # Turned against its images; nobody's default turns it.
        turned = ('--select', 'all', '--spacing', '2', '--frames', '0')
        self.refuse('turns the molecule against the grid', *turned, '--periodic', 'x', '--superpose', 'all', cell)
        self.solve(*turned, '--periodic', 'x', '--superpose', 'none', cell)
        self.solve(*turned, '--superpose', 'all', cell)

    # --- Maps ---

    def test_maps_that_were_written_give_the_same(self):
        grid = ('--origin=-12,-14,-13', '--shape', '65,65,65', '--spacing', '0.5')
        self.solve('--select', 'all', *grid, '--write-maps', 'w', self.pqr)
        first = Grid(self.folder / 'm.dx')
        charge = Grid(self.folder / 'w-charge.dx')
        moment = sum(value * (charge.origin[0] + charge.step * (i // (charge.shape[1] * charge.shape[2])))
                     for i, value in enumerate(charge.values)) * charge.step**3
        self.assertAlmostEqual(moment, sum(x * q for x, _, _, q in CHARGES), delta=1e-5)
        shifted = Grid(self.folder / 'w-diely.dx')
        self.assertEqual(shifted.origin, (-12.0, -13.75, -13.0))
        self.assertAlmostEqual(min(shifted.values), 2, delta=1e-5)
        self.assertAlmostEqual(max(shifted.values), WATER, delta=1e-3)
        ions = Grid(self.folder / 'w-ions.dx')
        self.assertAlmostEqual(max(ions.values), WATER * 0.127282**2, delta=1e-3)
        given = [part for axis in 'xyz' for part in ('--dielectric-map', f'w-diel{axis}.dx')]
        self.solve('--select', 'all', *given, '--ion-map', 'w-ions.dx', '--charge-map', 'w-charge.dx', self.pqr)
        again = Grid(self.folder / 'm.dx')
        self.assertEqual((again.origin, again.shape), (first.origin, first.shape))
        largest = max(abs(value) for value in first.values)
        # The boundary is of points with charges and not of spheres, 10 Å and more away.
        self.assertLess(max(abs(a - b) for a, b in zip(first.values, again.values)), 1e-3 * largest)

    def plane(self, potential, ionic_strength, step):
        """Of a charged plane in an electrolyte at x = 0, along x; charged so that it has that potential by Gouy and Chapman. The atom's
        charge doesn't count."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        n = round(16.0 / step)
        shape, origin = (n + 1, n + 1, n + 1), (-8.0, -8.0, -8.0)
        kappa2 = 8 * math.pi * BJERRUM * 6.02214076e-4 * ionic_strength  # times ε
        kappa = math.sqrt(kappa2 / WATER)
        density = 4 * WATER * kappa * math.sinh(potential / 2) / (4 * math.pi * BJERRUM)  # e/Å²
        write_dx(self.folder / 'eps.dx', origin, step, shape, lambda x, y, z: WATER)
        write_dx(self.folder / 'ions.dx', origin, step, shape, lambda x, y, z: kappa2)
        write_dx(self.folder / 'charge.dx', origin, step, shape,
                 lambda x, y, z: density / step if abs(x) < 0.1 else 0.0)
        self.solve('--select', 'all', '--ionic-strength', str(ionic_strength), '--equation', 'nonlinear', '--boundary', 'zero',
                   '--dielectric-map', 'eps.dx', '--ion-map', 'ions.dx', '--charge-map', 'charge.dx', ion)
        return Grid(self.folder / 'm.dx'), kappa

    def test_charged_plane(self):
        """tanh(φ/4) = tanh(φ₀/4) e^(−κx), five Debye lengths from the ends of the plane."""
        potential, errors = 3.0, []
        for step in (0.5, 0.25):
            found, kappa = self.plane(potential, 3.5, step)
            for x in (0.0, 0.5, 1.0, 2.0, 3.0, 4.0):
                exact = 4 * math.atanh(math.tanh(potential / 4) * math.exp(-kappa * x))
                self.assertAlmostEqual(found.at(x, 0, 0), exact, delta=0.25 * step**2 * potential)
                self.assertAlmostEqual(found.at(-x, 0, 0), found.at(x, 0, 0), delta=1e-4)
            errors.append(potential - found.at(0, 0, 0))
        # Of second order, as far as a slope of 2.6 kT/e per Å lets it be seen.
        self.assertGreater(errors[0] / errors[1], 3)

    def test_charge_by_a_plane(self):
        """Half of space has ε = 4 and half 2: an image, and far away a charge in their mean."""
        ion = self.write_ions((0.0, 0.0, 2.0, 1.0))
        step, shape, origin = 0.5, (65, 65, 65), (-16.0, -16.0, -16.25)
        write_dx(self.folder / 'eps.dx', origin, step, shape, lambda x, y, z: 4.0 if z > 0 else 2.0)
        self.solve('--select', 'all', '--ionic-strength', '0', '--permittivity', '3', '--dielectric-map', 'eps.dx', ion)
        found = Grid(self.folder / 'm.dx')
        for x, z in ((2.5, 1.75), (4.0, 1.75), (3.0, 4.75), (2.0, -0.75), (0.0, -2.25), (5.0, -3.25)):
            r, image = math.hypot(x, z - 2.0), math.hypot(x, z + 2.0)
            exact = BJERRUM * (1 / (4 * r) + 1 / (12 * image) if z > 0 else 1 / (3 * r))
            self.assertAlmostEqual(found.at(x, 0.0, z) / exact, 1, delta=0.02)

    def test_maps_that_do_not_fit(self):
        origin, shape = (-8.0, -8.0, -8.0), (33, 33, 33)
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        write_dx(self.folder / 'eps.dx', origin, 0.5, shape, lambda x, y, z: 80.0)
        write_dx(self.folder / 'none.dx', origin, 0.5, shape, lambda x, y, z: 0.0)
        write_dx(self.folder / 'small.dx', origin, 0.5, (17, 33, 33), lambda x, y, z: 0.0)
        write_dx(self.folder / 'even.dx', origin, 0.2, (64, 64, 64), lambda x, y, z: 1.0)
        eps = ('--select', 'all', '--dielectric-map', 'eps.dx')
        self.refuse('above 0', '--select', 'all', '--dielectric-map', 'none.dx', ion)
        self.refuse('as the other maps have them', *eps, '--ion-map', 'small.dx', ion)
        self.refuse('three that are shifted', *eps, '--dielectric-map', 'eps.dx', ion)
        self.refuse('as the other maps have them', *eps, '--dielectric-map', 'eps.dx', '--dielectric-map', 'eps.dx', ion)
        self.refuse('multigrid can halve', '--select', 'all', '--dielectric-map', 'even.dx', ion)
        self.refuse('leave out spacing', *eps, '--spacing', '0.4', ion)
        self.refuse('expected debye-huckel or zero', *eps, '--boundary', 'focus', ion)
        for option in ('--energies', '--grid-error', '--as-apbs'):
            self.refuse('needs maps made from the atoms', *eps, option, ion)
        self.refuse('missing.dx', '--select', 'all', '--ion-map', 'missing.dx', ion)
        write_dx(self.folder / 'below.dx', origin, 0.5, shape, lambda x, y, z: -1.0)
        self.refuse('no value below 0', '--select', 'all', '--ion-map', 'below.dx', ion)
        text = (self.folder / 'eps.dx').read_text(encoding='ascii')
        (self.folder / 'volts.dx').write_text('# unit: V\n' + text, encoding='ascii')
        self.refuse('found V', '--select', 'all', '--dielectric-map', 'volts.dx', ion)
        self.refuse('it cuts the molecule', *eps, self.write_ions((7.5, 0.0, 0.0, 1.0)))

    # --- Boundaries ---

    IONS = ((0.0, 0.0, 0.0, 1.0), (5.5, 0.0, 0.0, 1.0), (0.0, 6.0, 1.0, -1.0))

    def compare_in_solvent(self, found, exact):
        """Rms of the difference 2 Å and more off the ions, over that of the potential."""
        error = whole = 0.0
        for i in range(found.shape[0]):
            for j in range(found.shape[1]):
                for k in range(found.shape[2]):
                    place = [found.origin[axis] + found.step * at for axis, at in enumerate((i, j, k))]
                    if all(math.dist(place, ion[:3]) > 4 for ion in self.IONS):
                        error += (found.at(*place) - exact.at(*place))**2
                        whole += exact.at(*place)**2
        return math.sqrt(error / whole)

    def test_solvation_of_a_dipole(self):
        """Kirkwood's sphere with opposite charges, from vacuum: in vacuum its field reaches far beyond the grid, and the charges' own
        potential on the edge is a third wrong. The usual boundary knows that."""
        radius, place = 8.0, 5.6
        path = self.folder / 'dipole.pqr'
        cli.write_pqr(path, [('C', 'SPH', 1, 0.0, 0.0, 0.0, 0.0, radius), ('N', 'SPH', 1, place, 0.0, 0.0, 1.0, 1.0),
                             ('O', 'SPH', 1, -place, 0.0, 0.0, -1.0, 1.0)])

        def reaction(outside):
            return BJERRUM / (2 * radius) * sum((n + 1) * (2 - outside) / (2 * ((n + 1) * outside + n * 2)) * (place / radius)**(2 * n) * 4
                                                for n in range(1, 200, 2))

        exact = (reaction(WATER) - reaction(1.0)) * KCAL
        arguments = ('--select', 'all', '--spacing', '0.5', '--padding', '10', '--ionic-strength', '0', '--energies', path)
        self.assertAlmostEqual(self.solve(*arguments)['solvation_kcal'] / exact, 1, delta=1e-2)
        told = self.solve('--boundary', 'debye-huckel', *arguments)
        self.assertGreater(abs(told['solvation_kcal'] / exact - 1), 3e-2)

    def test_focused_map(self):
        """Small grids against a large one of the same spacing: one around the molecule, and one that cuts it, which knows what is
        beyond from twice the spacing."""
        molecule = self.write_ions(*self.IONS)
        self.solve('--select', 'all', '--origin=-24,-23,-24', '--shape', '129,97,97', '--spacing', '0.5', molecule)
        exact = Grid(self.folder / 'm.dx')
        around = ('--origin=-5,-5,-5', '--shape', '37,33,33', '--spacing', '0.5')
        self.solve('--select', 'all', *around, '--boundary', 'debye-huckel', molecule)
        usual = self.compare_in_solvent(Grid(self.folder / 'm.dx'), exact)
        told = self.solve('--select', 'all', *around, molecule)
        self.assertTrue(any(note.startswith('Boundary: from a grid of') for note in told['notes']), told['notes'])
        focused = self.compare_in_solvent(Grid(self.folder / 'm.dx'), exact)
        self.assertLess(focused, 0.01)
        self.assertLess(focused, 0.5 * usual)
        cut = ('--origin', '3,-8,-8', '--shape', '33,33,33', '--spacing', '0.5')
        self.refuse('it cuts the molecule', '--select', 'all', *cut, molecule)
        self.refuse('it cuts the molecule', '--select', 'all', *cut, '--boundary', 'focus', '--energies', molecule)
        told = self.solve('--select', 'all', *cut, '--boundary', 'focus', molecule)
        self.assertTrue(any('cuts the molecule' in warning for warning in told['warnings']), told['warnings'])
        self.assertLess(self.compare_in_solvent(Grid(self.folder / 'm.dx'), exact), 0.03)

    def test_boundary_of_zero(self):
        """Ten Debye lengths away it is as good as any."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        energies = [self.solve('--select', 'all', '--spacing', '0.5', '--padding', '14', '--ionic-strength', '4', '--energies',
                               '--boundary', boundary, ion)['reaction_kcal'] for boundary in ('zero', 'debye-huckel', 'focus')]
        for energy in energies[1:]:
            self.assertAlmostEqual(energy / energies[0], 1, delta=1e-5)

    # --- Binding ---

    def bind(self, distance, *arguments):
        pair = self.write_ions((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, distance, -1.0))
        return self.solve('--binding', 'resid 1', 'resid 2', '--spacing', '0.5', '--ionic-strength', '0', *arguments, pair)

    def test_binding_of_two_ions(self):
        """At some distance Coulomb's energy in water."""
        told = self.bind(14.0, '--nonpolar', '0.00542,0.92')
        exact = -BJERRUM / WATER / 14.0 * KCAL
        self.assertAlmostEqual(told['binding_coulomb_kcal'] / (-BJERRUM / 2 / 14.0 * KCAL), 1, delta=1e-5)
        self.assertAlmostEqual(told['binding_reaction_kcal'] + told['binding_coulomb_kcal'], exact, delta=0.03)
        self.assertAlmostEqual(told['binding_nonpolar_kcal'], -0.92, delta=1e-6)
        self.assertAlmostEqual(told['binding_kcal'], told['binding_reaction_kcal'] + told['binding_coulomb_kcal'] - 0.92,
                               delta=1e-6)

    def test_binding_that_covers_surface(self):
        """Spheres of 3.4 Å at 5 Å: each loses a cap of 0.9 Å."""
        told = self.bind(5.0, '--nonpolar', '0.01,0')
        self.assertAlmostEqual(told['binding_nonpolar_kcal'], -0.01 * 2 * 2 * math.pi * 3.4 * 0.9, delta=1e-6)
        self.assertEqual(told['binding_kcal'] < 0, True)

    def test_nonlinear_binding(self):
        """Weak charges are bound as the linear equation says."""
        path = self.folder / 'weak.pqr'
        cli.write_pqr(path, [('A', 'AAA', 1, 0.0, 0.0, 0.0, 0.05, 2.0), ('B', 'BBB', 2, 0.0, 0.0, 5.0, 0.05, 2.0)])
        energies = [self.solve('--binding', 'resid 1', 'resid 2', '--spacing', '0.5', '--equation', equation,
                               path)['binding_kcal'] for equation in ('linear', 'nonlinear')]
        self.assertAlmostEqual(energies[1] / energies[0], 1, delta=1e-3)

    # --- What went wrong once ---

    def write_frames(self, *frames):
        """frames.xyz: places of sodium ions."""
        lines = [line for frame in frames
                 for line in [str(len(frame)), ''] + [f'Na {x} {y} {z}' for x, y, z in frame]]
        (self.folder / 'frames.xyz').write_text('\n'.join(lines) + '\n', encoding='ascii')
        return 'frames.xyz'

    def test_nonlinear_binding_of_ions(self):
        """Of partners elsewhere, the one's potential is no guess for the other's: each is solved, and ions of a weak salt change
        little."""
        energies = [self.bind(6.0, '--ionic-strength', '0.01', '--equation', equation) for equation in ('linear', 'nonlinear')]
        for told in energies:
            self.assertEqual([warning for warning in told['warnings'] if 'residual' in warning], [])
        self.assertAlmostEqual(energies[1]['binding_kcal'], energies[0]['binding_kcal'], delta=0.1)

    def test_nonlinear_frames_far_apart(self):
        """An atom that moves to where ions were: as that frame alone."""
        ion = self.write_ions((0.0, 0.0, 0.0, 3.0))
        frames = self.write_frames([(0, 0, 0)], [(8, 0, 0)])
        grid = ('--select', 'all', '--superpose', 'none', '--equation', 'nonlinear', '--origin=-10,-10,-10', '--shape', '57,41,41',
                '--spacing', '0.5', '--energies')
        alone = [self.solve(*grid, '--frames', frame, ion, frames)['reaction_kcal'] for frame in ('1', '2')]
        both = self.solve(*grid, '--frames', '1:2', ion, frames)
        self.assertEqual(both['warnings'], [])
        self.assertAlmostEqual(both['reaction_kcal'] / (sum(alone) / 2), 1, delta=1e-4)

    def test_unsolved_equation_has_no_energies(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        told = self.solve('--select', 'all', '--spacing', '1', '--residual', '1e-12', '--permittivity', '1e-3',
                          '--solute-permittivity', '1e6', '--energies', '--residues', 'table.csv', ion)
        self.assertGreater(told['residual'], 1e-12)
        self.assertNotIn('reaction_kcal', told)
        self.assertTrue(any('left out' in warning for warning in told['warnings']), told['warnings'])
        self.assertFalse((self.folder / 'table.csv').exists())
        # The map itself says so, in its legends and wherever its file goes.
        header = (self.folder / 'm.dx').read_text(encoding='utf-8').split('object', maxsplit=1)[0]
        self.assertRegex(header, r'(?m)^# medium: solvent with .*; solved to a residual of \d\.\de-\d+ only$')

    def test_focus_in_each_frame(self):
        """A later frame's atom beyond the map: no energy of it, and a map with a warning."""
        pair = self.write_ions((0.0, 0.0, 0.0, 1.0), (6.0, 0.0, 0.0, -1.0))
        frames = self.write_frames([(0, 0, 0), (6, 0, 0)], [(0, 0, 0), (22, 0, 0)])
        focus = ('--select', 'all', '--superpose', 'none', '--boundary', 'focus', '--origin=-8,-8,-8', '--shape', '41,33,33',
                 '--spacing', '0.5', '--frames', '1:2')
        for option in (('--energies', ), ('--residues', 'table.csv')):
            self.refuse('frame 2: The grid cuts the molecule', *focus, *option, pair, frames)
        told = self.solve(*focus, pair, frames)
        self.assertTrue(any('cuts the molecule' in warning for warning in told['warnings']), told['warnings'])

    def test_focus_far_away(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        for origin in ('1e4,0,0', '1e30,0,0'):
            self.refuse('from the atoms along x', '--select', 'all', '--boundary', 'focus', '--spacing', '0.5', '--origin', origin,
                        '--shape', '33,33,33', ion)

    def test_energies_that_go_on(self):
        """What an earlier run summed counts."""
        pair = self.write_ions((0.0, 0.0, 0.0, 1.0), (6.0, 0.0, 0.0, -1.0))
        frames = self.write_frames(*[[(0, 0, 0), (5 + at / 10, 0, 0)] for at in range(30)])
        line = ('--superpose', 'none', '--origin=-10,-10,-10', '--shape', '57,41,41', '--spacing', '0.5', '--energies', '--binding',
                'resid 1', 'resid 2', '--residues', 'table.csv', '--frames', '1:-1', '--threads', '1')
        whole = self.solve(*line, pair, frames)
        rows = self.read_table('table.csv')
        job = [os.environ['DEBYE_CLI'], 'map', '--method', 'pb', '-o', 'm.dx', *line, '--continue', 'k.h5', pair, frames]
        process = subprocess.Popen([*job, '--save-every', '0'], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(1000):
            if (self.folder / 'k.h5').exists() or process.poll() is not None:
                break
            time.sleep(0.01)
        self.assertIsNone(process.poll())
        process.kill()
        process.wait()
        again = self.solve(*line, '--continue', 'k.h5', pair, frames)
        for key in ('reaction_kcal', 'solvation_kcal', 'coulomb_kcal', 'binding_kcal'):
            self.assertAlmostEqual(again[key] / whole[key], 1, delta=1e-4, msg=key)
        for one, other in zip(rows, self.read_table('table.csv'), strict=True):
            for column in ('reaction', 'environment', 'environment_std'):
                self.assertAlmostEqual(float(one[column]), float(other[column]), delta=1e-2)

    def test_charge_on_the_edge(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        write_dx(self.folder / 'edge.dx', (-8.0, -8.0, -8.0), 0.5, (33, 33, 33),
                 lambda x, y, z: 0.1 if x == -8.0 and abs(y) < 1 and abs(z) < 1 else 0.0)
        self.refuse("on the grid's outer points", '--select', 'all', '--charge-map', 'edge.dx', ion)

    def test_zero_beside_vacuum(self):
        """What is far and screened in the solvent is near in vacuum: Born's energy, all the same."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        found = [self.solve('--select', 'all', '--spacing', '0.5', '--ionic-strength', '2', '--energies', '--boundary', boundary,
                            ion)['solvation_kcal'] for boundary in ('zero', 'debye-huckel')]
        self.assertAlmostEqual(found[0] / found[1], 1, delta=1e-3)

    def test_options_of_another_method(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        for option in (('--residues', 'x.csv'), ('--write-maps', 'w'), ('--reaction', ), ('--ion-map', 'ions.dx'),
                       ('--boundary', 'focus'), ('--energies', )):
            text = self.expect_usage('map', '--method', 'direct', *option, '-o', 'm.dx', ion)
            self.assertIn(f'{option[0]} needs --method pb', text)

    def test_files_beside_the_map(self):
        """They are told, clash with none, and a table that can't be written leaves the map."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        told = self.solve('--select', 'all', '--spacing', '1', '--residues', 'x.csv', '--write-maps', 'w', ion)
        self.assertEqual(told['outputs'], ['m.dx', 'x.csv'] + [f'w-{end}.dx' for end in ('dielx', 'diely', 'dielz', 'ions', 'charge')])
        for arguments in (('--residues', 'x.csv', '-o', 'x.csv'), ('--write-maps', 'w', '-o', 'w-charge.dx')):
            text = self.expect_usage('map', '--method', 'pb', '--select', 'all', *arguments, ion)
            self.assertIn('another file', text)
        (self.folder / 'dir.csv').mkdir()
        self.refuse('is a folder', '--select', 'all', '--residues', 'dir.csv', ion)

    def test_map_without_its_maps(self):
        """What can't be written beside it leaves the map, and is an error all the same."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        (self.folder / 'w-ions.dx').mkdir()
        done = self.run_cli('map', '--method', 'pb', '--select', 'all', '--spacing', '1', '--write-maps', 'w', '-o', 'm.dx', ion)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('w-ions.dx', done.stderr)
        self.assertAlmostEqual(Grid(self.folder / 'm.dx').at(0, 0, 8), BJERRUM / WATER / 8, delta=0.6)

    def test_rerun_writes_nothing_else(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        cli.run_json('map', '--method', 'pb', '--select', 'all', '--spacing', '1', '--residues', 'x.csv', '--write-maps', 'w', '-o',
                     'm.h5', ion, folder=self.folder)
        written = [self.folder / 'x.csv', self.folder / 'w-ions.dx']
        for path in written:
            path.unlink()
        cli.run('rerun', 'm.h5', folder=self.folder)
        self.assertEqual([path.name for path in written if path.exists()], [])

    def test_maps_of_permittivity_are_recorded(self):
        """All three, found beside the result, and told where one has changed."""
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        self.solve('--select', 'all', '--spacing', '1', '--write-maps', 'w', ion)
        given = [part for axis in 'xyz' for part in ('--dielectric-map', f'w-diel{axis}.dx')]
        made = ('map', '--method', 'pb', '--select', 'all', *given, '-o')
        cli.run_json(*made, 'm.h5', ion, folder=self.folder)
        done = subprocess.run(['h5dump', '-d', '/entry/provenance/setting_files/path', 'm.h5'], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, text=True)
        for axis in 'xyz':
            self.assertIn(f'"w-diel{axis}.dx"', done.stdout)
        text = self.expect_usage(*made, 'w-diely.dx', ion)
        self.assertIn('another file than those that are read', text)
        beside = str(self.folder / 'm.h5')
        again = cli.run_json('rerun', beside, folder='/')
        self.assertEqual((again['changed_inputs'], again['rms_difference'] < 1e-6), ([], True))
        with open(self.folder / 'w-diely.dx', 'a', encoding='ascii') as file:
            file.write('# changed\n')
        again = cli.run_json('rerun', beside, folder='/')
        self.assertEqual([os.path.basename(path) for path in again['changed_inputs']], ['w-diely.dx'])

    def test_residues_of_insertions(self):
        """Two residues of one number are told apart."""
        path = self.folder / 'i.pqr'
        path.write_text('ATOM 1 NA NA A 10 0 0 0 1 2\nATOM 2 NA NA A 10A 5 0 0 1 2\n', encoding='ascii')
        self.solve('--select', 'all', '--spacing', '1', '--residues', 'x.csv', path)
        rows = [row for row in self.read_table('x.csv') if row['level'] == 'residue']
        self.assertEqual([(row['number'], row['insertion']) for row in rows], [('10', ''), ('10', 'A')])
        self.assertIn('segment', rows[0])

    def test_bad_partners(self):
        pair = self.write_ions((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 8.0, -1.0), (8.0, 0.0, 0.0, 1.0))
        self.refuse('none in common', '--binding', 'resid 1', 'resid 1 2', pair)
        self.refuse('chooses none', '--binding', 'resid 1', 'resid 7', pair)
        self.refuse('leave out --select', '--binding', 'resid 1', 'resid 2', '--select', 'all', pair)
        self.refuse('depends on their positions', '--binding', 'x < 1', 'x > 1', pair)

    def test_bad_files(self):
        ion = self.write_ions((0.0, 0.0, 0.0, 1.0))
        self.refuse('ends in .csv', '--residues', 'table.txt', '--select', 'all', ion)
        self.refuse('no folder', '--residues', 'nowhere/table.csv', '--select', 'all', ion)
        self.refuse('no folder', '--write-maps', 'nowhere/map', '--select', 'all', ion)
        self.refuse('same atoms in all frames', '--residues', 'table.csv', '--select', 'x < 1', ion)
        self.refuse('expected one frame', '--write-maps', 'w', '--select', 'all', self.pqr, self.xyz)


if __name__ == '__main__':
    unittest.main()
