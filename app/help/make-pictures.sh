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
page=(--quiet --preset nature --dpi 350)
results=$(mktemp -d)
trap 'rm -r "$results"' EXIT
"$cli" rdf "${page[@]}" --pair 'element O' 'element O' --pair 'element O' 'element H' --exclude molecule --max 8 --second coordination \
  -o figure-pairs.png -o "$results/pairs.h5" "${water[@]}"
"$cli" scattering "${page[@]}" --kind incoherent --dynamic --q 0.5,1,1.5,2.5 --log x --divide first -o figure-relaxation.png \
  -o "$results/relaxation.h5" "${water[@]}"
"$cli" figure "${page[@]}" --columns 3 -o figure-panels.png "$results/pairs.h5" "$results/pairs.h5:coordination" \
  "$results/relaxation.h5:F_normalised"
# Its views.
view=(--quiet --size 89x66mm --dpi 350 --samples 16)
shrink() { # name, ImageMagick's words
  convert "${@:2}" -background white -alpha remove -resize 1200x -strip "PNG24:figure-$1.png"
}
side_by_side() { # name, files
  shrink "$1" "${@:2}" -resize x720 -bordercolor white -border 10x0 +append
}
"$cli" render "${view[@]}" --electrostatic --zoom 0.8 -o "$results/surface.png" "$protease"
"$cli" render "${view[@]}" --padding 10 --spacing 0.8 --layer 'slice z, contours auto' -o "$results/slice.png" "$protease"
"$cli" render "${view[@]}" --layer 'chain A B: cartoon, chain' --layer 'chain C: sticks, element' \
  --layer 'chain A and resid 25: labels "Asp 25 (A)", leaders' --layer 'chain B and resid 25: labels "Asp 25 (B)", leaders' \
  --layer 'chain A and resid 50: labels "Ile 50", leaders' -o "$results/ligand.png" "$protease"
"$cli" render --quiet --preset slide-dark --transparent --style cartoon --color chain -o "$results/slide.png" "$protease"
"$cli" figure --quiet --preset slide-dark -o "$results/slide-plots.png" "$results/pairs.h5" "$results/relaxation.h5:F_normalised"
"$cli" render --quiet --size 640x360 --samples 16 --pictures 4 --turn 90 -o "$results/turn.png" "$protease"
camera=("${view[@]}" --select protein --style cartoon --camera "$results/view.ini")
"$cli" render "${camera[@]}" --zoom 0.75 --frames 0 -o "$results/first.png" "${helix[@]}"
"$cli" render "${camera[@]}" --frames 40 -o "$results/last.png" "${helix[@]}"
"$cli" render --quiet --size 2000x1500 --style cartoon --color structure -o "$results/poster.png" "$protease"
# A measurement of which the scale, the background and the noise are known.
"$cli" scattering --quiet --probe xray --q 0.01:0.6:0.01 -o "$results/model.csv" "$protease"
awk -F, 'BEGIN { srand(7) } /^[0-9]/ { error = 0.02 * $2 + 0.001; noise = sqrt(-2 * log(1 - rand())) * cos(6.28318530718 * rand())
  print $1, 0.05 * $2 + 3 + 0.05 * error * noise, 0.05 * error }' "$results/model.csv" > "$results/saxs.dat"
"$cli" scattering "${page[@]}" --probe xray --q 0.01:0.6:0.01 --measured "$results/saxs.dat" --log xy --residuals \
  --curve 'saxs.dat: "measured"' -o figure-intensity.png "$protease"
for name in surface slice ligand poster; do
  shrink "$name" "$results/$name.png"
done
side_by_side frames "$results/first.png" "$results/last.png"
convert "$results"/turn-*.png -bordercolor white -border 6 miff:- | montage - -tile 2x2 -geometry +0+0 "$results/turns.png"
shrink movie "$results/turns.png"
# The view lies on a dark slide.
convert "$results/slide.png" -background '#202020' -alpha remove "$results/slide-page.png"
shrink slide "$results/slide-page.png" "$results/slide-plots.png" -resize 1200x -append
mogrify -strip -define png:compression-level=9 ./*.png
