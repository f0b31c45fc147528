#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random clicks, drags and keys in the window: whatever they do, it neither crashes nor hangs, and no critical message comes.
DEBYE_MONKEY_SECONDS is how long, DEBYE_MONKEY_SEED where the random numbers begin: what was done stands in monkey-SEED.txt, line
by line as xdotool takes it."""
import os
import random
import shutil
import subprocess
import sys
import time

from window_driver import GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
FOLDER = os.path.join(OUTPUT, 'monkey')
SECONDS = float(os.environ.get('DEBYE_MONKEY_SECONDS', '12'))
SEED = int(os.environ.get('DEBYE_MONKEY_SEED', '1'))
LOOK_EVERY = 20  # events
# What GTK 4.8 says of itself: of popovers and tooltips of widgets off the screen, where nothing here keeps windows from being
# dragged to; of its file chooser, where the head of a list is clicked that is still read, or a row's menu is due that has gone.
KNOWN = ('gdk_monitor_get_geometry: assertion', 'gtk_tree_sortable_', 'gtk_widget_compute_bounds: assertion')
# Left, top, right, bottom, in pixels: header, side bar, playback, all below the header.
HEADER, *BODY = ((0, 0, 1280, 60), (0, 60, 330, 800), (320, 740, 1280, 800), (0, 60, 1280, 800))
MOVES = ('Tab', 'shift+Tab', 'Return', 'space', 'Escape', 'Up', 'Down', 'Left', 'Right', 'Home', 'End', 'Page_Up', 'Page_Down',
         'Delete', 'BackSpace', 'alt+Up', 'alt+Down', 'Menu', 'shift+F10', 'F9', 'F10')
# Not those that end the window at once: the header's button does that seldom enough.
COMMANDS = ('ctrl+z', 'ctrl+Return', 'ctrl+period', 'ctrl+0', 'ctrl+plus', 'ctrl+minus', 'ctrl+c', 'ctrl+v', 'ctrl+a', 'ctrl+e',
            'ctrl+s', 'ctrl+o', 'ctrl+n', 'ctrl+shift+c', 'ctrl+shift+e', 'ctrl+comma', 'ctrl+question', 'F1', 'm')
TEXTS = ('0', '1.5', '-3', '1e9', 'nan', '0:4', '4:0:-1', 'protein', 'not (', 'resid 1 to 3', 'ä', '%s')


def place(chance, zones=(HEADER, *BODY)):
    left, top, right, bottom = chance.choice(zones)
    return [str(chance.randrange(left, right)), str(chance.randrange(top, bottom))]


def click(chance):
    button = chance.choice('1111123')
    return ['mousemove', *place(chance), 'click', '--repeat', chance.choice('1112'), '--delay', '40', button]


def drag(chance):
    """Not of the header, which moves the window."""
    start, middle, end = (place(chance, BODY) for _ in range(3))
    return ['mousemove', *start, 'mousedown', '1', 'mousemove', *middle, 'mousemove', *end, 'mouseup', '1']


def scroll(chance):
    return ['mousemove', *place(chance), 'click', '--repeat', '3', '--delay', '10', chance.choice('45')]


def press(chance):
    return ['key', '--delay', '20', *chance.choices(MOVES, k=3)]


def command(chance):
    return ['key', chance.choice(COMMANDS)]


def write(chance):
    return ['key', 'ctrl+a', 'type', '--delay', '10', '--', chance.choice(TEXTS)]


KINDS = (click, drag, scroll, press, command, write)
WEIGHTS = (10, 2, 2, 4, 2, 1)


def start():
    # A person's program goes on after one.
    os.environ['G_DEBUG'] = ''
    return Window(*(os.path.join(FOLDER, name) for name in ('salt.psf', 'salt.xtc')))


def find_criticals(window):
    with open(window.log.name, encoding='utf-8', errors='replace') as log:
        return [line for line in log if '-CRITICAL **' in line and not any(known in line for known in KNOWN)]


def is_answering(window):
    """FALSE where the program was closed by one of its own buttons. All else than that or an answer is an error."""
    criticals = find_criticals(window)
    assert not criticals, f'after seed {SEED}: {criticals}'
    if window.process.poll() is None:
        try:
            window.describe('app.quit')
            return True
        except GLib.Error:
            time.sleep(1)
    assert window.process.poll() == 0, f'status {window.process.poll()} after seed {SEED}; see {window.log.name}'
    return False


def play(window, chance, record):
    """Returns the number of events."""
    end = time.monotonic() + SECONDS
    n_events = 0
    while time.monotonic() < end:
        event = chance.choices(KINDS, WEIGHTS)[0](chance)
        record.write(' '.join(event) + '\n')
        record.flush()
        subprocess.run(['xdotool', *event], check=True)
        n_events += 1
        if n_events % LOOK_EVERY == 0 and not is_answering(window):
            record.write('# started again\n')
            window = start()
    if is_answering(window):
        window.picture(f'monkey-{SEED}')
        window.process.terminate()
        window.process.wait()
    return n_events


def main():
    # What a dialog saves lands beside the copies.
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.mkdir(FOLDER)
    for name in ('salt.psf', 'salt.xtc'):
        shutil.copy(os.path.join(SAMPLES, name), FOLDER)
    os.chdir(FOLDER)
    open(os.path.join(OUTPUT, 'debye.log'), 'w', encoding='utf-8').close()
    window = start()
    wait_until('the trajectory', lambda: window.state('win.frame') is not None)
    with open(os.path.join(OUTPUT, f'monkey-{SEED}.txt'), 'w', encoding='utf-8') as record:
        n_events = play(window, random.Random(SEED), record)
    print(f'{n_events} events in {SECONDS:g} s, seed {SEED}')
    assert n_events >= 5, 'the monkey has hardly begun'


main()
