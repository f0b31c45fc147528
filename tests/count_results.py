#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The closing line of a test run, "N passed, N failed", from Meson's log (and from further logs added up; of a test that ran again the
last result counts, and that it failed before is said).
count_results.py --all-skipped SUITE LOG fails unless the log has tests of this suite and all of them were skipped.
count_results.py --failed LOG prints the names of those that failed, a line each."""
import json
import os
import sys

LAST_LINES = 30


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


def is_failure(result):
    return result not in ('OK', 'EXPECTEDFAIL', 'SKIP')


def print_end(entry):
    """Of what a test that failed said, as the log that it stands in is long."""
    lines = [line for stream in ('stdout', 'stderr') for line in (entry.get(stream) or '').splitlines()]
    print(f'{entry["name"]}: {entry["result"]} after {entry["duration"]:.0f} s:', *lines[-LAST_LINES:], sep='\n  ')


def last_results(paths):
    results = {}
    for entry in read(paths):
        name, result = entry['name'], entry['result']
        if is_failure(result):
            print_end(entry)
        if is_failure(results.get(name, 'OK')) and not is_failure(result):
            print(f'unsteady: {name} failed ({results[name]}) and passed when it ran again')
        results[name] = result
    return results


def count(paths):
    passed, failed, skipped = 0, 0, []
    for name, result in last_results(paths).items():
        if is_failure(result):
            failed += 1
            print(f'failed: {name} ({result})')
        elif result == 'SKIP':
            skipped.append(name)
        else:
            passed += 1
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
    if sys.argv[1] == '--failed':
        print(*(entry['name'].partition(' / ')[2] + '\n' for entry in read(sys.argv[2:]) if is_failure(entry['result'])), sep='', end='')
        sys.exit()
    sys.exit(count(sys.argv[1:]))
