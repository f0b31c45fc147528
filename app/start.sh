#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and opens Debye with a sample: a peptide in water, its electrostatic potential, its
# trajectory playing. Without a display it says so and writes the same picture into debye-sample.png.
#   app/start.sh [FILE...]        with files: opens those instead
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${DEBYE_BUILD_DIR:-$root/build}

"$root/app/setup.sh" program
if [ ! -f "$build/build.ninja" ]; then
  # gcc by name: the kernels' run-time choice of instructions is what it was tried with.
  CC=${CC:-gcc} meson setup "$build" "$root" --buildtype=release -Dtests=false
fi
ninja -C "$build" programs

export DEBYE_BACKEND_DIR=${DEBYE_BACKEND_DIR:-$build/kernels/cuda}
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -x "$build/app/debye" ]; then
  if [ $# -gt 0 ]; then exec "$build/app/debye" "$@"; fi
  exec "$build/app/debye" --sample helix
fi

echo "There is no display here, so the picture goes into a file."
picture=${DEBYE_PICTURE:-$PWD/debye-sample.png}
if [ $# -gt 0 ]; then
  "$build/app/debye-cli" render --output "$picture" "$@"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  "$build/app/debye-cli" sample helix --output "$folder" --quiet
  "$build/app/debye-cli" render --surface 150 --surface -150 --slice z:2 --map-select protein --padding 8 \
    --map-frames 0:-1:8 --spacing 0.7 --size 1280x800 \
    --output "$picture" "$folder"/helix.psf "$folder"/helix.xtc
fi
