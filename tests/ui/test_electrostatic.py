#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The electrostatic surface in one step: what it adds, what it says, undo, sessions, a trajectory, files without charges."""
import os
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
LAYERS = 'DebyeLayersPanel'
SURFACE = 'Show Electrostatic surface'


def boxes(window, name):
    return window.find_all('check box', name, LAYERS)


def is_checked(node):
    return node.get_state_set().contains(Atspi.StateType.CHECKED)


def open_window(*paths):
    window = Window(*paths)
    wait_until('the structure', lambda: window.is_enabled('win.electrostatic-surface'))
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    time.sleep(1)
    return window


def show_surface(window):
    window.activate('win.electrostatic-surface')
    return wait_until('the surface', lambda: boxes(window, SURFACE))


def find_contours(window):
    return [box for name in ('Show Surface at −1 kT/e', 'Show Surface at +1 kT/e') for box in boxes(window, name)]


def add_and_undo(window):
    """By the key. The isosurfaces come hidden; they and the surface are one step of undo."""
    start = time.monotonic()
    window.keys('ctrl+shift+p')
    wait_until('the surface', lambda: boxes(window, SURFACE))
    print(f'surface after {time.monotonic() - start:.1f} s')
    # What was assumed, with the way to the settings.
    window.wait_for_text('ε = 2 inside, 78.54 outside · 0.15 mol/l salt · 298.15 K · the file\'s radii')
    time.sleep(1)
    window.picture('electrostatic-1-surface')
    contours = find_contours(window)
    assert len(contours) == 2 and not any(map(is_checked, contours)), [box.get_name() for box in contours]
    assert not window.find_all('check box', 'Show Slice', LAYERS), 'no slice was asked for'
    window.activate('win.undo')
    wait_until('neither surface nor isosurfaces', lambda: not boxes(window, SURFACE) and not find_contours(window))
    window.activate('win.redo')
    wait_until('all again', lambda: boxes(window, SURFACE) and len(find_contours(window)) == 2)
    for box in find_contours(window):
        window.click(box)
    time.sleep(3)
    window.picture('electrostatic-2-isosurfaces')


def limits(window):
    return [window.text_of(entry) for entry in window.find_all('text', 'Upper limit of the colours', LAYERS)]


def share_limits(window):
    """A slice has the colour scale of the surface; taken off the link, its limits are its own, and undo brings it back."""
    window.activate('win.add-slice')
    wait_until('the slice with the limits of the surface', lambda: limits(window) == ['5'])
    share = window.find('push button', 'Same limits for all layers of this quantity', LAYERS)
    window.picture('electrostatic-2-shared')
    window.click(share)
    entry = window.find('text', 'Upper limit of the colours', LAYERS)
    window.click(entry)
    window.keys('ctrl+a')
    window.write('20')
    window.keys('Return')
    window.picture('electrostatic-2-separate')
    window.click(share)
    wait_until('the limits of the surface again', lambda: limits(window) == ['5'])
    window.activate('win.undo')
    wait_until('its own limits', lambda: limits(window) == ['20'])


def find_settings(window):
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    window.wait_for_text('Poisson-Boltzmann')
    time.sleep(1)
    window.picture('electrostatic-3-settings')
    window.activate('win.show-page', GLib.Variant('s', 'scene'))


def run_twice(window):
    """A second time there is one surface still."""
    show_surface(window)
    time.sleep(1)
    wait_until('the end of the job', window.is_idle)
    assert len(boxes(window, SURFACE)) == 1


def keep(window):
    """A session brings the surface back as it was, in a window of its own."""
    path = os.path.join(OUTPUT, 'electrostatic.debye')
    if os.path.exists(path):
        os.remove(path)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path))
    window.quit()
    window = open_window(path)
    wait_until('the surface of the session', lambda: boxes(window, SURFACE))
    time.sleep(2)
    window.picture('electrostatic-4-session')
    window.quit()


def follow():
    """A trajectory: the frame that is shown; live, the surface goes with the frames."""
    window = open_window(os.path.join(SAMPLES, 'helix.psf'), os.path.join(SAMPLES, 'helix.xtc'))
    window.activate('win.frame', GLib.Variant('i', 5))
    wait_until('frame 5', lambda: window.state('win.frame') == 5)
    show_surface(window)
    time.sleep(3)
    window.picture('electrostatic-5-frame')
    wait_until('live to be possible', lambda: window.is_enabled('win.live'))
    window.set_state('win.live', GLib.Variant('b', True))
    window.wait_for_text('maps/s computed')
    window.activate('win.frame', GLib.Variant('i', 9))
    time.sleep(4)
    window.picture('electrostatic-6-live')
    assert boxes(window, SURFACE)
    window.set_state('win.live', GLib.Variant('b', False))
    window.quit()


def leave_out():
    """A surface has one colour, and neither glycerol nor sulfate; its row says so."""
    path = os.path.join(OUTPUT, 'additives.pqr')
    with open(os.path.join(SAMPLES, 'protease.pqr'), encoding='utf-8') as file:
        lines = [line for line in file if line.startswith('ATOM')]
    for number, (name, residue) in enumerate((('C1', 'GOL'), ('C2', 'GOL'), ('O1', 'GOL'), ('S', 'SO4'), ('O1', 'SO4'))):
        lines.append(f'HETATM {9000 + number:4d}  {name:<3} {residue} X {900 + (residue == "SO4"):3d}    '
                     f'{60 + 1.4 * number:8.3f}{0:8.3f}{0:8.3f} 0.0000 1.7000\n')
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(lines)
    window = open_window(path)
    window.activate('win.add-molecular-surface')
    window.wait_for_text('Without GOL, SO4', LAYERS)
    window.wait_for_text('Colour', LAYERS)
    time.sleep(2)
    window.picture('electrostatic-8-left-out')
    window.quit()


def miss_charges():
    """A file that can't be prepared either: the page says why."""
    path = os.path.join(OUTPUT, 'plain.pdb')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('HETATM    1  C1  LIG A   1      11.104   6.134  -6.504  1.00  0.00           C\n'
                   'HETATM    2  O1  LIG A   1      11.639   6.071  -5.147  1.00  0.00           O\nEND\n')
    window = open_window(path)
    window.activate('win.electrostatic-surface')
    window.wait_for_text('has no charges, and a potential needs them')
    time.sleep(1)
    window.picture('electrostatic-7-no-charges')
    assert not boxes(window, SURFACE)
    window.quit()


def main():
    window = open_window(os.path.join(SAMPLES, 'protease.pqr'))
    add_and_undo(window)
    share_limits(window)
    find_settings(window)
    run_twice(window)
    keep(window)
    follow()
    miss_charges()
    leave_out()


main()
