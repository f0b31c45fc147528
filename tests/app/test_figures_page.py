#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Each command of the manual's page of figures makes its figure, here a small one, from the samples."""
import pathlib
import re
import shlex
import struct
import sys
import tempfile

import cli

PAGE = pathlib.Path(__file__).resolve().parents[2] / 'app' / 'help' / 'figures.md'
MAGIC = {'.png': b'\x89PNG', '.pdf': b'%PDF', '.svg': b'<?xml', '.h5': b'\x89HDF'}


def read_commands():
    blocks = re.findall(r'^```\n(.*?)^```$', PAGE.read_text(encoding='utf-8'), re.S | re.M)
    return [shlex.split(line)[1:] for block in blocks for line in block.splitlines()]


def shrink(words):
    """Pixels for a look, whatever page they are of; the last word given holds."""
    small = ['--threads', '2', '--quiet']
    if words[0] == 'render':
        small += ['--size', '96x72', '--samples', '1']
        words = ['3' if before == '--pictures' else word for before, word in zip([''] + words, words)]
    elif words[0] != 'sample':
        small += ['--dpi', '36']
    return words + small


def outputs_of(words):
    return [words[i + 1] for i, word in enumerate(words) if word == '-o']


def check_output(folder, name):
    path = folder / name
    if not path.exists():    # a movie in pictures
        path = next(iter(sorted(folder.glob(path.stem + '-*' + path.suffix))))
    content = path.read_bytes()
    assert content.startswith(MAGIC[path.suffix]), name
    assert path.suffix != '.png' or min(struct.unpack('>II', content[16:24])) >= 72, name


def write_measured(folder):
    """A twentieth of what is computed, with a background: the fit finds both."""
    cli.run('scattering', '--quiet', '--probe', 'xray', '--q', '0.02:0.6:0.02', '-o', 'model.csv', 'protease.pqr',
            folder=folder)
    rows = [line.split(',') for line in (folder / 'model.csv').read_text(encoding='utf-8').splitlines()
            if line[:1].isdigit()]
    assert len(rows) == 30, len(rows)
    (folder / 'saxs.dat').write_text(''.join(
        f'{float(row[0])} {0.05 * float(row[1]) + 3} {0.001 * float(row[1]) + 0.01}\n' for row in rows), encoding='utf-8')


def check_fit(folder):
    """The legend has the measured curve's name alone; what the fit found, a factor of 20 after 3 are taken off, is in the caption."""
    cli.run('scattering', '--quiet', '--probe', 'xray', '--q', '0.02:0.6:0.02', '-o', 'model.h5', 'protease.pqr', folder=folder)
    cli.run('figure', '--quiet', '--caption', '--columns', '1', '-o', 'fit.svg', 'model.h5+saxs.dat', folder=folder)
    texts = re.findall(r'<text[^>]*>(.*?)</text>', (folder / 'fit.svg').read_text(encoding='utf-8'))
    assert {'saxs', 'saxs.dat'} & set(texts), texts
    cli.run('scattering', '--quiet', '--probe', 'xray', '--q', '0.02:0.6:0.02', '--measured', 'saxs.dat', '-o', 'one.svg',
            'protease.pqr', folder=folder)
    one = re.sub(r'<[^>]*>', ' ', (folder / 'one.svg').read_text(encoding='utf-8'))
    assert re.search(r'saxs\.dat\s+is\s+0\.05\s+times\s+I\(q\)\s+and\s+a\s+background\s+of\s+3\b', one), one
    assert 'background 3 subtracted, × 20' in re.sub(r'<[^>]*>', '', ' '.join(texts)), texts


def main():
    commands = read_commands()
    assert len(commands) >= 14, len(commands)
    with tempfile.TemporaryDirectory(prefix='debye-figures-') as name:
        folder = pathlib.Path(name)
        for words in commands:
            if '--measured' in words:
                write_measured(folder)
            done = cli.run(*shrink(words), folder=folder)
            assert done.returncode == 0, (words, done.stderr)
            for output in outputs_of(words):
                if words[0] != 'sample':
                    check_output(folder, output)
        check_fit(folder)
    return 0


if __name__ == '__main__':
    sys.exit(main())
