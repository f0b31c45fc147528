#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The manual's pictures, by the program itself from its samples: make-pictures.sh [DEBYE-CLI]. As small as they can be
# while they stay clear: they are part of the program.
set -euo pipefail
cli=${1:-debye-cli}
cd "$(dirname "$0")/pictures"
samples=../../../data/samples
helix=("$samples/helix.psf" "$samples/helix.xtc")
salt=("$samples/salt.psf" "$samples/salt.xtc")
picture=(--quiet --size 600x375 --samples 16)
plot=(--quiet --size 100x62mm)

"$cli" render "${picture[@]}" --select protein --map-select protein --map-frames 0:-1:8 --spacing 0.7 --zoom 0.85 \
  --surface -20 --surface 200 -o surfaces.png "${helix[@]}"
"$cli" render "${picture[@]}" --slice z --padding 10 --spacing 0.8 --legend --axes --scale-bar -o slice.png "$samples/protease.pqr"
"$cli" render --quiet --size 1000x540 --samples 16 --electrostatic --legend --scale-bar -o electrostatic.png "$samples/protease.pqr"
"$cli" render "${picture[@]}" --style cartoon --color structure --zoom 0.95 -o cartoon.png "$samples/protease.pqr"
"$cli" rdf "${plot[@]}" --pair 'element O' 'element O' --max 10 -o pairs.png "${salt[@]}"
"$cli" scattering "${plot[@]}" --probe xray --orientation exact --q 0.02:1.2:0.01 -o formula.png "$samples/protease.pqr"
"$cli" scattering "${plot[@]}" --probe xray --kind coherent --q 0.3:8:0.05 -o lattice.png "${salt[@]}"
"$cli" scattering "${plot[@]}" --kind incoherent --dynamic --orientation exact --q 0.5,1,1.5,2 -o time.png "${salt[@]}"

# The page of figures, by its own commands.
water=("$samples/water.psf" "$samples/water.xtc")
page=(--quiet --preset nature --dpi 150)
results=$(mktemp -d)
trap 'rm -r "$results"' EXIT
"$cli" rdf "${page[@]}" --pair 'element O' 'element O' --pair 'element O' 'element H' --exclude molecule --max 8 --second coordination \
  --second-range 0:30 -o figure-pairs.png -o "$results/pairs.h5" "${water[@]}"
"$cli" scattering "${page[@]}" --kind incoherent --dynamic --q 0.5,1,1.5,2.5 --log x --divide first -o figure-relaxation.png \
  -o "$results/relaxation.h5" "${water[@]}"
"$cli" figure "${page[@]}" --columns 3 -o figure-panels.png "$results/pairs.h5" "$results/pairs.h5:coordination" \
  "$results/relaxation.h5:F_normalised"
