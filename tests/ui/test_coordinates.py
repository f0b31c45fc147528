#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Coordinates in and out: a file that says neither unit nor elements is asked about, and a part of it is moved into another
cell and written."""
import os

from window_driver import Window, wait_until

OUTPUT = os.environ['OUTPUT']
PLACES = [(0.1, 0.1, 0.1), (0.9, 0.2, 0.3), (0.4, 0.45, 0.2), (1.5, 1.5, 1.5)]


def answer(window, button, row, text):
    """Types into a dialog's row and closes it by its button."""
    wait_until(f'a row named {row}', lambda: window.find_all('text', row))
    window.type_into(window.find('text', row), text)
    return window.find('push button', button)


def main():
    path, written = os.path.join(OUTPUT, 'pos.d'), os.path.join(OUTPUT, 'octant.pdb')
    with open(path, 'w', encoding='ascii') as file:
        file.write(f'2 2 2\n{len(PLACES)}\n' + ''.join('%g %g %g\n' % place for place in PLACES))
    if os.path.exists(written):
        os.remove(written)
    window = Window(path)
    window.wait_for_text('4 atoms · 1 frame')
    apply = answer(window, 'Apply', 'Unit of length', 'nm')
    window.picture('coordinates-1-unit')
    apply.do_action(0)
    apply = answer(window, 'Apply', 'X · 4 atoms, decided from nothing', 'Ar')
    window.picture('coordinates-2-element')
    window.wait_for_text('20.0 × 20.0 × 20.0')
    apply.do_action(0)
    wait_until('the dialog to go', lambda: not window.find_all('push button', 'Apply'))
    window.wait_for_text('20.0 × 20.0 × 20.0')
    window.picture('coordinates-3-opened')

    window.activate('win.export-coordinates')
    export = answer(window, 'Export…', 'Translate', '20; 20; 20')
    window.type_into(window.find('text', 'Cell'), '23; 40; 40')
    window.picture('coordinates-4-export')
    window.type_into(window.find('text', 'Atoms'), 'x < 10 and y < 10 and z < 10')
    window.picture('coordinates-5-octant')
    export.do_action(0)
    window.in_dialog('Export coordinates', written.removesuffix('.pdb'), settle=1)    # its ending stays
    wait_until('the file', lambda: os.path.exists(written))
    window.wait_for_text('2 of 3 atoms lie outside the cell')
    window.picture('coordinates-6-written')
    with open(written, encoding='ascii') as file:
        lines = file.read().splitlines()
    atoms = [line for line in lines if line.startswith(('ATOM', 'HETATM'))]
    places = [tuple(float(line[k:k + 8]) for k in (30, 38, 46)) for line in atoms]
    assert places == [(21, 21, 21), (29, 22, 23), (24, 24.5, 22)], places
    assert all(line[76:78].strip() == 'AR' for line in atoms), atoms
    assert any(line.startswith('CRYST1   23.000   40.000   40.000') for line in lines), lines[:5]
    window.quit()


main()
