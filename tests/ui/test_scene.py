#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a scene can show beyond atoms, as hands add it: surfaces coloured by a map, hydrogen bonds, labels, a clipping
plane, neighbours of the cell; and measuring with clicks, over time."""
import os
import subprocess
import sys
import time

from window_driver import Atspi, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
START = time.monotonic()
FORM, LAYERS = 'DebyeAnalysisPanel', 'DebyeLayersPanel'


def layer_names(window):
    return [node.get_name() for node in window.find_all('list item', None, LAYERS) if node.get_name()]


def opens_as_a_cartoon(window):
    window.wait_for_text('5,459 atoms · 81 frames')
    names = layer_names(window)
    assert names[:4] == ['Water', 'Ions', 'Protein', 'All atoms'], names
    window.picture('scene-1-cartoon')


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


def click_at(x, y):
    subprocess.run(['xdotool', 'mousemove', str(x), str(y), 'click', '1'], check=True)
    time.sleep(0.3)


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
    window.picture('scene-4-plot')


def main():
    window = Window(*(os.path.join(SAMPLES, name) for name in ('helix.psf', 'helix.xtc')))
    for step in (opens_as_a_cartoon, add_layers, undo_layers, undo_settings, measure, plot):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()


main()
