#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Results are told apart by themselves, named by hand and looked at whole; messages that went by are kept; the settings behind
More stand in groups."""
import os
import re
import sys
import time

from plot_driver import find_plot, save, svg_texts, text
from window_driver import GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
FORM = 'DebyeAnalysisPanel'


def run(window):
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    time.sleep(1)
    wait_until('the end of the run', window.is_idle)


def labels(window):
    return [name for name in window.names('label', FORM) if name]


def tell_apart(window):
    """Two runs of one analysis: what differs, and when they were made."""
    window.activate('win.show-analysis', text('rdf'))
    run(window)
    window.type_into(window.find('text', 'Frames', FORM), '0:20')
    run(window)
    wait_until('two results', lambda: window.names('list item', FORM).count('Pair distribution') >= 2)
    subtitles = [name for name in labels(window) if re.search(r'\n.* · \d\d:\d\d$', name)]
    # Each page of the analyses has the list.
    assert [name.split('\n')[0] for name in subtitles[:2]] == ['Frames 0:20', 'all frames'], subtitles
    window.picture('results-1-list')


def look(window):
    """The details of the newest, with its name, which the row, the legend and its file have then."""
    window.activate('win.result-details', GLib.Variant('u', 0))
    wait_until('the details', lambda: window.has_dialog('Details of the result'))
    time.sleep(1)
    window.write('Short run')
    window.picture('results-2-details')
    window.keys('Escape')
    wait_until('the end of the details', lambda: not window.has_dialog('Details of the result'))
    wait_until('the name in the list', lambda: 'Short run' in window.names('list item', FORM))
    window.activate('win.result-compare', GLib.Variant('u', 1))
    find_plot(window, 'g(r)')
    wait_until('the name in the legend', lambda: any(
        words.startswith('Short run') for words, _, _ in svg_texts(save(window, 'named.svg'))))
    window.picture('results-3-legend')


def copy_command(window):
    """Of a plot of two results: both are computed, each into a file of its own, and drawn as they are named."""
    window.activate('win.copy-command')
    window.wait_for_text('Command copied')
    copied = window.paste_over(window.find('text', 'Frames', FORM), 'debye-cli rdf')
    computed, drawn = copied.split(' && debye-cli figure ')
    assert len(re.findall('debye-cli rdf ', computed)) == 2 and 'Short run: ' in drawn, copied
    assert re.search(r"'?salt-rdf(-2)?\.h5:g\+salt-rdf(-2)?\.h5'?$", drawn), copied


def drag_out(window):
    """The buttons that export, dragged into another program, give it files."""
    plot = window.drag_out(window.find('push button', 'Export plot'))
    assert plot.endswith('-plot.svg') and svg_texts(plot), plot
    view = window.drag_out(window.find('push button', 'Export'))
    with open(view, 'rb') as file:
        assert file.read(8) == b'\x89PNG\r\n\x1a\n', view


def find_messages(window):
    window.activate('win.show-messages')
    wait_until('the messages', lambda: window.has_dialog('Messages'))
    time.sleep(1)
    window.picture('results-4-messages')
    window.keys('Escape')
    wait_until('the end of the messages', lambda: not window.has_dialog('Messages'))


def group_settings(window):
    window.activate('win.show-analysis', text('map'))
    window.press('More', FORM)
    window.wait_for_text('Solvent and surface', FORM)
    names = labels(window)
    order = [name for name in names if name in ('Atoms and frames', 'Grid', 'Method', 'Result', 'Accuracy and computing')]
    assert order[-5:] == ['Atoms and frames', 'Grid', 'Method', 'Result', 'Accuracy and computing'], order
    window.picture('results-5-groups')


def main():
    window = Window(os.path.join(SAMPLES, 'salt.psf'), os.path.join(SAMPLES, 'salt.xtc'))
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    for step in (tell_apart, look, copy_command, drag_out, find_messages, group_settings):
        print(step.__name__, flush=True)
        step(window)
    window.quit()


main()
