#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What was computed isn't thrown away without a word: closing and quitting ask, once, and only where something is lost. A session is
saved although its trajectory has gone, and a structure opens without a trajectory of other atoms."""
import json
import os
import shutil
import signal
import sys
import time

from kept_sessions import wait_for_kept
from numbered_windows import Numbered, open_another
from window_driver import GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
FOLDER = os.path.join(OUTPUT, 'work')
START = time.monotonic()
STRUCTURE = os.path.join(SAMPLES, 'protease.pqr')
CLOSING, QUITTING = 'Save before closing\\?', 'Save before quitting\\?'


def say(text):
    print(f'{time.monotonic() - START:6.1f} s  {text}', flush=True)


def text(value):
    return GLib.Variant('s', value)


def ends(window):
    status = window.process.wait(180)
    assert status == 0, status


def count_results(window):
    return sum('\nkT/e · ' in name for name in window.names('label', 'DebyeAnalysisPanel'))


def compute(window):
    """A coarse map, beside what is there."""
    before = count_results(window)
    window.activate('win.show-analysis', text('map'))
    window.type_into(window.find('text', 'Grid spacing', 'DebyeAnalysisPanel'), '4')
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the map', lambda: count_results(window) > before and not window.is_enabled('win.stop'))


def open_structure(*arguments, **how):
    window = Window(*(arguments or [STRUCTURE]), **how)
    window.wait_for_text('3,261 atoms · 1 frame')
    return window


def nothing_to_lose(_):
    window = open_structure()
    window.keys('ctrl+w')
    ends(window)


def cancel_and_save(path):
    window = open_structure()
    compute(window)
    window.wait_for_text('No continuum solvent, ε = 1')
    window.keys('ctrl+w')
    window.wait_for_dialog(CLOSING)
    window.picture('unsaved-1-closing')
    window.activate('app.quit')
    time.sleep(1)
    assert len(window.list_dialogs(CLOSING)) == 1, 'one question'
    window.keys('Escape')
    wait_until('the end of the question', lambda: len(window.list_dialogs(CLOSING)) == 0)
    assert window.is_enabled('win.export-map'), 'the result stays'
    say('saved from the question')
    window.keys('ctrl+w')
    window.wait_for_dialog(CLOSING)
    window.keys('Tab', 'Tab', 'Return')    # Save…
    wait_until('the question for a place', lambda: window.has_dialog('Save session'))
    window.keys('Escape')
    wait_until('its end', lambda: not window.has_dialog('Save session'))
    time.sleep(1)
    window.assert_alive()
    window.keys('ctrl+s')    # and no window closes after this one
    window.in_dialog('Save session', path.removesuffix('.debye'), settle=1)    # its ending stays
    wait_until('the session', lambda: os.path.exists(path) and window.is_idle())
    time.sleep(1)
    assert os.listdir(path + '-results'), 'the result lies beside it'
    window.keys('ctrl+w')
    ends(window)


def save_and_close(path):
    other = os.path.join(FOLDER, 'other.debye')
    window = open_structure(path)
    compute(window)
    window.keys('ctrl+q')
    window.wait_for_dialog('Save changes to work.debye\\?')
    window.keys('Escape')
    time.sleep(1)
    window.activate('win.save-session-to', text(other))
    wait_until('the session', lambda: os.path.exists(other) and window.is_idle())
    time.sleep(1)
    window.keys('ctrl+q')
    ends(window)


def export_and_close(_):
    """A result in a file of its own is not lost."""
    path = os.path.join(FOLDER, 'map.dx')
    window = open_structure()
    compute(window)
    window.activate('win.save-map', text(path))
    wait_until('the map', lambda: os.path.exists(path) and window.is_idle())
    time.sleep(1)
    window.keys('ctrl+w')
    ends(window)


def quit_two(_):
    """One question for two windows; saving asks for one place after the other."""
    window = open_structure()
    compute(window)
    second = open_another(window, 2)
    second.show([STRUCTURE])
    window.activate('app.quit')
    window.wait_for_dialog(QUITTING)
    window.picture('unsaved-2-quitting')
    window.keys('Escape')
    wait_until('the end of the question', lambda: len(window.list_dialogs(QUITTING)) == 0)
    assert second.is_there(), 'neither window has gone'
    window.activate('app.quit')
    window.wait_for_dialog(QUITTING)
    window.keys('Tab', 'Tab', 'Return')    # Save all
    window.wait_for_dialog('Save session')
    last = os.path.join(FOLDER, 'last.debye')
    window.in_dialog('Save session', last.removesuffix('.debye'), settle=1)
    ends(window)
    assert os.path.exists(last) and os.listdir(last + '-results')
    say('discarded')
    window = open_structure()
    compute(window)
    second = open_another(window, 2)
    second.show([STRUCTURE])
    window.activate('app.quit')
    window.wait_for_dialog(QUITTING)
    window.keys('Tab', 'Return')    # Discard all
    ends(window)


def lose_trajectory(_):
    """The session is saved; opening it asks where the trajectory is, and whichever is shown is it."""
    files = [shutil.copy(os.path.join(SAMPLES, name), FOLDER) for name in ('helix.psf', 'helix.xtc')]
    path = os.path.join(FOLDER, 'gone.debye')
    window = Window(*files)
    window.wait_for_text('5,459 atoms · 81 frames')
    window.activate('win.show-analysis', text('map'))
    for setting, value in (('Grid spacing', '4'), ('Frames', '0')):
        window.type_into(window.find('text', setting, 'DebyeAnalysisPanel'), value)
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    os.rename(files[1], files[1] + '.away')
    window.activate('win.save-session-to', text(path))
    window.wait_for_text('helix.xtc was not found')
    wait_until('the session', lambda: os.path.exists(path) and window.is_idle())
    assert os.listdir(path + '-results')
    window.picture('unsaved-3-gone')
    window.quit()
    os.rename(files[1] + '.away', os.path.join(FOLDER, 'found.xtc'))
    window = Window(path)
    title = 'Files of gone.debye'
    window.wait_for_dialog(title)
    window.picture('unsaved-4-missing')
    window.keys('Return')
    window.in_dialog('Locate the file', os.path.join(FOLDER, 'found.xtc'), settle=1)
    window.wait_for_text('5,459 atoms · 81 frames')
    window.quit()


def open_without_trajectory(_):
    """After a crash the offer to recover comes before the error."""
    window = open_structure()
    time.sleep(3)
    window.activate('win.add-clipping-plane')
    window.activate('win.add-box')
    wait_for_kept({'clipping-plane'})
    window.process.send_signal(signal.SIGKILL)
    window.process.wait()
    window = open_structure(STRUCTURE, os.path.join(SAMPLES, 'helix.xtc'), recovers=True)
    window.wait_for_text('Debye ended unexpectedly')
    window.picture('unsaved-5-offer')
    window.activate('app.recover')
    second = Numbered(window, 2)
    wait_until('what was shown', lambda: second.is_enabled('add-box'))
    window.quit()
    window = open_structure(STRUCTURE, os.path.join(SAMPLES, 'helix.xtc'))
    window.wait_for_text('Left out: helix.xtc')
    window.picture('unsaved-6-left-out')
    kept = os.path.join(FOLDER, 'kept.debye')    # what is wrong with the file may pass
    window.activate('win.save-session-to', text(kept))
    wait_until('the session', lambda: os.path.exists(kept) and window.is_idle())
    with open(kept, encoding='utf-8') as session:
        names = [os.path.basename(file['absolute']) for file in json.load(session)['files']]
    assert names == ['protease.pqr', 'helix.xtc'], names
    window.quit()


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    for step in (nothing_to_lose, cancel_and_save, save_and_close, export_and_close, quit_two, lose_trajectory,
                 open_without_trajectory):
        say(step.__name__)
        step(os.path.join(FOLDER, 'work.debye'))


main()
