#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One picture of the window, as a person would come to it: pictures.py NAME, run by make-pictures.sh."""
import os
import subprocess
import sys
import time

from gi.repository import GLib
from plot_driver import find_plot
from window_driver import Window, wait_until


def show_potential():
    """A protein's electrostatic surface, and what can be set of it."""
    window = Window(os.path.join(os.environ['DEBYE_SAMPLES_DIR'], 'protease.pqr'))
    wait_until('the structure', lambda: window.is_enabled('win.electrostatic-surface'))
    window.activate('win.electrostatic-surface')
    box = window.find('check box', 'Show Electrostatic surface', 'DebyeLayersPanel')
    time.sleep(14)    # the line of assumptions leaves
    x, y = window.middle(box)
    subprocess.run(['xdotool', 'mousemove', str(x + 120), str(y), 'click', '1', 'mousemove', '20', '700'], check=True)
    window.activate('win.view-all')
    window.activate('win.zoom-out')    # the legend stands beside the surface
    return window


def show_pairs():
    window = Window('--sample', 'salt')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    window.pause()
    window.click(window.find('check box', 'Show Slice', 'DebyeLayersPanel'))    # its colour bar would cover the ions
    window.activate('win.show-analysis', GLib.Variant('s', 'rdf'))
    entry = wait_until('the list of pairs', lambda: next(
        window.search('text', 'Around these atoms', 'DebyeAnalysisPanel'), None))
    window.type_into(entry, 'element Na | element O\nelement Cl | element O\nelement O | element O')
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    find_plot(window, 'g(r)')
    wait_until('its end', lambda: not window.is_enabled('win.stop'), 300)
    return window


PICTURES = {'main': show_potential, 'pairs': show_pairs}


def main():
    window = PICTURES[sys.argv[1]]()
    time.sleep(30)    # notices leave, and llvmpipe draws as finely as it can, on a busy machine too
    window.take_picture(sys.argv[1])
    window.quit()


main()
