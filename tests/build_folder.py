# SPDX-License-Identifier: MIT
"""What a build folder knows of the objects in it, for the checks that would otherwise compile again: check_headers.py, check_tidy.py."""
import collections
import functools
import json
import os
import pathlib
import subprocess


def read_includes(build):
    """{object: [what it was made of]}, as the compiler told ninja; nothing of objects that are not built."""
    told = subprocess.run(['ninja', '-C', build, '-t', 'deps'], capture_output=True, text=True, check=False).stdout
    includes, current = {}, None
    for line in told.splitlines():
        if line.startswith('    '):
            current.append(line.strip())
        elif line:
            name, _, state = line.partition(': #deps')
            current = []
            if state.endswith('(VALID)'):
                includes[name] = current
    return includes


@functools.lru_cache(None)
def get_time(path):
    return path.stat().st_mtime


class BuildFolder:
    def __init__(self, folder):
        self.folder, self.includes = folder, read_includes(folder)
        self.entries = collections.defaultdict(list)   # of compile_commands.json, by the path of the source
        for entry in json.loads((folder / 'compile_commands.json').read_text(encoding='utf-8')):
            self.entries[pathlib.Path(entry['directory'], entry['file']).resolve()].append(entry)

    @functools.lru_cache(None)
    def locate(self, name):
        return pathlib.Path(os.path.normpath(self.folder / name))

    def is_built(self, entry):
        """As its files are now: else what it includes may be another thing than what the compiler told."""
        made = self.folder / entry['output']
        names = self.includes.get(entry['output'])
        return names is not None and made.exists() and all(
            self.locate(name).exists() and get_time(self.locate(name)) <= made.stat().st_mtime for name in names)

    def get_files(self, entry):
        return {self.locate(name) for name in self.includes[entry['output']]}
