#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A sweep in the class room: choices of the listing that the page Code shows, a plot with the fastest point, its export and its
command, a stop, values that no sweep has, the question before it is lost, and a session that keeps it, also beside a draft."""
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


def macro(window, name):
    return window.find_shown('spin button', name, ROOM).get_value_iface()


def code(window):
    return window.find_shown('text', 'Code of the variant', ROOM)


def type_values(window, which, text):
    entry = values(window, which)
    window.type_into(entry, text)
    wait_until('the values', lambda: window.text_of(entry) == text)


def sweep_tiles(window):
    """Of the listing with tiles; the second curve is that of other points of a thread."""
    window.activate('win.classroom-code', GLib.Variant('s', 'direct/10-simd.c'))
    macro(window, 'TILE').set_current_value(128)
    turn_to(window, 'Sweep')
    window.wait_for_text('Code: CPU 10', ROOM)
    window.picture('sweep-1-choices')
    type_values(window, 'first', '64,256')
    window.click(window.find_shown('combo box', 'Second choice', ROOM))
    window.keys('Down', 'Down', 'Return')
    wait_until('values of the second choice', lambda: window.text_of(values(window, 'second')) != '')
    type_values(window, 'second', '16,32')
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


def reopen(window, file):
    """The window of a session with what the class room has."""
    path = os.path.join(os.environ['OUTPUT'], file)
    if os.path.exists(path):
        os.remove(path)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path))
    window.wait_for_text(f'{file} is saved')
    window.quit()
    window = Window(path)
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    return window


def save_beside_draft(window):
    """The page Code has the class's own code after opening, not the listing that was swept."""
    fastest = next(name for name in labels(window) if 'Fastest: ' in name)
    turn_to(window, 'Code')
    window.press('Edit a copy', ROOM)
    window.find_shown('push button', 'Back to the shipped code', ROOM)
    draft = window.text_of(code(window)).replace('TILE 512', 'TILE 1024')
    window.type_into(code(window), draft)
    wait_until('the draft', lambda: window.text_of(code(window)) == draft and 'TILE 1024' in draft)
    window = reopen(window, 'draft.debye')
    turn_to(window, 'Code')
    wait_until('the draft again', lambda: window.text_of(code(window)) == draft)
    assert macro(window, 'TILE').get_current_value() == 1024
    assert window.text_of(window.find_shown('spin button', 'TILE', ROOM)) == '1,024'
    turn_to(window, 'Sweep')
    window.wait_for_text(fastest, ROOM)
    window.picture('sweep-6-draft')
    return window


def save_and_open(window):
    """The sweep is in the session, and opening that runs nothing. One that came later is asked about."""
    fastest = next(name for name in labels(window) if 'Fastest: ' in name)
    window = reopen(window, 'sweep.debye')
    turn_to(window, 'Sweep')
    window.wait_for_text(fastest, ROOM)
    # What it was asked for stands in the fields: of this listing, not of the first.
    window.wait_for_text('Code: CPU 10', ROOM)
    wait_until('the values', lambda: window.text_of(values(window, 'first')) == '16:4096:x2' and
               window.text_of(values(window, 'second')) == '16,32')
    assert is_idle(window)
    window.picture('sweep-5-session')
    turn_to(window, 'Code')
    assert macro(window, 'TILE').get_current_value() == 128
    turn_to(window, 'Sweep')
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
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    sweep_tiles(window)
    export(window)
    refuse(window)
    stop(window)
    close(window)
    window = save_and_open(window)
    window = save_beside_draft(window)
    window.quit()


main()
