#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the sources of the teaching variants as text that the program can show: write_texts.py OUTPUT FOLDER FILE..."""
import json
import pathlib
import sys


def main():
    output, folder, *paths = (pathlib.Path(argument) for argument in sys.argv[1:])
    lines = ['/* Made by kernels/ladder/write_texts.py from the sources of the teaching variants. */',
             '#include "kernels/ladder/ladder_texts.h"', '', 'const DebyeLadderText debye_ladder_texts[] = {']
    for path in paths:
        path = path.resolve()
        lines.append(f'    {{"{path.relative_to(folder.resolve()).as_posix()}",')
        lines += [f'     {json.dumps(line, ensure_ascii=False)}' for line in path.read_text(encoding='utf-8').splitlines(keepends=True)]
        lines.append('    },')
    lines += ['    {NULL, NULL},', '};', '']
    output.write_text('\n'.join(lines), encoding='utf-8')


if __name__ == '__main__':
    main()
