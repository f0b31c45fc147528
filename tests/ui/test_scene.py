#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a scene can show beyond atoms, as hands add it: surfaces coloured by a map, hydrogen bonds, labels, a clipping
plane, neighbours of the cell; and measuring with clicks, over time."""
import os
import re
import struct
import subprocess
import sys
import time

from plot_driver import PLOT
from window_driver import Atspi, GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
START = time.monotonic()
FORM, LAYERS = 'DebyeAnalysisPanel', 'DebyeLayersPanel'


def layer_names(window):
    return [name for name in window.names('list item', LAYERS) if name]


def opens_as_a_cartoon(window):
    window.wait_for_text('5,459 atoms · 81 frames')
    names = layer_names(window)
    assert names[:4] == ['Water', 'Ions', 'Protein', 'All atoms'], names
    window.picture('scene-1-cartoon')


def copy_picture(window):
    """Ctrl+C in the view copies what is seen, as PNG."""
    window.click(window.find('image', 'Molecule'))
    window.keys('ctrl+c')
    if window.read_clipboard('image/png') is None:
        return
    picture = wait_until('a picture on the clipboard', lambda: window.read_clipboard('image/png'))
    width, height = struct.unpack('>II', picture[16:24])
    assert picture[:8] == b'\x89PNG\r\n\x1a\n' and width > 400 and height > 400, picture[:24]


def look(window):
    """The row below the layers shows what the preset says, and what is typed there counts: a row that opens shows the scene's. It is
    undone and done again like what is set of a layer."""
    row = window.find('list item', 'Look', LAYERS)
    window.click(row)
    shadow = window.find('text', 'Shadow', LAYERS)
    assert window.text_of(shadow) == '0', window.text_of(shadow)
    window.click(shadow)
    window.keys('ctrl+a')
    window.write('0.8')
    window.keys('Return')
    window.picture('scene-1-shadow')
    for _ in range(2):
        window.click(row)
        time.sleep(0.6)
    wait_until('the shadow', lambda: window.text_of(window.find('text', 'Shadow', LAYERS)) == '0.8')
    for action, value in (('win.undo', '0'), ('win.redo', '0.8')):
        window.activate(action)
        wait_until(f'a shadow of {value}', lambda v=value: window.text_of(window.find('text', 'Shadow', LAYERS)) == v)
    window.click(row)


def add_layers(window):
    for action, name in (('add-hydrogen-bonds', 'Hydrogen bonds'), ('add-labels', 'Labels'),
                         ('add-molecular-surface', 'Molecular surface'), ('add-clipping-plane', 'Clipping plane')):
        before = layer_names(window).count(name)
        window.activate(f'win.{action}')
        wait_until(name, lambda n=name, b=before: layer_names(window).count(n) == b + 1)
    window.picture('scene-2-layers')


def undo_layers(window):
    for name in ('Clipping plane', 'Molecular surface', 'Labels', 'Hydrogen bonds'):
        window.activate('win.undo')
        wait_until(f'{name} gone', lambda n=name: n not in layer_names(window))


def is_checked(node):
    return node.get_state_set().contains(Atspi.StateType.CHECKED)


def undo_settings(window):
    """What is set of a layer goes back by Ctrl+Z like its removal."""
    box = window.find('check box', 'Show Protein', LAYERS)
    assert is_checked(box)
    window.click(box)
    wait_until('the protein hidden', lambda: not is_checked(box))
    window.picture('scene-2-hidden')
    window.keys('ctrl+z')
    wait_until('the protein again', lambda: is_checked(box))


def undo_selection(window):
    """What is typed to choose a layer's atoms goes back by Ctrl+Z and forth by Ctrl+Shift+Z, from within the entry."""
    window.activate('win.add-atoms')
    entry = window.find('text', 'Atoms of this layer', LAYERS)
    whole = window.text_of(entry)
    window.click(entry)
    window.keys('ctrl+a')
    window.write('name CA')
    window.wait_for_text(' of 5,459 atoms', LAYERS)
    window.picture('scene-3-chosen')
    # No selection: the layer keeps what it has, and the entry gets it back.
    window.write(' and (')
    wait_until('a refusal', lambda: any('olumn' in name for name in window.names('label', LAYERS)))
    window.picture('scene-3-refused')
    window.keys('ctrl+z')
    wait_until('what was chosen', lambda: window.text_of(entry).strip() == 'name CA')
    window.keys('ctrl+z')
    wait_until('all atoms', lambda: window.text_of(entry) == whole)
    window.keys('ctrl+shift+z')
    wait_until('the choice again', lambda: window.text_of(entry).strip() == 'name CA')
    window.picture('scene-3-redone')
    window.keys('ctrl+z', 'ctrl+z')
    wait_until('no layer of sticks', lambda: layer_names(window)[-1] != 'Atoms')


def undo_form(window):
    """In a form Ctrl+Z is of its settings, and "Reset" is one of the steps."""
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    entry = window.find('text', 'Grid spacing', FORM)
    layers = layer_names(window)
    window.click(entry)
    window.write('0.75')
    wait_until('the spacing', lambda: window.text_of(entry) == '0.75')
    time.sleep(1.2)     # another edit
    window.write('x')
    wait_until('a refused spacing', lambda: not window.is_enabled('win.run'))
    window.keys('ctrl+z')
    wait_until('what was accepted', lambda: window.text_of(entry) == '0.75')
    window.click(window.find('push button', 'Reset', FORM))
    wait_until('the default', lambda: window.text_of(entry) == '')
    window.picture('scene-4-defaults')
    window.keys('ctrl+z')
    wait_until('the spacing again', lambda: window.text_of(entry) == '0.75')
    window.keys('ctrl+z')
    wait_until('the first spacing', lambda: window.text_of(entry) == '')
    window.keys('ctrl+shift+z')
    wait_until('the spacing once more', lambda: window.text_of(entry) == '0.75')
    window.keys('ctrl+z', 'ctrl+z', 'ctrl+z')
    assert layer_names(window) == layers, 'the scene has changed, too'


def click_at(x, y):
    subprocess.run(['xdotool', 'mousemove', str(x), str(y), 'click', '1'], check=True)
    time.sleep(0.3)


def place_molecules(window):
    """A box, here one of two, says how molecules that the cell cuts are drawn; that goes back by Ctrl+Z, too."""
    window.activate('win.add-box')
    wait_until('two boxes', lambda: {'Box', 'Box 2'} <= set(layer_names(window)))
    choice = window.find('combo box', 'Molecules at the cell\'s faces', LAYERS)

    def is_chosen(text):
        return any(node.get_name() == text for node in window.walk(choice))
    wait_until('the choice', lambda: is_chosen('As in the file'))
    window.picture('scene-3-file')
    window.click(choice)
    window.keys('Down', 'Down', 'Return')
    wait_until('molecules in the cell', lambda: is_chosen('In the cell'))
    time.sleep(1)
    window.picture('scene-3-cell')
    window.keys('ctrl+z')
    wait_until('as in the file again', lambda: is_chosen('As in the file'))
    window.keys('ctrl+z')
    wait_until('one box', lambda: 'Box 2' not in layer_names(window))
    window.activate('win.view-all')     # which the box made larger


def measure(window):
    """Clicks along the middle of the view until atoms were hit: the helix runs through it."""
    x, y = window.middle(window.find(None, 'Molecule'))
    window.activate('win.measure')
    assert window.state('win.measure')
    measured = {'Distance', 'Angle', 'Dihedral'}
    for dx in range(-240, 241, 60):
        for dy in (-60, -20, 20, 60):
            click_at(x + dx, y + dy)
        if measured & set(layer_names(window)):
            break
    wait_until('a measurement', lambda: measured & set(layer_names(window)))
    window.picture('scene-3-measured')


def plot(window):
    window.activate('win.plot-measurements')
    window.wait_for_text('Distances and angles', FORM)
    wait_until('its end', lambda: not window.is_enabled('win.stop'))
    wait_until('a curve that is named by its atoms', lambda: any(
        re.fullmatch(r'Plot of [dθφ] .*: (\w+\d+ \w+ – )+\w+\d+ \w+', node.get_name() or '')
        for node in window.search(None, None, PLOT)))
    window.picture('scene-4-plot')


def main():
    window = Window(*(os.path.join(SAMPLES, name) for name in ('helix.psf', 'helix.xtc')))
    for step in (opens_as_a_cartoon, copy_picture, look, add_layers, undo_layers, undo_settings, undo_selection, place_molecules,
                 undo_form, measure, plot):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()


main()
