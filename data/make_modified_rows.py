# SPDX-License-Identifier: MIT
"""Rows of modified residues for make_charge_tables.py: phosphorylated amino acids and heme."""
import os
import xml.etree.ElementTree as ElementTree

PHOSPHATES = {'SEP': 'SEP', 'S1P': 'SEP', 'TPO': 'TPO', 'T1P': 'TPO', 'PTR': 'PTR', 'Y1P': 'PTR'}
# The protonated oxygen is O1P in AMBER, O3P in CHARMM: any of three.
CHARMM_OXYGENS = {'O1P': 'O3P', 'O3P': 'O1P'}
SINGLY_PROTONATED = {'SEP': 'S1P', 'TPO': 'T1P', 'PTR': 'Y1P'}


def read_radii(roots):
    radii = {}
    for root in roots:
        for force in (root.find('LennardJonesForce'), root.find('NonbondedForce')):
            for atom in force.findall('Atom') if force is not None else ():
                if atom.get('sigma') is not None and atom.get('class') not in radii:
                    radius = float(atom.get('sigma')) * 10 * 2 ** (1 / 6) / 2 if float(atom.get('epsilon')) > 0 else 0.0
                    radii[atom.get('class')] = radius
    return radii


def replace_by_radii(residue, root, radii):
    classes = {kind.get('name'): kind.get('class') for kind in root.iter('Type')}
    for atom in residue.findall('Atom'):
        atom.set('charge', f"{radii[classes.get(atom.get('type'), atom.get('type'))]:.4f}")


def make_residue(residue, elements, make):
    atoms = [(atom.get('name'), (float(atom.get('charge')), elements(atom.get('name')))) for atom in residue.findall('Atom')]
    return make(atoms, [(bond.get('atomName1'), bond.get('atomName2')) for bond in residue.findall('Bond')])


def element_of(name):
    return 'FE' if name == 'FE' else name[0]


def amber_modified(folder, wants_radii, make):
    """Phosphates of phosaa14SB; types that it takes over have the numbers of ff14SB."""
    root, base = (ElementTree.parse(os.path.join(folder, 'amber', name)).getroot() for name in ('phosaa14SB.xml', 'ff14SB.xml'))
    radii = read_radii((root, base))
    for residue in root.find('Residues'):
        if residue.get('name') not in PHOSPHATES:
            continue
        if wants_radii:
            classes = {kind.get('name'): kind.get('class') for kind in base.iter('Type')}
            classes.update({kind.get('name'): kind.get('class') for kind in root.iter('Type')})
            for atom in residue.findall('Atom'):
                atom.set('charge', f"{radii[classes[atom.get('type')]]:.4f}")
        # Its Y1P calls tyrosine's oxygen OG.
        text = make_residue(residue, element_of, make).text().replace(' OG:', ' OH:' if residue.get('name') == 'Y1P' else ' OG:')
        yield PHOSPHATES[residue.get('name')], residue.get('name'), text


def charmm_modified(path, wants_radii, make, ends, column):
    root = ElementTree.parse(path).getroot()
    radii = read_radii((root,))
    for residue in root.find('Residues'):
        name = residue.get('name')
        if name not in SINGLY_PROTONATED and name != 'HEME':
            continue
        if wants_radii:
            replace_by_radii(residue, root, radii)
        for atom in residue.iter():
            for key in ('name', 'atomName1', 'atomName2'):
                if atom.tag in ('Atom', 'Bond') and atom.get(key) in CHARMM_OXYGENS:
                    atom.set(key, CHARMM_OXYGENS[atom.get(key)])
        made = make_residue(residue, element_of, make)
        if name == 'HEME':
            yield 'HEM', 'HEME', made.text()
            continue
        yield name, SINGLY_PROTONATED[name], made.text()
        for end, patch in ends.items():
            yield name, f'{SINGLY_PROTONATED[name]} {end}', made.patched(patch[column]).text()
