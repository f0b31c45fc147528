#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The look of the plot by hand: seen at once, undone, as a style, in the command, in the session that is opened again."""
import os
import shutil
import subprocess
import sys

from plot_driver import PLOT, find_plot, fresh, save, svg_texts, text
from window_driver import Atspi, GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
CLI = os.path.join(os.path.dirname(os.environ['DEBYE']), 'debye-cli')
SESSION = fresh('looks.debye')


def texts_of(window, name):
    return '|'.join(words for words, _, _ in svg_texts(save(window, name)))


def compute(window):
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    window.activate('win.show-analysis', text('rdf'))
    wait_until('the form', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    find_plot(window, 'g(r)')
    wait_until('the end of the run', lambda: not window.is_enabled('win.stop'))


def change(window):
    window.click(window.find(None, 'Look of the plot', PLOT))
    window.click(window.find(None, 'Large plot', PLOT))
    window.type_into(window.find('text', 'Label', PLOT), 'distance *r* (Å)')
    window.type_into(window.find('text', 'Limits', PLOT), '2:6')
    name = window.find('text', 'Name in the legend; *italic*, ^{superscript}, _{subscript}', PLOT)
    window.type_into(name, 'water')
    window.type_into(window.find('text', 'Inset', PLOT), '2.5:3.5')
    seen = texts_of(window, 'look.svg')
    window.picture('look-1-changed')
    assert 'distance' in seen and '5.5' in seen and '|10|' not in seen, seen


def refuse(window):
    """What is wrong is said once the hand rests, and the plot stays."""
    inset = window.find('text', 'Inset', PLOT)
    window.type_into(inset, '3:2')
    window.wait_for_text('expected', PLOT)
    window.type_into(inset, '2.5:3.5')
    wait_until('no error', lambda: not any('expected' in name for name in window.names('label', PLOT)))


def click_until(window, name, is_reached):
    """A text that is replaced is removed first, which a busy machine may take for a step of its own."""
    for _ in range(8):
        window.click(window.find('push button', name, PLOT))
        window.settle(0.5)
        if is_reached():
            return
    raise AssertionError(f'{name}: eight times in vain')


def is_at_end(window):
    return not window.find('push button', 'Redo (Ctrl+Shift+Z)', PLOT).get_state_set().contains(Atspi.StateType.SENSITIVE)


def undo(window):
    click_until(window, 'Undo (Ctrl+Z)', lambda: 'distance' not in texts_of(window, 'undone.svg'))
    click_until(window, 'Redo (Ctrl+Shift+Z)', lambda: is_at_end(window))
    wait_until('the look again', lambda: 'distance' in texts_of(window, 'redone.svg'))


def undo_by_keys(window):
    """With the focus in an entry, too, and on the plot itself."""
    inset = window.find('text', 'Inset', PLOT)
    for focus in (window.find('text', 'Label', PLOT), find_plot(window, 'g(r)')):
        window.click(focus)
        window.keys('ctrl+z')
        wait_until('no inset', lambda: window.text_of(inset) == '')
        window.keys('ctrl+shift+z')
        wait_until('the inset again', lambda: window.text_of(inset) == '2.5:3.5')


def refuse_elsewhere(window):
    """What is refused was meant for the quantity that is shown."""
    inset = window.find('text', 'Inset', PLOT)
    window.type_into(inset, '3:2')
    window.activate('win.plot-quantity', text('coordination'))
    wait_until('an empty row', lambda: window.text_of(inset) == '')
    window.activate('win.plot-quantity', text('g'))
    window.type_into(inset, '2.5:3.5')


def style(window):
    """A style that the window writes is one that debye-cli reads, and the other way round."""
    path = fresh('mine.ini')
    window.activate('win.save-plot-style', text(path))
    wait_until('the style', lambda: os.path.exists(path))
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines()
    assert 'curve=name OW-name OW: "water"' in lines and 'x-range=2:6' in lines and 'x-label=distance *r* (Å)' in lines, lines
    picture = fresh('cli.svg')
    subprocess.run([CLI, 'rdf', '--quiet', '--pair', 'name OW', 'name OW', '--config', path, '-o', picture,
                    f'{SAMPLES}/salt.psf', f'{SAMPLES}/salt.xtc'], check=True)
    words = ''.join(word for word, _, _ in svg_texts(picture))
    assert 'distance' in words and '5.5' in words, words
    other = fresh('other.ini')
    with open(other, 'w', encoding='utf-8') as file:
        file.write('y-label = pairs\nadd-line = y=2: twice\n')
    window.activate('win.use-plot-style', text(other))
    wait_until('the other style', lambda: 'twice' in texts_of(window, 'other.svg'))
    assert 'distance' not in texts_of(window, 'other.svg')
    window.activate('win.use-plot-style', text(path))
    wait_until('the first style', lambda: 'distance' in texts_of(window, 'first.svg'))


def command(window):
    window.activate('win.copy-command')
    window.wait_for_text('Command copied')
    window.picture('look-2-command')
    window.click(window.find(None, 'Large plot', PLOT))
    frames = window.find('text', 'Frames', 'DebyeAnalysisPanel')
    copied = window.paste_over(frames, 'debye-cli rdf')
    assert '&& debye-cli figure' in copied and "--x-label 'distance *r* (Å)'" in copied, copied
    assert '--x-range 2:6' in copied and copied.endswith('.h5:g'), copied


def page(window):
    """The plot alone on a column of a journal, with the presets of the command line."""
    window.activate('win.export-plot-page')
    wait_until('the page', lambda: window.has_dialog('Export figure'))
    assert '89.0' in window.text_of(window.find('spin button', 'Width'))
    assert '1' in window.text_of(window.find('spin button', 'Panels per row Columns'))
    window.picture('look-3-page')
    window.keys('Escape')
    wait_until('no page', lambda: not window.has_dialog('Export figure'))


def opened_again():
    window = Window(SESSION)
    try:
        find_plot(window, 'g(r)')
        wait_until('the look of the session', lambda: 'distance' in texts_of(window, 'session.svg'))
        window.quit()
    finally:
        window.process.kill()


def without_molecule():
    """A result alone has the place of the view, which would be empty, until a molecule is opened."""
    folder, result = fresh('gone'), fresh('alone.h5')
    os.makedirs(folder, exist_ok=True)
    files = [shutil.copy(f'{SAMPLES}/salt.{ending}', folder) for ending in ('psf', 'xtc')]
    subprocess.run([CLI, 'rdf', '--quiet', '--pair', 'name OW', 'name OW', '-o', result, *files], check=True)
    shutil.rmtree(folder)
    window = Window(result)
    try:
        find_plot(window, 'g(r)')
        wait_until('a large plot', lambda: window.state('win.large-plot'))
        window.activate('win.open-files', GLib.Variant('as', [f'{SAMPLES}/water.psf', f'{SAMPLES}/water.xtc']))
        wait_until('the view beside it', lambda: not window.state('win.large-plot'))
    finally:
        window.process.kill()


def main():
    window = Window(f'{SAMPLES}/salt.psf', f'{SAMPLES}/salt.xtc')
    try:
        compute(window)
        change(window)
        refuse(window)
        undo(window)
        undo_by_keys(window)
        refuse_elsewhere(window)
        style(window)
        page(window)
        command(window)
        window.activate('win.save-session-to', text(SESSION))
        wait_until('the session', lambda: os.path.exists(SESSION) and not window.is_enabled('win.stop'))
        window.quit()
    finally:
        window.process.kill()
    opened_again()
    without_molecule()


main()
