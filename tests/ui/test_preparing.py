#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A bare structure in the window: the offer, the page, what was decided, states by hand, undo, files, sessions, the electrostatic
surface in one step, a titration, and a structure that can't be prepared."""
import os
import pathlib
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

sys.path.insert(0, os.path.join(sys.argv[1], 'tests', 'app'))
from peptide import PEPTIDE, read_pqr, write_pdb  # noqa: E402

OUTPUT = pathlib.Path(os.environ['OUTPUT'])
PAGE, LAYERS, PLOT = 'DebyePreparePanel', 'DebyeLayersPanel', 'Plot of results'
SURFACE = 'Show Electrostatic surface'


def tab(window):
    return next((node for node in window.search(None, 'Prepare')
                 if node.get_role_name() in ('radio button', 'toggle button', 'page tab')), None)


def open_window(path):
    window = Window(str(path))
    wait_until('the structure', lambda: window.is_enabled('win.prepare'))
    return window


def has_layer(window, name):
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    found = wait_until(name, lambda: window.find_all('check box', name, LAYERS))
    window.activate('win.prepare')
    return found


def offer(window):
    """A form that needs charges brings a line with the way to the page, which says what the file lacks."""
    window.activate('win.show-analysis', GLib.Variant('s', 'map'))
    window.wait_for_text('This file lacks charges · hydrogens of 3 residues')
    window.picture('prepare-1-offer')
    window.activate('win.prepare')
    window.wait_for_text('Contains: 3 amino acids\nLacks: charges · hydrogens of 3 residues', PAGE)
    time.sleep(1)
    window.picture('prepare-2-page')


def prepare(window):
    window.click(window.find('push button', 'Prepare', PAGE))
    window.wait_for_text('pH 7 · 27 atoms added · total charge 0 e', PAGE)
    window.wait_for_text('bare.pdb, prepared')
    window.wait_for_text('Made of bare.pdb by Debye', PAGE)
    window.wait_for_text('model pKa 6.54', PAGE)
    for state in ('ASP · deprotonated', 'HID · hydrogen at ND1', 'LYS · protonated', 'charged'):
        window.wait_for_text(state, PAGE)


def filter_rows(window):
    search = window.find('entry', 'Filter residues', PAGE)
    window.click(search)
    window.write('his')
    wait_until('the histidine alone', lambda: 'LYS 3' not in (names := window.names('label', PAGE)) and 'HIS 2' in names)
    window.write('xyz')
    wait_until('none', lambda: 'HIS 2' not in window.names('label', PAGE))
    window.keys('ctrl+a', 'Delete')
    wait_until('all of them', lambda: {'HIS 2', 'LYS 3'} <= set(window.names('label', PAGE)))
    window.settle(1)


def look_at_residue(window):
    window.click(window.find('label', 'HIS 2', PAGE))
    window.settle(0.5)    # an action may overtake a click, which then meets another page
    has_layer(window, 'Show Chosen residue')
    time.sleep(1)
    window.picture('prepare-3-residue')


def choose_states(window):
    """By hand, refused, and back."""
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'HIS 2', 'HIP')))
    window.wait_for_text('total charge 1 e', PAGE)
    window.wait_for_text('state chosen', PAGE)
    window.wait_for_text('HIP · doubly protonated', PAGE)
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'LYS 3', 'CYX')))
    window.wait_for_text('expected a state that the table has charges for, found CYX', PAGE)
    window.wait_for_text('total charge 1 e', PAGE)
    window.activate('win.prepare-undo')
    window.wait_for_text('total charge 0 e', PAGE)
    button = window.find('combo box', 'State of HIS 2', PAGE)
    window.click(button)
    window.wait_for_text('HIE · hydrogen at NE2')
    time.sleep(1)
    window.picture('prepare-4-states')
    window.keys('Escape')
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'HIS 2', 'HID turned')))
    window.wait_for_text('turned by 180°', PAGE)
    window.wait_for_text('HID · turned', PAGE)
    window.activate('win.prepare-undo')
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'HIS 2', 'HIP')))
    window.wait_for_text('total charge 1 e', PAGE)


def save(window):
    path = OUTPUT / 'prepared.pqr'
    path.unlink(missing_ok=True)
    window.activate('win.save-prepared', GLib.Variant('s', str(path)))
    wait_until('the file', path.exists)
    atoms = wait_until('all of it', lambda: read_pqr(path))
    assert len(atoms) == 55 and (2, 'HD1') in atoms and (2, 'HE2') in atoms, sorted(atoms)
    assert abs(sum(charge for _, charge, _ in atoms.values()) - 1) < 1e-4
    report = OUTPUT / 'residues.csv'
    report.unlink(missing_ok=True)
    window.activate('win.save-prepared', GLib.Variant('s', str(report)))
    wait_until('the list of residues', report.exists)
    lines = [line for line in report.read_text(encoding='utf-8').splitlines() if not line.startswith('#')]
    assert lines[0].startswith('residue,chain,state') and any(line.startswith('HIS 2,A,HIP') for line in lines), lines


def keep(window):
    """A session opens prepared, in a window of its own; from there the file's structure is one step away."""
    path = OUTPUT / 'prepared.debye'
    path.unlink(missing_ok=True)
    window.activate('win.save-session-to', GLib.Variant('s', str(path)))
    wait_until('the session', path.exists)
    window.quit()
    window = open_window(path)
    wait_until('the page', lambda: tab(window))
    window.activate('win.prepare')
    window.wait_for_text('pH 7 · 28 atoms added · total charge 1 e', PAGE)
    window.wait_for_text('55 atoms')
    time.sleep(1)
    window.picture('prepare-5-session')
    window.activate('win.prepare-undo')
    window.wait_for_text('Lacks: charges', PAGE)
    window.wait_for_text('27 atoms')
    return window


def show_surface(window):
    """From a bare structure in one step, with a line that says what was assumed; states by hand go into its colours."""
    start = time.monotonic()
    window.keys('ctrl+shift+p')
    has_layer(window, SURFACE)
    print(f'surface after {time.monotonic() - start:.1f} s')
    window.wait_for_text('pH 7 · 27 atoms added · total charge 0 e\nε = 2 inside')
    time.sleep(1)
    window.picture('prepare-6-surface')
    wait_until('the end of the job', window.is_idle)
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'HIS 2', 'HIP')))
    window.wait_for_text('total charge 1 e\nε = 2 inside')
    assert len(has_layer(window, SURFACE)) == 1
    window.activate('win.prepare-undo')
    window.activate('win.prepare-undo')
    window.wait_for_text('Lacks: charges', PAGE)
    box = has_layer(window, SURFACE)[0]
    assert not box.get_state_set().contains(Atspi.StateType.CHECKED), 'a surface of charges that are gone'


def choose_quickly(window):
    """A state that is chosen while the last one is on its way goes on from that one."""
    window.activate('win.prepare')
    window.click(window.find('push button', 'Prepare', PAGE))
    window.wait_for_text('total charge 0 e', PAGE)
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'HIS 2', 'HIP')))
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'CTR 3', 'capped')))
    window.wait_for_text('total charge 2 e', PAGE)
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'NTR 1', 'capped')))
    window.wait_for_text('total charge 1 e', PAGE)
    time.sleep(1)
    window.picture('prepare-8-ends')


def titrate():
    """By Poisson-Boltzmann: its curves are a result, another pH and a session need nothing solved again."""
    write_pdb(OUTPUT / 'titrated.pdb', PEPTIDE)
    window = open_window(OUTPUT / 'titrated.pdb')
    window.activate('win.prepare')
    window.wait_for_text('Lacks: charges', PAGE)
    window.click(window.find('combo box', 'Titration', PAGE))
    window.keys('Down', 'Down', 'Return')
    wait_until('its settings', lambda: 'Permittivity within' in window.names('label', PAGE))
    time.sleep(1)
    window.picture('prepare-9-titration')
    start = time.monotonic()
    window.click(window.find('push button', 'Prepare', PAGE))
    window.wait_for_text('pK½', PAGE)
    print(f'titrated after {time.monotonic() - start:.1f} s')
    window.wait_for_text('total charge 0 e', PAGE)
    wait_until('the end of the job', window.is_idle)
    time.sleep(1)
    window.picture('prepare-10-titrated')
    window.click(window.find(None, 'Numbers', PLOT))
    window.wait_for_text('charge at pH 7 (e)', PLOT)
    slider = window.find('slider', 'pH of the titrated structure', PAGE)
    start = time.monotonic()
    slider.get_value_iface().set_current_value(4.0)
    window.wait_for_text('pH 4', PAGE)
    window.wait_for_text('total charge 1 e', PAGE)
    window.wait_for_text('charge at pH 4 (e)', PLOT)
    print(f'recharged after {time.monotonic() - start:.1f} s')
    session = save_to(window, 'win.save-session-to', 'titrated.debye')
    window.quit()
    start = time.monotonic()
    window = open_window(session)
    window.activate('win.prepare')
    window.wait_for_text('pK½', PAGE)
    print(f'session after {time.monotonic() - start:.1f} s')
    slider = window.find('slider', 'pH of the titrated structure', PAGE)
    assert slider.get_value_iface().get_current_value() == 4.0
    slider.get_value_iface().set_current_value(7.0)
    window.wait_for_text('total charge 0 e', PAGE)
    window.keys('ctrl+shift+p')
    window.wait_for_text('total charge 0 e\nε = 2 inside')
    wait_until('the end of the job', window.is_idle)
    slider.get_value_iface().set_current_value(4.0)
    window.wait_for_text('total charge 1 e\nε = 2 inside')
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'HIS 2', 'HID')))
    window.wait_for_text('total charge 0 e\nε = 2 inside')
    window.click(window.find('combo box', 'State of HIS 2', PAGE))
    window.keys('Home', 'Return')
    window.wait_for_text('total charge 1 e\nε = 2 inside')
    assert 'state chosen' not in ' '.join(window.names('label', PAGE))
    time.sleep(1)
    window.picture('prepare-11-session')
    window.quit()


def save_to(window, action, name):
    path = OUTPUT / name
    path.unlink(missing_ok=True)
    window.activate(action, GLib.Variant('s', str(path)))
    wait_until(name, path.exists)
    return path


def go_on_from_session():
    """Of model 2, with a ligand that is left out: the model stays, and Keep is as it was typed."""
    write_pdb(OUTPUT / 'models.pdb', PEPTIDE)
    atoms = (OUTPUT / 'models.pdb').read_text().splitlines()[:-1]
    atoms.append('HETATM   90  B1  LIG B   1      60.000   0.000   0.000  1.00  0.00           B')
    shifted = [f'{line[:30]}{float(line[30:38]) + 100:8.3f}{line[38:]}' for line in atoms]
    models = ['MODEL        1', *atoms, 'ENDMDL', 'MODEL        2', *shifted, 'ENDMDL', 'END', '']
    (OUTPUT / 'models.pdb').write_text('\n'.join(models))
    window = open_window(OUTPUT / 'models.pdb')
    window.activate('win.prepare')
    window.wait_for_text('left out: LIG', PAGE)
    window.activate('win.step', GLib.Variant('i', 1))
    wait_until('model 2', lambda: window.state('win.frame') == 1)
    window.activate('win.prepare-run')
    window.wait_for_text('LIG left out', PAGE)
    session = save_to(window, 'win.save-session-to', 'models.debye')
    window.quit()
    window = open_window(session)
    window.activate('win.prepare')
    window.wait_for_text('total charge 0 e', PAGE)
    window.activate('win.prepare-state', GLib.Variant('(sss)', ('A', 'HIS 2', 'HIP')))
    window.wait_for_text('total charge 1 e', PAGE)
    path = save_to(window, 'win.save-prepared', 'models.pqr')
    positions = [position for position, _, _ in wait_until('all of it', lambda: read_pqr(path)).values()]
    assert min(x for x, _, _ in positions) > 90, 'another model'
    window.activate('win.prepare-undo')
    window.wait_for_text('total charge 0 e', PAGE)
    window.activate('win.prepare-undo')
    window.wait_for_text('left out: LIG', PAGE)
    assert 'not resname LIG' not in window.names('text', PAGE) + window.names('entry', PAGE)
    # A window that is killed is offered again by the next, before all that the next has to say.
    window.quit()


def lose_layers():
    """Of waters that are left out, and of a cell that the prepared structure has not; both come back with them. The page tells of
    atoms with occupancy 0."""
    write_pdb(OUTPUT / 'crystal.pdb', PEPTIDE)
    lines = (OUTPUT / 'crystal.pdb').read_text().splitlines()[:-1]
    lines = [line[:54] + '  0.00' + line[60:] if line[12:16].strip() in ('CE', 'NZ') else line for line in lines]
    water = 'HETATM   90  O   HOH B   1      20.000   0.000   0.000  1.00  0.00           O'
    cell = 'CRYST1   40.000   30.000   30.000  90.00  90.00  90.00 P 1           1'
    (OUTPUT / 'crystal.pdb').write_text('\n'.join([cell, *lines, water, 'END', '']))
    window = open_window(OUTPUT / 'crystal.pdb')
    has_layer(window, 'Show Water')
    has_layer(window, 'Show Box')
    window.wait_for_text('1 water · 2 atoms with occupancy 0', PAGE)
    window.keys('ctrl+shift+p')
    has_layer(window, SURFACE)
    for name in ('Show Water', 'Show Box'):
        assert not window.find_all('check box', name, LAYERS), name
    window.activate('win.prepare')
    window.wait_for_text('occupancy 0: CE NZ', PAGE)
    wait_until('the end of the job', window.is_idle)
    window.activate('win.prepare-undo')
    window.wait_for_text('Lacks: charges', PAGE)
    for name in ('Show Water', 'Show Box'):
        assert len(has_layer(window, name)) == 1, name
    time.sleep(1)
    window.picture('prepare-12-layers')
    window.process.kill()
    window.process.wait()


def refuse():
    """Half of a residue: the page says what is wrong, and nothing is lost."""
    write_pdb(OUTPUT / 'half.pdb', PEPTIDE[:2] + PEPTIDE[8:])
    window = open_window(OUTPUT / 'half.pdb')
    window.activate('win.electrostatic-surface')
    window.wait_for_text('ASP 1 of chain A', PAGE)
    time.sleep(1)
    window.picture('prepare-7-refused')
    window.wait_for_text('21 atoms')
    window.quit()


def main():
    refuse()
    lose_layers()
    go_on_from_session()
    titrate()
    write_pdb(OUTPUT / 'bare.pdb', PEPTIDE)
    window = open_window(OUTPUT / 'bare.pdb')
    wait_until('the page', lambda: tab(window))
    offer(window)
    prepare(window)
    filter_rows(window)
    look_at_residue(window)
    choose_states(window)
    save(window)
    window = keep(window)
    show_surface(window)
    choose_quickly(window)
    # Maps and a session that nobody wants to keep.
    window.process.kill()
    window.process.wait()


main()
