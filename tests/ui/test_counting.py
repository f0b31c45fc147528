#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Alternate locations and the cell: the picture and the forms follow what a person chooses."""
import os

from window_driver import GLib, Window, wait_until

OUTPUT = os.environ['OUTPUT']
SITES = [('N', ' ', 0.0, 0.0, 0.0, 1.0), ('CA', ' ', 1.46, 0.0, 0.0, 1.0), ('CB', 'A', 1.99, -0.77, 1.2, 0.4),
         ('CB', 'B', 1.99, -0.9, -1.13, 0.6), ('OG', 'A', 1.5, -2.1, 1.2, 0.4), ('OG', 'B', 1.5, -2.2, -1.13, 0.6)]
HIGHEST = '4 atoms have alternate locations; the 2 with the highest occupancy are used'
ALL = '4 atoms have alternate locations; all of them count'


def states(node):
    return {state.value_nick for state in node.get_state_set().get_states()}


def open_dialog(window):
    window.activate('win.counting')
    return window.find('text', 'Alternate locations'), window.find('text', 'Cell'), window.find('push button', 'Apply')


def apply_choice(window, button):
    button.do_action(0)
    wait_until('the dialog to go', lambda: not window.find_all('push button', 'Apply'))


def main():
    path = os.path.join(OUTPUT, 'serine.pdb')
    with open(path, 'w', encoding='ascii') as file:
        for i, (name, label, x, y, z, occupancy) in enumerate(SITES):
            file.write(f'ATOM  {i + 1:5d}  {name:<3s}{label}SER A   1    {x:8.3f}{y:8.3f}{z:8.3f}{occupancy:6.2f}  0.00\n')
    window = Window(path)
    window.wait_for_text('6 atoms · 1 frame')
    window.activate('win.show-analysis', GLib.Variant('s', 'scattering'))
    window.wait_for_text('4 of 4 atoms')
    window.picture('counting-1-highest')

    altloc, cell, button = open_dialog(window)
    window.wait_for_text(HIGHEST)
    window.type_into(altloc, 'A B')
    wait_until('what is no label is refused', lambda: 'sensitive' not in states(button))
    window.type_into(altloc, 'all')
    window.type_into(cell, '30; 30')
    wait_until('what is no cell is refused', lambda: 'sensitive' not in states(button))
    window.type_into(cell, '30; 31; 32.5')
    wait_until('a cell', lambda: 'sensitive' in states(button))
    window.picture('counting-2-dialog')
    apply_choice(window, button)
    window.wait_for_text('6 of 6 atoms')
    window.picture('counting-3-all')

    altloc, cell, button = open_dialog(window)
    window.wait_for_text(ALL)
    wait_until('what was chosen is there again', lambda: (Window.text_of(altloc), Window.text_of(cell)) == ('all', '30,31,32.5'))
    window.type_into(altloc, 'A')
    apply_choice(window, button)
    window.wait_for_text('4 of 4 atoms')
    window.picture('counting-4-label')
    window.quit()


main()
