#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy 14 over the C files that need no GTK, with the checks of .clang-tidy: check_tidy.py ROOT BUILD_FOLDER [FILE...]
GTK's headers take most of the time and its widgets have little of what these checks look for. Prints what is found and exits 1."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = re.compile(r'(data|kernels|render|app/(?!window/))')


def find_files(root, build):
    entries = json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
    paths = {pathlib.Path(entry['directory'], entry['file']).resolve() for entry in entries}
    return sorted(path for path in paths if path.suffix == '.c' and root in path.parents
                  and FOLDERS.match(path.relative_to(root).as_posix()))


def main():
    root, build = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    tool = shutil.which('clang-tidy-14') or shutil.which('clang-tidy')
    if tool is None:
        print('clang-tidy is not installed')
        return 1
    if not (build / 'compile_commands.json').is_file():
        print(f'{build}: expected a build folder with compile_commands.json')
        return 1
    files = [pathlib.Path(name).resolve() for name in sys.argv[3:]] or find_files(root, build)

    def check(path):
        done = subprocess.run([tool, '-p', build, '--quiet', path], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode != 0 else ''

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(filter(None, pool.map(check, files)))
    print(''.join(problems) if problems else f'{len(files)} files have none of what .clang-tidy looks for')
    return 1 if problems or not files else 0


if __name__ == '__main__':
    sys.exit(main())
