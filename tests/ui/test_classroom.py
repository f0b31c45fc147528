#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The class room, as a teacher would use it: the ladder on a molecule, counting, growth, orientations, each stopped or
whole, the way back, and type for a projector."""
import os
import sys

from gi.repository import GLib
from window_driver import Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
ROOM = 'Class room'


def on(value):
    return GLib.Variant('b', value)


def rows(window):
    return [node for node in window.find_all('list item', None, ROOM) if '  ' in (node.get_name() or '')]


def visible(window, role, name):
    """A button of the lesson that is shown: hidden lessons have one of the same name."""
    return wait_until(name, lambda: next((node for node in window.search(role, name, ROOM)
                                          if window.middle(node)[0] > 0), None))


def press(window, name):
    wait_until(f'{name} can be pressed', lambda: visible(window, 'push button', name).get_action_iface().do_action(0))


def turn_to(window, lesson):
    window.find('page tab', lesson, ROOM).get_action_iface().do_action(0)


def is_idle(window):
    return not window.is_enabled('win.stop')


def measure_ladder(window):
    press(window, 'Measure')
    window.wait_for_text('Stop', ROOM)
    wait_until('all variants', lambda: is_idle(window), 240)
    found = rows(window)
    assert len(found) >= 5, [node.get_name() for node in found]
    window.wait_for_text('No GPU is here', ROOM)
    window.picture('classroom-1-ladder')


def stop_growth(window):
    turn_to(window, 'Growth')
    press(window, 'Measure')
    wait_until('the methods to be timed', lambda: not is_idle(window))
    window.activate('win.stop')
    wait_until('the stop', lambda: is_idle(window), 30)
    window.picture('classroom-3-growth')


def main():
    window = Window(os.path.join(SAMPLES, 'protease.pqr'))
    window.wait_for_text('3,261 atoms')
    window.set_state('win.classroom', on(True))
    wait_until('the class room', lambda: window.state('win.classroom'))
    measure_ladder(window)
    turn_to(window, 'Counting')
    window.picture('classroom-2-counting')
    stop_growth(window)
    turn_to(window, 'Orientations')
    press(window, 'Measure')
    wait_until('all orientations', lambda: is_idle(window), 240)
    window.picture('classroom-4-orientations')
    window.set_state('win.projector', on(True))
    window.picture('classroom-5-projector')
    window.set_state('win.projector', on(False))
    window.set_state('win.classroom', on(False))
    window.wait_for_text('3,261 atoms')
    window.quit()


main()
