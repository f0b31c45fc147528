#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A student's kernel in the class room: a copy of a shipped one, wrong, not C, back to the shipped code, in a session."""
import json
import os
import sys
import time

from window_driver import Window, wait_until

from gi.repository import GLib  # noqa: E402  # after its version was chosen

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
ROOM = 'Class room'


def is_idle(window):
    return not window.is_enabled('win.stop')


def code(window):
    return window.find_shown('text', 'Code of the variant', ROOM)


def run(window, text):
    """What the page Code says of it, when all is done."""
    window.press('Run', ROOM)
    wait_until('the kernel to be judged', lambda: is_idle(window) and any(text in name for name in window.names('label', ROOM) if name), 30)


def ours(window):
    return [node for node in window.find_all('list item', 'Ours, of the class', ROOM)]


def edit(window, text):
    window.type_into(code(window), text)
    wait_until('the text', lambda: window.text_of(code(window)) == text)


def copy_figure(window):
    """Of this kernel alone: nothing of the ladder is measured yet."""
    window.find_shown('page tab', 'Figure', ROOM).do_action(0)
    window.press('Copy as command: Ladder', ROOM)
    window.wait_for_text('Command copied')
    command = window.read_clipboard()
    if command is not None:
        assert command.decode('utf-8').startswith('debye-cli bench --source mine.c'), command
    window.picture('code-1-figure')
    window.find_shown('page tab', 'Code', ROOM).do_action(0)


def change_and_run(window):
    wait_until('the first listing', lambda: 'sum_slice' in window.text_of(code(window)))
    window.press('Edit a copy', ROOM)
    wait_until('a button that runs it', lambda: window.find_all('push button', 'Run', ROOM))
    shipped = window.text_of(code(window))
    run(window, 'Right, on one thread.')
    wait_until('a row of ours', lambda: len(ours(window)) > 0)
    window.picture('code-1-right')
    copy_figure(window)
    edit(window, shipped.replace('sum += ', 'sum += 1.01f * '))
    wait_until('no row of what is no longer there', lambda: len(ours(window)) == 0)
    window.picture('code-2-outdated')
    window.wait_for_text('1 new line, marked; 1 removed', ROOM)
    run(window, 'values are wrong')
    wait_until('no row of ours', lambda: len(ours(window)) == 0)
    window.picture('code-2-wrong')
    edit(window, shipped.replace('sum = 0.0f;', 'sum = 0.0f'))
    run(window, 'ours.c: line')
    window.picture('code-3-error')
    window.press('Back to the shipped code', ROOM)
    wait_until('the shipped code', lambda: window.text_of(code(window)) == shipped)
    window.wait_for_text('Copy of “CPU 1: Grid points outside”, unchanged', ROOM)
    return shipped


def undo(window):
    """Back to the shipped code is a step that can be undone like any other."""
    window.click(code(window))
    window.keys('ctrl+z')
    wait_until('what was typed', lambda: 'sum = 0.0f\n' in window.text_of(code(window)))


def ask(window):
    """What was typed is in no file: closing asks, and the window stays."""
    window.keys('ctrl+w')
    wait_until('the question', lambda: window.has_dialog('Save before closing\\?'))
    window.picture('code-4-question')
    window.keys('Escape')
    wait_until('no question', lambda: not window.has_dialog('Save before closing\\?'))
    window.assert_alive()


def guess(window):
    """A step is measured and revealed, beside what the class guesses; the second waits."""
    for button, text in (('Next step', 'Measured. Page Down reveals it'), ('Reveal', 'operations per evaluation'),
                         ('Next step', 'Measured. How many times as fast')):
        window.press(f'{button}: Ladder', ROOM)
        wait_until(text, lambda text=text: is_idle(window) and any(text in name for name in window.names('label', ROOM) if name), 60)


def guess_figures(window):
    """A figure's row is guessed, of bins whose edge was changed, and how a method's time grows."""
    window.activate('win.classroom-lesson', GLib.Variant('s', 'bins'))
    window.find_shown('spin button', 'Bin edge B', ROOM).get_value_iface().set_current_value(5)
    window.press('Next step: Bins', ROOM)
    wait_until('the bins', lambda: is_idle(window) and any("on the sphere's list? Page Down" in name for name in window.names('label', ROOM) if name), 60)
    window.find_shown('spin button', 'Guess: Bins to search', ROOM).get_value_iface().set_current_value(300)
    window.press('Reveal: Bins', ROOM)
    window.wait_for_text('251 bins, 23.1 % · guessed: 300', ROOM)
    window.activate('win.classroom-lesson', GLib.Variant('s', 'growth'))
    window.press('Next step: Growth', ROOM)
    wait_until('two volumes', lambda: any('How many times as long' in name for name in window.names('label', ROOM) if name), 60)
    assert not any('times as long' in name and '?' not in name for name in window.names('label', ROOM) if name)
    window.activate('win.stop')
    wait_until('the stop', lambda: is_idle(window), 30)
    asked = next(name for name in window.names('spin button', ROOM) if name.startswith('Guess: Direct sum'))
    window.find_shown('spin button', asked, ROOM).get_value_iface().set_current_value(3.5)
    window.press('Reveal: Growth', ROOM)
    window.wait_for_text('times as long · guessed: 3.5 ×', ROOM)
    window.picture('code-6-growth')


def reopen_figures(window):
    """Growth's times are in the session; bins are counted again by the next step, and shown as far as they were."""
    window.activate('win.classroom-lesson', GLib.Variant('s', 'growth'))
    window.wait_for_text('times as long · guessed: 3.5', ROOM)
    window.activate('win.classroom-lesson', GLib.Variant('s', 'bins'))
    window.wait_for_text('The session contains guesses for this page', ROOM)
    assert not any('251 bins' in name for name in window.names('label', ROOM) if name)
    window.press('Next step: Bins', ROOM)
    wait_until('the row', lambda: any('251 bins, 23.1 % · guessed: 300' in name for name in window.names('label', ROOM) if name), 60)
    window.wait_for_text('How many atoms does a bin have on average?', ROOM)
    window.picture('code-7-bins')


def save_and_open(window):
    """A session keeps the code and the steps, and opening it compiles and measures nothing."""
    guess(window)
    guess_figures(window)
    window.activate('win.classroom-lesson', GLib.Variant('s', 'ladder'))
    path = os.path.join(os.environ['OUTPUT'], 'class.debye')
    if os.path.exists(path):
        os.remove(path)     # of a run before
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path))
    with open(path, encoding='utf-8') as file:
        kept = json.load(file)['classroom']['ladder']
    steps = kept['steps']
    assert steps['guesses'] == [0] and len(steps['measured']['steps']) == 2, steps
    assert kept['base'] == 'direct/01-grid-outer.c' and 'sum = 0.0f\n' in kept['code'], kept
    window.quit()
    window = Window(path)
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    window.find_shown('page tab', 'Code', ROOM).do_action(0)
    wait_until('the code of the session', lambda: window.text_of(code(window)) == kept['code'])
    window.wait_for_text('Measured. How many times as fast', ROOM)
    assert not ours(window) and is_idle(window) and not any('ours.c' in name for name in window.names('label', ROOM))
    window.picture('code-5-session')
    reopen_figures(window)
    return window


def keep_result(window, shipped):
    """What the code was measured with is in the session as well."""
    path = os.path.join(os.environ['OUTPUT'], 'result.debye')
    if os.path.exists(path):
        os.remove(path)
    window.activate('win.classroom-lesson', GLib.Variant('s', 'ladder'))
    window.find_shown('page tab', 'Code', ROOM).do_action(0)
    edit(window, shipped.replace('sum = 0.0f;', 'sum = 0.0f; /* ours */'))
    run(window, 'Right, on one thread')
    wait_until('the row of ours', lambda: len(ours(window)) == 1)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path))
    window.wait_for_text('result.debye is saved')
    window.quit()
    window = Window(path)
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    wait_until('the row of ours, without a run', lambda: len(ours(window)) == 1 and is_idle(window))
    window.picture('code-8-result')
    window.find_shown('page tab', 'Code', ROOM).do_action(0)
    edit(window, shipped)
    wait_until('no row of what is no longer there', lambda: len(ours(window)) == 0)
    window.quit()
    return keep_listing(path, shipped)


def keep_listing(path, shipped):
    """What a listing with other macros was measured with isn't taken for the result of the class's own code."""
    with open(path, encoding='utf-8') as file:
        session = json.load(file)
    lesson = session['classroom']['ladder']
    assert 'ours' in lesson and 'ran' not in lesson, lesson.keys()
    lesson['ran'] = lesson['base']
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(session, file)
    window = Window(path)
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    wait_until('the row of the listing', lambda: len(ours(window)) == 1 and is_idle(window))
    window.find_shown('page tab', 'Code', ROOM).do_action(0)
    edit(window, shipped)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    window.wait_for_text('result.debye is saved')
    assert len(ours(window)) == 1
    with open(path, encoding='utf-8') as file:
        lesson = json.load(file)['classroom']['ladder']
    assert lesson['ran'] == lesson['base'] and 'ours' in lesson and lesson['code'] == shipped, lesson
    return window


def main():
    window = Window(os.path.join(SAMPLES, 'protease.pqr'))
    window.enter_room()
    window.wait_for_text('3,261 atoms')
    window.find_shown('page tab', 'Code', ROOM).do_action(0)
    time.sleep(0.5)
    shipped = change_and_run(window)
    window.picture('code-4-back')
    undo(window)
    ask(window)
    window = save_and_open(window)
    window = keep_result(window, shipped)
    window.quit()


main()
