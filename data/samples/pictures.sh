#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The sample cards of the start page: pictures.sh [DEBYE-CLI]. Pictures have no background, for light and dark windows, and no axes,
# scale bar or legend, because a card crops its picture. Plots have no caption: it would be too small to read. Needs ImageMagick.
set -euo pipefail
cli=${1:-debye-cli}
cd "$(dirname "$0")"
draw() { # name, files and settings
  "$cli" render --quiet --size 600x350 --transparent --samples 16 --legend=false --axes=false --scale-bar=false \
    --provenance=false -o "$1.png" "${@:2}"
}
without_caption() { # name, pixels of the caption, size with a margin
  convert "$1.png" -gravity south -chop "0x$2" -gravity center -background white -extent "$3" -resize 600x \
    -strip -colors 64 "$1.png"
}
# From -5 to 5 kT/e in water.
draw protease protease.pqr --electrostatic --orbit 110,10
"$cli" rdf --quiet water.psf water.xtc --pair 'name OW' 'name OW' --max 12 --size 101.6x67.7mm -o water.png
# The series alone: the total is that of 0 % deuterium and would lie under it.
"$cli" scattering --quiet salt.psf salt.xtc --kind total --q 0.3:8:0.1 --contrast-series --size 101.6x67.7mm \
  --curve '*: solid' --curve 'total: hidden' --curve 'coherent: hidden' --curve 'incoherent: hidden' -o contrast.png
without_caption water 150 1320x768
without_caption contrast 70 1382x803
