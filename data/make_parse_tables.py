#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes charge_rows_parse.c and radius_rows_parse.c from PARSE's table of charges and radii.

    make_parse_tables.py PARSE.DAT prepare/residue_forms.c OUTPUT_FOLDER

PARSE.DAT has the numbers of Sitkoff, Sharp and Honig (1994) and, for RNA, of Tang et al. (2007), as pdb2pqr 3.8.0 has them, one atom per
line: residue, atom, charge (e), radius (Å).
"""
import os
import re
import sys

from make_charge_tables import number, write

NAMES = {'ASH': 'AS0', 'GLH': 'GL0', 'CYX': 'CSS', 'CYM': 'CY-', 'HIE': 'HIS', 'HIP': 'HI+', 'LYN': 'LY0', 'TYM': 'TY-', 'ARN': 'AR0', 'NME': 'N-M'}
BACKBONE = {'N', 'CA', 'C', 'O', 'OXT', 'H', 'H1', 'H2', 'H3', 'HA', 'HA2', 'HA3', 'HXT'}
RIBOSE = {"H5'": "H5'1", "H5''": "H5'2", "H2'": "H2'1", "HO2'": "HO'2", 'OP1': 'O1P', 'OP2': 'O2P', "HO5'": 'H5T', "HO3'": 'H3T'}


def read_table(path):
    table = {}
    with open(path, encoding='ascii') as stream:
        for words in (line.split() for line in stream if line.strip() and line[0] != '#'):
            table.setdefault(words[0], {})[words[1]] = (float(words[2]), float(words[3]))
    return table


def read_forms(path):
    """Rows (kind, family, name, [(heavy, [hydrogens])]) of residue_forms.c."""
    with open(path, encoding='utf-8') as stream:
        text = stream.read()
    macros = {}
    for name, value in re.findall(r'^#define (\w+) (.*)$', text, re.M):
        macros[name] = ''.join(literal or macros.get(macro, '') for literal, macro in re.findall(r'"([^"]*)"|(\w+)', value))
    for kind, family, name, value in re.findall(r'^    \{(\w+), "(\w+)", "(\w+)", (?:NULL|"\w+"), -?\d,\s*([^}]*)\}', text, re.M):
        atoms = ''.join(literal or macros[macro] for literal, macro in re.findall(r'"([^"]*)"|(\w+)', value))
        words = [re.split('[:=]', word) for word in atoms.split()]
        yield kind, family, name, [(word[0], word[1].split(',') if len(word) > 1 else []) for word in words]


def get(table, *places):
    """The first of some (residue, atom) that the table has."""
    return next(table[residue][atom] for residue, atom in places if atom in table.get(residue, ()))


def find_side(table, residue, atom):
    """Of two hydrogens on a carbon PARSE has HB1 and HB2 where IUPAC has HB2 and HB3."""
    older = atom[:-1] + str(int(atom[-1]) - 1) if atom[-1].isdigit() else atom
    return get(table, (residue, atom), (residue, older))


def find_backbone(table, residue, atom, end):
    """Of an end the numbers of PARSE's backbones; proline has its own."""
    of_proline = residue == 'PRO'
    groups = {'': residue, 'NTER': 'PR+' if of_proline else 'BK+', 'CTER': 'PR-' if of_proline else 'BK-',
              'NNEU': 'PRN' if of_proline else 'BKN', 'CNEU': 'BKC'}
    group = groups[end]
    if end == 'CNEU' and of_proline and atom in ('N', 'CA', 'CD'):
        group = residue
    names = {'H': 'HN', 'HA2': 'HA', 'HA3': 'HA'}
    if end in ('NTER', 'NNEU') and atom in ('H1', 'H2', 'H3'):
        names = {'H1': 'HN1', 'H2': 'HN2', 'H3': 'HN3'} if group != 'PRN' else {'H1': 'HN'}
    if end == 'CTER' and not of_proline:
        names.update({'O': 'O1', 'OXT': 'O2'})
    elif end == 'CNEU':
        names.update({'O': 'O1', 'OXT': 'O2', 'HXT': 'H2'})
    name = names.get(atom, atom)
    return get(table, (group, name), (residue, name), (residue, atom), (residue, atom.replace('3', '1')))


def change_end(atoms, family, end):
    hydrogens = {'NTER': ['H1', 'H2', 'H3'], 'NNEU': ['H1', 'H2']}.get(end)
    if hydrogens and family == 'PRO':
        hydrogens = hydrogens[:-1] if end == 'NNEU' else ['H2', 'H3']
    changed = [(heavy, hydrogens if heavy == 'N' and hydrogens else own) for heavy, own in atoms]
    return changed + [('OXT', ['HXT'] if end == 'CNEU' else [])] if end[:1] == 'C' else changed


def amino_acid(table, family, name, atoms, end):
    residue = NAMES.get(name, name)

    def find(atom):
        # Of proline's two hydrogens PARSE calls the first HN1.
        if family == 'PRO' and end == 'NTER' and atom in ('H2', 'H3'):
            return table['PR+']['HN1']
        if atom in BACKBONE or (family == 'PRO' and atom == 'CD'):
            return find_backbone(table, residue, atom, end)
        return find_side(table, residue, atom)
    return [(heavy, find(heavy), [find(hydrogen) for hydrogen in own]) for heavy, own in change_end(atoms, family, end)]


def cap(table, name, atoms):
    residue = NAMES.get(name, name)
    names = {'H': 'HN1', 'CH3': 'CA' if 'CA' in table[residue] else 'CH3'}

    def find(atom):
        # Methyl groups have neither charge nor hydrogens with a radius.
        if atom[:1] == 'H' and atom != 'H':
            return (0.0, 0.0)
        return get(table, (residue, atom), (residue, names.get(atom, atom)))
    return [(heavy, find(heavy), [find(hydrogen) for hydrogen in own]) for heavy, own in atoms]


def nucleotide(table, name, atoms, start, end):
    residue = 'R' + name + {(False, False): '', (True, False): '5', (False, True): '3', (True, True): 'N'}[start, end]
    rows = []
    for heavy, own in atoms:
        if start and heavy in ('P', 'OP1', 'OP2'):
            continue
        if start and heavy == "O5'":
            own = ["HO5'"]
        if end and heavy == "O3'":
            own = ["HO3'"]
        rows.append((heavy, get(table, (residue, heavy), (residue, RIBOSE.get(heavy, heavy))),
                     [get(table, (residue, RIBOSE.get(hydrogen, hydrogen)), (residue, hydrogen)) for hydrogen in own]))
    return rows


def text(rows, column):
    words = []
    for heavy, values, hydrogens in rows:
        word = f'{heavy}:{number(values[column])}'
        words.append(word + (':' + ','.join(number(hydrogen[column]) for hydrogen in hydrogens) if hydrogens else ''))
    return ' '.join(words)


def make_rows(table, forms):
    for kind, family, name, atoms in forms:
        if kind == 'ACID' and NAMES.get(name, name) in table:
            for end in ('', 'NTER', 'CTER', 'NNEU', 'CNEU'):
                yield family, f'{name} {end}'.rstrip(), amino_acid(table, family, name, atoms, end)
        elif kind == 'DEBYE_FORM_CAP' and NAMES.get(name, name) in table:
            yield family, name, cap(table, name, atoms)
        elif kind == 'DEBYE_FORM_RIBOSE':
            for start, end, suffix in ((False, False, ''), (True, False, '5'), (False, True, '3'), (True, True, 'N')):
                yield family, name + suffix, nucleotide(table, name, atoms, start, end)


def main():
    table, forms, target = read_table(sys.argv[1]), list(read_forms(sys.argv[2])), sys.argv[3]
    rows = list(make_rows(table, forms))
    source = 'Sitkoff, Sharp and Honig, J. Phys. Chem. 98, 1978 (1994); RNA: Tang et al., J. Mol. Biol. 366, 1475 (2007)'
    write(os.path.join(target, 'charge_rows_parse.c'), 'debye_charge_rows_parse',
          f"PARSE's charges: {source}. Made by make_parse_tables.py.", [(f, n, text(r, 0)) for f, n, r in rows])
    write(os.path.join(target, 'radius_rows_parse.c'), 'debye_radius_rows_parse',
          f"PARSE's radii: {source}; row by row as charge_rows_parse.c. 0: the hydrogen lies within the atom that carries it. "
          'Made by make_parse_tables.py.', [(f, n, text(r, 1)) for f, n, r in rows])


if __name__ == '__main__':
    main()
