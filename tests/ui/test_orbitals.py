#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The page of orbitals: the list and its frontier, keys, slider and share, what is told of a wrong file; a cube with its molecule."""
import json
import os
import sys
import time

from window_driver import Atspi, GLib, Window, wait_until

WATER = os.path.join(sys.argv[1], 'data', 'samples', 'water.molden')
OUTPUT = os.environ['OUTPUT']
PAGE, LAYERS = 'DebyeOrbitalPanel', 'DebyeLayersPanel'
GAUSSIAN = '''[Molden Format]
[Atoms] AU
He 1 2 0 0 0
[GTO]
1 0
s 1 1.0
 0.7 1.0

[MO]
Sym= 1a1g
Ene= -0.9
Spin= Alpha
Occup= 2
1 1.2
'''
CUBE = ('two lobes\nby hand\n -2 -2 -2 -2\n 5 1 0 0\n 5 0 1 0\n 5 0 0 1\n 1 1 0 0 -0.7\n 1 1 0 0 0.7\n 1 1\n' +
        '\n'.join(' '.join(f'{0.2 * (k - 2) / (1 + (i - 2) ** 2 + (j - 2) ** 2):.4f}' for k in range(5))
                  for i in range(5) for j in range(5)) + '\n')


def levels(window):
    """Of the isosurfaces in the list of layers."""
    names = window.names('check box', LAYERS)
    return sorted(name for name in names if name and name.startswith('Show Surface at'))


def level(window):
    """Of what is shown, as the page says it."""
    return window.wait_for_text('Surfaces at ψ = ±', PAGE)


def tab(window):
    return next((node for node in window.search(None, 'Orbitals')
                 if node.get_role_name() in ('radio button', 'toggle button', 'page tab')), None)


def first_look(window):
    """The HOMO comes with the page, as two lobes."""
    window.click(wait_until('the page', lambda: tab(window)))
    window.wait_for_text('HOMO, orbital 4', PAGE)
    window.wait_for_text('∫ρ: 10 electrons by the norms, 10 by the occupations; nuclei 10 e', PAGE)
    wait_until('two lobes', lambda: len(levels(window)) == 2)
    shown, told = levels(window), level(window)
    assert shown[0].replace('+', '') == shown[1].replace('−', '') or shown[0].replace('−', '') == shown[1].replace('+', ''), shown
    time.sleep(1)
    window.picture('orbitals-1-homo')
    return told


def walk_by_keys(window, homo):
    """Up is a higher energy; back is the same picture, with the same two layers."""
    window.keys('Up')
    window.wait_for_text('LUMO, orbital 5', PAGE)
    wait_until('another level', lambda: level(window) != homo)
    assert len(levels(window)) == 2, levels(window)
    time.sleep(1)
    window.picture('orbitals-2-lumo')
    window.keys('Down')
    window.wait_for_text('HOMO, orbital 4', PAGE)
    wait_until('the same level', lambda: level(window) == homo)
    window.keys('End')
    window.wait_for_text('Orbital 0', PAGE)


def slide(window):
    """The slider runs through all; the end of many wishes is what is shown."""
    slider = window.find('slider', 'Orbital by energy', PAGE)
    last = int(Atspi.Value.get_maximum_value(slider))
    for k in range(last + 1):
        Atspi.Value.set_current_value(slider, k)
    window.wait_for_text(f'Orbital {last}', PAGE)
    Atspi.Value.set_current_value(slider, 4)
    window.wait_for_text('HOMO, orbital 4', PAGE)


def enclose_more(window, homo):
    share = window.find('slider', 'Enclosed share in percent', PAGE)
    wait_until('the HOMO', lambda: level(window) == homo)
    Atspi.Value.set_current_value(share, 95)
    window.wait_for_text('95 %', PAGE)
    wait_until('a lower level', lambda: level(window) != homo)
    assert len(levels(window)) == 2
    window.picture('orbitals-3-enclosed')
    return level(window)


def keep(window, name='orbital.debye'):
    """The session's file. The toast that tells of it may have gone before a busy machine looks."""
    path = os.path.join(OUTPUT, name)
    before = os.stat(path).st_mtime_ns if os.path.exists(path) else None
    window.activate('win.save-session-to', GLib.Variant('s', path))
    wait_until('the session', lambda: os.path.exists(path) and os.stat(path).st_mtime_ns != before and window.is_idle())
    return path


def shown_files(path):
    return [name for name in os.listdir(path + '-results') if 'orbital' in name]


def listed(path):
    """The files of orbitals that the session and its folder have, which are the same."""
    with open(path, encoding='utf-8') as file:
        names = {os.path.basename(one['path']) for one in json.load(file)['files']}
    shown = {name for name in names if name.startswith('shown-')}
    there = {name for name in os.listdir(path + '-results') if name.startswith('shown-')}
    return shown if shown == there else shown | there | {'differ'}


def keep_another(window, told):
    """Saved twice, the session's folder holds the orbital that is shown and not the one before; back to the first."""
    path = keep(window)
    before = shown_files(path)
    window.activate('win.orbital', GLib.Variant('i', 5))
    wait_until('another level', lambda: level(window) != told)
    keep(window)
    wait_until('its file alone', lambda: len(shown_files(path)) == 1 and shown_files(path) != before)
    window.activate('win.orbital', GLib.Variant('i', 4))
    wait_until('the same level', lambda: level(window) == told)


def look_at_session(path, told):
    """The chosen orbital, its share and its surfaces are back, as nothing that has changed; the next one takes their place."""
    window = Window(path)
    window.click(wait_until('the page', lambda: tab(window)))
    window.wait_for_text('HOMO, orbital 4', PAGE)
    window.wait_for_text('95 %', PAGE)
    wait_until('the same level', lambda: level(window) == told)
    assert levels(window) == ['Show Surface at +0.038 bohr⁻³ᐟ²', 'Show Surface at −0.038 bohr⁻³ᐟ²'], levels(window)
    time.sleep(1)
    window.picture('orbitals-6-session')
    copy = keep(window, 'copy.debye')
    assert len(listed(copy)) == 1 and len(listed(path)) == 1, (listed(copy), listed(path))
    window.keys('Up')
    window.wait_for_text('LUMO, orbital 5', PAGE)
    wait_until('another level', lambda: level(window) != told)
    assert len(levels(window)) == 2, levels(window)
    keep(window)
    wait_until('the new file alone', lambda: len(listed(path)) == 1)
    assert len(listed(copy)) == 1, listed(copy)
    potential(window)
    keep(window)
    wait_until('no file of an orbital that is not shown', lambda: not listed(path))
    window.quit()


def to_the_form(window):
    window.click(window.find('push button', 'Compute with Settings…', PAGE))
    window.wait_for_text('Where are the electrons of a molecule?')


def potential(window):
    """On the density's surface, in place of the orbital's."""
    window.activate('win.show-page', GLib.Variant('s', 'orbitals'))
    window.click(window.find('push button', 'Electrostatic Potential…', PAGE))
    window.wait_for_text('Where are the electrons of a molecule?')
    window.activate('win.run')
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('the surface of the density', lambda: levels(window) == ['Show Surface at 0.002 electrons/bohr³'])
    wait_until('the end of the job', window.is_idle)
    time.sleep(1)
    window.picture('orbitals-7-potential')


def look_at_water():
    window = Window(WATER)
    homo = first_look(window)
    walk_by_keys(window, homo)
    slide(window)
    told = enclose_more(window, homo)
    keep_another(window, told)
    to_the_form(window)
    path = keep(window)
    window.quit()
    look_at_session(path, told)


def look_at_wrong_norm():
    path = os.path.join(OUTPUT, 'wrong.molden')
    with open(path, 'w', encoding='ascii') as file:
        file.write(GAUSSIAN)
    window = Window(path)
    window.click(wait_until('the page', lambda: tab(window)))
    window.wait_for_text('one has the norm 1.44 and not 1', PAGE)
    window.wait_for_text('The density integrates to 2.88 electrons by the norms of the orbitals', PAGE)
    window.picture('orbitals-4-wrong')
    window.quit()


def look_at_hydrogen():
    """The formula stands beside the orbital, and the grid holds 3d, which reaches farther than 4 Å."""
    window = Window(os.path.join(os.path.dirname(WATER), 'hydrogen.molden'))
    window.click(wait_until('the page', lambda: tab(window)))
    window.wait_for_text('ψ = e⁻ʳ / √π', PAGE)
    window.activate('win.orbital', GLib.Variant('i', 9))
    window.wait_for_text('ψ = (3z² − r²) e⁻ʳᐟ³ / (81√(6π))', PAGE)
    wait_until('two lobes', lambda: len(levels(window)) == 2)
    assert level(window) == 'Surfaces at ψ = ±0.0057 bohr⁻³ᐟ²', level(window)
    window.picture('orbitals-8-hydrogen')
    window.quit()


def look_at_cube():
    """A map with its molecule; without orbitals there is no page of them."""
    path = os.path.join(OUTPUT, 'lobes.cube')
    with open(path, 'w', encoding='ascii') as file:
        file.write(CUBE)
    window = Window(path)
    window.wait_for_text('2 atoms')
    window.activate('win.show-page', GLib.Variant('s', 'scene'))
    wait_until('two lobes', lambda: len(levels(window)) == 2)
    assert window.find_all('check box', 'Show Molecule', LAYERS)
    assert tab(window) is None
    time.sleep(1)
    window.picture('orbitals-5-cube')
    window.quit()


look_at_water()
look_at_wrong_norm()
look_at_cube()
look_at_hydrogen()
