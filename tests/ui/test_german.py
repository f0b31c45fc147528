#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A window of a German desktop: a broken file, a refused analysis and the manual speak German."""
import os
import subprocess
import sys
import time

SOURCE = sys.argv[1]
OUTPUT = os.environ['OUTPUT']
LOCALES = os.path.join(OUTPUT, 'locale')
# Before the driver, which starts programs with this environment. C.UTF-8 is on every system, German itself is not.
os.environ.update(LANGUAGE='de', LC_ALL='C.UTF-8', DEBYE_LOCALE_DIR=LOCALES)

from window_driver import GLib, Window, wait_until  # noqa: E402


def make_catalogue():
    folder = os.path.join(LOCALES, 'de', 'LC_MESSAGES')
    os.makedirs(folder, exist_ok=True)
    subprocess.run(['msgfmt', '-o', os.path.join(folder, 'debye.mo'), os.path.join(SOURCE, 'app/po/de.po')], check=True)


def test_broken_file():
    path = os.path.join(OUTPUT, 'broken.xyz')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('2\n\nC 1 2 3\nC 1 2\n')
    window = Window(path)
    window.wait_for_text('broken.xyz: Zeile 4: ein Atom mit 4 Feldern wird erwartet, gefunden wurden 3')
    window.find('label', 'Einzelheiten')
    window.picture('german-broken')
    window.quit()


def test_refusal():
    window = Window(os.path.join(SOURCE, 'data/samples/protease.pqr'))
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    window.find('label', 'Elektrostatisches Potential')
    entry = window.find('text', 'Atome')
    window.type_into(entry, 'resname XYZ')
    window.wait_for_text('Atome: Die Auswahl „resname XYZ“ wählt keins von 3261 Atomen')
    window.type_into(entry, 'name (')
    window.wait_for_text('Spalte 6: erwartet: ein Wert hinter „name“, gefunden: „(“')
    window.picture('german-refusal')
    window.quit()


def test_decimal_comma():
    """In a number a comma is decimal; in a list it is where semicolons part the numbers."""
    window = Window(os.path.join(SOURCE, 'data/samples/protease.pqr'))
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    window.type_into(window.find('text', 'Gitterabstand'), '1,5')
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.counting')
    window.type_into(window.find('text', 'Zelle'), '80,5; 81; 82,25')
    window.find('push button', 'Anwenden').do_action(0)
    wait_until('the dialog to go', lambda: not window.find_all('push button', 'Anwenden'))
    wait_until('the change', lambda: not window.is_enabled('win.stop'))
    window.activate('win.counting')
    wait_until('the numbers', lambda: window.text_of(window.find('text', 'Zelle')) == '80.5,81,82.25')
    window.find('push button', 'Abbrechen').do_action(0)
    # As long as it closes it has the keys.
    wait_until('the dialog to go', lambda: not window.find_all('push button', 'Abbrechen'))
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.copy-command')
    command = window.paste_over(window.find('text', 'Gitterabstand'), 'debye-cli map')
    assert '--spacing 1.5' in command and '--cell 80.5,81,82.25' in command, command
    window.quit()


def test_axis():
    """The words of a plot's axes, too."""
    window = Window(os.path.join(SOURCE, 'data/samples/protease.pqr'))
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    wait_until('the form to be ready', lambda: window.is_enabled('win.run'))
    window.activate('win.run')
    wait_until('the map', lambda: window.is_enabled('win.export-map') and not window.is_enabled('win.stop'))
    window.activate('win.map-profile', GLib.Variant('(ui)', (0, 2)))
    wait_until('the profile', lambda: next((node for node in window.search(None, None, 'Diagramm der Ergebnisse')
                                            if (node.get_name() or '').startswith('Diagramm von Potential')), None))
    window.picture('german-axis')
    window.quit()


def test_manual():
    window = Window()
    window.activate('app.help', GLib.Variant('s', 'start'))
    window.find('heading', 'Ein Bild in einer Minute')
    window.picture('german-manual')
    window.activate('app.help', GLib.Variant('s', 'messages'))
    window.find('heading', 'Fehlermeldungen')
    window.quit()


def main():
    make_catalogue()
    start = time.monotonic()
    for test in (test_broken_file, test_refusal, test_decimal_comma, test_axis, test_manual):
        test()
        print(f'{time.monotonic() - start:6.1f} s  {test.__name__}', flush=True)


main()
