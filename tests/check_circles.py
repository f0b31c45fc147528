#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Circles of files that call one another, as the linker sees them: none has more than three files, and there are no more than
today. check_layers.py looks at include lines, which a shared private header hides.

check_circles.py BUILD_FOLDER"""
import collections
import pathlib
import subprocess
import sys

import sources

MOST_FILES = 3
# Only ever less.
MOST_CIRCLES = 6


def read_symbols(build):
    """Symbol: the object that defines it. Object: the symbols that it wants."""
    objects = sorted(path for layer in sources.LAYERS for path in (build / layer).rglob('*.c.o') if path.parent.suffix == '.p')
    lines = subprocess.run(['nm', '-A', '--defined-only', '-g', *objects], stdout=subprocess.PIPE, text=True, check=True).stdout
    defined = {line.rsplit(' ', 1)[1]: line.split(':', 1)[0] for line in lines.splitlines()}
    lines = subprocess.run(['nm', '-A', '-u', *objects], stdout=subprocess.PIPE, text=True, check=True).stdout
    wanted = collections.defaultdict(set)
    for line in lines.splitlines():
        wanted[line.split(':', 1)[0]].add(line.rsplit(' ', 1)[1])
    return defined, wanted


def find_circles(uses):
    """Sets of objects that reach one another."""
    reached = {}
    for name in uses:
        reached[name], waiting = set(), [name]
        while waiting:
            more = uses.get(waiting.pop(), set()) - reached[name]
            reached[name] |= more
            waiting += more
    circles = {frozenset(other for other in reached[name] if name in reached.get(other, ())) for name in uses}
    return sorted((sorted(pathlib.Path(name).name.removesuffix('.c.o') for name in circle) for circle in circles if len(circle) > 1),
                  key=len, reverse=True)


def main():
    defined, wanted = read_symbols(pathlib.Path(sys.argv[1]))
    uses = {name: {defined[symbol] for symbol in symbols if defined.get(symbol, name) != name} for name, symbols in wanted.items()}
    circles = find_circles(uses)
    problems = [f'{", ".join(circle)}: a circle of {len(circle)} files' for circle in circles if len(circle) > MOST_FILES]
    if len(circles) > MOST_CIRCLES:
        problems += [f'{len(circles)} circles, expected at most {MOST_CIRCLES}:', *map(', '.join, circles)]
    print('\n'.join(problems) or f'{len(circles)} circles, the largest of {len(circles[0])} files')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
