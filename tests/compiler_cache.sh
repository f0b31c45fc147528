# SPDX-License-Identifier: MIT
# Sourced: CC and NVCC go through ccache if it is installed; DEBYE_NO_CCACHE=1 leaves it out. Some three hundred programs of tests are
# linked by gold, which Debian's binutils has: it takes a fifth of the time. It can't link clang's sanitizers; lld does.
export CC=${CC:-gcc}
case $CC in
  *clang*) linker=lld ;;
  *) linker=gold ;;
esac
[ -n "${CC_LD:-}" ] || ! command -v ld.$linker >/dev/null || export CC_LD=$linker
if [ -z "${DEBYE_NO_CCACHE:-}" ] && command -v ccache >/dev/null; then
  # Clones have other names each time: without this nothing would be found again.
  export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=${CCACHE_BASEDIR:-${root:-$PWD}} CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache}
  case $CC in ccache*) ;; *) CC="ccache $CC" ;; esac
  nvcc=${NVCC:-$(command -v nvcc || true)}
  case $nvcc in '' | ccache*) ;; *) export NVCC="ccache $nvcc" ;; esac
fi
