#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes the readers and the selection language, each for some seconds and as many at a time as there are cores, and fails
# on a finding.
#
#   tests/fuzz/run.sh SECONDS [TARGET...]
#
# Targets: pdb pqr gro psf xyz dcd xtc trr netcdf prmtop rst7 mdcrd lmpdata lmpdump mol2 crd namdbin cif tpr tng posd molden fchk cube_atoms h5md mdtraj
# netcdf4 hdf5 dx cube ccp4 packed wave force_field curve result session selection.
#
# Needs clang. The corpus begins with corpus.tar.xz, what earlier runs found worth keeping (keep_corpus.sh makes it anew), and
# with what was found once (regressions/); the sample files and, where DEBYE_SHARED is set, reference files below 64 KB are
# added.
# DEBYE_FUZZ_BUILD names the build folder (default: build-fuzz in the source folder).
set -eu

seconds=${1:?usage: tests/fuzz/run.sh SECONDS [TARGET...]}
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${DEBYE_FUZZ_BUILD:-$root/build-fuzz}
[ $# -gt 0 ] || set -- pdb pqr gro psf xyz dcd xtc trr netcdf prmtop rst7 mdcrd lmpdata lmpdump mol2 crd namdbin \
  cif tpr tng posd molden fchk cube_atoms h5md mdtraj netcdf4 hdf5 dx cube ccp4 packed wave force_field curve result session selection

export CC=clang
# shellcheck source=tests/compiler_cache.sh
. "$root/tests/compiler_cache.sh"
if [ ! -f "$build/build.ninja" ]; then
  meson setup "$build" "$root" -Dfuzz=true -Dcuda=disabled -Dgui=disabled -Db_lundef=false \
    -Db_sanitize=address,undefined -Dc_args='-fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined'
fi

# HDF5 loses memory of its own over broken objects. It also asks for as much as a damaged heap claims to be long, which
# costs nothing as the read that follows finds no such bytes: the memory that is touched is limited (-rss_limit_mb), and
# not what is asked for at once (-malloc_limit_mb).
export LSAN_OPTIONS="suppressions=$root/tests/support/lsan.supp:print_suppressions=0"
export ASAN_OPTIONS="allocator_may_return_null=1"

collect() {  # TARGET FOLDER
  for folder in "$root/data/samples" ${DEBYE_SHARED:+"$DEBYE_SHARED/data/$1" "$DEBYE_SHARED/data/map" "$DEBYE_SHARED/data/broken"}; do
    [ -d "$folder" ] || continue
    find "$folder" -maxdepth 1 -type f -name "*.$1" -size -64k | while read -r file; do
      cp -f "$file" "$2/$(basename "$folder")-$(basename "$file")"
    done
  done
  chmod -R u+w "$2"
}

# AMBER's files have many endings. The first letter of a text trajectory stands for the number of its atoms.
collect_amber() {  # TARGET FOLDER
  case $1 in
    netcdf) endings='nc ncrst' ;;
    prmtop) endings='prmtop parm7' ;;
    rst7) endings='rst7 inpcrd' ;;
    mdcrd) endings='mdcrd mdcrdbox' ;;
  esac
  for ending in $endings; do
    for file in ${DEBYE_SHARED:+"$DEBYE_SHARED/data/amber"/*"$ending" "$DEBYE_SHARED/data/broken"/*"$ending"}; do
      [ -f "$file" ] || continue
      copy=$2/$(basename "$(dirname "$file")")-$(basename "$file")
      if [ "$1" = mdcrd ]; then
        for letter in '\026' '!' '\374'; do
          { printf "$letter"; head -c 4000 "$file"; } > "$copy-$(printf '%s' "$letter" | tr -d '\\')"
        done
      else
        head -c 40000 "$file" > "$copy"
      fi
    done
  done
}

# LAMMPS' too. The beginning of a long file is a file.
collect_lammps() {  # TARGET FOLDER
  case $1 in
    lmpdata) endings='data lmp body' ;;
    lmpdump) endings='dump lammpstrj' ;;
  esac
  for ending in $endings; do
    for file in ${DEBYE_SHARED:+"$DEBYE_SHARED/data/lammps"/*."$ending" "$DEBYE_SHARED/data/broken"/*."$ending"}; do
      [ -f "$file" ] || continue
      head -c 8000 "$file" > "$2/$(basename "$(dirname "$file")")-$(basename "$file")"
    done
  done
}

selections() {  # FOLDER
  number=0
  while read -r line; do
    number=$((number + 1))
    printf '%s' "$line" > "$1/seed-$number"
  done << 'LINES'
all
protein and not hydrogen
name CA C N O and resid 1 to 10 15
resname "TIP*" or (water and within 3.5 of protein)
same residue as (x < 5 and charge > 0.2)
index 0 to 7 and bonded name CA
element H O and mass >= 1.0
segid SEG and chain A and backbone
LINES
}

seed() {  # TARGET FOLDER
  # What was found once.
  for file in "$root/tests/fuzz/regressions/$1"-*; do
    [ ! -f "$file" ] || cp -f "$file" "$2/"
  done
  case $1 in
    selection) selections "$2" ;;
    force_field)
      printf 'NONBONDED nbxmod 5 -\ncutnb 14.0\nOT 0.0 -0.1521 1.7682\n' > "$2/charmm"
      printf '[ defaults ]\n1 1\n[ atomtypes ]\nOT 8 16.0 0.0 A 2.6e-3 2.6e-6\n' > "$2/gromacs"
      collect_amber prmtop "$2" ;;
    wave) cp -f "$root"/data/samples/*.molden "$2/" ;;
    cube_atoms) collect cube "$2" ;;
    netcdf | prmtop | rst7 | mdcrd) collect_amber "$1" "$2" ;;
    lmpdata | lmpdump) collect_lammps "$1" "$2" ;;
    packed)
      for program in gzip bzip2 xz; do
        head -c 3000 "$0" | "$program" -c > "$2/once-$program"
        { cat "$2/once-$program"; head -c 8 /dev/zero; : | "$program" -c; } > "$2/more-$program"
      done ;;
    namdbin) { printf '\002\000\000\000'; head -c 48 /dev/zero; } > "$2/two-atoms" ;;
    session)
      printf '%s' '{"debye-session": 1, "files": [{"path": "a.pdb", "size": 3, "sha256": "", "sha256-of": "all"}], "scene": {' \
        '"camera": {"orientation": [0, 0, 0, 1], "target": [0, 0, 0], "height": 9.5}, "look": {"axes": true},' \
        '"layers": [{"kind": "clipping-plane", "properties": {"position": 0.5, "name": "\u00e4"}}]}}' \
        > "$2/seed" ;;
    curve) collect dat "$2"; collect csv "$2" ;;
    h5md | mdtraj | netcdf4 | hdf5) head -c 600 "$0" > "$2/recipe" ;;
    *) collect "$1" "$2" ;;
  esac
}

fuzz() {  # TARGET: its findings make it stand in $build/failed
  mkdir -p "$build/corpus/$1"
  seed "$1" "$build/corpus/$1"
  if "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
    -malloc_limit_mb=1000000000 -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/findings/$1-" "$build/corpus/$1" \
    > "$build/fuzz-$1.log" 2>&1; then
    echo "$1: $seconds s" $(grep -E 'number_of_executed_units|average_exec_per_sec' "$build/fuzz-$1.log")
  else
    tail -n 60 "$build/fuzz-$1.log"
    echo "$1" >> "$build/failed"
  fi
}

# What earlier runs kept.
mkdir -p "$build/corpus" "$build/findings"
tar -C "$build/corpus" -xJf "$root/tests/fuzz/corpus.tar.xz"

programs=()
for target in "$@"; do
  programs+=("tests/fuzz/fuzz_$target")
done
ninja -C "$build" "${programs[@]}" > "$build/fuzz-build.log" || { cat "$build/fuzz-build.log"; exit 1; }

# A fuzzer has one thread.
rm -f "$build/failed"
cores=$(nproc)
for target in "$@"; do
  while [ "$(jobs -rp | wc -l)" -ge "$cores" ]; do
    wait -n || true
  done
  fuzz "$target" &
done
wait
[ ! -f "$build/failed" ] || { echo "findings in: $(tr '\n' ' ' < "$build/failed")(kept in $build/findings)"; exit 1; }
