#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The main job, end to end: open, run, stop, run again, look, play, export, a broken file, quit."""
import os
import shutil
import struct
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
START = time.monotonic()

FORM, JOBS, LAYERS, PLAYBACK = 'DebyeAnalysisPanel', 'DebyeJobsButton', 'DebyeLayersPanel', 'DebyePlaybackBar'


def fresh(name):
    path = os.path.join(OUTPUT, name)
    if os.path.exists(path):
        os.remove(path)
    return path


def wait_for_file(path):
    wait_until(f'the file {path}', lambda: os.path.exists(path) and os.path.getsize(path) > 0)


def png_size(path):
    with open(path, 'rb') as file:
        head = file.read(26)
    assert head[:8] == b'\x89PNG\r\n\x1a\n'
    return (*struct.unpack('>II', head[16:24]), head[25])


def make_samples():
    """A sample that computes for minutes on one thread, so that it is met running, and leaves the window a processor."""
    folder = os.path.join(OUTPUT, 'samples')
    os.makedirs(folder, exist_ok=True)
    for name in ('helix.psf', 'helix.xtc', 'salt.psf', 'salt.xtc'):
        shutil.copy(os.path.join(SAMPLES, name), folder)
    with open(os.path.join(folder, 'index.ini'), 'w', encoding='utf-8') as file:
        file.write('[long]\ntitle=Long\ndescription=Long\nfiles=helix.psf;helix.xtc\n'
                   'command=map --select all --spacing 1 --precision double --threads 1\n'
                   '[salt]\ntitle=Salt\ndescription=Salt\nfiles=salt.psf;salt.xtc\n'
                   'command=map --select ion --spacing 1 --frames 0\n')
    os.environ['DEBYE_SAMPLES_DIR'] = folder


def open_by_action(window):
    assert window.is_enabled('win.open') and not window.is_enabled('win.export-picture')
    window.picture('1-empty')
    window.activate('win.open-sample', GLib.Variant('s', 'long'))
    window.pause()
    assert window.is_enabled('win.export-picture')
    window.wait_for_text('5,459 atoms · 81 frames')


def set_text(window, setting, text):
    window.activate('win.show-page', GLib.Variant('s', 'analyse'))
    window.type_into(window.find('text', setting, FORM), text)


def set_spacing(window, text):
    set_text(window, 'Grid spacing', text)


def refuse_nonsense(window):
    set_spacing(window, 'wide')
    window.wait_for_text('found “wide”', FORM)
    assert not window.is_enabled('win.run')
    window.picture('3-refused')


def see_progress_and_stop(window):
    wait_until('a running job', lambda: window.is_enabled('win.stop'))
    window.click(window.find('push button', 'Jobs', JOBS))
    bar = window.find('progress bar', 'Progress', JOBS)
    first = Atspi.Value.get_current_value(bar)
    wait_until('progress', lambda: Atspi.Value.get_current_value(bar) > first)
    window.picture('2-running')
    window.activate('win.stop')
    wait_until('the end of the job', lambda: not window.is_enabled('win.stop'))
    window.wait_for_text('Stopped; what was finished is kept', JOBS)
    window.keys('Escape')
    assert window.is_enabled('win.export-map'), 'the finished frames are kept'


def run_again(window):
    set_spacing(window, '2.5')
    set_text(window, 'Frames', '0:4')
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the end of the job', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    assert window.wait_for_text('kT/e · ', FORM)
    window.picture('4-map')


def move_level(window):
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    row = wait_until('a surface in the list',
                     lambda: next((n for n in window.find_all('list item', None, LAYERS) if n.get_name().startswith('Surface at +')), None))
    name = row.get_name()
    window.click(row)
    slider = window.find('slider', 'Isosurface level', LAYERS)
    value = Atspi.Value.get_current_value(slider)
    assert Atspi.Value.set_current_value(slider, 0.5 * value)
    wait_until('a new name of the surface', lambda: name not in [n.get_name() for n in window.find_all('list item', None, LAYERS)])
    window.picture('5-level')


def play(window):
    assert window.state('win.play') is False
    window.set_state('win.play', GLib.Variant('b', True))
    wait_until('frames to go by', lambda: window.state('win.frame') > 3)
    window.set_state('win.play', GLib.Variant('b', False))
    window.activate('win.frame', GLib.Variant('i', 40))
    wait_until('frame 40', lambda: window.state('win.frame') == 40)
    window.activate('win.step', GLib.Variant('i', -1))
    wait_until('frame 39', lambda: window.state('win.frame') == 39)
    window.wait_for_text('40 / 81', PLAYBACK)


def export(window):
    picture, transparent, chart = fresh('picture.png'), fresh('transparent.png'), fresh('map.dx')
    window.activate('win.save-picture', GLib.Variant('(siib)', (picture, 160, 120, False)))
    wait_for_file(picture)
    window.activate('win.save-picture', GLib.Variant('(siib)', (transparent, 111, 74, True)))
    wait_for_file(transparent)
    wait_until('two whole pictures', lambda: not window.is_enabled('win.stop'))
    assert png_size(picture)[:2] == (160, 120)
    assert png_size(transparent) == (111, 74, 6), 'a picture without background has an alpha channel'
    window.activate('win.save-map', GLib.Variant('s', chart))
    wait_for_file(chart)
    wait_until('the whole map', lambda: not window.is_enabled('win.stop'))
    with open(chart, encoding='utf-8') as file:
        assert 'object 1 class gridpositions counts' in file.read(4000)
    return chart


def copy_command(window, chart):
    window.activate('win.copy-command')
    window.activate('win.show-page', GLib.Variant('s', 'analyse'))
    entry = window.find('text', 'Atoms', FORM)
    before = window.text_of(entry)
    command = window.paste_over(entry, 'debye-cli map')
    window.type_into(entry, before)
    assert '--spacing 2.5' in command and chart in command and 'helix.xtc' in command, command


def survive_broken_file(window):
    broken = fresh('broken.pdb')
    with open(broken, 'wb') as file:
        file.write(b'\x00\x01\x02 this is no molecule \xff' * 20)
    window.activate('win.open-files', GLib.Variant('as', [broken]))
    window.wait_for_text('broken.pdb')
    window.picture('6-broken')
    assert window.find('label', 'Details')
    assert window.is_enabled('win.export-picture'), 'what was open stays open'


def remove_and_undo(window):
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    window.activate('win.add-slice')
    wait_until('an undoable change', lambda: window.is_enabled('win.undo'))
    n_layers = len(window.find_all('list item', None, LAYERS))
    window.activate('win.undo')
    wait_until('one layer less', lambda: len(window.find_all('list item', None, LAYERS)) < n_layers)


def say(step):
    print(f'{time.monotonic() - START:6.1f} s  {step}', flush=True)


def main():
    make_samples()
    window = Window()
    for step in (open_by_action, see_progress_and_stop, refuse_nonsense, run_again, move_level, play):
        say(step.__name__)
        step(window)
    say('export')
    chart = export(window)
    for step in (copy_command, remove_and_undo, survive_broken_file):
        say(step.__name__)
        step(window, *([chart] if step is copy_command else []))
    window.quit()

    # By command line: files; then a sample, which computes its map by itself and plays.
    files = Window(os.path.join(SAMPLES, 'protease.pqr'))
    files.wait_for_text('1 frame')
    files.quit()
    sample = Window('--sample', 'salt')
    wait_until('the sample to play', lambda: sample.state('win.frame') > 0)
    sample.pause()
    sample.wait_for_text('51 frames')
    wait_until('the map of the sample', lambda: sample.is_enabled('win.export-map'))
    sample.picture('7-sample')
    sample.quit()


main()
