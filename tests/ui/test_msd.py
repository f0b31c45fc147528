#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mean square displacements as hands ask for them: the form, the plot on logarithmic axes with its line and D in the caption,
the non-Gaussian parameter, the result as a file that opens again; and settings that can't be, each with its reason."""
import os
import sys
import time

from plot_driver import find_plot, fresh, save, svg_texts, text
from window_driver import Atspi, GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
START = time.monotonic()
FORM = 'DebyeAnalysisPanel'


def words_of(window, name):
    return [words for words, _, _ in svg_texts(save(window, name))]


def write_into(window, name, words):
    window.type_into(window.find('text', name, FORM), words)


def show_form(window):
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    window.activate('win.show-analysis', text('msd'))
    Atspi.Action.do_action(window.find('push button', 'More', FORM), 0)
    write_into(window, 'Atoms', 'element O')
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.picture('msd-1-form')


def run_it(window):
    window.activate('win.run')
    find_plot(window, 'MSD (Å²)')
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))
    time.sleep(1)
    window.picture('msd-2-plot')
    words = ' '.join(words_of(window, 'msd.svg'))
    assert 'MSD: D = ' in words and '6Dτ + c' in words, words


def show_alpha2(window):
    """Its axis of values is linear again, and that of the next quantity logarithmic."""
    window.activate('win.plot-quantity', text('alpha2'))
    find_plot(window, 'α₂')
    window.picture('msd-3-alpha2')
    window.activate('win.plot-quantity', text('msd'))
    find_plot(window, 'MSD (Å²)')


def open_again(window):
    path = save(window, 'msd.h5')
    window.activate('win.open-files', GLib.Variant('as', [path]))
    time.sleep(2)
    find_plot(window, 'MSD (Å²)')


def refuse(window):
    for name, words, reason, good in (('Fit range', '5', 'found “5”', ''), ('Longest time', '1e6', 'frames last', ''),
                                      ('Fit range', '1:1e6', 'the longest time is', '')):
        write_into(window, name, words)
        wait_until(f'{words} to be refused', lambda: not window.is_enabled('win.run'))
        window.wait_for_text(reason, FORM)
        write_into(window, name, good)
        wait_until('the form to be ready again', lambda: window.is_enabled('win.run'))


def write_numbers(window):
    path = fresh('msd.csv')
    window.activate('win.save-plot', text(path))
    wait_until('the numbers', lambda: os.path.exists(path) and os.path.getsize(path) > 0)


def main():
    window = Window(os.path.join(SAMPLES, 'water.psf'), os.path.join(SAMPLES, 'water.xtc'))
    for step in (show_form, run_it, show_alpha2, write_numbers, open_again, refuse):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()


main()
