#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One picture of the window, as a person would come to it: pictures.py NAME, run by make-pictures.sh."""
import sys
import time

from gi.repository import GLib
from plot_driver import find_plot
from window_driver import Window, wait_until


def names_of_layers(window):
    return [node.get_name() for node in window.find_all('list item', None, 'DebyeLayersPanel') if node.get_name()]


def switch(window, layer):
    row = window.find('list item', layer, 'DebyeLayersPanel')
    window.click(next(node for node in window.walk(row) if node.get_role_name() == 'check box'))


def show_potential():
    """A protein's surface in the colours of its potential, and what can be set of it."""
    window = Window('--sample', 'protease')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    window.find('push button', 'Close the guide').do_action(0)
    switch(window, next(name for name in names_of_layers(window) if name.startswith('Surface at')))
    switch(window, 'Protein')
    switch(window, 'Slice')
    window.activate('win.add-molecular-surface')
    wait_until('the surface', lambda: 'Molecular surface' in names_of_layers(window))
    time.sleep(5)
    window.activate('win.view-all')
    return window


def show_pairs():
    window = Window('--sample', 'salt')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    window.pause()
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
    time.sleep(8)    # notices leave, and llvmpipe draws as finely as it can
    window.picture(sys.argv[1])
    window.quit()


main()
