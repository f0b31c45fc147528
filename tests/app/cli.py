# SPDX-License-Identifier: MIT
"""What the tests of debye-cli share: running it, reading what it wrote, and a sum to compare with."""
import json
import math
import os
import pathlib

import started_once

PROGRAM = os.environ['DEBYE_CLI']

# e²/(4πε₀) in V·Å and k_B in eV/K, CODATA 2018.
VOLT = 14.3996454784255
KT_PER_E = VOLT / (8.617333262145e-5 * 300.0)
KCAL = VOLT * 23.0605478306


def environment(**changes):
    result = {key: value for key, value in os.environ.items() if not key.startswith('LC_')}
    result.update({'LC_ALL': 'C', 'DEBYE_BACKEND_DIR': '/nonexistent', 'EGL_PLATFORM': 'surfaceless',
                   'LIBGL_ALWAYS_SOFTWARE': '1'})
    result.update(changes)
    return result


def run(*arguments, folder=None, env=None, timeout=120):
    return started_once.run(PROGRAM, arguments, folder=folder, env=env or environment(), timeout=timeout)


def run_json(*arguments, **options):
    done = run(*arguments, '--json', '--quiet', **options)
    if done.returncode != 0:
        raise AssertionError(f'{arguments}: exit {done.returncode}: {done.stderr}')
    return json.loads(done.stdout)


def write_pqr(path, atoms):
    """atoms: (name, residue, number, x, y, z, charge, radius)"""
    lines = [f'ATOM  {i + 1:5d} {name:<4s} {residue:>3s} A{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f} {q:7.4f} {r:6.4f}\n'
             for i, (name, residue, number, x, y, z, q, r) in enumerate(atoms)]
    pathlib.Path(path).write_text(''.join(lines) + 'END\n', encoding='ascii')


def write_pdb(path, atoms):
    """atoms: (name, residue, number, x, y, z)"""
    lines = [f'ATOM  {i + 1:5d} {name:<4s} {residue:>3s} A{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00\n'
             for i, (name, residue, number, x, y, z) in enumerate(atoms)]
    pathlib.Path(path).write_text(''.join(lines) + 'END\n', encoding='ascii')


def read_map_csv(path):
    """{(x, y, z): value} in the file's order, and the header's settings."""
    header, values = {}, []
    lines = pathlib.Path(path).read_text(encoding='utf-8').splitlines()
    while lines and lines[0].startswith('#'):
        key, _, value = lines.pop(0)[1:].partition(':')
        header[key.strip()] = value.strip()
    columns = lines.pop(0).split(',')
    if columns != ['x', 'y', 'z', 'potential']:
        raise AssertionError(f'{path}: columns {columns}')
    for line in lines:
        x, y, z, value = (float(field) for field in line.split(','))
        values.append(((x, y, z), value))
    return header, values


def read_dx(path):
    """(shape, origin, values z fastest)"""
    shape = origin = None
    values = []
    for line in pathlib.Path(path).read_text(encoding='utf-8').splitlines():
        words = line.split()
        if not words or words[0].startswith('#'):
            continue
        if line.startswith('object 1'):
            shape = [int(word) for word in words[-3:]]
        elif words[0] == 'origin':
            origin = [float(word) for word in words[1:4]]
        elif words[0][0] in '+-.0123456789n':
            values.extend(float(word) for word in words)
    return shape, origin, values


def coulomb(point, atoms):
    """The direct sum in double precision; atoms: (x, y, z, charge)."""
    return math.fsum(q / max(math.dist(point, (x, y, z)), 1e-3) for x, y, z, q in atoms)
