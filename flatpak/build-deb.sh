#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Debian packages of the sources that stand here: flatpak/build-deb.sh FOLDER puts debye_*.deb and debye-cli_*.deb (and, where it is
# built, debye-cuda_*.deb) into it. Debian expects its files at the top, so a copy is built; the tree stays clean. The maintainer is
# who builds them for others, by DEBEMAIL and DEBFULLNAME, as Debian's own tools have it; without them nobody is.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: flatpak/build-deb.sh FOLDER" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debye"
(cd "$root" && tar --create --exclude=./.git --exclude=./build* .) | tar --extract --directory "$work/debye"
cp -r "$root/flatpak/debian" "$work/debye/debian"
if [ -n "${DEBEMAIL:-}" ]; then
  # What sed takes for more than a letter: Smith & Co.
  maintainer=$(printf '%s' "${DEBFULLNAME:-The Debye project} <$DEBEMAIL>" | sed 's/[&|\\]/\\&/g')
  sed -i "s|The Debye project <nobody@debye.invalid>|$maintainer|" "$work"/debye/debian/{control,changelog}
fi
export DEB_BUILD_OPTIONS="noautodbgsym ${DEB_BUILD_OPTIONS:-}"
(cd "$work/debye" && dpkg-buildpackage --unsigned-source --unsigned-changes --build=binary)
cp "$work"/*.deb "$output"
