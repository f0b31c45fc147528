#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A map of superposed frames: the molecule stays in it while frames go by, until its alignment is switched off; undo, and a
session that is opened again."""
import math
import os
import subprocess
import sys

from window_driver import Atspi, GLib, Window, wait_until

OUTPUT = os.environ['OUTPUT']
LAYERS, FORM = 'DebyeLayersPanel', 'DebyeAnalysisPanel'

PLACES = ((0, 0, 0), (1.4, 0.2, 0), (2.1, 1.5, 0.3), (1.2, 2.4, 1.1), (-0.2, 2.0, 1.6), (2.9, 1.9, 1.6), (3.9, 3.0, 1.9),
          (0.3, -0.9, -1.1))
CHARGES = (-0.6, 0.4, 0.5, -0.5, 0.3, -0.4, 0.7, 0.2)


def placed(frame):
    """Turned and shifted as a whole."""
    turn = 0.5 * frame
    return [(x * math.cos(turn) - y * math.sin(turn) + 2.0 * frame, x * math.sin(turn) + y * math.cos(turn) - 1.5 * frame, z)
            for x, y, z in PLACES]


def write_files():
    structure, moving = os.path.join(OUTPUT, 'moving.pqr'), os.path.join(OUTPUT, 'moving.xyz')
    with open(structure, 'w', encoding='ascii') as file:
        for i, ((x, y, z), charge) in enumerate(zip(placed(0), CHARGES)):
            file.write(f'ATOM {i + 1} C{i} ALA {1 + i // 4} {x:.4f} {y:.4f} {z:.4f} {charge} 1.7\n')
    with open(moving, 'w', encoding='ascii') as file:
        for frame in range(1, 7):
            file.write(f'{len(PLACES)}\nframe {frame}\n' + ''.join(f'C {x:.5f} {y:.5f} {z:.5f}\n' for x, y, z in placed(frame)))
    return structure, moving


def go_to(window, frame):
    window.activate('win.frame', GLib.Variant('i', frame))
    wait_until(f'frame {frame}', lambda: window.state('win.frame') == frame)


def picture_of(window, name):
    path = os.path.join(OUTPUT, name + '.png')
    if os.path.exists(path):
        os.remove(path)
    window.activate('win.save-picture', GLib.Variant('(siib)', (path, 160, 120, False)))
    wait_until(f'the file {path}', lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    wait_until('the whole picture', lambda: not window.is_enabled('win.stop'))
    return path


def difference(a, b):
    """Root mean square over all pixels, 0 to 1."""
    done = subprocess.run(['/usr/bin/compare-im6', '-metric', 'RMSE', a, b, 'null:'], check=False, capture_output=True, text=True)
    return float(done.stderr.split('(')[1].rstrip(')\n '))


def find_switch(window):
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    return window.find('check box', 'Show Alignment', LAYERS)


def is_on(window):
    return find_switch(window).get_state_set().contains(Atspi.StateType.CHECKED)


def wait_for_picture(window, name, other, same):
    """An aligned frame comes some time after the one before."""
    wait_until(f'{name}, {"the same as" if same else "another than"} {other}',
               lambda: (difference(picture_of(window, name), other) < 0.01) == same)


def main():
    window = Window(*write_files())
    wait_until('the files', lambda: window.is_enabled('win.add-alignment'))
    assert not window.find_all('check box', 'Show Alignment', LAYERS)
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.picture('1-form')
    window.activate('win.run')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    wait_until('the alignment', lambda: is_on(window))

    go_to(window, 0)
    first = picture_of(window, 'frame-0')
    go_to(window, 5)
    wait_for_picture(window, 'frame-5', first, True)
    window.picture('2-aligned')
    window.click(find_switch(window))
    wait_until('no alignment', lambda: not is_on(window))
    wait_for_picture(window, 'frame-5-drifted', first, False)
    window.activate('win.undo')
    wait_until('the alignment again', lambda: is_on(window))
    wait_for_picture(window, 'frame-5-undone', first, True)

    # A session has it, and shows its frame aligned at once.
    session = os.path.join(OUTPUT, 'aligned.debye')
    window.activate('win.save-session-to', GLib.Variant('s', session))
    wait_until('the session', lambda: os.path.exists(session) and not window.is_enabled('win.stop'))
    window.activate('win.open-files', GLib.Variant('as', [session]))
    wait_until('the session again', lambda: window.is_enabled('win.add-alignment') and not window.is_enabled('win.stop'))
    wait_until('the alignment', lambda: is_on(window))
    wait_for_picture(window, 'frame-5-of-session', first, True)

    # The map of one frame is of the file's frame, and so is the picture.
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    window.type_into(window.find('text', 'Frames', FORM), '5')
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the map of one frame', lambda: not window.is_enabled('win.stop'))
    wait_until('no alignment', lambda: not is_on(window))
    os.remove(session)
    window.activate('win.save-session-to', GLib.Variant('s', session))
    wait_until('the session', lambda: os.path.exists(session))
    window.quit()


main()
