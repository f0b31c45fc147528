#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random clicks, drags and keys in the window: whatever they do, it neither crashes nor hangs, and no critical message comes.
DEBYE_MONKEY_SECONDS is how long, DEBYE_MONKEY_SEED where the random numbers begin, which also choose what is opened: what was
done stands in monkey-SEED.txt, line by line as xdotool takes it."""
import os
import random
import resource
import shutil
import subprocess
import sys
import time

from window_driver import PATIENCE, Gio, GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
FOLDER = os.path.join(OUTPUT, 'monkey')
SECONDS = float(os.environ.get('DEBYE_MONKEY_SECONDS', '12'))
SEED = int(os.environ.get('DEBYE_MONKEY_SEED', '1'))
LOOK_EVERY = 20  # events
LOOKS_AT_ONE, MOST_WINDOWS = 3, 4  # before the newest one is closed
# What GTK 4.8 says of itself: of popovers and tooltips of widgets off the screen, where nothing here keeps windows from being
# dragged to; of a tooltip that is due over the title bar's menu, which GTK takes off the screen but never frees; of its file
# chooser, where the head of a list is clicked that is still read, a row's menu is due that has gone, or nothing has the focus.
KNOWN = ('gdk_monitor_get_geometry: assertion', 'gdk_surface_get_device_position: assertion',
         '_gtk_widget_find_at_coords: assertion', 'gtk_tree_sortable_', 'gtk_widget_compute_bounds: assertion',
         'gtk_widget_is_ancestor: assertion')
# A sample computes what it is for when it is opened: soon there are maps, plots and their layers.
STARTS = (('salt.psf', 'salt.xtc'), ('helix.psf', 'helix.xtc'), ('protease.pqr',), ('--sample', 'protease'),
          ('--sample', 'water'), ('--sample', 'contrast'), ('--sample', 'melting'), ('--sample', 'diffusion'),
          ('--sample', 'helix'), ('--sample', 'salt'))
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


class Monkey:
    def __init__(self, record):
        self.chance = random.Random(SEED)
        self.start = self.chance.choice(STARTS)
        self.record = record
        self.window = None
        self.n_events = self.n_starts = 0
        self.newest, self.looks = None, 0  # beside the first window, and how often it was seen
        self.longest_answer = 0.0

    def open(self):
        # What is used after it was freed shows, but not together with llvmpipe's threads, see run_window.sh.
        os.environ.update(MALLOC_PERTURB_=str(SEED % 255 + 1), LP_NUM_THREADS='0')
        self.window = Window(*self.start)
        self.window.known_criticals = KNOWN
        self.n_starts += 1
        self.record.write(f'# started with {" ".join(self.start)}\n')

    def do(self, event):
        self.record.write(' '.join(event) + '\n')
        self.record.flush()
        subprocess.run(['xdotool', *event], check=True)
        self.n_events += 1

    def play(self):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            self.do(self.chance.choices(KINDS, WEIGHTS)[0](self.chance))
            if self.n_events % LOOK_EVERY == 0:
                if self.is_answering():
                    self.tidy()
                else:
                    self.open()
        if self.is_answering():
            self.window.picture(f'monkey-{SEED}')
            self.window.process.terminate()
            self.window.process.wait()

    # --- Looks ---

    def is_answering(self):
        """FALSE where the program was closed by one of its own buttons. All else than that or an answer is an error."""
        self.window.check_criticals()
        process = self.window.process
        if process.poll() is None and self.answers():
            return True
        if (process.poll() or 0) < 0:
            note_end(process)
        assert process.poll() == 0, f'status {process.poll()} after seed {SEED}; see {self.window.log.name} and {threads_path()}'
        return False

    def answers(self):
        """A busy machine is late once; what waits for itself never answers. What it was at stands in a file in both cases."""
        start = time.monotonic()
        for _ in range(2):
            try:
                self.window.describe('app.quit')
                self.longest_answer = max(self.longest_answer, time.monotonic() - start)
                return True
            except GLib.Error as error:
                if not error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT):
                    time.sleep(1)
                    return False
                note_threads(self.window.process.pid)
        raise AssertionError(f'no answer in {2 * PATIENCE:g} s after seed {SEED}; see {threads_path()}')

    def tidy(self):
        """What was dragged off the screen comes back, and a dialog or window that has had its share of the events is closed."""
        windows = list_windows()
        for number, left, top in windows:
            if max(abs(left), abs(top)) > 100:
                subprocess.run(['xdotool', 'windowmove', number, '0', '0'], check=False, stderr=subprocess.DEVNULL)
        newest = windows[-1][0] if len(windows) > 1 else None
        self.looks = self.looks + 1 if newest == self.newest else 1
        self.newest = newest
        if newest is not None and (self.looks > LOOKS_AT_ONE or len(windows) > MOST_WINDOWS):
            self.do(['key', self.chance.choice(('Escape', 'ctrl+w'))])


def list_windows():
    """(number, left, top) of those that have a title, oldest first; menus and tooltips have the program's name."""
    found = subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '^[^d]', 'getwindowgeometry', '--shell', '%@'],
                           check=False, capture_output=True, text=True).stdout
    values = [line.split('=')[1] for line in found.splitlines() if line.startswith(('WINDOW=', 'X=', 'Y='))]
    windows = [(number, int(x), int(y)) for number, x, y in zip(values[::3], values[1::3], values[2::3])]
    return sorted(windows, key=lambda window: int(window[0]))


def threads_path():
    return os.path.join(OUTPUT, f'monkey-{SEED}-threads.txt')


def note_threads(pid):
    """Where every thread is, for a person to read."""
    if shutil.which('gdb'):
        with open(threads_path(), 'a', encoding='utf-8') as file:
            subprocess.run(['gdb', '-p', str(pid), '-batch', '-nx', '-ex', 'thread apply all backtrace'], check=False,
                           stdout=file, stderr=subprocess.DEVNULL)


def note_end(process):
    """The same of a program that a signal ended, where the system has written what it held."""
    for name in os.listdir(FOLDER):
        if name.startswith('core') and shutil.which('gdb'):
            with open(threads_path(), 'a', encoding='utf-8') as file:
                subprocess.run(['gdb', process.args[0], os.path.join(FOLDER, name), '-batch', '-nx', '-ex', 'thread apply all backtrace'],
                               check=False, stdout=file, stderr=subprocess.DEVNULL)


def main():
    resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE)[1:] * 2)
    # What a dialog saves lands beside the copies.
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(SAMPLES, FOLDER)
    os.environ['DEBYE_SAMPLES_DIR'] = FOLDER
    os.chdir(FOLDER)
    open(os.path.join(OUTPUT, 'debye.log'), 'w', encoding='utf-8').close()
    with open(os.path.join(OUTPUT, f'monkey-{SEED}.txt'), 'w', encoding='utf-8') as record:
        monkey = Monkey(record)
        monkey.open()
        wait_until('the document', lambda: monkey.window.is_enabled('win.export-picture'))
        monkey.play()
    print(f'{monkey.n_events} events in {SECONDS:g} s, seed {SEED}, {" ".join(monkey.start)}, started {monkey.n_starts} times, '
          f'longest answer {monkey.longest_answer:.1f} s')
    assert monkey.n_events >= 5, 'the monkey has hardly begun'


main()
