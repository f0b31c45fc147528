#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and runs the Flatpak where Flathub can't be reached: a runtime made of Debian's packages stands for GNOME's, all else
# is as the manifest says. As root, on a system with debootstrap, flatpak, flatpak-builder, ostree and elfutils:
#   flatpak/build-offline.sh FOLDER [MODULE]      MODULE: debye-cuda.so, for the extension org.debye.Debye.Cuda
# With DEBIAN_LIBRARIES=1 FFTW, HDF5 and cglm are Debian's, too: FFTW alone compiles for a quarter of an hour.
# Another run takes the runtime, and what was compiled before, from FOLDER, also where that one was stopped. Afterwards, as it
# says at its end: FOLDER/flatpak run org.debye.Debye
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: flatpak/build-offline.sh FOLDER [debye-cuda.so]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
module=${2:+$(realpath "$2")}

# The Debian that has the libraries of the runtime that the manifest names: GTK 4.18 and libadwaita 1.7.
suite=trixie
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
version=$(sed -n 's/.*"runtime-version": "\(.*\)".*/\1/p' "$root/flatpak/org.debye.Debye.json")
arch=$(flatpak --default-arch)
platform=(libgtk-4-1 libadwaita-1-0 libgtksourceview-5-0 libepoxy0 libegl1 libgl1 libgl1-mesa-dri libpng16-16t64 librsvg2-common libglib2.0-bin
  libbz2-1.0 liblzma5 libssl3 adwaita-icon-theme fonts-cantarell shared-mime-info dconf-gsettings-backend xkb-data gstreamer1.0-tools
  gstreamer1.0-plugins-base gstreamer1.0-plugins-good)
sdk=(build-essential meson ninja-build pkg-config gettext libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev libepoxy-dev libpng-dev zlib1g-dev
  libbz2-dev liblzma-dev libssl-dev desktop-file-utils appstream python3 ccache)
if [ -n "${DEBIAN_LIBRARIES:-}" ]; then
  platform+=(libfftw3-double3 libfftw3-single3 libhdf5-310)
  sdk+=(libfftw3-dev libhdf5-dev libcglm-dev)
fi

inside() { # system, command...: as its root, with /proc
  local system=$1; shift
  unshare --mount --fork sh -c 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot "$0" "$@"' \
    "$system" /usr/bin/env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

install_packages() { # system, package...
  local system=$1; shift
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  inside "$system" apt-get -q update
  inside "$system" apt-get -q install -y --no-install-recommends "$@"
  inside "$system" apt-get clean
}

# What Flatpak mounts as /usr, with /etc in it; the linker finds libraries of the program and of extensions.
export_runtime() { # system, name
  local system=$1 name=$2 made=$work/export
  rm -rf "$made"
  mkdir -p "$made/files"  # asked for, though a runtime has its own in usr
  cp -a "$system/usr" "$made/usr"
  cp -a "$system/etc" "$made/usr/etc"
  # Names that point to the machine's own files, which Flatpak lays over.
  rm -f "$made/usr/etc/"{resolv.conf,mtab,passwd,group,shadow,gshadow,hostname,hosts,localtime,machine-id}
  printf '%s\n' 'include /run/flatpak/ld.so.conf.d/app-*.conf' /app/lib "/usr/lib/$arch-linux-gnu" \
    'include /run/flatpak/ld.so.conf.d/runtime-*.conf' >"$made/usr/etc/ld.so.conf"
  # Device nodes and special bits are no part of a runtime.
  find "$made/usr" \( -type b -o -type c -o -type p -o -type s \) -delete
  cat >"$made/metadata" <<END
[Runtime]
name=$name
runtime=org.gnome.Platform/$arch/$version
sdk=org.gnome.Sdk/$arch/$version

[Environment]
GI_TYPELIB_PATH=/app/lib/girepository-1.0
XDG_DATA_DIRS=/app/share:/usr/share:/usr/share/runtime/share
END
  flatpak build-export --runtime --arch="$arch" --disable-sandbox "$work/repository" "$made" "$version"
  rm -rf "$made"
}

make_runtime() {
  # Not compressed: it is for this machine alone.
  ostree --repo="$work/repository" init --mode=bare-user
  [ -e "$work/platform/etc/apt/sources.list" ] || debootstrap --variant=minbase "$suite" "$work/platform" "$mirror"
  install_packages "$work/platform" "${platform[@]}"
  rm -rf "$work/sdk"
  cp -a "$work/platform" "$work/sdk"
  install_packages "$work/sdk" "${sdk[@]}"
  export_runtime "$work/platform" org.gnome.Platform
  export_runtime "$work/sdk" org.gnome.Sdk
  rm -rf "$work/platform" "$work/sdk"
  touch "$work/runtime-made"
}

# The manifest without what the stand-in has no tool for; sources of Debye are those that stand here.
local_manifest() { # manifest, result
  /usr/bin/python3 - "$1" "$2" "$root" "$module" <<'END'
import json
import os
import sys

source, result, root, module = sys.argv[1:]
with open(source, encoding='utf-8') as text:
    manifest = json.load(text)
manifest['appstream-compose'] = False
if os.environ.get('DEBIAN_LIBRARIES'):
    manifest['modules'] = manifest['modules'][-1:]
for part in manifest['modules'][-1]['sources']:
    part['path'] = module if part['type'] == 'file' else root
with open(result, 'w', encoding='utf-8') as text:
    json.dump(manifest, text, indent=2)
END
}

build() { # manifest
  local name=${1%.json}
  local_manifest "$root/flatpak/$1" "$work/$1"
  flatpak-builder --user --install --force-clean --disable-rofiles-fuse --ccache --jobs="${JOBS:-$(nproc)}" \
    --state-dir="$work/state" "$work/build-$name" "$work/$1"
}

# Nothing of the user's own Flatpaks is touched.
export FLATPAK_USER_DIR=$work/installed
[ -e "$work/runtime-made" ] || make_runtime
flatpak --user remote-add --if-not-exists --no-gpg-verify debian "$work/repository"
flatpak --user install --noninteractive --or-update debian "org.gnome.Platform//$version" "org.gnome.Sdk//$version"
build org.debye.Debye.json
[ -z "$module" ] || build org.debye.Debye.Cuda.json

printf '#!/bin/sh\nFLATPAK_USER_DIR=%s exec flatpak "$@"\n' "$work/installed" >"$work/flatpak"
chmod +x "$work/flatpak"
"$work/flatpak" run --command=debye-cli org.debye.Debye devices
echo "Built. Run it: $work/flatpak run org.debye.Debye"
