#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The page of normal modes: the list with an imaginary one marked, a mode that plays on the playback bar, its movie, and back to the
atoms' places; a file whose modes are wrong says so."""
import os
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

OUTPUT = os.environ['OUTPUT']
PAGE = 'DebyeVibrationPanel'
WATER = '''[Molden Format]
[FREQ]
-250.5
1600.25
3700
[INT]
31
60.1
5
[FR-COORD]
O 0 0 0.12
H 0 1.43 -0.98
H 0 -1.43 -0.98
[FR-NORM-COORD]
'''
MODES = '''vibration 1
1 0 0
-1 0 0
-1 0 0
vibration 2
0 0 0.07
0 -0.43 -0.56
0 0.43 -0.56
vibration 3
0 0 0.05
0 0.58 -0.4
0 -0.58 -0.4
'''


def write(name, text):
    path = os.path.join(OUTPUT, name)
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)
    return path


def tab(window):
    return next((node for node in window.search(None, 'Vibrations')
                 if node.get_role_name() in ('radio button', 'toggle button', 'page tab')), None)


def choose(window, number):
    window.activate('win.vibration', GLib.Variant('i', number))
    window.wait_for_text(f'Mode {number}', PAGE)


def keep(window):
    path = os.path.join(OUTPUT, 'modes.debye')
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path) and window.is_idle())
    return path


def read(name):
    with open(os.path.join(OUTPUT, name), 'rb') as file:
        return file.read()


def record(window):
    """Two periods, whose pictures are those of one twice, whatever frame is shown meanwhile."""
    values = (os.path.join(OUTPUT, 'mode.png'), True, 0.0, 48, 25, 160, 120)
    window.activate('win.save-film', GLib.Variant('(sbdiiii)', values))
    wait_until('the movie', lambda: os.path.exists(os.path.join(OUTPUT, 'mode-0047.png')) and window.is_idle())
    seen = [read(f'mode-{i:04d}.png') for i in range(48)]
    assert seen[:24] == seen[24:]
    assert seen[0] == seen[12] and len({seen[0], seen[3], seen[6], seen[15], seen[18]}) == 5
    window.activate('win.export-film')
    window.wait_for_dialog('Export movie')
    window.wait_for_text('Whole periods of the mode')
    window.picture('vibrations-4-movie')
    window.keys('Escape')
    wait_until('no dialog', lambda: not window.has_dialog('Export movie'))


def look_at_session(path):
    """The mode of the session plays again, as far as it was stretched."""
    window = Window(path)
    window.click(wait_until('the page', lambda: tab(window)))
    window.wait_for_text('Mode 3', PAGE)
    window.wait_for_text('0.50 Å', PAGE)
    wait_until('it plays', lambda: window.state('win.play') and window.state('win.frame') > 2)
    window.picture('vibrations-3-session')
    window.quit()


def look_at_water():
    window = Window(write('modes.molden', WATER + MODES))
    window.click(wait_until('the page', lambda: tab(window)))
    window.wait_for_text('No mode is shown', PAGE)
    window.wait_for_text('250.5 i', PAGE)
    assert not window.state('win.play')
    choose(window, 1)
    window.wait_for_text('The frequency is imaginary', PAGE)
    choose(window, 3)
    window.wait_for_text('3700.0 cm⁻¹', PAGE)
    wait_until('it plays', lambda: window.state('win.play'))
    wait_until('frames of the mode', lambda: window.state('win.frame') > 2)
    window.set_state('win.play', GLib.Variant('b', False))
    window.set_state('win.frame', GLib.Variant('i', 6))
    wait_until('the turning point', lambda: window.state('win.frame') == 6)
    Atspi.Value.set_current_value(window.find('slider', 'Amplitude in Å', PAGE), 0.5)
    window.wait_for_text('0.50 Å', PAGE)
    assert window.state('win.frame') == 6
    time.sleep(1)
    window.picture('vibrations-1-stretched')
    session = keep(window)
    record(window)
    window.click(window.find('push button', 'Show Equilibrium', PAGE))
    window.wait_for_text('No mode is shown', PAGE)
    wait_until('the equilibrium', lambda: window.state('win.frame') == 0)
    time.sleep(1)
    window.picture('vibrations-2-equilibrium')
    window.quit()
    look_at_session(session)


def look_at_wrong_modes():
    window = Window(write('wrong.molden', WATER + MODES[:MODES.rindex('0 -0.58')]))
    window.wait_for_text('wrong.molden: mode 3: expected displacements of 3 atoms, found 2')
    assert tab(window) is None
    window.quit()


look_at_water()
look_at_wrong_modes()
