#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One picture of the window, as a person would come to it: pictures.py NAME, run by make-pictures.sh."""
import sys
import time

from gi.repository import GLib
from window_driver import Window, wait_until


def wait_for_end(window):
    wait_until('a computation', lambda: window.is_enabled('win.stop'))
    wait_until('its end', lambda: not window.is_enabled('win.stop'), 300)


def show_potential():
    window = Window('--sample', 'helix')
    wait_for_end(window)
    window.pause()
    window.set_state('win.frame', GLib.Variant('i', 40))
    return window


def show_pairs():
    window = Window('--sample', 'salt')
    wait_for_end(window)
    window.pause()
    window.activate('win.show-analysis', GLib.Variant('s', 'rdf'))
    entry = wait_until('the list of pairs', lambda: next(
        window.search('text', 'Around these atoms', 'DebyeAnalysisPanel'), None))
    window.type_into(entry, 'element Na | element O\nelement Cl | element O\nelement O | element O')
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_for_end(window)
    return window


PICTURES = {'main': show_potential, 'pairs': show_pairs}


def main():
    window = PICTURES[sys.argv[1]]()
    time.sleep(8)    # notices leave, and llvmpipe draws as finely as it can
    window.picture(sys.argv[1])
    window.quit()


main()
