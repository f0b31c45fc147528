#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What hands make of maps: profiles, values along a line, the difference of two maps; what of them is written and kept."""
import csv
import hashlib
import json
import math
import os
import subprocess
import time

from plot_driver import find_plot, fresh, save, svg_texts, text
from window_driver import Atspi, GLib, Window, wait_until

START = time.monotonic()
SCENE, SHAPE, VALUE = 'DebyeLayersPanel', (17, 19, 21), 'first'


def wait_for_end(window):
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))


def read_csv(path):
    with open(path, encoding='utf-8') as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith('#')))


def write_map(name, shape, step, value):
    """An OpenDX map of a function of the place."""
    path = fresh(name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'object 1 class gridpositions counts {shape[0]} {shape[1]} {shape[2]}\norigin -8 -9 -10\n')
        file.write(f'delta {step} 0 0\ndelta 0 {step} 0\ndelta 0 0 {step}\n')
        file.write(f'object 2 class gridconnections counts {shape[0]} {shape[1]} {shape[2]}\n')
        n_points = shape[0] * shape[1] * shape[2]
        file.write(f'object 3 class array type double rank 0 items {n_points} data follows\n')
        for i in range(shape[0]):
            for j in range(shape[1]):
                for k in range(shape[2]):
                    file.write(f'{value(-8 + i * step, -9 + j * step, -10 + k * step):.6f}\n')
    return path


def open_map(window, path, n_maps):
    window.activate('win.open-files', GLib.Variant('as', [path]))
    wait_until(f'{n_maps} maps', lambda: len(slices(window)) == n_maps)


def slices(window):
    return window.find_all('check box', 'Show Slice', SCENE)


def is_checked(node):
    return node.get_state_set().contains(Atspi.StateType.CHECKED)


def plot_profile_by_hand(window):
    """From the row of the slice: opened with a click, its menu, its entry."""
    x, y = window.middle(slices(window)[0])
    subprocess.run(['xdotool', 'mousemove', str(x + 120), str(y), 'click', '1'], check=True)
    window.open_menu(window.find('push button', 'Plot or compare', SCENE), 'Profile along z')
    window.picture('maps-1-menu')
    window.keys('Down', 'Down', 'Return')
    wait_until('the profile', lambda: 'profile along z' in find_plot(window, VALUE).get_name())
    time.sleep(1)
    window.picture('maps-2-profile')
    # The means of x vanish: what is left is 2 z.
    rows = read_csv(save(window, 'profile.csv'))
    assert len(rows) == SHAPE[2], len(rows)
    for row in rows:
        assert math.isclose(float(row[VALUE]), 2 * float(row['z']), abs_tol=1e-4), row


def turn_profile(window):
    """Another axis: another label under the plot."""
    window.activate('win.map-profile', GLib.Variant('(ui)', (0, 0)))
    wait_until('the other profile', lambda: 'profile along x' in find_plot(window, VALUE).get_name())
    texts = [words for words, _, _ in svg_texts(save(window, 'profile.svg'))]
    assert 'x (Å)' in texts and 'z (Å)' not in texts, texts


def plot_line(window):
    """The dialog's points are typed over; a point with two numbers is refused where it stands."""
    window.activate('win.map-line', GLib.Variant('u', 0))
    window.wait_for_dialog('Values along a line')
    window.settle(1)
    window.picture('maps-3-line')
    window.keys('ctrl+a')
    window.write('0, 0')
    time.sleep(0.5)
    window.picture('maps-4-refused')
    window.keys('Return')
    time.sleep(0.5)
    assert window.has_dialog('Values along a line'), 'no line with half a point'
    window.keys('ctrl+a')
    window.write('0, 0, -10')
    window.keys('Tab', 'ctrl+a')
    window.write('8, 0, 10')
    window.keys('Return')
    wait_until('the line', lambda: 'along a line' in find_plot(window, VALUE).get_name())
    time.sleep(1)
    window.picture('maps-5-line')
    rows = read_csv(save(window, 'line.csv'))
    assert len(rows) == 201 and math.isclose(float(rows[-1]['distance']), math.hypot(8, 20), rel_tol=1e-6), rows[-1]
    assert math.isclose(float(rows[0][VALUE]), -20, abs_tol=1e-3) and math.isclose(float(rows[-1][VALUE]), 28, abs_tol=1e-3)


def subtract(window):
    """The difference comes with layers of its own, and those of the two maps are hidden."""
    open_map(window, write_map('second.dx', SHAPE, 1, lambda x, y, z: x + z), 2)
    window.activate('win.map-subtract', GLib.Variant('u', 0))
    window.wait_for_dialog('Subtract a map')
    window.settle(1)
    window.picture('maps-6-subtract')
    window.keys('Return')
    wait_until('the difference', lambda: len(slices(window)) == 3)
    assert [is_checked(node) for node in slices(window)] == [False, False, True]
    time.sleep(1)
    window.picture('maps-7-difference')
    path = fresh('difference.csv')
    window.activate('win.save-map', text(path))
    wait_until('the difference to be written', lambda: os.path.exists(path))
    for row in read_csv(path)[::97]:
        assert math.isclose(float(row[list(row)[3]]), float(row['z']), abs_tol=1e-4), row


def is_to_be_seen(node):
    return Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW).width > 0


def open_menu_of_result(window):
    """A map that was computed offers what its layer's row does. Opened twice: the menu is made anew."""
    window.click(window.find('page tab', 'Analyse'))
    time.sleep(1)
    window.picture('maps-8-analyse')
    button = next(node for node in window.search('push button', 'Actions for this result') if is_to_be_seen(node))
    for entry in ('Plot or compare', 'Run again'):
        window.open_menu(button, entry)
        time.sleep(0.5)
        window.picture('maps-8-result-menu')
        window.keys('Escape')
        wait_until('no menu', lambda: next(window.search('menu item', entry), None) is None)


def refuse(window):
    """Maps with other points: said before anything is computed."""
    open_map(window, write_map('third.dx', (5, 6, 7), 2, lambda x, y, z: x), 4)
    window.activate('win.map-subtract', GLib.Variant('u', 3))
    window.wait_for_dialog('Subtract a map')
    window.settle(1)
    window.picture('maps-9-refused')
    # Return opens the list of maps: there is nothing to be taken off.
    window.keys('Return')
    time.sleep(0.5)
    assert window.has_dialog('Subtract a map') and len(slices(window)) == 4, 'no difference of maps with other points'
    window.keys('Escape', 'Escape')
    wait_until('the end of the dialog', lambda: not window.has_dialog('Subtract a map'))


def keep(window):
    """Profile, line and difference come back with the session."""
    path = fresh('maps.debye')
    window.activate('win.save-session-to', text(path))
    wait_until('the session', lambda: os.path.exists(path))
    wait_for_end(window)
    window.activate('win.open-files', GLib.Variant('as', [path]))
    wait_until('another scene', lambda: len(slices(window)) == 4)
    wait_until('the plot', lambda: 'along a line' in find_plot(window, VALUE).get_name())
    window.picture('maps-10-session')


def write_session(path, files, scene):
    described = []
    for name in files:
        with open(name, 'rb') as file:
            content = file.read()
        described.append({'path': os.path.basename(name), 'absolute': name, 'size': len(content), 'sha256-of': 'all',
                          'sha256': hashlib.sha256(content).hexdigest()})
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'debye-session': 1, 'files': described, 'scene': scene, 'frame': 0}, file)


def line_of_placed_atoms():
    """Two argon atoms that the box draws in its cell, at x = 7 and 9 Å: the map is of x = −3 and −1, where the file has them."""
    atoms, session = fresh('pair.xyz'), fresh('pair.debye')
    with open(atoms, 'w', encoding='ascii') as file:
        file.write('2\nLattice="10 0 0 0 10 0 0 0 10"\nAr -3 5 5\nAr -1 5 5\n')
    write_session(session, (atoms, write_map('pair.dx', SHAPE, 1, lambda x, y, z: x + 2 * z)), {
        'camera': {'orientation': [0, 0, 0, 1], 'target': [8, 5, 5], 'height': 8.0, 'perspective': False, 'field-of-view': 24},
        'views': [], 'layers': [{'kind': 'atoms', 'selection': 'all', 'properties': {'name': 'All', 'style': 1, 'visible': True}},
                                {'kind': 'box', 'properties': {'name': 'Box', 'visible': False, 'molecules': 2}}]})
    window = Window(session)
    wait_until('atoms to be measured', lambda: window.is_enabled('win.measure'))
    time.sleep(1)
    view = window.find(None, 'Molecule')
    x, y = window.middle(view)
    height = Atspi.Component.get_extents(view, Atspi.CoordType.WINDOW).height
    window.activate('win.measure')
    wait_until('measuring', lambda: window.state('win.measure'))
    for side in (-1, 1):
        subprocess.run(['xdotool', 'mousemove', str(x + side * height // 8), str(y), 'click', '1'], check=True)
        time.sleep(1)
    window.picture('maps-11-pair')
    window.activate('win.map-line', GLib.Variant('u', 0))
    window.wait_for_dialog('Values along a line')
    window.settle(1)
    window.picture('maps-12-pair')
    window.keys('Return')
    wait_until('the line', lambda: 'along a line' in find_plot(window, 'pair').get_name())
    time.sleep(1)
    rows = read_csv(save(window, 'pair.csv'))
    ends = sorted(float(rows[k]['pair']) for k in (0, -1))
    assert math.isclose(ends[0], 7, abs_tol=1e-3) and math.isclose(ends[1], 9, abs_tol=1e-3), ends
    window.activate('win.save-session-to', text(session))   # or it asks before it closes
    window.quit()


def main():
    # V = x + 2 z: known means, known differences, a known slope along every line.
    window = Window(write_map('first.dx', SHAPE, 1, lambda x, y, z: x + 2 * z))
    wait_until('the map', lambda: slices(window))
    for step in (plot_profile_by_hand, turn_profile, plot_line, subtract, open_menu_of_result, refuse, keep):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()
    line_of_placed_atoms()


main()
