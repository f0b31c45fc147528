#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes residue_geometry.c: heavy atoms of each amino acid as one of a crystal structure at high resolution has them.

    make_residue_geometry.py FOLDER residue_geometry.c

FOLDER has the entries ENTRIES of the Protein Data Bank, which are in the public domain (CC0), as 4LZT.pdb.gz and so on. Of each amino
acid that one is taken whose bonds and angles are nearest to the medians over all that are complete and have one location.
"""
import gzip
import math
import os
import statistics
import sys
import textwrap

ENTRIES = ('4LZT', '1LNI', '7RSA', '1IGD', '4PTI', '4ICB')  # 0.95 to 1.6 Å
N_HEAVY = {'ALA': 5, 'ARG': 11, 'ASN': 8, 'ASP': 8, 'CYS': 6, 'GLN': 9, 'GLU': 9, 'GLY': 4, 'HIS': 10, 'ILE': 8, 'LEU': 8, 'LYS': 9,
           'MET': 8, 'PHE': 11, 'PRO': 7, 'SER': 6, 'THR': 7, 'TRP': 14, 'TYR': 12, 'VAL': 7}


def read(path):
    residues = {}
    with gzip.open(path, 'rt') as stream:
        for line in stream:
            if line.startswith('ATOM') and line[76:78].strip() != 'H':
                place = [float(line[k:k + 8]) for k in (30, 38, 46)]
                residues.setdefault((line[17:20], line[22:27]), []).append(
                    (line[12:16].strip(), place, line[16] != ' ', float(line[60:66])))
    return residues


def lengths_of(atoms):
    """Of bonds and, across angles, of second neighbours."""
    places = {name: place for name, place, *_ in atoms}
    names = sorted(places)
    bonds = {(a, b) for a in names for b in names if a != b and math.dist(places[a], places[b]) < 1.95}
    pairs = {(a, b) for a, b in bonds if a < b}
    pairs |= {(a, c) for a, b in bonds for d, c in bonds if b == d and a < c}
    return {pair: math.dist(*(places[name] for name in pair)) for pair in pairs}


def choose(found):
    tables = [lengths_of(atoms) for atoms in found]
    pairs = max(tables, key=len)
    medians = {pair: statistics.median(table[pair] for table in tables if pair in table) for pair in pairs}

    def deviation(table):
        return sum((table.get(pair, math.inf) - median) ** 2 for pair, median in medians.items())
    return min(zip(map(deviation, tables), range(len(tables))))[1]


def main():
    source, target = sys.argv[1:]
    residues = [residue for entry in ENTRIES for residue in read(os.path.join(source, f'{entry}.pdb.gz')).items()]
    with open(target, 'w', encoding='utf-8') as stream:
        stream.write('/* SPDX-License-Identifier: MIT */\n')
        stream.write('\n'.join(textwrap.wrap(
            '/* Amino acids as crystal structures at 0.95 to 1.6 Å have them (Protein Data Bank ' + ', '.join(ENTRIES) + ', CC0): of each '
            'the one whose bonds and angles are nearest to the medians. Å from their Cα. Made by make_residue_geometry.py. */', 107, subsequent_indent=' * ')) + '\n')
        stream.write('#include "residue_geometry.h"\n\nconst DebyeResidueGeometry debye_residue_geometries[] = {\n')
        for name in N_HEAVY:
            found = [atoms for (residue, _), atoms in residues
                     if residue == name and len(atoms) == N_HEAVY[name] and not any(atom[2] for atom in atoms)]
            atoms = found[choose(found)]
            origin = next(place for atom, place, *_ in atoms if atom == 'CA')
            words = ' '.join(f'{atom}:' + ','.join(f'{a - b:.3f}' for a, b in zip(place, origin)) for atom, place, *_ in atoms)
            lines = textwrap.wrap(words, 96, break_long_words=False, break_on_hyphens=False)
            texts = '\n     '.join(f'"{line}{" " if line is not lines[-1] else ""}"' for line in lines)
            stream.write(f'    {{"{name}",\n     {texts}}},\n')
        stream.write('    {0},\n};\n')


if __name__ == '__main__':
    main()
