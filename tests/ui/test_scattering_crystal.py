#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A crystal as hands look at it: S(hkl) of rock salt as a volume with its slice and surface, and what is written of it."""
import itertools
import math
import os
import random
import time

from plot_driver import find_plot, fresh, save, text
from window_driver import Atspi, Window, wait_until

START = time.monotonic()
FORM, SCENE = 'DebyeAnalysisPanel', 'DebyeLayersPanel'
# Rock salt: 4 × 4 × 4 cells, whose atoms tremble.
N_CELLS, EDGE, N_FRAMES, TREMBLE = 4, 5.64, 6, 0.12
N_ATOMS = 8 * N_CELLS**3
B_NA, B_CL = 3.63, 9.577
SODIUM = ((0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0))


def write_crystal(path):
    generator = random.Random(5)
    sites = [('Na', site) for site in SODIUM] + [('Cl', tuple((x + 0.5) % 1 for x in site)) for site in SODIUM]
    atoms = [(element, [EDGE * (cell[k] + site[k]) for k in range(3)])
             for cell in itertools.product(range(N_CELLS), repeat=3) for element, site in sites]
    edge = N_CELLS * EDGE
    with open(path, 'w', encoding='ascii') as file:
        for _ in range(N_FRAMES):
            file.write(f'{len(atoms)}\nLattice="{edge} 0 0 0 {edge} 0 0 0 {edge}" Properties=species:S:1:pos:R:3\n')
            for element, place in atoms:
                file.write(f'{element} ' + ' '.join(f'{x + generator.gauss(0, TREMBLE):.5f}' for x in place) + '\n')


def open_rows(window):
    """The form with all its rows."""
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    window.activate('win.show-analysis', text('scattering'))
    Atspi.Action.do_action(window.find('push button', 'More', FORM), 0)
    return window.find('check box', 'S(hkl) as a volume', FORM)


def compute(window):
    switch = open_rows(window)
    entry = window.find('text', 'Scattering vector', FORM)
    window.type_into(entry, '0.3:4.5:0.1')
    assert Atspi.Action.do_action(switch, 0), 'the switch can be used without a pointer'
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.picture('crystal-1-form')
    window.activate('win.run')
    wait_until('the layers of the volume', lambda: window.find_all('check box', 'Show Slice', SCENE))
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))
    find_plot(window, 'I(q)/N (fm²)')
    window.activate('win.show-page', text('scene'))
    time.sleep(1)
    window.picture('crystal-2-volume')


def is_shown(window, name):
    return window.find('check box', name, SCENE).get_state_set().contains(Atspi.StateType.CHECKED)


def look(window):
    """The volume is one of scattering vectors: the atoms, whose places are no vectors, are out of its way."""
    assert is_shown(window, 'Show Slice') and not is_shown(window, 'Show Molecule')
    assert any('fm²' in name for name in window.names('check box', SCENE)), 'a surface'
    window.activate('win.view-all')
    time.sleep(1)
    window.picture('crystal-3-all')


def read_dx(path):
    """{(h, k, l) of the cell: value}, of the reflections alone."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    shape = [int(x) for x in next(line for line in lines if 'gridpositions' in line).split()[-3:]]
    origin = [float(x) for x in next(line for line in lines if line.startswith('origin')).split()[1:]]
    step = [float(line.split()[1 + axis]) for axis, line in enumerate(line for line in lines if line.startswith('delta'))]
    first = next(i for i, line in enumerate(lines) if 'data follows' in line) + 1
    n = shape[0] * shape[1] * shape[2]
    values = [float(x) for line in lines[first:] if line[:1] in '0123456789-' for x in line.split()][:n]
    unit, found = 2 * math.pi / EDGE, {}
    for number, value in enumerate(values):
        index = (number // (shape[1] * shape[2]), number // shape[2] % shape[1], number % shape[2])
        place = [(origin[k] + step[k] * index[k]) / unit for k in range(3)]
        if all(abs(x - round(x)) < 1e-3 for x in place):
            found[tuple(round(x) for x in place)] = value
    return found


def write(window):
    """h, k, l all even or all odd; with trembling, N b² exp(−q²u²) of it."""
    path = fresh('crystal.dx')
    window.activate('win.save-map', text(path))
    wait_until('the map', lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    found = read_dx(path)
    for index, length in (((2, 0, 0), B_NA + B_CL), ((1, 1, 1), B_NA - B_CL), ((2, 2, 0), B_NA + B_CL)):
        q_squared = (2 * math.pi / EDGE)**2 * sum(i * i for i in index)
        # Half of the atoms are sodium.
        bright = N_ATOMS * (length / 2)**2 * math.exp(-q_squared * TREMBLE**2)
        assert abs(found[index] / bright - 1) < 0.1, (index, found[index], bright)
    assert found[(1, 0, 0)] < 0.05 * found[(1, 1, 1)], found[(1, 0, 0)]
    for name in ('crystal.svg', 'crystal.h5', 'crystal.csv'):
        assert os.path.getsize(save(window, name)) > 0


def main():
    path = fresh('salt.xyz')
    write_crystal(path)
    window = Window(path)
    for step in (compute, look, write):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()


main()
