#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli prepare: strands of nucleic acids that begin with a phosphate group, which no table has."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_case import CliCase  # noqa: E402
from peptide import read_pqr, write_pdb  # noqa: E402

# Guanosine 2 of the entry 1BNA (Drew et al. 1981).
NUCLEOTIDE = [(name, 'DG', 2, *place) for name, *place in (
    ('P', 22.409, 31.286, 21.483), ('OP1', 23.536, 32.157, 21.851), ('OP2', 21.822, 31.459, 20.139), ("O5'", 22.840, 29.751, 21.498),
    ("C5'", 23.543, 29.175, 22.594), ("C4'", 23.494, 27.709, 22.279), ("O4'", 22.193, 27.252, 22.674), ("C3'", 23.693, 27.325, 20.807),
    ("O3'", 24.723, 26.320, 20.653), ("C2'", 22.273, 26.885, 20.416), ("C1'", 21.721, 26.304, 21.716), ('N9', 20.237, 26.470, 21.780),
    ('C8', 19.526, 27.584, 21.429), ('N7', 18.207, 27.455, 21.636), ('C5', 18.083, 26.212, 22.142), ('C6', 16.904, 25.525, 22.545),
    ('O6', 15.739, 25.916, 22.518), ('N1', 17.197, 24.279, 23.037), ('C2', 18.434, 23.717, 23.155), ('N2', 18.508, 22.456, 23.668),
    ('N3', 19.537, 24.360, 22.770), ('C4', 19.290, 25.594, 22.274))]
THIRD = (21.406, 31.793, 22.476)


class Strands(CliCase):
    def prepare(self, atoms, *options):
        write_pdb(self.folder / 'strand.pdb', atoms)
        return self.run_cli('prepare', '-o', 'out.pqr', *options, self.folder / 'strand.pdb')

    def check(self, atoms, share, *options):
        done = self.prepare(atoms, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'OP1, OP2 and OP3 get {share:.3f} e each', done.stderr)
        found = read_pqr(self.folder / 'out.pqr')
        # -2 e of the phosphate; the nucleoside has none.
        self.assertAlmostEqual(sum(charge for _, charge, _ in found.values()), -2, delta=2e-5)
        third = 'O3P' if (2, 'O3P') in found else 'OP3'
        for name in ('OP1', 'OP2', third):
            self.assertAlmostEqual(found[2, name][1], share, delta=5e-4)
        self.assertEqual(found[2, third][2], found[2, 'OP1'][2])
        self.assertIn((2, "HO3'"), found)
        self.assertNotIn((2, "HO5'"), found)
        return found

    def test_phosphate_of_the_file(self):
        """AMBER: -0.7761 e of OP1 and OP2 within a strand, and a third of -1 - 0.3079 e, DG5's charge being -0.3079 e."""
        for name in ('OP3', 'O3P'):
            with self.subTest(name):
                self.check([(name, 'DG', 2, *THIRD), *NUCLEOTIDE], (2 * -0.7761 - 1.3079) / 3)

    def test_third_oxygen_is_added(self):
        found = self.check(NUCLEOTIDE, (2 * -0.7761 - 1.3079) / 3)
        distance = sum((a - b) ** 2 for a, b in zip(found[2, 'OP3'][0], found[2, 'P'][0])) ** 0.5
        self.assertAlmostEqual(distance, 1.51, delta=0.01)

    def test_charmm(self):
        self.check(NUCLEOTIDE, -1.01, '--charges', 'charmm')

    def test_within_a_strand(self):
        """O3' of one beside P of the next, which has OP3."""
        shift = [a - b + d for a, b, d in zip(NUCLEOTIDE[8][3:], NUCLEOTIDE[0][3:], (1.1, -1.1, 0.2))]
        after = [(name, 'DG', 3, *(a + d for a, d in zip(place, shift)))
                 for name, _, _, *place in [*NUCLEOTIDE, ('OP3', 'DG', 2, *THIRD)]]
        done = self.prepare(NUCLEOTIDE + after)
        self.assertEqual(done.returncode, 1)
        self.assertIn('residue DG 3 of chain A has atom OP3', done.stderr)


if __name__ == '__main__':
    unittest.main()
