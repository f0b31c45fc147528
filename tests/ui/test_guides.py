#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The guides of the samples: every step of each is shown and done, and gives what it speaks of."""
import configparser
import os
import sys

from window_driver import GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
GUIDE = 'Guide'


def read_guides():
    index = configparser.ConfigParser(interpolation=None, delimiters=('=',), comment_prefixes=('#',))
    index.optionxform = str
    index.read(os.path.join(SAMPLES, 'index.ini'), encoding='utf-8')
    return {name: index[name] for name in index.sections() if 'step1-title' in index[name]}


def count_results(window):
    """Each result stands in a list at the foot of the analyses."""
    window.activate('win.show-page', GLib.Variant('s', 'analyse'))
    return len(window.find_all('list item', None, 'DebyeResultsPanel'))


def wait_idle(window):
    wait_until('the end of computing', lambda: not window.is_enabled('win.stop'))


def walk(window, name, guide):
    window.wait_for_text(guide['step1-title'], GUIDE)
    wait_until('the first result', lambda: window.is_enabled('win.export-map'))
    wait_idle(window)
    number = 1
    while f'step{number}-title' in guide:
        window.activate('win.guide-step', GLib.Variant('i', number - 1))
        window.wait_for_text(guide[f'step{number}-title'], GUIDE)
        deeds = guide.get(f'step{number}-do', '')
        n_runs = deeds.count('run ')
        before = count_results(window)
        if deeds:
            window.find('push button', guide[f'step{number}-button'], GUIDE)
            window.activate('win.guide-do')
            wait_until(f'{n_runs} results of step {number} of {name}',
                       lambda n=before + n_runs: count_results(window) >= n)
            wait_idle(window)
        window.set_state('win.play', GLib.Variant('b', False))
        window.picture(f'guide-{name}-{number}')
        number += 1
    window.activate('win.guide-step', GLib.Variant('i', number - 2))
    print(f'{name}: {number - 1} steps', flush=True)


def main():
    guides = read_guides()
    assert len(guides) == 5, list(guides)
    for name in sys.argv[2:] or guides:
        guide = guides[name]
        window = Window('--sample', name)
        walk(window, name, guide)
        # Leaving the last step ends the guide.
        window.click(window.find('push button', 'Finish', GUIDE))
        wait_until('the end of the guide',
                   lambda: guide['step1-title'] not in [node.get_name() for node in window.search('label')])
        window.quit()


if __name__ == '__main__':
    main()
