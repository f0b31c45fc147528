#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files on their way in and out, as hands do it: dropped, chosen in a dialog, named on the command line; layers dragged."""
import os
import sys
import time

from window_driver import GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
START = time.monotonic()
FORM, LAYERS = 'DebyeAnalysisPanel', 'DebyeLayersPanel'
MIDDLE = (760, 300)  # of the window


def fresh(name):
    path = os.path.join(OUTPUT, name)
    if os.path.exists(path):
        os.remove(path)
    return path


def make_map():
    """Two opposite charges in OpenDX: 16 points a side, 2 Å apart, around the origin."""
    n, h = 16, 2.0
    place = [(i - (n - 1) / 2) * h for i in range(n)]

    def value(x, y, z):
        return sum(q / max(1.0, ((x - c) ** 2 + y * y + z * z) ** 0.5) for q, c in ((500.0, 6.0), (-500.0, -6.0)))
    values = [value(x, y, z) for x in place for y in place for z in place]
    path = os.path.join(OUTPUT, 'two-charges.dx')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'object 1 class gridpositions counts {n} {n} {n}\norigin {place[0]} {place[0]} {place[0]}\n'
                   f'delta {h} 0 0\ndelta 0 {h} 0\ndelta 0 0 {h}\n'
                   f'object 2 class gridconnections counts {n} {n} {n}\n'
                   f'object 3 class array type double rank 0 items {n ** 3} data follows\n')
        file.writelines(f'{v:.6g}\n' for v in values)
    return path


def layer_names(window):
    return [name for name in window.names('list item', LAYERS) if name]


def drop_structure_and_trajectory(window, _):
    window.drop_files([os.path.join(SAMPLES, 'helix.xtc'), os.path.join(SAMPLES, 'helix.psf')], MIDDLE)
    window.wait_for_text('5,459 atoms · 81 frames')


def drop_map(window, map_path):
    window.drop_files([map_path], MIDDLE)
    wait_until('its slice and a surface for each sign', lambda: {'Slice', 'Surface at +50', 'Surface at −50'} <=
               {name.strip() for name in layer_names(window)})
    assert 'Protein' in layer_names(window), 'a map joins the molecule'
    window.picture('files-1-map')


def drag_layers(window, _):
    before = layer_names(window)
    assert before[:3] == ['Water', 'Ions', 'Protein'], before
    rows = {node.get_name(): node for node in window.find_all('list item', None, LAYERS)}
    window.drag(window.middle(rows['Water']), window.middle(rows['Protein']))
    wait_until('another order', lambda: layer_names(window)[:3] == ['Ions', 'Protein', 'Water'])
    window.activate('win.undo')
    wait_until('the order of before', lambda: layer_names(window) == before)


def save_by_dialog(window, _):
    path = fresh('kept.h5')
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    for setting, text in (('Grid spacing', '2'), ('Frames', '0')):
        window.type_into(window.find('text', setting, FORM), text)
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    window.activate('win.export-map')
    # The suggested name is marked up to its ending, which stays.
    window.in_dialog('Export map', path[:-3], settle=1)
    wait_until('the file', lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    wait_until('the whole file', lambda: not window.is_enabled('win.stop'))


def drop_result(window, _):
    def n_results():
        return sum('\nkT/e · ' in name for name in window.names('label', FORM))
    before = n_results()
    assert before > 0
    window.drop_files([os.path.join(OUTPUT, 'kept.h5')], MIDDLE)
    wait_until('another result', lambda: n_results() > before)
    window.picture('files-2-result')


def open_by_dialog(window, _):
    window.keys('ctrl+o')
    window.in_dialog('Open a structure, trajectories or maps', os.path.join(SAMPLES, 'protease.pqr'), settle=1)
    window.wait_for_text('3,261 atoms · 1 frame')
    window.picture('files-3-opened')


def open_map_alone(window, _):
    window.wait_for_text('16 × 16 × 16 points · 30.0 × 30.0 × 30.0 Å')
    assert not window.is_enabled('win.run'), 'there is nothing to compute with'
    window.drop_files([os.path.join(SAMPLES, 'protease.pqr')], MIDDLE)
    window.wait_for_text('3,261 atoms · 1 frame')
    names = layer_names(window)
    assert 'Protein' in names and 'Slice' in names, names
    window.picture('files-4-joined')


def run(window, *steps):
    for step in steps:
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window, os.path.join(OUTPUT, 'two-charges.dx'))
    window.quit()


def main():
    path = make_map()
    run(Window(), drop_structure_and_trajectory, drop_map, drag_layers, save_by_dialog, drop_result)
    run(Window(), open_by_dialog)
    run(Window(path), open_map_alone)


main()
