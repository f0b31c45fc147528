#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-format over every C file of the project: a file that it would change fails."""
import pathlib
import subprocess
import sys


def main(tool, root):
    folders = ('data', 'kernels', 'render', 'ui', 'app', 'tests')
    files = [str(path) for folder in folders for suffix in ('*.c', '*.h', '*.cu', '*.cuh')
             for path in sorted((pathlib.Path(root) / folder).rglob(suffix))]
    if not files:
        print('no source files found', file=sys.stderr)
        return 1
    return subprocess.run([tool, '--dry-run', '-Werror', '--style=file', *files], check=False).returncode


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:3]))
