# SPDX-License-Identifier: MIT
"""Waiting for what a program does, as long as a busy machine may need. For window_driver.py and the tests of the window."""
import os
import time

from gi.repository import GLib

# Seconds that a machine may be busy: only a test that fails waits so long.
PATIENCE = float(os.environ.get('DEBYE_TEST_PATIENCE', '180'))


class Vain:
    n_looks = 0    # of the present wait, that found nothing


def wait_until(what, condition, seconds=60):
    """The first true value of condition(), within so many seconds where a machine is as patient as 60; an error that names what was
    waited for. Nodes that go while they are asked are no answer yet. A look takes its time on a busy machine: one is taken after the
    deadline, too, and as long as it took is waited, so that the program can go on meanwhile; what takes long is looked for less often."""
    start, error, late = time.monotonic(), None, False
    patience = seconds * PATIENCE / 60
    around, Vain.n_looks = Vain.n_looks, 0
    try:
        while not late:
            began = time.monotonic()
            late = began - start > patience
            try:
                value = condition()
                if value:
                    return value
                error = None
            except GLib.Error as gone:
                error = gone
            Vain.n_looks += 1
            now = time.monotonic()
            time.sleep(min(1, max(0.1, now - began, min(0.4, 0.2 * (now - start)))))
    finally:
        Vain.n_looks = around
    raise AssertionError(f'waited {time.monotonic() - start:.0f} s in vain for: {what}' + (f' ({error.message})' if error else ''))
