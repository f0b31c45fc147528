#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The closing line of a test run, "N passed, N failed", from Meson's log (and from further logs added up).
count_results.py --all-skipped SUITE LOG fails unless the log has tests of this suite and all of them were skipped."""
import json
import os
import sys


def read(paths):
    for path in paths:
        with open(path, encoding='utf-8') as log:
            yield from map(json.loads, log)


def is_of(entry, suite):
    """Meson writes "project:suite+suite / test"."""
    return suite in entry['name'].partition(' / ')[0].partition(':')[2].split('+')


def check_skipped(suite, paths):
    results = {entry['name']: entry['result'] for entry in read(paths) if is_of(entry, suite)}
    others = [f'{name} ({result})' for name, result in results.items() if result != 'SKIP']
    if others or not results:
        print(f'suite {suite}: expected {len(results) or "some"} skipped tests, found others: {", ".join(others) or "none at all"}')
    return 1 if others or not results else 0


def count(paths):
    passed, failed, skipped = 0, 0, []
    for entry in read(paths):
        result = entry['result']
        if result in ('OK', 'EXPECTEDFAIL'):
            passed += 1
        elif result == 'SKIP':
            skipped.append(entry['name'])
        else:
            failed += 1
            print(f'failed: {entry["name"]} ({result})')
    if skipped:
        why = '' if os.environ.get('DEBYE_SHARED') else ' (reference files: DEBYE_SHARED is not set)'
        print(f'skipped{why}: {", ".join(skipped)}')
    if skipped and os.environ.get('DEBYE_REQUIRE_ALL'):
        print('Every test is required here, so the skipped ones count as failed.')
        failed += len(skipped)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    if sys.argv[1] == '--all-skipped':
        sys.exit(check_skipped(sys.argv[2], sys.argv[3:]))
    sys.exit(count(sys.argv[1:]))
