#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pictures of the first page, of the samples that a newcomer sees first: pictures.sh [DEBYE-CLI]. Without a background, for
# light and dark; without axes, scale bar and legend, since a card shows a part of its picture; plots without their caption, which
# is too small to be read there, in the shape of a card. Needs ImageMagick.
set -euo pipefail
cli=${1:-debye-cli}
cd "$(dirname "$0")"
draw() { # name, files and settings
  "$cli" render --quiet --size 480x280 --transparent --samples 16 --legend=false --axes=false --scale-bar=false \
    -o "$1.png" "${@:2}"
}
without_caption() { # name, pixels of the caption, size with a margin
  convert "$1.png" -gravity south -chop "0x$2" -gravity center -background white -extent "$3" -resize 600x \
    -strip -colors 64 "$1.png"
}
draw protease protease.pqr --spacing 0.7 --surface -10 --surface 200 --orbit 20,10
"$cli" rdf --quiet water.psf water.xtc --pair 'name OW' 'name OW' --max 12 --size 101.6x67.7mm -o water.png
"$cli" scattering --quiet salt.psf salt.xtc --kind total --q 0.3:8:0.1 --contrast-series --size 101.6x67.7mm \
  -o contrast.png
without_caption water 150 1320x768
without_caption contrast 70 1382x803
