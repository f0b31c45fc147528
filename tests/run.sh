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
  # Without symbols for a debugger, which take a quarter of the build. Unquoted: one word per option.
  meson setup "$build" "$root" -Doptimization=2 -Ddebug=false ${DEBYE_MESON_OPTIONS:-}
fi
ninja -C "$build"
status=0
run() { # name of the log, arguments of `meson test`
  local log=$1
  shift
  meson test -C "$build" --no-rebuild --print-errorlogs --logbase "$log" "$@" || status=1
  logs+=("$build/meson-logs/$log.json")
}
logs=()
if [ $# -gt 0 ]; then
  run testlog "$@"
else
  # Tests of the window wait for much of their time: two more than there are cores, and beside them as many others as there are
  # cores, which would leave one idle at the end if there were less of them.
  suites=()
  [ "$all" = all ] || suites=(--no-suite long)
  n_cores=$(nproc)
  meson test -C "$build" --no-rebuild --print-errorlogs --logbase testlog-window --suite ui "${suites[@]}" \
    --num-processes $((n_cores + 2)) >"$build/window-tests.txt" 2>&1 &
  window=$!
  run testlog --no-suite ui "${suites[@]}" --num-processes "$n_cores" --timeout-multiplier 2
  window_status=0
  wait "$window" || window_status=1
  cat "$build/window-tests.txt"
  logs+=("$build/meson-logs/testlog-window.json")
  # A display shared with other tests can lose a click, and a measurement beside six of them can be disturbed. A test that failed
  # runs once more, alone; whether it then passed is said by name. More than five have a reason of their own.
  mapfile -t failed < <(/usr/bin/python3 "$root/tests/count_results.py" --failed "${logs[@]}")
  if [ ${#failed[@]} -ge 1 ] && [ ${#failed[@]} -le 5 ]; then
    status=0
    run testlog-again --num-processes 1 --timeout-multiplier 2 "${failed[@]}"
  else
    [ "$window_status" -eq 0 ] || status=1
  fi
  if [ "$all" != all ]; then
    left_out=$(meson test -C "$build" --no-rebuild --list --suite long 2>/dev/null | sed -n 's,^.* / ,,p' | paste -sd , | sed 's/,/, /g')
    echo "left out, as they take long (tests/run.sh --all runs them): $left_out"
  fi
fi
/usr/bin/python3 "$root/tests/count_results.py" "${logs[@]}" || status=1
exit $status
