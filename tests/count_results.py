#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The closing line of a test run, "N passed, N failed", from Meson's log (and from further logs added up)."""
import json
import os
import sys


def main(paths):
    passed, failed, skipped = 0, 0, []
    for path in paths:
        with open(path, encoding='utf-8') as log:
            for line in log:
                entry = json.loads(line)
                result = entry['result']
                if result == 'OK' or result == 'EXPECTEDFAIL':
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
    sys.exit(main(sys.argv[1:]))
