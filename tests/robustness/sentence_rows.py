# SPDX-License-Identifier: MIT
"""Broken files by family, a row each: the file's name and content, the command, where {} is the file, and a part of the
sentence that it must end with."""
import struct

INFO, FIELD = ('info', '{}'), ('field', '-o', 'o.csv', '{}')
WITH_ATOMS = ('info', 'a.pqr', '{}')


def export(ending, *options):
    return ('export', '--quiet', '-o', f'o.{ending}', *options, '{}')


def lines(*texts):
    return '\n'.join([*texts, '']).encode()


# --- AMBER ---

def old_topology(n_atoms, *rest):
    """Of the kind without %FLAG: a title and thirty pointers, of which the first is the number of atoms."""
    pointers = [n_atoms, 1] + [0] * 9 + [1] + [0] * 18
    return lines('title', *(''.join(f'{n:6d}' for n in pointers[k:k + 12]) for k in (0, 12, 24)), *rest)


THREE_NUMBERS = '   1.0000000   2.0000000   3.0000000'
AMBER = [
    ('cut.prmtop', old_topology(2), INFO, 'expected line 1 of 1 in ATOM_NAME, found the end of the file'),
    ('columns.rst7', lines('title', '    3', THREE_NUMBERS, THREE_NUMBERS + ' ' * 80), INFO,
     'expected 6 numbers in columns of 12, found 3'),
    ('few.rst7', lines('title', '    6', THREE_NUMBERS * 2, THREE_NUMBERS * 2, *['  '] * 120), INFO,
     'expected the coordinates of 6 atoms in 3 lines, found 2 lines'),
    ('cut.mdcrd', lines('t' * 40000, '   1.000' * 10), WITH_ATOMS,
     'line 2: expected coordinates, found the end of the file'),
]

# --- Molecules in text ---

CRD = ('* title', '*', '    2', '    1    1 ALA  N      1.00000   2.00000   3.00000 A    1      0.00000')
DATA_HEADER = ('made by a test', '', '2 atoms', '1 atom types', '', '0 9 xlo xhi', '0 9 ylo yhi', '0 9 zlo zhi', '')
PSF = ('PSF', '', '       1 !NTITLE', ' title', '')
PSF_ATOM = '       1 A    1    ALA  N    NH1   -0.470000       14.0070           0'
MOLECULE = ('@<TRIPOS>MOLECULE', 'name', '1 0 0 0 0', 'SMALL', 'NO_CHARGES', '')
TEXT = [
    ('short.crd', lines(*CRD, '    2 1 ALA CA'), INFO, "expected an atom in CHARMM's columns, found “"),
    ('number.psf', lines(*PSF, '    none !NATOM', PSF_ATOM), INFO, 'expected a number before !NATOM, found “none”'),
    ('bond.psf', lines(*PSF, '       1 !NATOM', PSF_ATOM, '', '       1 !NBOND: bonds', 'none', ''), INFO,
     'expected bond 1 of 1, found “none”'),
    ('count.data', lines('2 atoms', '', *DATA_HEADER[3:], 'Atoms # atomic', '', '1 1 1 2 3', '2 1 4 5 6'), INFO,
     'expected the number of atoms in the header, found none'),
    ('atoms.data', lines(*DATA_HEADER, 'Atoms', '', ''), INFO, 'expected 2 atoms, found the end of the file'),
    ('section.mol2', lines(*MOLECULE, '@<TRIPOS>BOND', '@<TRIPOS>COMMENT', 'nothing'), INFO,
     'expected the section ATOM of the molecule, found none'),
    ('long.cif', b'data_long\n_entry.id ' + b'x' * 5000 + b'\n_atom_site.id 1\n' + b'y' * (1 << 21), INFO,
     'expected a line of at most 2,048 characters, found one of more than '),
    ('fraction.cif', lines('data_one', *(f'_cell_length_{k} 5' for k in 'abc'),
                           *(f'_cell_angle_{k} 90' for k in ('alpha', 'beta', 'gamma')), 'loop_', '_atom_site_label',
                           '_atom_site_fract_x', '_atom_site_fract_y', '_atom_site_fract_z', 'C1 0.1 half 0.3'), INFO,
     'expected a number for fract_y, found “half”'),
    ('nan.xyz', lines('1', '', 'C nan nan nan'), export('xyz', '--center', 'all'),
     'selection “all”: expected finite coordinates, found none in frame 0'),
    ('backtrack.pqr', lines('ATOM 1 ' + 'x' * 60 + '! ALA 1 1.0 2.0 3.0 0.0 1.0'),
     export('xyz', '--select', 'name =~ "^(x+x+)+$"'),
     'selection: expected a regular expression that can be evaluated, found '),
]

# --- Trajectories ---


def dcd_with_fixed_atoms(free):
    head = struct.pack('<i4s20ii', 84, b'CORD', 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, *[0] * 8, 24, 84)
    return head + struct.pack('<2i', 84, 1) + b' ' * 80 + struct.pack('<8i', 84, 4, 3, 4, 8, *free, 8) + bytes(200)


def trr_of_velocities():
    head = struct.pack('>3i', 1993, 13, 12) + b'GMX_trn_file'
    return head + struct.pack('>13i2f', *[0] * 8, 24, 0, 2, 0, 0, 0, 0) + struct.pack('>6f', *range(6))


TRAJECTORIES = [
    ('velocities.trr', trr_of_velocities(), INFO, 'expected a frame with coordinates, found none'),
    ('free.dcd', dcd_with_fixed_atoms((1, 9)), INFO, 'free atoms: expected numbers from 1 to 3, found 9'),
]

# --- Maps ---


def ccp4(lengths=(2, 2, 2), mode=2, extended=0, first=2):
    words = struct.pack('<10i', first, 2, 2, mode, 0, 0, 0, 2, 2, 2) + struct.pack('<6f', *lengths, 90, 90, 90)
    words += struct.pack('<3i', 1, 2, 3) + struct.pack('<3f', 0, 1, 0.5) + struct.pack('<2i', 1, extended)
    head = words.ljust(208, b'\0') + b'MAP ' + b'\x44\x44\0\0'
    return head.ljust(1024, b'\0') + struct.pack('<8f', *range(8))


def cube(n_values):
    return lines('title', 'more', f'1 0 0 0 {n_values}', '2 1 0 0', '2 0 1 0', '2 0 0 1', '8 0 0 0 0', '1 2 3 4')


MAPS = [
    ('cell.ccp4', ccp4(lengths=(2, -1, 2)), FIELD, 'expected a cell, found lengths and angles that describe none'),
    ('order.ccp4', ccp4(first=-2), FIELD, 'expected a CCP4 header, found impossible counts, mode or axes'),
    ('extended.ccp4', ccp4(extended=1 << 20), FIELD,
     'expected an extended header within the file, found one of 1048576 bytes'),
    ('values.cube', cube(99999999), FIELD, '99999999 values per point'),
]

ROWS = [*AMBER, *TEXT, *TRAJECTORIES, *MAPS]
