#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A file on a drive that takes two seconds for each read (see robustness/faults.c): the window answers while it opens,
says how far it is, and Stop stops it at the next read; another file then opens as always. A second window that is closed
while it reads goes at once, and nobody waits for its read."""
import os
import subprocess
import time

from numbered_windows import list_on_screen, open_another
from window_driver import Atspi, GLib, Window, wait_until

OUTPUT = os.environ['OUTPUT']
SLOW, QUICK = (os.path.join(OUTPUT, name) for name in ('slow.pdb', 'quick.pdb'))
JOBS = 'DebyeJobsButton'
READ_SECONDS = 2


def write_pdb(path, n_atoms):
    with open(path, 'w', encoding='ascii') as file:
        for i in range(n_atoms):
            x, y, z = 3.1 * (i % 30), 3.1 * (i // 30 % 30), 3.1 * (i // 900)
            file.write(f'HETATM{i % 99999 + 1:5d}  O   HOH A{i % 9999:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           O\n')
        file.write('END\n')


def measure_answers(window, seconds):
    """The longest time that the window took for an answer, s."""
    longest, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        window.is_enabled('win.export-picture')
        longest = max(longest, time.monotonic() - start)
        time.sleep(0.05)
    return longest


def get_progress(window):
    bar = next(window.search('progress bar', None, JOBS), None)
    return Atspi.Value.get_current_value(bar) if bar is not None else 0.0


def stop(window):
    button = window.find('push button', 'Stop Opening slow.pdb', JOBS)
    start = time.monotonic()
    assert Atspi.Action.do_action(button, 0)
    window.wait_for_text('Stopped; what was finished is kept', JOBS)
    return time.monotonic() - start


def close_while_it_reads(window):
    """The longest time that the first window took for an answer meanwhile, and the time to the end of the other's read, s."""
    other = open_another(window, 2)
    other.activate('open-files', GLib.Variant('as', [SLOW]))
    wait_until('a job', lambda: other.is_enabled('stop'))
    other.close()
    wait_until('the question', lambda: next(window.search(None, 'Stop running jobs?'), None))
    time.sleep(0.5)    # its buttons are to be had
    start = time.monotonic()
    window.keys('Tab', 'Return')
    wait_until('a window less', lambda: other.on_screen not in list_on_screen())
    longest = max(time.monotonic() - start, measure_answers(window, READ_SECONDS))
    wait_until('its end', lambda: not other.is_there())
    return longest, time.monotonic() - start


def main():
    write_pdb(SLOW, 30000)
    write_pdb(QUICK, 300)
    os.environ.update({'LD_PRELOAD': os.environ['DEBYE_FAULTS'], 'DEBYE_FAULT_SLOW': f'{1000 * READ_SECONDS}:slow.pdb'})
    window = Window(SLOW)
    for name in ('LD_PRELOAD', 'DEBYE_FAULT_SLOW'):
        del os.environ[name]
    longest = measure_answers(window, 4 * READ_SECONDS)
    window.click(window.find('push button', 'Jobs', JOBS))
    first = wait_until('progress', lambda: get_progress(window))
    wait_until('more progress', lambda: get_progress(window) > first)
    window.picture('slow-disk')
    assert not window.is_enabled('win.export-picture'), 'open already: nothing was slow'
    stopped = stop(window)
    print(f'answers within {longest:.2f} s, stopped after {stopped:.1f} s')
    # A window that read the file itself would have waited for whole reads.
    assert longest < 0.8 * READ_SECONDS, longest
    window.keys('Escape')
    subprocess.run([os.environ['DEBYE'], QUICK], check=True, timeout=120)
    wait_until('the other file', lambda: window.is_enabled('win.export-picture'))
    window.picture('slow-disk-other')
    longest, ended = close_while_it_reads(window)
    print(f'closed while it reads: answers within {longest:.2f} s, its end after {ended:.1f} s')
    assert longest < 0.8 * READ_SECONDS, longest
    assert window.is_enabled('win.export-picture')
    window.quit()


if __name__ == '__main__':
    main()
