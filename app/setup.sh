#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what Debye needs on Debian 12 (or a system with the same package names). Only missing packages are asked for,
# so a second run needs neither the network nor root.
#   app/setup.sh [program] [tests] [cluster] [fuzzing] [checks]        default: program
set -euo pipefail

program=(build-essential pkg-config meson ninja-build gettext libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev libepoxy-dev libhdf5-dev
  libfftw3-dev libbz2-dev liblzma-dev libssl-dev libcglm-dev libpng-dev zlib1g-dev libglib2.0-bin desktop-file-utils appstream libgl1-mesa-dri
  libegl1 libgl1 adwaita-icon-theme librsvg2-common fonts-cantarell)
tests=(xvfb xauth xcompmgr dbus at-spi2-core gir1.2-atspi-2.0 python3 python3-gi python3-numpy python3-h5py xdotool
  imagemagick hdf5-tools locales clang-format man-db gstreamer1.0-tools gstreamer1.0-plugins-base
  gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly libopenmpi-dev openmpi-bin ccache)
cluster=(libopenmpi-dev openmpi-bin)
fuzzing=(clang libclang-rt-14-dev lld)
checks=(clang-tidy)

[ $# -gt 0 ] || set -- program
wanted=()
for group; do
  case $group in
    program) wanted+=("${program[@]}") ;;
    tests) wanted+=("${tests[@]}") ;;
    cluster) wanted+=("${cluster[@]}") ;;
    fuzzing) wanted+=("${fuzzing[@]}") ;;
    checks) wanted+=("${checks[@]}") ;;
    *) echo "setup.sh: unknown group “$group”: program, tests, cluster, fuzzing or checks" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "setup.sh: this is no Debian. Please install what corresponds to: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup.sh: as root, please: apt-get install ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
