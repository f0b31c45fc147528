# SPDX-License-Identifier: MIT
"""What tests of plots share: the plot in the window, what is written of it."""
import os
import xml.etree.ElementTree as ElementTree

from window_driver import GLib, wait_until

OUTPUT = os.environ['OUTPUT']
PLOT = 'Plot of results'
SVG = '{http://www.w3.org/2000/svg}'


def text(value):
    return GLib.Variant('s', value)


def fresh(name):
    path = os.path.join(OUTPUT, name)
    if os.path.exists(path):
        os.remove(path)
    return path


def save(window, name):
    path = fresh(name)
    window.activate('win.save-plot', text(path))
    wait_until(f'{name} to be written', lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    return path


def find_plot(window, quantity):
    return wait_until(f'the plot of {quantity}', lambda: next(
        (node for node in window.search(None, None, PLOT) if (node.get_name() or '').startswith(f'Plot of {quantity} over')),
        None))


def svg_texts(path):
    """(text, x, y) in points."""
    return [(''.join(node.itertext()), float(node.get('x') or 0), float(node.get('y') or 0))
            for node in ElementTree.parse(path).getroot().iter(f'{SVG}text')]
