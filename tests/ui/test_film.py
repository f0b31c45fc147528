#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Films and preferences from the window: numbered pictures of a turning trajectory, as an encoder gets them; Stop keeps what
is done; the view is afterwards what it was; the preferences open."""
import os
import pathlib
import sys

from gi.repository import GLib
from window_driver import Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = pathlib.Path(os.environ['OUTPUT'])


def save(window, name, n_pictures):
    for path in OUTPUT.glob(name + '-*.png'):
        path.unlink()
    window.activate('win.save-film', GLib.Variant('(sbdiiii)', (str(OUTPUT / (name + '.png')), True, 180.0, n_pictures,
                                                                25, 160, 120)))


def pictures(name):
    return sorted(OUTPUT.glob(name + '-*.png'))


def writes_all(window):
    frame = window.state('win.frame')
    save(window, 'film', 6)
    window.wait_for_text('film.png is written')
    contents = [path.read_bytes() for path in pictures('film')]
    assert len(contents) == 6 and len(set(contents)) == 6, len(contents)
    assert window.state('win.frame') == frame


def stops(window):
    save(window, 'stopped', 5000)
    wait_until('a picture', lambda: pictures('stopped'))
    window.activate('win.stop')
    window.wait_for_text('stopped.png is written')
    assert len(pictures('stopped')) < 5000


def asks(window):
    window.activate('win.export-film')
    wait_until('the dialog', lambda: window.has_dialog('Export film'))
    window.picture('film-1-dialog')
    window.keys('Escape')
    wait_until('no dialog', lambda: not window.has_dialog('Export film'))


def main():
    window = Window(*(os.path.join(SAMPLES, name) for name in ('helix.psf', 'helix.xtc')))
    window.wait_for_text('5,459 atoms · 81 frames')
    for step in (writes_all, stops, asks):
        print(step.__name__, flush=True)
        step(window)
    window.activate('app.preferences')
    wait_until('the preferences', lambda: window.has_dialog('Preferences'))
    window.picture('film-2-preferences')
    window.keys('Escape')
    window.quit()


main()
