#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A PSF (names, types, charges, masses, bonds) from a GROMACS run input file, through MDAnalysis."""
import sys

import MDAnalysis


def main(source, target):
    atoms = MDAnalysis.Universe(source).atoms
    segments = {'seg_0_Protein_chain_A': 'PROT', 'seg_0_Protein': 'PROT'}
    with open(target, 'w', encoding='ascii') as out:
        out.write('PSF\n\n       1 !NTITLE\n REMARKS charges, masses and bonds of the simulation\n\n')
        out.write(f'{len(atoms):8d} !NATOM\n')
        for number, atom in enumerate(atoms, 1):
            segment = segments.get(atom.segid) or ('PROT' if 'Protein' in atom.segid else
                                                   'WAT' if atom.resname == 'SOL' else 'ION')
            out.write(f'{number:8d} {segment:<4} {atom.resid:<4d} {atom.resname:<4} {atom.name:<4} {atom.type:<4} '
                      f'{atom.charge:10.6f}     {atom.mass:9.4f}  {0:10d}\n')
        bonds = sorted(tuple(sorted(bond)) for bond in atoms.bonds.indices.tolist())
        out.write(f'\n{len(bonds):8d} !NBOND: bonds\n')
        for first in range(0, len(bonds), 4):
            out.write(''.join(f'{i + 1:8d}{j + 1:8d}' for i, j in bonds[first:first + 4]) + '\n')
        for section in ('NTHETA: angles', 'NPHI: dihedrals', 'NIMPHI: impropers', 'NDON: donors', 'NACC: acceptors'):
            out.write(f'\n{0:8d} !{section}\n')


if __name__ == '__main__':
    main(*sys.argv[1:3])
