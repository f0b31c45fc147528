#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The class room, as a teacher would use it: the ladders on a molecule, growth, bins, orientations, each stopped or whole, the
way back, and type for a projector."""
import json
import os
import shutil
import sys
import time

from gi.repository import GLib
from window_driver import Atspi, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
ROOM = 'Class room'


def on(value):
    return GLib.Variant('b', value)


def rows(window):
    return [node for node in window.find_all('list item', None, ROOM) if '  ' in (node.get_name() or '')]


def turn_to(window, lesson):
    window.activate('win.classroom-lesson', GLib.Variant('s', lesson))
    time.sleep(0.5)


def picture(window, name):
    time.sleep(1)    # llvmpipe draws a large plot
    window.picture(name)


def is_idle(window):
    return not window.is_enabled('win.stop')


def wait_for_code(window, text):
    wait_until(f'the code with {text}', lambda: any(
        text in window.text_of(node) for node in window.find_all('text', 'Code of the variant', ROOM)))


def read_code(window):
    """Before anything is measured, of all back ends, whether or not there is a GPU."""
    window.find_shown('page tab', 'Code', ROOM).do_action(0)
    wait_for_code(window, 'Grid points outside')
    window.press('Next variant', ROOM)
    wait_for_code(window, 'Atoms outside')
    window.wait_for_text('new lines, marked', ROOM)
    picture(window, 'classroom-0-code')
    folder = os.path.join(window.output, 'ladder-exercise')
    shutil.rmtree(folder, ignore_errors=True)    # of a run before: the dialog would enter it
    window.press('Save exercise: Ladder', ROOM)
    window.in_dialog('Save exercise', folder, 1)
    window.wait_for_text('ladder-exercise is written')
    assert os.path.exists(os.path.join(folder, 'exercise', '03-dz2.c'))
    window.find_shown('page tab', 'Figure', ROOM).do_action(0)


def open_code_of_row(window):
    window.click(rows(window)[0])
    wait_for_code(window, 'Grid points outside')
    picture(window, 'classroom-1-code')


def measure_ladder(window):
    window.press('Measure: Ladder', ROOM)
    wait_until('the ladder to be climbed', lambda: not is_idle(window))
    wait_until('all variants', lambda: is_idle(window), 240)
    wait_until('their rows', lambda: len(rows(window)) >= 5)
    # By its name, not as a command calls it.
    assert not any('cpu' in node.get_name() for node in window.find_all(None, None, ROOM) if node.get_name())
    window.wait_for_text('This machine has no GPU', ROOM)
    picture(window, 'classroom-1-ladder')
    open_code_of_row(window)


def measure_cutoff(window):
    """Bins of eight slots overflow, which the rows tell."""
    turn_to(window, 'cutoff')
    window.press('Measure: Cutoff', ROOM)
    wait_until('the cutoff to be measured', lambda: not is_idle(window))
    wait_until('all variants', lambda: is_idle(window), 240)
    window.wait_for_text('of the atoms overflow', ROOM)
    picture(window, 'classroom-2-cutoff')
    window.click(window.find('list item', '2  A cube of bins', ROOM))
    wait_for_code(window, 'sum_overflow')
    picture(window, 'classroom-2-cutoff-code')


def measure_counting(window):
    turn_to(window, 'counting')
    window.press('Measure: Counting', ROOM)
    wait_until('the counts', lambda: not is_idle(window))
    wait_until('all counts', lambda: is_idle(window), 240)
    picture(window, 'classroom-2-counting')


def measure_scattering(window):
    """On made-up courses, as a structure has one frame."""
    turn_to(window, 'scattering')
    window.press('Measure: Scattering', ROOM)
    wait_until('the scattering', lambda: not is_idle(window))
    wait_until('all variants', lambda: is_idle(window), 240)
    window.wait_for_text('made-up atoms in 256 frames', ROOM)
    picture(window, 'classroom-2-scattering')
    window.click(window.find('list item', '2  Correlation by transforms', ROOM))
    wait_for_code(window, 'multiply_series')
    picture(window, 'classroom-2-scattering-code')


def climb_by_steps(window):
    """Page Down measures a step without its numbers, and reveals them beside what was guessed."""
    turn_to(window, 'ladder')
    for text in ('Measured. Page Down reveals it', 'operations per evaluation', 'Measured. How many times as fast'):
        window.keys('Next')
        wait_until('a step', lambda: is_idle(window) and any(
            text in name for name in window.names('label', ROOM)), 60)
        time.sleep(0.5)
    wait_until('two rows', lambda: len(rows(window)) == 2)
    window.find('spin button', 'Guess: times as fast', ROOM).get_value_iface().set_current_value(3)
    window.keys('Next')
    window.wait_for_text('3 times were guessed', ROOM)
    picture(window, 'classroom-1-step')


def stop_growth(window):
    turn_to(window, 'growth')
    window.press('Measure: Growth', ROOM)
    wait_until('the methods to be timed', lambda: not is_idle(window))
    window.find('list item', 'Where the lines cross', ROOM)    # of two volumes
    window.activate('win.stop')
    wait_until('the stop', lambda: is_idle(window), 30)
    window.press('Copy as command: Growth', ROOM)
    window.wait_for_text('Command copied')
    picture(window, 'classroom-3-growth')


def deal_slices(window):
    """Without a GPU to the processor's threads; the last rows are the lecture's rates and its placement of ions."""
    turn_to(window, 'devices')
    window.press('Measure: Devices', ROOM)
    wait_until('slices to be dealt', lambda: not is_idle(window))
    time.sleep(4)    # some slices; their row is made anew with each, so that its text can't be waited for
    window.press('Copy as command: Devices', ROOM)    # of the figure so far
    window.wait_for_text('Command copied')
    picture(window, 'classroom-3-dealing')
    wait_until('all slices', lambda: is_idle(window), 240)
    window.wait_for_text('times as fast as the first', ROOM)
    picture(window, 'classroom-3-dealt')
    window.click(window.find('list item', 'Beside the lecture', ROOM))
    picture(window, 'classroom-3-devices')
    window.wait_for_text('1,540,000 atoms with 80 grid points each', ROOM)
    window.find('spin button', 'Atoms of the virus', ROOM).get_value_iface().set_current_value(1e6)
    window.wait_for_text('1,000,000 atoms', ROOM)
    assert window.text_of(window.find('spin button', 'Atoms of the virus', ROOM)) == '1,000,000'
    picture(window, 'classroom-3-ions')


def guess_bins(window):
    """Page Down measures and shows the first row's question in place of its numbers, then these beside what was guessed."""
    turn_to(window, 'bins')
    window.keys('Next')
    window.wait_for_text("How many bins are on the sphere's list? Page Down reveals it", ROOM)
    assert not any('343 bins' in name for name in window.names('label', ROOM))
    wait_until('the end', lambda: is_idle(window), 60)
    window.find_shown('spin button', 'Guess: Bins to search', ROOM).get_value_iface().set_current_value(300)
    window.keys('Next')
    window.wait_for_text('guessed: 300', ROOM)
    window.wait_for_text('How many atoms does a bin have on average?', ROOM)
    picture(window, 'classroom-4-guess')


def open_bins(window):
    """The lecture's 311 and 343 bins; a row opens its figure."""
    window.press('Measure: Bins', ROOM)
    wait_until('the bins', lambda: any('343 bins' in name for name in window.names('label', ROOM)), 60)
    wait_until('the end', lambda: is_idle(window), 60)    # until then rows are replaced
    window.click(window.find('list item', 'Atoms in a bin', ROOM))
    picture(window, 'classroom-4-bins')
    window.find('spin button', 'Cutoff C', ROOM).get_value_iface().set_current_value(8)
    wait_until('other bins', lambda: any('⌈(8 − 0.25)/4⌉ = 2' in (node.get_name() or '')
                                         for node in window.find_all('label', None, ROOM)), 60)
    window.press('Copy as command: Bins', ROOM)
    window.wait_for_text('Command copied')


def count_batches(window):
    """The lecture's bytes of a buffer: 1 GiB holds 2³⁰/(8 · 512 · 32) atoms of 256 frames, and the figures are two."""
    def find(text):
        try:
            return any(text in name for name in window.names('label', ROOM))
        except GLib.Error:    # the rows are being replaced
            return False
    turn_to(window, 'batches')
    window.press('Measure: Batches', ROOM)
    wait_until('the bytes', lambda: find('8 · 512 · 32 · 32 bytes = 4.0 MiB'), 60)
    wait_until('the end', lambda: is_idle(window), 60)
    window.find('spin button', 'Memory of a GPU', ROOM).get_value_iface().set_current_value(1)
    wait_until('fewer atoms', lambda: find('1 GiB hold 8,192 atoms'), 60)
    wait_until('the end', lambda: is_idle(window), 60)
    picture(window, 'classroom-4-batches')


def solve_for_an_ion(window):
    """Born's formula beside the grid's number; another salt is solved for at once."""
    def find(text):
        try:
            return any(text in name for name in window.names('label', ROOM))
        except GLib.Error:    # the rows are being replaced
            return False
    turn_to(window, 'born')
    window.press("Next step: Born's ion", ROOM)
    guess = window.find_shown('spin button', 'Guess: Energy of solvation', ROOM)
    assert any(name == 'kJ/mol' for name in window.names('label', ROOM)), 'the unit of the guess'
    guess.get_value_iface().set_current_value(-1234)
    wait_until('grouped digits', lambda: window.text_of(guess) == '-1,234.00')
    window.press("Reveal: Born's ion", ROOM)
    wait_until('the guess', lambda: find('guessed: −1,234 kJ/mol'), 60)
    window.find_shown('spin button', 'Guess: Potential', ROOM)
    window.press("Measure: Born's ion", ROOM)
    wait_until('the energy', lambda: find('= −342.914 kJ/mol · on the grid −342.9'), 60)
    wait_until('the end', lambda: is_idle(window), 60)    # until then rows are replaced
    window.click(window.find('list item', 'Potential', ROOM))
    picture(window, 'classroom-8-born')
    window.press("Copy as command: Born's ion", ROOM)
    window.wait_for_text('Command copied')
    window.find('spin button', 'Ionic strength I', ROOM).get_value_iface().set_current_value(0.15)
    wait_until('another energy', lambda: find('= −343.661 kJ/mol · on the grid −343.6'), 60)
    wait_until('the end', lambda: is_idle(window), 60)
    picture(window, 'classroom-9-born-in-salt')


def read_height(window, name):
    """Of what the camera sees, Å."""
    path = os.path.join(window.output, name)
    if os.path.exists(path):
        os.remove(path)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path))
    with open(path, encoding='utf-8') as file:
        return json.load(file)['scene']['camera']['height']


def look_at_bin(window):
    """In the picture of the molecule the toast has the lecture's formula with its numbers. The bins, which reach beyond the molecule,
    are in the picture as a whole."""
    before = read_height(window, 'before-bin.debye')

    def look():
        window.activate('win.look-at-bin', GLib.Variant('i', 1500))
        return any('Atom 1500: Δmax = ⌈(12 − 0.25)/4⌉ = 3 · cube: 343 bins' in name for name in window.names('label'))
    # A toast is gone after seconds, which a busy machine may take to look through the window; a second click ends the look.
    window.set_state('win.classroom', on(False))
    wait_until('the formula', look)
    wait_until('the bins to be framed', lambda: read_height(window, 'bin.debye') > 1.1 * before)
    picture(window, 'classroom-7-bin')


def enlarge_tabs(window):
    """They grow with Ctrl +; that of the lesson, the last one, stays in sight. Where there is room they are as large as other type."""
    def extents():
        return Atspi.Component.get_extents(window.find_shown('page tab', 'Orientations', ROOM), Atspi.CoordType.WINDOW)
    before = extents()
    window.keys(*4 * ['ctrl+plus'])
    wait_until('larger tabs', lambda: extents().height > before.height)
    wait_until('the tab of the lesson in sight', lambda: extents().x + extents().width <= 1280)
    picture(window, 'classroom-6-tabs')
    window.keys('ctrl+0')
    wait_until('tabs as before', lambda: extents().height == before.height)


def main():
    window = Window(os.path.join(SAMPLES, 'protease.pqr'))
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    read_code(window)
    measure_ladder(window)
    climb_by_steps(window)
    stop_growth(window)
    deal_slices(window)
    measure_cutoff(window)
    measure_counting(window)
    measure_scattering(window)
    guess_bins(window)
    open_bins(window)
    count_batches(window)
    solve_for_an_ion(window)
    turn_to(window, 'orientations')
    window.press('Measure: Orientations', ROOM)
    wait_until('the first', lambda: not is_idle(window))
    wait_until('all orientations', lambda: is_idle(window), 240)
    picture(window, 'classroom-5-orientations')
    window.set_state('win.projector', on(True))
    picture(window, 'classroom-6-projector')
    enlarge_tabs(window)
    window.set_state('win.projector', on(False))
    window.set_state('win.classroom', on(False))
    window.wait_for_text('3,261 atoms')
    look_at_bin(window)
    window.quit()


main()
