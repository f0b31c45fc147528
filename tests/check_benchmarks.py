#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every benchmark in tests/bench is built by a target and stands in tests/bench/README.md, and all that stands there is
there: check_benchmarks.py ROOT. Prints what is missing and exits 1."""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    bench = root / 'tests/bench'
    page = set(re.findall(r'^\| `([a-z_]+)(?:\.py)?` \|', (bench / 'README.md').read_text(encoding='utf-8'), re.MULTILINE))
    builds = ''.join(path.read_text(encoding='utf-8') for path in (root / 'tests').glob('*/meson.build'))
    sources = {path for path in bench.iterdir() if path.suffix in ('.c', '.cu')}
    programs = {path.stem for path in sources if re.search(r'^main\(', path.read_text(encoding='utf-8'), re.MULTILINE)}
    scripts = {path.stem for path in bench.glob('*.py')}
    problems = [f'{path.relative_to(root)}: no meson.build names it' for path in sorted(sources)
                if not re.search(rf'\b{re.escape(path.name)}\b', builds)]
    problems += [f'tests/bench/README.md: expected a row for {name}' for name in sorted((programs | scripts) - page)]
    problems += [f'tests/bench/README.md: {name} is no benchmark here' for name in sorted(page - programs - scripts)]
    print('\n'.join(problems))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
