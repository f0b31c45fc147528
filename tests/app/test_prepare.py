#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli prepare: a dipeptide made ready, what is asked of it, and structures that can't be."""
import csv
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402
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
        for name, state in (('LYS', 'ASH'), ('NTR', 'ASP'), ('XYZ', 'ASP')):
            (self.folder / 'wrong.csv').write_text(f'chain,residue,state\nA,{name} 1,{state}\n', encoding='ascii')
            self.assertIn(f'residue {name} 1: the structure has ASP 1 of chain A. Correct the name or the number',
                          self.expect_failure('prepare', '--states', 'wrong.csv', '-o', 'no.pqr', self.pdb))

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
        self.expect_usage('prepare', '-o', 'out.h5', self.pdb)
        self.expect_usage('prepare', '--titrate', 'pb', '-o', 'out.pqr', self.pdb)

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
        self.assertIn('the bonds of atom N leave no place', self.refuse(self.move('CA', 2, (4.786, 1.663, 0))))

    def test_atoms_that_are_missing_or_twice(self):
        self.assertIn('LYS 3 of chain A has two atoms CB', self.refuse([*PEPTIDE, ('CB', 'LYS', 3, 8.19, 3.06, 1.21)]))
        ring = [(name, 'DA', 1, 1.5 * i, 0, 0) for i, name in enumerate(("O5'", "C5'", "C4'", "C3'", "O3'", "C1'"))]
        self.assertIn('heavy atoms are missing', self.refuse(ring))

    def test_several_ligands(self):
        told = self.refuse([*PEPTIDE, ('C1', 'LIG', 7, 30, 0, 0), ('C1', 'DRG', 8, 40, 0, 0)])
        self.assertIn('no charges for 2 residues, the first is LIG 7 of chain A: to go on without them, keep “not resname LIG DRG”',
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
        self.expect_refusal(PEPTIDE + [('CA', 'ALA', 4, 11.755, 2.190, -2.400)], 'CE', 'LYS 3', 'at one place')
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
