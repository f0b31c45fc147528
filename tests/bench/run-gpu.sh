#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything about the kernels that needs a GPU, in one go on a bare machine with meson, gcc and nvcc: build, tests,
# compute-sanitizer, benchmarks on 1, 2 and 4 GPUs. From the root of the source tree:
#
#   tests/bench/run-gpu.sh [BUILD_FOLDER]
#
# The last lines are the figures for tests/bench/RESULTS.md; the exit status is not 0 where a test failed.
set -u
build=${1:-build-gpu}
architecture=${GPU_ARCHITECTURE:-native}
status=0

say() {
  printf '\n== %s (%s s)\n' "$*" "$(($(date +%s) - begin))"
}

# Runs a check with a time limit of its own and remembers that it failed.
check() {
  limit=$1
  shift
  timeout "$limit" "$@" || {
    printf 'FAILED (%s): %s\n' "$?" "$*"
    status=1
  }
}

begin=$(date +%s)
say build
[ -f "$build/build.ninja" ] || meson setup "$build" -Dkernels_only=true -Dcuda=enabled \
  -Dgpu_architectures="$architecture" >"$build.log" 2>&1 || { tail -30 "$build.log"; exit 1; }
ninja -C "$build" >"$build.log" 2>&1 || { tail -30 "$build.log"; exit 1; }
grep -i warning "$build.log"
DEBYE_BACKEND_DIR=$(cd "$build" && pwd)/kernels/cuda
export DEBYE_BACKEND_DIR
n_gpus=$(nvidia-smi -L | wc -l)
nvidia-smi -L

say tests
# Each test has a limit in tests/kernels/meson.build, for one device; a body runs on every device that there is. With several
# GPUs and many cores pair_histogram alone takes two minutes.
meson test -C "$build" --no-rebuild --suite kernels --print-errorlogs --timeout-multiplier $((1 + n_gpus)) || {
  echo 'FAILED: tests of the kernels'
  status=1
}

# The first GPU is enough, and the tests' maps are small.
for tool in memcheck racecheck; do
  [ -z "${SKIP_SANITIZER:-}" ] || continue
  for test in test_direct test_nearest test_cutoff test_cutoff_frames test_ewald test_multilevel test_ion_field test_ladder test_ladder_counts test_ladder_density test_ladder_fields test_isosurface test_surface_mesh test_scattering_amplitude test_scattering_lattice; do
    say "compute-sanitizer $tool $test"
    CUDA_VISIBLE_DEVICES=0 check 240 compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$build/tests/kernels/$test" cuda
  done
done

# Two plans at a time on one device; races within the kernels are looked for above.
[ -n "${SKIP_SANITIZER:-}" ] || {
  say "compute-sanitizer memcheck test_potential_series_lanes"
  CUDA_VISIBLE_DEVICES=0 check 240 compute-sanitizer --tool memcheck --error-exitcode 9 \
    "$build/tests/kernels/test_potential_series_lanes" cuda
}

if [ -z "${SKIP_SANITIZER:-}" ]; then
  for tile in 0 32 64 128 256; do
    say "compute-sanitizer memcheck test_pair_histogram, tiles of $tile"
    CUDA_VISIBLE_DEVICES=0 check 120 compute-sanitizer --tool memcheck --error-exitcode 9 \
      "$build/tests/kernels/test_pair_histogram" cuda $tile
  done
  # Every access to shared memory is followed: the whole test takes many times as long.
  for body in edges 'bin widths' exclusions 'some pairs' nearest cancelled cells; do
    say "compute-sanitizer racecheck test_pair_histogram, tiles of 64 and 128, $body"
    for tile in 64 128; do
      CUDA_VISIBLE_DEVICES=0 check 120 compute-sanitizer --tool racecheck --error-exitcode 9 \
        "$build/tests/kernels/test_pair_histogram" cuda $tile "$body"
    done
  done
fi

for tool in memcheck racecheck; do
  [ -z "${SKIP_SANITIZER:-}" ] || continue
  for test in test_correlation test_scattering_self test_displacement_histogram; do
    say "compute-sanitizer $tool $test"
    CUDA_VISIBLE_DEVICES=0 check 240 compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$build/tests/kernels/$test" cuda
  done
done

figures=$build/figures.txt
bench() {
  timeout 60 "$build/tests/bench/bench_direct" "$@" | tee -a "$figures"
}

: >"$figures"
say "shapes of the kernel"
timeout 60 "$build/tests/bench/bench_direct_shapes" 256 16384 | tee "$build/shapes.txt"

say "cutoff: shapes and sizes"
timeout 60 "$build/tests/bench/bench_cutoff_shapes" 400

one=cuda:0
two=cuda:0,cuda:1
four=cuda:0,cuda:1,cuda:2,cuda:3
choices=$one
[ "$n_gpus" -ge 2 ] && choices="$choices $two"
[ "$n_gpus" -ge 4 ] && choices="$choices $four"
say "maps"
# Unquoted: one argument a choice.
bench --repeat 5 --grid 256 --atoms 16384 $choices auto cpu
bench --repeat 3 --grid 512 --atoms 16384 $choices
bench --repeat 2 --grid 256 --atoms 1000000 $one
bench --repeat 5 --grid 64 --atoms 1000 $one
bench --repeat 2 --grid 128 --atoms 16384 --double $one
bench --repeat 3 --grid 128 --atoms 16384 --nearest $one
bench --repeat 2 --grid 128 --atoms 4096 --nearest --double $one
for level in portable avx2 avx512; do
  bench --repeat 3 --grid 96 --atoms 4096 --threads 1 --level $level cpu
done

say "multilevel summation"
for atoms in 100000 1500000 10000000; do
  for periodic in 0 1; do
    timeout 60 "$build/tests/bench/bench_multilevel" --atoms $atoms --periodic $periodic $one
  done
done | tee "$build/multilevel.txt"
for tolerance in 1e-2 1e-3 1e-4; do
  timeout 60 "$build/tests/bench/bench_multilevel" --check 300 --tolerance $tolerance $one cpu
done | tee -a "$build/multilevel.txt"

say "particle mesh Ewald"
for tolerance in 1e-3 1e-4 1e-5; do
  timeout 60 "$build/tests/bench/bench_ewald_stages" 128 100000 $tolerance
  timeout 60 "$build/tests/bench/bench_ewald" --check 1 --tolerance $tolerance $one cpu
done 2>&1 | tee "$build/ewald.txt"
timeout 60 "$build/tests/bench/bench_ewald" --smooth 1.5 $one cpu | tee -a "$build/ewald.txt"

say "maps of one frame after the other"
timeout 60 "$build/tests/bench/bench_live_copy" 96
for method in cutoff ewald multilevel; do
  timeout 60 "$build/tests/bench/bench_live" --method $method $choices auto
done
timeout 60 "$build/tests/bench/bench_live" --atoms 1000000 --grid 200 --frames 64 $choices

say "scattering amplitudes"
timeout 60 "$build/tests/bench/bench_amplitude_shapes"
for q in 100 4096 20000; do
  timeout 60 "$build/tests/bench/bench_amplitude" --atoms 100000 --vectors $q --frames 16 $one
done
for ray in 64 128 512; do
  timeout 60 "$build/tests/bench/bench_amplitude" --atoms 100000 --vectors 4096 --ray $ray --frames 64 $one
done
timeout 60 "$build/tests/bench/bench_amplitude" --atoms 100000 --vectors 4096 --frames 16 --groups 4 --weighted $one
timeout 60 "$build/tests/bench/bench_amplitude" --atoms 100000 --vectors 4096 --frames 16 --double $one

say "reciprocal lattices"
for tolerance in 1e-3 1e-5 1e-6 1e-9; do
  timeout 60 "$build/tests/bench/bench_lattice" --atoms 1000000 --extent 127 --tolerance $tolerance $one
done

say "ions: incremental, on the GPU and one core"
timeout 60 "$build/tests/bench/bench_ions"
timeout 60 "$build/tests/bench/bench_density"
timeout 120 "$build/tests/bench/bench_ligand" --check

say "isosurfaces"
for periods in 1 4; do
  timeout 60 "$build/tests/bench/bench_isosurface_stages" 256 $periods
  timeout 60 "$build/tests/bench/bench_isosurface" --periods $periods
done

say "surfaces of molecules"
for atoms in 300 3300 100000; do
  timeout 60 "$build/tests/bench/bench_surface_stages" $atoms
  timeout 60 "$build/tests/bench/bench_surface" --atoms $atoms
done

say "cutoff: from host to host"
for capacity in 0 9 8; do
  timeout 60 "$build/tests/bench/bench_cutoff" --grid 500 --capacity $capacity $one
done
timeout 60 "$build/tests/bench/bench_cutoff" --grid 500 --tenth $one
for level in portable avx2 avx512; do
  timeout 60 "$build/tests/bench/bench_cutoff" --grid 96 --threads 1 --level $level cpu
done

say "pairs: shapes of the kernel"
timeout 60 "$build/tests/bench/bench_pair_shapes"

say "pairs"
pairs() {
  timeout 60 "$build/tests/bench/bench_pairs" --atoms 1000000 "$@" cuda:0 | tee -a "$figures"
}
pairs
pairs --cell triclinic
pairs --groups 4
pairs --rmax 12
pairs --rmax 12 --groups 64 --bins 400
# Several GPUs: 16 frames in turn, and the ratio to one.
[ "$n_gpus" -ge 2 ] && timeout 90 "$build/tests/bench/bench_pairs" --atoms 1000000 --frames 16 $two | tee -a "$figures"
[ "$n_gpus" -ge 4 ] && for cell in cube triclinic; do
  timeout 90 "$build/tests/bench/bench_pairs" --atoms 1000000 --frames 16 --cell $cell $four
done | tee -a "$figures"
timeout 60 "$build/tests/bench/bench_pairs" --atoms 50000000 --rmax 12 --repeat 1 cuda:0 | tee -a "$figures"

say "self scattering and displacements"
timeout 60 "$build/tests/bench/bench_self_shapes"
timeout 60 "$build/tests/bench/bench_self_shapes" 8192 2000 8
timeout 60 "$build/tests/bench/bench_self" --atoms 16384 --vectors 64 $one
timeout 60 "$build/tests/bench/bench_self" --atoms 65536 --vectors 4 $one
[ "$n_gpus" -ge 2 ] && timeout 90 "$build/tests/bench/bench_scattering_lanes" $choices
timeout 60 "$build/tests/bench/bench_self" --atoms 4096 --double $one
for level in portable avx2 avx512; do
  timeout 60 "$build/tests/bench/bench_self" --threads 1 --level $level --atoms 500 cpu
done

say figures
nvidia-smi --query-gpu=name,clocks.sm,clocks.max.sm,power.limit --format=csv,noheader | head -1
grep -E '^(double|textbook)' "$build/shapes.txt"
echo 'the fastest shapes:'
grep 'registers' "$build/shapes.txt" | grep -v textbook | awk '{ for (i = 1; i < NF; i++) if ($i == "T") print $(i - 1), $0 }' |
  sort -rn | head -8 | cut -d' ' -f2-
echo 'maps:'
grep -E 'evals/s|pairs/s' "$figures"
echo 'particle mesh Ewald:'
cat "$build/ewald.txt"
say "end, status $status"
exit $status
