#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Scattering as hands make it: the sample that opens with its curves, deuterium by a slider, other normalisations, the
numbers behind, a measured curve that is fitted, curves in time and as a map, the reciprocal lattice as a volume, and
what can't run with its reason."""
import csv
import os
import re
import subprocess
import sys
import time

from plot_driver import find_plot, fresh, save, svg_texts, text
from window_driver import Atspi, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
START = time.monotonic()
FORM, PLOT = 'DebyeAnalysisPanel', 'Plot of results'
# σ_inc/4π of H and D (Sears 1992), fm², with what mixing adds; 896 of 1362 atoms are hydrogen.
B_H, B_D, SIGMA_H, SIGMA_D = -3.7390, 6.671, 80.26, 2.05


def words_of(window, name):
    return [words for words, _, _ in svg_texts(save(window, name))]


def wait_for_end(window):
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))


def open_sample(window):
    began = time.monotonic()
    window.activate('win.open-sample', text('contrast'))
    wait_until('the plot', lambda: window.is_enabled('win.export-plot'))
    wait_until('the series', lambda: {'100 % D', 'total'} <= set(words_of(window, 'early.svg')))
    print(f'        the series is there after {time.monotonic() - began:.1f} s', flush=True)
    wait_for_end(window)
    window.pause()
    window.picture('scattering-1-series')
    # It takes the place of rows that are clicked later.
    window.click(window.find('push button', 'Close the guide'))


def read_rows(window, name):
    with open(save(window, name), encoding='utf-8') as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith('#')))


def incoherent_per_atom(x):
    """fm², of the hydrogens alone: what other elements add doesn't depend on x."""
    section = (1 - x) * SIGMA_H + x * SIGMA_D + 4 * 3.141592653589793 * x * (1 - x) * (B_D - B_H) ** 2 / 100
    return 100 * section / (4 * 3.141592653589793) * 896 / 1362


def slide(window):
    """The curve for another fraction is there at once, and is what the published lengths say."""
    before = read_rows(window, 'before.csv')
    slider = wait_until('the slider', lambda: next(window.search('slider', 'Deuterium for hydrogen', PLOT), None))
    Atspi.Value.set_current_value(slider, 40.0)
    expected = incoherent_per_atom(0.4) - incoherent_per_atom(0.0)

    def is_right():
        after = read_rows(window, 'after.csv')
        key = next((name for name in after[0] if name.startswith('incoherent')), None)
        change = float(after[3][key]) - float(before[3]['incoherent']) if key else 0.0
        # The lengths above are rounded in their fifth digit.
        return abs(change - expected) < 2e-3 * abs(expected)
    wait_until(f'a change by {expected:.4f}', is_right)
    window.picture('scattering-2-slid')


def look_at_numbers(window):
    button = window.find(None, 'Numbers', PLOT)
    window.click(button)
    wait_until('the numbers', lambda: next(window.search(None, 'Numbers of the plot', PLOT), None))
    time.sleep(1)
    window.picture('scattering-3-numbers')
    window.click(button)


def normalise(window):
    for name, label in (('cross_section', 'dΣ/dΩ(q) (cm⁻¹)'), ('structure_factor', 'S(q)'), ('intensity', 'I(q)/N (fm²)')):
        window.activate('win.plot-quantity', text(name))
        find_plot(window, label)


def add_measured(window):
    """Twice the computed curve on a background of 100: the fit finds both."""
    rows = read_rows(window, 'model.csv')
    key = next(name for name in rows[0] if name.startswith('total') and 'error' not in name)
    path = fresh('counts.dat')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('# q (1/A), I, error\n')
        file.writelines(f'{row["q"]} {2 * float(row[key]) + 100:.6f} 1.5\n' for row in rows[5:60:2])
    window.activate('win.open-measured-curve', text(path))
    wait_until('the measured curve', lambda: 'counts' in find_plot(window, 'I(q)/N (fm²)').get_name())
    window.click(window.find(None, 'Curves', PLOT))
    window.settle(1)
    window.keys('Tab', 'Tab', 'space', 'Escape')    # past the result and the curve
    window.settle(1)
    legend = ' '.join(words_of(window, 'fitted.svg'))
    found = re.search(r'background ([\d.]+) subtracted, × ([\d.]+), χ2 per point ([\d.e-]+)', legend)
    assert found, legend
    assert abs(float(found.group(1)) - 100) < 0.5 and abs(float(found.group(2)) - 0.5) < 0.005, found.group(0)
    assert float(found.group(3)) < 0.01, 'without noise nothing is left'
    window.picture('scattering-4-measured')


def follow_in_time(window):
    window.activate('win.show-analysis', text('scattering'))
    entry = wait_until('the row of q', lambda: next(window.search('text', 'Scattering vector', FORM), None))
    window.type_into(entry, '0.4:4:0.4')
    window.click(wait_until('the row of time', lambda: next(
        (node for node in window.search(None, 'In time', FORM) if node.get_role_name() != 'label'), None)))
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.plot-quantity', text('F'))
    window.activate('win.run')
    wait_until('curves in time', lambda: any(words.startswith('q = ') for words in words_of(window, 'time.svg')))
    wait_for_end(window)
    window.picture('scattering-5-time')
    window.activate('win.plot-quantity', text('fqt-map'))
    wait_until('the map', lambda: 'q (Å−1)' in words_of(window, 'map.svg'))
    assert 'τ (ps)' in words_of(window, 'map.svg')
    window.picture('scattering-6-map')


def refuse(window):
    """Times that the frames don't last: the reason stands in the form, and nothing can be run."""
    entry = wait_until('the row of frames', lambda: next(window.search('text', 'Frames', FORM), None))
    window.type_into(entry, '0:900')
    wait_until('the refusal', lambda: not window.is_enabled('win.run'))
    window.wait_for_text('900', FORM)
    window.picture('scattering-7-refused')


def main():
    window = Window()
    for step in (open_sample, slide, look_at_numbers, normalise, add_measured, follow_in_time, refuse):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()


main()
