#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli prepare --ligand: a chemical component in mmCIF tells a ligand's bond orders, formal charges and protons."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_case import CliCase  # noqa: E402
from peptide import PEPTIDE, read_pqr, write_pdb  # noqa: E402

# Acetic acid, beside the peptide; the component has it 20 Å away.
ACID = [(name, 'ACY', 9, x + 20.0, y, z) for name, x, y, z in (
    ('C', 0.0, 0.0, 0.0), ('O', 1.05, 0.61, 0.0), ('OXT', -1.17, 0.67, 0.0), ('CH3', 0.0, -1.50, 0.0))]
HYDROGENS = (('HXT', -1.93, 0.06, 0.0), ('H1', 1.03, -1.86, 0.0), ('H2', -0.51, -1.86, 0.89), ('H3', -0.51, -1.86, -0.89))
BONDS = (('C', 'O', 'DOUB'), ('C', 'OXT', 'SING'), ('C', 'CH3', 'SING'), ('OXT', 'HXT', 'SING'), ('CH3', 'H1', 'SING'),
         ('CH3', 'H2', 'SING'), ('CH3', 'H3', 'SING'))


def write_component(path, is_anion):
    """The acid, or its anion with a charge at OXT."""
    atoms = [(name, x - 20.0, y, z) for name, _, _, x, y, z in ACID]
    atoms += [hydrogen for hydrogen in HYDROGENS if not (is_anion and hydrogen[0] == 'HXT')]
    names = {name for name, *_ in atoms}
    lines = ['data_ACY', '_chem_comp.id ACY', "_chem_comp.name 'ACETIC ACID'", 'loop_']
    lines += [f'_chem_comp_atom.{item}' for item in ('comp_id', 'atom_id', 'type_symbol', 'charge', 'pdbx_model_Cartn_x_ideal',
                                                     'pdbx_model_Cartn_y_ideal', 'pdbx_model_Cartn_z_ideal')]
    lines += [f'ACY {name} {name[0]} {-1 if is_anion and name == "OXT" else 0} {x:.3f} {y:.3f} {z:.3f}' for name, x, y, z in atoms]
    lines += ['loop_', *(f'_chem_comp_bond.{item}' for item in ('comp_id', 'atom_id_1', 'atom_id_2', 'value_order'))]
    lines += [f'ACY {first} {second} {order}' for first, second, order in BONDS if {first, second} <= names]
    path.write_text('\n'.join(lines) + '\n', encoding='ascii')


class Component(CliCase):
    def prepare(self, *options):
        write_pdb(self.folder / 'complex.pdb', PEPTIDE + ACID)
        done = self.run_cli('prepare', '-o', 'out.pqr', '--report', 'report.csv', *options, self.folder / 'complex.pdb')
        self.assertEqual(done.returncode, 0, done.stderr)
        atoms = {name: charge for (number, name), (_, charge, _) in read_pqr(self.folder / 'out.pqr').items() if number == 9}
        return atoms, sum(atoms.values())

    def test_protons_are_the_components(self):
        """The geometry alone makes it the anion, as in water at pH 7."""
        atoms, charge = self.prepare()
        self.assertAlmostEqual(charge, -1, delta=1e-4)
        for is_anion in (False, True):
            with self.subTest(is_anion):
                write_component(self.folder / 'ACY.cif', is_anion)
                atoms, charge = self.prepare('--ligand', self.folder / 'ACY.cif')
                self.assertAlmostEqual(charge, -1 if is_anion else 0, delta=1e-4)
                self.assertEqual(len(atoms), 7 if is_anion else 8)
                self.assertIn('bond orders of the ligand', (self.folder / 'report.csv').read_text(encoding='utf-8'))

    def test_an_entry_is_no_component(self):
        write_component(self.folder / 'ACY.cif', False)
        text = (self.folder / 'ACY.cif').read_text(encoding='ascii').replace('ACY CH3', 'EDO CH3')
        (self.folder / 'two.cif').write_text(text, encoding='ascii')
        write_pdb(self.folder / 'complex.pdb', PEPTIDE + ACID)
        done = self.run_cli('prepare', '-o', 'out.pqr', '--ligand', 'two.cif', self.folder / 'complex.pdb')
        self.assertEqual(done.returncode, 1)
        self.assertIn('two.cif: line 15: expected one component, found ACY and EDO', done.stderr)


if __name__ == '__main__':
    unittest.main()
