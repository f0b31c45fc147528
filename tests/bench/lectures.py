#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every command of the manual's page “From the lectures” with DEBYE_CLI on the samples (DEBYE_SAMPLES_DIR, else data/samples),
each in the same temporary folder: lectures.py [--timeout SECONDS] [--only TEXT] [--list]. Prints OK, NEEDS with the reason (a GPU, more
devices, MPI) or FAILED, seconds and the last lines; exits 1 if one failed. On a GPU it shows that every row of the page holds there."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / 'app' / 'help' / 'lectures.md'
SAMPLES = pathlib.Path(os.environ.get('DEBYE_SAMPLES_DIR', ROOT / 'data' / 'samples')).resolve()
CLI = os.path.abspath(os.environ['DEBYE_CLI']) if '/' in os.environ.get('DEBYE_CLI', '') else os.environ.get('DEBYE_CLI', 'debye-cli')
# What FILES are: of pairs in a cell a liquid, of all else a molecule with charges.
LIQUID, MOLECULE = ('water.psf', 'water.xtc'), ('protease.pqr',)
NEEDS = re.compile(r'needs a GPU|module of “cuda” is not installed|no GPU|cuda: no|expected at most \d+, as many as|matches no device|no device|there is no .*cuda|MPI|mpirun', re.I)


def split_cell(cell):
    """The commands of a cell; “likewise `within`” is the one before with another figure."""
    commands = []
    for text in re.findall(r'`([^`]+)`', cell):
        if text.startswith(('debye-cli', 'mpirun', 'for ')):
            commands.append(text)
        elif commands and re.fullmatch(r'[a-z0-9,-]+', text):
            figure = re.search(r'--(?:bins|batches|slices|size) ([a-z0-9,-]+)', commands[-1])
            if figure:
                commands.append(re.sub(rf'\b{figure[1]}\b', text, commands[-1]))
    return commands


def read_page():
    for line in PAGE.read_text(encoding='utf-8').splitlines():
        cells = [cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]]
        if len(cells) == 3 and cells[0] not in ('in the lecture', 'printed') and not cells[0].startswith('--'):
            for command in split_cell(cells[2]):
                yield cells[0], command


def fill(command):
    files = LIQUID if re.search(r' (rdf|export) ', command) else MOLECULE
    words = command.replace('FILES', ' '.join(files)).replace('\\|', '|')
    return re.sub(r'\bdebye-cli\b', f"'{CLI}'", words)


def write_inputs(folder):
    """The files that the page calls the class's own."""
    for name in LIQUID + MOLECULE:
        (folder / name).symlink_to(SAMPLES / name)
    run = {'cwd': folder, 'check': True, 'stderr': subprocess.STDOUT}
    with open(folder / 'mine.cu', 'w', encoding='utf-8') as file:
        subprocess.run([CLI, 'bench', '--show', 'const-coalesced'], stdout=file, **run)
    atoms = [(i % 10 * 3.0, i // 10 % 10 * 3.0, i // 100 * 3.0) for i in range(1000)]
    (folder / 'pos.d').write_text('30 30 30\n1000\n' + ''.join(f'{x + 0.3 * (i % 7) / 7} {y} {z}\n' for i, (x, y, z) in enumerate(atoms)),
                                  encoding='utf-8')
    subprocess.run([CLI, 'scattering', '--quiet', '--frames', '0', '--q', '0.05:1:0.05', '-o', 'I.h5', 'protease.pqr'],
                   stdout=subprocess.DEVNULL, **run)


def judge(command, folder, timeout):
    """A word, seconds, the last lines."""
    if command.startswith('mpirun') and shutil.which('mpirun') is None:
        return 'NEEDS', 0.0, 'mpirun'
    begin = time.monotonic()
    environment = dict(os.environ, DEBYE_SAMPLES_DIR=str(SAMPLES), OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    try:
        done = subprocess.run(['bash', '-c', fill(command)], cwd=folder, timeout=timeout, env=environment, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 'FAILED', time.monotonic() - begin, f'took longer than {timeout:.0f} s'
    text = done.stdout.decode('utf-8', 'replace').strip()
    last = '\n'.join(text.splitlines()[-3:])
    if done.returncode == 0:
        return 'OK', time.monotonic() - begin, last
    return 'NEEDS' if NEEDS.search(text) else 'FAILED', time.monotonic() - begin, last


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--timeout', type=float, default=300.0, help='seconds for a command')
    parser.add_argument('--only', default='', help='commands that have this text')
    parser.add_argument('--list', action='store_true', help='print the commands, run none')
    asked = parser.parse_args()
    counts = {'OK': 0, 'NEEDS': 0, 'FAILED': 0}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not asked.list:
            write_inputs(folder)
        for row, command in read_page():
            if asked.only not in command:
                continue
            if asked.list:
                print(f'{row}: {command}')
                continue
            word, seconds, last = judge(command, folder, asked.timeout)
            counts[word] += 1
            print(f'{word:6} {seconds:6.1f} s  {command}', flush=True)
            print(''.join(f'                 {line[:150]}\n' for line in last.splitlines()), end='', flush=True)
    if not asked.list:
        print(', '.join(f'{word}: {n}' for word, n in counts.items()))
    return 1 if counts['FAILED'] else 0


if __name__ == '__main__':
    sys.exit(main())
