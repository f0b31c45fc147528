#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Maps that can't be computed: each is refused before the run, in one sentence that stands where the cause was set."""
import os
import shutil
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

SAMPLES = os.path.join(sys.argv[1], 'data', 'samples')
OUTPUT = os.environ['OUTPUT']
START = time.monotonic()
FORM = 'DebyeAnalysisPanel'

WATER, PROTEASE, BARE = 'water.psf;water.xtc', 'protease.pqr', 'bare.pdb'
# name: (files, settings, the row that says it, the sentence's parts)
CASES = {
    'tolerance': (WATER, '--method multilevel --tolerance 1e-7', 'Tolerance',
                  ('multilevel summation reaches 2e-05 at best, found 1e-07', 'direct summation in double precision are more accurate')),
    'precision': (WATER, '--method ewald --tolerance 1e-7 --precision single', 'Precision',
                  ('single precision keeps a tolerance of 1e-5 here', 'expected double for the stated 1e-07')),
    'cell': (PROTEASE, '--method ewald', 'Periodic along',
             ('frame 0 has no cell with a volume', 'expected one for periodic images')),
    'cutoff': (WATER, '--method cutoff --periodic xyz --cutoff 900 --memory 256M', 'Cutoff',
               ('the atoms and images within 900 Å of the map need', 'may be used; a cutoff of', 'Å fits')),
    'grid': (PROTEASE, '--spacing 0.02 --memory 256M', 'Grid spacing',
             ('points need', 'may be used; a spacing of', 'Å fits')),
    'charges': (BARE, '--charges file', 'Charges',
                ('bare.pdb has no charges, and a potential needs them', 'choose AMBER\'s or CHARMM\'s table, or add a file')),
    'selection': (PROTEASE, "--select 'resname XYZ'", 'Atoms', ('the selection “resname XYZ” chooses none of 3261 atoms',)),
}


def make_samples():
    """A sample a case: its command is what the form says when it is open."""
    folder = os.path.join(OUTPUT, 'samples')
    os.makedirs(folder, exist_ok=True)
    for name in ('water.psf', 'water.xtc', 'protease.pqr'):
        shutil.copy(os.path.join(SAMPLES, name), folder)
    with open(os.path.join(folder, BARE), 'w', encoding='utf-8') as file:
        for i, name in enumerate((' N  ', ' CA ', ' C  ', ' O  ')):
            file.write(f'ATOM  {i + 1:5d} {name} ALA A   1    {1.4 * i:8.3f}{0.5 * i:8.3f}{0:8.3f}  1.00  0.00           {name[1]}\n')
        file.write('END\n')
    with open(os.path.join(folder, 'index.ini'), 'w', encoding='utf-8') as file:
        for name, (files, settings, _, _) in CASES.items():
            file.write(f'[{name}]\ntitle={name}\ndescription={name}\nfiles={files}\ncommand=map {settings}\n')
    os.environ['DEBYE_SAMPLES_DIR'] = folder


def is_seen(node):
    return node.get_state_set().contains(Atspi.StateType.SHOWING) or Atspi.Component.get_extents(
        node, Atspi.CoordType.WINDOW).width > 0


def find_sentence(window, part):
    """In the form, which steps back for the scene where other files come."""
    window.activate('win.show-page', GLib.Variant('s', 'analyse'))
    time.sleep(0.5)
    return next((name for name in window.names('label', FORM) if part in name), None)


def refuse(window, name):
    _, _, row, parts = CASES[name]
    window.activate('win.open-sample', GLib.Variant('s', name))
    wait_until('the files', lambda: window.is_enabled('win.export-picture'))
    said = wait_until(parts[0], lambda: find_sentence(window, parts[0]))
    window.picture(f'refusals-{name}')
    for part in parts:
        assert part in said, f'{name}: {said}'
    assert said.startswith(f'{row}: '), said
    assert not window.is_enabled('win.run'), name
    # On the row of the cause, which the foot beside Run names: it may be scrolled away.
    labels = [node for node in window.search('label', said, FORM) if is_seen(node)]
    assert len(labels) == 1, f'{name}: the sentence is seen {len(labels)} times'
    assert any(is_seen(node) for node in window.search('label', f'Check the setting “{row}”', FORM)), name
    print(f'{time.monotonic() - START:6.1f} s  {name}: {said} ({len(labels)} times)', flush=True)


def main():
    make_samples()
    for name in CASES:
        # A sample opens in a window of its own where there is one already.
        window = Window()
        refuse(window, name)
        window.quit()


main()
