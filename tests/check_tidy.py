#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy 14 over the C files that need no GTK, with the checks of .clang-tidy: check_tidy.py ROOT BUILD_FOLDER [FILE...]
GTK's headers take most of the time and its widgets have little of what these checks look for. Prints what is found and exits 1.

A file in which nothing was found is not looked at again while it, all that it includes, its command, the checks and clang-tidy are the
same: what is known stands in ~/.cache/debye-tidy, or in the folder that DEBYE_TIDY_CACHE names; empty, nothing is known."""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from build_folder import BuildFolder

FOLDERS = re.compile(r'(data|kernels|render|app/(?!window/))')


def find_files(root, build):
    entries = json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
    paths = {pathlib.Path(entry['directory'], entry['file']).resolve() for entry in entries}
    return sorted(path for path in paths if path.suffix == '.c' and root in path.parents
                  and FOLDERS.match(path.relative_to(root).as_posix()))


@functools.lru_cache(None)
def hash_file(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Known:
    """Files in which nothing was found before."""

    def __init__(self, root, build, tool):
        self.root = root
        folder = os.environ.get('DEBYE_TIDY_CACHE', os.path.expanduser('~/.cache/debye-tidy'))
        self.folder = pathlib.Path(folder) if folder else None
        version = subprocess.run([tool, '--version'], capture_output=True, text=True, check=True).stdout
        # The processor of this machine, which is no matter of the checks, stands in the last lines.
        self.common = [line for line in version.splitlines() if 'version' in line] + [hash_file(root / '.clang-tidy')]
        self.built = BuildFolder(build)
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def describe(self, entry):
        """Without the folder of this clone."""
        files = sorted((str(path).replace(f'{self.root}/', ''), hash_file(path)) for path in self.built.get_files(entry))
        return [entry['command'].replace(str(self.root), ''), files]

    def find(self, path):
        """Where it stands that nothing was found; None: that can't be known."""
        entries = self.built.entries[path]
        if self.folder is None or not entries or not all(map(self.built.is_built, entries)):
            return None
        text = json.dumps([self.common, sorted(self.describe(entry) for entry in entries)])
        return self.folder / hashlib.sha256(text.encode()).hexdigest()


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

    known = Known(root, build, tool)

    def check(path):
        place = known.find(path)
        if place is not None and place.exists():
            return ''
        done = subprocess.run([tool, '-p', build, '--quiet', path], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stdout
        if place is not None:
            place.touch()
        return ''

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(filter(None, pool.map(check, files)))
    print(''.join(problems) if problems else f'{len(files)} files have none of what .clang-tidy looks for')
    return 1 if problems or not files else 0


if __name__ == '__main__':
    sys.exit(main())
