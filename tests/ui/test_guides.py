#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The guides of the samples: every step of each is shown and done, and leaves the results that it speaks of. All of them, those of a
name, or "lectures" or "samples" with a share of them as 2/3: the second third (tests/ui/meson.build has a test for each)."""
import configparser
import os
import shutil
import sys

from window_driver import GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')


def read_guides():
    index = configparser.ConfigParser(interpolation=None, delimiters=('=',), comment_prefixes=('#',))
    index.optionxform = str
    index.read(os.path.join(SAMPLES, 'index.ini'), encoding='utf-8')
    return {name: index[name] for name in index.sections() if 'step1-title' in index[name]}


def count_results(window, name):
    """A session has a file for each result, beside it. Saving draws a picture, so that waits for the end of the jobs."""
    if window.is_enabled('win.stop'):
        return None
    path = os.path.join(window.output, name + '.debye')
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the end of saving', lambda: os.path.exists(path) and not window.is_enabled('win.stop'))
    return len(os.listdir(path + '-results'))


def walk(window, name, guide):
    n_results = 1
    # Of an earlier run of this test.
    shutil.rmtree(os.path.join(window.output, name + '.debye-results'), ignore_errors=True)

    def has_result():
        # Drawing what plays meanwhile would take longer than some of the results.
        if window.is_enabled('win.play') and window.state('win.play'):
            window.set_state('win.play', GLib.Variant('b', False))
        return window.is_enabled('win.export-map') and not window.is_enabled('win.stop')
    wait_until('the first result', has_result)
    window.set_state('win.play', GLib.Variant('b', False))
    number = 1
    while f'step{number}-title' in guide:
        deeds = guide.get(f'step{number}-do', '')
        window.activate('win.guide-step', GLib.Variant('i', number - 1))
        window.activate('win.guide-do')
        n_results += sum(deeds.count(deed) for deed in ('run ', 'electrostatic-surface', 'fit-power-law'))
        if 'open-sample' in deeds:
            window.wait_for_text(read_guides()[deeds.split("'")[1]]['step1-title'])
        elif 'orbital(' in deeds:
            # What the page shows is kept as files, too, another one for each time that the session is saved.
            text = guide[f'step{number}-text'].replace(' ', '')
            wait_until(f'the formula of step {number}', lambda text=text: any(
                'ψ = ' in label and text.startswith(label[label.index('ψ'):].replace(' ', ''))
                for label in window.names('label', 'DebyeOrbitalPanel')))
            wait_until('the orbital', lambda: not window.is_enabled('win.stop'))
        else:
            wait_until(f'{n_results} results after step {number} of {name}', lambda n=n_results: count_results(window, name) == n)
        window.picture(f'guide-{name}-{number}')
        number += 1
    print(f'{name}: {number - 1} steps, {n_results} results', flush=True)


def walk_lecture(window, name, guide):
    """Nothing is computed unless a step does it. Each step has its minutes, and its answer comes when it is asked for."""
    window.enter_room()
    window.wait_for_text(guide['step1-title'])
    n_steps = sum(key.endswith('-minutes') for key in guide)
    for number in range(1, n_steps + 1):
        wait_until('the end of the step before', lambda: not window.is_enabled('win.stop'), 120)
        window.activate('win.guide-step', GLib.Variant('i', number - 1))
        window.wait_for_text(f'{number} of {n_steps} · {guide[f"step{number}-minutes"]} min')
        answer = guide[f'step{number}-answer']
        assert not window.find_all('label', answer), f'{name}: the answer of step {number} is seen before it is asked for'
        window.find('push button', 'Answer').do_action(0)
        window.wait_for_text(answer)
        window.activate('win.guide-do')
    window.picture(f'guide-{name}')
    print(f'{name}: {n_steps} steps', flush=True)


def choose(guides, words):
    """Those that the words name; each share takes every so manieth."""
    if not words:
        return list(guides)
    if words[0] not in ('lectures', 'samples'):
        return words
    share, n_shares = (int(number) for number in words[1].split('/'))
    return [name for name in guides if ('command' in guides[name]) == (words[0] == 'samples')][share - 1::n_shares]


def main():
    guides = read_guides()
    assert len(guides) == 16, list(guides)
    for name in choose(guides, sys.argv[2:]):
        window = Window('--sample', name)
        (walk if 'command' in guides[name] else walk_lecture)(window, name, guides[name])
        window.process.kill()
        window.process.wait()


if __name__ == '__main__':
    main()
