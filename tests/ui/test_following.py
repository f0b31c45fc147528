#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A trajectory that is being written while the window shows it: frames come, the bar follows when it shall."""
import os
import shutil
import sys

from window_driver import GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = os.environ['OUTPUT']


def main():
    structure = os.path.join(OUTPUT, 'helix.psf')
    shutil.copy(os.path.join(SAMPLES, 'helix.psf'), structure)
    with open(os.path.join(SAMPLES, 'helix.xtc'), 'rb') as file:
        whole = file.read()
    path = os.path.join(OUTPUT, 'growing.xtc')
    with open(path, 'wb') as run:
        run.write(whole[:len(whole) // 4])
        run.flush()
        window = Window(structure, path)
        window.wait_for_text('5,459 atoms · 20 frames')
        wait_until('the first frame', lambda: window.state('win.frame') == 0)

        run.write(whole[len(whole) // 4:len(whole) // 2])
        run.flush()
        window.wait_for_text('5,459 atoms · 40 frames')
        window.wait_for_text('20 new frames: 40 in all')
        window.picture('following-1-grown')
        assert window.state('win.frame') == 0, 'the frame that is looked at stays'

        window.set_state('win.follow', GLib.Variant('b', True))
        wait_until('the newest frame', lambda: window.state('win.frame') == 39)
        run.write(whole[len(whole) // 2:len(whole) * 3 // 4])
        run.flush()
        window.wait_for_text('5,459 atoms · 60 frames')
        wait_until('the newest frame again', lambda: window.state('win.frame') == 59)
        window.picture('following-2-follows')

        window.activate('win.step', GLib.Variant('i', -1))
        wait_until('a step back by hand', lambda: window.state('win.frame') == 58)
        assert window.state('win.follow') is False, 'it follows no more'
        run.write(whole[len(whole) * 3 // 4:])
    window.wait_for_text('5,459 atoms · 81 frames')
    assert window.state('win.frame') == 58
    os.truncate(path, len(whole) // 2)
    window.wait_for_text('bytes that it had')
    window.picture('following-3-cut')
    window.quit()


main()
