#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the links of guides do in the class room: climb to a step, measure a lesson, show a listing."""
import os
import sys

from window_driver import Window, wait_until

from gi.repository import GLib  # noqa: E402  # after its version was chosen

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
ROOM = 'Class room'


def is_idle(window):
    return not window.is_enabled('win.stop')


def rows(window):
    return [node for node in window.find_all('list item', None, ROOM) if '  ' in (node.get_name() or '')]


def labels(window):
    return [name for name in window.names('label', ROOM) if name]


def climb(window):
    """Step after step, each revealed, up to the second; asked for again, nothing is measured."""
    window.activate('win.classroom-lesson', GLib.Variant('s', 'ladder'))
    window.activate('win.classroom-climb', GLib.Variant('s', 'atom-outer,gather-const'))
    wait_until('two steps', lambda: is_idle(window) and len(rows(window)) == 2, 120)
    wait_until('their numbers', lambda: sum('operations per evaluation' in name for name in labels(window)) == 2)
    assert not any('Page Down reveals it' in name for name in labels(window)), labels(window)
    window.activate('win.classroom-climb', GLib.Variant('s', 'atom-outer,gather-const'))
    assert is_idle(window) and len(rows(window)) == 2


def press_from_outside(window):
    """Page Down goes on although the focus is above the room, as after a button of a guide was pressed."""
    title = 'Open a structure, trajectories or maps'
    window.click(window.find_shown('push button', 'Open'))
    window.wait_for_dialog(title)
    window.keys('Escape')
    wait_until('the end of the dialog', lambda: not window.has_dialog(title))
    window.keys('Next')
    wait_until('a third step', lambda: is_idle(window) and any('Page Down reveals it' in name for name in labels(window)), 60)


def check_command(window, part):
    """What was copied, as far as the clipboard can be read here."""
    window.wait_for_text('Command copied')
    command = window.read_clipboard()
    if command is not None:
        assert part in command.decode('utf-8'), command


def show_code(window):
    window.activate('win.classroom-code', GLib.Variant('s', 'direct/27-const-coalesced.cu'))
    code = window.find_shown('text', 'Code of the variant', ROOM)
    wait_until('the listing', lambda: '__constant__' in window.text_of(code))
    window.wait_for_text('Compared with', ROOM)
    window.press('Copy as command: Ladder', ROOM)
    check_command(window, 'debye-cli bench --source const-coalesced.cu --device cuda')


def measure(window):
    """A row that isn't measured yet is shown as soon as it is."""
    window.activate('win.classroom-lesson', GLib.Variant('s', 'bins'))
    window.activate('win.classroom-measure')
    window.activate('win.classroom-row', GLib.Variant('i', 2))
    wait_until('the bins', lambda: is_idle(window) and any('311 bins' in name for name in labels(window)), 120)
    window.press('Copy as command: Bins', ROOM)
    check_command(window, 'bench --bins capacity')
    window.picture('links-bins')


def main():
    window = Window(os.path.join(SAMPLES, 'protease.pqr'))
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    climb(window)
    press_from_outside(window)
    show_code(window)
    measure(window)
    window.quit()


main()
