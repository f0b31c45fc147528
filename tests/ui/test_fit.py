#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A small-angle curve fitted in the window: its settings are asked for, the plot has the kinds to choose from, the range is moved and
the curve fitted again; a unit of q that isn't known has its sentence."""
import math
import os
import re
import subprocess
import sys
import time

from plot_driver import OUTPUT, find_plot, save, svg_texts, text
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
    press_fit(window)
    window.activate('win.plot-quantity', text('guinier'))
    find_plot(window, 'ln I(q)')
    wait_until('the new range', lambda: '0.02 Å' in caption(window, 'moved.svg'))
    window.picture('fit-4-moved')


def find_tint(window, row):
    """The last column of the tinted range in a row of the screen; None: nothing is tinted there."""
    shown = subprocess.run(['convert', window.picture('fit-5-tint'), '-crop', f'1280x1+0+{row}', '-depth', '8', 'txt:-'], check=True,
                           capture_output=True, text=True).stdout
    colors = [tuple(int(pair, 16) for pair in re.search(r'#(..)(..)(..)', line).groups()) for line in shown.splitlines()[1:]]
    return next((x for x in reversed(range(len(colors))) if colors[x][0] > 200 and 10 < colors[x][2] - colors[x][0] < 40), None)


def drag_range(window):
    """An end of the tinted range is taken with the pointer; the curve is fitted again up to there."""
    wait_until('the fit before', window.is_idle)
    x, y = window.middle(find_plot(window, 'ln I(q)'))
    row = int(y - 100)
    before = caption(window, 'moved.svg')
    end = wait_until('the tinted range', lambda: find_tint(window, row))
    window.drag((end, row), (end - 40, row))
    wait_until('another fit', lambda: window.is_idle() and caption(window, 'dragged.svg') != before)
    assert '0.02 Å' not in caption(window, 'dragged.svg') and 'Guinier: Rg = 2' in caption(window, 'dragged.svg')
    window.picture('fit-6-dragged')


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
    drag_range(window)
    refuse(window)
    window.assert_alive()
    window.quit()


main()
