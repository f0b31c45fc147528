#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and runs all tests. Ends with a line "N passed, N failed".
# Tests on reference files outside this repository run where DEBYE_SHARED names their folder; else they are skipped, and
# that is said.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${DEBYE_BUILD_DIR:-$root/build-tests}

"$root/app/setup.sh" program tests
if [ ! -f "$build/build.ninja" ]; then
  CC=${CC:-gcc} meson setup "$build" "$root" --buildtype=debugoptimized ${DEBYE_MESON_OPTIONS:-}
fi
ninja -C "$build"
status=0
meson test -C "$build" --no-rebuild --print-errorlogs "$@" || status=$?
/usr/bin/python3 "$root/tests/count_results.py" "$build/meson-logs/testlog.json" || status=1
exit $status
