#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Films and preferences from the window: numbered pictures of a turning trajectory, as an encoder gets them; Stop keeps what
is done; along views that were kept; with molecules as they are placed; large pictures while the window goes on; a picture by a preset; a figure; the
preferences open."""
import os
import pathlib
import struct
import subprocess
import sys
import time

from gi.repository import GLib
from window_driver import Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = pathlib.Path(os.environ['OUTPUT'])
ENCODERS = {'H.264 (MP4)': ['x264enc', 'openh264enc'], 'VP8 (WebM)': ['vp8enc'], 'VP9 (WebM)': ['vp9enc'],
            'AV1 (MP4, WebM)': ['svtav1enc', 'av1enc']}


def forget(name):
    """The pictures of an earlier run in this folder: they would pass for this one's."""
    for path in OUTPUT.glob(name + '-*.png'):
        path.unlink()


def save(window, name, n_pictures):
    forget(name)
    window.activate('win.save-film', GLib.Variant('(sbdiiii)', (str(OUTPUT / (name + '.png')), True, 180.0, n_pictures,
                                                                25, 160, 120)))


def wait_for_job(window):
    """What is told at its end is gone after seconds, which a busy machine may take to look."""
    wait_until('the end of the job', lambda: not window.is_enabled('win.stop'))


def pictures(name):
    return sorted(OUTPUT.glob(name + '-*.png'))


def writes_all(window):
    frame = window.state('win.frame')
    save(window, 'film', 6)
    wait_for_job(window)
    contents = [path.read_bytes() for path in pictures('film')]
    assert len(contents) == 6 and len(set(contents)) == 6, len(contents)
    assert all(b'Inputs' in content and b'helix.xtc' in content for content in contents), 'how they were made'
    assert window.state('win.frame') == frame


def stops(window):
    save(window, 'stopped', 5000)
    wait_until('a picture', lambda: pictures('stopped'))
    window.activate('win.stop')
    wait_for_job(window)
    assert len(pictures('stopped')) < 5000


def save_of_views(window):
    forget('views')
    window.activate('win.save-film-of-views', GLib.Variant('(sbiiii)', (str(OUTPUT / 'views.png'), False, 3, 25, 160, 120)))


def goes_from_view_to_view(window):
    """A path needs two views; it begins at the first and ends at the second, and the camera stays where it was."""
    save_of_views(window)
    assert not pictures('views') and not window.is_enabled('win.stop')
    window.activate('win.keep-view')
    window.activate('win.look-along', GLib.Variant('i', 0))
    window.activate('win.keep-view')
    save_of_views(window)
    wait_for_job(window)
    assert len({path.read_bytes() for path in pictures('views')}) == 3


def save_picture(window, name, width, height):
    path = OUTPUT / name
    path.unlink(missing_ok=True)
    window.activate('win.save-picture', GLib.Variant('(siib)', (str(path), width, height, False)))
    return path


def draws_beside(window):
    """A picture of several tiles is of the scene when it was asked for, while the window shows other frames; one that is
    stopped leaves no file."""
    first = save_picture(window, 'still.png', 160, 120)
    wait_for_job(window)
    large = save_picture(window, 'large.png', 1100, 400)
    window.set_state('win.frame', GLib.Variant('i', 40))
    wait_for_job(window)
    assert large.read_bytes()[16:24] == struct.pack('>II', 1100, 400) and first.exists()
    huge = save_picture(window, 'huge.png', 16384, 12288)
    window.activate('win.stop')
    wait_for_job(window)
    assert not huge.exists()


def prints_a_picture(window):
    """By a preset of the command line: as many millimetres and dots per inch as it says, in the file as well."""
    path = OUTPUT / 'printed.png'
    path.unlink(missing_ok=True)
    broken = pathlib.Path(os.environ['XDG_DATA_HOME']) / 'debye' / 'presets' / 'zz-broken.ini'
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_text('size = none\n', encoding='utf-8')
    window.activate('win.export-picture')
    window.wait_for_dialog('Export picture')
    preset = window.find('combo box', 'Preset')
    window.click(preset)
    window.keys('End', 'Up', 'Return')    # the last is that of no preset
    window.was_said('zz-broken')
    wait_until('no preset', lambda: any(node.get_name() == 'Custom size' for node in window.walk(preset)))
    window.click(preset)
    window.keys('Home', 'Down', 'Down', 'Down', 'Down', 'Return')
    wait_until('the width of the first preset', lambda: '82.50' in window.text_of(window.find('spin button', 'Width')))
    assert '8.0' in window.text_of(window.find('spin button', 'Size of text'))
    window.wait_for_text('1949 × 1465 pixels, 82.5 × 62.0 mm')
    window.picture('film-4-printed')
    window.click(window.find('push button', 'Export…'))
    window.in_dialog('Export picture', str(path.with_suffix('')), settle=1)    # its ending stays
    wait_until('the picture', path.exists)
    wait_for_job(window)
    written = path.read_bytes()
    density = written.index(b'pHYs') + 4
    assert struct.unpack('>II', written[16:24]) == (1949, 1465)
    assert struct.unpack('>IIB', written[density:density + 9]) == (23622, 23622, 1), '600 dots per inch'


def steps_the_shape(window):
    """Views are drawn for a shape that has changed again before they are done; the next is seen at once, from those of before."""
    ratio = window.find('spin button', 'Height by width')
    window.click(ratio)
    for key in ('Up', 'Down'):
        window.keys(*[key] * 8)
    window.keys(*['Up'] * 5)
    window.settle(2)
    window.assert_alive()


def makes_a_figure(window):
    path = OUTPUT / 'figure.pdf'
    path.unlink(missing_ok=True)
    window.activate('win.export-figure')
    wait_until('the dialog', lambda: window.has_dialog('Export figure'))
    window.click(window.find('combo box', 'Preset'))
    window.keys('Down', 'Return')
    width = window.find('spin button', 'Width')
    wait_until('the page of the first preset', lambda: '177.8' in window.text_of(width))
    assert '0.6' in window.text_of(window.find('spin button', 'Width of lines'))
    assert '8.0' in window.text_of(window.find('spin button', 'Size of text'))
    steps_the_shape(window)
    window.picture('film-3-figure')
    window.keys('Escape')
    wait_until('no dialog', lambda: not window.has_dialog('Export figure'))
    window.activate('win.save-figure', GLib.Variant('s', str(path)))
    wait_for_job(window)
    assert path.read_bytes().startswith(b'%PDF')


def places_molecules(window):
    """As the row of the box says: every picture of the film is another one, as ions have left the cell."""
    window.activate('win.add-box')
    choice = window.find('combo box', 'Molecules at the cell\'s faces', 'DebyeLayersPanel')
    save(window, 'placed-file', 4)
    wait_for_job(window)
    window.click(choice)
    window.keys('Down', 'Down', 'Return')
    wait_until('the choice', lambda: any(node.get_name() == 'In the cell' for node in window.walk(choice)))
    save(window, 'placed-cell', 4)
    wait_for_job(window)
    seen = {path.read_bytes() for name in ('placed-file', 'placed-cell') for path in pictures(name)}
    assert len(seen) == 8, len(seen)


def adds_words(window):
    """A title, and captions one after the other, each with its text; one is taken out again. There is no result over time whose
    plot could stand beside the view."""
    window.click(window.find_shown('list item', 'Title and captions'))
    title = window.find_shown('text', 'Title on a card before the movie')
    window.click(title)
    window.write('A helix')
    wait_until('the title', lambda: window.text_of(title) == 'A helix')
    # A button stays down for a quarter of a second, and doesn't see what presses it meanwhile.
    for n in (1, 2):
        window.press('Add caption')
        wait_until(f'captions: {n}', lambda n=n: len(window.find_all('spin button', 'Caption from, in seconds')) == n)
        window.settle(0.5)
    first, second = map(window.text_of, window.find_all('spin button', 'Caption from, in seconds'))
    assert first != second, 'the second begins where the first ends'
    window.picture('film-5-words')
    window.find_all('push button', 'Remove caption')[1].do_action(0)
    wait_until('one caption', lambda: len(window.find_all('spin button', 'Caption from, in seconds')) == 1)
    assert not any(map(window.has_size, window.find_all('combo box', 'Plot beside the view')))


def is_installed(element):
    try:
        return subprocess.run(['gst-inspect-1.0', '--exists', element], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def offers_what_can_be_written(window):
    """Encodings without an encoder on this machine are not in the list."""
    expected = {'Automatic'} | {codec for codec, encoders in ENCODERS.items() if any(map(is_installed, encoders))}

    def list_codecs():
        return {name for name in window.names('label') if name in ENCODERS or name == 'Automatic'}
    choice = window.find('combo box', 'Encoding')
    window.click(choice)
    wait_until(f'the encodings {sorted(expected)}', lambda: list_codecs() == expected)
    window.picture('film-6-encodings')
    window.keys('Escape')


def asks(window):
    window.activate('win.export-film')
    wait_until('the dialog', lambda: window.has_dialog('Export movie'))
    window.picture('film-1-dialog')
    offers_what_can_be_written(window)
    adds_words(window)
    window.keys('Escape')
    wait_until('no dialog', lambda: not window.has_dialog('Export movie'))


def main():
    window = Window(*(os.path.join(SAMPLES, name) for name in ('helix.psf', 'helix.xtc')))
    window.wait_for_text('5,459 atoms · 81 frames')
    for step in (writes_all, stops, asks, goes_from_view_to_view, draws_beside, prints_a_picture, makes_a_figure, places_molecules):
        print(step.__name__, flush=True)
        step(window)
    window.activate('app.preferences')
    wait_until('the preferences', lambda: window.has_dialog('Preferences'))
    time.sleep(1)    # its devices come when they are known
    window.picture('film-2-preferences')
    window.keys('Escape')
    window.quit()


main()
