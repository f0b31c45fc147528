#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Live mode: the surfaces follow the frames that are shown, its state is told, a new run and a second key end it."""
import os
import shutil
import subprocess
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']

FORM, LAYERS, PLAYBACK = 'DebyeAnalysisPanel', 'DebyeLayersPanel', 'DebyePlaybackBar'


def make_samples():
    folder = os.path.join(OUTPUT, 'samples')
    os.makedirs(folder, exist_ok=True)
    for name in ('salt.psf', 'salt.xtc'):
        shutil.copy(os.path.join(SAMPLES, name), folder)
    with open(os.path.join(folder, 'index.ini'), 'w', encoding='utf-8') as file:
        file.write('[salt]\ntitle=Salt\ndescription=Salt\nfiles=salt.psf;salt.xtc\n'
                   'command=map --select ion --spacing 1 --frames 0\n')
    os.environ['DEBYE_SAMPLES_DIR'] = folder


def go_to(window, frame):
    window.activate('win.frame', GLib.Variant('i', frame))
    wait_until(f'frame {frame}', lambda: window.state('win.frame') == frame)


def surfaces(window):
    return [n for n in window.find_all('list item', None, LAYERS) if n.get_name().startswith('Surface')]


def hide_atoms(window):
    """What changes in the pictures is then of the map."""
    window.activate('win.show-page', GLib.Variant('s', 'scene'))

    def shown():
        return [n for n in window.find_all('check box', None, LAYERS)
                if n.get_state_set().contains(Atspi.StateType.CHECKED) and n.get_name().startswith('Show ')
                and not n.get_name().startswith(('Show Surface', 'Show Slice'))]
    for _ in range(10):
        boxes = shown()
        if not boxes:
            return
        window.click(boxes[0])
        wait_until('a layer less', lambda boxes=boxes: len(shown()) < len(boxes))
    raise AssertionError('layers of atoms are still shown')


def picture_of(window, name):
    path = os.path.join(OUTPUT, name + '.png')
    if os.path.exists(path):
        os.remove(path)
    window.activate('win.save-picture', GLib.Variant('(siib)', (path, 240, 180, False)))
    wait_until(f'the file {path}', lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    wait_until('the whole picture', lambda: not window.is_enabled('win.stop'))
    return path


def difference(a, b):
    """Root mean square over all pixels, 0 to 1."""
    done = subprocess.run(['/usr/bin/compare-im6', '-metric', 'RMSE', a, b, 'null:'], check=False, capture_output=True, text=True)
    return float(done.stderr.split('(')[1].rstrip(')\n '))


def wait_for_other_picture(window, name, before):
    """The map of a frame comes some time after its atoms."""
    return wait_until('a picture that differs', lambda: next(
        (p for p in [picture_of(window, name)] if difference(before, p) > 0.002), None))


def turn_on(window):
    wait_until('live mode to be possible', lambda: window.is_enabled('win.live'))
    assert window.state('win.live') is False
    window.keys('l')
    wait_until('live mode', lambda: window.state('win.live'))
    window.wait_for_text('maps/s computed', PLAYBACK)


def main():
    make_samples()
    window = Window()
    assert not window.is_enabled('win.live'), 'nothing is open'
    window.activate('win.open-sample', GLib.Variant('s', 'salt'))
    window.pause()
    wait_until('the map of the first frame', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    hide_atoms(window)
    n_layers = len(window.find_all('list item', None, LAYERS))
    go_to(window, 0)
    first = picture_of(window, 'frame-0')
    go_to(window, 30)
    assert difference(first, picture_of(window, 'frame-30-not-live')) < 0.002, 'without live mode the map stays'

    turn_on(window)
    late = wait_for_other_picture(window, 'frame-30', first)
    window.picture('1-live')
    go_to(window, 10)
    middle = wait_for_other_picture(window, 'frame-10', late)
    assert difference(first, middle) > 0.002
    assert len(window.find_all('list item', None, LAYERS)) == n_layers, 'the layers that were there follow'

    # A film, and back: the same frame has the same surfaces.
    window.set_state('win.play', GLib.Variant('b', True))
    wait_until('frames to go by', lambda: window.state('win.frame') > 20)
    window.pause()
    go_to(window, 30)
    wait_until('the map of frame 30 again', lambda: difference(late, picture_of(window, 'frame-30-again')) < 0.002)

    # A layer that is removed stays away.
    rows = surfaces(window)
    window.click(rows[0])
    window.keys('Delete')
    wait_until('one surface less', lambda: len(surfaces(window)) == len(rows) - 1)
    go_to(window, 5)
    time.sleep(1)
    assert len(surfaces(window)) == len(rows) - 1

    # Off by its button, on again, and off by a run that is asked for.
    window.set_state('win.live', GLib.Variant('b', False))
    wait_until('the end of live mode', lambda: window.state('win.live') is False)
    before = picture_of(window, 'off')
    go_to(window, 45)
    assert difference(before, picture_of(window, 'off-45')) < 0.002
    turn_on(window)
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('a run that ends live mode', lambda: window.state('win.live') is False)
    wait_until('the end of the job', lambda: not window.is_enabled('win.stop'))

    # Closing while it is on.
    turn_on(window)
    window.set_state('win.play', GLib.Variant('b', True))
    window.quit()


main()
