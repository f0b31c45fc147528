#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The manual's pictures, by the program itself from its samples: make-pictures.sh [DEBYE-CLI]. 1,200 pixels wide, in true colour:
# they are seen on fine screens and in print. Needs ImageMagick, which packs them as small as they can be without a loss.
set -euo pipefail
cli=${1:-debye-cli}
cd "$(dirname "$0")/pictures"
samples=../../../data/samples
helix=("$samples/helix.psf" "$samples/helix.xtc")
salt=("$samples/salt.psf" "$samples/salt.xtc")
protease=$samples/protease.pqr
picture=(--quiet --size 1200x750 --samples 16)
plot=(--quiet --size 102x63mm)

# Symmetric levels, in a grid that cuts neither.
"$cli" render "${picture[@]}" --select protein --map-select protein --map-frames 0:-1:8 --spacing 0.5 --padding 8 --zoom 0.95 \
  --surface -150 --surface 150 --opacity 0.45 --legend -o surfaces.png "${helix[@]}"
"$cli" render "${picture[@]}" --slice z:18 --contours auto --padding 10 --spacing 0.8 --legend --axes --scale-bar -o slice.png "$protease"
"$cli" render "${picture[@]}" --electrostatic --legend --scale-bar -o electrostatic.png "$protease"
"$cli" render "${picture[@]}" --style cartoon --color structure --color-legend --zoom 0.95 -o cartoon.png "$protease"
"$cli" rdf "${plot[@]}" --pair 'element O' 'element O' --max 10 -o pairs.png "${salt[@]}"
"$cli" scattering "${plot[@]}" --probe xray --orientation exact --q 0.02:1.2:0.01 --log xy -o formula.png "$protease"
"$cli" scattering "${plot[@]}" --probe xray --kind coherent --q 0.3:8:0.05 -o lattice.png "${salt[@]}"
"$cli" scattering "${plot[@]}" --kind incoherent --dynamic --orientation exact --q 0.5,1,1.5,2 --divide first -o time.png "${salt[@]}"

# The page of figures, by its own commands.
water=("$samples/water.psf" "$samples/water.xtc")
page=(--quiet --preset nature --dpi 150)
results=$(mktemp -d)
trap 'rm -r "$results"' EXIT
"$cli" rdf "${page[@]}" --pair 'element O' 'element O' --pair 'element O' 'element H' --exclude molecule --max 8 --second coordination \
  -o figure-pairs.png -o "$results/pairs.h5" "${water[@]}"
"$cli" scattering "${page[@]}" --kind incoherent --dynamic --q 0.5,1,1.5,2.5 --log x --divide first -o figure-relaxation.png \
  -o "$results/relaxation.h5" "${water[@]}"
"$cli" figure "${page[@]}" --columns 3 -o figure-panels.png "$results/pairs.h5" "$results/pairs.h5:coordination" \
  "$results/relaxation.h5:F_normalised"
mogrify -strip -define png:compression-level=9 ./*.png
