#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long a person waits: whole commands over a large box of water, from the shell's return key to the answer.

    end_to_end.py DEBYE_CLI MAKE_WATER [FOLDER] [--molecules N] [--frames N] [--repeat N] [--only PART] [-- OPTIONS]

Makes N³ molecules of water (70: 1,029,000 atoms) in FOLDER, once. Each job runs `--repeat` times, files in the page cache; the
fastest counts, with what its time went to by --timing. OPTIONS go to every job, such as --device cpu.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

JOBS = {
    'info': ['info', 'water.gro', 'water.xtc'],
    'rdf-xtc': ['rdf', 'water.gro', 'water.xtc', '--pair', 'name OW', 'name OW', '--max', '12', '-o', 'rdf.h5'],
    'partials-dcd': ['rdf', 'water.gro', 'water.dcd', '--partials', '--max', '12', '-o', 'partials.h5'],
    'coarse': ['map', 'water.gro', '--charges', 'charmm', '--method', 'ewald', '--spacing', '8', '-o', 'coarse.h5'],
    'ewald-one': ['map', 'water.gro', 'water.xtc', '--frames', '0', '--charges', 'charmm', '--method', 'ewald', '--spacing', '1', '-o', 'one.h5'],
    'ewald-ccp4': ['map', 'water.gro', 'water.xtc', '--frames', '0', '--charges', 'charmm', '--method', 'ewald', '--spacing', '1', '-o', 'one.ccp4'],
    'ewald': ['map', 'water.gro', 'water.xtc', '--charges', 'charmm', '--method', 'ewald', '--spacing', '1', '-o', 'ewald.h5'],
    'multilevel': ['map', 'water.gro', 'water.xtc', '--charges', 'charmm', '--method', 'multilevel', '--spacing', '1', '-o', 'multilevel.h5'],
    'scattering-one': ['scattering', 'water.gro', 'water.xtc', '--frames', '0', '--q', '0.1:3:0.1', '-o', 'one-q.h5'],
    'scattering': ['scattering', 'water.gro', 'water.xtc', '--q', '0.1:3:0.1', '-o', 'q.h5'],
}


def make_water(program, folder, n_molecules, n_frames):
    wanted = f'{n_molecules} {n_frames}\n'
    stamp = os.path.join(folder, 'water.txt')
    if os.path.exists(stamp):
        with open(stamp, encoding='utf-8') as file:
            if file.read() == wanted:
                return
    subprocess.run([*program, folder, str(n_molecules), str(n_frames)], check=True)
    with open(stamp, 'w', encoding='utf-8') as file:
        file.write(wanted)


def run(program, command, folder):
    """(seconds by the clock, {stage: seconds})."""
    begin = time.monotonic()
    done = subprocess.run([*program, *command, '--timing'], cwd=folder, check=False, capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise SystemExit(f'{" ".join(command)}: {done.stderr}')
    lines = [line for line in done.stderr.splitlines() if line.startswith('time: ')]
    return seconds, lines[-1][len('time: '):] if lines else ''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('debye_cli')
    parser.add_argument('make_water')
    parser.add_argument('folder', nargs='?', default=os.path.join(tempfile.gettempdir(), 'debye-water'))
    parser.add_argument('--molecules', type=int, default=70)
    parser.add_argument('--frames', type=int, default=20)
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--only', default='')
    words, options = sys.argv[1:], []
    if '--' in words:
        words, options = words[:words.index('--')], words[words.index('--') + 1:]
    settings = parser.parse_args(words)
    os.makedirs(settings.folder, exist_ok=True)
    make_water(settings.make_water.split(), settings.folder, settings.molecules, settings.frames)
    for name, command in JOBS.items():
        if settings.only not in name:
            continue
        further = [] if command[0] == 'info' else options
        runs = sorted(run(settings.debye_cli.split(), command + further, settings.folder) for _ in range(settings.repeat))
        print(json.dumps({'job': name, 'best': round(runs[0][0], 3), 'worst': round(runs[-1][0], 3), 'stages': runs[0][1]}),
              flush=True)


if __name__ == '__main__':
    main()
