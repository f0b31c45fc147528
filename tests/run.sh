#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and runs the tests: tests/run.sh [--all] [TEST...]
# Without arguments it leaves out the suite long; --all, or DEBYE_TESTS=all, runs that too. What else is given goes to
# `meson test`: names, --suite NAME. Ends with a line "N passed, N failed".
# Tests on reference files outside this repository run where DEBYE_SHARED names their folder; else they are skipped, and
# that is said.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${DEBYE_BUILD_DIR:-$root/build-tests}
all=${DEBYE_TESTS:-}
if [ "${1:-}" = --all ]; then
  all=all
  shift
fi

"$root/app/setup.sh" program tests
# shellcheck source=tests/compiler_cache.sh
. "$root/tests/compiler_cache.sh"
if [ ! -f "$build/build.ninja" ]; then
  # Unquoted: one word per option.
  meson setup "$build" "$root" --buildtype=debugoptimized ${DEBYE_MESON_OPTIONS:-}
fi
ninja -C "$build"
choice=("$@")
[ $# -gt 0 ] || [ "$all" = all ] || choice=(--no-suite long)
status=0
meson test -C "$build" --no-rebuild --print-errorlogs "${choice[@]}" || status=$?
if [ "${choice[*]}" = '--no-suite long' ]; then
  left_out=$(meson test -C "$build" --no-rebuild --list --suite long 2>/dev/null | sed -n 's,^.* / ,,p' | paste -sd , | sed 's/,/, /g')
  echo "left out, as they take long (tests/run.sh --all runs them): $left_out"
fi
/usr/bin/python3 "$root/tests/count_results.py" "$build/meson-logs/testlog.json" || status=1
exit $status
