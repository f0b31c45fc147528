#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Several windows: a job in one while others come and go, closed in any order; new ones by command; and what each of them showed, found
again after the program was killed in the middle of an analysis."""
import os
import signal
import subprocess
import sys
import time

from kept_sessions import wait_for_kept
from numbered_windows import Numbered, list_on_screen, open_another
from window_driver import GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
START = time.monotonic()
HELIX = [os.path.join(SAMPLES, name) for name in ('helix.psf', 'helix.xtc')]
SALT = [os.path.join(SAMPLES, name) for name in ('salt.psf', 'salt.xtc')]


def say(text):
    print(f'{time.monotonic() - START:6.1f} s  {text}', flush=True)


def start_map(window):
    """A job that takes longer than the test."""
    window.activate('show-analysis', GLib.Variant('s', 'map'))
    wait_until('Run', lambda: window.is_enabled('run'))
    window.activate('run')
    wait_until('the job', lambda: window.is_enabled('stop'))


def close_around_a_job():
    """The job's window is the first; another is opened and closed; then the job's, and the last one stays."""
    program = Window(*HELIX)
    first = Numbered(program, 1)
    wait_until('the molecule', lambda: first.is_enabled('add-atoms'))
    fill_map(program)
    start_map(first)
    second = open_another(program, 2)
    second.show(SALT)
    program.picture('windows-1-two')
    second.close()
    wait_until('the second window gone', lambda: not second.is_there())
    assert first.is_enabled('stop'), 'the job went with another window'
    say('closed the window without the job')
    third = open_another(program, 3)
    third.show(SALT)
    first.close()
    program.wait_for_dialog('Stop running jobs\\?')
    program.picture('windows-2-asked')
    program.keys('Tab', 'Return')    # Stop and close
    wait_until('the first window gone', lambda: not first.is_there())
    program.assert_alive()
    third.activate('add-box')
    wait_until('the third window to work on', lambda: third.is_enabled('undo'))
    say('closed the window with the job')
    third.close()
    program.process.wait(180)
    assert program.process.returncode == 0, program.process.returncode


def open_by_entry():
    """What the desktop's menu runs where it starts programs by their command; files come into the new window."""
    entry = GLib.KeyFile()
    entry.load_from_file(os.path.join(SOURCE, 'flatpak', 'org.debye.Debye.desktop'), GLib.KeyFileFlags.NONE)
    command = [os.environ['DEBYE'], *entry.get_string('Desktop Action new-window', 'Exec').split()[1:]]
    program = Window(*HELIX)
    first = Numbered(program, 1)
    wait_until('the molecule', lambda: first.is_enabled('add-atoms'))
    known = list_on_screen()
    subprocess.run(command, check=True, timeout=60)
    second = Numbered(program, 2, known)
    known = list_on_screen()
    subprocess.run([*command, *SALT], check=True, timeout=60)
    third = Numbered(program, 3, known)
    wait_until('the molecule', lambda: third.is_enabled('add-atoms'))
    assert not second.is_enabled('add-atoms'), 'files came into another window'
    program.picture('windows-4-by-entry')
    program.quit()


def fill_map(program):
    """A grid fine enough to be computed for minutes."""
    program.activate('win.show-analysis', GLib.Variant('s', 'map'))
    for setting, text in (('Grid spacing', '0.1'), ('Frames', '0:80'), ('Atoms', 'all')):
        program.type_into(program.find('text', setting, 'DebyeAnalysisPanel'), text)


def kill_and_recover():
    program = Window(*HELIX)
    first = Numbered(program, 1)
    wait_until('the molecule', lambda: first.is_enabled('add-atoms'))
    fill_map(program)
    second = open_another(program, 2)
    second.show(SALT)
    second.activate('add-box')
    start_map(first)
    first.activate('add-clipping-plane')
    wait_for_kept({'clipping-plane'}, {'box'})
    assert first.is_enabled('stop'), 'the job ended too early to be killed in its middle'
    program.process.send_signal(signal.SIGKILL)
    program.process.wait()
    say('killed')
    program = Window(recovers=True)
    program.wait_for_text('Debye ended unexpectedly')
    program.activate('app.recover')
    for number in (1, 2):
        window = Numbered(program, number)
        wait_until('a molecule', lambda w=window: w.is_enabled('add-atoms'))
    # Each with its own molecule.
    headings = {name for name in (node.get_name() for node in program.search('label')) if 'atoms ·' in (name or '')}
    program.picture('windows-3-recovered')
    assert len(headings) == 2 and any('5,459' in heading for heading in headings), headings
    program.quit()


def point(*steps):
    for step in steps:
        subprocess.run(['xdotool', *(str(word) for word in step)], check=True)
        time.sleep(0.1)


def close_under_the_hand():
    """Closed while it is moved by its header, without a window manager: GDK moved what was gone, and the program ended."""
    window = Window(*HELIX)
    wait_until('the molecule', lambda: window.is_enabled('win.add-atoms'))
    before = list_on_screen()
    window.keys('ctrl+n')
    second = wait_until('the second window', lambda: list_on_screen() - before).pop()
    for command in ('windowraise', 'windowfocus'):
        subprocess.run(['xdotool', command, second], check=True)
    point(('mousemove', 640, 30), ('mousedown', 1), *(('mousemove', 640 + 8 * i, 30 + 3 * i) for i in range(8)))
    window.keys('ctrl+w')
    wait_until('its end', lambda: second not in list_on_screen())
    point(*(('mousemove', 700 - 8 * i, 60 + 6 * i) for i in range(8)), ('mouseup', 1))
    assert window.is_enabled('win.add-atoms')
    window.quit()


def main():
    for step in (close_around_a_job, open_by_entry, kill_and_recover, close_under_the_hand):
        say(step.__name__)
        step()


main()
