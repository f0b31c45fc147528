#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes charge_rows_amber.c, charge_rows_charmm.c, radius_rows_amber.c and radius_rows_charmm.c from the force fields that come with OpenMM.

    make_charge_tables.py OPENMM/app/data OPENMMFORCEFIELDS/ffxml OUTPUT_FOLDER

The numbers are those of the force fields' authors; OpenMM's XML (version 8.6.1 was used) and that of openmmforcefields (0.16.0, for
phosaa14SB) are where they are read from.
"""
import os
import sys
import textwrap
import xml.etree.ElementTree as ElementTree

from make_modified_rows import amber_modified, charmm_modified

FAMILIES = {'ASH': 'ASP', 'GLH': 'GLU', 'CYM': 'CYS', 'CYX': 'CYS', 'HID': 'HIS', 'HIE': 'HIS', 'HIP': 'HIS', 'HSD': 'HIS',
            'HSE': 'HIS', 'HSP': 'HIS', 'LYN': 'LYS', 'NHE': 'NH2', 'DA': 'A', 'DC': 'C', 'DG': 'G', 'DT': 'T'}
AMINO_ACIDS = ['ALA', 'ARG', 'ASN', 'ASP', 'CYS', 'GLN', 'GLU', 'GLY', 'HSD', 'HSE', 'HSP', 'ILE', 'LEU', 'LYS', 'MET', 'PHE',
               'PRO', 'SER', 'THR', 'TRP', 'TYR', 'VAL', 'CYM']
CHARMM_NAMES = {'ADE': 'A', 'CYT': 'C', 'GUA': 'G', 'URA': 'U', 'THY': 'T'}


class Residue:
    """Atoms by name: charge, element; and which hydrogens a heavier atom carries."""

    def __init__(self, atoms, bonds):
        self.atoms = dict(atoms)
        self.hydrogens = {name: [] for name, (_, element) in self.atoms.items() if element != 'H'}
        for pair in bonds:
            for heavy, hydrogen in (pair, pair[::-1]):
                if heavy in self.hydrogens and hydrogen in self.atoms and hydrogen not in self.hydrogens:
                    self.hydrogens[heavy].append(hydrogen)

    def text(self):
        words = []
        for heavy, hydrogens in self.hydrogens.items():
            word = f'{heavy}:{number(self.atoms[heavy][0])}'
            if hydrogens:
                word += ':' + ','.join(number(self.atoms[name][0]) for name in hydrogens)
            words.append(word)
        return ' '.join(words)

    def patched(self, heavy):
        """A copy in which each word of `heavy`, as text() writes them, stands for the atom and its hydrogens; a charge of
        '-' takes the atom away."""
        copy = Residue({}, [])
        copy.atoms, copy.hydrogens = dict(self.atoms), {name: list(names) for name, names in self.hydrogens.items()}
        for word in heavy.split():
            name, charge, *hydrogens = word.split(':')
            for old in copy.hydrogens.pop(name, []):
                del copy.atoms[old]
            copy.atoms.pop(name, None)
            if charge == '-':
                continue
            copy.atoms[name] = (float(charge), name[0])
            charges = hydrogens[0].split(',') if hydrogens else []
            copy.hydrogens[name] = [f'H {name} {k}' for k in range(len(charges))]
            copy.atoms.update({f'H {name} {k}': (float(value), 'H') for k, value in enumerate(charges)})
        return copy


def number(value):
    text = f'{value:.6f}'.rstrip('0').rstrip('.')
    return '0' if text == '-0' else text


def load(path):
    return load_root(ElementTree.parse(path).getroot())


def load_root(root):
    elements = {kind.get('name'): kind.get('element') for kind in root.iter('Type')}
    residues = {}
    for residue in root.find('Residues'):
        atoms = [(atom.get('name'), (float(atom.get('charge')), elements[atom.get('type')]))
                 for atom in residue.findall('Atom') if atom.get('charge') is not None]
        bonds = [(bond.get('atomName1'), bond.get('atomName2')) for bond in residue.findall('Bond')]
        residues[residue.get('name')] = Residue(atoms, bonds)
    return residues


def load_radii(path):
    """Like load(), but each atom's number is its radius: half of the Lennard-Jones minimum distance of its type, Å."""
    root = ElementTree.parse(path).getroot()
    radii = {atom.get('type'): float(atom.get('sigma')) * 10 * 2 ** (1 / 6) / 2 if float(atom.get('epsilon')) > 0 else 0.0
             for force in (root.find('LennardJonesForce'), root.find('NonbondedForce')) if force is not None
             for atom in force.findall('Atom') if float(atom.get('epsilon')) > 0 or root.find('LennardJonesForce') is None}
    for residue in root.find('Residues'):
        for atom in residue.findall('Atom'):
            if atom.get('type') in radii:
                atom.set('charge', f"{radii[atom.get('type')]:.4f}")
    return load_root(root)


def amber_family(name):
    if name in FAMILIES:
        return FAMILIES[name]
    base = name[1:] if len(name) == 4 else name
    if len(base) == 3 and base[-1] in '35N' and base[0] == 'D':
        base = base[:2]
    elif len(base) == 2 and base[-1] in '35N':
        base = base[:1]
    return FAMILIES.get(base, base)


def amber(folder, modified, load=load):
    rows = []
    for file in ('protein.ff14SB.xml', 'DNA.OL15.xml', 'RNA.OL3.xml'):
        for name, residue in load(os.path.join(folder, 'amber14', file)).items():
            if name != 'OHE':
                rows.append((amber_family(name), name, residue.text()))
    return rows + list(amber_modified(modified, load is load_radii, Residue))


# What CHARMM's patches change: charges and radii. DISU is in toppar's stream of proteins, 5TER in top_all36_na.rtf, not in OpenMM's file.
CHARMM_PATCHES = {
    'ASPP': ('CB:-0.21:0.09,0.09 CG:0.75 OD1:-0.55 OD2:-0.61:0.44', 'CB:2.01:1.34,1.34 CG:2 OD1:1.7 OD2:1.77:0.2245'),
    'GLUP': ('CG:-0.21:0.09,0.09 CD:0.75 OE1:-0.55 OE2:-0.61:0.44', 'CG:2.01:1.34,1.34 CD:2 OE1:1.7 OE2:1.77:0.2245'),
    'LSN': ('CE:0.13:0.075,0.075 NZ:-0.96:0.34,0.34', 'CE:2.01:1.34,1.34 NZ:1.85:0.2245,0.2245'),
    'DISU': ('CB:-0.1:0.09,0.09 SG:-0.08', 'CB:2.01:1.34,1.34 SG:1.975'),
    'NTER': ('N:-0.3:0.33,0.33,0.33 CA:0.21:0.1', 'N:1.85:0.2245,0.2245,0.2245 CA:2:1.32'),
    'GLYP': ('N:-0.3:0.33,0.33,0.33 CA:0.13:0.09,0.09', 'N:1.85:0.2245,0.2245,0.2245 CA:2.01:1.34,1.34'),
    'PROP': ('N:-0.07:0.24,0.24 CD:0.16:0.09,0.09 CA:0.16:0.09', 'N:1.85:0.2245,0.2245 CD:2.175:1.34,1.34 CA:2.275:1.32'),
    'CTER': ('C:0.34 O:-0.67 OXT:-0.67', 'C:2 O:1.7 OXT:1.7'),
    'NNEU': ('N:-0.96:0.34,0.34 CA:0.19:0.09', 'N:1.85:0.2245,0.2245 CA:2:1.32'),
    # As toppar's remark at NNEU has it for glycine: one hydrogen more on the carbon, which keeps its sum.
    'NGNE': ('N:-0.96:0.34,0.34 CA:0.1:0.09,0.09', 'N:1.85:0.2245,0.2245 CA:2.01:1.34,1.34'),
    'CNEU': ('C:0.72 O:-0.55 OXT:-0.61:0.44', 'C:2 O:1.7 OXT:1.77:0.2245'),
    'ACE': ('CH3:-0.27:0.09,0.09,0.09 C:0.51 O:-0.51', 'CH3:2.04:1.34,1.34,1.34 C:2 O:1.7'),
    'CT3': ('N:-0.47:0.31 CH3:-0.11:0.09,0.09,0.09', 'N:1.85:0.2245 CH3:2.04:1.34,1.34,1.34'),
    'DEOX': ("C2':-0.18:0.09,0.09 O2':-", "C2':2.01:1.34,1.34 O2':-"),
    '5TER': ("P:- O1P:- O2P:- O5':-0.66:0.43 C5':0.05:0.09,0.09", "P:- O1P:- O2P:- O5':1.77:0.2245 C5':2.01:1.34,1.34"),
    '3TER': ("C3':0.14:0.09 O3':-0.66:0.43", "C3':2.275:1.32 O3':1.77:0.2245"),
}


def charmm_protein(residues, column):
    patch = {name: words[column] for name, words in CHARMM_PATCHES.items()}
    forms = {name: residues[name] for name in AMINO_ACIDS}
    forms['ASPP'] = residues['ASP'].patched(patch['ASPP'])
    forms['GLUP'] = residues['GLU'].patched(patch['GLUP'])
    forms['LSN'] = residues['LYS'].patched(patch['LSN'])
    forms['CYS2'] = residues['CYS'].patched(patch['DISU'])
    families = dict(FAMILIES, ASPP='ASP', GLUP='GLU', LSN='LYS', CYS2='CYS')
    starts = {'GLY': patch['GLYP'], 'PRO': patch['PROP']}
    for name, residue in forms.items():
        family = families.get(name, name)
        yield family, name, residue.text()
        yield family, name + ' NTER', residue.patched(starts.get(name, patch['NTER'])).text()
        yield family, name + ' CTER', residue.patched(patch['CTER']).text()
        # toppar has no neutral start of proline.
        if name != 'PRO':
            yield family, name + ' NNEU', residue.patched(patch['NGNE' if name == 'GLY' else 'NNEU']).text()
        yield family, name + ' CNEU', residue.patched(patch['CNEU']).text()
    yield 'ACE', 'ACE', patch['ACE']
    yield 'NME', 'CT3', patch['CT3']


def charmm_nucleic(residues, column):
    deoxy, start, end = (CHARMM_PATCHES[name][column] for name in ('DEOX', '5TER', '3TER'))
    for name, family in CHARMM_NAMES.items():
        for sugar in ((deoxy,) if name == 'THY' else (None,) if name == 'URA' else (None, deoxy)):
            residue = residues[name].patched(sugar) if sugar else residues[name]
            label = ('D' if sugar else '') + name
            yield family, label, residue.text()
            yield family, label + ' 5TER', residue.patched(start).text()
            yield family, label + ' 3TER', residue.patched(end).text()
            yield family, label + ' 5TER 3TER', residue.patched(start + ' ' + end).text()


def charmm(folder, load=load, column=0):
    residues = load(os.path.join(folder, 'charmm36.xml'))
    ends = {name: CHARMM_PATCHES[name] for name in ('NTER', 'CTER', 'NNEU', 'CNEU')}
    modified = charmm_modified(os.path.join(folder, 'charmm36_2024.xml'), load is load_radii, Residue, ends, column)
    return [*charmm_protein(residues, column), *charmm_nucleic(residues, column), *modified]


def write(path, symbol, comment, rows):
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write('/* SPDX-License-Identifier: MIT */\n')
        stream.write('\n'.join(textwrap.wrap('/* ' + comment + ' */', 107, subsequent_indent=' * ')) + '\n')
        stream.write('#include "charge_rows.h"\n\n')
        stream.write(f'const DebyeChargeRow {symbol}[] = {{\n')
        for family, name, atoms in rows:
            lines = textwrap.wrap(atoms, 96, break_long_words=False, break_on_hyphens=False)
            texts = '\n     '.join(f'"{line}{" " if line is not lines[-1] else ""}"' for line in lines)
            stream.write(f'    {{"{family}", "{name}",\n     {texts}}},\n')
        stream.write('    {0},\n};\n')


def main():
    source, modified, target = sys.argv[1:]
    write(os.path.join(target, 'charge_rows_amber.c'), 'debye_charge_rows_amber',
          "AMBER's charges: proteins of ff14SB (Maier et al., J. Chem. Theory Comput. 11, 3696, 2015; the charges are those of "
          'Cornell et al., J. Am. Chem. Soc. 117, 5179, 1995), DNA of OL15 (Zgarbová et al., J. Chem. Theory Comput. 11, 5723, '
          '2015), RNA of OL3 (Zgarbová et al., J. Chem. Theory Comput. 7, 2886, 2011), phosphorylated residues of phosaa14SB (Raguette '
          'et al., J. Chem. Theory Comput. 20, 7199, 2024), from AmberTools through OpenMM. Made by '
          'make_charge_tables.py.', amber(source, modified))
    write(os.path.join(target, 'radius_rows_amber.c'), 'debye_radius_rows_amber',
          "AMBER's radii: half of the distance at which two such atoms' Lennard-Jones energy is least (parm10 and ff14SB, Maier et "
          'al., J. Chem. Theory Comput. 11, 3696, 2015), from AmberTools through OpenMM; row by row as charge_rows_amber.c. 0: the '
          'hydrogen of a hydroxyl lies within its oxygen. Made by make_charge_tables.py.', amber(source, modified, load_radii))
    write(os.path.join(target, 'charge_rows_charmm.c'), 'debye_charge_rows_charmm',
          "CHARMM36's charges: proteins (Best et al., J. Chem. Theory Comput. 8, 3257, 2012; MacKerell et al., J. Phys. Chem. B "
          '102, 3586, 1998), DNA (Hart et al., J. Chem. Theory Comput. 8, 348, 2012), RNA (Denning et al., J. Comput. Chem. 32, '
          '1929, 2011), from toppar_c36_aug15 through OpenMM; phosphorylated residues and heme from toppar_c36_jul24. Made by '
          'make_charge_tables.py.', charmm(source))
    write(os.path.join(target, 'radius_rows_charmm.c'), 'debye_radius_rows_charmm',
          "CHARMM36's radii: half of the distance at which two such atoms' Lennard-Jones energy is least, from where "
          'charge_rows_charmm.c has its charges; row by row as there. Made by make_charge_tables.py.', charmm(source, load_radii, 1))


if __name__ == '__main__':
    main()
