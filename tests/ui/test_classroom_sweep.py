#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A sweep in the class room: choices of the listing that the page Code shows, a plot with the fastest point, its export and its
command, a stop, values that no sweep has, the question before it is lost, and a session that keeps it."""
import os
import sys

from window_driver import Window, wait_until

from gi.repository import GLib  # noqa: E402  # after its version was chosen

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
ROOM = 'Class room'
CLOSING = 'Save before closing\\?'
CHANGED = 'Save changes to sweep.debye\\?'


def is_idle(window):
    return not window.is_enabled('win.stop')


def labels(window):
    return [name for name in window.names('label', ROOM) if name]


def turn_to(window, page):
    window.find_shown('page tab', page, ROOM).do_action(0)


def values(window, which):
    return window.find_shown('text', f'Values of the {which} choice', ROOM)


def type_values(window, which, text):
    entry = values(window, which)
    window.type_into(entry, text)
    wait_until('the values', lambda: window.text_of(entry) == text)


def sweep_tiles(window):
    """Of the listing with tiles; the second curve is that of other points of a thread."""
    window.activate('win.classroom-code', GLib.Variant('s', 'direct/10-simd.c'))
    turn_to(window, 'Sweep')
    window.wait_for_text('Code: CPU 10', ROOM)
    window.picture('sweep-1-choices')
    type_values(window, 'first', '64,256')
    window.press('Run sweep', ROOM)
    wait_until('the sweep', lambda: not is_idle(window))
    wait_until('the fastest', lambda: is_idle(window) and any('Fastest: ' in name for name in labels(window)), 120)
    window.picture('sweep-2-plot')


def export(window):
    path = os.path.join(os.environ['OUTPUT'], 'sweep.svg')
    if os.path.exists(path):
        os.remove(path)
    window.press('Export plot: Ladder', ROOM)
    window.in_dialog('Export plot', path.removesuffix('.svg'), 1)
    wait_until('the figure', lambda: os.path.exists(path) and os.path.getsize(path) > 0, 30)
    with open(path, encoding='utf-8') as figure:
        assert 'fastest' in figure.read()
    window.press('Copy as command: Ladder', ROOM)
    window.wait_for_text('Command copied')


def refuse(window):
    type_values(window, 'first', 'many')
    window.press('Run sweep', ROOM)
    wait_until('why not', lambda: is_idle(window) and any('expected' in name and 'found' in name for name in labels(window)), 60)
    window.picture('sweep-3-refused')


def stop(window):
    type_values(window, 'first', '16:4096:x2')
    window.press('Run sweep', ROOM)
    wait_until('a point', lambda: not is_idle(window) and any('Fastest: ' in name for name in labels(window)), 120)
    window.press('Stop: Ladder', ROOM)
    wait_until('the stop', lambda: is_idle(window), 30)
    assert any('Fastest: ' in name for name in labels(window))
    window.picture('sweep-4-stopped')


def close(window):
    """Without a session closing asks."""
    window.keys('ctrl+w')
    window.wait_for_dialog(CLOSING)
    window.wait_for_text('The measurements of the class room are not saved.')
    window.keys('Escape')
    wait_until('the end of the question', lambda: len(window.list_dialogs(CLOSING)) == 0)


def save_and_open(window):
    """The sweep is in the session, and opening that runs nothing. One that came later is asked about."""
    path = os.path.join(os.environ['OUTPUT'], 'sweep.debye')
    if os.path.exists(path):
        os.remove(path)
    fastest = next(name for name in labels(window) if 'Fastest: ' in name)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path))
    window.wait_for_text('sweep.debye is saved')
    window.quit()
    window = Window(path)
    window.wait_for_text('3,261 atoms')
    window.set_state('win.classroom', GLib.Variant('b', True))
    turn_to(window, 'Sweep')
    window.wait_for_text(fastest, ROOM)
    # What it was asked for stands in the fields: of this listing, not of the first.
    window.wait_for_text('Code: CPU 10', ROOM)
    wait_until('the values', lambda: window.text_of(values(window, 'first')) == '16:4096:x2')
    assert is_idle(window)
    window.picture('sweep-5-session')
    type_values(window, 'first', '1,2')
    window.press('Run sweep', ROOM)
    wait_until('another sweep', lambda: is_idle(window) and any('Fastest: ' in name for name in labels(window))
               and fastest not in labels(window), 120)
    window.keys('ctrl+w')
    window.wait_for_dialog(CHANGED)
    window.wait_for_text('The session has changed since it was saved.')
    window.keys('Escape')
    wait_until('the end of the question', lambda: len(window.list_dialogs(CHANGED)) == 0)
    return window


def main():
    window = Window(os.path.join(SAMPLES, 'protease.pqr'))
    window.wait_for_text('3,261 atoms')
    window.set_state('win.classroom', GLib.Variant('b', True))
    wait_until('the class room', lambda: window.state('win.classroom'))
    sweep_tiles(window)
    export(window)
    refuse(window)
    stop(window)
    close(window)
    window = save_and_open(window)
    window.quit()


main()
