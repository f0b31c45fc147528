#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A small-angle curve fitted in the window: its settings are asked for, the plot has the kinds to choose from, the range of each law is
moved by its ends and the curve fitted again, which can be undone, also in a session; a range that can't be fitted, and a unit of q that
isn't known, have their sentences."""
import math
import os
import re
import subprocess
import sys
import time

from plot_driver import OUTPUT, PLOT, find_plot, save, svg_texts, text
from window_driver import Atspi, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
RADIUS = 30.0


def write_sphere(name, header):
    path = os.path.join(OUTPUT, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(header)
        for i in range(200):
            q = 0.004 + 0.001 * i
            x = q * RADIUS
            f = 3 * (math.sin(x) - x * math.cos(x)) / x**3
            file.write(f'{q:.6g} {100 * f * f + 0.02 * math.sin(50 * i):.8g} {0.02:.3g}\n')
    return path


def press_fit(window):
    button = wait_until('the button of the dialog', lambda: next(iter(window.search('push button', 'Fit')), None))
    Atspi.Action.do_action(button, 0)


def caption(window, name):
    return ' '.join(words for words, _, _ in svg_texts(save(window, name)))


def fit_first(window):
    window.activate('win.open-fit', text(write_sphere('sphere.dat', '# q in A^-1\n')))
    window.find('push button', 'Fit')
    time.sleep(1)
    window.picture('fit-1-dialog')
    press_fit(window)
    find_plot(window, 'ln I(q)')
    time.sleep(1)
    window.picture('fit-2-guinier')
    words = caption(window, 'guinier.svg')
    assert 'Guinier: Rg = 23.' in words, words


def show_kinds(window):
    for quantity, label in (('kratky_normalised', '(qRg)²I(q)/I(0)'), ('pr', 'P(r)'), ('pr_intensity', 'I(q), P(r)')):
        window.activate('win.plot-quantity', text(quantity))
        find_plot(window, label)
        window.picture(f'fit-3-{quantity}')


def move_range(window):
    window.activate('win.fit-curve')
    time.sleep(1)
    window.type_into(window.find('text', 'Guinier'), '0.004:0.02')
    window.type_into(window.find('text', 'Power law'), '0.05:0.1')
    window.type_into(window.find('text', 'Porod'), '0.06:0.15')
    press_fit(window)
    window.activate('win.plot-quantity', text('guinier'))
    find_plot(window, 'ln I(q)')
    wait_until('the new range', lambda: '0.02 Å' in caption(window, 'moved.svg'))
    window.picture('fit-4-moved')


def read_row(window, row):
    """The colours of a row of the screen."""
    shown = subprocess.run(['convert', window.take_picture('fit-5-row'), '-crop', f'1280x1+0+{row}', '-depth', '8', 'txt:-'], check=True,
                           capture_output=True, text=True).stdout
    return [tuple(int(pair, 16) for pair in re.search(r'#(..)(..)(..)', line).groups()) for line in shown.splitlines()[1:]]


def find_ends(window, row, first):
    """The columns of the lines that mark the ends of a range, left to right, from the first column of the plot on."""
    colors = read_row(window, row)
    marked = [x for x, (red, green, blue) in enumerate(colors) if x >= first and blue - red > 60 and blue > 200 and green > 130]
    return [x for i, x in enumerate(marked) if i == 0 or x > marked[i - 1] + 1]


def drag_end(window, label, which, pixels):
    """An end of the range is taken with the pointer; the caption after the curve was fitted again."""
    wait_until('the fit before', window.is_idle)
    plot = find_plot(window, label)
    box = Atspi.Component.get_extents(plot, Atspi.CoordType.WINDOW)
    row = box.y + box.height // 5
    before = caption(window, 'before.svg')
    ends = wait_until('the ends of the range', lambda: find_ends(window, row, box.x))
    window.drag((ends[which], row), (ends[which] + pixels, row))
    wait_until('another fit', lambda: window.is_idle() and caption(window, 'dragged.svg') != before)
    return caption(window, 'dragged.svg')


def find_range(words):
    return tuple(float(number) for number in re.search(r'from ([0-9.]+) to ([0-9.]+) Å', words).groups())


def show(window, quantity, label):
    window.activate('win.plot-quantity', text(quantity))
    find_plot(window, label)
    return caption(window, 'shown.svg')


def drag_ranges(window):
    """The end of each law's range that is moved; the other one stays where it was."""
    words = drag_end(window, 'ln I(q)', -1, -40)
    assert '0.02 Å' not in words and 'Guinier: Rg = 2' in words, words
    window.picture('fit-6-guinier')
    for quantity, label, law in (('power_law', 'I(q)', 'Power law: d ='), ('porod', 'q⁴I(q)', 'Porod: ')):
        low, high = find_range(show(window, quantity, label))
        words = drag_end(window, label, 0, -40)
        moved, fixed = find_range(words)
        assert law in words and moved < low and fixed == high, words
        window.picture(f'fit-6-{quantity}')
    low, high = find_range(show(window, 'pr_intensity', 'I(q), P(r)'))
    words = drag_end(window, 'I(q), P(r)', 0, 8)    # Guinier's law keeps enough points
    assert find_range(words)[0] > low and find_range(words)[1] == high, words
    window.picture('fit-6-pr_intensity')


def find_distance(words):
    return float(re.search(r' D = ([0-9.]+)', words).group(1))


def undo_distance(window):
    """D follows its line; Ctrl+Z and Ctrl+Shift+Z in the plot."""
    found = find_distance(show(window, 'pr', 'P(r)'))
    words = drag_end(window, 'P(r)', -1, 20)
    given = find_distance(words)
    assert given > found and f'D = {given:g} Å' in words, words
    window.picture('fit-7-pr')
    for keys, expected in (('ctrl+z', found), ('ctrl+shift+z', given), ('ctrl+z', found)):
        window.keys(keys)
        wait_until(f'D after {keys}', lambda expected=expected: find_distance(caption(window, 'undone.svg')) == expected)
    window.picture('fit-7-undone')


def refuse_range(window):
    """A range without enough points is told, and the plot has the one that was fitted."""
    words = show(window, 'power_law', 'I(q)')
    plot = find_plot(window, 'I(q)')
    box = Atspi.Component.get_extents(plot, Atspi.CoordType.WINDOW)
    row = box.y + box.height // 5
    ends = wait_until('the ends of the range', lambda: find_ends(window, row, box.x))
    assert len(ends) == 2, ends
    window.drag((ends[0], row), (ends[1] - 3, row))
    window.wait_for_text('points with a positive intensity for a power law')
    window.settle(0.5)
    window.picture('fit-8-refused')
    assert find_ends(window, row, box.x) == ends and caption(window, 'refused.svg') == words


def save_session(window):
    path = os.path.join(OUTPUT, 'fits.debye')
    window.activate('win.save-session-to', text(path))
    wait_until('the session', lambda: os.path.exists(path) and window.is_idle())
    return path, show(window, 'power_law', 'I(q)')


def drag_in_session(path, words):
    """Fits of a session are fitted again as well."""
    window = Window(path)
    wait_until('a plot of the session', lambda: any(' over ' in (node.get_name() or '') for node in window.search(None, None, PLOT)))
    assert show(window, 'power_law', 'I(q)') == words
    low, _ = find_range(words)
    assert find_range(drag_end(window, 'I(q)', 0, 20))[0] > low
    window.picture('fit-9-session')
    window.quit()


def refuse(window):
    window.activate('win.open-fit', text(write_sphere('unknown.dat', '')))
    time.sleep(1)
    press_fit(window)
    window.wait_for_text('doesn\'t state the unit of q')


def main():
    window = Window(os.path.join(SAMPLES, 'water.psf'), os.path.join(SAMPLES, 'water.xtc'))
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    fit_first(window)
    show_kinds(window)
    move_range(window)
    drag_ranges(window)
    undo_distance(window)
    refuse_range(window)
    path, words = save_session(window)
    refuse(window)
    window.assert_alive()
    window.quit()
    drag_in_session(path, words)


main()
