#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A scene saved as a session, opened again, found again after the program was killed."""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from kept_sessions import list_kept, wait_for_kept
from window_driver import QUESTIONS, GLib, Window, wait_until

SOURCE = sys.argv[1]
SAMPLES = os.path.join(SOURCE, 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
FOLDER = os.path.join(OUTPUT, 'work')
LAYERS = 'DebyeLayersPanel'
START = time.monotonic()


def layer_names(window):
    return [name for name in window.names('list item', LAYERS) if name]


def say(text):
    print(f'{time.monotonic() - START:6.1f} s  {text}', flush=True)


def read(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def save(window, path):
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until(f'{path}', lambda: os.path.exists(path) and not window.is_enabled('win.stop'))


def get_seconds(path):
    """Of the processor, which a busy machine does not lengthen."""
    with open(path, encoding='utf-8') as file:
        fields = file.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def get_main_and_all_seconds(window):
    process = f'/proc/{window.process.pid}'
    return get_seconds(f'{process}/task/{window.process.pid}/stat'), get_seconds(f'{process}/stat')


def is_at_rest(window):
    before = get_main_and_all_seconds(window)[1]
    time.sleep(1)
    return get_main_and_all_seconds(window)[1] - before < 0.05


def check_saving(window, path):
    """The session's picture is another thread's: drawn by the main one it kept the window from answering. A fortieth of the
    work is left to the main thread here; it was a quarter."""
    wait_until('the sharp picture', lambda: is_at_rest(window))
    before = get_main_and_all_seconds(window)
    save(window, path)
    wait_until('the picture of it', list_thumbnails)
    main, all_threads = (after - before for after, before in zip(get_main_and_all_seconds(window), before))
    say(f'saving took the main thread {main:.2f} s, all threads {all_threads:.2f} s')
    assert main < 0.12 * all_threads


def list_thumbnails():
    return set(glob.glob(os.path.join(os.environ['XDG_CACHE_HOME'], 'debye', 'thumbnails', '*.png')))


def check_thumbnail():
    """The picture of the start page shows something."""
    picture, = list_thumbnails()
    size, colours = subprocess.run(['identify', '-format', '%wx%h %k', picture], check=True, capture_output=True,
                                   text=True).stdout.split()
    assert size == '320x200' and int(colours) > 100, f'{size}, {colours} colours'


def without_hidden_state(session):
    """What must be the same after saving, opening and saving again."""
    return {key: session[key] for key in ('scene', 'forms', 'frame', 'elements')}


def build_and_save(path):
    window = Window(os.path.join(FOLDER, 'helix.psf'), os.path.join(FOLDER, 'helix.xtc'))
    window.wait_for_text('5,459 atoms · 81 frames')
    say('a map, a clipping plane, labels, another frame')
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    for setting, text in (('Grid spacing', '2'), ('Frames', '0')):
        window.type_into(window.find('text', setting, 'DebyeAnalysisPanel'), text)
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    window.activate('win.add-clipping-plane')
    window.activate('win.add-labels')
    window.set_state('win.frame', GLib.Variant('i', 12))
    wait_until('the frame', lambda: window.state('win.frame') == 12)
    window.activate('win.zoom-in')
    window.activate('win.look-along', GLib.Variant('i', 1))
    window.settle(2)  # the turn of the view
    check_saving(window, path)
    window.wait_for_text('work.debye')
    check_thumbnail()
    names = layer_names(window)
    window.picture('session-1-saved')
    window.quit()
    return names


def reopen(path, names):
    window = Window(path)
    window.wait_for_text('5,459 atoms · 81 frames')
    wait_until('the same layers', lambda: layer_names(window) == names)
    wait_until('the frame', lambda: window.state('win.frame') == 12)
    time.sleep(2)
    window.picture('session-2-opened')
    again = os.path.join(FOLDER, 'again.debye')
    save(window, again)
    before, after = without_hidden_state(read(path)), without_hidden_state(read(again))
    assert before == after, json.dumps([before, after], indent=1)
    say('a change is marked, and asked about')
    window.activate('win.add-clipping-plane')
    window.wait_for_text('• again.debye')
    window.activate('app.quit')
    window.wait_for_dialog(QUESTIONS)
    window.picture('session-3-question')
    window.keys('Escape')
    wait_until('no question', lambda: not window.has_dialog(QUESTIONS))
    window.assert_alive()
    window.keys('ctrl+s')
    wait_until('two planes in the file',
               lambda: [layer['kind'] for layer in read(again)['scene']['layers']].count('clipping-plane') == 2)
    wait_until('the end of saving', lambda: not window.is_enabled('win.stop'))
    time.sleep(1)
    window.quit()


def stop_and_close(path):
    """Whoever closes the window while it computes is asked about changes, too; not while it draws the small picture of what is
    saved, which is drawn to its end."""
    pictures = list_thumbnails()
    shutil.copy(path, os.path.join(FOLDER, 'busy.debye'))
    window = Window(os.path.join(FOLDER, 'busy.debye'))
    window.wait_for_text('5,459 atoms · 81 frames')
    time.sleep(2)
    window.activate('win.add-clipping-plane')
    window.wait_for_text('• busy.debye')
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    for setting, text in (('Grid spacing', '0.2'), ('Frames', '0:80')):
        window.type_into(window.find('text', setting, 'DebyeAnalysisPanel'), text)
    wait_until('Run', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the computation', lambda: window.is_enabled('win.stop'))
    window.activate('app.quit')
    window.wait_for_dialog('Stop running jobs\\?')
    window.picture('session-8-stop')
    window.keys('Tab', 'Return')    # Stop and close
    wait_until('the end of the computation', lambda: not window.is_enabled('win.stop'))
    window.wait_for_dialog(QUESTIONS)
    window.picture('session-9-save')
    window.keys('Escape')
    wait_until('no question', lambda: not window.has_dialog(QUESTIONS))
    window.assert_alive()
    window.keys('ctrl+s')
    window.wait_for_text('busy.debye is saved')
    window.quit()
    assert len(list_thumbnails() - pictures) == 1


def lose_a_file(path):
    moved = os.path.join(FOLDER, 'moved')
    os.mkdir(moved)
    other = os.path.join(moved, 'work.debye')
    session = read(path)
    for file in session['files']:
        file['absolute'] = '/nowhere/' + os.path.basename(file['path'])
    with open(other, 'w', encoding='utf-8') as file:
        json.dump(session, file)
    window = Window(other)
    title = 'Files of work.debye'
    window.wait_for_dialog(title)
    window.picture('session-4-missing')
    window.keys('Return')
    window.in_dialog('Locate the file', os.path.join(FOLDER, 'helix.psf'), settle=1)
    # What lies beside it is found, too; the result is in a folder of its own.
    window.wait_for_dialog(title)
    window.picture('session-5-located')
    window.keys('alt+o')
    window.wait_for_text('5,459 atoms · 81 frames')
    names = layer_names(window)
    assert 'Protein' in names and 'Slice' not in names, names
    window.quit()


def forget(path):
    """One that is deleted says so in a sentence, and its card goes."""
    gone = os.path.join(FOLDER, 'gone.debye')
    shutil.copy(path, gone)
    window = Window(gone)
    window.wait_for_text('5,459 atoms · 81 frames')
    window.activate('app.new-window')
    # The window before has its page of cards behind the molecule.
    card = window.find_shown('push button', 'gone.debye')
    os.remove(gone)
    window.click(card)
    window.wait_for_text('gone.debye: no such session')
    wait_until('the card to go', lambda: not window.find_all('push button', 'gone.debye'))
    window.picture('session-10-gone')
    window.process.kill()
    window.process.wait()


def change(window):
    """The names of the layers, once they are kept."""
    window.wait_for_text('5,459 atoms · 81 frames')
    time.sleep(3)
    window.activate('win.add-clipping-plane')
    window.activate('win.add-labels')
    names = layer_names(window)
    wait_for_kept({'clipping-plane', 'labels'})
    return names


def kill():
    window = Window(os.path.join(FOLDER, 'helix.psf'), os.path.join(FOLDER, 'helix.xtc'))
    names = change(window)
    window.process.send_signal(signal.SIGKILL)
    window.process.wait()
    return names


def close_display():
    """The display that the window stands on goes, as when someone logs out or a remote session breaks."""
    before = os.environ['DISPLAY']
    reading, writing = os.pipe()
    with subprocess.Popen(['Xvfb', '-displayfd', str(writing), '-screen', '0', '1280x800x24'], pass_fds=[writing]) as server:
        os.environ['DISPLAY'] = ':' + os.read(reading, 16).decode().strip()
        window = Window(os.path.join(FOLDER, 'helix.psf'), os.path.join(FOLDER, 'helix.xtc'))
        names = change(window)
        server.kill()
    os.environ['DISPLAY'] = before
    window.process.wait(180)
    return names


def recover(end):
    names = end()
    say(f'ended: {end.__name__}')
    window = Window(recovers=True)
    window.wait_for_text('Debye ended unexpectedly')
    window.activate('app.recover')
    window.wait_for_text('5,459 atoms · 81 frames')
    wait_until('the same layers', lambda: layer_names(window) == names)
    window.picture(f'session-7-{end.__name__}')
    window.quit()
    assert not list_kept(), list_kept()


def render(path):
    cli = os.path.join(os.path.dirname(os.environ['DEBYE']), 'debye-cli')
    picture = os.path.join(OUTPUT, 'session-6-rendered.png')
    subprocess.run([cli, 'render', path, '-o', picture, '--size', '640x400'], check=True)
    assert os.path.getsize(picture) > 10000


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.mkdir(FOLDER)
    for name in ('helix.psf', 'helix.xtc'):
        shutil.copy(os.path.join(SAMPLES, name), FOLDER)
    path = os.path.join(FOLDER, 'work.debye')
    names = build_and_save(path)
    say('saved')
    render(path)
    say('drawn by the command line')
    reopen(path, names)
    say('opened')
    stop_and_close(path)
    say('asked about both')
    lose_a_file(path)
    say('located')
    forget(path)
    say('forgotten')
    recover(kill)
    recover(close_display)


if __name__ == '__main__':
    main()
