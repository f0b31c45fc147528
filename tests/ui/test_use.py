#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A round of use as a researcher's day has many: open, play, compute a map, g(r) and I(q), stop, compare, write all kinds of files,
save, open again. DEBYE_USE_SECONDS is how long rounds follow one another; one at least."""
import json
import os
import shutil
import sys
import time

from plot_driver import PLOT, find_plot, fresh, save, text
from window_driver import GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
SECONDS = float(os.environ.get('DEBYE_USE_SECONDS', '0'))
START = time.monotonic()
FORM = 'DebyeAnalysisPanel'
SYSTEM = '1,362 atoms · 51 frames'
SESSION = os.path.join(OUTPUT, 'use.debye')


def wait_for_jobs(window):
    wait_until('the end of the job', lambda: not window.is_enabled('win.stop'))


def play(window):
    window.set_state('win.play', GLib.Variant('b', True))
    wait_until('frames to go by', lambda: window.state('win.frame') > 2)
    window.set_state('win.play', GLib.Variant('b', False))
    window.activate('win.look-along', GLib.Variant('i', 0))


def fill(window, analysis, settings):
    window.activate('win.show-analysis', text(analysis))
    for name, value in settings.items():
        window.type_into(window.find('text', name, FORM), value)
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')


def compute_map(window):
    fill(window, 'map', {'Grid spacing': '2', 'Frames': '0:4'})
    wait_until('the map', lambda: window.is_enabled('win.export-map'))
    wait_for_jobs(window)


def compute_distances(window):
    fill(window, 'rdf', {'Around these atoms': 'element Na | element O\nelement O | element O'})
    plot = find_plot(window, 'g(r)')
    assert 'Na–O' in plot.get_name() and 'O–O' in plot.get_name()
    wait_for_jobs(window)


def compare_with_measured(window):
    """Another curve in the same plot: it is drawn with the others; a table holds what was computed."""
    path = fresh('measured.dat')
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(f'{0.1 * i:.1f} {1.0 if i > 25 else 0.0}\n' for i in range(1, 100))
    window.activate('win.open-measured-curve', text(path))
    wait_until('the curve beside', lambda: 'measured' in find_plot(window, 'g(r)').get_name())
    for name, words in (('use.svg', 'measured'), ('use.csv', 'element O-element O.g')):
        with open(save(window, name), encoding='utf-8') as file:
            assert words in file.read(), name


def stop_scattering(window):
    fill(window, 'scattering', {'Scattering vector': '0.02:20:0.02'})
    wait_until('a running job', lambda: window.is_enabled('win.stop'))
    window.activate('win.stop')
    wait_for_jobs(window)


def compute_scattering(window):
    fill(window, 'scattering', {'Scattering vector': '0.5:4:0.5'})
    wait_until('the plot', lambda: any((node.get_name() or '').startswith('Plot of I(q)')
                                       for node in window.search(None, None, PLOT)))
    wait_for_jobs(window)


def write_files(window):
    picture, film, newest = fresh('use.png'), fresh('use-film.png'), fresh('use.h5')
    window.activate('win.save-picture', GLib.Variant('(siib)', (picture, 160, 120, False)))
    window.activate('win.save-film', GLib.Variant('(sbdiiii)', (film, True, 90.0, 3, 25, 160, 120)))
    window.activate('win.save-map', text(newest))
    wait_until('the files', lambda: os.path.exists(picture) and os.path.exists(newest))
    wait_for_jobs(window)
    assert len([name for name in os.listdir(OUTPUT) if name.startswith('use-film')]) == 3


def save_session(window):
    """The result that was written stays where it is; the others are beside the session."""
    shutil.rmtree(SESSION + '-results', ignore_errors=True)
    fresh('use.debye')
    window.activate('win.frame', GLib.Variant('i', 7))
    wait_until('the frame', lambda: window.state('win.frame') == 7)
    window.activate('win.save-session-to', text(SESSION))
    wait_until('the session', lambda: os.path.exists(SESSION))
    wait_for_jobs(window)
    with open(SESSION, encoding='utf-8') as file:
        kept = [entry['path'] for entry in json.load(file)['files']]
    assert len(kept) >= 5 and 'use.h5' in kept, kept


def see_all_again(window):
    wait_until('the frame that was saved', lambda: window.state('win.frame') == 7)
    wait_until('its results', lambda: window.is_enabled('win.export-map'))
    window.picture('use')


def walk(paths, steps):
    window = Window(*paths)
    window.wait_for_text(SYSTEM)
    for step in steps:
        print(f'{time.monotonic() - START:6.1f} s  {step.__name__}', flush=True)
        step(window)
    window.quit()


def main():
    n_rounds = 0
    while n_rounds == 0 or time.monotonic() - START < SECONDS:
        walk([os.path.join(SAMPLES, name) for name in ('salt.psf', 'salt.xtc')],
             (play, compute_map, compute_distances, compare_with_measured, stop_scattering, compute_scattering, write_files, save_session))
        walk([SESSION], (see_all_again,))
        n_rounds += 1
    print(f'{n_rounds} rounds')


main()
