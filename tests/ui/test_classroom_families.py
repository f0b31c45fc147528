#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The class's own kernel of a family with a subject of its own: wrong, mended, in the ladder; and a listing with other macros, which
is compiled when Run is pressed and not before. Counted pairs have two figures, of which a session keeps the chosen one."""
import os
import sys

from window_driver import Atspi, Window, wait_until

from gi.repository import GLib  # noqa: E402  # after its version was chosen

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
ROOM = 'Class room'


def shown(window, role, name):
    """The orbital's: the lesson that was shown before stands ahead of it and keeps its size."""
    return wait_until(f'a {role} named {name} to be seen', lambda: next(
        (node for node in reversed(window.find_all(role, name, ROOM)) if window.has_size(node)), None))


def press(window, name):
    shown(window, 'push button', name).do_action(0)


def code(window):
    return shown(window, 'text', 'Code of the variant')


def ours(window):
    return window.find_all('list item', 'Ours, of the class', ROOM)


def run(window, text):
    """What the page Code says of it, when all is done."""
    press(window, 'Run')
    wait_until(text, lambda: not window.is_enabled('win.stop') and any(text in name for name in window.names('label', ROOM) if name), 60)


def change_orbital(window):
    wait_until('the first listing', lambda: 'compute_orbital' in window.text_of(code(window)))
    press(window, 'Edit a copy')
    shown(window, 'push button', 'Back to the shipped code')
    shipped = window.text_of(code(window))
    wrong = shipped.replace('c[0] * dx + c[1] * dy', 'c[0] * dx - c[1] * dy', 1)
    assert wrong != shipped
    window.type_into(code(window), wrong)
    wait_until('the text', lambda: window.text_of(code(window)) == wrong)
    run(window, 'values are wrong')
    assert not ours(window)
    window.picture('families-1-wrong')
    window.type_into(code(window), shipped)
    wait_until('the text', lambda: window.text_of(code(window)) == shipped)
    run(window, 'Right, on one thread.')
    wait_until('a row of ours', lambda: len(ours(window)) > 0)
    window.picture('families-2-right')


def choose_macro(window):
    """The listing itself, with another number of points in a strip."""
    for _ in range(5):  # from the class's own over the GPU's to the CPU's last
        before = window.text_of(code(window))
        press(window, 'Previous variant')
        wait_until('another listing', lambda before=before: window.text_of(code(window)) != before)
    points = shown(window, 'spin button', 'POINTS')
    assert points.get_value_iface().get_current_value() == 16
    points.get_value_iface().set_current_value(8)
    run(window, 'Right, on ')
    wait_until('which macros', lambda: any('POINTS=8.' in name for name in window.names('label', ROOM) if name))
    window.picture('families-3-macro')
    press(window, 'Defaults')
    wait_until('the default', lambda: points.get_value_iface().get_current_value() == 16)


def close(window):
    """The copy is as shipped again, but what the listing was measured with would be lost."""
    window.keys('ctrl+w')
    window.wait_for_dialog('Save before closing\\?')
    window.wait_for_text('The measurements of the class room are not saved.')
    window.picture('families-4-closing')


def figure(window, title):
    return wait_until(f'the button {title}', lambda: next(
        (node for node in window.find_all(None, title, ROOM) if node.get_role_name() in ('push button', 'toggle button')), None))


def is_chosen(window, title):
    states = figure(window, title).get_state_set()
    return states.contains(Atspi.StateType.PRESSED) or states.contains(Atspi.StateType.CHECKED)


def choose_figure(window, title, part, file):
    """What is copied and exported is what is shown."""
    figure(window, title).do_action(0)
    wait_until(f'the figure {title}', lambda: is_chosen(window, title))
    press(window, 'Copy as command: Counting')
    command = window.read_clipboard()
    assert command is None or part in command.decode('utf-8'), command
    path = os.path.join(window.output, file)
    if os.path.exists(path):
        os.remove(path)
    press(window, 'Export plot: Counting')
    window.in_dialog('Export plot', path, 1)
    window.wait_for_text(f'{file} is written')
    with open(path, encoding='utf-8') as written:
        return written.read()


def choose_figures(window):
    """The figure of speeds has the variants' numbers; both follow what is measured."""
    window.activate('win.classroom-lesson', GLib.Variant('s', 'counting'))
    press(window, 'Measure: Counting')
    wait_until('the first counts', lambda: not is_idle(window))
    wait_until('all counts', lambda: is_idle(window), 120)
    assert is_chosen(window, 'g(r)') and not is_chosen(window, 'Roofline')
    assert 'Histogram on one thread' in choose_figure(window, 'g(r)', '-o counts.svg', 'counts.svg')
    window.picture('families-5-counts')
    roofline = choose_figure(window, 'Roofline', '--plot roofline', 'roofline.svg')
    assert 'FLOP/B' in roofline and all(f'>{number}<' in roofline for number in range(1, 8))
    window.picture('families-6-roofline')


def keep_figure(window):
    path = os.path.join(window.output, 'figure.debye')
    if os.path.exists(path):
        os.remove(path)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path))
    window.wait_for_text('figure.debye is saved')
    window.quit()
    window = enter(path)
    window.activate('win.classroom-lesson', GLib.Variant('s', 'counting'))
    wait_until('the figure that was chosen', lambda: is_chosen(window, 'Roofline'))
    window.picture('families-7-session')
    return window


def count_by_steps(window):
    """Before a step is revealed there is nothing to plot; then both figures have it."""
    press(window, 'Next step: Counting')
    window.wait_for_text('Measured. Page Down reveals it', ROOM)
    wait_until('no counts yet', lambda: not figure(window, 'g(r)').get_state_set().contains(Atspi.StateType.SENSITIVE))
    press(window, 'Reveal: Counting')
    wait_until('its counts', lambda: figure(window, 'g(r)').get_state_set().contains(Atspi.StateType.SENSITIVE))
    assert is_chosen(window, 'Roofline')
    window.picture('families-8-step')


def is_idle(window):
    return not window.is_enabled('win.stop')


def enter(path):
    window = Window(path)
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    return window


def main():
    window = enter(os.path.join(SAMPLES, 'protease.pqr'))
    window.activate('win.classroom-lesson', GLib.Variant('s', 'orbital'))
    window.find_shown('push button', 'Next step: Orbital', ROOM)
    shown(window, 'page tab', 'Code').do_action(0)
    change_orbital(window)
    choose_macro(window)
    close(window)
    window.process.kill()
    window.process.wait()
    window = enter(os.path.join(SAMPLES, 'protease.pqr'))
    choose_figures(window)
    window = keep_figure(window)
    count_by_steps(window)
    window.process.kill()
    window.process.wait()


main()
