#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A click on a blob of an occupancy map lists the residues in it and marks it. A row marks its residue in the first frame in which it
is inside. The menu of the surface's layer lists all blobs and marks none. A session restores the list and the mark, which are found
under other names, too. If the trajectory isn't open, a click names it. For a spatial distribution the entry starts nothing, and a
toast gives the reason."""
import json
import os
import shutil
import subprocess
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

OUTPUT = os.environ['OUTPUT']
CLI = os.path.join(os.path.dirname(os.environ['DEBYE']), 'debye-cli')
LAYERS, BLOBS = 'DebyeLayersPanel', 'DebyeBlobPanel'
ENTRY = 'List residues in the blobs'
N_VOXELS = 27


def make_samples():
    """Two ions that one after the other step through the voxels of one cube, for so many frames; the one that isn't there, and a
    third one, are outside of the grid, to either side, so that the cube is in the middle of the picture."""
    folder = os.path.join(OUTPUT, 'samples')
    os.makedirs(folder, exist_ok=True)
    cube = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
    with open(os.path.join(folder, 'ions.pqr'), 'w', encoding='ascii') as file:
        for i, place in enumerate(((-8, 0, 1), (-8, 0, 0), (8, 0, 0))):
            x, y, z = place
            file.write(f'ATOM  {i + 1:5d} NA    NA A{i + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.0000 1.0000\n')
        file.write('END\n')
    with open(os.path.join(folder, 'ions.xyz'), 'w', encoding='ascii') as file:
        for frame in range(2 * N_VOXELS):
            places = [cube[frame % N_VOXELS], (-8, 0, 0)]
            if frame >= N_VOXELS:
                places.reverse()
            file.write('3\n\n' + ''.join(f'Na {x} {y} {z}\n' for x, y, z in places + [(8, 0, 0)]))
    with open(os.path.join(folder, 'index.ini'), 'w', encoding='utf-8') as file:
        file.write('[ions]\ntitle=Ions\ndescription=Ions\nfiles=ions.pqr;ions.xyz\n'
                   'command=density --weight occupancy --origin=-4,-4,-4 --shape 9,9,9 --spacing 1\n')
    os.environ['DEBYE_SAMPLES_DIR'] = folder
    return folder


def rows(window):
    """What the cells of the list say."""
    return [name for name in window.names('label', BLOBS) if name]


def has_page(window):
    return bool(window.find_all('page tab', 'Blobs'))


def surfaces(window):
    return [name for name in window.names('check box', LAYERS) if name.startswith('Show Surface')]


def expect_narrow(window):
    """How long the stays were is read without scrolling, their unit above the list."""
    box, panel = (Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
                  for node in (window.find('label', 'longest', BLOBS), window.part(BLOBS)))
    assert panel.x <= box.x and box.x + box.width <= panel.x + panel.width, (box.x, box.width, panel.x, panel.width)
    assert any('stays in frames' in name for name in rows(window)), rows(window)


def click_middle(window):
    """Of the picture, where the cube is."""
    x, y = window.middle(window.part('DebyeView3d'))
    subprocess.run(['xdotool', 'mousemove', str(x), str(y), 'click', '1'], check=True)


def show_structure(window):
    """The frame that has no ion in the cube. In some of the others one stands before the middle of it, and is what a click meets."""
    window.set_state('win.frame', GLib.Variant('i', 0))
    wait_until('the first frame', lambda: window.state('win.frame') == 0)
    window.settle(1)


def expect_list(window):
    wait_until('the residues', lambda: {'NA 1', 'NA 2'} <= set(rows(window)))
    assert 'NA 3' not in rows(window), rows(window)
    # Each was there in 27 of the 55 frames, all of them one after the other.
    assert rows(window).count('49.09') == 2 and rows(window).count(str(N_VOXELS)) >= 2, rows(window)


def click_blob(window):
    wait_until('a surface', lambda: surfaces(window))
    wait_until('the end of the run', window.is_idle)
    window.pause()
    show_structure(window)
    assert not has_page(window), 'no list before one has asked'
    window.picture('blobs-1-density')
    click_middle(window)
    wait_until('the page of blobs', lambda: has_page(window))
    expect_list(window)
    expect_narrow(window)
    window.wait_for_text('Blob of 27 Å³', BLOBS)
    window.settle(1)
    window.picture('blobs-2-clicked')


def choose_row(window):
    """The first frame is the structure's own; the second ion comes in frame 28."""
    window.click(window.find_shown('label', 'NA 2', BLOBS))
    wait_until('its first frame', lambda: window.state('win.frame') == N_VOXELS + 1)
    window.settle(1)
    window.picture('blobs-3-residue')
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('the layers', lambda: {'Show Blob', 'Show Chosen residue'} <= set(window.names('check box', LAYERS)))


def choose_entry(window):
    """Opens the row of the surface with a click, then its menu, and chooses the last of the six entries with the keyboard."""
    x, y = window.resting_place(window.find_all('check box', surfaces(window)[0], LAYERS)[0])
    subprocess.run(['xdotool', 'mousemove', str(x + 120), str(y), 'click', '1'], check=True)
    window.open_menu(window.find_shown('push button', 'Plot or compare', LAYERS), ENTRY)
    window.keys(*['Down'] * 5, 'Return')


def list_all(window):
    """The list of all blobs takes the place of the clicked one's, which is marked no more. Another click marks it again."""
    choose_entry(window)
    window.find_shown('label', 'NA 2', BLOBS)
    wait_until('the end of the run', window.is_idle)
    expect_list(window)
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('no marked blob', lambda: 'Show Chosen residue' in (names := window.names('check box', LAYERS))
               and 'Show Blob' not in names)
    show_structure(window)
    click_middle(window)
    wait_until('the marked blob', lambda: 'Show Blob' in window.names('check box', LAYERS))
    expect_list(window)


def rename(path, names):
    """Layers of a session."""
    with open(path, encoding='utf-8') as file:
        session = json.load(file)
    layers = session['scene']['layers']
    for layer in layers:
        layer['properties']['name'] = names.get(layer['properties']['name'], layer['properties']['name'])
    assert set(names.values()) <= {layer['properties']['name'] for layer in layers}, layers
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(session, file)


def replace_renamed(path):
    """Another residue takes the place of the one before, and the list of all blobs unmarks the clicked one, whatever these are
    called."""
    rename(path, {'Blob': 'Binding site', 'Chosen residue': 'Sodium'})
    window = Window(path)
    wait_until('the renamed layers', lambda: {'Show Binding site', 'Show Sodium'} <= set(window.names('check box', LAYERS)))
    wait_until('the page of blobs', lambda: has_page(window))
    window.activate('win.show-page', GLib.Variant('s', 'blobs'))
    window.click(window.find_shown('label', 'NA 1', BLOBS))
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('the residue', lambda: 'Show Chosen residue' in (names := window.names('check box', LAYERS))
               and 'Show Sodium' not in names)
    window.settle(1)
    window.picture('blobs-5-renamed')
    choose_entry(window)
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('no marked blob', lambda: 'Show Chosen residue' in (names := window.names('check box', LAYERS))
               and 'Show Binding site' not in names)
    window.picture('blobs-6-unmarked')
    window.quit()


def keep_session(window, path):
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path) and window.is_idle())
    window.quit()
    window = Window(path)
    wait_until('the page of blobs', lambda: has_page(window))
    expect_list(window)
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('the blob', lambda: 'Show Blob' in window.names('check box', LAYERS))
    window.settle(1)
    window.picture('blobs-4-session')
    window.quit()


def open_map_alone(folder):
    """The map's file without the trajectory."""
    command = ['density', '--quiet', '--weight', 'occupancy', '--origin=-4,-4,-4', '--shape', '9,9,9', '--spacing', '1', '-o',
               'map.h5', 'ions.pqr', 'ions.xyz']
    subprocess.run([CLI, *command], cwd=folder, check=True)
    os.rename(os.path.join(folder, 'ions.xyz'), os.path.join(folder, 'gone.xyz'))
    window = Window(os.path.join(folder, 'ions.pqr'), os.path.join(folder, 'map.h5'))
    wait_until('a surface', lambda: surfaces(window))
    window.settle(1)
    click_middle(window)
    window.wait_for_text('open ions.xyz: the map was made from it')
    window.picture('blobs-8-alone')
    window.quit()


def is_checked(window, name):
    return window.find('check box', name, LAYERS).get_state_set().contains(Atspi.StateType.CHECKED)


def show_distribution(folder):
    """Of water around each of some waters: one of them stands in place of all atoms, and frames are superposed on it."""
    samples = os.path.join(sys.argv[1], 'data', 'samples')
    for name in ('water.psf', 'water.xtc'):
        shutil.copy(os.path.join(samples, name), folder)
    with open(os.path.join(folder, 'index.ini'), 'a', encoding='utf-8') as file:
        file.write('[around]\ntitle=Around\ndescription=Around\nfiles=water.psf;water.xtc\ncommand=density --select "name OW" '
                   '--about "resid 1 to 20" --copies --padding 3 --spacing 1 --frames 0:5 --relative\n')
    window = Window('--sample', 'around')
    wait_until('the reference', lambda: 'Show Reference of the distribution' in window.names('check box', LAYERS))
    wait_until('the superposition', lambda: 'Show Alignment' in window.names('check box', LAYERS))
    assert not is_checked(window, 'Show Atoms')
    window.picture('blobs-7-distribution')
    wait_until('a surface', lambda: surfaces(window))
    wait_until('the end of the run', window.is_idle)
    window.activate('win.map-blobs', GLib.Variant('(ud)', (0, 1)))
    window.wait_for_text('The residues in the blobs of a spatial distribution')
    assert window.is_idle() and not has_page(window), 'nothing was started'
    window.quit()


def main():
    folder = make_samples()
    path = os.path.join(OUTPUT, 'ions.debye')
    shutil.rmtree(path + '-results', ignore_errors=True)
    if os.path.exists(path):
        os.remove(path)
    start = time.monotonic()
    window = Window('--sample', 'ions')
    click_blob(window)
    choose_row(window)
    list_all(window)
    keep_session(window, path)
    replace_renamed(path)
    show_distribution(folder)
    open_map_alone(folder)
    print(f'{time.monotonic() - start:.1f} s', file=sys.stderr)


main()
