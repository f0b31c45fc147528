#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the corpus that is kept anew: what run.sh has collected in its build folder, made as small as it gets without
# losing a branch, becomes tests/fuzz/corpus.tar.xz (about 1 MB; to be committed after a longer run).
#
#   tests/fuzz/keep_corpus.sh [FOLDER...]
#
# FOLDER: more of such corpora, for instance of another machine; each holds a folder a target. Inputs above 8 KB are left
# out. A target that isn't there keeps what the archive has of it. DEBYE_FUZZ_BUILD as for run.sh.
set -eu

source=$(cd "$(dirname "$0")/../.." && pwd)
build=${DEBYE_FUZZ_BUILD:-$source/build-fuzz}
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
export LSAN_OPTIONS="suppressions=$source/tests/support/lsan.supp:print_suppressions=0"
export ASAN_OPTIONS="allocator_may_return_null=1"

mkdir "$kept/old" "$kept/new"
[ ! -f "$source/tests/fuzz/corpus.tar.xz" ] || tar -C "$kept/old" -xJf "$source/tests/fuzz/corpus.tar.xz"
for program in "$build/tests/fuzz"/fuzz_*; do
  target=${program##*/fuzz_}
  [ -f "$program" ] && [ -x "$program" ] || continue
  mkdir -p "$kept/new/$target" "$kept/old/$target" "$build/corpus/$target"
  more=
  for folder in "$@"; do
    [ ! -d "$folder/$target" ] || more="$more $folder/$target"
  done
  # shellcheck disable=SC2086 # one word a folder
  "$program" -merge=1 -max_len=8192 -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1000000000 -verbosity=0 \
    "$kept/new/$target" "$kept/old/$target" "$build/corpus/$target" $more > "$build/merge-$target.log" 2>&1 ||
    { tail -n 60 "$build/merge-$target.log"; exit 1; }
  echo "$target: $(ls "$kept/new/$target" | wc -l) inputs"
done
for folder in "$kept/old"/*/; do
  [ -d "$kept/new/$(basename "$folder")" ] || cp -r "$folder" "$kept/new/"
done
tar -C "$kept/new" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . | xz -9e > "$source/tests/fuzz/corpus.tar.xz"
