#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pictures of the first page, of the samples beside this script: pictures.sh [DEBYE-CLI]. Without a background, for
# light and dark; without axes, scale bar and legend, since a card shows a part of its picture.
set -euo pipefail
cli=${1:-debye-cli}
cd "$(dirname "$0")"
draw() { # name, files and settings
  "$cli" render --quiet --size 480x320 --transparent --samples 16 --legend=false --axes=false --scale-bar=false \
    -o "$1.png" "${@:2}"
}
draw helix helix.psf helix.xtc --select protein --map-select protein --map-frames 0:-1:8 --spacing 0.7 \
  --surface -20 --surface 200 --zoom 1.3
draw protease protease.pqr --spacing 1 --surface -10 --surface 200 --orbit 20,10
draw salt salt.psf salt.xtc --map-select ion --spacing 0.6 --surface 50 --surface -50 --orbit 25,15
"$cli" scattering --quiet salt.psf salt.xtc --kind total --q 0.3:8:0.1 --contrast-series --plot-size 101.6x67.7 \
  -o contrast.png
