#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A display, a session bus and an empty home for one test of the window: run_window.sh DEBYE SOURCE OUTPUT TEST [ARGS…]
# OUTPUT is a folder for pictures and files. Exits with 77 (skipped) where what drives a window is not installed.
set -euo pipefail
for program in xvfb-run dbus-run-session xcompmgr xdotool import; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
# Absolute: a test may change its folder.
debye=$(realpath "$1") source=$2 output=$3
shift 3
mkdir -p "$output"
home=$(mktemp -d)
# Daemons of the session may still be writing when it ends.
trap 'rm -rf "$home" 2>/dev/null || { sleep 1; rm -rf "$home"; }' EXIT
export HOME=$home XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_DATA_HOME=$home/data XDG_RUNTIME_DIR=$home/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
# Critical messages end a test in C. A script reads those of the program in its log (window_driver.py); what its own library of
# accessibility says of itself is not Debye's.
[[ $1 == *python3 ]] || export G_DEBUG=fatal-criticals
export GSETTINGS_BACKEND=memory LIBGL_ALWAYS_SOFTWARE=1 NO_AT_BRIDGE=0 GTK_A11Y=${GTK_A11Y:-atspi}
# What toasts say stands in the log, too.
export G_MESSAGES_DEBUG=debye-toast
# A desktop's portal, where one is installed, would be started and keep folders in the home.
export ADW_DISABLE_PORTAL=1
# llvmpipe of Mesa 22.3 frees fences that its threads still signal (lp_fence_signalled() looks without the lock). With freed memory
# overwritten, as meson wants it, the window waits for ever then.
export MALLOC_PERTURB_=0
export DEBYE_SAMPLES_DIR=$source/data/samples DEBYE_BACKEND_DIR=$home/none
mkdir -p "$XDG_CONFIG_HOME/gtk-4.0"
printf '[Settings]\ngtk-enable-animations=false\n' >"$XDG_CONFIG_HOME/gtk-4.0/settings.ini"
# A view that stands still stays a sketch: drawing four samples of each pixel took up to a third of such a test. The scene's own test
# looks at the mean of several, and meson.build says which tests of the window have one or four.
export DEBYE_STILL_SAMPLES=${DEBYE_STILL_SAMPLES:-0}
# What llvmpipe compiles is compiled once for all tests of a build.
export MESA_SHADER_CACHE_DIR=$(dirname "$output")/shaders
export DEBYE=$debye OUTPUT=$output
# Displays that start at the same time would take the same number.
number=$((100 + RANDOM % 800))
# Popovers need a compositor, else they stand in black boxes.
xvfb-run -a -n $number -s '-screen 0 1280x800x24' dbus-run-session -- bash -c 'xcompmgr >/dev/null 2>&1 & "$@"; status=$?; kill %1; exit $status' window "$@"
