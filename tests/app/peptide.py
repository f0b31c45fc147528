# SPDX-License-Identifier: MIT
"""A small peptide as a bare PDB file, and what PQR files hold: for test_prepare.py and the window's test_preparing.py."""

# Asp-His-Lys in an extended chain: ideal bonds, all heavy atoms but the second oxygen.
PEPTIDE = [
    ('N', 'ASP', 1, 0.000, 0.000, 0.000), ('CA', 'ASP', 1, 1.458, 0.000, 0.000), ('C', 'ASP', 1, 2.009, 1.420, 0.000),
    ('O', 'ASP', 1, 1.251, 2.390, 0.000), ('CB', 'ASP', 1, 1.988, -0.773, -1.199), ('CG', 'ASP', 1, 1.522, -2.214, -1.196),
    ('OD1', 'ASP', 1, 0.560, -2.530, -0.470), ('OD2', 'ASP', 1, 2.134, -3.020, -1.930),
    ('N', 'HIS', 2, 3.332, 1.536, 0.000), ('CA', 'HIS', 2, 3.988, 2.839, 0.000), ('C', 'HIS', 2, 5.504, 2.693, 0.000),
    ('O', 'HIS', 2, 6.030, 1.580, 0.000), ('CB', 'HIS', 2, 3.539, 3.659, 1.211), ('CG', 'HIS', 2, 3.187, 5.081, 0.886),
    ('ND1', 'HIS', 2, 2.970, 6.065, 1.827), ('CD2', 'HIS', 2, 3.004, 5.702, -0.301), ('CE1', 'HIS', 2, 2.659, 7.227, 1.243),
    ('NE2', 'HIS', 2, 2.680, 7.018, -0.062), ('N', 'LYS', 3, 6.195, 3.830, 0.000), ('CA', 'LYS', 3, 7.653, 3.827, 0.000),
    ('C', 'LYS', 3, 8.200, 5.248, 0.000), ('O', 'LYS', 3, 7.440, 6.220, 0.000), ('CB', 'LYS', 3, 8.190, 3.060, -1.210),
    ('CG', 'LYS', 3, 9.715, 3.010, -1.250), ('CD', 'LYS', 3, 10.230, 2.240, -2.460), ('CE', 'LYS', 3, 11.755, 2.190, -2.500),
    ('NZ', 'LYS', 3, 12.250, 1.450, -3.690),
]


def write_pdb(path, atoms):
    with open(path, 'w', encoding='ascii') as file:
        for i, (name, residue, number, x, y, z) in enumerate(atoms, 1):
            element = name if name == residue else name[0]  # of ions; of all others one letter
            file.write(f'ATOM  {i:5d} {name if len(element) == 2 else " " + name:<4s} {residue:>3s} A{number:4d}    '
                       f'{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00          {element:>2s}\n')
        file.write('END\n')


def read_pqr(path):
    atoms = {}
    for line in path.read_text(encoding='ascii').splitlines():
        if line.startswith(('ATOM', 'HETATM')):
            words = line.split()
            atoms[int(words[-6]), words[2]] = ([float(word) for word in words[-5:-2]], float(words[-2]), float(words[-1]))
    return atoms
