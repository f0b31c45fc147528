#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Cavities of a ligand's map and their pathways: the layers come with the result, at the level of the cavities, a session brings
them back, and another run takes their place."""
import os
import shutil
import sys
import time

from window_driver import GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
LAYERS = 'DebyeLayersPanel'


def make_samples():
    folder = os.path.join(OUTPUT, 'samples')
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(SAMPLES, 'protease.pqr'), folder)
    with open(os.path.join(folder, 'index.ini'), 'w', encoding='utf-8') as file:
        file.write('[xenon]\ntitle=Xenon\ndescription=Xenon\nfiles=protease.pqr\n'
                   'command=ligands --force-field table --cavities=-4.5 --padding 8 --spacing 1\n')
    os.environ['DEBYE_SAMPLES_DIR'] = folder


def layers(window):
    return sorted(name for name in window.names('check box', LAYERS)
                  if name.startswith(('Show Surface', 'Show Pathways')))


def expect_layers(window):
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('cavities and pathways', lambda: len(layers(window)) == 2)
    pathways, surface = layers(window)
    assert pathways == 'Show Pathways', pathways
    assert surface.replace('−', '-') == 'Show Surface at -4.5 kcal/mol', surface


def main():
    make_samples()
    path = os.path.join(OUTPUT, 'xenon.debye')
    shutil.rmtree(path + '-results', ignore_errors=True)
    if os.path.exists(path):
        os.remove(path)
    window = Window('--sample', 'xenon')
    expect_layers(window)
    time.sleep(2)
    window.picture('pathways-1')
    window.activate('win.run')
    wait_until('the end of the job', window.is_idle)
    expect_layers(window)
    window.activate('win.save-session-to', GLib.Variant('s', path))
    # The toast may have gone before a busy machine looks.
    wait_until('the session', lambda: os.path.exists(path) and window.is_idle())
    window.quit()
    window = Window(path)
    expect_layers(window)
    time.sleep(2)
    window.picture('pathways-2-session')
    window.quit()


main()
