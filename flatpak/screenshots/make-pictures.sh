#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pictures of the AppStream data and of the README, of the window itself with its samples: make-pictures.sh DEBYE
# Needs what the tests of the window need (app/setup.sh tests).
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: flatpak/screenshots/make-pictures.sh DEBYE" >&2; exit 2; }
debye=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
for picture in main pairs; do
  PYTHONPATH=$root/tests/ui "$root/tests/ui/run_window.sh" "$debye" "$root" "$made" /usr/bin/python3 "$here/pictures.py" $picture
  convert "$made/$picture.png" -strip -define png:compression-level=9 "$here/$picture.png"
done
