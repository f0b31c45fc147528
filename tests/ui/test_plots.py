#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pair distributions as hands make them: pairs typed into the form, the plot beside the molecule, its quantities, a zoom,
a peak shown in 3-D, a measured curve, what is written."""
import csv
import json
import os
import re
import subprocess
import sys
import time

from plot_driver import find_plot, fresh, save, svg_texts, text
from window_driver import Atspi, GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
START = time.monotonic()
FORM, PLOT = 'DebyeAnalysisPanel', 'Plot of results'
PIXELS_PER_POINT = 96 / 72


def type_pairs(window):
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    window.activate('win.show-analysis', text('rdf'))
    entry = wait_until('the list of pairs', lambda: next(window.search('text', 'Around these atoms', FORM), None))
    wait_until('the pair that the system suggests', lambda: window.text_of(entry) == 'name OW')
    window.find('push button', 'Remove this pair').do_action(0)
    wait_until('a form without a pair', lambda: not window.is_enabled('win.run'))
    window.type_into(entry, 'element Na | element O\nelement O | element O')
    window.wait_for_text('9 of 1,362 atoms', FORM)
    assert len(window.find_all('text', 'Count these atoms', FORM)) == 2, 'a row a line'
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))


def run_it(window):
    window.activate('win.run')
    plot = find_plot(window, 'g(r)')
    assert 'Na–O' in plot.get_name() and 'O–O' in plot.get_name()
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))
    window.picture('plots-1-distribution')
    # The picture is given away: how it was made is in it, the folders of this machine are not.
    with open(save(window, 'given.svg'), encoding='utf-8') as file:
        whole = file.read()
    assert 'Command: debye-cli rdf' in whole and SAMPLES not in whole, whole[:2000]


def click_peak(window):
    """What is written has every place that is on the screen: the first peak's number stands above its mark."""
    box = Atspi.Component.get_extents(find_plot(window, 'g(r)'), Atspi.CoordType.WINDOW)
    label = next((x, y) for words, x, y in svg_texts(save(window, 'seen.svg')) if re.fullmatch(r'2\.3\d|2\.4\d', words))
    place = [box.x + (label[0] + 8) * PIXELS_PER_POINT, box.y + (label[1] + 4) * PIXELS_PER_POINT]
    subprocess.run(['xdotool', 'mousemove', *(str(round(p)) for p in place), 'click', '1'], check=True)
    first = window.wait_for_text('pairs up to', PLOT)
    assert 'Na–O' in first, first
    n_pairs = int(re.search(r': (\d+) pairs', first).group(1))
    assert 9 * 4 <= n_pairs <= 9 * 7, f'about six waters around each of nine ions, found {n_pairs}'
    window.set_state('win.frame', GLib.Variant('i', 30))
    wait_until('the pairs of another frame', lambda: next(
        (name for name in window.names('label', PLOT)
         if name and 'pairs up to' in name and name != first), None), 20)
    window.picture('plots-2-peak')
    window.click(window.find('push button', 'Hide these pairs', PLOT))
    # Pairs belong to their result: with it they go.
    subprocess.run(['xdotool', 'mousemove', *(str(round(p)) for p in place), 'click', '1'], check=True)
    window.wait_for_text('pairs up to', PLOT)
    window.activate('win.run')
    wait_until('the pairs to go', lambda: not any(
        'pairs up to' in name for name in window.names('label', PLOT)))
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))


def zoom_and_copy(window):
    plot = find_plot(window, 'g(r)')
    x, y = window.middle(plot)
    subprocess.run(['xdotool', 'mousemove', str(x), str(y), 'click', '--repeat', '6', '--delay', '50', '4'], check=True)
    time.sleep(1)
    zoomed = [words for words, _, _ in svg_texts(save(window, 'zoomed.svg'))]
    assert '12' not in zoomed, 'the axis ends before'
    # Computed again, the same part of the axes is shown.
    window.activate('win.run')
    time.sleep(1)
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))
    again = [words for words, _, _ in svg_texts(save(window, 'again.svg'))]
    assert '12' not in again, 'the view stays when a result is replaced'
    window.picture('plots-3-zoomed')


def switch_quantity(window):
    for quantity, label in (('coordination', 'n(r)'), ('mean_force_potential', 'w(r) (kJ/mol)'), ('g', 'g(r)')):
        window.activate('win.plot-quantity', text(quantity))
        plot = find_plot(window, label)
        assert 'O–O' in plot.get_name() and 'coordination' not in plot.get_name()


def add_measured(window):
    path = fresh('H-O measured.dat')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('# r (nm), g, error\n')
        file.writelines(f'{0.2 + 0.01 * i:.3f} {1 + 0.2 * (i % 2):.2f} 0.1\n' for i in range(80))
    window.drop_files([path], (500, 300))
    wait_until('the measured curve', lambda: 'H–O measured' in find_plot(window, 'g(r)').get_name())
    window.click(window.find('push button', 'Curves', PLOT))
    window.find('check box', 'H–O measured', PLOT)
    window.find('push button', 'Measured curve…', PLOT)
    window.keys('Escape')
    window.picture('plots-4-measured')


def turn_with_measured(window):
    """A measured g(r) isn't one of n(r) or w(r): it comes again with its own quantity."""
    for quantity, label in (('coordination', 'n(r)'), ('mean_force_potential', 'w(r) (kJ/mol)')):
        window.activate('win.plot-quantity', text(quantity))
        assert 'measured' not in find_plot(window, label).get_name(), label
    window.picture('plots-4-turned')
    window.activate('win.plot-quantity', text('g'))
    assert 'H–O measured' in find_plot(window, 'g(r)').get_name()


def take_last_curve_away(window):
    """Nothing moves under the pointer that ticks."""
    quantity = window.find('combo box', 'Quantity', PLOT)
    place = window.middle(quantity)
    window.click(window.find('push button', 'Curves', PLOT))
    time.sleep(1)
    for is_sensitive in (False, True):
        window.keys('space')
        wait_until('the curves to go or come', lambda: is_sensitive == quantity.get_state_set().contains(
            Atspi.StateType.SENSITIVE))
        assert window.middle(quantity) == place, 'the drop down beside the button stays'
    window.keys('Escape')


def write_all(window):
    window.activate('win.large-plot')
    time.sleep(1)
    window.picture('plots-5-large')
    texts = [words for words, _, _ in svg_texts(save(window, 'plot.svg'))]
    assert 'g(r)' in texts and 'H–O measured' in texts, texts
    for name, begin in (('plot.pdf', b'%PDF'), ('plot.png', b'\x89PNG'), ('plot.h5', b'\x89HDF')):
        with open(save(window, name), 'rb') as file:
            assert file.read(4) == begin, name
    with open(save(window, 'plot.csv'), encoding='utf-8') as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith('#')))
    assert len(rows) == 240 and 'element O-element O.g' in rows[0], rows[:1]
    # A quantity that is not counted but follows from counts: as it is plotted.
    window.activate('win.plot-quantity', text('mean_force_potential'))
    find_plot(window, 'w(r) (kJ/mol)')
    with open(save(window, 'potential.csv'), encoding='utf-8') as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith('#')))
    assert list(rows[0]) == ['r'] + [f'element {one}-element O.mean_force_potential' for one in ('Na', 'O')], rows[0]
    window.activate('win.large-plot')


def compare(window):
    """Several results in one plot are one table, with how each was made; a result of another quantity turns the plot to it."""
    window.activate('win.plot-quantity', text('g'))
    find_plot(window, 'g(r)')
    window.activate('win.result-compare', GLib.Variant('u', 0))
    window.type_into(window.find('text', 'Largest distance', FORM), '10')
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('both in the plot', lambda: 'R = 10 Å' in find_plot(window, 'g(r)').get_name())
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))
    with open(save(window, 'both.csv'), encoding='utf-8') as file:
        lines = file.read().splitlines()
    assert sum(line.startswith('# result: ') for line in lines) == 2, lines[:40]
    assert sum(line.startswith('# command_line: ') for line in lines) == 2, lines[:40]
    curves = {row['curve'].split(':')[0] for row in csv.DictReader(line for line in lines if not line.startswith('#'))}
    assert any('R = 10 Å' in name for name in curves) and any('R = 12 Å' in name for name in curves), curves
    window.activate('win.show-analysis', text('scattering'))
    window.type_into(window.find('text', 'Scattering vector', FORM), '1:2:0.5')
    window.type_into(window.find('text', 'Frames', FORM), '0:1')
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    find_plot(window, 'I(q)/N (fm²)')
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))
    window.picture('plots-6-other')


def reopen(window, path):
    """The window closes without a question, as the session has all."""
    window.quit()
    window = Window(path)
    wait_until('a plot', lambda: any((node.get_name() or '').startswith('Plot of ') and ' over ' in node.get_name()
                                     for node in window.search(None, None, PLOT)))
    window.activate('win.result-compare', GLib.Variant('u', 1))    # the newest is the intensity, which stands alone
    window.activate('win.plot-quantity', text('g'))
    find_plot(window, 'g(r)')
    return window


def keep_in_session(window):
    """The measured curve comes back with its quantity; without its file it is told of, and stays in the session."""
    path, measured = fresh('measured.debye'), os.path.join(OUTPUT, 'H-O measured.dat')
    window.activate('win.save-session-to', text(path))
    wait_until('the session', lambda: os.path.exists(path) and not window.is_enabled('win.stop'))
    window = reopen(window, path)
    wait_until('the measured curve again', lambda: 'H–O measured' in find_plot(window, 'g(r)').get_name())
    window.picture('plots-7-session')
    os.remove(measured)
    window = reopen(window, path)
    window.wait_for_text('H-O measured.dat')
    assert 'H–O measured' not in find_plot(window, 'g(r)').get_name()
    again = fresh('again.debye')
    window.activate('win.save-session-to', text(again))
    wait_until('the session', lambda: os.path.exists(again) and not window.is_enabled('win.stop'))
    with open(again, encoding='utf-8') as file:
        curve, = json.load(file)['measured-curves']
    assert (curve['path'], curve['quantity'], curve['shown']) == ('H-O measured.dat', 'g', True), curve
    return window


def main():
    window = Window(os.path.join(SAMPLES, 'salt.psf'), os.path.join(SAMPLES, 'salt.xtc'))
    for step in (type_pairs, run_it, click_peak, switch_quantity, zoom_and_copy, add_measured, turn_with_measured,
                 take_last_curve_away, write_all, compare, keep_in_session):
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        window = step(window) or window
    window.quit()


main()
