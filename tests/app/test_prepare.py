#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli prepare: a dipeptide made ready, what is asked of it, and structures that can't be."""
import csv
import json
import math
import os
import shlex
import sys
import unittest

import h5py

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402
from glycan import GLYCAN  # noqa: E402
from peptide import PEPTIDE, read_pqr, write_pdb  # noqa: E402


def turn_over(point, start, end):
    """By 180° about the line through two points."""
    axis = [b - a for a, b in zip(start, end)]
    u = [p - b for p, b in zip(point, end)]
    along = sum(a * b for a, b in zip(u, axis)) / sum(a * a for a in axis)
    return [b + 2 * along * a - v for a, b, v in zip(axis, end, u)]


def nearest_on_circle(center, axis, point, target):
    """How near a point that turns about an axis through `center` comes to a target."""
    length = math.sqrt(sum(a * a for a in axis))
    axis = [a / length for a in axis]

    def split(place):
        u = [p - c for p, c in zip(place, center)]
        along = sum(a * b for a, b in zip(u, axis))
        return along, math.sqrt(max(0, sum(a * a for a in u) - along * along))
    (height, radius), (other, distance) = split(point), split(target)
    return math.hypot(height - other, radius - distance)


class Prepare(CliCase):
    def setUp(self):
        super().setUp()
        self.pdb = self.folder / 'peptide.pdb'
        write_pdb(self.pdb, PEPTIDE)

    def prepare(self, *options):
        done = self.run_cli('prepare', '-o', 'out.pqr', *options, self.pdb)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_pqr(self.folder / 'out.pqr')

    def test_charges_hydrogens_and_end(self):
        atoms = self.prepare('--no-optimise')
        # Asp 12 heavy and hydrogen atoms + 2 of the start, His 17, Lys 22 and the second oxygen.
        self.assertEqual(len(atoms), 14 + 17 + 23)
        for number, charge in ((1, 0), (2, 0), (3, 0)):
            self.assertAlmostEqual(sum(q for (n, _), (_, q, _) in atoms.items() if n == number), charge, delta=1e-5)
        # AMBER's NASP, HIE and CLYS, atom by atom.
        self.assertAlmostEqual(atoms[1, 'CG'][1], 0.8194, delta=1e-6)
        self.assertAlmostEqual(atoms[2, 'HE2'][1], 0.3339, delta=1e-6)
        self.assertAlmostEqual(atoms[3, 'OXT'][1], -0.8252, delta=1e-6)
        self.assertEqual(atoms[3, 'OXT'][2], 1.6612)
        self.assertAlmostEqual(math.dist(atoms[3, 'OXT'][0], atoms[3, 'C'][0]), 1.25, delta=2e-3)
        for heavy, hydrogen, length in (('N', 'H1', 1.01), ('CA', 'HA', 1.09), ('CB', 'HB2', 1.09)):
            self.assertAlmostEqual(math.dist(atoms[1, heavy][0], atoms[1, hydrogen][0]), length, delta=2e-3)
        self.assertAlmostEqual(math.dist(atoms[2, 'CE1'][0], atoms[2, 'HE1'][0]), 1.08, delta=2e-3)

    def test_titration(self):
        """Asp, His, Lys and both ends of a peptide by Poisson-Boltzmann: all charged below and above, moved as the
        charges beside them would, and the same again."""
        options = ('--titrate', 'pb', '--ph', '5', '--device', 'cpu', '--report', 'report.csv')
        atoms = self.prepare(*options, '--titration', 'curves.csv', '-o', 'curves.h5', '-o', 'curves.svg')
        self.assertIn((2, 'HD1'), atoms)
        rows = list(csv.DictReader(line for line in (self.folder / 'report.csv').read_text().splitlines() if line[0] != '#'))
        found = {row['residue']: (float(row['pka']), float(row['pk_half'])) for row in rows if row['pk_half']}
        self.assertEqual(set(found), {'NTR 1', 'ASP 1', 'HIS 2', 'LYS 3', 'CTR 3'})
        # Three ammonium and imidazolium groups below all pK, two carboxylates above.
        with h5py.File(self.folder / 'curves.h5', 'r') as file:
            charge = file['entry/data/charge'][()]
        self.assertAlmostEqual(charge[0], 3, delta=1e-3)
        self.assertAlmostEqual(charge[-1], -2, delta=1e-3)
        # A carboxylate next to an ammonium is the stronger acid, and the ammonium the weaker.
        self.assertLess(found['ASP 1'][1], found['ASP 1'][0])
        self.assertIn('by Poisson–Boltzmann', next(row['done'] for row in rows if row['residue'] == 'ASP 1'))
        curves = [line.split(',') for line in (self.folder / 'curves.csv').read_text().splitlines() if line[0] != '#']
        self.assertEqual(curves[0], ['ph', 'A NTR 1', 'A ASP 1', 'A HIS 2', 'A LYS 3', 'A CTR 3'])
        for column in zip(*curves[1:]):
            values = [float(value) for value in column]
            self.assertTrue(values == sorted(values) or values == sorted(values, reverse=True))
        self.assertGreater((self.folder / 'curves.svg').stat().st_size, 1000)
        first = (self.folder / 'curves.csv').read_text().split('\nph,')[1]
        self.prepare(*options, '--titration', 'again.csv')
        self.assertEqual((self.folder / 'again.csv').read_text().split('\nph,')[1], first)

    def test_line_of_a_titration(self):
        """The table's own command makes it again, with a structure beside it or without."""
        for outputs in (('-o', 'out.pqr'), ()):
            done = self.run_cli('prepare', '--titrate', 'pb', '--device', 'cpu', '--titration', 'curves.csv', *outputs, self.pdb)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (self.folder / 'curves.csv').read_text()
            line = next(line for line in text.splitlines() if line.startswith('# command_line: '))
            program, *arguments = shlex.split(line.split(': ', 1)[1])
            self.assertEqual(program, 'debye-cli')
            self.assertEqual(['--output', 'out.pqr'] == arguments[-3:-1], bool(outputs))
            self.assertEqual('--output' in arguments, bool(outputs))
            (self.folder / 'curves.csv').unlink()
            done = self.run_cli(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.folder / 'curves.csv').read_text().split('\nph,')[1], text.split('\nph,')[1])

    def test_titration_of_what_is_chosen(self):
        (self.folder / 'states.csv').write_text('chain,residue,state\nA,2,HID\n')
        self.prepare('--titrate', 'pb', '--states', 'states.csv', '--report', 'report.csv')
        rows = list(csv.DictReader(line for line in (self.folder / 'report.csv').read_text().splitlines() if line[0] != '#'))
        self.assertEqual({row['residue'] for row in rows if row['pk_half']}, {'NTR 1', 'ASP 1', 'LYS 3', 'CTR 3'})

    def test_curves_need_a_titration(self):
        for option in (('--titration', 'curves.csv'), ('-o', 'curves.svg')):
            done = self.run_cli('prepare', '-o', 'out.pqr', *option, self.pdb)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn('--titrate pb', done.stderr)
            self.assertFalse((self.folder / 'out.pqr').exists())

    def test_deuterium(self):
        """A neutron structure's D are hydrogens at their places, and of an exchanged pair there is one."""
        expected = self.prepare('--no-optimise', '-o', 'with.pdb')
        lines = []
        for line in (self.folder / 'with.pdb').read_text().splitlines(keepends=True):
            if line.startswith('ATOM') and line[76:78] == ' H':
                if line[12:16] == ' H  ':
                    lines.append(line[:16] + 'A' + line[17:54] + '  0.40' + line[60:])
                    line = line[:16] + 'B' + line[17:54] + '  0.60' + line[60:]
                line = line[:12] + line[12:16].replace('H', 'D', 1) + line[16:76] + ' D' + line[78:]
            lines.append(line)
        swapped = list(lines)
        for i, line in enumerate(lines[:-1]):
            if line[12:17] == ' H  A':
                swapped[i:i + 2] = lines[i + 1], line
        self.assertNotEqual(swapped, lines)
        for order in (lines, swapped):
            (self.folder / 'neutron.pdb').write_text(''.join(order))
            done = self.run_cli('prepare', '--no-optimise', '-o', 'again.pqr', 'neutron.pdb')
            self.assertEqual(done.returncode, 0, done.stderr)
            again = read_pqr(self.folder / 'again.pqr')
            self.assertEqual({key: value[1:] for key, value in again.items()}, {key: value[1:] for key, value in expected.items()})
            for key, (place, _, _) in expected.items():
                self.assertLess(math.dist(again[key][0], place), 2e-3)

    def test_hdf5_structure(self):
        """As the .pqr: names, residues, charges, radii; and the bonds. With a titration .h5 has the curves, and .h5md the structure."""
        expected = self.prepare('-o', 'out.h5', '-o', 'out.cif')
        for name, options in (('out.h5', ()), ('titrated.h5md', ('--titrate', 'pb', '--device', 'cpu', '-o', 'curves.h5'))):
            if options:
                expected = self.prepare(*options, '-o', name)
            done = self.run_cli('export', '-o', 'again.pqr', name)
            self.assertEqual(done.returncode, 0, done.stderr)
            again = read_pqr(self.folder / 'again.pqr')
            self.assertEqual(set(again), set(expected))
            for key, (place, charge, radius) in expected.items():
                self.assertAlmostEqual(again[key][1], charge, delta=1e-6)
                self.assertAlmostEqual(again[key][2], radius, delta=1e-6)
                self.assertLess(math.dist(again[key][0], place), 2e-3)
            with h5py.File(self.folder / name, 'r') as file:
                self.assertEqual([text.decode() for text in file['parameters/residues/name'][()]], ['ASP', 'HIS', 'LYS'])
                self.assertEqual(len(file['connectivity/bonds']), len(expected))
        with h5py.File(self.folder / 'curves.h5', 'r') as file:
            self.assertIn('entry/sites', file)

    def test_ph(self):
        for ph, hydrogens in (('2', {(2, 'HD1'), (2, 'HE2')}), ('5', {(2, 'HD1'), (2, 'HE2')}), ('9', {(2, 'HE2')})):
            atoms = self.prepare('--ph', ph, '--quiet', '--no-optimise')
            self.assertEqual({key for key in atoms if key in ((2, 'HD1'), (2, 'HE2'))}, hydrogens)
        self.assertNotIn((2, 'HD1'), self.prepare('--titrate', 'none', '--ph', '5', '--no-optimise'))

    def test_state_that_the_table_lacks_is_a_warning(self):
        done = self.run_cli('prepare', '--ph', '2', '-o', 'out.pqr', self.pdb)
        self.assertIn('ASP 1 of chain A: protonated at this pH, but the table has no charges for that: left ASP', done.stderr)
        strict = self.run_cli('prepare', '--ph', '2', '--strict', '-o', 'strict.pqr', self.pdb)
        self.assertEqual(strict.returncode, 1)
        self.assertFalse((self.folder / 'strict.pqr').exists())

    def test_report_and_states(self):
        (self.folder / 'mine.csv').write_text('chain,residue,state\nA,HIS 2,HID\n', encoding='ascii')
        atoms = self.prepare('--states', 'mine.csv', '--report', 'report.csv')
        self.assertIn((2, 'HD1'), atoms)
        text = (self.folder / 'report.csv').read_text(encoding='utf-8')
        rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith('#')))
        self.assertEqual([row['residue'] for row in rows], ['NTR 1', 'ASP 1', 'HIS 2', 'LYS 3', 'CTR 3'])
        self.assertEqual((rows[2]['state'], rows[2]['pka'], rows[2]['hydrogens'], rows[2]['charge']), ('HID', '6.54', '7', '0.0000'))
        self.assertIn('state chosen', rows[2]['done'])
        self.assertIn('atom OXT added', rows[3]['done'])

    def test_an_edited_report_is_states(self):
        """All states of a report are those again; one that was edited is the one that changes. Names and chains are quoted."""
        atoms = self.prepare('--report', 'report.csv')
        self.assertEqual(self.prepare('--states', 'report.csv'), atoms)
        report = self.folder / 'report.csv'
        text = report.read_text(encoding='utf-8')
        report.write_text(text.replace('HIS 2,A,HID', 'HIS 2,A,HIE'), encoding='utf-8')
        changed = self.prepare('--states', 'report.csv')
        self.assertEqual({name for number, name in set(changed) ^ set(atoms)}, {'HD1', 'HE2'})
        for chain in (',', '"'):
            self.pdb.write_text(''.join(
                line[:21] + chain + line[22:] if line.startswith('ATOM') else line
                for line in self.pdb.read_text(encoding='ascii').splitlines(keepends=True)), encoding='ascii')
            self.prepare('--report', 'odd.csv')
            rows = list(csv.DictReader(line for line in (self.folder / 'odd.csv').read_text(encoding='utf-8').splitlines()
                                       if not line.startswith('#')))
            self.assertEqual({row['chain'] for row in rows}, {chain})
            self.assertEqual(len(rows), 5)
            self.prepare('--states', 'odd.csv')

    def test_names_of_states(self):
        """A name before the number is the file's or a state's; another one is refused with what the structure has."""
        for name in ('HIS', 'HID', 'HSE', 'HIP'):
            (self.folder / 'mine.csv').write_text(f'chain,residue,state\nA,{name} 2,HID\n', encoding='ascii')
            self.assertIn((2, 'HD1'), self.prepare('--states', 'mine.csv'))
        for name, state in (('LYS', 'ASH'), ('XYZ', 'ASP')):
            (self.folder / 'wrong.csv').write_text(f'chain,residue,state\nA,{name} 1,{state}\n', encoding='ascii')
            self.assertIn(f'residue {name} 1: the structure has ASP 1 of chain A. Correct the name or the number',
                          self.expect_failure('prepare', '--states', 'wrong.csv', '-o', 'no.pqr', self.pdb))

    def test_states_of_ends(self):
        """A row NTR or CTR decides one end; the report's rows of ends are such rows."""
        (self.folder / 'mine.csv').write_text('chain,residue,state\nA,NTR 1,neutral\nA,CTR 3,capped\n', encoding='ascii')
        atoms = self.prepare('--charges', 'parse', '--states', 'mine.csv', '--report', 'report.csv')
        self.assertEqual({name for number, name in atoms if number == 1 and name in ('H1', 'H2', 'H3')}, {'H1', 'H2'})
        self.assertIn((4, 'CH3'), atoms)
        self.assertNotIn((3, 'OXT'), atoms)
        # Neutral start with Asp, Lys: nothing is left.
        self.assertAlmostEqual(sum(charge for _, charge, _ in atoms.values()), 0, delta=1e-5)
        self.assertEqual(self.prepare('--charges', 'parse', '--states', 'report.csv'), atoms)
        for row in ('A,NTR 2,neutral', 'A,CTR 3,ASP', 'B,NTR 1,capped'):
            (self.folder / 'wrong.csv').write_text(f'chain,residue,state\n{row}\n', encoding='ascii')
            self.assertIn('expected the end of a protein chain, and charged, neutral or capped for its state, found ' + row.split(',')[2],
                          self.expect_failure('prepare', '--states', 'wrong.csv', '-o', 'no.pqr', self.pdb))

    def test_neutral_ends(self):
        """PARSE: N -0.78 with hydrogens of 0.39, C 0.55, O -0.495, OH -0.49 with 0.435. AMBER has none."""
        atoms = self.prepare('--charges', 'parse', '--termini', 'neutral', '--no-optimise')
        self.assertEqual([atoms[1, name][1:] for name in ('N', 'H1', 'H2')], [(-0.78, 1.5), (0.39, 1.0), (0.39, 1.0)])
        self.assertEqual([atoms[3, name][1] for name in ('C', 'O', 'OXT', 'HXT')], [0.55, -0.495, -0.49, 0.435])
        self.assertAlmostEqual(math.dist(atoms[3, 'OXT'][0], atoms[3, 'HXT'][0]), 0.96, delta=2e-3)
        # Beside its other oxygen, as acids are.
        self.assertLess(math.dist(atoms[3, 'O'][0], atoms[3, 'HXT'][0]), 2.4)
        atoms = self.prepare('--charges', 'charmm', '--termini', 'neutral', '--no-optimise')
        self.assertEqual([atoms[1, name][1] for name in ('N', 'H1', 'H2', 'CA')], [-0.96, 0.34, 0.34, 0.19])
        self.assertEqual([atoms[3, name][1] for name in ('C', 'O', 'OXT', 'HXT')], [0.72, -0.55, -0.61, 0.44])
        self.assertIn('AMBER has no charges for neutral ends',
                      self.expect_usage('prepare', '--termini', 'neutral', '-o', 'no.pqr', self.pdb))

    def test_capped_ends(self):
        """Acetyl and methylamide with a peptide's bonds, flat and trans; also where a chain breaks."""
        for charges in ('amber', 'charmm', 'parse'):
            atoms = self.prepare('--termini', 'capped', '--charges', charges, '--report', 'report.csv')
            self.assertEqual(len(atoms), 12 + 17 + 22 + 6 + 6)
            self.assertAlmostEqual(sum(charge for _, charge, _ in atoms.values()), 0, delta=2e-4)
        places = {key: place for key, (place, *_) in atoms.items()}
        for a, b, length in (((0, 'C'), (1, 'N'), 1.329), ((0, 'C'), (0, 'O'), 1.231), ((0, 'C'), (0, 'CH3'), 1.525),
                             ((3, 'C'), (4, 'N'), 1.329), ((4, 'N'), (4, 'CH3'), 1.458)):
            self.assertAlmostEqual(math.dist(places[a], places[b]), length, delta=2e-3)
        # trans: CH3 and CA are as far apart as two bonds and their angles allow; cis would be 2.8 Å.
        for a, b in (((0, 'CH3'), (1, 'CA')), ((3, 'CA'), (4, 'CH3'))):
            self.assertAlmostEqual(math.dist(places[a], places[b]), 3.82, delta=0.06)
        report = (self.folder / 'report.csv').read_text(encoding='utf-8')
        for row in ('ACE 0,A,ACE', 'NTR 1,A,capped', 'CTR 3,A,capped', 'NME 4,A,NME'):
            self.assertIn(row, report)
        # The last oxygen on the line from CA to C.
        write_pdb(self.pdb, [(*atom[:3], 8.642, 6.396, 0.0) if atom[:3] == ('O', 'LYS', 3) else atom for atom in PEPTIDE])
        self.assertIn('LYS 3 of chain A: the atoms of the backbone lie on a line',
                      self.expect_failure('prepare', '--termini', 'capped', '-o', 'no.pqr', self.pdb))
        # Proline without its ring's last atom, which the cap's place follows from: it is completed first. Hydroxyproline can't be.
        proline = [(*atom[:1], 'PRO', *atom[2:]) for atom in PEPTIDE if atom[1] == 'ASP' and atom[0] in ('N', 'CA', 'C', 'O', 'CB')]
        rest = [atom for atom in PEPTIDE if atom[2] > 1]
        write_pdb(self.pdb, proline + rest)
        atoms = self.prepare('--termini', 'capped')
        self.assertAlmostEqual(math.dist(atoms[0, 'C'][0], atoms[1, 'N'][0]), 1.329, delta=2e-3)
        self.assertAlmostEqual(math.dist(atoms[1, 'CD'][0], atoms[1, 'N'][0]), 1.47, delta=0.25)
        write_pdb(self.pdb, [(*atom[:1], 'HYP', *atom[2:]) for atom in proline] + rest)
        self.assertIn('HYP 1 of chain A: atom CD is missing, and no cap can be placed without it',
                      self.expect_failure('prepare', '--termini', 'capped', '-o', 'no.pqr', self.pdb))
        write_pdb(self.pdb, PEPTIDE)
        far = [(*atom[:2], atom[2] + 6, atom[3] + 40, *atom[4:]) for atom in PEPTIDE]
        write_pdb(self.pdb, PEPTIDE + far)
        atoms = self.prepare('--termini', 'capped')
        self.assertEqual({number for number, name in atoms if name == 'CH3'}, {0, 4, 6, 10})

    def write_ligand(self, residue='LIG'):
        """Acetamide far from the peptide, as heavy atoms alone."""
        atoms = [('C1', residue, 4, 30.0, 0.0, 0.0), ('C2', residue, 4, 31.5, 0.0, 0.0), ('O1', residue, 4, 32.115, 1.065, 0.0),
                 ('N1', residue, 4, 32.165, -1.152, 0.0)]
        write_pdb(self.pdb, PEPTIDE + atoms)
        text = self.pdb.read_text(encoding='ascii')
        for name, element in (('C1', 'C'), ('C2', 'C'), ('O1', 'O'), ('N1', 'N')):
            self.assertIn(f' {name}  {residue}', text)
        return atoms

    def ligand_charges(self, atoms):
        return {name: charge for (number, name), (_, charge, _) in atoms.items() if number == 4}

    def test_ligand_without_a_file(self):
        """Bond orders of the geometry, five hydrogens, estimated charges that sum to zero; said as a warning."""
        self.write_ligand()
        done = self.run_cli('prepare', '-o', 'out.pqr', '--report', 'report.csv', self.pdb)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('LIG 4 of chain A: charges estimated (Gasteiger and Marsili 1980), 0 e in total', done.stderr)
        charges = self.ligand_charges(read_pqr(self.folder / 'out.pqr'))
        self.assertEqual(len(charges), 9)
        self.assertAlmostEqual(sum(charges.values()), 0, delta=1e-5)
        # RDKit 2025.
        self.assertAlmostEqual(charges['O1'], -0.277, delta=0.01)
        self.assertAlmostEqual(charges['N1'], -0.370, delta=0.01)
        self.assertIn('bond orders from the geometry, protons as at pH 7', (self.folder / 'report.csv').read_text(encoding='utf-8'))

    def test_ligand_of_a_file(self):
        """The file's protons win over those at pH 7, and its charges over estimates where their sum is whole."""
        atoms = self.write_ligand()
        places = {'C1': (3, 0.1), 'C2': (0, 0.5), 'O1': (0, -0.6), 'N1': (2, -0.8)}
        for shift, words in ((0.0, 'charges of the ligand’s file, 0 e in total'), (0.3, 'charges estimated')):
            lines, bonds = [], ['1 1 2 1', '2 2 3 2', '3 2 4 am']
            for name, _, _, x, y, z in atoms:
                lines.append(f'{len(lines) + 1} {name} {x} {y} {z} {name[0]}.3 1 LIG {places[name][1]}')
            for k, (heavy, charge) in enumerate(((1, 0.1), (1, 0.1), (1, 0.1), (4, 0.25), (4, 0.25 + shift))):
                lines.append(f'{len(lines) + 1} H{k} {30 + k} 1.0 {k} H 1 LIG {charge}')
                bonds.append(f'{len(bonds) + 1} {heavy} {len(lines)} 1')
            (self.folder / 'lig.mol2').write_text('\n'.join([
                '@<TRIPOS>MOLECULE', 'acetamide', f'{len(lines)} {len(bonds)}', 'SMALL', 'USER_CHARGES', '', '@<TRIPOS>ATOM', *lines,
                '@<TRIPOS>BOND', *bonds, '']), encoding='ascii')
            charges = self.ligand_charges(self.prepare('--ligand', 'lig.mol2', '--report', 'report.csv'))
            self.assertEqual(len(charges), 9)
            self.assertAlmostEqual(sum(charges.values()), 0, delta=1e-5)
            report = (self.folder / 'report.csv').read_text(encoding='utf-8').replace("'", '’')
            self.assertIn('bond orders of the ligand’s file', report)
            self.assertIn(words, report)
            if shift == 0:
                self.assertAlmostEqual(charges['N1'], -0.8, delta=1e-6)
                self.assertAlmostEqual(charges['C2'], 0.5, delta=1e-6)

    def test_ligand_files_that_are_refused(self):
        self.write_ligand()
        (self.folder / 'other.sdf').write_text('ethane\n\n\n  2  1  0 V2000\n' + ''.join(
            f'{x:10.4f}{0:10.4f}{0:10.4f} C   0  0\n' for x in (0.0, 1.5)) + '  1  2  1\nM  END\n', encoding='ascii')
        self.assertIn('the ligand “ethane” differs in heavy atoms or bonds',
                      self.expect_failure('prepare', '--ligand', 'other.sdf', '-o', 'no.pqr', self.pdb))
        (self.folder / 'odd.mol2').write_text(
            '@<TRIPOS>MOLECULE\nodd\n3 3\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n' +
            ''.join(f'{k} C{k} {1.4 * k} 0.0 0.0 C.ar\n' for k in (1, 2, 3)) +
            '@<TRIPOS>BOND\n1 1 2 ar\n2 2 3 ar\n3 3 1 ar\n', encoding='ascii')
        self.assertIn('the ligand “odd” has aromatic bonds that',
                      self.expect_failure('prepare', '--ligand', 'odd.mol2', '-o', 'no.pqr', self.pdb))
        (self.folder / 'bad.sdf').write_text('x\n\n\n  2  1  0 V3000\nM  END\n', encoding='ascii')
        self.assertIn('bad.sdf: line 5: expected a whole line that begins with M  V30',
                      self.expect_failure('prepare', '--ligand', 'bad.sdf', '-o', 'no.pqr', self.pdb))

    ETHANOL = [('C1', 'EOX', 4, 30.0, 0.0, 0.0), ('C2', 'EOX', 4, 31.52, 0.0, 0.0), ('O1', 'EOX', 4, 32.0, 1.34, 0.0)]

    def write_mol2(self, name, atoms, bonds, charges='USER_CHARGES'):
        """Atoms (name, type, x, y, z, charge), bonds (first, second, order)."""
        (self.folder / name).write_text('\n'.join([
            '@<TRIPOS>MOLECULE', 'MOL', f'{len(atoms)} {len(bonds)}', 'SMALL', charges, '', '@<TRIPOS>ATOM',
            *(f'{k} {label} {x} {y} {z} {kind} 1 LIG {charge}' for k, (label, kind, x, y, z, charge) in enumerate(atoms, 1)),
            '@<TRIPOS>BOND', *(f'{k} {i} {j} {order}' for k, (i, j, order) in enumerate(bonds, 1)), '']), encoding='ascii')

    def test_ligands_with_some_hydrogens(self):
        """Polar hydrogens of the structure are kept and the others added: six of ethanol; protonated amines have three."""
        for tail, count, charge in ((('O1', 'H', 32.95, 1.30), 6, 0), (('N1', 'H', 33.0, 1.40), 8, 1)):
            heavy = [(tail[0] if name == 'O1' else name, *rest) for name, *rest in self.ETHANOL]
            write_pdb(self.pdb, PEPTIDE + heavy + [(tail[1], 'EOX', 4, tail[2], tail[3], 0.0)])
            atoms = self.prepare('--report', 'report.csv')
            ligand = {name: row for (number, name), row in atoms.items() if number == 4}
            self.assertEqual(sum(name[0] == 'H' for name in ligand), count)
            self.assertAlmostEqual(sum(row[1] for row in ligand.values()), charge, delta=1e-5)
            self.assertEqual(ligand['H'][0], [tail[2], tail[3], 0.0])
            # Tetrahedral: no two hydrogens of one atom nearer than those of methane.
            places = [row[0] for name, row in ligand.items() if name[0] == 'H']
            self.assertGreater(min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i]), 1.55)
        hydrogens = [('H1', 'EOX', 4, 29.64, -1.03, 0.0), ('H2', 'EOX', 4, 29.64, 0.51, 0.89), ('H3', 'EOX', 4, 29.64, 0.51, -0.89)]
        self.expect_refusal(PEPTIDE + self.ETHANOL + hydrogens, 'EOX 4 of chain A: it has hydrogens at carbons, and some are missing at atom C2')
        methylamine = [('N1', 'MAM', 4, 30.0, 0.0, 0.0), ('C1', 'MAM', 4, 31.47, 0.0, 0.0), ('HN', 'MAM', 4, 29.66, 0.95, 0.0)]
        hydrogens = [('H1', 'MAM', 4, 31.83, 1.03, 0.0), ('H2', 'MAM', 4, 31.83, -0.51, 0.89), ('H3', 'MAM', 4, 31.83, -0.51, -0.89)]
        self.expect_refusal(PEPTIDE + methylamine + hydrogens, 'MAM 4 of chain A: it has hydrogens at carbons, and some are missing at atom N1')

    def test_charges_of_a_file_without_hydrogens(self):
        """Its charges are no whole molecule's: none is taken, and no hydrogen has zero. A file with some hydrogens is refused."""
        write_pdb(self.pdb, PEPTIDE + self.ETHANOL)
        heavy = [(name, name[0] + '.3', x, y, z, charge) for (name, _, _, x, y, z), charge in zip(self.ETHANOL, (0.1, 0.2, -0.3))]
        self.write_mol2('heavy.mol2', heavy, [(1, 2, 1), (2, 3, 1)])
        charges = self.ligand_charges(self.prepare('--ligand', 'heavy.mol2', '--report', 'report.csv'))
        self.assertEqual(len(charges), 9)
        self.assertTrue(all(charges.values()), charges)
        self.assertAlmostEqual(charges['O1'], -0.3967, delta=0.01)
        report = (self.folder / 'report.csv').read_text(encoding='utf-8')
        self.assertIn("the charges of the ligand's file aren't used, because it has no hydrogens", report)
        self.write_mol2('polar.mol2', heavy + [('HO', 'H', 32.9, 1.3, 0.0, 0.0)], [(1, 2, 1), (2, 3, 1), (3, 4, 1)])
        self.assertIn('polar.mol2: the ligand “MOL” has hydrogens, but its carbon C1 (atom 1) has fewer than four bonds',
                      self.expect_failure('prepare', '--ligand', 'polar.mol2', '-o', 'no.pqr', self.pdb))

    def test_protons_other_than_the_files(self):
        """The structure's amine has three hydrogens, the file's one: they aren't mixed."""
        places = [('N1', 30.0, 0.0, 0.0), ('C1', 31.47, 0.0, 0.0)]
        hydrogens = [('HA', 29.66, 0.95, 0.0), ('HB', 29.66, -0.48, 0.83), ('HC', 29.66, -0.48, -0.83)]
        write_pdb(self.pdb, PEPTIDE + [(name, 'MAM', 4, *place) for name, *place in places + hydrogens])
        atoms = [(name, 'N.3' if name[0] == 'N' else 'C.3', *place, 0.0) for name, *place in places]
        atoms += [(f'H{k}', 'H', 40.0 + k, 0.0, 0.0, 0.0) for k in range(5)]
        self.write_mol2('amine.mol2', atoms, [(1, 2, 1), (1, 3, 1), (1, 4, 1), (2, 5, 1), (2, 6, 1), (2, 7, 1)], 'NO_CHARGES')
        self.assertIn("MAM 4 of chain A: atom N1 has 3 hydrogens, 2 in the ligand's file (amine.mol2)",
                      self.expect_failure('prepare', '--ligand', 'amine.mol2', '-o', 'no.pqr', self.pdb).replace('’', "'"))

    def test_files_of_ligands_are_named(self):
        write_pdb(self.pdb, PEPTIDE + self.ETHANOL)
        heavy = [(name, name[0] + '.3', x, y, z, 0.0) for name, _, _, x, y, z in self.ETHANOL]
        for name in ('one.mol2', 'two.mol2'):
            self.write_mol2(name, heavy, [(1, 2, 1), (2, 3, 1)], 'NO_CHARGES')
        message = self.expect_failure('prepare', '--ligand', 'one.mol2', '--ligand', 'two.mol2', '-o', 'no.pqr', self.pdb)
        self.assertIn('two.mol2: the ligand “MOL” is the same molecule as that of one.mol2', message)
        self.assertNotIn('peptide.pdb', message)
        self.write_mol2('long.mol2', heavy + [('C3', 'C.3', 1, 1, 1, 0)], [(1, 2, 1), (2, 3, 1), (3, 4, 1)], 'NO_CHARGES')
        self.assertIn('long.mol2: the ligand “MOL” differs in heavy atoms',
                      self.expect_failure('prepare', '--ligand', 'long.mol2', '-o', 'no.pqr', self.pdb))

    def test_ions_as_ligands(self):
        """Thiocyanate and azide have no hydrogens and -1 e, carbonate -2 e."""
        for atoms in ((('S', 28.35), ('C', 30.0), ('N', 31.16)), (('N1', 28.83), ('N2', 30.0), ('N3', 31.17))):
            write_pdb(self.pdb, PEPTIDE + [(name, 'ION', 4, x, 0.0, 0.0) for name, x in atoms])
            charges = self.ligand_charges(self.prepare())
            self.assertEqual(len(charges), 3)
            self.assertAlmostEqual(sum(charges.values()), -1, delta=1e-5)
        write_pdb(self.pdb, PEPTIDE + [('C', 'CO3', 4, 30.0, 0.0, 0.0), ('O1', 'CO3', 4, 31.29, 0.0, 0.0),
                                       ('O2', 'CO3', 4, 29.355, 1.117, 0.0), ('O3', 'CO3', 4, 29.355, -1.117, 0.0)])
        charges = self.ligand_charges(self.prepare())
        self.assertEqual(len(charges), 4)
        self.assertAlmostEqual(sum(charges.values()), -2, delta=1e-5)
        self.assertAlmostEqual(charges['O1'], charges['O2'], delta=1e-5)

    def test_ligands_that_cannot_be_charged(self):
        ammonium = next(atom for atom in PEPTIDE if atom[0] == 'NZ')
        carbon = ('C1', 'LIG', 4, ammonium[3] + 1.2, ammonium[4] + 0.8, ammonium[5])
        self.expect_refusal(PEPTIDE + [carbon, ('C2', 'LIG', 4, carbon[3] + 1.53, carbon[4], carbon[5])],
                            'LIG 4 of chain A is bonded to LYS 3 of chain A')
        self.expect_refusal(PEPTIDE + [('C1', 'LIG', 4, 30.0, 0.0, 0.0), ('B1', 'LIG', 4, 31.5, 0.0, 0.0)],
                            'LIG 4 of chain A', 'the element B')
        # Three carbons in a row with short bonds: a radical, or atoms are missing.
        self.expect_refusal(PEPTIDE + [('C1', 'LIG', 4, 30.0, 0.0, 0.0), ('C2', 'LIG', 4, 31.37, 0.0, 0.0), ('C3', 'LIG', 4, 32.055, 1.186, 0.0)],
                            'LIG 4 of chain A: its geometry leaves the bond orders at atom C', 'Give the ligand as a Mol2, SDF or mmCIF component file')

    def test_sugars(self):
        """Each of them and asparagine has a whole charge; the hydrogens in whose place bonds are lack, no others."""
        write_pdb(self.pdb, GLYCAN)
        atoms = self.prepare('--report', 'report.csv')
        hydrogens = {number: sum(key == number and name.startswith('H') for key, name in atoms) for number, _ in atoms}
        self.assertEqual(hydrogens, {1: 3, 2: 5, 3: 4, 301: 12, 302: 13, 303: 11, 304: 11})
        for number in hydrogens:
            self.assertAlmostEqual(sum(charge for (own, _), (_, charge, _) in atoms.items() if own == number), 0, delta=2e-5)
        # Of asparagine nothing but the charge of the hydrogen that is gone moved.
        self.assertAlmostEqual(atoms[2, 'ND2'][1], -0.9191 + 0.4196, delta=1e-6)
        self.assertAlmostEqual(atoms[2, 'CG'][1], 0.7130, delta=1e-6)
        report = (self.folder / 'report.csv').read_text(encoding='utf-8')
        for words in ('ASN 2,A,ASN,,,5,0.0000,"bonded to NAG 301 of chain A', 'NAG 302,A,,,,13,0.0000,"bonded to NAG 301 of chain A'):
            self.assertIn(words, report)
        # Without the sugars asparagine has both hydrogens.
        self.assertIn((2, 'HD22'), self.prepare('--keep', 'resname ACE ASN NME'))

    def test_mmcif(self):
        """What is written is read again: charges and radii to the last figure, and all bonds."""
        write_pdb(self.pdb, GLYCAN)
        done = self.run_cli('prepare', '-o', 'out.pqr', '-o', 'out.cif', self.pdb)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_cli('export', '-o', 'again.pqr', 'out.cif')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read_pqr(self.folder / 'again.pqr'), read_pqr(self.folder / 'out.pqr'))
        done = self.run_cli('export', '-o', 'bonds.pdb', 'out.cif')
        self.assertEqual(done.returncode, 0, done.stderr)
        bonds = set()
        for line in (self.folder / 'bonds.pdb').read_text(encoding='ascii').splitlines():
            if line.startswith('CONECT'):
                numbers = [int(line[k:k + 5]) for k in range(6, len(line.rstrip()), 5)]
                bonds |= {frozenset((numbers[0], other)) for other in numbers[1:]}
        # A molecule of 121 atoms with four rings.
        self.assertEqual(len(bonds), 121 - 1 + 4)

    def test_modified_residue_within_a_chain(self):
        """Of the peptide's His: CB's next atom as SG, an oxygen on it. The chain goes on on both sides of it."""
        sulfenic = [(dict(CG='SG').get(name, name), 'CSO', number, *place) for name, residue, number, *place in PEPTIDE
                    if residue == 'HIS' and name in ('N', 'CA', 'C', 'O', 'CB', 'CG')]
        beta, sulfur = (next(atom for atom in sulfenic if atom[0] == name) for name in ('CB', 'SG'))
        stretched = [b + (s - b) * 1.2 for b, s in zip(beta[3:], sulfur[3:])]
        sulfenic = [atom for atom in sulfenic if atom[0] != 'SG'] + [
            ('SG', 'CSO', 2, *stretched), ('OD', 'CSO', 2, stretched[0], stretched[1], stretched[2] + 1.65)]
        write_pdb(self.pdb, [a for a in PEPTIDE if a[2] == 1] + sulfenic + [a for a in PEPTIDE if a[2] == 3])
        atoms = self.prepare('--report', 'report.csv')
        # Asp is charged within a start, Lys within an end: there is no other end.
        self.assertEqual([name for number, name in atoms if number == 3 and name in ('H', 'H1', 'H2', 'H3')], ['H'])
        self.assertNotIn((1, 'OXT'), atoms)
        charges = [charge for (number, _), (_, charge, _) in atoms.items() if number == 2]
        self.assertAlmostEqual(sum(charges), 0, delta=2e-5)
        self.assertEqual(sum(name.startswith('H') for number, name in atoms if number == 2), 5)
        report = (self.folder / 'report.csv').read_text(encoding='utf-8')
        self.assertNotIn('break', report)
        self.assertEqual((report.count('NTR'), report.count('CTR')), (1, 1))

    def test_phosphoserine(self):
        """Of the peptide's Asp: CB's third atom as OG, a phosphate on it; not at an end, for no table has it there."""
        backbone = [atom for atom in PEPTIDE if atom[1] != 'HIS']
        serine = [(name, 'SEP', number, *place) for name, residue, number, *place in PEPTIDE
                  if residue == 'HIS' and name in ('N', 'CA', 'C', 'O', 'CB')]
        serine += [('OG', 'SEP', 2, 3.187, 4.98, 0.95), ('P', 'SEP', 2, 2.70, 5.95, 2.15), ('O1P', 'SEP', 2, 2.30, 7.25, 1.45),
                   ('O2P', 'SEP', 2, 1.45, 5.30, 2.75), ('O3P', 'SEP', 2, 3.85, 6.15, 3.15)]
        ordered = [atom for atom in backbone if atom[2] == 1] + serine + [atom for atom in backbone if atom[2] == 3]
        write_pdb(self.pdb, ordered)
        atoms = self.prepare()
        self.assertAlmostEqual(sum(charge for (number, _), (_, charge, _) in atoms.items() if number == 2), -2, delta=1e-4)
        self.assertAlmostEqual(atoms[2, 'P'][1], 1.387088, delta=1e-6)
        done = self.run_cli('prepare', '--charges', 'charmm', '-o', 'c.pqr', self.pdb)
        self.assertIn('SEP 2 of chain A: the table has no charges for SEP; S1P is used instead', done.stderr)
        atoms = read_pqr(self.folder / 'c.pqr')
        self.assertAlmostEqual(sum(charge for (number, _), (_, charge, _) in atoms.items() if number == 2), -1, delta=1e-5)
        self.assertIn((2, 'H1P'), atoms)
        # PARSE has none: estimated, with the charge of the acid in water, and the chain goes on.
        done = self.run_cli('prepare', '--charges', 'parse', '-o', 'parse.pqr', self.pdb)
        self.assertIn('SEP 2 of chain A: charges estimated (Gasteiger and Marsili 1980), -2 e in total', done.stderr)
        atoms = read_pqr(self.folder / 'parse.pqr')
        self.assertAlmostEqual(sum(charge for (number, _), (_, charge, _) in atoms.items() if number == 2), -2, delta=1e-4)

    def test_selenomethionine(self):
        """Methionine's charges with sulfur's for selenium, and a warning."""
        side = [('CG', 'MSE', 2, 3.187, 5.081, 0.886), ('SE', 'MSE', 2, 2.9, 6.1, 2.45), ('CE', 'MSE', 2, 2.1, 7.6, 1.6)]
        residue = [(name, 'MSE', number, *place) for name, old, number, *place in PEPTIDE
                   if old == 'HIS' and name in ('N', 'CA', 'C', 'O', 'CB')] + side
        write_pdb(self.pdb, [atom for atom in PEPTIDE if atom[2] == 1] + residue + [atom for atom in PEPTIDE if atom[2] == 3])
        done = self.run_cli('prepare', '-o', 'out.pqr', self.pdb)
        self.assertIn('MSE 2 of chain A: charges and radii of MET, with sulfur', done.stderr)
        atoms = read_pqr(self.folder / 'out.pqr')
        self.assertEqual(atoms[2, 'SE'][1:], (-0.2737, 2.0))
        self.assertAlmostEqual(sum(charge for (number, _), (_, charge, _) in atoms.items() if number == 2), 0, delta=1e-5)

    REMARKS = ('REMARK 350 BIOMOLECULE: 1\n'
               'REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n'
               'REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n'
               'REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n'
               'REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n'
               'REMARK 350   BIOMT1   2 -1.000000  0.000000  0.000000       60.00000\n'
               'REMARK 350   BIOMT2   2  0.000000 -1.000000  0.000000       40.00000\n'
               'REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        5.00000\n'
               'REMARK 350 BIOMOLECULE: 2\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n'
               'REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n'
               'REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n'
               'REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n')

    def test_assembly_of_a_pdb_file(self):
        """A dimer by a twofold axis: the second chain is B, and each atom is where the operation puts it."""
        self.pdb.write_text(self.REMARKS + self.pdb.read_text(encoding='ascii'), encoding='ascii')
        self.assertEqual(len(self.prepare('--assembly', '2')), 54)
        done = self.run_cli('prepare', '--assembly', '1', '--no-optimise', '-o', 'two.pqr', '--report', 'report.csv', self.pdb)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split() for line in (self.folder / 'two.pqr').read_text(encoding='ascii').splitlines() if line.startswith('ATOM')]
        self.assertEqual(len(rows), 2 * 54)
        first, second = ([row for row in rows if row[4] == chain] for chain in 'AB')
        for a, b in zip(first, second):
            self.assertEqual(a[2], b[2])
            x, y, z = map(float, a[6:9])
            for found, expected in zip(map(float, b[6:9]), (60 - x, 40 - y, z + 5)):
                self.assertAlmostEqual(found, expected, delta=2.1e-3)
        self.assertIn('CTR 3,B,charged', (self.folder / 'report.csv').read_text(encoding='utf-8'))
        message = self.expect_failure('prepare', '--assembly', '3', '-o', 'no.pqr', self.pdb)
        self.assertIn('the file has no biological assembly 3, but 1, 2', message)
        self.assertEqual(message.count('peptide.pdb'), 1)
        self.pdb.write_text(self.pdb.read_text(encoding='ascii').replace('BIOMT2   2  0.0', 'BIOMT2   2  x.0'), encoding='ascii')
        self.assertIn('peptide.pdb: line 7', self.expect_failure('prepare', '--assembly', '1', '-o', 'no.pqr', self.pdb))
        write_pdb(self.pdb, PEPTIDE)
        self.assertIn('no biological assemblies (REMARK 350)',
                      self.expect_failure('prepare', '--assembly', '1', '-o', 'no.pqr', self.pdb))

    def test_more_copies_than_letters(self):
        """Chain A-63 is no PDB file's; a PQR file has it."""
        text = ''.join(line for line in self.REMARKS.splitlines(keepends=True)[:5])
        for k in range(2, 64):
            text += ''.join(f'REMARK 350   BIOMT{row}   {k} {" ".join(str(float(row == column)) for column in (1, 2, 3))} {k * 40.0 * (row == 1)}\n'
                            for row in (1, 2, 3))
        self.pdb.write_text(text + self.pdb.read_text(encoding='ascii'), encoding='ascii')
        self.assertIn('PDB files name chains by one character, and the structure has a chain A-63. Write a .cif or .pqr file',
                      self.expect_failure('prepare', '--assembly', '1', '--no-optimise', '-o', 'no.pdb', self.pdb))
        self.prepare('--assembly', '1', '--no-optimise')
        self.assertIn(' A-63 ', (self.folder / 'out.pqr').read_text(encoding='ascii'))

    def write_cif(self, expression):
        rows = '\n'.join(f'ATOM {i} {name[0]} {name} . {residue} P 1 {number} ? {x} {y} {z} 1.0 0.0 ? {number} {residue} A {name} 1'
                         for i, (name, residue, number, x, y, z) in enumerate(PEPTIDE, 1))
        columns = ('group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_entity_id label_seq_id '
                   'pdbx_PDB_ins_code Cartn_x Cartn_y Cartn_z occupancy B_iso_or_equiv pdbx_formal_charge auth_seq_id auth_comp_id '
                   'auth_asym_id auth_atom_id pdbx_PDB_model_num')
        matrix = [f'matrix[{r}][{c}]' for r in (1, 2, 3) for c in (1, 2, 3)] + [f'vector[{r}]' for r in (1, 2, 3)]
        (self.folder / 'peptide.cif').write_text('\n'.join([
            'data_x', 'loop_', '_pdbx_struct_assembly_gen.assembly_id', '_pdbx_struct_assembly_gen.oper_expression',
            '_pdbx_struct_assembly_gen.asym_id_list', f'1 {expression} P', 'loop_', '_pdbx_struct_oper_list.id',
            *('_pdbx_struct_oper_list.' + name for name in matrix), '1 1 0 0 0 1 0 0 0 1 0 0 0', '2 -1 0 0 0 -1 0 0 0 1 60 40 5',
            'X0 1 0 0 0 1 0 0 0 1 0 0 100', 'loop_', *('_atom_site.' + name for name in columns.split()), rows, '']), encoding='ascii')

    def test_assembly_of_an_mmcif_file(self):
        for expression, expected in (("'1,2'", (1.458, 58.542)), ("'(X0)(1-2)'", (1.458, 58.542)), ('1', (1.458,))):
            self.write_cif(expression)
            done = self.run_cli('prepare', '--assembly', '1', '--no-optimise', '-o', 'two.pqr', 'peptide.cif')
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = [line.split() for line in (self.folder / 'two.pqr').read_text(encoding='ascii').splitlines() if line.startswith('ATOM')]
            alphas = [row for row in rows if row[2] == 'CA' and row[5] == '1']
            self.assertEqual([float(row[6]) for row in alphas], list(expected))
            self.assertEqual([row[4] for row in alphas], ['A', 'B'][:len(expected)])
            if 'X0' in expression:
                self.assertEqual([float(row[8]) for row in alphas], [100.0, 105.0])
        for expression, words in (("'(1-2'", '(1-2'), ('9', 'operation 9'), ("'(1-2000)'", '1-2000')):
            self.write_cif(expression)
            self.assertIn(words, self.expect_failure('prepare', '--assembly', '1', '-o', 'no.pqr', 'peptide.cif'))

    def test_turned_by_hand(self):
        """The ring of His as in the file, or turned by 180° about the line from CB to CG, whatever hydrogen bonds say."""
        places = {}
        for turn in ('kept', 'turned'):
            (self.folder / 'mine.csv').write_text(f'chain,residue,state\nA,HIS 2,HID {turn}\n', encoding='ascii')
            places[turn] = self.prepare('--states', 'mine.csv', '--report', 'report.csv')
            self.assertIn(f'HID {turn}', (self.folder / 'report.csv').read_text(encoding='utf-8'))
            self.assertEqual(self.prepare('--states', 'report.csv'), places[turn])
        file = {name: [x, y, z] for name, _, number, x, y, z in PEPTIDE if number == 2}
        for name in ('ND1', 'CD2', 'CE1', 'NE2'):
            self.assertEqual(places['kept'][2, name][0], file[name])
            for now, expected in zip(places['turned'][2, name][0], turn_over(file[name], file['CB'], file['CG'])):
                self.assertAlmostEqual(now, expected, delta=2e-3)
        for residue, state in (('HIS 2', 'HID upside'), ('LYS 3', 'LYS turned')):
            (self.folder / 'wrong.csv').write_text(f'chain,residue,state\nA,{residue},{state}\n', encoding='ascii')
            self.assertIn(f'expected a state that the table has charges for, found {state}',
                          self.expect_failure('prepare', '--states', 'wrong.csv', '-o', 'no.pqr', self.pdb))

    def test_wrong_states(self):
        for text, found in (('chain,residue,state\nA,9,HID\n', 'residue 9 of chain A'), ('chain,residue,state\nA,2,ASH\n', 'ASH'),
                            ('chain,number\n', 'line 1'), ('chain,residue,state\nA,two,HID\n', 'line 2')):
            (self.folder / 'wrong.csv').write_text(text, encoding='ascii')
            self.assertIn(found, self.expect_failure('prepare', '--states', 'wrong.csv', '-o', 'no.pqr', self.pdb))

    def test_json_names_and_no_output(self):
        told = json.loads(self.run_cli('prepare', '--json', self.pdb).stdout)
        self.assertEqual((told['atoms'], told['added'], told['total_charge']), (54, 27, 0))
        self.run_cli('prepare', '--names', '--no-optimise', '-o', 'out.pdb', self.pdb)
        self.assertIn(' HIE A   2', (self.folder / 'out.pdb').read_text(encoding='ascii'))
        self.expect_usage('prepare', self.pdb)
        self.expect_usage('prepare', '-o', 'out.svg', self.pdb)
        self.expect_usage('prepare', '--titrate', 'propka', '-o', 'out.pqr', self.pdb)

    def test_again_keeps_all(self):
        first = self.prepare()
        done = self.run_cli('prepare', '-o', 'again.pqr', 'out.pqr')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read_pqr(self.folder / 'again.pqr'), first)

    def refuse(self, atoms, *options):
        write_pdb(self.pdb, atoms)
        done = self.run_cli('prepare', '-o', 'no.pqr', *options, self.pdb)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    @staticmethod
    def move(atom, residue, place):
        return [(*key[:3], *place) if (key[0], key[2]) == (atom, residue) else key for key in PEPTIDE]

    def test_geometry_that_leaves_no_place(self):
        self.assertIn('LYS 3 of chain A: the atoms CA, C and O lie on a line', self.refuse(self.move('O', 3, (8.747, 6.669, 0))))
        self.assertIn('the bonds of atom N leave no room', self.refuse(self.move('CA', 2, (4.786, 1.663, 0))))

    def test_atoms_that_are_missing_or_twice(self):
        self.assertIn('LYS 3 of chain A has two atoms CB', self.refuse([*PEPTIDE, ('CB', 'LYS', 3, 8.19, 3.06, 1.21)]))
        ring = [(name, 'DA', 1, 1.5 * i, 0, 0) for i, name in enumerate(("O5'", "C5'", "C4'", "C3'", "O3'", "C1'"))]
        self.assertIn('heavy atoms are missing', self.refuse(ring))

    def test_positions_in_doubt(self):
        """Atoms with occupancy 0, of which waters that are dropped are none, and a bond between two alternate locations."""
        lines = self.pdb.read_text().splitlines()[:-1]
        water = 'HETATM   90  O   HOH B   1      20.000   0.000   0.000  0.00  0.00           O'
        unseen = [line[:54] + '  0.00' + line[60:] if line[12:16].strip() in ('CE', 'NZ') else line for line in lines]
        self.pdb.write_text('\n'.join([*unseen, water, 'END', '']))
        for option, number in (('keep', 3), ('drop', 2)):
            done = self.run_cli('prepare', '--water', option, '--report', 'report.csv', '-o', 'out.pqr', self.pdb)
            self.assertIn(f'atoms with occupancy 0, whose positions the experiment does not show: {number}\n', done.stderr)
            self.assertIn('occupancy 0: CE NZ;', (self.folder / 'report.csv').read_text())
        self.pdb.write_text('\n'.join([line[:54] + '  0.00' + line[60:] for line in lines] + ['END', '']))
        self.assertNotIn('occupancy', self.run_cli('prepare', '-o', 'none.pqr', self.pdb).stderr)
        mixed = [line[:16] + 'B' + line[17:30] + f'{float(line[30:38]) + 1:8.3f}' + line[38:54] + '  0.60' + line[60:]
                 if line[12:16] == ' NZ ' else line[:16] + 'A' + line[17:54] + '  0.40' + line[60:]
                 if line[12:16] == ' CE ' else line for line in lines]
        self.pdb.write_text('\n'.join([*mixed, 'END', '']))
        done = self.run_cli('prepare', '-o', 'mixed.pqr', self.pdb)
        self.assertIn('LYS 3 of chain A: the bond from CE to NZ is 2.05 Å long', done.stderr)

    def test_several_ligands(self):
        told = self.refuse([*PEPTIDE, ('C1', 'LIG', 7, 30, 0, 0), ('C1', 'DRG', 8, 40, 0, 0)])
        self.assertIn('no charges for 2 residues, the first is LIG 7 of chain A: to continue without them, keep “not resname LIG DRG”',
                      told)

    def test_sulfur_without_partner(self):
        cystine = [('SG' if key[0] == 'CG' else key[0], 'CYS', *key[2:]) if key[2] == 1 else key for key in PEPTIDE
                   if key[2] != 1 or key[0] in ('N', 'CA', 'C', 'O', 'CB', 'CG')]
        with open(self.folder / 'states.csv', 'w', encoding='ascii') as file:
            file.write('chain,residue,state\nA,CYS 1,CYX\n')
        self.assertIn('CYX doesn\'t fit the bonds of its sulfur', self.refuse(cystine, '--states', 'states.csv'))

    def test_atom_without_position(self):
        with open(self.folder / 'nowhere.gro', 'w', encoding='ascii') as file:
            file.write('water\n2\n    1SOL     OW    1   1.000   1.000   1.000\n    2SOL     OW    2     nan     nan     nan\n2.0 2.0 2.0\n')
        done = self.run_cli('prepare', '-o', 'no.pqr', 'nowhere.gro')
        self.assertEqual(done.returncode, 1)
        self.assertIn('atom OW of residue SOL 2 has no position', done.stderr)

    def rename_hydrogens(self, source, target, change):
        """A file whose hydrogens have other names, or none: change() gives a residue's atom its name."""
        lines = []
        for line in (self.folder / source).read_text(encoding='ascii').splitlines():
            words = line.split()
            name = change(words[3], words[2]) if line.startswith('ATOM') else ''
            if name is None:
                continue
            lines.append(line.replace(f' {words[2]} ', f' {name} ', 1) if name else line)
        (self.folder / target).write_text('\n'.join(lines) + '\n', encoding='ascii')

    def assert_apart(self, atoms):
        places = [(key, place) for key, (place, _, _) in atoms.items()]
        for i, (one, at) in enumerate(places):
            for other, there in places[:i]:
                self.assertGreater(math.dist(at, there), 0.7, f'{one} and {other}')

    def test_hydrogens_of_other_names(self):
        first = self.prepare('--no-optimise')
        older = {'HB2': 'HB1', 'HB3': 'HB2', 'HG2': 'HG1', 'HG3': 'HG2', 'HD2': 'HD1', 'HD3': 'HD2', 'HE2': 'HE1', 'HE3': 'HE2'}
        self.rename_hydrogens('out.pqr', 'older.pqr', lambda residue, name: older.get(name, name) if residue == 'LYS' else name)
        done = self.run_cli('prepare', '--no-optimise', '-o', 'again.pqr', 'older.pqr')
        self.assertEqual(done.returncode, 0, done.stderr)
        again = read_pqr(self.folder / 'again.pqr')
        self.assertEqual(sorted(again.values()), sorted(first.values()))
        self.assertNotIn((3, 'HB3'), again, 'names stay the file’s')

    def test_some_hydrogens(self):
        self.prepare()
        self.rename_hydrogens('out.pqr', 'some.pqr', lambda residue, name: None if name in ('HB2', 'HZ1', 'HZ3', 'H1') else name)
        done = self.run_cli('prepare', '-o', 'again.pqr', 'some.pqr')
        self.assertEqual(done.returncode, 0, done.stderr)
        again = read_pqr(self.folder / 'again.pqr')
        self.assertEqual(len(again), 54)
        self.assert_apart(again)

    def test_water_with_a_site(self):
        angle = math.radians(104.52)
        water = {'OW': (0, 0, 0), 'HW1': (0, 0.9572, 0), 'HW2': (0, 0.9572 * math.cos(angle), 0.9572 * math.sin(angle)),
                 'MW': (0, 0.092, 0.119)}
        with open(self.folder / 'water.gro', 'w', encoding='ascii') as file:
            file.write('water\n4\n')
            for i, (name, place) in enumerate(water.items(), 1):
                file.write('    1SOL  %5s%5d%8.3f%8.3f%8.3f\n' % (name, i, *(0.1 * x for x in place)))
            file.write('2.0 2.0 2.0\n')
        done = self.run_cli('prepare', '-o', 'water.pqr', 'water.gro')
        self.assertEqual((done.returncode, 'apart' in done.stderr), (0, False), done.stderr)
        places = {name.replace('W', ''): place for (_, name), (place, _, _) in read_pqr(self.folder / 'water.pqr').items()}
        self.assertEqual(len(places), 3)
        for name, was in (('H1', 'HW1'), ('H2', 'HW2')):
            self.assertLess(math.dist(places[name], water[was]), 0.006, name)

    def place_ion(self, name, number, atom, away, distance):
        """An ion at `distance` from an atom of a residue, on the line from the middle of other atoms to it."""
        places = {key[0]: key[3:] for key in PEPTIDE if key[2] == number}
        middle = [sum(places[other][k] for other in away) / len(away) for k in range(3)]
        length = math.dist(places[atom], middle)
        place = [places[atom][k] + (places[atom][k] - middle[k]) / length * distance for k in range(3)]
        write_pdb(self.pdb, PEPTIDE + [(name, name, 9, *place)])

    def test_tautomer_by_hydrogen_bonds(self):
        for ion, expected in (('CL', 'HD1'), ('NA', 'HE2')):
            self.place_ion(ion, 2, 'ND1', ('CG', 'CE1'), 3.0)
            told = self.prepare()
            self.assertEqual({name for number, name in told if number == 2 and name in ('HD1', 'HE2')}, {expected})
            self.assertIn((2, 'HE2'), self.prepare('--no-optimise'))

    def test_ring_flips_for_hydrogen_bonds(self):
        """Chloride at CD2, which can't bind it: a nitrogen with its hydrogen turns there."""
        self.place_ion('CL', 2, 'CD2', ('CG', 'NE2'), 3.0)
        atoms, still = self.prepare(), self.prepare('--no-optimise')
        self.assertLess(math.dist(atoms[2, 'HD1'][0], atoms[9, 'CL'][0]), 2.1)
        # By 180° about CB–CG: the nitrogen is where the carbon was, but for their bonds' lengths.
        self.assertLess(math.dist(atoms[2, 'ND1'][0], still[2, 'CD2'][0]), 0.3)
        for pair in (('CG', 'ND1'), ('ND1', 'CE1'), ('CE1', 'NE2'), ('NE2', 'CD2'), ('CD2', 'CG')):
            self.assertAlmostEqual(math.dist(*(atoms[2, name][0] for name in pair)),
                                   math.dist(*(still[2, name][0] for name in pair)), delta=2e-3)

    def test_hydroxyl_turns_to_acceptor(self):
        """Serine alone between its ends: the chloride is where the best of all torsions would put the hydrogen's bond."""
        serine = [(name, 'SER', number, *place) for name, residue, number, *place in PEPTIDE
                  if number == 1 and name in ('N', 'CA', 'C', 'O', 'CB')] + [('OG', 'SER', 1, 1.522, -2.114, -1.196)]
        rest = [atom for atom in PEPTIDE if atom[2] > 1]
        for chloride in ((3.1, -3.0, -3.4), (-1.2, -2.2, -2.6), (1.6, -4.4, 0.9)):
            write_pdb(self.pdb, serine + rest + [('CL', 'CL', 9, *chloride)])
            atoms = self.prepare()
            oxygen, hydrogen = atoms[1, 'OG'][0], atoms[1, 'HG'][0]
            # Of all torsions, none is nearer by more than the steps of 30° allow: 0.91 Å · 2 · sin 7.5°.
            axis = [a - b for a, b in zip(oxygen, atoms[1, 'CB'][0])]
            nearest = nearest_on_circle(oxygen, axis, hydrogen, chloride)
            self.assertLess(math.dist(hydrogen, chloride) - nearest, 0.24)
            self.assertAlmostEqual(math.dist(oxygen, hydrogen), 0.96, delta=2e-3)

    def test_water_points_at_acceptor(self):
        write_pdb(self.pdb, PEPTIDE + [('O', 'HOH', 8, 30.0, 0.0, 0.0), ('CL', 'CL', 9, 33.0, 0.0, 0.0)])
        atoms = self.prepare()
        self.assertLess(min(math.dist(atoms[8, name][0], (33.0, 0.0, 0.0)) for name in ('H1', 'H2')), 2.05)
        self.assertAlmostEqual(math.dist(atoms[8, 'H1'][0], atoms[8, 'H2'][0]), 1.5139, delta=2e-3)
        self.assertNotIn((8, 'O'), self.prepare('--water', 'drop'))

    def test_missing_side_chain_is_rebuilt(self):
        """Bonds and angles within three standard deviations of Engh and Huber's (1991) for lysine and histidine."""
        gone = {(name, 3) for name in ('CG', 'CD', 'CE', 'NZ')} | {('CD2', 2), ('NE2', 2)}
        write_pdb(self.pdb, [atom for atom in PEPTIDE if (atom[0], atom[2]) not in gone])
        atoms = {key: place for key, (place, *_) in self.prepare('--report', 'report.csv').items()}
        self.assertEqual(len(atoms), 54)
        for number, a, b, length, deviation in ((3, 'CB', 'CG', 1.520, 0.030), (3, 'CG', 'CD', 1.520, 0.030),
                                                (3, 'CD', 'CE', 1.520, 0.030), (3, 'CE', 'NZ', 1.489, 0.030),
                                                (2, 'CG', 'CD2', 1.354, 0.011), (2, 'CD2', 'NE2', 1.374, 0.021),
                                                (2, 'NE2', 'CE1', 1.345, 0.020)):
            self.assertAlmostEqual(math.dist(atoms[number, a], atoms[number, b]), length, delta=3 * deviation, msg=(a, b))
        for number, a, b, c, angle, deviation in ((3, 'CA', 'CB', 'CG', 114.1, 2.0), (3, 'CB', 'CG', 'CD', 111.3, 2.3),
                                                  (3, 'CG', 'CD', 'CE', 111.3, 2.3), (3, 'CD', 'CE', 'NZ', 111.9, 3.2),
                                                  (2, 'CB', 'CG', 'CD2', 131.2, 1.3)):
            u, v = ([x - y for x, y in zip(atoms[number, end], atoms[number, b])] for end in (a, c))
            cosine = sum(x * y for x, y in zip(u, v)) / math.hypot(*u) / math.hypot(*v)
            self.assertAlmostEqual(math.degrees(math.acos(cosine)), angle, delta=3 * deviation, msg=(a, b, c))
        report = (self.folder / 'report.csv').read_text(encoding='utf-8')
        self.assertIn('atom CG added; atom CD added; atom CE added; atom NZ added', report)

    def expect_refusal(self, atoms, *words):
        write_pdb(self.folder / 'bad.pdb', atoms)
        message = self.expect_failure('prepare', '-o', 'bad.pqr', 'bad.pdb')
        for word in ('bad.pdb: ', *words):
            self.assertIn(word, message)
        self.assertFalse((self.folder / 'bad.pqr').exists())

    def test_structures_that_cannot_be_made_ready(self):
        self.expect_refusal([atom for atom in PEPTIDE if atom[0] == 'CA'], 'ASP 1 of chain A', 'Cα')
        self.expect_refusal([atom for atom in PEPTIDE if atom[:3] != ('C', 'HIS', 2)], 'HIS 2 of chain A', 'atom C ')
        self.expect_refusal(PEPTIDE + [('CA', 'ALA', 4, 11.755, 2.190, -2.400)], 'CE', 'LYS 3', 'at the same position')
        self.expect_refusal([atom for atom in PEPTIDE if atom[2] != 2], 'ASP 1 of chain A', 'bonded to no other')
        self.expect_refusal(PEPTIDE + [('C1', 'LIG', 4, 30.0, 0.0, 0.0)], 'LIG 4 of chain A', 'no charges')
        self.expect_refusal(PEPTIDE + [('CX', 'LYS', 3, 30.0, 0.0, 0.0)], 'CX', 'LYS 3')

    def test_charmm(self):
        atoms = self.prepare('--charges', 'charmm', '--no-optimise', '--ph', '2')
        # CHARMM has a protonated start (ASPP with NTER), which AMBER has not.
        self.assertIn((1, 'HD2'), atoms)
        self.assertEqual(atoms[1, 'OD2'][1:], (-0.61, 1.77))
        self.assertEqual(atoms[2, 'HD1'][1:], (0.44, 0.2245))
        self.assertAlmostEqual(sum(charge for _, charge, _ in atoms.values()), 2, delta=1e-5)
        self.expect_usage('prepare', '--charges', 'charmm', '--names', '-o', 'no.pqr', self.pdb)

    def test_first_of_several_models(self):
        text = self.pdb.read_text(encoding='ascii').replace('END\n', '')
        moved = '\n'.join(line[:46] + '  99.000' + line[54:] if ' NZ ' in line else line for line in text.splitlines())
        self.pdb.write_text(f'MODEL        1\n{text}ENDMDL\nMODEL        2\n{moved}\nENDMDL\nEND\n', encoding='ascii')
        done = self.run_cli('prepare', '-o', 'out.pqr', self.pdb)
        self.assertIn('2 models', done.stderr)
        self.assertEqual(read_pqr(self.folder / 'out.pqr')[3, 'NZ'][0][2], -3.69)
        self.assertEqual(self.prepare('--model', '2')[3, 'NZ'][0][2], 99.0)
        self.assertIn('Model', self.expect_usage('prepare', '--model', '3', '-o', 'no.pqr', self.pdb))

    def test_keep_leaves_ligands_out(self):
        write_pdb(self.pdb, PEPTIDE + [('C1', 'LIG', 4, 30.0, 0.0, 0.0)])
        self.assertEqual(len(self.prepare('--keep', 'protein')), 54)
        self.assertIn('Keep', self.expect_failure('prepare', '--keep', 'resname NONE', '-o', 'no.pqr', self.pdb))


if __name__ == '__main__':
    unittest.main()
