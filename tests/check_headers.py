#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each header compiles alone, with the flags of its folder: check_headers.py ROOT BUILD_FOLDER [HEADER...]
So whoever includes one need not know what it needs. The flags are those of compile_commands.json in the build folder.

A header that is the first thing in a C file of its folder has compiled alone when that file was compiled: nine of ten are, and of those
none is compiled here again if the object in the build folder is up to date.

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
from build_folder import BuildFolder

# An option of make's dependency files or of the output, and its value.
WITH_VALUE = ('-o', '-MF', '-MQ', '-MT')
WITHOUT_VALUE = ('-c', '-MD', '-MMD')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
FIRST_INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
# The compiler warns of one that nobody uses, which a C file that begins with the header may do.
STATIC = re.compile(r'^\s*static\s+(?!inline\b)', re.M)


def strip_command(entry):
    """Without source and output."""
    words, command = iter(shlex.split(entry['command'])), []
    for word in words:
        if word in WITH_VALUE:
            next(words)
        elif word not in WITHOUT_VALUE and word != entry['file']:
            command.append(word)
    return command


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
        flags[folder] = entry['directory'], strip_command(entry)
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


def get_options(command):
    """All but folders, of which each library has one of its own."""
    return {word for word in command if not word.startswith('-I')}


def find_first_included(root, build, flags):
    """Headers that the C files in this build begin with. Of a folder that is compiled for several instruction sets only files with the
    flags of the folder count."""
    found, built = set(), BuildFolder(build)
    for source, entries in built.entries.items():
        if source.suffix != '.c' or root not in source.parents:
            continue
        options = get_options(flags[source.parent.relative_to(root).as_posix()][1])
        if not any(get_options(strip_command(entry)) == options and built.is_built(entry) for entry in entries):
            continue
        first = FIRST_INCLUDE.match(COMMENT.sub('', source.read_text(encoding='utf-8')))
        # From the root or, as the compiler looks there before, from the folder of the source; with the flags of that folder.
        if first is not None and first[1] in (str(source.parent.relative_to(root) / pathlib.Path(first[1]).name),
                                              pathlib.Path(first[1]).name):
            found.add(source.parent / pathlib.Path(first[1]).name)
    return {header for header in found if header.is_file() and not STATIC.search(header.read_text(encoding='utf-8'))}


def compile_alone(root, flags, folder, header):
    """What the compiler says of a file that includes nothing but this header. It is a file and not standard input, whose name from
    where the compiler runs is the same in every clone, so that a compiler cache knows it."""
    name = header.relative_to(root)
    known = find_flags(flags, name.parent.as_posix())
    if known is None:
        return f'{name}: no file of its folder is built here\n'
    directory, command = known
    alone = folder / f'{"-".join(name.parts)}.c'
    alone.write_text(f'#include "{name.as_posix()}"\nextern int alone;\n', encoding='utf-8')
    source = os.path.relpath(alone, directory)
    done = subprocess.run([*command, '-Werror', '-fdiagnostics-color=never', '-c', source, '-o', f'{source}.o'], cwd=directory,
                          text=True, capture_output=True, check=False)
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
    folder = build / 'headers-alone'
    folder.mkdir(exist_ok=True)
    first = find_first_included(root, build, flags)
    left = [header for header in headers if header not in first]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(filter(None, pool.map(lambda header: compile_alone(root, flags, folder, header), left)))
    print('\n'.join(problems) if problems else f'{len(headers)} headers compile alone, {len(left)} of them compiled for this')
    return 1 if problems or not headers else 0


if __name__ == '__main__':
    sys.exit(main())
