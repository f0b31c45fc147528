#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Scattering in time as hands ask for it: F(q, τ) with its partials, on and off; S(q, ω) with a resolution; what is elastic
of it; the result as a file that opens again; and settings that can't be, each with its reason where it is typed."""
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


def switch(window, name):
    assert Atspi.Action.do_action(window.find('check box', name, FORM), 0), f'{name} can be used without a pointer'


def write_into(window, name, words):
    window.type_into(window.find('text', name, FORM), words)


def run(window):
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the beginning of the run', lambda: window.is_enabled('win.stop') or window.is_enabled('win.export-plot'))
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))


def show_form(window):
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    window.activate('win.show-analysis', text('scattering'))
    Atspi.Action.do_action(window.find('push button', 'More', FORM), 0)
    write_into(window, 'Atoms', 'element O or element H')
    write_into(window, 'Scattering vector', '0.8,1.6,3')
    switch(window, 'In time')


def numbers(window, name):
    """The columns of the plot's numbers."""
    with open(save(window, name), encoding='utf-8') as file:
        rows = [line.strip().split(',') for line in file if line[0].isdigit()]
    return [[float(value) if value else None for value in column] for column in zip(*rows)]


def show_normalised(window):
    """After the first run in time the plot shows F(q, τ)/F(q, 0), over a logarithmic axis, up to half the 100 ps."""
    run(window)
    find_plot(window, 'F(q, τ)/F(q, 0)')
    time.sleep(1)
    window.picture('in-time-0-normalised')
    time_axis, normalised = numbers(window, 'normalised.csv')[:2]
    window.activate('win.plot-quantity', text('F'))
    find_plot(window, 'F(q, τ)/N (fm²)')
    whole, function = numbers(window, 'function.csv')[:2]
    assert time_axis[0] == 0 and normalised[0] == 1 and time_axis[-1] == 50 and whole[-1] == 100, (time_axis, whole)
    for value, own in zip(normalised, function):
        assert abs(value - own / function[0]) < 1e-9, (value, own)
    # Chosen by hand, a quantity stays with the next run.
    run(window)
    find_plot(window, 'F(q, τ)/N (fm²)')


def list_quantities(window):
    """The menu has words beside the symbols."""
    window.click(window.find('combo box', 'Quantity'))
    window.wait_for_text('Intermediate scattering, normalised')
    window.picture('in-time-0-menu')
    window.keys('Escape')


def show_partials(window):
    """Each species has curves and a map of its own, which are gone without."""
    switch(window, 'Partials')
    run(window)
    window.activate('win.plot-quantity', text('F H-O'))
    find_plot(window, 'F(q, τ)/N H-O (fm²)')
    assert any(words.startswith('H–O, q = ') for words in words_of(window, 'partials.svg'))
    time.sleep(1)
    window.picture('in-time-1-partials')
    switch(window, 'Partials')
    run(window)
    window.activate('win.plot-quantity', text('F'))
    find_plot(window, 'F(q, τ)/N (fm²)')
    window.picture('in-time-2-without')


def find_spectrum(window):
    return wait_until('the spectrum', lambda: next(
        (node for node in window.search(None, None, 'Plot of results')
         if (node.get_name() or '').startswith('Plot of S(q, ω)')), None))


def show_spectrum(window):
    switch(window, 'Spectrum')
    write_into(window, 'Resolution', 'gaussian:0.2')
    run(window)
    window.activate('win.plot-quantity', text('S'))
    find_spectrum(window)
    time.sleep(1)
    window.picture('in-time-3-spectrum')
    assert any('meV' in words for words in words_of(window, 'spectrum.svg'))


def open_again(window):
    """All of it as one file, which brings the plots back."""
    path = save(window, 'in-time.h5')
    window.activate('win.open-files', GLib.Variant('as', [path]))
    time.sleep(2)
    window.picture('in-time-4-opened')
    find_spectrum(window)


def refuse(window):
    """Nothing can be run, and the reason stands where it was typed."""
    for name, words, reason, good in (('Resolution', 'file:none.txt', 'none.txt', 'none'),
                                      ('Resolution', 'box:1', 'box:1', 'none'),
                                      ('Longest time', '100000', 'frames last', ''),
                                      ('Isotopes', 'element H=7H', '7H', ''),
                                      ('Memory limit', 'much', 'much', '')):
        write_into(window, name, words)
        wait_until(f'{words} to be refused', lambda: not window.is_enabled('win.run'))
        window.wait_for_text(reason, FORM)
        window.picture('in-time-5-refused-' + words.split(':')[0].replace(' ', '-'))
        write_into(window, name, good)
        wait_until('the form to be ready again', lambda: window.is_enabled('win.run'))


def main():
    window = Window(os.path.join(SAMPLES, 'salt.psf'), os.path.join(SAMPLES, 'salt.xtc'))
    for step in (show_form, show_normalised, list_quantities, show_partials, show_spectrum, open_again, refuse):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()


main()
