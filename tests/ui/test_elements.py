#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Elements by hand: the list says from what they were decided, and what is typed there counts from then on."""
import os

from window_driver import Window, wait_until

OUTPUT = os.environ['OUTPUT']
ATOMS = [('CA', 'ALA', 1, 0.0), ('Q9', 'BEA', 2, 3.0), ('O', 'HOH', 3, 6.0)]


def main():
    path = os.path.join(OUTPUT, 'odd.pdb')
    with open(path, 'w', encoding='ascii') as file:
        for i, (name, residue, number, x) in enumerate(ATOMS):
            file.write(f'ATOM  {i + 1:5d} {name:<4s} {residue:>3s} A{number:4d}    {x:8.3f}{0:8.3f}{0:8.3f}\n')
    window = Window(path)
    window.wait_for_text('3 atoms · 1 frame')
    window.activate('win.elements')
    row = window.find('text', 'Q9 · 1 atom, decided from nothing')
    apply = window.find('push button', 'Apply')
    window.type_into(row, 'Qq')
    wait_until('a symbol that is none is refused', lambda: 'sensitive' not in states(apply))
    window.type_into(row, 'Zn')
    wait_until('a symbol', lambda: 'sensitive' in states(apply))
    window.picture('elements-1-dialog')
    apply.do_action(0)
    wait_until('the change', lambda: not window.find_all('push button', 'Apply'))
    window.activate('win.elements')
    wait_until('what was chosen is there again', lambda: Window.text_of(
        window.find('text', 'Q9 · 1 atom, decided from nothing')) == 'Zn')
    window.picture('elements-2-again')
    window.keys('Escape')
    window.quit()


def states(node):
    return {state.value_nick for state in node.get_state_set().get_states()}


main()
