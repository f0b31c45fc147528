#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each header compiles alone, with the flags of its folder: check_headers.py ROOT BUILD_FOLDER [HEADER...]
So whoever includes one need not know what it needs. The flags are those of compile_commands.json in the build folder.

Left out are fragments, which have no #pragma once as their includer sets macros and includes them several times, and headers of
device code (they include a .cuh), which nvcc compiles."""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import sources

# An option of make's dependency files or of the output, and its value.
WITH_VALUE = ('-o', '-MF', '-MQ', '-MT')
WITHOUT_VALUE = ('-c', '-MD', '-MMD')


def read_flags(root, build):
    """Folder: (where the compiler runs, its command without source and output). By folders, of which one file is enough."""
    flags = {}
    for entry in json.loads((build / 'compile_commands.json').read_text(encoding='utf-8')):
        source = pathlib.Path(entry['directory'], entry['file']).resolve()
        if source.suffix != '.c' or root not in source.parents:
            continue
        folder = source.parent.relative_to(root).as_posix()
        if folder in flags:
            continue
        words, command = iter(shlex.split(entry['command'])), []
        for word in words:
            if word in WITH_VALUE:
                next(words)
            elif word not in WITHOUT_VALUE and word != entry['file']:
                command.append(word)
        flags[folder] = entry['directory'], [word for word in command if os.path.basename(word) != 'ccache']
    return flags


def find_flags(flags, folder):
    """Those of the folder, or where it has no C file of its own those of one within it, or of one above it."""
    while folder:
        if folder in flags:
            return flags[folder]
        within = [name for name in flags if name.startswith(folder + '/')]
        if within:
            return flags[min(within)]
        folder = folder.rpartition('/')[0]
    return None


def compile_alone(root, flags, header):
    """What the compiler says of a file that includes nothing but this header."""
    known = find_flags(flags, header.parent.relative_to(root).as_posix())
    if known is None:
        return f'{header.relative_to(root)}: no file of its folder is built here\n'
    directory, command = known
    done = subprocess.run([*command, '-fsyntax-only', '-Werror', '-fdiagnostics-color=never', '-x', 'c', '-'], cwd=directory,
                          input=f'#include "{header}"\nextern int alone;\n', text=True, capture_output=True, check=False)
    return done.stderr if done.returncode != 0 else ''


def stands_alone(header):
    text = header.read_text(encoding='utf-8')
    return '#pragma once' in text and not re.search(r'#\s*include "[^"]+\.cuh"', text)


def main():
    root, build = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    flags = read_flags(root, build)
    # Layers that this build leaves out.
    built = [layer for layer in sources.LAYERS if find_flags(flags, layer)]
    headers = [pathlib.Path(name).resolve() for name in sys.argv[3:]]
    headers = headers or sorted(header for layer in built for header in (root / layer).rglob('*.h')
                                if stands_alone(header))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(filter(None, pool.map(lambda header: compile_alone(root, flags, header), headers)))
    print('\n'.join(problems) if problems else f'{len(headers)} headers compile alone')
    return 1 if problems or not headers else 0


if __name__ == '__main__':
    sys.exit(main())
